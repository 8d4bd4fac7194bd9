"""How a layer combines x with its table: the coefficient of x, and what the rest depends on."""

from dataclasses import dataclass

import numpy as np

from ..vectorized import sinusoidal_vectorized
from .catalogue import found
from .evidence import row, show
from .shapes import TOLERANCE, batch_axis_in_part, by_crashes, crashes, only_encoding, unusable, wrong_cut
from .subject import D_MODEL, MAX_LEN


@dataclass(frozen=True)
class Addition:
    """``pattern`` says which row of the table goes where; ``a`` is the coefficient of x."""

    pattern: str
    a: float = 1.0
    findings: tuple = ()


def addition(subject, layer, responses):
    """Find the `Addition` from the ``responses`` to `SHAPES`."""
    works = {shape: response.fits for shape, response in responses.items()}
    pattern = by_crashes(responses, works)
    if pattern:
        shape = (2, 8) if pattern == "no-slice" else (3, 3)
        a = coefficient(responses[shape], subject.ask(layer, *shape, seed=1))
        named = wrong_cut(subject, responses, a) if pattern == "no-slice" else None
        named = named or found(pattern, crashes(responses))
        return Addition(named.id, a, (named,))
    if not works[2, 3]:
        named = only_encoding(responses) or batch_axis_in_part(responses) or unusable(responses)
        return Addition("unknown", findings=(named,))
    one, two = responses[2, 3], subject.ask(layer, 2, 3, seed=1)
    if not two.fits:
        return Addition("unknown", findings=(two.finding or unusable(responses),))
    a = coefficient(one, two)
    rest, rest_two = one.out - a * one.x, two.out - a * two.x
    if np.abs(rest - rest_two).max() > TOLERANCE * (1 + abs(a)):
        return _no_sum(one, two, a)
    return _by_rest(a, rest, responses, works)


def coefficient(one, two):
    """The factor of x, from two responses to different x of one shape."""
    difference = one.x - two.x
    a = float(((one.out - two.out) * difference).sum() / (difference**2).sum())
    return 1.0 if abs(a - 1) < 1e-5 else 0.0 if abs(a) < 1e-5 else a


def _by_rest(a, rest, responses, works):
    """``rest`` (batch, sequence, d_model) is what is added to a · x."""
    if np.abs(rest).max() < TOLERANCE:
        return Addition("never-added", a, (found("never-added", f"out = {show(a)}·x, and nothing else"),))
    over_batch = np.abs(rest - rest[:1]).max() > TOLERANCE
    over_position = np.abs(rest - rest[:, :1]).max() > TOLERANCE
    if over_batch and not over_position:
        evidence = (
            f"the first token of sample 1 gets {row(rest[1, 0])}; that is what its "
            f"second token gets too, and sample 0 gets {row(rest[0, 0])}"
        )
        return Addition("batch-axis", a, (found("batch-axis", evidence),))
    if not over_position:
        return Addition("missing-colon", a, (found("missing-colon", _one_row(rest[0, 0], works)),))
    if over_batch:
        evidence = (
            "what is added differs between samples: the first token gets "
            f"{row(rest[0, 0])} in sample 0 and {row(rest[1, 0])} in sample 1"
        )
        return Addition("unknown", a, (found("other-addition", evidence),))
    return Addition("position", a)


def _one_row(added, works):
    paper = sinusoidal_vectorized(MAX_LEN + 1, D_MODEL)
    near = [n for n in range(len(paper)) if np.allclose(paper[n], added, atol=1e-3)]
    what = f"row {near[0]} of the table" if near else f"the row {row(added)}"
    end = "" if works[2, 8] else f"; length {MAX_LEN}, the whole table, stops it"
    return f"at length 3 every token gets {what}{end}"


def _no_sum(one, two, a):
    with np.errstate(divide="ignore", invalid="ignore"):
        factor, factor_two = one.out / one.x, two.out / two.x
    near = np.abs(factor - factor_two) < 1e-2 * (1 + np.abs(factor))
    if near.mean() > 0.95:
        evidence = f"out / x is the same for two different x; for the second token it is {row(factor[0, 1])}"
        return Addition("multiplied", findings=(found("multiplied", evidence),))
    rest = one.out - a * one.x
    return Addition(
        "unknown",
        a,
        (
            found(
                "other-addition",
                f"the nearest is out = {show(a)}·x + something that depends on x, up to {show(np.abs(rest).max())}",
            ),
        ),
    )
