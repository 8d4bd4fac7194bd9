"""exercises/: right answers are accepted, wrong ones named, whatever their spelling.

What diagnose_table and diagnose_layer say of a mistake is for test_diagnosis*.py; here, that it reaches the learner.
"""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from zoo_answers import (
    NAMED_BY_DIAGNOSIS,
    RIGHT,
    Layer,
    NeedsDropout,
    Options,
    Swapped,
    SwappedNames,
    Table,
    WithoutDropout,
    always_dropping,
    by_rotation,
    freqs,
    ids,
    judged_by,
    loop,
    own,
    rope,
    rotation,
    shift,
)
from zoo_tables import textbook, wrong_table

from pe_course import check
from pe_course.exercises import EXERCISES
from pe_course.exercises.slips import SLIPS
from pe_course.toy.one_head import attend, rope_attention
from pe_lib import rope_half_split, rope_interleaved, sinusoidal_at


@pytest.fixture(autouse=True)
def a_person_not_nbgrader(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def title(reply):
    return reply.body.split("\n")[0]


RIGHT_CASES = [(exercise_id, answer) for exercise_id in EXERCISES for answer in RIGHT.get(exercise_id, ())]


def test_every_exercise_has_right_answers_here():
    assert set(EXERCISES) - set(RIGHT) == set(), "write right answers into RIGHT of tests/course/zoo_answers.py"


@pytest.mark.parametrize("exercise_id, answer", RIGHT_CASES)
def test_a_right_answer_is_right_and_rewarded(exercise_id, answer):
    reply = check(exercise_id, answer)
    assert (reply.status, reply.head) == ("right", f"Exercise {exercise_id}: right."), reply.body
    assert title(reply) == EXERCISES[exercise_id].because and reply.diagnosis is None


MISTAKES = {
    exercise_id: [
        (wrong, what)
        for wrong, what in (*judged_by(exercise_id).get("replies", ()), *judged_by(exercise_id).get("mistakes", ()))
        if exercise_id == "03.1"
        or not any(wrong is slip for slip, _ in SLIPS)  # one list, shared by every exercise that asks for a table
    ]
    for exercise_id in EXERCISES
}
KNOWN = {exercise_id: mistakes for exercise_id, mistakes in MISTAKES.items() if mistakes}


def test_the_mistakes_the_exercises_know_are_found_by_these_tests():
    assert sum(map(len, KNOWN.values())) >= 500
    by_reasons = {"09.1", "10.1", "10.3"}  # what they name is computed from the answer: see the cases below
    silent = set(EXERCISES) - set(NAMED_BY_DIAGNOSIS) - by_reasons - set(KNOWN)
    assert silent == set(), "give their judges replies or mistakes, or name them in NAMED_BY_DIAGNOSIS"


@pytest.mark.parametrize("exercise_id", KNOWN)
def test_mistakes_that_an_exercise_knows_get_their_own_replies(exercise_id):
    for wrong, what in KNOWN[exercise_id]:
        reply = check(exercise_id, wrong)
        assert (reply.status, reply.head) == ("wrong", f"Exercise {exercise_id}: not yet."), what
        assert title(reply) == what


def own_exponents(d_model, base):
    return [base ** (-j / d_model) for j in range(d_model)]


def wavelength_of_each_pair(d_model, base):
    return [2 * math.pi * base ** (2 * k / d_model) for k in range((d_model + 1) // 2)]


def stepped_by_two_and_multiplied_by_two(d_model, base):
    return np.array([1 / base ** (2 * i / d_model) for i in range(0, d_model, 2)])


def same_when_moved(layer, x, move):
    return torch.equal(layer(move(x)), move(layer(x)))


def offsets(length):
    return torch.arange(length)[:, None] - torch.arange(length)


def stepped(rotate, x_new, keys, values, W_query, W_key, W_value):
    q, k = (rotate(x_new @ W, [len(keys)]) for W in (W_query, W_key))
    keys, values = torch.cat([keys, k]), torch.cat([values, x_new @ W_value])
    return attend(q, keys, values), keys, values


def handed_on(change):
    """A right step but for the cache that it returns: ``change(old, new)``, each (keys, values)."""

    def step(x_new, keys, values, *weights):
        output, *new = stepped(rope_interleaved, x_new, keys, values, *weights)
        return output, *change((keys, values), new)

    return step


def unrotated(old, new):
    return torch.cat([old, rope_interleaved(new[-1:], [-len(old)])])


@pytest.mark.parametrize(
    "change, seen",
    [
        (lambda old, new: old, "it returns the cache that it was given, without the new key and value"),
        (lambda old, new: (new[0][-1:], new[1][-1:]), "it returns the new key and value alone"),
        (lambda old, new: new[::-1], "it returns values, keys: they have changed places"),
        (lambda old, new: (unrotated(old[0], new[0]), new[1]), "the key that it returns is not rotated"),
        (lambda old, new: (new[0] + 1, new[1]), "the shapes are [(5, 4), (5, 4)]"),
        (lambda old, new: (None, None), "the next step raised"),
    ],
)
def test_the_step_of_09_3_is_called_again_with_the_cache_that_it_returned(change, seen):
    reply = check("09.3", handed_on(change))
    assert reply.status == "wrong" and seen in reply.body, reply.body


def time_halves(rows, *columns):
    return np.concatenate([rows[:, first::2] for first in columns], axis=1)


@pytest.mark.parametrize(
    "exercise_id, answer, said",
    [
        ("00.1", 22, "That is another value. Hint 1"),
        ("00.1", "24 orders", "Text in quotes"),
        ("00.2", lambda f, x, order: torch.equal(f(x[order]), f(x)), "True only for an invariant function"),
        ("00.2", lambda f, x, order: torch.equal(x[order], x[order]), "It never calls f"),
        ("00.2", lambda f, x, order: torch.equal(f(x[order]).sum(0), f(x).sum(0)), "Averages are compared, or sums"),
        ("00.2", lambda f, x, order: torch.equal(f(x[order]).sort(0)[0], f(x).sort(0)[0]), "Averages are compared"),
        ("01.2", lambda ids, weight: torch.eye(len(weight))[ids], "These are the one-hot rows themselves."),
        ("01.2", lambda ids, weight: weight.sum(0), "It never uses its argument ids."),
        ("01.3", lambda ids, weight: F.embedding(ids, weight), "The look-up is right, but nothing"),
        ("01.3", lambda ids, weight: weight[ids] * len(weight) ** 0.5, "Multiplied by the root of the vocabulary"),
        ("02.1", lambda n, f: rotation(-n, f), "This is the transpose"),
        ("02.1", lambda n, f: rotation(n, f) * 1.001, "Every number is 1.001 times the one asked for."),
        ("02.1", lambda n, f: rotation(n * n, f), "It gives what is right for the square of n in the place of n."),
        ("02.1", lambda n, f: rotation(n + 2 * f, 1), "It is a turn, but by another angle: 2, where n"),
        ("02.2", (0.0349, 0.9994, 0.0003, 1.0), "The calculator is set to degrees."),
        ("02.2", (-0.416, 0.909, 0.9998, 0.02), "Sine and cosine are swapped"),
        ("02.2", (0.91, -0.42, 0.02, 1.0), "Two decimals are not enough"),
        ("02.2", (0.91, -0.41, 0.02, 1.0), "Counted from 0: places 2 and 3 are right, places 0 and 1 are"),
        ("02.2", (5, 6, 7, 8), "That is another value."),
        ("02.3", own_exponents, "Every column has its own exponent"),
        ("02.3", wavelength_of_each_pair, "These are wavelengths"),
        ("02.3", lambda d, base: base ** (np.arange(0, d, 2) / d), "The minus is lost"),
        ("02.3", stepped_by_two_and_multiplied_by_two, "The exponent is doubled"),
        ("02.3", lambda d, base: 1 / base ** (2 * np.arange(d // 2) / d), "Odd widths lose their last sine"),
        ("02.3", lambda d, base: freqs(d, 10000), "It uses 10000 whatever the base is."),
        ("04.2", lambda n, d, base: np.outer(freqs(d, base), np.arange(n)), "The axes are swapped"),
        ("04.2", lambda n, d, base: np.outer(np.arange(1, n + 1), freqs(d, base)), "The positions begin at 1"),
        ("04.2", lambda n, d, base: np.outer(np.arange(n), freqs(d, base)) % (2 * np.pi), "Whole turns are"),
        ("05.1", "A", "That order needs a new axis"),
        ("05.2", lambda even, odd: torch.hstack([even, odd]), "The halves stand side by side"),
        ("05.2", lambda even, odd: torch.stack([even, odd], dim=-1), "Stacked, not flattened yet"),
        ("05.2", lambda even, odd: torch.stack([even, odd], dim=1).flatten(1, 2), "The halves stand side by side"),
        ("05.2", lambda even, odd: torch.cat([even, odd], dim=1).sort(1).values, "The right numbers, in other places."),
        ("06.2", lambda x, pe: x + pe[:, x.shape[1] - 1, :], "One single row is added to every token"),
        ("06.2", lambda x, pe: x + pe[0, : x.shape[0]].unsqueeze(1), "Each sample gets one row of the table"),
        ("06.2", lambda x, pe: pe[:, : x.shape[1]].expand_as(x), "The encoding alone comes back"),
        ("06.2", lambda x, pe: pe[:, : x.size(1)], "The encoding alone comes back"),
        ("06.2", lambda x, pe: x + pe[:, x.shape[1]], "One single row is added to every token"),
        ("06.2", lambda x, pe: x + 2 * pe[:, : x.shape[1]], "It gives 1 · x + 2 · pe"),
        ("07.2", lambda layer, x: torch.equal(layer(x.flip(0)), layer(x)), "The outputs have to be swapped as well"),
        ("07.2", lambda layer, x: same_when_moved(layer, x, lambda y: y.flip(0)), "All samples change places here"),
        ("07.2", lambda layer, x: same_when_moved(layer, x, lambda y: y.roll(1, 0)), "All samples change places here"),
        ("07.2", lambda layer, x: same_when_moved(layer, x, lambda y: y[:, [1, 0, 2, 3]]), "The tokens are swapped"),
        ("07.2", lambda layer, x: layer(x).shape == x.shape, "It answers True for a layer that mixes up"),
        ("08.1", lambda n, d: np.sin(n * freqs(d, 10000)).sum(), "Sines: at offset 0 they give 0"),
        ("08.1", lambda n, d: loop(311, d)[abs(n)] @ loop(311, d)[0] * 2, "Twice too much"),
        ("08.2", lambda n, table: table @ shift(-n, table.shape[1]) @ table.T, "It looks into the other direction"),
        ("08.2", lambda n, table: table @ table.T, "It looks at itself"),
        ("09.1", lambda x, positions, frequency: rope(x, positions, -frequency), "It turns backwards"),
        ("09.1", lambda x, positions, frequency: rope(x, torch.arange(len(x)), frequency), "It takes 0, 1, 2"),
        ("09.1", lambda x, positions, frequency: rope(x, positions, 1.0), "It ignores the frequency"),
        ("09.1", lambda x, positions, frequency: rope(x, positions, 1 / frequency), "It divides by the frequency"),
        ("09.1", lambda x, positions, frequency: rope(x, positions, 2 * math.pi * frequency), "A 2π too many"),
        ("09.1", lambda x, positions, frequency: rope(x, positions + 1, frequency), "The positions are 1 too large"),
        ("09.1", lambda x, positions, frequency: rope(x, positions, frequency).flip(1), "The two new columns have"),
        (
            "09.1",
            lambda x, positions, frequency: x * (positions * frequency).cos()[:, None],
            "It makes cos a and cos b",
        ),
        (
            "09.1",
            lambda *all: torch.stack([rope(*all)[n] for n in range(len(all[0]))]),
            "The result is right, but a loop",
        ),
        ("09.2", rope_attention, "The result is right, but it is pe_lib's own"),
        (
            "09.2",
            lambda x, p, a, b, c: attend(*(rope_interleaved(x @ w, p) for w in (b, a)), x @ c),
            "The query and the",
        ),
        (
            "09.2",
            lambda x, p, a, b, c: attend(*(rope_interleaved(x @ w, p) for w in (a, a)), x @ c),
            "The query is its",
        ),
        (
            "09.3",
            lambda x, keys, values, a, b, c: stepped(rope_half_split, x, keys, values, a, b, c),
            "The layout is half",
        ),
        (
            "09.3",
            lambda x, keys, values, a, b, c: stepped(rope_interleaved, x, keys, values, b, a, c),
            "W_query and W_key",
        ),
        ("09.4", "half split", "That is it, written with a hyphen"),
        ("09.4", "neighbours", 'Those are "interleaved"'),
        ("09.4", 1, "One of two names is asked for"),
        ("10.2", "e", "There are four choices"),
        ("11.1", lambda lengths: np.arange(lengths[-1]), "These are the positions of the last text alone"),
        ("11.1", lambda lengths: np.array([np.arange(n) for n in lengths], dtype=object), "One list for each text"),
        ("11.1", lambda lengths: np.eye(sum(lengths)), "The result has 2 axes, 1 axis is asked for."),
        (
            "11.2",
            lambda *sizes: sinusoidal_at(np.arange(np.prod(sizes[:3])), sizes[3]).reshape(sizes),
            "The cells are numbered in one line",
        ),
        ("11.3", lambda t, d: time_halves(sinusoidal_at(t, d), 0, 1), "Sines and cosines have changed places, and the"),
        ("11.3", lambda t, d: time_halves(sinusoidal_at(100 * t, d), 1, 0), "The times are multiplied by 100;"),
        ("11.3", lambda t, d: time_halves(sinusoidal_at(1000 * t, d), 1, 1), "The cosines stand in both halves"),
        ("10.1", lambda n, slope: slope * (torch.arange(n) - torch.arange(n)[:, None]).abs(), "The sign is wrong"),
        ("10.1", lambda n, slope: -slope * torch.arange(n).expand(n, n), "It takes one position only"),
        (
            "10.1",
            lambda n, slope: -slope * offsets(n).clamp(min=0),
            "One side gets nothing",
        ),
        (
            "10.1",
            lambda n, slope: -slope * offsets(n) ** 2,
            "It squares the distance",
        ),
        (
            "10.1",
            lambda n, slope: -slope * (offsets(n).abs() + 1),
            "The diagonal should",
        ),
        (
            "10.1",
            lambda n, slope: [[-slope * abs(i - j) for j in range(n)] for i in range(n)],
            "The result is right, but a loop",
        ),
        ("10.1", lambda n, slope: -slope * (torch.arange(n) - torch.arange(n)[:, None]), "Without the absolute value"),
    ],
)
def test_a_learner_s_own_wrong_answer_gets_the_intended_reply(exercise_id, answer, said):
    reply = check(exercise_id, answer)
    assert (reply.status, reply.head) == ("wrong", f"Exercise {exercise_id}: not yet.")
    assert title(reply).startswith(said)


def test_a_wrong_value_is_quoted_and_a_wrong_result_shown_beside_the_right_one():
    assert check("00.1", 23).body.split("\n")[1] == "  seen: you answered 23"

    def turn(n, frequency):
        return [[1, n], [0.0, frequency]]

    expected = "turn(1, 0.5) gave [[1, 1], [0, 0.5]], expected [[0.8776, -0.4794], [0.4794, 0.8776]]"
    assert check("02.1", turn).body == f"The results differ.\n  seen: {expected}"


def test_the_evidence_is_the_first_example_that_differs():
    def at_large(n, frequency):
        return rotation(n, frequency) if n > 0 else np.eye(2)

    assert "at_large(-2, 1) gave [[1.0, 0.0], [0.0, 1.0]]" in check("02.1", at_large).body


def test_large_results_are_shown_by_their_shape_and_their_first_difference():
    assert "gave a tensor of shape (2, 3, 2)" in check("05.2", lambda even, odd: torch.stack([even, odd], dim=2)).body
    halves = check("05.2", lambda even, odd: torch.hstack([even, odd])).body
    assert "gave a tensor of shape (2, 6)" in halves and "they differ first at [0, 1]: 0, expected 5" in halves


@pytest.mark.parametrize("look_up", [lambda ids, weight: weight[ids], lambda ids, weight: F.embedding(ids, weight)])
def test_01_2_refuses_a_look_up(look_up):
    reply = check("01.2", look_up)
    assert reply.status == "wrong"
    assert ids(reply) == ["looked-up"]


@pytest.mark.parametrize(
    "without_product",
    [
        lambda ids, weight: nn.Embedding.from_pretrained(weight)(ids),
        lambda ids, weight: weight.clone()[ids],
        lambda ids, weight: torch.from_numpy(weight.numpy()[ids.numpy()]),
        lambda ids, weight: torch.stack([torch.stack([list(weight)[n] for n in row]) for row in ids]),
    ],
)
def test_01_2_looks_for_the_product(without_product):
    reply = check("01.2", without_product)
    assert reply.status == "wrong" and ids(reply) == ["no-product"]


def filled(even, odd):
    table = torch.empty(len(even), 2 * even.shape[1])
    table[:, 0::2], table[:, 1::2] = even, odd
    return table


def filled_like_even(even, odd):
    table = even.new_zeros(len(even), 2 * even.shape[1])
    table[:, 0::2], table[:, 1::2] = even, odd
    return table


def added(even, odd):
    table = torch.zeros(len(even), 2 * even.shape[1])
    table[:, 0::2].add_(even), table[:, 1::2].add_(odd)
    return table


def filled_numpy(even, odd):
    return filled(even, odd).numpy()


@pytest.mark.parametrize("function", [filled, filled_numpy, filled_like_even, added])
def test_05_2_refuses_item_assignment(function):
    reply = check("05.2", function)
    assert reply.status == "wrong" and ids(reply) == ["assigned"]
    assert "written into a tensor" in title(reply)


# Tables and modules: what diagnose_table and diagnose_layer find reaches the learner


@pytest.mark.parametrize("mistake", ["doubled-column", "swapped", "transposed", "halves", "odd-crash"])
@pytest.mark.parametrize("exercise_id", ["03.1", "05.3"])
def test_a_wrong_table_is_named_and_explained(exercise_id, mistake):
    function = wrong_table(mistake)

    class Wrong(Table):
        def __init__(self, d_model, max_sequence_length):
            nn.Module.__init__(self)
            self.keep(torch.as_tensor(function(max_sequence_length, d_model)))

    reply = check(exercise_id, Wrong if exercise_id == "05.3" else function)
    assert reply.status == "wrong" and ids(reply)[0] == mistake
    finding = (*reply.diagnosis.findings, *reply.diagnosis.usage)[0]
    assert f"seen: {finding.evidence}" in reply.body and "  try: " in reply.body


def loop_with_base(max_len, d_model, base):
    angles = np.outer(np.arange(max_len), freqs(d_model, base))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(max_len, d_model)


def with_halves(table):
    return np.hstack([table[:, 0::2], table[:, 1::2]])


@pytest.mark.parametrize(
    "function, name",
    [
        (lambda n, d: with_halves(by_rotation(n, d)), "halves"),
        (lambda n, d: loop_with_base(n, d, 1000), "wrong-base"),
        (lambda n, d: by_rotation(n + 1, d)[1:], "starts-at-one"),
        (lambda n, d: None, "none"),
    ],
)
def test_08_3_says_nothing_of_odd_widths_for_which_it_never_asks(function, name):
    def at_even_widths(max_len, d_model):
        assert d_model % 2 == 0
        return function(max_len, d_model)

    assert ids(check("08.3", at_even_widths)) == [name]


def cells_changed(change):
    def function(max_len, d_model):
        pos, j = np.ogrid[:max_len, :d_model]
        return change(loop(max_len, d_model), pos, j)

    return function


@pytest.mark.parametrize(
    "function, name",
    [
        (cells_changed(lambda table, pos, j: table * (j < j.max())), "unlisted"),
        (cells_changed(lambda table, pos, j: np.where(j % 2, np.roll(table, 1, 1), table)), "one-wave"),
        (cells_changed(lambda table, pos, j: np.where((pos == 3) & (j == 2), np.nan, table)), "not-finite"),
        (lambda n, d: loop(n, d + d % 2)[:, :d] if d % 2 == 0 else loop(n, d + 1)[:, :d], "odd-differs"),
        (3, "no-function"),
    ],
)
@pytest.mark.parametrize("exercise_id", ["03.1", "03.3", "04.3", "12.2"])
def test_a_wrong_table_is_never_called_right(exercise_id, function, name):
    reply = check(exercise_id, function)
    assert reply.status == "wrong" and ids(reply) in ([name], ["known"])


@pytest.mark.parametrize("make, name", [(lambda d, n: 3, "no-module"), (3, "no-class"), (Table(4, 10), "no-class")])
def test_what_is_no_module_class_is_refused_in_05_3(make, name):
    assert ids(check("05.3", make)) == [name]


def keeps_the_sizes(self, table):
    self.sizes = table.shape


@pytest.mark.parametrize(
    "module, name",
    [
        (own(Table, keep=lambda self, table: setattr(self, "table", nn.Parameter(table))), "trainable"),
        (own(Table, keep=lambda self, table: setattr(self, "table", table)), "unregistered"),
        (own(Table, keep=lambda self, table: setattr(self, "table", nn.Parameter(table, False))), "parameter"),
        (own(Table, keep=keeps_the_sizes, forward=lambda self: textbook(*self.sizes)), "no-buffer"),
        (own(Table, forward=lambda self: self.table[None]), "shape"),
        (lambda d, n: lambda: textbook(n, d), "no-module"),
        (own(Table, forward=lambda self: self.table.tolist()), "no-table"),
    ],
)
def test_05_3_refuses_a_right_table_that_is_held_wrongly(module, name):
    reply = check("05.3", module)
    assert reply.status == "wrong" and ids(reply) == [name]


def in_place(self, x):
    x += self.rows(x)
    return self.drop(x)


LAYERS = [
    (own(forward=lambda self, x: self.drop(x + self.pe)), "no-slice"),
    (own(forward=lambda self, x: self.drop(x + self.pe[:, : x.shape[0]])), "slice-by-batch"),
    (own(forward=lambda self, x: self.drop(x + self.pe[:, : x.shape[2]])), "slice-by-width"),
    (own(forward=lambda self, x: self.drop(x + self.pe[0][:, : x.shape[1]])), "slice-of-columns"),
    (lambda d_model, max_len, dropout=0.0: Layer(d_model, 512, dropout), "max-len"),
    (own(forward=lambda self, x: self.drop(x * self.rows(x))), "multiplied"),
    (own(forward=lambda self, x: None), "none"),
    (own(forward=in_place), "in-place"),
    (own(forward=lambda self, x: self.drop(x + (self.pe if x.shape[1] == 1 else self.rows(x)))), "some-shapes"),
    (own(keep=lambda self, table: setattr(self, "pe", nn.Parameter(table))), "trainable"),
    (own(keep=lambda self, table: setattr(self, "pe", table)), "unregistered"),
    (own(keep=lambda self, table: self.register_buffer("pe", table)), "saved"),
    (own(forward=lambda self, x: F.dropout(x + self.rows(x), self.drop.p)), "dropout-in-eval"),
    (own(forward=lambda self, x: x + self.drop(self.rows(x))), "dropout"),
    (own(forward=lambda self, x: x + self.rows(x)), "dropout"),
    (always_dropping(0.0), "dropout"),
    (always_dropping(0.1), "dropout"),
    (always_dropping(0.5), "dropout"),
    (Swapped, "sizes-swapped"),
    (SwappedNames, "raises"),
    (WithoutDropout, "raises"),
    (lambda d, n: 3, "no-module"),
    (lambda d: 3, "no-module"),
    (Layer(8, 8), "no-function"),
]


@pytest.mark.parametrize("layer, name", LAYERS)
def test_a_wrong_layer_is_named_and_never_called_right(layer, name):
    reply = check("06.3", layer)
    assert reply.status == "wrong" and ids(reply)[0] == name


def mode_aware(self, x):
    return F.dropout(x + self.rows(x), self.p, self.training)


def unscaled(self, x):
    out = x + self.rows(x)
    return out * (torch.rand_like(out) >= self.p) if self.training else out


@pytest.mark.parametrize(
    "forward, name, said",
    [
        (lambda self, x: x + self.rows(x), "dropout", "The dropout that was asked for is not applied"),
        (
            lambda self, x: F.dropout(x + self.rows(x), self.p),
            "dropout-in-eval",
            "Dropout is active in use, in eval(), too.",
        ),
        (unscaled, "dropout", "In training, with dropout=0.5, what is left should be twice the sum."),
    ],
)
def test_06_3_tries_the_dropout_itself(forward, name, said):
    assert check("06.3", own(Options, forward=mode_aware)).status == "right"
    reply = check("06.3", own(Options, forward=forward))
    assert reply.status == "wrong" and ids(reply) == [name]
    assert title(reply).startswith(said)


def test_a_layer_whose_dropout_has_no_default_gets_a_reply():
    assert check("06.3", NeedsDropout).status in ("right", "wrong")


def test_10_4_takes_a_function_that_makes_a_layer_for_a_layer():
    assert check("12.4", lambda d_model, max_len: Layer(d_model, max_len)).status == "right"


def test_a_right_result_that_changes_the_caller_s_x_is_not_right():
    reply = check("06.2", lambda x, pe: x.add_(pe[:, : x.size(1)]))
    assert title(reply) == "The result is right, but the function changes what it was given."


def test_the_width_of_the_example_is_named():
    def for_four_columns(max_len, d_model):
        columns = [10000 ** (-2 * (j // 2) / 4) for j in range(d_model)]
        return [[(math.sin, math.cos)[j % 2](pos * speed) for j, speed in enumerate(columns)] for pos in range(max_len)]

    assert title(check("03.1", for_four_columns)).startswith("Every cell is computed for d_model = 4, whatever")
