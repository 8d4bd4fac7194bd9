"""What the results of any function may show. A reason looks at what was `Tried` and speaks only of what is certain."""

from . import amounts, as_if, forms, parts, returned
from .comparing import same


def right_at_first(tried):
    n = tried.off
    if n and all(same(tried.results[m], tried.expected[m]) for m in range(n)):
        calls = "The first call is" if n == 1 else f"The first {n} calls are"
        return f"{calls} right, the next one is not: what differs between their arguments?"
    return None


GENERAL = (  # the first that speaks is heard
    returned.returns_text,
    returned.returns_dict,
    returned.returns_function,
    returned.returns_generator,
    returned.returns_complex,
    returned.returns_several,
    returned.changes_its_argument,
    amounts.table_of_answers,
    amounts.negated,
    forms.transposed,
    forms.other_axes,
    parts.axes_in_another_order,
    amounts.cut_to_whole,
    amounts.rounded,
    amounts.same_whatever_comes,
    amounts.nothing_filled_in,
    amounts.not_finite,
    parts.part_or_sum,
    forms.wrong_size,
    amounts.rescaled,
    forms.in_another_order,
    as_if.one_step_on,
)
LAST = (parts.right_elsewhere, right_at_first)  # where nothing says what was computed: where it goes wrong
