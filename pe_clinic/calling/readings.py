"""From a name in somebody's file to calls that give a table or a layer, tried in a fixed order."""

import contextlib
import inspect
from dataclasses import replace

from ..sandbox.guard import Failed, attempt
from ..sandbox.state import loaded_torch
from ..sandbox.values import as_numbers, is_module, is_tensor
from .arrays import like_x
from .constants import exchanged, of_one_length
from .file import SIZES as LOOKS
from .lines import SIZES, Call, attribute, then
from .loading import CouldNotRun
from .makers import makers
from .methods import method_calls, refuse_a_name, takes_x
from .parameters import required_of
from .picking import ATTRIBUTES, Reading, has_one_row, leaves_x_alone, most_telling, table_in, takes_a_grid, tried_table


def readings(file, path):
    """Every `Reading` of the name ``path`` that gives something to look at, the likeliest first.

    What does not is skipped; the first `Failed` of all is raised when nothing is left.
    """
    calls = makers(file, path)
    try:
        return list(of_calls(file, calls))
    except Failed as failed:
        if "'Tensor' object has no attribute 'astype'" in failed.finding.evidence and not file.arrays:
            return readings(replace(file, arrays=True), path)
        others = of_one_length(file, path, calls, failed.finding.evidence) or exchanged(file, path, calls)
        with contextlib.suppress(Failed):
            if others and (found := list(of_calls(file, others))):
                return found
        raise


def of_calls(file, calls):
    """As `readings`, of calls that may give a table, a layer, or an object that gives one."""
    failures, late, seen, others = [], [], False, []
    for call in calls:
        try:
            value = file.tried(call)
            others += [Reading("table", call)] if _direct(call, value) else []
            for reading in _of_value(file, call, value):
                if reading.kind == "table" and {"x", "ids"} & reading.call.made and has_one_row(reading):
                    late.append(reading)  # x in the other layout, or positions in its place, may give more rows
                    continue
                seen = True
                yield reading
                if "layer" in call.made:
                    return  # a function of x is one layer: other x would only hide what is wrong with it
        except Failed as failed:
            failures.append(failed)
    layers = [r.made for r in late if r.made] + [call for call in calls if "layer" in call.made and not seen]
    if numbers := _of_numbers(layers):
        yield Reading("layer", numbers)
    elif late or seen:
        yield from late
    elif others:
        # A function of the two sizes that gives something else: its diagnosis says what.
        yield next((other for other in others if takes_a_grid(file, other.call)), others[0])
    elif failures:
        ends = all(failed.finding.id != "too-slow" for failed in failures)  # another size would not end it either
        grids = (call for call in calls[:6] if ends and takes_a_grid(file, call))
        if not (found := next(grids, None)):
            raise most_telling(failures)
        yield Reading("table", found)


def _of_numbers(layers):
    if not layers:
        return None
    from .answering import encodes_numbers, waves_last

    found = next(filter(encodes_numbers, layers), None)
    return found and then(found, waves_last)


def _of_value(file, call, value):
    if inspect.isfunction(value) and call.text.startswith("lambda x"):
        from .layers import of_line

        call = of_line(call)
        value = file.tried(call)
    if is_module(value):
        from .modules import of_module

        yield from (replace(reading, made=call) for reading in of_module(file, call, value))
        return
    table = table_in(call, value)
    if table and leaves_x_alone(file, table.call):
        yield table
    elif not _is_data(value):
        if as_layer := _layer_without_module(file, call, value):
            yield as_layer
            return  # its table alone would hide what is done with it
        held = [attribute(call, name) for name in ATTRIBUTES if name in getattr(value, "__dict__", {})]
        yield from filter(None, (tried_table(file, other) for other in method_calls(file, call, value)))
        refuse_a_name(file, method_calls(file, call, value))
        tables = filter(None, (tried_table(file, other) for other in held))
        yield from (table for table in tables if _gives_its_table(file, call, value, table))


def _layer_without_module(file, call, value):
    """The reading of an object of the file's own class that is called with x, in code for torch; else None."""
    target, x = _takes_x(call, value)
    if not x or file.library is not loaded_torch():
        return None
    from .answering import answers
    from .layers import X, with_forward

    layer = with_forward(target, [X])
    return Reading("layer", layer) if answers(layer) else None


def _takes_x(call, value):
    """What is called with x alone, and that parameter: the object, or its method; (None, None) where neither is."""
    name = "__call__" if callable(value) else "forward" if hasattr(value, "forward") else takes_x(value)
    required = required_of(getattr(value, name)) if name else []
    if [a.role for a in required] != ["x"]:
        return None, None
    return call if name == "__call__" else attribute(call, name), required[0]


def _gives_its_table(file, call, value, table):
    """Do three tokens of zeros get the first rows of the ``table`` that it holds, where it can be asked?"""
    target, x = _takes_x(call, value)
    if not x:
        return True
    width = LOOKS[0]["d_model"]
    one = Call(target, (x.with_value(like_x(file.library)[0]),))
    out = attempt(lambda: as_numbers(file.tried(one, shape=(1, 3, width))))
    rows = attempt(lambda: as_numbers(file.tried(table.call)))
    if out is None or rows is None:
        return True
    return out.size != 3 * width or bool(abs(out.reshape(3, -1) - rows.reshape(-1, width)[:3]).max() < 1e-5)


def _direct(call, value):
    """A call of a function with the two sizes themselves, which gave data or nothing."""
    of_sizes = call.made <= {"sides"} and all(name in call.text for name in SIZES)
    if of_sizes and "int" in str(getattr(value, "dtype", "")) and len({*value.shape}) == 1 < value.ndim:
        raise CouldNotRun("it gives relative positions, or the like, in whole numbers: look at what picks rows by them")
    return of_sizes and (value is None or _is_data(value))


def _is_data(value):
    return is_tensor(value) or isinstance(value, (list, tuple, dict, str, int, float)) or hasattr(value, "__array__")
