"""Classes that hold learned rows or sines, by a switch: what is said of learned rows hides a mistake in the sines."""

import re
from dataclasses import replace

from .calling.parameters import arguments_of

SINES = {False: r"(use_|is_)?sin(e|cos|usoid\w*)?|(use_|is_)?(fixed|sin_?cos)", True: r"(is_|use_)?(learn\w*|train\w*)"}


def of_the_sines(diagnosis, reading, file):
    """The diagnosis of the sines, where the default asks for learned rows, and the sines are wrong; else None."""
    if diagnosis.convention != "learned" or reading.kind != "layer" or not reading.call.text.endswith(")"):
        return None
    arguments = arguments_of(file.names.get(re.match(r"\w*", reading.call.text)[0])) or []
    switches = [(a.name, a.parameter.default) for a in arguments if type(a.parameter.default) is bool]
    for name, default in switches:
        if re.fullmatch(SINES[default], name.lower()) and f"{name}=" not in reading.call.text:
            from . import diagnose_layer

            line = file.written(f"{reading.call.text[:-1]}, {name}={not default})")
            other = diagnose_layer(replace(reading, call=line).layer, None)
            known = {finding.id for finding in diagnosis.findings}  # such as that all rows are added
            first, *others = [finding for finding in other.findings if finding.id not in known] or [None]
            if first and first.kind == "mistake":
                seen = replace(first, evidence=f"with {name}={not default}: {first.evidence}")
                return replace(other, findings=(seen, *others))
    return None
