"""Fast pairs keep their pace, slow ones are divided, a ramp between: YaRN and Llama 3.1; and LongRoPE."""

from dataclasses import dataclass

import numpy as np

from ..saying.catalogue import Finding
from . import formula
from .formula import PAPER_BASE, shown
from .mistakes import found

WHOLE = 2.0, 4.0, 8.0, 16.0, 32.0
UNSCALED = " (lengths are not multiplied by 0.1 ln factor + 1 here)"


@dataclass(frozen=True)
class Scaling:
    """What was done to the rates for longer texts: the rates, and what is said of it."""

    base: float
    rates: np.ndarray
    findings: tuple[Finding, ...]
    size: float = 1.0  # by how much it means lengths to grow


def stretched(measured, size):
    """The `Scaling` where the fast pairs were kept and the slow ones divided by one factor; or None."""
    if len(measured) < 2 or (measured <= 0).any():
        return None
    steps = measured[0] / measured[1], measured[-2] / measured[-1]  # the ramp may begin at once
    bases = dict.fromkeys(_near(step ** len(measured)) for step in steps)
    return next(filter(None, (_of_base(measured, size, base) for base in bases)), None)


def _of_base(measured, size, base):
    pairs = len(measured)
    original = formula.rates(np.arange(pairs) / pairs, base)
    slower = original / measured
    if slower[0] > 1.001 and (np.diff(slower) < 1e-3).all() and abs(slower[-1] - 1) < 1e-3:
        said = f"pair 0 is {shown(slower[0])} times slower, and the last one as fast as by base {shown(base)}"
        return Scaling(base, measured, (found("bands-swapped", said),))
    if abs(measured[0] - 1) > 1e-5:
        return None
    factors = [np.exp((size - 1) / 0.1)] if size > 1.0001 else []  # YaRN's lengths tell the factor
    ratio = original[-1] / measured[-1]
    if abs(_near(ratio) / ratio - 1) > 1e-4:  # of no round number: the slowest pair may lie in the ramp
        factors += [factor for factor in WHOLE if factor > ratio]
    factors = [_near(factor) for factor in (*factors, ratio)]
    return next(filter(None, (_divided(measured, original, base, factor, size) for factor in factors)), None)


def _divided(measured, original, base, factor, size):
    """The `Scaling` by this one ``factor`` where lengths grow by ``size``; or None."""
    if not factor > 1.0001:
        return None
    k = np.arange(len(measured))
    kept = (measured * factor / original - 1) / (factor - 1)  # 1 for a pair that keeps its pace, 0 for a slow one
    if ((kept < -1e-3) | (kept > 1 + 1e-3)).any() or kept[-1] > (0.5 if factor in WHOLE else 1e-3):
        return None
    between = (kept > 1e-4) & (kept < 1 - 1e-4)
    if said := _unblended(kept, factor):
        return Scaling(base, measured, (found("bands-unblended", said),))
    within = kept[-1] > 1e-3  # by a whole number of turns, or by chance
    ramp = _by_wavelength(original, kept, between, within) or (not within and _by_number(k, kept, between))
    if not ramp or (np.diff(kept) > 1e-3).any():
        return None
    rates = np.where(between, measured, original * np.where(kept > 0.5, 1, 1 / factor))
    name = f"{'Llama 3.1' if ramp[0] == 'llama' else 'YaRN'} scaling {shown(factor)}"
    findings = _findings(name, base, factor, ramp, size, k[between])
    return Scaling(base, rates, findings, size if size > 1.0001 else 1.0)


def _unblended(kept, factor):
    """What is seen where the pairs between the bands are not blended, or the wrong way round; else ""."""
    n, slower = int((kept < 1 - 1e-3).argmax()), factor / (1 + kept * (factor - 1))
    ends = n > 2 and (kept[-3:] < 1e-3).all() and len(kept) > 15
    if ends and not (np.abs(kept - kept.round()) > 1e-3).any() and (np.diff(kept) < 1e-3).all():
        return f"pairs before {n} keep their pace, and pair {n} and all others are {shown(factor)} times slower"
    n = int((np.diff(kept) > 1e-3).argmax())
    if ends and kept[n + 1] > kept[n] + 1e-3:
        return f"pair {n} is {slower[n]:.3g} times slower, and the slower pair {n + 1} is {slower[n + 1]:.3g} times"
    return ""


def _findings(name, base, factor, ramp, size, between):
    kind, detail = ramp
    slow = between.min()
    seen = f"pairs before {slow} keep their pace, those of the longest waves are {shown(factor)} times slower; {detail}"
    if kind == "llama":
        scaled = found("llama3", f"{seen}; base {shown(base)}", title=f"{name}.")
    else:
        grown = f"0.1 ln {shown(factor)} + 1", 0.1 * np.log(factor) + 1
        lengths = f"; lengths grow by {size:.4g}" if size > 1.0001 else UNSCALED
        other = size > 1.0001 and abs(size / grown[1] - 1) > 1e-3
        scaled = found("yarn", seen + lengths + f" = {grown[0]}" * bool(size > 1.0001 and not other), title=f"{name}.")
        if other:
            said = f"lengths grow by {size:.4g}; {grown[0]} is {grown[1]:.4g}"
            return found("yarn-lengths", said), scaled
    if abs(base / (500000 if kind == "llama" else PAPER_BASE) - 1) < 1e-3 or abs(base / PAPER_BASE - 1) < 1e-3:
        return (scaled,)
    said = f"the fast pairs are those of base {shown(base)}"
    return found("base", said, title=f"The base is {shown(base)}."), scaled


def long_rope(measured, size):
    """The `Scaling` where every pair has a factor of its own and lengths grow as LongRoPE means them to; or None."""
    factors = formula.paper(len(measured)) / np.maximum(measured, 1e-30)
    if size < 1.0001 or (factors < 0.999).any() or factors.max() > 1e3 or (np.diff(factors) < -1e-3).any():
        return None
    for length in (2048, 4096, 8192, 16384, 32768):
        times = np.exp((size**2 - 1) * np.log(length))
        doublings = round(np.log2(times))
        if doublings >= 1 and abs(times / 2**doublings - 1) < 1e-3:
            said = f"pair by pair {shown(factors[0])} to {shown(factors[-1])} times slower than base 10000; "
            said += f"lengths grow by {size:.4g} = sqrt(1 + ln {2**doublings} / ln {length})"
            return Scaling(PAPER_BASE, measured, (found("longrope", said),), size)
    return None


def _by_wavelength(original, kept, between, whole=False):
    """A ramp that is even in turns per text: the paper of YaRN (1 to 32 turns), Llama 3.1 (1 to 4)."""
    low, high = _ramp(original, kept, between) or (0, 0)  # the frequencies where the ramp begins and ends
    if not low < high or (whole and abs(high / low - round(high / low)) > 0.02):
        return None
    detail = f"between, a ramp by wavelength: 1 to {high / low:.3g} turns in {2 * np.pi / low:.4g} positions"
    return "llama" if 3 < high / low < 5 else "yarn", detail


def _by_number(k, kept, between):
    """A ramp that is even in the pair's number, as in the code of YaRN's authors and in transformers."""
    ends = _ramp(k, kept, between)
    return ends and ("yarn", f"between, a ramp by pair number, {ends[1]:.3g} to {ends[0]:.3g}, as in the authors' code")


def _ramp(x, kept, between):
    """Where a straight line through the pairs ``between`` is 0, and where it is 1; None where it gives not the rest."""
    if between.sum() < 2 or np.ptp(x[between]) < 1e-9:
        return None
    slope, start = np.polyfit(x[between], kept[between], 1)
    if not slope or np.abs(np.clip(slope * x + start, 0, 1) - kept).max() > 2e-3:
        return None
    return -start / slope, (1 - start) / slope


def _near(number):
    """The number with few digits, where that is as near as the measurement."""
    return formula.short(number, 2e-3, (1, 2, 3))
