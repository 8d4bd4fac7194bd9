"""`diagnose_positions`: call a maker of position ids at telling arguments, explain what it gives, and say."""

from dataclasses import dataclass

import torch

from ..model.diagnose import not_run, say
from ..model.subject import quietly
from ..saying.mistake import Mistake
from .alterations import ALTERATIONS
from .cases import case_of

OTHER = Mistake("positions-wrong", "The positions are wrong.", "They follow no rule that we know.")
SHAPE = Mistake("positions-shape", "The positions have another shape than the tokens.")
INPUT = Mistake("argument-changed", "The argument was changed.", "A mask or a grid is used again by the caller.", "compute in a copy: cumsum, and not cumsum_")  # fmt: skip
CONVENTIONS = {"batch first": lambda ids: ids[None], "axes last": lambda ids: ids.T}


@dataclass(frozen=True)
class Looked:
    """``case``, its trials, and what each gave: ids (batch, length) or a reason; ``changed``: an argument is not as it was."""

    case: object
    given: tuple
    changed: bool = False


def look(make_positions):
    """Call it once for each trial, with copies of the arguments."""
    case, given, changed = case_of(make_positions), [], False
    for trial in case.trials:
        arguments = {name: each.clone() if isinstance(each, torch.Tensor) else each for name, each in trial.arguments.items()}
        given.append(torch.as_tensor(make_positions(**arguments)).detach().cpu())
        changed |= any(not torch.equal(arguments[name], each) for name, each in trial.arguments.items() if isinstance(each, torch.Tensor))
    return Looked(case, tuple(given), changed)


def fitted(seen):
    """The ids in the shape of the expected ones, and how they were given ("", "axes last", …); None for another shape."""
    forms = {
        "": lambda ids, want: ids,
        "batch of one": lambda ids, want: ids.reshape(want) if ids.numel() == want.numel() and ids.dim() > len(want) else ids,
        "one row for all": lambda ids, want: ids.expand(want) if ids.dim() == 1 and len(want) == 2 else ids,
        "axes last": lambda ids, want: ids.squeeze().T if ids.dim() >= 2 else ids,
    }
    for name, form in forms.items():
        try:
            shaped = [form(ids, trial.expected.shape) for ids, trial in zip(seen.given, seen.case.trials, strict=True)]
        except RuntimeError:
            continue
        if all(ids.shape == trial.expected.shape for ids, trial in zip(shaped, seen.case.trials, strict=True)):
            return shaped, name
    return None


def explain(seen):
    """Findings, and the convention in words."""
    findings = [INPUT.found("a call changed it in place")] if seen.changed else []
    found = fitted(seen)
    if found is None:
        trial, ids = seen.case.trials[1], seen.given[1]
        return [SHAPE.found(f"{_said(trial)} gave {tuple(ids.shape)}; expected {tuple(trial.expected.shape)}"), *findings], None
    ids, form = found
    pairs = list(zip(seen.case.trials, ids, strict=True))
    begin = {int(each) for trial, got in pairs for each in (got - trial.expected)[trial.compared].flatten()[:1]}
    if all(_equal(trial, got, trial.expected) for trial, got in pairs):
        return findings, ", ".join(each for each in (seen.case.name, form if form == "axes last" else "") if each)
    if len(begin) == 1 and min(begin) > 1 and all(_equal(trial, got, trial.expected + min(begin)) for trial, got in pairs):
        return findings, f"{seen.case.name}, ids from {min(begin)}"
    for each in ALTERATIONS[seen.case.name]:
        if all(_equal(trial, got, each.wrong(trial)) for trial, got in pairs):
            return [each.said.found(_evidence(pairs)), *findings], None
    return [OTHER.found(_evidence(pairs)), *findings], None


def _equal(trial, got, want):
    return torch.equal(got[trial.compared].double(), want[trial.compared].double())


def _said(trial):
    return ", ".join(f"{name} {each.tolist() if isinstance(each, torch.Tensor) else each}" for name, each in trial.arguments.items())


def _evidence(pairs):
    trial, got = next(pair for pair in pairs if not _equal(*pair, pair[0].expected))
    return f"for {_said(trial)}: {got.tolist()}; right is {trial.expected.tolist()}"


def diagnose_positions(make_positions, expect=None):
    """A `Diagnosis` of a function that makes position ids; its parameters' names say from what.

    >>> print(diagnose_positions(lambda past_length, length: past_length + torch.arange(length)))
    Right.
    """
    try:
        with quietly():
            seen = look(make_positions)
    except ValueError as error:
        return not_run(str(error))
    except Exception as error:
        return not_run(f"make_positions raised {type(error).__name__}: {error}")
    findings, words = explain(seen)
    return say(findings, words, expect, "positions")
