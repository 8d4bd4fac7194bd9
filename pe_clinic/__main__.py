"""The command line: `python -m pe_clinic FILE[:NAME]`."""

import json
import os
import sys


def main(arguments=None, apart=None):
    """Run the command line; returns the exit status. ``apart`` does the work elsewhere, in a child process."""
    from . import command

    arguments = sys.argv[1:] if arguments is None else arguments
    parser = command.Parser("python -m pe_clinic")
    command.fill(parser)
    if not arguments:
        parser.print_help()
        return 2
    try:
        options = parser.parse_args(arguments)
    except command.Misused as problem:
        return _shown("--json" in arguments, *command.stopped(f"{problem}; see python -m pe_clinic --help"))
    if apart is None:
        return _shown(options.json, *command.answer(options))
    from .sandbox.apart import Ended

    try:
        answer = apart(lambda: command.answer(options))
    except Ended as end:
        answer = command.stopped(f"{end}")
    return _shown(options.json, *answer)


def _shown(as_json, status, text, data):
    """Print one of the two; a closed screen, or a pipe that nobody reads, does not change the status."""
    from . import command

    out = sys.stdout if as_json or status != 2 else sys.stderr
    if as_json:
        text = json.dumps(data, indent=2, ensure_ascii=False)
    elif out and out.isatty() and not os.environ.get("NO_COLOR"):
        text = command.coloured(text)
    try:
        print(text, file=out, flush=True) if out else None
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # or Python would try again when it ends
    return status


if __name__ == "__main__":
    from pe_clinic.sandbox.apart import apart

    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="replace")  # a pipe on Windows has no ✔
    try:
        sys.exit(main(apart=apart))
    except KeyboardInterrupt:
        sys.exit(130)
