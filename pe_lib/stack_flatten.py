"""The encoding without item assignment: stack sines on cosines, then flatten (lesson 05)."""

import torch
from torch import nn

from .arguments import check_size
from .formula import angles


def sinusoidal_stack_flatten(max_len, d_model, base=10000.0):
    """The sinusoidal table as a torch tensor.

    Returns a Tensor float32 of shape (max_len, d_model) on the CPU. Angles, sines and cosines are float64 and rounded
    once at the end, so that with a base of at least 1 a cell is off by no more than 6e-8, at position 1,000,000 as at
    position 1.
    Raises TypeError or ValueError for a size that is no whole number of at least 1, or a ``base`` below 1e-6.
    Source: Vaswani et al. (2017), section 3.5.
    """
    theta = torch.from_numpy(angles(max_len, d_model, base))  # (max_len, pairs)
    pairs = torch.stack([theta.sin(), theta.cos()], dim=2)  # (max_len, pairs, 2)
    table = torch.flatten(pairs, start_dim=1, end_dim=2)  # (max_len, 2 * pairs)
    return table[:, :d_model].to(torch.float32)  # an odd d_model drops the last cosine


class SinusoidalTable(nn.Module):
    """A module that holds nothing to train: ``forward()`` takes no input and returns the table.

    Takes ``d_model`` and ``max_sequence_length``, checked as in `sinusoidal_stack_flatten`; ``forward()`` returns a
    copy of the table, a Tensor float32 of shape (max_sequence_length, d_model), so that changing it does no harm.
    """

    def __init__(self, d_model, max_sequence_length):
        super().__init__()
        sizes = check_size("max_sequence_length", max_sequence_length), check_size("d_model", d_model)
        self.register_buffer("table", torch.empty(sizes, dtype=torch.float32), persistent=False)
        self.reset_parameters()

    def reset_parameters(self):
        """Fill the table: after ``to_empty()`` has moved a module that was made on the meta device."""
        self.table.copy_(sinusoidal_stack_flatten(*self.table.shape))

    def forward(self):
        return self.table.clone()
