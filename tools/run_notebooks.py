"""Run the lessons from a fresh kernel and store their outputs (`make notebooks`).

    python tools/run_notebooks.py                 all of notebooks/
    python tools/run_notebooks.py 02_formula      only this one

A second run leaves every file as it is. A lesson with a cell that raises is not stored, and the exit status is 1.
"""

import sys
import time
from contextlib import ExitStack
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from my_notebooks import write
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

COURSE = Path(__file__).resolve().parent.parent / "notebooks"
# JupyterLab writes the author's Python version and more here, which would differ from one author to the next.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "jupyter", "nbgrader"}  # what the lessons use; the rest is left by an editor
# Cells whose output is not stored: timings, and sliders (their output holds random ids).
NOT_STORED = {"your-machine", "explorer"}
# Stored ahead of what is to be predicted: JupyterLab shows the first line of an output even where it is folded away.
# It has nothing to show: not there, not unfolded, not on GitHub, and nothing that nbval could compare.
NOTHING_YET = nbformat.from_dict({"output_type": "display_data", "data": {}, "metadata": {}})


class Failed(Exception):
    """A lesson could not be read or run: one line that says where, and why."""

    def __init__(self, where: str, why: object):
        super().__init__(f"{where}: {str(why).partition(chr(10))[0]}")


def run(path: Path) -> None:
    """Run one notebook in its folder and store it."""
    notebook = read(path)
    execute(notebook, path.parent)
    normalise(notebook)
    write(path, (nbformat.writes(notebook).rstrip("\n") + "\n").encode())


def read(path: Path) -> nbformat.NotebookNode:
    try:
        return nbformat.read(path, as_version=4)
    except OSError:
        raise
    except Exception as error:  # nbformat raises whatever it stumbles over: ValueError, AttributeError, …
        raise Failed("no notebook", error) from None


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    client = NotebookClient(
        notebook,
        timeout=1800,  # a busy machine is slow
        startup_timeout=600,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # else where a long print is cut into pieces depends on the moment
        extra_arguments=["--log-level=ERROR"],  # a kernel warns at every start that it talks over TCP
        resources={"metadata": {"path": str(folder)}},
    )
    with ExitStack() as stack:
        try:
            stack.enter_context(client.setup_kernel())
        except (NoSuchKernel, OSError, RuntimeError) as error:
            raise Failed("the kernel does not start", error) from None
        for index, cell in enumerate(notebook.cells):
            execute_cell(client, cell, index)


def execute_cell(client: NotebookClient, cell: nbformat.NotebookNode, index: int) -> None:
    try:
        client.execute_cell(cell, index)
    except CellExecutionError as error:
        raise Failed(f"cell {cell.id}", f"{error.ename}: {error.evalue}") from None
    except (CellTimeoutError, DeadKernelError) as error:
        raise Failed(f"cell {cell.id}", error) from None


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Keep only what is the same on every machine."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({key: cell.metadata[key] for key in cell.metadata if key in CELL_METADATA})
        tags = set(cell.metadata.get("tags", []))
        if NOT_STORED & tags:
            cell.outputs = []
        elif "predict" in tags and cell.outputs:
            cell.outputs = [NOTHING_YET, *cell.outputs]


def main(names: list[str]) -> int:
    paths = [COURSE / f"{Path(name).stem}.ipynb" for name in names] or sorted(COURSE.glob("*.ipynb"))
    failed = False
    for path in paths:
        start = time.perf_counter()
        print(f"{path.stem}: running …", end=" ", flush=True)
        try:
            run(path)
        except (Failed, OSError) as error:
            failed = True
            print(f"not stored: {error}", flush=True)
        else:
            print(f"stored after {time.perf_counter() - start:.0f} s", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
