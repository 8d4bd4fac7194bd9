"""The code of a notebook: its cells up to a definition, without lines for IPython."""

import json
import re

from .alone import statements, uses


def code_cells(path):
    """The code cells, without lines for IPython."""
    try:
        import nbformat
    except ImportError:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    else:
        cells = nbformat.read(path, as_version=4).cells
    sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return [_plain_python(source if isinstance(source, str) else "".join(source)) for source in sources]


def _plain_python(source):
    """Magics, shell lines and questions for help are left out; what stands below %%time is Python still."""
    if re.match(r"\s*%%(?!time|timeit|capture|prun)", source):
        return ""
    if statements(source) is not None:
        return source  # % may begin the second line of an expression
    return re.sub(r"(?m)^(\s*)(?:[%!?].*|\w[\w.]*\?+\s*$|\w+\s*=\s*[%!].*)$", r"\1pass", source)


def up_to(cells, wanted):
    """The cells up to the last that defines the first name of ``wanted``."""
    names = rf"(?:{'|'.join(map(re.escape, uses(wanted)))})"
    defined = rf"(?m)^\s*(?:async def|def|class)\s+{names}\b|^{names}\s*(?::[^=]+)?="
    last = [n for n, cell in enumerate(cells) if uses(wanted) and re.search(defined, cell)]
    return cells[: last[-1] + 1] if last else cells
