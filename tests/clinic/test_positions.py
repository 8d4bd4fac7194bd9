"""`diagnose_positions`: makers of position ids, by their parameters' names."""

import pytest
import torch
import zoo_positions

from pe_clinic import diagnose, recognise
from pe_clinic.__main__ import main
from pe_clinic.positions import diagnose as room
from pe_clinic.positions.diagnose import diagnose_positions


@pytest.mark.parametrize("name", zoo_positions.RIGHT)
def test_right_positions_are_right(name):
    make, convention = zoo_positions.RIGHT[name]
    diagnosis = diagnose_positions(make)
    assert diagnosis.ok, diagnosis
    assert diagnosis.convention == convention


@pytest.mark.parametrize("name", zoo_positions.WRONG)
def test_a_fault_is_named(name):
    make, mistake = zoo_positions.WRONG[name]
    diagnosis = diagnose_positions(make)
    assert not diagnosis.ok
    assert mistake in [finding.id for finding in diagnosis.findings], diagnosis


def test_the_evidence_shows_a_call_its_ids_and_the_right_ones():
    make, _ = zoo_positions.WRONG["cache restarts"]
    assert "past_length 5, length 1: [0]; right is [5]" in diagnose_positions(make).findings[0].evidence


@pytest.mark.parametrize(
    "make", [lambda table: table, lambda past_length, length: 1 / 0, lambda past_length, length: "no"]
)
def test_a_call_that_is_not_possible_is_not_run(make):
    diagnosis = diagnose_positions(make)
    assert diagnosis.verdict.status == 2, diagnosis


def test_unknown_parameters_are_named_with_those_that_work():
    text = str(diagnose_positions(lambda table: table))
    assert "(table)" in text and "attention_mask" in text and "grid_thw" in text


def test_pads_taken_from_every_place_hold_on_the_left_alone():
    def position_ids(attention_mask):
        pads = (attention_mask == 0).sum(-1, keepdim=True)
        return (torch.arange(attention_mask.shape[1]) - pads).clamp(min=0)

    diagnosis = diagnose_positions(position_ids)
    assert [finding.id for finding in diagnosis.usage] == ["left-only"]
    assert diagnosis.verdict.status == 0


def test_expect_names_the_case():
    def make(past_length, length):
        return past_length + torch.arange(length)

    assert diagnose_positions(make, expect="cache").ok
    assert not diagnose_positions(make, expect="padding").ok


def test_every_alteration_has_words():
    assert {name for each in room.ALTERATIONS.values() for name, _ in each} <= set(room.MISTAKES)


SOURCE = """
import torch
def position_ids(attention_mask, past_length):
    return (attention_mask.long().cumsum(-1) - 1).clamp(min=0)[:, past_length:]
def count(attention_mask, past_key_values_length=0, device=None):
    return (attention_mask.long().cumsum(-1) - 1).clamp(min=0)[:, past_key_values_length:]
def ids_from_mask(attention_mask):
    return attention_mask.cumsum(-1)
def get_position_ids(document_ids):
    return torch.arange(document_ids.shape[1]).expand(document_ids.shape)
def make_positions(cu_seqlens):
    return torch.cat([torch.arange(n) for n in cu_seqlens.diff().tolist()])
def patch_positions(grid_thw):
    parts, begin = [], 0
    for t, h, w in grid_thw.tolist():
        parts.append(torch.stack(torch.meshgrid(*map(torch.arange, (t, h, w)), indexing="ij")).flatten(1) + begin)
        begin = int(parts[-1].max()) + 1
    return torch.cat(parts, 1)
def decode_positions(past_length, length):
    return torch.arange(length)
def position_ids_of_tokens(input_ids, eos_token_id):
    ends = torch.cat([torch.zeros_like(input_ids[:, :1]), input_ids[:, :-1] == eos_token_id], 1).cumsum(1)
    return torch.stack([torch.tensor([int((row[:n] == row[n]).sum()) for n in range(len(row))]) for row in ends])
def position_ids_of_a_row(tokens, sep_token_id):
    ids, n = [], 0
    for token in tokens:
        ids.append(n)
        n = 0 if token == sep_token_id else n + 1
    return torch.tensor(ids)
def position_ids_in_one_memory(data, eod_token):
    ids = torch.arange(data.shape[1]).expand_as(data)
    for b, n in (data == eod_token).nonzero().tolist():
        ids[b, n + 1 :] -= ids[b, n].item() + 1
    return ids
def position_ids_of_flat_tokens(input_ids, eos_token_id):
    at = torch.arange(input_ids.numel())
    last = torch.where((input_ids == eos_token_id).flatten(), at, -1).cummax(0).values.roll(1)
    last[0] = -1
    return (at - last - 1).view(input_ids.shape)
def positions_from_starts(x, document_starts):
    at = torch.arange(x.shape[1])
    return torch.stack([at - torch.stack([s * (at >= s) for s in row.clamp(min=0)]).amax(0) for row in document_starts])
def roberta_position_ids(input_ids, padding_idx, past_key_values_length=0):
    mask = input_ids.ne(padding_idx).int()
    return (mask.cumsum(1) + past_key_values_length) * mask + padding_idx
def position_ids_of_an_object(args, tokens, packed):
    if getattr(args, "with_positions", False):
        return torch.cat([torch.arange(n) for n in packed.cu_seqlens_q.diff().tolist()])[None]
def position_ids_by_the_cache(attention_mask, past_length):
    if past_length:
        return torch.full((len(attention_mask), 1), past_length)
    return (attention_mask.cumsum(-1) - 1).clamp(min=0)
def real_position_ids(attention_mask):
    return (attention_mask.cumsum(-1) - 1).clamp(min=0).float()
def position_ids_of_a_batch(attention_mask):
    assert len(attention_mask) > 1, "a batch"
    return (attention_mask.cumsum(-1) - 1).clamp(min=0)
def seq_positions(seq_lens):
    return torch.cat([torch.arange(n) for n in seq_lens.tolist()])
class Decoder:
    def __init__(self, axes=3):
        self.axes = axes
    def position_ids(self, start_pos, seq_len):
        return (start_pos[:, None] + torch.arange(seq_len)).expand(self.axes, -1, -1)
    def prepare_inputs_for_generation(self, input_ids, past_key_values=None, **kwargs):
        past = past_key_values[0][0].shape[2] if past_key_values else 0
        ids = (kwargs["attention_mask"].cumsum(-1) - 1).clamp(min=0)[:, past:]
        return {"input_ids": input_ids[:, past:], "position_ids": ids + (past > 0)}
def numpy_position_ids(mask):
    return (mask.cumsum(-1) - 1).clip(0).astype("int64")
def img_ids(h, w, batch_size, dtype=torch.float32):
    ids = torch.zeros(h, w, 3)
    ids[..., 1] += torch.arange(h)[:, None]
    return (ids + torch.tensor([0, 0, 1]) * torch.arange(w)[:, None]).view(1, -1, 3).repeat(batch_size, 1, 1)
def picture_positions(h, w):
    return torch.stack([torch.arange(h).repeat(w), torch.arange(w).repeat(h)], -1)
def causal_mask(attention_mask, past_length):
    return attention_mask[:, None, None].bool()
def position_bias(heads, length):
    distance = torch.arange(length) - torch.arange(length)[:, None]
    return 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)[:, None, None] * distance
def position_mask(attention_mask, dtype):
    return attention_mask.to(dtype)
def positions(length, d_model):
    return torch.zeros(length, d_model)
def rot_pos_emb(grid_thw):
    return torch.zeros(3, 4)
def transpose(grid):
    return grid.T
def segment_lengths(cu_seqlens):
    return cu_seqlens.diff()
"""
MAKERS = {  # name: what the first lines say
    "position_ids": "Right. Convention: padding.",
    "count": "Right. Convention: padding.",
    "ids_from_mask": "Not right yet.",
    "get_position_ids": "Positions run on over the documents.",
    "make_positions": "Right. Convention: packing.",
    "patch_positions": "Right. Convention: grid.",
    "decode_positions": "Not right yet.",
    "position_ids_of_tokens": "Right. Convention: packing.",
    "position_ids_of_a_row": "Right. Convention: packing, one row.",
    "position_ids_in_one_memory": "All rows get the same positions, though they differ.",
    "position_ids_of_flat_tokens": "The positions are right; this holds for one row alone: a batch comes out wrong.",
    "positions_from_starts": "Right. Convention: packing.",
    "roberta_position_ids": "Right. Convention: padding, ids from padding_idx + 1.",
    "position_ids_by_the_cache": "After the prompt, positions are counted by the cache.",
    "real_position_ids": "The positions are right; it gives real numbers.",
    "position_ids_of_a_batch": "The positions are right; it refuses some inputs.",
    "seq_positions": "Right. Convention: packing.",
}


@pytest.mark.parametrize("name", MAKERS)
def test_makers_of_position_ids_are_recognised_by_their_parameters(name, tmp_path, capsys):
    (tmp_path / "model.py").write_text(SOURCE, encoding="utf-8")
    main([f"{tmp_path / 'model.py'}:{name}"])
    said = capsys.readouterr().out
    assert "looked at as a maker of position ids" in said and MAKERS[name] in said
    names = {}
    exec(SOURCE, names)
    assert recognise(names[name])[0] == "positions"
    assert MAKERS[name] in str(diagnose(names[name]))


IN_FILES = {
    "position_ids_of_an_object": "Right. Convention: packing.",
    "position_ids_of_what": "is not known",
    "Decoder.position_ids": "Right. Convention: cache, a start for each row, on every axis.",
    "Decoder.prepare_inputs_for_generation": "[[5]]; right is [[4]]",
    "numpy_position_ids": "Right. Convention: padding.",
    "img_ids": "The positions are right; it gives real numbers.",
    "picture_positions": "the row is tiled where it should be repeated",
}


@pytest.mark.parametrize("name", IN_FILES)
def test_the_code_tells_what_an_object_holds_and_what_is_not_known_is_not_judged(name, tmp_path, capsys):
    more = "\ndef position_ids_of_what(hidden, foo):\n    return torch.arange(hidden.shape[1])\n"
    (tmp_path / "model.py").write_text(SOURCE + more, encoding="utf-8")
    main([f"{tmp_path / 'model.py'}:{name}"])
    assert IN_FILES[name] in "".join(capsys.readouterr())


OTHERS = ("causal_mask", "position_bias", "position_mask", "positions", "rot_pos_emb", "transpose", "segment_lengths")


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_and_parameters_say_that_it_is_something_else(name):
    names = {}
    exec(SOURCE, names)
    assert recognise(names[name])[0] != "positions"


def test_a_line_of_a_mask_and_a_past_length_is_recognised(tmp_path, capsys):
    (tmp_path / "model.py").write_text(SOURCE, encoding="utf-8")
    line = "lambda attention_mask, past_length: position_ids(attention_mask, past_length)"
    main([f"{tmp_path / 'model.py'}", "--make", line])
    assert "Right. Convention: padding." in capsys.readouterr().out
