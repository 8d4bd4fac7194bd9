"""toy/: the transformer against torch's own attention, the tasks against plain Python, and that training works."""

import math
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import refuses
from torch.nn.functional import scaled_dot_product_attention

from pe_course.toy import Attention, Toy, accuracy, most_common, previous, reverse, train
from pe_course.toy.lengths import length_toy, right_at, right_by_place, rotating
from pe_lib import PositionalEncoding
from pe_lib.longer_texts import LearnedPositions, T5Bias, alibi_bias
from pe_lib.rope import rope_half_split, rope_interleaved


def some_ids(batch=3, length=7, seed=0):
    return torch.randint(10, (batch, length), generator=torch.Generator().manual_seed(seed))


def t5_bias(heads, causal):
    bias = T5Bias(heads, buckets=8, max_distance=16, causal=causal)
    torch.nn.init.normal_(bias.table, generator=torch.Generator().manual_seed(0))
    return bias


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("encoding", ["none", "alibi", "t5", "rope interleaved", "rope half-split"])
def test_attention_is_torch_s_own_with_a_float_mask(encoding, causal):
    heads, length, d_model = 3, 7, 12
    bias = {"alibi": lambda n: alibi_bias(heads, n), "t5": t5_bias(heads, causal)}.get(encoding)
    rotate = {"rope interleaved": rope_interleaved, "rope half-split": rope_half_split}.get(encoding)
    attention = Attention(d_model, heads, causal=causal, rotate=rotate, bias=bias)
    x = torch.randn(2, length, d_model, generator=torch.Generator().manual_seed(0))

    mask = torch.zeros(heads, length, length) if bias is None else bias(length).detach().clone()
    for query in range(length):
        for key in range(query + 1, length):
            mask[:, query, key] += -math.inf if causal else 0.0
    q, k, v = torch.einsum("bld,thed->tbhle", x, attention.qkv.weight.view(3, heads, 4, d_model)) + (
        attention.qkv.bias.view(3, 1, heads, 1, 4)
    )
    if rotate:
        q, k = rotate(q), rotate(k)
    heads_side_by_side = scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(2, length, -1)
    assert torch.allclose(attention(x), attention.out(heads_side_by_side), rtol=0, atol=1e-6)


@pytest.mark.parametrize("causal", [False, True])
def test_the_map_is_kept_and_its_rows_sum_to_1(causal):
    model = Toy(heads=4, causal=causal)
    model(some_ids())
    weights = model.layers[0].attention.map
    assert weights.shape == (3, 4, 7, 7) and not weights.requires_grad
    assert torch.allclose(weights.sum(3), torch.ones(3, 4, 7))
    assert bool((weights.triu(1) == 0).all()) == causal


@given(st.integers(0, 100), st.permutations(range(7)))
def test_without_an_encoding_a_shuffle_of_the_tokens_shuffles_the_answers(seed, order):
    model, ids = Toy(layers=2, seed=seed).double(), some_ids(seed=seed)
    assert torch.allclose(model(ids[:, order]), model(ids)[:, order], rtol=0, atol=1e-12)


OPTIONS = [{"encoding": PositionalEncoding(32)}, {"encoding": LearnedPositions(16, 32)}, {"rotate": rope_interleaved}]
OPTIONS += [{"bias": lambda n: alibi_bias(2, n)}, {"bias": t5_bias(2, causal=False)}, {"causal": True}]


@pytest.mark.parametrize("options", OPTIONS)
def test_every_encoding_and_a_causal_mask_alone_break_that(options):
    model, ids = Toy(**options), some_ids()
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    assert not torch.allclose(model(ids[:, order]), model(ids)[:, order], atol=1e-4)
    assert torch.allclose(model(ids)[1:2], model(ids[1:2]), rtol=0, atol=1e-5)  # samples do not see each other


def test_the_seed_fixes_the_weights_and_leaves_the_caller_s_random_numbers_alone():
    rows = LearnedPositions(20, 32)
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    first, second, other = Toy(seed=1), Toy(seed=1), Toy(seed=2)
    trained, again, another = (length_toy(seed, rows).encoding.table for seed in (0, 0, 1))
    assert torch.equal(torch.rand(3), expected)
    assert torch.equal(first(some_ids()), second(some_ids()))
    assert not torch.equal(first(some_ids()), other(some_ids()))
    assert torch.equal(trained, again) and not torch.equal(trained, another) and trained is not rows.table


def test_a_layer_that_is_trained_belongs_to_the_model():
    model = Toy(LearnedPositions(16, 32), bias=T5Bias(2), layers=2)
    names = [name for name, _ in model.named_parameters()]
    assert "encoding.table" in names
    assert sum("bias.table" in name for name in names) == 1  # one for all layers, as in T5


def test_heads_that_do_not_divide_the_width_and_a_first_position_that_is_none_are_refused():
    with refuses(ValueError, "heads must divide d_model = 32", "got 5"):
        Toy(heads=5)
    for first in (-1, 5, 6):
        with refuses(ValueError, "first must lie between 0 and length - 1 = 4", f"got {first}"):
            accuracy(Toy(), reverse, length=5, first=first)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_tasks_against_plain_python(tokens):
    ids = torch.tensor([tokens, tokens[::-1]])
    assert reverse(ids)[0].tolist() == tokens[::-1]
    assert previous(ids)[0].tolist() == [tokens[max(at - 1, 0)] for at in range(len(tokens))]
    commonest = min(tokens, key=lambda token: (-tokens.count(token), token))
    assert most_common(ids).tolist() == [[commonest] * len(tokens)] * 2


def test_without_one_it_learns_no_more_than_the_counts_of_tokens_tell():
    model = Toy()
    train(model, reverse, steps=200)
    ids = some_ids(batch=20_000, length=12)
    counts = torch.nn.functional.one_hot(ids, 10).sum(1)
    counts.scatter_add_(1, ids[:, :1], -torch.ones_like(ids[:, :1]))  # the others at the first position
    best = (counts.max(1).values / 11).mean().item()
    assert 0.2 < accuracy(model, reverse) < best + 0.01


def test_the_same_seed_trains_the_same_model_with_any_number_of_threads():
    def weights(threads, noise):
        torch.set_num_threads(threads)
        torch.manual_seed(noise)
        model = Toy(PositionalEncoding(32), seed=3)
        losses = train(model, previous, steps=12, seed=3, lengths=(2, 16))
        assert torch.get_num_threads() == threads
        return losses, model.read[1].weight

    try:
        (losses, first), (again, second) = weights(1, noise=1), weights(2, noise=2)
    finally:
        torch.set_num_threads(1)
    assert losses == again and torch.equal(first, second)


def test_another_seed_draws_other_sequences_of_lengths_from_the_range_given():
    first, other = (train(Toy(), reverse, steps=3, seed=seed) for seed in (0, 1))
    model = Toy()
    torch.manual_seed(0)
    once = accuracy(model, reverse, batches=2, seed=0)
    torch.manual_seed(1)
    assert first != other and accuracy(model, reverse, batches=2, seed=0) == once
    assert once != accuracy(model, reverse, batches=2, seed=1)
    assert all(parameter.grad is None for parameter in model.parameters())
    watched = Mock(side_effect=reverse)
    train(Toy(), watched, steps=60, batch=4, lengths=(3, 5))
    assert {ids.shape for (ids,), _ in watched.call_args_list} == {(4, 3), (4, 4), (4, 5)}


def test_accuracy_counts_right_answers_from_the_first_position_asked_for_without_dropout():
    class Echo(torch.nn.Module):
        """Answers with the token itself, which is right for `previous` at position 0, and at 1 in 10 others."""

        classes = 10

        def forward(self, ids):
            return torch.nn.functional.one_hot(ids, 10).float()

    assert accuracy(Echo(), lambda ids: ids) == 1
    assert accuracy(Echo(), lambda ids: (ids + 1) % 10) == 0
    assert accuracy(Echo(), previous, length=10) == pytest.approx(0.1 + 0.9 * 0.1, abs=0.01)
    assert accuracy(Echo(), previous, length=10, first=1) == pytest.approx(0.1, abs=0.01)
    model = Toy(encoding=PositionalEncoding(32, dropout=0.9))
    assert model.training and accuracy(model, reverse, batches=2) == accuracy(model, reverse, batches=2)
    assert model.training and model.encoding.dropout.training
    assert accuracy(model, reverse, batches=2) == accuracy(model.eval(), reverse, batches=2)
    assert not model.training


def test_progress_is_one_line_that_is_wiped_at_the_end_and_silent_unless_somebody_watches(capsys):
    train(Toy(), reverse, steps=25)
    assert capsys.readouterr().out == ""
    train(Toy(), reverse, steps=60, progress=True)
    shown = capsys.readouterr().out
    assert "\n" not in shown
    assert [part.split(",")[0] for part in shown.split("\r") if part.strip()] == ["step 25 of 60", "step 50 of 60"]
    longest = max(map(len, shown.split("\r")))
    assert shown.endswith(f"\r{' ' * longest}\r")


@pytest.mark.parametrize("asked", [True, False])
def test_in_a_notebook_a_person_watches_if_they_could_be_asked(monkeypatch, asked):
    """nbclient and nbval run cells with allow_stdin=False; JupyterLab allows it."""
    import ipykernel  # noqa: F401
    import IPython

    from pe_course.toy.training import somebody_watches

    shell = type("Shell", (), {"kernel": type("Kernel", (), {"_allow_stdin": asked})})
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    assert somebody_watches() is asked


def test_beyond_the_trained_length_only_new_positions_count():
    class Early(torch.nn.Module):
        """Right up to position 15, and wrong from there on."""

        layers, classes = (), 10

        def forward(self, ids):
            right = previous(ids)
            right[:, 16:] = (right[:, 16:] + 1) % 10
            return torch.nn.functional.one_hot(right, 10).float()

    assert right_at(Early(), (16, 24), trained=16) == [1.0, 0.0]
    by_place = right_by_place([Early()], length=48)
    assert by_place.shape == (33,)
    assert (by_place[0], by_place[8], by_place[16]) == pytest.approx((1.0, 0.5, 0.0))


def test_other_frequencies_rotate_trained_toys():
    model = length_toy(0, rotate=rope_interleaved, causal=True)
    ids, usual = some_ids(), np.array([1, 0.1, 0.01, 0.001])
    before = model(ids)
    assert torch.allclose(rotating([model], usual)[0](ids), before, atol=1e-5)
    assert not torch.allclose(rotating([model], usual / 4)[0](ids), before, atol=1e-3)
