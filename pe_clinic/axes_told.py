"""Rows that do not follow the axis of x that the code calls its length, in a line, a docstring, or a comment."""

import re
from dataclasses import replace

from .as_told import WORDS
from .calling.declared import AXIS_OF, OF_IDS, TURNS_AXES
from .calling.names import role_of
from .calling.parameters import arguments_of, source_of

SHAPE = r"[(\[（【]\s*([^()\[\]（）【】=]+?)\s*[)\]）】]"
OTHER_WORDS = {
    "batch": "lot lote lotes stapel 批 批次 批量 批大小 批次大小 배치 배치_크기 バッチ バッチサイズ батч пакет",
    "length": """temps longueur séquence tiempo longitud secuencia tempo comprimento sequencia zeit länge sequenz
        长度 序列 序列长度 時間 时间 시간 길이 시퀀스 시퀀스_길이 系列 系列長 長さ длина время""",
    "width": """canaux dimension largeur canales dimensión canais dimensão kanäle breite merkmale 维度 特征 通道
        特徴 嵌入维度 특징 차원 채널 次元 チャネル каналы признаки размерность""",
}
FOUR = ["batch", "other", "length", "width"]
AXES = {word: axis for axis, words in OTHER_WORDS.items() for word in words.split()}


def along_another_axis(diagnosis, reading, file):
    """The mistake of a good ``diagnosis`` whose rows arrive in x with other axes than it is told to have; else None."""
    if reading.kind != "layer" or file.layout is not None or not diagnosis.verdict.good:
        return None
    names, by_code = _names(file.names.get(re.match(r"\w*", reading.call.text)[0]))
    told = _axes(names)
    if told is None or (told[0] == "length" and not by_code and diagnosis.verdict.main_right):
        return None  # of the last it is said that the text is wrong: "said-sequence-first"
    from .calling.axes_tried import rows

    seen = _seen(diagnosis, reading, len(told))
    as_seen, as_told = (rows(reading, axes) if axes else None for axes in (seen, told))
    if as_seen is None or (as_told is not None and as_told.shape == as_seen.shape and (as_told == as_seen).all()):
        return None
    axis = names[seen.index("length")]
    said = f"x is called ({', '.join(names)}), and the rows follow the axis {axis if axis != '_' else 'behind them'}"
    found = WORDS["another-axis"].found(said)
    return replace(diagnosis, ok=False, convention=None, findings=(found,), usage=(), picture=None)


def turned_later(file, call):
    """What a line behind says that turns the result of the layer, so that the batch came first: "" of none."""
    name = re.match(r"\w*", call.text)[0]
    for attribute in re.findall(rf"\bself\.(\w+) *= *{name}\(", file.source):
        made = rf"(?m)^ *(\w+) *= *[^\n]*\bself\.{attribute}\([^\n]*\n(?:[^\n]*\n){{0,3}}?"
        turned = rf"{made}[^\n]*\b\1\.(?:transpose\(0, *1\)|permute\(1, *0, *2\))[^\n]*#([^\n]*)"
        for _, said in re.findall(turned, file.source):
            if _axes([one.strip(" ()[]") for one in said.split(",")]) == ["length", "batch", "width"]:
                return said.strip()
    return ""


def batch_is_first(thing, name):
    """Does a function, in words or where it unpacks them, say of x, or of ids called ``name``: batch first?"""
    texts = "\n".join([getattr(thing, "__doc__", "") or "", source_of(thing)])
    told = re.findall(OF_IDS.format(name), texts) + re.findall(
        rf"(?m)^ *(\w+), *(\w+) *= *{name}\.(?:shape|size\(\))", texts
    )
    axes = {tuple(_axis(word) for word in two) for two in told} | {tuple((_axes(_names(thing)[0]) or ())[:2])}
    return axes - {()} == {("batch", "length")}


def _seen(diagnosis, reading, number):
    """The axes of the x for which the layer was seen to be right; None where that is not known."""
    if number == 4:
        behind = re.search(r"x\.unsqueeze\(([12])\)", reading.call.text)
        return behind and {"1": FOUR, "2": [FOUR[n] for n in (0, 2, 1, 3)]}[behind[1]]
    layouts = {"sequence-first": ["length", "batch", "width"], "channels-first": ["batch", "width", "length"]}
    return next((layouts[f.id] for f in diagnosis.usage if f.id in layouts), ["batch", "length", "width"])


def _names(thing):
    """What the axes of x are called, and whether a line unpacks them; texts count where no line does."""
    forward = getattr(thing, "forward", thing)
    if forward is None:
        return [], False
    x = next((a.name for a in arguments_of(forward) if a.name != "self"), "x")
    source = source_of(forward)
    before = re.split(rf"(?m)^\s*{re.escape(x)}\s*=|{TURNS_AXES}", source)[0]
    unpacked = re.findall(
        rf"(?m)^\s*(\w+(?:\s*,\s*\w+){{2,3}})\s*=\s*{re.escape(x)}\.(?:shape|size\(\))\s*(?:#.*)?$", before
    )
    texts = [
        getattr(one, "__doc__", "") or "" for one in (forward, getattr(thing, "__dict__", {}).get("__init__"), thing)
    ]
    texts += [t for t in re.findall(r"#(.*)", before) if re.match(rf"\s*{re.escape(x)}\b[^\w=]*", t)]
    shapes = [shape for text in texts for shape in re.findall(SHAPE, text)]
    for found in (unpacked, shapes):
        lists = [[name.strip() for name in re.split("[,，、]", names)] for names in found]
        if known := {tuple(names) for names in lists if _axes(names)}:
            one = len({tuple(_axes(names)) for names in known}) == 1
            return list(min(known)) if one else [], found is unpacked
    return [], False


def _axes(names):
    """("batch", "length", "width") in the order of ``names``, or with an "other" one among four; else None."""
    if len(names) not in (3, 4):
        return None
    axes = [_axis(name) for name in names]
    if "n" in [name.lower() for name in names] and axes.count("length") == 2:  # PyTorch's N counts samples
        axes = ["batch" if name.lower() == "n" else axis for name, axis in zip(names, axes, strict=True)]
    if axes[-1] is None and "width" not in axes:
        axes[-1] = "width"
    axes = [axis or "other" for axis in axes]
    wanted = {"batch", "length", "width"} | ({"other"} if len(names) == 4 else set())
    return axes if {*axes} == wanted else None


def _axis(name):
    """The axis that one of the names tells: a whole name first, then its parts."""
    plain = re.sub(r"\s+", "_", name.lower().strip())
    axis = AXIS_OF.get(plain) or AXES.get(plain)
    if not axis and (role_of(plain) == "d_model" or plain in ("c", "d", "e")):
        return "width"
    words = re.findall("[a-z]+", plain)
    axis = axis or next((AXIS_OF[word] for word in words if AXIS_OF.get(word) in ("batch", "length")), None)
    return None if axis == "heads" else axis
