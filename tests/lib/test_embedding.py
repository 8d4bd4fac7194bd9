"""embedding.py against the dense product that it replaces."""

import math

import pytest
import torch
from oracle import refuses

from pe_lib import TokenEmbedding

IDS = torch.tensor([[2, 5, 7, 3, 1], [5, 5, 0, 9, 5]])


@pytest.mark.parametrize("vocab_size, d_model", [(10, 6), (10, 1), (12, 7)])
def test_it_is_one_hot_times_table_times_root_of_d_model(vocab_size, d_model):
    layer = TokenEmbedding(vocab_size, d_model)
    one_hot = torch.nn.functional.one_hot(IDS, vocab_size).double()
    dense = one_hot @ layer.embedding.weight.double() * math.sqrt(d_model)
    assert layer(IDS).dtype == torch.float32 and layer(IDS).shape == (2, 5, d_model)
    assert torch.equal(layer(IDS.to(torch.int32)), layer(IDS))
    assert torch.allclose(layer(IDS).double(), dense, rtol=1e-6, atol=0)
    layer(IDS).sum().backward()
    uses = one_hot.sum(
        (0, 1)
    ).float()  # of each id: only the rows that are looked up get a gradient, once for every use
    assert torch.allclose(layer.embedding.weight.grad, (uses * math.sqrt(d_model))[:, None].expand(-1, d_model))


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_components_start_with_deviation_1_and_rows_with_length_1(device):
    """So does a layer that was made without numbers, once it is filled."""
    torch.manual_seed(0)
    with torch.device(device):
        layer = TokenEmbedding(2000, 100)
    if device == "meta":
        torch.nn.init.zeros_(layer.to_empty(device="cpu").embedding.weight)
        layer.reset_parameters()
    assert layer.embedding.weight.std().item() == pytest.approx(0.1, rel=0.01)
    assert layer.embedding.weight.norm(dim=1).mean().item() == pytest.approx(1, rel=0.01)
    assert layer.embedding.weight.mean().item() == pytest.approx(0, abs=0.001)
    assert layer(torch.arange(2000).unsqueeze(0)).std().item() == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (2, 5)])
def test_an_empty_batch_stays_empty_and_the_output_has_the_dtype_of_the_table(shape, dtype):
    found = TokenEmbedding(10, 6).to(dtype)(torch.zeros(shape, dtype=torch.int64))
    assert found.shape == (*shape, 6) and found.dtype == dtype


def test_a_checkpoint_holds_the_table_alone():
    layer, other = TokenEmbedding(10, 6), TokenEmbedding(10, 6)
    other.load_state_dict(layer.state_dict())
    assert list(layer.state_dict()) == ["embedding.weight"] and torch.equal(other(IDS), layer(IDS))


def test_an_index_error_that_has_nothing_to_do_with_the_ids_stays_what_it_is():
    def hook(*_):
        raise IndexError("from the hook")

    layer = TokenEmbedding(10, 6)
    layer.embedding.register_forward_hook(hook)
    with refuses(IndexError, "from the hook"):
        layer(IDS)
