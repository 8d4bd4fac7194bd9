"""Another device, acted out on the CPU: tensors are marked as being there, and may not meet those that are not.

The device "meta" would do the same, and imports torch's compiler at the first sum: seconds, and 70 MB.
"""

import torch
from torch.overrides import TorchFunctionMode

DEVICE = torch.device("meta")
# What may meet a tensor of another device: it looks at sizes, or copies from one device to the other.
MAY_MEET = {"expand_as", "view_as", "reshape_as", "copy_", "__setitem__", "__getitem__", "__set__"}
MAY_MEET |= {"_has_compatible_shallow_copy_type"}  # asked by Module.to


class Elsewhere(TorchFunctionMode):
    """While it is active, ``x.to(DEVICE)`` gives a tensor that is marked; numbers stay what they are."""

    def __init__(self):
        super().__init__()
        self._marked = {}

    def _is_away(self, tensor):
        return id(tensor) in self._marked

    def _mark(self, value):
        for tensor in _tensors(value):
            self._marked[id(tensor)] = tensor  # kept, or its id might be given to another
        return value

    def __torch_function__(self, function, types, arguments=(), named=None):
        named = dict(named or {})
        name = _name(function)
        if name == "device" and self._is_away(arguments[0]):
            return DEVICE
        inputs = list(_tensors((arguments, named)))
        away = [tensor for tensor in inputs if self._is_away(tensor)]
        if name in ("to", "cuda", "cpu", "type_as"):
            return self._moved(function, name, arguments, named)
        if _is_there(named.get("device")):
            return self._mark(function(*arguments, **{**named, "device": "cpu"}))
        here = [tensor for tensor in inputs if tensor.ndim and not self._is_away(tensor)]
        if here and away and name not in MAY_MEET:
            raise RuntimeError(f"Expected all tensors to be on the same device, in {name}")
        value = function(*arguments, **named)
        if name == "__set__" and away:
            self._mark(arguments[0])  # parameter.data = a moved tensor
        follows = away if name not in MAY_MEET else [t for t in inputs[:1] if self._is_away(t)]
        return self._mark(value) if follows else value

    def _moved(self, function, name, arguments, named):
        """Where the tensor is told to go; to where it was when only a dtype is told."""
        tensor, rest = arguments[0], [*arguments[1:], *named.values()]
        like = [self._is_away(other) for other in rest if isinstance(other, torch.Tensor)]
        places = [_is_there(other) for other in rest if isinstance(other, (torch.device, str))]
        there = name == "cuda" or (name != "cpu" and any(like + places))
        there = there if like or places or name in ("cuda", "cpu") else self._is_away(tensor)
        if there != self._is_away(tensor):
            tensor = tensor.clone()
        if name in ("cuda", "cpu"):
            value = tensor
        else:
            others = tuple("cpu" if _is_there(other) else other for other in arguments[1:])
            value = function(tensor, *others, **{n: "cpu" if _is_there(v) else v for n, v in named.items()})
        if there:
            self._mark(value)
        elif self._is_away(value):
            value = value.clone()
        return value


def _name(function):
    """The function's name; of a property's getter the property's."""
    owner = getattr(function, "__self__", None)
    if getattr(function, "__name__", "") == "__get__" and hasattr(owner, "__name__"):
        return owner.__name__
    return getattr(function, "__name__", "")


def _is_there(device):
    return isinstance(device, (torch.device, str)) and str(device).split(":")[0] == DEVICE.type


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _tensors(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _tensors(part)
