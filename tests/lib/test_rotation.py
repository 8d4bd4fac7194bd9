"""rotation.py: the loop's table out of √max_len pieces, in one table's memory; the matrix that moves rows."""

import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import exact_frequencies

from pe_lib import shift_matrix, sinusoidal_rotation, sinusoidal_vectorized

widths, bases = st.integers(1, 33), st.floats(0.1, 1e6)
pair_counts, offsets = st.integers(1, 16), st.integers(-60, 60)


@pytest.mark.parametrize("max_len", [2, 3, 1023, 1024, 1025, 1055, 1056, 1057, 2049])
@pytest.mark.parametrize("d_model", [1, 2, 63, 64])
def test_a_last_block_may_be_full_or_hold_one_row(max_len, d_model):
    table = sinusoidal_rotation(max_len, d_model)
    assert table.shape == (max_len, d_model) and table.is_contiguous()
    assert np.abs(table.numpy() - sinusoidal_vectorized(max_len, d_model)).max() < 2e-7


def test_one_thread_and_two_make_the_same_table():
    tables, before = [], torch.get_num_threads()
    for count in (1, 2):
        torch.set_num_threads(count)
        tables.append(sinusoidal_rotation(5_000, 63))
    torch.set_num_threads(before)
    assert torch.equal(*tables)


# tracemalloc does not see torch's memory, so the kernel is asked how far a fresh process rises. Its highest mark so
# far is set back first: importing torch may have reached higher than one table does.
RISE = """
from pathlib import Path
import pe_lib

def kilobytes(field):
    return next(int(line.split()[1]) for line in Path("/proc/self/status").open() if line.startswith(field))

for build, d_model in ((pe_lib.sinusoidal_rotation, 512), (pe_lib.sinusoidal_rotation, 511), (pe_lib.{other}, 512)):
    build(64, d_model)  # loads what is loaded on first use
    Path("/proc/self/clear_refs").write_text("5")
    before = kilobytes("VmRSS")
    table = build({max_len}, d_model)
    print((kilobytes("VmHWM") - before) * 1024 / ({max_len} * d_model * 4))
    del table
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs Linux's /proc")
@pytest.mark.slow
def test_it_takes_the_memory_of_one_table_and_of_two_for_an_odd_width():
    """At the highest; and the measurement sees memory that is given back, of which stack and flatten takes more."""
    code = RISE.format(max_len=20_000, other="sinusoidal_stack_flatten")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if "clear_refs" in done.stderr:
        pytest.skip("this kernel does not let a process set back its highest mark")
    assert done.returncode == 0, done.stderr
    even, odd, other = map(float, done.stdout.split())
    assert 0.9 < even < 1.1 and 1.9 < odd < 2.1 and other > 3


@given(pair_counts, st.integers(0, 60), bases)
def test_it_takes_every_row_to_the_row_n_further_on(pairs, n, base):
    table = sinusoidal_vectorized(40 + n, 2 * pairs, base)
    assert np.allclose(table[n:], table[:40] @ shift_matrix(n, 2 * pairs, base), rtol=0, atol=1e-12)
    assert np.allclose(table[:40], table[n:] @ shift_matrix(-n, 2 * pairs, base), rtol=0, atol=1e-12)


@given(offsets, offsets, pair_counts, bases)
def test_it_is_orthogonal_and_two_moves_are_one_move_by_their_sum(n, m, pairs, base):
    first, second, both = (shift_matrix(offset, 2 * pairs, base) for offset in (n, m, n + m))
    assert np.allclose(first @ first.T, np.eye(2 * pairs), rtol=0, atol=1e-14)
    assert np.linalg.det(first) == pytest.approx(1)
    assert np.allclose(first @ second, both, rtol=0, atol=1e-12)
    assert np.allclose(second @ first, both, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [1, -7, 0.25, 99_999, -1_000_000.5, 123_456_789])
@pytest.mark.parametrize("d_model, base", [(2, 10000), (16, 10000), (12, 500000), (8, 1)])
def test_it_is_a_rotation_by_n_times_the_frequency_for_each_pair_to_50_digits(n, d_model, base):
    with mpmath.workdps(50):
        turns = [n * turn for turn in exact_frequencies(d_model, base)]
        cos, sin = np.array([[f(turn) for turn in turns] for f in (mpmath.cos, mpmath.sin)], dtype=float)
    exact, k = np.zeros((d_model, d_model)), np.arange(0, d_model, 2)
    exact[k, k], exact[k, k + 1], exact[k + 1, k], exact[k + 1, k + 1] = cos, -sin, sin, cos
    matrix = shift_matrix(n, d_model, base)
    assert matrix.dtype == np.float64 and np.abs(matrix - exact).max() <= 4e-16 * (1 + abs(n))
