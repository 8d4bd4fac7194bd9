"""The pins of constraints.txt: what one machine holds, written so that every other can install it."""

from importlib.metadata import PathDistribution

import freeze
import pytest
from course import ROOT
from packaging.requirements import Requirement


@pytest.fixture
def installed(tmp_path):
    """A package as an installer leaves it."""

    def make(name, version, python=None):
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        needs = f"Requires-Python: {python}\n" if python else ""
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        return PathDistribution(folder)

    return make


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        (("torch", "2.13.0+cpu", ">=3.10"), ("torch", "==2.13.0")),
        (("numpy", "2.4.0", ">=3.11"), ("numpy", '==2.4.0 ; python_full_version >= "3.11"')),
        (("ipython", "9.8", "!=3.11.4,>= 3.11.2"), ("ipython", '==9.8 ; python_full_version >= "3.11.2"')),
        (("typing_extensions", "4.1", ">=3.9"), ("typing-extensions", "==4.1")),
        (("Jinja2.Time", "1.0"), ("jinja2-time", "==1.0")),
    ],
)
def test_a_pin_can_be_installed_elsewhere(package, expected, installed):
    assert freeze.pin(installed(*package)) == expected


def test_the_pins_of_the_course_are_such_pins():
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert text.startswith(freeze.HEADER + "\n")
    pins = [Requirement(line) for line in text.removeprefix(freeze.HEADER).split("\n") if line]
    names = [pin.name for pin in pins]
    assert names == sorted(set(names)) and not freeze.OURS & set(names)
    assert all(len(pin.specifier) == 1 and str(pin.specifier).startswith("==") and "+" not in str(pin) for pin in pins)
