"""Lesson 06, Broadcasting."""

import torch
from torch import nn

from pe_clinic import Diagnosis, diagnose_layer
from pe_clinic.sandbox import Failed, run
from pe_lib.stack_flatten import sinusoidal_stack_flatten

from ..judges import Value, wrong
from .adding import Adding
from .exercise import Exercise
from .made import swapped_sizes, told
from .ordering import Ordering

ADDED_WRONGLY = (
    (lambda x, pe: x + pe, "The whole table is added, whatever the length: axis 1 of pe has to be cut to x.shape[1]."),
    (lambda x, pe: x + pe[:, : x.shape[0]], "The table is cut to the batch size, x.shape[0], and not to the length."),
    (lambda x, pe: x + pe[:, : x.shape[2]], "The table is cut to the width of x, x.shape[2], and not to its length."),
    (lambda x, pe: x + pe[:, x.shape[1]], "One single row is added to every token: a slice needs its colon."),
    (lambda x, pe: x + pe[:, x.shape[1] - 1], "One single row is added to every token: a slice needs its colon."),
    (lambda x, pe: x + pe[:, x.shape[0]], "One single row is added to every token: a slice needs its colon."),
    (lambda x, pe: x + pe[:, 1 : x.shape[1] + 1], "The rows begin at row 1; the first token should get row 0."),
    (lambda x, pe: x + pe[:, 1 : x.shape[1]], "The rows begin at row 1, so one is missing: the first is row 0."),
    (lambda x, pe: x + pe[:, 1:], "The rows begin at row 1, and all that follow are taken, whatever the length."),
    (lambda x, pe: x + pe[:, : x.shape[1] - 1], "One row too few: a slice ends before the number behind its colon."),
    (lambda x, pe: x + pe[:, : x.shape[1] + 1], "One row too many: a slice ends before the number behind its colon."),
    (lambda x, pe: x + pe[:, x.shape[1] :], "The colon stands on the wrong side: row n and all that follow are taken."),
    (lambda x, pe: x + pe[..., : x.shape[1]], "The columns of the table are cut, and not its rows, which are axis 1."),
    (lambda x, pe: x + pe[:, : x.shape[1], 0], "One column of the table is taken; every row has d_model of them."),
    (lambda x, pe: x + pe[0, : x.shape[0]].unsqueeze(1), "Each sample gets one row of the table: batch for sequence."),
    (lambda x, pe: x + pe[0, : x.shape[1]].unsqueeze(1), "The rows lie along the batch axis, one for each sample."),
    (lambda x, pe: torch.cat([x, pe[:, : x.shape[1]]], 1), "cat joins; the two have to be added."),
    (lambda x, pe: torch.cat([x, pe[:, : x.shape[1]].expand_as(x)], 1), "cat joins; the two have to be added."),
    (lambda x, pe: torch.cat([x, pe[:, : x.shape[1]].expand_as(x)], 2), "cat joins; the two have to be added."),
    (lambda x, pe: (x + pe[:, : x.shape[1]]).sum(0), "The samples are summed up: the batch axis is gone."),
    (lambda x, pe: x @ pe[0, : x.shape[1]].T, "This is a matrix product; the two are added number by number."),
    (lambda x, pe: (x + pe[:, : x.shape[1]]).squeeze(), "squeeze() takes every axis of size 1 away, in x, too."),
    (lambda x, pe: x + pe[:, : 2 * x.shape[1] : 2], "Every second row is taken; wanted are the first, one by one."),
    (lambda x, pe: x * pe[:, : x.shape[1]], "x is multiplied by the encoding; it should be added."),
)  # fmt: skip
ADDED_NOWHERE = (
    (r"out of bounds for dimension 0 with size 1", "The index picks from axis 0 of pe, of size 1; rows are axis 1."),
    (r"unexpected keyword|has no attribute 'max_len'", "Only x and pe are there: the length is x.shape[1]."),
)  # fmt: skip
LONG = 5001  # more than most layers have by default


def _stops_early(make_layer):
    """What happens at the length that was asked for, where the table's length is written down in the code; or None."""
    try:
        run(f"the layer made with max_len={LONG}", lambda: make_layer(4, LONG).eval()(torch.zeros(1, LONG, 4)))
    except Failed as failed:
        return failed.finding.evidence if failed.finding.id == "raises" else None


def _own_layer(make_layer):
    """A layer that is right, keeps its table in a buffer that is not saved, and drops as asked, in training only."""
    diagnosis = diagnose_layer(make_layer)
    if not diagnosis.ok and not {finding.id for finding in diagnosis.findings} <= {"dropout", "train-differs"}:
        return swapped_sizes(make_layer, "MyPositionalEncoding(6, 10)") or told(diagnosis)
    return _dropped(make_layer) or (_kept(make_layer) if diagnosis.ok else None) or diagnosis


def _dropped(make_layer):
    """What is wrong with the dropout, tried with 0.5 and without."""
    x = torch.ones(40, 8, 6)

    def output(dropout, training):
        call = f"the layer made with dropout={dropout}, in {'training' if training else 'use'},"
        return run(call, lambda: make_layer(6, 8, dropout=dropout).train(training)(x).detach())

    sums = output(0.0, training=False)
    if not torch.equal(output(0.5, training=False), sums):
        return _awake(torch.equal(output(0.5, training=True), sums))
    if not torch.equal(output(0.0, training=True), sums):
        return wrong("dropout", "In training something is dropped, though dropout=0.0 was asked for.")
    return None


def _awake(asleep_in_training):
    if asleep_in_training:
        title = "Dropout is the wrong way round: it drops in use, in eval(), and not in training."
        return wrong("dropout-in-eval", title, fix="training=self.training, or nn.Dropout, which knows it by itself")
    why = "F.dropout drops whenever it is called, unless training=False is handed to it."
    fix = "nn.Dropout knows eval(); with F.dropout: training=self.training"
    return wrong("dropout-in-eval", "Dropout is active in use, in eval(), too.", explanation=why, fix=fix)


def _kept(make_layer):
    """What is wrong with what a right sum is made from, and with the share that is dropped."""
    layer = run("the layer made with embed_size=6, max_len=8, dropout=0.0", lambda: make_layer(6, 8, dropout=0.0))
    if run("state_dict()", layer.state_dict):
        return wrong("saved", "The table is saved in checkpoints.", fix="register_buffer(…, persistent=False)")
    if not any(buffer.numel() >= 8 * 6 for buffer in layer.buffers()):
        return _unregistered(layer)
    out, sums = (_output(make_layer, training) for training in (True, False))
    kept = out != 0
    if not 0.4 < kept.float().mean() < 0.6:
        return wrong("dropout", "The dropout that was asked for is not applied to the sum.", "dropout=0.5, in training")
    if not torch.allclose(out[kept], 2 * sums[kept], atol=1e-4):
        return wrong("dropout", "In training, with dropout=0.5, what is left should be twice the sum.")
    if stop := _stops_early(make_layer):
        title = "The table has another length than max_len."
        return wrong("max-len", title, f"at length {LONG} {stop}", fix="hand max_len on to what makes the table")
    return None


def _output(make_layer, training):
    x = torch.ones(40, 8, 6)
    return run("the layer made with dropout=0.5", lambda: make_layer(6, 8, dropout=0.5).train(training)(x).detach())


def _unregistered(layer):
    fix = 'self.register_buffer("pe", table, persistent=False)'
    if name := next((name for name, held in vars(layer).items() if isinstance(held, torch.Tensor)), None):
        title = f"The sums are right, but self.{name} is a plain attribute: no part of the module."
        why = "What forward moves, it moves again at every call; a buffer moves once, with the module."
        return wrong("unregistered", title, f"the module has no buffer; self.{name} is unknown to it", why, fix)
    title = "The sums are right, but no buffer holds the table: it is made again at every call."
    return wrong("no-buffer", title, fix=fix)


def _sequence_first(make_layer):
    """Adds the table to x (length, batch, embed_size), drops in training only, saves nothing."""
    diagnosis = diagnose_layer(make_layer, batch_first=False)
    if diagnosis.ok and make_layer(6, 8).state_dict():
        return wrong("saved", "The table is saved in checkpoints.")
    return Diagnosis(ok=True) if diagnosis.ok else diagnosis


SHUFFLED = (
    "        rows = self.pe[:x.shape[0]]",
    "        self.dropout = nn.Dropout(dropout)",
    "    def __init__(self, embed_size, max_len, dropout=0.0):",
    "        return self.dropout(x + rows)",
    '        self.register_buffer("pe", table, persistent=False)',
    "class SequenceFirst(nn.Module):",
    "        table = table.unsqueeze(1)",
    "    def forward(self, x):",
    "        super().__init__()",
    "        table = sinusoidal_stack_flatten(max_len, embed_size)",
)
SLIPS = (("E", "G", "The table is registered before it gets its axis: what is kept is (max_len, embed_size)."),)

EXERCISES = {
    "06.1": Exercise(
        1,
        Value(
            (32, 100, 512),
            replies=[
                (
                    (32, 1, 512),
                    "An axis of size 1 is stretched to meet the other, in x too: x is the one that grows here.",
                ),
                ((1, 100, 512), "The batch axis of pe has size 1; it is stretched to meet the 32."),
                ((32, 101, 1024), "Sizes are not added: a size 1 is stretched, here to 100, and equal sizes stay."),
                ((1, 1, 512), "An axis of size 1 is stretched: to 32 in the first place, to 100 in the second."),
                ((100, 32, 512), "The axes stay in their places: samples first, the stretched axis in the middle."),
                ((32, 101, 512), "Sizes are not added, as by cat: a size 1 is stretched, here to 100."),
                ((33, 101, 1024), "Sizes are not added: a size 1 is stretched to the other, equal ones stay."),
                ((100, 512), "The batch axis stays: x brings 32 samples."),
                ((32, 512), "The axis in the middle stays: its 1 is stretched to meet the 100."),
                ((32, 100, 1024), "Equal sizes stay as they are; cat would join them."),
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
        Adding(ADDED_WRONGLY, ADDED_NOWHERE),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(
        4, _own_layer, "A layer of your own, right at every length up to max_len, in training and in use."
    ),
    "06.4": Exercise(
        2,
        Ordering(
            SHUFFLED,
            "SequenceFirst",
            {"torch": torch, "nn": nn, "sinusoidal_stack_flatten": sinusoidal_stack_flatten},
            trial=lambda layer: layer(6, 8)(torch.zeros(3, 3, 6)),
            judge=_sequence_first,
            slips=SLIPS,
        ),
        "A layer for the other layout; whatever order gives each name its value in time is right.",
    ),
}
