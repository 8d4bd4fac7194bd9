"""Two mistakes at once: of a layer and its table, or of a layer alone, both are named, or the pair is listed here."""

import pytest
import torch
from test_zoo import ZOO, facts, made
from zoo_layers import layer
from zoo_tables import MISTAKES, wrong_table

from pe_clinic import diagnose_layer
from pe_clinic.layer.picks import PICKS

# No buffer of the layer's shape holds these, or a layer is not asked for them.
NOT_HELD = {"transposed", "odd-crash", "odd-width"}
# Layers of one mistake whose table is no buffer of its own, or is one of the tables below.
OTHERS = {"doubled-column", "scaled", "transposed"}
# Why one of the two cannot be seen.
HIDDEN = {
    "missing-colon": "one row is all that reaches the output",
    "never-added": "nothing of the table reaches the output",
    ("slice-by-batch", "low-precision"): "far positions would need as many samples: the table is only called wrong",
    ("slice-by-width", "low-precision"): "far positions would need as many columns",
    ("slice-of-columns", "low-precision"): "far positions would need as many columns",
    ("added-twice", "scaled"): "half of it, added twice, is the paper's own",
    ("learned-scale", "scaled"): "a number that is trained is whatever it is",
}


def with_table(make, table):
    def both(d_model, max_len):
        made, values = make(d_model, max_len), torch.as_tensor(wrong_table(table)(max_len, d_model))
        with torch.no_grad():
            made.pe.copy_(values.reshape(made.pe.shape))
        return made

    return both


WRONG = {}
for name, (page, case) in ZOO.items():
    ids = facts(case)[2]
    looked_at = page == "layers" and "what is no layer" not in name and case.expected != "right"
    if looked_at and len(ids) == 1 and ids[0] not in OTHERS:
        WRONG.setdefault(ids[0], []).append(name)
TABLES = [table for table in MISTAKES if table not in NOT_HELD]


def holders(mistake, folder):
    """The layers of the zoo with this mistake whose table can be replaced."""
    for name in WRONG[mistake]:
        make = made(ZOO[name][1], folder)
        layer = make(8, 8)
        if isinstance(getattr(layer, "pe", None), torch.Tensor) and layer.pe.numel() == 64:
            yield make


@pytest.mark.long
@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_table_in_a_wrong_layer_both_named(mistake, tmp_path):
    make = next(holders(mistake, tmp_path), None)
    for table in TABLES if make else ():
        diagnosis = diagnose_layer(with_table(make, table))
        ids = {finding.id for finding in (*diagnosis.findings, *diagnosis.usage)}
        assert not diagnosis.ok or (mistake, table) == ("added-twice", "scaled")
        if mistake in HIDDEN or (mistake, table) in HIDDEN:
            assert diagnosis.ok or ids & {mistake, table, "unlisted"}
        else:
            assert {mistake, table} <= ids, (mistake, table, ids)


def test_most_mistakes_of_a_layer_hold_a_table_and_the_list_of_hidden_pairs_is_short(tmp_path):
    assert sum(1 for mistake in WRONG if next(holders(mistake, tmp_path), None)) >= 15 and len(HIDDEN) <= 7


WAYS = [(id, pick) for id, picks in PICKS.items() for pick in picks]


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("id, pick", WAYS, ids=[f"{id}-{n}" for n, (id, _) in enumerate(WAYS)])
def test_every_effect_of_the_catalogue_gets_its_name_beside_a_wrong_table_and_a_product(id, pick):
    """`pick` is put into a right layer: as it is, with a table of base 1000, and with a product in place of the sum."""
    base, also = wrong_table("wrong-base"), {"transposed"} if pick.transposed else set()
    named = {
        "alone": layer(lambda self, x: x + pick.of(x, self.pe[0])),
        "wrong-base": layer(lambda self, x: x + pick.of(x, self.pe[0]), table=base),
        "multiplied": layer(lambda self, x: x * pick.of(x, self.pe[0])),
    }
    for other, make in named.items():
        diagnosis = diagnose_layer(make)
        ids = {finding.id for finding in (*diagnosis.findings, *diagnosis.usage) if finding.kind != "note"}
        expected = {id, *also} | ({other} - {"alone"} if id != "missing-colon" or other == "multiplied" else set())
        assert not diagnosis.ok and expected <= ids, (other, ids)
        assert other != "alone" or ids == expected


# What forward does to x, to the rows, and to the sum: one change of each kind.
OF_X = {"in-place": lambda self, x: x.add_(0.0 * x + 1e-3) - 1e-3, "gradient": lambda self, x: x.detach()}
OF_ROWS = {
    "no-slice": lambda self, x: self.pe,
    "slice-by-batch": lambda self, x: self.pe[:, : x.shape[0]],
    "batch-axis": lambda self, x: self.pe[0, : x.shape[0], None],
    "added-twice": lambda self, x: 2 * self.pe[:, : x.shape[1]],
}
OF_SUM = {
    "tuple": lambda self, out: (out, out),
    "dtype": lambda self, out: out.double(),
    "dropout": lambda self, out: torch.nn.functional.dropout(out, 0.1),
}
ALONE = {  # a gradient, dropout and the caller's x are asked about where the sum itself is in order
    (other, rows): "a layer whose rows go astray is told that first"
    for other in ("gradient", "dropout")
    for rows in ("no-slice", "slice-by-batch", "batch-axis")
} | {("gradient", "dropout"): "no gradient is asked for through a dropout that never sleeps"}


def combined():
    plain = {"": lambda self, x: x}, {"": lambda self, x: self.pe[:, : x.shape[1]]}, {"": lambda self, out: out}
    of_x, of_rows, of_sum = ({**p, **group} for p, group in zip(plain, (OF_X, OF_ROWS, OF_SUM), strict=True))
    for x, make_x in of_x.items():
        for rows, make_rows in of_rows.items():
            for total, make_sum in of_sum.items():
                if [x, rows, total].count("") == 1:
                    pair = tuple(filter(None, (x, rows, total)))
                    forward = lambda self, x, f=make_x, g=make_rows, h=make_sum: h(self, f(self, x) + g(self, x))  # noqa: E731
                    yield pair, layer(forward)


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "pair, make", list(combined()), ids=lambda value: "+".join(value) if isinstance(value, tuple) else ""
)
def test_two_mistakes_of_one_layer_are_both_named(pair, make):
    diagnosis = diagnose_layer(make)
    ids = {finding.id for finding in (*diagnosis.findings, *diagnosis.usage)}
    assert not diagnosis.ok
    hidden = any(pair in (key, key[::-1]) for key in ALONE)
    assert ids & {*pair} if hidden else {*pair} <= ids, (pair, ids)
