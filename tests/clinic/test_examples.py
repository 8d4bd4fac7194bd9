"""The examples in the docstrings of the public names run, and print what they say."""

import doctest
import importlib

import pytest

MODULES = [
    *("layer.diagnose", "table.diagnose", "rotation.diagnose", "bias.diagnose", "law.law"),
    *("recognising", "saying.words", "calling.names", "calling.lines"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    results = doctest.testmod(importlib.import_module(f"pe_clinic.{name}"))
    assert results.attempted and not results.failed
