"""Notes on what code does beside its task: printing, seeding, changing settings. They do not make a table wrong."""

from dataclasses import dataclass

from .mistakes import found

GENERATORS = ("Python's random", "NumPy's random", "torch's random")


@dataclass(frozen=True)
class Traces:
    """What a call left behind before it was put back."""

    printed: bool = False
    changed: tuple[str, ...] = ()
    generators: tuple[int, ...] = ()  # a number for the state of each random generator afterwards


def traces_findings(first, second):
    """``first`` and ``second`` are the `Traces` of the same call, begun with two different seeds."""
    states = zip(GENERATORS, first.generators, second.generators, strict=False)
    if reseeded := [name for name, one, two in states if one == two != 0]:
        said = f"after it, {', '.join(reseeded)} is in the same state whatever it was before"
        yield found("sets-seed", said, kind="note")
    changed = sorted({*first.changed, *second.changed})
    if changed:
        yield found("changes-state", f"changed: {', '.join(changed)}", kind="note")
    if first.printed or second.printed:
        yield found("prints", "something was written to the screen", kind="note")
