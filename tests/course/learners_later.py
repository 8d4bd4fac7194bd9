# ruff: noqa: E501 (an answer stands on one line)
"""Answers to lessons 05 to 12, in the form of learners.py: families of slips, and right answers near to them."""

MODULE = """class f(nn.Module):
    def __init__(self, d_model, max_len, dropout=0.0):
        super().__init__()
        {}
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        {}"""
BUFFER = "self.register_buffer('pe', sinusoidal_stack_flatten(max_len, d_model)[None], persistent=False)"
SWAP = "def f(layer, x):\n    order = [1, 0, *range(2, len(x))]\n    {}"
QKV = "def f(x, positions, A, B, C):\n    q, k, v = x @ A, x @ B, x @ C\n    {}"
TURNED = "q, k = rope_interleaved(q, positions), rope_interleaved(k, positions); "
STEP = "def f(x, keys, values, A, B, C):\n    p = [len(keys)]\n    {}"
PIECES = "def f(max_len, d_model):\n    B = 4\n    units = sinusoidal_vectorized(B, d_model)\n    {}"
THIRDS = "def f(depth, height, width, d_model):\n    z, y, x = np.indices((depth, height, width))\n    t = d_model // 3\n    {}"
TIMES = "def f(t, d):\n    r = sinusoidal_at(1000 * t, d)\n    return {}"


def turn(angle):
    return (
        f"def f(x, positions, frequency):\n    t = {angle}\n    a, b = x[:, 0], x[:, 1]\n"
        "    return torch.stack([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], dim=1)"
    )


LATER = {
    "05.1": {"'(B)'": "right", "'e'": "One letter", "'a or b'": "One letter", "2": "One letter"},
    "05.2": {
        "lambda even, odd: torch.stack([c for pair in zip(even.T, odd.T) for c in pair]).T": "right",
        "lambda even, odd: torch.stack([even, odd], dim=2).transpose(1, 2)": ...,
        "lambda even, odd: torch.stack([even[0], odd[0]], dim=1).flatten()": "Only the first row",
    },
    "05.3": {
        "class f(nn.Module):\n    def __init__(self, d_model, max_len):\n        super().__init__()\n"
        "        self.register_buffer(table, sinusoidal_stack_flatten(max_len, d_model))\n"
        "    def forward(self):\n        return self.table": "no value in __init__",
        "class f(nn.Module):\n    def __init__(self, d_model, max_len):\n        super().__init__()\n"
        "        self.register_buffer('table', sinusoidal_stack_flatten(max_len, d_model))\n"
        "    def forward(self):\n        return table": "In forward the table is self.table",
    },
    "06.1": {"(32, 101, 1024)": "equal sizes stay", "(100, 32, 512)": "in their places", "True": "3 numbers"},
    "06.2": {
        "def f(x, pe):\n    out = x.clone()\n    out[0] = out[0] + pe[0, : x.shape[1]]\n    return out": "length 5 (batch 1)",
        "lambda x, pe: x + pe[0, : x.shape[1]].unsqueeze(-1)": "one row for each token",
        "lambda x, pe: torch.stack([sample + pe[0][: x.shape[1]] for sample in x])": "right",
        "lambda x, pe: (x + pe[:, : x.shape[1]]).squeeze()": "squeeze",
        "lambda x, pe: x + pe[:, torch.randperm(x.shape[1])]": "random numbers",
        "lambda x, pe: x + pe[:, : 2 * x.shape[1] : 2]": "second row",
        "lambda x, pe: x + pe[:, : x.shape]": ".shape alone is several",
        "lambda x, pe: x + pe[:, : x.shape(1)]": "square brackets",
    },
    "06.3": {
        MODULE.format(BUFFER, "return self.dropout(torch.add(x, self.pe[:, : x.size(1)].to(x.dtype)))"): "right",
        MODULE.format(BUFFER, "return self.dropout(x + pe[:, : x.shape[1]])"): "no value in forward",
        MODULE.format(BUFFER, "return self.dropout(x + self.table[:, : x.shape[1]])"): "called table",
        MODULE.format(BUFFER, "return self.dropout(x + self.pe[:, : x.shape[1]])").replace("(self, x)", "(x)"): "self and x",
        MODULE.format(BUFFER, "return x").replace("super().__init__()", "pass"): "has to run first",
        MODULE.format(BUFFER.replace("max_len, d_model", "d_model, max_len"), "return self.dropout(x + self.pe[:, : x.shape[1]])"):
            "have changed places",
    },
    "07.1": {"'e'": "One letter", "True": "text in quotes"},
    "07.2": {
        SWAP.format("return (layer(x[order]) - layer(x)[order]).abs().max().item() < 1e-5"): "right",
        SWAP.format("return (layer(x[order]) - layer(x)[order]).max() < 1e-5"): ".abs()",
        SWAP.format("return (layer(x)[order] - layer(x[order])).max() < 1e-5"): ".abs()",
        SWAP.format("x = x[order]\n    return torch.allclose(layer(x), layer(x)[order])"): "overwritten",
        SWAP.format("return torch.isclose(layer(x[order]), layer(x)[order]).any()"): "One equal number",
        SWAP.format("return torch.allclose(layer(x[order]).norm(), layer(x)[order].norm())"): "lengths are compared",
        SWAP.format("return torch.allclose(layer(x)[order], layer(x)[order])"): "both sides the same thing",
        "def f(layer, x):\n    s, y = x.clone(), layer(x)\n    s[0] = s[1]\n    s[1] = s[0]\n    t = y.clone()\n    t[0] = t[1]\n"
        "    t[1] = t[0]\n    return torch.allclose(layer(s), t)": "Both samples become the second",
    },
    "08.1": {
        "lambda n, d: abs(np.cos(n * frequencies(d)).sum())": "sign of the sum",
        "lambda n, d: np.cos(n * frequencies(d)).max()": "largest",
        "lambda n, d: np.trace(shift_matrix(n, d)) / 2": "right",
        "lambda n, d: d / 2 * np.cos(n)": "frequency is missing",
        "lambda n, d: math.cos(n) + 0 * d": "Only the first pair",
        "def f(n, d):\n    for w in frequencies(d):\n        total = math.cos(n * w)\n    return total": "Only the last pair",
        "def f(n, d):\n    total = 0\n    for w in frequencies(d):\n        total += math.cos(n * w)\n        return total": "inside a loop",
        "lambda n, d: np.sum(np.sin(n * frequencies(d)) ** 2 + np.cos(n * frequencies(d)) ** 2)": "whatever the offset",
        "lambda n, d: np.sqrt(np.sum(np.sin(n * frequencies(d)) ** 2 + (np.cos(n * frequencies(d)) - 1) ** 2))": "distance",
    },
    "08.2": {
        "lambda n, table: table @ (table @ shift_matrix(-n, table.shape[1])).T": "right",
        "lambda n, table: np.roll(table @ table.T, n, axis=1)": "finished scores are moved",
        "lambda n, table: np.linalg.norm((table @ shift_matrix(n, table.shape[1]))[:, None] - table, axis=2)": "distances",
        "lambda n, table: table @ shift_matrix(n, frequencies(table.shape[1])) @ table.T": "whole numbers",
        "def f(n, table):\n    table[:] = table @ shift_matrix(n, table.shape[1])\n    return table @ table.T": "changes what it was given",
        "lambda n, table: np.exp(table @ shift_matrix(n, table.shape[1]) @ table.T)": "the exponentials",
    },
    "08.3": {
        PIECES.format("pieces = [units]\n    for a in range(1, max_len // B + 1): pieces.append(pieces[-1] @ shift_matrix(B, d_model))\n"
                      "    return np.vstack(pieces)[:max_len]"): "right",
        PIECES.format("pieces = [units]\n    for a in range(1, max_len // B + 1): pieces.append(pieces[-1] @ shift_matrix(a * B, d_model))\n"
                      "    return np.vstack(pieces)[:max_len]"): "turned on from the one before",
        PIECES.format("return np.stack([units @ shift_matrix(a * B, d_model) for a in range(max_len // B + 1)], axis=1)"
                      ".reshape(-1, d_model)[:max_len]"): "take turns",
        PIECES.format("return np.vstack(units @ shift_matrix(a * B, d_model) for a in range(max_len // B + 1))"): "square brackets",
    },
    "09.1": {
        "def f(x, positions, frequency):\n    t = positions * frequency\n    b, a = x[:, 0], x[:, 1]\n"
        "    return torch.stack([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], dim=1)": "or a and b",
        "def f(x, positions, frequency):\n    z = torch.view_as_complex(x.contiguous()) * torch.exp(1j * positions * frequency)\n"
        "    return torch.view_as_real(z)": "right",
        turn("positions / 10000 ** frequency"): "by another angle",
        "def f(x, positions, frequency):\n    t = positions * frequency\n    return x + torch.stack([t.sin(), t.cos()], dim=1)": "added to x",
    },
    "09.2": {
        QKV.format(TURNED + "return attend(q, k, k)"): "attend gets q, k, k",
        QKV.format("p = positions - positions[0]\n    return attend(rope_interleaved(q, p), rope_interleaved(k, p), v)"): "right",
        QKV.format("rope_interleaved(q, positions)\n    rope_interleaved(k, positions)\n    return attend(q, k, v)"): "keeps it nowhere",
        QKV.format(TURNED + "return (q @ k.T / 2) @ v"): "no softmax",
        QKV.format(TURNED + "s = (q @ k.T / 2).masked_fill(torch.ones(6, 6).tril(-1) == 1, -torch.inf)\n    return s.softmax(-1) @ v"):
            "what came before",
        QKV.format("return attend(q + positions[:, None], k + positions[:, None], v)"): "Positions are added",
        QKV.format(TURNED + "return attend(q / math.sqrt(4), k, v)"): "twice",
        QKV.format("return attend(rope_interleaved(q, 0.01 * positions), rope_interleaved(k, 0.01 * positions), v)"): "multiplied by 0.01",
        QKV.format("return attend(rope_interleaved(q, positions), rope_interleaved(k, positions.flip(0)), v)"): "reverse order",
    },
    "09.3": {
        STEP.format("k = torch.cat([rope_interleaved(x @ B, p), keys])\n    v = torch.cat([x @ C, values])\n"
                    "    return attend(rope_interleaved(x @ A, p), k, v), k, v"): "right",
        STEP.format("return attend(rope_interleaved(x @ A, p), rope_interleaved(x @ B, p), x @ C)"): "itself alone",
        STEP.format("k = torch.cat([keys, rope_interleaved(x @ B, p)]); v = torch.cat([values, x @ C])\n"
                    "    return (rope_interleaved(x @ A, p) @ k.T / 2).softmax(0) @ v"): "weight 1",
        STEP.format("p = [keys.shape[1]]; k = torch.cat([keys, rope_interleaved(x @ B, p)]); v = torch.cat([values, x @ C])\n"
                    "    return attend(rope_interleaved(x @ A, p), k, v)"): "the width",
        STEP.format("keys.append(rope_interleaved(x @ B, p))"): "Only lists have append",
        STEP.format("k = torch.cat([keys, rope_interleaved(x @ B, p)]); v = torch.cat([values, x @ C])\n"
                    "    return attend(rope_interleaved(x @ A, p), k, v)"): "returned alone",
        STEP.format("k = torch.cat([keys, rope_interleaved(x @ B, p)]); v = torch.cat([values, x @ C])\n"
                    "    return attend(rope_interleaved(x @ A, p), k, v), keys, values"): "is wrong from token 1 on",
    },
    "10.1": {
        "lambda n, s: -s * torch.maximum(torch.arange(n), torch.arange(n)[:, None])": "gets -0.5",
        "lambda n, s: torch.where(torch.arange(n) < torch.arange(n)[:, None], 1, -1) * s * (torch.arange(n) - torch.arange(n)[:, None])":
            "right",
        "lambda n, s: -s / (torch.arange(n) - torch.arange(n)[:, None]).abs()": "divided by it",
        "lambda n, s: alibi_bias(1, n)[0] + 0 * s": "own slope",
        "lambda n, s: -s * (torch.arange(n) @ torch.arange(n))": "is one number",
    },
    "11.1": {
        "lambda lengths: {n: list(range(n)) for n in lengths}": "A dict",
        "lambda lengths: [p for n in lengths for p in range(n)]": "right",
        "lambda lengths: np.concatenate([np.arange(lengths[0]), np.arange(lengths[1])])": "first two texts",
        "lambda lengths: np.arange(sum(lengths)) % lengths[0]": "length of the first",
        "lambda lengths: np.concatenate([np.arange(n - 1) for n in lengths])": "too few",
    },
    "11.2": {
        THIRDS.format("return np.concatenate([sinusoidal_at(p, t) for p in (z, y, x)], axis=3)"): "right",
        THIRDS.format("return np.concatenate([sinusoidal_at(p, d_model // 2) for p in (z, y, x)], axis=-1)"): "half of the columns",
        THIRDS.format("return np.stack([sinusoidal_at(p, t) for p in (z, y, x)], axis=-1)"): "stacked along a new axis",
        THIRDS.format("return np.concatenate([sinusoidal_at(p / max(p.max(), 1), t) for p in (z, y, x)], axis=-1)"): "between 0 and 1",
        THIRDS.format("return np.concatenate([sinusoidal_at(z, t)] * 3, axis=-1)"): "All three thirds",
    },
    "11.3": {
        TIMES.format("np.concatenate([r[:, 1::2], r[:, 0::2]], 1)").replace("* t", "* (1 - t)"): "1 - t",
        TIMES.format("r[:, [*range(1, d, 2), *range(0, d, 2)]]"): "right",
        TIMES.format("np.concatenate([r[1::2], r[0::2]])"): "every second row",
        TIMES.format("np.concatenate([r[:, 1::2], r[:, ::-2]], 1)"): "second half of the columns is wrong",
        TIMES.format("np.concatenate([r[:, d // 2 :], r[:, : d // 2]], 1)"): "left and the right half",
        TIMES.format("np.concatenate([r[:, 1::2], r[:, 0::2]], 1)").replace("* t", "* np.round(t)"): "rounded to whole numbers",
    },
    "12.1": {"'e'": "One letter", "(5, 7)": "letter of that choice"},
    "12.2": {
        "lambda n, d: torch.where(torch.arange(d) % 2 == 0, *(f(torch.arange(n)[:, None] / 10000 ** (2 * (torch.arange(d) % 2) / d))"
        " for f in (torch.sin, torch.cos)))": "j // 2",
    },
    "12.4": {"def f(max_len, d_model):\n    return rearrange(sinusoidal_vectorized(max_len, d_model))": "rearrange"},
}
