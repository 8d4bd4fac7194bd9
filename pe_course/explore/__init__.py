"""Explorers: pictures that follow your hand (lesson 00, and 02 to 12).

Nobody needs them to follow. Each is one small program for the browser, in this folder: the same in JupyterLab, on Colab
and on the static pages. It computes by itself, so that nothing waits for a kernel. In a lesson, `explore.table()` shows
one. tests/course/test_explore.py compares its numbers with pe_lib's.
"""

from .widget import explorer

EXPLORERS = {  # each a function of this module, without arguments
    "hero": "Lesson 00: swap the words of a sentence, and let clocks paint the table.",
    "table": "Lesson 02: one row of the table as clock hands, waves and shades at once.",
    "formula": "Lessons 03 and 04: press a cell of the table to see how it is computed, and how people get it wrong.",
    "stack": "Lesson 05: tiles that move as stack and flatten move the numbers.",
    "axes": "Lesson 06: which rows of the table an expression adds to x, or why it fails.",
    "training": "Lesson 07: loss, share right and attention of a toy at every step of its training, computed before.",
    "offsets": "Lesson 08: two positions, and what depends on nothing but the offset between them.",
    "turns": "Lesson 09: a query and a key turned by their positions, and the keys that the query looks at.",
    "longer": "Lesson 10: what holds beyond the trained length, and the pair of RoPE that meets new angles.",
    "patches": "Lesson 11: which patches of an image are alike, by one number and by two.",
    "broken": "Lesson 12: two tables, and one is broken: a game with a score.",
}
__all__ = sorted(EXPLORERS)


def _showing(name):
    def show():
        return explorer(name)

    show.__name__ = show.__qualname__ = name
    show.__doc__ = EXPLORERS[name]
    return show


globals().update({name: _showing(name) for name in EXPLORERS})
