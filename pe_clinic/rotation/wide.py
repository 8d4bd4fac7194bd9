"""Tables twice as wide as they are made, each angle for both columns of its pair."""

import re
from dataclasses import replace

import torch

from ..sandbox.guard import first_look
from .maker import are_waves, as_tuple

TWICE = r"(cos|sin)\w*\.(repeat_interleave\(2|(repeat|tile)\(.*\b2\))|\bcat\w*\(\W*(\w*(cos|sin)\w*),\s*\4\b"
JOINS = r"\b(\w*cat\w*|\w*stack|repeat\w*|tile)\([^\n]*(cos|sin|freq|emb|ang|theta)"
WIDENS = rf"(?i){JOINS}|(cos|sin|freqs?|emb)\w*\.(repeat|tile)"
BOTH = "cos.repeat_interleave(2", "cos.repeat(1, 2)"  # as neighbours, or as halves


def widened(maker, source):
    """The `Maker` of tables twice as wide, as lines of ``source`` repeat cosines and sines; None where none does."""
    told = re.search(TWICE, source)
    wide = (lambda t: t.repeat_interleave(2, -1)) if "leave" in f"{told}" else (lambda t: torch.cat((t, t), -1))
    at = lambda p, x: tuple(map(wide, as_tuple(maker.at(p, x))))  # noqa: E731
    return told and replace(maker, name=f"{maker.name}, widened", at=at)


def twice_as_wide(found, width, source):
    """The ``found`` ways whose cosines and sines the file makes half as wide as x and does not join: widened."""
    if re.search(WIDENS, source):
        return []
    half, given = [], (torch.arange(5), torch.zeros(1, 1, 5, width))
    for way in (way for way in found if way.maker and way.maker.own):
        made = first_look(lambda way=way: as_tuple(way.maker.way(*given)))
        half += [way] if made and made[0].shape[-1] == width // 2 and are_waves(made) else []
    return [replace(way, maker=widened(way.maker, lines), bent=way) for way in half for lines in BOTH]
