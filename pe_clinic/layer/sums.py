"""What a layer may do instead of x + table: the words of each mistake, and which row it adds to which token."""

from .picks import Alteration, Pick, narrow, square, wide

BATCH_AXIS = Alteration(
    "batch-axis",
    "Every token of a sample gets the same row: the batch is taken for the sequence.",
    "A sequence-first layer was given batch-first input, or was converted "
    "half-way: broadcasting lines the positions up with the batch.",
    "add pe[:, :x.shape[1]] with pe of shape (1, max_len, d_model); "
    "for a layer that is meant to be sequence-first, "
    "ask with batch_first=False (--sequence-first)",
    "tanjimin/C.Origami/issues/42",
    picks=(
        Pick(lambda x, pe: pe[: x.shape[0], None], lambda max_len, d_model: (max_len, max_len, 2)),
        Pick(lambda x, pe: pe[: x.shape[1], None], square),
        Pick(lambda x, pe: pe[:, None], lambda max_len, d_model: (max_len, max_len, 2)),
    ),
)
SLICE_BY_BATCH = Alteration(
    "slice-by-batch",
    "The sequence axis of the table is cut to the batch size.",
    "The cut follows the wrong axis of x: x.size(0) is the length only if the sequence comes first. "
    "With a batch of one, row 0 goes to every token, in silence.",
    "cut to the length: pe[:, :x.shape[1]]",
    picks=(Pick(lambda x, pe: pe[: x.shape[0]], square),),
)
NO_SLICE = Alteration(
    "no-slice",
    "The whole table is added, whatever the length.",
    "x + pe fits only when the length is max_len; at length 1 it grows to max_len in silence.",
    "cut the table to the length: pe[:, :x.shape[1]]",
    "sktime/sktime/pull/9550",
    picks=(Pick(lambda x, pe: pe), Pick(lambda x, pe: pe.expand(x.shape))),  # x += pe lets x not grow
)
SLICE_BY_WIDTH = Alteration(
    "slice-by-width",
    "The sequence axis of the table is cut to the width of x.",
    "x.shape[2], which is also x.shape[-1], is d_model. It is the length only by chance.",
    "cut to the length: pe[:, :x.shape[1]]",
    picks=(Pick(lambda x, pe: pe[: x.shape[2]], narrow),),
)
SLICE_OF_COLUMNS = Alteration(
    "slice-of-columns",
    "The columns of the table are cut, not its rows.",
    "A table of shape (max_len, d_model) has no batch axis: axis 0 holds its rows, axis 1 its columns.",
    "give it a batch axis, pe.unsqueeze(0), and then pe[:, :x.shape[1]]; or cut axis 0: pe[:x.shape[1]]",
    picks=(
        Pick(lambda x, pe: pe[:, : x.shape[1]], wide),
        Pick(lambda x, pe: pe.T[:, : x.shape[1]], wide, transposed=True),
    ),
)
FROM_THE_END = Alteration(
    "rows-from-the-end",
    "The rows are counted from the end.",
    "pe[:, -n:] takes the n rows before max_len, and flip turns rows round: the first token's row changes with the "
    "length of the text.",
    "cut from the start: pe[:, :x.shape[1]]",
    picks=(Pick(lambda x, pe: pe[len(pe) - x.shape[1] :]), Pick(lambda x, pe: pe[: x.shape[1]].flip(0))),
)
MISSING_COLON = Alteration(
    "missing-colon",
    "One and the same row is added to every token.",
    "pe[:, n] picks row n; pe[:, :n] cuts the first n rows. Broadcasting hides the difference.",
    "put the colon back: pe[:, :x.shape[1]]",
    "DiffPoseTalk/DiffPoseTalk/issues/20",
    picks=tuple(Pick(lambda x, pe, n=n, less=less: pe[x.shape[n] - less]) for n in (1, 0) for less in (0, 1)),
)
MEAN_ROW = Alteration(
    "mean-row",
    "The mean over the positions is added to every token.",
    "A mean over the axis of positions leaves one row, and broadcasting gives it to all tokens.",
    "add the rows themselves: x + pe[:, :x.shape[1]]",
)
NEVER_ADDED = Alteration(
    "never-added",
    "The encoding is never added: x comes back as it was.",
    "The sum was computed and not kept or not returned, or its factor is 0, or a mask that is 0 where the tokens are.",
    "x = x + pe[:, :x.shape[1]], and return it",
    "msalhab96/Conformer/issues/2",
)
MULTIPLIED = Alteration(
    "multiplied",
    "x is multiplied by the encoding.",
    "A * for a +. Wherever a sine is 0 the token is lost: in row 0, every even column.",
    "x + pe[:, :x.shape[1]]",
)
ADDED_TWICE = Alteration(
    "added-twice",
    "Something is added twice.",
    "The layer returns x + PE, and x or PE is added once more, inside or by a residual line.",
    "add once: return x + pe[:, :x.shape[1]]",
    "open-mmlab/mmocr/issues/649",
)
ONLY_ENCODING = Alteration(
    "only-encoding",
    "The layer returns it without x.",
    "In some libraries the caller adds it (SpeechBrain, keras-hub); a "
    "layer that is used as x = layer(x) loses the tokens.",
    "return x + pe[:, :x.shape[1]]",
    "jiwidi/Behavior-Sequence-Transformer-Pytorch/issues/4",
    kind="usage",
)
SQRT_SCALE = Alteration(
    "sqrt-scale",
    "The layer multiplies by √d_model.",
    "In the paper the embedding is multiplied by √d_model, before the encoding "
    "is added. If your embedding does that too, it happens twice.",
    "scale in the embedding, once; the layer adds",
    "khirotaka/SAnD/issues/3",
)
SCALED_INPUT = Alteration(
    "scaled-input", "x is multiplied by a number.", "", "return x + pe[:, :x.shape[1]], with x as it came"
)
OTHER_ADDITION = Alteration(
    "other-addition",
    "The output is not x + PE.",
    "None of the known mistakes gives this output.",
    "return x + pe[:, :x.shape[1]]",
)
OTHER_SHAPE = Alteration(
    "other-shape", "The output has another shape than x.", "", "return x + pe[:, :x.shape[1]], of x's shape"
)
SOME_SHAPES = Alteration(
    "some-shapes",
    "The layer is right at some shapes of x only.",
    "A size was taken from the wrong axis, or an axis of 1 was dropped.",
    "try the shapes that are named one by one",
)
OF_ROWS = (BATCH_AXIS, SLICE_BY_BATCH, NO_SLICE, SLICE_BY_WIDTH, SLICE_OF_COLUMNS, FROM_THE_END, MISSING_COLON)
