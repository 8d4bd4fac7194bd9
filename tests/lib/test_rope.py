"""rope.py: against dense matrices and 50 digits, its promises, and that what it keeps between calls is never seen."""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import VIEWS, exact_rows, normal
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import gradcheck, gradgradcheck

from pe_lib import half_split_order, rope_half_split, rope_interleaved
from pe_lib.rope_tables import LONGEST_KEPT, _kept_tables

ROPES = pytest.mark.parametrize("rope", [rope_interleaved, rope_half_split])
even_widths = st.integers(1, 8).map(lambda pairs: 2 * pairs)
seeds = st.integers(0, 1000)


def close(a, b):
    """Equal to a few units in the last place: the last bit of a product hangs on how many are taken at once."""
    eps = torch.finfo(a.dtype).eps
    return a.dtype == b.dtype and torch.allclose(a, b, rtol=0, atol=8 * eps)


def pairs_of(x, rope):
    return (x[..., 0::2], x[..., 1::2]) if rope is rope_interleaved else x.chunk(2, dim=-1)


def joined(first, second, rope):
    if rope is rope_half_split:
        return torch.cat([first, second], dim=-1)
    return torch.stack([first, second], dim=-1).flatten(-2)


def dense_rotation(pos, head_dim, columns):
    """One orthogonal matrix that turns every pair, ``columns(k)``, with cosines and sines from 50 digits."""
    matrix = np.zeros((head_dim, head_dim))
    sin_cos = exact_rows([pos], head_dim)[0]
    for k in range(head_dim // 2):
        sin, cos = sin_cos[2 * k : 2 * k + 2]
        a, b = columns(k)
        matrix[a, a], matrix[a, b], matrix[b, a], matrix[b, b] = cos, -sin, sin, cos
    return torch.from_numpy(matrix)


@pytest.mark.parametrize("head_dim", [2, 4, 6, 10])
@pytest.mark.parametrize("positions", [[0, 1, 2, 3, 4], [7, 0, 65_535, 100_000, 3]])
def test_rope_is_a_product_with_a_dense_rotation_matrix(head_dim, positions):
    x = normal(5, head_dim)
    neighbours = [dense_rotation(pos, head_dim, lambda k: (2 * k, 2 * k + 1)) for pos in positions]
    halves = [dense_rotation(pos, head_dim, lambda k: (k, k + head_dim // 2)) for pos in positions]
    for rope, matrices in [(rope_interleaved, neighbours), (rope_half_split, halves)]:
        expected = torch.stack([matrix @ row for matrix, row in zip(matrices, x, strict=True)])
        assert torch.allclose(rope(x, positions), expected, rtol=0, atol=1e-10)


@ROPES
@given(even_widths, st.integers(-50, 100_000), seeds)
def test_scores_depend_only_on_the_offset(rope, head_dim, shift, seed):
    q, k = normal(6, head_dim, seed=seed), normal(6, head_dim, seed=seed + 1)
    positions = torch.arange(6)
    scores = rope(q) @ rope(k).T
    moved = rope(q, positions + shift) @ rope(k, positions + shift).T
    assert torch.allclose(scores, moved, rtol=0, atol=1e-9)


@given(even_widths, seeds, st.integers(1, 9))
def test_both_layouts_agree_after_the_permutation(head_dim, seed, length):
    x, order = normal(2, length, head_dim, seed=seed), half_split_order(head_dim)
    assert close(rope_half_split(x[..., order]), rope_interleaved(x)[..., order])
    assert close(rope_half_split(x[..., order])[..., order.argsort()], rope_interleaved(x))


@ROPES
@given(even_widths, seeds, st.integers(-1000, 1000))
def test_lengths_are_kept_and_turning_back_restores(rope, head_dim, seed, pos):
    x = normal(3, head_dim, seed=seed)
    turned = rope(x, [pos] * 3)
    assert torch.allclose(turned.norm(dim=1), x.norm(dim=1), rtol=1e-12)
    assert torch.allclose(rope(turned, [-pos] * 3), x, rtol=0, atol=1e-12)


@ROPES
def test_positions_count_from_0_pieces_make_the_whole_and_other_frequencies_are_used(rope):
    x = normal(2, 3, 8, 4)
    assert torch.equal(rope(x, range(8)), rope(x))
    pieces = [rope(x[:, :, t : t + 1], positions=[t]) for t in range(8)]
    assert close(torch.cat(pieces, dim=2), rope(x))
    x = normal(4, 2)
    assert torch.allclose(rope(x, frequencies=[math.pi]), x * torch.tensor([[1.0], [-1], [1], [-1]]), atol=1e-12)


@ROPES
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("length", [5, 0])
def test_shape_dtype_and_input_are_kept_by_result_and_gradient(rope, dtype, length):
    x = normal(2, 3, length, 8).to(dtype).requires_grad_()
    before = x.detach().clone()
    turned = rope(x)
    assert turned.shape == x.shape and turned.dtype == dtype
    assert torch.equal(x, before)
    assert torch.allclose(turned.double(), rope(x.double()), rtol=torch.finfo(dtype).eps, atol=torch.finfo(dtype).eps)
    turned.sum().backward()
    assert x.grad.dtype == dtype and x.grad.shape == x.shape


@ROPES
@pytest.mark.parametrize("dtype, within", [(torch.float64, 3e-10), (torch.float32, 2e-7), (torch.bfloat16, 2e-3)])
def test_far_positions_are_as_exact_as_near_ones(rope, dtype, within):
    """Pairs of length 1 in all directions: float32 to two units in its last place, bfloat16 to half a unit."""
    positions = [1, 1_000, 65_537, 99_999, 999_983, 1_000_000]
    phases = normal(len(positions), 32)
    x = joined(phases.cos(), phases.sin(), rope).to(dtype)
    sin_cos = torch.from_numpy(exact_rows(positions, 64))
    sin, cos = sin_cos[:, 0::2], sin_cos[:, 1::2]
    first, second = pairs_of(x.double(), rope)
    found = pairs_of(rope(x, positions).double(), rope)
    assert (found[0] - (first * cos - second * sin)).abs().max() < within
    assert (found[1] - (first * sin + second * cos)).abs().max() < within


@ROPES
def test_positions_may_differ_from_text_to_text(rope):
    """As in a batch that is padded on the left, or packed."""
    x, positions = normal(2, 3, 4, 6), torch.tensor([[0, 0, 1, 2], [7, 8, 9, 0]])
    for given_ in (positions[:, None], positions[:, None].expand(2, 3, 4)):
        for text in range(2):
            assert close(rope(x, given_)[text], rope(x[text], positions[text]))
    per_head = torch.arange(12).view(1, 3, 4)
    assert close(rope(x, per_head)[:, 2], rope(x[:, 2], [8, 9, 10, 11]))
    assert close(rope(x[:, 0], positions)[1], rope(x[1, 0], positions[1]))


@ROPES
@pytest.mark.parametrize(
    "positions",
    [
        [3, 1.0, Fraction(2)],
        np.array([3, 1, 2], dtype=np.uint8),
        *[torch.tensor([3, 1, 2], dtype=d) for d in (torch.int32, torch.uint8, torch.float16, torch.bfloat16)],
    ],
)
def test_positions_may_be_of_any_real_kind_and_stay_as_they_were(rope, positions):
    x, before = normal(2, 3, 8, dtype=torch.float32), list(positions)
    assert torch.equal(rope(x, positions), rope(x, torch.tensor([3, 1, 2])))
    assert list(positions) == before


@ROPES
@VIEWS
def test_x_may_lie_in_memory_as_it_likes(rope, view):
    x = view(normal(2, 3, 4, 6))
    turned = rope(x)
    assert close(turned, rope(x.clone(memory_format=torch.contiguous_format)))
    turned += 1
    assert torch.equal(x, view(normal(2, 3, 4, 6)))


@ROPES
@pytest.mark.parametrize("learned", [False, True])
def test_the_gradient_is_that_of_differences(rope, learned):
    """Of x, twice, and of positions and frequencies where these are learned."""
    x = normal(2, 3, 4).requires_grad_()
    angles = (normal(3).requires_grad_(), normal(2).requires_grad_()) if learned else ()
    assert gradcheck(rope, (x, *angles), check_forward_ad=True)
    assert gradgradcheck(rope, (x, *angles))


@ROPES
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_lengths_and_widths_in_any_order_get_their_own_angles(rope, dtype):
    for length, head_dim in [(5, 8), (3, 8), (9, 8), (5, 4), (1, 8), (16, 8), (17, 8), (2, 2), (5, 8)]:
        x = normal(length, head_dim).to(dtype)
        assert torch.equal(rope(x), rope(x, torch.arange(length)))


@pytest.mark.slow
@ROPES
@given(st.lists(st.integers(0, 70_000), min_size=1, max_size=6), seeds)
def test_rows_that_are_looked_up_are_those_that_are_computed(rope, positions, seed):
    """Whole numbers are looked up where a kept table reaches; a tensor of floats is always computed."""
    x = normal(2, len(positions), 6, seed=seed, dtype=torch.float32)
    expected = rope(x, torch.tensor(positions, dtype=torch.float64))
    for given_ in (positions, np.array(positions), torch.tensor(positions), torch.tensor(positions, dtype=torch.int32)):
        assert close(rope(x, given_), expected)


@ROPES
def test_frequencies_of_one_s_own_are_kept_by_their_values(rope):
    _kept_tables.cache_clear()
    x, own = normal(5, 4), np.array([0.5, 0.25])
    first = rope(x, frequencies=own)
    assert close(first, rope(x, frequencies=torch.from_numpy(own)))
    assert torch.equal(rope(x, [4, 3, 2, 1, 0], [0.5, 0.25]), rope(x, torch.arange(4, -1, -1), own))
    assert _kept_tables.cache_info().currsize == 1
    own *= 2
    assert close(rope(x, frequencies=own), rope(x, frequencies=torch.tensor([1.0, 0.5])))
    assert torch.equal(rope(x, frequencies=own / 2), first)


@ROPES
@pytest.mark.filterwarnings("ignore:There is a performance drop")  # vmap turns addcmul_ into a loop
def test_what_was_made_in_a_mode_serves_outside_of_it(rope):
    x = normal(2, 5, 8)
    expected = rope(x, range(5))

    def within_inference():
        with torch.inference_mode():
            return rope(x)

    modes = [
        within_inference,
        lambda: torch.vmap(rope)(x),
        lambda: x - torch.func.grad(lambda x: rope(x).pow(2).sum() / 2)(x) + rope(x),
        lambda: torch.func.jvp(rope, (x,), (x,))[1],
        lambda: torch.func.functionalize(rope)(x),
    ]
    for first in modes:
        _kept_tables.cache_clear()
        assert torch.allclose(first(), expected, rtol=0, atol=1e-14)
        trained = x.clone().requires_grad_()
        rope(trained).pow(2).sum().backward()
        assert torch.allclose(trained.grad, 2 * x, rtol=0, atol=1e-14)
        for then in modes:
            assert torch.allclose(then(), expected, rtol=0, atol=1e-14)


@ROPES
def test_only_a_handful_is_kept_nothing_very_long_and_for_one_far_position_or_a_shape_nothing(rope):
    _kept_tables.cache_clear()
    with FakeTensorMode():
        assert rope(torch.zeros(2, 5, 8)).shape == (2, 5, 8)
    assert _kept_tables.cache_info().currsize == 0
    assert rope(torch.zeros(2, 5, 8, device="meta")).device.type == "meta"
    assert torch.equal(rope(normal(5, 8)), rope(normal(5, 8), range(5)))
    _kept_tables.cache_clear()
    for pairs in range(1, 20):
        rope(torch.zeros(1, 2 * pairs))
    assert _kept_tables.cache_info().currsize == _kept_tables.cache_info().maxsize == 8
    _kept_tables.cache_clear()
    # Who looks at a few far positions, as a test or a diagnosis does, would keep megabytes that nobody reads again.
    places, x = [0, 1, LONGEST_KEPT - 1], torch.ones(LONGEST_KEPT + 1, 2)
    far = rope(x[places], places)
    assert _kept_tables.cache_info().currsize == 0
    kept = rope(x[:-1])
    assert torch.equal(rope(x)[:-1], kept) and torch.equal(kept[places], far)
    assert _kept_tables.cache_info().currsize == 1


@ROPES
def test_many_threads_get_what_one_gets(rope):
    jobs = [normal(length, head_dim) for length in range(1, 20) for head_dim in (2, 4, 8)] * 3
    expected = [rope(x) for x in jobs]
    _kept_tables.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert all(map(torch.equal, pool.map(rope, jobs), expected))


@pytest.mark.one_in(2)
@ROPES
@pytest.mark.slow
def test_compiled_in_one_piece_it_gives_the_same(rope):
    compiled = torch.compile(rope, fullgraph=True, backend="aot_eager")
    for length in (5, 3, 4):
        x = normal(2, length, 8, dtype=torch.float32).requires_grad_()
        assert close(compiled(x), rope(x))
        far = torch.arange(length) + 1_000_000
        assert close(compiled(x, far), rope(x, far))
        compiled(x).sum().backward()


@ROPES
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_positions_alone_may_be_mapped_over(rope):
    x, many = normal(3, 4), torch.tensor([[0, 1, 2], [100, 7, -3]])
    assert close(torch.vmap(lambda positions: rope(x, positions))(many), torch.stack([rope(x, p) for p in many]))
