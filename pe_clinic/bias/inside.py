"""The bias that an attention layer adds: what comes to its softmax where x is zero, and so are all queries and keys."""

import re
from contextlib import suppress

import torch

from ..calling.lines import Value
from ..calling.loading import CouldNotRun
from ..calling.names import ROTATES
from ..rotation.recognise import code_of
from ..rotation.scores import Scores
from .diagnose import diagnose_alibi, with_more
from .forms import bias_of
from .given import GIVEN, X
from .signatures import calls_of, reading_of
from .words import MISTAKES

SOFTMAX = "softmax|scaled_dot_product_attention"


def adds_bias(thing):
    """Is it a class whose code, or its parents', has a softmax and speaks of slopes, and of no rotation?"""
    own = [cls for cls in thing.__mro__ if cls.__module__ == thing.__module__] if isinstance(thing, type) else []
    code = " ".join(map(code_of, own))
    return bool(re.search(SOFTMAX, code) and re.search("alibi|slope", code)) and not re.search(ROTATES, code)


def inside(file, path):
    """(`Diagnosis`, "alibi", the call in words); None where no scores are seen."""
    calls = calls_of(file, path, {**GIVEN, **dict.fromkeys(("x", "scores", "vectors"), X)})
    with suppress(CouldNotRun):
        if found := reading_of((_at_softmax(call), part) for call, part in calls if not part):
            diagnosis = diagnose_alibi(bias_of(found.call))
            return with_more(diagnosis, [MISTAKES.found("at-softmax", "")]), "alibi", found.shown
    return None


def _at_softmax(call):
    def give(setting):
        with Scores(setting["length"]) as seen, torch.no_grad():
            call.give(setting)
        return getattr(seen, "kept", None)

    return Value(call.text, give, call.made, "its scores where they meet the softmax")
