"""An explorer as a widget, and as a piece of HTML where there are no widgets."""

import re
from functools import cache
from importlib.resources import files

HERE, STYLE = files(__package__), "explore.css"
WITHOUT = "Sliders: they move in a running notebook."  # what is read where nothing can be drawn
IMPORT = re.compile(r'^import .* from "\./(\w+)\.js";\n', re.M)


@cache
def source(name):
    """The program of an explorer, whole: an ES module that imports nothing, since neither anywidget nor a page that is
    opened as a file could fetch what it imports."""
    return "\n".join(IMPORT.sub("", read(f"{part}.js")) for part in parts_of(name))


def parts_of(name):
    """The modules that a program is made of, each once, after those that it imports."""
    found = {}

    def visit(part):
        for needed in IMPORT.findall(read(f"{part}.js")):
            visit(needed)
        found[part] = None

    visit(name)
    return list(found)


@cache
def read(file):
    return (HERE / file).read_text(encoding="utf-8")


def as_html(name, remember=False):
    """The same program in a piece of HTML: it draws where scripts run, and says in words what is missing elsewhere.

    ``remember`` keeps its state in the address of the page, so that a link shows what its sender saw.
    """
    options = ", remember: true" if remember else ""
    start = f'widget.render({{ el: document.getElementById("explorer-{name}"){options} }});'
    return (
        f'<style>\n{read(STYLE)}</style>\n<div id="explorer-{name}"><p class="note">{WITHOUT}</p></div>\n'
        f'<script type="module">\n{source(name)}{start}\n</script>'
    )


class Html:
    """Where anywidget is missing, as on Colab: the output itself holds the program."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return WITHOUT

    def _repr_html_(self):
        return as_html(self._name)


def explorer(name):
    """The explorer called ``name``, as its file is; shown by the notebook when it ends a cell."""
    try:
        import anywidget  # only now: everything else works without it
    except ModuleNotFoundError:
        return Html(name)

    class Explorer(anywidget.AnyWidget):
        _esm, _css = source(name), read(STYLE)

        def __repr__(self):
            return WITHOUT

    return Explorer()
