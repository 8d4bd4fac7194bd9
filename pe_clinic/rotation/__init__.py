"""Is this RoPE's rotation, and if not, what is it? Look at it through unit vectors, explain, say."""
