"""What stops when a learner's module is made and called, and what it comes from; and a table of swapped sizes."""

from dataclasses import replace

import torch

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, run
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges.comparing import numbers, same
from ..judges.errors import explained

NOT_MADE = (  # (pattern in the call and what it raised, what it comes from)
    (r"before Module.__init__\(\) call|has no attribute '_(?:buffers|modules|parameters)",
     "super().__init__() has to run first: it makes the place where a module keeps its buffers."),
    (r"forward\(\) takes \d+ positional arguments? but|forward\(\) missing",
     "forward takes self and x: compare its def with the call."),
    (r"missing the required .forward", "The module has no forward: is it misspelt, or indented into __init__?"),
    (r"register_buffer\(\) missing|buffer name should be a string",
     'register_buffer takes a name in quotes, and then the tensor: self.register_buffer("pe", …).'),
    (r"cannot assign .* to buffer", "register_buffer keeps tensors; torch.from_numpy makes one of an array."),
    (r"NameError: name '(\w+)' is not defined \(line \d+ of forward",
     "{0} has no value in forward: what __init__ keeps is self.… there, and other names have to be spelt right."),
    (r"NameError: name '(\w+)' is not defined \(line \d+ of __init__",
     "{0} has no value in __init__: the name of a buffer is text in quotes, and other names have to be spelt right."),
    (r"'\w+' object has no attribute '(\w+)' \(line \d+ of forward",
     "forward asks for something called {0}: has __init__ kept it, self.{0} = …, under the same name?"),
)  # fmt: skip


def told(diagnosis, errors=NOT_MADE):
    """The diagnosis of a layer, with the causes of what it raised."""
    return replace(diagnosis, findings=tuple(explained(finding, errors) for finding in diagnosis.findings))


def swapped_sizes(make_layer, call):
    """The diagnosis of a layer whose table was made with both sizes in each other's place; else None."""
    try:
        layer = run(call, make_layer, 6, 10)
        held = [*layer.buffers(), *layer.parameters(), *vars(layer).values()]
    except (Failed, NotImplementedError, AttributeError, TypeError):
        return None
    tables = (numbers(tensor) for tensor in held if isinstance(tensor, torch.Tensor))
    if not any(table is not None and same(table.squeeze(), sinusoidal_vectorized(6, 10)) for table in tables):
        return None
    title = "The sizes of the table have changed places: it has d_model rows and max_len columns."
    seen = f"{call} holds a table of 6 rows and 10 columns"
    swapped = Finding(
        "sizes-swapped", title, seen, fix="a table is made as (max_len, d_model), and the layer as (d_model, max_len)"
    )
    return Diagnosis(False, (swapped,))
