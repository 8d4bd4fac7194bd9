"""`diagnose_positions`: call a maker of position ids at telling arguments, explain what it gives, and say."""

from dataclasses import dataclass
from pathlib import Path

import torch

from ..model.catalogue import read
from ..model.diagnose import not_run, say
from ..model.subject import quietly
from .cases import of_grids, trials_of

MISTAKES, _ = read(Path(__file__).with_name("mistakes.md"))


def _counted(trial):
    return torch.arange(trial.right.shape[-1]).expand(trial.right.shape)


def _row(n):
    return lambda trial: trial.right[n].expand_as(trial.right)


def _row_of_mask(n, pad):
    def wrong(trial):
        ids = trial.given[n].cumsum(-1) - 1
        ids = ids if pad is None else ids.where(trial.given[n] == 1, pad)
        return ids[-trial.right.shape[1] :].expand_as(trial.right)

    return wrong


def _plus(n, later_only=False):
    return lambda trial: trial.right + n * int(not later_only or trial.right[0] > 0)


def _without(axis):
    return lambda trial: trial.right * (torch.arange(3) != axis)[:, None]


def _placed(place):
    return lambda trial: of_grids(trial.given, place)


# What a mistake makes of a trial: (id, from the trial to wrong ids); the first that fits every trial is named.
ALTERATIONS = {
    "padding": (
        (
            "one-position-for-all-rows",
            lambda trial: torch.arange(trial.given.shape[1])[-trial.right.shape[1] :].expand_as(trial.right),
        ),
        ("pads-counted", _counted),
        *(("ids-of-one-row", _row_of_mask(n, pad)) for n in (0, -1) for pad in (None, 0, 1)),
        ("from-one", _plus(1)),
        ("cache-restarts", lambda trial: torch.zeros_like(trial.right)),
    ),
    "packing": (("documents-run-on", _counted), ("from-one", _plus(1)), ("ids-of-one-row", _row(0))),
    "cache": (
        ("cache-restarts", _counted),
        ("one-ahead", _plus(1)),
        ("one-behind", _plus(-1)),
        ("one-ahead", _plus(1, later_only=True)),
        ("one-behind", _plus(-1, later_only=True)),
        ("one-for-all-new", _row(0)),
    ),
    "grid": (
        ("time-zero", _placed(lambda t, h, w, n: (0 * n, n % (h * w) // w, n % w))),
        ("height-zero", _placed(lambda t, h, w, n: (n // (h * w), 0 * n, n % w))),
        ("width-zero", _placed(lambda t, h, w, n: (n // (h * w), n % (h * w) // w, 0 * n))),
        *((f"{name}-zero", _without(axis)) for axis, name in enumerate(("time", "height", "width"))),
        ("axes-swapped", lambda trial: trial.right[[0, 2, 1]]),
        ("axes-reversed", lambda trial: trial.right.flip(0)),
        ("column-by-column", _placed(lambda t, h, w, n: (n // (h * w), n % h, n // h % w))),
        ("height-for-width", _placed(lambda t, h, w, n: (n // (h * w), n % (h * w) // h, n % h))),
        ("grid-as-text", _counted),
        ("grids-overlap", lambda trial: of_grids(trial.given, overlap=True)),
        ("from-one", _plus(1)),
    ),
}
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
    Right.
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
