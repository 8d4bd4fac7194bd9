"""From a name in somebody's file to calls that give a table or a layer, tried in a fixed order."""

import contextlib
import inspect
from dataclasses import replace

from ..sandbox.guard import Failed
from ..sandbox.values import is_module, is_tensor
from .constants import exchanged, of_one_length
from .lines import SIZES, attribute, then
from .loading import CouldNotRun
from .makers import makers
from .methods import NAMELESS, method_calls, of_one, refuse_a_name
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
            if "layer" in call.made and is_module(value) and _of_one_text(call):
                continue
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


def _of_one_text(call):
    """Does a function take x (length, d_model), and so the batch for the length? Then another x is to come."""
    from .embedding import first_answer

    return getattr(first_answer(call), "shape", None) == (2, 3)


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
        if of_one(value, (*NAMELESS, "ids")):
            from .array_layers import of_object

            if layers := of_object(file, call, value):
                yield Reading("layer", layers[0])
                return  # its table alone would hide what is done with it
        held = [attribute(call, name) for name in ATTRIBUTES if name in getattr(value, "__dict__", {})]
        yield from filter(None, (tried_table(file, other) for other in method_calls(file, call, value)))
        refuse_a_name(file, method_calls(file, call, value))
        yield from filter(None, (tried_table(file, other) for other in held))


def _direct(call, value):
    """A call of a function with the two sizes themselves, which gave data or nothing."""
    of_sizes = call.made <= {"sides"} and all(name in call.text for name in SIZES)
    if of_sizes and "int" in str(getattr(value, "dtype", "")) and len({*value.shape}) == 1 < value.ndim:
        raise CouldNotRun("it gives relative positions, or the like, in whole numbers: look at what picks rows by them")
    return of_sizes and (value is None or _is_data(value))


def _is_data(value):
    return is_tensor(value) or isinstance(value, (list, tuple, dict, str, int, float)) or hasattr(value, "__array__")
