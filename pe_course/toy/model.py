"""A transformer small enough to read, with a place for every kind of encoding.

Source: Vaswani et al. (2017), https://arxiv.org/abs/1706.03762; the norms come first, as in GPT-2.
"""

import math

import torch
from torch import nn

from pe_lib.arguments import check_bool, check_size
from pe_lib.embedding import TokenEmbedding


class Attention(nn.Module):
    """Multi-head attention, x (batch, length, d_model) to the same shape.

    Arguments
        causal  hide from every query the keys on its right
        rotate  turns queries and keys, (batch, heads, length, head_dim) to the same shape, as RoPE does
        bias    ``bias(length)``, (heads, length, length), is added to the scores, as in ALiBi

    ``map`` keeps the weights of the last call: (batch, heads, query, key); every row sums to 1.
    """

    def __init__(self, d_model, heads, causal=False, rotate=None, bias=None):
        super().__init__()
        if check_size("d_model", d_model) % check_size("heads", heads):
            raise ValueError(f"heads must divide d_model = {d_model}, but got {heads}")
        self.heads, self.causal, self.rotate, self.bias, self.map = heads, causal, rotate, bias, None
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        parts = self.qkv(x).chunk(3, dim=2)  # three times (batch, length, d_model)
        q, k, v = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in parts)
        if self.rotate:
            q, k = self.rotate(q), self.rotate(k)  # (batch, heads, length, head_dim)
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])  # (batch, heads, query, key)
        if self.bias:
            scores = scores + self.bias(x.shape[1])
        if self.causal:
            on_the_right = torch.ones(scores.shape[2:], dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(on_the_right, -math.inf)
        weights = scores.softmax(dim=3)
        self.map = weights.detach()
        return self.out((weights @ v).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """Attention, then a network that sees one token at a time; what each gives is added to what came in.

    ``residual=False`` leaves that sum out: what a part gives takes the place of what came in.
    """

    def __init__(self, d_model, heads, residual=True, **options):
        super().__init__()
        self.residual = check_bool("residual", residual)
        self.attention = Attention(d_model, heads, **options)
        self.each = nn.Sequential(nn.Linear(d_model, 2 * d_model), nn.ReLU(), nn.Linear(2 * d_model, d_model))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2))

    def forward(self, x):
        for norm, part in zip(self.norms, (self.attention, self.each), strict=True):
            x = x + part(norm(x)) if self.residual else part(norm(x))
        return x


class Toy(nn.Module):
    """Token ids (batch, length) to a score for each class at each position, (batch, length, classes).

    Arguments
        encoding  what is done to the embeddings, if anything: a layer, or a function such as ``lambda x: x + …``,
                  from (batch, length, d_model) to the same shape
        classes   how many tokens there are, and how many answers
        seed      the same seed gives the same starting weights; the caller's random state stays as it was
        options   ``residual`` of every `Layer`; ``causal``, ``rotate`` and ``bias`` of every `Attention`
    """

    def __init__(self, encoding=None, classes=10, d_model=32, heads=2, layers=1, seed=0, **options):
        super().__init__()
        self.encoding, self.classes = encoding, classes
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.embedding = TokenEmbedding(classes, d_model)
            self.layers = nn.Sequential(*(Layer(d_model, heads, **options) for _ in range(layers)))
            self.read = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, classes))

    def forward(self, ids):
        x = self.embedding(ids)
        if self.encoding:
            x = self.encoding(x)
        return self.read(self.layers(x))
