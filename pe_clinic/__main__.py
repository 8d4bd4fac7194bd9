"""The command line: `python -m pe_clinic FILE[:NAME]`."""

import argparse
import sys


def main(arguments=None):
    """Run the command line; returns the exit status."""
    from . import command

    parser = argparse.ArgumentParser(prog="python -m pe_clinic")
    command.fill(parser)
    return command.run(parser.parse_args(arguments))


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a pipe on Windows has no ✔
    sys.exit(main())
