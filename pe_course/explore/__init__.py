"""Explorers: pictures that follow your hand (lessons 00, 02, 06, 08, 09 and 11).

Nobody needs them to follow. Each is one small program for the browser, in this folder: the same in JupyterLab, on Colab
and on the static pages. It computes by itself, so that nothing waits for a kernel.
tests/course/test_explore.py compares its numbers with pe_lib's.
"""

from .widget import explorer


def hero():
    """Lesson 00: swap the words of a sentence, and let clocks paint the table."""
    return explorer("hero")


def table():
    """Lesson 02: one row of the table as clock hands, waves and shades at once."""
    return explorer("table")


def axes():
    """Lesson 06: which rows of the table an expression adds to x, or why it fails."""
    return explorer("axes")


def offsets():
    """Lesson 08: two positions, and what depends on nothing but the offset between them."""
    return explorer("offsets")


def turns():
    """Lesson 09: a query and a key turned by their positions, and the keys that the query looks at."""
    return explorer("turns")


def patches():
    """Lesson 11: which patches of an image are alike, by one number and by two."""
    return explorer("patches")


__all__ = ["axes", "hero", "offsets", "patches", "table", "turns"]
