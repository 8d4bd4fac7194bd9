"""Run code that may do anything, and turn what it does into a value or a finding."""

from .result import Finding


class Failed(Exception):
    """The code under test did not give a value to look at; ``finding`` says why."""

    def __init__(self, finding):
        super().__init__(finding.title)
        self.finding = finding


def run(call, function, *arguments):
    """``function(*arguments)``; whatever it raises becomes a `Failed` that quotes ``call``. NotImplementedError passes: not attempted."""
    try:
        return function(*arguments)
    except NotImplementedError:
        raise
    except Exception as error:
        evidence = f"{call} raised {type(error).__name__}: {error}"
        raise Failed(Finding("raises", "The code stops with an error.", evidence)) from error
