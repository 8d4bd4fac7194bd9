"""Models written by hand, right ones and ones with a fault: no library, and forms of their own."""

import math

import torch
from torch import nn

VOCABULARY, WIDTH, HEADS, LAYERS = 40, 32, 4, 3


def sinusoids(length, width):
    """The paper's table (length, width)."""
    angles = torch.arange(length)[:, None] * 10000.0 ** (-torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def angles(positions, width, base=10000.0):
    """Angles (…, width / 2) of RoPE."""
    return positions[..., None].float() * base ** (-torch.arange(0, width, 2) / width)


def rotate_halves(x, angle):
    one, other = x.chunk(2, dim=-1)
    return torch.cat([one * angle.cos() - other * angle.sin(), other * angle.cos() + one * angle.sin()], dim=-1)


def rotate_neighbours(x, angle):
    one, other = x[..., ::2], x[..., 1::2]
    pairs = [one * angle.cos() - other * angle.sin(), other * angle.cos() + one * angle.sin()]
    return torch.stack(pairs, dim=-1).flatten(-2)


class Attention(nn.Module):
    """Causal attention with rotations, a bias, or neither; ``wrong`` names a fault."""

    def __init__(self, position, wrong=""):
        super().__init__()
        self.position, self.wrong = position, wrong
        self.register_buffer("inv_freq", None)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, positions, hidden=None, past=None):
        shape = (*x.shape[:2], HEADS, WIDTH // HEADS)
        q, k, v = (part.view(shape).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        if self.position in ("halves", "neighbours"):
            rotate = rotate_halves if self.position == "halves" else rotate_neighbours
            angle = angles(positions, WIDTH // HEADS)[:, None]
            if self.inv_freq is not None:
                angle = (positions[..., None] * self.inv_freq)[:, None]
            if self.wrong == "half precision":
                angle = angles(positions.bfloat16(), WIDTH // HEADS)[:, None].bfloat16().float()
            q = rotate(q, angle)
            angle = angle / 2 if self.wrong == "keys at half the pace" else angle
            k = k if self.wrong == "keys not rotated" else rotate(k, angle)
        places = positions
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
            places = torch.cat([past[2], positions], dim=1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)
        if self.position == "alibi":
            slopes = 2.0 ** (-8 * torch.arange(1, HEADS + 1) / HEADS)
            scores = scores - slopes[:, None, None] * (positions[:, None, :, None] - places[:, None, None, :]).abs()
        order = torch.arange(k.shape[2])
        ahead = order[None, :] - order[k.shape[2] - x.shape[1] :, None] > (1 if self.wrong == "mask shifted" else 0)
        if self.wrong == "first rows see all":
            ahead[:8] = False
        if self.wrong == "mask of new tokens" and past is not None:
            ahead[:, : k.shape[2] // 2] = True
        if self.wrong != "mask off":
            scores = scores.masked_fill(ahead, -torch.inf)
        if hidden is not None:  # (batch, keys), or (batch, queries, keys)
            scores = scores.masked_fill(hidden[:, None] if hidden.dim() == 3 else hidden[:, None, None, :], -1e9)
        weights = scores.softmax(dim=0 if self.wrong == "softmax over the batch" else -1)
        seen = weights @ v
        seen = seen if self.wrong == "heads and places mixed" else seen.transpose(1, 2)
        return self.out(seen.reshape(x.shape)), (k, v, places)


class Block(nn.Module):
    def __init__(self, position, wrong=""):
        super().__init__()
        self.attention = Attention(position, wrong)
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mix = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, positions, hidden=None, past=None):
        seen, kept = self.attention(self.before(x), positions, hidden, past)
        x = x + self.dropout(seen)
        return x + self.mix(self.after(x)), kept


class Text(nn.Module):
    """A decoder without a cache. ``position``: sinusoidal, learned, halves, neighbours, alibi or none."""

    def __init__(self, position, wrong="", max_len=64, layers=LAYERS):
        super().__init__()
        torch.manual_seed(0)
        self.position, self.wrong, self.max_len = position, wrong, max_len
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.rows = nn.Embedding(max_len, WIDTH) if position == "learned" else None
        self.register_buffer("table", sinusoids(max_len, WIDTH) if position == "sinusoidal" else None)
        self.blocks = nn.ModuleList([Block(position, wrong) for _ in range(layers)])
        self.head = nn.Linear(WIDTH, VOCABULARY)
        self.calls = 0

    def embed(self, ids, positions):
        self.calls += 1
        if self.wrong == "a counter":
            positions = positions + self.calls % self.max_len // 8
        if self.wrong == "wrapped":
            positions = positions % 8
        if self.wrong == "clamped":
            positions = positions.clamp(max=8)
        x = self.tokens(ids)
        if self.wrong == "dropout on":
            x = nn.functional.dropout(x, 0.1)
        table = self.table if self.rows is None else self.rows.weight
        if self.wrong == "by the batch" and table is not None:
            return x + table[: len(ids), None]
        if self.wrong == "from the end" and table is not None:
            return x + table[: ids.shape[1]].flip(0)
        return x if table is None or self.wrong == "not added" else x + table[positions]

    def forward(self, ids):
        positions = torch.arange(ids.shape[1]).expand(ids.shape)
        x = self.embed(ids, positions)
        for block in self.blocks:
            x, _ = block(x, positions)
        return self.head(x)


class WithIds(Text):
    """Takes a mask and position ids."""

    def forward(self, ids, attention_mask=None, position_ids=None):
        if position_ids is None or self.wrong == "ids ignored":
            position_ids = torch.arange(ids.shape[1]).expand(ids.shape)
        if self.wrong == "one row":
            position_ids = position_ids[:1].expand(ids.shape)
        if self.wrong == "first id":
            position_ids = position_ids[:, :1] + torch.arange(ids.shape[1])
        if self.wrong == "in the dtype of the weights":
            position_ids = position_ids.to(self.head.weight.dtype)
        if self.wrong == "wrapped at the end":
            position_ids = position_ids % self.max_len
        if self.wrong == "clamped at the end":
            position_ids = position_ids.clamp(max=self.max_len - 1)
        hidden = None if attention_mask is None or self.wrong == "mask ignored" else attention_mask == 0
        if hidden is not None and self.wrong == "mask upside down":
            hidden = ~hidden
        x = self.embed(ids, position_ids)
        for n, block in enumerate(self.blocks):
            x, _ = block(x, position_ids, None if self.wrong == "one layer unmasked" and n == 1 else hidden)
        return {"logits": self.head(x)}


class Packed(Text):
    """Takes the number of each token's document."""

    def forward(self, ids, document_ids=None):
        document_ids = torch.zeros_like(ids) if document_ids is None else document_ids
        other = document_ids[:, :, None] != document_ids[:, None, :]
        positions = torch.arange(ids.shape[1]).expand(ids.shape)
        if self.wrong != "run on":
            positions = positions - other.int().tril().sum(-1)
        x = self.embed(ids, positions)
        for block in self.blocks:
            x, _ = block(x, positions, None if self.wrong == "seen" else other)
        return self.head(x)


def rotating(change):
    """RoPE by a buffer of frequencies, each 10000^(-k/4) changed by ``change``."""
    model = Text("halves")
    for block in model.blocks:
        block.attention.inv_freq = change(10000.0 ** (-torch.arange(4) / 4))
    return model


def with_table(change, persistent=True):
    """A sinusoidal model whose table is what ``change`` makes of it."""
    model = Text("sinusoidal")
    table = change(model.table)
    del model.table
    model.register_buffer("table", table, persistent=persistent)
    return model


class WithCache(Text):
    """Takes and gives a cache as a list, in a tuple."""

    def forward(self, idx, past=None):
        begin = 0 if past is None else past[0][0].shape[2]
        begin += {"one ahead": begin > 0, "one behind": -(begin > 0), "restarts": -begin}.get(self.wrong, 0)
        positions = (begin + torch.arange(idx.shape[1])).expand(idx.shape)
        x, kept = self.embed(idx, positions), []
        for n, block in enumerate(self.blocks):
            x, part = block(x, positions, past=None if past is None else past[n])
            if self.wrong == "ring of 32":
                part = tuple(each[..., -32:, :] if each.dim() == 4 else each[:, -32:] for each in part)
            kept.append(part)
        return self.head(x), kept


class Counting(Text):
    """Takes a mask and a cache, and no position ids: it counts the mask's ones. Wrong: new tokens by the cache."""

    def forward(self, ids, attention_mask=None, past=None):
        begin = 0 if past is None else past[0][0].shape[2]
        if attention_mask is None:
            attention_mask = torch.ones(len(ids), begin + ids.shape[1], dtype=torch.long)
        if attention_mask.shape[1] != begin + ids.shape[1]:
            raise ValueError("the mask is of the cache and of the new tokens")
        positions = (attention_mask.cumsum(-1) - 1).clamp(min=0)[:, begin:]
        if (begin and self.wrong == "new tokens by the cache") or self.wrong == "pads counted":
            positions = (begin + torch.arange(ids.shape[1])).expand(ids.shape)
        if self.wrong == "of one row":
            positions = positions[:1].expand(ids.shape)
        x, kept = self.embed(ids, positions), []
        for n, block in enumerate(self.blocks):
            x, part = block(x, positions, attention_mask == 0, None if past is None else past[n])
            kept.append(part)
        return self.head(x), kept


class CountingOrGiven(Counting):
    """Also takes position ids, and counts only without them."""

    def forward(self, ids, attention_mask=None, position_ids=None, past=None):
        self.given = position_ids
        return super().forward(ids, attention_mask, past)

    def embed(self, ids, positions):
        return super().embed(ids, positions if self.given is None else self.given)


class OtherNames(WithCache):
    """As `WithCache`; the cache has a name that nobody can guess, or comes back after a loss."""

    def forward(self, idx, layer_kv=None):
        logits, kept = super().forward(idx, layer_kv)
        return logits, None, kept


class FilledStore(Text):
    """As a server: the caller makes the store, says where it begins, and gets the logits alone."""

    def forward(self, tokens, kv_store=None, offset=0):
        positions = (offset + torch.arange(tokens.shape[1])).expand(tokens.shape)
        x, store = self.embed(tokens, positions), {} if kv_store is None else kv_store
        for n, block in enumerate(self.blocks):
            x, store[n] = block(x, positions, past=store.get(n))
        return self.head(x)


class PlaceOnly(Text):
    """Takes the place to begin at, and has no cache."""

    def forward(self, tokens, offset=0):
        positions = (offset + torch.arange(tokens.shape[1])).expand(tokens.shape)
        x = self.embed(tokens, positions)
        for block in self.blocks:
            x, _ = block(x, positions)
        return self.head(x)


class Flat(Text):
    """Takes the tokens of one text, without a batch, and their positions."""

    def forward(self, input_ids, positions):
        x, positions = self.embed(input_ids[None], positions[None]), positions[None]
        for block in self.blocks:
            x, _ = block(x, positions)
        return self.head(x)[0]


class Rolling(WithCache):
    """Sees 16 tokens. Its cache keeps 15 and counts them from 0: when one is dropped, the keys are rotated back."""

    def forward(self, idx, past=None):
        begin = 0 if past is None else past[0][0].shape[2]
        positions = (begin + torch.arange(idx.shape[1])).expand(idx.shape)
        hidden = positions[0, :, None] - torch.arange(begin + idx.shape[1]) >= 16
        x, kept = self.embed(idx, positions), []
        for n, block in enumerate(self.blocks):
            x, (k, v, places) = block(x, positions, hidden[None], None if past is None else past[n])
            drop = max(0, k.shape[2] - 15)
            k = k if self.wrong == "not rotated back" else rotate_halves(k, angles(torch.tensor(-drop), WIDTH // HEADS))
            kept.append((k[:, :, drop:], v[:, :, drop:], places[:, drop:] - drop))
        return self.head(x), kept


class OwnCache(Text):
    """Keeps a cache of its own, as Llama's first code did: forward(tokens, start_pos)."""

    def forward(self, tokens, start_pos=0):
        positions = (start_pos * (self.wrong != "start ignored") + torch.arange(tokens.shape[1])).expand(tokens.shape)
        x = self.embed(tokens, positions)
        other = not hasattr(self, "kept") or (self.kept[0] is not None and len(self.kept[0][0]) != len(tokens))
        if other or (start_pos == 0 and self.wrong != "cache not cleared"):
            self.kept = [None] * len(self.blocks)
        for n, block in enumerate(self.blocks):
            x, self.kept[n] = block(x, positions, past=self.kept[n])
        return self.head(x)


class LastPlace(Text):
    """Gives the logits of the last place only, (batch, vocabulary)."""

    def forward(self, ids):
        return super().forward(ids)[:, -1]


class SequenceFirst(Text):
    """Takes (sequence, batch), and gives (sequence, batch, vocabulary)."""

    def forward(self, src):
        return super().forward(src.T).transpose(0, 1)


class NeedsMask(Text):
    """Cannot do without a mask of queries and keys, True where visible."""

    def forward(self, ids, mask):
        if mask.shape != (ids.shape[1], ids.shape[1]):
            raise ValueError(f"mask must be (length, length), not {tuple(mask.shape)}")
        return super().forward(ids)


class StateSpace(nn.Module):
    """A linear recurrence: order without positions, and a state for a cache."""

    def __init__(self, wrong=""):
        super().__init__()
        torch.manual_seed(0)
        self.wrong = wrong
        self.tokens, self.head = nn.Embedding(VOCABULARY, WIDTH), nn.Linear(WIDTH, VOCABULARY)
        self.layers = nn.ModuleList([nn.Linear(WIDTH, 2 * WIDTH) for _ in range(2)])

    def forward(self, ids, state=None):
        x, kept = self.tokens(ids), []
        for n, layer in enumerate(self.layers):
            gate, value = layer(x).chunk(2, dim=-1)
            memory = torch.zeros_like(value[:, 0]) if state is None or self.wrong == "state dropped" else state[n]
            out = []
            for place in range(ids.shape[1]):
                memory = memory * gate[:, place].sigmoid() + value[:, place]
                out.append(memory)
            x = x + torch.stack(out, dim=1)
            kept.append(memory)
        return self.head(x), kept


class States(StateSpace):
    """A state under another name. Wrong: one of its layers forgets, or a piece begins without it."""

    def forward(self, input_ids, states=None):
        if states is not None and self.wrong == "one layer forgets":
            states = [states[0], torch.zeros_like(states[1])]
        if self.wrong == "pieces begin anew" and input_ids.shape[1] > 1:
            states = None
        return super().forward(input_ids, states)


class UnknownName(StateSpace):
    def forward(self, input_ids, before=None):
        return super().forward(input_ids, before)


class Recurrent(nn.Module):
    """An LSTM: order without positions, and no list of layers."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.tokens, self.head = nn.Embedding(VOCABULARY, WIDTH), nn.Linear(WIDTH, VOCABULARY)
        self.memory = nn.LSTM(WIDTH, WIDTH, 2, batch_first=True)

    def forward(self, ids):
        return self.head(self.memory(self.tokens(ids))[0])


class Convolutions(Recurrent):
    """Sees the last few tokens: causal convolutions."""

    def __init__(self):
        super().__init__()
        self.memory = nn.ModuleList([nn.Conv1d(WIDTH, WIDTH, 3, dilation=n) for n in (1, 2)])

    def forward(self, ids):
        x = self.tokens(ids).transpose(1, 2)
        for each in self.memory:
            x = x + each(nn.functional.pad(x, (2 * each.dilation[0], 0))).relu()
        return self.head(x.transpose(1, 2))


class BothWays(Recurrent):
    """A tagger: an LSTM in both directions, which takes and gives its state."""

    def __init__(self):
        super().__init__()
        self.memory = nn.LSTM(WIDTH, WIDTH // 2, 2, batch_first=True, bidirectional=True)

    def forward(self, ids, hidden=None):
        out, hidden = self.memory(self.tokens(ids), hidden)
        return self.head(out), hidden


class Dilated(Recurrent):
    """Convolutions that skip places, in both directions."""

    def __init__(self):
        super().__init__()
        self.memory = nn.ModuleList([nn.Conv1d(WIDTH, WIDTH, 3, dilation=n, padding=n) for n in (2, 4)])

    def forward(self, ids):
        x = self.tokens(ids).transpose(1, 2)
        for each in self.memory:
            x = x + each(x).relu()
        return self.head(x.transpose(1, 2))


class Pooled(Text):
    """A classifier of texts."""

    def forward(self, ids):
        return super().forward(ids).mean(1)


class LastWhenWriting(Text):
    """As nanoGPT: (logits, loss), the last place only where no targets are given, and no more than max_len tokens."""

    def forward(self, idx, targets=None):
        if idx.shape[1] > self.max_len:
            raise ValueError(f"no more than {self.max_len} tokens")
        logits = super().forward(idx)
        return (logits[:, [-1]], None) if targets is None else (logits, logits.sum())


class Encoder(WithIds):
    """Sees both ways."""

    def __init__(self, position, wrong=""):
        super().__init__(position, wrong)
        for block in self.blocks:
            block.attention.wrong = "mask off"


class Parts(Text):
    """Its blocks are lists of two parts, which forward calls."""

    def __init__(self, position):
        super().__init__(position)
        self.blocks = nn.ModuleList([nn.ModuleList([each.attention, each.mix]) for each in self.blocks])

    def forward(self, ids, attention_mask=None):
        positions = torch.arange(ids.shape[1]).expand(ids.shape)
        x, hidden = self.embed(ids, positions), None if attention_mask is None else attention_mask == 0
        for attention, mix in self.blocks:
            x = x + attention(x, positions, hidden)[0]
            x = x + mix(x)
        return self.head(x)


class OfTorch(nn.Module):
    """torch's own layers under a causal mask: a pad on the left sees no key."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.tokens, self.head = nn.Embedding(VOCABULARY, WIDTH), nn.Linear(WIDTH, VOCABULARY)
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(WIDTH, HEADS, WIDTH, batch_first=True), 2)

    def forward(self, src, src_key_padding_mask=None):
        ahead = torch.ones(src.shape[1], src.shape[1], dtype=torch.bool).triu(1)
        x = self.tokens(src) + sinusoids(src.shape[1], WIDTH)
        return self.head(self.layers(x, ahead, src_key_padding_mask))


class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, weights):
        return x + self.mix(weights @ x)


class Distances(nn.Module):
    """Means of the places so far, by a learned number for each distance. Wrong: the distance's sign."""

    def __init__(self, wrong=""):
        super().__init__()
        torch.manual_seed(0)
        self.wrong, self.tokens, self.numbers = wrong, nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(8, 1)
        self.blocks, self.head = nn.ModuleList([Mean(), Mean()]), nn.Linear(WIDTH, VOCABULARY)

    def forward(self, ids):
        back = torch.arange(ids.shape[1])[:, None] - torch.arange(ids.shape[1])
        scores = self.numbers((-back if self.wrong == "sign" else back).clamp(0, 7))[..., 0]
        x, weights = self.tokens(ids), scores.masked_fill(back < 0, -torch.inf).softmax(-1)
        for block in self.blocks:
            x = block(x, weights)
        return self.head(x)


RIGHT = {  # name: (how to make it, what its convention contains)
    "sinusoidal": (lambda: Text("sinusoidal"), "absolute"),
    "learned": (lambda: Text("learned"), "absolute"),
    "learned, 16 rows": (lambda: Text("learned", max_len=16), "absolute"),
    "halves": (lambda: Text("halves"), "relative"),
    "neighbours": (lambda: Text("neighbours"), "relative"),
    "alibi": (lambda: Text("alibi"), "relative"),
    "none": (lambda: Text("none"), "none"),
    "learned with ids": (lambda: WithIds("learned"), "absolute"),
    "halves with ids": (lambda: WithIds("halves", max_len=4096), "relative"),
    "halves with a cache": (lambda: WithCache("halves", max_len=4096), "relative"),
    "learned with a cache": (lambda: WithCache("learned"), "absolute"),
    "neighbours with its own cache": (lambda: OwnCache("neighbours", max_len=256), "relative"),
    "a cache that rolls": (lambda: Rolling("halves", max_len=256), "relative, layers 0, 1, 2 see 16 tokens"),
    **{
        f"{position}, counting the mask's ones": (lambda position=position: Counting(position, max_len=256), kind)
        for position, kind in (("learned", "absolute"), ("halves", "relative"), ("alibi", "relative"))
    },
    "learned, pads counted": (lambda: Counting("learned", "pads counted"), "absolute"),
    "halves, pads counted": (lambda: Counting("halves", "pads counted", max_len=256), "relative"),
    "the last place": (lambda: LastPlace("sinusoidal"), "absolute"),
    "the last place, relative": (lambda: LastPlace("halves"), "relative"),
    "sequence-first": (lambda: SequenceFirst("learned"), "absolute"),
    "needs a mask": (lambda: NeedsMask("halves"), "relative"),
    "state space": (lambda: StateSpace(), "none"),
    "recurrent": (Recurrent, "none, recurrent"),
    "convolutions": (Convolutions, "none, recurrent"),
    "the last place, as a tuple": (lambda: LastWhenWriting("learned"), "absolute"),
    "packed": (lambda: Packed("halves"), "relative"),
    "packed, absolute": (lambda: Packed("learned"), "absolute"),
    "packed, relative ids run on": (lambda: Packed("halves", "run on"), "relative"),
    "frequencies in a buffer": (lambda: rotating(lambda rates: rates**1.5), "relative, rotary, base 1000000"),
    "a table in no checkpoint": (lambda: with_table(lambda table: table, persistent=False), "absolute"),
    "encoder": (lambda: Encoder("halves"), "relative, bidirectional"),
    "encoder, absolute": (lambda: Encoder("learned"), "absolute, bidirectional"),
    "encoder, sharp": (lambda: sharp(Encoder("sinusoidal")), "absolute, bidirectional"),
    "both ways": (BothWays, "bidirectional"),
    "dilated": (Dilated, "bidirectional"),
    "pooled": (lambda: Pooled("sinusoidal", max_len=512), "absolute"),
    "another name for the cache": (lambda: OtherNames("halves", max_len=256), "relative"),
    "a store that nobody fills": (lambda: FilledStore("halves", max_len=256), "relative"),
    "a place to begin at": (lambda: PlaceOnly("learned"), "absolute"),
    "states": (States, "none, recurrent"),
    "flat": (lambda: Flat("halves", max_len=256), "relative"),
    "lists of parts": (lambda: Parts("learned"), "absolute"),
    "lists of parts, none": (lambda: Parts("none"), "none"),
    "of torch": (OfTorch, "absolute"),
    "counting, or given ids": (lambda: CountingOrGiven("learned", max_len=256), "absolute"),
    "distances": (Distances, "relative"),
}


def sharp(model):
    """Attention looks at few tokens: large embeddings."""
    with torch.no_grad():
        model.tokens.weight.mul_(8)
    return model


WRONG = {  # name: (how to make it, the ids of which one must be among the findings)
    "halves: mask shifted": (lambda: Text("halves", "mask shifted"), {"future-leak"}),
    "learned: mask shifted": (lambda: Text("learned", "mask shifted"), {"future-leak"}),
    "halves, cache: mask off": (lambda: WithCache("halves", "mask off"), {"not-causal"}),
    "none: softmax over the batch": (lambda: Text("none", "softmax over the batch"), {"neighbours", "not-finite"}),
    "learned: by the batch": (lambda: Text("learned", "by the batch"), {"row-place"}),
    "sinusoidal: from the end": (lambda: Text("sinusoidal", "from the end"), {"length"}),
    "learned: dropout on": (lambda: Text("learned", "dropout on"), {"chance"}),
    "sinusoidal: a counter": (lambda: Text("sinusoidal", "a counter"), {"state"}),
    "learned: wrapped": (lambda: Text("learned", "wrapped"), {"positions-wrapped"}),
    "learned: clamped": (lambda: Text("learned", "clamped"), {"positions-clamped"}),
    "learned, ids: wrapped": (lambda: WithIds("learned", "wrapped"), {"positions-wrapped"}),
    "learned, ids: clamped": (lambda: WithIds("learned", "clamped"), {"positions-clamped"}),
    "learned, ids: ignored": (lambda: WithIds("learned", "ids ignored"), {"ids-ignored"}),
    "learned, ids: one row": (lambda: WithIds("learned", "one row"), {"ids-of-one-row"}),
    "learned, ids: first id": (lambda: WithIds("learned", "first id"), {"ids-of-first-place"}),
    "halves, ids: one row": (lambda: WithIds("halves", "one row"), {"ids-of-one-row"}),
    "halves, ids: mask ignored": (lambda: WithIds("halves", "mask ignored"), {"padding-seen"}),
    "halves, ids: mask upside down": (lambda: WithIds("halves", "mask upside down"), {"padding-seen", "mask-of-ones"}),
    "halves, ids: one layer unmasked": (lambda: WithIds("halves", "one layer unmasked"), {"padding-seen"}),
    "halves, ids: half precision": (lambda: WithIds("halves", "half precision", max_len=4096), {"angles-rounded"}),
    "halves, ids: in the dtype of the weights": (
        lambda: WithIds("halves", "in the dtype of the weights", max_len=4096),
        {"half-precision"},
    ),
    "halves, ids: keys not rotated": (lambda: WithIds("halves", "keys not rotated"), {"not-relative"}),
    "halves, cache: one ahead": (lambda: WithCache("halves", "one ahead"), {"cache-disagrees", "cache-off-by"}),
    "halves, cache: one behind": (lambda: WithCache("halves", "one behind"), {"cache-disagrees", "cache-off-by"}),
    "learned, cache: restarts": (lambda: WithCache("learned", "restarts"), {"cache-restarts"}),
    "alibi, cache: restarts": (lambda: WithCache("alibi", "restarts"), {"cache-restarts"}),
    "halves, cache: ring of 32": (lambda: WithCache("halves", "ring of 32", max_len=512), {"cache-overflows"}),
    **{
        f"{position}: new tokens numbered by the cache": (
            lambda position=position: Counting(position, "new tokens by the cache", max_len=256),
            {"cache-one-position"},
        )
        for position in ("learned", "halves", "alibi")
    },
    "a cache that rolls, not rotated back": (lambda: Rolling("halves", "not rotated back", 256), {"cache-overflows"}),
    "own cache: start ignored": (lambda: OwnCache("halves", "start ignored"), {"cache-restarts"}),
    "own cache: not cleared": (lambda: OwnCache("halves", "cache not cleared"), {"state"}),
    "state space: state dropped": (lambda: StateSpace("state dropped"), {"state-disagrees"}),
    "states: one layer forgets": (lambda: States("one layer forgets"), {"state-disagrees"}),
    "states: pieces begin anew": (lambda: States("pieces begin anew"), {"state-in-pieces"}),
    "another name for the cache: restarts": (lambda: OtherNames("halves", "restarts"), {"cache-restarts"}),
    "halves, cache: mask of new tokens": (lambda: WithCache("halves", "mask of new tokens"), {"cache-unseen"}),
    "flat: keys not rotated": (lambda: Flat("halves", "keys not rotated"), {"not-relative"}),
    "none: first rows see all": (lambda: Text("none", "first rows see all"), {"future-leak"}),
    **{
        f"{position}: heads and places mixed": (
            lambda make=make, position=position: make(position, "heads and places mixed"),
            {"places-mixed"},
        )
        for make, position in ((Text, "learned"), (WithIds, "learned"), (WithIds, "halves"))
    },
    "learned table not added": (lambda: WithIds("learned", "not added"), {"positions-unused", "ids-ignored"}),
    "packed: seen": (lambda: Packed("halves", "seen"), {"documents-seen"}),
    "packed: run on": (lambda: Packed("learned", "run on"), {"documents-run-on"}),
    **{
        f"{position}, ids: {wrong} at the end": (
            lambda position=position, wrong=wrong: WithIds(position, f"{wrong} at the end", max_len=128),
            {f"positions-{wrong}"},
        )
        for position in ("learned", "halves")
        for wrong in ("wrapped", "clamped")
    },
    "halves, ids: keys at half the pace": (lambda: WithIds("halves", "keys at half the pace"), {"not-relative"}),
    "frequencies doubled in the exponent": (lambda: rotating(lambda rates: rates**2), {"exponent-doubled"}),
    "frequencies not inverted": (lambda: rotating(lambda rates: 1 / rates), {"frequencies-not-filled"}),
    "frequencies twice as fast": (lambda: rotating(lambda rates: 2 * rates), {"turned-twice"}),
    "frequencies in bfloat16": (lambda: rotating(lambda rates: rates.bfloat16().float()), {"frequencies-rounded"}),
    "a table of zeros": (lambda: with_table(torch.zeros_like), {"positions-unused"}),
    "counting, or given ids: new tokens by the cache": (
        lambda: CountingOrGiven("learned", "new tokens by the cache", 256),
        {"cache-one-position"},
    ),
    "counting: of one row": (lambda: Counting("learned", "of one row", 256), {"padded-neighbours"}),
    "distances: sign": (lambda: Distances("sign"), {"positions-unused"}),
    "encoder: mask ignored": (lambda: Encoder("learned", "mask ignored"), {"padding-seen"}),
}
