"""Functions that give one row at a time, or that fill what they are given."""

import re

from ..sandbox.state import loaded_torch
from .alone import literals
from .arrays import points
from .inputs import SIZE
from .lines import SIZES, Call, Value, expression, halved, item, variable
from .names import SIZE_OF_WORD, words_of
from .parameters import TABLES, arguments_of, bound, required_of, source_of


def row_by_row(target, function, alone=False):
    """A function of one position and the width, or of the position ``alone``, gives one row, whatever it is called."""
    arguments = [a for a in arguments_of(function) if a.required or a.role == "d_model"]
    tokens = dict.fromkeys([a for a in arguments if a.role == "x"][:1], expression("[0.0] * d_model"))  # one's vector
    others = [a for a in arguments if a.role != "d_model" and a not in tokens]
    others = others if len(arguments) == 2 - alone + len(tokens) else []
    if not others or any(a.role not in ("positions", "max_len", "column", "dropout", None) for a in others):  # k, p
        return []
    pos = others[0]
    values = [variable("pos") if a is pos else tokens.get(a, SIZE["d_model"]) for a in arguments]
    return [_for_each(Call(target, bound(arguments, values)))]


def number_by_number(target, function):
    """A function of one position, one column and the width gives one number, a sine or a cosine; no angle."""
    arguments = required_of(function)
    if len(arguments) != 3:
        return []
    pos, column, last = arguments
    wide = last.role == "d_model" or "d_model" in map(SIZE_OF_WORD.get, words_of(last.name))
    if not wide or pos.role not in ("positions", "max_len") or column.role not in ("positions", "column", "d_model"):
        return []
    values = variable("pos"), variable("j"), SIZE["d_model"]
    call = Call(target, bound(arguments, values))

    def give(setting):
        sizes = range(setting["max_len"]), range(setting["d_model"])
        rows = [[float(call.give({**setting, "pos": p, "j": j})) for j in sizes[1]] for p in sizes[0]]
        if max(abs(number) for row in rows for number in row) > 1.001:
            raise TypeError("angles, and no sines of them")
        return rows

    made = f"[[{call.text} for j in range(d_model)] for pos in range(max_len)]"
    return [Value(made, give, frozenset({"at"}), call.remark)]


def of_points(file, path, target, function):
    """A function of points that asks for their coordinates by number, and of the width of one axis or of all.

    Of points or boxes it gets points; where no parameter is the width, the number of the code that is.
    """
    source, arguments = source_of(function), arguments_of(function)
    told = {a: _coordinates(a.name, source) for a in arguments}
    first = next((a for a in arguments if told[a] in ({0, 1}, {0, 1, 2})), None)
    rest, asked = [a for a in arguments if a is not first], told.get(first)
    wide = [a for a in rest if a.role == "d_model"]
    if not first or len(wide) > 1 or file.library is not loaded_torch():
        return []
    name = re.escape(first.name)
    row_first = re.search(rf"\b(y|h|row)\w*(, \w+)? = {name}\[[.:, ]*0", source)
    at = points(file.library, len(asked), bool(re.search(r"\bpi\b", source)), not row_first)
    of_groups = rf"\b{name}\[:, :, |\w+, \w+, \w+ = {name}\.(shape|size\(\))|\)\.flatten\(2\)"  # (batch, groups, axes)
    at = item(at, (slice(None), None), ":, None") if re.search(of_groups, source) else at
    if not wide:
        numbers = literals(file.source, path)[:2] if path and not [a for a in rest if a.required] else []
        made = [Call(file.with_numbers(path, {n: "d_model"}), (first.with_value(at),)) for n in numbers]
        return [call for one in made for call in (halved(one), one)]
    one = expression(f"d_model // {len(asked)}")
    return [Call(target, (first.with_value(at), wide[0].with_value(width))) for width in (one, SIZE["d_model"])]


def _coordinates(name, source):
    """The numbers of the coordinates that code asks of ``name``: one by one, or all of three in a loop."""
    axes = {int(n) for n in re.findall(rf"\b{name}\[(?:\.\.\.|:|:, :), (\d)", source)}
    loops = "|".join(re.findall(r"\bfor (\w+) in\b", source))
    axes |= {0, 1} if re.search(rf"\b{name}\.split\(\[?1\b", source) else set()  # as many as there are
    if loops and re.search(rf"\b{name}\[(?:\.\.\.|:|:, :), (?:{loops})\]", source):
        return {0, 1, 2}
    return {0, 1} if axes == {0, 1, 2, 3} and re.search(r"(size\(-1\)|shape\[-1\]) == 2", source) else axes


def filled(target, function):
    """A function that writes into the tensor that it is given."""
    arguments = required_of(function)
    if [a.role for a in arguments].count("out") != 1 or any(a.role not in (*SIZES, "out") for a in arguments):
        return []
    call = Call(target, tuple(a.with_value(variable("out") if a.role == "out" else SIZE[a.role]) for a in arguments))

    def give(setting):
        torch = loaded_torch()
        out = torch.nn.Parameter(torch.zeros(setting["max_len"], setting["d_model"]))
        call.give({**setting, "out": out})
        return out

    return [Value(call.text, give, frozenset({"out"}))]


def filled_row(file, path, function, widths):
    """A function of one position that fills a row, or its row of a table, and gives back what it was given.

    Where no parameter is its width, one of the numbers ``widths`` is.
    """
    arguments = required_of(function)
    tables = [a for a in arguments if a.role == "out" or a.name in (*TABLES, "table", "row")]
    wide = [a for a in arguments if a.role == "d_model" and a not in tables]
    places = [a for a in arguments if a not in (*tables, *wide) and a.role not in ("x", "ids", "mask")]
    if (len(tables), len(places)) != (1, 1):
        return []
    values, calls, lib = {id(places[0]): variable("pos")}, [], file.library
    for target in [file.named(path)] if wide else [file.with_numbers(path, {n: "d_model"}) for n in widths]:
        for shape, part in (("1, d_model", 0), ("d_model", None), ("max_len, d_model", "pos")):
            values[id(tables[0])] = expression(f"{lib.__name__}.zeros([{shape}])", **{lib.__name__: lib})
            given = tuple(a.with_value(values.get(id(a), SIZE["d_model"])) for a in arguments)
            calls.append(_for_each(Call(target, given), part))
    return calls


def _for_each(call, part=None):
    """The rows that ``call`` gives for one ``pos`` after another; ``part`` is where each stands in what comes."""

    def give(setting):
        rows = [call.give({**setting, "pos": pos}) for pos in range(setting["max_len"])]
        if part is None:  # a row may come with axes of 1, for a batch and a token
            alone = [getattr(row, "shape", ())[:-1] in ((1,), (1, 1)) for row in rows]
            return [row.reshape(-1) if one else row for row, one in zip(rows, alone, strict=True)]
        return [row[pos if part else 0] for pos, row in enumerate(rows)]

    row = call.text if part is None else f"{call.text}[{part}]"
    return Value(f"[{row} for pos in range(max_len)]", give, frozenset({"at"}), call.remark)
