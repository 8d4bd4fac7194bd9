"""Every known mistake of a rotation gets its own name, right ones are right in any style, designs are told apart."""

import mpmath
import numpy as np
import pytest
import torch
from oracle import refuses
from zoo_rotations import (
    BASE,
    DESIGNS,
    RIGHT,
    WRONG,
    dtype_of_x,
    frequencies,
    halves,
    pairs,
    position_in_dtype_of_x,
    stays_float32,
)

from pe_clinic import diagnose_rope
from pe_clinic.calling.loading import load
from pe_clinic.rotation.layouts import FEWER, FOUR, in_layout
from pe_clinic.rotation.recognise import unread_tables
from pe_lib import rope_half_split, rope_interleaved

CASES = [(mistake, n) for mistake, rotations in WRONG.items() for n in range(len(rotations))]


def mistakes(diagnosis):
    return [finding.id for finding in diagnosis.findings if finding.kind == "mistake"]


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


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_right_rotations_are_right_in_any_style(name):
    rotate, convention = RIGHT[name]
    diagnosis = diagnose_rope(rotate)
    assert diagnosis.ok, diagnosis
    assert diagnosis.convention == convention
    assert all(finding.kind == "note" for finding in diagnosis.findings)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("mistake, n", CASES)
def test_each_mistake_is_named_and_no_other(mistake, n):
    diagnosis = diagnose_rope(WRONG[mistake][n])
    assert not diagnosis.ok
    assert mistakes(diagnosis) == [mistake], diagnosis
    finding = diagnosis.findings[0]
    assert finding.title and finding.evidence and finding.explanation and finding.fix
    assert any(character.isdigit() for character in finding.evidence)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("convention, n", [(name, n) for name, makers in DESIGNS.items() for n in range(len(makers))])
def test_designs_are_told_with_their_numbers_and_are_no_mistakes(convention, n):
    diagnosis = diagnose_rope(DESIGNS[convention][n])
    told = diagnosis.convention.removeprefix("half-split, ").removeprefix("permuted, ")
    assert (diagnosis.ok, told) == (False, convention), diagnosis
    assert diagnose_rope(DESIGNS[convention][n], expect=convention).ok
    assert not diagnose_rope(DESIGNS[convention][n], expect="base 123456").ok
    assert mistakes(diagnosis) == []
    assert "and not the paper's own rotation." in diagnosis.verdict.line


@pytest.mark.parametrize("ours", [rope_interleaved, rope_half_split])
def test_the_course_s_own_rotations_are_right(ours):
    assert diagnose_rope(ours).ok


def test_what_is_called_right_gives_the_paper_s_scores():
    """An oracle that knows nothing of the diagnosis: q at 7 + offset, k at 7, their product with 30 digits."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 64))
    offsets = [0, 1, 5, 40]
    paper = exact_scores(q, k, offsets)
    for name in ("gpt-j", "complex", "torchtune", "dense matrix", "filled", "from 1", "joined by cat"):
        rotate = RIGHT[name][0]
        scores = []
        for offset in offsets if name != "from 1, by length" else ():
            x = torch.tensor(np.stack([q, k]), dtype=torch.float32)[None, None]
            turned = rotate(x, torch.tensor([7 + offset, 7]))[0, 0].double()
            scores.append(float(turned[0] @ turned[1]))
        assert np.allclose(scores, paper, atol=1e-4), name


def test_a_dense_matrix_of_another_hand_agrees():
    """A block matrix by matrix exponential: exp(pos · J) with J the generator of the rotation."""
    d = 16
    generator = torch.zeros(d, d, dtype=torch.float64)
    for k in range(d // 2):
        generator[2 * k, 2 * k + 1] = BASE ** (-2 * k / d)
        generator[2 * k + 1, 2 * k] = -(BASE ** (-2 * k / d))

    def rotate(x, positions):
        matrices = torch.linalg.matrix_exp(positions.double()[:, None, None] % 100_000 * generator)
        return (x.double().unsqueeze(-2) @ matrices).squeeze(-2).to(x.dtype)

    diagnosis = diagnose_rope(rotate, head_dim=d)
    assert diagnosis.ok and diagnosis.convention is None, diagnosis


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("head_dim", [2, 4, 6, 8, 32, 80, 128, 256])
@pytest.mark.parametrize("rotate, convention", [(halves, "half-split"), (pairs, None)])
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
        diagnose_rope(halves, head_dim=head_dim)


def test_what_cannot_be_told_apart_names_both_causes():
    twice = diagnose_rope(WRONG["turned-twice"][0])
    assert "twice" in twice.findings[0].title and "doubled" in twice.findings[0].title
    halved = diagnose_rope(WRONG["exponent-halved"][0])
    assert "exponent" in halved.findings[0].title and "base is 100" in halved.findings[0].title


def test_evidence_is_the_rotation_s_own_numbers():
    def evidence(mistake, n=0):
        return diagnose_rope(WRONG[mistake][n]).findings[0].evidence

    assert "base 1000" in evidence("small-base")
    assert "4 times as fast" in evidence("multiplied-by-factor")
    assert "8 times" in evidence("rotation-scaled") and "√d" in evidence("rotation-scaled")
    in_part = diagnose_rope(lambda x, positions: torch.cat((2 * halves(x[..., :16], positions), x[..., 16:]), -1))
    assert "every column that turns is 2 times" in in_part.findings[0].evidence
    assert "position 2047" in evidence("clamped")
    assert "modulo 1024" in evidence("wrapped")
    assert "position 512" in evidence("unturned-beyond", 1)
    assert "k those of position 2" in evidence("key-later")
    assert "bfloat16" in evidence("half-positions")


def test_a_cache_that_refuses_and_code_without_bfloat16_are_right_with_a_note():
    for name, id in (("cached module", "beyond-cache"), ("no bfloat16", "no-half")):
        diagnosis = diagnose_rope(RIGHT[name][0])
        assert diagnosis.ok and [finding.id for finding in diagnosis.findings] == [id]


def stub(x, positions):
    raise NotImplementedError


def test_code_that_is_not_written_yet_says_so():
    with pytest.raises(NotImplementedError):
        diagnose_rope(stub)
    empty = diagnose_rope(lambda x, positions: None)
    assert empty.verdict.id == "not-run" and "not written yet" in str(empty)


BAD = {
    "nothing": (lambda x, positions: None, "none"),
    "raises": (lambda x, positions: x / missing, "raises"),  # noqa: F821
    "complex": (lambda x, positions: torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)), "complex"),
    "NaN": (lambda x, positions: halves(x, positions) / 0 * 0, "not-finite"),
    "shape": (lambda x, positions: halves(x, positions)[..., :32], "rotation-shape"),
    "text": (lambda x, positions: "turned", "no-tensor"),
    "no pair": (lambda q, k, positions: halves(q, positions), "no-pair"),
    "other arguments": (lambda x, cos, sin, mask: x, "arguments"),
    "no function": (torch.zeros(3), "no-function"),
    "a class": (torch.nn.Linear, "no-function"),
    "exits": (lambda x, positions: exit(), "raises"),
}


@pytest.mark.parametrize("name", BAD)
def test_code_that_gives_no_rotation(name):
    rotate, id = BAD[name]
    diagnosis = diagnose_rope(rotate)
    assert not diagnosis.ok and [finding.id for finding in diagnosis.findings] == [id]
    assert str(diagnosis)


def test_another_dtype_is_said_beside_the_rotation_which_is_right():
    diagnosis = diagnose_rope(stays_float32)
    assert not diagnosis.ok and [finding.id for finding in diagnosis.usage] == ["other-dtype"]
    assert diagnosis.verdict.line == "The rotation is right; it returns float32 for bfloat16."
    assert diagnosis.verdict.status == 0


@pytest.mark.parametrize("rotate", [dtype_of_x, position_in_dtype_of_x])
def test_angles_in_the_dtype_of_x_are_said_beside_the_rotation_which_is_right(rotate):
    diagnosis = diagnose_rope(rotate)
    assert not diagnosis.ok and [finding.id for finding in diagnosis.usage] == ["dtype-of-x"]
    assert diagnosis.verdict.line.startswith("The rotation is right; it is exact in float32 only")


@pytest.mark.parametrize("base", [500.0, 256.0, 20.0])
def test_a_small_base_that_the_code_writes_is_a_design_but_for_a_lost_zero(base):
    def chosen(x, positions, base=base):
        return halves(x, positions, lambda p, d: p[:, None] * frequencies(d, base))

    assert diagnose_rope(chosen).convention == f"half-split, base {base:.0f}"
    assert mistakes(diagnose_rope(lambda x, positions: chosen(x, positions, 1000.0))) == ["small-base"]


def test_what_autocast_does_to_the_angles_is_a_note():
    def product(x, positions):
        return halves(x, positions, lambda p, d: p[:, None].float() @ frequencies(d)[None])

    diagnosis = diagnose_rope(product)
    assert diagnosis.ok and [finding.id for finding in diagnosis.findings] == ["autocast-angles"]
    assert not diagnose_rope(halves).findings


def test_base_100_is_told_from_half_an_exponent_by_what_the_code_says():
    rates = frequencies(64, 100.0)

    def rotate(x, positions):
        theta = positions[:, None] * rates
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * theta.cos() - b * theta.sin(), b * theta.cos() + a * theta.sin()), dim=-1).to(x.dtype)

    diagnosis = diagnose_rope(rotate)
    assert diagnosis.convention == "half-split, base 100" and "halved" in str(diagnosis)


def test_which_columns_turn_is_said_of_each_layout():
    for rotate, columns in (
        (DESIGNS["proportional 16 of 64"][0], "columns 0 to 7 and 32 to 39 turn"),
        (DESIGNS["partial 16 of 64"][0], "columns 0 to 15 turn"),
    ):
        assert columns in diagnose_rope(rotate).findings[0].evidence


def test_x_for_another_order_of_axes_is_told():
    diagnosis = diagnose_rope(WRONG["heads-for-sequence"][1])
    assert "(batch, length, heads, head_dim)" in diagnosis.findings[0].evidence


@pytest.mark.parametrize("layout", [*FOUR, *(layout for group in FEWER for layout in group)], ids=lambda one: one.words)
def test_every_layout_is_called_with_four_axes(layout):
    """A rotation of the last two axes, told by names where they stand; what it writes into x is written back."""
    along = layout.axes.index("length") if "length" in layout.axes else 0

    def turn(tensors, positions):
        rows = tensors[0].movedim(along, -2) if "length" in layout.axes else tensors[0][..., None, :]
        out = halves(rows, positions)
        tensors[0].mul_(2)
        return out.movedim(-2, along) if "length" in layout.axes else out[..., 0, :]

    x, positions = torch.randn(2, 3, 5, 8), torch.tensor([4, 0, 7, 2, 9])
    given = x.clone()
    assert torch.allclose(in_layout(turn, layout, pair=False)(given, positions), halves(x, positions), atol=1e-6)
    assert torch.equal(given, 2 * x)


def test_random_numbers_and_settings_are_put_back():
    def noisy(x, positions):
        torch.manual_seed(1)
        print("turning")
        torch.set_default_dtype(torch.float64)
        return halves(x, positions)

    before = torch.get_rng_state()
    diagnose_rope(noisy)
    assert torch.equal(before, torch.get_rng_state()) and torch.get_default_dtype() == torch.float32


def test_frequencies_of_the_zoo_are_the_paper_s():
    with mpmath.workdps(30):
        exact = [float(mpmath.mpf(10000) ** (-mpmath.mpf(2 * k) / 64)) for k in range(32)]
    assert np.allclose(frequencies(64).double(), exact, rtol=1e-6)


def begins_again(n):
    """The evidence of positions modulo n: below 30 and from 97 on, every position is looked at."""
    if n < 12:
        return f"position {n} is turned as position 0: positions are taken modulo {n}"
    if n in (30, 32):
        return f"positions are taken modulo {n}, and {n} is turned as 0"
    seen = f"position {n} is the first that was seen to differ: it is turned as position 0"
    return f"{seen}: positions are taken modulo {n}"


@pytest.mark.one_in(5)
@pytest.mark.slow
@pytest.mark.parametrize("rotate", [rope_half_split, rope_interleaved])
@pytest.mark.parametrize("n", [2, 8, 11, 12, 16, 22, 30, 32, 100, 4096])
def test_positions_modulo_a_length_are_shown_where_they_begin_again(rotate, n):
    """A ring buffer's slot, or the row of a small table, taken for the position."""
    (finding,) = diagnose_rope(lambda x, positions: rotate(x, positions % n)).findings
    assert finding.id == "wrapped" and finding.evidence.endswith(begins_again(n))


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("last", [1, 7, 10, 11, 15, 22, 50, 511])
def test_clamped_positions_are_shown_with_the_last_one(last):
    (finding,) = diagnose_rope(lambda x, positions: rope_half_split(x, positions.clamp(max=last))).findings
    assert finding.id == "clamped" and f"turned as position {last}, and so is every one beyond" in finding.evidence


@pytest.mark.parametrize("n", [8, 16])
def test_a_rotation_without_positions_may_begin_again_too(n):
    (finding,) = diagnose_rope(lambda x: rope_half_split(x, torch.arange(x.shape[-2]) % n)).findings
    assert finding.id == "wrapped" and f"position {n}" in finding.evidence and f"modulo {n}" in finding.evidence


def test_queries_and_keys_that_begin_again_are_told_once_and_a_key_alone_where_it_begins():
    both = diagnose_rope(lambda q, k, positions: tuple(rope_half_split(each, positions % 8) for each in (q, k)))
    assert [finding.id for finding in both.findings] == ["wrapped"]
    key = diagnose_rope(lambda q, k, positions: (rope_half_split(q, positions), rope_half_split(k, positions % 8)))
    evidence = {finding.id: finding.evidence for finding in key.findings}
    assert evidence["keys-unlike"].startswith("at position 8 the matrices of q and k differ")
    assert "8 is turned as position 0" in evidence["wrapped"]


def test_another_mistake_is_told_beside_positions_that_begin_again():
    found = diagnose_rope(lambda x, positions: rope_half_split(x, 2 * (positions % 8))).findings
    assert {finding.id for finding in found} == {"wrapped", "turned-twice"}


@pytest.mark.parametrize("rotate", [halves, pairs])
@pytest.mark.parametrize(("signs", "ok"), [((1, -1), True), ((1, 1), False), ((-1, 1), False)])
def test_xpos_is_a_design_where_queries_shrink_and_keys_grow(rotate, signs, ok):
    def xpos(q, k, positions):
        d = q.shape[-1]
        scale = ((torch.arange(0, d, 2) + 0.4 * d) / (1.4 * d)) ** (positions[:, None] / 512)
        scale = torch.cat((scale, scale), -1) if rotate is halves else scale.repeat_interleave(2, -1)
        return tuple((rotate(x, positions) * scale**sign).to(x.dtype) for x, sign in zip((q, k), signs, strict=True))

    diagnosis = diagnose_rope(xpos)
    assert diagnosis.verdict.id == ("convention" if ok else "wrong"), diagnosis
    assert ok or mistakes(diagnosis) == ["decays-alike"]


@pytest.mark.parametrize(("line", "unread"), [("", ["freqs_cis"]), ("x = rotate(x, freqs_cis)", []), ("# no rope", [])])
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
    assert unread_tables(load(path, "Block").names["Block"]) == unread
