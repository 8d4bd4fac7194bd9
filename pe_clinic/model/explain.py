"""From what was seen to findings and to the words for what the model is."""

from ..saying.mistake import Mistake
from .cache import explain_cache
from .calls import explain_calls
from .far import explain_far
from .ids import explain_ids
from .layers import runs
from .order import explain_order
from .padding import explain_padding
from .rates import describe_rates
from .subject import differs

UNUSED = Mistake(
    "positions-unused", "The model has positions, and they change nothing.", "A table or a rotation is made, and its result is dropped or multiplied by zero.",
    "use what apply_rotary_pos_emb returns; add the position's row to the token's")  # fmt: skip
NOT_FILLED = Mistake(
    "frequencies-not-filled", "The rotary frequencies are junk.", "A buffer that no checkpoint holds was made on the meta device and never filled.",
    "compute inv_freq again after to_empty()", "huggingface/transformers/issues/45902")  # fmt: skip
DISAGREES = Mistake(
    "not-as-configured", "Some layers do not rotate as the configuration says.", "A base, a factor or a list of layers was read from the wrong place, or applied twice.",
    "compare inv_freq of each layer with rope_parameters", "ollama/ollama/pull/13452")  # fmt: skip


def kind_of(seen):
    """"absolute", "relative" or "none", and "recurrent" where that is how order is known."""
    moved_by_shift = seen.ids.used and differs(seen.ids.shifted)
    absolute = differs(seen.layers.added) or moved_by_shift and not seen.rotary
    relative = any(seen.layers.positional) or (seen.ids.used and not absolute)
    kinds = ["absolute"] * bool(absolute) + ["relative"] * bool(relative)
    recurrent = any(grows and not by_ids for grows, by_ids in zip(seen.layers.grows, seen.layers.ids, strict=True))
    return (kinds or ["none"]) + ["recurrent"] * bool(recurrent and not relative)


def words_for(seen):
    """What stands in `.convention`."""
    kind = kind_of(seen)
    words = list(kind)
    if "relative" in kind and seen.rotary:
        words.append("rotary")
        several = len(seen.rotary) > 1
        for each in seen.rotary:
            law = describe_rates(each.rates) or "frequencies of no known law"
            words.append(f"{law} in layers {runs(each.layers)}" if several and each.layers else law)
    without = [n for n, has in enumerate(seen.layers.positional) if not has]
    if without and "relative" in kind:
        words.append(f"layers {runs(without)} without positions")
    return ", ".join(dict.fromkeys(words))


def explain(seen):
    """The findings. What makes all other numbers meaningless is said alone."""
    first = explain_calls(seen.calls)
    if first and first[0].id in ("not-finite", "chance", "state"):
        return first
    kind = kind_of(seen)
    findings = [*first, *explain_order(seen.order)]
    if any(each.id == "future-leak" or each.id == "not-causal" for each in findings):
        return findings
    findings += explain_rotary(seen, kind)
    findings += explain_ids(seen.ids, bool(seen.rotary) or "absolute" in kind)
    findings += explain_cache(seen.cache)
    findings += explain_far(seen.far)
    findings += explain_padding(seen.padding, "absolute" in kind, seen.ids.stride is not None, seen.layers.convolves and not seen.order.causal)
    return findings


def explain_rotary(seen, kind):
    findings = []
    for each in seen.rotary:
        rates = each.rates
        if not all(rate == rate and abs(rate) < 4 for rate in rates) or max(map(abs, rates)) < 1e-6:
            findings.append(NOT_FILLED.found(f"the first of {len(rates)} are " + ", ".join(f"{rate:.3g}" for rate in rates[:3])))
    if seen.rotary and kind[0] == "none" and seen.layers.ordered:
        findings.append(UNUSED.found("a rotary module runs, and no layer knows the order"))
    return findings
