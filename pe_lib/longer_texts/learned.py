"""One trained row for each position, as in BERT and GPT-2."""

import torch
from torch import nn

from ..arguments import check_embeddings, check_size


class LearnedPositions(nn.Module):
    """Add a trained row to the vector at each position: x (batch, length, d_model) to a tensor of its shape and dtype.

    The rows start with a standard deviation of 0.02, as in GPT-2. Raises TypeError or ValueError for a size that is
    no whole number of at least 1; TypeError for an x that is no floating-point tensor; ValueError for one of another
    width or longer than ``max_len``: no row was trained for what lies beyond.
    Source: Gehring et al. (2017), section 3.1, https://arxiv.org/abs/1705.03122
    >>> LearnedPositions(max_len=8, d_model=4)(torch.zeros(1, 2, 4)).shape
    torch.Size([1, 2, 4])
    """

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(check_size("max_len", max_len), check_size("d_model", d_model)))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.normal_(self.table, std=0.02)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        max_len, d_model = self.table.shape
        if check_embeddings(x, "(batch, length, d_model)").ndim != 3 or x.shape[2] != d_model:
            raise ValueError(f"x must be (batch, length, d_model) with d_model = {d_model}, but got {tuple(x.shape)}")
        if x.shape[1] > max_len:
            raise ValueError(f"x must have at most max_len = {max_len} positions, but got {x.shape[1]}")
        return x + self.table[: x.shape[1]].to(x.dtype)
