"""Every known mistake gets its own name, right code is called right, and nothing wrong is."""

import math
import re

import numpy as np
import pytest
import torch
from zoo_layers import RIGHT, WRONG, Tutorial
from zoo_tables import BUILDERS, CONTAINERS, CONVENTIONS, MISTAKES, wrong_table

from pe_lib import (
    PositionalEncoding,
    diagnose_layer,
    diagnose_table,
    sinusoidal_loop,
    sinusoidal_stack_flatten,
    sinusoidal_vectorized,
)
from pe_lib.diagnosis.catalogue import TEXTS


def primary(diagnosis):
    return [finding.id for finding in diagnosis.findings if finding.kind != "note"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_table_mistake_is_named_and_no_other(mistake):
    diagnosis = diagnose_table(wrong_table(mistake))
    assert not diagnosis.ok
    assert primary(diagnosis) == [mistake]
    assert diagnosis.convention == (mistake if mistake in CONVENTIONS else None)
    assert (diagnosis.findings[0].kind == "convention") == (mistake in CONVENTIONS)
    finding = diagnosis.findings[0]
    assert finding.title and finding.evidence and finding.explanation and finding.fix
    assert re.search(r"\S$", finding.evidence) and "  " not in finding.evidence, "naming.py does not say what is seen"


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
    print(f"\n{len(tables)} right tables are called right; {len(MISTAKES)} kinds of wrong ones have a name")


def test_right_layers_are_called_right():
    wrong = {name: str(d) for name, make in RIGHT.items() if not (d := diagnose_layer(make)).ok}
    assert wrong == {}
    assert diagnose_layer(Tutorial, batch_first=False).ok
    print(f"\n{len(RIGHT) + 1} right layers are called right; {len(WRONG)} kinds of wrong ones have a name")


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


@pytest.mark.parametrize("base", [2.0, 54.6, 500.0, 9000.0, 20000.0, 12345.6])
def test_any_base_is_read_from_the_numbers(base):
    diagnosis = diagnose_table(lambda max_len, d_model: np.float32(sinusoidal_vectorized(max_len, d_model, base)))
    assert primary(diagnosis) == ["wrong-base"]
    assert (
        f"base {base:.0f}:" in diagnosis.findings[0].evidence or f"base {base:.3g}:" in diagnosis.findings[0].evidence
    )


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
    "sines only": (lambda t: np.repeat(t[:, 0::2], 2, axis=1)[:, : t.shape[1]], "column 1 is the paper's column 0"),
    "rolled": (lambda t: np.roll(t, 1, axis=1), "columns are the paper's columns 7, 0, 1, 2, 3, 4, 5, 6"),
}


@pytest.mark.parametrize("name", UNLISTED)
def test_an_unlisted_mistake_gets_a_true_statement(name):
    change, statement = UNLISTED[name]
    diagnosis = diagnose_table(lambda T, d: change(sinusoidal_vectorized(T, d)))
    assert not diagnosis.ok
    assert statement in diagnosis.findings[0].evidence


def test_every_text_is_complete_and_has_a_kind_tone():
    for id, text in TEXTS.items():
        assert text["title"].endswith("."), id
        assert text["link"].startswith("https://github.com/") or not text["link"]
        words = " ".join(text.values()).lower()
        assert not any(word in words.split() for word in ("simply", "obviously", "just", "trivial", "easy")), id


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
    "LoFTR": (with_exponents(lambda d: -math.log(10000.0) / d // 2), ["truncated-exponent"]),
    "a // in the slope": (with_exponents(lambda d: -(math.log(10000.0) // d)), ["no-exponent"]),
    "log10": (with_exponents(lambda d: -math.log10(10000.0) / d), ["wrong-base"]),
    "d_model - 1": (with_exponents(lambda d: -math.log(10000.0) / (d - 1)), ["other-exponent"]),
    "two from the sum": (lambda T, d: sinusoidal_vectorized(T + 2, d)[2:], ["position-offset"]),
    "degrees": (lambda T, d: angles_of(T, d, np.pi / 180), ["turned"]),
    "positions from 0 to 1": (lambda T, d: angles_of(T, d, 1 / (T - 1)), ["turned"]),
    "DETR": (lambda T, d: angles_of(T, d, 2 * np.pi / (T + 1e-6), 1), ["turned", "starts-at-one"]),
    "odd width rounded up": (lambda T, d: sinusoidal_vectorized(T, d + d % 2)[:, :d], ["odd-differs"]),
    "last odd column forgotten": (
        lambda T, d: sinusoidal_vectorized(T, d) * (np.arange(d) < d // 2 * 2),
        ["odd-differs"],
    ),
    "guided diffusion": (wrong_table("swapped", "halves"), ["swapped", "halves"]),
    "flattened the wrong way": (lambda T, d: sinusoidal_vectorized(T, d).T.reshape(T, d), ["permuted"]),
}


def angles_of(max_len, d_model, factor, start=0):
    j = np.arange(d_model)
    angle = factor * (np.arange(max_len) + start)[:, None] / 10000 ** ((j - j % 2) / d_model)
    return np.where(j % 2, np.cos(angle), np.sin(angle))


@pytest.mark.parametrize("name", PUBLIC)
def test_what_else_public_code_does(name):
    function, ids = PUBLIC[name]
    assert primary(diagnose_table(function)) == ids


@pytest.mark.parametrize(
    "mistake, n",
    [
        ("batch-axis", 0), ("slice-by-batch", 0), ("no-slice", 0), ("multiplied", 0), ("added-twice", 1),
        ("sqrt-scale", 0), ("only-encoding", 1), ("in-place", 0), ("overflow", 0), ("dropout", 3),
    ],
)  # fmt: skip
def test_a_wrong_table_in_a_wrong_layer(mistake, n):
    """Both are named; the layer's mistakes stand first."""
    for table in (
        "doubled-column",
        "inverted-frequency",
        "swapped",
        "zero-first-row",
        "low-precision",
        "tensor2tensor",
    ):
        make = WRONG[mistake][n]

        def both(d_model, max_len, make=make, table=table):
            layer = make(d_model, max_len)
            layer.pe.copy_(torch.as_tensor(wrong_table(table)(max_len, d_model)))
            return layer

        diagnosis = diagnose_layer(both)
        assert not diagnosis.ok
        if (mistake, table) == ("slice-by-batch", "low-precision"):
            continue  # far positions would need as many samples: the table is only called wrong
        assert {mistake, table} <= {finding.id for finding in diagnosis.findings}


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
