"""Which axes x is said to have in the code of a layer or a table: in docstrings, in comments, where it is unpacked."""

import re

from .declared import AXIS_OF, TURNS_AXES, UNPACKED
from .names import role_of
from .parameters import arguments_of, source_of

OTHER_WORDS = {
    "batch": "lot lote lotes stapel 批 批次 批量 批大小 批次大小 배치 배치_크기 バッチ バッチサイズ батч пакет",
    "length": """temps longueur séquence tiempo longitud secuencia tempo comprimento sequencia zeit länge sequenz
        长度 序列 序列长度 時間 时间 시간 길이 시퀀스 시퀀스_길이 系列 系列長 長さ длина время""",
    "width": """canaux dimension largeur canales dimensión canais dimensão kanäle breite merkmale 维度 特征 通道
        特徴 嵌入维度 특징 차원 채널 次元 チャネル каналы признаки размерность""",
}
AXES = {word: axis for axis, words in OTHER_WORDS.items() for word in words.split()} | AXIS_OF
THREE = r"(\w+)\s*,\s*(\w+)\s*(?:,\s*\w+\s*)?"
SHAPE = r"[\[(]\s*([\w ]+?)\s*,\s*([\w ]+?)\s*,\s*([\w .*]+?)[\])]"  # three axes
OF_IDS = r"\b{}\b\W*(?:\w*tensor\W+|ids\W+|of\W+|shape\W+)*[(\[]\s*([\w ]+?)\s*,\s*([\w ]+?)\s*[\])]"  # two
PROSE = {"batch": r"(?<!not )\bbatch[ -]first\b", "length": r"(?<!not )\b(?:sequence|seq|time|length)[ -]first\b"}
FIRST = r"(?m)^\s*(?:batch(?:_?size)?|bsz?|B) *= *x\.(?:shape\[0\]|size\(0\)) *(?:#.*)?$"
ATTENTION = r"(?is)class \w*attention\b.*?\b(query|x)\b\W*batch\w*\W+\w*(len|seq)\w*\s*,"  # its text on axes
INPUT = "(?:the|an?|inputs?|shape|of|tensor|expects?|assumes?|输入|入力|입력|вход|entrada|entrée|eingabe)"
SIZED = r"(?i)\b(input|output|source|target|window|context|block)[ _](size|steps?)\b"


def axes_named(names):
    """The axis that each of the names tells, "batch", "length" or "width"; None of one that tells none of these."""
    axes = [_axis(name) for name in names]
    letters = [name.lower() for name in names]
    if "n" in letters and axes.count("length") == 2:  # PyTorch's N counts samples
        axes[letters.index("n")] = "batch"
    return axes


def _axis(name):
    """Of a whole name first, then of its parts."""
    plain = re.sub(r"\s+", "_", name.lower().strip())
    axis = AXES.get(plain)
    if not axis and (role_of(plain) == "d_model" or plain in ("c", "d", "e")):
        return "width"
    words = [AXIS_OF.get(word) for word in re.findall("[a-z]+", plain)]
    axis = axis or next((axis for axis in words if axis in ("batch", "length")), None)
    return None if axis == "heads" else axis


def of_each(name, words, pattern=OF_IDS):
    """Do the words give the argument ``name`` the axes (batch, length)?"""
    told = re.findall(pattern.format(name), words)
    return any([AXIS_OF.get(axis.lower()) for axis in axes] == ["batch", "length"] for axes in told)


def texts_on(x, code, *things):
    """The docstrings of ``things``, and the comments of ``code`` that begin with ``x``, or "input x"."""
    of_x = rf"(?i)\W*(?:{INPUT}\W+)*{re.escape(x)}\b[^\w=]*"
    comments = [text for text in re.findall(r"#(.*)", code) if re.match(of_x, text)]
    return [getattr(one, "__doc__", "") or "" for one in things] + comments


def name_of_x(function):
    return next((a.name for a in arguments_of(function) if a.name != "self"), "x")


def first_axis_said(thing):
    """The first axis of x, "batch" or "length", by docstrings of a class and of two methods, or by a comment on x.

    None where nothing is said, or both. A class with a parameter batch_first may say either: what is true by default.
    """
    if flags := [a.parameter.default for a in arguments_of(thing) if a.role == "batch_first"]:
        return "batch" if flags[0] is True else None
    own = vars(thing) if isinstance(thing, type) else {"call": thing}
    forward = next((own[n] for n in ("forward", "__call__", "call", "encode") if n in own), None)
    source, x = source_of(forward), name_of_x(forward)
    texts = texts_on(x, "" if re.search(TURNS_AXES, source) else source, forward, own.get("__init__"), thing)
    told = {_first_of(*axes) for text in texts for axes in re.findall(SHAPE, text)}
    told |= {_first_of(*axes, "d_model") for text in texts for axes in re.findall(OF_IDS.format(x), text)}
    told |= {axis for axis, words in PROSE.items() for text in texts if re.search(words, text.lower())}
    return told.pop() if len(told := told - {None}) == 1 else None


def _first_of(one, two, width):
    """ "batch" of ("batch size", "seq len") or ("batch", "days") before a width, "length" of ("S", "N"); else None."""
    axes = axes_named((one, two))
    other = [n for n in (one, two) if len(n) > 2 and not (_axis(n) or role_of(n)) and role_of(width) == "d_model"]
    if "batch" in axes and (other or re.search(SIZED, f"{one} {two}")):
        axes = [axis or "length" for axis in axes]
    return axes[0] if {*axes} == {"batch", "length"} else None


def axis_said(file, call):
    """As `first_axis_said`, of what ``call`` calls; "batch" also where x.shape tells that it comes first."""
    thing = file.thing_in(call)
    source = source_of(getattr(thing, "forward", thing))
    axes = [[AXIS_OF.get(name.lower()) for name in names] for names in re.findall(UNPACKED.format(THREE), source)]
    return "batch" if ["batch", "length"] in axes or re.search(FIRST, source) else first_axis_said(thing)


def meets_batch_first(file, call):
    """What shows that x comes batch-first to what ``call`` calls; "" where nothing does, or the file turns axes."""
    thing = file.thing_in(call)
    rest = file.source.replace(source_of(thing) or "\0", "")
    if re.search(TURNS_AXES, rest):
        return ""
    if re.search(ATTENTION, rest):
        return "the text of the file's attention says that the batch comes first, and nothing turns axes"
    meets = re.search(rf"\b{re.escape(getattr(thing, '__name__', ' '))}\(", rest)
    beside = meets and re.search(r"\bbatch_first\s*=\s*True", rest)
    return "the file uses it beside a module with batch_first=True, and turns no axes" if beside else ""
