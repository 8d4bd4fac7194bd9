"""What is said of code that gives no table or layer to look at, and of what it does beside its task."""


def _text(title, explanation="", fix="", link="", **more):
    return {"title": title, "explanation": explanation, "fix": fix, "link": link, **more}


CODE = {
    "none": _text("The function returns nothing.", "A function without a return gives None.", "end it with a return"),
    "generator": _text(
        "It gives its rows one at a time.",
        "A yield anywhere in a function turns it into a generator: calling it runs none of its lines.",
        "collect the rows in a list and return it",
    ),
    "no-function": _text(
        "This cannot be called.",
        "A function is looked at by calling it with several sizes; a finished table shows one size only.",
        "hand over the function itself, without brackets after its name",
    ),
    "no-table": _text("The result is not a table of numbers.", "", "return an array, a tensor, or a list of rows"),
    "ragged": _text(
        "The rows have different lengths.",
        "One loop fills more columns than another; often an odd last column is skipped in some rows.",
        "give every row d_model numbers",
    ),
    "complex": _text(
        "The numbers are complex.",
        "e^(iθ) = cos θ + i·sin θ holds both numbers of a pair in one.",
        "store its imaginary part (the sine) and its real part (the cosine) in two columns",
    ),
    "integers": _text(
        "The table holds whole numbers.",
        "A table of zeros made from integers, such as zeros_like(positions), "
        "cuts off every decimal that is stored in it.",
        "make the table with a floating-point dtype",
    ),
    "not-finite": _text(
        "Some cells are not numbers.",
        "A division by zero, a logarithm of 0, or cells of empty() that nobody filled.",
        "look at the cell that is named; fill the table from zeros() while you search",
    ),
    "shape": _text(
        "The table has the wrong shape.", "", "give one row for each position and one column for each dimension"
    ),
    "argument-order": _text(
        "The two sizes change places.",
        "The function takes d_model first, and is called with max_len first.",
        "define it as function(max_len, d_model), or hand over lambda max_len, d_model: function(d_model, max_len)",
    ),
    "arguments": _text(
        "It wants other arguments.",
        "",
        "wrap it: lambda max_len, d_model: … for a table, lambda d_model, max_len: … for a layer",
    ),
    "not-repeatable": _text(
        "Two calls give two different results.",
        "Random numbers, or something kept from the call before. A learned "
        "encoding starts at random; the paper's is fixed.",
        "compute the table from pos and the column alone",
    ),
    "prints": _text("It prints while it works.", "Harmless here; it was not shown.", "", kind="note"),
    "sets-seed": _text(
        "It sets the seed of the random numbers.",
        "Whoever calls it gets the same 'random' numbers afterwards, in "
        "dropout and shuffling too. They were put back here.",
        "leave seeds to the script that runs the experiment",
        kind="note",
    ),
    "changes-state": _text(
        "It changes a setting for everybody.",
        "All code that runs later works under the new setting. It was put back here.",
        "pass dtype= and device= where they are needed",
        kind="note",
    ),
}
