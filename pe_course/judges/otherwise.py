"""A reason for the answers that no reply of a `Value` knows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Otherwise:
    """It ``says`` so of every answer of these ``kinds``; with ``size`` only of those as long as that."""

    says: str
    kinds: tuple[type, ...] = (str,)
    size: int | None = None

    def __call__(self, answer):
        fits = isinstance(answer, self.kinds) and (self.size is None or len(answer) == self.size)
        return self.says if fits else None
