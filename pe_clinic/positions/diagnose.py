"""`diagnose_positions`: call a maker of position ids at telling arguments, explain what it gives, and say."""

from dataclasses import dataclass
from pathlib import Path

import torch

from ..model.catalogue import read
from ..model.diagnose import not_run, say
from ..model.keeping import quietly
from .alterations import ALTERATIONS
from .cases import of_parts, trials_of

MISTAKES, _ = read(Path(__file__).with_name("mistakes.md"))
FORMS = {  # how ids may be given: each to the shape of the right ones
    "": lambda ids, want: ids,
    "batch of one": lambda ids, want: ids.reshape(want) if ids.dim() > len(want) else ids,
    "one row for all": lambda ids, want: ids.reshape(-1).expand(want) if ids.numel() == want[-1] else ids,
    "axes last": lambda ids, want: ids.squeeze().T if ids.dim() > 1 else ids,
}


@dataclass(frozen=True)
class Looked:
    """The case, its trials, the ids that each gave, and whether an argument was changed."""

    case: str
    trials: tuple
    given: tuple
    changed: bool


def look(make_positions):
    """Call it once for each trial, with copies of the arguments."""
    (case, trials), given, changed = trials_of(make_positions), [], False
    for trial in trials:
        own = {name: each.clone() if torch.is_tensor(each) else each for name, each in trial.arguments.items()}
        given.append(torch.as_tensor(make_positions(**own)).detach().cpu())
        pairs = [(each, trial.arguments[name]) for name, each in own.items() if torch.is_tensor(each)]
        changed |= not all(torch.equal(*pair) for pair in pairs)
    return Looked(case, tuple(trials), tuple(given), changed)


def explain(seen):
    """Findings, and what it is in words."""
    findings = [MISTAKES["argument-changed"].found("a call changed it in place")] if seen.changed else []
    form, pairs = next(((form, pairs) for form in FORMS if (pairs := _fitted(seen, form))), (None, ()))
    if not pairs:
        trial, given = seen.trials[1], tuple(seen.given[1].shape)
        evidence = f"{_said(trial)} gave {given}; expected {tuple(trial.right.shape)}"
        return [*findings, MISTAKES["positions-shape"].found(evidence)], None

    def fits(wanted):
        return all(_equal(trial, got, wanted(trial)) for trial, got in pairs)

    firsts = {int(each) for trial, got in pairs for each in (got - trial.right)[trial.compared][:1]}
    first = firsts.pop() if len(firsts) == 1 else 0
    parallel = seen.case == "context parallel"
    if first not in (1, -1) and fits(lambda trial: trial.right + first):
        words = [seen.case, "places in the row" if parallel else "", form if form == "axes last" else ""]
        return findings, ", ".join(filter(None, [*words, f"ids from {first}" if first else ""]))
    if parallel and fits(lambda trial: of_parts(trial.given, from_row=False)):
        return findings, f"{seen.case}, places in each text"
    name = next((name for name, wrong in ALTERATIONS[seen.case] if fits(wrong)), "positions-wrong")
    trial, got = next(pair for pair in pairs if not _equal(*pair, pair[0].right))
    evidence = f"for {_said(trial)}: {got.tolist()}; right is {trial.right.tolist()}"
    return [MISTAKES[name].found(evidence), *findings], None


def _fitted(seen, form):
    """Pairs (trial, ids in the shape of the right ones) when every call gave them in this form; else None."""
    try:
        both = zip(seen.trials, seen.given, strict=True)
        pairs = [(trial, FORMS[form](ids, trial.right.shape)) for trial, ids in both]
    except RuntimeError:
        return None
    return pairs if all(ids.shape == trial.right.shape for trial, ids in pairs) else None


def _equal(trial, got, want):
    return torch.equal(got[trial.compared].double(), want[trial.compared].double())


def _said(trial):
    shown = {name: each.tolist() if torch.is_tensor(each) else each for name, each in trial.arguments.items()}
    return ", ".join(f"{name} {each}" for name, each in shown.items())


def diagnose_positions(make_positions, expect=None):
    """A `Diagnosis` of a function that makes position ids; its parameters' names say from what.

    >>> print(diagnose_positions(lambda past_length, length: past_length + torch.arange(length)))
    Right. Convention: cache.
    """
    try:
        with quietly():
            findings, words = explain(look(make_positions))
    except ValueError as error:
        return not_run(str(error), "positions")
    except Exception as error:
        return not_run(f"make_positions raised {type(error).__name__}: {error}", "positions")
    return say(findings, words, expect, "positions")
