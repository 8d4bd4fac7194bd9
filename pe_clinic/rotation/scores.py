"""An attention layer: what its forward is handed, and what is caught where its queries meet its keys."""

import re

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from torch.overrides import TorchFunctionMode

from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from .forms import named_parameters, parameters_of
from .recognise import looks_like_rotation
from .roles import query_and_key
from .workshop import Unknown

PLACES = r"rop|rot|pos|freq|cos|sin|start|offset|cache|emb|pe\b"
ROWS = r"(?i)(r|rel|relative|pos|positional|position)(_?(pos\w*|emb\w*|enc\w*|r|k|table))?"  # for distances
ROPE = r"(rope|rotary)(_(pos_?)?(emb\w*|encoding|module|layer))?"  # a parameter that is handed the rotation


def tables_of(layer):
    return tuple(name for name in parameters_of(layer).tables if not re.fullmatch(ROPE, name))


def arguments_for(layer, x, positions, rows=None):
    """The arguments of forward: x, or the same x as query, key and value; no mask; ``rows`` for distances, if any."""
    required = [p.name for p in named_parameters(layer) if p.default is p.empty]
    of_rows = [name for name in required if rows is not None and re.fullmatch(ROWS, name)]
    others, given = {*tables_of(layer)} - {*of_rows}, {}
    names = [name for name in required if name not in others and not re.fullmatch(ROPE, name)]
    vectors = {*names[:1], *query_and_key(names)}
    known = {"positions": positions[None], "start": int(positions[0]), "value": x, "x": x, "flag": False}
    known |= {"mask": None, "pad": None}
    for name in names:
        role = role_in_rotations(name)
        if not (name in of_rows or name in vectors or role in known or name.startswith("v")):
            raise Unknown(name)
        given[name] = rows if name in of_rows else x if name in vectors else known.get(role, x)
    return given


def rotation_for(workshop, layer):
    """The rotation for a parameter of forward that asks for one: an object of the one class of the file that is one."""
    wanted, names = [p.name for p in named_parameters(layer) if re.fullmatch(ROPE, p.name)], workshop.file.names
    code = source_of(type(layer))
    wanted = [name for name in wanted if not re.search(rf"\bif {name} is None", code)]  # it makes its own
    own = [n for n, t in names.items() if isinstance(t, type) and looks_like_rotation(t, n)] if wanted else []
    made = workshop.of_a_head(own[0]).give({}) if len(own) == 1 else None
    return dict.fromkeys(wanted, made.double().eval()) if isinstance(made, torch.nn.Module) else {}


def may_be_off(cls, handed):
    """Is a rotation, or what tells it the positions, left to who makes or calls the layer?"""
    every = [p for function in (cls.__init__, cls.forward) for p in named_parameters(function) if p.name not in handed]
    left = [p.name for p in every if p.default is None or p.default is False]
    configs = "|".join(p.name for p in every if role_in_rotations(p.name) == "config") or "no config"
    left += re.findall(rf"\b(?:{configs})\.((?:\w*_)?(?:rop|rot|pos)\w*)", source_of(cls))
    return bool(re.search(PLACES, " ".join(left)))


PRODUCTS = {torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__, torch.bmm, torch.Tensor.bmm}


class Met(BaseException):  # no code of a layer catches it
    """A layer's queries and keys, (samples, heads, length, head_dim) each, as the scores are made of them."""


class Meeting(TorchFunctionMode):
    """Ends the layer's call where two tensors of ``length`` rows become scores."""

    def __init__(self, samples, length):
        self.samples, self.length = samples, length

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs, two = kwargs or {}, ()
        if function is scaled_dot_product_attention:
            two = (*args, *(kwargs[name] for name in ("query", "key") if name in kwargs))[:2]
        elif function in PRODUCTS and all(map(torch.is_tensor, args[:2])) and args[1].ndim > 2:
            two = args[0], args[1].mT
        elif function is torch.einsum and len(args) == 3:
            two = in_letters(*args)
        if two and all(map(self.has_rows, two)):
            raise Met(*(t.detach().reshape(self.samples, -1, *t.shape[-2:]).double() for t in two))
        return function(*args, **kwargs)

    def has_rows(self, tensor):
        return tensor.ndim > 2 and tensor.shape[-2] == self.length and tensor.shape[0] % self.samples == 0


def in_letters(equation, q, k):
    """q and k of an einsum, their axes in the order (samples, heads, length, head_dim); () where it is none of two."""
    sides = equation.replace(" ", "").replace("->", ",").split(",")
    if len(sides) != 3 or "..." in equation:
        return ()
    one, other, out = sides
    both = [letter for letter in one if letter in other]
    kept, summed = ([letter for letter in both if (letter in out) == so] for so in (True, False))
    rows = [[letter for letter in side if letter not in both] for side in (one, other)]
    if len(summed) != 1 or any(len(row) != 1 for row in rows):
        return ()
    return tuple(tensor.permute([side.index(letter) for letter in (*kept, *row, *summed)])
                 for tensor, side, row in zip((q, k), (one, other), rows, strict=True))  # fmt: skip


SOFTMAX = {torch.softmax, nn.functional.softmax, torch.Tensor.softmax}


class Scores(TorchFunctionMode):
    """Keeps, as (…, queries, keys), the last scores that go into a softmax over ``length`` keys, of as many queries.

    ``plain``: projections add no constant, so that the scores of zeros are those of the positions alone.
    """

    def __init__(self, length, plain=False):
        super().__init__()
        self.length, self.plain = length, plain

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is nn.functional.dropout and args[0].shape[-1] != self.length:  # of x, q or k
            return args[0]
        if self.plain and function is nn.functional.linear:
            return function(*args[:2])
        if function in SOFTMAX or function is nn.functional.scaled_dot_product_attention:
            if function in SOFTMAX:
                scores = args[0].movedim(kwargs.get("dim", args[1] if len(args) > 1 else -1), -1)
            else:
                scores = _scores(*args, **kwargs)
            queries = [n for n, size in enumerate(scores.shape[:-1]) if size == self.length]
            if scores.shape[-1] == self.length and queries:
                self.kept = scores.movedim(queries[-1], -2).flatten(0, -3).clone()
        return function(*args, **kwargs)


def _scores(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, **_):
    """What `scaled_dot_product_attention` takes the softmax of."""
    scores = query @ key.transpose(-2, -1) * (scale or query.shape[-1] ** -0.5)
    if is_causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).tril() == 0, -torch.inf)
    attn_mask = torch.zeros(1) if attn_mask is None else attn_mask
    return scores.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype is torch.bool else scores + attn_mask
