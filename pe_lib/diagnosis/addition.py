"""How a layer combines x with its table: the coefficient of x, and what the rest depends on."""

from dataclasses import dataclass

import numpy as np

from ..vectorized import sinusoidal_vectorized
from .catalogue import found
from .evidence import row, show
from .run import Failed
from .subject import D_MODEL, MAX_LEN
from .values import Table

SHAPES = ((2, 3), (1, 4), (2, 8), (3, 3), (3, 1), (9, 2))  # (batch, length); max_len is 8
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Addition:
    """``pattern`` says which row of the table goes where; ``a`` is the coefficient of x."""

    pattern: str
    a: float = 1.0
    findings: tuple = ()


def addition(subject, layer, responses):
    """Find the `Addition` from the ``responses`` to `SHAPES`."""
    works = {shape: response.fits for shape, response in responses.items()}
    pattern = _by_crashes(responses, works)
    if pattern:
        wrong = [found(pattern, _crashes(responses))]
        shape = (2, 8) if pattern == "no-slice" else (3, 3)
        one, two = responses[shape], subject.ask(layer, *shape, seed=1)
        return Addition(pattern, coefficient(one, two), tuple(wrong))
    if not works[2, 3]:
        named = _only_encoding(responses) or _batch_axis_in_part(responses) or _unusable(responses)
        return Addition("unknown", findings=(named,))
    one, two = responses[2, 3], subject.ask(layer, 2, 3, seed=1)
    if not two.fits:
        return Addition("unknown", findings=(two.finding or _unusable(responses),))
    a = coefficient(one, two)
    rest, rest_two = one.out - a * one.x, two.out - a * two.x
    if np.abs(rest - rest_two).max() > TOLERANCE * (1 + abs(a)):
        return _no_sum(one, two, a)
    return _by_rest(a, rest, responses, works)


def coefficient(one, two):
    difference = one.x - two.x
    a = float(((one.out - two.out) * difference).sum() / (difference**2).sum())
    return 1.0 if abs(a - 1) < 1e-5 else 0.0 if abs(a) < 1e-5 else a


def _by_crashes(responses, works):
    """Two mistakes are known by the shapes at which they work."""
    grown = responses[3, 1].out
    if not works[2, 3] and works[2, 8] and not works[1, 4] and grown is not None and grown.shape[1] == MAX_LEN:
        return "no-slice"
    if not works[2, 3] and not works[2, 8] and works[3, 3] and works[1, 4]:
        return "slice-by-batch"
    return None


def _crashes(responses):
    good = [f"({b}, {n})" for (b, n), response in responses.items() if response.fits]
    grown = [
        f"({b}, {n}) gives {response.out.shape[:2]}"
        for (b, n), response in responses.items()
        if response.out is not None and not response.fits
    ]
    bad = [f"({b}, {n})" for (b, n), response in responses.items() if response.out is None]
    parts = (("works at", good), ("stops at", bad), ("gives another shape:", grown))
    shown = "; ".join(f"{what} {', '.join(shapes)}" for what, shapes in parts if shapes)
    return f"of (batch, length) with max_len {MAX_LEN}, it {shown}"


def _only_encoding(responses):
    """The cut table itself, (1, length, d_model), whatever the batch."""
    outs = [(shape, response.out) for shape, response in responses.items()]
    if all(out is not None and out.shape == (1, length, D_MODEL) for (_, length), out in outs):
        return found(
            "only-encoding", f"for x of batch 2 and length 3 the output has the shape {outs[0][1].shape}, without x"
        )
    return None


def _batch_axis_in_part(responses):
    """A table (length, 1, d_model) meets the batch only where batch and length are equal."""
    square = responses[3, 3]
    if not square.fits:
        return None
    rest = square.out - square.x
    if np.abs(rest - rest[:, :1]).max() > TOLERANCE or np.abs(rest - rest[:1]).max() <= TOLERANCE:
        return None
    return found(
        "batch-axis", f"at batch 3 and length 3 each sample has one row for all its tokens; {_crashes(responses)}"
    )


def _unusable(responses):
    first = next(iter(responses.values()))
    if first.finding and not any(response.fits for response in responses.values()):
        return first.finding
    if all(response.out is not None and response.out.shape[:2] == (n, b) for (b, n), response in responses.items()):
        return found("other-shape", f"{first.call} gave {first.out.shape}: batch and sequence have changed places")
    if first.out is not None and not any(response.fits for response in responses.values()):
        return found("other-shape", f"{first.call} gave the shape {first.out.shape}")
    return found("some-shapes", _crashes(responses))


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


def every_shape(responses, how, table):
    """The sum must hold at every shape, and not only at the one that was looked at first; ``table`` is (rows, d_model)."""
    for response in responses:
        if not response.fits:
            finding = response.finding or found("other-shape", f"{response.call} gave the shape {response.out.shape}")
            return [found("some-shapes", f"{finding.evidence}; other shapes work")]
        length = min(response.x.shape[1], len(table))
        off = np.abs((response.out - how.a * response.x)[:, :length] - table[:length])
        if off.max() > 10 * TOLERANCE:
            return [
                found(
                    "some-shapes",
                    f"for {response.call} the sum is off by up to "
                    f"{show(off.max())}{_first_token(response, how, table)}",
                )
            ]
    return []


def _first_token(response, how, table):
    added = response.out[0, 0] - how.a * response.x[0, 0]
    near = [pos for pos in range(1, len(table)) if np.allclose(table[pos], added, atol=1e-3)]
    return f": its first token gets the row of position {near[0]}" if near else ""


def table_of(subject, addition, max_len, d_model, seed=0):
    """The table that a new layer adds, as a `Table`; `Failed` when it cannot be had."""
    batch, length = {"batch-axis": (max_len, 2), "slice-by-batch": (max_len, max_len)}.get(
        addition.pattern, (2, max_len)
    )
    call = f"the layer's table (max_len={max_len}, d_model={d_model})"
    layer = subject.make(d_model, max_len, seed)
    one = subject.ask(layer, batch, length, d_model)
    two = subject.ask(layer, batch, length, d_model, seed=1)
    for response in (one, two):
        if not response.fits:
            raise Failed(
                response.finding or found("other-shape", f"{response.call} gave the shape {response.out.shape}")
            )
    if addition.pattern == "multiplied":
        values = (one.out * one.x + two.out * two.x).sum(0) / (one.x**2 + two.x**2).sum(0)
    else:
        rest = one.out - coefficient(one, two) * one.x
        values = rest[:, 0] if addition.pattern == "batch-axis" else rest[0]
    return Table(call, max_len, d_model, values, 6e-7)  # float32, and an x of a few units was subtracted
