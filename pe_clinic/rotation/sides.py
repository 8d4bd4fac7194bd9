"""The sides of a grid, or of a video: which parameters ask for them, and the rows along one side alone."""

import math
import re

import torch

from ..calling.parameters import source_of
from .maker import as_tuple, like, rows

# Ends of names, in small letters.
SIDES = (r"(^|_)(h|y|height|rows?)(_len|_size)?$", r"(^|_)(w|x|width|cols?|columns?)(_len|_size)?$")
FRAMES = r"(^|_)(t|f|frames?|depth|frame_ind(ices|ex))$"
SHAPE = r"^t?hw$|grid_?(size|shape)s?$"
PLACES = rf"_ids$|coord|^grid|{SHAPE}"
SIDE = 65  # of a grid; no width is as odd


def flat(tables, size):
    """A row for each place; its channels may come first."""
    parts = [torch.view_as_real(part) if part.is_complex() else part for part in as_tuple(tables)]
    count = len(size)
    rows = (part.flatten(-count).mT if sorted(part.shape[-count:]) == sorted(size) else part for part in parts)
    return torch.cat([part.reshape(math.prod(size), -1) for part in rows], 1).double()


def along_side(tables, positions):
    """The rows of a grid of one row, or of one column, or frame; its channels may come first."""
    parts = [part.squeeze() for part in as_tuple(tables)]
    return rows(like(tables, [part.mT if part.shape[-1] == SIDE else part for part in parts]), positions, SIDE)


def sides_of(names):
    """The name of a number of frames, of a height and of a width; None where there is none."""
    return [next((n for n in names if re.search(side, n.lower())), None) for side in (FRAMES, *SIDES)]


def code_of(make):
    return source_of(getattr(type(make), "forward", make))


def video(length, unit, make):
    """Zeros, in as many patches along one axis."""
    patch = torch.tensor(getattr(make, "patch_size", 1)).expand(3)
    return torch.zeros(1, 1, *(patch * (1 + unit[:, 0] * (length - 1))))
