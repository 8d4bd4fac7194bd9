"""Lesson 06, Broadcasting."""

import torch

from ..diagnosis import diagnose_layer
from ..diagnosis.run import Failed, run
from ..judges import function, value
from .exercise import Exercise, random_tensor, wrong

LONG = 5001  # more than most layers have by default


def _stops_early(make_layer):
    """What happens at the length that was asked for, where the table's length is written down in the code; or None."""
    try:
        run(f"the layer made with max_len={LONG}", lambda: make_layer(4, LONG).eval()(torch.zeros(1, LONG, 4)))
    except Failed as failed:
        return failed.finding.evidence if failed.finding.id == "raises" else None


def _own_layer(make_layer):
    """A layer that is right, saves nothing, and applies the dropout that it was given to the sum, in training only."""
    diagnosis = diagnose_layer(make_layer)
    if not diagnosis.ok:
        return diagnosis
    x = torch.ones(40, 8, 6)

    def output(dropout, training):
        call = f"the layer made with dropout={dropout}, in {'training' if training else 'use'},"
        return run(call, lambda: make_layer(6, 8, dropout=dropout).train(training)(x).detach())

    if run("state_dict()", lambda: make_layer(6, 8, dropout=0.0).state_dict()):
        return wrong("saved", "The table is saved in checkpoints.", fix="register_buffer(…, persistent=False)")
    sums = output(0.0, training=False)
    if not torch.equal(output(0.5, training=False), sums):
        return wrong(
            "dropout-in-eval", "Dropout is active in use, too.", fix="nn.Dropout knows eval(); F.dropout does not"
        )
    if not torch.equal(output(0.0, training=True), sums):
        return wrong("dropout", "In training something is dropped, though dropout=0.0 was asked for.")
    out = output(0.5, training=True)
    kept = out != 0
    if not 0.4 < kept.float().mean() < 0.6:
        return wrong("dropout", "The dropout that was asked for is not applied to the sum.", "dropout=0.5, in training")
    if not torch.allclose(out[kept], 2 * sums[kept], atol=1e-4):
        return wrong("dropout", "In training, with dropout=0.5, what is left should be twice the sum.")
    if stop := _stops_early(make_layer):
        title = "The table has another length than max_len."
        return wrong("max-len", title, f"at length {LONG} {stop}", fix="hand max_len on to what makes the table")
    return diagnosis


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
            [(random_tensor(0, b, n, 6), random_tensor(1, 1, 8, 6)) for b, n in ((2, 3), (3, 1), (2, 8), (5, 5))],
            mistakes=[
                (
                    lambda x, pe: x + pe[:, x.shape[1] - 1],
                    "One single row is added to every token: a slice needs its colon.",
                ),
                (lambda x, pe: x + pe.transpose(0, 1)[: x.shape[0]], "Each sample gets one row of the table."),
                (lambda x, pe: pe[:, : x.shape[1]], "The encoding alone comes back; x is lost."),
                (lambda x, pe: pe[:, : x.shape[1]] + 0 * x, "The encoding alone comes back; x is lost."),
                (lambda x, pe: x * pe[:, : x.shape[1]], "x is multiplied by the encoding; it should be added."),
            ],
        ),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(
        4, _own_layer, "A layer of your own, right at every length up to max_len, in training and in use."
    ),
}
