"""Look at a layer: call it at sizes that tell, in eval and in training, once more, moved; and keep what came."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import torch

from ..sandbox.guard import attempt
from ..saying.catalogue import Finding
from ..side_effects import ROUNDING
from ..table.look import NoTable, Tables
from . import behaviour, dropout, registering, training
from .added_table import about, rows_of, tables_of
from .combining import SHAPES, Combination, coefficient, combine
from .evidence import of_combination
from .learned import held_twice, learned, padding_row, told_apart, unused
from .outputs import Response
from .subject import MAX_LEN, Subject, ThroughDropout
from .words import found

UNKNOWN = Combination("unknown")


@dataclass(frozen=True)
class Seen:
    """All that a layer did. None stands for what was not tried, because nothing could be read from it."""

    responses: dict[tuple[int, int], Response] = field(default_factory=dict)  # by (batch, length)
    narrow: Response | None = None  # of a layer of half the width, at a length of that width
    how: Combination = UNKNOWN
    tables: Tables | NoTable | None = None
    rows: np.ndarray | None = None  # what a layer with room for MAX_LEN + 1 positions adds
    others: tuple[Response, ...] = ()  # to x of zeros, and to as many samples as the table has rows
    past: Response | None = None  # to MAX_LEN + 1 tokens
    remembers: str | None = None
    awake: Finding | None = None  # dropout, or chance, in eval
    training: dropout.Training | None = None
    gradient: str | None = None  # what is wrong with it
    trained: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ()  # single numbers that are heard, and that training never moves
    weights: tuple[str, ...] = ()  # of a layer that is no sum: the parameters that have a part in it
    unused: tuple[str, ...] = ()  # parameters of positions that have none, though they are asked for
    stays: Finding | None = None  # that the table does not move
    learned: Finding | None = None  # that a parameter is a table without a formula
    padding_row: Finding | None = None  # that a position of a learned table has it
    rounded: Finding | None = None  # what half precision does to far positions
    traces: tuple = ()

    @cached_property
    def about_sum(self):
        return of_combination(self.how, self.responses, self.narrow)

    @cached_property
    def about_table(self):
        """The findings about the table alone."""
        return about(self.tables)


def look(subject, dropping, asked):
    """The `Seen` of ``subject``; ``dropping`` makes the same layer with dropout ``asked`` for (None: it takes none)."""
    subject.attempt()
    remembers = behaviour.remembers(subject)
    subject = replace(subject, fresh=bool(remembers))
    rows_of_its_own = learned(subject)
    subject = told_apart(subject) if rows_of_its_own else subject
    made = subject.make()
    awake = dropout.awake_in_eval(subject, made)
    if awake and awake.id == "not-repeatable":
        return Seen(awake=awake)
    asker = through_dropout(subject, made) if awake else subject
    responses, other_x = ({shape: asker.ask(made, *shape, seed=seed) for shape in SHAPES} for seed in (0, 1))
    how = combine(responses, other_x, narrow := _narrow(asker))
    if how.pattern != "encoding" and any(response.dtype in ROUNDING for response in responses.values()):
        return Seen(responses)  # of a sum in half precision the table cannot be read
    base = {"responses": responses, "narrow": narrow, "how": how, "remembers": remembers, "awake": awake}
    base["padding_row"] = padding_row(subject) if rows_of_its_own else None
    if rows_of_its_own and how.pattern == "position" and how.a == 1 and responses[2, 8].fits:
        twice = held_twice(made.layer, how.rest(responses[2, 8])[0])
        rows_of_its_own = found("added-twice", twice) if twice else rows_of_its_own
    tables = tables_of(asker, how)
    base |= {"learned": rows_of_its_own, "tables": tables} | _registered(asker, how, responses, tables)
    base |= {"past": _past(asker)} if how.pattern == "encoding" and rows_of_its_own else {}
    if how.pattern == "unknown":
        base |= {"weights": training.trained(asker, 2, 3, seed=0), "unused": unused(asker)}
    if how.pattern == "position":
        rows = rows_of(asker, how)
        with torch.no_grad():
            base |= {"rows": rows, "others": (asker.ask(made, 2, 5, seed=None), asker.ask(made, MAX_LEN, 3))}
        if how.a and rows is not None:
            base["past"] = _past(asker)
            if not awake and made.is_module:  # a plain class may compute with NumPy
                base["gradient"] = behaviour.gradient(asker, how.a)
        if responses[2, 3].fits and not awake:
            base["rounded"] = behaviour.rounded(asker)
        if rows is not None and not awake and not remembers:
            base["training"] = dropout.in_training(dropping, asked)
            base["awake"] = asked and dropout.awake_in_eval(dropping, dropping.make())
    return Seen(**base, traces=() if awake else tuple(_traces(subject)))


def _past(asker):
    """The `Response` of a new layer to one token more than it has room for."""
    return asker.ask(asker.make(), 2, MAX_LEN + 1)


def through_dropout(subject, made):
    """The subject seen through its dropout, scaled so that the coefficient of x is 1."""
    through = ThroughDropout(**vars(subject))
    for shape in SHAPES:
        one, two = (through.ask(made, *shape, seed=seed) for seed in (0, 1))
        if one.fits and two.fits and (factor := coefficient(one, two)):
            return replace(through, kept=1 / factor)
    return through


def _narrow(subject):
    """The response of a layer of half the width, at a length of that width; None when there is no such layer."""
    return attempt(lambda: subject.ask(subject.make(d_model=MAX_LEN // 2), 2, MAX_LEN // 2))


def _registered(subject, how, responses, tables):
    """How the table is held: tried at a shape at which the layer works."""
    works = [shape for shape, response in responses.items() if response.fits or how.pattern == "encoding"]
    if not works:
        return {}
    seen = {"trained": training.trained(subject, *works[0]), "cut_off": training.cut_off(subject, *works[0])}
    if how.pattern not in ("unknown", "never-added"):
        seen["stays"] = registering.left_behind(subject, *works[0], tables)
    return seen


def _traces(subject: Subject):
    """What making a layer and calling it left behind, each with two seeds."""
    both = []
    for seed in (1, 2):
        made = subject.make(seed=seed)
        both.append((made.traces, subject.ask(made, *SHAPES[0], random=seed).traces))
    return [(a, b) for a, b in zip(*both, strict=True) if a and b]
