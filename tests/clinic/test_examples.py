"""The examples in docstrings give what they say."""

import doctest
import importlib

import pytest

MODULES = ["layer.diagnose", "recognising", "saying.words", "saying.expecting", "calling.names", "calling.lines"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    failed, tried = doctest.testmod(importlib.import_module(f"pe_clinic.{name}"))
    assert tried and not failed
