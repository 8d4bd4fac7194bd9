"""The first import of matplotlib. Where HOME cannot be written to, it would warn, and the lesson would show that."""

import logging
from importlib import import_module

_matplotlib = logging.getLogger("matplotlib")
_matplotlib.setLevel(logging.ERROR)
import_module("matplotlib.figure")
_matplotlib.setLevel(logging.NOTSET)
