"""What may be imported from where, with which arguments, and at what cost."""

import ast
import inspect
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from oracle import refuses

import pe_clinic
import pe_course
import pe_lib

ROOT = Path(__file__).parents[1]
PACKAGES = ["pe_lib", "pe_clinic", "pe_course"]  # each imports only those before it
DOORS = {"pe_clinic", "pe_clinic.sandbox"}  # where other code enters the clinic

INTERFACE = (ROOT / "tests" / "interface.txt").read_text().splitlines()


@pytest.mark.parametrize("line", INTERFACE)
def test_the_fixed_interface_keeps_its_arguments(line):
    """Names, order, defaults, by position or by name. Type hints may come and go."""
    name = line.partition("(")[0]
    package = pe_clinic if name.startswith("diagnose") else pe_lib
    found = [p.replace(annotation=p.empty) for p in inspect.signature(getattr(package, name)).parameters.values()]
    assert f"{name}{inspect.Signature(found)}" == line and name in package.__all__


def test_every_public_name_exists_completes_and_is_the_answer_to_one_misspelt():
    for package in (pe_lib, pe_clinic, pe_course):
        assert package.__all__ == dir(package) == sorted(set(package.__all__))
        assert all(hasattr(package, name) for name in package.__all__)
    # Editors read the imports that Python leaves out, and follow them to the definition.
    (told,) = (node for node in ast.parse(inspect.getsource(pe_lib)).body if isinstance(node, ast.If))
    names = {line.module: tuple(alias.name for alias in line.names) for line in told.body}
    assert names == pe_lib.NAMES
    with refuses(AttributeError, "pe_lib has no 'sinusodal_loop'; did you mean sinusoidal_loop?"):
        _ = pe_lib.sinusodal_loop
    with refuses(AttributeError, "pe_lib has no 'zzz'"):
        _ = pe_lib.zzz
    with refuses(ImportError, "cannot import name 'sinusodal_loop' from 'pe_lib'"):
        from pe_lib import sinusodal_loop  # noqa: F401


HEAVY = {"numpy", "torch", "matplotlib", "ipywidgets", "anywidget", "IPython"}


def loaded_by(code):
    """Which of the heavy packages are loaded after this code in a fresh Python, and what it printed."""
    code += f"\nimport sys; print(*sorted({HEAVY} & set(sys.modules)))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    "code, loaded",
    [
        ("import pe_lib, pe_clinic, pe_course; dir(pe_lib), dir(pe_clinic), dir(pe_course)", []),
        ("from pe_course import check, installation", []),
        ("import pe_course.tutor; from pe_course import progress, recall; recall('05', 'a', 'b')", []),
        ("import pe_lib; pe_lib.arguments.check_size('d_model', 4)", []),
        ("from pe_lib import angles, sinusoidal_loop, sinusoidal_vectorized; sinusoidal_loop(2, 2)", ["numpy"]),
        ("import pe_course.explore", []),
    ],
)
def test_what_is_imported_and_no_more_is_loaded(code, loaded):
    assert loaded_by(code) == loaded


@pytest.mark.slow
def test_importing_everything_loads_torch_alone_and_draws_no_random_numbers():
    code = "import torch; torch.manual_seed(0); from pe_lib import *; sinusoidal_stack_flatten(2, 2)\n"
    code += "import pe_course.exercises, pe_course.toy, pe_lib.longer_texts; print(torch.rand(1).item())"
    drawn, *loaded = loaded_by(code)
    assert drawn.startswith("0.496256") and loaded == ["numpy", "torch"]


def imports(module, path):
    """The modules of the three packages that this one names in an import, also late."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for line in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(line, ast.Import):
            yield from (alias.name for alias in line.names if alias.name.split(".")[0] in PACKAGES)
        elif isinstance(line, ast.ImportFrom) and (line.level or line.module.split(".")[0] in PACKAGES):
            above = package.split(".")[: package.count(".") + 2 - line.level] if line.level else []
            source = ".".join(filter(None, [*above, line.module]))
            yield from (source, *(f"{source}.{alias.name}" for alias in line.names))


@cache
def graph():
    """From each module to those that it imports: {name: {name}}."""
    paths = {path.relative_to(ROOT): path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    modules = {".".join(name.with_suffix("").parts).removesuffix(".__init__"): path for name, path in paths.items()}
    return {module: set(imports(module, path)) & set(modules) for module, path in modules.items()}


def test_no_module_imports_in_a_circle_not_even_late():
    arrows = dict(graph())
    for module, named in arrows.items():  # on its way to a module, Python loads the packages around it
        around = {".".join(name.split(".")[:n]) for name in named for n in range(2, name.count(".") + 2)}
        arrows[module] = {name for name in (named | around) - set(PACKAGES) if not f"{module}.".startswith(f"{name}.")}
    assert "pe_course.reply" in arrows["pe_course.checking"]
    assert "pe_course.recalling.schedule" in arrows["pe_course.progress.map"]
    TopologicalSorter(arrows).prepare()  # CycleError names the circle


def test_imports_go_one_way_from_the_course_to_the_clinic_through_its_two_doors_to_the_library():
    for module, named in graph().items():
        allowed = PACKAGES[: PACKAGES.index(module.split(".")[0]) + 1]
        assert {name.split(".")[0] for name in named} <= set(allowed), module
        if not module.startswith("pe_clinic"):
            assert {name for name in named if name.startswith("pe_clinic")} <= DOORS, module
