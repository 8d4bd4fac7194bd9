"""The encoding without item assignment: stack sines on cosines, then flatten (lesson 05)."""

import torch
from torch import nn

from .arguments import check_size
from .formula import angles


def sinusoidal_stack_flatten(max_len: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    """The sinusoidal table as a torch tensor.

    Returns a Tensor float32 of shape (max_len, d_model) on the CPU. Angles, sines and cosines are float64 and rounded
    once at the end, so that with a base of at least 1 a cell is off by no more than 6e-8, at position 1,000,000 as at
    position 1.
    Raises TypeError or ValueError for a size that is no whole number of at least 1, or a ``base`` below 1e-6.
    Source: Vaswani et al. (2017), section 3.5.
    >>> sinusoidal_stack_flatten(2, 4)[1, :2]
    tensor([0.8415, 0.5403])
    """
    theta = torch.from_numpy(angles(max_len, d_model, base))  # (max_len, pairs)
    pairs = torch.stack([theta.sin(), theta.cos()], dim=2)  # (max_len, pairs, 2)
    table = torch.flatten(pairs, start_dim=1, end_dim=2)  # (max_len, 2 * pairs)
    return table[:, :d_model].to(torch.float32)  # an odd d_model drops the last cosine


class HoldsTable(nn.Module):
    """A module whose only buffer is a sinusoidal table, (…, d_model): not trained, not saved, and never left unfilled.

    A module may be made on the meta device, which has no numbers. ``to_empty()`` then fills its table, and a buffer
    that somebody puts in the place of an unfilled one is filled when it is first used.
    """

    def hold(self, name, *shape):
        """Register the buffer ``name`` and fill it."""
        # float32 whatever the default dtype: a table made while that is bfloat16 would keep rough rows for good.
        self._name = name
        self.register_buffer(name, torch.empty(shape, dtype=torch.float32), persistent=False)
        self.reset_parameters()

    def reset_parameters(self):
        """Fill the table anew, for example after a trip to half precision and back."""
        table = getattr(self, self._name)
        width = table.shape[-1]
        table.copy_(_constant_table(table.numel() // width, width).view_as(table))
        self._filled = not table.is_meta

    def filled_table(self):
        if not self._filled and not getattr(self, self._name).is_meta:
            self.reset_parameters()
        return getattr(self, self._name)

    def _apply(self, fn, recurse=True):  # behind .to(), .half() and .to_empty(), of this module and of any around it
        was_meta = getattr(self, self._name).is_meta
        super()._apply(fn, recurse)
        if was_meta and not getattr(self, self._name).is_meta:
            self.reset_parameters()
        return self


@torch.compiler.assume_constant_result  # torch.compile would take the powers in float32
def _constant_table(max_len, d_model):
    return sinusoidal_stack_flatten(max_len, d_model)


class SinusoidalTable(HoldsTable):
    """A module that holds nothing to train: ``forward()`` takes no input and returns the table.

    Takes ``d_model`` and ``max_sequence_length``, checked as in `sinusoidal_stack_flatten`; ``forward()`` returns a
    copy of the table, a Tensor float32 of shape (max_sequence_length, d_model), so that changing it does no harm.
    >>> SinusoidalTable(d_model=4, max_sequence_length=10)().shape
    torch.Size([10, 4])
    """

    def __init__(self, d_model: int, max_sequence_length: int) -> None:
        super().__init__()
        self.hold("table", check_size("max_sequence_length", max_sequence_length), check_size("d_model", d_model))

    def forward(self) -> torch.Tensor:
        return self.filled_table().clone()
