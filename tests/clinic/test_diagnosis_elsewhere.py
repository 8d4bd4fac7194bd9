"""A layer on another device, torch's meta: which tables come along, and which stay behind."""

import pytest
import torch
from torch import nn
from zoo_layers import Buffer

from pe_clinic import diagnose_layer


class Plain(Buffer):
    """A plain attribute; ``there`` is what forward does with it."""

    def __init__(self, d_model, max_len, there=lambda self, pe, x: pe):
        super().__init__(d_model, max_len)
        pe = self.pe
        del self.pe
        self.pe, self.there = pe, there

    def forward(self, x):
        return x + self.there(self, self.pe[:, : x.shape[1]], x)


class Applied(Plain):
    def _apply(self, function, *more):
        self.pe = function(self.pe)
        return super()._apply(function, *more)


class ByTo(Plain):
    def to(self, *where, **how):
        self.pe = self.pe.to(*where, **how)
        return super().to(*where, **how)


class Looked(nn.Module):
    """An embedding that holds the table, and positions in a plain attribute."""

    def __init__(self, d_model, max_len):
        super().__init__()
        self.rows = nn.Embedding.from_pretrained(Buffer(d_model, max_len).pe[0])
        self.pos = torch.arange(max_len)

    def forward(self, x):
        return x + self.rows(self.pos[: x.shape[1]].to(x.device))


def lazily(self, pe, x):
    if self.pe.device != x.device:
        self.pe = self.pe.to(x.device)
    return self.pe[:, : x.shape[1]]


def with_(there):
    return lambda d_model, max_len: Plain(d_model, max_len, there)


COMES = {
    "to(device)": with_(lambda self, pe, x: pe.to(x.device)),
    "to(device=, dtype=)": with_(lambda self, pe, x: pe.to(device=x.device, dtype=x.dtype)),
    "to(x)": with_(lambda self, pe, x: pe.to(x)),
    "type_as": with_(lambda self, pe, x: pe.type_as(x)),
    "copied": with_(lambda self, pe, x: torch.zeros_like(x[:1]).copy_(pe)),
    "lazily": with_(lazily),
    "_apply": Applied,
    "its own to": ByTo,
    "an embedding": Looked,
}
STAYS = {
    "as it is": Plain,
    "a new one on the CPU": with_(lambda self, pe, x: pe.to(x.device) + torch.zeros(x.shape[1], 1)),
}


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", [*COMES, *STAYS])
def test_only_what_stays_behind_is_said_to(name):
    diagnosis = diagnose_layer({**COMES, **STAYS}[name])
    assert ("unregistered" in [finding.id for finding in diagnosis.findings]) == (name in STAYS), diagnosis
