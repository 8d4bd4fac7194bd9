"""The law of the frequencies: from measured rates to base, exponent, scaling, and what is wrong with them."""
