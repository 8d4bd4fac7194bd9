"""The page of learners' answers, the lessons' own solutions, and a module and a layer to spoil."""

import ast
import itertools
import linecache
import math
import re
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from course import LESSONS, exercises_of, tags
from oracle import exact_table
from torch import nn
from torch.nn.functional import one_hot
from zoo_tables import textbook

import pe_lib
from pe_course.judges.known import pages
from pe_course.toy.one_head import attend


def ids(reply):
    return [finding.id for finding in (*reply.diagnosis.findings, *reply.diagnosis.usage)]


class Table(nn.Module):
    """A right module for 05.3; the wrong ones override what they get wrong."""

    def __init__(self, d_model, max_sequence_length):
        super().__init__()
        self.keep(textbook(max_sequence_length, d_model))

    def keep(self, table):
        self.register_buffer("table", table)

    def forward(self):
        return self.table


class Layer(nn.Module):
    """A right layer for 06.3; likewise."""

    def __init__(self, d_model, max_len, dropout=0.0):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.keep(textbook(max_len, d_model)[None])

    def keep(self, table):
        self.register_buffer("pe", table, persistent=False)

    def rows(self, x):
        return self.pe[:, : x.shape[1]]

    def forward(self, x):
        return self.drop(x + self.rows(x))


class Options(Layer):
    """The diagnosis sees no dropout among its parameters: only exercise 06.3 itself asks for it."""

    def __init__(self, d_model, max_len, **options):
        super().__init__(d_model, max_len)
        self.p = options.get("dropout", 0.0)


def own(base=Layer, **methods):
    """A ``base`` with other methods."""
    return type("Own", (base,), methods)


NAMES = {name: getattr(pe_lib, name) for name in pe_lib.__all__} | dict(
    itertools=itertools, math=math, np=np, torch=torch, nn=nn, F=F, one_hot=one_hot, pe_lib=pe_lib, attend=attend,
    alibi_bias=pe_lib.alibi_bias, exact_table=exact_table, partial=partial, Table=Table, Layer=Layer, Options=Options,
    own=own,
)  # fmt: skip
DEFINES = ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom
CASES = {name: known.entries for name, known in pages(__file__.replace("answers", "learners"), {}).items()}


def answer_of(code, name):
    """The answer in a fresh namespace; its source can be read, as in a notebook."""
    code = code.replace("\\n", "\n")
    return names_of(code if code.startswith(("def ", "class ")) else f"f = {code}", name, dict(NAMES))["f"]


def names_of(code, name, space):
    """The names of ``space``, and those that a cell of this name gives."""
    file = f"<cell of {name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    exec(compile(code, file, "exec"), space)
    return space


def right(name):
    """The answer of the lesson's own solution, which may use what the cells above it define."""
    exercise = next(e for lesson in LESSONS for e in exercises_of(lesson) if e.number == name)
    cells, space = exercise.lesson.code_cells, dict(NAMES)
    for cell in cells[1 : cells.index(exercise.stub)]:  # without Colab's, which is no Python
        if "exercise" not in tags(cell) and all(isinstance(line, DEFINES) for line in ast.parse(cell.source).body):
            names_of(cell.source, cell.id, space)
    answer = re.fullmatch(rf'check\("{name}", (.+)\)', exercise.check.source)[1]
    return eval(answer, names_of(exercise.solution, name, space))
