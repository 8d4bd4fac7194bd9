"""Lesson 02: the table as clock hands, waves and colours at once."""

from ..plots.curves import DASHES
from ..plots.picture import LINE_COLOURS, SIGNED, Picture
from ..vectorized import sinusoidal_vectorized
from .sliders import check_position, clocks, explorer, figure, hands, ipywidgets

POSITIONS = 50


def table():
    """Sliders for d_model, base and position."""
    widgets = ipywidgets()
    return explorer(
        table_picture,
        d_model=widgets.IntSlider(8, 2, 16, 2, description="d_model"),
        base=widgets.SelectionSlider(options=[10, 100, 1000, 10_000, 100_000], value=10_000, description="base"),
        pos=widgets.IntSlider(5, 0, POSITIONS - 1, description="position"),
    )


def table_picture(d_model=8, base=10_000, pos=5):
    """Row ``pos`` of a table of 50 positions: as hands, as a cut through the sines, and as a row of colours."""
    rows = sinusoidal_vectorized(POSITIONS, d_model, base)
    if d_model % 2:
        raise ValueError(f"d_model must be even, such as 8: a hand shows a sine and a cosine, but got {d_model}")
    pos = check_position("pos", pos, POSITIONS)
    pairs = d_model // 2
    title = f"d_model = {d_model}, base = {base:,}: position {pos}"
    drawn, axes = figure(
        title, 8.4, 4.2, hands=(0.02, 0.62, 0.96, 0.3), waves=(0.09, 0.12, 0.48, 0.46), cells=(0.65, 0.12, 0.33, 0.46)
    )
    clocks(axes["hands"], pairs)
    colours = [LINE_COLOURS[k % 6] for k in range(pairs)]  # a hand and its wave have one colour
    hands(axes["hands"], rows[pos], color=colours, linewidth=2.4)

    for k, colour in enumerate(colours):
        axes["waves"].plot(rows[:, 2 * k], color=colour, linestyle=DASHES[(k + k // 6) % 6], linewidth=1.3)
    axes["waves"].axvline(pos, color="black", linewidth=1)
    axes["waves"].plot([pos] * pairs, rows[pos, 0::2], "o", color="black", markersize=4)
    axes["waves"].set(xlabel="position pos", ylabel="sine of each pair", xlim=(0, POSITIONS - 1), ylim=(-1.1, 1.1))

    axes["cells"].imshow(rows, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    axes["cells"].axhline(pos, color="black", linewidth=1.5)
    axes["cells"].set(xlabel="column j", ylabel="position pos")

    values = " ".join(f"{value:.2f}" for value in rows[pos])
    content = f"{pairs} clock hands, {pairs} waves cut at the position, and a heatmap with row {pos} marked: {values}"
    return Picture(drawn, title, content)
