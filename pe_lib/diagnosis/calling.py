"""Call functions and classes whose parameters go by other names, or stand in another order."""

import functools
import inspect

from .catalogue import found
from .run import Failed

MAX_LEN_NAMES = """
    max_len maxlen max_length max_seq_len max_seq_length max_seqlen max_sequence_length max_sequence_len seq_len seqlen
    seq_length sequence_length sequence_len length n_position n_positions num_position num_positions max_position
    max_positions max_pos n_pos num_pos position positions max_position_embeddings context_length context_size
    context_len ctx_len block_size window_size n_ctx t max_t num_tokens n_tokens"""
D_MODEL_NAMES = """
    d_model dmodel model_dim dim d dimension dims embed_size embed_dim embed_dims emb_size emb_dim embedding_dim
    embedding_size embedding_dims embedding_dimension hidden_size hidden_dim d_hid d_hidden d_embed d_emb d_embedding
    n_embd n_embed num_hiddens num_units depth channels features num_features d_word_vec encoding_dim encoding_size
    pos_dim output_dim feature_dim width"""
DROPOUT_NAMES = "dropout dropout_p dropout_prob dropout_rate drop drop_prob drop_rate p_drop p_dropout pdrop p"
NAMES = {
    "max_len": MAX_LEN_NAMES,
    "d_model": D_MODEL_NAMES,
    "dropout": DROPOUT_NAMES,
    "batch_first": "batch_first",
    "base": "base theta freq_base max_timescale",
}
ROLES = {name: role for role, names in NAMES.items() for name in names.split()}


def roles(function):
    """From the roles that the parameters' names tell to the parameters, and the required ones whose names tell none."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return {}, []
    known, unknown = {}, []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        role = ROLES.get(parameter.name.lower())
        if role and role not in known:
            known[role] = parameter
        elif parameter.default is parameter.empty:
            unknown.append(parameter.name)
    return known, unknown


def in_order(function, order, **extra):
    """A function of the two sizes in ``order``, such as ("max_len", "d_model"), that calls ``function`` rightly.

    Names decide when both sizes are recognised; otherwise the sizes are handed over by position. ``extra`` are values
    for other roles, such as dropout=0.0; a role that ``function`` does not have is left out.
    """
    known, unknown = roles(function)
    needed = [role for role in known if known[role].default is inspect.Parameter.empty]
    values = {"base": 10000.0, "dropout": 0.0, **extra}
    # A class without max_len, such as (d_model, dropout=0.1), must not get max_len for its dropout.
    order_known = [role for role in order if role in known]
    taken = order_known and len(order_known) < 2 and list(known).index(order_known[0]) == 0 and len(known) > 1
    by_name = (len(order_known) == 2 or taken) and not unknown
    if not by_name:
        count = len(needed) + len(unknown)
        if count > 2:
            names = ", ".join(_required(function))
            raise Failed(found("arguments", f"it needs {names}; here it is called with {' and '.join(order)}"))
        return functools.partial(function, **_beyond_two(function, known, extra))
    given = [role for role in known if role in order or role in extra or role in needed]

    def call(*sizes):
        all_values = {**values, **dict(zip(order, sizes, strict=True))}
        positional = [all_values[r] for r in given if known[r].kind is inspect.Parameter.POSITIONAL_ONLY]
        named = {known[r].name: all_values[r] for r in given if known[r].kind is not inspect.Parameter.POSITIONAL_ONLY}
        return function(*positional, **named)

    return call


def _beyond_two(function, known, extra):
    """``extra`` by the names of the parameters, but for the first two: these take the sizes."""
    first = list(inspect.signature(function).parameters)[:2] if known else []
    names = {known[role].name: value for role, value in extra.items() if role in known}
    return {name: value for name, value in names.items() if name not in first}


def _required(function):
    """The names of the parameters without a default, in their order."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
