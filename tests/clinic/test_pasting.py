"""After "Could not run" stands a command that runs, or the line of the code that stops it: neighbours of the bank's."""

import pytest
from test_fresh_bank import pasted, said_to

from pe_clinic.sandbox import guard

HEAD = "import torch\nfrom torch import nn\nRATES = 10000.0 ** (-torch.arange(0, 64, 2) / 64)\n"
TURN = "    a, b = x.chunk(2, -1)\n    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)\n"
ROWS = "    pos = torch.arange(n)[:, None]\n    j = torch.arange(d)\n    a = pos / 10000 ** (2 * (j // 2) / d)\n"
ROWS += "    return torch.where(j % 2 == 0, a.sin(), a.cos())\n"
NEIGHBOURS = {
    "tables, and what nobody knows": ("def rotate_it(x, cos, sin, colour):\n" + TURN, "rotate_it"),
    "tables under long names": ("def rope(x, cos_part, sin_part, flavour, taste):\n" + TURN.replace(
        "cos", "cos_part").replace("sin", "sin_part"), "rope"),
    "heads last, and what nobody knows": (
        "def apply_rope(x, positions, colour):\n    b, n, h, d = x.shape\n    assert len(positions) == n\n"
        "    t = positions[:, None] * RATES\n    cos, sin = t.cos()[:, None], t.sin()[:, None]\n" + TURN, "apply_rope"),
    "an object that wants what nobody knows": (
        "class Rotary(nn.Module):\n    def __init__(self, dim, colour):\n        super().__init__()\n"
        "    def forward(self, x, offset):\n        n = x.shape[-2]\n"
        "        t = (torch.arange(n) + offset)[:, None] * RATES\n        cos, sin = t.cos(), t.sin()\n"
        + TURN.replace("    ", "        "), "Rotary"),
    "a bias, and what nobody knows": (
        "def alibi(n_heads, seq_len, colour):\n    s = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)\n"
        "    p = torch.arange(seq_len)\n    return -s[:, None, None] * (p[:, None] - p).abs()\n", "alibi"),
    "slopes of a class": (
        "class ALiBi(nn.Module):\n    def __init__(self, colour, heads):\n        super().__init__()\n"
        "        self.heads = heads\n    def get_slopes(self):\n"
        "        return 2.0 ** (-8 * torch.arange(1, self.heads + 1) / self.heads)\n", "ALiBi"),
    "a table, and what nobody knows": ("def table(n, d, colour, taste):\n" + ROWS, "table"),
    "a forward of x and what nobody knows": (
        "class PE(nn.Module):\n    def __init__(self, d_model):\n        super().__init__()\n"
        "    def forward(self, x, colour):\n        assert isinstance(colour, str)\n"
        "        return x + table(x.shape[1], x.shape[2]).to(x.device)\ndef table(n, d):\n" + ROWS, "PE"),
    "a whole attention layer": (
        "class Attention(nn.Module):\n    def __init__(self, dim):\n        super().__init__()\n"
        "        self.q_proj = nn.Linear(dim, dim)\n    def forward(self, x):\n        return self.q_proj(x)\n"
        "def rope(x, positions):\n    t = positions[:, None] * RATES\n    cos, sin = t.cos(), t.sin()\n" + TURN,
        "Attention"),
    "cosines and sines in one tensor, heads last": (
        "def apply_rope(x, rope_cache, variant):\n    y = x.float().reshape(*x.shape[:-1], -1, 2)\n"
        "    c = rope_cache[: x.size(1)].view(1, y.size(1), 1, y.size(3), 2)\n"
        "    a = y[..., 0] * c[..., 0] - y[..., 1] * c[..., 1]\n    b = y[..., 1] * c[..., 0] + y[..., 0] * c[..., 1]\n"
        "    return torch.stack((a, b), -1).flatten(3).type_as(x)\n", "apply_rope"),
    "q and k in a dict": (
        "def turn(x, t):\n    cos, sin = t.cos().to(x.dtype), t.sin().to(x.dtype)\n" + TURN
        + "def rotary(q, k, pos_ids, opts):\n    t = pos_ids[:, None] * RATES\n"
        "    return {'q': turn(q, t), 'k': turn(k, t)}\n", "rotary"),
    "one position at a time, by keyword": (
        "def rope(*, vector, place):\n    x = vector\n    t = place * RATES\n"
        "    cos, sin = t.cos().to(x.dtype), t.sin().to(x.dtype)\n" + TURN, "rope"),
    "a name that is misspelt": ("def table(n, d):\n" + ROWS, "tabel"),
    "no name, and two candidates": ("def one(n, d):\n" + ROWS + "def other(n, d):\n" + ROWS, ""),
    "an expression that is none": ("def table(n, d):\n" + ROWS, "--make"),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("what", NEIGHBOURS)
def test_a_command_is_shown_for_what_nobody_could_call(tmp_path, what):
    source, name = NEIGHBOURS[what]
    path = tmp_path / "model.py"
    path.write_text(HEAD + source)
    asked = [str(path), "--make", "table("] if name == "--make" else [f"{path}:{name}" if name else str(path)]
    said = said_to(*asked)
    reply = pasted(said) if said["verdict"] == "not-run" else said
    assert reply and reply["verdict"] in ("right", "table-right", "convention"), said
    assert said["verdict"] == "not-run" or "nobody" not in what  # a guess is shown, and never judged


@pytest.mark.slow
def test_a_rotation_that_stops_whatever_it_is_given_quotes_its_line(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(HEAD + "def apply_rope(x, cos, sin, colour):\n    return x * cos + missing\n")
    said = said_to(f"{path}:apply_rope")
    assert said["verdict"] == "not-run" and not said["findings"][0]["paste"]
    assert "NameError: name 'missing' is not defined (line 5 of apply_rope)" in said["line"]
    assert said["findings"][0]["place"] == f"{path}:5: return x * cos + missing"


def test_a_loop_without_an_end_is_not_asked_in_other_words(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "TIME_LIMIT", 0.1)
    path, calls = tmp_path / "model.py", tmp_path / "calls"
    call = f"open({str(calls)!r}, 'a').write('x')"
    path.write_text(f"def table(max_len, d_model):\n    {call}\n    while True:\n        pass\n")
    assert "had not finished after 0.1 seconds" in said_to(f"{path}:table")["line"]
    assert calls.read_text() in ("x", "xx")
