"""Lesson 06: what can be read from token + row, and why frequencies are hard to learn."""

import torch

from pe_lib import TokenEmbedding, sinusoidal_stack_flatten

from .claim import Claim

ROWS = sinusoidal_stack_flatten(500, 512)


def drawn(seed, width=512):
    """(vectors of 2,000 ids, the sums of the first 500 with the rows of as many positions)."""
    torch.manual_seed(seed)
    with torch.no_grad():
        every = TokenEmbedding(2_000, width)(torch.arange(2_000)[None])[0]
    return every, every[:500] + sinusoidal_stack_flatten(500, width)


def almost_at_right_angles(seed):
    """The mean of |cos| is small, and each token is read from its sum."""
    every, sums = drawn(seed)
    cosines = torch.nn.functional.cosine_similarity(every[:500], ROWS)
    return bool(cosines.abs().mean() < 0.1) and torch.equal(torch.cdist(sums, every).argmin(dim=1), torch.arange(500))


def position_survives(seed):
    sums = drawn(seed)[1]
    normed = torch.nn.functional.layer_norm(sums, (512,))
    near = ((normed @ ROWS.T).argmax(dim=1) - torch.arange(500)).abs() <= 2
    return bool(near.all() and torch.nn.functional.cosine_similarity(sums, normed).min() > 0.8)


def descent_misses_the_valley(seed):
    """A frequency from 0.25 to 0.35 is trained for a thousand steps towards a wave of 0.5."""
    start = torch.rand(1, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    w = (0.25 + start / 10).requires_grad_()
    pos, optimizer = torch.arange(100), torch.optim.Adam([w], lr=1e-3)
    for _ in range(1000):
        optimizer.zero_grad()
        ((w * pos).sin() - (0.5 * pos).sin()).square().mean().backward()
        optimizer.step()
    return abs(w.item() - 0.5) > 0.01


class Saved(torch.nn.Module):
    def __init__(self, max_len):
        super().__init__()
        self.register_buffer("pe", sinusoidal_stack_flatten(max_len, 8)[None])


def another_length_cannot_load(seed):
    try:
        Saved(10 + seed).load_state_dict(Saved(100 + seed).state_dict())
    except RuntimeError:
        return True
    return False


CLAIMS = [
    Claim("In 512 columns, a random token and a row are almost at right angles.", almost_at_right_angles),
    Claim("If it is saved, a model with another max_len cannot load the file.", another_length_cannot_load),
    Claim("LayerNorm leaves the position readable.", position_survives),
    Claim("Training takes small steps that make the error smaller. So from 0.3 it does not get there.",
          descent_misses_the_valley),
]  # fmt: skip
