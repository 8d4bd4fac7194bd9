"""pe_course: the machinery of the course, which no encoding needs.

`check` replies to an answer, by what `exercises` asks for and `judges` compare; `recall` asks about earlier lessons;
`progress` keeps and shows what was done; `tutor` writes a text for one; `assessment` is the test before and after the
course. `plots` draws, `explore` adds sliders, `toy` trains small networks. The commands stand in `__main__`.

Importing pe_course loads nothing else. Each name below loads its module on first use.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors, which read and do not run
    from .checking import check, installation
    from .recalling import recall

MODULE_OF = {"check": "checking", "installation": "checking", "recall": "recalling"}
MODULES = ("assessment", "explore", "plots", "progress", "toy")
__all__ = sorted([*MODULE_OF, *MODULES])


def __getattr__(name):
    """A public name, or one of the modules, when it is first asked for (PEP 562)."""
    if name in MODULE_OF:
        globals()[name] = value = getattr(import_module(f".{MODULE_OF[name]}", __name__), name)
        return value
    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return __all__
