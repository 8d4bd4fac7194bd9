"""Make .venv and install the course into it: `python tools/setup_env.py` (what `make lab` and `make test` do first).

Does nothing when .venv already holds what pyproject.toml and constraints.txt ask for.

    --go-on     an update that cannot be installed, as without a network, is a warning where the course still runs in
                the .venv of before (`make lab`)
    --tests     also what the tests need (`make test`)
    --newest    the newest releases, not those of constraints.txt: for a new .venv (the weekly run of CI)

It runs before anything is installed, on whatever Python a machine has: standard library only, and a syntax that Python
3.6 can still read.
"""

import ast
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
MARK = VENV / "made-by-setup_env"  # only a folder that holds this is ever emptied
STAMP = VENV / "installed"
CACHE = VENV / "uv-cache"
OLDEST = (3, 10)
VERSION = "{}.{}".format(*sys.version_info)
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# Whether an index answers: one short try. uv's own many are for a download that has begun well.
ONE_TRY = {"UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": "5", "UV_HTTP_CONNECT_TIMEOUT": "5"}
# What people behind a mirror or a proxy have told pip, and the variable by which uv is told the same.
SAME_FOR_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "proxy": "ALL_PROXY",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
}


def main(arguments):
    refuse_unusable_python()
    tests, newest = "--tests" in arguments, "--newest" in arguments
    wanted = [fingerprint(newest), *(["tests"] if tests else [])]
    works = venv_works()
    if works and STAMP.exists() and set(wanted) <= set(STAMP.read_text().split()):
        return
    refuse_what_is_not_ours(works)
    if not works:
        say(f"1/3 Making .venv with Python {VERSION} (seconds).")
        make_venv()
    STAMP.unlink(missing_ok=True)  # half an update would else pass for the one before
    try:
        install(tests, newest)
    except subprocess.CalledProcessError:
        if "--go-on" not in arguments or not course_runs():
            raise
        say("The update could not be installed: see above.")
        say("Going on with what .venv held before; the next start tries again.")
    else:
        shutil.rmtree(str(CACHE), ignore_errors=True)  # what it holds is linked into .venv
        STAMP.write_text(" ".join(wanted))
        say("Ready: everything is in .venv.")


def refuse_what_is_not_ours(works):
    """One line for a .venv that would be changed or emptied, and was made by somebody else."""
    if os.path.realpath(str(VENV)) != os.path.join(os.path.realpath(str(VENV.parent)), VENV.name):
        sys.exit(f"{VENV} is a link. Set-up writes only into a folder of its own: move it away, then try again.")
    ours = VENV.is_dir() and (MARK.exists() or not any(VENV.iterdir()))
    if VENV.exists() and not works and not ours:
        sys.exit(f"{VENV} has no Python for the course, and set-up did not make it: move it away, then try again.")


def make_venv():
    """Make .venv anew: an empty folder, or one that this tool made and that now loses its content."""
    VENV.mkdir(exist_ok=True)
    MARK.touch()  # first: what is half made is ours as well
    for part in VENV.iterdir():
        if part.is_dir() and not part.is_symlink():
            shutil.rmtree(str(part))
        elif part != MARK:
            part.unlink()
    run(sys.executable, "-m", "venv", str(VENV))


def install(tests, newest):
    """By uv, which takes a quarter of the time and shows its progress; by pip where uv cannot be had or fails."""
    pins = [] if newest else ["--constraint", "constraints.txt"]
    course = [*pins, "--editable", ".[test]" if tests else ".[course]"]
    try:
        say("2/3 Fetching uv, which installs the rest (20 MB).")
        pip("-qqq", "--only-binary", "uv", *pins, "uv")  # where there is no wheel, pip would build it, in Rust
        say("3/3 Installing the course and what it needs: PyTorch, JupyterLab, … (300 MB: as fast as the network is).")
        uv(*cpu_build(pins), *course)
    except (subprocess.CalledProcessError, OSError):
        say("    uv cannot do it here: pip does, which takes minutes.")
        if is_without_cuda():
            pip("--retries", "1", "--extra-index-url", TORCH_CPU_INDEX, "--no-deps", *pins, "torch")
        pip(*course)


def refuse_unusable_python():
    """One line for what stops a new user: an old Python, one without PyTorch, and Debian's Python without venv."""
    if sys.version_info < OLDEST:
        sys.exit(
            f"This course needs Python 3.10 or newer, and {sys.executable} is {VERSION}: install a newer one, "
            "then name it, as in `make PYTHON=python3.12 lab`."
        )
    if sys.platform == "darwin" and platform.machine() == "x86_64":
        sys.exit("PyTorch has had no wheels for the Python of Intel Macs since 2.3: docs/install.md has the conda way.")
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
    return venv_runs("import pe_course, jupyterlab, torch")


def venv_runs(code):
    """True when .venv runs the code without an error. -I: only what is installed counts, not the folder we are in."""
    command = [str(VENV_PYTHON), "-I", "-c", code]
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def cpu_build(pins):
    """uv's option for PyTorch without CUDA: where that is wanted, and where PyTorch's own index answers."""
    if not is_without_cuda():
        return []
    option = ["--torch-backend", "cpu"]
    try:
        uv("-qq", "--dry-run", "--no-deps", *option, *pins, "torch", **ONE_TRY)
    except subprocess.CalledProcessError:
        say("    PyTorch's index of CPU builds does not answer: taking the ordinary build (may be several GB).")
        return []
    return option


def is_without_cuda():
    """True where the ordinary index would add gigabytes of CUDA that the machine cannot use."""
    return sys.platform == "linux" and shutil.which("nvidia-smi") is None


def uv(*arguments, **environment):
    told = pip_settings()
    no_index = ["--no-index"] if told.get("no-index", "").lower() in ("1", "true", "yes", "on") else []
    command = [str(VENV_PYTHON), "-m", "uv", "pip", "install", "--python", str(VENV_PYTHON), *no_index, *arguments]
    run(*command, env={**settings_of_uv(told), **os.environ, **environment})


def settings_of_uv(told):
    """uv's variables for what pip was told. What somebody has told uv itself goes before them."""
    settings = {SAME_FOR_UV[option]: " ".join(value.split()) for option, value in told.items() if option in SAME_FOR_UV}
    certificates = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE")
    if certificates:
        settings.setdefault("SSL_CERT_FILE", certificates)
    if "UV_INDEX" in settings:
        settings["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # as pip: the newest release of all indexes
    if "UV_FIND_LINKS" in settings:
        settings["UV_FIND_LINKS"] = settings["UV_FIND_LINKS"].replace(" ", ",")
    # The machine's own certificates, as pip does. The cache lies where files can be linked into .venv, and not copied.
    return {"UV_SYSTEM_CERTS": "1", "UV_CACHE_DIR": str(CACHE), **settings}


def pip_settings():
    """{option: value} of pip's variables and of its files, the stronger over the weaker."""
    listed = subprocess.run(
        [str(VENV_PYTHON), "-m", "pip", "config", "list"], stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
    ).stdout
    found = re.findall(r"^(global|install|:env:)\.([\w-]+)=(.+)$", listed, re.MULTILINE)
    weakest_first = sorted(found, key=lambda line: ("global", "install", ":env:").index(line[0]))
    return {option: ast.literal_eval(value) for _, option, value in weakest_first}


def pip(*arguments):
    run(str(VENV_PYTHON), "-m", "pip", "install", "--disable-pip-version-check", *arguments)


def run(*command, **options):
    subprocess.run(command, check=True, cwd=str(ROOT), **options)


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"Set-up stopped at `{' '.join(error.cmd)}`: see the message above, then try again.")
    except OSError as error:
        sys.exit(f"Set-up stopped: {error}.")
