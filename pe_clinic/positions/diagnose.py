"""`diagnose_positions`: call a maker of position ids at telling arguments, explain what it gives, and say."""

from dataclasses import dataclass
from pathlib import Path

import torch

from ..model.catalogue import read
from ..model.diagnose import not_run, say
from ..model.keeping import quietly
from .alterations import ALTERATIONS
from .cases import trials_of

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
        changed |= any(
            torch.is_tensor(each) and not torch.equal(each, trial.arguments[name]) for name, each in own.items()
        )
    return Looked(case, tuple(trials), tuple(given), changed)


def explain(seen):
    """Findings, and what it is in words."""
    findings = [MISTAKES["argument-changed"].found("a call changed it in place")] if seen.changed else []
    form, pairs = next(((form, pairs) for form in FORMS if (pairs := _fitted(seen, form))), (None, None))
    if pairs is None:
        trial, given = seen.trials[1], tuple(seen.given[1].shape)
        evidence = f"{_said(trial)} gave {given}; expected {tuple(trial.right.shape)}"
        return [*findings, MISTAKES["positions-shape"].found(evidence)], None
    firsts = {int(each) for trial, got in pairs for each in (got - trial.right)[trial.compared][:1]}
    first = firsts.pop() if len(firsts) == 1 else 0
    if first not in (1, -1) and all(_equal(trial, got, trial.right + first) for trial, got in pairs):
        words = [seen.case, form if form == "axes last" else "", f"ids from {first}" if first else ""]
        return findings, ", ".join(filter(None, words))
    fitting = (
        name for name, wrong in ALTERATIONS[seen.case] if all(_equal(trial, got, wrong(trial)) for trial, got in pairs)
    )
    trial, got = next(pair for pair in pairs if not _equal(*pair, pair[0].right))
    evidence = f"for {_said(trial)}: {got.tolist()}; right is {trial.right.tolist()}"
    return [MISTAKES[next(fitting, "positions-wrong")].found(evidence), *findings], None


def _fitted(seen, form):
    """Pairs (trial, ids in the shape of the right ones) when every call gave them in this form; else None."""
    try:
        pairs = [
            (trial, FORMS[form](ids, trial.right.shape)) for ids, trial in zip(seen.given, seen.trials, strict=True)
        ]
    except RuntimeError:
        return None
    return pairs if all(ids.shape == trial.right.shape for trial, ids in pairs) else None


def _equal(trial, got, want):
    return torch.equal(got[trial.compared].double(), want[trial.compared].double())


def _said(trial):
    return ", ".join(
        f"{name} {each.tolist() if torch.is_tensor(each) else each}" for name, each in trial.arguments.items()
    )


def diagnose_positions(make_positions, expect=None):
    """A `Diagnosis` of a function that makes position ids; its parameters' names say from what.

    >>> print(diagnose_positions(lambda past_length, length: past_length + torch.arange(length)))
    Right. Convention: cache.
    """
    try:
        with quietly():
            seen = look(make_positions)
    except ValueError as error:
        return not_run(str(error), "positions")
    except Exception as error:
        return not_run(f"make_positions raised {type(error).__name__}: {error}", "positions")
    findings, words = explain(seen)
    return say(findings, words, expect, "positions")
