"""`diagnose_model`: look at a model of tokens from outside, explain, and say."""

from dataclasses import dataclass

from ..saying.mistake import Mistake
from ..saying.result import Diagnosis, Finding
from .cache import Cache, look_at_cache
from .calls import Calls, look_at_calls
from .explain import explain, words_for
from .far import Far, look_at_far
from .ids import Ids, look_at_ids
from .layers import Layers, look_at_layers
from .order import Order, look_at_order
from .padding import Padding, look_at_padding
from .rates import look_at_rotary
from .subject import Refused, copy_of, differs, quietly, subject_of

NOT_EXPECTED = Mistake("not-expected", "Not what was expected.")


@dataclass(frozen=True)
class Seen:
    """All that was measured of one model."""

    calls: Calls
    order: Order | None
    ids: Ids
    layers: Layers
    rotary: tuple
    cache: Cache
    padding: Padding
    far: Far


def look(subject):
    """Run every experiment once."""
    calls, order, ids = look_at_calls(subject), look_at_order(subject), look_at_ids(subject)
    layers = look_at_layers(subject, ids)
    return Seen(
        calls=calls,
        order=order,
        ids=ids,
        layers=layers,
        rotary=look_at_rotary(subject),
        cache=look_at_cache(subject, order, ids.first),
        padding=look_at_padding(subject, ids.first),
        far=look_at_far(subject, ids, differs(layers.added)),
    )


def diagnose_model(model, expect=None):
    """A `Diagnosis` of ``model(ids)`` or ``model(input_ids=…)``, which gives logits or an object with `.logits`.

    >>> from pe_lib.layer import PositionalEncoding  # any torch module of tokens, such as one of transformers
    >>> diagnosis = diagnose_model(my_model)  # doctest: +SKIP
    """
    with quietly():
        subject = subject_of(copy_of(model))
        if isinstance(subject, Refused):
            return not_run(f"model(ids) raised {subject.error}")
        seen = look(subject)
    findings = explain(seen)
    return say(findings, words_for(seen), expect)


def not_run(what):
    return Diagnosis(False, (Finding("raises", what, kind="not-run"),), kind="model")


def say(findings, words, expect, kind="model"):
    """The `Diagnosis`. ``expect``: words that `.convention` must contain, with commas between them."""
    missing = [each.strip() for each in (expect or "").split(",") if each.strip() and each.strip() not in (words or "")]
    if missing:
        findings = [*findings, NOT_EXPECTED.found(f"it is {words}", title=f"Not what was expected: {', '.join(missing)}.")]
    usage = tuple(each for each in findings if each.kind == "usage")
    others = tuple(each for each in findings if each.kind != "usage")
    return Diagnosis(not others, others, words, None, usage, kind)
