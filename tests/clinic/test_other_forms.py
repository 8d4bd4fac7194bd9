"""Layers and biases in forms that are no nn.Module of the usual kind: each is read, and what is wrong is named."""

import json

import pytest

from pe_clinic.__main__ import main

IMPORTS = "import math\nimport torch\nfrom torch import nn\n"
FILL = """
def fill(n, d, base=10000.0):
    pos, w = torch.arange(n).float()[:, None], torch.exp(torch.arange(0, d, 2).float() * (-math.log(base) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2], pe[:, 1::2] = torch.sin(pos * w), torch.cos(pos * w[: d // 2])
    return pe
"""


def a_class(returned, held="self.pe = fill(max_len, d_model)[None]", parent="", method="forward"):
    start = "super().__init__()" if parent else "pass"
    return f"""{IMPORTS}{FILL}
class PositionalEncoding{parent and f"({parent})"}:
    def __init__(self, d_model, max_len=512):
        {start}
        {held}

    def {method}(self, x):
        return {returned}
"""


def a_module(returned, base=10000.0):
    return a_class(returned, f"self.register_buffer('pe', fill(max_len, d_model, {base})[None])", "nn.Module")


def in_numpy(source):
    source = source.replace("import torch\nfrom torch import nn\n", "import numpy as np\n").replace(".float()", "")
    return source.replace("torch.zeros(n, d)", "np.zeros((n, d))").replace("torch.", "np.")


def pictures(returned, after=""):
    return f"""{IMPORTS}
class PositionalEncoding2D(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.half = channels // 2

    def forward(self, tensor):
        b, h, w, c = tensor.shape
        rates = 10000 ** (-torch.arange(0, self.half, 2).float() {after} / self.half)
        rows, columns = (torch.arange(n)[:, None] * rates for n in (h, w))
        rows, columns = (torch.stack((a.sin(), a.cos()), -1).flatten(-2) for a in (rows, columns))
        out = torch.cat([rows[:, None].expand(h, w, -1), columns[None].expand(h, w, -1)], -1)
        return {returned}
"""


def a_number(column="2 * (i // 2)", made="math.sin(angle) if i % 2 == 0 else math.cos(angle)"):
    angle = f"pos / 10000 ** ({column} / d_model)"
    return f"import math\n\n\ndef pe(pos, i, d_model):\n    angle = {angle}\n    return {made}\n"


def a_bias(init, method, returned="bias", length="seq_len"):
    return f"""{IMPORTS}
class ALiBi(nn.Module):
    {init}

    def {method}:
        slopes = torch.tensor([2 ** (-8 * (i + 1) / self.heads) for i in range(self.heads)])
        at = torch.arange({length})
        bias = -(at[None] - at[:, None]).abs() * slopes[:, None, None]
        return {returned}
"""


CONFIG = "def __init__(self, config):\n        super().__init__()\n        self.heads = config.num_attention_heads"
UNKNOWN = "def __init__(self, foo):\n        super().__init__()\n        self.heads = foo.bar.baz"
HEADS = "def __init__(self, n_heads):\n        super().__init__()\n        self.heads = n_heads"
WHOLE, COLON = "x + self.pe[:, :x.shape[1]]", "x + self.pe[:, x.shape[1]]"

SETTINGS_OF_PICTURES = """
        n = (cfg["img_size"] // cfg["patch_size"]) ** 2
        self.proj = nn.Conv2d(cfg["in_chans"], cfg["latent_size"], cfg["patch_size"], cfg["patch_size"])
        self.pos = nn.Parameter(torch.randn(1, ROWS, cfg["latent_size"]))"""


def patches(rows, at=":"):
    made = a_class(f"self.proj(x).flatten(2).transpose(1, 2) + self.pos[:, {at}]", SETTINGS_OF_PICTURES, "nn.Module")
    return made.replace("d_model, max_len=512", "cfg").replace("ROWS", rows)


def of_series(returned, more="pass"):
    held = f"self.pe, self.proj = nn.Buffer(fill(max_len, d_model)[None]), nn.Linear(c_in, d_model); {more}"
    return a_class(returned, held, "nn.Module").replace("self, d_model", "self, c_in, d_model")


NORM = "self.norm = nn.LayerNorm(d_model)"

# The code, the name in it, the verdict, and what the reply tells.
FORMS = {
    "patches, by settings": (patches("n"), "", "convention", "learned"),
    "patches, one row for all": (patches("1"), "", "wrong", "one-row"),
    "patches, two share a row": (
        patches("n", "(torch.arange(self.pos.shape[1]) - 1).clamp(min=0)"), "", "wrong", "shared-row",
    ),
    "a series": (of_series("torch.relu(self.proj(x)) + self.pe[:, :x.shape[1]]"), "", "right", ""),
    "a series, one colon lost": (of_series("self.proj(x) + self.pe[:, x.shape[1]]"), "", "wrong", "missing-colon"),
    "a series, weighed after the sum": (of_series("torch.relu(self.proj(x) + self.pe)"), "", "not-run", "weights"),
    "a norm of the sum": (of_series("self.norm(self.proj(x) + self.pe[:, :x.shape[1]])", NORM), "", "right", "norm"),
    "a norm of the table": (of_series("self.proj(x) + self.norm(self.pe[:, :x.shape[1]])", NORM), "", "wrong", ""),
    "a plain class": (a_class(WHOLE, method="__call__"), "", "right", ""),
    "a plain class, one colon lost": (a_class(COLON, method="__call__"), "", "wrong", "missing-colon"),
    "a plain class with a forward": (a_class(COLON), "", "wrong", "missing-colon"),
    "a plain class, cut by the batch": (a_class("x + self.pe[:, :x.shape[0]]"), "", "wrong", "slice-by-batch"),
    "NumPy in a file with torch": (a_class(WHOLE).replace("[None]\n\n", "[None].numpy()\n\n"), "", "right", ""),
    "NumPy alone, one colon lost": (in_numpy(a_class(COLON)), "", "wrong", "one-row"),
    "a parent that is not installed": (
        a_class(WHOLE, "self.register_buffer('pe', fill(max_len, d_model, 1000.0)[None])", "light.LightningModule")
        .replace("import math", "import math\nimport a_missing_package as light", 1),
        "",
        "wrong",
        "wrong-base",
    ),
    "cut by the width, another base": (a_module("x + self.pe[:, :x.shape[2]]", 1000.0), "", "wrong", "wrong-base"),
    "half precision, another base": (a_module("self.pe[:, :x.shape[1]].half()", 1000.0), "", "wrong", "wrong-base"),
    "channels first": (a_module("x + self.pe[:, :x.shape[2]].transpose(1, 2)"), "", "table-right", "channels-first"),
    "channels first, the encoding alone": (
        a_module("self.pe[:, :x.shape[2]].transpose(1, 2).repeat(x.shape[0], 1, 1)"),
        "",
        "table-right",
        "channels-first",
    ),
    "pictures": (pictures("tensor + out"), "PositionalEncoding2D", "convention", "grid"),
    "pictures, another exponent": (pictures("tensor + out", "* 2"), "PositionalEncoding2D", "wrong", "doubled"),
    "times for pictures": (
        a_class("self.pe[0][t][:, :, None, None]", parent="nn.Module").replace("(self, x)", "(self, x, t)"),
        "PositionalEncoding",
        "table-right",
        "stay behind",
    ),
    "a number at a time": (a_number(), "pe", "right", ""),
    "a number at a time, the column for the pair": (a_number("i"), "pe", "wrong", "own-odd-exponent"),
    "an angle at a time": (a_number(made="angle"), "pe", "not-run", "no sines"),
    "several at each position": (a_module("x + self.pe[:, :x.shape[1]].unsqueeze(-2)"), "", "right", ""),
    "several at each position, one colon lost": (
        a_module("x + self.pe[:, x.shape[1]].view(1, 1, 1, -1)"), "", "wrong", "missing-colon",
    ),
    "base 100 that the code writes": (
        a_module(WHOLE, 100.0).replace("base=10000.0", "base"), "", "convention", "base 100",
    ),
    "a bias of a class with a config": (a_bias(CONFIG, "_alibi_bias(self, seq_len)"), "ALiBi._alibi_bias", "right", ""),
    "a bias of a class that cannot be made": (
        a_bias(UNKNOWN, "_build_alibi(self, seq_len)"),
        "ALiBi._build_alibi",
        "right",
        "SimpleNamespace(heads=8)",
    ),
    "a bias for queries and keys": (
        a_bias(HEADS, "forward(self, q, k)", "q @ k.transpose(-1, -2) / 3 + bias", "q.shape[-2]"),
        "ALiBi",
        "right",
        "",
    ),
    "a bias that is dropped": (
        a_bias(HEADS, "forward(self, q, k)", "q, k", "q.shape[-2]"), "ALiBi", "wrong", "never added",
    ),
    "a bias beside a forward that returns x": (
        a_bias(HEADS, "get_bias(self, seq_len)") + "\n    def forward(self, x):\n        return x\n",
        "ALiBi",
        "table-right",
        "get_bias",
    ),
    "slopes of four axes": (
        f"{IMPORTS}\ndef alibi_bias(heads):\n"
        "    return torch.tensor([2 ** (-8 * (i + 1) / heads) for i in range(heads)]).view(1, heads, 1, 1)\n",
        "",
        "right",
        "the paper's text",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", FORMS)
def test_what_is_no_usual_module_is_read(name, tmp_path, capsys):
    source, target, verdict, told = FORMS[name]
    path = tmp_path / "model.py"
    path.write_text(source, encoding="utf-8")
    usual = "PositionalEncoding" if "class " in source else ""
    main([f"{path}:{target or usual}".rstrip(":"), "--json"])
    reply = capsys.readouterr().out
    assert json.loads(reply)["verdict"] == verdict, reply
    assert told in reply


WRONG_PICTURES = {
    "all of it": "tensor + out[:, :1]",
    "a product": "tensor * out",
    "width for height": "tensor + out.transpose(0, 1)[:h, :w]",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG_PICTURES)
def test_a_picture_that_is_added_to_wrongly_is_not_called_right(name, tmp_path, capsys):
    path = tmp_path / "model.py"
    path.write_text(pictures(WRONG_PICTURES[name]), encoding="utf-8")
    main([f"{path}:PositionalEncoding2D", "--json"])
    assert json.loads(capsys.readouterr().out)["verdict"] in ("wrong", "not-run")


def of_sides(held):
    """A layer for maps, or for their places in one line."""
    layer = a_class("x + self.pe", held, "nn.Module").replace("max_len=512", "height, width")
    return f"""{layer}

def grid(d, h, w):
    return torch.cat([fill(h, d // 2)[:, None].expand(h, w, -1), fill(w, d // 2).expand(h, w, -1)], -1)
"""


SIDES = {
    "a map": (of_sides("self.pe = nn.Buffer(grid(d_model, height, width).permute(2, 0, 1))"), "grid, row first"),
    "sides that have changed places": (of_sides("self.pe = grid(d_model, width, height).flatten(0, 1)[None]"), None),
    "a learned map": (of_sides("self.pe = nn.Parameter(torch.zeros(d_model, height, width))"), "learned"),
    "a map that is drawn, and not learned": (of_sides("self.pe = torch.randn(d_model, height, width)"), None),
}


@pytest.mark.parametrize("name", SIDES)
def test_a_layer_is_asked_for_maps_of_its_own_size(name, tmp_path, capsys):
    (tmp_path / "model.py").write_text(SIDES[name][0], encoding="utf-8")
    main([f"{tmp_path / 'model.py'}:PositionalEncoding", "--json"])
    reply = json.loads(capsys.readouterr().out)
    assert reply["convention"] == SIDES[name][1] and reply["verdict"] == ("convention" if SIDES[name][1] else "wrong")


HALF_STILL = """
import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim, max_seq_len):
        super().__init__()
        w = (1 / 1024) ** torch.linspace(0, 1, steps=dim // 4)
        angles = torch.outer(torch.arange(max_seq_len).float(), torch.cat([w, w.new_zeros(dim // 4)]))
        self.cos, self.sin = nn.Buffer(angles.cos()), nn.Buffer(angles.sin())

    def forward(self, x):
        assert self.cos.size(0) >= x.size(-3)
        cos, sin = (t[None, : x.size(-3), None, :] for t in (self.cos, self.sin))
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos + b * sin, b * cos - a * sin), 3)
"""


def test_pairs_that_stand_still_are_told_beside_the_base(tmp_path, capsys):
    path = tmp_path / "model.py"
    path.write_text(HALF_STILL, encoding="utf-8")
    main([str(path), "--json"])
    assert "columns 0 to 15 and 32 to 47 turn, the others never do" in capsys.readouterr().out


TURN = """
import torch


def {name}(x, positions):
    d = x.shape[-1]
    angles = positions[:, None] * {base} ** (-torch.arange(0, d, 2) / d)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * angles.cos() {sign} b * angles.sin(), a * angles.sin() + b * angles.cos()], -1)
"""


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["turn", "rot5", "encode", "case_7"])
def test_a_rotation_is_known_by_what_it_does(name, tmp_path, capsys):
    for base, sign, told in (("10000.0", "-", "right"), ("500000.0", "-", "convention"), ("10000.0", "+", "wrong")):
        path = tmp_path / "model.py"
        path.write_text(TURN.format(name=name, base=base, sign=sign), encoding="utf-8")
        main([f"{path}:{name}", "--json"])
        said = json.loads(capsys.readouterr().out)
        assert said["verdict"].removeprefix("table-") == told and said["kind"] == "rope", said


NTK = "def ntk_base(dim, scale, base=10000.0):\n    return base * {}\n"
LLAMA = (
    "import torch\n\n\ndef llama3_inv_freq(dim, base, rope_scaling):\n    low = rope_scaling['low_freq_factor']\n"
    "    inv_freq = 1.0 / base ** (torch.arange(0, dim, 2) / dim)\n    return inv_freq{}\n"
)
SETTINGS = {
    "the base of NTK-aware scaling": (NTK.format("scale ** (dim / (dim - 2))"), "convention", "NTK-aware"),
    "a base without the exponent": (NTK.format("scale"), "wrong", "base-not-ntk"),
    "one number for Llama 3.1": (LLAMA.format(".mean().item()"), "wrong", "one-base-for-all"),
    "Llama 3.1 that scales nothing": (LLAMA.format(""), "wrong", "not-scaled"),
    "a name behind a switch": (
        "import numpy as np\n\n\ndef table(max_len, d_model, flip=False):\n    if flip:\n        return order\n"
        "    angles = np.arange(max_len)[:, None] / 10000 ** (2 * (np.arange(d_model) // 2) / d_model)\n"
        "    return np.where(np.arange(d_model) % 2, np.cos(angles), np.sin(angles))\n",
        "table-right",
        "reads order",
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_what_settings_ask_for_is_compared_with_what_is_done(name, tmp_path, capsys):
    source, verdict, told = SETTINGS[name]
    (path := tmp_path / "model.py").write_text(source, encoding="utf-8")
    main([f"{path}", "--json"])
    reply = capsys.readouterr().out
    assert json.loads(reply)["verdict"] == verdict and told in reply, reply


def asked(source, name, folder, capsys):
    """The reply about this name in a file of this source, as JSON."""
    (path := folder / "model.py").write_text(source, encoding="utf-8")
    main([f"{path}:{name}", "--json"])
    return capsys.readouterr().out


POINTS = (
    "import math\nimport torch\n\n\ndef encode({}):\n    waves = [{} for k in range(6) for f in ({})]\n    return {}\n"
)
JOINED, BOTH = "torch.cat(waves, -1)", "torch.sin, torch.cos"
WORDS = f"""{IMPORTS}{FILL}
class Embedding(nn.Module):
    def __init__(self, vocab_size, d_model, use_positions):
        super().__init__()
        self.tokens, self.use_positions = nn.Embedding(vocab_size, d_model), use_positions

    def forward(self, ids):
        rows = self.tokens(ids)
        if self.use_positions:
            rows += {{}}fill(rows.shape[1], rows.shape[2])
        return rows
"""
OTHERS = {
    "octaves of a point": (POINTS.format("p, L", "f(2.0**k * p)", BOTH, JOINED), "convention", "Fourier"),
    "with π, an axis more": (
        POINTS.format("x", "f(2.0**k * math.pi * x)", BOTH, "torch.stack(waves, -1)"), "convention", "Fourier"
    ),
    "the Perceiver's steps, and the point": (
        POINTS.format("coords", "f((1 + 0.8 * k) * math.pi * coords)", BOTH, "torch.cat([coords, *waves], -1)"),
        "convention", "Fourier"
    ),
    "other rates": (POINTS.format("x", "f(1000 ** (-k / 6) * x)", BOTH, JOINED), "not-run", "not-run"),
    "octaves that divide": (POINTS.format("x", "f(x / 2.0**k)", BOTH, JOINED), "wrong", "octaves-divided"),
    "sines alone": (POINTS.format("x", "f(2.0**k * x)", "torch.sin,", JOINED), "not-run", "not-run"),
    "rows added in place": (WORDS.format(""), "right", "Embedding"),
    "rows taken away in place": (WORDS.format("-"), "wrong", "-1 times"),
    "both sizes in one": (
        f"{IMPORTS}{FILL}\ndef table(shape=(15, 8)):\n    return fill(*shape)\n", "right", "shape=(5, 8)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_points_words_and_shapes(name, tmp_path, capsys):
    source, verdict, told = OTHERS[name]
    target = "Embedding" if "class" in source else "table" if "shape=(" in source else "encode"
    reply = asked(source, target, tmp_path, capsys)
    assert json.loads(reply)["verdict"].removeprefix("table-") == verdict and told in reply, reply


OF_TIME = (
    "import math\nimport torch\n\n\ndef times(time, dim{more}):\n    w = {w}\n    a = time[:, None].float() * w\n{end}"
)
FREQUENCY = "torch.exp(-math.log(10000) * torch.arange(dim // 2) / (dim // 2))"
HALVES = "    return torch.cat([a.sin(), a.cos()], -1)\n"
BY_ROW = "    a[0::2], a[1::2] = a[0::2].sin(), a[1::2].cos()\n    return a\n"
PERIODS = "2 * math.pi / (4e-3 * (4.0 / 4e-3) ** torch.linspace(0, 1, dim // 2))"
TIMES = {
    "a flag that is exchanged": (FREQUENCY, ", cos_first: bool = True", HALVES, "wrong", "flag-exchanged"),
    "a flag that is kept": (FREQUENCY, ", flip_sin_to_cos=False", HALVES, "convention", "halves"),
    "times drawn, not scaled": (FREQUENCY, "", f"{HALVES}    t = torch.rand(4)\n", "wrong", "unit-times"),
    "two periods, both written": (PERIODS, "", HALVES, "convention", "wavelengths"),
    "two periods, one of them lost": (f"{PERIODS} + 0.1", "", HALVES, "wrong", "other-frequencies"),
    "waves by row": ("10000 ** (-2 * torch.arange(dim) / dim)", "", BY_ROW, "wrong", "waves-by-row"),
}


@pytest.mark.parametrize("name", TIMES)
def test_times_are_asked_between_whole_ones_and_read_by_their_names(name, tmp_path, capsys):
    w, more, end, verdict, told = TIMES[name]
    reply = asked(OF_TIME.format(w=w, more=more, end=end), "times", tmp_path, capsys)
    assert json.loads(reply)["verdict"] == verdict and told in reply, reply


OF_CALLS = """import torch

def rope(x, {given}):
    # x: (B, H, S, D){said}
    f = 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    a = ({first} + torch.arange(x.shape[2]))[..., None] * f
    a, (l, r) = torch.cat([a, a], -1), x.chunk(2, -1)
    return x * a.cos() + torch.cat([-r, l], -1) * a.sin()
"""
ROWS, OWN = "; offset: a number, or (B,)", "torch.as_tensor(offset).reshape(-1, 1, 1)"
KEPT = "past_kv[0].shape[2] if past_kv else 0"
BEGINS = {
    "a start for each row": ("offset=0", ROWS, OWN, "table-right", "other-dtype"),
    "a start for each row, along the tokens": ("offset=0", ROWS, "offset", "wrong", "start-of-rows"),
    "the first row's start for all": ("offset=0", ROWS, "torch.as_tensor(offset).max()", "wrong", "start-of-rows"),
    "one start": ("offset=0", "", "offset", "table-right", "other-dtype"),
    "behind what is kept": ("past_kv=None", "", f"({KEPT})", "table-right", "other-dtype"),
    "at 0 whatever is kept": ("past_kv=None", "", "0", "wrong", "past-ignored"),
}


@pytest.mark.parametrize("name", BEGINS)
def test_a_call_begins_where_it_is_told(name, tmp_path, capsys):
    given, said, first, verdict, told = BEGINS[name]
    reply = asked(OF_CALLS.format(given=given, said=said, first=first), "rope", tmp_path, capsys)
    assert json.loads(reply)["verdict"] == verdict and told in reply, reply
