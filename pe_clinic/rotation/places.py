"""Is each row turned by the position that it should have, and if not, by which?"""

import numpy as np


def each(change):
    """For every batch and head the positions as ``change`` makes them: (places (batch, heads, length), no source)."""
    return lambda positions, batch, heads: (np.broadcast_to(change(positions), (batch, heads, len(positions))), None)


given = each(lambda positions: positions)


def fits(model, response, which=0, build=given):
    """Do all rows have the positions that ``build`` says?"""
    x = response.x[which]
    batch, heads, length, d = x.shape
    places, source = build(response.positions, batch, heads)
    if source is not None:
        x = x.reshape(batch, heads * length, d)[:, source.ravel()]
    rows, out, places = x.reshape(-1, d), response.out[which].reshape(-1, d), places.ravel()
    return bool((np.abs(out - model.apply(rows, places)) <= model.allowed(rows, places)).all())


def decode(model, response, which):
    """The position by which each row was turned: (batch, heads, length), −1 where none of the candidates fits."""
    x, out = response.x[which], response.out[which]
    candidates = np.unique([*range(64), *response.positions, *(2 * response.positions)])
    found = np.full(x.shape[:-1], -1)
    for place in np.ndindex(found.shape):
        rows = np.broadcast_to(x[place], (len(candidates), x.shape[-1]))
        wrong = np.abs(model.apply(rows, candidates) - out[place]) > model.allowed(rows, candidates) + 1e-4
        hits = candidates[~wrong.any(axis=1)]
        if len(hits):
            own = response.positions[place[-1]]
            found[place] = own if own in hits else hits[0]
    return found
