"""exercises/: right answers are accepted, wrong ones named, whatever their spelling.

What diagnose_table and diagnose_layer say of a mistake is for test_diagnosis*.py; here, that it reaches the learner.
"""

import inspect
import math
import re
import sys
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from zoo_answers import (
    RIGHT,
    Layer,
    NeedsDropout,
    Options,
    Swapped,
    SwappedNames,
    Table,
    WithoutDropout,
    always_dropping,
    at_once,
    by_rotation,
    freqs,
    ids,
    loop,
    own,
    rotation,
)
from zoo_tables import textbook, wrong_table

import pe_lib
from pe_course import check
from pe_course.exercises import EXERCISES
from pe_course.judges.known import pages
from pe_course.toy.one_head import attend
from pe_lib import PositionalEncoding, alibi_bias, rope_interleaved


@pytest.fixture(autouse=True)
def a_person_not_nbgrader(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def title(reply):
    return reply.body.split("\n")[0]


RIGHT_CASES = [(exercise_id, answer) for exercise_id in EXERCISES for answer in RIGHT.get(exercise_id, ())]


@pytest.mark.parametrize("exercise_id, answer", RIGHT_CASES)
def test_a_right_answer_is_right_and_rewarded(exercise_id, answer):
    reply = check(exercise_id, answer)
    assert (reply.status, reply.head) == ("right", f"Exercise {exercise_id}: right."), reply.body
    assert title(reply) == EXERCISES[exercise_id].because and reply.diagnosis is None


PAGES = {i: exercise.judge.known for i, exercise in EXERCISES.items() if hasattr(exercise.judge, "known")}


@pytest.mark.slow
@pytest.mark.parametrize("exercise_id", PAGES)
def test_no_wrong_answer_on_a_page_is_right_or_hidden_by_one_before_it(exercise_id):
    for wrong, says in PAGES[exercise_id].mistakes:
        reply = check(exercise_id, wrong)
        assert (reply.status, title(reply)) == ("wrong", says)


def test_errors_on_pages_are_patterns_whose_groups_fill_the_words():
    for known in PAGES.values():
        for pattern, says in known.errors:
            assert says.format(*["…"] * re.compile(pattern).groups)


def test_a_page_is_read_as_it_stands(tmp_path):
    text = "# A page\n\n## 99.1 (n, d)\n\n- `n + d`\n- `n - d`\n  - Neither.\n- raises `Stop(.*)`\n  - So {0}.\n"
    (tmp_path / "lesson_99.md").write_text(text, encoding="utf-8")
    known = pages(str(tmp_path / "lesson_99.py"), {})["99.1"]
    assert [(wrong(5, 2), says) for wrong, says in known.mistakes] == [(7, "Neither."), (3, "Neither.")]
    assert known.errors == (("Stop(.*)", "So {0}."),)
    later = known.plus((sum, "A sum.")).followed_by(known)
    assert [says for _, says in later.mistakes] == ["Neither.", "Neither.", "A sum.", "Neither.", "Neither."]


# The way to a right result


def by_a_helper(n, slope):
    return -slope * distances(n)


def distances(n):
    return torch.tensor([[float(abs(i - j)) for j in range(n)] for i in range(n)])


def in_two_steps(n, slope):
    for sign in (-1, -1):
        slope = sign * slope
    return -slope * (torch.arange(n) - torch.arange(n)[:, None]).abs()


def borrowed(n, slope):
    from pe_lib import alibi_bias as bias

    return bias(1, n)[0] / bias(1, 2)[0, 1, 0].abs() * slope


@pytest.mark.parametrize(
    "answer, said",
    [
        (by_a_helper, "The result is right, but a loop makes it"),
        (borrowed, "The result is right, but it is pe_lib's own: alibi_bias makes it."),
        (lambda n, slope: pe_lib.alibi_bias(1, n)[0] * 256 * slope, "The result is right, but it is pe_lib's own"),
        (partial(lambda bias, n, slope: bias(1, n)[0] * 256 * slope, alibi_bias), "The result is right, but it is"),
        (in_two_steps, EXERCISES["10.1"].because),
    ],
)
def test_a_loop_and_a_finished_function_are_seen_wherever_they_stand(answer, said):
    names = dict(vars(inspect.getmodule(by_a_helper)))
    assert check("10.1", answer).body.startswith(said)
    assert dict(vars(inspect.getmodule(by_a_helper))) == names, "the module of the answer is as it was"


def test_a_tracer_and_a_profiler_stay_as_they_are():
    def tracer(*_):
        return None

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(tracer), sys.setprofile(tracer)
    try:
        check("04.3", at_once), check("08.3", by_rotation)
        assert (sys.gettrace(), sys.getprofile()) == (tracer, tracer)
    finally:
        sys.settrace(before[0]), sys.setprofile(before[1])


@pytest.mark.parametrize("exercise_id", ["06.3"])
def test_pe_lib_s_own_layer_is_recognized_inside_another(exercise_id):
    class Sub(PositionalEncoding):
        pass

    class Around(nn.Module):
        def __init__(self, embed_size, max_len=512, dropout=0.0):
            super().__init__()
            self.inner = PositionalEncoding(embed_size, max_len, dropout)

        def forward(self, x):
            return self.inner(x)

    for layer in (PositionalEncoding, Sub, Around, lambda d, n, dropout=0.0: PositionalEncoding(d, n, dropout)):
        assert ids(check(exercise_id, layer)) == ["library"]


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
@pytest.mark.parametrize("exercise_id", ["03.1", "03.3", "04.3", "12.6"])
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


def test_12_2_names_a_slip_in_the_formula_and_how_the_table_is_held_and_nothing_that_follows_from_the_slip():
    class Mended(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            pos, j = torch.arange(max_len).unsqueeze(1), torch.arange(d_model)
            angles = pos / 10000**2 * (j // 2) / d_model  # brackets are missing: all rows look alike
            self.pe = torch.where(j % 2 == 0, angles.sin(), angles.cos())

        def forward(self, x):
            return x + self.pe[: x.shape[1]]

    reply = check("12.2", Mended)
    assert ids(reply) == ["known", "unregistered"] and "Brackets are missing" in title(reply)


def test_12_6_takes_a_function_that_makes_a_layer_for_a_layer():
    assert check("12.6", lambda d_model, max_len: Layer(d_model, max_len)).status == "right"


def test_a_right_result_that_changes_the_caller_s_x_is_not_right():
    reply = check("06.2", lambda x, pe: x.add_(pe[:, : x.size(1)]))
    assert title(reply) == "The result is right, but the function changes what it was given."


def test_the_width_of_the_example_is_named():
    def for_four_columns(max_len, d_model):
        columns = [10000 ** (-2 * (j // 2) / 4) for j in range(d_model)]
        return [[(math.sin, math.cos)[j % 2](pos * speed) for j, speed in enumerate(columns)] for pos in range(max_len)]

    assert title(check("03.1", for_four_columns)).startswith("Every cell is computed for d_model = 4, whatever")


# The step of 09.3 goes on with the cache that it returned


def handed_on(change):
    """A right step but for the cache that it returns: ``change(old, new)``, each (keys, values)."""

    def step(x_new, keys, values, W_query, W_key, W_value):
        q, k = (rope_interleaved(x_new @ W, [len(keys)]) for W in (W_query, W_key))
        new = torch.cat([keys, k]), torch.cat([values, x_new @ W_value])
        return attend(q, *new), *change((keys, values), new)

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
