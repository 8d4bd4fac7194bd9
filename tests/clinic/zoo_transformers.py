"""Small models of transformers with random weights from their configuration, and faults put into some of them.

Nothing is downloaded. A family that the installed release does not have is left out by `families`.
"""

import types

import torch

from pe_course.judges.known import pages

SIZES = {"vocab_size": 128, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2}
SIZES |= {"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 256}
SIZES |= {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
PAGE = pages(__file__, globals())


def families_of(section):
    """From each model type of a section to its own sizes and what is said of it."""
    entries = ((*text.partition(":"), said) for text, said in PAGE[section].entries)
    return {name: (eval(f"dict({own})"), said) for names, _, own, said in entries for name in names.split(", ")}


DECODERS, ENCODERS, WRONG_IN_TRANSFORMERS = map(families_of, [*PAGE][:3])


def build(name, **changes):
    """The model of this type, for causal or for masked text."""
    from transformers import CONFIG_MAPPING, AutoModelForCausalLM, AutoModelForMaskedLM

    own = {**DECODERS, **ENCODERS, **WRONG_IN_TRANSFORMERS}[name][0]
    torch.manual_seed(0)
    kind = AutoModelForMaskedLM if name in ENCODERS else AutoModelForCausalLM
    return kind.from_config(CONFIG_MAPPING[name](**{**SIZES, **own, **changes})).eval()


def families(table):
    """The types of the table that the installed release has."""
    try:
        from transformers import CONFIG_MAPPING
    except ImportError:
        return list(table)
    return [name for name in table if name in CONFIG_MAPPING]


def around(model, change=None, after=None):
    """The model with a forward that changes its arguments by ``change(model, arguments)``, its output by ``after``."""
    old = type(model).forward

    def forward(self, input_ids=None, attention_mask=None, position_ids=None, past_key_values=None, use_cache=None):
        given = {"input_ids": input_ids, "attention_mask": attention_mask, "position_ids": position_ids}
        given |= {"past_key_values": past_key_values, "use_cache": use_cache}
        if change:
            change(self, given)
        out = old(self, **{name: value for name, value in given.items() if value is not None})
        if after:
            after(self, given, out)
        return out

    model.forward = types.MethodType(forward, model)
    return model


def cached(given):
    return 0 if given["past_key_values"] is None else given["past_key_values"].get_seq_length()


def counted(given, off=0):
    """Ids that go on after the cache, (batch, length)."""
    ids = given["input_ids"]
    return (torch.arange(ids.shape[1]) + cached(given) + off).expand(ids.shape)


def given_as(name, new):
    """Fault: the argument ``name`` becomes ``new(argument, given)``."""

    def change(model, given):
        given[name] = new(given[name], given)

    return lambda model: around(model, change)


def default_ids(make):
    """Fault: without ids, ``make(given)`` is used."""
    return given_as("position_ids", lambda ids, given: make(given) if ids is None else ids)


def all_ids(change):
    """Fault: ids, the model's own too, are changed so."""
    return given_as("position_ids", lambda ids, given: change(counted(given) if ids is None else ids))


def given_ids(change):
    """Fault: ids that are given are changed so."""
    of_all = lambda ids, given: change(ids.expand(given["input_ids"].shape))  # noqa: E731
    return given_as("position_ids", lambda ids, given: ids if ids is None else of_all(ids, given))


one_for_all_rows = given_as("position_ids", lambda ids, given: counted(given) if cached(given) else ids)
no_mask = given_as("attention_mask", lambda mask, given: None)


def logits(change_logits):
    """Fault: logits (batch, length, vocabulary) become ``change_logits(logits, given)``."""

    def after(model, given, out):
        out.logits = change_logits(out.logits, given)

    return lambda model: around(model, after=after)


def counter(model):
    def after(model, given, out):
        model.calls = getattr(model, "calls", 0) + 1
        out.logits = out.logits * (1 + model.calls / 100)

    return around(model, after=after)


def ring(model):
    def after(model, given, out):
        for layer in out.past_key_values.layers if given["use_cache"] else ():
            layer.keys, layer.values = layer.keys[..., -64:, :], layer.values[..., -64:, :]

    return around(model, after=after)


def masked(real, given):
    return real if given["attention_mask"] is None else real * given["attention_mask"].double().mean(-1)[:, None, None]


def far_nan(real, given):
    ids = counted(given) if given["position_ids"] is None else given["position_ids"]
    return real.masked_fill((ids.expand(given["input_ids"].shape) > 100)[..., None], torch.nan)


def repeated(real):
    return torch.cat([real[:, 1:], real[:, -1:]], dim=1)


def rotary(model, change):
    """The model after ``change(module)`` for each rotary module."""
    for name, module in list(model.named_modules()):
        if name.endswith("rotary_emb"):
            change(module)
    return model


def frequencies(new, **config):
    """Fault: inv_freq becomes ``new(inv_freq)``, in a Llama with this configuration."""
    return lambda: rotary(build("llama", **config), lambda module: module.inv_freq.copy_(new(module.inv_freq)))


def angles(body, **config):
    """Fault: the rotary module's angles are ``body(module, position_ids)``."""

    def forward(self, x, position_ids):
        angle = torch.cat([body(self, position_ids)] * 2, dim=-1).float()
        return angle.cos(), angle.sin()

    return lambda: rotary(
        build("llama", **config), lambda module: setattr(module, "forward", types.MethodType(forward, module))
    )


def longer(module, ids):
    """Dynamic scaling that does not come back."""
    if ids.max() >= 256:
        module.inv_freq = module.inv_freq / 2
    return ids[..., None] * module.inv_freq


def attention(change):
    """Fault: ``change(arguments)`` before each attention of a Llama."""

    def hook(module, args, named):
        change(named)
        return args, named

    def made():
        model = build("llama")
        for layer in model.model.layers:
            layer.self_attn.register_forward_pre_hook(hook, with_kwargs=True)
        return model

    return made


def masked_as(mask):
    """Fault: attention over several tokens gets ``mask(length)``."""

    def change(named):
        if (length := named["hidden_states"].shape[1]) > 1:
            named["attention_mask"] = mask(length)[None, None]

    return attention(change)


def rotated_twice(named):
    cos, sin = named["position_embeddings"]
    named["position_embeddings"] = cos * cos - sin * sin, 2 * sin * cos


def not_rotated(named):
    cos, sin = named["position_embeddings"]
    named["position_embeddings"] = torch.ones_like(cos), torch.zeros_like(sin)


def windowed(name, sees, **config):
    """Fault: layer n sees ``sees(n)`` tokens, whatever the configuration says."""

    def made():
        model = build(name, **config)
        for n, layer in enumerate(model.model.layers):
            hook = lambda _, args, named, n=n: (args, masked_by(sees(n), args, named))  # noqa: E731
            layer.register_forward_pre_hook(hook, with_kwargs=True)
        return model

    return made


def masked_by(window, args, named):
    """The arguments ``named`` of a layer, with a mask that shows so many tokens."""
    length = (args[0] if args else named["hidden_states"]).shape[1]
    distance = torch.arange(length)[:, None] - torch.arange(length)
    mask = torch.zeros(1, 1, length, length).masked_fill((distance < 0) | (distance >= window), -1e9)
    return named if length == 1 else {**named, "attention_mask": mask}


def in_dtype_of_vectors(module, x, position_ids):
    angle = torch.cat([position_ids[..., None].to(x.dtype).float() * module.inv_freq] * 2, dim=-1)
    return angle.cos().to(x.dtype), angle.sin().to(x.dtype)


def gemma(change):
    """Fault: ``change(rotary module)`` of Gemma 3, with its local and its global frequencies."""
    return lambda: rotary(build("gemma3_text"), change)


def zero_rows():
    model = build("gpt2")
    model.transformer.wpe.weight.data.zero_()
    return model


YARN = {"rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0, "original_max_position_embeddings": 64}
GEMMA_SCALED = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
}
LINEAR_FOUR = {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0}}


def encoder(mask=True, ids=True):
    """BERT that drops its mask or its ids."""
    model = build("bert")

    def forward(self, input_ids=None, attention_mask=None, position_ids=None):
        given = {"attention_mask": attention_mask if mask else None, "position_ids": position_ids if ids else None}
        return type(model).forward(self, input_ids=input_ids, **given)

    model.forward = types.MethodType(forward, model)
    return model


def faults_of(section):
    """From each fault of a section to what makes it, and the ids that name it."""
    told = ((fault, *says.rpartition(": ")[::2]) for fault, says in PAGE[section].mistakes)
    return {name: (fault, {*ids.split(", ")}) for fault, name, ids in told}


ANYWHERE = faults_of("faults of a decoder")
FAULTS = {
    f"{name}: {fault}": (lambda name=name, put=put: put(build(name)), ids)
    for name in ("llama", "gpt2", "qwen3")
    for fault, (put, ids) in ANYWHERE.items()
    if (name, fault) != ("qwen3", "ring of 64")
} | faults_of("faults of one model")
