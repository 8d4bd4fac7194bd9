"""The command line, `python -m pe_course COMMAND`: a command's module is loaded only when the command is asked for."""

import argparse
import sys
from importlib import import_module

COMMANDS = {  # a module of pe_course.commands, and its line in --help
    "test": "sit the test before and after the course; for teachers, sum up what a class handed in",
    "progress": "show what is done, begun and open in the lessons",
    "review": "ask again what was missed in the questions of the lessons, and what is due",
}


def main(arguments=None):
    """Run the command line; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    wanted = next((argument for argument in arguments if argument in COMMANDS), None)
    parser = argparse.ArgumentParser(
        prog="python -m pe_course", description="The test, the progress and the review of the course."
    )
    commands = parser.add_subparsers(required=True, metavar="|".join(COMMANDS))
    parsers = {name: commands.add_parser(name, help=line) for name, line in COMMANDS.items()}
    if wanted:
        command = import_module(f".commands.{wanted}", __package__)
        command.fill(parsers[wanted])
    options = parser.parse_args(arguments)
    return command.run(options)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a pipe on Windows has no ✔
    sys.exit(main())
