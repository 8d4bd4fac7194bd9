"""What the toy is asked to do. A task takes ids, int64 (batch, length), and gives the right answers, the same shape."""

import torch
from torch.nn.functional import one_hot


def reverse(ids):
    """The sequence backwards: the answer at a position is the token as far from the other end. Needs order."""
    return ids.flip(1)


def previous(ids):
    """The token on the left; the first token, which has none, answers with itself. Needs order."""
    return torch.cat([ids[:, :1], ids[:, :-1]], dim=1)


def most_common(ids):
    """At every position the token that occurs most often, of equals the smallest. Does *not* need order."""
    return one_hot(ids).sum(1).argmax(1, keepdim=True).expand_as(ids)
