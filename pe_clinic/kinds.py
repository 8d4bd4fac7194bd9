"""Which kind of thing is this: a rotation or a bias, to be looked at as such, or something else?"""

from .bias.diagnose import diagnose_alibi
from .bias.signatures import is_bias, reading_of
from .calling.loading import CouldNotRun
from .rotation.by_name import diagnose_by_name
from .rotation.recognise import is_attention, looks_like_rotation, makes_tables, what_can_be_looked_at

WRAP = (
    "wants more than q, k, positions, and tables that the file makes; wrap it in a function rotate(x, positions), "
    "with x of shape (batch, heads, length, head_dim)"
)


def rotation_or_bias(names, name, kind=None):
    """(Diagnosis, kind, the call in words) of ``names[name]``; None where it is a table or a layer.

    ``kind``, "table", "layer", "rope" or "alibi", decides where names do not tell. `CouldNotRun` says what
    of the file can be looked at instead.
    """
    thing = names.get(name)
    if kind in ("table", "layer") or not callable(thing):
        return None
    if kind == "alibi" or (kind is None and is_bias(thing, name)):
        reading = reading_of(thing, name)
        call = reading.call if reading else f"{name}(heads, length)"
        return diagnose_alibi(reading.bias if reading else thing), "alibi", call
    if isinstance(thing, type) and is_attention(thing) and kind != "rope":
        raise CouldNotRun(_instead(names, name))
    if kind == "rope" or looks_like_rotation(thing, name) or makes_tables(thing, name, names):
        if outcome := diagnose_by_name(names, name):
            return outcome[0], "rope", outcome[1]
        if kind == "rope":
            raise CouldNotRun(f"{name} {WRAP}")
    return None


def _instead(names, name):
    parts = what_can_be_looked_at(names)
    line = f"{name} is a whole attention layer: positions are somewhere inside it"
    if parts:
        return f"{line}; of this file can be looked at: {', '.join(parts)}"
    return f"{line}; give the part that makes the table, or that turns q and k, as FILE:NAME"
