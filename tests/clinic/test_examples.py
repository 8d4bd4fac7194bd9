"""The examples in the docstrings of the public names run, and print what they say."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["table.diagnose", "rotation.diagnose", "bias.diagnose", "law.law"])
def test_examples_run(module):
    results = doctest.testmod(importlib.import_module(f"pe_clinic.{module}"))
    assert results.attempted and not results.failed
