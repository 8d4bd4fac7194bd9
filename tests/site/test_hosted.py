"""The course on machines lent by others: Binder (one core, 1 GB) and Google Colab (which lacks pe_lib)."""

import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import course
import jsonschema
import links
import pytest
import yaml
from course import HOSTING, LESSONS, ROOT, commit, handed_out, run
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
from traitlets.config import Config

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the machines that are lent run Linux")

MEMORY_LENT = 1024  # MB, for JupyterLab and one kernel
HOSTED = ROOT / "tools" / "hosted"
VALUES = yaml.safe_load(re.search(r"^```yaml\n(.*?)^```", HOSTING, re.M | re.S)[1])


def make_python(folder):
    """A Python with all that this one has, but for pe_lib: its site-packages hold links to ours."""
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match(r"(__editable__\W+)?pe_lib", entry.name):
            (packages / entry.name).symlink_to(entry)
    return python, packages


def dockerfile(*options):
    """What repo2docker, which Binder and hubs build their images with, makes of this folder; nothing is built."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", *options, "."]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_binder_builds_the_conda_environment_with_this_library(record_property):
    said = dockerfile()
    assert "Building conda environment for python=3.13" in said
    update = '${MAMBA_EXE} env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"'
    steps = ["/tmp/install-base-env.bash", "src/ ${REPO_DIR}/", update, "RUN ./postBuild"]
    places = [said.find(step) for step in steps]
    # The local package (`-e .` in environment.yml) can be installed because the repository is copied before.
    assert -1 not in places and places == sorted(places), list(zip(steps, places, strict=True))
    record_property("figure: repo2docker derives", update)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """What postBuild leaves: the course's folder, and the Python that it ran with."""
    folder = tmp_path_factory.mktemp("binder")
    python, _ = make_python(folder / "conda")
    for name in ("notebooks", "pe_lib", "pe_clinic", "pe_course", "tools"):
        shutil.copytree(ROOT / name, folder / "home" / name)
    run(ROOT / "postBuild", cwd=folder / "home", env={**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"})
    return folder / "home", python


def test_post_build_that_fails_stops_the_build(tmp_path):
    """Else an image without its settings would be built, and nobody told. Here tools/ is missing, all else is there."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([ROOT / "postBuild"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode != 0 and "my_notebooks.py" in done.stderr


ASK = """
from jupyterlab.commands import get_app_dir
from jupyterlab.labapp import LabApp

print(get_app_dir())
LabApp.launch_instance(["--show-config-json"])
"""


def test_on_binder_kernels_that_nobody_uses_end_and_no_prediction_shows_its_answer(built):
    """JupyterLab there is asked itself what it has read, and where."""
    home, python = built
    own = {"HOME": str(home), "JUPYTER_CONFIG_DIR": str(home / ".jupyter")}
    settings, _, shown = run(python, "-c", ASK, cwd=home, env={**os.environ, **own}).partition("\n")
    shown = json.loads(shown)
    manager = MappingKernelManager(config=Config(shown))  # it knows what these settings are called
    assert (manager.cull_idle_timeout, manager.cull_interval, manager.cull_connected) == (45 * 60, 60, True)
    (styles,) = shown["ServerApp"]["tornado_settings"]["static_custom_path"]
    assert shown["LabApp"]["custom_css"] is True
    for there, ours in (
        (Path(styles) / "custom.css", ROOT / "tools" / "lab" / "custom.css"),
        (Path(settings) / "settings" / "overrides.json", HOSTED / "overrides.json"),
    ):
        assert there.read_bytes() == ours.read_bytes()
    for stored, there in zip(LESSONS, course.read_lessons(built[0] / "notebooks"), strict=True):
        assert there.cells == handed_out(stored)


def test_settings_and_switched_off_extensions_of_jupyterlab_are_ones_that_it_knows():
    """nbgrader's tools for teachers go by the names that its own program in the browser gives them."""
    share = Path(sys.prefix) / "share/jupyter"
    for plugin, settings in json.loads((HOSTED / "overrides.json").read_text()).items():
        package, name = plugin.split(":")
        schema = json.loads((share / "lab/schemas" / package / f"{name}.json").read_text(encoding="utf-8"))
        jsonschema.validate(settings, schema)
        assert settings.keys() <= schema["properties"].keys()
    program = share / "labextensions/@jupyter/nbgrader/static"
    scripts = "".join(script.read_text(encoding="utf-8") for script in program.glob("*.js"))
    off = json.loads((HOSTED / "page_config.json").read_text())["disabledExtensions"]
    assert off and all(off.values())
    assert all(re.search(f"['\"]{re.escape(name)}['\"]", scripts) for name in off)
    assert "@jupyter/nbgrader:assignment-list" not in off, "a learner fetches and hands in with it"


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """A Python like Colab's: google.colab is loaded, pe_lib is absent. Its packages, and how to start it."""
    if shutil.which("git") is None:
        pytest.skip("pip fetches the library with git, which is not here")
    folder = tmp_path_factory.mktemp("colab")
    python, packages = make_python(folder / "python")
    (packages / "google" / "colab").mkdir(parents=True)
    (packages / "google" / "colab" / "__init__.py").touch()
    (packages / "colab.pth").write_text("import google.colab\n")
    # The address in the cell leads to a copy of this checkout, and pip to no index.
    environment = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{snapshot(folder / 'repository').as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": f"https://github.com/{links.read_address()['repository']}",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it the other way round: no isolation
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    return python, packages, {**os.environ, **environment}


def snapshot(folder):
    """A git repository with what pip needs of the checkout as it is now, committed or not."""
    for name in ("pe_lib", "pe_clinic", "pe_course"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    commit(folder, links.read_address()["branch"])
    return folder


def listing(packages):
    """Each entry, and what it is a link to: a package that pip replaces is a link no more."""
    return {(entry.name, os.readlink(entry) if entry.is_symlink() else None) for entry in packages.iterdir()}


def test_a_lesson_runs_on_colab(colab, tmp_path):
    """The first, for all: the cell that fetches pe_lib is the same in each (test_links.py), and each is run alone in a
    folder (test_notebooks.py). Colab has the notebook, and nothing else of the repository."""
    python, packages, environment = colab
    assert subprocess.run([python, "-c", "import pe_lib"], capture_output=True, cwd=packages.parent).returncode
    before = listing(packages)
    lesson = shutil.copy(LESSONS[0].path, tmp_path)
    run(python, ROOT / "benchmarks" / "lessons.py", lesson, env=environment, cwd=tmp_path)
    new = listing(packages) - before
    assert {re.sub(r"-.*", "", name) for name, _ in new} == {"pe_lib", "pe_clinic", "pe_course"}, "pip installed more"
    assert before <= listing(packages), "pip replaced what Colab has: its torch?"


@pytest.fixture
def lessons(monkeypatch):
    """benchmarks/lessons.py"""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("lessons")


def test_jupyterlab_leaves_room_for_the_kernels(lessons, record_property):
    measured = lessons.memory_of_jupyterlab()
    record_property("figure: JupyterLab itself", f"{measured} MB")
    assert measured < MEMORY_LENT / 4
    assert course.is_about(measured, "JupyterLab")


@pytest.mark.parametrize(("largest", "fits"), [(900, True), (901, False)])
def test_the_measurement_fails_when_more_is_needed_than_is_lent(largest, fits, lessons, monkeypatch, capsys):
    """`make binder` ends with it, in a container of that size."""
    peaks = iter([300, largest, *[300] * len(LESSONS)])
    monkeypatch.setattr(lessons, "take_one_core", lambda: None)
    monkeypatch.setattr(lessons, "run", lambda lesson: (1.0, next(peaks)))
    monkeypatch.setattr(lessons, "memory_of_jupyterlab", lambda: MEMORY_LENT - 900)
    with nullcontext() if fits else pytest.raises(SystemExit, match=r"^That is more than is lent\.$"):
        lessons.main([])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split()[-3:] == [str(MEMORY_LENT - 900 + largest), "of", str(MEMORY_LENT)]


def schema(fields):
    """As the chart's own: each object is closed, so that a name that it does not know is an error."""
    if not isinstance(fields, dict):
        return {"type": fields}
    properties = {name: schema(below) for name, below in fields.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def test_the_values_for_kubernetes_are_fields_of_the_chart():
    """Helm refuses a misspelt one."""
    fields = Path(__file__).with_name("hub_values.yaml").read_text(encoding="utf-8")
    assert "4.4.0" in HOSTING
    jsonschema.validate(VALUES, schema(yaml.safe_load(fields)), jsonschema.Draft7Validator)


def test_memory_of_a_learner_holds_two_lessons():
    """JupyterLab and any one lesson fit into what is guaranteed, with the lesson before it into the limit; the text
    of docs/hosting.md says how much that is, and what fits on a machine."""
    memory = course.stated()
    kernels = [memory[lesson.number] for lesson in LESSONS]
    needed = memory["JupyterLab"] + max(map(sum, pairwise(kernels)))
    lent = VALUES["singleuser"]["memory"]
    guarantee, limit = (float(lent[name].removesuffix("G")) * 1024 for name in ("guarantee", "limit"))
    assert memory["JupyterLab"] + max(kernels) <= guarantee < limit and needed <= limit
    assert f"need up to {needed / 1024:.1f} GB" in " ".join(HOSTING.split())
    # The image starts in /srv/course; what nbgitpuller copies must come onto the learner's own disk.
    assert VALUES["hub"]["config"]["KubeSpawner"]["working_dir"] == "/home/jovyan"
    machines = re.findall(r"(\d+)(?: learners)? on (\d+)\s+GB", HOSTING)
    assert machines and all(int(learners) == int(gigabytes) - 2 for learners, gigabytes in machines)


def test_image_for_a_hub_is_built_outside_of_the_home_folder():
    """The command of docs/hosting.md, for this folder, and up to the Dockerfile."""
    command = shlex.split(re.search(r"^jupyter-repo2docker .*$", HOSTING, re.M)[0])
    assert command[-1] == links.link("clone", links.read_address())
    assert command[command.index("--target-repo-dir") + 1] == "/srv/course"
    options = [option for option in command[1:-1] if option not in ("--no-run", "--push")]
    assert 'RUN pip install --no-cache-dir -e "/srv/course[class]"' in dockerfile(*options)
