"""A table of shape (max_len, d_model), looked at, explained and named."""
