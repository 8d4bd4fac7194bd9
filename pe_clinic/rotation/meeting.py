"""Where queries meet keys: the two tensors of which an attention layer makes its scores."""

import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.overrides import TorchFunctionMode

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
