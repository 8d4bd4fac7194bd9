"""The words of what is said of models."""

from pathlib import Path

from ..saying.catalogue import read

MISTAKES, HIDES = read(Path(__file__).with_name("mistakes.md"))
