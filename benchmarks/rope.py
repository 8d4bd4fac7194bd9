"""Time, peak memory and error of RoPE as the course computes it and as published libraries do, in one run of minutes:

    python benchmarks/rope.py [rounds]

It needs mpmath and pytest (`make setup` brings them), and runs on a GPU where torch sees one. Every library that is
installed is measured beside ours; in an environment of its own, which leaves the course's alone:

    python -m pip install transformers rotary-embedding-torch x-transformers torchtune "torchao==0.16.0"

All turn the same x, (batch, heads, length, head_dim), each in the layout in memory that it asks for, after a first call
that fills whatever it keeps: torchtune and ours keep tables, rotary-embedding-torch and x-transformers keep angles, and
a model of transformers computes cosines and sines once for all its layers, so they are not part of its time here.

Time: the rotations take turns, in an order shuffled anew for each round, so that a busy moment of the machine hits all
of them alike. *wall* is the median of the rounds. *cpu* is the least processor time of all threads. Other programs
change that less, so ratios are between these. The backward pass is compared with the forward pass of x + x. On a GPU
there is wall time alone. A decoding step turns one row, at a position that is given in a tensor, or at position 0.
Peak memory: what one call holds at the highest beyond x, its result included, over the size of x (from a process of its
own on Linux, from torch on a GPU). Error: pairs of length 1 in random directions, at POSITIONS, against cosines and
sines with 50 digits. OMP_NUM_THREADS=1 shows one thread.
"""

import os
import random
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from oracle import exact_rows  # noqa: E402

from pe_lib import rope_half_split, rope_interleaved  # noqa: E402

SHAPE = BATCH, HEADS, LENGTH, HEAD_DIM = 2, 16, 2048, 64
POSITIONS = [0, 1, 10, 100, 1_000, 2_047, 10_007, 99_991, 299_993, 524_287, 777_777, 999_983, 999_999, 1_000_000]
ROUNDS = 40
STEPS = 2000  # decoding steps
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Rotation:
    """A rotation with its conveniences: ``turn(x)``, ``turn_at(x, position)`` for a single row, how x lies in memory,
    and which columns make a pair."""

    def __init__(self, turn, turn_at, heads_last=False, halves=False):
        self.turn, self.turn_at, self.heads_last, self.halves = turn, turn_at, heads_last, halves

    def laid_out(self, x):
        return x.transpose(1, 2).contiguous() if self.heads_last else x


def ours(rope, halves):
    return Rotation(rope, lambda x, pos: rope(x, [pos]), halves=halves)


def ours_given_positions(rope, halves):
    positions = torch.arange(LENGTH, device=DEVICE)
    return Rotation(lambda x: rope(x, positions), lambda x, pos: rope(x, [pos]), halves=halves)


def transformers():
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    angles = LlamaRotaryEmbedding(LlamaConfig(hidden_size=HEADS * HEAD_DIM, num_attention_heads=HEADS)).to(DEVICE)
    positions = torch.arange(LENGTH, device=DEVICE)[None]
    tables = {dtype: angles(torch.ones(1, dtype=dtype, device=DEVICE), positions) for dtype in DTYPES}

    def turn(x):
        return apply_rotary_pos_emb(x, x[:, :0], *tables[x.dtype])[0]  # it turns q and k: k without heads costs nothing

    def turn_at(x, pos):
        return apply_rotary_pos_emb(x, x[:, :0], *angles(x, torch.tensor([[pos]], device=DEVICE)))[0]

    return Rotation(turn, turn_at, halves=True)


def torchtune():
    from torchtune.modules import RotaryPositionalEmbeddings

    layer = RotaryPositionalEmbeddings(HEAD_DIM, max_seq_len=LENGTH).to(DEVICE)

    def turn_at(x, pos):
        if layer.cache.shape[0] <= pos:
            layer.build_rope_cache(POSITIONS[-1] + 1)
        return layer(x, input_pos=torch.tensor([[pos]], device=DEVICE))

    return Rotation(layer, turn_at, heads_last=True)


def rotary_embedding_torch():
    from rotary_embedding_torch import RotaryEmbedding

    layer = RotaryEmbedding(HEAD_DIM).to(DEVICE)
    far = RotaryEmbedding(HEAD_DIM, cache_if_possible=False).to(DEVICE)
    return Rotation(layer.rotate_queries_or_keys, lambda x, pos: far.rotate_queries_or_keys(x, offset=pos))


def x_transformers():
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    layer = RotaryEmbedding(HEAD_DIM).to(DEVICE)
    angles, scale = layer.forward_from_seq_len(LENGTH)

    def turn_at(x, pos):
        return apply_rotary_pos_emb(x, *layer(torch.tensor([pos], device=DEVICE)))

    return Rotation(lambda x: apply_rotary_pos_emb(x, angles, scale), turn_at)


DTYPES = torch.float32, torch.bfloat16
LIBRARIES = {
    "transformers": transformers,
    "torchtune": torchtune,
    "rotary-embedding-torch": rotary_embedding_torch,
    "x-transformers": x_transformers,
}
FLOOR = "x + x"
MAKERS = {
    FLOOR: lambda: Rotation(lambda x: x + x, None),
    "rope_interleaved": lambda: ours(rope_interleaved, halves=False),
    "  given positions": lambda: ours_given_positions(rope_interleaved, halves=False),
    "rope_half_split": lambda: ours(rope_half_split, halves=True),
    "  given positions ": lambda: ours_given_positions(rope_half_split, halves=True),
    **LIBRARIES,
}


def made(names):
    """{name: Rotation} of what is installed, and why the others are not here."""
    rotations, missing = {}, []
    for name in names:
        try:
            rotations[name] = MAKERS[name]()
        except ImportError as error:
            missing.append(f"{name} ({' '.join(str(error).split())})")
    return rotations, missing


def seconds_of(call):
    """Wall and processor time of one call, to the end of what it started on the GPU; its result is freed outside."""
    if DEVICE == "cuda":
        torch.cuda.synchronize()
    wall, processor = perf_counter(), process_time()
    result = call()
    if DEVICE == "cuda":
        torch.cuda.synchronize()
    wall, processor = perf_counter() - wall, process_time() - processor
    return (wall, wall if DEVICE == "cuda" else processor), result


def times(rotations, dtype, rounds):
    """Wall and processor time of every rotation in every round: {name: ([forward], [backward])}."""
    x, weights = (torch.randn(SHAPE, device=DEVICE).to(dtype) for _ in range(2))
    inputs = {name: rotation.laid_out(x).detach().requires_grad_() for name, rotation in rotations.items()}
    seconds = {name: ([], []) for name in rotations}
    order = list(rotations)
    for _ in range(rounds + 3):
        random.shuffle(order)
        for name in order:
            turn, given, gradient = rotations[name].turn, inputs[name], rotations[name].laid_out(weights)
            with torch.no_grad():
                forward, _ = seconds_of(lambda turn=turn, given=given: turn(given))
            turned = turn(given)
            backward, _ = seconds_of(lambda t=turned, x=given, g=gradient: torch.autograd.grad(t, x, g))
            del turned, _
            seconds[name][0].append(forward)
            seconds[name][1].append(backward)
    return {name: (forward[3:], backward[3:]) for name, (forward, backward) in seconds.items()}  # without the warm-up


def summary(measured):
    """The median of the wall times, and the least processor time, in milliseconds."""
    wall, processor = zip(*measured, strict=True)
    return median(wall) * 1e3, min(processor) * 1e3


def decoding_steps(rotations, dtype):
    """Microseconds of one row, (with a position, without): {name: …}; a library may not tell the two apart."""
    x, pos = torch.randn(1, HEADS, 1, HEAD_DIM, device=DEVICE).to(dtype), torch.tensor([LENGTH - 1])
    calls = {
        "rope_interleaved": (lambda: rope_interleaved(x, pos), lambda: rope_interleaved(x)),
        "rope_half_split": (lambda: rope_half_split(x, pos), lambda: rope_half_split(x)),
    }
    for name in LIBRARIES:
        if name in rotations:
            row = x.transpose(1, 2).contiguous() if rotations[name].heads_last else x
            calls[name] = (lambda at=rotations[name].turn_at, row=row: at(row, LENGTH - 1),)
    steps = {}
    with torch.no_grad():
        for name, versions in calls.items():
            steps[name] = [min(seconds_of(call)[0][0] for _ in range(STEPS)) * 1e6 for call in versions]
    return steps


def resident(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def peak_of_this_process(name, dtype):
    """Bytes that turning x once, its tables kept already, adds at the highest."""
    rotation = made([name])[0][name]
    x = rotation.laid_out(torch.ones(SHAPE, dtype=dtype, device=DEVICE))
    with torch.no_grad():
        rotation.turn(x)
        if DEVICE == "cuda":
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            rotation.turn(x)
            return torch.cuda.max_memory_allocated() - before
        Path("/proc/self/clear_refs").write_text("5")  # the highest mark starts anew
        before = resident("VmRSS")
        rotation.turn(x)
        return resident("VmHWM") - before


def peaks(name):
    """The same for every dtype from one process of its own, or None where it cannot be measured."""
    command = [sys.executable, __file__, "--peak", name]
    at_once = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}  # freed memory goes back, and is seen when taken again
    done = subprocess.run(command, capture_output=True, text=True, env=at_once)
    if done.returncode:
        return dict.fromkeys(DTYPES)
    return dict(zip(DTYPES, map(int, done.stdout.split()[-len(DTYPES) :]), strict=True))


def worst_error(rotation, dtype):
    """Largest distance of a coordinate from its exact place, over POSITIONS and pairs of length 1."""
    phases = torch.randn(len(POSITIONS), HEAD_DIM // 2, dtype=torch.float64) * 10
    exact = torch.from_numpy(exact_rows(POSITIONS, HEAD_DIM))
    worst = 0.0
    for pos, phase, sin_cos in zip(POSITIONS, phases, exact, strict=True):
        pairs = torch.stack([phase.cos(), phase.sin()]).to(dtype)
        x = pairs if rotation.halves else pairs.T
        with torch.no_grad():
            turned = rotation.turn_at(x.flatten().view(1, 1, 1, HEAD_DIM).to(DEVICE), pos).double().cpu().flatten()
        turned = turned.view(2, -1) if rotation.halves else turned.view(-1, 2).T
        (first, second), (sin, cos) = pairs.double(), (sin_cos[0::2], sin_cos[1::2])
        expected = torch.stack([first * cos - second * sin, first * sin + second * cos])
        worst = max(worst, (turned - expected).abs().max().item())
    return worst


def report(rotations, dtype, rounds, bytes_at_most):
    print(f"\n{tuple(SHAPE)} {dtype}, {rounds} rounds")
    print(f"{'':24}" + f"{'wall ms':>9}{'cpu ms':>8}{'/ x + x':>9}" * 2 + f"{'peak / x':>10}{'worst error':>13}")
    print(f"{'':24}{'forward':>26}{'backward':>26}")
    measured = {name: [summary(each) for each in both] for name, both in times(rotations, dtype, rounds).items()}
    size = torch.Size(SHAPE).numel() * dtype.itemsize
    _, floor = measured[FLOOR][0]
    for name, rotation in rotations.items():
        columns = "".join(f"{wall:>9.2f}{cpu:>8.2f}{cpu / floor:>9.2f}" for wall, cpu in measured[name])
        most = bytes_at_most[name][dtype]
        memory = f"{most / size:.2f}" if most else "-"
        error = "-" if rotation.turn_at is None else f"{worst_error(rotation, dtype):.1e}"
        print(f"{name:24}{columns}{memory:>10}{error:>13}", flush=True)
    print(f"\nOne decoding step, {(1, HEADS, 1, HEAD_DIM)} {dtype}, microseconds of {STEPS} at best")
    for name, (given, *without) in decoding_steps(rotations, dtype).items():
        compared = [f"{step:>9.1f} without a position, {given / step:.2f} times as long with one" for step in without]
        print(f"{name:24}{given:>9.1f}", *compared, flush=True)


def main():
    if sys.argv[1:2] == ["--peak"]:
        print(*(peak_of_this_process(sys.argv[2], dtype) for dtype in DTYPES))
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    where = torch.cuda.get_device_name() if DEVICE == "cuda" else f"CPU, {torch.get_num_threads()} threads"
    print(f"torch {torch.__version__}, {where}")
    rotations, missing = made(MAKERS)
    print(*(f"{name} {version(name)}" for name in LIBRARIES if name in rotations), sep=", ")
    for package in missing:
        print(f"not installed, so not measured: {package}")
    bytes_at_most = {name: peaks(name) for name in rotations}
    for dtype in DTYPES:
        report(rotations, dtype, rounds, bytes_at_most)


if __name__ == "__main__":
    main()
