"""Make .venv and install the course into it: `python tools/setup_env.py` (what `make lab` and `make test` do first).

Does nothing when .venv already holds what pyproject.toml and constraints.txt ask for. It runs before anything is
installed, on whatever Python a machine has: standard library only, and a syntax that Python 3.6 can still read.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "installed"
OLDEST = (3, 10)
VERSION = "{}.{}".format(*sys.version_info)
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def main():
    refuse_unusable_python()
    wanted, works = fingerprint(), venv_works()
    if works and STAMP.exists() and STAMP.read_text() == wanted:
        return
    if not works:
        say(f"1/3 Making .venv with Python {VERSION} (seconds).")
        run(sys.executable, "-m", "venv", "--clear", str(VENV))
    if needs_cpu_torch():
        say("2/3 Installing PyTorch without CUDA (200 MB: a minute or two).")
        install_cpu_torch()
    say("3/3 Installing the course and what it needs: PyTorch if still missing, JupyterLab, … (two to five minutes).")
    pip("--constraint", "constraints.txt", "--editable", ".[test]")
    STAMP.write_text(wanted)
    say("Ready: everything is in .venv.")


def refuse_unusable_python():
    """One line for the two things that stop a new user: an old Python, and Debian's Python without venv."""
    if sys.version_info < OLDEST:
        sys.exit(
            f"This course needs Python 3.10 or newer, and {sys.executable} is {VERSION}: install a newer one, "
            "then name it, as in `make PYTHON=python3.12 lab`."
        )
    try:
        import ensurepip  # noqa: F401 (venv needs it; Debian and Ubuntu package both apart from Python)
        import venv  # noqa: F401
    except ImportError:
        sys.exit(
            f"Python {VERSION} here has no venv module: install it (Debian, Ubuntu: "
            f"`sudo apt install python{VERSION}-venv`), then try again."
        )


def fingerprint():
    """What .venv was made from; another value means: install again."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    # An editable install and the scripts of a venv hold this path: a moved course is a new installation.
    return hashlib.sha256(b"\0".join([*parts, str(ROOT).encode()])).hexdigest()


def venv_works():
    """True when .venv has a Python that runs and is new enough (it may be half made, or its Python removed since)."""
    probe = f"import sys, pip; sys.exit(sys.version_info < {OLDEST})"
    try:
        return subprocess.call([str(VENV_PYTHON), "-c", probe], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def needs_cpu_torch():
    """True where the ordinary index would add gigabytes of CUDA that the machine cannot use."""
    return sys.platform == "linux" and shutil.which("nvidia-smi") is None


def install_cpu_torch():
    """PyTorch from its own index of CPU builds. One short try: if that fails, step 3 takes the ordinary index."""
    once = ("--retries", "0", "--timeout", "15", "--no-deps", "--index-url", TORCH_CPU_INDEX)
    try:
        pip("-q", *once, pinned_torch())  # not even pip's own error: the line below says what it means
    except subprocess.CalledProcessError:
        say("    PyTorch's index of CPU builds does not answer: taking the ordinary one (may be several GB).")


def pinned_torch():
    """The requirement `torch==…` of constraints.txt."""
    return re.search(r"^torch==[\w.]+", (ROOT / "constraints.txt").read_text(), re.MULTILINE).group()


def pip(*arguments):
    run(str(VENV_PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *arguments)


def run(*command):
    subprocess.run(command, check=True, cwd=str(ROOT))


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"Set-up stopped at `{' '.join(error.cmd)}`: see the message above, then try again.")
