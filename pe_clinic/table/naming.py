"""From a hypothesis that holds to its findings, each with the numbers of this very table."""

from dataclasses import replace

from ..saying.mistake import GITHUB
from ..saying.words import row
from .alterations import BEFORE, OF_ANGLES, OF_ROWS, OF_TIME, title
from .frequencies import frequencies, of_exponent
from .hypothesis import NO_TURN
from .layouts import HALVES, SWAPPED, TENSOR2TENSOR, TENSOR2TENSOR_FREQUENCY


def parts(h):
    """The mistakes and conventions that a hypothesis is made of, the most telling first, each with what shows it."""

    def held(alterations):
        return [(alteration, alteration.seen) for alteration in alterations if alteration.holds(h)]

    exponent, layout = h.exponent, h.layout
    named = held(BEFORE)
    named += [(exponent.mistake, of_exponent)] if exponent.mistake else []
    if exponent.tensor2tensor and not layout.halves:
        named.append((TENSOR2TENSOR_FREQUENCY, frequencies))
    named += held(OF_ANGLES)
    named += [(layout.mistake, _wave)] if layout.mistake else []
    named += held(OF_ROWS)
    if layout.halves:
        named.append((TENSOR2TENSOR, _pairs_less_one) if exponent.tensor2tensor else (HALVES, _halves))
    return named + held(OF_TIME)


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


def _pairs_less_one(match, tables):
    return frequencies(replace(match, hypothesis=match.hypothesis.but(turn=NO_TURN)), tables)


def _halves(match, tables):
    layout, d = match.hypothesis.layout, tables[0].d_model
    middle = (d + 1) // 2
    return (
        f"at d_model = {d} columns 0 to {middle - 1} hold the {layout.even.__name__}s, "
        f"columns {middle} to {d - 1} the {layout.odd.__name__}s"
    )


def _wave(match, tables):
    layout, values = match.hypothesis.layout, tables[0].values
    if layout.mistake is SWAPPED:
        return f"column 0 runs {row(values[:, 0])}: a cosine"
    if layout.even is layout.odd:
        return f"columns 0 and 1 both hold {layout.name}: row 1 is {row(values[1])}"
    return f"every other column is {layout.name}: row 1 is {row(values[1])}"
