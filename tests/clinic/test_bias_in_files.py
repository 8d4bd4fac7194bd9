"""Biases as files have them: score_mods, masks, what an object keeps, a part of a class, T5's buckets."""

import pytest

from pe_clinic.__main__ import main

ALIBI = """
import math, torch
from torch import nn

def get_slopes(n):
    assert n & (n - 1) == 0, "a power of two"
    return [2.0 ** (-8 * (h + 1) / n) for h in range(n)]

def slopes(n):
    return torch.tensor([2.0 ** (-8 * (h + 1) / n) for h in range(n)])[:, None, None]

def minus(n):
    at = torch.arange(n)
    return at[None] - at[:, None]

class AlibiKept(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.slopes, self.bias = slopes(heads), None
    def forward(self, q_len, k_len):
        if self.bias is None or self.bias.shape[-1] < k_len:
            self.bias = -self.slopes * minus(k_len).abs()
        return self.bias[:, ROWS, :k_len]

class AlibiOnce(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.slopes, self.bias = slopes(heads), None
    def forward(self, seq_len):
        self.bias = -self.slopes * minus(seq_len).abs() if self.bias is None else self.bias
        return self.bias[:, :seq_len, :seq_len]

def alibi_rectangle(heads, q_len, k_len):
    return -slopes(heads) * (torch.arange(q_len)[:, None] - torch.arange(k_len)).abs()

def alibi_past(heads, q_len, k_len, past_len=0):
    return -slopes(heads) * (torch.arange(past_len, past_len + q_len)[:, None] - torch.arange(k_len)).abs()

def alibi_causal(heads, seq_len):
    return (slopes(heads) * minus(seq_len)).masked_fill(torch.ones(seq_len, seq_len).triu(DIAGONAL).bool(), -1e9)

def alibi_turned(heads, seq_len):
    return (-slopes(heads) * minus(seq_len).abs()).masked_fill(torch.ones(seq_len, seq_len).tril(-1).bool(), -1e9)

def make_alibi_mod(num_heads):
    of_head = slopes(num_heads).flatten()
    def score_mod(score, b, h, q_idx, kv_idx):
        return score SIGN of_head[h] * (kv_idx - q_idx)
    return score_mod

NUM_HEADS = 16
OF_HEAD = slopes(NUM_HEADS).flatten()
def alibi_mod(score, b, h, q_idx, kv_idx):
    return score SIGN OF_HEAD[h] * (kv_idx - q_idx)

def alibi_of_one_head(seq_len, slope):
    return -slope * minus(seq_len).abs()

def alibi_distances(seq_len):
    return minus(seq_len)

def negative_slopes(num_heads):
    return -slopes(num_heads)

class AlibiLayer(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
    def forward(self, hidden, foo, bar):
        return hidden
    def get_bias(self, seq_len):
        return slopes(self.num_heads) * minus(seq_len)

class AlibiAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.heads, self.qkv = num_heads, nn.Linear(dim, 3 * dim)
    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        bias = 0 SIGN slopes(self.heads) * minus(x.shape[1]).clamp(max=0)
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)

class AlibiStops(AlibiLayer):
    def forward(self, scores):
        return scores + self.get_bias(scores.shape[-1]).flatten(1)
"""
FILLED = {"ROWS": "k_len - q_len : k_len", "DIAGONAL": "1", "SIGN": "+"}
SAYS = [  # the name, what its place in the file holds, what the reply says
    ("get_slopes", {}, "The bias is right; it refuses numbers of heads that are no power of two."),
    ("AlibiKept", {}, "Right."),
    ("AlibiKept", {"ROWS": ":q_len"}, "The bias is right; it gives fewer queries than keys other rows than the last."),
    ("AlibiOnce", {}, "What it keeps from one call is wrong in the next."),
    ("alibi_rectangle", {}, "The bias is right; it gives fewer queries than keys other rows than the last."),
    ("alibi_past", {}, "Right."),
    ("alibi_causal", {}, "Right."),
    ("alibi_causal", {"DIAGONAL": "2"}, "Some keys of the future are seen."),
    ("alibi_turned", {}, "Keys of the past are masked, and those of the future are seen."),
    ("make_alibi_mod", {}, "Right."),
    ("make_alibi_mod", {"SIGN": "-"}, "The sign is wrong"),
    ("alibi_mod", {}, "Right."),
    ("alibi_mod", {"SIGN": "-"}, "The sign is wrong"),
    ("alibi_of_one_head", {}, "A convention, not a mistake: one slope serves all heads."),
    ("alibi_distances", {}, "A convention, not a mistake: it gives distances, without slopes."),
    ("negative_slopes", {}, "Note: The slopes are negative"),
    ("AlibiLayer", {}, "The bias of AlibiLayer.get_bias is right; its forward was not looked at"),
    ("AlibiAttention", {}, "The bias is right; its layer was looked at no further than the softmax."),
    ("AlibiAttention", {"SIGN": "-"}, "The sign is wrong"),
    ("AlibiStops", {}, "Could not run: AlibiStops"),
]


def said_of(source, name, folder, capsys):
    (folder / "model.py").write_text(source, encoding="utf-8")
    main([f"{folder / 'model.py'}:{name}"])
    return " ".join("".join(capsys.readouterr()).split())


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name, holds, says", SAYS)
def test_what_is_said_of_a_bias_in_a_file(name, holds, says, tmp_path, capsys):
    source = ALIBI
    for place, text in (FILLED | holds).items():
        source = source.replace(place, text)
    assert says in said_of(source, name, tmp_path, capsys)


T5 = """
import math, torch
from torch import nn

def t5_bucket(rel_pos, bidirectional=True, num_buckets=32, max_distance=128):
    n, ret = -rel_pos, 0
    if FLAG:
        num_buckets //= 2
        ret = (n < 0).long() * num_buckets
        n = n.abs()
    else:
        n = n.clamp(min=0)
    exact = num_buckets // 2
    growth = LOG(n.clamp(min=1).float() / exact) / LOG(max_distance / exact + 0 * n)
    far = exact + (growth * (num_buckets - exact)).long()
    return ret + torch.where(n < exact, n, far.clamp(max=TOP))

class Bias(nn.Module):
    def __init__(self, heads, num_buckets=32, max_distance=128):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(num_buckets, heads))
    def forward(self, q_len, k_len):
        offset = torch.arange(k_len)[None] - torch.arange(q_len)[:, None]
        return self.table[t5_bucket(offset)].permute(2, 0, 1)

class Layer(Bias):
    def forward(self, hidden, foo, bar):
        return hidden
    def compute_bias(self, length):
        return Bias.forward(self, length, length)
"""
T5_FILLED = {"FLAG": "bidirectional", "LOG": "torch.log", "TOP": "num_buckets - 1"}
T5_SAYS = [
    ("t5_bucket", {}, "Right. Convention: T5's buckets, both directions or causal."),
    ("Bias", {}, "Right. Convention: T5's buckets, both directions."),
    ("Layer", {}, "The bias of Layer.compute_bias is right; its forward was not looked at"),
    ("Bias", {"FLAG": "False"}, "Right. Convention: T5's buckets, causal."),
    ("t5_bucket", {"FLAG": "not bidirectional"}, "Its switch for the direction is turned round."),
    ("Bias", {"LOG": "torch.sqrt"}, "These are not T5's buckets."),
    ("Bias", {"TOP": "99"}, "It stops for longer texts."),
]


@pytest.mark.slow
@pytest.mark.parametrize("name, holds, says", T5_SAYS)
def test_what_is_said_of_t5_s_buckets(name, holds, says, tmp_path, capsys):
    source = T5
    for place, text in (T5_FILLED | holds).items():
        source = source.replace(place, text)
    assert says in said_of(source, name, tmp_path, capsys)
