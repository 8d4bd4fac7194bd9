"""What the course asks of a small machine: seconds and peak memory of every lesson, on one core with one thread.

Each lesson is run from top to bottom in a kernel of its own, as for a learner. Binder and most JupyterHubs lend one
core, and 1 GB for JupyterLab and the kernels together.

    python benchmarks/lessons.py                  all lessons, and JupyterLab itself
    python benchmarks/lessons.py 02_formula       only this lesson; a path to a notebook works, too

It fails when they do not fit together into what is lent.

Seconds are those of the machine and change from run to run; the memory of a kernel hardly does. Linux and macOS.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

COURSE = Path(__file__).resolve().parent.parent / "notebooks"
START = 600  # seconds that JupyterLab may take to answer
MEMORY_LENT = 1024  # MB, for JupyterLab and the kernels of one learner
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
UNIT = 20 if sys.platform == "darwin" else 10  # ru_maxrss is in KB, on macOS in bytes
PEAK = f"import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> {UNIT})"


def take_one_core():
    """This process and the kernels that it starts share one core, as with `taskset --cpu-list 0`."""
    os.environ.update(dict.fromkeys(THREADS, "1"))
    if hasattr(os, "sched_setaffinity"):  # Linux; elsewhere the threads alone are held back
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(lesson):
    """Run one lesson: the seconds it took, from the start of its kernel, and the kernel's peak memory in MB."""
    notebook = nbformat.read(lesson, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
    start = time.perf_counter()
    NotebookClient(
        notebook,
        timeout=1800,
        startup_timeout=600,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],  # a kernel warns at every start that it talks over TCP
        resources={"metadata": {"path": str(lesson.parent)}},
    ).execute()
    return time.perf_counter() - start, int(notebook.cells[-1].outputs[0].text)


def memory_of_jupyterlab():
    """MB that JupyterLab itself holds once it has sent its page and a lesson to a browser."""
    with jupyterlab() as (process, ask):
        for page in ("lab", "api/contents/notebooks/02_formula.ipynb"):
            ask(page)
        return process.memory_info().rss >> 20


@contextmanager
def jupyterlab():
    """A JupyterLab for nobody else: its process, and a function that asks it for a page."""
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with tempfile.TemporaryDirectory() as runtime:
        environment = {**os.environ, "JUPYTER_RUNTIME_DIR": runtime}
        with subprocess.Popen(
            [*command, f"--ServerApp.root_dir={COURSE.parent}"], env=environment, stderr=subprocess.DEVNULL
        ) as server:

            def ask(page):
                at = json.loads((Path(runtime) / f"jpserver-{server.pid}.json").read_text(encoding="utf-8"))
                headers = {"Authorization": f"token {at['token']}"}
                request = urllib.request.Request(at["url"] + page, headers=headers)
                return direct.open(request, timeout=START).read()

            try:
                wait_for(lambda: ask("api"))
                yield psutil.Process(server.pid), ask
            finally:
                server.terminate()


def wait_for(answer):
    """Ask until there is an answer; after START seconds, the error that comes instead is raised.

    Jupyter takes a port that is free, then writes down which: until then there is no file, or half of one.
    """
    end = time.monotonic() + START
    while True:
        try:
            return answer()
        except (OSError, json.JSONDecodeError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def main(names):
    take_one_core()
    lessons = [COURSE / Path(name).with_suffix(".ipynb") for name in names] or sorted(COURSE.glob("*.ipynb"))
    print(f"{'one core, one thread':24}{'seconds':>8}{'MB':>7}", flush=True)
    seconds, peaks = zip(*map(show, lessons), strict=True)
    if not names:
        lab = memory_of_jupyterlab()
        print(f"{'JupyterLab itself':32}{lab:7}")
        together = lab + max(peaks)
        print(f"{'all, and the most at once':24}{sum(seconds):7.1f}{together:7} of {MEMORY_LENT}")
        if together > MEMORY_LENT:
            sys.exit("That is more than is lent.")


def show(lesson):
    seconds, peak = run(lesson)
    print(f"{lesson.stem:24}{seconds:8.1f}{peak:7}", flush=True)
    return seconds, peak


if __name__ == "__main__":
    main(sys.argv[1:])
