"""Every known mistake gets its own name, right code is called right, and nothing wrong is."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from catalogue import catalogue
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import refuses
from zoo_layers import RIGHT, WRONG, Axis0, CutByBatch, Tutorial, Untouched, layer
from zoo_tables import BUILDERS, CONTAINERS, CONVENTIONS, MISTAKES, RARE, wrong_table

from pe_clinic import diagnose_layer, diagnose_table
from pe_clinic.table import search
from pe_lib import PositionalEncoding, sinusoidal_loop, sinusoidal_stack_flatten, sinusoidal_vectorized


def primary(diagnosis):
    return [finding.id for finding in (*diagnosis.findings, *diagnosis.usage) if finding.kind != "note"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mistake", [*MISTAKES, *RARE])
def test_table_mistake_is_named_and_no_other(mistake):
    diagnosis = diagnose_table(wrong_table(mistake))
    assert not diagnosis.ok
    assert primary(diagnosis) == [mistake]
    assert diagnosis.convention == (mistake if mistake in CONVENTIONS else None)
    assert ((*diagnosis.findings, *diagnosis.usage)[0].kind == "convention") == (mistake in CONVENTIONS)
    finding = (*diagnosis.findings, *diagnosis.usage)[0]
    assert finding.title and finding.evidence and finding.explanation and finding.fix
    assert re.search(r"\S$", finding.evidence) and "  " not in finding.evidence, "naming.py does not say what is seen"


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("mistake, n", [(mistake, n) for mistake, makers in WRONG.items() for n in range(len(makers))])
def test_layer_mistake_is_named_and_no_other(mistake, n):
    diagnosis = diagnose_layer(WRONG[mistake][n])
    assert not diagnosis.ok
    assert primary(diagnosis) == [mistake]


def test_right_tables_are_called_right():
    tables = {
        f"{builder}, {container}": lambda T, d, b=b, c=c: c(b(T, d))
        for builder, b in BUILDERS.items()
        for container, c in CONTAINERS.items()
    }
    ours = (sinusoidal_loop, sinusoidal_vectorized, sinusoidal_stack_flatten)
    tables |= {f.__name__: f for f in ours}
    tables["other names"] = lambda seq_len, embed_dim: sinusoidal_vectorized(seq_len, embed_dim)
    tables["other order"] = lambda d_model, max_len: sinusoidal_vectorized(max_len, d_model)
    tables["ignores its base"] = lambda max_len, d_model, base=1.0: sinusoidal_vectorized(max_len, d_model)
    tables["needs a base"] = lambda max_len, d_model, base: sinusoidal_vectorized(max_len, d_model, base)
    wrong = {name: str(d) for name, table in tables.items() if not (d := diagnose_table(table)).ok}
    assert wrong == {}
    print(f"\n{len(tables)} right tables are called right; {len(MISTAKES + RARE)} kinds of wrong ones have a name")


@pytest.mark.slow
def test_right_layers_are_called_right():
    wrong = {name: str(d) for name, make in RIGHT.items() if not (d := diagnose_layer(make)).ok}
    assert wrong == {}
    assert diagnose_layer(Tutorial, batch_first=False).ok
    print(f"\n{len(RIGHT) + 1} right layers are called right; {len(WRONG)} kinds of wrong ones have a name")


USAGE = {
    "without x": (WRONG["only-encoding"][3], True, "the layer returns it without x"),
    "without x, (length, 1, d_model)": (WRONG["only-encoding"][4], True, "the layer returns it without x"),
    "√d_model": (WRONG["sqrt-scale"][0], True, "x is scaled by √d_model"),
    "sequence-first": (Tutorial, None, "it is sequence-first"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", USAGE)
def test_what_a_caller_of_a_right_layer_has_to_know_is_no_mistake(name):
    make, batch_first, said = USAGE[name]
    diagnosis = diagnose_layer(make, batch_first)
    assert not diagnosis.ok and diagnosis.verdict.status == 0
    assert str(diagnosis).startswith("The table is right") and said in diagnosis.verdict.line


@pytest.mark.parametrize("layout", ["sequence-first", 0, 1.0])
def test_a_layout_that_is_none_is_refused(layout):
    with refuses(TypeError, "batch_first must be True or False", f"got {layout!r}"):
        diagnose_layer(RIGHT["slice"], batch_first=layout)


@pytest.mark.slow
def test_the_layout_is_found_out_where_none_is_demanded():
    assert all(diagnose_layer(RIGHT[name], batch_first=None).ok for name in ("slice", "on the fly", "grows"))
    assert "batch-axis" in primary(diagnose_layer(Tutorial))
    assert primary(diagnose_layer(WRONG["added-twice"][0], batch_first=None)) == ["added-twice"]

    def wrong(d_model, max_len):
        layer = Tutorial(d_model, 0.0, max_len)
        layer.pe[:, 0] = torch.as_tensor(wrong_table("doubled-column")(max_len, d_model))
        return layer

    assert primary(diagnose_layer(wrong, batch_first=None)) == ["doubled-column", "sequence-first"]


@pytest.mark.parametrize("table", ["doubled-column", "halves", "scaled"])
def test_the_table_of_a_layer_that_returns_it_alone_is_judged(table):
    def make(d_model, max_len):
        layer = WRONG["only-encoding"][3](d_model, max_len)
        layer.pe.copy_(torch.as_tensor(wrong_table(table)(max_len, d_model)))
        return layer

    diagnosis = diagnose_layer(make)
    assert primary(diagnosis) == [table, "only-encoding"]
    assert not str(diagnosis).startswith("The table is right")


@pytest.mark.parametrize("maker, cut", [(Untouched, "no-slice"), (CutByBatch, "slice-by-batch")])
def test_an_unregistered_table_is_named_beside_a_wrong_cut(maker, cut):
    assert primary(diagnose_layer(maker)) == [cut, "unregistered"]


def test_a_slice_of_columns_of_a_transposed_table():
    make = layer(lambda self, x: x + self.pe[0][:, : x.shape[1]], base=Axis0, axes=(0, 2, 1))
    assert primary(diagnose_layer(make)) == ["transposed", "slice-of-columns"]


def test_a_table_that_refuses_odd_widths_or_has_a_lone_axis_is_right():
    def even(max_len, d_model):
        if d_model % 2:
            raise ValueError(f"d_model must be even, got {d_model}")
        return sinusoidal_vectorized(max_len, d_model)

    lone = lambda max_len, d_model: sinusoidal_vectorized(max_len, d_model)[:, None]  # noqa: E731
    for function, said in ((even, "it refuses odd widths"), (lone, "its shape is (max_len, 1, d_model)")):
        diagnosis = diagnose_table(function)
        assert not diagnosis.ok and diagnosis.verdict.line == f"The table is right; {said}."


VARIANTS = {
    "cosine twice": (lambda T, d: np.cos(angle(T, d)), ["one-wave"]),
    "sine twice, doubled": (lambda T, d: np.sin(angle(T, d, 2 * np.arange(d) / d)), ["doubled-column", "one-wave"]),
    "minus cosine": (lambda T, d: sinusoidal_vectorized(T, d) * np.where(np.arange(d) % 2, -1, 1), ["minus"]),
    "base d_model": (lambda T, d: sinusoidal_vectorized(T, d, base=d), ["size-as-base"]),
    "cosines, then sines": (wrong_table("swapped", "halves"), ["halves"]),
    "cosines, then sines, tensor2tensor's": (wrong_table("swapped", "tensor2tensor"), ["tensor2tensor"]),
    "rounded up": (lambda T, d: of_exponents(T, d, 2 * np.ceil(np.arange(d) / 2) / d), ["own-odd-exponent"]),
    "a factor of 3.7": (lambda T, d: angles_of(T, d, 3.7), ["turned"]),
    "harmonics": (lambda T, d: of_exponents(T, d, None, 1 / (1 + np.arange(d) // 2)), ["other-frequencies"]),
}


def of_exponents(T, d, exponent, rates=None):
    angles = np.arange(T)[:, None] * (10000.0**-exponent if rates is None else rates)
    return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))


def angle(T, d, exponent=None):
    exponent = np.arange(d) // 2 * 2 / d if exponent is None else exponent
    return np.arange(T)[:, None] / 10000**exponent


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_of_mistakes_have_their_name(name):
    function, ids = VARIANTS[name]
    diagnosis = diagnose_table(function)
    assert primary(diagnosis) == ids and not diagnosis.ok
    if diagnosis.convention:
        assert diagnosis.verdict.id == "convention" and "cosine" in diagnosis.findings[0].title + diagnosis.details


def test_a_numpy_table_is_diagnosed_in_a_room_that_does_not_know_torch():
    for module in (Path(search.__file__).parent).glob("*.py"):
        assert not re.search(r"^\s*(import|from) torch", module.read_text(encoding="utf-8"), re.M), module.name


def test_batch_first_mistakes_are_named_in_the_other_layout_too():
    def make(d_model, max_len):
        layer = Tutorial(d_model, 0.0, max_len)
        layer.forward = lambda x: x + layer.pe[: x.size(1)].transpose(0, 1)
        return layer

    assert primary(diagnose_layer(make, batch_first=False)) == ["batch-axis"]
    assert diagnose_layer(make).ok


def test_evidence_is_the_table_s_own_numbers():
    assert "column 2 turns 0.01" in diagnose_table(wrong_table("doubled-column")).findings[0].evidence
    assert "base 1000:" in diagnose_table(wrong_table("wrong-base")).findings[0].evidence
    assert "base 54.6:" in diagnose_table(wrong_table("wrong-base", base=54.598)).findings[0].evidence
    assert "0.5 times" in diagnose_table(wrong_table("scaled")).findings[0].evidence
    assert "256 and 257" in diagnose_table(wrong_table("low-precision")).findings[0].evidence
    assert "out = 1.00·x + 2.00·PE" in diagnose_layer(WRONG["added-twice"][0]).findings[0].evidence


def test_two_causes_of_one_table_are_both_named():
    assert "k/d" in diagnose_table(wrong_table("wrong-base", base=100.0)).findings[0].evidence
    assert "4k/d" in diagnose_table(wrong_table("wrong-base", "doubled-pair")).findings[0].evidence
    assert "base squared" in diagnose_table(wrong_table("doubled-pair")).findings[0].explanation


OTHERS = ("starts-at-one", "zero-first-row", "scaled", "transposed", "halves")


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    base=st.floats(2, 9000) | st.floats(12000, 1e6),
    others=st.sets(st.sampled_from(OTHERS), max_size=3),
    scale=st.floats(0.05, 0.9) | st.floats(1.1, 20),
)
def test_any_base_is_read_from_the_numbers_whatever_else_was_done(base, others, scale):
    diagnosis = diagnose_table(
        lambda T, d: np.float32(wrong_table("wrong-base", *others, base=base, scale=scale)(T, d))
    )
    assert {*primary(diagnosis)} == {"wrong-base", *others}
    (evidence,) = (finding.evidence for finding in diagnosis.findings if finding.id == "wrong-base")
    assert math.isclose(float(re.search(r"base ([\d.e+]+):", evidence)[1]), base, rel_tol=2e-3)


def test_a_scale_that_depends_on_the_width_is_recognised():
    for power, name in ((0.5, ": √d_model"), (-0.5, ": 1/√d_model")):
        diagnosis = diagnose_table(lambda T, d, power=power: d**power * sinusoidal_vectorized(T, d))
        assert primary(diagnosis) == ["scaled"]
        assert diagnosis.findings[0].evidence.endswith(name)


UNLISTED = {
    "one sign": (lambda t: t * np.where(np.arange(t.shape[1]) == 3, -1, 1), "column 3 is -1 times the paper's"),
    "upside down": (lambda t: t[::-1], "rows are the paper's rows 4, 3, 2, 1, 0"),
    "one column": (lambda t: np.where(np.arange(t.shape[1]) == 2, 0, t), "column 2 is all zero"),
    "lifted": (lambda t: t / 2 + 0.5, "0.5 times the paper's, plus 0.5"),
    "constant": (lambda t: 0 * t, "every cell is 0"),
    "rolled": (lambda t: np.roll(t, 1, axis=1), "columns are the paper's columns 7, 0, 1, 2, 3, 4, 5, 6"),
}


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", UNLISTED)
def test_an_unlisted_mistake_gets_a_true_statement(name):
    change, statement = UNLISTED[name]
    diagnosis = diagnose_table(lambda T, d: change(sinusoidal_vectorized(T, d)))
    assert not diagnosis.ok
    assert statement in diagnosis.findings[0].evidence


def test_every_text_is_complete_and_has_a_kind_tone():
    for id, mistake in catalogue().items():
        assert mistake.title.endswith("."), id
        link = mistake.found("").link
        case = r"https://arxiv\.org/abs/[\d.]+|https://github\.com/[\w.-]+/[\w.-]+(/((issues|pull)/\d+|blob/[\w./-]+\.py))?"
        assert not link or re.fullmatch(case, link), link
        words = " ".join((mistake.title, mistake.explanation, mistake.fix)).lower()
        assert not any(word in words.split() for word in ("simply", "obviously", "just", "trivial", "easy")), id


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("output", [torch.float32, None])
def test_half_precision_angles_in_several_ways(half, output):
    """Everything in half; positions only; frequencies only."""

    def fill(angle, d_model):
        table = torch.where(torch.arange(d_model) % 2 == 1, angle.cos(), angle.sin())
        return table.to(output or table.dtype)

    def columns(d_model):
        j = torch.arange(d_model)
        return (j - j % 2) / d_model

    def everything(max_len, d_model):
        return fill(
            torch.arange(max_len).to(half)[:, None] * torch.exp(columns(d_model).to(half) * -math.log(10000.0)), d_model
        )

    def positions(max_len, d_model):
        return fill(torch.arange(max_len).to(half).float()[:, None] * 10000.0 ** -columns(d_model), d_model)

    def rates(max_len, d_model):
        return fill(torch.arange(max_len)[:, None] * (10000.0 ** -columns(d_model)).to(half).float(), d_model)

    for function in (everything, positions, rates):
        diagnosis = diagnose_table(function)
        assert primary(diagnosis) == ["low-precision"], function.__name__
        assert ("bfloat16" if half == torch.bfloat16 else "float16") in diagnosis.findings[0].evidence


def test_a_finished_table_may_be_cast_but_not_cast_back():
    for half in (torch.bfloat16, torch.float16):
        assert diagnose_table(lambda T, d, half=half: sinusoidal_stack_flatten(T, d).to(half)).ok
        there_and_back = lambda T, d, half=half: sinusoidal_stack_flatten(T, d).to(half).float()  # noqa: E731
        assert primary(diagnose_table(there_and_back)) == ["rounded"]


def with_exponents(slope):
    """exp(2k · slope(d)) as torch code writes it."""

    def function(max_len, d_model):
        angle = torch.arange(max_len)[:, None] * torch.exp(torch.arange(0, d_model, 2) * slope(d_model))
        return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1)[:, :d_model]

    return function


PUBLIC = {
    "a // in the slope": (with_exponents(lambda d: -(math.log(10000.0) // d)), ["no-exponent"]),
    "log10": (with_exponents(lambda d: -math.log10(10000.0) / d), ["wrong-base"]),
    "degrees": (lambda T, d: angles_of(T, d, np.pi / 180), ["turned"]),
    "positions from 0 to 1": (lambda T, d: angles_of(T, d, 1 / (T - 1)), ["turned"]),
    "DETR": (lambda T, d: angles_of(T, d, 2 * np.pi / (T + 1e-6), 1), ["turned", "starts-at-one"]),
    "odd width rounded up": (lambda T, d: sinusoidal_vectorized(T, d + d % 2)[:, :d], ["odd-differs"]),
    "last odd column forgotten": (
        lambda T, d: sinusoidal_vectorized(T, d) * (np.arange(d) < d // 2 * 2),
        ["odd-differs"],
    ),
    "flattened the wrong way": (lambda T, d: sinusoidal_vectorized(T, d).T.reshape(T, d), ["permuted"]),
}


def angles_of(max_len, d_model, factor, start=0):
    j = np.arange(d_model)
    angle = factor * (np.arange(max_len) + start)[:, None] / 10000 ** ((j - j % 2) / d_model)
    return np.where(j % 2, np.cos(angle), np.sin(angle))


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC)
def test_what_else_public_code_does(name):
    function, ids = PUBLIC[name]
    assert primary(diagnose_table(function)) == ids


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("table", ["doubled-column", "zero-first-row"])
def test_a_wrong_table_is_read_through_a_dropout_that_never_sleeps(table):
    """Other pairs of a layer's mistake and a table's stand in test_diagnosis_pairs.py."""

    def both(d_model, max_len):
        layer = WRONG["dropout"][3](d_model, max_len)
        layer.pe.copy_(torch.as_tensor(wrong_table(table)(max_len, d_model)))
        return layer

    assert {*primary(diagnose_layer(both))} == {"dropout", table}


def test_a_function_with_short_names_gets_the_dropout_that_it_is_asked_for():
    assert diagnose_layer(lambda d, n, dropout=0.0: PositionalEncoding(d, n, dropout)).ok


def test_the_odd_width_of_an_inverted_float32_table_is_no_second_mistake():
    def divided(max_len, d_model):
        pos, j = torch.arange(max_len).unsqueeze(1), torch.arange(0, d_model, 2)
        angles = pos / torch.exp(j * (-math.log(10000.0) / d_model))
        return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :d_model]

    assert [finding.id for finding in diagnose_table(divided).findings] == ["inverted-frequency"]


def test_advice_for_a_sequence_first_layer_cuts_axis_0():
    class Fixed(torch.nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            self.register_buffer("pe", sinusoidal_stack_flatten(max_len, d_model).unsqueeze(1))

        def forward(self, x):
            return x + self.pe[: x.size(1)]

    (finding,) = diagnose_layer(Fixed, batch_first=False).findings
    assert finding.id == "slice-by-batch" and "pe[:x.shape[0]]" in finding.fix
