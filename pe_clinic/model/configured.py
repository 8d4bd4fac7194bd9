"""The law of measured rates, in words, and whether it is the one that the model's configuration names."""

import math

import numpy as np

from ..law.half import HALVES
from ..law.law import law_of
from .catalogue import MISTAKES

DESIGNS = {
    "linear": "linear scaling",
    "yarn": "YaRN scaling",
    "llama3": "Llama 3.1 scaling",
    "proportional": "proportional",
}

BASES = ("small-base", "exponent-halved")  # with no configuration beside it, any base may be meant


def config_of(model):
    """The configuration of the text; None without one."""
    config = getattr(model, "config", None)
    return getattr(config, "text_config", None) or config


def declared(model):
    """{layer type, or None for all: rope parameters} of a configuration; empty without one."""
    config = config_of(model)
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    if any(isinstance(each, dict) for each in rope.values()):
        return {name: each for name, each in rope.items() if isinstance(each, dict)}
    base = rope.get("rope_theta") or getattr(config, "rope_theta", None)
    return {None: {**rope, "rope_theta": base}} if base else {}


def windows(model):
    """The window of each layer that the configuration names: a number, or None for no window; {} without one."""
    config = config_of(model)
    window = getattr(config, "sliding_window", None)
    types = getattr(config, "layer_types", None) or ["sliding_attention"] * getattr(config, "num_hidden_layers", 0)
    sees = {"full_attention": None, "sliding_attention": window} if isinstance(window, int) else {}
    return {n: sees[kind] for n, kind in enumerate(types) if kind in sees}


def kind_of(rope):
    return rope.get("rope_type") or rope.get("type") or "default"


def rates_by(rope, pairs, longest):
    """The rates (pairs,) of these rope parameters; None for a type unknown here. ``longest``: trained length."""
    kind, base, factor, k = kind_of(rope), rope["rope_theta"], rope.get("factor") or 1.0, np.arange(pairs)
    rates = base ** (-k / pairs)
    trained = rope.get("original_max_position_embeddings") or longest or 0
    if kind in ("default", "dynamic", "mrope"):
        return rates
    if kind == "linear":
        return rates / factor
    if kind == "proportional":
        return np.where(k < rope.get("partial_rotary_factor", 1.0) * pairs, rates, 0.0) / factor
    if kind == "llama3":
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        kept = np.clip((trained * rates / (2 * math.pi) - low) / (high - low), 0, 1)
    elif kind == "yarn" and trained and base > 1:
        turns = rope.get("beta_fast") or 32, rope.get("beta_slow") or 1
        low, high = (pairs * math.log(trained / n / (2 * math.pi)) / math.log(base) for n in turns)
        low, high = (math.floor(low), math.ceil(high)) if rope.get("truncate", True) else (low, high)
        low, high = max(low, 0), min(high, 2 * pairs - 1)
        kept = 1 - np.clip((k - low) / (high - low or 0.001), 0, 1)
    else:
        return None
    return kept * rates + (1 - kept) * rates / factor


def size_by(rope):
    """The length of (cos, sin) that these rope parameters name: YaRN's is 0.1 ln(factor) + 1; None when unknown."""
    if kind_of(rope) not in ("default", "linear", "llama3", "yarn"):
        return None
    named, factor = rope.get("attention_factor"), rope.get("factor") or 1.0
    by, over = rope.get("mscale"), rope.get("mscale_all_dim")
    sizes = [0.1 * n * math.log(max(factor, 1)) + 1 for n in ((by, over) if by and over else (1, 0))]
    return named or (sizes[0] / sizes[1] if kind_of(rope) == "yarn" else 1.0)


def designed(rope):
    """Rope parameters in words: "base 10000, YaRN scaling 32"."""
    kind, words = kind_of(rope), [f"base {rope['rope_theta']:.10g}"]
    if kind in DESIGNS:
        words.append(f"{DESIGNS[kind]} {rope.get('factor') or rope.get('partial_rotary_factor') or 1:g}")
    return ", ".join(words + [kind] * (kind in ("dynamic", "longrope")))


def described(law):
    """A `Law` in words, such as "base 500000, linear scaling 4"; None for none."""
    if law is None:
        return None
    return ", ".join(law.words if any("base" in each for each in law.words) else (f"base {law.base:.10g}", *law.words))


def compared(rotary, model, longest):
    """(words, a `Finding` or None) of one `Rotary`, beside the configuration of its layers."""
    rates, ropes = np.abs(rotary.rates), declared(model)
    types = getattr(getattr(model, "config", None), "layer_types", None) or ()
    own = {types[n] for n in rotary.layers if n < len(types)} & set(ropes) or set(ropes)
    law = law_of(rates) if len(rates) > 1 and np.isfinite(rates).all() else None
    seen, words = ", ".join(f"{rate:.4g}" for rate in rotary.rates[:3]), described(law)
    built = {name: rates_by(ropes[name], len(rates), longest) for name in own}

    def near(tolerance):
        return {n for n, each in built.items() if each is None or np.allclose(rates, each, rtol=tolerance, atol=1e-9)}

    if (fits := near(2e-4)) and (fits == own or not rotary.layers):
        name = next(iter(fits))
        size, wrong = size_by(ropes[name]), None
        if size and rotary.size and abs(rotary.size - size) > 1e-3:
            wrong = MISTAKES["size-not-as-configured"].found(f"length {rotary.size:.4g}; configured: {size:.4g}")
        return designed(ropes[name]) if built[name] is not None else words, wrong
    if near(6e-3) and near(6e-3) == own:
        return designed(ropes[next(iter(own))]), MISTAKES["frequencies-rounded"].found(f"the first are {seen}")
    unlawful = not words or np.allclose(rates, rates[0])  # rates that are all alike are no powers of a base
    rising = ropes and unlawful and (np.diff(rates[rates > 0]) >= 0).any()
    if not np.isfinite(rates).all() or (rates > 3.15).any() or rates.max() < 1e-3 or rising:
        return words, MISTAKES["frequencies-not-filled"].found(f"the first of {len(rates)} are {seen}")
    if own and not (len(own) > 1 and rotary.layers == ()):
        where = f"layers {', '.join(map(str, rotary.layers))}" if rotary.layers else "the layers"
        configured = " and ".join(designed(ropes[name]) for name in own)
        evidence = f"{where} rotate by {seen}, … ({words or 'no power law'}); configured: {configured}"
        return words, MISTAKES["not-as-configured"].found(evidence)
    if not own and law is None and len(rates) > 3 and HALVES[0].holds(rates, 0):
        return words, MISTAKES["frequencies-rounded"].found(f"the first are {seen}, numbers of bfloat16")
    mistakes = [] if own or law is None else [each for each in law.mistakes if each.id not in BASES]
    return words, mistakes[0] if mistakes else None
