"""ALiBi as people write it: slopes, biases, modules, methods of attention; right and wrong. Part 1 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "a homework: slopes by the paper's words, signed distances",
        """import torch


def compute_alibi(num_heads: int, seq_len: int) -> torch.Tensor:
    \"\"\"
    Compute ALiBi for a sequence.

    ALiBi can be used not only with causal models.
    In this case, the biases will be symmetrical about the diagonal up to the sign.
    \"\"\"
    slopes = torch.tensor([2 ** (-8 * (i + 1) / num_heads) for i in range(num_heads)]).view(num_heads, 1, 1)

    relative_positions = torch.arange(seq_len).view(1, -1) - torch.arange(seq_len).view(-1, 1)

    return (slopes * relative_positions).float()


if __name__ == "__main__":
    bias = compute_alibi(4, 4)
    print(bias)
""",
        "",
        "right",
        ("text|paper",),
        "Under a causal mask the paper's bias; slopes 2^(−8h/n) for every n, as the text says.",
        "deniskirbaba/nlp-vk, Homework/03/alibi.py",
        ("plain-slopes", "sign is"),
    ),
    Case(
        "slopes by the paper's words, symmetric",
        """import math

import torch


def build_alibi_bias(n_heads: int, max_seq_len: int) -> torch.Tensor:
    \"\"\"Tensor of shape (n_heads, max_seq_len, max_seq_len)\"\"\"

    def _get_slopes(n: int):
        ratio = 2 ** (-8 / n)
        return [ratio**i for i in range(1, n + 1)]

    slopes = torch.tensor(_get_slopes(n_heads), dtype=torch.float32)
    positions = torch.arange(max_seq_len)
    dist = positions.unsqueeze(0) - positions.unsqueeze(1)
    bias = slopes.unsqueeze(1).unsqueeze(2) * dist.unsqueeze(0).abs().neg()
    return bias
""",
        "build_alibi_bias",
        "right",
        ("text|paper",),
        "The paper's bias; slopes as the text says.",
        "lpkphd/mosaic-gpt, mosaic/position/alibi.py",
        ("plain-slopes",),
    ),
    Case(
        "Chinese: slopes, and a script that builds distances",
        """import math

import torch
from torch import nn


def get_slopes(n_heads: int):
    n = 2 ** math.floor(math.log2(n_heads))
    m_0 = 2.0 ** (-8.0 / n)  # 开始的斜率
    m = torch.pow(m_0, torch.arange(1, 1 + n))
    if n < n_heads:
        m_hat_0 = 2.0 ** (-4.0 / n)
        m_hat = torch.pow(m_hat_0, torch.arange(1, 1 + 2 * (n_heads - n), 2))
        m = torch.cat([m, m_hat])
    return m


seq_len = 10
n_heads = 8
m = get_slopes(n_heads)
print(m)

alibi_biases = torch.zeros(seq_len, seq_len)
for j in range(1, seq_len):
    for i in range(j, seq_len):
        alibi_biases[i, i - j] = -j
print(alibi_biases)
""",
        "get_slopes",
        "right",
        ("authors|code",),
        "Slopes as the authors' code has them for numbers of heads that are no power of two.",
        "IfYouGiveMeAAI/LLM_Code, alibi.py",
    ),
    Case(
        "a module of scores and a length, heads from 0",
        TORCH
        + '''
class ALiBi(nn.Module):
    """
    Attention with Linear Biases (ALiBi)
    """

    def __init__(self, n_heads):
        super().__init__()
        self.n_heads = n_heads

        # Geometric sequence of slopes
        slopes = torch.tensor([2 ** (-8 * i / n_heads) for i in range(n_heads)])
        self.register_buffer("slopes", slopes)

    def forward(self, attention_scores, seq_len):
        """Add ALiBi bias to attention scores"""
        positions = torch.arange(seq_len, device=attention_scores.device)
        distances = positions.unsqueeze(0) - positions.unsqueeze(1)
        alibi = distances.unsqueeze(0) * self.slopes.view(-1, 1, 1)
        return attention_scores + alibi
''',
        "ALiBi",
        "wrong",
        ("slopes-from-one|slope",),
        "The first head's slope is 1: the exponent begins at 0.",
        "public file, public index 40252197180",
        ("division",),
    ),
    Case(
        "a module that returns the bias for a length and a device",
        TORCH
        + '''
class ALiBiPositionBias(nn.Module):
    """Attention with Linear Biases (ALiBi)."""

    def __init__(self, n_heads, max_len=4096):
        super().__init__()
        # Compute head-specific slopes
        slopes = torch.tensor([2 ** (-8 * i / n_heads) for i in range(1, n_heads + 1)])
        self.register_buffer("slopes", slopes)
        self._max_len = max_len

    def forward(self, seq_len, device):
        # (n_heads, L, L) bias matrix
        positions = torch.arange(seq_len, device=device)
        relative = positions.unsqueeze(0) - positions.unsqueeze(1)
        bias = self.slopes.unsqueeze(-1).unsqueeze(-1) * relative.abs().unsqueeze(0).float()
        return -bias  # negative because closer = higher attention
''',
        "ALiBiPositionBias",
        "right",
        ("text|paper",),
        "The paper's bias; slopes as the text says.",
        "public file, public index 51852982051",
    ),
    Case(
        "half of the heads look the other way",
        """import torch
import torch.nn as nn
import torch.nn.functional as f


class BalancedALiBi(nn.Module):
    def __init__(self, num_heads):
        super().__init__()

        self.num_heads = num_heads
        slopes = self._get_slopes(num_heads)
        half = num_heads // 2
        signs = torch.ones(num_heads)
        signs[half:] = -1
        slopes = slopes * signs
        self.register_buffer("slopes", slopes.view(num_heads, 1, 1), persistent=False)

    def _get_slopes(self, n_heads):
        return torch.tensor([2 ** (-8 * i / n_heads) for i in range(n_heads)], dtype=torch.float32)

    def forward(self, seq_len):
        pos = torch.arange(seq_len)
        distance = pos[None, :] - pos[:, None]
        bias = self.slopes * distance
        return bias
""",
        "BalancedALiBi",
        "wrong",
        ("sign|slope",),
        "Slopes begin at 1, and in the second half of the heads far keys win.",
        "public file, public index 55801255099",
    ),
    Case(
        "scores, and a length that may be left out",
        TORCH
        + '''
class ALiBi(nn.Module):
    """Attention with Linear Biases for position encoding"""

    def __init__(self, n_heads):
        super().__init__()
        self.n_heads = n_heads
        # Slopes decrease geometrically: 2^(-8/n), 2^(-16/n), ...
        slopes = torch.tensor([2 ** (-8 * i / n_heads) for i in range(1, n_heads + 1)])
        self.register_buffer("slopes", slopes.view(1, n_heads, 1, 1))

    def forward(self, attn_scores, seq_len=None):
        if seq_len is None:
            seq_len = attn_scores.size(-1)
        positions = torch.arange(seq_len, device=attn_scores.device)
        bias = -torch.abs(positions.unsqueeze(0) - positions.unsqueeze(1))
        bias = bias.unsqueeze(0).unsqueeze(0) * self.slopes
        return attn_scores + bias
''',
        "",
        "right",
        ("text|paper",),
        "Adds the paper's bias; slopes as the text says.",
        "public catalogue of components, public index 11977491026",
    ),
    Case(
        "a method gives the bias, forward adds it",
        TORCH
        + '''
class ALiBi(nn.Module):
    """
    score(q_i, k_j) = q_i^T k_j - m * |i - j|
    """

    def __init__(self, n_heads):
        super().__init__()
        self.n_heads = n_heads
        slopes = torch.tensor([2 ** (-8 * i / n_heads) for i in range(1, n_heads + 1)])
        self.register_buffer("slopes", slopes)

    def get_bias(self, seq_len):
        """Generate ALiBi bias matrix."""
        positions = torch.arange(seq_len).unsqueeze(0)
        distances = positions - positions.T
        distances = torch.abs(distances).float()
        return -distances.unsqueeze(0) * self.slopes.unsqueeze(-1).unsqueeze(-1)

    def forward(self, attention_scores):
        """Add ALiBi bias to attention scores."""
        return attention_scores + self.get_bias(attention_scores.size(-1))


def compare_positional_encodings():
    """Visualize different positional encoding schemes."""
    return ALiBi(8).get_bias(128)
''',
        "ALiBi.get_bias",
        "right",
        ("text|paper",),
        "The paper's bias; slopes as the text says.",
        "public file, public index 66680731864",
    ),
    Case(
        "NumPy slopes among file readers",
        """import math
import struct

import numpy as np


def get_alibi_slopes(num_heads):
    closest_power_of_2 = 2 ** math.floor(math.log2(num_heads))
    base = 2 ** (-(2 ** -(math.log2(closest_power_of_2) - 3)))
    powers = np.arange(1, 1 + closest_power_of_2)
    slopes = np.power(base, powers)

    if closest_power_of_2 != num_heads:
        extra_base = 2 ** (-(2 ** -(math.log2(2 * closest_power_of_2) - 3)))
        num_remaining_heads = min(closest_power_of_2, num_heads - closest_power_of_2)
        extra_powers = np.arange(1, 1 + 2 * num_remaining_heads, 2)
        slopes = np.concatenate([slopes, np.power(extra_base, extra_powers)], axis=0)

    return slopes.astype("float32")


def pad_batch_data(insts, pad_id=0):
    max_len = max(map(len, insts))
    return np.array([list(inst) + [pad_id] * (max_len - len(inst)) for inst in insts])
""",
        "get_alibi_slopes",
        "right",
        ("authors|code",),
        "Slopes as the authors' code has them.",
        "PaddlePaddle file, public index 907121349",
    ),
    Case(
        "slopes inside attention, powers from 0",
        TORCH
        + '''
class Attention(nn.Module):
    def __init__(self, dim, n_heads, head_dim):
        super().__init__()
        self.head_dim = head_dim

        def get_alibi_slopes(n):
            def sp2(n):
                r = 2.0 ** (-8.0 / n)
                return torch.tensor([r**i for i in range(n)], dtype=torch.float32)

            if math.log2(n).is_integer():
                return sp2(n)
            m = 2 ** math.floor(math.log2(n))
            return torch.cat([sp2(m), sp2(2 * m)[::2][: n - m]])

        self.register_buffer("alibi_slopes", get_alibi_slopes(n_heads), persistent=False)
        self.wq = nn.Linear(dim, n_heads * head_dim, bias=False)

    def get_alibi_bias(self, seq_len):
        at = torch.arange(seq_len, device=self.alibi_slopes.device)
        return self.alibi_slopes[:, None, None] * (at[None, :] - at[:, None])
''',
        "Attention.get_alibi_bias",
        "wrong",
        ("slopes-from-one|slope",),
        "The first slope is 1, and each of the others one step too steep.",
        "public file, public index 52461586852 (slopes as there; the bias is written out)",
    ),
    Case(
        "Chinese: the ratio is one half, whatever the heads",
        TORCH
        + '''
class ALiBiAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=False)
        self.W_K = nn.Linear(d_model, d_model, bias=False)
        self.W_V = nn.Linear(d_model, d_model, bias=False)
        # 计算多头斜率
        self.register_buffer("slopes", self._get_slopes(n_heads))

    def _get_slopes(self, n_heads):
        def get_slopes_power_of_2(n):
            start = 2 ** (-(2 ** -(math.log2(n) - 3)))
            return [start * (2 ** (-i)) for i in range(n)]

        if math.log2(n_heads).is_integer():
            return torch.tensor(get_slopes_power_of_2(n_heads))
        else:
            # 非 2 的幂的情况
            n = 2 ** math.floor(math.log2(n_heads))
            slopes = get_slopes_power_of_2(n)
            extra = get_slopes_power_of_2(2 * n)
            return torch.tensor(slopes + extra[: n_heads - n])

    def _build_alibi_bias(self, seq_len, device):
        # 构建偏置矩阵 B
        pos = torch.arange(seq_len, device=device).float()
        dist = pos.unsqueeze(0) - pos.unsqueeze(1)  # (seq, seq)
        dist = dist.abs()
        return -self.slopes.unsqueeze(1).unsqueeze(1) * dist.unsqueeze(0)

    def forward(self, Q, K, V):
        b, n, _ = Q.shape
        q, k, v = (
            w(y).view(b, n, self.n_heads, self.d_k).transpose(1, 2)
            for w, y in ((self.W_Q, Q), (self.W_K, K), (self.W_V, V))
        )
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        scores = scores + self._build_alibi_bias(n, Q.device)
        return torch.softmax(scores, -1) @ v
''',
        "ALiBiAttention._build_alibi_bias",
        "wrong",
        ("slope",),
        "Right for 8 to 15 heads; for fewer and for more each slope is half the one before, whatever their number.",
        "public Chinese lesson, public index 53282539033",
        ("division",),
    ),
    Case(
        "a private method of a model: sizes, dtype and device",
        TORCH
        + '''
class PrefixBloom(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def _build_alibi_tensor(self, batch_size: int, query_length: int, key_length: int, dtype, device) -> torch.Tensor:
        num_heads = self.config.n_head
        closest_power_of_2 = 2 ** math.floor(math.log2(num_heads))
        base = torch.tensor(2 ** (-(2 ** (-(math.log2(closest_power_of_2) - 3)))), device=device, dtype=torch.float32)
        powers = torch.arange(1, 1 + closest_power_of_2, device=device, dtype=torch.int32)
        slopes = torch.pow(base, powers)
        if closest_power_of_2 != num_heads:
            extra_base = torch.tensor(
                2 ** (-(2 ** (-(math.log2(2 * closest_power_of_2) - 3)))), device=device, dtype=torch.float32
            )
            num_remaining_heads = min(closest_power_of_2, num_heads - closest_power_of_2)
            extra_powers = torch.arange(1, 1 + 2 * num_remaining_heads, 2, device=device, dtype=torch.int32)
            slopes = torch.cat([slopes, torch.pow(extra_base, extra_powers)], dim=0)
        qa = torch.arange(query_length, device=device, dtype=torch.int32).view(-1, 1)
        ka = torch.arange(key_length, device=device, dtype=torch.int32).view(1, -1)
        diffs = qa - ka + key_length - query_length
        diffs = -diffs.abs()
        alibi = slopes.view(1, num_heads, 1, 1) * diffs.view(1, 1, query_length, key_length)
        alibi = alibi.expand(batch_size, -1, -1, -1).reshape(-1, query_length, key_length)
        return alibi.to(dtype)
''',
        "PrefixBloom._build_alibi_tensor",
        "right",
        ("authors|code",),
        "The paper's bias for batch · heads, symmetric; the heads come from a config.",
        "mosaicml/llm-foundry, hf_prefixlm_converter.py; public index 985443570",
    ),
    Case(
        "private slopes that refuse 0 heads",
        """from __future__ import annotations

import math

import torch


def _build_alibi_slopes(n_heads: int) -> torch.Tensor:
    def slopes_power_of_two(power_heads: int) -> list[float]:
        start = 2.0 ** (-(2.0 ** -(math.log2(power_heads) - 3.0)))
        ratio = start
        return [start * ratio**i for i in range(power_heads)]

    if n_heads <= 0:
        raise ValueError("n_heads must be positive.")
    if math.log2(n_heads).is_integer():
        slopes = slopes_power_of_two(n_heads)
    else:
        closest_power = 2 ** math.floor(math.log2(n_heads))
        slopes = slopes_power_of_two(closest_power)
        slopes += slopes_power_of_two(2 * closest_power)[0::2][: n_heads - closest_power]
    return torch.tensor(slopes, dtype=torch.float32)
""",
        "",
        "right",
        ("authors|code",),
        "Slopes as the authors' code has them.",
        "public file on Mamba variants (2026), public index 55070028047",
    ),
]
