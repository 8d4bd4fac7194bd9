"""Seconds from `git clone` to the first figure of lesson 02, with nothing cached: README.md names them.

    python benchmarks/first_figure.py          what `make lab` does: uv installs
    python benchmarks/first_figure.py --pip    pip does, as where uv cannot

The clone is made of this folder's last commit, the packages come from the network, and JupyterLab itself is not opened.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TO_THE_FIGURE = """if True:
    import nbformat
    from nbclient import NotebookClient

    lesson = nbformat.read("my_notebooks/02_formula.ipynb", as_version=4)
    client = NotebookClient(lesson, resources={"metadata": {"path": "my_notebooks"}})
    with client.setup_kernel():
        for index, cell in enumerate(lesson.cells):
            if cell.cell_type == "code":
                client.execute_cell(cell, index)
                if any("image/png" in output.get("data", {}) for output in cell.outputs):
                    break
        else:
            raise SystemExit("lesson 02 shows no figure")
"""


def main(arguments):
    environment = {**os.environ, "PIP_NO_CACHE_DIR": "1"}
    for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "UV_CACHE_DIR"):
        environment.pop(name, None)
    if "--pip" in arguments:
        environment["UV_OFFLINE"] = "1"
    with tempfile.TemporaryDirectory(prefix="first-figure-") as parent:
        clone = Path(parent) / "course"
        environment["MPLCONFIGDIR"] = str(Path(parent) / "matplotlib")  # its search for fonts is part of the wait
        python = clone / (".venv/Scripts/python.exe" if os.name == "nt" else ".venv/bin/python")
        began = time.monotonic()
        for what, *command in (
            ("cloned", "git", "clone", "--quiet", str(ROOT), str(clone)),
            ("set up", sys.executable, "tools/setup_env.py"),
            ("copies made", str(python), "tools/my_notebooks.py", "--lay-out-only"),
            ("first figure", str(python), "-c", TO_THE_FIGURE),
        ):
            folder = clone if clone.exists() else ROOT
            subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
            print(f"{what}: {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
