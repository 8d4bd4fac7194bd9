"""rope_blocks.py: the way of a large x gives what the plain way gives, and every tool of torch may be used on it."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import VIEWS, normal
from torch.autograd import forward_ad, gradcheck, gradgradcheck

from pe_lib import rope_blocks, rope_half_split, rope_interleaved
from pe_lib.rope_blocks import blocks

HALF = torch.bfloat16, torch.float16
# Full precision of the interleaved layout never goes in blocks: there the plain way is as fast.
IN_BLOCKS = [(rope_half_split, torch.float64), (rope_half_split, torch.float32)]
IN_BLOCKS += [(rope, dtype) for rope in (rope_interleaved, rope_half_split) for dtype in HALF]
EVERY_KIND = pytest.mark.parametrize("rope, dtype", IN_BLOCKS)


@pytest.fixture
def small_blocks(monkeypatch):
    """Everything is large, and a block holds 24 numbers."""
    monkeypatch.setattr(rope_blocks, "BLOCK", 24)
    monkeypatch.setattr(rope_blocks, "LARGE", 1)


def plain(rope, *arguments):
    """The same rotation, not in blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rope_blocks, "LARGE", math.inf)
        return rope(*arguments)


def same(a, b):
    """To one rounding: the last bits of a product, or of a cosine, hang on how many are taken at once."""
    eps = torch.finfo(a.dtype).eps
    return a.dtype == b.dtype and torch.allclose(a, b, rtol=eps, atol=(1 if a.dtype in HALF else 8) * eps)


def went_in_blocks(turned):
    return "InBlocks" in type(turned.grad_fn).__name__


@EVERY_KIND
@pytest.mark.parametrize("shape", [(5, 8), (1, 8), (3, 5, 8), (2, 3, 4, 8), (2, 1, 7, 6), (7, 1, 1, 2), (2, 30)])
def test_it_gives_what_the_plain_way_gives(small_blocks, rope, dtype, shape):
    """At the same positions for all rows, for each row its own, and for each batch its own."""
    x = normal(*shape, dtype=dtype).requires_grad_()
    own = torch.arange(math.prod(shape[:-1])).view(shape[:-1]) % 9
    for told in ((), (torch.arange(shape[-2]).flip(0) + 3,), (own,), (own[:, :1] if len(shape) == 4 else own,)):
        turned, expected = rope(x, *told), plain(rope, x, *told)
        assert went_in_blocks(turned) and not went_in_blocks(expected)
        assert turned.shape == x.shape and same(turned, expected)


@EVERY_KIND
@VIEWS
def test_x_may_lie_in_memory_as_it_likes_and_stays_as_it_was(small_blocks, rope, dtype, view):
    whole = normal(2, 3, 4, 6, dtype=dtype)
    x = view(whole)
    turned = rope(x)
    assert same(turned, plain(rope, x))
    turned += 1
    assert torch.equal(whole, normal(2, 3, 4, 6, dtype=dtype))


@pytest.mark.slow
@EVERY_KIND
def test_a_really_large_x_goes_in_blocks_unasked(rope, dtype):
    x = normal(2, 9, 1900, 64, dtype=dtype).requires_grad_()
    assert went_in_blocks(rope(x)) and not went_in_blocks(rope(x[:1]))
    assert not went_in_blocks(rope_interleaved(x.float()))  # full precision of neighbours takes the plain way
    assert same(rope(x), plain(rope, x))
    upstream = normal(2, 9, 1900, 64, seed=1, dtype=dtype)
    gradients = [torch.autograd.grad(turned, x, upstream)[0] for turned in (rope(x), plain(rope, x))]
    assert same(*gradients)


@EVERY_KIND
@pytest.mark.parametrize("shape", [(2, 5, 8), (1, 5, 8), (3, 1, 40)])
def test_the_gradient_is_the_rotation_back_and_needs_no_x(small_blocks, rope, dtype, shape):
    """That of a sum is one number, seen everywhere."""
    x, upstream = normal(*shape, dtype=dtype).requires_grad_(), normal(*shape, seed=1, dtype=dtype)
    turned, back = rope(x), -torch.arange(shape[-2])
    with torch.no_grad():
        x.fill_(math.nan)
    (gradient,) = torch.autograd.grad(turned, x, upstream)
    assert same(gradient, plain(rope, upstream, back))
    rope(x).sum().backward()
    assert same(x.grad, plain(rope, torch.ones(shape, dtype=dtype), back))
    every_row = normal(shape[-1], dtype=dtype).expand(shape)
    assert same(rope(every_row), plain(rope, every_row))


def test_the_gradient_is_that_of_differences(small_blocks):
    """Backwards, forwards, and twice."""
    x = normal(3, 4, 4).requires_grad_()
    assert gradcheck(rope_half_split, x, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(rope_half_split, x, check_batched_grad=True)


@EVERY_KIND
def test_learned_positions_and_frequencies_take_the_plain_way_and_get_their_gradient(small_blocks, rope, dtype):
    x, positions, frequencies = normal(3, 4, dtype=dtype), torch.arange(3.0), torch.rand(2)
    for learned in (positions, frequencies):
        learned.requires_grad_()
        rope(x, positions, frequencies).float().pow(3).sum().backward()
        assert learned.grad.abs().sum() > 0
        learned.requires_grad_(False)


@EVERY_KIND
@pytest.mark.filterwarnings("ignore:There is a performance drop")  # vmap turns the plain way's addcmul_ into a loop
def test_torch_func_reaches_through(small_blocks, rope, dtype):
    x = normal(3, 5, 8, dtype=dtype)

    def cubes(turn):
        return lambda x: turn(x).pow(3).sum()

    def twin(x):
        return plain(rope, x)

    tools = [
        lambda f: torch.vmap(f)(x),
        lambda f: torch.vmap(f, in_dims=1, out_dims=1)(x),
        lambda f: torch.vmap(torch.vmap(f))(x[None]),
        lambda f: torch.func.jvp(f, (x,), (x.flip(0),))[1],
        lambda f: torch.func.vjp(f, x)[1](x.flip(0))[0],
        lambda f: torch.func.grad(cubes(f))(x),
        lambda f: torch.vmap(torch.func.grad(cubes(f)))(x),
        lambda f: torch.func.functionalize(f)(x),
        lambda f: torch.func.jacrev(f)(x[0, :2, :4]),
        lambda f: torch.func.jacfwd(f)(x[0, :2, :4]),
    ]
    for tool in tools:
        assert same(tool(rope), tool(twin))
    if dtype == torch.float64:
        point = x[0, :2, :4]
        assert same(torch.func.hessian(cubes(rope))(point), torch.func.hessian(cubes(twin))(point))


@EVERY_KIND
def test_it_works_in_every_mode(small_blocks, rope, dtype):
    x = normal(3, 5, 8, dtype=dtype)
    with torch.inference_mode():
        assert same(rope(x), plain(rope, x))
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(rope(forward_ad.make_dual(x, x.flip(0)))).tangent
    assert same(tangent, plain(rope, x.flip(0)))
    with torch.autocast("cpu", torch.bfloat16):
        assert same(rope(x), plain(rope, x))
    assert rope(x.to("meta")).shape == x.shape


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rope, dtype", [IN_BLOCKS[0], IN_BLOCKS[2]])
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning", "ignore:`torch.jit:DeprecationWarning")
def test_compiled_traced_and_exported_it_gives_the_same_for_other_lengths(small_blocks, rope, dtype):
    torch._dynamo.reset()
    x, longer = normal(2, 5, 8, dtype=dtype), normal(2, 9, 8, dtype=dtype)

    class Turn(torch.nn.Module):
        def forward(self, x):
            return rope(x)

    compiled = torch.compile(rope, fullgraph=True, backend="aot_eager")
    length = torch.export.Dim("length", max=64)
    exported = torch.export.export(Turn(), (x,), dynamic_shapes={"x": {1: length}}).module()
    for each in (x, longer):
        assert same(compiled(each), plain(rope, each)) and same(exported(each), plain(rope, each))
    traced = torch.jit.trace(lambda x, positions: rope(x) + rope(x, positions), (x, torch.arange(5)))
    expected = plain(rope, longer) + plain(rope, longer, torch.arange(9) + 100)
    assert same(traced(longer, torch.arange(9) + 100), expected)
    trained = x.clone().requires_grad_()
    compiled(trained).sum().backward()
    assert same(trained.grad, plain(rope, torch.ones_like(x), -torch.arange(5)))


shapes = st.lists(st.integers(1, 9), min_size=2, max_size=4)


@given(shapes, st.randoms(use_true_random=False), st.integers(1, 200))
def test_every_number_is_in_one_block_and_the_blocks_are_small(shape, random, size):
    order = random.sample(range(len(shape)), len(shape))
    numbers = torch.arange(math.prod(shape)).view(shape).permute(order)
    expanded = torch.zeros(()).expand(numbers.shape)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rope_blocks, "BLOCK", size)
        parts = list(blocks(numbers, numbers + 1))
        assert all(part.numel() <= max(size, part.shape[-1]) for (part,) in blocks(expanded))
    assert sorted(n for part, _ in parts for n in part.flatten().tolist()) == list(range(numbers.numel()))
    for part, other in parts:
        assert torch.equal(part + 1, other)
        assert part.shape[-1] == numbers.shape[-1]  # a row stays whole
        assert part.numel() <= max(size, part.shape[-1])
