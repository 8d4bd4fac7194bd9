"""pe_lib: the code behind the course on positional encoding. One module for each lesson, each short enough to read.

Drawing (`pe_lib.plots`) and checking exercises (`pe_lib.check`) are imported by name: the encodings stay light.
"""

from .diagnosis import Diagnosis, Finding, diagnose_layer, diagnose_table
from .embedding import TokenEmbedding
from .formula import angles, frequencies, wavelengths
from .layer import PositionalEncoding
from .loop import sinusoidal_loop
from .rotation import shift_matrix, sinusoidal_rotation
from .stack_flatten import SinusoidalTable, sinusoidal_stack_flatten
from .vectorized import sinusoidal_vectorized

__version__ = "0.1.0"

__all__ = [
    "Diagnosis",
    "Finding",
    "PositionalEncoding",
    "SinusoidalTable",
    "TokenEmbedding",
    "angles",
    "diagnose_layer",
    "diagnose_table",
    "frequencies",
    "shift_matrix",
    "sinusoidal_loop",
    "sinusoidal_rotation",
    "sinusoidal_stack_flatten",
    "sinusoidal_vectorized",
    "wavelengths",
]
