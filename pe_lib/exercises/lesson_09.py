"""Lesson 09, Beyond sinusoids."""

import torch

from ..judges import function, value
from ..variants import rope_interleaved
from .exercise import Exercise, random_tensor

Q = random_tensor(0, 5, 2)


def _turned(x, positions, frequency):
    return rope_interleaved(x, positions, frequencies=torch.tensor([frequency]))


def _penalty(length, slope):
    pos = torch.arange(length)
    return -slope * (pos - pos[:, None]).abs()


EXERCISES = {
    "09.1": Exercise(
        3,
        function(
            _turned,
            [(Q, torch.arange(5.0), 0.5), (Q, torch.tensor([7.0, 3.0, 0.0, 1.0, 2.0]), 1.0)],
            mistakes=[
                (
                    lambda x, positions, frequency: _turned(x, -positions, frequency),
                    "It turns backwards: the two signs before the sines have changed places.",
                ),
                (
                    lambda x, positions, frequency: _turned(x, torch.arange(len(x)), frequency),
                    "It takes 0, 1, 2, … and ignores positions.",
                ),
                (
                    lambda x, positions, frequency: _turned(x, positions, 1.0),
                    "It ignores the frequency: the angle is position times frequency.",
                ),
            ],
        ),
        "That is RoPE for one pair; the rest is doing it for all pairs at once.",
    ),
    "09.2": Exercise(
        2,
        function(
            _penalty,
            [(4, 0.5), (3, 0.25)],
            mistakes=[
                (lambda length, slope: -_penalty(length, slope), "The sign is wrong: far tokens have to lose."),
                (
                    lambda length, slope: -slope * (torch.arange(length) - torch.arange(length)[:, None]),
                    "Without the absolute value, tokens on the left gain instead of losing.",
                ),
                (
                    lambda length, slope: slope * (torch.arange(length) - torch.arange(length)[:, None]),
                    "Without the absolute value, tokens on the other side gain instead of losing.",
                ),
                (lambda length, slope: _penalty(length, 1.0), "It ignores the slope."),
            ],
        ),
        "Four numbers of slope for four heads, and no table at all.",
    ),
    "09.3": Exercise(
        1,
        value(
            "d",
            replies=[
                ("a", "RoPE turns by the signed offset: three before and three after are different rotations."),
                ("b", "T5 has buckets of its own for keys on the right."),
                ("c", "A plain dot product cannot tell, but with a trained matrix between, such as M(-2), it can."),
            ],
        ),
        "The distance |m − n| has no sign. With a causal mask only one side is left, and it works.",
    ),
}
