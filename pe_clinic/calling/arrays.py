"""Arrays and tensors that code is handed: positions, token ids, x, masks, pictures, places of a grid; as `Value`."""

import functools
import re

from .lines import Value

# How the words of `_asked` are shown: for one text, or one square picture.
SHOWN = {**dict.fromkeys(("texts", "pictures"), "1"), **dict.fromkeys(("length", "height", "width"), "max_len")}


@functools.cache
def _array(lib, code, made, text=None):
    """What ``code`` gives in the words of `_asked`, on the device of x where there is one."""
    compiled = compile(code, "<an array>", "eval")
    text = text or re.sub(rf"\b({'|'.join(SHOWN)})\b", lambda word: SHOWN[word[0]], code)

    def give(setting):
        value = eval(compiled, {**vars(lib), lib.__name__: lib, **_asked(lib, setting)})
        return value.to(setting["device"]) if "device" in setting else value

    return Value(f"{lib.__name__}.{text}", give, frozenset({made}))


def _asked(lib, setting):
    """The words in which arrays are written, by what a setting asks for.

    It may ask for numbers other than 0, for steps other than 1 between positions, for another shape of x, for two
    pictures, for more and wider ones, and for several sides as max_len.
    """
    texts, length = setting.get("shape", (1, setting["max_len"]))[:2]
    of_square = dict(zip(("height", "width"), _sides(setting), strict=True)) if len(_sides(setting)) == 2 else {}

    def zeros(shape, **kind):
        return lib.zeros(shape, **kind) if kind else lib.full(shape, float(setting.get("fill", 0)))

    return {
        **{**setting, **of_square, "texts": texts, "length": length, "zeros": zeros},
        "arange": lambda n: lib.arange(n) * setting.get("step", 1),
        "sides": lambda axes=2: _sides(setting, axes),
        "pictures": 1 + max(setting.get("more", 0), setting.get("two", 0)),
        "batch": len(setting.get("x", (None,))),
    }


def _sides(setting, axes=2):
    """max_len: a height and a width, or frames before these, where a grid is asked for; else the sides of a square."""
    sides = setting["max_len"]
    *others, width = sides if isinstance(sides, tuple) else (sides,) * axes
    return *others, width + setting.get("more", 0)


def side(n, axes=2):
    """One of the sides of a grid."""
    return Value("max_len", lambda setting: _sides(setting, axes)[n], frozenset({"sides"}))


SQUARE = Value("(max_len, max_len)", _sides, frozenset({"sides"}))


def positions(lib):
    """0, 1, … max_len - 1: whole or real numbers, as a row, a column, or with an axis for the batch."""
    real = ".float()" if lib.__name__ == "torch" else ".astype(float)"
    shapes = ("", "[:, None]", "[None]", "[None, :, None]")
    return [
        _array(lib, f"arange(max_len){kind}{axes}", "at") for kind in ("", real) for axes in shapes[: 4 if kind else 3]
    ]


def tokens(lib):
    return [_array(lib, "full((1, max_len), 2)", "ids")]


def like_x(lib):
    """Zeros of the shapes that x may have."""
    shapes = ("(texts, length, d_model)", "(max_len, d_model)", "(max_len, 1, d_model)")
    return [_array(lib, f"zeros({axes})", "x") for axes in shapes]


def flat(lib):
    return [_array(lib, "zeros((1, max_len))", "x"), _array(lib, "ones((1, max_len))", "ids")]


def masks(lib):
    """Ones where there are tokens, or True where there are none; ones with an axis for the columns."""
    one, true = f"{lib.__name__}.int64", "torch.bool" if lib.__name__ == "torch" else "numpy.bool_"
    ways = f"ones((texts, length), dtype={one})", f"zeros((texts, length), dtype={true})"
    return [_array(lib, way, "mask") for way in (*ways, f"ones((texts, length, 1), dtype={one})")]


def lengths(torch):
    """The length of each text: of those in x, or of one."""
    return [_array(torch, "full((batch,), max_len)", "lengths")]


def places(lib):
    """The numbers of row and column of each place of a grid, or of frame, row and column: (axes, places)."""
    code = "stack([*meshgrid(*map(arange, sides()), indexing='ij')]).reshape(len(sides()), -1)"
    axis = f"{lib.__name__}.arange(max_len)"
    text = f"stack({lib.__name__}.meshgrid({axis}, {axis}, indexing='ij')).reshape(2, -1)"
    return [_array(lib, code + kind, "sides", text + kind) for kind in ("", " * 1.0")]


def points(torch, axes, fractions, x_first):
    """The coordinates of each place of a grid, (places, axes): x before y, or the row before the column."""
    last = ".flip(-1)" if x_first else ""
    code = f"cartesian_prod(*[arange(n) / {'n' if fractions else 1} for n in sides({axes})]){last}"
    axis = f"torch.arange(max_len){' / max_len' if fractions else ''}"
    return _array(torch, code, "sides", f"cartesian_prod({', '.join([axis] * axes)}){last}")


def pictures(lib):
    """One picture of max_len rows: channels first, or last; its places in one line."""
    shapes = ("d_model, height, width", "height, width, d_model", "height * width, d_model")
    return [_array(lib, f"zeros((pictures, {axes}))", "x") for axes in shapes]


def maps(lib):
    """One map of features, for code that asks for its shape: with two or three axes, channels last or first."""
    ways = [(n, text) for n in (2, 3) for text in ("(1, {}, d_model)", "(1, d_model, {})")]
    each = [(way.format(f"*sides({n})"), way.format(", ".join(["max_len"] * n))) for n, way in ways]
    return [_array(lib, f"zeros({code})", "sides", f"zeros({text})") for code, text in each]


def picture_masks(torch):
    """The mask of one picture: True, or 1, where nothing is, or where something is."""
    ways = [(n, kind) for kind in ("bool", "int") for n in ("zeros", "ones")]
    return [_array(torch, f"{n}((pictures, height, width), dtype=torch.{kind})", "mask") for n, kind in ways]
