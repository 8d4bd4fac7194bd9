"""What stops when a learner's module is made and called, and what it comes from; and a table of swapped sizes."""

import torch

from pe_clinic.sandbox import Failed, run
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges import numbers, pages, same, wrong

NOT_MADE = pages(__file__, {})["a layer"].errors


def tensors_in(layer):
    """The tensors that a layer holds: its buffers first."""
    held = [*layer.buffers(), *layer.parameters(), *vars(layer).values()]
    return [tensor for tensor in held if isinstance(tensor, torch.Tensor)]


def swapped_sizes(make_layer, call):
    """The diagnosis of a layer whose table was made with both sizes in each other's place; else None."""
    try:
        layer = run(call, make_layer, 6, 10)
        tables = map(numbers, tensors_in(layer))
    except (Failed, NotImplementedError, AttributeError, TypeError):
        return None
    if not any(table is not None and same(table.squeeze(), sinusoidal_vectorized(6, 10)) for table in tables):
        return None
    title = "The sizes of the table have changed places: it has d_model rows and max_len columns."
    seen = f"{call} holds a table of 6 rows and 10 columns"
    fix = "a table is made as (max_len, d_model), and the layer as (d_model, max_len)"
    return wrong("sizes-swapped", title, seen, fix=fix)
