"""What a model is: who sees whom, what position ids do, which layers know the order, and the kind that follows."""

from dataclasses import dataclass
from functools import cached_property

import torch

from .cached import generates, one_padded
from .call import Refused
from .calls import writes
from .configured import compared, config_of, windows
from .far import look_at_far
from .layers import first_input, has_table, look_at_layers
from .padded import convolves, masked
from .rotary import look_at_rotary
from .subject import LENGTH, TOLERANCE, Subject, differs


@dataclass(frozen=True)
class Facts(Subject):
    """A `Subject`, and what is found out about it, each once and when it is first asked for."""

    def after_change(self, length, before=0, one=None):
        """(changes (places,) when the token in the middle of a text, or ``before`` it, is another one, its place).

        ``one``: of a text of one token, by its number, in which nothing but places can tell keys apart.
        """
        ids = self.text(self.fits(length), rows=1)
        if one is not None:
            ids = self.tokens[[one]].expand_as(ids)
        place, changed = ids.shape[1] // 2 - before, ids.clone()
        changed[0, place] = next(each for each in self.tokens.flip(0) if each != ids[0, place])
        return (self.run(ids) - self.run(changed)).abs().amax(dim=-1)[0] / self.scale, place

    @cached_property
    def moved(self):
        """How many places before and after a changed token moved."""
        change, place = self.after_change(16)
        moved = ~(change <= TOLERANCE)
        return int(moved[:place].sum()), int(moved[place + 1 :].sum())

    @property
    def causal(self):
        return self.moved[0] == 0

    @cached_property
    def generates(self):
        return generates(self)

    @cached_property
    def plain(self):
        """(ids (2, length), positions 0, 1, 2, …): a text that fits three times."""
        length = min(LENGTH, max(3, (self.limit or 2048) // 3))
        return self.text(length), torch.arange(length).expand(2, length)

    @cached_property
    def first(self):
        """The position id with which the model begins when it is given none."""
        ids, plain = self.plain
        own = self.attempt(ids, **self.ones(ids)) if self.takes("positions") else None
        fitting = (n for n in range(5) if own is not None and not differs(self.apart(own, self.placed(ids, plain + n))))
        return next(fitting, 0)

    @cached_property
    def effects(self):
        """Changes by other position ids: all + 100 or as many as fit, every second, another last one; {} without."""
        if not self.takes("positions"):
            return {}
        (ids, plain), last = self.plain, self.plain[1].clone()
        last[:, -1] += 3
        by = min(100, (self.limit or 2048) - ids.shape[1] - self.first)
        base = self.placed(ids, plain + self.first)
        others = {"shifted": plain + by, "stride": plain * 2, "last": last}
        return {name: self.apart(base, self.placed(ids, each + self.first)) for name, each in others.items()}

    @property
    def ids_used(self):
        return any(map(differs, self.effects.values()))

    @cached_property
    def rotary(self):
        return look_at_rotary(self)

    @property
    def acting(self):
        return any(each.acts for each in self.rotary)

    @cached_property
    def laws(self):
        """(words, finding) for each `Rotary`."""
        return tuple(compared(each, self.model, self.limit) for each in self.rotary)

    @cached_property
    def added(self):
        """By how much one repeated token differs over places before the first layer."""
        rows = first_input(self, self.repeated())
        return None if rows is None else float((rows - rows[:1]).abs().max() / (rows.std() or 1.0))

    @cached_property
    def layers(self):
        """A `Layer` for each; () where rows are added to the tokens."""
        window = getattr(config_of(self.model), "sliding_window", None)
        return () if differs(self.added) else look_at_layers(self, window if isinstance(window, int) else None)

    @cached_property
    def misplaced(self):
        """(layer, window, configured window) where the two differ; None is no window."""
        seen, wanted = [each.window for each in self.layers], windows(self.model) if self.causal else {}
        both = [(n, seen[n], wanted[n]) for n in wanted if n < len(seen)]
        return [each for each in both if each[1] != each[2] and (each[1] or each[2] < self.fits(600))]

    @cached_property
    def kinds(self):
        """Of "absolute", "relative" and "recurrent" those that hold; "none" for a model that has no positions."""
        inside = not self.layers or any(each.counts and each.ids for each in self.layers)
        shifted = self.ids_used and differs(self.effects["shifted"])
        absolute = differs(self.added) or (shifted and inside and not self.acting)
        relative = any(each.positional for each in self.layers) or (self.ids_used and not absolute)
        recurrent = any(each.counts and not each.ids for each in self.layers) and not relative
        known = {"absolute": absolute, "relative": relative, "none": not absolute and not relative}
        return [name for name, holds in (known | {"recurrent": recurrent}).items() if holds]

    @cached_property
    def far(self):
        return look_at_far(self)

    @cached_property
    def padded_steps(self):
        """Changes of a padded row through the cache; () where padding together with a cache cannot be tried."""
        if not (masked(self) and writes(self)):
            return ()
        try:
            return tuple(one_padded(self))
        except Refused:
            return ()

    @property
    def absolute(self):
        return "absolute" in self.kinds

    @property
    def convolves(self):
        """Is it an encoder with convolutions?"""
        return convolves(self) and not self.causal

    @property
    def idle(self):
        """A rotary module, or a table of positions, that no layer makes use of."""
        return self.kinds == ["none"] and (has_table(self) or (bool(self.rotary) and not self.acting))
