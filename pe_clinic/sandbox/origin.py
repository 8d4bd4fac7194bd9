"""Whose is a line of Python: a library's, the course's, or that of whoever is to read about it?"""

import functools
import os
import sysconfig
from pathlib import Path

PACKAGES = ("pe_lib", "pe_clinic", "pe_course")  # these folders themselves, not any of their names
COURSE = tuple(f"{(Path(__file__).parents[2] / name).as_posix()}/" for name in PACKAGES)
PATHS = {sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")}
LIBRARIES = tuple(f"{Path(path).as_posix()}/" for path in {*PATHS, os.path.dirname(os.__file__)})
INSTALLED = ("/site-packages/", "/dist-packages/")  # a user's own, and those of another Python
INSIDE = ("<frozen", "<__array")  # Python's and NumPy's own, without a file


@functools.lru_cache  # asked for each line that runs
def of_the_course(filename):
    """Does a code's file belong to one of the course's packages?"""
    return filename.replace("\\", "/").startswith(COURSE)


@functools.lru_cache  # asked for each line that runs
def of_a_library(filename):
    """Does a code's file belong to Python, to an installed package or to the course?"""
    name = filename.replace("\\", "/")
    return name.startswith((*COURSE, *LIBRARIES, *INSIDE)) or any(folder in name for folder in INSTALLED)
