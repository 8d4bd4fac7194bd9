"""Does each sentence of the lessons about models and trainings hold? (`make claims`)

    python benchmarks/claims.py                 all lessons, ten seeds, two processes
    python benchmarks/claims.py 07 --seeds 12   one lesson, more seeds

Prints a table: the lesson, the interval of 95 %, what it must lie within, the verdict, and the sentence. The exit
status is 1 when a sentence does not stand in its lesson, or when an interval does not support it.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from itertools import product
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: one process for each core
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from claimed import LESSONS  # noqa: E402
from claimed.claim import interval_of  # noqa: E402


def claims_of(lesson):
    return import_module(f"claimed.lesson_{lesson}").CLAIMS


def text_of(lesson):
    """All text of a lesson in one line."""
    (path,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return " ".join(" ".join("".join(cell["source"]).split()) for cell in cells if cell["cell_type"] == "markdown")


def measure(lesson, seed):
    """The results of all experiments of a lesson with one seed, in the order of its claims."""
    return [claim.experiment(seed) for claim in claims_of(lesson)]


def verdict(claim, text, values):
    """(supported, a line of the table)."""
    low, high = interval_of(values)
    if claim.words not in text:
        says = "NOT IN THE LESSON"
    else:
        says = "supported" if claim.supported_by((low, high)) else "NOT SUPPORTED"
    least, most = claim.within
    return says == "supported", f"{low:6.2f} to {high:4.2f}  {least:5.2f} to {most:4.2f}  {says:17}  {claim.words}"


def table(lessons, seeds, run=map):
    """Lines of the table, each with its verdict: (supported, line)."""
    jobs = list(product(lessons, range(seeds)))
    results = dict(zip(jobs, run(measure, *zip(*jobs, strict=True)), strict=True))
    for lesson in lessons:
        text, by_seed = text_of(lesson), [results[lesson, seed] for seed in range(seeds)]
        for claim, values in zip(claims_of(lesson), zip(*by_seed, strict=True), strict=True):
            supported, line = verdict(claim, text, values)
            yield supported, f"{lesson}  {line}"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lessons", nargs="*", default=LESSONS, metavar="lesson")
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args(arguments)
    print("    interval 95 %    must lie in      verdict            sentence")
    supported = []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        for holds, line in table(options.lessons, options.seeds, processes.map):
            supported.append(holds)
            print(line, flush=True)
    print(f"{sum(supported)} of {len(supported)} sentences are supported.")
    return int(not all(supported))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
