"""Two hundred files that do harm where they can: from a name to a source that has a function or class ``table``.

Each file is a thing that is done, put in each place from which it can be done: while the file is loaded, while the
function runs, in a thread, when Python ends, when an object is looked at, thrown away, or printed.
"""

from files import FILES

from pe_course.judges.known import pages

RIGHT = FILES["numpy"].replace("def table", "def right")
SECTIONS = pages(__file__, {})
# What is done, as one or more lines; and what comes back, as an expression.
ENDS, WRITES, CHANGES, LEAVES, LOOPS, COMES_BACK = (
    {name: lines.replace("\\n", "\n") for lines, name in SECTIONS[what].entries}
    for what in ("ends", "writes", "changes", "leaves", "loops", "comes back")
)
# `Thing` raises where it is looked at.
LOOKED_AT = (
    *("__class__", "__len__", "__iter__", "__array__", "__getitem__", "__bool__", "__hash__", "__eq__", "shape"),
    *("dtype", "__float__", "__index__", "detach", "__dict__"),
)


def _indented(text, by="    "):
    return "\n".join(by + line for line in text.splitlines())


def _at_import(what):
    return f"{RIGHT}\n{what}\ntable = right\n"


def _in_the_call(what):
    return f"{RIGHT}\ndef table(max_len, d_model):\n{_indented(what)}\n    return right(max_len, d_model)\n"


def _in_forward(what):
    return (
        f"{RIGHT}\nimport torch\nclass table(torch.nn.Module):\n    def __init__(self, d_model, max_len):\n"
        "        super().__init__()\n        table = torch.tensor(right(max_len, d_model))\n"
        "        self.register_buffer('pe', table.float())\n"
        f"    def forward(self, x):\n{_indented(what, ' ' * 8)}\n        return x + self.pe[: x.shape[1]]\n"
    )


def _when_thrown_away(what):
    return (
        f"{RIGHT}\nclass Held:\n    def __del__(self):\n{_indented(what, ' ' * 8)}\n"
        "def table(max_len, d_model):\n    Held()\n    return right(max_len, d_model)\n"
    )


def _in_the_words_of_its_error(what):
    return (
        f"class Bad(Exception):\n    def __str__(self):\n{_indented(what, ' ' * 8)}\n    __repr__ = __str__\n"
        "def table(max_len, d_model):\n    raise Bad\n"
    )


def _returns(expression):
    return f"{RIGHT}\ndef table(max_len, d_model):\n    return {expression}\n"


def _thing(attribute, does):
    return (
        f"class Thing:\n    def __getattribute__(self, name):\n        if name == {attribute!r}:\n"
        f"            {does}\n        return object.__getattribute__(self, name)\n"
        f"    def {attribute}(self, *more):\n        {does}\n"
        "def table(max_len, d_model):\n    return Thing()\n"
    )


def files():
    """(name, source) of every file."""
    places = {"at import": _at_import, "in the call": _in_the_call, "in forward": _in_forward}
    for done in (ENDS, WRITES, CHANGES, LEAVES):
        for what, lines in done.items():
            for place, put in places.items():
                yield f"{what}, {place}", put(lines)
    for what in ("os._exit(0)", "SystemExit(0)", "kill -9", "recursion"):
        yield f"{what}, when an object is thrown away", _when_thrown_away(ENDS[what])
        yield f"{what}, in the words of its error", _in_the_words_of_its_error(ENDS[what])
    for what, lines in LOOPS.items():
        yield f"{what}, in the call", _in_the_call(lines)
    for attribute in LOOKED_AT:
        yield f"raises in {attribute}", _thing(attribute, "raise RuntimeError('not for you')")
        yield f"leaves in {attribute}", _thing(attribute, "raise SystemExit(0)")
    for what, expression in COMES_BACK.items():
        yield f"gives {what}", _returns(expression)
