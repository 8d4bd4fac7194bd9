"""What is said of a bias: the words of each mistake, by its id."""

from pathlib import Path

from ..saying.catalogue import read

MISTAKES, _ = read(Path(__file__).with_name("mistakes.md"))
