"""The rotation of a large x on the CPU, block by block, at the speed of memory (lesson 09).

An operation of torch that fills 16 MB waits for the memory. Here every step of the formula takes a block that stays in
the processor's cache, so that x is read from memory once and the result is written once.
"""

import torch

BLOCK = 2**17  # numbers in a block: half a megabyte in float32
LARGE = 16 * BLOCK  # numbers in an x for which blocks pay


def is_large(x):
    """Whether blocks pay for x: it is large, on the CPU, and not inside torch.func.functionalize, which has no rule."""
    return x.numel() >= LARGE and x.device.type == "cpu" and not torch._is_functional_tensor(x)


class InBlocks(torch.autograd.Function):
    """The rotation of x by ``turn``, one of the two functions below, and by tables that have no gradient.

    ``way`` is 1, or −1 to turn back. The gradient of a rotation is the rotation back: it needs the tables, and not x.
    """

    @staticmethod
    def forward(x, turn, way, *tables):
        out = torch.empty_like(x)
        for x_block, out_block, *table_blocks in blocks(x, out, *(t.expand(*x.shape[:-1], -1) for t in tables)):
            turn(x_block, out_block, way, *table_blocks)
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.turn, ctx.way, *ctx.tables = inputs

    @staticmethod
    def backward(ctx, gradient):
        turned_back = InBlocks.apply(gradient, ctx.turn, -ctx.way, *ctx.tables)
        return turned_back, None, None, *(None for _ in ctx.tables)

    @staticmethod
    def jvp(ctx, tangent, *_):
        return InBlocks.apply(tangent, ctx.turn, ctx.way, *ctx.tables)

    @staticmethod
    def vmap(info, in_dims, x, *others):
        return InBlocks.apply(x.movedim(in_dims[0], 0), *others), 0


def blocks(x, *others):
    """x and tensors of the same axes, cut into small blocks of whole rows, each in few pieces of memory."""
    if x.numel() <= max(BLOCK, x.shape[-1]):
        yield x, *others
        return
    # An axis of several entries, also where x is expanded and every stride is 0, as the gradient of a sum is.
    axis = max(range(x.ndim - 1), key=lambda axis: (x.shape[axis] > 1, x.stride(axis)))
    size = max(1, BLOCK * x.shape[axis] // x.numel())
    for parts in zip(*(tensor.split(size, axis) for tensor in (x, *others)), strict=True):
        yield from blocks(*parts)


def turn_pairs(x, out, way, turns):
    """Write to ``out`` a half-precision x with each pair of neighbours turned."""
    wide = x.to(torch.float32, memory_format=torch.contiguous_format)
    torch.view_as_complex(wide.view(*x.shape[:-1], -1, 2)).mul_(turns if way == 1 else turns.conj())
    out.copy_(wide)


def turn_halves(x, out, way, cos, sin):
    """Write to ``out`` an x with each pair (k, k + head_dim / 2) turned; ``cos`` has the width of x, ``sin`` half."""
    wide = x.to(cos.dtype)
    turned = wide * cos if wide is not x else _product(wide, cos, out)
    (first, second), (turned_first, turned_second) = wide.chunk(2, -1), turned.chunk(2, -1)
    turned_first.addcmul_(second, sin, value=-way)
    turned_second.addcmul_(first, sin, value=way)
    if turned is not out:
        out.copy_(turned)


def _product(x, cos, out):
    try:
        return torch.mul(x, cos, out=out)
    except RuntimeError:  # inside vmap's older form, which torch.autograd still uses and which has no out=
        return out.copy_(x * cos)
