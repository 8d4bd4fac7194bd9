"""The questions of the test: every key is computed by other means than the question's own, and no cue gives it away."""

import re
from functools import cache

import numpy as np
import pytest
import torch
from course import ROOT
from oracle import exact_rows, exact_table

from pe_course.assessment.bank import LETTERS, PAGE, PARTS, bank, read
from pe_course.assessment.markup import blocks
from pe_course.toy import Toy, accuracy, reverse, train
from pe_lib import sinusoidal_vectorized

BANK = bank()
ITEMS = {item.id: item for item in BANK.items}

PAIRS = [pair for part in PARTS for pair in zip(*map(BANK.form, part.forms), strict=True)]
in_each_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: f"part {part.number}")


def code(item_id):
    """The names that the question's code defines."""
    (source,) = [content for kind, content in blocks(ITEMS[item_id].stem) if kind == "code"]
    names = {"np": np, "torch": torch}
    exec(source, names)
    return names


def says(item_id, *words):
    """The key of this question begins or goes on with these words."""
    return all(word in ITEMS[item_id].right.text for word in words)


@in_each_part
def test_both_forms_of_a_part_ask_for_the_same_ideas_in_the_same_ways(part):
    one, other = map(BANK.form, part.forms)
    assert [item.number for item in one] == [item.number for item in other] == list(range(1, part.count + 1))
    assert [(item.idea, item.kind) for item in one] == [(item.idea, item.kind) for item in other]
    ideas = [item.idea for item in one]
    assert len({*ideas}) == (6 if part.number == 1 else 5) and len({*map(ideas.count, ideas)}) == 1
    assert {item.kind for item in one} == {"concept", "transfer"}
    sums = [sum(map(words, items)) for items in (one, other)]
    assert abs(sums[0] - sums[1]) <= 0.05 * min(sums), "they are equally long"


def words(item):
    return len(" ".join([item.stem, *(option.text for option in item.options)]).split())


LATER = "query key token mask encoding broadcasting offset frequency ω omega convention d_model embedding RoPE ALiBi"


def test_the_form_before_lesson_00_uses_no_word_that_a_lesson_explains():
    """Python, shapes, sines and matrices are known before; five minutes are 150 words a minute and 20 s a question."""
    for form in PARTS[0].forms:
        for item in BANK.form(form):
            asked = " ".join([item.stem, *(option.text for option in item.options)])
            said = re.search(rf"\b({LATER.replace(' ', '|')})(s|ies)?\b", asked, re.I)
            assert not said, (item.id, said)
        minutes = sum(map(words, BANK.form(form))) / 150 + PARTS[0].count / 3
        assert abs(minutes - PARTS[0].minutes) <= 1.5


def test_parallel_questions_have_the_same_misconceptions_and_every_option_says_why():
    """Three the same; two where a belief that is wrong in the one form is the key of the other, or does not occur."""
    behind = {item.id: {option.misconception for option in item.options} - {None} for item in BANK.items}
    assert all(len(beliefs) == 3 for beliefs in behind.values())
    assert set().union(*behind.values()) == set(BANK.misconceptions)
    lessons = {path.name[:2] for path in (ROOT / "notebooks").glob("*.ipynb")}
    options = [option for item in BANK.items for option in item.options]
    assert all(option.lesson in lessons and len(option.why.split()) >= 8 for option in options)
    for a, b in PAIRS:
        assert len(behind[a.id] & behind[b.id]) >= 2 and abs(words(a) - words(b)) <= 15
        assert a.right.letter != b.right.letter, "one form does not tell the other"
    assert sum(a.right.text == b.right.text for a, b in PAIRS) <= 1


@in_each_part
def test_no_cue_gives_the_key_away(part):
    """Neither its place nor its length."""
    for form in part.forms:
        items = BANK.form(form)
        places = [item.right.letter for item in items]
        assert all(1 <= places.count(letter) <= (part.count + 2) // 4 for letter in LETTERS), (form, places)
        lengths = [[len(option.text) for option in item.options] for item in items]
        keys = [len(item.right.text) for item in items]
        for extreme in (max, min):
            assert sum(key == extreme(row) for key, row in zip(keys, lengths, strict=True)) <= part.count // 2
    text = PAGE.read_text(encoding="utf-8").lower()
    assert not any(words in text for words in ("all of the above", "none of the above", "simply", "obviously"))


@pytest.mark.parametrize("old, new", [("  - ✔", "  - "), ("- D. ", "- E. "), (" Lesson 00.", "")])
def test_an_incomplete_question_is_named(old, new):
    with pytest.raises(ValueError, match="A1 needs options A to D"):
        read(PAGE.read_text(encoding="utf-8").replace(old, new, 1))


def attention(x, seed, turn=lambda x: x):
    """Without a mask; ``turn`` is done to queries and keys; x (length, d)."""
    d = x.shape[-1]
    query, key, value = torch.randn(3, d, d, generator=torch.Generator().manual_seed(seed)).double()
    return ((turn(x @ query)) @ turn(x @ key).T / d**0.5).softmax(dim=1) @ x @ value


def test_order_1():
    torch.manual_seed(0)
    x, order = torch.randn(4, 8).double(), torch.tensor([2, 1, 0, 3])  # Ann saw Bob win, Bob saw Ann win
    for seed in range(3):  # whatever the weights are
        first, second = attention(x, seed), attention(x[order], seed)
        torch.testing.assert_close(first[0], second[2])
        torch.testing.assert_close(first.mean(dim=0), second.mean(dim=0))
    layer = torch.nn.TransformerEncoderLayer(8, 2, batch_first=True).double().eval()
    torch.testing.assert_close(layer(x[None])[0, 0], layer(x[None, order])[0, 2])
    assert says("A1", "equal, before training and after") and says("B1", "the same, before training and after")


@pytest.mark.parametrize("item_id, pos, sine", [("A2", 44, 0.02), ("B2", 710, 0.00006)])
def test_uniqueness_1(item_id, pos, sine):
    def row(pos):
        return np.array([f(pos / 10**k) for k in range(4) for f in (np.sin, np.cos)])

    stem = ITEMS[item_id].stem
    assert "sin(pos/1000), cos(pos/1000)" in stem and f"sin({pos}) is about {sine:f}".rstrip("0") in stem
    assert row(pos)[0] == pytest.approx(sine, rel=0.15)
    assert np.abs((row(pos) - row(0))[:2]).max() < 0.02, "sine and cosine have come round together"
    assert np.linalg.norm((row(pos) - row(0))[2:].astype(np.float16)) > 1, "also without the later digits"
    assert says(item_id, "pos/10, pos/100" if item_id == "A2" else "slower sines and cosines")


def row_by(source, d, pos=3):
    row = [0.0] * d
    exec(source, {"d": d, "pos": pos, "row": row, "sin": np.sin, "cos": np.cos})
    return np.array(row)


@pytest.mark.parametrize("item_id", ["A3", "B3"])
def test_frequency_1(item_id):
    """Each option is put into the code: the key alone gives the formula."""
    ((source),) = [content for kind, content in blocks(ITEMS[item_id].stem) if kind == "code"]
    for option in ITEMS[item_id].options:
        old, *new = re.findall("`(.+?)`", option.text) or ["2", "2"]
        lines = source.splitlines()
        if len(new) == 2:  # A3's D: one for the cosine, one for the sine
            changed = [line.replace(old, new["sin(" in line]) for line in lines]
        else:
            changed = [line.replace(old, new[0]) for line in lines]
        right = np.allclose(row_by("\n".join(changed), 8), exact_rows([3], 8)[0])
        assert right == (option.misconception is None), option


def test_shift_1():
    for item_id, speed, n in [("A4", 0.1, 5), ("B4", 1 / 8, 3)]:
        assert ("sin(0.1 · pos)" if item_id == "A4" else "sin(pos / 8)") in ITEMS[item_id].stem
        angle = speed * np.arange(300)[:, None]
        pair = np.hstack([np.sin(angle), np.cos(angle)])
        M = np.linalg.lstsq(pair[:3], pair[n : n + 3], rcond=None)[0]
        np.testing.assert_allclose(pair[:-n] @ M, pair[n:], atol=1e-9)
        np.testing.assert_allclose(M[0], [np.cos(speed * n), -np.sin(speed * n)], atol=1e-9)
        assert np.ptp(pair[n:] - pair[:-n], axis=0).max() > 0.5, "adding the same numbers"
    assert says("A4", "A 2 × 2 matrix, the same for each pos") and says("B4", "Yes, with a matrix made of n alone")


@pytest.mark.parametrize(
    "item_id, x, pe, wrong, right",
    [("A5", (4, 9, 16), (20, 1, 16), "pe[:4]", "pe[:, :9]"), ("B5", (6, 5, 8), (1, 30, 8), "pe[:, 5]", "pe[:, :5]")],
)
def test_broadcasting_1(item_id, x, pe, wrong, right):
    rows = torch.arange(max(pe)).float()
    table = rows.reshape([-1 if size == max(pe) else 1 for size in pe]).expand(pe)
    result = (torch.zeros(x) + eval(wrong, {"pe": table}))[..., 0]
    assert f"`x + {wrong}`" in ITEMS[item_id].stem and str(x) in ITEMS[item_id].stem and str(pe) in ITEMS[item_id].stem
    expected = [[n] * x[1] for n in range(x[0])] if item_id == "A5" else [[5] * x[1]] * x[0]
    assert result.tolist() == expected and says(item_id, str(x))
    assert says(item_id, "all words of a text get the same row" if item_id == "A5" else "the row of position 5")
    hint = next(option.why for option in ITEMS[item_id].options if option.misconception == "shape-proves")
    repaired = torch.zeros(x) + eval(right, {"pe": rows[None, :, None].expand(1, -1, x[2])})
    assert right in hint and repaired[..., 0].tolist() == [list(range(x[1]))] * x[0]


def test_length_1():
    with pytest.raises(RuntimeError, match=r"\(101\).*\(100\)"):
        x, pe = torch.zeros(2, 101, 32), torch.zeros(1, 100, 32)
        x + pe[:, : x.shape[1]]
    pe = torch.zeros(1, 64, 32)
    with pytest.raises(IndexError, match="index 64"):
        pe[:, 64]
    assert pe[:, 64:65].numel() == 0 and "`pe[:, 64]`" in ITEMS["B6"].stem
    assert says("A6", "at the sum: 100 rows") and says("B6", "An error at once: rows count from 0 to 63")


TABLES = {
    "C1": np.random.default_rng(0).uniform(-1, 1, (12, 32)),
    "D1": sinusoidal_vectorized(12, 32, 1000.0),
    "paper": sinusoidal_vectorized(12, 32),
}


@cache
def trained(name):
    model = Toy((lambda x: x + torch.from_numpy(TABLES[name]).float()) if name in TABLES else None, seed=0)
    return np.convolve(train(model, reverse, steps=250), np.ones(20) / 20), accuracy(model, reverse)


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("item_id", ["C1", "D1"])
def test_what_training_shows(item_id):
    """It learns, without a table it does not, and its loss is below the paper's table's at some step."""
    losses, score = trained(item_id)
    assert score > 0.99 and (losses < trained("paper")[0]).any()
    assert trained("none")[1] < 0.4
    assert says(item_id, "It learns: ", "tell the positions apart")


def test_order_2_absolute_or_relative():
    """An attention with RoPE, by complex numbers, ignores + 100 and sees the order; one with added rows sees + 100."""
    torch.manual_seed(0)
    x = torch.randn(6, 8).double()
    mixed = x[[3, 1, 4, 0, 2, 5]]

    def rope(start):
        angle = torch.arange(start, start + 6)[:, None] * torch.logspace(0, -2, 4).double()
        return lambda x: torch.view_as_real(torch.view_as_complex(x.reshape(6, 4, 2)) * torch.exp(1j * angle)).flatten(
            1
        )

    def added(start):
        return x + torch.from_numpy(exact_rows(range(start, start + 6), 8))

    torch.testing.assert_close(attention(x, 0, rope(0)), attention(x, 0, rope(100)))
    assert not torch.allclose(attention(x, 0, rope(0))[5], attention(mixed, 0, rope(0))[5])
    assert not torch.allclose(attention(added(0), 0), attention(added(100), 0))
    assert says("C2", "Only differences of position ids") and says("D2", "More than the differences of position ids")


def test_shift_2_dot_products():
    for item_id, known, asked in [("C3", (10, 13), (500, 503)), ("D3", (10, 14), (504, 500))]:
        products = [exact_rows([p], 64)[0] @ exact_rows([q], 64)[0] for p, q in (known, asked)]
        assert products[0] == pytest.approx(products[1])
        assert all("rows {} and {}".format(*rows) in ITEMS[item_id].stem for rows in (known, asked))
        assert f"is about {products[0]:.1f}." in ITEMS[item_id].stem and says(item_id, f"About {products[0]:.1f}.")


@pytest.mark.parametrize("form", "CD")
def test_rotation_2(form):
    """Scores against RoPE in complex numbers, where a pair is one number and a turn is one factor."""
    turn = code(f"{form}4")["turn"]
    q, k = np.random.default_rng(0).normal(size=(2, 6, 8))
    pos, omega = np.arange(6), 10000 ** (-np.arange(4) / 4)
    scores = turn(q, pos, omega) @ turn(k, pos, omega).T
    np.testing.assert_allclose(turn(q, pos + 50, omega) @ turn(k, pos + 50, omega).T, scores, atol=1e-9)

    def rope(x, sign):
        pairs = x[:, 0::2] + 1j * x[:, 1::2]
        return pairs * np.exp(sign * 1j * pos[:, None] * omega)

    half = [0, 4, 1, 5, 2, 6, 3, 7]  # the columns of D4's pairs, side by side
    sign, columns = (-1, list(range(8))) if form == "C" else (1, half)
    expected = (rope(q[:, columns], sign) @ rope(k[:, columns], sign).conj().T).real
    np.testing.assert_allclose(scores, expected, atol=1e-9)
    numbers = rope(q, 1)
    formula = np.stack([numbers.real, numbers.imag], axis=2).reshape(6, 8)
    assert not np.allclose(turn(q, pos, omega), formula)
    assert "sin" not in ITEMS[f"{form}4"].stem.partition("```")[0], "the stem does not hold the formula"
    assert says("C4", "Convention: scores depend on offsets") and says("D4", "Convention: with weights that suit it")


@pytest.mark.parametrize("form", "CD")
def test_length_2_alibi(form):
    """C5 weighs keys as ALiBi does, D5 as ALiBi with the other sign; neither has ALiBi's numbers throughout."""
    length, slope = 7, 0.25
    bias = code(f"{form}5")["bias"](length, slope)
    distance = np.arange(length)[:, None] - np.arange(length)
    alibi = -slope * distance
    scores = np.random.default_rng(0).normal(size=(length, length))

    def weights(bias):
        masked = np.where(distance < 0, -np.inf, scores + bias)
        shares = np.exp(masked - masked.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    np.testing.assert_allclose(weights(bias), weights(alibi if form == "C" else -alibi), atol=1e-12)
    assert not np.allclose(weights(-alibi), weights(alibi)), "the sign is seen"
    equal = [query for query in range(length) if np.allclose(bias[query], alibi[query])]
    assert equal == ([length - 1] if form == "C" else [])
    assert "query" not in ITEMS[f"{form}5"].stem.partition("```")[0], "the stem does not hold the formula"
    assert says("C5", "Convention: ", "plus a constant") and says("D5", "Silently wrong: the nearest keys")


@pytest.mark.parametrize("item_id, first, n, count", [("C6", 30, -30, 70), ("D6", 0, 200, 50)])
def test_length_2_keys_that_move(item_id, first, n, count):
    def rotated(x, positions):
        return x * np.exp(1j * np.asarray(positions)[:, None] * 10000 ** (-np.arange(4) / 4))

    keys, places = np.random.default_rng(0).normal(size=(count, 8)).view(complex), np.arange(first, first + count)
    cached, wanted = rotated(keys, places), rotated(keys, places + n)
    np.testing.assert_allclose(rotated(cached, [n] * count), wanted)
    for wrong in (cached, rotated(cached, np.sign(n) * places)):
        assert not np.allclose(wrong, wanted)
    assert f"positions {(places + n)[0]} to {(places + n)[-1]}" in ITEMS[item_id].stem
    assert says(item_id, f"{abs(n)} positions", "back by" if n < 0 else "on by")


def closest(rows):
    """The distance of the two rows that are most alike, and which they are."""
    apart = np.linalg.norm(rows[:, None] - rows, axis=2) + np.diag([np.inf] * len(rows))
    return apart.min(), np.unravel_index(apart.argmin(), apart.shape)


@pytest.mark.parametrize("item_id, size, one", [("C7", 14, (2, 5)), ("D7", 20, (3, 8))])
def test_uniqueness_2_sums(item_id, size, one):
    rows = exact_table(size, 64)
    sums = (rows[:, None] + rows).reshape(-1, 64)
    apart = np.linalg.norm(sums - sums[one[0] * size + one[1]], axis=1).reshape(size, size)
    assert [tuple(map(int, cell)) for cell in np.argwhere(apart < 1e-9)] == [one, one[::-1]]
    assert np.sort(apart.ravel())[2] > 0.3, "neighbours are clearly apart"
    assert says(item_id, str(one), str(one[::-1]))


@pytest.mark.parametrize("item_id, values", [("C8", np.arange(0, 61, 10.0)), ("D8", np.arange(21.0))])
def test_uniqueness_2_units(item_id, values):
    encode = code(item_id)["encode"]
    rows = encode(values)
    assert np.linalg.norm(rows - rows[0], axis=1).max() < 0.05 < 0.5 < closest(encode(values * 1000))[0]
    assert says(item_id, "Silently wrong: all waves stand nearly still")


def test_frequency_2_sizes_that_see_nothing():
    """Of the mistakes that are offered only the key agrees with the paper's table at this size."""
    exchanged = [1, 0]
    mistakes = {
        "base 10": lambda n, d: exact_table(n, d, 1000.0),
        "doubled": lambda n, d: exact_table(n, d, 1e8),
        "exchanged": lambda n, d: exact_table(n, d).reshape(n, d // 2, 2)[:, :, exchanged].reshape(n, d),
        "begin at 1": lambda n, d: exact_rows(range(1, n + 1), d),
    }
    for item_id, size, key in [("C9", (50, 2), "base 10"), ("D9", (1, 512), "doubled")]:
        assert f"max_len = {size[0]}, d_model = {size[1]}." in ITEMS[item_id].stem
        unseen = {name for name, table in mistakes.items() if np.allclose(table(*size), exact_table(*size))}
        assert key in unseen and unseen <= {"base 10", "doubled"}
        for name in mistakes:
            offered = [option for option in ITEMS[item_id].options if name in option.text]
            assert all((option.misconception is None) == (name == key) for option in offered)
    assert says("C9", "base is 1000") and says("D9", "exponents are doubled")


def test_frequency_2_speeds():
    for d in (4, 8, 64):
        formula = [10000 ** (-2 * k / d) for k in range(d // 2)]
        np.testing.assert_allclose(code("C10")["speeds"](d), formula)
        speeds = code("D10")["speeds"](d)
        np.testing.assert_allclose(speeds, [10000 ** (-k / (d // 2 - 1)) for k in range(d // 2)])
        assert not np.allclose(speeds, formula)
    assert says("C10", "Right: ") and says("D10", "Convention: ", "another last speed")
