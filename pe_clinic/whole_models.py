"""Whole models in anyone's file: which one is meant, how it is made, and whether what was named is one."""

from contextlib import suppress
from dataclasses import replace

from torch import nn

from .calling.file import File
from .calling.loading import CouldNotRun, load
from .calling.pasting import command
from .made import SIZES, held, is_one, made_from
from .model.diagnose import diagnose_model
from .sandbox.guard import Failed, run
from .sandbox.values import is_module


def last_in(file):
    """The name of the file's last module, or of its last class of modules."""
    names = [name for name, thing in file.names.items() if is_one(thing)]
    if not names:
        raise CouldNotRun(f"{file.path} has no torch module; name what makes one: {file.path}:NAME")
    return names[-1]


def is_whole(question):
    """Does what a `Question` names look tokens up, compute with them, and run as a model?"""
    text = question.make or question.name
    with suppress(CouldNotRun, Failed, NotImplementedError, KeyError, AttributeError):
        loaded = load(question.file, text)
        file = File(loaded.names, loaded.source, question.layout, question.path)
        thing = run(text, file.written(text).give, SIZES)
        model = made_from(file, text, thing)[0] if is_one(thing) or held(thing) else None
        if is_module(model):
            parts = {isinstance(each, nn.Embedding) for each in model.modules() if each._parameters}
            return len(parts) == 2 and diagnose_model(model).verdict.id != "not-run"
    return False


def offered(outcome, question):
    """``outcome``, which could not be run, with a command for the whole model; None where there is none that runs."""
    if not is_whole(question):
        return None
    finding, *others = outcome.diagnosis.findings
    told = replace(finding, fix="look at the whole model", paste=command(replace(question, kind="model")))
    return replace(outcome, diagnosis=replace(outcome.diagnosis, findings=(told, *others)))
