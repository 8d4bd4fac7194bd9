"""Somebody else's code, run apart: time limit, random state, output, arguments by name, values."""
