"""The layer that adds the encoding to a batch of embeddings (lesson 06)."""

from numbers import Integral

import torch
from torch import nn

from .arguments import check_bool, check_dropout, check_size
from .stack_flatten import HoldsTable


class PositionalEncoding(HoldsTable):
    """Add the sinusoidal encoding to every token's vector, then apply dropout.

    Arguments
        embed_size   width of a token's vector (``d_model`` everywhere else); odd widths work
        max_len      longest sequence, in positions
        dropout      probability in [0, 1), applied to the sum in training only
        batch_first  True: x is (batch, sequence, embed_size); False: x is (sequence, batch, embed_size)

    The buffer ``pe`` is (1, max_len, embed_size) or (max_len, 1, embed_size). It follows ``.to()`` and ``.half()``, is
    not trained, and is not saved, so that a checkpoint fits a layer with another max_len; one that holds a table loads.
    A layer from the meta device fills its table in ``to_empty()``; before, forward raises RuntimeError for a real x.
    Raises TypeError or ValueError for a size that is no whole number of at least 1 or a dropout outside [0, 1).
    Source: Vaswani et al. (2017), section 3.5; dropout on the sum: section 5.4.
    >>> PositionalEncoding(4)(torch.zeros(1, 2, 4))[0, 1, :2]
    tensor([0.8415, 0.5403])
    """

    def __init__(self, embed_size: int, max_len: int = 512, dropout: float = 0.0, batch_first: bool = True) -> None:
        super().__init__()
        self.embed_size = check_size("embed_size", embed_size)
        self.max_len = check_size("max_len", max_len)
        self.dropout = nn.Dropout(check_dropout(dropout))
        self.batch_first = check_bool("batch_first", batch_first)
        self.hold("pe", *((1, self.max_len) if batch_first else (self.max_len, 1)), self.embed_size)
        self.register_load_state_dict_pre_hook(_forget_saved_table)

    def forward(self, x: torch.Tensor, start: int = 0) -> torch.Tensor:
        """Return dropout(x + encoding): a new tensor of x's shape and dtype.

        x is a floating-point tensor in the layer's layout; ``start`` is the position of its first token, for decoding
        with a cache. Raises TypeError or ValueError when x has another shape or dtype, or reaches past ``max_len``
        (under ``torch.compile(fullgraph=True)``, torch wraps what is raised in an error of its own).
        """
        rows = self._checked_rows(x, start)
        table = self.filled_table()
        if table.is_meta and not x.is_meta:
            raise RuntimeError(
                "PositionalEncoding is still on the meta device and holds no numbers: "
                f'call its to_empty(device="{x.device.type}"), which also fills its table'
            )
        pe = table[:, rows] if self.batch_first else table[rows]  # (1, length, …) or (length, 1, …)
        # Without the cast, a bfloat16 x and a float32 table would add up to float32.
        return self.dropout(x + pe.to(x.dtype))

    def _checked_rows(self, x, start):
        """The rows of the table for x. Broadcasting accepts many wrong shapes in silence: each is refused by name."""
        layout = "(batch, sequence, embed_size)" if self.batch_first else "(sequence, batch, embed_size)"
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"x must be a tensor {layout}, but got {type(x).__name__}")
        if not x.is_floating_point():
            raise TypeError(f"x must hold floating-point embeddings, but got {x.dtype}; embed token ids first")
        if x.ndim != 3 or x.shape[2] != self.embed_size:
            raise ValueError(f"x must be {layout} with embed_size = {self.embed_size}, but got {tuple(x.shape)}")
        if isinstance(start, bool) or not isinstance(start, (Integral, torch.SymInt)):
            raise TypeError(f"start must be a whole number of positions, but got {start!r} ({type(start).__name__})")
        if not 0 <= start < self.max_len:
            raise ValueError(f"start must lie between 0 and max_len - 1 = {self.max_len - 1}, but got {start}")
        if not isinstance(start, torch.SymInt):
            start = int(start)  # an int8 would overflow in the sum
        length = x.shape[1] if self.batch_first else x.shape[0]
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"x reaches position {end - 1} (start {start}, length {length}), but max_len = {self.max_len} ends at "
                f"position {self.max_len - 1}; make the layer with max_len={end} or more"
            )
        return slice(start, end)

    def extra_repr(self):
        return f"embed_size={self.embed_size}, max_len={self.max_len}, batch_first={self.batch_first}"


def _forget_saved_table(layer, state_dict, prefix, *_):
    """Checkpoints of other layers hold their table; ours has its own."""
    state_dict.pop(prefix + "pe", None)
