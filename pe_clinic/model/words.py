"""What a model is, in words."""

from itertools import pairwise

from .calls import writes
from .padded import masked


def words_for(f):
    """What stands in `.convention`: "relative, rotary, base 10000, layers 3, 7 without positions"."""
    words = list(f.kinds)
    used = [(each, law) for each, (law, _) in zip(f.rotary, f.laws, strict=True) if each.acts]
    if "relative" in words and used:
        words.append("rotary")
        for each, law in sorted(used, key=lambda one: one[0].layers):
            where = f" in layers {listed(each.layers)}" if len({law for _, law in used}) > 1 and each.layers else ""
            words += [law + where] if law else []
    without = [n for n, each in enumerate(f.layers) if not each.positional]
    words += [f"layers {listed(without)} without positions"] * bool(without and "relative" in words)
    for window in sorted({each.window for each in f.layers if each.window}):
        seeing = [n for n, each in enumerate(f.layers) if each.window == window]
        words.append(f"layers {listed(seeing)} see {window} tokens")
    return ", ".join(dict.fromkeys(words))


def listed(numbers):
    """Layer numbers as a reader writes them: "0, 1, 2", or "3, 7, … 31" for an even step."""
    if len(numbers) > 3 and len({b - a for a, b in pairwise(numbers)}) == 1:
        return f"{numbers[0]}, {numbers[1]}, … {numbers[-1]}"
    return ", ".join(map(str, numbers))


def untried(f):
    """Which experiments this model leaves no way to make, and why; "" when all were made."""
    reasons = {
        "position ids (it takes none)": not f.takes("positions"),
        "padding (it takes no mask of tokens)": not masked(f),
        "a cache (none comes back)": f.causal and not f.generates,
        "padding together with a cache (the call was refused)": masked(f) and writes(f) and not f.padded_steps,
    }
    return ", ".join(words for words, holds in reasons.items() if holds)
