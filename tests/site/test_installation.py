"""The first cell of lesson 00: what is missing or broken is told in words, and nothing in it depends on the machine."""

import importlib.util
import os
import subprocess
import sys
from unittest.mock import Mock

import pytest
import torch
from course import ROOT

from pe_course import installation
from pe_course.checking import NEEDED
from pe_lib import PositionalEncoding

UTF8 = {**os.environ, "PYTHONUTF8": "1"}  # the marks of a reply, on Windows too


def test_reply_is_the_same_everywhere():
    reply = installation()
    assert (reply.status, reply.head) == ("right", "Everything is here.")
    assert "\n" not in reply.body and not any(letter.isdigit() for letter in reply.body)


def reply_of(*options, before=""):
    """What `installation` says in a Python of its own, started with these options, after this code."""
    code = f"{before}\nfrom pe_course.checking import installation; print(installation())"
    environment = {**UTF8, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment).stdout


def test_without_any_package_all_are_named():
    missing = "not installed: numpy, torch, matplotlib; the README tells how to install"
    assert reply_of("-S") == f"✘ Something is missing.\n{missing}\n"  # no site-packages


@pytest.mark.parametrize("name", NEEDED)
def test_missing_package_is_named(name, monkeypatch):
    """And no package that is not needed: other editors bring their own JupyterLab."""
    find = importlib.util.find_spec
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    assert installation().status == "right"
    monkeypatch.setattr(importlib.util, "find_spec", lambda asked: None if asked == name else find(asked))
    told = f"not installed: {name}; the README tells how to install"
    assert (installation().head, installation().body) == ("Something is missing.", told)


@pytest.mark.slow
def test_package_that_is_there_and_cannot_be_imported_is_told_in_words():
    """In a fresh Python: here matplotlib is imported already."""
    broken = """if True:
        import sys

        class Broken:
            def find_spec(self, name, path=None, target=None):
                if name == "matplotlib.figure":
                    raise ImportError("DLL load failed\\nand more")

        sys.meta_path.insert(0, Broken())
    """
    reply = reply_of(before=broken)
    assert reply == "✘ Something does not work.\nImportError: DLL load failed; the README tells how to install\n"


def test_torch_that_cannot_compute_is_told_in_words(monkeypatch):
    monkeypatch.setattr(torch, "from_numpy", Mock(side_effect=RuntimeError("Numpy is not available")))
    assert installation().body == "RuntimeError: Numpy is not available; the README tells how to install"


def test_layer_that_adds_something_else_is_told_in_words(monkeypatch):
    monkeypatch.setattr(PositionalEncoding, "forward", lambda self, x: x)
    assert installation().status == "wrong"
    assert installation().body.startswith("a small layer adds other numbers than it should; ")
