"""Judge a function of (max_len, d_model) that should give the paper's table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pe_clinic import Diagnosis, Finding, diagnose_table
from pe_clinic.sandbox import Failed, run
from pe_lib.vectorized import sinusoidal_vectorized

from .comparing import TOLERANCE, same
from .known import NOTHING, Known, told

SIZES = ((5, 8), (7, 6), (6, 7))
EXACT = 1e-10


@dataclass(frozen=True)
class Table:
    """``known`` are slips that this exercise invites; they are looked for before the general ones, at the first two of
    ``sizes`` at least, and at the odd width where the answer comes that far. ``also`` is one more judge, asked when the
    table is right."""

    known: Known = NOTHING
    also: Callable[[object], Diagnosis] | None = None
    diagnose: Callable[[object], Diagnosis] = diagnose_table
    sizes: Sequence[tuple[int, int]] = SIZES

    def __call__(self, answer):
        diagnosis = self.diagnose(answer)
        if diagnosis.ok:
            return self.also(answer) if self.also else diagnosis
        stops = any(finding.id == "odd-crash" for finding in diagnosis.usage)  # what it gives is right
        if not stops and (finding := self._known(answer, diagnosis)):
            return Diagnosis(ok=False, findings=(finding,), picture=diagnosis.picture)
        return told(diagnosis, self.known.errors)

    def _known(self, answer, diagnosis):
        if not self.known.mistakes or not callable(answer):
            return None
        tables = [(size, _table(answer, size)) for size in self.sizes]
        tables = [(size, table) for size, table in tables if table is not None]
        evidence = next((finding.evidence for finding in diagnosis.findings), "")
        if any("int" in str(getattr(table, "dtype", "")) for _, table in tables):
            title = "The table holds whole numbers: what is written into an integer dtype loses its decimals."
            return Finding("known", title, evidence)
        if len(tables) < 2 or all(same(table, sinusoidal_vectorized(*size)) for size, table in tables):
            return None
        for tolerance in (EXACT, TOLERANCE):  # some slips differ from one another by less than float32 tells
            for mistake, says in self.known.mistakes:
                if all(same(table, mistake(*size), tolerance) for size, table in tables):
                    return Finding("known", says, evidence)
        return None


def _table(answer, size):
    try:
        return run("function(max_len={}, d_model={})".format(*size), answer, *size)
    except (Failed, NotImplementedError):
        return None
