"""ALiBi as people write it: slopes, biases, modules, methods of attention; right and wrong. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "from a video: distance plus one, no abs",
        """
import torch


def get_alibi_mask(number_of_heads, max_seq_len):
    \"\"\"
    Add this with casulmask then use that mask for efficeny
    example:
    >> mask = casual_mask + get_alibi_mask(number_of_heads,max_seq_len)
    >> wei = softmax(q@k.transpose(-1,-2) + mask[:,:T,:T])
    \"\"\"

    nh = number_of_heads
    n = max_seq_len

    rows = torch.arange(1, n + 1).view(1, -1, 1)
    cols = torch.arange(n).view(1, 1, -1)

    matrix = rows - cols
    matrix = torch.where(matrix < 1, (torch.zeros_like(matrix)), matrix)

    matrix = matrix.expand(nh, -1, -1) * -1
    m = 1 / 2 ** (torch.arange(1, nh + 1) / (nh / 8))
    return matrix * m.view(nh, 1, 1)


if __name__ == "__main__":
    print(get_alibi_mask(16, 5))
""",
        "get_alibi_mask",
        "right",
        ("row-shifted|row|constant",),
        "−slope · (distance + 1) at and below the diagonal: one constant more in each row, which softmax does not see.",
        "public file, public index 18660994197",
        ("other-distance",),
    ),
    Case(
        "a method that adds the causal mask, rows all alike",
        TORCH
        + '''
class MultiHeadAttentionAlibi(nn.Module):
    def __init__(self, dim: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.register_buffer("m", torch.tensor(self.get_slopes(num_heads)))

    @staticmethod
    def get_slopes(n: int):
        def get_slopes_power_of_2(n):
            start = 2 ** (-(2 ** -(math.log2(n) - 3)))
            return [start * start**i for i in range(n)]

        if math.log2(n).is_integer():
            return get_slopes_power_of_2(n)
        closest_power_of_2 = 2 ** math.floor(math.log2(n))
        return (
            get_slopes_power_of_2(closest_power_of_2)
            + MultiHeadAttentionAlibi.get_slopes(2 * closest_power_of_2)[0::2][: n - closest_power_of_2]
        )

    @staticmethod
    def get_relative_bias_matrix(n: int, num_heads: int, device: str = "cpu", dtype=torch.float32):
        """Relative Bias matrix for aLiBi embeddings"""
        return torch.arange(n, device=device, dtype=dtype).view(1, 1, -1).expand(1, num_heads, -1)

    def get_alibi_mask(self, T: int, device="cpu", dtype=torch.float32):
        rel_bias_mat = MultiHeadAttentionAlibi.get_relative_bias_matrix(T, self.num_heads, device, dtype)
        alibi = rel_bias_mat * self.m.unsqueeze(0).unsqueeze(-1).to(device)

        # lower triangle = 1, upper triangle = 0
        mask = torch.tril(torch.ones((T, T), device=device, dtype=dtype)).view(1, 1, T, T)
        mask = mask.repeat(1, self.num_heads, 1, 1)  # (1, num_heads, T, T)
        mask.masked_fill_(mask == 0, float("-inf"))

        # Add causality mask to alibi  (1, num_heads, T, T)
        alibi = alibi.unsqueeze(-2) + mask
        alibi.requires_grad_(False)
        return alibi
''',
        "MultiHeadAttentionAlibi.get_alibi_mask",
        "right",
        ("row-shifted|row|constant",),
        "slope · j, plus 1 (the mask's own ones), −inf above the diagonal: rows differ from the paper's by a constant.",
        "public voice-activity project, public index 8421051592",
        ("falls-with-key-position", "bias-sign"),
    ),
    Case(
        "length first, heads second, a cache in a global dict",
        TORCH
        + '''
slopes_cache = {}


def get_slopes_power_of_2(n_heads, device):
    global slopes_cache
    key = str(n_heads) + "_" + str(device)
    if key not in slopes_cache:
        start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))
        ratio = start
        slopes_cache[key] = (
            torch.tensor([start * ratio**i for i in range(n_heads)], requires_grad=False, device=device) * -1
        )
    return slopes_cache[key]


def get_alibi_mask(seq_len, n_heads, device):
    slopes = get_slopes_power_of_2(n_heads, device)
    context_position = torch.arange(seq_len, device=device)[:, None]
    memory_position = torch.arange(seq_len, device=device)[None, :]
    relative_position = memory_position - context_position
    relative_position = torch.abs(relative_position).unsqueeze(0).expand(n_heads, -1, -1)
    alibi = slopes.unsqueeze(1).unsqueeze(1) * relative_position
    return alibi.view(1, n_heads, seq_len, seq_len)
''',
        "get_alibi_mask",
        "right",
        ("text|paper",),
        "The paper's bias; the formula for powers of two is used for every number of heads, as the text says.",
        "public file on sound generation, public index 29210431589",
    ),
    Case(
        "Japanese: slopes as a list, by itself again for the rest",
        """import math


def get_alibi_slopes(n_heads):
    \"\"\"
    ALiBi のスロープを計算する関数。
    n_heads が 2 のべき乗の場合はシンプルな幾何級数になり、
    そうでない場合は補間してスロープを拡張します。
    \"\"\"

    def get_slopes_power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * (start**i) for i in range(n)]

    if math.log2(n_heads).is_integer():
        slopes = get_slopes_power_of_2(n_heads)
    else:
        closest_power_of_2 = 2 ** math.floor(math.log2(n_heads))
        slopes = get_slopes_power_of_2(closest_power_of_2)
        extra = get_alibi_slopes(2 * closest_power_of_2)[0::2]
        slopes.extend(extra[: n_heads - closest_power_of_2])
    return slopes
""",
        "get_alibi_slopes",
        "right",
        ("authors|code",),
        "Slopes as the authors' code has them, as a list.",
        "public Japanese file on music, public index 5456462588",
    ),
    Case(
        "slopes of four axes under the name of a bias",
        TORCH
        + '''
class GroupedQueryAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.head_dim = config.hidden_dim // config.n_head
        self.q_proj = nn.Linear(config.hidden_dim, self.head_dim * config.n_head, bias=False)
        self.register_buffer("alibi", self._build_alibi_bias(config.n_head))

    def _build_alibi_bias(self, num_heads: int):
        """Build ALiBi for specified number of heads:

        Returns:
            Tensor with ALiBi biases, shape: [1, num heads, 1, 1]
        """
        x = (2**8) ** (1 / self.config.n_head)
        return torch.tensor([1 / x ** (i + 1) for i in range(num_heads)]).view(1, num_heads, 1, 1)

    def _get_relative_positions(self, seq_len):
        return torch.arange(seq_len).view(1, seq_len) - torch.arange(seq_len).view(seq_len, 1)
''',
        "GroupedQueryAttention._build_alibi_bias",
        "right",
        ("text|paper",),
        "Slopes alone, as the text has them, with axes of one; the distances come from another method.",
        "public file, public index 29714316077",
        ("one-slope",),
    ),
    Case(
        "MPT: one row of keys for all queries",
        TORCH
        + '''
def gen_slopes(n_heads: int, alibi_bias_max: int = 8, device=None, return_1d: bool = False) -> torch.Tensor:
    _n_heads = 2 ** math.ceil(math.log2(n_heads))
    m = torch.arange(1, _n_heads + 1, dtype=torch.float32, device=device)
    m = m.mul(alibi_bias_max / _n_heads)
    slopes = 1.0 / torch.pow(2, m)

    if _n_heads != n_heads:
        # if n_heads is not a power of two, calculate slopes normally, then return this strided concatenation
        slopes = torch.concat([slopes[1::2], slopes[::2]])[:n_heads]

    if return_1d:
        return slopes
    return slopes.view(1, n_heads, 1, 1)


def build_alibi_bias(n_heads: int, seq_len: int, full: bool = False, alibi_bias_max: int = 8, device=None, dtype=None):
    alibi_bias = torch.arange(1 - seq_len, 1, dtype=torch.int32, device=device).view(1, 1, 1, seq_len)
    if full:
        # generate 1 x Heads x SeqLen x SeqLen alibi bias mask
        alibi_bias = alibi_bias - torch.arange(1 - seq_len, 1, dtype=torch.int32, device=device).view(1, 1, seq_len, 1)
        alibi_bias = alibi_bias.abs().mul(-1)

    slopes = gen_slopes(n_heads, alibi_bias_max, device=device)
    alibi_bias = alibi_bias * slopes
    return alibi_bias.to(dtype=dtype)
''',
        "build_alibi_bias",
        "right",
        ("row-shifted|row|constant", "authors|code"),
        "(1, heads, 1, length): slope · (j − length + 1), the paper's bias up to a constant in each row.",
        "mosaicml/llm-foundry, llmfoundry/models/layers/attention.py; mosaicml/examples#307",
    ),
    Case(
        "sliced from a buffer, slopes by a static method",
        TORCH
        + '''
class ALiBiPositionalEncoding(nn.Module):
    """
    Args:
        num_heads (int): The number of attention heads.
        seq_len (int): The maximum sequence length to precompute the bias for.
    """

    def __init__(self, num_heads: int, seq_len: int):
        super().__init__()
        self.num_heads = num_heads
        # e.g., for 8 heads: 2**(-8/8), 2**(-7/8), ..., 2**(-1/8)
        slopes = torch.Tensor(self._get_slopes(num_heads))
        positions = torch.arange(seq_len).unsqueeze(1)
        distances = torch.abs(positions - positions.T)
        alibi_bias = distances.unsqueeze(0) * slopes.unsqueeze(1).unsqueeze(2)
        self.register_buffer("alibi_bias", -alibi_bias)

    @staticmethod
    def _get_slopes(n: int) -> list[float]:
        """Calculates the geometric progression of slopes for each head."""

        def get_slopes_power_of_2(n):
            start = 2 ** (-(2 ** -(math.log2(n) - 3)))
            return [start * start**i for i in range(n)]

        if math.log2(n).is_integer():
            return get_slopes_power_of_2(n)
        closest = 2 ** math.floor(math.log2(n))
        return get_slopes_power_of_2(closest) + get_slopes_power_of_2(2 * closest)[0::2][: n - closest]

    def forward(self, attn_scores: torch.Tensor) -> torch.Tensor:
        seq_len = attn_scores.size(-1)
        bias_slice = self.alibi_bias[:, :seq_len, :seq_len].unsqueeze(0)
        return attn_scores + bias_slice
''',
        "ALiBiPositionalEncoding",
        "right",
        ("authors|code",),
        "Adds the paper's bias; its comment on the slopes is wrong, its slopes are right.",
        "public file, public index 33353496797",
    ),
    Case(
        "a base class from a file that is not there, several methods",
        """import math
from typing import Optional

import torch
import torch.nn as nn

try:
    from .base import BasePositionalEncoding
except ImportError:

    class BasePositionalEncoding(nn.Module):
        def __init__(self, d_model, max_len, dropout):
            super().__init__()
            self.dropout = nn.Dropout(dropout)


class ALiBiPositionalEncoding(BasePositionalEncoding):
    def __init__(self, d_model: int, n_heads: int, max_len: int = 5000, dropout: float = 0.1):
        super().__init__(d_model, max_len, dropout)
        self.n_heads = n_heads
        slopes = self._get_slopes(n_heads)
        self.register_buffer("slopes", slopes)

    def _get_slopes(self, n_heads: int) -> torch.Tensor:
        def of_power(n):
            start = 2 ** (-(2 ** -(math.log2(n) - 3)))
            return [start * start**i for i in range(n)]

        if math.log2(n_heads).is_integer():
            slopes = of_power(n_heads)
        else:
            closest = 2 ** math.floor(math.log2(n_heads))
            slopes = of_power(closest) + of_power(2 * closest)[0::2][: n_heads - closest]
        return torch.tensor(slopes, dtype=torch.float32)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        \"\"\"ALiBi doesn't modify input embeddings directly. The bias is applied in the attention mechanism.\"\"\"
        return self.dropout(x)

    def get_alibi_bias(self, seq_len: int, device: torch.device) -> torch.Tensor:
        positions = torch.arange(seq_len, device=device)
        distances = (positions.unsqueeze(0) - positions.unsqueeze(1)).abs().float()
        return -distances.unsqueeze(0) * torch.as_tensor(self.slopes).unsqueeze(1).unsqueeze(2).to(device)

    def get_encoding_type(self) -> str:
        return "alibi"
""",
        "ALiBiPositionalEncoding.get_alibi_bias",
        "right",
        ("authors|code",),
        "The paper's bias from a method; forward returns x and says so.",
        "public package of encodings, public index 12181411155 (with its base class written out)",
        ("never added",),
    ),
    Case(
        "learned slopes near 1, taken off in place",
        TORCH
        + '''
class AlibiPlusPE(nn.Module):
    """ALiBi with learnable slope offset ("ALiBi+", simple extension)."""

    def __init__(self, num_heads: int, max_seq_len: int = 8192):
        super().__init__()
        slopes = torch.tensor([1.0 / (2 ** (i / num_heads)) for i in range(num_heads)])
        self.register_parameter("slopes", nn.Parameter(slopes))
        self.max_seq_len = max_seq_len

    def forward(self, attn_scores: torch.Tensor, seq_len: int):
        """attn_scores shape: (batch, heads, q_len, k_len)"""
        device = attn_scores.device
        position_ids = torch.arange(seq_len, dtype=torch.long, device=device)
        bias = position_ids.unsqueeze(0) - position_ids.unsqueeze(1)  # (q_len, k_len)
        bias = bias.abs().unsqueeze(0).unsqueeze(0)  # (1,1,q_len,k_len)
        slopes = self.slopes.unsqueeze(-1).unsqueeze(-1)  # (heads,1,1)
        attn_scores -= slopes * bias  # broadcasting
        return attn_scores
''',
        "AlibiPlusPE",
        "wrong",
        ("slope",),
        "Slopes 1, 2^(−1/n), …, all above one half, trained, and written into the caller's scores.",
        "public file, public index 12606197495",
    ),
    Case(
        "a bias that is computed and dropped",
        TORCH
        + '''
class ALiBiPositionalEncoding(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.num_heads = config.hidden_size // config.head_dim if hasattr(config, "head_dim") else 12
        slopes = torch.tensor([2 ** (-8 * (i + 1) / self.num_heads) for i in range(self.num_heads)])
        self.register_buffer("slopes", slopes)

    def forward(self, q: torch.Tensor, k: torch.Tensor):
        seq_len = q.size(-2)
        bias = -torch.abs(torch.arange(seq_len).unsqueeze(0) - torch.arange(seq_len).unsqueeze(1))
        return q, k
''',
        "ALiBiPositionalEncoding",
        "wrong",
        ("as they|unchanged|no bias|never|not used|nothing",),
        "Query and key come back as they were; the bias is thrown away.",
        "public file (2026), public index 70171442213",
    ),
]
