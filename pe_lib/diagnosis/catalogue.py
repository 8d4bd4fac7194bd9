"""From the id of a finding and its evidence to the finding with its fixed texts."""

from .result import Finding
from .texts_code import CODE
from .texts_layer import LAYER
from .texts_table import TABLE

TEXTS = {**CODE, **TABLE, **LAYER}
CONVENTIONS = ("halves", "tensor2tensor")


def found(id, evidence, **changes):
    """The `Finding` ``id`` with ``evidence``; ``changes`` replace its fixed texts."""
    kind = "convention" if id in CONVENTIONS else "mistake"
    return Finding(**{"id": id, "evidence": evidence, "kind": kind, **TEXTS[id], **changes})
