"""Public threads of 2025 and 2026 about models, each rebuilt; those of rotations and positions, and
ggml-org/llama.cpp#12357 (after a context shift the keys are not rotated back), stand in `zoo`.

Not here, and why: vllm-gaudi#1437 deals an image's axes to other pairs, and with text nobody sees that in a model;
llama.cpp#22611 leaves out a permutation of weights, which random weights do not show.
"""

import pytest
import torch
import zoo_transformers

from pe_clinic import diagnose_model


def gemma4(change):
    """Gemma 4 after ``change`` of its global layers' frequencies."""
    from transformers import CONFIG_MAPPING, AutoModelForCausalLM

    own = {"num_hidden_layers": 6, "head_dim": 8, "global_head_dim": 32}
    own |= {"vocab_size_per_layer_input": 128, "hidden_size_per_layer_input": 8}
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(CONFIG_MAPPING["gemma4_text"](**{**zoo_transformers.SIZES, **own}))
    for name, buffer in model.named_buffers():
        if name.endswith("full_attention_inv_freq"):
            buffer.copy_(change(buffer))
    return model


def over_turned_columns(frequencies):
    """Exponents over the columns that turn, and not over the head."""
    turns = int((frequencies > 0).sum())
    return torch.cat([1e6 ** (-torch.arange(turns) / turns), frequencies[turns:]])


MODEL = {
    "huggingface/diffusers#13922": "under autocast",
    "huggingface/transformers#45902": "huge frequencies",
    "unslothai/unsloth#4112": "tiny frequencies",
    "sgl-project/sglang-jax#1472": "rates in bfloat16",
    "NVIDIA/TensorRT-LLM#4040": "rotated twice",
    "vllm-project/vllm#16912": "GLM: exponents over the head",
    "Blaizzy/mlx-vlm#1709": "Gemma: factor forgotten",
    "kekzl/imp#897": "YaRN forgotten",
    "ollama/ollama#13452": "Gemma: scaling in local layers",
    "unslothai/unsloth#3803": "llama: one for all rows",
    "unslothai/unsloth#4078": "gpt2: one row",
    "vllm-project/vllm#52665": "dynamic scaling stays",
    "sgl-project/sglang#33558": "YaRN: length forgotten",
    "huggingface/transformers#29285": "positions in the dtype of the vectors",
}


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("thread", MODEL)
def test_the_model_sees_it(thread):
    pytest.importorskip("transformers", reason="transformers is not installed (the extra `models`)")
    make, ids = zoo_transformers.FAULTS[MODEL[thread]]
    diagnosis = diagnose_model(make())
    assert ids & {finding.id for finding in diagnosis.findings}, diagnosis


@pytest.mark.long
@pytest.mark.slow
def test_the_model_sees_exponents_over_the_turned_columns():
    """aws-neuron/neuronx-distributed-inference#106: proportional rotary with another divisor."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed (the extra `models`)")
    if "gemma4_text" not in transformers.CONFIG_MAPPING:
        pytest.skip("this release has no Gemma 4")
    assert diagnose_model(gemma4(lambda same: same)).ok
    diagnosis = diagnose_model(gemma4(over_turned_columns))
    assert "not-as-configured" in [finding.id for finding in diagnosis.findings], diagnosis
