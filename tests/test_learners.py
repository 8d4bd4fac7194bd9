"""Every answer of learners.py gets the reply that stands beside it: nothing wrong accepted, nothing right refused."""

import itertools
import linecache
import math

import numpy as np
import pytest
import torch
from learners import ANSWERS
from torch import nn
from torch.nn.functional import one_hot

import pe_lib
from pe_lib import angles, frequencies, sinusoidal_loop, sinusoidal_vectorized
from pe_lib.check import check

NAMES = dict(
    itertools=itertools, math=math, np=np, torch=torch, nn=nn, one_hot=one_hot, pe_lib=pe_lib, angles=angles,
    frequencies=frequencies, sinusoidal_loop=sinusoidal_loop, sinusoidal_vectorized=sinusoidal_vectorized,
)  # fmt: skip
CASES = [(name, code, says) for name, answers in ANSWERS.items() for code, says in answers.items()]
LAST_RESORTS = ("The results differ", "That is another value", "The numbers are not the paper's")


@pytest.fixture(autouse=True)
def a_person_not_nbgrader(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def answer_of(code, name):
    """The answer in a fresh namespace; its source can be read, as in a notebook."""
    file, space = f"<cell of {name}>", dict(NAMES)
    code = code if code.startswith("def ") else f"f = {code}"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    exec(compile(code, file, "exec"), space)
    return space["f"]


@pytest.mark.parametrize("name, code, says", CASES)
def test_learner_s_answer_gets_its_reply(name, code, says):
    reply = check(name, answer_of(code, name))
    if says == "right":
        assert reply.status == "right", reply
    else:
        assert reply.status == "wrong", reply
        assert says is ... or says in reply.body, reply
        assert not reply.body.startswith(LAST_RESORTS) or says is ..., reply


@pytest.mark.parametrize("name", ANSWERS)
def test_each_exercise_has_fifteen_answers(name):
    assert len(ANSWERS[name]) >= 15
