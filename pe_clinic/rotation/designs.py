"""What models do on purpose: other bases, part of the columns, slower pairs for longer texts."""

import numpy as np

from .entry import Entry

ON_PURPOSE = "A deliberate design: right where the weights were trained with it, and other scores than the paper's."


def _design(id, title, explanation=ON_PURPOSE, case=""):
    return Entry(id, title, explanation, "", case, kind="convention")


BASE_DESIGN = _design(
    "base",
    "The base is not 10000.",
    "A larger base makes the slow pairs slower, for longer texts: Llama 3 has 500000.",
    "https://arxiv.org/abs/2309.16039",
)
PARTIAL = _design("partial", "Partial rotation.", "Some columns are left free of position, as in GPT-NeoX and GPT-J.")
LINEAR = _design(
    "linear",
    "Linear interpolation.",
    "Positions are divided by a factor, so that a longer text fits in the angles that were trained.",
    "https://arxiv.org/abs/2306.15595",
)
NTK = _design("ntk", "NTK-aware scaling.", "The fastest pair keeps its pace, the slowest is slowed by the factor.")
YARN = _design(
    "yarn",
    "YaRN scaling.",
    "Fast pairs keep their pace, slow ones are divided by the factor, those between mix both.",
    "https://arxiv.org/abs/2309.00071",
)
LLAMA = _design(
    "llama3",
    "Llama 3.1 scaling.",
    "Fast pairs keep their pace, slow ones are divided by the factor, with a ramp by wavelength between.",
    "https://arxiv.org/abs/2407.21783",
)
UNSCALED = " (lengths are not multiplied by 0.1 ln factor + 1 here)"


def shown(number):
    """A number as people write it: 500000, 4, 2.5, 13460."""
    whole = round(number)
    return str(whole) if abs(number - whole) < 1e-4 * abs(number) and whole < 1e15 else f"{number:.4g}"


def stretched(measured, r, size):
    """Rates, findings and scale of length where the fast pairs were kept and the slow ones divided; or None."""
    pairs = r // 2
    k = np.arange(pairs)
    if (measured <= 0).any() or abs(measured[0] - 1) > 1e-5:
        return None
    base = _short((measured[0] / measured[1]) ** pairs)
    original = base ** (-k / pairs)
    # YaRN's lengths tell the factor.
    factor = _short(np.exp((size - 1) / 0.1) if size > 1.0001 else original[-1] / measured[-1])
    if not factor > 1.0001:
        return None
    kept = (measured * factor / original - 1) / (factor - 1)  # 1 for a pair that keeps its pace, 0 for a slow one
    if ((kept < -1e-3) | (kept > 1 + 1e-3)).any() or (np.diff(kept) > 1e-3).any() or kept[-1] > 1e-3:
        return None
    between = (kept > 1e-4) & (kept < 1 - 1e-4)
    ramp = _by_wavelength(original, kept, between) or _by_number(k, kept, between)
    if ramp is None:
        return None
    kind, detail = ramp
    rates = np.where(between, measured, original * np.where(kept > 0.5, 1, 1 / factor))
    return rates, _findings(base, factor, kind, detail, size, between, k), (size if size > 1.0001 else 1.0)


def _findings(base, factor, kind, detail, size, between, k):
    other = base if not np.isclose(base, 10000, rtol=1e-3) else None
    slow, fast = k[between].min(initial=len(k)), k[between].max(initial=0)
    name = shown(factor)
    seen = f"pairs before {slow} keep their pace, pairs after {fast} are {name} times slower; {detail}"
    if kind == "llama":
        seen += f"; base {shown(base)}"
        findings = [LLAMA.found(seen, title=f"Llama 3.1 scaling {name}.")]
        other = None if base == 500000 else other
    else:
        seen += f"; lengths grow by {size:.4g} = 0.1 ln {name} + 1" if size > 1.0001 else UNSCALED
        findings = [YARN.found(seen, title=f"YaRN scaling {name}.")]
    if other:
        findings.insert(
            0, BASE_DESIGN.found(f"the fast pairs are those of base {shown(base)}", title=f"The base is {shown(base)}.")
        )
    return tuple(findings)


def _by_wavelength(original, kept, between):
    """A ramp that is even in turns per text: the paper of YaRN (1 to 32 turns), Llama 3.1 (1 to 4)."""
    if between.sum() < 2:
        return None
    slope, start = np.polyfit(original[between], kept[between], 1)
    weights = np.clip(slope * original + start, 0, 1)
    if slope <= 0 or np.abs(weights - kept).max() > 2e-3:
        return None
    low, high = -start / slope, (1 - start) / slope  # the frequencies where the ramp begins and ends
    ratio, length = high / low, 2 * np.pi / low
    kind = "llama" if 3 < ratio < 5 else "yarn"
    detail = f"between, a ramp by wavelength: 1 to {ratio:.3g} turns in {length:.4g} positions"
    return kind, detail


def _by_number(k, kept, between):
    """A ramp that is even in the pair's number, as in the code of YaRN's authors and in transformers."""
    if between.sum() < 2:
        return None
    slope, start = np.polyfit(k[between], kept[between], 1)
    weights = np.clip(slope * k + start, 0, 1)
    if np.abs(weights - kept).max() > 2e-3:
        return None
    first, last = (1 - start) / slope, -start / slope
    return "yarn", f"between, a ramp by pair number, {first:.3g} to {last:.3g}, as in the authors' code"


def _short(number):
    """The number with few digits, where that is as near as the measurement."""
    for digits in (1, 2, 3):
        near = float(f"{number:.{digits}g}")
        if abs(near - number) < 2e-3 * number:
            return near
    return float(number)


def convention_of(finding):
    """The short name, such as "base 500000" or "partial 32 of 64"."""
    title = finding.title.rstrip(".")
    return {
        "base": title.replace("The base is ", "base "),
        "partial": title.replace("Partial rotation: ", "partial ").replace(" columns", ""),
        "linear": title.replace("Linear interpolation: scaling ", "linear scaling "),
    }.get(finding.id, title)
