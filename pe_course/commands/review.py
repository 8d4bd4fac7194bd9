"""Ask again what you missed in the questions that open the lessons, and what is due after 1, 7 and 30 days."""

import sys
from pathlib import Path

from .progress import fill as fill_folder


def fill(parser):
    """The parser's description and arguments."""
    fill_folder(parser)
    parser.description = __doc__
    parser.add_argument("--anki", metavar="FILE.csv", type=Path, help="write all questions to a file that Anki reads")


def run(options):
    """Ask, or write the file; returns the exit status."""
    if options.anki:
        return _export(options.anki)
    from ..progress.record import nearest
    from ..recalling.reviewing import review

    folder = options.folder or nearest()
    if not folder.is_dir():
        print(f"{folder} is no folder", file=sys.stderr)
        return 2
    try:
        review(folder)
    except KeyboardInterrupt:
        print("\nStopped; what you answered is recorded.")
    except OSError as error:
        print(f"the record cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _export(path):
    from ..recalling.anki import export

    try:
        export(path)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{path}: in Anki, choose File, Import.")
    return 0
