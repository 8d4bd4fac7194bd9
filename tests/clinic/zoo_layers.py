"""Layers with one mistake each, as public code has them, and right layers in many spellings."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from zoo_tables import textbook, wrong_table


class Buffer(nn.Module):
    """What most of them share: a registered table (1, max_len, d_model)."""

    def __init__(self, d_model, max_len=512, p=0.0, table=textbook):
        super().__init__()
        self.d_model, self.drop = d_model, nn.Dropout(p)
        self.register_buffer("pe", torch.as_tensor(table(max_len, d_model)).float()[None])

    def rows(self, x):
        return self.pe[:, : x.shape[1]]


def layer(forward, p=0.0, base=Buffer, **more):
    """A maker of layers with this forward."""
    return lambda d_model, max_len: type("Layer", (base,), {"forward": forward})(d_model, max_len, p, **more)


class Attribute(nn.Module):
    def __init__(self, d_model, max_len, p=0.0):
        super().__init__()
        self.pe = textbook(max_len, d_model)[None]

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


class HiddenInList(Attribute):
    def __init__(self, d_model, max_len, p=0.0):
        super().__init__(d_model, max_len)
        self.pe = [self.pe]

    def forward(self, x):
        return x + self.pe[0][:, : x.shape[1]]


class Parameter(Attribute):
    def __init__(self, d_model, max_len, p=0.0):
        super().__init__(d_model, max_len)
        del self.pe
        self.pe = nn.Parameter(textbook(max_len, d_model)[None])


class LearnedScale(Buffer):
    def __init__(self, d_model, max_len, p=0.0):
        super().__init__(d_model, max_len)
        self.alpha = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return x + self.alpha * self.rows(x)


class Counting(Buffer):
    """Goes on counting positions from call to call."""

    def __init__(self, d_model, max_len):
        super().__init__(d_model, max_len + 64)
        self.at = 0

    def forward(self, x):
        start, self.at = self.at, self.at + 1
        return x + self.pe[:, start : start + x.shape[1]]


class Untouched(Attribute):
    """A plain attribute, added whole."""

    def forward(self, x):
        return x + self.pe


class CutByBatch(Attribute):
    def forward(self, x):
        return x + self.pe[:, : x.size(0)]


class MovesItself(Attribute):
    """Its table follows at the first call on another device."""

    def forward(self, x):
        if self.pe.device != x.device:
            self.pe = self.pe.to(x.device)
        return x + self.pe[:, : x.shape[1]]


class WithOthers(Buffer):
    """Parts of a model that have nothing to do with the table."""

    def __init__(self, d_model, max_len, p=0.0, table=textbook):
        super().__init__(d_model, max_len, p, table)
        self.norm, self.tokens, self.out = nn.LayerNorm(d_model), nn.Embedding(9, d_model), nn.Linear(d_model, 9)

    def forward(self, x):
        return x + self.rows(x)


class Double(Buffer):
    def __init__(self, d_model, max_len):
        super().__init__(d_model, max_len)
        self.pe = textbook(max_len, d_model, torch.float64)[None]

    def forward(self, x):
        return x + self.rows(x)


class Learned(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.pe = nn.Embedding.from_pretrained(textbook(max_len, d_model), freeze=False)

    def forward(self, x):
        return x + self.pe(torch.arange(x.shape[1], device=x.device))


class Axis0(Buffer):
    """The table as (max_len, 1, d_model) or (d_model, max_len)."""

    def __init__(self, d_model, max_len, p=0.0, axes=(1, 0, 2)):
        super().__init__(d_model, max_len, p)
        self.pe = self.pe.permute(*axes).contiguous()


class Fixed(Buffer):
    """A table (5000, d_model) whatever max_len is."""

    def __init__(self, d_model, max_len):
        super().__init__(d_model, 5000)

    def forward(self, x):
        return x + self.pe[0][:, : x.size(1)]


class IgnoresDropout(Buffer):
    def __init__(self, d_model, max_len, dropout=0.1):
        super().__init__(d_model, max_len)

    def forward(self, x):
        return x + self.rows(x)


def in_place(self, x):
    x += self.rows(x)
    return x


def writes_table(self, x):
    out = x + self.rows(x)
    self.pe *= 0.9
    return out


def clamped(self, x):
    return x + self.pe[:, torch.arange(x.shape[1]).clamp(max=self.pe.shape[1] - 1)]


def wrapped(self, x):
    return x + self.pe[:, torch.arange(x.shape[1]) % self.pe.shape[1]]


def cut(self, x):
    return x[:, : self.pe.shape[1]] + self.rows(x)


def lost(self, x):
    x + self.rows(x)
    return x


WRONG = {
    "batch-axis": [
        layer(lambda self, x: x + self.pe.transpose(0, 1)[: x.size(0)]),
        layer(lambda self, x: x + self.pe[:, : x.size(0)], base=Axis0),
        layer(lambda self, x: x + self.pe[:, : x.size(1)], base=Axis0),
    ],
    "slice-by-batch": [
        layer(lambda self, x: x + self.pe[:, : x.size(0)]),
        layer(lambda self, x: x + self.pe[0][: x.size(0)]),
    ],
    "missing-colon": [
        layer(lambda self, x: x + self.pe[:, x.size(1)]),
        layer(lambda self, x: x + self.pe[:, 0]),
    ],
    "no-slice": [layer(lambda self, x: x + self.pe), layer(lambda self, x: x + self.pe[: x.size(0), :])],
    "slice-by-width": [
        layer(lambda self, x: x + self.pe[:, : x.shape[2]]),
        layer(lambda self, x: x + self.pe[0, : x.shape[-1]]),
    ],
    "slice-of-columns": [
        layer(lambda self, x: x + self.pe[0][:, : x.shape[1]]),
        Fixed,
    ],
    "rows-from-the-end": [layer(lambda self, x: x + self.pe[:, -x.shape[1] :])],
    "multiplied": [layer(lambda self, x: x * self.rows(x))],
    "added-twice": [
        layer(lambda self, x: x + 2 * self.rows(x)),
        layer(lambda self, x: x + x + self.rows(x)),
    ],
    "never-added": [layer(lambda self, x: x), layer(lost), layer(lambda self, x: self.drop(x) + 0 * self.rows(x))],
    "only-encoding": [
        layer(lambda self, x: self.rows(x)),
        layer(lambda self, x: self.rows(x).expand_as(x)),
        layer(lambda self, x: self.rows(x).repeat(x.size(0), 1, 1)),
        layer(lambda self, x: self.rows(x)[0]),
        layer(lambda self, x: self.rows(x).transpose(0, 1)),
    ],
    "in-place": [layer(in_place), layer(lambda self, x: x.add_(self.rows(x)))],
    "unregistered": [Attribute, HiddenInList],
    "trainable": [Parameter, Learned],
    "learned-scale": [LearnedScale],
    "dtype": [Double, layer(lambda self, x: (x + self.rows(x)).half())],
    "transposed": [layer(lambda self, x: x + self.pe[:, : x.shape[1]], base=Axis0, axes=(0, 2, 1))],
    "overflow": [layer(clamped), layer(wrapped), layer(cut)],
    "sqrt-scale": [
        layer(lambda self, x: x * math.sqrt(self.d_model) + self.rows(x)),
        layer(lambda self, x: (x + self.rows(x)) * math.sqrt(self.d_model)),
        layer(lambda self, x: x * self.d_model + self.rows(x)),
        layer(lambda self, x: x / math.sqrt(self.d_model) + self.rows(x)),
    ],
    "dropout": [
        layer(lambda self, x: x + self.rows(x), p=0.1),
        layer(lambda self, x: self.drop(self.drop(x + self.rows(x))), p=0.1),
        layer(lambda self, x: self.drop(self.drop(x) + self.rows(x)), p=0.1),
        layer(lambda self, x: F.dropout(x + self.rows(x), 0.1)),
        layer(lambda self, x: self.drop(x) + self.rows(x), p=0.1),
        layer(lambda self, x: x + self.drop(self.rows(x)), p=0.1),
        IgnoresDropout,
    ],
    "gradient": [layer(lambda self, x: x.detach() + self.rows(x)), layer(lambda self, x: x.data + self.rows(x))],
    "tuple": [layer(lambda self, x: (x + self.rows(x), self.rows(x)))],
    "remembers": [Counting, layer(writes_table)],
    "train-differs": [layer(lambda self, x: x if self.training else x + self.rows(x))],
    "scaled-input": [layer(lambda self, x: 3 * x + self.rows(x))],
    "scaled": [layer(lambda self, x: x + 0.1 * self.rows(x))],
    "doubled-column": [layer(lambda self, x: x + self.rows(x), table=wrong_table("doubled-column"))],
}


class OnTheFly(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.d_model = d_model

    def forward(self, x):
        pos = torch.arange(x.shape[1], device=x.device, dtype=torch.float32)[:, None]
        w = 10000 ** (-torch.arange(0, self.d_model, 2, device=x.device) / self.d_model)
        pairs = torch.stack([(pos * w).sin(), (pos * w).cos()], dim=2).flatten(1)
        return x + pairs[:, : self.d_model]


class AttributeThatFollows(Attribute):
    def forward(self, x):
        return x + self.pe[:, : x.shape[1]].to(x.device)


class Frozen(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.pe = nn.Embedding.from_pretrained(textbook(max_len, d_model), freeze=True)

    def forward(self, x):
        return x + self.pe(torch.arange(x.shape[1], device=x.device))


class FrozenParameter(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.pe = nn.Parameter(textbook(max_len, d_model)[None], requires_grad=False)

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


class Named(Buffer):
    """Refuses what is too long, by name."""

    def forward(self, x):
        if x.shape[1] > self.pe.shape[1]:
            raise ValueError(f"the sequence has {x.shape[1]} tokens, max_len is {self.pe.shape[1]}")
        return self.drop(x + self.rows(x))


class Tutorial(nn.Module):
    """Sequence first, dropout second: PyTorch's tutorial, which stops at odd widths."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)


class NoMaxLen(Buffer):
    def __init__(self, d_model, dropout=0.1):
        super().__init__(d_model, 5000, dropout)

    def forward(self, x):
        return self.drop(x + self.rows(x))


class Grows(Buffer):
    """Makes a longer table when it is needed."""

    def forward(self, x):
        if x.shape[1] > self.pe.shape[1]:
            self.pe = textbook(x.shape[1], self.d_model)[None].to(x.device)
        return self.drop(x + self.rows(x))


def refuse():
    raise ValueError("d_model must be even")


RIGHT = {
    "slice": layer(lambda self, x: x + self.rows(x)),
    "dropout": layer(lambda self, x: self.drop(x + self.rows(x)), p=0.1),
    "functional dropout": layer(lambda self, x: F.dropout(x + self.rows(x), 0.1, self.training)),
    "detached table": layer(lambda self, x: x + self.rows(x).detach()),
    "requires_grad_": layer(lambda self, x: x + self.rows(x).requires_grad_(False)),
    "cast to x": layer(lambda self, x: x + self.rows(x).to(x)),
    "type_as": layer(lambda self, x: x + self.rows(x).type_as(x)),
    "torch.add": layer(lambda self, x: torch.add(x, self.rows(x))),
    "expanded": layer(lambda self, x: x + self.rows(x).expand(x.size(0), -1, -1)),
    "two axes": layer(lambda self, x: x + self.pe[0, : x.size(-2)]),
    "clone, in place": layer(lambda self, x: x.clone().add_(self.rows(x))),
    "float64 builder": layer(lambda self, x: x + self.rows(x), table=lambda T, d: textbook(T, d, torch.float64)),
    "on the fly": OnTheFly,
    "attribute that follows": AttributeThatFollows,
    "frozen embedding": Frozen,
    "frozen parameter": FrozenParameter,
    "refuses by name": Named,
    "no max_len": NoMaxLen,
    "grows": Grows,
    "compiled in a Sequential": lambda d_model, max_len: nn.Sequential(Named(d_model, max_len), nn.Identity()),
    "moves itself": MovesItself,
    "owns other parameters": WithOthers,
    "refuses odd widths": lambda d_model, max_len: Named(d_model if d_model % 2 == 0 else refuse(), max_len),
    "fixed max_len": lambda d_model, max_len: Named(d_model, 512),
}
