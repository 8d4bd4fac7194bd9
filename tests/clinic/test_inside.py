"""Whole attention layers, written in several ways: what turns queries and keys is read where these meet."""

import contextlib
import io
import json

import pytest

from pe_clinic.__main__ import main

LAYER = """
import torch
from torch import nn
from torch.nn import functional as F

def rope(x, base=10000.0, dim=-2):
    d = x.shape[-1]
    rates = base ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(x.shape[dim])[:, None] * rates
    angles = torch.{joined}
    if dim == 1:
        angles = angles[:, None]
    half = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return x * angles.cos() + half * angles.sin()

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, d_model) for _ in range(3))
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        split = [p(x).view(*x.shape[:2], self.n_heads, -1) for p in (self.q_proj, self.k_proj, self.v_proj)]
        q, k, v = (t.transpose(1, 2) for t in split)
        q, k = {turned}
        {scores}
        return self.out_proj(y.transpose(1, 2).flatten(2))
"""
HALVES, NEIGHBOURS = "cat((angles, angles), -1)", "repeat_interleave(angles, 2, -1)"
BOTH = "rope(q), rope(k)"
SCORES = {
    "one function": "y = F.scaled_dot_product_attention(q, k, v, is_causal=True)",
    "named": "y = F.scaled_dot_product_attention(query=q, key=k, value=v)",
    "matmul": "y = ((q @ k.transpose(-2, -1)) / q.shape[-1] ** 0.5).softmax(-1) @ v",
    "einsum": "y = torch.einsum('bhqk,bhkd->bhqd', torch.einsum('bhqd,bhkd->bhqk', q, k).softmax(-1), v)",
    "bmm": "y = (torch.bmm(q.flatten(0, 1), k.flatten(0, 1).mT).softmax(-1) @ v.flatten(0, 1)).view(v.shape)",
}


def said(folder, joined=HALVES, turned=BOTH, scores=SCORES["one function"], layer=LAYER):
    path = folder / "model.py"
    path.write_text(layer.format(joined=joined, turned=turned, scores=scores))
    with contextlib.redirect_stdout(io.StringIO()) as out:
        main([f"{path}:Attention", "--json"])
    return json.loads(out.getvalue())


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize(
    ("slip", "words"),
    [
        ({"joined": NEIGHBOURS}, "Two layouts are mixed"),
        ({"turned": "rope(q), k"}, "k"),
        ({"turned": "rope(q, dim=1), rope(k, dim=1)"}, "goes by another axis, such as heads"),
        ({"turned": "rope(q), rope(k, 1000.0)"}, "k"),
    ],
    ids=["layouts", "queries alone", "heads", "another base for keys"],
)
def test_a_slip_is_named_however_scores_are_made(tmp_path, scores, slip, words):
    told = said(tmp_path, scores=scores, **slip)
    assert told["verdict"] == "wrong" and words in str(told["findings"]), told


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
def test_a_right_layer_is_never_called_right_as_a_whole(tmp_path, scores):
    told = said(tmp_path, scores=scores)
    assert told["verdict"] == "not-run" and "they are turned: half-split" in told["line"], told


@pytest.mark.slow
def test_a_layer_whose_rotation_is_handed_in_is_not_blamed(tmp_path):
    layer = LAYER.replace("n_heads):", "n_heads, rope=None):")
    layer = layer.replace("= n_heads\n", "= n_heads\n        self.rope = rope\n")
    told = said(tmp_path, turned="(rope(q), rope(k)) if self.rope else (q, k)", layer=layer)
    assert told["verdict"] == "not-run", told


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rope(q), rope(k)", "q, k  # rope comes later"),
        ("forward(self, x):", "forward(self, x):\n        x = x + F.pad(x, (0, 0, 1, -1)) * torch.arange(x.shape[2])"),
        ("p(x).view", "rope(p(x)).view"),
    ],
    ids=["a comment", "what other positions add", "turned before heads are cut"],
)
def test_what_is_no_rotation_of_a_head_s_rows_is_not_judged_as_one(tmp_path, old, new):
    layer = LAYER.replace("{turned}", BOTH).replace(old, new)
    if "p(x)" in old:
        layer = layer.replace(BOTH, "q, k")
    assert said(tmp_path, layer=layer)["verdict"] == "not-run"


TURNED = """
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        at, t = torch.arange(k.shape[2]), q.shape[2]
        costs = 0.1 * ({rows} - at).abs()
        y = (q @ k.mT - costs).softmax(-1) @ v
        return self.out_proj(y.transpose(1, 2).flatten(2)), (k, v)
"""
KEEPING = LAYER.split("        q, k = ")[0].replace("forward(self, x)", "forward(self, x, past=None)") + TURNED


@pytest.mark.parametrize(("rows", "ids"), [("at[-t:, None]", ["not-run"]), ("at[:t, None]", ["kept-keys"]),
                                           ("at[-t:, None] * (t > 1) + at * (t == 1)", ["kept-keys"])])  # fmt: skip
def test_a_new_token_beside_kept_keys(tmp_path, rows, ids):
    found = said(tmp_path, joined=HALVES, layer=KEEPING.replace("{rows}", rows))
    assert [finding["id"] for finding in found["findings"]] == ids
    assert ("a new token beside kept keys" in found["line"]) == (ids == ["not-run"])


@pytest.mark.parametrize(("keys", "ids"), [(":", "shift-ahead"), (": (t + 1) // 2", "relative-rows")])
def test_transformer_xls_shift(tmp_path, keys, ids):
    shift = f"""q, k, v = (t.transpose(1, 2) for t in split)
        r, t = rel_pos.unflatten(2, (self.n_heads, -1)).transpose(1, 2), rel_pos.shape[1]
        shifted = F.pad(q @ r.mT, (1, 0)).view(*q.shape[:2], t + 1, -1)[:, :, 1:].reshape(*q.shape[:3], t)
        y = (q @ k.mT + shifted[..., {keys}]).softmax(-1) @ v
        return self.out_proj(y.transpose(1, 2).flatten(2))"""
    layer = LAYER.split("        q, k, v = ")[0].replace("forward(self, x)", "forward(self, x, rel_pos)")
    found = said(tmp_path, layer=f"{layer}        {shift}\n")
    assert [finding["id"] for finding in found["findings"]] == [ids]
