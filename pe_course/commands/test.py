"""The test before and after the course, and what a class learned by it."""

from pathlib import Path

NAMES = {
    "before": "before lesson 00: a coin draws the form",
    "after": "after lesson 06: the other form; then every option is explained",
    "later": "14 days after that: what has stayed",
    "before 07": "part 2, before lesson 07: a coin draws the form",
    "after 13": "part 2, after lesson 13: the other form; then every option is explained",
}


def fill(parser):
    """The parser's description and arguments."""
    parser.description = __doc__
    commands = parser.add_subparsers(required=True, dest="sitting", metavar="|".join([*NAMES, "summary"]))
    for name, line in NAMES.items():
        sitting = commands.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.")
        sitting.add_argument("--file", metavar="PATH", help="where the answers are kept, if not in pe_test.jsonl here")
    summary = commands.add_parser("summary", help="for teachers: what the files in a folder say", description=SUMMARY)
    summary.add_argument("folder", metavar="FOLDER", type=Path, help="where the learners' files are, at any depth")
    summary.add_argument("--out", metavar="FOLDER", type=Path, help="write the tables (CSV) and the figure into it")


SUMMARY = "Reads every pe_test.jsonl below FOLDER, whatever its name before .jsonl, and changes none."


def run(options):
    """Sit, or sum up; returns the exit status."""
    if options.sitting == "summary":
        from ..assessment.summary import summarize

        return summarize(options.folder, options.out)
    from ..assessment.desk import desk
    from ..assessment.terminal import sit

    return sit(desk(options.sitting, options.file))
