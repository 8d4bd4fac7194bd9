"""What the parameters of a bias are given, by their names; ``heads`` and ``length`` vary from call to call."""

import torch

from ..calling.inputs import NONE, OF_ROLE, configurations
from ..calling.lines import Value, constant, variable
from ..calling.names import role_of

NAMES = {
    "heads": "h",
    "queries": """i q_len qlen query_len query_length q_length len_q lq tgt_len target_len q_seq_len seq_len_q
        seqlen_q num_queries n_queries""",
    "max_len": "j l n size klen lk lkv num_keys n_keys seq",
    "buckets": "num_buckets n_buckets buckets relative_attention_num_buckets num_relative_buckets bucket_size",
    "farthest": "max_distance relative_attention_max_distance max_dist max_position",
    "offsets": """relative_position relative_positions rel_pos rel_position rel_positions relpos relative_distance
        relative_distances relative_pos""",
    "causal": "causal is_causal is_decoder unidirectional",
    "both": "bidirectional",
    "offset": "step",
    "slope": "slope",
    "scores": "scores qk qk_dots dots attn attention_scores attn_scores logits sim similarity x qk_sim att",
    "vectors": "q k v query key value queries keys values xq xk query_states key_states",
    "head_dim": "head_dim d_head dim_head head_size d_k dk",
    "groups": "num_groups n_groups",
    "query_ids": "query_id query_ids q_id q_ids query_pos q_pos query_positions query_position_ids",
    "key_ids": "kv_id kv_ids key_id key_ids k_id k_pos kv_pos key_pos key_positions kv_positions",
    "most": "alibi_bias_max bias_max max_bias",
}
ROLE_OF_NAME = {name: role for role, names in NAMES.items() for name in names.split()}


def _tensor(text, make, made):
    """What ``make(heads, length)`` gives."""
    return Value(text, lambda s: make(s["heads"], s["length"]), frozenset({made}))


def _queries(setting):
    """As many as there are keys, unless the setting says otherwise."""
    return setting.get("queries", setting["length"])


SCORES = Value(
    "torch.zeros(1, heads, length, length)",
    lambda s: torch.zeros(1, s["heads"], _queries(s), s["length"]),
    frozenset({"scores", "queries"}),
)
X = Value("torch.zeros(1, length, 8 * heads)", lambda s: torch.zeros(1, s["length"], 8 * s["heads"]))
# A mask (batch, length) of tokens, or (queries, keys) of what each may see; x may be scores, or a layer's input.
OTHERWISE = {
    "mask": (_tensor("torch.ones(length, length).tril()", lambda h, n: torch.ones(n, n).tril(), "mask"), NONE),
    "scores": (X,),
    "x": (X,),
}
GIVEN = {
    **OF_ROLE,
    "heads": variable("heads"),
    "max_len": variable("length"),
    "d_model": Value("8 * heads", lambda s: 8 * s["heads"]),
    "head_dim": constant(8),
    "most": constant(8),
    "queries": Value("length", _queries, frozenset({"queries"})),
    "groups": constant(1),
    "query_ids": Value(
        "torch.arange(length)[None, None]",
        lambda s: torch.arange(s["length"] - _queries(s), s["length"])[None, None],
        frozenset({"queries"}),
    ),
    "key_ids": Value("torch.arange(length)[None, None]", lambda s: torch.arange(s["length"])[None, None]),
    "offset": Value("0", lambda s: s["length"] - _queries(s)),  # what is cached before the queries
    "buckets": constant(32),
    "farthest": constant(128),
    "causal": constant(True),
    "both": constant(False),
    "slope": constant(0.25),
    "mask": _tensor("torch.ones(1, length)", lambda h, n: torch.ones(1, n), "mask"),
    "scores": SCORES,
    "x": SCORES,
    "positions": Value("torch.arange(length)", lambda s: torch.arange(s["length"])),
    "ids": Value("torch.ones(1, length, dtype=torch.long)", lambda s: torch.ones(1, s["length"], dtype=torch.long)),
    "vectors": _tensor("torch.ones(1, heads, length, 8)", lambda h, n: torch.ones(1, h, n, 8), "vectors"),
    "dtype": Value("torch.float32", lambda s: torch.float32),
}


def role(name):
    return ROLE_OF_NAME.get(name.lower().strip("_")) or role_of(name)


def of_config(name, source="", *_):
    """What is kept as ``name`` in a configuration, or in self; of one within it, what the file asks of that."""
    inner = configurations(source, name, lambda name, *_: of_config(name)) if role(name) == "config" and source else []
    return (*inner, GIVEN.get(role(name), NONE))[0]


def kept_by(made):
    """The same object in all calls of a setting that keeps what is made."""

    def give(setting):
        kept = setting.get("kept", {})
        if made.text not in kept:
            kept[made.text] = made.give(setting)
        return kept[made.text]

    return Value(made.text, give, made.made)
