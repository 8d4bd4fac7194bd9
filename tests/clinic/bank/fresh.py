"""Thirty-nine banks of code whose expectation was written before it was tried here: a section for each case.

`own_*.md` holds what people hand in, and `fresh_*.md` public code, restated. `second_*.md` was written while the
first one's misses were mended, and not looked at for it: 39 of its cases restate files and threads that were read, 82
are written from memory. Each of the 206 cases of `third_*.md`, the 156 of `fourth_*.md`, the 161 of `fifth_*.md`, the
173 of `sixth_*.md`, the 138 of `seventh_*.md`, the 137 of `eighth_*.md`, the 134 of `ninth_*.md`, the 126 of
`tenth_*.md`, the 128 of `eleventh_*.md`, the 145 of `twelfth_*.md`, the 126 of `thirteenth_*.md`, the 148 of
`fourteenth_*.md`, the 152 of `fifteenth_*.md`, the 147 of `sixteenth_*.md`, the 162 of `seventeenth_*.md`, the 147 of
`eighteenth_*.md`, the 143 of `nineteenth_*.md`, the 185 of `twentieth_*.md`, the 155 of `twentyfirst_*.md`, the 132
of each of the four after it, the 126 of each of the next two and the 124, 126, 129, 130, 123, 136, 123, 123, 122, 120
and 128 of the last eleven restates a file or thread that was opened for it; the threads' pages show a frame around
the lines that a thread quotes, where `why` says so. Those from the sixteenth on are drawn from lists of repositories
and public files, and less from searches: what a repository's model uses, and every wrong one that was met; those from
the nineteenth on hold tables and layers of sequences, RoPE and ALiBi alone.
Two of the third take gigabytes to answer: they stand in `slow_third.md`, and no test asks them. Where the first run
showed that an expectation was wrong, ``why`` says so.

The lines of a case:
  expected  "right"       the reply is Right, or says that the main thing is right and names a side matter that is true;
            "right-main"  the main thing is right, and the side matter in ``says`` must be told;
            "convention"  a known design, named as in ``says``;
            "wrong"       the numbers or the behaviour are wrong, for the reasons in ``says``;
            "not-run"     no honest call exists, or the code stops by itself: the reply quotes the error in ``says``
            "stops"       the code stops by an error of its own at every ordinary call: the reply quotes it, as a
                          mistake or as what could not be run
  target    what is asked about in the file; without it, the file is asked about
  says      what the reply must hold, in any case of letters; finding ids count. " / " stands between two facts, and
            "a|b" asks for one of the two
  never     what the reply must not hold: it would be false
  among     "a few" that are asked at every run, without their changes; "nothing known": a rare form that nobody
            knows how to call, alone in its file; "slips elsewhere": what makes its tables cannot be called alone,
            and a slip is put in there
  origin    the thread or the file. "public index" numbers stand for public files read without their address
  imports   the imports that the code begins with; "fill" brings the paper's table, too

Below the code, a line may ask more of it: "- wrong / doubled: `old` → `new`" is the same code with one change. A name
before the change is another target, and "; " stands between two cases. Code above a page's first section begins each
of its cases.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

NUMPY = "import math\n\nimport numpy as np\n"
TORCH = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
FILL = """
def fill(rows, width):
    pe = torch.zeros(rows, width)
    at = torch.arange(rows, dtype=torch.float).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    pe[:, 0::2] = torch.sin(at * rate)
    pe[:, 1::2] = torch.cos(at * rate)[:, : width // 2]
    return pe
"""
IMPORTS = {None: "", "numpy": f"{NUMPY}\n", "torch": f"{NUMPY}{TORCH}\n", "fill": f"{NUMPY}{TORCH}{FILL}\n"}


BLOCK = re.compile(r"^```(?:python)?\n", re.M)


@dataclass(frozen=True)
class Case:
    name: str
    source: str
    target: str
    expected: str
    says: tuple
    never: tuple = ()
    among: str = ""


def read(text):
    """The cases of one page."""
    heads = [found.start() for found in re.finditer(r"^## ", text, re.M)]
    heads = [at for at in heads if text.count("\n```", 0, at) % 2 == 0]  # and no comments in the code
    page, *sections = (text[at:end] for at, end in pairwise([0, *heads, len(text)]))
    shared = "".join(BLOCK.split(page)[1:2])
    for section in sections:
        lines, code, more = BLOCK.split(section)
        name, said = lines.partition("\n")[0].removeprefix("## "), dict(re.findall(r"^- (\w+): (.+)$", lines, re.M))
        source, target = IMPORTS[said.get("imports")] + shared + code, said.get("target", "")
        among = said.get("among", "")
        with_changes = "" if among == "a few" else among
        if "expected" in said:
            facts = {key: tuple(filter(None, said.get(key, "").split(" / "))) for key in ("says", "never")}
            yield Case(name, source, target, said["expected"], **facts, among=among)
        for facts, asked in re.findall(r"^- ([^`\n]+): (`.*(?:\n  .*)*)", more, re.M):
            expected, *says = facts.split(" / ")
            for each in re.split(r";\s+(?=`)", asked):
                yield Case(f"{name}: {each}", *changed(source, target, each), expected, tuple(says), among=with_changes)


def changed(source, target, asked):
    """The source with the changes of a line, and what is asked about in it; ValueError if a change has no place."""
    for old, arrow, new in re.findall(r"`([^`]*)`( → )?(?:(?<= → )`([^`]*)`)?", asked):
        old, new = (text.replace("\\n", "\n") for text in (old, new))
        if arrow and old not in source:
            raise ValueError(f"{old!r} stands nowhere in the code")
        source, target = (source.replace(old, new), target) if arrow else (source, old)
    return source, target


def of_pages(pattern):
    pages = sorted(Path(__file__).parent.glob(pattern))
    return [case for page in pages for case in read(page.read_text(encoding="utf-8"))]


NAMES = "own", "fresh", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"
NAMES += "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"
NAMES += "eighteenth", "nineteenth", "twentieth", "twentyfirst"
NAMES += "twentysecond", "twentythird", "twentyfourth", "twentyfifth", "twentysixth", "twentyseventh"
NAMES += "twentyeighth", "twentyninth", "thirtieth", "thirtyfirst", "thirtysecond"
NAMES += "thirtythird", "thirtyfourth", "thirtyfifth", "thirtysixth", "thirtyseventh", "thirtyeighth"
BANKS = {name: of_pages(f"{name}_*.md") for name in NAMES}
CASES = [case for bank in BANKS.values() for case in bank]
