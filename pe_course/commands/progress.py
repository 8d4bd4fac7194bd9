"""Show what is done, begun and open in the lessons, from the record beside them."""

import sys
from pathlib import Path


def fill(parser):
    """The parser's description and arguments."""
    parser.description = __doc__
    parser.add_argument(
        "--folder", type=Path, help="the folder of your lessons; my_notebooks, unless you say otherwise"
    )


def run(options):
    """Print the map; returns the exit status."""
    from ..progress.map import map_of
    from ..progress.record import nearest

    folder = options.folder or nearest()
    if not folder.is_dir():
        print(f"{folder} is no folder", file=sys.stderr)
        return 2
    print(map_of(folder))
    return 0
