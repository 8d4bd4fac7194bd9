"""A sitting in a terminal: type a letter and a number, such as B3, and Enter."""

import re

from .desk import command, trouble
from .keeping import NotOurs
from .markup import to_lines
from .sitting import Answer

ASK = "Your answer, and how sure (1 a guess, 2, 3, 4 certain), such as B3: "
AGAIN = "A letter from A to D and a number from 1 to 4, such as B3."
KEYS = "q stops; what you have answered is saved."


def sit(desk, read=None, write=print):
    """Ask what is not answered yet; returns the exit status. ``read`` and ``write`` are the terminal's."""
    read = read or input
    try:
        write("\n".join(desk.greeting()))
        over = (sitting := desk.sitting()) and sitting.over
        if not over:
            write(KEYS)
            _ask_all(desk, read, write)
        write("\n" + "\n".join(desk.farewell()))
        if path := desk.explain():
            write(f"Every option is explained in {path}: open it in a browser.")
    except (NotOurs, OSError) as error:
        write(trouble(error, desk.path))
        return 2
    except (EOFError, KeyboardInterrupt):
        write(f"\nStopped. {command(desk.name)} goes on where you are.")
    return 0


def _ask_all(desk, read, write):
    sitting = desk.begin()
    while item := sitting.next:
        write(f"\n─── {item.number} of {desk.part.count} · {item.idea} " + "─" * 30)
        write(f"\n{to_lines(item.stem)}\n")
        write("\n".join(f"  {option.letter}  {option.text}" for option in item.options) + "\n")
        letter, sure = _ask(read, write)
        sitting = desk.answer(Answer(item.id, letter, sure))


def understood(said):
    """(letter, how sure) of what was typed, such as "b 3"; None of what is no answer."""
    found = re.fullmatch(r"([A-D])\s*([1-4])", said.strip().upper())
    return found and (found[1], int(found[2]))


def _ask(read, write):
    while True:
        said = read(ASK)
        if found := understood(said):
            return found
        if said.strip().upper() in ("Q", "QUIT"):
            raise EOFError  # as if nothing more could be typed
        write(AGAIN)
