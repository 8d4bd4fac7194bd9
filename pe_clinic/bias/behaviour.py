"""What is said of a bias beside its numbers: of masks, of heads that it refuses, of what it keeps, of a part of it."""

from dataclasses import replace

from ..saying.mistake import Mistake
from .catalogue import PAPER

PAST_MASKED = Mistake(
    "past-masked",
    "Keys of the past are masked, and those of the future are seen.",
    "Key minus query is below zero for the past: the comparison, or the subtraction, is turned round.",
    "distance = pos_query - pos_key, masked where it is below zero",
)
FUTURE_SEEN = Mistake(
    "future-seen",
    "Some keys of the future are seen.",
    "Its mask leaves some keys after the query: the diagonal of triu or tril is another one.",
    "torch.triu(..., diagonal=1) is what a query must not see",
)
HEADS_STOP = Mistake(
    "heads-stop",
    "It stops for numbers of heads that are no power of two.",
    "Models with 12 or 20 heads are common.",
    "2 ** (-8 * torch.arange(1, heads + 1) / heads), or the authors' code",
)
HEADS_REFUSED = replace(
    HEADS_STOP, id="heads-refused", title="It refuses numbers of heads that are no power of two.", kind="usage"
)
NEGATIVE = Mistake(
    "negative-slopes",
    "The slopes are negative: the caller adds slope · distance.",
    "A slope above zero would stand with a minus.",
    kind="note",
)
ONE_HEAD = Mistake(
    "one-head",
    "One slope serves all heads.",
    "The paper gives each head its own: heads look at different distances.",
    "call it for each head with its slope, 2 ** (-8 * (head + 1) / heads)",
    PAPER,
    kind="convention",
)
DISTANCES = Mistake(
    "distances",
    "It gives distances, without slopes.",
    "Each head's slope has to be multiplied to it elsewhere.",
    kind="convention",
)
KEPT = Mistake(
    "kept-bias",
    "What it keeps from one call is wrong in the next.",
    "A stored bias serves the lengths that it was made for. New queries are the last ones, and need its last rows.",
    "bias[..., -queries:, :keys] of a bias that has as many keys; store no other",
    "lucidrains/x-transformers/issues/153",
)
FIRST_ROWS = Mistake(
    "first-rows",
    "It gives fewer queries than keys other rows than the last.",
    "With a cache the new queries are the last ones: their rows are the last of the square bias.",
    "pos_query = torch.arange(keys - queries, keys)",
    kind="usage",
)
PART = Mistake("part", "Its forward was not looked at.", kind="usage")
