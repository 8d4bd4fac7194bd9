"""What code does beside its task is seen in one way: gradients; autocast, writes and half precision by the zoo."""

import subprocess
import sys

import pytest
import torch

from pe_clinic.sandbox.guard import Failed
from pe_clinic.side_effects import gradients


def test_gradients_are_those_of_torch_and_none_where_none_arrives():
    a, b, c = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0], requires_grad=True), torch.ones(1)
    c.requires_grad_()
    found = gradients(lambda: (a**2 * b, c), [a, b, c])
    assert torch.equal(found[0], 2 * a * b) and torch.equal(found[1], a**2) and found[2] is None
    assert torch.equal(gradients(lambda: a * b, [a], lambda out: 5 * torch.ones_like(out))[0], 5 * b)
    assert gradients(lambda: a.detach(), [a]) == (None,)
    with torch.no_grad():
        assert torch.equal(gradients(lambda: a * b, [a])[0], b)


def test_a_backward_pass_that_stops_is_a_finding():
    def stops():
        raise RuntimeError("no way back")

    with pytest.raises(Failed) as failed:
        gradients(stops, [torch.ones(1, requires_grad=True)])
    assert "no way back" in failed.value.finding.evidence


def test_calls_on_the_meta_device_leave_torch_as_it_was():
    """Torch's compiler is not loaded for them, and can be afterwards: in a process of its own, as it stays loaded."""
    script = """
import sys, torch
from pe_clinic.sandbox.elsewhere import on_meta
with on_meta():
    x = torch.zeros(2, 3, device="meta")
    assert (x + x).shape == (2, 3)
assert "torch._dynamo" not in sys.modules
import torch._dynamo
assert torch._dynamo.optimize
assert (x + x).shape == (2, 3)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
