"""What is said of code that gives no table or layer to look at, and of what it does beside its task."""

from ..saying.mistake import Mistake

ENTRIES = (
    Mistake("raises", "The code stops with an error.", kind="not-run"),
    Mistake(
        "too-slow",
        "It does not come to an end.",
        "A while loop whose condition never becomes false, or a variable that is not counted up.",
        "print the loop variable in each turn",
        kind="not-run",
    ),
    Mistake(
        "tokens-only",
        "It embeds tokens, and tells no positions.",
        "",
        "give the part that makes or adds the encoding, as FILE:Model.pos_encoder",
        kind="not-run",
    ),
    Mistake(
        "whole-model",
        "It is a whole model.",
        "What comes out is no longer x and its positions.",
        "give the part that makes or adds the encoding, as FILE:Model.pos_encoder",
        kind="not-run",
    ),
    Mistake("none", "The function returns nothing.", "A function without a return gives None.", "end it with a return"),
    Mistake(
        "generator",
        "It gives its rows one at a time.",
        "A yield anywhere in a function turns it into a generator: calling it runs none of its lines.",
        "collect the rows in a list and return it",
    ),
    Mistake(
        "no-function",
        "This cannot be called.",
        "A function is looked at by calling it with several sizes; a finished table shows one size only.",
        "hand over the function itself, without brackets after its name",
        kind="not-run",
    ),
    Mistake("no-table", "The result is not a table of numbers.", "", "return an array, a tensor, or a list of rows"),
    Mistake(
        "ragged",
        "The rows have different lengths.",
        "One loop fills more columns than another; often an odd last column is skipped in some rows.",
        "give every row d_model numbers",
    ),
    Mistake(
        "complex",
        "The numbers are complex.",
        "e^(iθ) = cos θ + i·sin θ holds both numbers of a pair in one.",
        "store its imaginary part (the sine) and its real part (the cosine) in two columns",
    ),
    Mistake(
        "integers",
        "The table holds whole numbers.",
        "A table of zeros made from integers, such as zeros_like(positions), "
        "cuts off every decimal that is stored in it.",
        "make the table with a floating-point dtype",
    ),
    Mistake(
        "not-finite",
        "Some cells are not numbers.",
        "A division by zero, a logarithm of 0, or cells of empty() that nobody filled.",
        "look at the cell that is named; fill the table from zeros() while you search",
    ),
    Mistake(
        "shape",
        "The table has the wrong shape.",
        "",
        "give one row for each position and one column for each dimension",
    ),
    Mistake(
        "argument-order",
        "The two sizes change places.",
        "The function takes d_model first, and is called with max_len first.",
        "define it as function(max_len, d_model), or hand over lambda max_len, d_model: function(d_model, max_len)",
    ),
    Mistake(
        "arguments",
        "It wants other arguments.",
        "",
        "wrap it: lambda max_len, d_model: … for a table, lambda d_model, max_len: … for a layer",
        kind="not-run",
    ),
    Mistake(
        "not-repeatable",
        "Two calls give two different results.",
        "Random numbers, or something kept from the call before. A learned "
        "encoding starts at random; the paper's is fixed.",
        "compute the table from pos and the column alone",
    ),
    Mistake("prints", "It prints while it works.", "Harmless here; it was not shown.", "", kind="note"),
    Mistake(
        "sets-seed",
        "It sets the seed of the random numbers.",
        "Whoever calls it gets the same 'random' numbers afterwards, in "
        "dropout and shuffling too. They were put back here.",
        "leave seeds to the script that runs the experiment",
        kind="note",
    ),
    Mistake(
        "changes-state",
        "It changes a setting for everybody.",
        "All code that runs later works under the new setting. It was put back here.",
        "pass dtype= and device= where they are needed",
        kind="note",
    ),
)
MISTAKES = {mistake.id: mistake for mistake in ENTRIES}


def found(id, evidence, **changes):
    """The `Finding` of ``id`` with ``evidence``; ``changes`` replace fixed words."""
    return MISTAKES[id].found(evidence, **changes)
