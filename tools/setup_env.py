"""Make .venv and install the course into it: `python tools/setup_env.py` (what `make lab` and `make test` do first).

Does nothing when .venv already holds what pyproject.toml and constraints.txt ask for.

    --go-on     an update that cannot be installed, as without a network, is a warning where the course still runs in
                the .venv of before (`make lab`)
    --tests     also what the tests need (`make test`)
    --newest    the newest releases, not those of constraints.txt: for a new .venv (the weekly run of CI)

It runs before anything is installed, on whatever Python a machine has: standard library only, and a syntax that Python
3.6 can still read.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "installed"
OLDEST = (3, 10)
VERSION = "{}.{}".format(*sys.version_info)
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PATIENCE = 5  # seconds for that index to answer


def main(arguments):
    refuse_unusable_python()
    tests, newest = "--tests" in arguments, "--newest" in arguments
    wanted = [fingerprint(newest), *(["tests"] if tests else [])]
    works = venv_works()
    if works and STAMP.exists() and set(wanted) <= set(STAMP.read_text().split()):
        return
    if not works:
        say(f"1/3 Making .venv with Python {VERSION} (seconds).")
        run(sys.executable, "-m", "venv", "--clear", str(VENV))
    STAMP.unlink(missing_ok=True)  # half an update would else pass for the one before
    try:
        install(tests, newest)
    except subprocess.CalledProcessError as error:
        if "--go-on" not in arguments or not course_runs():
            raise
        say(f"The update could not be installed: {reason(error)}")
        say("Going on with what .venv held before; the next start tries again.")
    else:
        STAMP.write_text(" ".join(wanted))
        say("Ready: everything is in .venv.")


def install(tests, newest):
    torch = "torch" if newest else pinned_torch()
    if needs_cpu_torch(torch):
        say("2/3 Installing PyTorch without CUDA (200 MB: a minute or two).")
        install_cpu_torch(torch)
    say("3/3 Installing the course and what it needs: PyTorch if still missing, JupyterLab, … (two to five minutes).")
    pip(*([] if newest else ["--constraint", "constraints.txt"]), "--editable", ".[test]" if tests else ".[course]")


def refuse_unusable_python():
    """One line for what stops a new user: an old Python, one without PyTorch, and Debian's Python without venv."""
    if sys.version_info < OLDEST:
        sys.exit(
            f"This course needs Python 3.10 or newer, and {sys.executable} is {VERSION}: install a newer one, "
            "then name it, as in `make PYTHON=python3.12 lab`."
        )
    if sys.platform == "darwin" and platform.machine() == "x86_64":
        sys.exit("PyTorch has had no wheels for the Python of Intel Macs since 2.3: take the conda way of README.md.")
    try:
        import ensurepip  # noqa: F401 (venv needs it; Debian and Ubuntu package both apart from Python)
        import venv  # noqa: F401
    except ImportError:
        sys.exit(
            f"Python {VERSION} here has no venv module: install it (Debian, Ubuntu: "
            f"`sudo apt install python{VERSION}-venv`), then try again."
        )


def fingerprint(newest=False):
    """What .venv was made from; another value means: install again."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    # An editable install and the scripts of a venv hold this path: a moved course is a new installation.
    return hashlib.sha256(b"\0".join([*parts, str(ROOT).encode(), b"newest" if newest else b""])).hexdigest()


def venv_works():
    """True when .venv has a Python that runs and is new enough (it may be half made, or its Python removed since)."""
    return venv_runs(f"import sys, pip; sys.exit(sys.version_info < {OLDEST})")


def course_runs():
    return venv_runs("import pe_lib, jupyterlab, torch")


def venv_runs(code):
    """True when .venv runs the code without an error. -I: only what is installed counts, not the folder we are in."""
    command = [str(VENV_PYTHON), "-I", "-c", code]
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def needs_cpu_torch(requirement):
    """True where PyTorch is to come, and the ordinary index would add gigabytes of CUDA that the machine cannot use."""
    return sys.platform == "linux" and shutil.which("nvidia-smi") is None and not is_installed(requirement)


def is_installed(requirement):
    """True when .venv holds `name==version`, of whatever build (2.13.0+cpu is 2.13.0), or any release of `name`."""
    name, _, version = requirement.partition("==")
    find = f"from importlib.metadata import version; found = version('{name}').split('+')[0]"
    return venv_runs(f"{find}; assert '{version}' in ('', found)")


def install_cpu_torch(requirement):
    """PyTorch from its own index of CPU builds; if that fails, step 3 takes the ordinary index."""
    problem = no_answer(TORCH_CPU_INDEX)
    if problem is None:
        try:
            return pip("--no-deps", "--index-url", TORCH_CPU_INDEX, requirement)
        except subprocess.CalledProcessError as error:
            problem = reason(error)
    say(f"    It could not be taken from {TORCH_CPU_INDEX}: {problem}")
    say("    Taking the ordinary build instead (may be several GB).")


def no_answer(url):
    """Why nobody answers there, or None. One short try: pip's own many are for a download that has begun well."""
    try:
        urllib.request.urlopen(url, timeout=PATIENCE).close()
    except Exception as error:  # OSError, HTTPException, …: none of them may stop the set-up
        # There somebody did answer, and pip may know the certificate (its option --cert) that Python does not.
        return None if "CERTIFICATE_VERIFY_FAILED" in str(error) else str(error) or type(error).__name__


def pinned_torch():
    """The requirement `torch==…` of constraints.txt."""
    return re.search(r"^torch==[\w.]+", (ROOT / "constraints.txt").read_text(), re.MULTILINE).group()


def pip(*arguments):
    run(str(VENV_PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *arguments)


def run(*command):
    """Run a command; what it says of a failure is kept in the error, for a caller that can do without it."""
    subprocess.run(command, check=True, cwd=str(ROOT), stderr=subprocess.PIPE, encoding="utf-8", errors="replace")


def reason(error):
    """The last line in which a failed pip names an error; after it come only notes."""
    lines = [line.strip() for line in error.stderr.splitlines() if line.strip()]
    named = [line for line in lines if line.startswith("ERROR")]
    return (named or lines or ["no reason was given"])[-1]


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.stderr.write(error.stderr)
        sys.exit(f"Set-up stopped at `{' '.join(error.cmd)}`: see the message above, then try again.")
