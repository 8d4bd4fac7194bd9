"""Every page line of refusals.md: a bad argument is refused with the exception and the words that stand there.

What must be otherwise is named as in the signature of what was called.
"""

import ast
import inspect
import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch

import pe_lib
from pe_course.judges.known import pages
from pe_lib import PositionalEncoding, TokenEmbedding, fourier_features, longer_texts, sinusoidal_at

NAMES = {name: getattr(module, name) for module in (pe_lib, longer_texts) for name in module.__all__}
NAMES |= {"math": math, "np": np, "torch": torch}
SECTIONS = pages(__file__.replace("test_", ""), {})
BAD = {kind: SECTIONS.pop(f"a bad {kind}").entries for kind in ("size", "base")}
EACH = {
    "": [None],
    "layer": [PositionalEncoding(6, max_len=8)],
    "second": [PositionalEncoding(6, max_len=8, batch_first=False)],
    "embed": [TokenEmbedding(10, 6)],
    "rope": [pe_lib.rope_interleaved, pe_lib.rope_half_split],
    "take": [
        lambda bad: sinusoidal_at(bad, 4),
        lambda bad: fourier_features(bad, [[1.0]]),
        lambda bad: fourier_features([[1.0]], bad),
    ],
    "t5": [
        lambda **settings: longer_texts.t5_bucket(torch.arange(3), **settings),
        lambda **settings: longer_texts.T5Bias(2, **settings),
    ],
    "longer": [longer_texts.interpolate, longer_texts.ntk_aware, lambda f, s: longer_texts.yarn(f, s, 512)],
}
EACH = {name: [(each, "") for each in several] for name, several in EACH.items()}
EACH |= {kind: [(eval(value, NAMES), says) for value, says in entries] for kind, entries in BAD.items()}
CASES = [(known.parameters, *entry) for known in SECTIONS.values() for entry in known.entries]


def parameters_of(called):
    """The names in the signature of a function, of a layer's forward, or of what a lambda of `EACH` calls."""
    called = called.forward if isinstance(called, torch.nn.Module) else called
    inside = called.__code__.co_names if called.__name__ == "<lambda>" else ()
    several = [NAMES[name] for name in inside if callable(NAMES.get(name))] or [called]
    return {name for each in several for name in inspect.signature(each).parameters}


@pytest.mark.parametrize("parameter, call, says", CASES)
def test_what_is_refused(parameter, call, says):
    function = ast.unparse(ast.parse(call, mode="eval").body.func)
    for each, more in EACH[parameter]:
        names = {**NAMES, parameter: each}
        with pytest.raises((TypeError, ValueError)) as caught:
            eval(call, names)
        for words in (says, more):
            pattern = ".*".join(map(re.escape, words.split("…")))
            assert re.search(pattern, f"{caught.type.__name__}: {caught.value}", re.S), caught.value
        if named := re.match(r"(\w+) must ", str(caught.value)):
            assert named[1] in parameters_of(eval(function, names)), caught.value


def test_every_public_name_that_takes_something_refuses_something():
    asked = Path(__file__).read_text("utf-8") + Path(__file__).with_name("refusals.md").read_text("utf-8")
    public = {name for name in pe_lib.__all__ if callable(getattr(pe_lib, name))}
    assert [name for name in sorted(public) if not re.search(rf"\b{name}\(|\.{name}\b", asked)] == []
