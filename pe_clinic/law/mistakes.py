"""The words of laws: what is wrong with them, and what is meant on purpose."""

from pathlib import Path

from ..saying.catalogue import read

MISTAKES, _ = read(Path(__file__).with_name("mistakes.md"))
EXPONENT_HALVED, MULTIPLIED, SMALL_BASE, TWICE = (
    MISTAKES[name] for name in ("exponent-halved", "multiplied-by-factor", "small-base", "turned-twice")
)


def found(name, evidence, **changes):
    """The `Finding` of the mistake or design ``name``, with its evidence; ``changes`` replace fixed words."""
    return MISTAKES[name].found(evidence, **changes)
