"""What the explorers share: sliders above a picture, and figures that are drawn fast."""

import gc
import html
import io
from contextlib import contextmanager
from numbers import Integral

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from ..plots.picture import GREY, PIXELS_PER_INCH


def check_position(name, value, count):
    """Return ``value``, a position below ``count``, as an int; ValueError names the argument ``name`` otherwise."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value not in range(count):
        raise ValueError(f"{name} must be a whole number from 0 to {count - 1}, but got {value!r}")
    return int(value)


def explorer(draw, **sliders):
    """The sliders, one for each argument of ``draw``, above the `Picture` that it returns; redrawn at every move."""
    widgets = ipywidgets()
    image, words = widgets.Image(format="png"), widgets.HTML()

    def redraw(_=None):
        with no_garbage_collection():
            picture = draw(**{name: slider.value for name, slider in sliders.items()})
            image.value = png(picture)
        words.value = f"<small>{html.escape(picture.alt)}</small>"  # for those who cannot see the picture

    for slider in sliders.values():
        slider.observe(redraw, names="value")
    redraw()
    return widgets.VBox([*sliders.values(), image, words])


@contextmanager
def no_garbage_collection():
    """Put off what takes 0.15 s at about every tenth picture: it can wait until the picture has been sent."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def ipywidgets():
    """The module, imported only now: everything but the sliders works without it."""
    try:
        import ipywidgets
    except ModuleNotFoundError:
        raise ModuleNotFoundError("the sliders need ipywidgets: install it with  pip install ipywidgets") from None
    return ipywidgets


def png(picture):
    """The picture as bytes, at the size of the screen and not sharper: a slider should not have to wait."""
    buffer = io.BytesIO()
    picture.figure.savefig(buffer, format="png", dpi=PIXELS_PER_INCH, pil_kwargs={"compress_level": 1})
    return buffer.getvalue()


def figure(title, width, height, **places):
    """A figure and its axes, each at a place (left, bottom, width, height), in shares of the figure.

    Not a layout that matplotlib computes: that takes longer than the drawing.
    """
    drawn = Figure(figsize=(width, height))
    drawn.suptitle(title, size=11)
    return drawn, {name: drawn.add_axes(place) for name, place in places.items()}


def clocks(axis, count):
    """Empty clock faces in a row, face k centred at (2.5 k, 0); sine goes to the right and cosine upwards."""
    axis.set(xlim=(-1.4, 2.5 * count - 1.1), ylim=(-1.3, 1.75), aspect="equal")
    axis.set_axis_off()
    for k in range(count):
        axis.add_patch(Circle((2.5 * k, 0), 1, fill=False, edgecolor=GREY, linewidth=1))
        axis.text(2.5 * k, 1.3, f"k = {k}", ha="center", size=8)


def hands(axis, row, **style):
    """One hand on each face: ``row`` holds sine and cosine of every pair."""
    ends = [(2.5 * k, row[2 * k], row[2 * k + 1]) for k in range(len(row) // 2)]
    lines = [[(centre, 0), (centre + sine, cosine)] for centre, sine, cosine in ends]
    axis.add_collection(LineCollection(lines, **style))
