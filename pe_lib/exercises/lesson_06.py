"""Lesson 06, Broadcasting."""

import torch

from ..diagnosis import Diagnosis, Finding, diagnose_layer
from ..diagnosis.run import run
from ..judges import function, value
from .exercise import Exercise


def _random(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def _own_layer(make_layer):
    """A layer that is right, saves nothing, and applies the dropout that it was given to the sum, in training only."""
    diagnosis = diagnose_layer(make_layer)
    if not diagnosis.ok:
        return diagnosis
    x = torch.ones(40, 8, 6)
    call = "the layer made with dropout=0.5"
    out = run(call, lambda: make_layer(6, 8, dropout=0.5).train()(x).detach())
    kept, sums = out != 0, make_layer(6, 8)(x).detach()
    dropped = 1 - kept.float().mean()
    if make_layer(6, 8).state_dict():
        finding = Finding("saved", "The table is saved in checkpoints.", fix="register_buffer(…, persistent=False)")
    elif not 0.4 < dropped < 0.6:
        finding = Finding(
            "dropout", "The dropout that was asked for is not applied to the sum.", f"in training, {call}"
        )
    elif not torch.allclose(out[kept], 2 * sums[kept], atol=1e-4):
        finding = Finding("dropout", "In training, what is not dropped should be twice the sum.", call)
    else:
        return diagnosis
    return Diagnosis(ok=False, findings=(finding,))


EXERCISES = {
    "06.1": Exercise(
        1,
        value(
            (32, 100, 512),
            replies=[
                (
                    (32, 1, 512),
                    "An axis of size 1 is stretched to meet the other, in x too: x is the one that grows here.",
                ),
                ((1, 100, 512), "The batch axis of pe has size 1; it is stretched to meet the 32."),
                (
                    "error",
                    "Sizes 1 and 100 do not clash: an axis of size 1 is stretched. That is what makes this dangerous.",
                ),
            ],
        ),
        "One token went in, a hundred came out, and nothing complained.",
    ),
    "06.2": Exercise(
        2,
        function(
            lambda x, pe: x + pe[:, : x.shape[1]],
            [(_random(0, b, n, 6), _random(1, 1, 8, 6)) for b, n in ((2, 3), (3, 1), (2, 8), (5, 5))],
            mistakes=[
                (
                    lambda x, pe: x + pe[:, x.shape[1] - 1],
                    "One single row is added to every token: a slice needs its colon.",
                ),
                (lambda x, pe: x + pe.transpose(0, 1)[: x.shape[0]], "Each sample gets one row of the table."),
                (lambda x, pe: pe[:, : x.shape[1]] + 0 * x, "The encoding alone comes back; x is lost."),
                (lambda x, pe: x * pe[:, : x.shape[1]], "x is multiplied by the encoding; it should be added."),
            ],
        ),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(4, _own_layer, "A layer of your own, right at every shape that we know to break published ones."),
}
