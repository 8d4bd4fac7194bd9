"""Does the table follow the layer to another device? Only buffers and parameters do."""

import re

import torch
from torch.overrides import TorchFunctionMode

from .catalogue import found
from .run import Failed, run
from .subject import D_MODEL

FACTORIES = {"arange", "zeros", "ones", "full", "empty", "linspace", "tensor", "as_tensor", "eye"}
OTHER_WAYS = {"cuda", "copy_", "new_tensor", "as_tensor", "tensor"}


class Watching(TorchFunctionMode):
    """Notes on which memory torch functions are called, and what is told to follow another tensor or a device.

    ``foreign`` is memory that was neither x nor made by a torch function here; ``homeless`` are factories
    without device=.
    """

    def __init__(self, x):
        super().__init__()
        self.functions, self.memory, self.followed, self.foreign, self.homeless = set(), set(), set(), set(), set()
        self.made = {_memory(x)}

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        self.functions.add(name)
        memory = {_memory(thing) for thing in args if isinstance(thing, torch.Tensor)}
        self.memory |= memory
        self.foreign |= memory - self.made
        if name in FACTORIES and "device" not in kwargs:
            self.homeless.add(name)
        target = (*args[1:], *kwargs.values())
        if name == "type_as" or (
            name == "to" and any(isinstance(t, (torch.device, torch.Tensor, str)) for t in target)
        ):
            self.followed.add(_memory(args[0]))
        result = function(*args, **kwargs)
        self.made |= {_memory(result)} if isinstance(result, torch.Tensor) else set()
        return result


def left_behind(subject):
    """A finding when the table stays where it was; no accelerator is needed to see it."""
    layer = subject.make()
    plain = {
        _memory(value): name
        for module in layer.modules()
        for name, value in vars(module).items()
        if isinstance(value, torch.Tensor)
    }
    if not plain and any(True for _ in (*layer.buffers(), *layer.parameters())):
        return []  # all that it keeps is registered
    x = subject.x(layer, 2, 3, D_MODEL)
    watching = Watching(x)

    def watched():
        with watching:
            return layer(x)

    run("a call that is watched", watched)
    if not plain and not watching.foreign and not watching.homeless:
        return []  # forward makes it where x is
    used = [name for memory, name in plain.items() if memory in watching.memory]
    if used and all(memory in watching.followed for memory, name in plain.items() if name in used):
        return []  # forward itself moves it to x
    if used and not watching.functions & OTHER_WAYS:
        return [_finding(f"the attribute {used[0]} is neither buffer nor parameter")]
    return _moved(layer, x, used)


def _moved(layer, x, used):
    """Try it: the device "meta" is on every machine. (Its first use costs a second of imports.)"""
    x = x.to("meta")
    try:
        run("a layer that was moved to another device", lambda: layer.to("meta")(x))
        return []
    except NotImplementedError:  # torch's way to say that numbers were asked for, which "meta" does not hold
        return []
    except Failed as failed:
        if not re.search(r"on device|same device|expected device", failed.finding.evidence):
            return []
    where = f"the attribute {used[0]} is neither buffer nor parameter" if used else "the layer has no buffer for it"
    return [_finding(where)]


def _finding(where):
    return found("unregistered", f"after layer.to(device) x is on the new device and the table on the old one; {where}")


def _memory(tensor):
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):
        return None
