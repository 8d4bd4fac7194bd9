"""Does a gradient pass through the rotation, and is it the rotation's own?"""

import numpy as np
import torch

from ..sandbox.guard import Failed, run


def gradient(rotator, head_dim):
    """For q, and k: the gradient of out · w for random w as (w, gradient), or in words why there is none."""
    generator = torch.Generator().manual_seed(7)

    def random():
        return torch.randn((1, 1, 5, head_dim), generator=generator, device="cpu", dtype=torch.float32)

    count = 2 if rotator.form.pair else 1
    tensors = [random().requires_grad_() for _ in range(count)]
    weights = [random() for _ in range(count)]

    def backward():
        with torch.enable_grad():
            # A copy, so that a rotation that writes into x is not stopped by torch's rule for leaves.
            out = rotator.form.call(rotator.rotate, [tensor * 1 for tensor in tensors], torch.arange(5))
            out = out[:count] if isinstance(out, (tuple, list)) else [out]
            total = sum((o * w).sum() for o, w in zip(out, weights, strict=True) if o.requires_grad)
            if isinstance(total, torch.Tensor):
                total.backward()

    try:
        run("the backward pass", backward)
    except (Failed, NotImplementedError) as problem:
        return (problem.finding.evidence if isinstance(problem, Failed) else str(problem),) * count
    return tuple(
        (w.double().numpy(), t.grad.double().numpy())
        if t.grad is not None
        else f"for x of shape (1, 1, 5, {head_dim}) the result has no gradient with respect to it"
        for t, w in zip(tensors, weights, strict=True)
    )


def passes(model, seen_gradient, positions):
    """Is this the gradient of the model's rotation? out = x @ A, so that the gradient of out · w is w @ Aᵀ."""
    weights, grad = seen_gradient
    matrices = model.matrices(positions)
    expected = np.einsum("bhpj,pij->bhpi", weights, matrices)
    allowed = 1e-3 + 10 * model.size.max() * model.angle_error(positions).max(axis=1, keepdims=True)
    return bool((np.abs(grad - expected) <= allowed).all())
