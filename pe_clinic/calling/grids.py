"""What code for grids is handed: its sides, the numbers of its places, a picture; max_len may be several sides."""

import functools

from .lines import Value


def sides_of(setting):
    """max_len: a height and a width, or frames before these, where a grid is asked for; else the sides of a square."""
    sides = setting["max_len"]
    return sides if isinstance(sides, tuple) else (sides, sides)


def side(n):
    """One of the sides of a grid."""

    def give(setting):
        sides = setting["max_len"]
        return sides[n] if isinstance(sides, tuple) else sides

    return Value("max_len", give, frozenset({"sides"}))


@functools.cache
def places(lib):
    """The numbers of row and column of each place of a grid, or of frame, row and column: (axes, places)."""

    def give(setting):
        sides = sides_of(setting)
        return lib.stack([*lib.meshgrid(*map(lib.arange, sides), indexing="ij")]).reshape(len(sides), -1)

    axis = f"{lib.__name__}.arange(max_len)"
    text = f"{lib.__name__}.stack({lib.__name__}.meshgrid({axis}, {axis}, indexing='ij')).reshape(2, -1)"
    return [Value(text, give, frozenset({"sides"}))]


@functools.cache
def pictures(lib):
    """One picture of max_len rows, channels first or last; ``setting`` may ask for more pictures, and wider."""

    def make(setting, last):
        (height, width), more = sides_of(setting), setting.get("more", 0)
        shape = 1 + more, setting["d_model"], height, width + more
        shape = (shape[0], *shape[2:], shape[1]) if last else shape
        return lib.full(shape, float(setting.get("fill", 0)))

    texts = ("(1, d_model, max_len, max_len)", "(1, max_len, max_len, d_model)")
    made = (functools.partial(make, last=last) for last in (False, True))
    return [Value(f"{lib.__name__}.zeros({t})", give, frozenset({"x"})) for t, give in zip(texts, made, strict=True)]
