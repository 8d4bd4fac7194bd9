"""`diagnose_model`: right models are called right and what they are is said; faults are flagged and named."""

import copy

import pytest
import torch
import zoo_models
import zoo_transformers
from torch import nn

from pe_clinic.model.catalogue import HIDES, MISTAKES
from pe_clinic.model.diagnose import diagnose_model
from pe_course.real_models import Numbered, small

NO_IDS = "position ids (it takes none), padding (it takes no mask of tokens)"
FLAGGED, NAMED = 0.96, 0.8  # of all faults, at least


def ids_of(diagnosis):
    return {finding.id for finding in diagnosis.findings}


def have_transformers():
    return pytest.importorskip("transformers", reason="transformers is not installed (the extra `models`)")


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", zoo_models.RIGHT)
def test_a_right_model_written_by_hand_is_right(name):
    make, kind = zoo_models.RIGHT[name]
    diagnosis = diagnose_model(make())
    assert diagnosis.ok, diagnosis
    assert kind in diagnosis.convention


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", zoo_models.WRONG)
def test_a_fault_in_a_model_written_by_hand_is_named(name):
    make, ids = zoo_models.WRONG[name]
    diagnosis = diagnose_model(make())
    assert not diagnosis.ok
    assert ids & ids_of(diagnosis), diagnosis


@pytest.mark.long
@pytest.mark.parametrize("name", zoo_transformers.families({**zoo_transformers.DECODERS, **zoo_transformers.ENCODERS}))
def test_a_family_of_transformers_is_right_and_its_kind_is_said(name):
    have_transformers()
    convention = {**zoo_transformers.DECODERS, **zoo_transformers.ENCODERS}[name][1]
    diagnosis = diagnose_model(zoo_transformers.build(name))
    assert diagnosis.ok, diagnosis
    assert convention in diagnosis.convention


@pytest.mark.long
def test_faults_in_transformers_are_flagged_and_named():
    have_transformers()
    seen = {name: ids_of(diagnose_model(make())) for name, (make, _) in zoo_transformers.FAULTS.items()}
    assert len(seen) >= 50
    silent = [name for name, ids in seen.items() if not ids]
    unnamed = {name: ids for name, ids in seen.items() if not ids & zoo_transformers.FAULTS[name][1]}
    assert len(silent) <= (1 - FLAGGED) * len(seen), silent
    assert len(unnamed) <= (1 - NAMED) * len(seen), unnamed


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", zoo_transformers.families(zoo_transformers.WRONG_IN_TRANSFORMERS))
def test_families_that_break_their_own_laws_are_found(name):
    transformers = have_transformers()
    if not transformers.__version__.startswith("5.23"):
        pytest.skip("seen in transformers 5.23")
    assert zoo_transformers.WRONG_IN_TRANSFORMERS[name][1] in ids_of(diagnose_model(zoo_transformers.build(name)))


def test_left_padding_without_ids_is_usage():
    diagnosis = diagnose_model(zoo_models.RIGHT["learned with ids"][0]())
    assert diagnosis.ok
    assert [finding.id for finding in diagnosis.usage] == ["needs-position-ids"]
    assert diagnosis.verdict.status == 0
    assert str(diagnosis).startswith("Right. Convention: absolute.\nIt needs position ids when padding is on the left.")


def by_the_mask(n, past, mask):
    """Position ids that count the ones of the mask, for `Numbered`."""
    return torch.arange(past, past + n)[None] if mask is None else (mask.cumsum(-1) - 1).clamp(min=0)[:, past:]


def new_tokens_by_the_cache(n, past, mask):
    return torch.arange(past, past + n)[None] if past else by_the_mask(n, past, mask)


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Llama", "GPT-2", "OPT"])
def test_new_tokens_numbered_by_the_cache_are_found_where_the_model_takes_no_ids(kind):
    """unslothai/unsloth#3699: left padding alone is right, and so is the cache; the two together are not."""
    have_transformers()
    right, wrong = (diagnose_model(Numbered(small(kind), make)) for make in (by_the_mask, new_tokens_by_the_cache))
    assert right.ok, right
    assert "cache-one-position" in ids_of(wrong), wrong


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("learned", "position ids (it takes none), padding (it takes no mask of tokens), a cache (none comes back)"),
        ("learned with a cache", "position ids (it takes none), padding (it takes no mask of tokens)"),
        ("learned with ids", "a cache (none comes back)"),
        ("encoder", None),
        ("a store that nobody fills", f"{NO_IDS}, a cache (none comes back, and kv_store stayed None)"),
        ("pooled", f"{NO_IDS}, a cache (none comes back), places far from 0 (each call gives one place)"),
    ],
)
def test_a_note_says_what_was_not_tried(name, told):
    notes = {finding.id: finding.evidence for finding in diagnose_model(zoo_models.RIGHT[name][0]()).findings}
    assert notes.get("not-tried") == told


class MaskOfNewTokens(zoo_models.Counting):
    """Wants a mask of the new tokens alone."""

    def forward(self, ids, attention_mask=None, past=None):
        if attention_mask is not None and attention_mask.shape != ids.shape:
            raise ValueError("the mask is of the new tokens")
        return super().forward(ids, attention_mask if past is None else None, past)


def test_a_note_says_that_padding_with_a_cache_was_refused():
    diagnosis = diagnose_model(MaskOfNewTokens("halves", max_len=256))
    assert diagnosis.ok
    assert "padding together with a cache (the call was refused)" in str(diagnosis).replace("\n", " ")


def test_notes_say_where_positions_end_and_what_no_checkpoint_holds():
    diagnosis = diagnose_model(zoo_models.with_table(lambda table: table, persistent=False))
    notes = {finding.id: finding.evidence for finding in diagnosis.findings}
    assert notes["beyond-refused"] == "position 64"
    assert notes["lost-on-meta"].startswith("in no checkpoint: table")
    assert "lost-on-meta" not in ids_of(diagnose_model(zoo_models.Text("sinusoidal")))


def test_a_model_that_cannot_be_copied_says_so():
    model = zoo_models.Text("none")
    model.kept = model.head.weight * 2  # not a leaf: torch refuses to copy it
    assert "cannot be copied" in str(diagnose_model(model))


def test_the_model_and_the_random_state_stay_as_they_were():
    model = zoo_models.WithCache("halves").train()
    model.blocks[0].register_forward_hook(lambda *_: None)
    model.head.weight.requires_grad_(False)
    before = copy.deepcopy(model.state_dict())
    torch.manual_seed(3)
    state = torch.get_rng_state()
    diagnose_model(model)
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(each, before[name]) for name, each in model.state_dict().items())
    assert model.training and all(module.training for module in model.modules())
    assert len(model.blocks[0]._forward_hooks) == 1 and not model.blocks[1]._forward_hooks
    assert model.calls == 0 and not model.head.weight.requires_grad
    assert not any(each._forward_pre_hooks for each in model.modules())


def test_weights_in_half_precision_are_measured_in_a_float32_copy():
    model = zoo_models.Text("halves").bfloat16()
    assert diagnose_model(model).ok
    assert model.head.weight.dtype is torch.bfloat16


def test_a_model_that_cannot_be_called_says_why():
    diagnosis = diagnose_model(nn.Linear(3, 3))
    assert not diagnosis.ok
    assert diagnosis.verdict.status == 2
    assert "model(ids) raised" in str(diagnosis)


def test_what_comes_back_and_has_no_name_is_said():
    assert "name the parameter that takes it cache or state" in " ".join(
        str(diagnose_model(zoo_models.UnknownName())).split()
    )


def test_pads_that_are_counted_have_a_repair():
    (finding,) = diagnose_model(zoo_models.RIGHT["learned, pads counted"][0]()).usage
    assert "(attention_mask.cumsum(1) - 1).clamp(min=0)" in finding.fix


def test_a_design_that_cannot_be_seen_is_not_denied():
    diagnosis = diagnose_model(zoo_models.Text("halves"), expect="rotary, base 10000")
    assert diagnosis.verdict.line.endswith("whether it is rotary, base 10000 could not be seen.")


@pytest.mark.parametrize(("expected", "ok"), [("absolute", True), ("relative", False), ("absolute, rotary", False)])
def test_expect_names_the_design(expected, ok):
    diagnosis = diagnose_model(zoo_models.Text("learned"), expect=expected)
    assert diagnosis.ok is ok
    assert str(diagnosis).startswith("Right." if ok else "Not what was expected:")


def test_every_entry_of_the_catalogue_has_words_and_hides_entries_that_exist():
    assert all(
        each.title.endswith((".", "…")) and (each.explanation or each.id in ("invisible", "not-expected", "raises"))
        for each in MISTAKES.values()
    )
    assert {name for hidden in HIDES.values() for name in hidden} - {"all"} <= set(MISTAKES)


class OneAttention(nn.Module):
    """Without a list of layers."""

    def __init__(self, position):
        super().__init__()
        self.tokens = nn.Embedding(zoo_models.VOCABULARY, zoo_models.WIDTH)
        self.attention = zoo_models.Attention(position)
        self.head = nn.Linear(zoo_models.WIDTH, zoo_models.VOCABULARY)

    def forward(self, ids):
        seen, _ = self.attention(self.tokens(ids), torch.arange(ids.shape[1]).expand(ids.shape))
        return self.head(seen)


@pytest.mark.parametrize(("position", "kind"), [("halves", "relative"), ("alibi", "relative"), ("none", "none")])
def test_the_kind_of_a_single_layer(position, kind):
    torch.manual_seed(0)
    assert diagnose_model(OneAttention(position)).convention == kind


def test_a_function_is_no_model():
    assert diagnose_model(lambda ids: ids).verdict.status == 2
