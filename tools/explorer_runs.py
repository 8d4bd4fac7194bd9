"""The runs that the explorers of lessons 07 and 10 show, computed before.

    python tools/explorer_runs.py       a minute or two

It trains the toys of these lessons with fixed seeds, and writes what it measured to training_runs.js and longer_runs.js
in pe_course/explore/. On another processor the third digit may differ.
"""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pe_course.toy import Toy, accuracy, previous, reverse, train  # noqa: E402
from pe_lib import PositionalEncoding, alibi_bias, rope_interleaved, sinusoidal_vectorized  # noqa: E402
from pe_lib.longer_texts import LearnedPositions  # noqa: E402

FOLDER = ROOT / "pe_course" / "explore"
EVERY, STEPS, LENGTH = 12, 300, 12
TRAINED, LENGTHS = 16, range(8, 65, 4)
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"  # a share from 0 to 1 as one of 64


def watched(encoding) -> dict:
    """The lesson's toy with one head learns to reverse: loss, share right and attention, every few steps."""
    model = Toy(encoding, heads=1)
    maps, right = [], []

    def task(ids):
        if len(maps) * EVERY == task.step:
            maps.append(model.layers[0].attention.map.mean(dim=(0, 1)).numpy())
            right.append(accuracy(model, reverse, LENGTH, batches=4))
        task.step += 1
        return reverse(ids)

    task.step = 0
    losses = np.array(train(model, task, steps=STEPS + 1, progress=False))
    smooth = [losses[max(0, step - EVERY) : step + 1].mean() for step in range(0, STEPS + 1, EVERY)]
    shares = ["".join(DIGITS[round(63 * share)] for share in attention.ravel()) for attention in maps]
    return {"loss": [round(float(loss), 3) for loss in smooth], "right": rounded(right), "attention": shares}


def rounded(values) -> list[float]:
    return [round(float(value), 3) for value in values]


def adding(base: float):
    table = torch.from_numpy(sinusoidal_vectorized(LENGTH, 32, base)).float()
    return lambda x: x + table


def longer(make) -> list[float]:
    """Trained at 2 to 16 tokens, three seeds: the mean share right at each length, beyond 16 at new positions alone."""

    def scores(seed):
        torch.manual_seed(seed)
        model = Toy(make(), d_model=32, heads=4, layers=2, seed=seed, causal=True, **OPTIONS.get(make, {}))
        train(model, previous, steps=STEPS, seed=seed, lengths=(2, TRAINED), progress=False)
        beyond = [(n, TRAINED if n > TRAINED else 0) for n in LENGTHS]
        return [accuracy(model, previous, n, first=first, batches=4) for n, first in beyond]

    return rounded(np.mean([scores(seed) for seed in range(3)], axis=0))


def none():
    return None


def rope():
    return None


def alibi():
    return None


def sinusoidal():
    return PositionalEncoding(32, max_len=64)


def learned():
    return LearnedPositions(64, 32)


OPTIONS = {rope: {"rotate": rope_interleaved}, alibi: {"bias": partial(alibi_bias, 4)}}


def write(name: str, about: str, **constants: object) -> None:
    lines = [f"// {about} Written by tools/explorer_runs.py."]
    lines += [f"export const {name} = {json.dumps(value, separators=(',', ':'))};" for name, value in constants.items()]
    (FOLDER / f"{name}.js").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    encodings = {"none": None, "the paper's": adding(10000.0), "doubled exponent": adding(1e8)}
    runs = {name: watched(encoding) for name, encoding in encodings.items()}
    write("training_runs", "The toy of lesson 07 while it learns to reverse.", RUN_STEPS=EVERY, RUNS=runs)
    kinds = {"none": none, "sinusoidal": sinusoidal, "learned": learned, "RoPE": rope, "ALiBi": alibi}
    scores = {name: longer(make) for name, make in kinds.items()}
    constants = {"TRAINED": TRAINED, "LENGTHS": list(LENGTHS), "SCORES": scores}
    write("longer_runs", "The toys of lesson 10 at lengths that training never had.", **constants)


if __name__ == "__main__":
    main()
