"""embedding.py against the dense product that it replaces."""

import math

import pytest
import torch
from oracle import refuses

from pe_lib import TokenEmbedding

IDS = torch.tensor([[2, 5, 7, 3, 1], [5, 5, 0, 9, 5]])


@pytest.fixture
def embedding():
    torch.manual_seed(0)
    return TokenEmbedding(10, 6)


@pytest.mark.parametrize("vocab_size, d_model", [(10, 6), (10, 1), (12, 7)])
def test_it_is_one_hot_times_table_times_root_of_d_model(vocab_size, d_model):
    layer = TokenEmbedding(vocab_size, d_model)
    one_hot = torch.zeros(2, 5, vocab_size, dtype=torch.float64)
    for b, t in [(b, t) for b in range(2) for t in range(5)]:
        one_hot[b, t, IDS[b, t]] = 1
    dense = one_hot @ layer.embedding.weight.double() * math.sqrt(d_model)
    assert layer(IDS).dtype == torch.float32 and layer(IDS).shape == (2, 5, d_model)
    assert torch.equal(layer(IDS.to(torch.int32)), layer(IDS))
    assert torch.allclose(layer(IDS).double(), dense, rtol=1e-6, atol=0)


def test_components_start_with_deviation_1_and_rows_with_length_1():
    torch.manual_seed(0)
    layer = TokenEmbedding(2000, 100)
    assert layer.embedding.weight.std().item() == pytest.approx(0.1, rel=0.01)
    assert layer.embedding.weight.norm(dim=1).mean().item() == pytest.approx(1, rel=0.01)
    assert layer.embedding.weight.mean().item() == pytest.approx(0, abs=0.001)
    assert layer(torch.arange(2000).unsqueeze(0)).std().item() == pytest.approx(1, rel=0.01)


def test_gradient_reaches_only_the_rows_looked_up_once_for_every_use(embedding):
    embedding(IDS).sum().backward()
    uses = torch.tensor([1, 1, 1, 1, 0, 4, 0, 1, 0, 1])  # how often each id stands in IDS
    assert torch.allclose(embedding.embedding.weight.grad, uses.unsqueeze(1) * torch.full((10, 6), math.sqrt(6)))


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_an_empty_batch_or_sequence_stays_empty(embedding, shape):
    assert embedding(torch.zeros(shape, dtype=torch.int64)).shape == (*shape, 6)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_the_output_has_the_dtype_of_the_table(embedding, dtype):
    assert embedding.to(dtype)(IDS).dtype == dtype


def test_a_layer_from_the_meta_device_can_be_filled():
    with torch.device("meta"):
        layer = TokenEmbedding(500, 100)
    layer.to_empty(device="cpu")
    torch.nn.init.zeros_(layer.embedding.weight)
    layer.reset_parameters()
    assert layer.embedding.weight.std().item() == pytest.approx(0.1, rel=0.02)


def test_a_checkpoint_holds_the_table_alone(embedding):
    other = TokenEmbedding(10, 6)
    other.load_state_dict(embedding.state_dict())
    assert list(embedding.state_dict()) == ["embedding.weight"]
    assert torch.equal(other(IDS), embedding(IDS))


def test_an_index_error_that_has_nothing_to_do_with_the_ids_stays_what_it_is(embedding):
    def hook(*_):
        raise IndexError("from the hook")

    embedding.embedding.register_forward_hook(hook)
    with refuses(IndexError, "from the hook"):
        embedding(IDS)
