"""What is said of each mistake in a layer. PE is the table, x the input (batch, sequence, d_model)."""


def _text(title, explanation="", fix="", link="", **more):
    return {
        "title": title,
        "explanation": explanation,
        "fix": fix,
        "link": link and f"https://github.com/{link}",
        **more,
    }


LAYER = {
    "no-module": _text(
        "This is not a layer.", "", "give the class, or a function of d_model and max_len that returns an nn.Module"
    ),
    "no-forward": _text(
        "The layer has no forward method.",
        "A misspelt name, or a forward that is indented into __init__.",
        "define forward(self, x) in the class itself",
    ),
    "batch-axis": _text(
        "Every token of a sample gets the same row: the batch is taken for the sequence.",
        "A sequence-first layer was given batch-first input, or was converted "
        "half-way: broadcasting lines the positions up with the batch.",
        "add pe[:, :x.shape[1]] with pe of shape (1, max_len, d_model); "
        "for a layer that is meant to be sequence-first, "
        "ask with batch_first=False (--sequence-first)",
        "tanjimin/C.Origami/issues/42",
    ),
    "slice-by-batch": _text(
        "The sequence axis of the table is cut to the batch size.",
        "The cut follows the wrong axis of x: x.size(0) is the length only if the sequence comes first. "
        "With a batch of one, row 0 goes to every token, in silence.",
        "cut to the length: pe[:, :x.shape[1]]",
        "KasperGroesLudvigsen/influenza_transformer/issues/9",
    ),
    "missing-colon": _text(
        "One and the same row is added to every token.",
        "pe[:, n] picks row n; pe[:, :n] cuts the first n rows. Broadcasting hides the difference.",
        "put the colon back: pe[:, :x.shape[1]]",
        "DiffPoseTalk/DiffPoseTalk/issues/20",
    ),
    "no-slice": _text(
        "The whole table is added, whatever the length.",
        "x + pe fits only when the length is max_len; at length 1 it grows to max_len in silence.",
        "cut the table to the length: pe[:, :x.shape[1]]",
        "KasperGroesLudvigsen/influenza_transformer/issues/9",
    ),
    "slice-by-width": _text(
        "The sequence axis of the table is cut to the width of x.",
        "x.shape[2], which is also x.shape[-1], is d_model. It is the length only by chance.",
        "cut to the length: pe[:, :x.shape[1]]",
    ),
    "slice-of-columns": _text(
        "The columns of the table are cut, not its rows.",
        "A table of shape (max_len, d_model) has no batch axis: axis 0 holds its rows, axis 1 its columns.",
        "give it a batch axis, pe.unsqueeze(0), and then pe[:, :x.shape[1]]; or cut axis 0: pe[:x.shape[1]]",
    ),
    "multiplied": _text(
        "x is multiplied by the encoding.",
        "A * for a +. Wherever a sine is 0 the token is lost: in row 0, every even column.",
        "x + pe[:, :x.shape[1]]",
    ),
    "added-twice": _text(
        "Something is added twice.",
        "The layer returns x + PE, and x or PE is added once more, inside or by a residual line.",
        "add once: return x + pe[:, :x.shape[1]]",
        "DSPsleeporg/smiles-transformer/pull/22",
    ),
    "never-added": _text(
        "The encoding is never added: x comes back as it was.",
        "The sum was computed and not kept or not returned, or its factor is 0.",
        "x = x + pe[:, :x.shape[1]], and return it",
        "msalhab96/Conformer/issues/2",
    ),
    "only-encoding": _text(
        "The encoding comes back without x.",
        "In some libraries the caller adds it (SpeechBrain, keras-hub); a "
        "layer that is used as x = layer(x) loses the tokens.",
        "return x + pe[:, :x.shape[1]]",
        "jiwidi/Behavior-Sequence-Transformer-Pytorch/issues/4",
    ),
    "in-place": _text(
        "The layer changes the caller's x.",
        "x += … writes into the tensor that was handed in. Whoever uses "
        "it again, as a residual, has the encoding in it.",
        "x = x + …, which makes a new tensor",
        "NVIDIA-NeMo/Speech/pull/7440",
    ),
    "unregistered": _text(
        "The table would stay behind when the layer moves.",
        "A plain attribute is unknown to .to(), .cuda() and .half(); on the CPU in float32 nobody notices.",
        'self.register_buffer("pe", table) instead of self.pe = table',
        "lyuwenyu/RT-DETR/issues/677",
    ),
    "trainable": _text(
        "The table would be trained.",
        "An nn.Parameter asks for a gradient, so the optimizer moves it, or its factor, away from the formula.",
        'register_buffer instead of nn.Parameter: self.register_buffer("pe", table)',
        "henry9zhr/QANet-pytorch/issues/3",
    ),
    "overflow": _text(
        "A sequence longer than max_len is not refused by name.",
        "Slicing past the end of a table is legal, so the mistake shows later, or never.",
        "compare x.shape[1] with max_len first, and raise a ValueError that names both",
        "SamLynnEvans/Transformer/issues/14",
    ),
    "sqrt-scale": _text(
        "The layer multiplies by √d_model.",
        "In the paper the embedding is multiplied by √d_model, before the encoding "
        "is added. If your embedding does that too, it happens twice.",
        "scale in the embedding, once; the layer adds",
        "khirotaka/SAnD/issues/3",
    ),
    "scaled-input": _text("x is multiplied by a number.", "", "return x + pe[:, :x.shape[1]], with x as it came"),
    "dropout": _text(
        "Dropout is not what the paper does.",
        "",
        "self.dropout = nn.Dropout(p), and return self.dropout(x + pe): once, on the sum, in training only",
        "BogiHsu/Tacotron2-PyTorch/issues/8",
    ),
    "train-differs": _text(
        "In training the layer gives something else than in eval().",
        "The sum depends on self.training; only dropout may.",
        "add the encoding in both modes",
    ),
    "dtype": _text(
        "The output has another dtype than x.",
        "A float64 table, from NumPy, makes the sum float64; the next layer, in float32, may refuse it.",
        "cast the finished table to float32 when it is registered",
        kind="note",
    ),
    "gradient": _text(
        "The gradient does not reach x as it should.",
        "x.data, .detach() or no_grad() around the sum cuts the embedding off from training.",
        "return x + pe[:, :x.shape[1]]; a buffer needs no no_grad()",
    ),
    "tuple": _text(
        "The layer returns several things.",
        "",
        "return the sum alone",
    ),
    "other-shape": _text("The output has another shape than x.", "", "return x + pe[:, :x.shape[1]], of x's shape"),
    "some-shapes": _text(
        "The layer is right at some shapes of x only.",
        "A size was taken from the wrong axis, or an axis of 1 was dropped.",
        "try the shapes that are named one by one",
    ),
    "remembers": _text(
        "A call changes what later calls give.",
        "Something is kept between calls: a position that is counted on, or a table that is written into.",
        "keep nothing in forward; make a new tensor for the sum",
    ),
    "other-addition": _text(
        "The output is not x + PE.", "None of the known mistakes gives this output.", "return x + pe[:, :x.shape[1]]"
    ),
}
