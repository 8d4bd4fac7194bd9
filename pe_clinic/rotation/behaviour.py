"""What a rotation does beside turning: to its arguments, to dtypes, to the gradient, when it is called again."""

import re

import numpy as np
import torch

from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from ..side_effects import ROUNDING, gradients
from .probing import fits
from .seen import isfailed
from .words import MISTAKES

KEPT_BEFORE = "Random numbers, or something kept from the call before."
STAYS = {
    "title": "A long text changes what later, short texts get.",
    "explanation": "What it changed stays: nothing puts it back, or the reset is never reached.",
    "fix": "keep the first frequencies, and take them again for a short text; or compute them in each call",
}
CASTS = {"title": "A call in half precision changes what later calls get.", "fix": "keep its tables in float32"}


def about_arguments(seen):
    changed = {name: probe for probe in seen.responses().values() for name in probe.changed}
    if probe := changed.pop("positions", None):
        yield MISTAKES.found("positions-changed", f"after {probe.call} the positions are not what they were")
    for name, probe in list(changed.items())[:1]:
        yield MISTAKES.found("writes-into-x", f"after {probe.call} {name} is not as before")


def besides(seen):
    """What is wrong with a call, whatever its numbers are."""
    refused = [finding for finding in refusals(seen) if finding.kind != "note"]
    return [*about_arguments(seen), *about_dtypes(seen), *refused]


def about_dtypes(seen):
    for probe in seen.responses().values():
        other = [dtype for dtype in probe.dtypes_out if dtype != probe.dtype]
        if other:
            said = f"{probe.call} gave {other[0]}"
            why = {"explanation": "It casts what it gives, whatever x is."} if other[0] in ROUNDING else {}
            yield MISTAKES.found("other-dtype", said, title=f"It returns {other[0]} for {probe.dtype}.", **why)
            return


def about_half(model, seen, which, below):
    """x in half precision, at positions below that where float32 is wrong: only its own rounding may be seen."""
    for name, eps in ROUNDING.items():
        close, far = seen.responses(f"half {name}"), seen.responses(f"half far {name}")
        probes = [probe for probe in (*close.values(), *far.values()) if probe.positions.max() < below]
        wrong = [probe for probe in probes if not within(model, probe, which, eps)]
        if not wrong:
            continue
        off, position = _most(model, wrong[0], which)
        seen_at = f"{wrong[0].call} is off by {off:.2g} at position {position}"
        rows_before = not close or within(model, next(iter(close.values())), which, 4 * eps)
        yield MISTAKES.found("dtype-of-x" if rows_before else "half-wrong", seen_at)
        return


def about_autocast(model, seen, which):
    """The same far positions under autocast: its own rounding is no matter, other angles are."""
    probe, plain = seen.autocast, next(iter(seen.responses("far").values()), None)
    if probe is None or isfailed(probe) or plain is None or not fits(model, plain, which):
        return
    if not within(model, probe, which, 2 * ROUNDING["bfloat16"]):
        off, position = _most(model, probe, which)
        said = f"under autocast, bfloat16, position {position} is off by {off:.2g}"
        yield MISTAKES.found("autocast-angles", said)


def _most(model, probe, which):
    """By how much the worst row is off, and its position."""
    off = np.abs(probe.out[which] - model.apply(probe.x[which], probe.positions)).max(axis=(0, 1, 3))
    return off.max(), probe.positions[off.argmax()]


def within(model, probe, which, eps):
    """Rounded tables, rounded products and a rounded sum: three roundings of numbers no larger than x."""
    x = probe.x[which]
    error = np.abs(probe.out[which] - model.apply(x, probe.positions))
    allowed = 3 * eps * (np.abs(x) + np.abs(x[..., model.partner]) + 0.1) + model.allowed(x, probe.positions)
    if model.inward is not None or model.outward is not None:
        allowed = 4 * eps * np.linalg.norm(x, axis=-1, keepdims=True)
    return bool((error <= allowed * model.size.max()).all())


def gradient(rotator, head_dim):
    """For q, and k: the gradient of out · w for random w as (w, gradient), or in words why there is none."""
    generator = torch.Generator().manual_seed(7)
    drawn = torch.randn((2 * rotator.count, 1, 1, 5, head_dim), generator=generator, device="cpu", dtype=torch.float32)
    tensors, weights = [x.requires_grad_() for x in drawn[: rotator.count].clone()], drawn[rotator.count :]

    def turned():  # of copies: a rotation that writes into x is not stopped by torch's rule for leaves
        return torch.stack(rotator.turn([x * 1 for x in tensors], torch.arange(5))[: rotator.count])

    try:
        found = gradients(turned, tensors, lambda out: weights)
    except (Failed, NotImplementedError) as problem:
        return (problem.finding.evidence if isinstance(problem, Failed) else str(problem),) * rotator.count
    none = f"for x of shape (1, 1, 5, {head_dim}) the result has no gradient with respect to it"
    each = zip(found, weights, strict=True)
    return tuple(none if grad is None else (w.double().numpy(), grad.double().numpy()) for grad, w in each)


def about_gradient(model, seen, which):
    """out = x @ A, so that the gradient of out · w is w @ Aᵀ; NumPy has none."""
    found = seen.gradient[which] if seen.gradient else None
    if isinstance(found, str):
        yield MISTAKES.found("no-gradient", found)
    elif found and model is not None:
        weights, grad = found
        expected = np.einsum("bhpj,pij->bhpi", weights, model.matrices(np.arange(5)))
        allowed = 1e-3 + 10 * model.size.max() * model.angle_error(np.arange(5)).max(axis=1, keepdims=True)
        if not (np.abs(grad - expected) <= allowed).all():
            said = "the gradient with respect to x is not the result's weights turned back"
            yield MISTAKES.found("no-gradient", said)


def about_calls(seen):
    if seen.stays:
        said = f"{seen.probes['first'].call} gave other numbers after calls {seen.stays}, and not before"
        yield found("not-repeatable", said, **STAYS | (CASTS if "half" in seen.stays else {}))
    elif not seen.repeated:
        said = f"two calls of {seen.probes['first'].call} differ"
        yield found("not-repeatable", said, explanation=KEPT_BEFORE, fix="compute the angles from the positions alone")


# Beyond a table of 12 to 28 rows; position 9 was one of the first.
FURTHER = ("far", "elsewhere", "unsorted", "length again", "single again", "length 21")
OURS = "IndexError: The tables were made for"  # the code has not seen these positions
SLIP = r"raised (TypeError|NameError|AttributeError|UnboundLocalError)\b.*\(line \d+ of"  # of lines that grow a table


def refusals(seen):
    """Calls that gave no numbers: beyond a table, or in half precision, a note. What is slow far out was not seen."""
    for name, probe in seen.probes.items():
        if not isfailed(probe) or (probe.id == "too-slow" and "far" in name):
            continue
        if probe.id != "raises":
            yield probe
        elif name.startswith(FURTHER) and not re.search(SLIP, probe.evidence):
            if OURS not in probe.evidence:
                yield MISTAKES.found("beyond-cache", probe.evidence)
        elif not name.startswith("half"):
            yield found("raises", probe.evidence, kind="mistake")
        elif not name.startswith("half far"):
            yield MISTAKES.found("no-half", probe.evidence, title=f"It refuses x in {name.removeprefix('half ')}.")
