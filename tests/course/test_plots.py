"""What the figures show: nbval does not compare pictures, so their content is asserted here."""

import io
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from course import ROOT
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.image import imread
from matplotlib.patches import FancyBboxPatch, Patch, Rectangle
from oracle import refuses

from pe_course import plots
from pe_course.judges.known import pages
from pe_course.plots.curves import DASHES
from pe_course.plots.picture import BLUE, ORANGE, VERMILION, YELLOW
from pe_lib import sinusoidal_vectorized

TABLE = sinusoidal_vectorized(20, 8)


def texts(axis):
    return " ".join(text.get_text() for text in axis.texts)


def colours(axis, kind=Rectangle):
    return [to_hex(patch.get_facecolor()).upper() for patch in axis.patches if isinstance(patch, kind)]


def test_a_picture_is_a_sharp_png_with_its_description_and_the_same_twice():
    picture, again = (plots.heatmaps("Fast left, slow right", {"d_model = 8": TABLE}) for _ in range(2))
    data, metadata = picture._repr_png_()
    height, width = imread(io.BytesIO(data)).shape[:2]
    assert metadata["alt"] == picture.alt and again._repr_png_()[0] == data
    assert (width, height) == (1.5 * metadata["width"], 1.5 * metadata["height"])
    assert repr(picture) == f"Figure: {picture.alt}"


def test_a_title_and_the_sign_between_matrices_have_their_room():
    picture = plots.matrices("A title that is much longer than a matrix with a single column is wide", {"m": [[1.0]]})
    picture.figure.draw_without_rendering()
    title = picture.figure._suptitle.get_window_extent()
    assert title.x0 >= 0 and title.x1 <= picture.figure.bbox.width
    figure = plots.matrices("m", {"a": [[1]], "b": [[2]]}, rows=["a long label of a row"], between=["="]).figure
    figure.draw_without_rendering()
    first, second = figure.axes
    assert first.texts[-1].get_window_extent().x1 < second.get_yticklabels()[0].get_window_extent().x0


def test_one_nan_does_not_take_the_colours_of_the_other_cells():
    image = plots.matrices("m", {"a": [[np.nan, -1, 1]]}).figure.axes[0].images[0]
    assert len({image.to_rgba(value) for value in (-1.0, 1.0)}) == 2


def test_a_token_sum_names_words_positions_and_both_and_pairs_their_conventions():
    axes = plots.token_sum("s", ["dog", "man"], torch.eye(2), torch.ones(2, 2)).figure.axes
    axes += plots.pairs("p", {"chunked": [0], "interleaved": [0]}, ["time"]).figure.axes
    labels = [[label.get_text() for label in axis.get_yticklabels()] for axis in axes]
    assert labels == [["dog", "man"], ["pos 0", "pos 1"], ["dog at 0", "man at 1"], ["chunked", "interleaved"]]


NAMES = {"plots": plots, "np": np, "torch": torch, "TABLE": TABLE, "ROWS": torch.from_numpy(TABLE[:3])}
SECTIONS = pages(__file__.replace("test_plots", "pictures"), {})


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("drawing, said", SECTIONS["seen"].entries)
def test_a_description_is_one_line_with_what_is_seen(drawing, said):
    picture = eval(drawing, NAMES)
    assert said in picture.alt and "\n" not in picture.alt
    assert picture._repr_png_()


@pytest.mark.parametrize("drawing, said", SECTIONS["drawn"].entries)
def test_what_is_written_into_a_drawing(drawing, said):
    assert " | ".join(texts(axis) for axis in eval(drawing, NAMES).figure.axes) == said


def test_colours_mark_what_the_words_name():
    """Cells by their first letter, also of more kinds than there are colours; pairs by their axis."""
    cells, more = plots.cells("c", {"table": [[*"abcdef"], ["", "c9", *"cghi"]], "more": [["b"]]}).figure.axes
    first = colours(cells)
    assert len(set(first[:6])) == 6 and first[2] == first[7] == first[8] and colours(more) == first[1:2]
    rows = {"one": {"a": True, "b": False}, "two": {"a": "error", "b": "silently wrong"}}
    (axis,) = plots.scoreboard("s", rows).figure.axes
    assert colours(axis) == [BLUE, VERMILION, YELLOW, VERMILION]
    (axis,) = plots.aligned("a", {"x": (2, 5, 6), "pe": (1, 8, 6)}).figure.axes
    assert colours(axis)[1] == ORANGE and colours(axis)[3:6] == [VERMILION] * 3, "stretched, and a clash"
    (axis,) = plots.pairs("p", {"a": [0, 0, 1, 2], "b": [0, 1, 2, 0]}, ["time", "row", "column"]).figure.axes
    shown = colours(axis)
    assert shown[0] == shown[1] == shown[4] == shown[7] and len(set(shown)) == 3
    (axis,) = plots.lanes("l", {"key": ["x", "RoPE"], "value": ["x"]}, end="attend").figure.axes
    assert [place for place, colour in enumerate(colours(axis, FancyBboxPatch)) if colour == ORANGE] == [1]
    (axis,) = plots.cache("c", {"cache": [None, 1], "next": [0, 1]}).figure.axes
    assert [place for place, colour in enumerate(colours(axis, Patch)) if colour == VERMILION] == [3], "the new key"


@pytest.mark.parametrize("drawing, said", SECTIONS["refused"].entries)
def test_other_shapes_axes_columns_and_verdicts_are_refused(drawing, said):
    with refuses(ValueError, said):
        eval(drawing, NAMES)


def test_heatmaps_show_the_tables_on_one_scale_and_a_square_one_with_its_diagonal():
    figure = plots.heatmaps("h", {"A": TABLE, "B": -TABLE}).figure
    images = [axis.images[0] for axis in figure.axes if axis.images]
    assert [np.asarray(image.get_array()).tolist() for image in images] == [TABLE.tolist(), (-TABLE).tolist()]
    assert {image.get_clim() for image in images} == {(-1, 1)}
    assert [axis.get_xlabel() for axis in figure.axes[:2]] == ["column j", "column j"]
    assert figure.axes[0].get_ylabel() == "position pos"
    square, table = (plots.heatmaps("h", {"A": np.eye(n, 5)}) for n in (5, 6))
    axis, other = square.figure.axes[0], table.figure.axes[0]
    assert axis.get_aspect() == 1 and other.get_aspect() == "auto"
    (diagonal,) = axis.lines
    assert tuple(diagonal.get_xdata()) == tuple(diagonal.get_ydata()) == (-0.5, 4.5) and not list(other.lines)
    assert axis.get_ylim() == (4.5, -0.5)  # row 0 stays on top
    assert "diagonal" not in table.alt
    patches = plots.heatmaps("t", {"m": np.eye(4)}, rows="row", columns="column")
    assert not patches.figure.axes[0].lines and "diagonal" not in patches.alt


def test_curves_draw_the_values_given_and_six_differ_even_without_colour():
    (axis,) = plots.curves("c", {"sine": TABLE[:, 0], "cosine": TABLE[:, 1]}, xlabel="pos").figure.axes
    first, second = axis.lines
    assert np.array_equal(first.get_ydata(), TABLE[:, 0])
    assert first.get_color() != second.get_color() and first.get_linestyle() != second.get_linestyle()
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["sine", "cosine"]
    assert axis.get_xlabel() == "pos"
    (axis,) = plots.curves("c", {f"column {j}": TABLE[:, 0] for j in range(6)}, dots=True).figure.axes
    assert len({line.get_marker() for line in axis.lines}) == len(set(DASHES)) == 6


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no HOME")
@pytest.mark.slow
def test_matplotlib_does_not_warn_where_home_cannot_be_written():
    """As in a container for somebody without a home; another warning of matplotlib's is still heard."""
    program = "from pe_course import plots; import logging; logging.getLogger('matplotlib').warning('heard')"
    environment = {name: value for name, value in os.environ.items() if name not in ("MPLCONFIGDIR", "XDG_CONFIG_HOME")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env={**environment, "HOME": os.devnull}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "heard\n")


def test_clock_hands_end_at_sine_and_cosine():
    figure = plots.clock_hands("k", TABLE, positions=[0, 3], captions=["ω = 1", "b", "c", "d"]).figure
    assert len(figure.axes) == 4
    newest = figure.axes[1].lines[-1]
    assert newest.get_xdata()[1] == TABLE[3, 2] and newest.get_ydata()[1] == TABLE[3, 3]
    assert newest.get_color() == VERMILION
    assert figure.axes[0].get_title() == "pair k = 0\nω = 1"


shapes = st.lists(st.integers(0, 4), max_size=3).map(tuple)


@given(shapes, shapes)
def test_lining_up_agrees_with_torch(a, b):
    try:
        expected = list(torch.broadcast_shapes(a, b))
    except RuntimeError:
        expected = None
    sizes = [result for *_, result in plots.line_up(a, b)]
    assert (None in sizes) if expected is None else sizes == expected


def test_tensors_draw_as_many_rows_as_they_have_up_to_eight():
    named = {str(n): {"sequence": n, "width": 6} for n in (5, 8, 100)}
    short, long, longest = plots.tensors("Rows", named).figure.axes
    assert [len(pane.lines) - 5 for pane in (short, long, longest)] == [4, 7, 7]  # between rows; 5 are columns
