"""Do two calls agree? Chance, state from an earlier call, neighbours in the batch, and a mask of ones."""

from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from .subject import differs

NOT_FINITE = Mistake(
    "not-finite", "The logits are not numbers.", "NaN or infinity at the first call: often a row without any visible key.",
    "look for a softmax over −∞ alone, and for buffers that nobody filled")  # fmt: skip
CHANCE = Mistake(
    "chance", "Two calls with the same text differ by chance.", "In evaluation mode nothing is drawn. Often dropout was left on.",
    "dropout(x, p, training=self.training), and model.eval()")  # fmt: skip
STATE = Mistake(
    "state", "A call depends on the calls before it.", "The model keeps something: a cache, a counter, or frequencies of a longer text.",
    "compute from the arguments, or reset at the beginning of a text", "vllm-project/vllm/issues/52665")  # fmt: skip
NEIGHBOURS = Mistake(
    "neighbours", "A text's result depends on its neighbours in the batch.", "Something mixes the rows: a softmax, a mean or a reshape over the batch.",
    "check each view, reshape and dim=")  # fmt: skip
ONES = Mistake(
    "mask-of-ones", "A mask of ones changes the result.", "All tokens are visible, as without a mask: two paths of the code disagree.",
    "build the mask once, from attention_mask or from ones")  # fmt: skip


@dataclass(frozen=True)
class Calls:
    """Differences in standard deviations, None where a call was refused; ``finite`` says whether all logits are numbers."""

    finite: bool
    again: float | None
    seeded: float | None
    after_longer: float | None
    after_far: float | None
    after_cache: float | None
    alone: float | None
    neighbours: float | None
    ones: float | None


def look_at_calls(subject):
    ids, run = subject.text(), subject.run
    base = run(ids)
    again = subject.apart(base, run(ids))
    torch.manual_seed(1)
    one = run(ids)
    torch.manual_seed(1)
    seeded = subject.apart(one, run(ids))
    run(subject.text(subject_length(subject, 40)))
    after_longer = subject.apart(base, run(ids))
    after_far = after_cache = None
    if subject.takes("positions"):
        run(ids, positions=(subject.limit or 4096) + 500 + torch.arange(ids.shape[1]).expand(ids.shape))
        after_far = subject.apart(base, run(ids))
    if subject.takes("cache"):
        run(ids, caching=True)
        after_cache = subject.apart(base, run(ids))
    alone = max((subject.apart(base.logits[n : n + 1], run(ids[n : n + 1])) or 0.0 for n in range(2)), default=None)
    other = torch.stack([ids[0], ids[1].flip(0)])
    changed = run(other)
    neighbours = subject.apart(base.logits[:1], changed.logits[:1]) if hasattr(changed, "logits") else None
    ones = subject.apart(base, run(ids, mask=torch.ones_like(ids))) if subject.takes("mask") else None
    finite = bool(base.logits.isfinite().all())
    return Calls(finite, again, seeded, after_longer, after_far, after_cache, alone, neighbours, ones)


def subject_length(subject, wanted):
    """``wanted`` places, or as many as the model has."""
    return min(wanted, subject.limit or wanted)


def explain_calls(seen):
    """The findings; the first of these hides what comes after it."""
    if not seen.finite:
        return [NOT_FINITE.found("the first call gave NaN or infinity")]
    if differs(seen.again):
        return [(STATE if differs(seen.seeded) else CHANCE).found(_far(seen.again, "the same call, twice"))]
    for difference, what in (
        (seen.after_longer, "after a call with a longer text"),
        (seen.after_far, "after a call with positions beyond the configured length"),
        (seen.after_cache, "after a call with a cache"),
    ):
        if differs(difference):
            return [STATE.found(_far(difference, what))]
    findings = []
    if differs(seen.neighbours) or differs(seen.alone):
        what = "another text in row 1 changes row 0" if differs(seen.neighbours) else "each row alone and in a batch of two"
        findings.append(NEIGHBOURS.found(_far(seen.neighbours if differs(seen.neighbours) else seen.alone, what)))
    if differs(seen.ones):
        findings.append(ONES.found(_far(seen.ones, "with and without a mask of ones")))
    return findings


def _far(difference, what):
    return f"{what}: the logits differ by {difference:.2g} of their standard deviation"
