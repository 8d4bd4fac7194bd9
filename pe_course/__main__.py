"""The command line, `python -m pe_course COMMAND`: what a command needs is loaded only when the command runs."""

import argparse
import sys
from pathlib import Path

COMMANDS = {  # a function below, and its line in --help
    "test": "sit the test before and after the course; for teachers, sum up what a class handed in",
    "progress": "show what is done, begun and open in the lessons",
    "review": "ask again what was missed in the questions of the lessons, and what is due",
}
SITTINGS = {
    "before": "before lesson 00: a coin draws the form",
    "after": "after lesson 06: the other form; then every option is explained",
    "later": "14 days after that: what has stayed",
    "before 07": "part 2, before lesson 07: a coin draws the form",
    "after 13": "part 2, after lesson 13: the other form; then every option is explained",
}
SUMMARY = "Reads every pe_test.jsonl below FOLDER, whatever its name before .jsonl, and changes none."


def main(arguments=None):
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pe_course", description="The test, the progress and the review of the course."
    )
    commands = parser.add_subparsers(required=True, metavar="|".join(COMMANDS))
    for command in (test, progress, review):
        line = COMMANDS[command.__name__]
        added = commands.add_parser(command.__name__, help=line, description=command.__doc__)
        added.set_defaults(run=command)
        if command is test:
            _add_sittings(added)
            continue
        help_folder = "the folder of your lessons; my_notebooks, unless you say otherwise"
        added.add_argument("--folder", type=Path, help=help_folder)
    added.add_argument("--anki", metavar="FILE.csv", type=Path, help="write all questions to a file that Anki reads")
    options = parser.parse_args(arguments)
    return options.run(options)


def _add_sittings(parser):
    commands = parser.add_subparsers(required=True, dest="sitting", metavar="|".join([*SITTINGS, "summary"]))
    for name, line in SITTINGS.items():
        sitting = commands.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.")
        sitting.add_argument("--file", metavar="PATH", help="where the answers are kept, if not in pe_test.jsonl here")
    summary = commands.add_parser("summary", help="for teachers: what the files in a folder say", description=SUMMARY)
    summary.add_argument("folder", metavar="FOLDER", type=Path, help="where the learners' files are, at any depth")
    summary.add_argument("--out", metavar="FOLDER", type=Path, help="write the tables (CSV) and the figure into it")


def test(options):
    """The test before and after the course, and what a class learned by it."""
    if options.sitting == "summary":
        from .assessment.summary import summarize

        return summarize(options.folder, options.out)
    from .assessment.desk import desk
    from .assessment.terminal import sit

    return sit(desk(options.sitting, options.file))


def progress(options):
    """Show what is done, begun and open in the lessons, from the record beside them."""
    from .progress.map import map_of

    return _in_folder(options, lambda folder: print(map_of(folder)))


def review(options):
    """Ask again what you missed in the questions that open the lessons, and what is due after 1, 7 and 30 days."""
    if options.anki:
        return _export(options.anki)
    from .recalling import review

    try:
        return _in_folder(options, review)
    except KeyboardInterrupt:
        print("\nStopped; what you answered is recorded.")
        return 0
    except OSError as error:
        print(f"the record cannot be read: {error.strerror}", file=sys.stderr)
        return 2


def _in_folder(options, act):
    """``act`` in the folder of the lessons, if it is one; returns the exit status."""
    from .learner_file import find
    from .progress.record import FILE

    folder = options.folder or find(FILE).parent  # that of the lessons, here or below, where a record is or belongs
    if not folder.is_dir():
        print(f"{folder} is no folder", file=sys.stderr)
        return 2
    act(folder)
    return 0


def _export(path):
    from .recalling.anki import export

    try:
        export(path)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{path}: in Anki, choose File, Import.")
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a pipe on Windows has no ✔
    sys.exit(main())
