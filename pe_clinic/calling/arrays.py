"""Arrays and tensors that code is handed: positions, token ids, x, masks, pictures, places of a grid; as `Value`.

``setting`` may ask for numbers other than 0, for another shape of x, for two pictures, for more and wider ones, and for
several sides as max_len. Positions may go in steps other than 1.
"""

import functools

from .lines import Value


def _array(lib, text, make, made):
    """What ``make(setting)`` gives, on the device of x where there is one."""

    def give(setting):
        value = make(setting)
        return value.to(setting["device"]) if "device" in setting else value

    return Value(f"{lib.__name__}.{text}", give, frozenset({made}))


def _filled(lib, setting, shape):
    return lib.full(shape, float(setting.get("fill", 0)))


@functools.cache
def positions(lib):
    """0, 1, … max_len - 1: whole or real numbers, as a row, a column, or with an axis for the batch."""
    whole, real = (lambda s: lib.arange(s["max_len"])), (".float()", lambda row: row.float())
    real = real if lib.__name__ == "torch" else (".astype(float)", lambda row: row.astype(float))
    shapes = (("", ()), ("[:, None]", (slice(None), None)), ("[None]", (None,)), ("[None, :, None]", (None, ..., None)))
    return [
        _array(lib, f"arange(max_len){kind}{axes}", lambda s, c=cast, i=index: c(whole(s) * s.get("step", 1))[i], "at")
        for kind, cast in (("", lambda row: row), real)
        for axes, index in shapes[: 4 if kind else 3]
    ]


@functools.cache
def tokens(lib):
    return [_array(lib, "full((1, max_len), 2)", lambda s: lib.full((1, s["max_len"]), 2), "ids")]


@functools.cache
def like_x(lib):
    """Zeros of the shapes that x may have."""
    shapes = {
        "(1, max_len, d_model)": lambda s: s.get("shape", (1, s["max_len"], s["d_model"])),
        "(max_len, d_model)": lambda s: (s["max_len"], s["d_model"]),
        "(max_len, 1, d_model)": lambda s: (s["max_len"], 1, s["d_model"]),
    }
    return [_array(lib, f"zeros({axes})", lambda s, of=of: _filled(lib, s, of(s)), "x") for axes, of in shapes.items()]


@functools.cache
def flat(lib):
    zeros = _array(lib, "zeros((1, max_len))", lambda s: _filled(lib, s, (1, s["max_len"])), "x")
    return [zeros, _array(lib, "ones((1, max_len))", lambda s: lib.ones((1, s["max_len"])), "ids")]


def _texts(setting):
    """How many texts, and how long they are: those of x, where it has another shape."""
    return setting["shape"][:2] if "shape" in setting else (1, setting["max_len"])


@functools.cache
def masks(lib):
    """Ones where there are tokens, or True where there are none; ones with an axis for the columns."""

    def made(name, kind, last=()):
        dtype = getattr(lib, kind, bool)  # NumPy's own name for it comes and goes
        text = f"{name}((1, max_len{', 1' * len(last)}), dtype={lib.__name__}.{kind})"
        return _array(lib, text, lambda s: getattr(lib, name)((*_texts(s), *last), dtype=dtype), "mask")

    return [made("ones", "int64"), made("zeros", "bool"), made("ones", "int64", (1,))]


@functools.cache
def lengths(torch):
    """The length of each text: of those in x, or of one."""
    many = lambda s: torch.full((len(s.get("x", (None,))),), s["max_len"])  # noqa: E731
    return [_array(torch, "full((batch,), max_len)", many, "ids")]


def _sides(setting, axes=2):
    """max_len: a height and a width, or frames before these, where a grid is asked for; else the sides of a square."""
    sides = setting["max_len"]
    *others, width = sides if isinstance(sides, tuple) else (sides,) * axes
    return *others, width + setting.get("more", 0)


def side(n, axes=2):
    """One of the sides of a grid."""
    return Value("max_len", lambda setting: _sides(setting, axes)[n], frozenset({"sides"}))


@functools.cache
def places(lib):
    """The numbers of row and column of each place of a grid, or of frame, row and column: (axes, places)."""

    def make(setting):
        sides = _sides(setting)
        return lib.stack([*lib.meshgrid(*map(lib.arange, sides), indexing="ij")]).reshape(len(sides), -1)

    axis = f"{lib.__name__}.arange(max_len)"
    return [_array(lib, f"stack({lib.__name__}.meshgrid({axis}, {axis}, indexing='ij')).reshape(2, -1)", make, "sides")]


@functools.cache
def points(torch, axes, fractions, x_first):
    """The coordinates of each place of a grid, (places, axes): x before y, or the row before the column."""

    def make(setting):
        rows = [torch.arange(n) / (n if fractions else 1) for n in _sides(setting, axes)]
        return torch.cartesian_prod(*rows).flip(-1 if x_first else ())

    axis = f"torch.arange(max_len){' / max_len' if fractions else ''}"
    text = f"cartesian_prod({', '.join([axis] * axes)}){'.flip(-1)' if x_first else ''}"
    return _array(torch, text, make, "sides")


@functools.cache
def pictures(lib):
    """One picture of max_len rows: channels first, or last; its places in one line."""
    shapes = {
        "(1, d_model, max_len, max_len)": lambda d, height, width: (d, height, width),
        "(1, max_len, max_len, d_model)": lambda d, height, width: (height, width, d),
        "(1, max_len * max_len, d_model)": lambda d, height, width: (height * width, d),
    }

    def make(setting, of):
        return _filled(lib, setting, (_pictures(setting), *of(setting["d_model"], *_sides(setting))))

    return [_array(lib, f"zeros({t})", functools.partial(make, of=of), "x") for t, of in shapes.items()]


def _pictures(setting):
    return 1 + max(setting.get("more", 0), setting.get("two", 0))


@functools.cache
def picture_masks(torch):
    """The mask of one picture: True where nothing is, or where something is."""

    def make(setting, name):
        return getattr(torch, name)((_pictures(setting), *_sides(setting)), dtype=torch.bool)

    text = "{}((1, max_len, max_len), dtype=torch.bool)"
    return [_array(torch, text.format(n), functools.partial(make, name=n), "mask") for n in ("zeros", "ones")]
