"""Classes of learners who are made up, and whose true gain is known: what the summary has to find."""

import datetime

import numpy as np

from pe_course.assessment.bank import LETTERS, PARTS, bank
from pe_course.assessment.keeping import Entry, append
from pe_course.assessment.sitting import Answer

GUESS, STEEPNESS = 0.2, 1.3  # who knows nothing guesses right so often; how sharply a question tells
PART = PARTS[0]  # classes sit this part, unless another is named
EASIEST, RANGE, HARDER = -1.0, 3.0, 0.3  # the second form of a part is harder
BEFORE, RISE = (-0.8, 1.0), (1.4, 0.6)  # ability before, and what the course adds: mean and spread over learners
SEPTEMBER, OCTOBER, NOVEMBER = (datetime.date(2030, month, 2) for month in (9, 10, 11))


def chances(ability, form):
    """Of a right answer to each question: ability (…) -> (…, questions)."""
    difficulty = EASIEST + HARDER * (form in "BD") + np.linspace(0, RANGE, len(bank().form(form)))
    distance = np.asarray(ability)[..., None] - difficulty
    return GUESS + (1 - GUESS) / (1 + np.exp(-STEEPNESS * distance))


def true_gain(before=BEFORE, rise=RISE):
    """<g> of the whole population from which classes are drawn, by numerical integration over ability; no sampling."""
    z, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()

    def mean(centre, spread):
        return np.mean([weights @ chances(centre + spread * z, form).mean(axis=1) for form in "AB"])

    first = mean(*before)
    second = mean(before[0] + rise[0], np.hypot(before[1], rise[1]))
    return (second - first) / (1 - first)


def classes(learners, count, seed, before=BEFORE, rise=RISE):
    """Shares right before and after, (learners, classes) each; a coin gives every learner a form, as in the course."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(*before, (learners, count))
    later = ability + rng.normal(*rise, (learners, count))
    began_with_a = rng.random((learners, count)) < 0.5

    def shares(ability, with_a):
        chance = np.where(with_a[..., None], chances(ability, "A"), chances(ability, "B"))
        return (rng.random(chance.shape) < chance).mean(axis=-1)

    return shares(ability, began_with_a), shares(later, ~began_with_a)


def hand_in(folder, learners, seed, third=False, part=PART):
    """Write the files of one class; returns the shares right in each sitting, as its learners answered."""
    one, other, *stays = part.sittings
    rng = np.random.default_rng(seed)
    shares = []
    for n in range(learners):
        ability, first = rng.normal(*BEFORE), str(rng.choice(list(part.forms)))
        path = folder / f"learner-{n:03}" / "pe_test.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        rise = rng.normal(*RISE)
        sat = [(one, first, SEPTEMBER, ability), (other, part.forms.replace(first, ""), OCTOBER, ability + rise)]
        sat += [(name, first, NOVEMBER, ability + rise / 2) for name in stays if third]
        shares.append([_sit(path, f"{n:016x}", *sitting, rng) for sitting in sat])
    return np.array(shares).T


def _sit(path, learner, name, form, day, ability, rng):
    append(path, Entry(learner, name, form, day))
    right = rng.random(len(bank().form(form))) < chances(ability, form)
    for item, knows in zip(bank().form(form), right, strict=True):
        wrong = [letter for letter in LETTERS if letter != item.right.letter]
        letter = item.right.letter if knows else str(rng.choice(wrong))
        append(path, Entry(learner, name, form, day, Answer(item.id, letter, int(rng.integers(1, 5)))))
    return right.mean()
