"""Every learner's answer gets the reply that stands beside it: nothing wrong accepted, nothing right refused."""

import itertools
import linecache
import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import one_hot

import pe_lib
from pe_course import check
from pe_course.judges.known import pages
from pe_course.toy.one_head import attend
from pe_lib import (
    alibi_bias,
    angles,
    frequencies,
    rope_half_split,
    rope_interleaved,
    shift_matrix,
    sinusoidal_at,
    sinusoidal_loop,
    sinusoidal_stack_flatten,
    sinusoidal_vectorized,
)

NAMES = dict(
    itertools=itertools, math=math, np=np, torch=torch, nn=nn, one_hot=one_hot, pe_lib=pe_lib, angles=angles,
    frequencies=frequencies, sinusoidal_loop=sinusoidal_loop, sinusoidal_vectorized=sinusoidal_vectorized,
    shift_matrix=shift_matrix, sinusoidal_at=sinusoidal_at, sinusoidal_stack_flatten=sinusoidal_stack_flatten,
    rope_interleaved=rope_interleaved, rope_half_split=rope_half_split, attend=attend, alibi_bias=alibi_bias,
)  # fmt: skip
CASES = pages(__file__.replace("test_", ""), {})
LAST_RESORTS = ("The results differ", "That is another value", "The numbers are not the paper's")


@pytest.fixture(autouse=True)
def a_person_not_nbgrader(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def answer_of(code, name):
    """The answer in a fresh namespace; its source can be read, as in a notebook."""
    file, space = f"<cell of {name}>", dict(NAMES)
    code = code.replace("\\n", "\n")
    code = code if code.startswith(("def ", "class ")) else f"f = {code}"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    exec(compile(code, file, "exec"), space)
    return space["f"]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_learners_answers_get_their_replies(name):
    surprising = []
    for code, says in CASES[name].entries:
        reply = check(name, answer_of(code, name))
        named = (says == "…" or says in reply.body) and not reply.body.startswith(LAST_RESORTS)
        if reply.status != ("right" if says == "right" else "wrong") or (says != "right" and not named):
            surprising.append(f"{code}\n-> {reply}\nnot: {says}")
    assert not surprising, "\n\n".join(surprising)
