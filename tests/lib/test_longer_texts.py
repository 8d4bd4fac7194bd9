"""longer_texts/: each encoding against an oracle of another kind, and the promises that it is used for."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracle import exact_frequencies, normal
from torch.nn.functional import scaled_dot_product_attention

from pe_lib import alibi_bias, alibi_slopes, frequencies
from pe_lib.longer_texts import LearnedPositions, T5Bias, interpolate, ntk_aware, t5_bucket, yarn
from pe_lib.rope import rope_interleaved

even_widths = st.integers(1, 8).map(lambda pairs: 2 * pairs)
seeds = st.integers(0, 1000)
LIMITS = [(dtype, torch.iinfo(dtype).min, torch.iinfo(dtype).max) for dtype in (torch.int32, torch.int64)]


SLOPES = {8: range(1, 9), 16: [n / 2 for n in range(1, 17)]}  # section 3 of the paper: 1/2^1 …, and 1/2^0.5, 1/2^1 …
SLOPES |= {1: [8], 2: [4, 8], 3: [4, 8, 2], 6: [2, 4, 6, 8, 1, 3], 12: [*range(1, 9), 0.5, 1.5, 2.5, 3.5]}  # their code


@pytest.mark.parametrize("heads, exponents", SLOPES.items())
def test_slopes_are_those_of_the_paper(heads, exponents):
    assert alibi_slopes(heads).tolist() == pytest.approx([2.0**-e for e in exponents], rel=1e-15)


@given(st.integers(1, 200))
def test_every_head_has_a_slope_of_its_own(heads):
    slopes = alibi_slopes(heads)
    assert slopes.shape == (heads,) and len(slopes.unique()) == heads
    assert slopes.min() >= 2**-8 and slopes.max() < 1


@given(st.integers(1, 12), st.integers(1, 20))
def test_the_bias_is_minus_slope_times_distance(heads, length):
    bias = alibi_bias(heads, length)
    assert bias.shape == (heads, length, length) and bias.dtype == torch.float32
    for h, slope in enumerate(alibi_slopes(heads).tolist()):
        expected = [[-slope * abs(query - key) for key in range(length)] for query in range(length)]
        assert torch.allclose(bias[h], torch.tensor(expected), rtol=1e-6, atol=0)


def test_under_a_causal_mask_the_published_form_gives_the_same_attention():
    """Published code adds slope × position of the key: a row of scores differs by a constant, which softmax ignores."""
    heads, length = 4, 7
    hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
    ours = alibi_bias(heads, length).masked_fill(hidden, -math.inf)
    theirs = (alibi_slopes(heads)[:, None, None] * torch.arange(length)).float().expand(-1, length, -1)
    q, k, v = (normal(2, heads, length, 8, seed=seed).float() for seed in range(3))
    theirs = theirs.masked_fill(hidden, -math.inf)
    first, second = (scaled_dot_product_attention(q, k, v, attn_mask=bias) for bias in (ours, theirs))
    assert torch.allclose(first, second, rtol=0, atol=1e-6)


def bucket_of(offset, buckets, max_distance, causal):
    """One offset at a time and in whole numbers only: distance n is in far bucket m from
    n = exact · (max_distance / exact)^(m / far) on, where far is how many far buckets there are."""
    per_side = buckets if causal else buckets // 2
    first_of_side = 0 if causal or offset <= 0 else per_side
    n = max(0, -offset) if causal else abs(offset)
    exact = per_side // 2
    far = per_side - exact
    if n < exact:
        return first_of_side + n
    reached = [m for m in range(far) if n**far >= exact ** (far - m) * max_distance**m]
    return first_of_side + exact + max(reached)


@given(st.integers(1, 12), st.integers(1, 300), st.booleans(), st.integers(-2000, 2000))
@example(4, 40_000 - 8, False, -4000)  # here buckets begin, and a rounded logarithm falls short
@example(4, 10**8 - 8, False, -(10**6))
@example(3, 9000 - 6, False, -1000)
@example(5, 1, True, -11)
def test_buckets_agree_with_a_count_in_whole_numbers(quarter, beyond, causal, middle):
    buckets, max_distance = 4 * quarter, 2 * quarter + beyond
    offsets = torch.arange(middle - 50, middle + 51)
    expected = [bucket_of(offset, buckets, max_distance, causal) for offset in offsets.tolist()]
    assert t5_bucket(offsets, buckets, max_distance, causal).tolist() == expected


def test_buckets_of_t5_itself():
    """32 buckets up to 128: distances 0 to 7 alone; from there on the distance doubles with every second bucket."""
    firsts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    assert t5_bucket(-torch.tensor(firsts)).tolist() == list(range(16))
    assert t5_bucket(-torch.tensor(firsts[1:]) + 1).tolist() == list(range(15))
    assert t5_bucket(torch.tensor(firsts[1:])).tolist() == list(range(17, 32))
    for dtype, least, most in [(torch.int64, -128, 128), *LIMITS]:
        assert t5_bucket(torch.tensor([least, most], dtype=dtype)).tolist() == [15, 31]


@pytest.mark.parametrize("causal", [False, True])
def test_the_bias_looks_its_buckets_up_for_each_head(causal):
    bias = T5Bias(heads=3, buckets=8, max_distance=16, causal=causal)
    torch.nn.init.normal_(bias.table, generator=torch.Generator().manual_seed(0))
    found = bias(20)
    assert found.shape == (3, 20, 20)
    for query, key in [(0, 0), (5, 4), (4, 5), (19, 0), (0, 19)]:
        assert torch.equal(found[:, query, key], bias.table[bucket_of(key - query, 8, 16, causal)])
    assert torch.equal(found[:, :-1, :-1], found[:, 1:, 1:])  # an offset is all that counts
    found.sum().backward()
    assert (bias.table.grad != 0).any(), "it is trained"


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_learned_rows_are_added_and_trained_and_keep_the_dtype_of_x(dtype):
    layer, x = LearnedPositions(6, 4), normal(2, 5, 4, dtype=dtype)
    assert torch.equal(layer(x), x + layer.table[:5].to(dtype)) and layer(x).dtype == dtype
    layer(x).sum().backward()
    assert layer.table.grad[:, 0].tolist() == [2, 2, 2, 2, 2, 0]  # the last row was not in this batch
    assert [name for name, _ in layer.named_parameters()] == ["table"]
    assert LearnedPositions(1000, 64).table.std().item() == pytest.approx(0.02, rel=0.05)


scales, pair_counts = st.floats(1, 64), st.integers(2, 40)


@given(even_widths, scales, seeds)
def test_interpolation_is_a_division_of_the_positions(head_dim, scale, seed):
    x, slowed = normal(5, head_dim, seed=seed), interpolate(frequencies(head_dim), scale)
    assert torch.allclose(
        rope_interleaved(x, frequencies=slowed), rope_interleaved(x, np.arange(5) / scale), rtol=0, atol=1e-12
    )


@given(pair_counts, scales, st.floats(10, 1e6))
def test_ntk_is_a_larger_base(pairs, scale, base):
    d = 2 * pairs
    given_, expected = frequencies(d, base), frequencies(d, base * scale ** (d / (d - 2)))
    assert np.allclose(ntk_aware(given_, scale), expected, rtol=1e-9)
    assert ntk_aware(given_, scale)[0] == 1
    assert np.isclose(ntk_aware(given_, scale)[-1], interpolate(given_, scale)[-1])


@given(pair_counts, scales, st.integers(1, 10_000))
def test_yarn_is_the_ramp_of_its_paper(pairs, scale, trained_len):
    found = yarn(frequencies(2 * pairs), scale, trained_len)
    for turn, (exact, slowed) in enumerate(zip(exact_frequencies(2 * pairs), found, strict=True)):
        r = trained_len * float(exact) / (2 * math.pi)  # turns within the trained length
        ramp = 0 if r < 1 else 1 if r > 32 else (r - 1) / 31
        assert slowed == pytest.approx((1 - ramp) * float(exact) / scale + ramp * float(exact), rel=1e-9), turn


@given(pair_counts, scales, st.integers(64, 100_000), st.floats(100, 1e6))
def test_yarn_is_also_the_ramp_of_its_code(pairs, scale, trained_len, base):
    """From base and width, as its authors compute it: the pairs that turn 32 times and once, rounded outwards."""
    d = 2 * pairs
    first, last = (d * math.log(trained_len / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (32, 1))
    assume(abs(first - round(first)) > 1e-9 < abs(last - round(last)))  # on a whole number, rounding decides
    first, last = max(math.floor(first), 0), min(math.ceil(last), d - 1)
    found = yarn(frequencies(d, base), scale, trained_len, ramp="pairs")
    for k, slowed in enumerate(found):
        ramp = min(max((k - first) / (last - first if last != first else 0.001), 0), 1)
        usual = base ** (-2 * k / d)
        assert slowed == pytest.approx(ramp * usual / scale + (1 - ramp) * usual, rel=1e-6), k


YARNS = [lambda f, s: yarn(f, s, 512), lambda f, s: yarn(f, s, 512, ramp="pairs")]


@pytest.mark.parametrize("longer", [interpolate, ntk_aware, *YARNS])
def test_a_scale_of_1_changes_nothing(longer):
    assert np.allclose(longer(frequencies(64), 1), frequencies(64), rtol=1e-15)


@pytest.mark.parametrize("scale", [Fraction(4), np.float32(4), 4])
def test_a_number_may_be_of_any_real_kind_and_a_ramp_end_at_no_turn_at_all(scale):
    """A single pair keeps its pace."""
    assert np.array_equal(interpolate(frequencies(8), scale), frequencies(8) / 4)
    assert np.array_equal(yarn(frequencies(8), 4, 512, slow=1, fast=scale), yarn(frequencies(8), 4, 512, fast=4.0))
    slowed = yarn(frequencies(8), scale, 512, slow=0, ramp="pairs") / frequencies(8)
    assert np.isfinite(slowed).all() and (np.diff(slowed) <= 0).all()
    assert ntk_aware([1.0], scale).tolist() == [1.0]
    assert np.array_equal(yarn(frequencies(8), 4, 512, slow=1, fast=scale), yarn(frequencies(8), 4, 512, fast=4.0))
