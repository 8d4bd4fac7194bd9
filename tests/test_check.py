"""check.py, judges.py, exercises.py: right answers are accepted, wrong ones named, no learner's code breaks a check."""

import html
import importlib.util
import inspect
import math

import numpy as np
import pytest
import torch
from oracle import exact_rows, exact_table, refuses
from torch import nn

from pe_lib import PositionalEncoding, diagnose_layer
from pe_lib.check import MARKS, Reply, check, installation
from pe_lib.exercises import EXERCISES
from pe_lib.exercises.lesson_00 import ORDER, X
from pe_lib.exercises.lesson_01 import IDS, WEIGHT
from pe_lib.exercises.lesson_05 import EVEN, ODD
from pe_lib.judges import same

TABLES, LAYERS = ("03.1", "03.3", "04.3"), ("06.3",)
OPEN = "not attempted yet. Fill in the cell above, run it, then run this one."


@pytest.fixture(autouse=True)
def a_person_not_nbgrader(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def title(reply):
    return reply.body.split("\n")[0]


def judged_by(exercise_id):
    """What the judge of an exercise was made with: right, replies, examples, mistakes …"""
    found = dict(inspect.getclosurevars(EXERCISES[exercise_id].judge).nonlocals)
    if "_name_mistake" in found:
        found |= inspect.getclosurevars(found["_name_mistake"]).nonlocals
    return found


# Right answers, written as a learner would, without pe_lib


def equivariant(f, x, order):
    return bool((f(x[order]) - f(x)[order]).abs().max() < 1e-4)


def rotation(n, frequency):
    turn = n * frequency
    return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])


def freqs(d_model, base):
    return np.array([1 / base ** (j / d_model) for j in range(0, d_model, 2)])


def loop(max_len, d_model):
    table = np.zeros((max_len, d_model))
    for pos in range(max_len):
        for j in range(0, d_model, 2):
            table[pos, j] = np.sin(pos / 10000 ** (j / d_model))
            if j + 1 < d_model:
                table[pos, j + 1] = np.cos(pos / 10000 ** (j / d_model))
    return table


class Table(nn.Module):
    def __init__(self, d_model, max_sequence_length):
        super().__init__()
        self.size = max_sequence_length, d_model

    def forward(self):
        return torch.from_numpy(loop(*self.size)).float()


class Layer(nn.Module):
    """A right layer; the wrong ones below override what they get wrong."""

    def __init__(self, d_model, max_len):
        super().__init__()
        self.keep(torch.from_numpy(loop(max_len, d_model)).float())

    def keep(self, table):
        self.register_buffer("pe", table.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


RIGHT = {
    "00.1": [24, 24.0, 4 * 3 * 2, torch.tensor(24), np.int64(24)],
    "00.2": [
        equivariant,
        lambda f, x, order: torch.allclose(f(x)[order], f(x[order])),
        lambda f, x, order: torch.equal(f(x)[order], f(x[order])),
    ],
    "01.1": [(4, 7, 16), [4, 7, 16], torch.Size([4, 7, 16]), torch.zeros(4, 7, 16).shape, np.array([4, 7, 16])],
    "01.2": [
        lambda ids, weight: nn.functional.one_hot(ids, len(weight)).float() @ weight,
        nn.functional.embedding,
        lambda ids, weight: [[weight[i].tolist() for i in row] for row in ids],
    ],
    "01.3": [lambda ids, weight: weight[ids] * math.sqrt(weight.shape[-1])],
    "02.1": [rotation, lambda n, f: torch.tensor(rotation(n, f)), lambda n, f: rotation(n, f).tolist()],
    "02.2": [(0.9093, -0.4161, 0.02, 0.9998), [0.909, -0.416, 0.020, 1.0], torch.tensor([0.909, -0.416, 0.02, 0.9998])],
    "02.3": [freqs, lambda d, base: torch.exp(torch.arange(0, d, 2) * (-math.log(base) / d))],
    "03.1": [loop, exact_table, lambda n, d: loop(n, d)[np.newaxis], lambda n, d: loop(n, d).tolist()],
    "03.2": [2, 2.0],
    "03.3": [loop],
    "04.1": [(6, 4), [6, 4], np.zeros((6, 4)).shape],
    "04.2": [lambda n, d, base: np.outer(np.arange(n), freqs(d, base))],
    "04.3": [loop, lambda n, d: torch.from_numpy(loop(n, d)).float().requires_grad_()],
    "05.1": ["b", "B", " b "],
    "05.2": [
        lambda even, odd: torch.stack([even, odd], 2).reshape(len(even), -1),
        lambda even, odd: torch.cat([even.unsqueeze(2), odd.unsqueeze(2)], 2).flatten(1),
    ],
    "05.3": [Table],
    "06.1": [(32, 100, 512), torch.Size([32, 100, 512])],
    "06.2": [lambda x, pe: x + pe[:, : x.size(1), :], lambda x, pe: x.add_(pe[:, : x.size(1)])],
    "06.3": [
        Layer,
        PositionalEncoding,
        lambda d_model, max_len: nn.Sequential(Layer(d_model, max_len), nn.Dropout(0.5)),
    ],
}
RIGHT_CASES = [(exercise_id, answer) for exercise_id, answers in RIGHT.items() for answer in answers]


def test_every_exercise_is_held_by_a_right_answer():
    assert list(RIGHT) == list(EXERCISES)


@pytest.mark.parametrize("exercise_id, answer", RIGHT_CASES)
def test_a_right_answer_is_right_and_rewarded(exercise_id, answer):
    reply = check(exercise_id, answer)
    assert (reply.status, reply.head) == ("right", f"Exercise {exercise_id}: right."), reply.body
    assert reply.body == EXERCISES[exercise_id].because


# Wrong answers


KNOWN = [
    (exercise_id, wrong, what)
    for exercise_id in EXERCISES
    for wrong, what in (*judged_by(exercise_id).get("replies", ()), *judged_by(exercise_id).get("mistakes", ()))
]


def test_the_mistakes_the_exercises_know_are_found_by_these_tests():
    assert len(KNOWN) >= 60
    assert {exercise_id for exercise_id, _, _ in KNOWN} == set(EXERCISES) - {*TABLES, *LAYERS, "05.3"}


@pytest.mark.parametrize("exercise_id, wrong, what", KNOWN)
def test_a_mistake_that_an_exercise_knows_gets_its_own_reply(exercise_id, wrong, what):
    reply = check(exercise_id, wrong)
    assert (reply.status, reply.head) == ("wrong", f"Exercise {exercise_id}: not yet.")
    assert title(reply) == what


def weights_times_ids(ids, weight):
    return weight[ids].sum(-1)


def own_exponents(d_model, base):
    return [base ** (-j / d_model) for j in range(d_model)]


def wavelength_of_each_pair(d_model, base):
    return [2 * math.pi * base ** (2 * k / d_model) for k in range((d_model + 1) // 2)]


def divided_instead(d_model, base):
    return base ** (np.arange(0, d_model, 2) / d_model)


def stepped_by_two_and_multiplied_by_two(d_model, base):
    return np.array([1 / base ** (2 * i / d_model) for i in range(0, d_model, 2)])


def halves_of_pairs(d_model, base):
    return 1 / base ** (2 * np.arange(d_model // 2) / d_model)


@pytest.mark.parametrize(
    "exercise_id, answer, said",
    [
        ("00.1", 4**4, "4⁴ lets one token stand in several places."),
        ("00.1", 23, "That is another value. Hint 1"),
        ("00.1", "24 orders", "That is another value. Hint 1"),
        ("00.1", (24,), "That is another value. Hint 1"),
        ("00.2", lambda f, x, order: torch.equal(f(x[order]), f(x)), "This tests for *invariance*"),
        ("00.2", lambda f, x, order: torch.equal(x[order], x[order]), "It answers True for a function"),
        ("01.1", torch.zeros(4, 7, 50).shape, "50 is the number of rows in the table."),
        ("01.1", (4, 7, 16, 1), "That is another value."),
        ("01.2", lambda ids, weight: torch.eye(len(weight))[ids], "These are the one-hot rows themselves."),
        ("01.2", weights_times_ids, "The results differ."),
        ("01.3", lambda ids, weight: nn.functional.embedding(ids, weight), "The look-up is right, but nothing"),
        ("01.3", lambda ids, weight: weight[ids] * math.sqrt(6), "Multiplied by the root of the vocabulary size."),
        ("02.1", lambda n, f: rotation(-n, f), "This is the transpose"),
        ("02.1", lambda n, f: np.array([[1, 0], [0, 1]]), "The results differ."),
        ("02.1", lambda n, f: rotation(n, f) * 1.001, "The results differ."),
        ("02.2", (math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)), "That is the row of position 1."),
        ("02.2", (0.0349, 0.9994, 0.0003, 1.0), "The calculator is set to degrees."),
        ("02.2", (-0.416, 0.909, 0.9998, 0.02), "Sine and cosine are swapped"),
        ("02.2", (0.909, 0.02, -0.416, 0.9998), "All sines, then all cosines."),
        ("02.2", (0.91, -0.42, 0.02, 1.0), "That is another value."),
        ("02.3", own_exponents, "Every column has its own exponent"),
        ("02.3", wavelength_of_each_pair, "These are wavelengths"),
        ("02.3", divided_instead, "The minus is lost"),
        ("02.3", stepped_by_two_and_multiplied_by_two, "The exponent is doubled"),
        ("02.3", halves_of_pairs, "Odd widths lose their last sine"),
        ("02.3", lambda d, base: freqs(d, 10000), "It uses 10000 whatever the base is."),
        ("02.3", lambda d, base: freqs(d, base)[::-1], "The results differ."),
        ("03.2", 3, "Column 3 is wrong as well"),
        ("04.1", np.zeros((6, 1)).shape, "The axis of size 1 is stretched"),
        ("04.2", lambda n, d, base: np.outer(freqs(d, base), np.arange(n)), "The axes are swapped"),
        ("04.2", lambda n, d, base: np.outer(np.arange(1, n + 1), freqs(d, base)), "The positions begin at 1"),
        ("04.2", lambda n, d, base: np.outer(np.arange(n), freqs(d, 10000)), "It uses 10000 whatever the base is."),
        ("05.1", "A", "That order needs a new axis"),
        ("05.1", "stack", "That is another value."),
        ("05.2", lambda even, odd: torch.hstack([even, odd]), "The halves stand side by side"),
        ("05.2", lambda even, odd: torch.vstack([even, odd]), "The rows are piled up"),
        ("05.2", lambda even, odd: torch.stack([even, odd], dim=-1), "Stacked, not flattened yet"),
        ("05.2", lambda even, odd: torch.stack([even, odd], dim=1).flatten(1, 2), "The halves stand side by side"),
        ("06.1", "Error", "Sizes 1 and 100 do not clash"),
        ("06.2", lambda x, pe: x + pe[:, x.shape[1] - 1, :], "One single row is added to every token"),
        ("06.2", lambda x, pe: x + pe.transpose(0, 1)[: x.shape[0]], "Each sample gets one row of the table."),
        ("06.2", lambda x, pe: x + pe[0, : x.shape[0]].unsqueeze(1), "Each sample gets one row of the table."),
        ("06.2", lambda x, pe: pe[:, : x.shape[1]].expand_as(x), "The encoding alone comes back"),
        ("06.2", lambda x, pe: x, "The results differ."),
        ("06.2", lambda x, pe: x + 2 * pe[:, : x.shape[1]], "The results differ."),
        ("06.2", lambda x, pe: x + pe, "The code stops with an error."),
        ("06.2", lambda x, pe: x + pe[:, x.shape[1]], "The code stops with an error."),  # length 8 of 8
        ("06.2", lambda x, pe: x + pe[: x.shape[0]], "The code stops with an error."),
    ],
)
def test_a_learner_s_own_wrong_answer_gets_the_intended_reply(exercise_id, answer, said):
    reply = check(exercise_id, answer)
    assert (reply.status, reply.head) == ("wrong", f"Exercise {exercise_id}: not yet.")
    assert title(reply).startswith(said)


def test_a_wrong_value_is_quoted_and_a_wrong_result_shown_beside_the_right_one():
    assert check("00.1", 23).body.split("\n")[1] == "  seen: you answered 23"

    def turn(n, frequency):
        return [[1.0, 0.0], [0.0, 1.0]]

    expected = "turn(1, 0.5) gave [[1.0, 0.0], [0.0, 1.0]], expected [[0.8776, -0.4794], [0.4794, 0.8776]]"
    assert check("02.1", turn).body == f"The results differ.\n  seen: {expected}"


def test_the_evidence_is_the_first_example_that_differs():
    def at_large(n, frequency):
        return rotation(n, frequency) if n > 0 else np.eye(2)

    assert "at_large(-2, 1) gave [[1.0, 0.0], [0.0, 1.0]]" in check("02.1", at_large).body


def test_large_results_are_shown_by_their_shape():
    assert "gave <shape (2, 3, 2)>" in check("05.2", lambda even, odd: torch.stack([even, odd], dim=2)).body


def table_of(angle_of):
    """A table whose column j holds sin or cos of angle_of(pos, pair, column, d)."""

    def function(max_len, d_model):
        pos, j = np.arange(max_len)[:, np.newaxis], np.arange(d_model)
        angle = angle_of(pos, j // 2, j, d_model)
        return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))

    return function


WRONG_TABLES = {
    "doubled exponent": table_of(lambda pos, k, j, d: pos / 10000 ** (4 * k / d)),
    "column for pair": table_of(lambda pos, k, j, d: pos / 10000 ** (2 * j / d)),
    "own odd exponent": table_of(lambda pos, k, j, d: pos / 10000 ** (j / d)),
    "inverted": table_of(lambda pos, k, j, d: pos * 10000 ** (2 * k / d)),
    "no exponent": table_of(lambda pos, k, j, d: pos + 0 * j),
    "base 1000": table_of(lambda pos, k, j, d: pos / 1000 ** (2 * k / d)),
    "base 9000": table_of(lambda pos, k, j, d: pos / 9000 ** (2 * k / d)),
    "from one": table_of(lambda pos, k, j, d: (pos + 1) / 10000 ** (2 * k / d)),
    "even width": table_of(lambda pos, k, j, d: pos / 10000 ** (2 * k / (d + d % 2))),
    "swapped": lambda n, d: np.roll(loop(n, d + d % 2).reshape(n, -1, 2), 1, 2).reshape(n, -1)[:, :d],
    "halves": lambda n, d: np.concatenate([loop(n, d)[:, 0::2], loop(n, d)[:, 1::2]], 1),
    "scaled": lambda n, d: 0.999 * loop(n, d),
    "zero first row": lambda n, d: loop(n, d) * (np.arange(n) > 0)[:, np.newaxis],
    "zero last column": lambda n, d: loop(n, d) * (np.arange(d) < d - 1),
    "one cell not a number": lambda n, d: np.where(np.arange(n * d).reshape(n, d) == n * d - 1, np.nan, loop(n, d)),
    "sines only": table_of(lambda pos, k, j, d: pos / 10000 ** (2 * k / d) + np.pi / 2 * (j % 2)),
}


@pytest.mark.parametrize("function", WRONG_TABLES.values(), ids=WRONG_TABLES)
def test_a_wrong_table_is_never_called_right(function):
    for exercise_id in TABLES:
        assert check(exercise_id, function).status == "wrong"
    reply = check("05.3", lambda d_model, max_len: lambda: torch.from_numpy(function(max_len, d_model)))
    assert reply.status == "wrong"


def test_the_doubled_exponent_is_shown_at_its_first_cell_and_column():
    body = check("03.1", WRONG_TABLES["doubled exponent"]).body
    sine, paper = exact_rows([1], 8, 10**8)[0, 2], exact_rows([1], 8)[0, 2]
    assert f"row 1, column 2 is {sine:.4f}; the paper says {paper:.4f}" in body
    assert (round(sine, 4), round(paper, 4)) == (0.01, 0.0998)
    assert "Columns that differ: 2, 3, 4, 5, 6." in body  # column 7 differs by 8e-6 within 5 rows


@pytest.mark.parametrize(
    "function, said, seen",
    [
        (lambda n, d: None, "The function returns nothing.", "function(max_len=5, d_model=8) gave None"),
        (lambda n, d: loop(n, d).T, "The table has the wrong shape.", "gave the shape (8, 5), expected (5, 8)"),
        (lambda n, d: loop(n, d)[0], "The table has the wrong shape.", "gave the shape (8,), expected (5, 8)"),
        (lambda n, d: loop(n, d + d % 2), "The table has the wrong shape.", "gave the shape (6, 8), expected (6, 7)"),
        (lambda n, d: "table", "The result is not a table of numbers.", "gave str"),
        (lambda n, d: [[1.0], [1.0, 2.0]], "The result is not a table of numbers.", "gave list"),
        (lambda n, d: 1 / 0, "The code stops with an error.", "raised ZeroDivisionError: division by zero"),
        (lambda n: 0, "The code stops with an error.", "raised TypeError"),
        (3, "The code stops with an error.", "raised TypeError: 'int' object is not callable"),
    ],
)
@pytest.mark.parametrize("exercise_id", TABLES)
def test_what_is_no_table_is_described(exercise_id, function, said, seen):
    reply = check(exercise_id, function)
    assert reply.status == "wrong" and title(reply) == said
    assert seen in reply.body


class SequenceFirst(Layer):
    def keep(self, table):
        self.register_buffer("pe", table.unsqueeze(1))

    def forward(self, x):
        return x + self.pe[: x.shape[0]]


class NoSlice(Layer):
    def forward(self, x):
        return x + self.pe


class SliceByBatch(Layer):
    def forward(self, x):
        return x + self.pe[:, : x.shape[0]]


class NoColon(Layer):
    def forward(self, x):
        return x + self.pe[:, x.shape[1] - 1]


class Multiplied(Layer):
    def forward(self, x):
        return x * self.pe[:, : x.shape[1]]


class AddedTwice(Layer):
    def forward(self, x):
        return x + 2 * self.pe[:, : x.shape[1]]


class DoubledX(Layer):
    def forward(self, x):
        return 2 * x + self.pe[:, : x.shape[1]]


class NeverAdded(Layer):
    def forward(self, x):
        return x.clone()


class OnlyEncoding(Layer):
    def forward(self, x):
        return self.pe[:, : x.shape[1]].expand_as(x)


class Forgotten(Layer):
    def forward(self, x):
        x = x + self.pe[:, : x.shape[1]]


class InPlace(Layer):
    def forward(self, x):
        x += self.pe[:, : x.shape[1]]
        return x


class DropsInEval(Layer):
    def forward(self, x):
        return nn.functional.dropout(x + self.pe[:, : x.shape[1]], 0.5)


class Trained(Layer):
    def keep(self, table):
        self.pe = nn.Parameter(table.unsqueeze(0))


class Attribute(Layer):
    def keep(self, table):
        self.pe = table.unsqueeze(0)


class Halves(Layer):
    def keep(self, table):
        self.register_buffer("pe", torch.cat([table[:, 0::2], table[:, 1::2]], 1).unsqueeze(0))


class TooShort(Layer):
    def keep(self, table):
        self.register_buffer("pe", table[:-1].unsqueeze(0))


@pytest.mark.parametrize(
    "layer, said, seen",
    [
        (SequenceFirst, "The output is not x + encoding.", "layer(x) with x of shape (2, 3, 8) is off by up to"),
        (NoSlice, "The code stops with an error.", "layer(x) with x of shape (2, 3, 8) raised RuntimeError"),
        (SliceByBatch, "The code stops with an error.", "x of shape (2, 3, 8) raised RuntimeError"),
        (NoColon, "The output is not x + encoding.", "is off by up to"),
        (Multiplied, "The output is not x + encoding.", "is off by up to"),
        (AddedTwice, "The output is not x + encoding.", "is off by up to 1.0000"),
        (DoubledX, "The output is not x + encoding.", "is off by up to"),
        (NeverAdded, "The output is not x + encoding.", "is off by up to 1.0000"),
        (OnlyEncoding, "The output is not x + encoding.", "is off by up to"),
        (Forgotten, "The layer returns no tensor.", "gave NoneType"),
        (InPlace, "The layer changes the caller's x.", "layer(x) with x of shape (2, 3, 8)"),
        (DropsInEval, "The output is not x + encoding.", "is off by up to"),
        (Trained, "The table would be trained.", "register_buffer instead of nn.Parameter"),
        (Attribute, "The table would stay behind when the layer moves.", 'self.register_buffer("pe", table)'),
        (Halves, "The output is not x + encoding.", "is off by up to"),
        (TooShort, "The code stops with an error.", "x of shape (2, 8, 8) raised RuntimeError"),
        (lambda d, n: 3, "This is not a layer.", "got int, expected an nn.Module"),
        (lambda d: 3, "The code stops with an error.", "making the layer with d_model=8, max_len=8 raised TypeError"),
        (3, "The code stops with an error.", "raised TypeError: 'int' object is not callable"),
    ],
)
def test_a_wrong_layer_is_never_called_right(layer, said, seen):
    reply = check("06.3", layer)
    assert reply.status == "wrong" and title(reply) == said
    assert seen in reply.body


def test_a_layer_that_grows_at_length_1_only_is_caught():
    class Grows(Layer):
        def forward(self, x):
            return x + (self.pe if x.shape[1] == 1 else self.pe[:, : x.shape[1]])

    reply = check("06.3", Grows)
    assert title(reply) == "The output has another shape than x."
    assert "x of shape (1, 1, 8)" in reply.body or "x of shape (3, 1, 8) gave the shape (3, 8, 8)" in reply.body


def test_a_sequence_first_layer_is_judged_in_its_own_layout():
    assert diagnose_layer(SequenceFirst, batch_first=False).ok
    assert diagnose_layer(lambda d, n: PositionalEncoding(d, n, batch_first=False), batch_first=False).ok
    assert not diagnose_layer(Layer, batch_first=False).ok
    assert not diagnose_layer(SequenceFirst).ok


class Frozen(Layer):
    def keep(self, table):
        self.pe = nn.Parameter(table.unsqueeze(0), requires_grad=False)


class OnTheFly(Layer):
    def keep(self, table):
        pass

    def forward(self, x):
        return x + torch.from_numpy(loop(x.shape[1], x.shape[2])).to(x)


@pytest.mark.parametrize("layer", [Frozen, OnTheFly])
def test_a_layer_whose_table_does_follow_is_not_said_to_leave_it_behind(layer):
    assert "stay behind" not in check("06.3", layer).body


# Code that misbehaves


def stops(*_):
    raise KeyError("pos")


FUNCTIONS = [i for i in EXERCISES if "examples" in judged_by(i)]


@pytest.mark.parametrize("exercise_id", [*FUNCTIONS, *TABLES, "05.3", "06.3"])
def test_code_that_raises_is_quoted(exercise_id):
    reply = check(exercise_id, stops)
    assert reply.status == "wrong" and title(reply) == "The code stops with an error."
    assert "raised KeyError: 'pos'" in reply.body and "Traceback" not in reply.body


def test_the_call_that_raised_is_quoted():
    assert "stops(1, 0.5) raised KeyError: 'pos'" in check("02.1", stops).body


@pytest.mark.parametrize("exercise_id", FUNCTIONS)
def test_a_value_where_a_function_is_wanted(exercise_id):
    reply = check(exercise_id, 24)
    assert reply.status == "wrong" and reply.body == "A function is wanted here.\n  seen: 24"


@pytest.mark.parametrize("exercise_id", FUNCTIONS)
def test_a_function_without_return_is_told_so(exercise_id):
    reply = check(exercise_id, lambda *_: None)
    assert reply.status == "wrong" and reply.body == "The function returns nothing.\n  try: end it with a return"


ODD_RESULTS = {
    "string": "abc",
    "ellipsis": ...,
    "dict": {"a": 1},
    "empty list": [],
    "ragged list": [[1.0], [1.0, 2.0]],
    "huge int": 10**400,
    "complex": 1j,
    "array of strings": np.array(["a", "b"]),
    "array of objects": np.array([None, 1]),
    "array of complex": np.array([1j, 2]),
    "small 3-D tensor": torch.ones(1, 2, 2),
    "small 3-D array": np.ones((2, 1, 2)),
    "tensor of bools": torch.tensor([True, False]),
    "bfloat16": torch.ones(2, dtype=torch.bfloat16),
    "complex tensor": torch.tensor([1j]),
    "meta tensor": torch.ones(2, device="meta"),
    "sparse tensor": torch.eye(2).to_sparse(),
    "not a number": np.full((2, 2), np.nan),
    "infinite": [math.inf, -math.inf],
    "list of tensors with gradient": [[torch.tensor(1.0, requires_grad=True)]],
    "a function": stops,
    "a class": dict,
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("odd", ODD_RESULTS.values(), ids=ODD_RESULTS)
@pytest.mark.parametrize("exercise_id", ["02.1", "03.1", "05.3"])
def test_a_function_may_return_anything_and_gets_a_reply(exercise_id, odd):
    reply = check(exercise_id, lambda *_: (lambda: odd) if exercise_id == "05.3" else odd)
    assert reply.status == "wrong" and reply.body


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("odd", ODD_RESULTS.values(), ids=ODD_RESULTS)
@pytest.mark.parametrize("exercise_id", ["00.1", "05.1"])
def test_a_value_may_be_anything_and_gets_a_reply(exercise_id, odd):
    reply = check(exercise_id, odd)
    assert reply.status == ("open" if odd is ... else "wrong")
    assert odd is ... or "you answered" in reply.body


def test_a_bfloat16_table_is_not_said_to_hold_no_numbers():
    reply = check("03.1", lambda n, d: torch.from_numpy(loop(n, d)).bfloat16())
    assert reply.status == "wrong" and "not a table of numbers" not in reply.body


def greedy(*arguments):
    """Write into every tensor that comes in."""
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            argument.zero_()
    return 0


def test_the_examples_survive_a_function_that_writes_into_its_arguments():
    before = [t.clone() for t in (IDS, WEIGHT, EVEN, ODD, ORDER, X)]
    for exercise_id in FUNCTIONS:
        assert check(exercise_id, greedy).status == "wrong"
        assert check(exercise_id, RIGHT[exercise_id][0]).status == "right"
    assert all(torch.equal(a, b) for a, b in zip(before, (IDS, WEIGHT, EVEN, ODD, ORDER, X), strict=True))


def test_a_generator_of_random_numbers_is_left_as_it_was():
    torch.manual_seed(0)
    check("06.3", Layer)
    assert torch.rand(1).item() == pytest.approx(0.4963, abs=1e-4)


# Not attempted


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_dots_are_not_attempted_yet(exercise_id):
    reply = check(exercise_id, ...)
    assert (reply.status, reply.head, reply.body) == ("open", f"Exercise {exercise_id}: {OPEN}", "")


class Stub(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()

    def forward(self, *_):
        raise NotImplementedError


def stub(*_):
    raise NotImplementedError


@pytest.mark.parametrize("exercise_id", [*FUNCTIONS, *TABLES, "05.3", "06.3"])
def test_a_stub_is_not_attempted_yet(exercise_id):
    assert repr(check(exercise_id, stub)) == f"○ Exercise {exercise_id}: {OPEN}"


@pytest.mark.parametrize("exercise_id", ["05.3", "06.3"])
def test_a_module_with_a_stub_in_its_forward_is_not_attempted_yet(exercise_id):
    assert check(exercise_id, Stub).status == "open"


@pytest.mark.parametrize("exercise_id", ["05.3", "06.3"])
def test_a_module_with_a_misspelt_forward_was_attempted(exercise_id):
    class Misspelt(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()

        def foward(self, *_):
            return 0

    reply = check(exercise_id, Misspelt)  # torch raises NotImplementedError for it
    assert reply.status == "wrong" and 'missing the required "forward" function' in reply.body


# nbgrader


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_under_nbgrader_only_a_right_answer_passes(exercise_id, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check(exercise_id, RIGHT[exercise_id][0]).status == "right"
    with refuses(AssertionError, f"○ Exercise {exercise_id}: {OPEN}"):
        check(exercise_id, ...)
    with refuses(AssertionError, f"✘ Exercise {exercise_id}: not yet.\n"):
        check(exercise_id, "wrong")


def test_under_nbgrader_the_reply_is_the_message(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    with refuses(AssertionError, "✘ Exercise 03.2: not yet.\nColumn 3 is wrong as well", "you answered 3"):
        check("03.2", 3)


# The reply


@pytest.mark.parametrize("unknown", ["7.1", "99.9", 2.1, None, ["02.1"]])
def test_an_unknown_exercise_is_refused_with_those_there_are(unknown):
    with refuses(ValueError, "exercise_id must be one of 00.1, 00.2, 01.1", "06.3", f"got {unknown!r}"):
        check(unknown, 3)


def test_a_reply_reads_as_text():
    assert repr(Reply("right", "Exercise 03.2: right.", "Well seen.")) == "✔ Exercise 03.2: right.\nWell seen."
    assert repr(Reply("wrong", "No.", "a\nb")) == "✘ No.\na\nb"
    assert repr(Reply("open", "Later.")) == "○ Later."


@pytest.mark.parametrize("status", MARKS)
def test_a_reply_as_html_escapes_what_the_learner_wrote(status):
    reply = Reply(status, "<h1>", "a < b & c\n<script>alert(1)</script>")
    shown = reply._repr_html_()
    assert "<script>" not in shown and "<h1>" not in shown
    assert html.escape(reply.body) in shown and html.escape(reply.head) in shown
    mark, colour = MARKS[status]
    assert mark in shown and colour in shown
    assert shown.count("<div") == shown.count("</div>") == 1 and "<pre" not in Reply(status, "x")._repr_html_()


def test_a_learner_s_html_in_an_error_is_escaped():
    def tagged(*_):
        raise ValueError("<img src=x>")

    shown = check("03.1", tagged)._repr_html_()
    assert "<img" not in shown and "&lt;img src=x&gt;" in shown
    shown = EXERCISES["03.1"].judge(tagged)._repr_html_()
    assert "<img" not in shown and "&lt;img src=x&gt;" in shown


def test_installation_names_what_is_missing(monkeypatch):
    assert installation().status == "right" and "torch" in installation().body
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name))
    assert installation().status == "wrong"
    assert installation().body.startswith("not installed: matplotlib; the README")


# The parts


@pytest.mark.parametrize(
    "a, b, equal",
    [
        (1.0, 1.00009, True),
        (1.0, 1.0002, False),
        ([1, 2], (1.0, 2.0), True),
        ([1, 2], [[1, 2]], False),
        (torch.ones(2), np.ones(2), True),
        (torch.ones(2, requires_grad=True), [1, 1], True),
        (float("nan"), float("nan"), False),
        ("B ", "b", True),
        ("1", 1, False),
        (None, 0, False),
        (torch.Size([2, 3]), (2, 3), True),
    ],
)
def test_answers_are_compared_by_shape_and_value(a, b, equal):
    assert same(a, b) is equal and same(b, a) is equal


def test_points_are_positive_and_grow_with_the_work():
    assert all(exercise.points in (1, 2, 3, 4) for exercise in EXERCISES.values())
    assert all(exercise.because.endswith(".") for exercise in EXERCISES.values())
