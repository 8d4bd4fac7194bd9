"""Run code that may do anything, and turn what it does into a value or a finding."""

from .result import Finding


class Failed(Exception):
    """The code under test did not give a value to look at; ``finding`` says why."""

    def __init__(self, finding):
        super().__init__(finding.title)
        self.finding = finding


def run(call, function, *arguments):
    """``function(*arguments)``; an error becomes a `Failed` that quotes ``call``; NotImplementedError passes."""
    try:
        return function(*arguments)
    except Exception as error:
        # torch raises the same for a module whose forward is missing or misspelt: that was an attempt
        if isinstance(error, NotImplementedError) and 'required "forward"' not in str(error):
            raise
        evidence = f"{call} raised {type(error).__name__}: {error}"
        raise Failed(Finding("raises", "The code stops with an error.", evidence)) from error
