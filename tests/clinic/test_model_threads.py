"""Public threads of 2025 and 2026, each rebuilt: which instrument sees it, and under which name.

Not here, and why: vllm-gaudi#1437 deals an image's axes to other pairs, and with text nobody sees that in a model;
llama.cpp#22611 leaves out a permutation of weights, which random weights do not show.
"""

import pytest
import torch
import zoo_models
import zoo_positions
import zoo_transformers

from pe_clinic import diagnose_model, diagnose_positions, diagnose_rope
from pe_lib import rope_half_split, rope_interleaved

HEAD = 64


def rates(base=10000.0, pairs=HEAD // 2, width=HEAD):
    """base^(−2k/width) for each pair."""
    return base ** (-2 * torch.arange(pairs, dtype=torch.float64) / width)


def halves(x, angles):
    """x (…, length, 2 · pairs) rotated by angles (length, pairs)."""
    one, other = x.chunk(2, dim=-1)
    cos, sin = angles.cos().to(x), angles.sin().to(x)
    return torch.cat([one * cos - other * sin, other * cos + one * sin], dim=-1)


def turned(positions, frequencies):
    return positions.double()[:, None] * frequencies


def rounded(x, positions):
    return halves(x, turned(positions, rates().bfloat16().double()))


def divided_and_clamped(x, positions):
    return halves(x, turned((positions / 8).clamp(max=255), rates()))


def twice(x, positions):
    return rope_half_split(rope_half_split(x, positions), positions)


def junk(x, positions):
    return halves(x, turned(positions, rates() * 0 + 1e34))


def contiguous(x, positions):
    """The first 16 columns paired among themselves, with the exponents of the whole head."""
    return torch.cat([halves(x[..., :16], turned(positions, rates(pairs=8))), x[..., 16:]], dim=-1)


def growing():
    """Frequencies of the longest text so far."""
    seen = [512]

    def rotate(x, positions):
        seen[0] = max(seen[0], int(positions.max()) + 1)
        return halves(x, turned(positions, rates(base=10000.0 * seen[0] / 512)))

    return rotate


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


ROTATION = {  # thread: (the rotation, the mistake's id)
    "sgl-project/sglang-jax#1472": (lambda: rounded, "half-frequencies"),
    "rasbt/LLMs-from-scratch#939": (lambda: divided_and_clamped, "clamped"),
    "NVIDIA/TensorRT-LLM#4040": (lambda: twice, "turned-twice"),
    "huggingface/transformers#45902": (lambda: junk, "no-rotation"),
    "vllm-project/vllm#52665": (growing, "not-repeatable"),
    "apple/coreai-models#66": (lambda: contiguous, "partial-over-head-dim"),
}
POSITIONS = {
    "unslothai/unsloth#3803": ("one position for all", "one-position-for-all-rows"),
    "vllm-project/vllm#29593": ("height zero", "height-zero"),
    "sgl-project/sglang#25015": ("draft ahead", "one-ahead"),
}
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


@pytest.mark.parametrize("thread", ROTATION)
def test_the_rotation_sees_it(thread):
    make, said = ROTATION[thread]
    diagnosis = diagnose_rope(make())
    assert said in [finding.id for finding in diagnosis.findings], diagnosis


def test_the_rotation_says_which_columns_are_pairs():
    """Weights may be ordered for one kind of pairs and rotated by the other: each kind is named."""
    assert diagnose_rope(rope_half_split).convention == "half-split"
    assert diagnose_rope(rope_interleaved).convention != "half-split"


@pytest.mark.parametrize("thread", POSITIONS)
def test_the_positions_see_it(thread):
    name, mistake = POSITIONS[thread]
    assert mistake in [finding.id for finding in diagnose_positions(zoo_positions.WRONG[name][0]).findings]


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


@pytest.mark.slow
def test_the_model_sees_a_cache_that_drops_keys_and_does_not_rotate_the_rest_back():
    """ggml-org/llama.cpp#12357: after a context shift, Gemma 3 with its windows wrote nonsense."""
    right, wrong = (zoo_models.Rolling("halves", fault, 256) for fault in ("", "not rotated back"))
    assert diagnose_model(right).ok
    assert "cache-overflows" in [finding.id for finding in diagnose_model(wrong).findings]


def test_the_positions_say_which_convention_of_context_parallelism_holds():
    """NVIDIA/Megatron-LM#5243: for cu_seqlens [0, 4, 8] and rank 0 of 2, places in the row are 0, 3, 4, 7."""
    in_text = diagnose_positions(zoo_positions.RIGHT["context parallel, in each text"][0])
    assert in_text.convention == "context parallel, places in each text"
    make = zoo_positions.RIGHT["context parallel, in the row"][0]
    assert make(torch.tensor([0, 4, 8]), 2, 0) == [0, 3, 4, 7]
    assert diagnose_positions(make, expect="places in the row").ok
    expected = diagnose_positions(zoo_positions.RIGHT["context parallel, in each text"][0], expect="places in the row")
    assert expected.verdict.id == "unexpected"
