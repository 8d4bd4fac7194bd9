"""Time, peak memory and error of every way to build the table, in one run:

    python benchmarks/tables.py

It needs mpmath and pytest (`make setup` brings them). Two published packages are measured too when they are installed;
both use the torch that is already there:

    python -m pip install positional-encodings x-transformers

Time: the builders take turns, in an order shuffled anew for each round, so that a busy moment of the machine hits all
of them alike. A ratio is the median of the ratios within each round. Every call asks for memory of its own.
Below each size stands what is quicker than the quickest of ours.
Peak memory: how far a process of its own rises while it builds one table (Linux only), over the table's size; tables
below 16 MB are too small to be seen among the pages that a process takes anyway.
Error: the largest difference from mpmath with 50 digits, over ROWS rows with all their columns.
OMP_NUM_THREADS=1 shows one thread.
"""

import math
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from oracle import exact_rows  # noqa: E402

from pe_lib import sinusoidal_rotation, sinusoidal_stack_flatten, sinusoidal_vectorized  # noqa: E402

ROUNDS = {(128, 64): 2001, (512, 512): 201, (8192, 1024): 21, (131072, 512): 9}
ROWS = 60
SMALLEST_SEEN = 16_000_000  # bytes


def memory_fill(max_len, d_model):
    """No encoding: the time that writing as many numbers takes."""
    return torch.from_numpy(np.empty((max_len, d_model), np.float32)).fill_(1)


def textbook_float32(max_len, d_model):
    """As in PyTorch's tutorial "Language Modeling with nn.Transformer and torchtext"."""
    position = torch.arange(max_len).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(max_len, d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def float64_then_cast(max_len, d_model):
    """The textbook's lines in float64, rounded at the end."""
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float64) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(max_len, d_model, dtype=torch.float64)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe.float()


def input_of(max_len, d_model):
    """What the packages take instead of sizes; they read its shape only, so it takes no memory."""
    return torch.zeros(1).expand(1, max_len, d_model)


def positional_encodings(max_len, d_model):
    return PositionalEncoding1D(d_model)(input_of(max_len, d_model))[0]


def x_transformers(max_len, d_model):
    return ScaledSinusoidalEmbedding(d_model)(input_of(max_len, d_model))


def halves_interleaved(rows):
    """x-transformers scales by 1 / √d_model and puts all sines before all cosines: undone, to compare."""
    return np.stack(np.split(rows, 2, axis=1), axis=2).reshape(rows.shape) * math.sqrt(rows.shape[1])


BUILDERS = {
    "plain memory fill": memory_fill,
    "textbook float32": textbook_float32,
    "float64, then cast": float64_then_cast,
    "sinusoidal_vectorized (float64)": sinusoidal_vectorized,
    "sinusoidal_stack_flatten": sinusoidal_stack_flatten,
    "sinusoidal_rotation": sinusoidal_rotation,
}
OURS = "sinusoidal_rotation"  # the quickest of ours
MISSING = []
try:
    from positional_encodings.torch_encodings import PositionalEncoding1D

    BUILDERS["positional-encodings"] = positional_encodings
except ImportError as error:
    MISSING.append(f"positional-encodings ({error})")
try:
    from x_transformers.x_transformers import ScaledSinusoidalEmbedding

    BUILDERS["x-transformers"] = x_transformers
except ImportError as error:
    MISSING.append(f"x-transformers ({error})")


def times(max_len, d_model, rounds):
    """Seconds of every builder in every round: {name: [seconds]}. The first round warms up and is dropped."""
    seconds = {name: [] for name in BUILDERS}
    order = list(BUILDERS)
    for _ in range(rounds + 1):
        random.shuffle(order)
        for name in order:
            start = perf_counter()
            table = BUILDERS[name](max_len, d_model)
            seconds[name].append(perf_counter() - start)
            del table
    return {name: measured[1:] for name, measured in seconds.items()}


def kilobytes(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


def peak_of_this_process(name, max_len, d_model):
    """Bytes that building one table adds to this process at the highest."""
    BUILDERS[name](64, d_model)  # loads what torch loads on first use
    Path("/proc/self/clear_refs").write_text("5")  # the highest mark starts anew
    before = kilobytes("VmRSS")
    table = BUILDERS[name](max_len, d_model)
    assert table.shape == (max_len, d_model)
    return (kilobytes("VmHWM") - before) * 1024


def peak(name, max_len, d_model):
    """The same from a process of its own, or None where it cannot be measured."""
    command = [sys.executable, __file__, "--peak", name, str(max_len), str(d_model)]
    done = subprocess.run(command, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else None


def errors(max_len, d_model):
    """Largest error of every builder over the first, the last and randomly chosen rows."""
    chosen = sorted({0, 1, max_len - 1, *random.Random(0).sample(range(max_len), ROWS - 3)})
    exact = exact_rows(chosen, d_model)
    worst = {}
    for name, builder in BUILDERS.items():
        rows = np.asarray(builder(max_len, d_model)[chosen], dtype=np.float64)
        if name == "x-transformers":
            rows = halves_interleaved(rows)
        worst[name] = np.abs(rows - exact).max()
    return worst


def report(max_len, d_model, rounds):
    size = max_len * d_model * 4
    seconds, worst = times(max_len, d_model, rounds), errors(max_len, d_model)
    print(f"\n({max_len}, {d_model}): {size / 1e6:.2f} MB in float32, {rounds} rounds")
    print(f"{'':34}{'time':>11}{'/ textbook':>12}{'/ fill':>9}{'peak / table':>14}{'worst error':>13}")
    for name in BUILDERS:
        ratios = [
            median(a / b for a, b in zip(seconds[name], seconds[other], strict=True))
            for other in ("textbook float32", "plain memory fill")
        ]
        bytes_at_most = peak(name, max_len, d_model) if size >= SMALLEST_SEEN else None
        memory = f"{bytes_at_most / size:.2f}" if bytes_at_most else "-"
        error = "-" if name == "plain memory fill" else f"{worst[name]:.1e}"
        milliseconds = f"{median(seconds[name]) * 1e3:.3f} ms"
        print(f"{name:34}{milliseconds:>11}{ratios[0]:>12.2f}{ratios[1]:>9.1f}{memory:>14}{error:>13}")
    quicker = [
        name for name in BUILDERS if name != "plain memory fill" and median(seconds[name]) < median(seconds[OURS])
    ]
    print(f"quicker than {OURS}: {', '.join(quicker) or 'none of these'}")


def main():
    torch.set_grad_enabled(False)  # x-transformers scales with a parameter
    if sys.argv[1:2] == ["--peak"]:
        print(peak_of_this_process(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    print(f"torch {torch.__version__}, NumPy {np.__version__}, {torch.get_num_threads()} threads")
    for package in MISSING:
        print(f"not installed, so not measured: {package}")
    for (max_len, d_model), rounds in ROUNDS.items():
        report(max_len, d_model, rounds)


if __name__ == "__main__":
    main()
