"""What is said where there is no rotation to look at, or less of it than elsewhere."""

from ..saying.mistake import Mistake

WRAP = "wrap it: lambda x, positions: …, with x of shape (batch, heads, length, head_dim)"
NO_TENSOR = Mistake("no-tensor", "The result is no tensor of x's kind.", "", "return the turned x as a tensor")
NO_PAIR = Mistake("no-pair", "It takes q and k and does not return both.", "", "return the turned q and the turned k")
OTHER_SHAPE = Mistake("rotation-shape", "The result has another shape than x.", "", "return the turned x, of x's shape")
BEYOND = Mistake(
    "beyond-cache",
    "It refuses positions beyond its table.",
    "An error is better than a wrong answer: nothing is lost.",
    kind="note",
)
NO_HALF = Mistake("no-half", "It refuses x in half precision.", "Models often run in bfloat16.", kind="note")
