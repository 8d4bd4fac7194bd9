"""The form of a fresh case: public code restated, and what a truthful reply must say. Written before any diagnosis ran.

``expected`` is one of
  "right"       the reply is Right, or says that the main thing is right and names a side matter that is true;
  "right-main"  the main thing is right, and the side matter in ``says`` must be told;
  "convention"  a known design, named as in ``says``;
  "wrong"       the numbers or the behaviour are wrong, for the reasons in ``says``;
  "not-run"     no honest call exists, or the code stops by itself: the reply quotes the error in ``says``.
Each entry of ``says`` must occur in the reply, in any case of letters; "a|b" asks for one of the two.
Finding ids count.
None of ``never`` may occur: it would be false.
``origin`` names the thread or the file. "public index" numbers stand for public files read without their address.
"""

from dataclasses import dataclass

TORCH = "import math\n\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"
NUMPY = "import math\n\nimport numpy as np\n\n"


@dataclass(frozen=True)
class Case:
    name: str
    source: str
    target: str
    expected: str
    says: tuple
    why: str
    origin: str
    never: tuple = ()
