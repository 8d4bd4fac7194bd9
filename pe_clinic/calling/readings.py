"""From a name in somebody's file to lines of Python that give a table or a layer, tried in a fixed order."""

from ..sandbox.guard import Failed
from ..sandbox.values import is_module, is_tensor
from .file import SIZE_NAMES, File, Reading
from .makers import makers
from .of_modules import is_as_layer, of_module
from .of_objects import method_calls
from .picking import has_one_row, leaves_x_alone, shape_of, table_in

__all__ = ["File", "Reading", "of_texts", "readings"]

ATTRIBUTES = (
    "pe",
    "encoding",
    "encodings",
    "table",
    "pos_encoding",
    "positional_encoding",
    "pos_embedding",
    "pos_table",
    "P",
    "emb",
    "weight",
)


def readings(file, path):
    """Every `Reading` of the name ``path`` that gives something to look at, the likeliest first.

    What does not is skipped; the first `Failed` of all is raised when nothing is left.
    """
    return of_texts(file, makers(file, path))


def of_texts(file, texts):
    """As `readings`, of lines of Python that may give a table, a layer, or an object that gives one."""
    failures, late, seen, others = [], [], False, []
    for text in texts:
        try:
            value = file.tried(text)
            others += [Reading(text, "table", file)] if _direct(text, value) else []
            for reading in _of_value(file, text, value):
                if reading.kind == "table" and ".zeros(" in text + reading.text and has_one_row(reading):
                    late.append(reading)  # x in the other layout may give more than one row
                    continue
                seen = True
                yield reading
                if is_as_layer(text):
                    return  # a function of x is one layer: other x would only hide what is wrong with it
        except Failed as failed:
            failures.append(failed)
    yield from late
    if late or seen:
        return
    if others:
        yield others[0]  # a function of the two sizes that gives something else: its diagnosis says what
    elif failures:
        squares = [text for text in texts[:1] if _takes_squares_only(file, text)]
        if not squares:
            raise failures[0]
        yield Reading(squares[0], "table", file)


def _takes_squares_only(file, text):
    """Does it give a table for the patches of a square picture?"""
    try:
        return all(shape_of(file.tried(text, n, 16))[-2:] == (n, 16) for n in (25, 36))
    except (Failed, NotImplementedError, TypeError):
        return False


def _of_value(file, text, value):
    if is_module(value):
        yield from of_module(file, text, value)
        return
    table = table_in(file, text, value)
    if table and leaves_x_alone(file, table.text):
        yield table
    elif not _is_data(value):
        for call in [
            *method_calls(file, text, value),
            *(f"{text}.{name}" for name in ATTRIBUTES if name in _vars(value)),
        ]:
            try:
                found = table_in(file, call, file.tried(call))
            except (Failed, NotImplementedError):
                continue
            if found and leaves_x_alone(file, call):
                yield found


def _direct(text, value):
    """A call of a function with the two sizes themselves, which gave data or nothing."""
    plain = not any(word in text for word in (".arange(", ".zeros(", ".ones(", ".full(", "range("))
    return plain and all(name in text for name in SIZE_NAMES) and (value is None or _is_data(value))


def _is_data(value):
    return is_tensor(value) or isinstance(value, (list, tuple, dict, str, int, float)) or hasattr(value, "__array__")


def _vars(value):
    return getattr(value, "__dict__", {})
