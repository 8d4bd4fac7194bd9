# ruff: noqa: E501 (an answer stands on one line)
"""Answers as learners give them, to lessons 00 to 04: what is right in unusual ways, and wrong ones with what is said.

For each exercise {code: words of the reply}; "right" for what is accepted. Code is an expression, or a def whose
function is the answer. `...` is for words that only have to be there: any cause but the last resort.
"""

BRACKETS, LOOP = "rackets", "a loop"
CELLS = """def f(max_len, d_model):
    table = np.zeros((max_len, d_model))
    for pos in range(max_len):
        for j in range(d_model):
            {}
    return table"""
PAIRS = """def f(max_len, d_model):
    table = np.zeros((max_len, d_model))
    for pos in range(max_len):
        for i in range(0, d_model, 2):
            angle = pos / 10000 ** (i / d_model)
            {}
    return table"""


def cells(angle, cell="math.sin(angle) if j % 2 == 0 else math.cos(angle)"):
    return CELLS.format(f"angle = {angle}; table[pos, j] = {cell}")


def pairs(*lines):
    return PAIRS.format("\n            ".join(lines))


def table(body):
    return f"def f(max_len, d_model):\n    table = np.zeros((max_len, d_model))\n    {body}\n    return table"


ANSWERS = {
    "00.1": {
        "24": "right",
        "4 * 3 * 2": "right",
        "24.0": "right",
        "len(list(itertools.permutations('abcd')))": "right",
        "np.prod([4, 3, 2, 1])": "right",
        "torch.tensor(24)": "right",
        "list(itertools.permutations('abcd'))": "orders themselves",
        "math.factorial": "not called",
        "2 ** 4": "in both",
        "4 + 3 + 2 + 1": "multiply",
        "4 ** 4": "several places",
        "3 * 2 * 1": "three tokens",
        "4 * 3": "two tokens remain",
        "math.factorial(5)": "for five tokens",
        "24 - 1": "counts, too",
        "'4!'": "quotes",
        "(24,)": "brackets too many",
        "[4, 3, 2, 1]": "One number",
        "-24": "sign",
        "None": "None",
    },
    "00.2": {
        "lambda f, x, order: bool((f(x[order]) - f(x)[order]).abs().max() < 1e-4)": "right",
        "lambda f, x, order: np.allclose(f(x[order]).numpy(), f(x)[order].numpy(), atol=1e-5)": "right",
        "lambda f, x, order: torch.isclose(f(x[order]), f(x)[order], atol=1e-5).all()": "right",
        "lambda f, x, order: torch.allclose(f(x)[order], f(x[order]))": "right",
        "lambda f, x, order: torch.allclose(f(torch.eye(len(x))[order] @ x), torch.eye(len(x))[order] @ f(x), atol=1e-5)":
            "right",
        "def f(f, x, order):\n    a, b = f(x[order]), f(x)[order]\n    return all(abs(p - q) < 1e-5 for p, q in zip(a.flatten(), b.flatten()))":
            "right",
        "lambda f, x, order: torch.equal(f(x[order]), f(x)[order])": "last bit",
        "lambda f, x, order: (f(x[order]) == f(x)[order]).all()": "last bit",
        "lambda f, x, order: (f(x[order]) - f(x)[order]).max() < 1e-5": ".abs()",
        "lambda f, x, order: (f(x)[order] - f(x[order])).max() < 1e-5": ".abs()",
        "lambda f, x, order: (f(x[order]) - f(x)[order]).sum().abs() < 1e-4": "cancel",
        "lambda f, x, order: torch.allclose(f(x[order])[order], f(x), atol=1e-5)": "applied twice",
        "lambda f, x, order: torch.allclose(f(x[order]), x[order], atol=1e-5)": "f is not applied",
        "lambda f, x, order: torch.allclose(f(x[order]), f(x), atol=1e-5)": "invariant",
        "lambda f, x, order: torch.allclose(f(x), f(x)[order], atol=1e-5)": "never gets",
        "lambda f, x, order: torch.allclose(x[order], x[order])": "never calls f",
        "lambda f, x, order: f(x[order]) == f(x)[order]": "whole table",
        "lambda f, x, order: (f(x[order]) == f(x)[order]).any()": "any",
        "lambda f, x, order: torch.allclose(f(x[:, order]), f(x)[:, order])": "x[order] shuffles rows",
        "lambda f, x, order: torch.allclose(f(x(order)), f(x)[order])": "square brackets",
        "lambda f, x, order: torch.allclose(f[x[order]], f(x)[order])": "round ones",
        "lambda f, x, order: not torch.allclose(f(x[order]), f(x)[order], atol=1e-5)": "opposite",
        "lambda f, x, order: str(torch.allclose(f(x[order]), f(x)[order], atol=1e-5))": "text",
        "def f(f, x, order):\n    print(torch.allclose(f(x[order]), f(x)[order], atol=1e-5))": "prints and returns nothing",
        "def f(f, x, order):\n    if torch.allclose(f(x[order]), f(x)[order], atol=1e-5):\n        return True":
            "without a return",
        "lambda f, x, order: f(x[order]).shape == f(x)[order].shape": "True for a function that does care",
        "lambda f, x, order: torch.allclose(f(x[order]).sum(), f(x).sum(), atol=1e-4)": ...,
        "lambda f, x: torch.allclose(f(x), f(x))": "other arguments than it takes",
        "lambda f, x, order: torch.allclose(f(x.flip(0)), f(x).flip(0), atol=1e-5)": "never uses its argument order",
    },
    "01.1": {
        "torch.Size([4, 7, 16])": "right",
        "torch.zeros(4, 7, 16).shape": "right",
        "np.array([4, 7, 16])": "right",
        "(4.0, 7, 16)": "right",
        "torch.zeros(4, 7, 16)": ".shape",
        "(4, 7, 50)": "number of rows",
        "(4, 16, 7)": "comes last",
        "(7, 16, 4)": "stay in front",
        "(4, 7, 1)": "whole vector",
        "(4, 7, 512)": "512",
        "(1, 5, 16)": "example of the lesson",
        "(16,)": "Every id",
        "16": "3 are asked for",
        "4 * 7 * 16": "lists the sizes",
        "'(4, 7, 16)'": "quotes",
        "((4, 7, 16),)": "brackets too many",
        "{4, 7, 16}": "Braces",
        "(4, 112)": "end to end",
        "(28, 16)": "not merged",
        "(4, 7, 50, 16)": "not the whole table",
        "(4, 8, 16)": "All but one",
        "nn.Embedding(50, 16)": "not called",
    },
    "01.2": {
        "lambda ids, weight: torch.einsum('bsv,vd->bsd', one_hot(ids, len(weight)).float(), weight)": "right",
        "lambda ids, weight: torch.matmul((ids[..., None] == torch.arange(len(weight))).float(), weight)": "right",
        "lambda ids, weight: (one_hot(ids, len(weight))[..., None] * weight).sum(2)": "right",
        "lambda ids, weight: one_hot(ids, weight.size(0)).to(weight.dtype) @ weight": "right",
        "lambda ids, weight: torch.stack([one_hot(row, len(weight)).float() @ weight for row in ids])": "right",
        "lambda ids, weight: weight[ids]": "looked up",
        "lambda ids, weight: torch.index_select(weight, 0, ids.flatten()).reshape(*ids.shape, -1)": "looked up",
        "lambda ids, weight: one_hot(ids).float() @ weight": "num_classes",
        "lambda ids, weight: one_hot(ids, num_classes=int(ids.max()) + 1).float() @ weight": "num_classes",
        "lambda ids, weight: one_hot(ids, num_classes=weight.shape[1]).float() @ weight": "len(weight)",
        "lambda ids, weight: one_hot(ids, 10000).float() @ weight": "10000",
        "lambda ids, weight: one_hot(ids, 6).float() @ weight": "always have 6",
        "lambda ids, weight: one_hot(ids, len(weight)) @ weight": ".float()",
        "lambda ids, weight: one_hot(ids, len(weight)).double() @ weight": "different kinds",
        "lambda ids, weight: one_hot(ids, len(weight)).float() * weight": "number by number",
        "lambda ids, weight: one_hot(ids, len(weight)).float() @ weight.T": "transposed",
        "lambda ids, weight: weight @ one_hot(ids, len(weight)).float()": "left",
        "lambda ids, weight: one_hot(ids, len(weight)).float()": "one-hot rows themselves",
        "lambda ids, weight: (one_hot(ids, len(weight)).float() @ weight).flatten(0, 1)": "an axis too few",
        "lambda ids, weight: (one_hot(ids, len(weight)).float() @ weight).mean(1)": "averaged",
        "lambda ids, weight: (one_hot(ids, len(weight)).float() @ weight).round()": "rounded",
        "lambda ids, weight: -one_hot(ids, len(weight)).float() @ weight": "Every sign",
        "def f(ids, weight):\n    one_hot(ids, len(weight)).float() @ weight": "returns nothing",
        "lambda ids, weight: onehot(ids, len(weight)).float() @ weight": "onehot",
        "one_hot(torch.tensor([[1]]), 6).float() @ torch.zeros(6, 4)": "A function is wanted",
    },
    "01.3": {
        "lambda ids, weight: nn.functional.embedding(ids, weight) * weight.size(1) ** 0.5": "right",
        "lambda ids, weight: weight[ids] * np.sqrt(weight.shape[-1])": "right",
        "lambda ids, weight: (weight * weight.shape[1] ** (1 / 2))[ids]": "right",
        "lambda ids, weight: weight[ids].mul(len(weight[0]) ** 0.5)": "right",
        "lambda ids, weight: weight[ids] * torch.tensor(weight.shape[1]).sqrt()": "right",
        "lambda ids, weight: one_hot(ids, len(weight)).float() @ weight * weight.shape[1] ** 0.5": "right",
        "lambda ids, weight: weight[ids] * weight.shape[1] ** 1/2": BRACKETS,
        "lambda ids, weight: weight[ids] * weight.shape[1] ** (1 // 2)": "is missing",
        "lambda ids, weight: weight[ids] * weight.shape[1] ** 2": "squared",
        "lambda ids, weight: weight[ids] * weight.shape[1] ** -0.5": "Divided",
        "lambda ids, weight: weight[ids] * ids.shape[1] ** 0.5": "sequence",
        "lambda ids, weight: weight[ids] * ids.shape[0] ** 0.5": "batch",
        "lambda ids, weight: weight[ids] * len(weight) ** 0.5": "vocabulary",
        "lambda ids, weight: weight[ids] * weight.numel() ** 0.5": "all numbers",
        "lambda ids, weight: weight[ids] * 22.627417": "√512",
        "lambda ids, weight: weight[ids] * 2": "Multiplied by 2",
        "lambda ids, weight: weight[ids] * d_model ** 0.5": "d_model",
        "lambda ids, weight: weight[ids] + weight.shape[1] ** 0.5": "added",
        "lambda ids, weight: weight[ids] ** 0.5": "nan",
        "lambda ids, weight: weight(ids) * weight.shape[1] ** 0.5": "quare brackets",
        "lambda ids, weight: weight[ids] * torch.sqrt(weight.shape[1])": "torch.sqrt takes a tensor",
        "lambda ids, weight: weight * weight.shape[1] ** 0.5": "never uses its argument ids",
        "lambda ids, weight: weight[ids] * math.isqrt(weight.shape[1])": "whole number",
        "lambda ids, weight: weight[ids] * weight.shape[1] ** 0.5 * 3": "Every number is 3 times",
        "def f(ids, weight):\n    weight *= weight.shape[1] ** 0.5\n    return weight[ids]": "changes what it was given",
    },
    "02.1": {
        "lambda n, w: [[math.cos(n * w), -math.sin(n * w)], [math.sin(n * w), math.cos(n * w)]]": "right",
        "lambda n, w: torch.matrix_exp(n * w * torch.tensor([[0.0, -1.0], [1.0, 0.0]]))": "right",
        "lambda n, w: np.linalg.matrix_power(np.array([[np.cos(w), -np.sin(w)], [np.sin(w), np.cos(w)]]), n)": "right",
        "lambda n, w: np.array([[np.cos(n * w), np.sin(n * w)], [-np.sin(n * w), np.cos(n * w)]]).T": "right",
        "def f(n, w):\n    z = np.exp(1j * n * w)\n    return np.array([[z.real, -z.imag], [z.imag, z.real]])": "right",
        "lambda n, w: ((np.cos(n * w), -np.sin(n * w)), (np.sin(n * w), np.cos(n * w)))": "right",
        "lambda n, w: np.array([[np.cos(n * w), np.sin(n * w)], [-np.sin(n * w), np.cos(n * w)]])": "transpose",
        "lambda n, w: np.array([[np.cos(n * w), np.sin(n * w)], [np.sin(n * w), np.cos(n * w)]])": "A sign is wrong",
        "lambda n, w: np.array([[np.cos(n * w), -np.sin(n * w)], [-np.sin(n * w), np.cos(n * w)]])": "A sign is wrong",
        "lambda n, w: np.array([[-np.cos(n * w), np.sin(n * w)], [np.sin(n * w), np.cos(n * w)]])": "A sign is wrong",
        "lambda n, w: np.array([[np.sin(n * w), np.cos(n * w)], [np.cos(n * w), -np.sin(n * w)]])": "changed places",
        "lambda n, w: np.array([[np.sin(n * w), -np.cos(n * w)], [np.cos(n * w), np.sin(n * w)]])": "changed places",
        "lambda n, w: np.array([[np.cos(n), -np.sin(n)], [np.sin(n), np.cos(n)]])": "ignores the frequency",
        "lambda n, w: np.array([[np.cos(w), -np.sin(w)], [np.sin(w), np.cos(w)]])": "whatever n is",
        "lambda n, w: np.array([[np.cos(w), -np.sin(w)], [np.sin(w), np.cos(w)]]) ** n": "each number",
        "lambda n, w: n * np.array([[np.cos(w), -np.sin(w)], [np.sin(w), np.cos(w)]])": "multiplied by n",
        "def f(n, w):\n    b = 2 * np.pi * n * w\n    return [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]]": "2π",
        "def f(n, w):\n    b = np.radians(n * w)\n    return [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]]": "degrees",
        "def f(n, w):\n    b = n / w\n    return [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]]": "divided",
        "def f(n, w):\n    b = n + w\n    return [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]]": "added",
        "def f(n, w):\n    b = abs(n) * w\n    return [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]]": "other way",
        "def f(n, w):\n    M = np.eye(2)\n    for _ in range(n):\n        M = M @ [[np.cos(w), -np.sin(w)], [np.sin(w), np.cos(w)]]\n"
        "    return M": "negative n",
        "lambda n, w: np.array([np.cos(n * w), -np.sin(n * w), np.sin(n * w), np.cos(n * w)])": "an axis too few",
        "lambda n, w: [np.sin(n * w), np.cos(n * w)]": "1 axis",
        "lambda n, w: np.eye(2)": "never uses its arguments",
        "def f(pos, n, w):\n    return np.eye(2)": "other arguments",
        "lambda n, w: np.array([[np.cos(n * w), -np.sin(n * w)], [np.sin(n * w), np.cos(n * w)]]).round()": "rounded",
        "lambda n, w: np.array([[cos(n * w), -sin(n * w)], [sin(n * w), cos(n * w)]])": "cos",
    },
    "02.2": {
        "[0.909, -0.416, 0.02, 1]": "right",
        "np.array([np.sin(2), np.cos(2), np.sin(0.02), np.cos(0.02)])": "right",
        "(0.9093, -0.4161, 0.0200, 0.9998)": "right",
        "torch.tensor([0.9093, -0.4161, 0.02, 0.9998])": "right",
        "[0.035, 0.999, 0.000, 1.000]": "degrees",
        "[0.909, -0.416, 0.199, 0.980]": "1/10",
        "[0.909, -0.416, 0.000, 1.000]": "doubled",
        "[0.909, 0.416, 0.020, 1.000]": "negative",
        "[-0.416, 0.909, 1.000, 0.020]": "swapped",
        "[0.909, 0.020, -0.416, 1.000]": "take turns",
        "[0.841, 0.540, 0.010, 1.000]": "position 1",
        "[0.141, -0.990, 0.030, 1.000]": "position 3",
        "[0.91, -0.42, 0.02, 1.0]": "Two decimals",
        "[0.909, -0.416, 0.909, -0.416]": "same speed",
        "[0.909, -0.416]": "first pair",
        "[2, 2, 0.02, 0.02]": "angles",
        "[[0.909, -0.416, 0.020, 1.000]]": "brackets too many",
        "['0.909', '-0.416', '0.020', '1.000']": ...,
        "'0.909 -0.416 0.020 1.000'": "quotes",
        "[0.909, -0.416, 0.020, 0.100]": "All but one",
        "[0.909, -0.416, 0.009, -0.004]": "divided by 100",
        "0.909": "4 are asked for",
        "[0.020, 1.000, 0.909, -0.416]": "changed places",
        "[0.0, 1.0, 0.0, 1.0]": "position 0",
    },
    "02.3": {
        "lambda d, base: np.array([base ** (-2 * k / d) for k in range((d + 1) // 2)])": "right",
        "lambda d, base: [1 / base ** (j / d) for j in range(0, d, 2)]": "right",
        "lambda d, base: np.exp(-np.arange(0, d, 2) * np.log(base) / d)": "right",
        "lambda d, base: torch.pow(base, -torch.arange(0, d, 2) / d)": "right",
        "lambda d, base: np.power(base, -2.0 * np.arange(math.ceil(d / 2)) / d)": "right",
        "lambda d, base: base ** (-2 * np.arange(d // 2) / d)": "Odd",
        "lambda d, base: base ** (-2 * np.arange(round(d / 2)) / d)": "round(2.5) is 2",
        "lambda d, base: base ** (-2 * np.arange(d // 2 + 1) / d)": "one too many",
        "lambda d, base: base ** (-2 * np.arange(0, d, 2) / d)": "doubled",
        "lambda d, base: base ** (2 * np.arange((d + 1) // 2) / d)": "minus is lost",
        "lambda d, base: base ** (-np.arange((d + 1) // 2) / d)": "2 is missing",
        "lambda d, base: base ** (-np.arange(d) / d)": "shares one",
        "lambda d, base: base ** (-2 * np.arange(d) / d)": "all columns",
        "lambda d, base: base ** (-2 * np.arange(1, (d + 1) // 2 + 1) / d)": "from 1",
        "lambda d, base: np.geomspace(1, 1 / base, (d + 1) // 2)": "reaches 1",
        "lambda d, base: np.linspace(1, 1 / base, (d + 1) // 2)": "Evenly",
        "lambda d, base: base ** -2 * np.arange((d + 1) // 2) / d": BRACKETS,
        "lambda d, base: 1 / base ** 2 * np.arange((d + 1) // 2) / d": BRACKETS,
        "lambda d, base: base ** (-2 * np.arange((d + 1) // 2)) / d": BRACKETS,
        "lambda d, base: -base ** (2 * np.arange((d + 1) // 2) / d)": "minus stands before",
        "lambda d, base: base ^ (-2 * np.arange((d + 1) // 2) / d)": "**",
        "lambda d, base: base ** (-2 * np.arange((d + 1) // 2) // d)": "//",
        "lambda d, base: 10000 ** (-2 * np.arange((d + 1) // 2) / d)": "10000 whatever",
        "lambda d, base: 2 * np.pi * base ** (2 * np.arange((d + 1) // 2) / d)": "wavelengths",
        "lambda d, base: 2 * np.pi * base ** (-2 * np.arange((d + 1) // 2) / d)": "2π",
        "lambda d, base: base ** (-2 * np.arange((d + 1) // 2) / d)[::-1]": ...,
        "lambda d, base: (base ** (-2 * np.arange((d + 1) // 2) / d))[::-1]": "reverse order",
        "lambda d, base: base ** (-2 * range((d + 1) // 2) / d)": ...,
        "def f(d, base):\n    for k in range((d + 1) // 2):\n        return base ** (-2 * k / d)": "same result",
        "pe_lib.frequencies": "pe_lib's own",
    },
    "03.1": {
        cells("pos / 10000 ** (2 * (j // 2) / d_model)"): "right",
        cells("pos * 10000 ** (-(j - j % 2) / d_model)"): "right",
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)"): "right",
        "lambda n, d: [[(math.cos if j % 2 else math.sin)(p / 10000 ** (j // 2 * 2 / d)) for j in range(d)] for p in range(n)]":
            "right",
        "lambda n, d: torch.tensor([[(math.cos if j % 2 else math.sin)(p / 10000 ** (j // 2 * 2 / d)) for j in range(d)]"
        " for p in range(n)])": "right",
        cells("pos / 10000 ** 2 * (j // 2) / d_model"): BRACKETS,
        cells("pos / 10000 ** (2 * (j // 2)) / d_model"): BRACKETS,
        cells("pos / (10000 ** 2 * (j // 2) / d_model)"): BRACKETS,
        cells("(pos / 10000) ** (2 * (j // 2) / d_model)"): "whole fraction",
        cells("pos / 10000 ** (2 * j / d_model)"): "taken for the pair",
        cells("pos / 10000 ** (2 * (j % 2) / d_model)"): "j // 2",
        cells("pos / 10000 ** (2 * ((j + 1) // 2) / d_model)"): "next pair",
        cells("pos / 10000 ** (j // 2 / d_model)"): "exponent k/d",
        cells("pos / 10000 ** (2 * (j // 2) / 512)"): "d_model = 512",
        cells("pos / 1000 ** (2 * (j // 2) / d_model)"): "1000",
        cells("(pos + 1) / 10000 ** (2 * (j // 2) / d_model)"): "begin at 1",
        cells("0 / 10000 ** (2 * (j // 2) / d_model)"): "same as row 0",
        cells("pos * 10000 ** (2 * (j // 2) / d_model)"): "minus",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)", "math.cos(angle) if j % 2 == 0 else math.sin(angle)"): "changed places",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)", "math.sin(angle)"): "sine",
        cells("math.radians(pos / 10000 ** (2 * (j // 2) / d_model))"): "degrees",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)", "angle"): ...,
        cells("pos / 10000 ** (2 * (j // 2) / d_model)").replace("    return table", "        return table"): "Only row 0",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)").replace("    return table", "            return table"): "All cells are 0",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)").replace("    return table", ""): "returns nothing",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)").replace("table[pos, j]", "table[j, pos]"): "axis 0",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)").replace("zeros((max_len, d_model))", "zeros((d_model, max_len))"):
            "sizes swapped",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)").replace("range(d_model)", "range(d_model + 1)"): "one too far",
        pairs("table[pos, i] = math.sin(angle)", "table[pos, i + 1] = math.cos(angle)"): "odd d_model",
        pairs("table[pos, i] = math.sin(angle)"): "left empty",
        "def f(max_len, d_model):\n    table = np.zeros((max_len, d_model))\n    raise NotImplementedError\n    return table":
            "raise NotImplementedError",
        "lambda max_len, d_model: pe_lib.sinusoidal_loop(max_len, d_model)": "pe_lib's own",
    },
    "03.2": {
        "2": "right", "2.0": "right", "np.int64(2)": "right", "torch.tensor(2)": "right",
        "0": "exponent is 0", "1": "pair 0", "3": "before it", "4": "0 to 3", "[2, 3]": "first", "(2,)": "brackets",
        "'2'": "quotes", "'column 2'": "quotes", "0.5": "exponent", "-2": "from the left", "None": "None",
        "[0, 1]": "One number", "max": "not called", "7": ...,
    },
    "03.3": {
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)"): "right",
        cells("pos / 10000 ** (2 * (j // 2) / d_model)"): "right",
        "def f(max_len, d_model):\n    table = np.zeros((max_len, d_model))\n    for k in range((d_model + 1) // 2):\n"
        "        table[:, 2 * k] = np.sin(np.arange(max_len) / 10000 ** (2 * k / d_model))\n"
        "        if 2 * k + 1 < d_model: table[:, 2 * k + 1] = np.cos(np.arange(max_len) / 10000 ** (2 * k / d_model))\n"
        "    return table": "right",
        pairs("angle = pos / 10000 ** (2 * i / d_model)", "table[pos, i] = math.sin(angle)",
              "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)"): "doubled",
        pairs("angle = pos / 10000 ** (i // 2 / d_model)", "table[pos, i] = math.sin(angle)",
              "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)"): "k/d",
        pairs("table[pos, i] = math.sin(angle)", "table[pos, i + 1] = math.cos(angle)"): "odd d_model",
        pairs("table[pos, i] = math.sin(angle)",
              "if i + 1 < d_model: table[pos, i + 1] = math.cos(pos / 10000 ** ((i + 1) / d_model))"): "own",
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)").replace(
            "range(0, d_model, 2)", "range(d_model)"): "exponent of its own",
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)").replace(
            "range(0, d_model, 2)", "range(d_model)").replace("(i / d_model)", "(2 * i / d_model)"): "overwrites",
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)").replace(
            "range(0, d_model, 2)", "range(0, d_model - 1, 2)"): "stays empty",
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)").replace(
            "(i / d_model)", "i / d_model"): BRACKETS,
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.sin(angle)"): "sine",
        pairs("table[pos, i] = math.sin(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.cos(angle)").replace(
            "    return table", "        return table"): "Only row 0",
        pairs("table[pos, i] = math.cos(angle)", "if i + 1 < d_model: table[pos, i + 1] = math.sin(angle)"): "changed places",
        "def f(max_len, d_model):\n    raise NotImplementedError\n    return np.zeros((max_len, d_model))":
            "raise NotImplementedError",
    },
    "04.1": {
        "(6, 4)": "right", "[6, 4]": "right", "torch.Size([6, 4])": "right", "np.ones((6, 4)).shape": "right",
        "np.ones((6, 4))": ".shape", "(4, 6)": "from the right", "(6, 1)": "stretched", "(6, 1, 4)": "does not add one",
        "24": "counts the numbers", "(24,)": "keeps its axes", "(10, 1)": "not added", "(6, 5)": "not added",
        "(6,)": "two come out", "'error'": "do not clash", "'(6, 4)'": "quotes", "((6, 4),)": "brackets too many",
        "(5, 3)": "example above", "(6, 6)": "stretched", "{6, 4}": "Braces", "None": "None", "(6, 4, 4)": ...,
    },
    "04.2": {
        "lambda n, d, b: np.arange(n).reshape(-1, 1) * frequencies(d, b)": "right",
        "lambda n, d, b: np.outer(np.arange(n), b ** (-np.arange(0, d, 2) / d))": "right",
        "lambda n, d, b: np.einsum('p,k->pk', np.arange(n), frequencies(d, b))": "right",
        "lambda n, d, b: torch.arange(n)[:, None] * torch.from_numpy(frequencies(d, b))": "right",
        "lambda n, d, b: np.arange(n)[:, None] / b ** (2 * np.arange((d + 1) // 2) / d)": "right",
        "lambda n, d, b: np.multiply.outer(np.arange(n), frequencies(d, b))": "right",
        "lambda n, d, b: np.arange(n)[:, None] @ frequencies(d, b)[None]": "right",
        "lambda n, d, b: np.array([[p * w for w in frequencies(d, b)] for p in range(n)])": LOOP,
        "lambda n, d, b: np.stack([p * frequencies(d, b) for p in range(n)])": LOOP,
        "def f(n, d, b):\n    rows, p = [], 0\n    while p < n:\n        rows.append(p * frequencies(d, b))\n        p += 1\n"
        "    return rows": LOOP,
        "lambda n, d, b: np.vectorize(lambda p, w: p * w)(np.arange(n)[:, None], frequencies(d, b))": LOOP,
        "lambda n, d, b: np.array(list(map(lambda p: p * frequencies(d, b), range(n))))": LOOP,
        "lambda n, d, b: np.stack([np.arange(n) * b ** (-2 * k / d) for k in range((d + 1) // 2)], axis=1)": LOOP,
        "lambda n, d, b: np.arange(n) * frequencies(d, b)": "column",
        "lambda n, d, b: np.arange(n)[None] * frequencies(d, b)": "in front",
        "lambda n, d, b: np.arange(n) * frequencies(d, b)[:, None]": "axes are swapped",
        "lambda n, d, b: np.arange(1, n + 1)[:, None] * frequencies(d, b)": "begin at 1",
        "lambda n, d, b: np.arange(n + 1)[:, None] * frequencies(d, b)": "One position too many",
        "lambda n, d, b: np.arange(n)[:, None] / frequencies(d, b)": "divided",
        "lambda n, d, b: np.arange(n)[:, None] * frequencies(d, b) ** 2": "doubled",
        "lambda n, d, b: np.arange(n)[:, None] * frequencies(d)": "10000 whatever",
        "lambda n, d, b: np.arange(n)[:, None] * np.repeat(frequencies(d, b), 2)": "twice",
        "lambda n, d, b: np.sin(np.arange(n)[:, None] * frequencies(d, b))": "sine is taken",
        "lambda n, d, b: np.arange(n) @ frequencies(d, b)": "column * a row",
        "lambda n, d, b: np.arange(n)[:, None] * frequencies(d // 2, b)": ...,
        "lambda n, d, b: np.arange(n)[:, None]": "never uses its arguments",
        "lambda n, d, b: np.arange(n)[:, None] + frequencies(d, b)": "added",
        "lambda n, d, b: angles(n, d, b)": "pe_lib's own",
        "lambda n, d, b: list(range(n)) * frequencies(d, b)": ...,
    },
    "04.3": {
        "lambda n, d: np.where(np.arange(d) % 2, np.cos(np.arange(n)[:, None] / 10000 ** (np.arange(d) // 2 * 2 / d)),"
        " np.sin(np.arange(n)[:, None] / 10000 ** (np.arange(d) // 2 * 2 / d)))": "right",
        "lambda n, d: np.sin(np.arange(n)[:, None] / 10000 ** (np.arange(d) // 2 * 2 / d) + np.pi / 2 * (np.arange(d) % 2))":
            "right",
        table("theta = angles(max_len, d_model); table[:, ::2] = np.sin(theta); table[:, 1::2] = np.cos(theta)[:, :d_model // 2]"):
            "right",
        "lambda n, d: torch.stack([torch.from_numpy(angles(n, d)).sin(), torch.from_numpy(angles(n, d)).cos()], -1).flatten(1)[:, :d]":
            "right",
        table("for f, start in ((np.sin, 0), (np.cos, 1)): table[:, start::2] = "
              "f(np.arange(max_len)[:, None] / 10000 ** (np.arange(start, d_model, 2) // 2 * 2 / d_model))"): "right",
        "lambda n, d: np.fromfunction(lambda p, j: np.where(j % 2, np.cos(p / 10000 ** (j // 2 * 2 / d)), "
        "np.sin(p / 10000 ** (j // 2 * 2 / d))), (n, d))": "right",
        table("theta = angles(max_len, d_model); table[:, 0::2] = np.sin(theta); table[:, 1::2] = np.cos(theta)"): "odd",
        table("theta = angles(max_len, d_model); table[0::2] = np.sin(theta); table[1::2] = np.cos(theta)"): "colon",
        table("theta = angles(max_len, d_model); table[:, 0::2] = np.sin(theta); table[:, 1::2] = np.cos(theta[:, d_model % 2:])"):
            "cosine of the first pair",
        table("theta = angles(max_len, d_model); table[:, 0::2] = np.sin(theta)"): "odd columns",
        table("theta = angles(max_len, d_model); table[:, 1::2] = np.sin(theta[:, :d_model // 2]); table[:, 0::2] = np.cos(theta)"):
            "changed places",
        table("theta = angles(max_len + 1, d_model)[1:]; table[:, 0::2] = np.sin(theta); "
              "table[:, 1::2] = np.cos(theta[:, :d_model // 2])"): "begin at 1",
        table("theta = np.arange(max_len)[:, None] / 10000 ** (2 * np.arange(d_model) / d_model); "
              "table[:, 0::2] = np.sin(theta[:, 0::2]); table[:, 1::2] = np.cos(theta[:, 1::2])"): "taken for the pair",
        table("theta = np.arange(max_len)[:, None] / 10000 ** 2 * np.arange((d_model + 1) // 2) / d_model; "
              "table[:, 0::2] = np.sin(theta); table[:, 1::2] = np.cos(theta[:, :d_model // 2])"): BRACKETS,
        table("table[:] = [[(math.cos if j % 2 else math.sin)(p / 10000 ** (j // 2 * 2 / d_model)) for j in range(d_model)] "
              "for p in range(max_len)]"): LOOP,
        table("theta = angles(max_len, d_model)\n    for k in range(d_model // 2): table[:, 2 * k], table[:, 2 * k + 1] = "
              "np.sin(theta[:, k]), np.cos(theta[:, k])\n    if d_model % 2: table[:, -1] = np.sin(theta[:, -1])"): LOOP,
        "lambda n, d: np.vectorize(lambda p, j: (math.cos if j % 2 else math.sin)(p / 10000 ** (j // 2 * 2 / d)))"
        "(np.arange(n)[:, None], np.arange(d))": LOOP,
        "lambda n, d: np.hstack([np.sin(angles(n, d)), np.cos(angles(n, d))[:, :d // 2]])": "All sines, then all cosines",
        "lambda n, d: sinusoidal_vectorized(n, d)": "pe_lib's own",
        "sinusoidal_loop": "pe_lib's own",
        "lambda n, d: np.sin(angles(n, d))": ...,
        "lambda n, d: angles(n, d)": ...,
        "lambda n, d: np.stack([np.sin(angles(n, d)), np.cos(angles(n, d))], axis=-1)": ...,
        table("theta = angles(max_len, d_model); table[:, 0::2] = np.sin(theta); table[:, 1::2] = np.cos(theta[:, :d_model // 2])")
        .replace("    return table", ""): "returns nothing",
    },
}  # fmt: skip
