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
