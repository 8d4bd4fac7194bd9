"""Lesson 10, The bug clinic."""

from torch import nn

from ..diagnosis import diagnose_layer, diagnose_table
from ..diagnosis.calling import in_order
from ..diagnosis.run import Failed, run
from ..judges import value
from .exercise import Exercise


def _own_code(mine):
    """A class of layers, or a function that makes one, is a layer; all else should give a table."""
    try:
        made = run("mine", in_order(mine, ("d_model", "max_len")), 8, 5)
    except (Failed, TypeError):
        made = None
    return (diagnose_layer if isinstance(made, nn.Module) else diagnose_table)(mine)


EXERCISES = {
    "10.1": Exercise(
        1,
        value(
            "c",
            replies=[
                ("a", "With one pair the exponent is 0, so most frequency mistakes cannot show."),
                ("b", "With one row every angle is 0: only a mistake in row 0 or in the layout can show."),
                ("d", "An even width cannot see case 6, and max_len = d_model cannot see a transposed table."),
            ],
        ),
        "More than one row, more than one pair, an odd width, and two sizes that differ.",
    ),
    "10.2": Exercise(3, diagnose_table, "The paper's table, in four lines."),
    "10.3": Exercise(3, diagnose_layer, "Right at every shape; the table's axis of size 1 is the batch axis."),
    "10.4": Exercise(3, _own_code, "This code holds the paper's encoding."),
}
