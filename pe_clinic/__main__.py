"""The command line: `python -m pe_clinic FILE[:NAME]`."""

import argparse
import os
import sys


def main(arguments=None, apart=None):
    """Run the command line; returns the exit status. ``apart`` does the work elsewhere, in a child process."""
    from . import command

    parser = argparse.ArgumentParser(prog="python -m pe_clinic")
    command.fill(parser)
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:
        parser.print_help()
        return 2
    options = parser.parse_args(arguments)
    status, text = _asked(command, options, apart)
    out = sys.stdout if options.json or status != 2 else sys.stderr
    if out.isatty() and not options.json and "NO_COLOR" not in os.environ:
        text = command.coloured(text)
    print(text, file=out, flush=True)
    return status


def _asked(command, options, apart):
    if apart is None:
        return command.answer(options)
    from .sandbox.apart import Ended

    try:
        return apart(lambda: command.answer(options))
    except Ended as end:
        return command.stopped(options, str(end))


if __name__ == "__main__":
    from pe_clinic.sandbox.apart import apart

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a pipe on Windows has no ✔
    sys.exit(main(apart=apart))
