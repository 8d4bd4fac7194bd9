"""What each exercise asks for: its points, how an answer is judged, and the sentence that rewards a right one.

Keys are "lesson.number". The tasks themselves, hints and solutions stand in the notebooks.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from .diagnosis import Diagnosis, diagnose_layer, diagnose_table
from .formula import angles, frequencies
from .judges import function, value


@dataclass(frozen=True)
class Exercise:
    points: int
    judge: Callable[[object], Diagnosis]
    because: str


def _shuffled(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def _rotation(n, frequency):
    c, s = np.cos(n * frequency), np.sin(n * frequency)
    return np.array([[c, -s], [s, c]])


def _by_hand(angles_of_row):
    return np.array([f(angle) for angle in angles_of_row for f in (np.sin, np.cos)])


IDS, WEIGHT = torch.tensor([[2, 0, 5], [5, 1, 1]]), _shuffled(1, 6, 4)
EVEN, ODD = torch.tensor([[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]), torch.tensor([[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]])
ORDER = torch.tensor([2, 0, 1, 3])

EXERCISES = {
    "00.1": Exercise(
        1,
        value(
            24,
            replies=[
                (4, "4 is the number of tokens. Each of them can come first; how many remain for the second place?"),
                (16, "4 · 4 counts two places, and lets a token stand in both."),
                (256, "4⁴ lets one token stand in several places. Here each is used once."),
                (10, "4 + 3 + 2 + 1 adds the choices; independent choices multiply."),
            ],
        ),
        "Attention without positions gives one and the same pooled vector for all 24.",
    ),
    "00.2": Exercise(
        2,
        function(
            lambda f, x, order: torch.allclose(f(x[order]), f(x)[order], atol=1e-5),
            [(f, _shuffled(0, 4, 3), ORDER) for f in (torch.tanh, lambda x: x.cumsum(0), lambda x: x.mean(0, True) + 0 * x)],
            mistakes=[
                (lambda f, x, order: torch.allclose(f(x[order]), f(x), atol=1e-5), "This tests for *invariance*: nothing changes."),
                (lambda f, x, order: True, "It answers True for a function that does care about order, too."),
                (lambda f, x, order: False, "It answers False for a function that does not care about order, too."),
            ],
        ),
        "You can now test any function for it; attention without positions passes.",
    ),
    "01.1": Exercise(
        1,
        value(
            (4, 7, 16),
            replies=[
                ((4, 7, 50), "50 is the number of rows in the table. A token gets one row; how long is a row?"),
                ((50, 16), "That is the shape of the table. The look-up picks one row for every id."),
                ((4, 7), "That is the shape of the ids. Each id is replaced by a vector, which adds an axis."),
                ((7, 16), "That is one sequence. The batch axis stays in front."),
                ((16, 4, 7), "The new axis comes last: every id is replaced, where it stands, by its vector."),
            ],
        ),
        "The shape of the ids, with d_model added at the end.",
    ),
    "01.2": Exercise(
        2,
        function(
            lambda ids, weight: weight[ids],
            [(IDS, WEIGHT), (torch.tensor([[3]]), WEIGHT)],
            mistakes=[
                (
                    lambda ids, weight: torch.nn.functional.one_hot(ids, len(weight)).float(),
                    "These are the one-hot rows themselves. They still have to pick their rows of the table, by a product.",
                ),
            ],
        ),
        "A product with one-hot rows and a look-up are the same thing; the look-up skips all the zeros.",
    ),
    "01.3": Exercise(
        2,
        function(
            lambda ids, weight: weight[ids] * weight.shape[1] ** 0.5,
            [(IDS, WEIGHT), (IDS, WEIGHT[:, :1])],
            mistakes=[
                (lambda ids, weight: weight[ids], "The look-up is right, but nothing is multiplied: √d_model is missing."),
                (lambda ids, weight: weight[ids] * weight.shape[1], "Multiplied by d_model. The root is missing."),
                (lambda ids, weight: weight[ids] / weight.shape[1] ** 0.5, "Divided by √d_model; the embedding is multiplied."),
                (
                    lambda ids, weight: weight[ids] * len(weight) ** 0.5,
                    "Multiplied by the root of the vocabulary size. d_model is the width of the table.",
                ),
            ],
        ),
        "That is all that pe_lib.TokenEmbedding does in its forward.",
    ),
    "02.1": Exercise(
        2,
        function(
            _rotation,
            [(1, 0.5), (3, 0.2), (-2, 1.0)],
            mistakes=[
                (
                    lambda n, frequency: _rotation(n, frequency).T,
                    "This is the transpose: it turns the hand backwards. The row [sin, cos] stands to the left of the matrix.",
                ),
                (lambda n, frequency: _rotation(1, frequency), "It turns by one position, whatever n is."),
                (lambda n, frequency: _rotation(n, 1.0), "It ignores the frequency: the angle is n times the frequency."),
            ],
        ),
        "A rotation by n · frequency, and pos appears nowhere in it.",
    ),
    "02.2": Exercise(
        2,
        value(
            _by_hand([2, 2 / 100]),
            replies=[
                (_by_hand([1, 1 / 100]), "That is the row of position 1."),
                (_by_hand([2, 2 / 10000]), "The second pair uses the frequency 1/10000: the exponent was doubled (2k/d with k = 1 is 1/2)."),
                (_by_hand([2, 2]), "Both pairs turn at the same speed. The exponent 2k/d is 1/2 for the second pair."),
                (_by_hand([2 * np.pi / 180, 0.02 * np.pi / 180]), "The calculator is set to degrees. The angles are radians."),
                (_by_hand([2, 2 / 100])[[1, 0, 3, 2]], "Sine and cosine are swapped: even columns hold the sine."),
                (_by_hand([2, 2 / 100])[[0, 2, 1, 3]], "All sines, then all cosines. In the paper they take turns."),
            ],
            tolerance=6e-4,
        ),
        "sin 2, cos 2, sin 0.02, cos 0.02: the second hand has hardly moved.",
    ),
    "02.3": Exercise(
        3,
        function(
            frequencies,
            [(8, 10000.0), (6, 10000.0), (7, 100.0)],
            mistakes=[
                (
                    lambda d, base: base ** (-4 * np.arange((d + 1) // 2) / d),
                    "The exponent is doubled: pair k has 2k/d. Did k run over 0, 2, 4, … and get multiplied by 2 again?",
                ),
                (lambda d, base: base ** (-np.arange((d + 1) // 2) / d), "The exponent is k/d; the 2 is missing."),
                (lambda d, base: base ** (2 * np.arange((d + 1) // 2) / d), "The minus is lost: these frequencies grow from 1 to 10000."),
                (lambda d, base: base ** (-2 * np.arange(d // 2) / d), "Odd widths lose their last sine: d_model // 2 rounds down."),
                (lambda d, base: base ** (-2 * (np.arange(d) // 2) / d), "One for every column; one for every pair is asked."),
                (lambda d, base: base ** (-np.arange(d) / d), "Every column has its own exponent; a pair shares one."),
                (lambda d, base: 2 * np.pi * base ** (2 * np.arange((d + 1) // 2) / d), "These are wavelengths: 2π / frequency."),
                (lambda d, base: frequencies(d), "It uses 10000 whatever the base is."),
            ],
        ),
        "From 1 down, each pair slower than the one before by the same factor.",
    ),
    "03.1": Exercise(3, diagnose_table, "This loop is the specification: every other version in the course is compared with it."),
    "03.2": Exercise(
        1,
        value(
            2,
            replies=[
                (0, "Column 0 belongs to pair 0. Its exponent is 0, and twice 0 is 0: it cannot show the mistake."),
                (1, "Column 1 belongs to pair 0. Its exponent is 0, and twice 0 is 0: it cannot show the mistake."),
                (3, "Column 3 is wrong as well, but another one comes before it."),
                (4, "With d_model = 4 the columns are 0 to 3."),
            ],
        ),
        "Pair 0 has the exponent 0 either way, so the first pair that can be wrong is pair 1, columns 2 and 3.",
    ),
    "03.3": Exercise(2, diagnose_table, "Columns step by two, so the column already is 2k."),
    "04.1": Exercise(
        1,
        value(
            (6, 4),
            replies=[
                ((6, 1), "The axis of size 1 is stretched to meet the 4."),
                ((4, 6), "Shapes are lined up from the right: (6, 1) over (4,). The 4 comes last."),
                ((6,), "Two axes go in, so at least two come out."),
                ((24,), "Nothing is flattened: the result keeps its axes."),
                ((6, 1, 4), "(4,) is lined up with the last axis of (6, 1); it does not add one."),
            ],
        ),
        "Every position meets every frequency.",
    ),
    "04.2": Exercise(
        2,
        function(
            angles,
            [(5, 8, 10000.0), (7, 5, 100.0)],
            mistakes=[
                (lambda n, d, base: angles(n + 1, d, base)[1:], "The positions begin at 1; the first position is 0."),
                (lambda n, d, base: angles(n, d, base).T, "The axes are swapped: positions go down, pairs across."),
                (lambda n, d, base: angles(n, d), "It uses 10000 whatever the base is."),
            ],
        ),
        "No loop: the broadcast product makes all the pairs of position and frequency.",
    ),
    "04.3": Exercise(3, diagnose_table, "The same table as the loop's, without a loop in sight."),
    "05.1": Exercise(
        1,
        value(
            "b",
            replies=[
                ("a", "That order needs a new axis (stack) which is flattened away. cat adds no axis: it lays blocks side by side."),
                ("c", "Along dim 1 the number of rows stays; the columns are joined."),
                ("d", "cat asks that all axes but the joined one agree, and they do."),
            ],
        ),
        "All sines, then all cosines: the halves convention.",
    ),
    "05.2": Exercise(
        2,
        function(
            lambda even, odd: torch.stack([even, odd], dim=2).flatten(1, 2),
            [(EVEN, ODD), (EVEN[:, :2], ODD[:, :2])],
            mistakes=[
                (lambda even, odd: torch.cat([even, odd], dim=1), "The halves stand side by side: all of even, then all of odd."),
                (lambda even, odd: torch.cat([even, odd], dim=0), "The rows are piled up: all rows of even, then all rows of odd."),
                (lambda even, odd: torch.stack([even, odd], dim=2), "Stacked, not flattened yet: the pairs still have an axis of their own."),
                (lambda even, odd: torch.stack([odd, even], dim=2).flatten(1, 2), "even and odd have changed places."),
                (lambda even, odd: torch.stack([even, odd], dim=2).flatten(), "Flattened completely: the rows are gone."),
                (
                    lambda even, odd: torch.stack([even, odd], dim=0).flatten(1, 2),
                    "Stacked along dim 0, the new axis comes first, so flattening joins whole rows.",
                ),
            ],
        ),
        "stack makes pairs, flatten lays them end to end.",
    ),
    "05.3": Exercise(
        3,
        lambda module: diagnose_table(lambda max_len, d_model: module(d_model, max_len)()),
        "A module with nothing to train, whose forward returns the table.",
    ),
    "06.1": Exercise(
        1,
        value(
            (32, 100, 512),
            replies=[
                ((32, 1, 512), "An axis of size 1 is stretched to meet the other, in x too: x is the one that grows here."),
                ((1, 100, 512), "The batch axis of pe has size 1; it is stretched to meet the 32."),
                ("error", "Sizes 1 and 100 do not clash: an axis of size 1 is stretched. That is what makes this dangerous."),
            ],
        ),
        "One token went in, a hundred came out, and nothing complained.",
    ),
    "06.2": Exercise(
        2,
        function(
            lambda x, pe: x + pe[:, : x.shape[1]],
            [(_shuffled(0, b, n, 6), _shuffled(1, 1, 8, 6)) for b, n in ((2, 3), (3, 1), (2, 8), (5, 5))],
            mistakes=[
                (lambda x, pe: x + pe[:, x.shape[1] - 1], "One single row is added to every token: a slice needs its colon."),
                (lambda x, pe: x + pe[:, : x.shape[1]].transpose(0, 1)[: x.shape[0]], "Each sample gets one row of the table."),
                (lambda x, pe: pe[:, : x.shape[1]] + 0 * x, "The encoding alone comes back; x is lost."),
                (lambda x, pe: x * pe[:, : x.shape[1]], "x is multiplied by the encoding; it should be added."),
            ],
        ),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(4, diagnose_layer, "A layer of your own, right at every shape that we know to break published ones."),
}
