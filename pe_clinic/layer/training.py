"""Which parameters of a layer have a part in what it gives, and which of them training can move."""

import torch

from ..sandbox.guard import attempt
from ..side_effects import gradients
from .outputs import tensor_of
from .words import found

ONE = (" ()", " (1,)", " (1, 1)", " (1, 1, 1)")  # shapes of a single number


def tensors_of(layer):
    """From names to the parameters, and to the attributes that are tensors and no parameters."""
    plain = {
        f"{place}.{name}".strip("."): value
        for place, module in layer.named_modules()
        for name, value in vars(module).items()
        if isinstance(value, torch.Tensor)
    }
    return {**dict(layer.named_parameters()), **dict(layer.named_buffers()), **plain}


def trained(subject, batch, length, seed=None):
    """The parameters that reach the output when x is zero, and so belong to what is added: names and shapes.

    For random x, with a ``seed``, those that reach it at all.
    """
    reached = reached_in(subject.make(), subject, batch, length, seed)
    return tuple(f"{name} {tuple(p.shape)}" for name, p, grad in reached if grad is not None and grad.abs().sum() > 0)


def reached_in(made, subject, batch, length, seed):
    """(name, parameter, its gradient or None) of all that ask for one; () where the layer stops."""
    named = {name: p for name, p in made.layer.named_parameters() if p.requires_grad}
    x = subject.x(made, batch, length, seed=seed)

    def weights(out):
        return torch.rand(out.shape, generator=torch.Generator().manual_seed(0)).to(out)

    grads = attempt(gradients, lambda: tensor_of(made(x), x.shape)[0], list(named.values()), weights) if named else ()
    return [(name, p, grad) for (name, p), grad in zip(named.items(), grads or (), strict=False)]


def of_training(names):
    """A single number that scales the table is a design; a table that is trained is none."""
    names = [name.removeprefix("inner.") for name in names]  # of the user's layer in ours
    numbers = [name for name in names if name.endswith(ONE)]
    if names and len(numbers) == len(names):
        return [found("learned-scale", f"trained: {', '.join(numbers)}")]
    return [found("trainable", f"asks for a gradient: {', '.join(names)}")] if names else []


def cut_off(subject, batch, length):
    """The single numbers that ask for a gradient, are read in forward, and get none: names and shapes."""
    made = subject.make()
    cut = [name for name, p, grad in reached_in(made, subject, batch, length, 0) if grad is None and p.numel() == 1]
    return tuple(name for name in cut if _is_heard(made, subject, name))


def _is_heard(made, subject, name):
    """Does the output change with the number?"""
    before = subject.ask(made, 2, 3)
    with torch.no_grad():
        dict(made.layer.named_parameters())[name].add_(1.0)
    after = subject.ask(made, 2, 3)
    return before.fits and after.fits and abs(after.out - before.out).max() > 1e-6
