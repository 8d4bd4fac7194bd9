"""The first cell of lesson 00: what is missing or broken is told in words, and nothing in it depends on the machine."""

import importlib.util
import os
import subprocess
import sys
from unittest.mock import Mock

import pytest
import torch
from course import ROOT

import pe_course
from pe_course import installation
from pe_course.checking import NEEDED
from pe_lib import PositionalEncoding


def test_reply_is_the_same_everywhere():
    reply = installation()
    assert (reply.status, reply.head) == ("right", "Everything is here.")
    assert "\n" not in reply.body and not any(letter.isdigit() for letter in reply.body)


def test_without_any_package_all_are_named():
    """In a Python without site-packages."""
    code = "from pe_course.checking import installation; print(installation())"
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}  # UTF-8 for the marks, on Windows too
    said = subprocess.check_output([sys.executable, "-S", "-c", code], encoding="utf-8", env=environment)
    missing = "not installed: numpy, torch, matplotlib; the README tells how to install"
    assert said == f"✘ Something is missing.\n{missing}\n"


@pytest.mark.parametrize("name", NEEDED)
def test_missing_package_is_named(name, monkeypatch):
    """And no package that is not needed: other editors bring their own JupyterLab."""
    find = importlib.util.find_spec
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    assert installation().status == "right"
    monkeypatch.setattr(importlib.util, "find_spec", lambda asked: None if asked == name else find(asked))
    told = f"not installed: {name}; the README tells how to install"
    assert (installation().head, installation().body) == ("Something is missing.", told)


def without_plots(patch):
    """As where matplotlib is here, and its own imports fail."""
    patch.delattr(pe_course, "plots", raising=False)
    patch.setitem(sys.modules, "pe_course.plots", None)


no_numpy = Mock(side_effect=RuntimeError("Numpy is not available\nand more"))
BROKEN = {
    "ModuleNotFoundError: import of pe_course.plots halted": without_plots,
    "RuntimeError: Numpy is not available; the README": lambda patch: patch.setattr(torch, "from_numpy", no_numpy),
    "a small layer adds other numbers than": lambda patch: patch.setattr(PositionalEncoding, "forward", lambda _, x: x),
}


@pytest.mark.parametrize("said", BROKEN)
def test_what_does_not_work_is_told_in_one_line(said, monkeypatch):
    BROKEN[said](monkeypatch)
    reply = installation()
    assert (reply.status, reply.head) == ("wrong", "Something does not work.")
    assert reply.body.startswith(said) and "\n" not in reply.body
