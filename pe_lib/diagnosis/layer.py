"""Does this layer add the sinusoidal table to its input, and if not, what does it do?"""

from dataclasses import replace

import numpy as np
import torch

from ..vectorized import sinusoidal_vectorized
from . import behaviour
from .addition import addition, coefficient
from .calling import in_order, roles
from .catalogue import found
from .dropout import awake_in_eval, in_training
from .factors import about_factors
from .layer_table import about_table, every_shape, table_of, tables_of
from .moving import left_behind
from .picture import draw
from .result import Diagnosis
from .run import Failed
from .shapes import SHAPES
from .subject import D_MODEL, MAX_LEN, Subject
from .table import convention_in, picture_of
from .tables import Tables
from .traces import traces_findings

LATER = ("overflow", "odd-crash")  # not worth a word while there is a mistake to mend


@np.errstate(all="ignore")
def diagnose_layer(make_layer, batch_first=True):
    """Name what is wrong with the layer that ``make_layer(d_model, max_len)`` returns; a `Diagnosis`.

    ``batch_first=True`` feeds it x of shape (batch, sequence, d_model), False (sequence, batch, d_model).
    """
    if isinstance(make_layer, torch.nn.Module):
        return Diagnosis(
            False, (found("no-function", "it is a finished layer; give its class, or a function that makes one"),)
        )
    if not callable(make_layer):
        return Diagnosis(False, (found("no-function", f"it is a {type(make_layer).__name__}"),))
    try:
        make = in_order(make_layer, ("d_model", "max_len"), batch_first=batch_first)
        diagnosis = _diagnose(Subject(make, batch_first), _with_dropout(make_layer, batch_first))
    except Failed as failed:
        return Diagnosis(False, (failed.finding,))
    return diagnosis if batch_first else _sequence_first(diagnosis)


def _sequence_first(diagnosis):
    """The same diagnosis; its advice cuts the table, (max_len, 1, d_model), along axis 0."""
    findings = (replace(f, fix=f.fix.replace("pe[:, :x.shape[1]]", "pe[:x.shape[0]]")) for f in diagnosis.findings)
    return replace(diagnosis, findings=tuple(findings))


def _with_dropout(make_layer, batch_first):
    """A second way to make the layer, with dropout=0.5 where the class has a parameter for it."""
    known = roles(make_layer)[0]
    dropout = {"dropout": 0.5} if "dropout" in known and "drop" in known["dropout"].name.lower() else {}
    subject = Subject(in_order(make_layer, ("d_model", "max_len"), batch_first=batch_first, **dropout), batch_first)
    subject.asked_dropout = dropout.get("dropout")
    return subject


def _diagnose(subject, dropping):
    layer = subject.make()
    subject.ask(layer, *SHAPES[0])  # NotImplementedError leaves here: not attempted
    subject.attempted = dropping.attempted = True
    remembers = behaviour.remembers(subject)
    subject.always_new = bool(remembers)
    awake = awake_in_eval(subject, layer)
    if awake:
        _look_through_dropout(subject, layer)
    if awake and awake.id == "not-repeatable":
        return Diagnosis(False, (awake,))
    responses = {shape: subject.ask(layer, *shape) for shape in SHAPES}
    if any(response.dtype in ("bfloat16", "float16") for response in responses.values()):
        return Diagnosis(False, (_rounded(responses),))
    how = addition(subject, layer, responses)
    tables = tables_of(subject, how)
    findings = about_factors(how, [*how.findings, *about_table(tables)], tables)
    if (
        how.pattern == "position"
        and isinstance(tables, Tables)
        and not {"not-repeatable", "unlisted", "permuted"} & _ids(findings)
    ):
        zeros = subject.ask(layer, 2, 5, seed=None)
        findings += every_shape([*responses.values(), zeros], how, table_of(subject, how, MAX_LEN, D_MODEL).values)
    findings += [*remembers, *([awake] if awake else [])]
    findings += _behaviour(subject, dropping, responses, how, awake, "some-shapes" in _ids(findings))
    mistakes = [finding for finding in findings if finding.kind != "note"]
    notes = [finding for finding in findings if finding.kind == "note" and not (mistakes and finding.id in LATER)]
    ok = how.pattern == "position" and not mistakes
    picture = None if ok else _picture(responses, tables)
    return Diagnosis(ok, (*mistakes, *notes), convention_in(mistakes), picture)


def _ids(findings):
    return {finding.id for finding in findings}


def _rounded(responses):
    dtype = next(iter(responses.values())).dtype
    return found(
        "dtype",
        f"x is float32, the output {dtype}",
        kind="mistake",
        explanation="The sum was cast to half precision.",
        fix="leave the dtype to x",
    )


def _look_through_dropout(subject, layer):
    subject.awake = 1.0
    one, two = (subject.ask(layer, 2, 3, seed=seed) for seed in (0, 1))
    factor = coefficient(one, two) if one.fits and two.fits else 0
    subject.awake = 1 / factor if factor else 1.0


def _behaviour(subject, dropping, responses, how, awake, holds_in_part):
    findings = []
    changed = next((response for response in responses.values() if response.changed_x), None)
    if changed:
        findings.append(found("in-place", f"after {changed.call} x is not what it was"))
    parts = max(response.parts for response in responses.values())
    if parts > 1:
        findings.append(found("tuple", f"it returns {parts} things; one of them has the shape of x"))
    findings += behaviour.trainable(subject.make())
    if how.pattern == "position":
        expected = table_of(subject, how, MAX_LEN + 1, D_MODEL).values
        findings += behaviour.past_the_end(subject, expected, how.a) if how.a and not holds_in_part else []
        if how.a and not changed and not awake:
            findings += behaviour.gradient(subject, how.a)
        if not awake and not subject.always_new:
            findings += in_training(dropping, expected[:MAX_LEN], how.a)
    if how.pattern not in ("unknown", "never-added"):
        findings += left_behind(subject)
    dtypes = {response.dtype for response in responses.values() if response.fits} - {"float32"}
    if dtypes:
        findings.append(found("dtype", f"x is float32, the output {min(dtypes)}"))
    return findings if awake else findings + _traces(subject)


def _traces(subject):
    """Notes from making a layer and calling it once, with two seeds."""
    both = []
    for seed in (1, 2):
        layer, made = subject.make_watched(seed=seed)
        asked = subject.ask(layer, *SHAPES[0], random=seed).traces
        both.append((made, asked))
    pairs = [(a, b) for a, b in zip(*both, strict=True) if a and b]
    return list({finding.id: finding for a, b in pairs for finding in traces_findings(a, b)}.values())


def _picture(responses, tables):
    """The layer's table when that is wrong, else what sample 1 gets at (2, 3)."""
    picture = picture_of(tables) if isinstance(tables, Tables) else None
    response = responses[SHAPES[0]]
    if picture or not response.fits:
        return picture
    return draw(response.out[1] - response.x[1], sinusoidal_vectorized(3, D_MODEL), "what the second sample gets")
