"""What the results of any function may show. A reason looks at what was `Tried` and speaks only of what is certain."""

from . import amounts, as_if, forms, parts, returned
from .comparing import same


def of_numbers(alike, differing=()):
    """One reason made of those that get the arrays, too, where every result holds numbers: of ``alike`` where all have
    the shapes that are expected, else of ``differing``. The first that speaks is heard."""

    def reason(tried):
        arrays = tried.arrays() or []
        as_expected = all(got.shape == want.shape for got, want in arrays)
        reasons = (alike if as_expected else differing) if arrays else ()
        return next(filter(None, (each(tried, arrays) for each in reasons)), None)

    return reason


def right_at_first(tried):
    n = tried.off
    if n and all(same(tried.results[m], tried.expected[m]) for m in range(n)):
        calls = "The first call is" if n == 1 else f"The first {n} calls are"
        return f"{calls} right, the next one is not: what differs between their arguments?"
    return None


ALIKE = (
    amounts.true_or_false,
    forms.transposed,
    parts.axes_in_another_order,
    amounts.decimals_lost,
    amounts.same_whatever_comes,
    amounts.nothing_filled_in,
    amounts.not_finite,
    amounts.rescaled,
    forms.in_another_order,
    as_if.one_step_on,
)
DIFFERING = (
    amounts.true_or_false,
    forms.transposed,
    forms.other_axes,
    parts.axes_in_another_order,
    amounts.same_whatever_comes,
    amounts.not_finite,
    parts.part_or_sum,
    forms.wrong_size,
)
FIRST = of_numbers((amounts.half_precision,))
GENERAL = (
    returned.another_kind,
    returned.returns_several,
    returned.changes_its_argument,
    of_numbers(ALIKE, DIFFERING),
)
LAST = (of_numbers((parts.right_elsewhere,)), right_at_first)  # where nothing says what was computed: where it is wrong
