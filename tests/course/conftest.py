"""Checks reply to a person here, whatever started the tests."""

import pytest


@pytest.fixture(autouse=True)
def a_person_not_nbgrader(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
