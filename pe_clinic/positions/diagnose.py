"""`diagnose_positions`: call a maker of position ids at telling arguments, explain what it gives, and say."""

import torch

from ..model.diagnose import not_run, say
from ..model.keeping import quietly
from ..sandbox.guard import describe
from ..saying.catalogue import words_beside
from .alterations import ALTERATIONS
from .axes import axes_told
from .cases import trials_of
from .look import look, said
from .rules import PAD, of_parts
from .texts import text_told

MISTAKES = words_beside(__file__)
FORMS = {  # how ids may be given: each to the shape of the right ones
    "": lambda ids, want: ids,
    "batch of one": lambda ids, want: ids.reshape(want) if ids.dim() > len(want) and ids.shape[-1] == want[-1] else ids,
    "one row for all": lambda ids, want: ids.reshape(-1).expand(want) if ids.numel() == want[-1] else ids,
    "on every axis": lambda ids, want: ids[0] if ids.dim() > len(want) and bool((ids == ids[:1]).all()) else ids,
    "axes last": lambda ids, want: ids.squeeze().T if ids.dim() > 1 else ids,
    "picture": lambda ids, want: _picture_in(ids, want) if len(want) > 1 and ids.dim() > 1 else ids,
}
SHOWN = "axes last", "on every axis"


def explain(seen):
    """Findings, and what it is in words."""
    findings = [MISTAKES["argument-changed"].found("a call changed it in place")] if seen.changed else []
    findings += [MISTAKES["refuses-some"].found(seen.refused)] if seen.refused else []
    if seen.given[-1].is_floating_point():
        findings.append(MISTAKES["real-numbers"].found(f"{said(seen.trials[-1])} gave {seen.given[-1].dtype}"))
    if "picture" in seen.case and any(bool((ids % 1).any()) for ids in seen.given):
        raise ValueError("it gives fractions: coordinates of a picture, and no position ids")
    case = seen.case.partition(",")[0].removesuffix(" on the left")
    forms = ((f, _fitted(seen, f)) for f in FORMS if f != "picture" or case == "picture")
    form, pairs = next(((form, pairs) for form, pairs in forms if pairs), (None, ()))
    if not pairs:
        both = [(trial, tuple(ids.shape)) for trial, ids in zip(seen.trials, seen.given, strict=True)]
        trial, given = next((pair for pair in both if pair[1] != tuple(pair[0].right.shape)), both[-1])
        evidence = f"{said(trial)} gave {given}; expected {tuple(trial.right.shape)}"
        if case == "pictures in a text":
            raise ValueError(evidence)  # such as four axes, of another design
        return [*findings, MISTAKES["positions-shape"].found(evidence)], None

    def fits(wanted):
        return all(_equal(trial, got, wanted(trial)) for trial, got in pairs)

    firsts = {int(each) for trial, got in pairs for each in (got - trial.right)[trial.compared][:1]}
    first = firsts.pop() if len(firsts) == 1 else 0
    parallel = case == "context parallel"
    if first not in (1, -1) and fits(lambda trial: trial.right + first):
        words = [seen.case, "places in the row" if parallel else "", form if form in SHOWN else ""]
        pads = [each for each in seen.trials[0].arguments.values() if each is PAD]  # told by a token
        begin = "padding_idx + 1" if first == PAD + 1 and pads else first
        return findings, ", ".join(filter(None, [*words, f"ids from {begin}" if first else ""]))
    if parallel and fits(lambda trial: of_parts(trial.given, from_row=False)):
        return findings, f"{seen.case}, places in each text"
    name = next((name for name, wrong in ALTERATIONS[case] if fits(wrong)), "positions-wrong")
    if name == "positions-wrong" and _rows_alike(pairs):
        name = "rows-alike"
    trial, got = next(pair for pair in pairs if not _equal(*pair, pair[0].right))
    told = _axes_told(case, pairs, trial, got) if name == "positions-wrong" else ""
    name = "axes-miscounted" if told else name
    evidence = f"{told}for {said(trial)}: {got.tolist()}; right is {trial.right.tolist()}"
    return [MISTAKES[name].found(evidence), *findings], None


def _axes_told(case, pairs, trial, got):
    if case == "pictures in a text":
        return text_told(trial, got)
    return axes_told(pairs) if case in ("grid", "picture") else ""


def _fitted(seen, form):
    """Pairs (trial, ids in the shape of the right ones) when every call gave them in this form; else None."""
    try:
        both = zip(seen.trials, seen.given, strict=True)
        pairs = [(trial, FORMS[form](ids, trial.right.shape)) for trial, ids in both]
    except RuntimeError:
        return None
    return pairs if all(ids.shape == trial.right.shape for trial, ids in pairs) else None


def _picture_in(ids, want):
    """Frame, row and column of ids with their axes last, or first; of two, the frame is missing."""
    ids = ids.flatten(0, -2).T if ids.shape[-1] < 5 and ids.numel() == want[1] * ids.shape[-1] else ids.flatten(1)
    ids = ids[:3] if len(ids) == 4 and not ids[3].any() else ids  # of FLUX
    return torch.cat([torch.zeros_like(ids[:1]), ids]) if len(ids) == 2 else ids


def _equal(trial, got, want):
    return torch.equal(got[trial.compared].double(), want[trial.compared].double())


def _rows_alike(pairs):
    """Are all rows of every batch alike, although right rows differ?"""
    batches = [(got, trial.right) for trial, got in pairs if got.dim() == 2 and len(got) > 1]
    alike = all(torch.equal(got, got[:1].expand_as(got)) for got, _ in batches)
    return alike and any(not torch.equal(right, right[:1].expand_as(right)) for _, right in batches)


def _best(make_positions):
    """(findings, words) of the first case that is right; else of the first that could be called."""
    outcomes, first = [], None
    for case, trials in trials_of(make_positions):
        try:
            findings, words = explain(look(make_positions, case, trials))
        except Exception as error:
            first = first or error
            continue
        part = {"one row": "one-row-only", "padding on the left": "left-only"}.get(case.split(", ")[-1])
        if words and outcomes and part:
            findings = [*findings, MISTAKES[part].found(outcomes[0][0][0].evidence)]
        outcomes.append((findings, words))
        if words:
            return findings, words
    if not outcomes:
        raise first
    return min(outcomes, key=lambda outcome: outcome[0][-1].id == "positions-shape")


def diagnose_positions(make_positions, expect=None):
    """A `Diagnosis` of a function that makes position ids; its parameters' names say from what.

    >>> print(diagnose_positions(lambda past_length, length: past_length + torch.arange(length)))
    Right. Convention: cache.
    """
    try:
        with quietly():
            findings, words = _best(make_positions)
    except ValueError as error:
        return not_run(str(error), "positions")
    except Exception as error:
        name = getattr(make_positions, "__name__", "make_positions")
        return not_run(f"{name} raised {describe(error)}", "positions")
    return say(findings, words, expect, "positions")
