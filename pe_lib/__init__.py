"""pe_lib: positional encodings, short enough to read, and meant to be copied. Each module holds one idea.

Module, lesson and tests share a name: `embedding` (01), `formula` (02), `loop` (03), `vectorized` (04),
`stack_flatten` (05), `layer` (06), `rotation` (08), `rope` (09), `longer_texts` (10), `space_and_time` (11).
`arguments` refuses bad arguments for all of them. `rope_tables` and `rope_blocks` keep `rope` short and make it quick.

Importing pe_lib loads nothing else. Each name below loads its module on first use, and with it NumPy or PyTorch.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors, which read and do not run
    from .embedding import TokenEmbedding
    from .formula import angles, frequencies, wavelengths
    from .layer import PositionalEncoding
    from .longer_texts import T5Bias, alibi_bias, alibi_slopes, t5_bucket
    from .loop import sinusoidal_loop
    from .rope import half_split_order, rope_half_split, rope_interleaved
    from .rotation import shift_matrix, sinusoidal_rotation
    from .space_and_time import fourier_features, sinusoidal_at, sinusoidal_grid
    from .stack_flatten import SinusoidalTable, sinusoidal_stack_flatten
    from .vectorized import sinusoidal_vectorized

__version__ = "0.1.0"

NAMES = {  # by the module that has them
    "embedding": ("TokenEmbedding",),
    "formula": ("angles", "frequencies", "wavelengths"),
    "layer": ("PositionalEncoding",),
    "loop": ("sinusoidal_loop",),
    "rope": ("half_split_order", "rope_half_split", "rope_interleaved"),
    "rotation": ("shift_matrix", "sinusoidal_rotation"),
    "space_and_time": ("fourier_features", "sinusoidal_at", "sinusoidal_grid"),
    "stack_flatten": ("SinusoidalTable", "sinusoidal_stack_flatten"),
    "longer_texts": ("T5Bias", "alibi_bias", "alibi_slopes", "t5_bucket"),
    "vectorized": ("sinusoidal_vectorized",),
}
MODULE_OF = {name: module for module, names in NAMES.items() for name in names}

__all__ = sorted(MODULE_OF)


def __getattr__(name):
    """A public name, or one of pe_lib's own modules, when it is first asked for (PEP 562)."""
    if name in MODULE_OF:
        globals()[name] = value = getattr(import_module(f".{MODULE_OF[name]}", __name__), name)
        return value
    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f".{name}", __name__)
    from difflib import get_close_matches

    near = get_close_matches(name, __all__, n=1)
    raise AttributeError(f"pe_lib has no {name!r}" + (f"; did you mean {near[0]}?" if near else ""))


def __dir__():
    return __all__
