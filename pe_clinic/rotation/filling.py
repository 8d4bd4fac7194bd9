"""Give the parameters of somebody's code the sizes that their names ask for."""

import inspect
from types import SimpleNamespace

import torch

from ..calling.names import role_of
from ..sandbox.guard import run

HEAD_DIM, LENGTH = 64, 4096
NAMES = {
    HEAD_DIM: """dim head_dim d_head dim_head head_size headdim rotary_dim rot_dim rotary_ndims d_k d d_model dk n_elem
        d_rope dim_per_head embed_dim hidden_size hidden_dim dims dimension features size rope_dim n_embd""",
    LENGTH: """end max_len max_length max_seq_len max_seq_length max_seqlen max_sequence_length seq_len seqlen
        seq_length length max_position_embeddings max_position max_positions n_positions num_positions block_size
        context_length n_ctx ctx_len max_pos cache_len max_t t seq max_context_length context_len""",
    10000.0: "base theta rope_theta rope_base freq_base rotary_base",
    1: "n_heads num_heads heads nhead num_attention_heads n_head num_key_value_heads scale scaling_factor",
    None: "device dtype scaling rope_scaling",
}
VALUES = {name: value for value, names in NAMES.items() for name in names.split()}
OF_ROLE = {"max_len": LENGTH, "d_model": HEAD_DIM, "base": 10000.0, "heads": 1, "device": None}  # of rarer names
CONFIG = SimpleNamespace(**VALUES, rope_type="default", partial_rotary_factor=1.0, attention_dropout=0.0, dropout=0.0)


class Unknown(Exception):
    """A required parameter whose name says nothing."""


def fill(function, **given):
    """Keyword arguments for what ``function`` requires; ``given`` come first. `Unknown` where a name says nothing."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise Unknown from None
    arguments = {}
    for p in parameters:
        name = p.name.lower()
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.name in given:
            arguments[p.name] = given[p.name]
        elif p.default is not p.empty and VALUES.get(name) not in (HEAD_DIM, LENGTH):
            continue
        elif name in ("config", "cfg", "args", "params"):
            arguments[p.name] = CONFIG
        elif name in VALUES:
            arguments[p.name] = VALUES[name]
        elif p.default is p.empty and role_of(name) in OF_ROLE:
            arguments[p.name] = OF_ROLE[role_of(name)]
        elif p.default is p.empty:
            raise Unknown(p.name)
    return arguments


def make(cls):
    """An object of a class, in eval mode."""
    made = run(f"{cls.__name__}(…)", lambda: cls(**fill(cls)))
    return made.eval() if isinstance(made, torch.nn.Module) else made
