"""Does dropout act once, on the sum, in training only?"""

import re
from dataclasses import dataclass

import numpy as np
import torch

from ..calling.layers import inner_of
from ..calling.parameters import arguments_of, source_of
from ..saying.words import show
from .outputs import Response
from .subject import MAX_LEN
from .words import found


@dataclass(frozen=True)
class Training:
    """One x in eval, and twice in training, with the p that the layer says or was asked for (None: neither)."""

    quiet: Response
    loud: Response
    other: Response
    p: float | None
    meant: bool = True  # is it a share that the code or its caller gave?
    unread: bool = False  # is it asked for, and in no line of the class?


def awake_in_eval(subject, made):
    """A finding when eval() leaves dropout on; else None."""
    for shape in ((4, 3), (4, MAX_LEN), (4, 4)):  # one of them fits, even where a table is cut to the wrong size
        one, two = (subject.ask(made, *shape, random=seed) for seed in (0, 1))
        if one.fits and two.fits:
            break
    if not one.fits or not two.fits or np.array_equal(one.out, two.out):
        return None
    zeros = np.mean((one.out == 0) | (two.out == 0))
    if not zeros:
        return found("not-repeatable", "in eval(), two calls with the same x differ")
    return found("dropout, in eval", "in eval(), two calls with the same x differ, and some cells are 0")


def in_training(subject, asked):
    """What a layer, made with dropout ``asked`` for, gives in training."""
    made = subject.make()
    meant, quiet = bool(asked or _probability(made.layer)), subject.ask(made, 2, MAX_LEN)
    made.layer.train()
    loud, other = subject.ask(made, 2, MAX_LEN), subject.ask(made, 2, MAX_LEN, random=1)
    if not meant and quiet.fits and loud.fits and np.array_equal(quiet.out, loud.out):
        _wake(made.layer)
        loud, other = subject.ask(made, 2, MAX_LEN), subject.ask(made, 2, MAX_LEN, random=1)
        cls = type(inner_of(made.layer))
        needed = [a.name for a in arguments_of(cls) if a.role == "dropout" and a.required]
        code = re.sub(r'(?s)""".*?"""|#[^\n]*', "", source_of(cls))
        unread = any(len(re.findall(rf"\b{name}\b", code)) == 1 for name in needed)
        return Training(quiet, loud, other, asked or _probability(made.layer), bool(needed), unread)
    return Training(quiet, loud, other, asked or _probability(made.layer), meant)


def of_a_stop(training):
    """The finding for an error that comes in training alone."""
    if not training or not training.quiet.fits or not training.loud.finding:
        return []
    return [found("train-differs, by a stop", f"in training {training.loud.finding.evidence}")]


def of_training(training, rest, a):
    """Findings about dropout; ``rest`` is what the layer adds to a · x, (MAX_LEN, D_MODEL)."""
    quiet, loud, other, p = training.quiet, training.loud, training.other, training.p
    if not (quiet.fits and loud.fits and other.fits):
        return of_a_stop(training)
    steady = np.allclose(loud.out, other.out, atol=1e-6)
    if steady and not np.allclose(loud.out, quiet.out, atol=1e-4):
        most = show(np.abs(loud.out - quiet.out).max())
        return [found("train-differs", f"the same x gives outputs that differ by up to {most}")]
    if steady and training.meant and (p or training.unread):
        seen = f"p = {show(p)}, and " if p else "no line reads the share that is asked for: "
        return [found("dropout, never", f"{seen}in training the output is that of eval()")]
    if steady:
        return []
    alive = loud.out != 0
    factors = loud.out[alive] / quiet.out[alive]
    if not alive.all() and np.ptp(factors) < 1e-3 * factors.max():
        return _once(p, float(np.median(factors)))
    return [_elsewhere(loud, quiet, rest, a)]


def _once(p, factor):
    """All cells that are left have one and the same ``factor``, which tells p."""
    if p is None or abs(factor * (1 - p) - 1) < 1e-3:
        return []
    seen = (
        f"p = {show(p)}, and in training the cells that are left are {show(factor)} "
        f"times as large; once makes {show(1 / (1 - p))}"
    )
    if abs(factor * (1 - p) ** 2 - 1) < 1e-3:
        return [found("dropout, twice", seen)]
    return [found("dropout, of another share", seen)]


def _elsewhere(loud, quiet, rest, a):
    def one_factor(array, of):
        """Is ``array`` a dropout of ``of``: 0, or one factor times it?"""
        large = np.abs(of) > 0.05
        ratio = (array / np.where(large, of, 1))[large]
        left = ratio[np.abs(ratio) > 1e-3]
        return len(left) and len(left) < len(ratio) and np.ptp(left) < 1e-2 * np.abs(left).max()

    encoding, embedding = np.broadcast_to(rest, quiet.x.shape), a * quiet.x
    if one_factor(loud.out - embedding, encoding):
        return found("dropout, of the encoding", "in training x is complete, and cells of the encoding are 0")
    if one_factor(loud.out - encoding, embedding):
        return found("dropout, of x", "in training the encoding is complete, and cells of x are 0")
    return found("dropout, elsewhere", "in training the cells are multiplied by several different factors")


def _wake(layer):
    """A share of 0, as a caller or a configuration may give it, hides what dropout does: of each it becomes a half."""
    for module in layer.modules():
        dropped = ["p"] if isinstance(module, torch.nn.modules.dropout._DropoutNd) else []
        for name, value in list(vars(module).items()):
            if (name in dropped or ("drop" in name.lower() and type(value) is float)) and value == 0:
                setattr(module, name, 0.5)
        for name, part in module.named_children():
            if "drop" in name.lower() and isinstance(part, torch.nn.Identity):  # nn.Dropout(p) if p else nn.Identity()
                setattr(module, name, torch.nn.Dropout(0.5))


def _probability(layer):
    """What the layer says of its own p: the first nn.Dropout, or a number called dropout; None when it says nothing."""
    for module in layer.modules():
        if isinstance(module, torch.nn.modules.dropout._DropoutNd) and 0 < module.p < 1:
            return module.p
        for name, value in vars(module).items():
            if "drop" in name.lower() and isinstance(value, float) and 0 < value < 1:
                return value
    return None
