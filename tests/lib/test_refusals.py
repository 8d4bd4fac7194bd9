"""Every page line of refusals.md: a bad argument is refused with the exception and the words that stand there."""

import math
import re

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


@pytest.mark.parametrize("parameter, call, says", CASES)
def test_what_is_refused(parameter, call, says):
    for each, more in EACH[parameter]:
        with pytest.raises((TypeError, ValueError)) as caught:
            eval(call, {**NAMES, parameter: each})
        for words in (says, more):
            pattern = ".*".join(map(re.escape, words.split("…")))
            assert re.search(pattern, f"{caught.type.__name__}: {caught.value}", re.S), caught.value
