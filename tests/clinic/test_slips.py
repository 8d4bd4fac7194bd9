"""Right code of strangers with one slip put in: it is not called right, whatever it is called."""

import ast
from dataclasses import replace

import pytest
from bank.fresh import BANKS
from test_fresh_bank import EXPECTED, ask

WAVES = {"sin": "cos", "cos": "sin"}
RIGHT = [case for bank in ("own", "fresh", "second") for case in BANKS[bank] if case.expected == "right"]
pytestmark = pytest.mark.long


def exchanged(node):
    """The first wave becomes the other one."""
    if isinstance(node, ast.Attribute) and node.attr in WAVES:
        node.attr = WAVES[node.attr]
        return True


def smaller(node):
    """The base loses a zero."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value == 10000:
        node.value = type(node.value)(1000)
        return True


def with_a_slip(case, slip):
    """The case with ``slip`` at the first place where it can be; None where there is none."""
    tree = ast.parse(case.source)
    return replace(case, source=ast.unparse(tree)) if any(map(slip, ast.walk(tree))) else None


@pytest.mark.parametrize("slip", [exchanged, smaller])
def test_one_slip_in_right_code_is_not_called_right(slip, tmp_path, record_property):
    asked, called_right = 0, []
    for case in RIGHT:
        if (wrong := with_a_slip(case, slip)) and case.among != "slips elsewhere":
            said, asked = ask(wrong, tmp_path), asked + 1
            called_right += [f"{case.name}: {said['line']}"] if said["verdict"] in EXPECTED["right"] else []
    record_property(
        f"figure: right code with a slip, {slip.__name__}", f"{asked} asked, {len(called_right)} called right"
    )
    assert asked > 100 and not called_right, "\n".join(called_right)
