"""What is said where there is no rotation to look at, or less of it than elsewhere."""

from .words import MISTAKES

WRAP = "wrap it: lambda x, positions: …, with x of shape (batch, heads, length, head_dim)"
NO_TENSOR = MISTAKES["no-tensor"]
NO_PAIR = MISTAKES["no-pair"]
OTHER_SHAPE = MISTAKES["rotation-shape"]
BEYOND = MISTAKES["beyond-cache"]
NO_HALF = MISTAKES["no-half"]
