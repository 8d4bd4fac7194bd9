"""What the parameters of a bias are given, by their names; ``heads`` and ``length`` vary from call to call."""

import inspect
import re
from dataclasses import replace

import torch

from ..calling.inputs import NONE, OF_ROLE, configurations
from ..calling.lines import Value, constant, expression, variable
from ..calling.names import role_of
from ..calling.parameters import required_of, source_of
from ..sandbox.guard import first_look

NAMES = {
    "heads": "h",
    "batch": "batch",
    "queries": """i q_len qlen query_len query_length q_length len_q lq tgt_len target_len q_seq_len seq_len_q
        seqlen_q num_queries n_queries new_len new_length num_new n_new num_new_tokens""",
    "max_len": "j l n sz size klen lk lkv num_keys n_keys seq",
    "buckets": "num_buckets n_buckets buckets relative_attention_num_buckets num_relative_buckets bucket_size",
    "farthest": "max_distance relative_attention_max_distance max_dist max_position",
    "offsets": """relative_position relative_positions rel_pos rel_position rel_positions relpos relative_distance
        relative_distances relative_pos""",
    "causal": "causal is_causal is_decoder unidirectional",
    "both": "bidirectional",
    "offset": "step cache_len cached_len cache_length num_cached n_cached",
    "period": "period",
    "layers": "depth n_layers num_layers",
    "window": "window window_size win_size sliding_window attn_window attention_window left_window",
    "slope": "slope",
    "scores": "scores qk qk_dots qk_scores dots attn attention_scores attn_scores logits sim similarity x qk_sim att",
    "vectors": "q k v query key value queries keys values xq xk query_states key_states",
    "head_dim": "head_dim d_head dim_head head_size d_k dk",
    "groups": "num_groups n_groups",
    "query_ids": "query_id query_ids q_id q_ids query_pos q_pos query_positions query_position_ids",
    "key_ids": "kv_id kv_ids key_id key_ids k_id k_pos kv_pos key_pos key_positions kv_positions",
    "most": "alibi_bias_max bias_max max_bias",
    "slopes": "slopes alibi_slopes head_slopes m_slopes m",
    "padding": "padding_mask key_padding_mask pad_mask src_key_padding_mask",
}
ROLE_OF_NAME = {name: role for role, names in NAMES.items() for name in names.split()}


def _of(code, *made, text=None):
    """What ``code`` gives; there are as many queries as keys, and one text, unless the setting says otherwise."""
    value = expression(code, made, torch=torch)
    text = text or code.replace("queries", "length").replace("batch", "1")
    usual = {"batch": 1, "alike": 0.0, "dtype": torch.float32}
    return replace(value, text=text, give=lambda s: value.give(usual | {"queries": s["length"]} | s))


_ZEROS = _of("torch.zeros(batch, heads, queries, length)", "scores", "queries")
SCORES = replace(_ZEROS, give=lambda s: _ZEROS.give(s).to(s["dtype"]) if "dtype" in s else _ZEROS.give(s))
X = _of("alike * torch.linspace(-1, 1, 8 * heads).expand(1, length, -1)", text="torch.zeros(1, length, 8 * heads)")
# Padding is True, or tokens are 1. A mask (batch, length) of tokens, or (queries, keys) of what each may see; x may be
# scores, or a layer's input, zeros or one row for every token.
SEEN, TOKENS = (
    _of("torch.ones(length, length).tril()", "mask"),
    _of("torch.ones(batch, length, dtype=torch.long)", "mask"),
)
OTHERWISE = {"padding": (TOKENS,), "mask": (SEEN, NONE), "scores": (X,), "x": (X,), "slopes": (constant(0.25),)}
OTHERWISE["positions"] = (_of("torch.arange(length)[None]"),)
CACHED = "length - queries"  # before the queries
GIVEN = {
    **OF_ROLE,
    **{"heads": variable("heads"), "max_len": variable("length")},
    **dict.fromkeys(("d_model", "inner"), _of("8 * heads")),
    **dict.fromkeys(("head_dim", "most"), constant(8)),
    **{"groups": constant(1), "buckets": constant(32), "farthest": constant(128), "slope": constant(0.25)},
    **{"causal": constant(True), "both": constant(False)},
    **{"queries": _of("queries", "queries"), "batch": _of("batch")},
    "query_ids": _of(f"torch.arange({CACHED}, length)[None, None]", "queries", text="torch.arange(length)[None, None]"),
    "key_ids": _of("torch.arange(length)[None, None]"),
    "offset": _of(CACHED, text="0"),
    "mask": _of("torch.ones(batch, length)", "mask"),
    **{"scores": SCORES, "x": SCORES},
    "positions": _of("torch.arange(length)"),
    "slopes": _of("2 ** (-8 * torch.arange(1, heads + 1) / heads)"),
    "padding": _of("torch.zeros(batch, length, dtype=torch.bool)", "mask"),
    "ids": _of("torch.ones(batch, length, dtype=torch.long)"),
    "vectors": _of("torch.ones(1, heads, length, 8)", "vectors"),
    "dtype": _of("dtype", text="torch.float32"),
    **{"period": constant(3), "layers": constant(2)},
}

HEADS_LAST = _of("torch.ones(1, length, heads, 8)", "vectors")


def role(name):
    told = ROLE_OF_NAME.get(name.lower().strip("_")) or role_of(name)
    return told or ("scores" if re.search("softmax|(score|logit)s?$", name.lower()) else None)


def makes_slopes(cls, names):
    """Does a class itself store slopes under one of the ``names``?"""
    asked = "|".join(name for name in names if role(name) == "slopes")
    return bool(asked and re.search(rf"\bself\.({asked}) *=(?! *None)|register_buffer\(\W*({asked})\b", source_of(cls)))


def of_config(name, source="", *_):
    """What is kept as ``name`` in a configuration, or in self; of one within it, what the file asks of that."""
    inner = configurations(source, name, lambda name, *_: of_config(name)) if role(name) == "config" and source else []
    return (*inner, GIVEN.get(role(name), NONE))[0]


def window_of(function, argument):
    """The window of the setting; else none, as a default or a comparison says it, or one as long as the text."""
    told = re.search(rf"\b{argument.name}\s*(?:[!=]=|is not|is|>=?)\s*(None|-1|0)\b", source_of(function))
    off = _of((told[1] if told else "length") if argument.required else repr(argument.parameter.default), "window")
    return replace(off, give=lambda setting: setting.get("window") or off.give(setting))


def slopes_of(file):
    """What the file's own maker of slopes gives for so many heads; else the paper's, of the file's library."""
    own = [n for n, f in file.names.items() if re.search("slope", n.lower()) and inspect.isfunction(f)]
    own = [n for n in own if [role(a.name) for a in required_of(file.names[n])] == ["heads"]]
    lib = file.library.__name__
    paper = expression(f"2 ** (-8 * {lib}.arange(1, heads + 1) / heads)", **{lib: file.library})
    if not own:
        return paper
    made = expression(f"{own[0]}(heads)", **{own[0]: file.names[own[0]]})
    as_tensor = replace(made, text=f"torch.tensor({made.text})", give=lambda s: torch.tensor(made.give(s)))
    listed = type(first_look(lambda: made.give({"heads": 4, "length": 4}))) is list
    return as_tensor if listed and lib == "torch" else made


def kept_by(made):
    """The same object in all calls of a setting that keeps what is made."""

    def give(setting):
        kept = setting.get("kept", {})
        if made.text not in kept:
            kept[made.text] = made.give(setting)
        return kept[made.text]

    return Value(made.text, give, made.made)
