"""From a hypothesis that holds to its findings, each with the numbers of this very table."""

from ..saying.mistake import GITHUB
from .alterations import ALTERATIONS, title
from .layouts import HALVES, TENSOR2TENSOR


def parts(h):
    """The mistakes and conventions that a hypothesis is made of, in the order of `ALTERATIONS`, and what shows each."""
    return [(entry, alteration.seen) for alteration in ALTERATIONS if (entry := alteration.entry(h))]


def name(match, tables):
    """One finding for each mistake or convention in ``match``, seen in ``tables``."""
    h, found = match.hypothesis, parts(match.hypothesis)
    alone = all(mistake.kind == "convention" for mistake, _ in found)
    return [
        mistake.found(seen(match, tables) + (REST.get(mistake, "") if alone else ""), **_words(mistake, h))
        for mistake, seen in found
    ]


REST = {  # what agrees with the paper where nothing but conventions was found
    HALVES: "; the rest agrees: the frequencies, where positions begin, the signs",
    TENSOR2TENSOR: "; the rest agrees: base 10000, where positions begin, the signs",
}
COSINE_FIRST = {
    HALVES: {
        "title": "All cosines, then all sines: the halves convention, cosine first.",
        "explanation": "The columns of the paper's table in another order, as guided-diffusion, DiT and FLUX have them "
        "for their timesteps; to a linear layer, order is arbitrary. A checkpoint expects the one that it was "
        "trained with.",
        "link": f"{GITHUB}openai/guided-diffusion/blob/main/guided_diffusion/nn.py",
    },
    TENSOR2TENSOR: {
        "title": "All cosines, then all sines, with tensor2tensor's frequencies: its convention, cosine first."
    },
}


def _words(mistake, h):
    if h.layout.cosine_first and mistake in COSINE_FIRST:
        return COSINE_FIRST[mistake]
    return {"title": title(mistake, h)}
