"""What the parameters of a rotation are for, told by their names: vectors, tables, positions, wherever they stand."""

import inspect
import re
from dataclasses import dataclass

from .filling import VALUES
from .forms import KEYS, POSITIONS, STARTS

# Words of names for tables; with a word of the second list it is a size, a base or a switch.
TABLE_WORDS = {
    *("cos", "sin", "cosine", "sine", "cis", "freq", "freqs", "frequencies", "angle", "angles"),
    *("sinusoid", "sinusoidal", "rope", "rotary", "rot", "cache", "cached", "complex"),
    *("emb", "embs", "embedding", "embeddings"),
}
SURE = TABLE_WORDS - {"rot", "cache", "cached", "emb", "embs", "embedding", "embeddings", "complex"}
NO_TABLE = {"dim", "dims", "ndims", "ndim", "base", "theta", "size", "len", "length", "max", "type", "pct", "scaling"}
NO_TABLE |= {"factor", "use", "interleaved", "style", "fraction", "percent", "percentage", "axis", "n", "num"}
NO_VECTOR = re.compile("len|size|pos|mask|num|dim|scale")  # q_len and key_padding_mask are none
SIZES = {*VALUES} - {"t", "seq"}


@dataclass(frozen=True)
class Parameters:
    """Names in the order of the signature; ``vectors`` are x, or q and k."""

    vectors: tuple[str, ...]
    tables: tuple[str, ...] = ()
    positions: str | None = None
    positions_required: bool = False

    @property
    def pair(self):
        return len(self.vectors) == 2


def names_of(function):
    return [p.name for p in _all(function)]


def _all(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def parameters_of(function):
    """The `Parameters` of a function; vectors are () where nothing can be turned."""
    every = _all(function)
    names = [p.name for p in every]
    vectors = query_and_key(names) or tuple(n for n in names if not is_table(n))[:1]
    tables = tuple(n for n in names if n not in vectors and is_table(n))
    places = [p for p in every if p.name not in (*vectors, *tables) and p.name.lower() in POSITIONS | STARTS]
    first = next(iter(places), None)
    return Parameters(vectors, tables, first and first.name, bool(first) and first.default is first.empty)


def query_and_key(names):
    """The names of q and k, wherever they stand; () where there are not these two."""
    names = [n for n in names if not NO_VECTOR.search(n.lower())]
    q = [n for n in names if n.lower().startswith(("q", "xq"))]
    k = [n for n in names if n.lower() in KEYS or n.lower().startswith("xk") or re.match(r"k(ey)?(_|$)", n.lower())]
    if k and not q and k[0] in names[1:]:  # x and key, as some call them
        q = [name for name in names[: names.index(k[0])] if not is_table(name)]
    return (q[0], k[0]) if q and k else ()


def is_table(name, words=TABLE_WORDS):
    found = set(re.findall("[a-z]+", name.lower()))
    return bool(found & words) and not found & NO_TABLE


def takes_tables(function, words=TABLE_WORDS):
    """Is there a table beside something to turn?"""
    names = names_of(function)
    turned = query_and_key(names) or [n for n in names if not is_table(n) and n.lower() not in SIZES]
    return bool(turned) and any(is_table(name, words) for name in names)
