"""Lesson 09, RoPE."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import torch

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, run
from pe_lib.rope import rope_half_split, rope_interleaved
from pe_lib.space_and_time import sinusoidal_at

from ..judges import Function, Otherwise, Value, Way
from ..toy.one_head import attend, rope_attention
from .exercise import Exercise, random_tensor
from .offsets import UNITS, turn

Q, LONG = random_tensor(0, 5, 2), random_tensor(0, 10, 2)
X = random_tensor(1, 6, 4)
WEIGHTS = tuple(random_tensor(2, 3, 4, 4))
PLACES = torch.arange(6), torch.tensor([4, 7, 8, 20, 21, 30])


def _turned(x, positions, frequency):
    return rope_interleaved(x, positions, frequencies=torch.tensor([frequency]))


def _head(turned="qk", turn=rope_interleaved, position=lambda p: p, order="qkv", times=1):
    """Attention with RoPE that turns only what ``turned`` names, places rows at ``position`` (positions), turns
    ``times`` times and hands the three on in another ``order``."""

    def slip(x, positions, W_query, W_key, W_value):
        rows = {"q": x @ W_query, "k": x @ W_key, "v": x @ W_value}
        for name in turned * times:
            rows[name] = turn(rows[name], position(positions))
        return attend(*({**rows, "x": x}[name] for name in order))

    return slip


def _by_hand(scale=0.5, later=1, axis=1):
    """The same attention with a slip in the scores: their ``scale``, the first diagonal masked, the softmax's axis."""

    def slip(x, positions, W_query, W_key, W_value):
        q, k = rope_interleaved(x @ W_query, positions), rope_interleaved(x @ W_key, positions)
        mask = torch.ones(len(x), len(x)).triu(later).bool()
        return (q @ k.T * scale).masked_fill(mask, -torch.inf).softmax(axis) @ (x @ W_value)

    return slip


def _two_ways(x, positions, W_query, W_key, W_value):
    q, k = rope_interleaved(x @ W_query, positions), rope_interleaved(x @ W_key, -positions)
    return attend(q, k, x @ W_value)


def _unprojected(x, positions, W_query, W_key, W_value):
    turned = rope_interleaved(x, positions)
    return attend(turned, turned, x @ W_value)


def _x_turned(x, positions, W_query, W_key, W_value):
    x = rope_interleaved(x, positions)
    return attend(x @ W_query, x @ W_key, x @ W_value)


def _qk_of_turned_x(x, positions, W_query, W_key, W_value):
    turned = rope_interleaved(x, positions)
    return attend(turned @ W_query, turned @ W_key, x @ W_value)


def _scored(weigh):
    """The same attention with another way, ``weigh(scores, later)``, from scores to weights."""

    def slip(x, positions, W_query, W_key, W_value):
        q, k = rope_interleaved(x @ W_query, positions), rope_interleaved(x @ W_key, positions)
        later = torch.ones(len(x), len(x)).triu(1).bool()
        return weigh(q @ k.T / 2, later) @ (x @ W_value)

    return slip


def _with_rows_added(x, positions, W_query, W_key, W_value):
    x = x + torch.from_numpy(sinusoidal_at(positions.numpy(), x.shape[1])).float()
    return attend(x @ W_query, x @ W_key, x @ W_value)


def _positions_added(x, positions, W_query, W_key, W_value):
    more = positions[:, None]
    return attend(x @ W_query + more, x @ W_key + more, x @ W_value)


def _keys_placed(place, times=1.0):
    """Keys at ``place`` (positions), queries where they are and ``times`` as long."""

    def slip(x, positions, W_query, W_key, W_value):
        q = rope_interleaved(x @ W_query, positions)
        return attend(times * q, rope_interleaved(x @ W_key, place(positions)), x @ W_value)

    return slip


def _transposed(x, positions, W_query, W_key, W_value):
    return rope_attention(x, positions, W_query.T, W_key.T, W_value.T)


def _unmasked(x, positions, W_query, W_key, W_value):
    q, k = rope_interleaved(x @ W_query, positions), rope_interleaved(x @ W_key, positions)
    return (q @ k.T / 2).softmax(dim=1) @ (x @ W_value)


def _cached(n):
    """What 09.3 is called with at its token n: the row, the cache of the tokens before, and the weights."""
    W_query, W_key, W_value = WEIGHTS
    before = X[:n]
    return X[n : n + 1], rope_interleaved(before @ W_key), before @ W_value, W_query, W_key, W_value


def _step(q_at=lambda n: n, k_at=lambda n: n, itself=True, turn_again=False, turn_v=False, rope=rope_interleaved):
    """A cached step that places query and key at ``q_at`` and ``k_at`` (number of rows in the cache)."""

    def step(x_new, keys, values, W_query, W_key, W_value):
        n = len(keys)
        turn = lambda row, at: row if at is None else rope(row, [at])  # noqa: E731
        own_key, own_value = turn(x_new @ W_key, k_at(n)), x_new @ W_value
        if turn_v:
            own_value = rope_interleaved(own_value, [n])
        if turn_again:
            keys = rope_interleaved(keys)
        if itself:
            keys, values = torch.cat([keys, own_key]), torch.cat([values, own_value])
        return attend(turn(x_new @ W_query, q_at(n)), keys, values)

    return step


def _joined(order):
    """A step that hands on the query, key and value rows named in ``order``; a capital letter: the new row first."""

    def step(x_new, keys, values, W_query, W_key, W_value):
        at = [len(keys)]
        rows = {"q": rope_interleaved(x_new @ W_query, at), "k": rope_interleaved(x_new @ W_key, at)}
        rows["v"] = x_new @ W_value
        query, key, value = order
        pairs = zip((key, value), (keys, values), strict=True)
        parts = [(rows[name.lower()], old) if name.isupper() else (old, rows[name]) for name, old in pairs]
        return attend(rows[query], *map(torch.cat, parts))

    return step


def _unscaled(x_new, keys, values, W_query, W_key, W_value):
    q, k = (rope_interleaved(x_new @ W, [len(keys)]) for W in (W_query, W_key))
    return (q @ torch.cat([keys, k]).T).softmax(1) @ torch.cat([values, x_new @ W_value])


def _x_new_turned(x_new, keys, values, W_query, W_key, W_value):
    x = rope_interleaved(x_new, [len(keys)])
    return attend(x @ W_query, torch.cat([keys, x @ W_key]), torch.cat([values, x_new @ W_value]))


@dataclass(frozen=True)
class Continued(Function):
    """Judge a step that returns (output, keys, values): its output by the `Function`, then the cache, by going on."""

    def _try(self, answer, examples):
        tried = super()._try(answer, examples)
        return replace(tried, results=tuple(map(_output, tried.results)))


def _output(returned):
    return returned[0] if isinstance(returned, (tuple, list)) and len(returned) == 3 else returned


def _goes_on(step):
    """The diagnosis of the cache that a step with right outputs returns: it is called with what it returned."""
    try:
        returned = run("step(x_new, keys, values, …)", step, *_cached(4))
        if not (isinstance(returned, (tuple, list)) and len(returned) == 3):
            title = "The output is right, but it is returned alone: the next call needs the longer cache."
            return _not_yet("alone", title, fix="return output, keys, values")
        keys, values = X[:0], X[:0]
        for n in range(len(X)):
            output, keys, values = run("the next step", step, X[n : n + 1], keys, values, *WEIGHTS)
            if not torch.allclose(output, _step()(*_cached(n)), atol=1e-4):
                title = f"Called again with what it returned, the step is wrong from token {n} on."
                return _not_yet("cache", title, *_why_wrong(returned[1:]))
    except Failed as failed:
        return Diagnosis(ok=False, findings=(failed.finding,))
    return Diagnosis(ok=True)


def _why_wrong(returned):
    """What is wrong with the keys and values that the step returned at token 4: (evidence, fix)."""
    (_, old_keys, old_values, *_), (_, keys, values, *_) = _cached(4), _cached(5)
    unrotated = torch.cat([old_keys, X[4:5] @ WEIGHTS[1]])
    known = {
        "it returns the cache that it was given, without the new key and value": (old_keys, old_values),
        "it returns the new key and value alone": (keys[4:], values[4:]),
        "it returns values, keys: they have changed places": (values, keys),
        "the key that it returns is not rotated": (unrotated, values),
    }
    shape = [tuple(getattr(part, "shape", ())) for part in returned]
    seen = next((says for says, cache in known.items() if _same_cache(returned, cache)), f"the shapes are {shape}")
    return seen, "return output, keys, values: the same keys and values that attend got"


def _same_cache(one, other):
    return all(a.shape == b.shape and torch.allclose(a, b, atol=1e-4) for a, b in zip(one, other, strict=True))


def _not_yet(code, title, evidence="", fix=""):
    return Diagnosis(ok=False, findings=(Finding(code, title, evidence, fix=fix),))


HALF_SPLIT = ("half_split", "half split", "halfsplit", "halves", "rope_half_split")
PAIRS = ("neighbours", "neighbors", "pairs", "rope_interleaved")
NO_LAYOUT = 'One of two names is asked for, in quotes and nothing round it: "interleaved" or "half-split".'
VALUES = (str, int, float, list, tuple, set, dict, np.ndarray, torch.Tensor)


EXERCISES = {
    "09.1": Exercise(
        3,
        Function(
            _turned,
            [(Q, torch.arange(5.0), 0.5), (Q, torch.tensor([7.0, 3.0, 0.0, 1.0, 5.0]), 0.3), UNITS],
            reasons=[turn],
            also=Way(
                small=(Q, torch.arange(5.0), 0.5),
                larger=[("the number of rows", (LONG, torch.arange(10.0), 0.5))],
                not_own=frozenset({"rope_interleaved", "rope_half_split", "shift_matrix"}),
                fix="compute with whole columns: x[:, 0] and x[:, 1]",
            ),
        ),
        "That is RoPE for one pair; the rest is doing it for all pairs at once.",
    ),
    "09.2": Exercise(
        3,
        Function(
            rope_attention,
            [(X, places, *WEIGHTS) for places in PLACES],
            mistakes=[
                (_head("qkv"), "The values are turned, too; only queries and keys are compared, and so turned."),
                (_head(""), "Nothing is turned: the result does not depend on positions."),
                (_head("q"), "The queries are turned and the keys are not: the turns cannot cancel."),
                (_head("k"), "The keys are turned and the queries are not: the turns cannot cancel."),
                (_head("v"), "The values are turned, and queries and keys are not: it is those that are compared."),
                (_head(position=lambda p: range(len(p))), "It takes 0, 1, 2, … and ignores positions."),
                (_head(position=lambda p: -p), "The turns go backwards: the positions have lost their sign."),
                (_head(turn=rope_half_split), "The layout is half-split; here neighbouring columns make a pair."),
                (_x_turned, "x is turned before the projections; the turn belongs between projection and score."),
                (_qk_of_turned_x, "x is turned before the projections; the turn belongs between projection and score."),
                (_head(times=2), "Queries and keys are turned twice, or by twice their positions."),
                (
                    _head(turn=lambda rows, positions: rows + rope_interleaved(rows, positions)),
                    "The turned rows are added to the unturned ones; they take their place.",
                ),
                (_head(order="kqv"), "The query and the key have changed places: `attend` takes q, k, v."),
                (_head(order="qqv"), "The query is its own key: the key's rows are missing."),
                (_head(order="kkv"), "The key is its own query: the query's rows are missing."),
                (_head(order="qvk"), "The key and the value have changed places: `attend` takes q, k, v."),
                (_head(order="qkx"), "The values are x itself, without W_value."),
                *(
                    (
                        _head(order="".join(order)),
                        f"attend gets {', '.join(order)}; it takes q, k, v: the query, the key, the value.",
                    )
                    for order in product("qkv", repeat=3)
                    if "".join(order) not in ("qkv", "qqv", "qvk", "kqv", "kkv")
                ),
                (_two_ways, "The keys turn backwards and the queries forwards: both turn by their own position."),
                (_unprojected, "x itself is turned and compared, without W_query and W_key."),
                (
                    _by_hand(scale=1),
                    "The scores are not divided by the root of the width, or multiplied by it again; `attend` does it.",
                ),
                (_by_hand(axis=0), "The softmax runs over the queries; each query's weights have to sum to 1."),
                (
                    _scored(lambda scores, later: scores.masked_fill(later.T, -torch.inf).softmax(1)),
                    "The mask hides what came before; it has to hide what comes later.",
                ),
                (
                    _scored(lambda scores, later: scores.masked_fill(later, 0)),
                    "There is no softmax: scores are no weights yet. `attend` has one.",
                ),
                (
                    _scored(lambda scores, later: scores),
                    "There is no softmax, and no mask: scores are no weights yet. `attend` has both.",
                ),
                (
                    _scored(lambda scores, later: scores.masked_fill(later, 0).softmax(1)),
                    "Later scores are set to 0, which still gets weight: a mask sets them to -inf.",
                ),
                (
                    _scored(lambda scores, later: scores.softmax(1).masked_fill(later, 0)),
                    "The mask comes after the softmax, so that weights no longer sum to 1; it comes before.",
                ),
                (_with_rows_added, "Rows of a table are added to x, as in lesson 06; RoPE turns q and k."),
                (_positions_added, "Positions are added to q and k; RoPE turns them, by rope_interleaved."),
                (_keys_placed(lambda p: p, 0.5), "The scores are divided by √width twice: attend does it."),
                (
                    _keys_placed(lambda p: p.flip(0)),
                    "The keys get the positions in the reverse order; query and key of a row share a position.",
                ),
                (_keys_placed(lambda p: p + 1), "The keys are one position further on than the queries."),
                (_keys_placed(lambda p: p - 1), "The queries are one position further on than the keys."),
                (_transposed, "W_query, W_key and W_value are transposed; x @ W takes them as they are."),
                *(
                    (
                        _head(position=lambda p, times=times: times * p),
                        f"The positions are multiplied by {times:g}; they come as they should be used.",
                    )
                    for times in (0.5, 0.1, 0.01, 0.001, 2 * torch.pi)
                ),
                (_unmasked, "There is no mask: every query sees later keys. `attend` has one."),
                (
                    lambda x, positions, W_query, W_key, W_value: rope_interleaved(
                        attend(x @ W_query, x @ W_key, x @ W_value), positions
                    ),
                    "The result of the attention is turned; queries and keys have to be, before they are compared.",
                ),
            ],
            also=Way(small=(X, PLACES[0], *WEIGHTS), not_own=frozenset({"rope_attention"})),
        ),
        "The whole of RoPE in a model: two calls between the projections and the scores.",
        given="q, k, v = x @ W_query, x @ W_key, x @ W_value",
    ),
    "09.3": Exercise(
        4,
        Continued(
            _step(),
            [_cached(n) for n in (0, 1, 4)],
            also=_goes_on,
            mistakes=[
                (
                    _step(lambda n: 0, lambda n: 0),
                    "You passed no position, so the new token got 0; or it turned the keys of the cache with it. It"
                    " stands at the number of rows in the cache.",
                ),
                (
                    _step(lambda n: 4, lambda n: 4),
                    "The new token always stands at position 4, the width; its position is the number of rows.",
                ),
                *(
                    (
                        _step(lambda n, place=place: place, lambda n, place=place: place),
                        f"The new token always stands at position {place}; its position is the number of rows.",
                    )
                    for place in (1, 2, 3, -1)
                ),
                (
                    lambda x_new, keys, values, W_query, W_key, W_value: x_new @ W_value,
                    "The new token attends to itself alone: the earlier keys and values are left out.",
                ),
                (
                    lambda x_new, keys, values, W_query, W_key, W_value: torch.cat([values, x_new @ W_value]).sum(
                        0, keepdim=True
                    ),
                    "Every key gets the weight 1: softmax runs over the queries, of which there is one. It is dim=1.",
                ),
                (
                    lambda x_new, keys, values, W_query, W_key, W_value: torch.cat([values, x_new @ W_value]).mean(
                        0, keepdim=True
                    ),
                    "All values get the same weight: the scores play no part.",
                ),
                (
                    _step(q_at=lambda n: 0),
                    "The query always stands at position 0, which is no turn; the key is placed rightly.",
                ),
                (
                    _step(k_at=lambda n: 0),
                    "The new key always stands at position 0, which is no turn; the query is placed rightly.",
                ),
                (_step(lambda n: n + 1, lambda n: n + 1), "One position too far: after n tokens the new one is at n."),
                (_step(lambda n: n - 1, lambda n: n - 1), "One position too near: after n tokens the new one is at n."),
                (_step(q_at=lambda n: n + 1), "The query is one position further on than its own key."),
                (_step(itself=False), "The new token does not see itself: its key and value are missing."),
                (_step(turn_again=True), "The keys of the cache are turned a second time; they were kept turned."),
                (
                    _step(q_at=lambda n: n + 1, k_at=lambda n: None),
                    "The new key is not turned, and the query is one position too far: count rows before adding.",
                ),
                (_step(rope=rope_half_split), "The layout is half-split; the cache's keys are interleaved."),
                (_joined("qKv"), "The new key stands first and the new value last: they have to keep one order."),
                (_joined("qkV"), "The new value stands first and the new key last: they have to keep one order."),
                (_joined("kqv"), "W_query and W_key have changed places."),
                (_unscaled, "The scores are not divided by the root of the width; `attend` does it."),
                (_x_new_turned, "x_new is turned before the projections; the turn belongs after them."),
                (_step(turn_v=True), "The new value is turned; values never are."),
            ],
        ),
        "One row of work for each new token, and the result of the whole.",
    ),
    "09.4": Exercise(
        2,
        Value(
            "half-split",
            replies=[
                ("interleaved", "With neighbours as pairs the scores differ from those found: compare all, not row 0."),
                ("both", "At position 0 nothing is turned, so one score agrees in every layout; the others do not."),
                *((name, 'That is it, written with a hyphen: "half-split".') for name in HALF_SPLIT),
                *((name, 'Those are "interleaved"; but with them the scores differ.') for name in PAIRS),
                ("neither", "One of the two gives the scores found: compare all, to several digits."),
            ],
            reasons=[Otherwise(NO_LAYOUT, VALUES)],
        ),
        "The scores tell; the weights alone, being random to the eye, do not.",
    ),
}
