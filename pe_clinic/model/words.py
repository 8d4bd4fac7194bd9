"""What a model is, in words."""

from contextlib import suppress
from itertools import pairwise

from .call import Refused, unnamed
from .calls import taken, writes
from .padded import masked


def words_for(f):
    """What stands in `.convention`: "relative, rotary, base 10000, layers 3, 7 without positions"."""
    words = list(f.kinds)
    used = [(each, law) for each, (law, _) in zip(f.rotary, f.laws, strict=True) if each.acts]
    if "relative" in words and used:
        words.append("rotary")
        for each, law in sorted(used, key=lambda one: one[0].layers):
            where = f" in {of_layers(each.layers)}" if len({law for _, law in used}) > 1 and each.layers else ""
            words += [law + where] if law else []
    without = [n for n, each in enumerate(f.layers) if not each.positional]
    words += [f"{of_layers(without)} without positions"] * bool(without and "relative" in words)
    for window in sorted({each.window for each in f.layers if each.window}):
        seeing = [n for n, each in enumerate(f.layers) if each.window == window]
        words.append(f"{of_layers(seeing)} see{'s' * (len(seeing) == 1)} {window} tokens")
    words += ["bidirectional"] * (not f.causal)
    return ", ".join(dict.fromkeys(words))


def of_layers(numbers):
    return f"layer{'s' * (len(numbers) > 1)} {listed(numbers)}"


def listed(numbers):
    """Layer numbers as a reader writes them: "0, 1, 2", or "3, 7, … 31" for an even step."""
    if len(numbers) > 3 and len({b - a for a, b in pairwise(numbers)}) == 1:
        return f"{numbers[0]}, {numbers[1]}, … {numbers[-1]}"
    return ", ".join(map(str, numbers))


def untried(f):
    """Which experiments this model leaves no way to make, and why; "" when all were made."""
    reasons = {
        "position ids (it takes none)": not f.takes("positions"),
        "position ids (the calls were refused)": f.takes("positions") and not taken(f),
        "padding (it takes no mask of tokens)": not masked(f),
        f"a cache ({_no_cache(f)})": f.causal and not f.generates,
        "places far from 0 (each call gives one place)": f.last_only,
        "padding together with a cache (the call was refused)": masked(f) and writes(f) and not f.padded_steps,
    }
    return ", ".join(words for words, holds in reasons.items() if holds)


def _no_cache(f):
    """Why nothing could be tried with a cache."""
    left = ", ".join(unnamed(f.model, f.names)) if f.takes("start") else ""
    with suppress(Refused):
        if not f.takes("cache") and f.step(f.ids[:, :4], caching=True)[1] is not None:
            return "something comes back beside the logits: name the parameter that takes it cache or state"
    return f"none comes back, and {left} stayed None" if left else "none comes back"
