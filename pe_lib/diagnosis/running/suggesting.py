"""When nothing could be run: a line for --make that works, tried before it is shown."""

from .calling import arguments_of, bindings
from .guard import Failed
from .makers import resolve
from .readings import of_texts


def suggestion(file, path):
    """A line that gives a table or a layer, with None or a number where nobody knows better; empty when none does."""
    try:
        thing = resolve(file.names, path)[0]
    except KeyError:
        return ""
    for line in _lines(file, path, thing):
        try:
            found = next(iter(of_texts(file, [line])), None)
        except (Failed, NotImplementedError):
            continue
        if found:
            return found.text
    return ""


def _lines(file, path, thing):
    unknown = [a for a in arguments_of(thing) or [] if a.required] if callable(thing) else []
    if not callable(thing):
        kind = type(thing).__name__
        if kind in file.names:
            yield from (f"{kind}({b.text})" for b in bindings(type(thing), ("d_model", "max_len")) if not b.unknown)
        return
    order = ("d_model", "max_len") if isinstance(thing, type) else ("max_len", "d_model")
    for binding in bindings(thing, order):
        for value in ("None", "1", "'a'", "d_model", "max_len", "False"):
            rest = [a.with_text(value) for a in unknown if a.parameter.name in binding.unknown]
            yield f"{path}({', '.join(filter(None, [binding.text, *rest]))})"


def nothing_in(file, path):
    """Why no reading of ``path`` gave anything to look at."""
    try:
        thing = resolve(file.names, path)[0]
    except KeyError:
        thing = None
    unknown = [binding.unknown for binding in bindings(thing)] if callable(thing) else []
    if unknown and all(unknown):
        needed = ", ".join(a.parameter.name for a in arguments_of(thing) if a.required)
        return f"{path} needs {needed}, and what {unknown[0][0]} is for is not known"
    return f"{path} gave neither a table (max_len, d_model) nor a layer"
