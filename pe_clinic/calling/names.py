"""What a parameter is for, told by its name: the one vocabulary, of tables, layers, rotations and biases."""

import re

EXACT = {  # names of whose words nothing follows, or something else
    "max_len": "num_embeddings t max_t init_size maxpos sequence_dim seq_dim",
    "d_model": "head_size head_dim d_head dim_head d_pos head_dims layer_size layer_dim",
    "positions": """position pos position_ids pos_ids pos_seq time times timestep timesteps time_steps index indices
        event_time event_times arrival_times time_stamps t_norm pos_list position_list pos_array position_array""",
    "ids": "input_ids ids tokens token_ids src_tokens input_tokens symbols",
    "x": """x input inputs inp src tgt tensor emb embs embedding embeddings embedded token_embedding token_embeddings
        word_embeddings x_emb features hidden_states feats seq sequence inputs_embeds q query xs data src_emb batch""",
    "min_timescale": "min_timescale min_wavelength min_period",
    **{"dropout": "p", "batch_first": "batch_first"},
    "flag": "flip_sin_to_cos",
    "library": "xp np jnp numpy torch lib backend array_module",  # the module that computes
    "shift": "downscale_freq_shift",  # of diffusers: the divisor of k is d/2 - shift
    "column": "i j k dim_index",
    "grid": "grid coords coordinates",  # the number of the row and of the column of each place
    "picture": "feat feat_map feature_map fmap img image images imgs picture pixel_values",
}
ROLE_OF_NAME = {name: role for role, names in EXACT.items() for name in names.split()}

# Words of longer names, the decisive ones first. A size never goes to what stands before the sizes.
BY_WORD = (
    ("dropout", "drop dropout pdrop keep"),
    ("device", "device devices"),
    ("dtype", "dtype"),
    ("base", """timescale timescales temperature base theta wavelength freq frequency frequencies period denom
        denominator"""),
    ("config", "config configs cfg cfgs conf args opt opts hparams configuration params settings"),
    ("vocab", "vocab vocabulary voc vocabs vsz items"),
    ("classes", "classes labels"),
    ("pad", "pad padding"),
    ("mask", "mask masks"),
    ("offset", "offset start past"),
    ("heads", "head heads nhead nheads"),
    ("inner", "ff ffn feedforward inner mlp intermediate"),
    ("layers", "layers layer nlayers blocks"),
    ("std", "std init eps scale scaling factor alpha gain"),
    ("batch", "batch bs bsz"),
    ("flag", """use is with has do inc include learn learnable trainable learned training train bias normalize norm flag
        verbose return"""),
    ("kind", "type mode kind name method style"),
    ("out", "out"),  # a tensor to write into; out_features, or d_out, is a width of what follows
)  # fmt: skip
ROLE_OF_WORD = {word: role for role, words in BY_WORD for word in words.split()}
RANK = {role: n for n, (role, _) in enumerate(BY_WORD)}
LENGTHS = """len lens length lengths maxlen seqlen maxseqlen maxlength seq sequence position positions pos ctx context
    block window steps step timesteps frames horizon patches tokens points"""
WIDTHS = """
    dim dims dimension dimensions dmodel embed embedding embeddings emb embd hidden hiddens hid channel channels feature
    features feat feats width units depth model vec d"""
SIZE_OF_WORD = {**dict.fromkeys(WIDTHS.split(), "d_model"), **dict.fromkeys(LENGTHS.split(), "max_len")}

# The last word of batch_positions, token_positions or input_shape; max_positions and num_positions are lengths.
ENDINGS = {"tokens": "ids", "shape": "shape", "mask": "mask"}
ENDINGS |= dict.fromkeys(("positions", "timestamps", "timesteps", "indices", "indexes"), "positions")
BANDS = {"freq", "freqs", "frequencies", "bands", "octaves", "levels"}  # num_freqs, or levels, counts them
COUNTS = {"max", "maximum", "num", "number", "n", "nb", "total"}

# What a role gets where it has to be given something; the sizes, and nothing else, vary from call to call.
VALUES = {
    "dropout": 0.0,
    "base": 10000.0,
    "device": "cpu",
    "vocab": 100,
    "classes": 10,
    "mask": None,
    "flag": False,
    "bands": 4,
    **dict.fromkeys(("batch_first", "asked"), True),
    **dict.fromkeys(("pad", "offset"), 0),
    **dict.fromkeys(("heads", "layers", "batch", "shift"), 1),
    **dict.fromkeys(("min_timescale", "std"), 1.0),
}

# Of rotations, where a name says something else than of tables, or says more.
IN_ROTATIONS = {
    "key": "k key keys xk key_states k_states key_layer k_in k_embed key_tensor",
    "positions": "position_id input_pos idx ids p t m steps offsets seq_idx seq_id seq_ids pos_idx positional_ids",
    "start": """offset start start_pos start_position position_offset pos_offset seq_offset past_len past_length
        cache_len cache_position_start offset_len start_index seqlen_offset seqlen_offsets cache_lens""",
    "d_model": "dk dh hd head_dims dim_heads n_elem d_rope size rotary_ndims n_rot headdim",
    "max_len": "end l seq orig_max old_max max_orig",
    **{"heads": "num_groups n_groups", "batch": "batch", "table": "inv_f"},
    "x": "vec vector embedding embeddings emb hidden",
}
ROLE_IN_ROTATIONS = {name: role for role, names in IN_ROTATIONS.items() for name in names.split()}
# Words of names for cosines and sines, angles, or both in one; with a word of `NO_TABLE` it is a size or a switch.
SURE = """cos sin cosine sine cosines sines cis freq freqs frequencies angle angles omega omegas phase phases
    sinusoid sinu sinusoidal rope rotary sen seno senos coseno cosenos cosseno cossenos sinus cosinus kosinus
    frecuencias frequencias angulos ifreq"""
TABLES = (SURE := {*SURE.split()}) | {"rot", "cache", "cached", "emb", "embs", "embedding", "embeddings", "complex"}
NO_TABLE = """
    dim dims ndims ndim base theta size len length max type pct scaling num dimension factor use interleaved style
    fraction percent percentage axis n table dtype device ids idx indices config cfg params parameters"""
NO_WAVES = (NO_TABLE := {*NO_TABLE.split()}) - {"theta", "table"}
ATTENDS = r"softmax|scaled_dot_product_attention|flash_attn|score|@ *\w+\.(mT|transpose)|matmul\(\w+, *\w+\.transpose"
ROTATES = r"(?<![a-z])ro(?:pe|_?pos)|rope(?![a-z])|rotary"  # in small letters; property is no rope


def role_in_rotations(name):
    """As `role_of`, for a parameter of a rotation, or of what makes its tables; "table" for cosines, angles, both."""
    plain = name.lower().strip("_")
    if told := re.search("(^|_)(sections?|axes_dims?)$|^(seq|sequence|time)_(dim|axis)$", plain):  # of M-RoPE, and FLUX
        return "axis" if told[3] else "sections"
    return ROLE_IN_ROTATIONS.get(plain) or ("table" if is_table(plain) else role_of(name))


def is_table(name, words=TABLES):
    """Do the words of a parameter's name say that it takes cosines, sines, angles, or e^(iθ)?"""
    found = set(re.findall("[a-z]+", re.sub("(rope|rotary)_(?=positions$)", "", name.lower())))
    return bool(found & words) and not found & (NO_WAVES if found & {"cis", "complex", "cos", "sin"} else NO_TABLE)


def words_of(name):
    """The words of snake_case and camelCase, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def role_of(name):
    """The role that ``name`` tells, one of `VALUES`, "x", "positions", "ids", "column", "config", …; or None.

    >>> [role_of(name) for name in ("embed_size", "maxSeqLen", "rope_theta", "colour")]
    ['d_model', 'max_len', 'base', None]
    """
    plain = re.sub(r"^(?!past|offset|max)[a-z]+_(?=pos(ition)?_ids$)|_?1d$", "", name.lower().strip("_"))
    if plain in ROLE_OF_NAME:
        return ROLE_OF_NAME[plain]
    if plain.endswith(("_head_dim", "_head_size")):  # the width of a head, and no number of heads
        return "d_model"
    if name == "B":  # beside T and D; a small b is any letter
        return "batch"
    words = words_of(name)
    if {"use", "with", "has"} & {*words} and {"position", "positions", "positional", "pos", "pe"} & {*words}:
        return "asked"
    if words and words[-1] in ENDINGS and not COUNTS & {*words}:
        return ENDINGS[words[-1]]
    if words and words[-1] in BANDS and (COUNTS - {"max", "maximum"} | {"levels"}) & {*words}:
        return "bands"
    decisive = [ROLE_OF_WORD[word] for word in words if word in ROLE_OF_WORD]
    if decisive == ["out"] and {"d_model", "size", "ch", "n"} & {SIZE_OF_WORD.get(word, word) for word in words}:
        return "inner"
    if decisive:
        return min(decisive, key=RANK.get)
    sizes = [SIZE_OF_WORD[word] for word in words if word in SIZE_OF_WORD] or ["max_len"] * (words[-1:] == ["count"])
    if "max" in words and ("max_len" in sizes or words[-1] == "depth"):
        return "max_len"
    return sizes[-1] if sizes else None
