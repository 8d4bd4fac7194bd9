"""What is said of a bias beside its numbers: of masks, of heads that it refuses, of what it keeps, of a part of it."""

from dataclasses import replace

from .words import MISTAKES

PAST_MASKED = MISTAKES["past-masked"]
FUTURE_SEEN = MISTAKES["future-seen"]
HEADS_STOP = MISTAKES["heads-stop"]
HEADS_REFUSED = replace(
    HEADS_STOP, id="heads-refused", title="It refuses numbers of heads that are no power of two.", kind="usage"
)
NEGATIVE = MISTAKES["negative-slopes"]
ONE_HEAD = MISTAKES["one-head"]
DISTANCES = MISTAKES["distances"]
KEPT = MISTAKES["kept-bias"]
FIRST_ROWS = MISTAKES["first-rows"]
PART = MISTAKES["part"]
BY_DEFAULT = MISTAKES["dtype-by-default"]
LATER = MISTAKES["none-at-first"]
