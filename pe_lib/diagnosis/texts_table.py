"""What is said of each mistake in a table. In all of it pos is a position, j a column, k = j // 2 its pair."""


def _text(title, explanation="", fix="", link=""):
    return {"title": title, "explanation": explanation, "fix": fix, "link": link and f"https://github.com/{link}"}


TABLE = {
    "doubled-column": _text(
        "The exponent is doubled: the column is taken for the pair.",
        "In 10000^(2i/d) the letter i counts pairs. A loop over columns has done the doubling already, and gives "
        "an odd column a frequency of its own.",
        "the exponent of column j is 2 * (j // 2) / d_model: the same for columns 2k and 2k + 1",
        "SamLynnEvans/Transformer/issues/25",
    ),
    "doubled-pair": _text(
        "The exponent is doubled: 4k/d where the paper has 2k/d.",
        "An index that steps 0, 2, 4, … is 2k already, and is multiplied by 2 once more. "
        "The base squared, 1e8 for 10000, gives the same table.",
        "with arange(0, d_model, 2), divide by d_model and leave out the other 2",
        "msalhab96/Conformer",
    ),
    "own-odd-exponent": _text(
        "Odd columns have an exponent of their own.",
        "The exponent was computed for every column, j/d. A sine and its cosine share the exponent 2k/d; "
        "without that, a shift is no rotation.",
        "use the exponent of column j - 1 for an odd column j: 2 * (j // 2) / d_model",
        "maxjcohen/transformer/issues/62",
    ),
    "inverted-frequency": _text(
        "The frequencies grow where they should fall.",
        "The minus in exp(-ln 10000 · 2k/d) was lost, or pos was multiplied "
        "by 10000^(2k/d) where it should be divided.",
        "divide pos by 10000^(2k/d), or multiply it by exp(-ln(10000) · 2k/d); not both",
        "harvardnlp/annotated-transformer/issues/131",
    ),
    "no-exponent": _text(
        "An integer division takes the exponent away.",
        "// or an integer dtype makes 2k/d zero for every pair, so that all of them turn at the same speed.",
        "divide with /, in floating point",
        "OpenNMT/OpenNMT-py/pull/884",
    ),
    "wrong-base": _text(
        "The base is not 10000.",
        "A digit was lost or added. The exponent k/d, without its 2, gives the same table as base 100 = √10000, "
        "and log10 in place of ln the same as base 54.6.",
        "use 10000 and the exponent 2k/d",
        "maxjcohen/transformer/issues/62",
    ),
    "swapped": _text(
        "Sine and cosine have changed places.",
        "The slices 0::2 and 1::2, or the two branches of an if, were exchanged.",
        "even columns hold the sine, odd columns the cosine",
        "Open-Deep-ML/DML-OpenProblem/pull/595",
    ),
    "starts-at-one": _text(
        "The positions begin at 1.",
        "arange(1, max_len + 1), or a cumulative sum of ones. DETR does it on purpose.",
        "the first position is 0: arange(max_len)",
        "facebookresearch/detr",
    ),
    "position-offset": _text(
        "The positions begin elsewhere.",
        "Some libraries leave the first positions to padding.",
        "the first position is 0: arange(max_len)",
    ),
    "zero-first-row": _text(
        "Row 0 is all zero.",
        "A habit from padding: the first row was kept free. In the paper's table position 0 is a token like any other, "
        "and its cosines are 1.",
        "fill row 0 as well; keep padding out by a mask",
        "kaushalshetty/Positional-Encoding/issues/1",
    ),
    "scaled": _text(
        "The whole table is multiplied by a number.",
        "Often √d_model or its inverse landed on the table; in the paper √d_model belongs to the embedding.",
        "leave the sines and cosines between -1 and 1",
        "VHellendoorn/ICLR20-Great/issues/10",
    ),
    "transposed": _text(
        "Rows and columns have changed places.",
        "The outer product was taken the other way round, or a transpose is left over.",
        "positions go down, columns go across: pos[:, None] * frequency[None, :]",
    ),
    "low-precision": _text(
        "The angle was computed in half precision.",
        "bfloat16 tells positions apart up to 256 and float16 up to 2048, "
        "and the rounding of a frequency is multiplied by pos.",
        "compute angles in float32 or float64 and cast the finished table",
        "huggingface/transformers/issues/25681",
    ),
    "rounded": _text(
        "The numbers went through half precision.",
        "The angles are right, and the finished table was rounded before it was cast back.",
        "cast to half precision last, or not at all",
        "EleutherAI/gpt-neox/issues/1003",
    ),
    "halves": _text(
        "A convention, not a mistake: all sines, then all cosines.",
        "The columns of the paper's table in another order (Marian, Pegasus, "
        "TensorFlow's tutorial); to a linear layer, order is arbitrary. "
        "A checkpoint expects the one that it was trained with.",
        "for the paper's own order let them take turns: sin, cos, sin, cos",
        "tensorflow/text/issues/1122",
    ),
    "tensor2tensor": _text(
        "A convention, not a mistake: tensor2tensor's table.",
        "All sines, then all cosines, and k is divided by d/2 - 1, so that the last pair turns at exactly 1/10000 "
        "(tensor2tensor, fairseq, Whisper, diffusers).",
        "for the paper's own table use the exponent 2k/d and let sine and cosine take turns",
        "hojonathanho/diffusion/issues/15",
    ),
    "tensor2tensor-frequency": _text(
        "tensor2tensor's frequencies, in the paper's order of columns.",
        "k was divided by d/2 - 1, as tensor2tensor does; its columns, though, are all sines, then all cosines.",
        "the exponent is 2k/d",
        "hojonathanho/diffusion/issues/15",
    ),
    "odd-crash": _text(
        "An odd d_model stops it.",
        "There is one more sine than there are cosines, and both slices were given the same angles.",
        "cut the angles of the cosines: frequencies[: d_model // 2]",
        "codertimo/BERT-pytorch/issues/78",
    ),
    "odd-width": _text(
        "An odd d_model gives another number of columns.",
        "Columns were made in pairs. An odd width ends with a sine that has no cosine.",
        "make one pair more than d_model // 2 and cut: table[:, :d_model]",
        "pytorch/pytorch/issues/173958",
    ),
    "odd-differs": _text(
        "Even widths are as said; an odd d_model gives other numbers.",
        "d_model was rounded to an even number, or the column left over was not filled.",
        "the exponent is 2k/d_model for odd widths too, and the last column is a sine",
    ),
    "other-exponent": _text(
        "The exponent is not 2k/d.",
        "Another size stands in the divisor, or the pairs are counted from 1.",
        "the exponent of pair k is 2 * k / d_model, k = 0, 1, 2, …",
    ),
    "truncated-exponent": _text(
        "A // makes the slope of the exponent a whole number.",
        "a / b // c divides a by b first and then rounds down, so that "
        "ln(10000) / d_model / 2 becomes -1 or 0 at most widths.",
        "divide with /: exp(2k * (-ln(10000) / d_model))",
        "zju3dv/LoFTR/issues/41",
    ),
    "turned": _text(
        "Every angle is multiplied by a number.",
        "Degrees for radians, a 2π that belongs to other formulas, or positions scaled to lie between 0 and 1.",
        "the angle is pos times the frequency, in radians",
    ),
    "permuted": _text(
        "The right numbers in another order.",
        "A reshape, a concatenation or a flip moved them.",
        "follow one row through your code and see where its cells go",
    ),
    "long-positions": _text(
        "Right at first, wrong at far positions.",
        "An integer dtype that runs over, a table that repeats, or numbers rounded too early.",
        "look at the position that is named",
    ),
    "unlisted": _text(
        "The numbers are not the paper's.",
        "None of the known mistakes gives this table; the evidence is what the numbers themselves say.",
        "print your angles and compare them with pos / 10000^(2k/d), column by column",
    ),
}
