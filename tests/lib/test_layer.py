"""layer.py: every promise of `PositionalEncoding`, in both layouts."""

import copy
import io
import pickle

import numpy as np
import pytest
import torch
from oracle import default_dtype, exact_table, refuses

from pe_lib import PositionalEncoding, sinusoidal_stack_flatten

LAYOUTS = pytest.mark.parametrize("batch_first", [True, False])


def embeddings(batch, length, batch_first, width=6, **options):
    """Random x of the layout asked for."""
    shape = (batch, length, width) if batch_first else (length, batch, width)
    return torch.randn(shape, generator=torch.Generator().manual_seed(0), **options)


def encoding_of(layer, length):
    """What the layer should add, to 50 digits, shaped to broadcast over the batch."""
    return torch.from_numpy(exact_table(length, layer.embed_size)).unsqueeze(0 if layer.batch_first else 1)


@LAYOUTS
@pytest.mark.parametrize("batch, length", [(2, 3), (1, 4), (2, 8), (3, 1), (3, 3), (8, 3), (0, 3), (2, 0), (0, 0)])
def test_it_adds_the_row_of_its_position_to_every_token_and_passes_the_gradient_on(batch_first, batch, length):
    layer = PositionalEncoding(6, max_len=8, batch_first=batch_first)
    x = embeddings(batch, length, batch_first, requires_grad=True)
    total = layer(x)
    assert total.shape == x.shape
    assert torch.allclose(total.double(), x.double() + encoding_of(layer, length), rtol=1e-7, atol=6e-8)
    total.sum().backward()
    assert torch.equal(x.grad, torch.ones_like(x))


def test_the_table_has_512_rows_unless_told_and_a_checkpoint_which_holds_none_fits_another_max_len():
    layer = PositionalEncoding(6)
    assert layer.pe.shape == (1, 512, 6) and layer.dropout.p == 0
    assert PositionalEncoding(6, 9, 0.1, False).pe.shape == (9, 1, 6)
    assert "embed_size=6, max_len=9, batch_first=False" in repr(PositionalEncoding(6, 9, batch_first=False))
    short, long = (torch.nn.Sequential(PositionalEncoding(6, max_len=n), torch.nn.Linear(6, 6)) for n in (16, 32))
    assert list(short[0].parameters()) == [] and dict(short[0].state_dict()) == {}
    assert [name for name, _ in short[0].named_buffers()] == ["pe"] and not short[0].pe.requires_grad
    long.load_state_dict(short.state_dict())
    x = embeddings(2, 16, True)
    assert torch.equal(long(x), short(x))
    assert long(embeddings(2, 32, True)).shape == (2, 32, 6)


@LAYOUTS
@pytest.mark.parametrize("chunk", [1, 3, 8])
def test_decoding_in_pieces_gives_exactly_the_rows_of_the_whole(batch_first, chunk):
    layer, axis = PositionalEncoding(6, max_len=8, batch_first=batch_first).eval(), int(batch_first)
    x = embeddings(2, 8, batch_first)
    pieces = [layer(piece, start=chunk * at) for at, piece in enumerate(x.split(chunk, dim=axis))]
    assert torch.equal(torch.cat(pieces, dim=axis), layer(x))


@pytest.mark.parametrize("start", [np.int64(5), np.int8(127), np.uint8(255), np.int8(126)])
def test_start_may_be_a_numpy_integer(start):
    """Of a few bits, too: start + length must not overflow in them."""
    layer, x = PositionalEncoding(6, max_len=300), embeddings(2, 3, True)
    assert torch.equal(layer(x, start=start), layer(x, start=int(start)))
    with refuses(ValueError, f"(start {start}, length 296)"):
        layer(torch.zeros(1, 296, 6), start=start)


@LAYOUTS
def test_dropout_falls_on_the_sum_and_only_in_training(batch_first):
    layer, x = PositionalEncoding(6, max_len=8, dropout=0.25, batch_first=batch_first), embeddings(2, 3, batch_first)
    total = layer.eval()(x)
    assert torch.equal(total, PositionalEncoding(6, max_len=8, batch_first=batch_first)(x))
    torch.manual_seed(0)
    dropped = layer.train()(x)
    torch.manual_seed(0)
    assert torch.equal(dropped, torch.nn.functional.dropout(total, 0.25)) and (dropped == 0).any()


@LAYOUTS
@pytest.mark.parametrize("batch, length", [(1, 8), (1, 1), (2, 3)])
def test_changing_the_output_in_place_spoils_neither_x_nor_later_calls(batch_first, batch, length):
    layer, x = PositionalEncoding(6, max_len=8, batch_first=batch_first), embeddings(batch, length, batch_first)
    x_before, first = x.clone(), layer(x).clone()
    layer(x).zero_()
    layer(torch.zeros_like(x)).fill_(9)
    assert torch.equal(layer(x), first) and torch.equal(x, x_before)


# dtype and device


@pytest.mark.parametrize("dtype, within", [(torch.float16, 2e-3), (torch.bfloat16, 1.6e-2), (torch.float64, 6e-8)])
@LAYOUTS
def test_x_comes_back_in_its_dtype_from_a_float32_table_and_from_one_in_another(batch_first, dtype, within):
    layer, x = PositionalEncoding(6, max_len=8, batch_first=batch_first), embeddings(2, 3, batch_first).to(dtype)
    assert layer.pe.dtype == torch.float32 and layer(x).dtype == dtype
    exact = x.double() + encoding_of(layer, 3)
    assert torch.allclose(layer(x).double(), exact, atol=within, rtol=torch.finfo(dtype).eps)
    layer.to(dtype)
    assert layer.pe.dtype == layer(x).dtype == dtype and layer(x.float()).dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
@LAYOUTS
def test_a_layer_made_under_another_default_dtype_has_the_same_float32_table(batch_first, dtype):
    """After a trip to half precision it can be made exact again."""
    exact = sinusoidal_stack_flatten(300, 6)
    with default_dtype(dtype):
        layer = PositionalEncoding(6, max_len=300, batch_first=batch_first)
        assert torch.equal(layer.pe.squeeze(), exact) and layer.pe.dtype == torch.float32
        layer.reset_parameters()
    assert torch.equal(layer.pe.squeeze(), exact) and layer.pe.dtype == torch.float32
    layer.to(dtype).float()
    assert torch.equal(layer.pe.squeeze(), exact) == (dtype == torch.float64)
    layer.reset_parameters()
    assert torch.equal(layer.pe.squeeze(), exact) and layer.pe.dtype == torch.float32


def from_meta(batch_first=True, **options):
    with torch.device("meta"):
        return PositionalEncoding(6, max_len=8, batch_first=batch_first, **options)


def with_junk(tensor):
    return torch.full_like(tensor, 7.0, device="cpu")


@LAYOUTS
def test_to_empty_of_any_module_around_it_fills_the_table(batch_first):
    for layer in (from_meta(batch_first), from_meta(batch_first).half(), PositionalEncoding(6, 8, 0.0, batch_first)):
        model = torch.nn.Sequential(torch.nn.Identity(), torch.nn.Sequential(layer.to("meta")))
        model._apply(with_junk)  # what to_empty calls, with junk for certain
        expected = sinusoidal_stack_flatten(8, 6).to(layer.pe.dtype)
        assert torch.equal(layer.pe.squeeze(), expected)
        assert torch.equal(model(embeddings(1, 8, batch_first) * 0), layer.pe.float())
    assert torch.equal(from_meta(batch_first).to_empty(device="cpu").pe, layer.pe)


@pytest.mark.parametrize("put", [setattr, lambda layer, name, junk: layer._buffers.update({name: junk})])
@pytest.mark.parametrize(
    "copied", [lambda layer: layer, copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer))]
)
def test_junk_in_the_place_of_the_unfilled_table_is_never_added(put, copied):
    layer, x = from_meta(), embeddings(2, 3, True)
    put(layer, "pe", with_junk(layer.pe))
    layer = copied(layer)
    assert torch.equal(layer(x), PositionalEncoding(6, 8)(x))
    layer.load_state_dict({})
    assert torch.equal(layer.half()(x.half()), PositionalEncoding(6, 8).half()(x.half()))


def test_a_layer_left_on_the_meta_device_names_the_call_that_helps():
    layer, x = from_meta(), embeddings(2, 3, True)
    assert layer(x.to("meta")).shape == x.shape
    layer.load_state_dict({"pe": torch.zeros(1, 8, 6)}, assign=True)
    with refuses(RuntimeError, "still on the meta device", 'to_empty(device="cpu")'):
        layer(x)
    assert torch.equal(layer.to_empty(device="cpu")(x), PositionalEncoding(6, 8)(x))


def test_a_table_of_one_s_own_and_other_buffers_are_left_alone():
    class Mine(PositionalEncoding):
        def __init__(self):
            super().__init__(6, max_len=8)
            self.register_buffer("mine", torch.ones(3))

    layer, x = Mine(), embeddings(2, 3, True)
    layer.pe = torch.zeros(1, 8, 6)
    assert torch.equal(layer.double().half()(x.half()), x.half()) and layer.mine.dtype == torch.float16
    stacked = {"pe": torch.ones(1, 8, 6)}
    assert torch.equal(torch.func.functional_call(layer.to("meta"), stacked, x), x + 1)


@pytest.mark.slow
def test_a_filled_and_an_unfilled_layer_compile_and_export():
    x = embeddings(2, 3, True, requires_grad=True)
    expected = PositionalEncoding(6, 8)(x)
    filled, unfilled = from_meta().to_empty(device="cpu"), from_meta()
    unfilled.pe = with_junk(unfilled.pe)
    for layer in (filled, unfilled):
        torch._dynamo.reset()
        compiled = torch.compile(copy.deepcopy(layer), fullgraph=True, backend="aot_eager")
        assert torch.equal(compiled(x), expected) and torch.equal(compiled(x), expected)
        (gradient,) = torch.autograd.grad(compiled(x).sum(), x)
        assert torch.equal(gradient, torch.ones_like(x))
    assert torch.equal(torch.export.export(filled, (x,)).module()(x), expected)


@pytest.mark.parametrize("saved", [(1, 8, 6), (8, 1, 6), (1, 5000, 6), (3,), ()])
@pytest.mark.parametrize("strict", [True, False])
def test_a_checkpoint_that_holds_a_table_loads_and_the_layer_keeps_its_own(saved, strict):
    layer, checkpoint = PositionalEncoding(6, max_len=8), {"pe": torch.full(saved, 9.0)}
    assert str(layer.load_state_dict(checkpoint, strict=strict)) == "<All keys matched successfully>"
    assert torch.equal(layer.pe[0], sinusoidal_stack_flatten(8, 6))
    assert list(checkpoint) == ["pe"]  # the caller's dict is left alone


def test_a_checkpoint_that_holds_a_table_loads_into_a_model_and_other_keys_are_still_checked():
    inner = torch.nn.Sequential(PositionalEncoding(6, max_len=8), torch.nn.Linear(6, 6))
    model = torch.nn.Sequential(torch.nn.Identity(), inner)
    checkpoint = {"1.0.pe": torch.zeros(1, 5000, 6), "1.1.weight": torch.eye(6), "1.1.bias": torch.ones(6)}
    model.load_state_dict(checkpoint)
    assert torch.equal(model(torch.zeros(1, 8, 6))[0], sinusoidal_stack_flatten(8, 6) + 1)
    for key in ("1.0.other", "1.0.dropout.pe", "1.1.pe", "pe"):
        with pytest.raises(RuntimeError, match=f'Unexpected key.*"{key}"'):
            model.load_state_dict({**checkpoint, key: torch.zeros(1)})


def saved_and_loaded(layer):
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer)), saved_and_loaded])
@LAYOUTS
def test_a_copy_computes_the_same_and_owns_its_table(batch_first, copied):
    layer, x = PositionalEncoding(6, 8, batch_first=batch_first).half().eval(), embeddings(2, 3, batch_first)
    twin = copied(layer)
    assert torch.equal(twin(x), layer(x)) and twin.pe.dtype == torch.float16 and not twin.training
    twin.load_state_dict({"pe": torch.zeros(3)})
    twin.pe.zero_()
    assert layer.pe.abs().sum() > 0


@LAYOUTS
@pytest.mark.slow
def test_it_compiles_whole_for_every_length_and_start(batch_first):
    from torch._dynamo.testing import CompileCounterWithBackend

    torch._dynamo.reset()
    compilations = CompileCounterWithBackend("aot_eager")
    layer = PositionalEncoding(6, max_len=32, batch_first=batch_first)
    compiled = torch.compile(layer, fullgraph=True, backend=compilations)
    for length in (5, 9, 2, 17, 31, 32, 1):
        x = embeddings(2, length, batch_first)
        assert torch.equal(compiled(x), layer(x))
    for start in (0, 1, 2, 9, 30, 31):
        x = embeddings(2, 1, batch_first)
        assert torch.equal(compiled(x, start=start), layer(x, start=start))
    # Not one for each length: fixed, dynamic and length 1; then the starts 0 and 1, and all others.
    assert compilations.frame_count <= 6


@pytest.mark.slow
def test_a_compiled_layer_still_refuses_a_sequence_past_the_end():
    torch._dynamo.reset()
    layer = torch.compile(PositionalEncoding(6, max_len=8), backend="eager")
    with refuses(ValueError, "length 9", "max_len = 8"):
        layer(torch.zeros(2, 9, 6))


@LAYOUTS
def test_it_exports_with_a_dynamic_length(batch_first):
    layer, axis = PositionalEncoding(6, max_len=32, batch_first=batch_first), int(batch_first)
    length = torch.export.Dim("length", max=32)
    exported = torch.export.export(layer, (embeddings(2, 5, batch_first),), dynamic_shapes={"x": {axis: length}})
    for n in (1, 2, 5, 17, 32):
        x = embeddings(2, n, batch_first)
        assert torch.equal(exported.module()(x), layer(x))
