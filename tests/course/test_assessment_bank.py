"""The questions of the test: every key is computed by other means than the question's own, and no cue gives it away."""

import re

import numpy as np
import pytest
import torch
from course import ROOT
from oracle import exact_rows, exact_table

from pe_course.assessment.bank import COUNT, LETTERS, PAGE, bank, read
from pe_course.assessment.markup import blocks

BANK = bank()
ITEMS = {item.id: item for item in BANK.items}
VERDICTS = ("Right: ", "Convention: ", "Silently wrong: ")
in_both_forms = pytest.mark.parametrize("form", "AB")


def code(item_id):
    """The names that the question's code defines."""
    (source,) = [content for kind, content in blocks(ITEMS[item_id].stem) if kind == "code"]
    names = {"np": np, "torch": torch}
    exec(source, names)
    return names


def says(item_id, *words):
    """The key of this question begins or goes on with these words."""
    return all(word in ITEMS[item_id].right.text for word in words)


# Two forms of one test


def test_two_forms_of_twelve_two_for_each_idea_and_half_of_them_transfer():
    for form in "AB":
        items = BANK.form(form)
        assert [item.number for item in items] == list(range(1, COUNT + 1))
        ideas = [item.idea for item in items]
        assert len(set(ideas)) == 6 and all(ideas.count(idea) == 2 for idea in ideas)
        assert [item.kind for item in items] == ["concept", "transfer"] * 6
    assert [(i.idea, i.kind) for i in BANK.form("A")] == [(i.idea, i.kind) for i in BANK.form("B")]


def words(item):
    return len(" ".join([item.stem, *(option.text for option in item.options)]).split())


def test_forms_are_equally_long():
    sums = [sum(map(words, BANK.form(form))) for form in "AB"]
    assert abs(sums[0] - sums[1]) <= 0.05 * min(sums)
    for a, b in zip(BANK.form("A"), BANK.form("B"), strict=True):
        assert abs(words(a) - words(b)) <= 15, a.id


def verdict(item):
    return re.match("[^:]*: ", item.right.text)[0] if item.kind == "transfer" else None


def test_parallel_questions_have_the_same_three_misconceptions():
    """Where the verdicts differ, one belief that is wrong in the one form is the key of the other: two are the same."""
    behind = {item.id: {option.misconception for option in item.options} - {None} for item in BANK.items}
    assert all(len(beliefs) == 3 for beliefs in behind.values())
    for a, b in zip(BANK.form("A"), BANK.form("B"), strict=True):
        assert len(behind[a.id] & behind[b.id]) >= (3 if verdict(a) == verdict(b) else 2), a.id
    assert set().union(*behind.values()) == set(BANK.misconceptions)


def test_every_option_says_why_and_which_lesson_to_read_again():
    lessons = {path.name[:2] for path in (ROOT / "notebooks").glob("*.ipynb")}
    for item in BANK.items:
        for option in item.options:
            assert option.lesson in lessons and len(option.why.split()) >= 8, (item.id, option.letter)


def test_ten_of_twelve_questions_are_taught_by_lesson_06_as_teaching_says():
    for form in "AB":
        later = [item.number for item in BANK.form(form) if item.right.lesson > "06"]
        assert later == [8, 12]


def test_no_cue_gives_the_key_away():
    """Neither its place, nor its length, nor the verdict."""
    for form in "AB":
        items = BANK.form(form)
        places = [item.right.letter for item in items]
        assert all(places.count(letter) == 3 for letter in LETTERS)
        lengths = [[len(option.text) for option in item.options] for item in items]
        keys = [len(item.right.text) for item in items]
        assert sum(key == max(row) for key, row in zip(keys, lengths, strict=True)) <= 4
        assert sum(key == min(row) for key, row in zip(keys, lengths, strict=True)) <= 4
        verdicts = [verdict(item) for item in items if item.kind == "transfer"]
        assert all(verdicts.count(name) == 2 for name in VERDICTS)
    text = PAGE.read_text(encoding="utf-8").lower()
    assert not any(words in text for words in ("all of the above", "none of the above", "simply", "obviously"))


def test_one_form_does_not_tell_the_other():
    """Neither the letter, nor the words, nor for half of the code the verdict."""
    pairs = list(zip(BANK.form("A"), BANK.form("B"), strict=True))
    assert all(a.right.letter != b.right.letter for a, b in pairs)
    assert all(a.right.text != b.right.text for a, b in pairs[1:]), "the first alone is a fact in the same words"
    assert sum(verdict(a) != verdict(b) for a, b in pairs) == 3


def test_every_question_about_code_asks_alike():
    """So that no stem tells the verdict; and "what is meant" is said of all."""
    for item in BANK.items:
        assert (" meant to " in " ".join(item.stem.split())) == (item.kind == "transfer"), item.id
        assert "exact" not in item.stem and "trained and used" not in item.stem and "shall" not in item.stem, item.id


def test_every_question_about_code_offers_each_verdict():
    for item in BANK.items:
        offered = [verdict for option in item.options for verdict in VERDICTS if option.text.startswith(verdict)]
        assert sorted(offered) == sorted([*VERDICTS, "Silently wrong: "] if item.kind == "transfer" else []), item.id


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("  - ✔", "  - ", 1),
        lambda text: text.replace("- D. ", "- E. ", 1),
        lambda text: text.replace(" Lesson 00.", "", 1),
    ],
)
def test_an_incomplete_question_is_named(spoil):
    with pytest.raises(ValueError, match="A1 needs options A to D"):
        read(spoil(PAGE.read_text(encoding="utf-8")))


# The keys


def attention(x, seed):
    """Without a mask; x (length, d)."""
    d = x.shape[-1]
    query, key, value = torch.randn(3, d, d, generator=torch.Generator().manual_seed(seed)).double()
    return ((x @ query) @ (x @ key).T).softmax(dim=1) @ x @ value


def test_order_concept():
    torch.manual_seed(0)
    x, order = torch.randn(4, 8).double(), torch.tensor([2, 1, 0, 3])  # Ann saw Bob win, Bob saw Ann win
    for seed in range(3):  # whatever the weights are
        first, second = attention(x, seed), attention(x[order], seed)
        torch.testing.assert_close(first[0], second[2])
        torch.testing.assert_close(first.mean(dim=0), second.mean(dim=0))
    layer = torch.nn.TransformerEncoderLayer(8, 2, batch_first=True).double().eval()
    torch.testing.assert_close(layer(x[None])[0, 0], layer(x[None, order])[0, 2])
    assert says("A1", "equal, before training and after") and says("B1", "the same, before training and after")


@in_both_forms
def test_order_transfer(form):
    """What it adds leaves attention equivariant, and the tokens apart; a row for each position does not leave it so."""
    encode = code(f"{form}2")["encode"]
    torch.manual_seed(0)
    x, order = torch.randn(5, 8).double(), torch.tensor([3, 0, 4, 1, 2])
    table = torch.from_numpy(exact_table(5, 8))

    def shuffles(encoding):
        return torch.allclose(attention(encoding(x[order]), 0), attention(encoding(x), 0)[order])

    assert shuffles(lambda x: encode(x[None])[0]) and not shuffles(lambda x: x + table)
    assert torch.pdist(encode(x[None])[0]).min() > 0.1 * torch.pdist(x).min()
    added = encode(x[None])[0] - x
    same_everywhere = torch.allclose(added, added[:1])
    of_the_token = torch.allclose(encode(x[None, :1])[0] - x[:1], added[:1])
    assert (same_everywhere, of_the_token) == ((True, False) if form == "A" else (False, True))
    assert says("A2", "Silently wrong", "same in any order") and says("B2", "Silently wrong", "its token alone")


@pytest.mark.parametrize("item_id, pos, d_model, sine", [("A3", 44, 64, 0.02), ("B3", 710, 128, 0.00006)])
def test_uniqueness_concept(item_id, pos, d_model, sine):
    row = exact_rows([pos], d_model)[0]
    zero = np.tile([0.0, 1.0], d_model // 2)
    assert row[0] == pytest.approx(sine, rel=0.15)
    assert np.abs(row[:2] - zero[:2]).max() < 0.02, "sine and cosine have come round together"
    others = np.linalg.norm((row - zero)[2:])
    assert others > 1 and np.linalg.norm((row - zero)[2:].astype(np.float16)) > 1
    assert says(item_id, "other pairs" if item_id == "A3" else "slower sines and cosines")


def closest(rows):
    """The distance of the two rows that are most alike."""
    apart = np.linalg.norm(rows[:, None] - rows, axis=2)
    return apart[~np.eye(len(rows), dtype=bool)].min()


def test_uniqueness_transfer():
    """A4's rows come back after 16 positions, and no sooner; B4's stay apart, and would come back after 3⁸."""
    rows = code("A4")["table"](100, 8)
    assert rows.shape == (100, 8) and "table(100, 8)" in ITEMS["A4"].stem
    np.testing.assert_allclose(rows[16:], rows[:-16], atol=1e-9)
    assert closest(rows[:16]) > 1
    assert says("A4", "Silently wrong", "rows 16 apart are alike")
    table = code("B4")["table"]
    assert table(200, 16).shape == (200, 16) and "table(200, 16)" in ITEMS["B4"].stem
    assert closest(table(200, 16)) > 1
    np.testing.assert_allclose(table(6562, 16)[-1], table(1, 16)[0], atol=1e-9)
    assert says("B4", "Right: eight speeds", "200 rows apart")


@pytest.mark.parametrize("item_id, column, d_model", [("A5", 3, 8), ("B5", 7, 16)])
def test_frequency_concept(item_id, column, d_model):
    """The answer and the three wrong ones are the powers that the formula and the three mistakes give."""
    k = column // 2
    numerators = {None: 2 * k, "exponent-k-over-d": k, "own-odd-exponent": column, "doubled-column": 2 * column}
    for option in ITEMS[item_id].options:
        assert option.text == f"10000^({numerators[option.misconception]}/{d_model})"
    assert f"column {column}?" in ITEMS[item_id].stem and f"d_model = {d_model}" in ITEMS[item_id].stem
    divisor = 10000 ** (2 * k / d_model)
    assert exact_rows([1], d_model)[0][column] == pytest.approx(np.cos(1 / divisor))
    assert f"{divisor:.0f}" in ITEMS[item_id].right.why


@in_both_forms
def test_frequency_transfer(form):
    table = code(f"{form}6")["table"]
    for max_len, d_model in [(5, 4), (7, 6), (30, 8), (9, 64)]:
        paper = exact_table(max_len, d_model)
        halves = np.hstack([paper[:, ::2], paper[:, 1::2]])
        np.testing.assert_allclose(table(max_len, d_model), paper if form == "A" else halves, atol=1e-9)
    assert says("A6", "Right: ") and says("B6", "Convention: ", "only the columns")


def test_shift_concept():
    pair = exact_table(300, 4)[:, 2:]
    for n in (1, 5, 40):
        M = np.linalg.lstsq(pair[:3], pair[n : n + 3], rcond=None)[0]
        np.testing.assert_allclose(pair[:-n] @ M, pair[n:], atol=1e-9)
        steps = pair[n:] - pair[:-n]
        assert np.ptp(steps, axis=0).max() > 0.005, "adding the same numbers"
    assert says("A7", "A 2 × 2 matrix, the same for each pos") and says("B7", "A 2 × 2 matrix made of ω and n.")


@in_both_forms
def test_rotation_transfer(form):
    """Scores against RoPE in complex numbers, where a pair is one number and a turn is one factor."""
    turn = code(f"{form}8")["turn"]
    q, k = np.random.default_rng(0).normal(size=(2, 6, 8))
    pos, omega = np.arange(6), 10000 ** (-np.arange(4) / 4)
    scores = turn(q, pos, omega) @ turn(k, pos, omega).T
    np.testing.assert_allclose(turn(q, pos + 50, omega) @ turn(k, pos + 50, omega).T, scores, atol=1e-9)

    def rope(x, sign):
        pairs = x[:, 0::2] + 1j * x[:, 1::2]
        return pairs * np.exp(sign * 1j * pos[:, None] * omega)

    half = [0, 4, 1, 5, 2, 6, 3, 7]  # the columns of B8's pairs, side by side
    sign, columns = (-1, list(range(8))) if form == "A" else (1, half)
    expected = (rope(q[:, columns], sign) @ rope(k[:, columns], sign).conj().T).real
    np.testing.assert_allclose(scores, expected, atol=1e-9)
    numbers = rope(q, 1)
    formula = np.stack([numbers.real, numbers.imag], axis=2).reshape(6, 8)
    assert not np.allclose(turn(q, pos, omega), formula)
    assert says("A8", "Convention: scores depend on offsets") and says("B8", "Convention: with weights that suit it")


@pytest.mark.parametrize(
    "item_id, x, pe, expression, same",
    [
        ("A9", (4, 9, 16), (20, 1, 16), lambda pe: pe[:4], "text"),
        ("B9", (6, 5, 8), (1, 30, 8), lambda pe: pe[:, 5], "all"),
    ],
)
def test_broadcasting_concept(item_id, x, pe, expression, same):
    table = torch.arange(max(pe)).float().reshape([-1 if size == max(pe) else 1 for size in pe]).expand(pe)
    rows = (torch.zeros(x) + expression(table))[..., 0]
    assert f"`x + {'pe[:4]' if same == 'text' else 'pe[:, 5]'}`" in ITEMS[item_id].stem
    assert str(x) in ITEMS[item_id].stem and str(pe) in ITEMS[item_id].stem and says(item_id, str(x))
    if same == "text":
        assert rows.tolist() == [[n] * x[1] for n in range(x[0])]
        assert says(item_id, "all tokens of a text get the same row")
    else:
        assert rows.tolist() == [[5] * x[1]] * x[0]
        assert says(item_id, "every token gets the row of position 5")


@in_both_forms
def test_broadcasting_transfer(form):
    rows = torch.from_numpy(exact_table(8, 6))
    layer = type("Layer", (), {"forward": code(f"{form}10")["forward"]})()
    layer.pe = rows[:, None] if form == "A" else rows[None]
    for batch, length in [(2, 5), (5, 5), (2, 1), (1, 8), (7, 3)]:
        x = torch.randn(batch, length, 6).double()
        right = x + rows[:length]
        result = layer.forward(x) if form == "A" else layer.forward(x.transpose(0, 1)).transpose(0, 1)
        torch.testing.assert_close(result, right)
    assert says(f"{form}10", "Right: ")


def test_length_concept():
    with pytest.raises(RuntimeError, match=r"\(101\).*\(100\)"):
        x, pe = torch.zeros(2, 101, 32), torch.zeros(1, 100, 32)
        x + pe[:, : x.shape[1]]
    with pytest.raises(IndexError, match="index 64"):
        torch.zeros(3, 70, 32) + torch.zeros(1, 64, 32)[:, torch.arange(70)]
    assert says("A11", "at the sum: 100 rows") and says("B11", "brackets: there is no row 64")


@in_both_forms
def test_length_transfer(form):
    """A12 weighs keys as ALiBi does, B12 as ALiBi with the other sign; neither has ALiBi's numbers throughout."""
    length, slope = 7, 0.25
    bias = code(f"{form}12")["bias"](length, slope)
    distance = np.arange(length)[:, None] - np.arange(length)
    alibi = -slope * distance
    scores = np.random.default_rng(0).normal(size=(length, length))

    def weights(bias):
        masked = np.where(distance < 0, -np.inf, scores + bias)
        shares = np.exp(masked - masked.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    np.testing.assert_allclose(weights(bias), weights(alibi if form == "A" else -alibi), atol=1e-12)
    assert not np.allclose(weights(-alibi), weights(alibi)), "the sign is seen"
    equal = [query for query in range(length) if np.allclose(bias[query], alibi[query])]
    assert equal == ([length - 1] if form == "A" else [])
    assert says("A12", "Convention: ", "plus a constant") and says("B12", "Silently wrong: the nearest keys")
