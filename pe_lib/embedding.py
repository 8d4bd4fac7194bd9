"""From token ids to vectors: a table look-up, scaled as in the paper (lesson 01)."""

import math

import torch
from torch import nn

from .arguments import check_size


class TokenEmbedding(nn.Module):
    """Token ids (batch, sequence) to vectors (batch, sequence, d_model), ready to have an encoding added.

    A row of the table starts with a length near 1 (standard deviation 1 / sqrt(d_model) per component), and the
    look-up is multiplied by sqrt(d_model), so that the components start with a standard deviation of 1.
    Raises TypeError for ids that are no integers, ValueError for other shapes or (on the CPU, not compiled) for an id
    outside the vocabulary; elsewhere torch reports such an id in its own way.
    Source: Vaswani et al. (2017), section 3.4; the initial values follow tensor2tensor.
    >>> TokenEmbedding(vocab_size=10, d_model=4)(torch.tensor([[2, 5, 7]])).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, vocab_size: int, d_model: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(check_size("vocab_size", vocab_size), check_size("d_model", d_model))
        self.scale = math.sqrt(d_model)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.normal_(self.embedding.weight, std=1 / self.scale)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        if not isinstance(ids, torch.Tensor) or ids.dtype not in (torch.int64, torch.int32):
            got = ids.dtype if isinstance(ids, torch.Tensor) else type(ids).__name__
            raise TypeError(f"ids must be a tensor of int64 or int32, such as torch.tensor([[2, 5, 7]]), but got {got}")
        if ids.ndim != 2:
            raise ValueError(f"ids must have the shape (batch, sequence), but got {tuple(ids.shape)}")
        try:
            return self.embedding(ids) * self.scale
        except IndexError:
            # Only now, so that a good look-up pays nothing.
            vocab_size = self.embedding.num_embeddings
            bad = next((i for i in ids.flatten().tolist() if not 0 <= i < vocab_size), None)
            if bad is None:
                raise
            raise ValueError(f"ids must lie between 0 and vocab_size - 1 = {vocab_size - 1}, but got {bad}") from None
