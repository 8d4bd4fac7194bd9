"""Rotations: the paper's scores, any width, any layout; what each mistake is called stands in zoo/rotations.md."""

import mpmath
import numpy as np
import pytest
import torch
from oracle import refuses
from test_zoo import ZOO, made

from pe_clinic import diagnose_rope
from pe_clinic.calling.loading import load
from pe_clinic.rotation.as_made import diagnose_unread
from pe_clinic.rotation.layouts import FEWER, FOUR, in_layout
from pe_lib import rope_half_split, rope_interleaved


def exact_scores(queries, keys, offsets):
    """q · k as the paper's matrix gives it for each offset, with 30 digits: (offsets,)."""
    d, scores = len(queries), []
    with mpmath.workdps(30):
        for offset in offsets:
            total = mpmath.mpf(0)
            for k in range(d // 2):
                angle = offset / mpmath.mpf(10000) ** (mpmath.mpf(2 * k) / d)
                (a, b), (c, e) = map(tuple, (queries[2 * k : 2 * k + 2], keys[2 * k : 2 * k + 2]))
                cos, sin = mpmath.cos(angle), mpmath.sin(angle)
                total += (a * cos - b * sin) * c + (a * sin + b * cos) * e
            scores.append(float(total))
    return np.array(scores)


@pytest.mark.parametrize("ours", [rope_interleaved, rope_half_split])
def test_the_course_s_own_rotations_are_right(ours):
    assert diagnose_rope(ours).ok


OF_ROTATIONS = [case for page, case in ZOO.values() if page == "rotations" and case.expected == "right"]
NEIGHBOURS = [case for case in OF_ROTATIONS if case.says in ((), ("shifted",))]


@pytest.mark.parametrize("case", [case for case in NEIGHBOURS if case.target != "both_by_length"], ids=lambda c: c.name)
def test_what_is_called_right_gives_the_paper_s_scores(case, tmp_path):
    """An oracle that knows nothing of the diagnosis: q at 7 + offset, k at 7, their product with 30 digits."""
    rotate, (q, k) = made(case, tmp_path), np.random.default_rng(0).normal(size=(2, 64))
    x, offsets, scores = torch.tensor(np.stack([q, k]), dtype=torch.float32)[None, None], [0, 1, 5, 40], []
    for offset in offsets:
        turned = rotate(x, torch.tensor([7 + offset, 7]))[0, 0].double()
        scores.append(float(turned[0] @ turned[1]))
    assert np.allclose(scores, exact_scores(q, k, offsets), atol=1e-4)


def test_a_dense_matrix_of_another_hand_agrees():
    """A block matrix by matrix exponential: exp(pos · J) with J the generator of the rotation."""
    d = 16
    generator = torch.zeros(d, d, dtype=torch.float64)
    for k in range(d // 2):
        generator[2 * k, 2 * k + 1] = 10000 ** (-2 * k / d)
        generator[2 * k + 1, 2 * k] = -(10000 ** (-2 * k / d))

    def rotate(x, positions):
        matrices = torch.linalg.matrix_exp(positions.double()[:, None, None] % 100_000 * generator)
        return (x.double().unsqueeze(-2) @ matrices).squeeze(-2).to(x.dtype)

    diagnosis = diagnose_rope(rotate, head_dim=d)
    assert diagnosis.ok and diagnosis.convention is None, diagnosis


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("head_dim", [2, 4, 6, 8, 32, 80, 128, 256])
@pytest.mark.parametrize("rotate, convention", [(rope_half_split, "half-split"), (rope_interleaved, None)])
def test_any_even_width(head_dim, rotate, convention):
    diagnosis = diagnose_rope(rotate, head_dim=head_dim)
    assert diagnosis.ok, diagnosis
    assert diagnosis.convention == (convention if head_dim > 2 else None)


@pytest.mark.parametrize(
    "head_dim, exception, words",
    [(63, ValueError, "63"), (0, ValueError, "0"), (-2, ValueError, "-2"), (64.0, TypeError, "64.0 (float)"),
     (True, TypeError, "True (bool)"), ("64", TypeError, "'64' (str)")],
)  # fmt: skip
def test_a_width_that_is_none_is_refused(head_dim, exception, words):
    with refuses(exception, "head_dim must be an even whole number of at least 2, such as 64", words):
        diagnose_rope(rope_half_split, head_dim=head_dim)


@pytest.mark.parametrize("layout", [*FOUR, *(layout for group in FEWER for layout in group)], ids=lambda one: one.words)
def test_every_layout_is_called_with_four_axes(layout):
    """A rotation of the last two axes, told by names where they stand; what it writes into x is written back."""
    along = layout.axes.index("length") if "length" in layout.axes else 0

    def turn(tensors, positions):
        rows = tensors[0].movedim(along, -2) if "length" in layout.axes else tensors[0][..., None, :]
        out = rope_half_split(rows, positions)
        tensors[0].mul_(2)
        return out.movedim(-2, along) if "length" in layout.axes else out[..., 0, :]

    x, positions = torch.randn(2, 3, 5, 8), torch.tensor([4, 0, 7, 2, 9])
    given = x.clone()
    assert torch.allclose(
        in_layout(turn, layout, pair=False)(given, positions), rope_half_split(x, positions), atol=1e-6
    )
    assert torch.equal(given, 2 * x)


def test_random_numbers_and_settings_are_put_back():
    def noisy(x, positions):
        torch.manual_seed(1)
        print("turning")
        torch.set_default_dtype(torch.float64)
        return rope_half_split(x, positions)

    before = torch.get_rng_state()
    diagnose_rope(noisy)
    assert torch.equal(before, torch.get_rng_state()) and torch.get_default_dtype() == torch.float32


@pytest.mark.parametrize(("line", "unread"), [("", True), ("x = rotate(x, freqs_cis)", False), ("# no rope", False)])
def test_tables_that_attention_takes_and_never_reads(tmp_path, line, unread):
    code = f"""from torch import nn
class Block(nn.Module):
    def __init__(self):
        self.attn = nn.MultiheadAttention(64, 4)
    def forward(self, x, freqs_cis):
        {line}
        return self.attn(x, x, x)[0]
"""
    path = tmp_path / "block_of_tables.py"
    path.write_text(code)
    told = diagnose_unread("Block", load(path, "Block").names["Block"])
    assert ("freqs_cis" in f"{told}") == unread
