"""Call a maker of position ids once for each trial, and keep what it gave."""

from dataclasses import dataclass

import torch

from .roles import Held

WHOLE = (torch.int64, torch.int32, torch.int16, torch.uint8)
KINDS = (lambda tensor: tensor, lambda tensor: tensor.numpy(), lambda tensor: tensor.tolist())
REFUSALS = (AssertionError, ValueError)


@dataclass(frozen=True)
class Looked:
    """The case, its trials, the ids that each gave, whether an argument was changed, and what was refused."""

    case: str
    trials: tuple
    given: tuple
    changed: bool
    refused: str = ""


def look(make_positions, case, trials):
    """Call it with tensors; where that does not run, with NumPy's arrays, and with lists."""
    first = None
    for kind in KINDS:
        try:
            return _look(make_positions, case, trials, kind)
        except REFUSALS as error:
            raise first or error from None
        except Exception as error:
            first = first or error
    raise first


def _look(make_positions, case, trials, kind):
    """Call it once for each trial, with copies of the arguments; it may refuse some, but not all."""
    ran, given, changed, refusal, refused = [], [], False, None, ""
    for trial in trials:
        own = {name: kind(each.clone()) if torch.is_tensor(each) else each for name, each in trial.arguments.items()}
        try:
            value = make_positions(**own)
            if value is None:
                raise ValueError("it gave None")
        except REFUSALS as error:
            refusal, refused = error, f"for {said(trial)}: {error or type(error).__name__}"
            continue
        ran.append(trial)
        given.append(_ids_in(value, trial.right.shape).detach().cpu())
        pairs = [(torch.as_tensor(own[name]), each) for name, each in trial.arguments.items() if torch.is_tensor(each)]
        changed |= not all(torch.equal(*pair) for pair in pairs)
    if refusal and len(ran) < 2:
        raise refusal
    return Looked(case, tuple(ran), tuple(given), changed, refused)


def _ids_in(value, want):
    """The ids in what came back: of several tensors the last one of whole numbers that is as long as the ids."""
    if isinstance(value, dict):
        value = value["position_ids"] if {"position_ids", "input_ids"} & {*value} else tuple(value.values())
    parts = [torch.as_tensor(each) for each in value if each is not None] if isinstance(value, tuple) else ()
    ids = [p for p in parts if torch.is_tensor(p) and p.dtype in WHOLE and 0 < p.dim() < 4 and p.shape[-1] == want[-1]]
    return ids[-1] if ids else torch.as_tensor(value)


def said(trial):
    given = {name: each for name, each in trial.arguments.items() if not isinstance(each, Held)}
    shown = {name: each.tolist() if torch.is_tensor(each) else each for name, each in given.items()}
    shown |= {name: f"of {each[0][0].shape[2]} tokens" for name, each in given.items() if isinstance(each, tuple)}
    return ", ".join(f"{name} {each}" for name, each in shown.items())
