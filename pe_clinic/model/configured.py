"""The law of measured rates, in words, and whether it is the one that the model's configuration names."""

import math

import numpy as np

DESIGNS = {
    "linear": "linear scaling",
    "yarn": "YaRN scaling",
    "llama3": "Llama 3.1 scaling",
    "proportional": "proportional",
}


def declared(model):
    """{layer type, or None for all: rope parameters} of a configuration; empty without one."""
    config = getattr(model, "config", None)
    config = getattr(config, "text_config", None) or config
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    if any(isinstance(each, dict) for each in rope.values()):
        return {name: each for name, each in rope.items() if isinstance(each, dict)}
    base = rope.get("rope_theta") or getattr(config, "rope_theta", None)
    return {None: {**rope, "rope_theta": base}} if base else {}


def rates_by(rope, pairs, longest):
    """The rates (pairs,) of these rope parameters; None for a type unknown here. ``longest``: trained length."""
    kind, base, factor = (
        rope.get("rope_type") or rope.get("type") or "default",
        rope["rope_theta"],
        rope.get("factor") or 1.0,
    )
    rates = base ** (-np.arange(pairs) / pairs)
    trained = rope.get("original_max_position_embeddings") or longest or 0
    turns = trained * rates / (2 * math.pi)
    if kind in ("default", "dynamic", "mrope"):
        return rates
    if kind == "proportional":
        return np.where(np.arange(pairs) < rope.get("partial_rotary_factor", 1.0) * pairs, rates, 0.0) / factor
    if kind == "linear":
        return rates / factor
    if kind == "llama3":
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        kept = np.clip((turns - low) / (high - low), 0, 1)
    elif kind == "yarn" and trained and base > 1:
        ends = [
            pairs * math.log(trained / (rope.get(name) or usual) / (2 * math.pi)) / math.log(base)
            for name, usual in (("beta_fast", 32), ("beta_slow", 1))
        ]
        low, high = (math.floor(ends[0]), math.ceil(ends[1])) if rope.get("truncate", True) else ends
        low, high = max(low, 0), min(high, 2 * pairs - 1)
        kept = 1 - np.clip((np.arange(pairs) - low) / (high - low or 0.001), 0, 1)
    else:
        return None
    return kept * rates + (1 - kept) * rates / factor


def designed(rope):
    """Rope parameters in words: "base 10000, YaRN scaling 32"."""
    kind = rope.get("rope_type") or rope.get("type") or "default"
    words = [f"base {rope['rope_theta']:.10g}"]
    if kind in DESIGNS:
        words.append(f"{DESIGNS[kind]} {rope.get('factor') or rope.get('partial_rotary_factor') or 1:g}")
    return ", ".join(words + [kind] * (kind in ("dynamic", "longrope")))


def compared(rotary, model, longest):
    """(words, mistake's id or None, evidence) of one `Rotary`, beside the configuration of its layers."""
    rates, ropes = np.abs(rotary.rates), declared(model)
    types = getattr(getattr(model, "config", None), "layer_types", None) or ()
    own = {types[n] for n in rotary.layers if n < len(types)} & set(ropes) or set(ropes)
    seen = ", ".join(f"{rate:.4g}" for rate in rotary.rates[:3])
    words = describe_rates(rates)
    laws = {name: rates_by(ropes[name], len(rates), longest) for name in own}
    fits = {name for name, law in laws.items() if law is None or np.allclose(rates, law, rtol=2e-4, atol=1e-9)}
    near = {name for name, law in laws.items() if law is not None and np.allclose(rates, law, rtol=6e-3, atol=1e-9)}
    if fits and (fits == own or not rotary.layers):
        law = next(iter(fits))
        return designed(ropes[law]) if laws[law] is not None else words, None, seen
    if near and near == own:
        return designed(ropes[next(iter(near))]), "frequencies-rounded", f"the first are {seen}"
    if (
        not np.isfinite(rates).all()
        or (rates > 3.15).any()
        or rates.max() < 1e-3
        or (ropes and not words and (np.diff(rates[rates > 0]) >= 0).any())
    ):
        return words, "frequencies-not-filled", f"the first of {len(rates)} are {seen}"
    if own and not (len(own) > 1 and rotary.layers == ()):
        where = f"layers {', '.join(map(str, rotary.layers))}" if rotary.layers else "the layers"
        configured = " and ".join(designed(ropes[name]) for name in own)
        evidence = f"{where} rotate by {seen}, … ({words or 'no power law'}); configured: {configured}"
        return words, "not-as-configured", evidence
    return words, None, seen


def describe_rates(rates):
    """The law of rates in words, such as "base 10000" or "base 500000, linear scaling 4"; None when they follow none.

    A stand-in until `pe_clinic.law` reads scaled laws: it knows powers of one base, with one common factor.
    """
    rates = np.abs(rates)
    if len(rates) < 2 or not (np.isfinite(rates).all() and (rates > 0).all()):
        return None
    steps = -np.diff(np.log(rates))
    if np.ptp(steps) > 2e-4 * max(1.0, abs(steps[0])) or steps[0] <= 0:
        return None
    base = float(f"{math.exp(steps.mean() * len(rates)):.4g}")
    return f"base {base:.10g}" + ("" if abs(rates[0] - 1) < 1e-3 else f", linear scaling {1 / rates[0]:.3g}")
