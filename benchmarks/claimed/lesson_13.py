"""Lesson 13: small real models with random weights, which seeds choose, as they choose the tokens."""

from functools import cache

import torch

from pe_course.real_models import KINDS, small
from pe_lib import rope_half_split

from .claim import Claim

RELATIVE = {"Llama", "Gemma 3", "SmolLM3"}


@cache
def models():
    return {name: small(name) for name in KINDS}


def with_weights(name, seed):
    """The model with matrices drawn anew."""
    random = torch.Generator().manual_seed(seed)
    model = models()[name]
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.data.normal_(std=0.02, generator=random)
    return model, torch.randint(3, 100, (1, 12), generator=random)


@torch.no_grad()
def same(model, ids, other, take=slice(None), **options):
    """Do the logits at ``take`` of ``other`` equal those of ``ids``?"""
    there, here = model(input_ids=other, **options).logits[:, take], model(input_ids=ids).logits
    here = here[:, -there.shape[1] :]
    return ((there - here).abs().max() / here.std()).item() < 1e-4


@cache
def unchanged(seed):
    """The names of the models that stay as they are: by another order, ids + 100, ids doubled, left padding."""
    kept = [set(), set(), set(), set()]
    for name in KINDS:
        model, ids = with_weights(name, seed)
        mixed = torch.cat([ids[:, :11].flip(1), ids[:, 11:]], dim=1)
        visible, plain = {"attention_mask": torch.ones_like(ids)}, torch.arange(12)[None]
        padded = torch.cat([torch.full((1, 5), 1), ids], dim=1)
        mask = torch.cat([torch.zeros(1, 5, dtype=int), torch.ones_like(ids)], dim=1)
        stays = (
            same(model, ids, mixed, slice(-1, None)),
            same(model, ids, ids, position_ids=plain + 100, **visible),
            same(model, ids, ids, position_ids=plain * 2, **visible),
            same(model, ids, padded, slice(5, None), attention_mask=mask),
        )
        for names, stay in zip(kept, stays, strict=True):
            names.update({name} & {name if stay else ""})
    return kept


def quantised(keys):
    low, high = keys.amin(-2, keepdim=True), keys.amax(-2, keepdim=True)
    return ((keys - low) / (high - low) * 15).round() / 15 * (high - low) + low


def better_before(seed):
    keys = torch.randn(1, 1, 200, 16, generator=torch.Generator().manual_seed(seed))
    keys[..., 3] += 20
    exact = rope_half_split(keys)
    before, after = rope_half_split(quantised(keys)), quantised(exact)
    return bool((before - exact).square().mean() < (after - exact).square().mean())


CLAIMS = [
    Claim("All six see it.", lambda seed: unchanged(seed)[0] == set()),
    Claim("GPT-2 and OPT change with both",
          lambda seed: not {"GPT-2", "OPT"} & (unchanged(seed)[1] | unchanged(seed)[2])),
    Claim("Llama, Gemma 3 and SmolLM3 change only when offsets change: their positions are **relative**.",
          lambda seed: unchanged(seed)[1] - unchanged(seed)[2] == RELATIVE),
    Claim("BLOOM changes with neither.", lambda seed: "BLOOM" in unchanged(seed)[1] & unchanged(seed)[2]),
    Claim("Only GPT-2 changes.", lambda seed: set(KINDS) - unchanged(seed)[3] == {"GPT-2"}),
    Claim("Quantise before the rotation. A constant channel needs a small range.", better_before),
]  # fmt: skip
