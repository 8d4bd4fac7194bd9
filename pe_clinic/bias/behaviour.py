"""What is said of a bias beside its numbers: of masks, of heads that it refuses, of what it keeps, of a part of it."""

from dataclasses import replace

from ..saying.mistake import Mistake
from .catalogue import PAPER
from .words import MISTAKES

PAST_MASKED = MISTAKES["past-masked"]
FUTURE_SEEN = MISTAKES["future-seen"]
HEADS_STOP = MISTAKES["heads-stop"]
HEADS_REFUSED = replace(
    HEADS_STOP, id="heads-refused", title="It refuses numbers of heads that are no power of two.", kind="usage"
)
NEGATIVE = MISTAKES["negative-slopes"]
ONE_HEAD = Mistake(
    "one-head",
    "One slope serves all heads.",
    "The paper gives each head its own: heads look at different distances.",
    "call it for each head with its slope, 2 ** (-8 * (head + 1) / heads)",
    PAPER,
    kind="convention",
)
DISTANCES = MISTAKES["distances"]
KEPT = MISTAKES["kept-bias"]
FIRST_ROWS = MISTAKES["first-rows"]
PART = MISTAKES["part"]
BY_DEFAULT = MISTAKES["dtype-by-default"]
LATER = MISTAKES["none-at-first"]
