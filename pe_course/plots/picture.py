"""A figure together with the words that describe it, for those who cannot see it and for tests."""

import io

from matplotlib.figure import Figure
from PIL import Image

# Okabe and Ito's palette: eight colours that differ for every kind of colour vision.
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, YELLOW, GREY = "#CC79A7", "#56B4E9", "#F0E442", "#777777"
LINE_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
SIGNED = "RdBu_r"  # white is 0, blue below, red above: safe for red-green blindness

PIXELS_PER_INCH = 100  # as shown in a notebook; stored with half as many again, so that it stays sharp
STORED_DPI = 150


class Picture:
    """A matplotlib figure (``.figure``) and its description (``.alt``), which is also how it prints."""

    def __init__(self, figure, title, content):
        self.figure, self.alt = figure, " ".join(f"{title.rstrip('.?')}. {content}.".split())

    def __repr__(self):
        return f"Figure: {self.alt}"

    def _repr_png_(self):
        drawn, buffer = io.BytesIO(), io.BytesIO()
        self.figure.savefig(drawn, format="png", dpi=STORED_DPI)
        # 256 colours are plenty here, and make a stored lesson three times smaller.
        small = Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.NONE)
        small.save(buffer, format="png", optimize=True)
        width, height = (round(inches * PIXELS_PER_INCH) for inches in self.figure.get_size_inches())
        return buffer.getvalue(), {"alt": self.alt, "width": width, "height": height}


def panels(title, count, width=8.0, height=3.2, ratios=None, **options):
    """A new figure, wide enough for its title, and a list of ``count`` axes side by side.

    Not pyplot's figure: nothing global, nothing to close.
    """
    figure = Figure(figsize=(max(width, 0.4 + 0.095 * len(title)), height), layout="constrained")
    figure.suptitle(title, size=11)
    axes = figure.subplots(1, count, squeeze=False, width_ratios=ratios, **options)[0]
    return figure, list(axes)
