"""Small models of transformers with random weights, from their configuration (lesson 13). Nothing is downloaded."""

import importlib.util

import torch
from torch import nn

IDS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": 0}  # the usual ones do not fit
WIDTH = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "max_position_embeddings": 256}
GROUPED = WIDTH | {"num_key_value_heads": 2, "intermediate_size": 128}  # two heads share a key and a value
KINDS = {  # the name in transformers, and the options of a small one
    "GPT-2": ("gpt2", {"n_embd": 64, "n_layer": 4, "n_head": 4, "n_positions": 256}),
    "OPT": ("opt", WIDTH | {"ffn_dim": 128, "word_embed_proj_dim": 64}),
    "Llama": ("llama", GROUPED),
    "BLOOM": ("bloom", {"hidden_size": 64, "n_layer": 4, "n_head": 4}),
    "Gemma 3": ("gemma3_text", GROUPED | {"num_hidden_layers": 6, "head_dim": 16, "sliding_window": 32}),
    "SmolLM3": ("smollm3", GROUPED),
}


def small(name, vocabulary=100, **options):
    """A small model of the kind ``name``, one of `KINDS`, in eval mode. The same name gives the same weights.

    ``options`` go to its configuration. Raises ImportError, in one line, where transformers is not installed.
    """
    if name not in KINDS:
        raise ValueError(f"name must be one of {', '.join(KINDS)}, but got {name!r}")
    if importlib.util.find_spec("transformers") is None:
        raise ImportError("This lesson needs transformers: pip install 'transformers>=5.0'. All other lessons do not.")
    from transformers import AutoConfig, AutoModelForCausalLM

    kind, chosen = KINDS[name]
    config = AutoConfig.for_model(kind, vocab_size=vocabulary, **(IDS | chosen | options))
    config._attn_implementation = "eager"  # the plain formula, which takes any mask
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return AutoModelForCausalLM.from_config(config).eval()


class Numbered(nn.Module):
    """A model that is given its position ids by ``positions(n, past, mask)``, and not by its caller.

    ``n`` tokens come in, ``past`` are in the cache, and ``mask`` is None or (batch, past + n), 1 where visible.
    """

    def __init__(self, model, positions):
        super().__init__()
        self.model, self.positions = model, positions

    def forward(self, input_ids, attention_mask=None, past_key_values=None, use_cache=None):
        past = past_key_values.get_seq_length() if past_key_values is not None else 0
        ids = self.positions(input_ids.shape[1], past, attention_mask).expand(input_ids.shape)
        given = {"attention_mask": attention_mask, "past_key_values": past_key_values, "use_cache": use_cache}
        return self.model(input_ids=input_ids, position_ids=ids, **given)


@torch.no_grad()
def in_steps(model, ids, mask=None, prompt=1):
    """The logits (batch, length, vocabulary) of ``ids``: the first ``prompt`` tokens at once, then one at a time."""
    cache, end, found = None, 0, []
    for tokens in ids.split([prompt] + [1] * (ids.shape[1] - prompt), dim=1):
        end += tokens.shape[1]
        seen = None if mask is None else mask[:, :end]  # the cached tokens and the new ones
        out = model(input_ids=tokens, attention_mask=seen, past_key_values=cache, use_cache=True)
        cache = out.past_key_values
        found.append(out.logits)
    return torch.cat(found, dim=1)


def count_visible(mask):
    """Position ids from a mask (batch, length), 1 where visible: visible tokens count 0, 1, 2, …"""
    return (mask.cumsum(dim=1) - 1).clamp(min=0)


def to_add(allowed):
    """What to add to the scores, (1, 1, query, key): 0 where ``allowed``, (query, key), is True, else the lowest."""
    return torch.zeros(1, 1, *allowed.shape).masked_fill(~allowed, torch.finfo(torch.float32).min)


def keys_of_a_trained_model(seed):
    """An imitation: random keys (1, 1, 200, 16) whose channel 3 has the mean 20."""
    keys = torch.randn(1, 1, 200, 16, generator=torch.Generator().manual_seed(seed))
    keys[..., 3] += 20
    return keys


def quantised(keys):
    """Each channel of ``keys`` (…, length, channels) rounded to 16 values, from its smallest to its largest."""
    low, high = keys.amin(-2, keepdim=True), keys.amax(-2, keepdim=True)
    return ((keys - low) / (high - low) * 15).round() / 15 * (high - low) + low


def defaults(kind):
    """What transformers sets for the positions of ``kind``, such as "smollm3": one line for each group of layers."""
    from transformers import AutoConfig

    config = AutoConfig.for_model(kind).to_dict()
    rope, names = config["rope_parameters"], {"sliding_attention": "window", "full_attention": "no window"}
    groups = rope if "rope_type" not in rope else {"all layers": rope}
    lines = [
        f"{names.get(where, where):11} base {each['rope_theta']:>9,.0f}  {each['rope_type']:8}"
        f" share rotated {each.get('partial_rotary_factor', 1)}"
        for where, each in groups.items()
    ]
    if 0 in config.get("no_rope_layers", []):
        lines.append(f"one layer in {config['no_rope_layers'].index(0) + 1} without positions")
    return lines
