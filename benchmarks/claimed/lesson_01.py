"""Lesson 01: what training can teach an embedding, and how long its vectors are."""

import torch

from pe_course.toy import Toy, reverse, train
from pe_lib import TokenEmbedding

from .claim import Claim


def still_alike(seed):
    """After training, one id has one vector at all places."""
    model = Toy(seed=seed)
    before = model.embedding(torch.tensor([[seed % 10]])).detach()
    train(model, reverse, steps=50, seed=seed)
    with torch.no_grad():
        vectors = model.embedding(torch.full((1, 12), seed % 10))[0]
    return torch.equal(vectors, vectors[:1].expand(12, -1)) and not torch.equal(vectors[0], before[0, 0])


def times_as_long(seed):
    torch.manual_seed(seed)
    return (torch.rand(512) * 2 - 1).norm().item() / (torch.randn(512) / 512**0.5).norm().item()


def norm_with_the_factor(seed):
    torch.manual_seed(seed)
    return TokenEmbedding(1000, 512)(torch.arange(1000)[None]).norm(dim=-1).mean().item()


CLAIMS = [
    Claim("It never sees a position, and no training changes that.", still_alike),
    Claim("About 13. Beside it the token hardly counts.", times_as_long, (12, 14)),
    Claim("Then the token has the norm 22.6", norm_with_the_factor, (22.4, 22.8)),
]
