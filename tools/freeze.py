"""Print constraints.txt: the exact version of every package in the environment that runs this.

make clean setup && .venv/bin/python tools/freeze.py > constraints.txt
"""

import re
from importlib.metadata import distributions

HEADER = """\
# The exact versions that CI tests, on Python 3.11. Written in a fresh environment by
#     .venv/bin/python tools/freeze.py > constraints.txt
# Many of these releases have left Python 3.10 behind. Their pins hold only where they can be installed; an older
# Python takes the newest release made for it, within the lower bounds of pyproject.toml.
# There are no hashes. pip, which installs where uv cannot be had, would then refuse the course itself: a folder has no
# hash. And PyTorch's builds for the CPU alone bear the same version as the ordinary ones, and other hashes."""
OURS = {"pe-lib", "pip"}  # the course itself, and the installer, which a venv brings along


def pin(distribution):
    """The name, and `==version` with a marker where the release needs a newer Python than the course does."""
    metadata = distribution.metadata
    version = distribution.version.partition("+")[0]  # torch 2.13.0+cpu is 2.13.0 to everyone without a CPU index
    oldest = re.search(r">=\s*(3\.1[1-9][\d.]*)", metadata["Requires-Python"] or "")
    marker = f' ; python_full_version >= "{oldest[1]}"' if oldest else ""
    name = re.sub(r"[-_.]+", "-", metadata["Name"]).lower()
    return name, f"=={version}{marker}"


if __name__ == "__main__":
    pins = dict(pin(distribution) for distribution in distributions())
    print(HEADER, *(name + pins[name] for name in sorted(pins.keys() - OURS)), sep="\n")
