"""A layer that adds the table to x, looked at, explained and named."""
