"""Run the lessons again and again beside busy processes (`make soak`): do the stored outputs hold under load?

    python tools/soak.py                                        ten rounds of the whole course beside four processes
    python tools/soak.py --rounds 1 notebooks/03_loop.ipynb

The busy processes end with this one, however it ends.
"""

import argparse
import contextlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Looks for its parent between two bouts of work: so it ends even where this process was killed.
BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): sum(range(100_000))"


@contextlib.contextmanager
def busy(count):
    """That many processes, each of which keeps a core busy."""
    command = [sys.executable, "-c", BUSY, str(os.getpid())]
    started = []
    try:
        for _ in range(count):
            started.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def passes(lessons, at_once):
    """Run the lessons once under strict nbval; True if every output was as stored. Says what pytest says at its end."""
    split = ["--numprocesses", str(at_once), "--dist", "loadfile", "--no-loadscope-reorder"]  # a lesson is not split
    command = [sys.executable, "-m", "pytest", "-q", *split, *lessons]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    print(done.stdout if done.returncode else done.stdout.strip().rpartition("\n")[2], flush=True)
    return done.returncode == 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("lessons", nargs="*", default=["notebooks"])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--busy", type=int, default=4, help="how many busy processes")
    parser.add_argument("--at-once", type=int, default=8, help="how many lessons run at the same time")
    options = parser.parse_args(arguments)
    failed = 0
    with busy(options.busy):
        for number in range(1, options.rounds + 1):
            print(f"Round {number} of {options.rounds}: ", end="", flush=True)
            failed += not passes(options.lessons, options.at_once)
    print(f"{options.rounds} rounds beside {options.busy} busy processes, {failed} failed.")
    return int(failed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nStopped.")
