"""What a layer may do beside the sum: how it holds its table, what it does in training, to x, and past its end."""

from ..saying.mistake import Mistake

IN_PLACE = Mistake(
    "in-place",
    "The layer changes the caller's x.",
    "x += … writes into the tensor that was handed in. Whoever uses it again, as a residual, has the encoding in it.",
    "x = x + …, which makes a new tensor",
    "NVIDIA-NeMo/Speech/pull/7440",
)
SEVERAL = Mistake(
    "tuple",
    "It returns several things.",
    "Speech recipes return the encoding beside the sum, for attention with relative positions.",
    "take the sum: x, _ = layer(x); or return the sum alone",
    kind="usage",
)
OVERFLOW = Mistake(
    "overflow",
    "A sequence longer than max_len is not refused by name.",
    "Slicing past the end of a table is legal, so the mistake shows later, or never.",
    "compare x.shape[1] with max_len first, and raise a ValueError that names both",
    "SamLynnEvans/Transformer/issues/14",
)
REMEMBERS = Mistake(
    "remembers",
    "A call changes what later calls give.",
    "Something is kept between calls: a position that is counted on, or a table that is written into.",
    "keep nothing in forward; make a new tensor for the sum",
)
GRADIENT = Mistake(
    "gradient",
    "The gradient does not reach x as it should.",
    "x.data, .detach() or no_grad() around the sum cuts the embedding off from training.",
    "return x + pe[:, :x.shape[1]]; a buffer needs no no_grad()",
)
DTYPE = Mistake(
    "dtype",
    "The output has another dtype than x.",
    "A float64 table, from NumPy, makes the sum float64; the next layer, in float32, may refuse it.",
    "cast the finished table to float32 when it is registered",
)
AUTOCAST = Mistake(
    "autocast",
    "Under torch.autocast its far positions fall together.",
    "autocast makes a matrix product of positions and frequencies in bfloat16, which has 8 binary digits: "
    "whole numbers above 256 are rounded.",
    "positions[:, None] * frequencies, which autocast leaves alone, or torch.autocast(…, enabled=False) around it",
    "huggingface/diffusers/issues/13920",
    kind="note",
)
UNREGISTERED = Mistake(
    "unregistered",
    "The table would stay behind when the layer moves.",
    "A plain attribute is unknown to .to(), .cuda() and .half(); on the CPU in float32 nobody notices.",
    'self.register_buffer("pe", table) instead of self.pe = table',
    "lyuwenyu/RT-DETR/issues/677",
)
MADE_HERE = Mistake(
    "made-on-the-cpu",
    "The table is made on the CPU, wherever x is.",
    "It is made anew for each x, and nobody says where: with x on a GPU the sum stops.",
    "torch.arange(…, device=x.device), and the same for whatever else is made",
)
TRAINABLE = Mistake(
    "trainable",
    "The table would be trained.",
    "An nn.Parameter asks for a gradient, so the optimizer moves it, or its factor, away from the formula. Some mean "
    "that: learned rows that begin as sines.",
    'register_buffer instead of nn.Parameter: self.register_buffer("pe", table)',
    "henry9zhr/QANet-pytorch/issues/3",
)
LEARNED_SCALE = Mistake(
    "learned-scale",
    "A learned number scales it.",
    "Transformer TTS and ESPnet train one number by which the table is multiplied. The paper's is 1.",
    kind="convention",
)
LEARNED = Mistake(
    "learned",
    "Its table is learned: it starts from chance or from one number, and training fills it.",
    "A design of its own (BERT, GPT-2, ViT). There is no formula to compare it with; beyond max_len it has no rows.",
    kind="convention",
)
NO_PARAMETER = Mistake(
    "no-parameter",
    "Its learned rows are no parameter: no optimizer sees them.",
    "nn.Parameter(…) * 0.02, or .to(device) onto another device, gives a new tensor, which is not registered: "
    "parameters() and state_dict() leave it out, and training never moves it.",
    "self.pe = nn.Parameter(0.02 * torch.randn(max_len, d_model)), and nothing behind the bracket",
)
NEVER_FILLED = Mistake(
    "never-filled",
    "Made on the meta device, its table is never filled.",
    "Loaders make a model on the meta device and fill in what a checkpoint holds. A buffer with persistent=False is in "
    "no checkpoint: it keeps whatever was in memory.",
    "make the table in forward, or again after loading",
    "huggingface/transformers/issues/45902",
    kind="note",
)
DROPOUT = Mistake(
    "dropout",
    "Dropout is not what the paper does.",
    "",
    "self.dropout = nn.Dropout(p), and return self.dropout(x + pe): once, on the sum, in training only",
    "karpathy/nanoGPT/pull/240",
)
TRAIN_DIFFERS = Mistake(
    "train-differs",
    "In training the layer gives something else than in eval().",
    "The sum depends on self.training; only dropout may.",
    "add the encoding in both modes",
)
SEQUENCE_FIRST = Mistake(
    "sequence-first",
    "It is sequence-first.",
    "It wants x of shape (sequence, batch, d_model). Of batch-first x, all tokens of a sample would get the same row.",
    "hand over x.transpose(0, 1); or, for batch-first x, add pe[:, :x.shape[1]] with pe of shape (1, max_len, d_model)",
    kind="usage",
)
CHANNELS_FIRST = Mistake(
    "channels-first",
    "It is channels-first.",
    "It wants x of shape (batch, d_model, sequence), as Conv1d does. Given (batch, sequence, d_model) it stops, "
    "or adds position to column.",
    "hand over x.transpose(1, 2), and turn what comes back",
    kind="usage",
)
FEATURES = Mistake(
    "fourier-features",
    "Fourier features: sines and cosines of the numbers in x, whatever row they stand in.",
    "NeRF encodes coordinates so. Where a row stands in the sequence is not told, and nothing is added to x.",
    "for positions in a text add a table: x + pe[:, :x.shape[1]]",
    "bmild/nerf/blob/master/run_nerf_helpers.py",
    kind="convention",
)
BESIDE = Mistake(
    "beside",
    "It gives x back, and an encoding beside it: nothing is added to x here.",
    "Attention with relative positions (Transformer-XL, Conformer) takes the encoding on its own.",
    "give the part that makes the encoding, as FILE:Layer.pe, or with --make",
    kind="not-run",
)
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
