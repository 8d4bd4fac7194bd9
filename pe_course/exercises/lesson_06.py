"""Lesson 06, Broadcasting."""

import torch
from torch import nn

from pe_clinic import Diagnosis, diagnose_layer
from pe_lib.stack_flatten import sinusoidal_stack_flatten

from ..judges import Value, wrong
from ..judges.known import pages
from .adding import Adding
from .exercise import Exercise
from .ordering import Ordering
from .own_layer import blank_page, own_layer


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

KNOWN = pages(__file__, globals())
EXERCISES = {
    "06.1": Exercise(
        1,
        Value((32, 100, 512), KNOWN["06.1"]),
        "One token went in, a hundred came out, and nothing complained.",
    ),
    "06.2": Exercise(
        2,
        Adding(KNOWN["06.2"]),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(
        4, own_layer, "A layer of your own, right at every length up to max_len, in training and in use."
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
    "06.5": Exercise(4, blank_page, "The whole layer, from memory: you need nobody's code for it."),
}
