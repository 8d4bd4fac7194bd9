"""explore/: the numbers that an explorer computes in the browser are pe_lib's, and what a notebook gets to show.

What it draws with them, and that its sliders move, is tested in a browser: test_browser.py, test_browser_pages.py.
"""

import itertools
import json
import re
import sys

import numpy as np
import pytest
import torch
from course import ROOT, pyproject
from matplotlib import colormaps
from oracle import exact_rows, exact_table
from programs import computed

from pe_course import explore
from pe_course.explore.widget import as_html, source
from pe_course.judges.known import pages
from pe_lib import frequencies, rope_interleaved, sinusoidal_grid, sinusoidal_vectorized

EXPLORERS = {name: getattr(explore, name) for name in explore.__all__}
every_explorer = pytest.mark.parametrize("name", EXPLORERS)
asking = pytest.mark.parametrize("name", sorted(EXPLORERS.keys() - {"hero", "broken"}))  # these show, and play
ORDERS = [list(order) for order in itertools.permutations(["dog", "bites", "man"])]

# The first page


def drawn_vectors():
    """The words' vectors and the three matrices, from the seed that attention.js names."""
    seed = np.random.default_rng(2271)
    vectors = dict(zip(ORDERS[0], seed.uniform(-1, 1, (3, 4)).round(2), strict=True))
    return vectors, [seed.uniform(-1, 1, (4, 4)).round(2) for _ in range(3)]


def attended(order, table):
    """What torch's attention makes of each word."""
    vectors, matrices = drawn_vectors()
    x = np.array([vectors[word] for word in order]) + (exact_rows(range(3), 4) if table else 0)
    q, k, v = (torch.tensor(x) @ torch.tensor(matrix) for matrix in matrices)
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return dict(zip(order, output.tolist(), strict=True))


def test_outputs_of_the_first_page_are_those_of_torchs_attention():
    states = [[order, table] for order in ORDERS for table in (False, True)]
    found = computed(source("hero"), f"{json.dumps(states)}.map(([order, table]) => attend(order, table))")
    for state, outputs in zip(states, found, strict=True):
        expected = attended(*state)
        assert outputs.keys() == expected.keys()
        for word, output in outputs.items():
            assert np.allclose(output, expected[word], rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS[1:])
def test_only_the_table_tells_two_orders_apart(order):
    """Equal in all digits but the last without it, and different in the two digits that are shown with it."""
    signs = "['dog', 'bites', 'man'].map((word) => equal(attend(WORDS, {0})[word], attend({1}, {0})[word]))"
    assert computed(source("hero"), signs.format("false", order)) == [True] * 3
    assert computed(source("hero"), signs.format("true", order)) == [False] * 3
    first, second = attended(ORDERS[0], True), attended(order, True)
    assert all(np.abs(np.subtract(first[word], second[word])).max() > 0.05 for word in order)


SAID = pages(__file__.replace("test_explore", "explorers"), {})


@pytest.mark.parametrize("name", SAID)
def test_a_program_says_what_is_seen(name):
    values = computed(source(name), f"[{', '.join(expression for expression, _ in SAID[name].entries)}]")
    for value, (expression, words) in zip(values, SAID[name].entries, strict=True):
        assert words in str(value), expression


@pytest.mark.parametrize("dark", [False, True])
def test_a_number_can_be_read_on_its_shade(dark):
    """Contrast of 4.5 or more at every value, as WCAG 2 defines it."""
    values = np.linspace(-1, 1, 201).tolist()
    shades = f"{values}.map((value) => shade(value, {json.dumps(dark)}))"
    pairs = computed(source("hero"), f"{shades}.map((colour) => [colour, readable(colour)])")
    for colour, text in pairs:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.divide(colour, 255)]
        ground = np.dot([0.2126, 0.7152, 0.0722], linear)
        contrast = (ground + 0.05) / 0.05 if text == "#000" else 1.05 / (ground + 0.05)
        assert contrast >= 4.5


@pytest.mark.parametrize(("value", "colour"), [(-1, "053061"), (0, "f7f7f7"), (1, "67001f"), (0.5, None), (-0.3, None)])
def test_shades_are_those_of_the_figures(value, colour):
    """matplotlib's RdBu, reversed: red above 0."""
    cmap = colormaps["RdBu_r"]
    found = computed(source("hero"), f"shade({value})")
    assert np.allclose(found, np.multiply(cmap((value + 1) / 2)[:3], 255), atol=4)
    assert colour in (None, "".join(f"{part:02x}" for part in found))


NUMBERS = pages(__file__.replace("test_explore", "explorer_numbers"), {})
NAMES = {"np": np, "exact_rows": exact_rows, "frequencies": frequencies, "exact_table": exact_table}
NAMES |= {"sinusoidal_vectorized": sinusoidal_vectorized, "sinusoidal_grid": sinusoidal_grid}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_of_a_program_are_those_of_the_library_and_of_50_digits(name):
    entries = NUMBERS[name].entries
    for number, (_, expected) in zip(
        computed(source(name), f"[{', '.join(e for e, _ in entries)}]"), entries, strict=True
    ):
        assert np.allclose(number, eval(expected, NAMES), rtol=0, atol=1e-12), expected


def test_offsets_say_where_rows_farther_apart_are_more_alike():
    said = computed(source("offsets"), "range(60).map((offset) => seen({ first: 11, offset }))")
    curve = exact_rows([0], 16) @ exact_rows(range(60), 16).T
    rises = [offset for offset in range(1, 60) if curve[0, offset] > curve[0, offset - 1]]
    assert [offset for offset, words in enumerate(said) if "more alike" in words] == rises
    assert rises, "the question has an answer"


def test_scores_are_those_of_rope():
    states = [{"m": m, "n": n, "extra": extra} for m in (0, 20, 59) for n in (0, 12, 59) for extra in (0, 6, 20)]
    query, found = computed(source("turns"), f"[QUERY, {json.dumps(states)}.map(score)]")
    q = torch.tensor([query], dtype=torch.float64)
    for state, score in zip(states, found, strict=True):
        key = rope_interleaved(q, [state["extra"]])
        expected = rope_interleaved(q, [state["m"]]) @ rope_interleaved(key, [state["n"]]).T
        assert score == pytest.approx(expected.item(), abs=1e-12)


def expected(batch, length, max_len, added):
    """What torch makes of the expression: ("error", its message), or the verdict and the row that each token gets."""
    pe = torch.arange(max_len).float().view(1, -1, 1).expand(1, max_len, 4)
    x = torch.zeros(batch, length, 4)
    try:
        total = eval(f"x + {added}", {"x": x, "pe": pe, "pe_first": pe.transpose(0, 1)})
    except (RuntimeError, IndexError) as error:
        return "error", f"{type(error).__name__}: {error}".strip(), None
    if total.shape != x.shape:
        return "silently wrong", f"the sum has grown to {tuple(total.shape)}", None
    right = max_len >= length and torch.equal(total, pe[:, :length].expand(batch, -1, -1))
    return "right" if right else "silently wrong", None, total[:, :, 0].int().tolist()


def test_axes_say_what_becomes_of_every_sum():
    """In all sizes: the verdict, the error word for word, and the rows, are those of torch."""
    added = computed(source("axes"), "ADDED")
    sizes = [(b, n, m) for b, n, m in itertools.product(range(1, 7), range(1, 11), range(1, 11))]
    states = [dict(batch=b, length=n, max_len=m, added=name) for name in added for b, n, m in sizes]
    found = computed(source("axes"), f"{json.dumps(states)}.map(outcome)")
    verdicts = set()
    for state, got in zip(states, found, strict=True):
        verdict, sentence, rows = expected(**state)
        assert (got["verdict"], got["rows"]) == (verdict, rows), (state, got)
        assert sentence in (None, got["sentence"]), (state, got)
        verdicts.add((state["added"], verdict))
    wrong = {name for name, verdict in verdicts if verdict == "silently wrong"}
    assert wrong == set(added), "the question, how many can be wrong without an error, has the answer: all"


@pytest.mark.slow
@asking
def test_a_program_asks_a_question_and_starts_within_its_sliders(name):
    program = source(name)
    assert re.search(r"^  question: \".*\?.*\",$", program, re.M)
    sliders = re.findall(r"start: (\w+)(?:, min: (\w+))?, max: ([\w *-]+)", program)
    for start, low, high in sliders:
        low, start, high = computed(program, f"[{low or 0}, {start}, {high}]")
        assert low <= start <= high
    assert sliders


@every_explorer
def test_a_notebook_gets_the_program_as_a_widget_and_without_anywidget_in_the_output(name, monkeypatch):
    """The second as on Colab: the lesson goes on, and the sliders move."""
    widget = EXPLORERS[name]()
    assert widget._esm == source(name) and ".pe-explorer" in widget._css
    data, *_ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == "Sliders: they move in a running notebook."
    widget.close()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    output = EXPLORERS[name]()
    assert output._repr_html_() == as_html(name) and source(name) in as_html(name)
    assert repr(output) == "Sliders: they move in a running notebook."


def test_what_is_installed_holds_the_programs():
    """Where pe_lib is installed and not linked to, as on Colab, a file that is no Python comes along if it is named."""
    named = pyproject()["tool"]["setuptools"]["package-data"]
    places = [(ROOT / folder.replace(".", "/"), pattern) for folder, patterns in named.items() for pattern in patterns]
    found = {path for folder, pattern in places for path in folder.glob(pattern)}
    packages = [ROOT / name for name in ("pe_lib", "pe_clinic", "pe_course")]
    files = {path for package in packages for path in package.rglob("*.*") if path.suffix not in (".py", ".pyc")}
    assert found == files
