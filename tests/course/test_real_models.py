"""pe_course/real_models.py: the helpers of lesson 13. What the models do is for the lesson, which nbval runs."""

import importlib.util

import pytest
import torch

from pe_course.real_models import count_visible, in_steps, keys_of_a_trained_model, quantised, small, to_add


def test_without_transformers_one_line_says_what_to_install(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "transformers" else found(name))
    with pytest.raises(ImportError, match=r"^This lesson needs transformers: pip install '.*'\.") as error:
        small("Llama")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("prompt", [1, 4, 7])
def test_steps_give_the_logits_of_the_whole_text(prompt):
    pytest.importorskip("transformers")
    model, ids = small("Llama"), torch.arange(3, 10)[None]
    with torch.no_grad():
        whole = model(input_ids=ids).logits
    torch.testing.assert_close(in_steps(model, ids, prompt=prompt), whole, atol=1e-5, rtol=1e-4)


def test_visible_tokens_are_counted_from_0_and_what_is_not_allowed_gets_no_weight():
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    assert count_visible(mask).tolist() == [[0, 0, 0, 1, 2], [0, 1, 2, 3, 4]]
    allowed = torch.tensor([[True, False], [True, True]])
    weights = (torch.randn(2, 2) + to_add(allowed)).softmax(dim=-1)
    assert to_add(allowed).shape == (1, 1, 2, 2)
    assert (weights[0, 0] > 0).tolist() == allowed.tolist()


def test_quantised_channels_have_sixteen_values_and_keep_their_ends():
    keys = keys_of_a_trained_model(seed=0)
    rounded = quantised(keys)
    assert keys.shape == (1, 1, 200, 16)
    assert abs(keys[..., 3].mean() - 20) < 0.5
    assert all(len(channel.unique()) <= 16 for channel in rounded[0, 0].round(decimals=3).T)
    torch.testing.assert_close(rounded.amin(-2), keys.amin(-2))
    torch.testing.assert_close(rounded.amax(-2), keys.amax(-2))
