"""An object for a method that is taken from its class: with what its code asks of self, and what it stores there."""

import re

from .inputs import namespace, value_in
from .lines import Value, constant
from .parameters import source_of


def of_a_made_self(file, path, function):
    """The method with such an object for self; it gives what it stored last, where it gives nothing back."""
    source = source_of(function)
    stored = re.findall(r"(?m)^\s*self\.(\w+)\s*=[^=]", source)
    asked = dict.fromkeys(re.findall(r"\bself\.((?:\w+\.)*\w+)\b(?!\()", source))
    numbers = dict(re.findall(r"\bassert self\.(\w+) == (\d+)", source))

    def value(name, *more):
        return constant(int(numbers[name])) if name in numbers else value_in(name, *more)

    made = namespace([name for name in asked if name.partition(".")[0] not in stored], value=value)

    def give(setting):
        one = made.give(setting)

        def method(*given, **named):
            out = function(one, *given, **named)
            return getattr(one, stored[-1], None) if out is None and stored else out

        return method

    remark = f"its {stored[-1]}" if stored and "return " not in source else ""
    return Value(f"functools.partial({path}, {made.text})", give, made.made, remark)
