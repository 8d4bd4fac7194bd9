"""What is no layer that adds a table: RoPE, which turns x row by row, and layers that compute with weights."""

import numpy as np

from ..saying.mistake import Mistake

TURNS = Mistake(
    "turns-x",
    "It turns x and adds nothing: RoPE, not a layer that adds a table.",
    "RoPE turns queries and keys inside attention. Whether this one is right, diagnose_rope reads from the rotation.",
    "diagnose_rope(layer), for x of shape (batch, heads, length, head_dim); on the command line: --kind rope",
    kind="not-run",
)
WEIGHTS = Mistake(
    "weights",
    "It computes with weights: more than a layer that adds a table.",
    "Through attention, a Linear or a LayerNorm nobody can read from the output what was added for the positions.",
    "give the part that makes or adds the encoding, as FILE:Model.pos_encoder, or the function that makes the table",
    kind="not-run",
)


def of_turning(seen):
    """Every row keeps its length, and rows are turned differently."""
    fitting = [response for response in seen.responses.values() if response.fits]
    moved = [response for response in fitting if np.abs(response.out - response.x).max() > 1e-3]
    if not moved or len(fitting) < len(seen.responses):
        return []
    before, after = (
        np.concatenate([np.linalg.norm(getattr(r, side), axis=-1).ravel() for r in fitting]) for side in ("x", "out")
    )
    if not np.allclose(before, after, rtol=1e-4):
        return []
    said = f"for {moved[0].call} and others all {len(before)} rows keep their lengths and are turned"
    return [TURNS.found(said)]


def of_weights(seen):
    """The output is no a·x + something, and parameters that are no table have a part in it."""
    mixes = any(finding.id == "other-addition" for finding in seen.how.findings)
    weights = seen.trained or seen.weights
    return [WEIGHTS.found(f"in it: {', '.join(weights[:4])}")] if mixes and weights else []
