"""What models do on purpose: other bases, part of the columns, slower pairs for longer texts."""

from ..saying.mistake import Mistake

ON_PURPOSE = "A deliberate design: right where the weights were trained with it, and other scores than the paper's."


def _design(id, title, explanation=ON_PURPOSE, case=""):
    return Mistake(id, title, explanation, "", case, kind="convention")


BASE_DESIGN = _design(
    "base",
    "The base is not 10000.",
    "A larger base makes the slow pairs slower, for longer texts: Llama 3 has 500000.",
    "https://arxiv.org/abs/2309.16039",
)
PARTIAL = _design("partial", "Partial rotation.", "Some columns are left free of position, as in GPT-NeoX and GPT-J.")
PROPORTIONAL = _design(
    "proportional",
    "Proportional rotation.",
    "Only the fastest pairs turn, and their exponents are divided by the whole head_dim, as in Gemma 4's global "
    "layers: column k is paired with k + d/2.",
)
LINEAR = _design(
    "linear",
    "Linear interpolation.",
    "Positions are divided by a factor, so that a longer text fits in the angles that were trained.",
    "https://arxiv.org/abs/2306.15595",
)
NTK = _design("ntk", "NTK-aware scaling.", "The fastest pair keeps its pace, the slowest is slowed by the factor.")
YARN = _design(
    "yarn",
    "YaRN scaling.",
    "Fast pairs keep their pace, slow ones are divided by the factor, those between mix both.",
    "https://arxiv.org/abs/2309.00071",
)
LONGROPE = _design(
    "longrope",
    "LongRoPE scaling.",
    "Every pair has a factor of its own, found by a search; all lengths grow by sqrt(1 + ln s / ln L), as in Phi-3.",
    "https://arxiv.org/abs/2402.13753",
)
LLAMA = _design(
    "llama3",
    "Llama 3.1 scaling.",
    "Fast pairs keep their pace, slow ones are divided by the factor, with a ramp by wavelength between.",
    "https://arxiv.org/abs/2407.21783",
)


def convention_of(finding):
    """The short name, such as "base 500000" or "partial 32 of 64"."""
    title = finding.title.rstrip(".")
    return {
        "base": title.replace("The base is ", "base "),
        "proportional": title.replace("Proportional rotation: ", "proportional ").replace(" columns", ""),
        "partial": title.replace("Partial rotation: ", "partial ").replace(" columns", ""),
        "linear": title.replace("Linear interpolation: scaling ", "linear scaling "),
    }.get(finding.id, title)
