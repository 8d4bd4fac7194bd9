"""A model of tokens, seen from outside: does it keep what its kind of position promises?"""
