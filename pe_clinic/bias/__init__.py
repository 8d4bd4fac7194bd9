"""Is this ALiBi's bias, and if not, what is it? Look at it at several heads and lengths, explain, say."""
