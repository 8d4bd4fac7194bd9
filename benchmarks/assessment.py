"""How often the summary's interval holds the true gain of simulated classes:

    python benchmarks/assessment.py

Learners answer by item-response theory (a guess is right once in five times), form B is harder than form A, and a coin
deals them. The true gain is computed by integration, not by sampling. For comparison the plain percentile bootstrap,
from the same draws.
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "course")]

from simulated_class import classes, true_gain  # noqa: E402

from pe_course.assessment.measures import draws_of, gain  # noqa: E402

CLASSES = 1000
LEARNERS = (12, 20, 60, 200)
CASES = {  # ability before, and what the course adds: (mean, spread) each
    "as in the tests": ((-0.8, 1.0), (1.4, 0.6)),
    "nearly nothing": ((-0.8, 1.0), (0.2, 0.6)),
    "much, by few": ((-1.0, 0.7), (1.5, 1.5)),
    "knew much before": ((0.8, 1.0), (1.4, 0.6)),
}


def percentiles(before, after):
    draws = draws_of(len(before))
    values = draws @ (after - before) / (draws @ (1 - before))
    return np.quantile(values, [0.025, 0.975], axis=0)


def main():
    print(f"{CLASSES:,} classes each; how often the 95 % interval holds the true gain\n")
    print(f"{'class':18}{'true <g>':>9}{'learners':>10}{'studentized':>13}{'percentile':>12}{'mean width':>12}")
    for name, (before, rise) in CASES.items():
        true = true_gain(before, rise)
        for learners in LEARNERS:
            shares = classes(learners, CLASSES, learners, before, rise)
            found, (low, high) = gain(*shares), percentiles(*shares)
            held = np.mean((found.low <= true) & (true <= found.high))
            plain = np.mean((low <= true) & (true <= high))
            width = np.mean(found.high - found.low)
            print(f"{name:18}{true:9.3f}{learners:10}{held:13.1%}{plain:12.1%}{width:12.2f}")
    chance = 1.96 * (0.95 * 0.05 / CLASSES) ** 0.5
    print(f"\nBy chance alone 95 % of {CLASSES:,} classes comes out within {chance:.1%} of that.")


if __name__ == "__main__":
    main()
