"""explore/: what the pictures show at a setting of the sliders, and that moving a slider redraws them."""

import builtins
import gc
import subprocess
import sys

import numpy as np
import pytest
import torch
from matplotlib.patches import Circle
from oracle import exact_rows, refuses

from pe_lib import explore
from pe_lib.explore.shapes import ADDED, outcome
from pe_lib.explore.sliders import no_garbage_collection, png

PICTURES = {
    explore.table_picture: [{}, {"d_model": 2, "base": 10, "pos": 0}, {"d_model": 16, "base": 100_000, "pos": 49}],
    explore.axes_picture: [{}, {"batch": 6, "length": 10, "max_len": 10}, *({"added": added} for added in ADDED)],
    explore.offsets_picture: [{}, {"first": 0, "offset": 0}, {"first": 59, "offset": 59}],
}
SETTINGS = [(draw, setting) for draw, settings in PICTURES.items() for setting in settings]
every_setting = pytest.mark.parametrize("draw, setting", SETTINGS)


def hands_of(axis):
    """Per collection of hands the (sine, cosine) of each, read from the drawing."""
    return [
        [tuple(np.subtract(end, start)) for start, end in collection.get_segments()] for collection in axis.collections
    ]


@every_setting
def test_the_same_setting_draws_the_same_picture(draw, setting):
    first, second = draw(**setting), draw(**setting)
    assert png(first) == png(second)
    assert first.alt == second.alt and "\n" not in first.alt


@every_setting
def test_nothing_is_drawn_outside_the_figure(draw, setting):
    figure = draw(**setting).figure
    figure.draw_without_rendering()
    for axis in figure.axes:
        for label in [*axis.texts, axis.xaxis.label, axis.yaxis.label, *figure.texts]:
            box = label.get_window_extent()
            if label.get_text():
                assert box.x0 >= 0 and box.y0 >= 0, label
                assert box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height, label


# The table


@pytest.mark.parametrize("d_model, base, pos", [(8, 10_000, 5), (2, 10, 49), (16, 100, 0)])
def test_table_shows_the_row_as_hands_dots_and_a_line(d_model, base, pos):
    picture = explore.table_picture(d_model, base, pos)
    hands, waves, cells = picture.figure.axes
    row = exact_rows([pos], d_model, base)[0]
    assert len([patch for patch in hands.patches if isinstance(patch, Circle)]) == d_model // 2
    assert np.allclose(np.ravel(hands_of(hands)[0]), row, atol=1e-12)
    assert np.allclose(waves.lines[-1].get_ydata(), row[0::2], atol=1e-12)
    assert set(waves.lines[-1].get_xdata()) == {pos}
    assert np.allclose(np.asarray(cells.images[0].get_array())[pos], row, atol=1e-12)
    assert cells.lines[0].get_ydata() == [pos, pos]
    assert f"d_model = {d_model}, base = {base:,}: position {pos}" in picture.alt


@pytest.mark.parametrize("pos", [-1, 50, 2.5, 5.0, True, "7", None])
def test_table_refuses_what_is_no_position(pos):
    with refuses(ValueError, "pos must be a whole number from 0 to 49", f"got {pos!r}"):
        explore.table_picture(pos=pos)


@pytest.mark.parametrize(
    "setting, exception, words",
    [
        ({"d_model": 7}, ValueError, ["d_model must be even, such as 8", "got 7"]),
        ({"d_model": 0}, ValueError, ["d_model must be at least 1", "got 0"]),
        ({"base": -1}, ValueError, ["base must be a finite number of at least 1e-6", "got -1"]),
    ],
)
def test_table_refuses_sizes_that_it_cannot_draw(setting, exception, words):
    with refuses(exception, *words):
        explore.table_picture(**setting)


# The axes


@pytest.mark.parametrize(
    "sizes, added, verdict, sentence",
    [
        ((2, 5, 8), "pe[:, :x.shape[1]]", "right", "the row of its position"),
        ((2, 5, 8), "pe", "error", "RuntimeError: The size of tensor a (5) must match"),
        ((2, 8, 8), "pe", "right", "the row of its position"),
        ((2, 1, 8), "pe", "silently wrong", "the sum has grown to (2, 8, 4)"),
        ((2, 5, 8), "pe[:x.shape[0]]", "error", "RuntimeError"),
        ((2, 5, 8), "pe[:, x.shape[1]]", "silently wrong", "every token gets row 5"),
        ((2, 8, 8), "pe[:, x.shape[1]]", "error", "IndexError: index 8 is out of bounds"),
        ((2, 5, 8), "pe_first[:x.shape[0]]", "silently wrong", "every token of a sample gets the same row"),
        ((1, 5, 8), "pe_first[:x.shape[0]]", "silently wrong", "every token gets row 0"),
        ((2, 5, 8), "pe_first[:x.shape[1]]", "error", "RuntimeError"),
        ((3, 3, 8), "pe_first[:x.shape[1]]", "silently wrong", "every token of a sample gets the same row"),
        ((1, 5, 8), "pe_first[:x.shape[1]]", "silently wrong", "the sum has grown to (5, 5, 4)"),
        ((2, 9, 8), "pe[:, :x.shape[1]]", "error", "RuntimeError: The size of tensor a (9)"),
        ((2, 5, 1), "pe[:, :x.shape[1]]", "silently wrong", "every token gets row 0"),
    ],
)
def test_axes_says_what_becomes_of_a_sum(sizes, added, verdict, sentence):
    found, words, *_ = outcome(*sizes, added)
    assert (found, sentence in words) == (verdict, True), words
    picture = explore.axes_picture(*sizes, added)
    assert f"x + {added}: {verdict}." in picture.alt and sentence in picture.alt


@pytest.mark.parametrize("added", ADDED)
def test_axes_evaluates_the_expression_that_it_names(added):
    for batch, length, max_len in [(2, 5, 8), (3, 3, 8), (2, 8, 8), (1, 1, 4), (2, 1, 3), (4, 2, 2)]:
        pe = torch.arange(max_len).float().view(1, -1, 1).expand(1, max_len, 4)
        x = torch.zeros(batch, length, 4)
        try:
            total = eval(f"x + {added}", {"x": x, "pe": pe, "pe_first": pe.transpose(0, 1)})
        except (RuntimeError, IndexError):
            assert outcome(batch, length, max_len, added)[0] == "error"
        else:
            verdict, _, _, told = outcome(batch, length, max_len, added)
            expected = pe[:, :length].expand(batch, -1, -1)
            assert (verdict == "right") == (total.shape == x.shape and torch.equal(total, expected))
            assert (told is None) == (total.shape != x.shape)
            if told is not None:
                assert told.tolist() == total[:, :, 0].tolist()


def test_axes_shows_both_shapes_the_result_and_the_rows():
    shapes, rows = explore.axes_picture(2, 5, 8).figure.axes
    assert [text.get_text() for text in shapes.texts] == [
        *("x", "pe[:, :x.shape[1]]", "result"),
        *("2", "1 → 2", "2", "5", "5", "5", "4", "4", "4"),
    ]
    assert [text.get_text() for text in rows.texts][1:] == list("0123401234")


@pytest.mark.parametrize(
    "setting, exception, words",
    [
        ({"added": "pe[0]"}, ValueError, ["added must be one of pe[:, :x.shape[1]], pe,", "got 'pe[0]'"]),
        ({"batch": 0}, ValueError, ["batch must be at least 1", "got 0"]),
        ({"length": 2.5}, TypeError, ["length must be a whole number", "got 2.5"]),
        ({"max_len": None}, TypeError, ["max_len must be a whole number", "got None"]),
    ],
)
def test_axes_refuses_and_says_what_works(setting, exception, words):
    with refuses(exception, *words):
        explore.axes_picture(**setting)


# The offsets


@pytest.mark.parametrize("first, offset", [(3, 5), (0, 0), (59, 59), (0, 59)])
def test_offsets_show_both_hands_and_the_product(first, offset):
    picture = explore.offsets_picture(first, offset)
    hands, products = picture.figure.axes
    rows = exact_rows([first, first + offset], 16)
    drawn = hands_of(hands)
    assert np.allclose(np.ravel(drawn[0]), rows[0], atol=1e-12)
    assert np.allclose(np.ravel(drawn[1]), rows[1], atol=1e-12)
    mark = products.lines[-1]
    assert mark.get_xdata() == [offset] and mark.get_ydata()[0] == pytest.approx(rows[0] @ rows[1], abs=1e-12)
    assert products.lines[0].get_ydata()[offset] == pytest.approx(mark.get_ydata()[0], abs=1e-12)  # on the curve
    for k, arc in enumerate(hands.lines):  # from the direction of the first hand to that of the second
        ends = np.column_stack([arc.get_xdata() - 2.5 * k, arc.get_ydata()])[[0, -1]] / 0.55
        assert np.allclose(ends, rows.reshape(2, 8, 2)[:, k], atol=1e-12)


def test_offsets_say_the_same_product_wherever_the_first_position_is():
    titles = [explore.offsets_picture(first, offset=7).figure._suptitle.get_text() for first in range(0, 60, 7)]
    assert len({title.partition("offset 7: ")[2] for title in titles}) == 1 < len(set(titles))


@pytest.mark.parametrize("name", ["first", "offset"])
@pytest.mark.parametrize("value", [-1, 60, 2.5, 5.0, True, "7", None])
def test_offsets_refuse_what_is_no_position(name, value):
    with refuses(ValueError, f"{name} must be a whole number from 0 to 59", f"got {value!r}"):
        explore.offsets_picture(**{name: value})


# The sliders


@pytest.mark.parametrize(
    "make, move",
    [
        (explore.table, {"description": "position", "value": 17}),
        (explore.axes, {"description": "length", "value": 9}),
        (explore.offsets, {"description": "offset", "value": 40}),
    ],
)
def test_moving_a_slider_redraws(make, move):
    pytest.importorskip("ipywidgets")
    explorer = make()
    *sliders, image, words = explorer.children
    before, said = bytes(image.value), words.value
    (slider,) = [slider for slider in sliders if slider.description == move["description"]]
    slider.value = move["value"]
    assert bytes(image.value) != before and bytes(image.value).startswith(b"\x89PNG")
    assert words.value != said and str(move["value"]) in words.value


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_put_off_and_left_as_it_was(enabled):
    (gc.enable if enabled else gc.disable)()
    try:
        with pytest.raises(ZeroDivisionError), no_garbage_collection():
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


@pytest.mark.parametrize("make", [explore.table, explore.axes, explore.offsets])
def test_without_ipywidgets_one_line_says_what_to_install(monkeypatch, make):
    real = builtins.__import__

    def without(name, *rest):
        if name == "ipywidgets":
            raise ModuleNotFoundError("No module named 'ipywidgets'")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with refuses(ModuleNotFoundError, "the sliders need ipywidgets: install it with  pip install ipywidgets"):
        make()


def test_pictures_need_no_ipywidgets():
    code = "import sys; from pe_lib import explore; explore.table_picture(); print('ipywidgets' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "False"
