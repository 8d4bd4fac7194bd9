"""`make hub`, a trial of the class: what JupyterHub is told, what a learner gets, and what stops it with a plain word.

That a class runs through it, benchmarks/hub.py shows: it takes too long for a test, and its proxy needs Node.js.
"""

import json
import os
import re
import socket
import subprocess
import sys

import hub
import hub_layout
import my_notebooks
import pytest
from course import HOSTING, LESSONS, ROOT, handed_out, pull, read_lessons, run
from jupyter_server.services.contents.fileio import atomic_writing
from lab import wait_for_server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="JupyterHub needs Unix")
PORT = 8000


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    return folder, hub_layout.lay_out(folder, PORT)


def classes():
    from jupyterhub.app import JupyterHub
    from jupyterhub.auth import Authenticator
    from jupyterhub.authenticators.shared import SharedPasswordAuthenticator
    from jupyterhub.proxy import ConfigurableHTTPProxy
    from jupyterhub.spawner import SimpleLocalProcessSpawner, Spawner

    known = (JupyterHub, Authenticator, SharedPasswordAuthenticator, ConfigurableHTTPProxy, Spawner)
    return {one.__name__: one for one in (*known, SimpleLocalProcessSpawner)}


@pytest.fixture(scope="module")
def app(laid_out):
    """JupyterHub itself, which reads the file as when it starts; it refuses values of a wrong type."""
    app = classes()["JupyterHub"]()
    app.load_config_file(str(laid_out[0] / hub_layout.CONFIG))
    return app


def test_jupyterhub_knows_every_setting(laid_out):
    """It would only warn of an unknown one, in a log that nobody reads."""
    settings = hub_layout.configuration(laid_out[0], PORT, "password")
    for name, values in settings.items():
        known = classes()[name].class_traits(config=True)
        assert values.keys() <= known.keys(), f"{name} has no {values.keys() - known.keys()}"
        classes()[name](config=None, **values)  # of the right type, or traitlets raises


def test_jupyterhub_reads_the_file_and_listens_on_this_machine_alone(app, laid_out):
    folder, password = laid_out
    assert app.spawner_class is classes()["SimpleLocalProcessSpawner"]
    assert app.authenticator_class is classes()["SharedPasswordAuthenticator"]
    assert app.config.SharedPasswordAuthenticator.user_password == password
    assert (folder / hub_layout.CONFIG).stat().st_mode & 0o077 == 0, "others on this machine could read the password"
    proxy, spawner = (
        classes()[name](config=app.config) for name in ("ConfigurableHTTPProxy", "SimpleLocalProcessSpawner")
    )
    for door, port in zip((app.bind_url, app.hub_bind_url, proxy.api_url), hub_layout.ports(PORT), strict=True):
        assert door.rstrip("/") == f"http://127.0.0.1:{port}"
    assert spawner.ip == "127.0.0.1"


@pytest.mark.parametrize("root", [True, False])
def test_root_is_let_in_and_nobody_else_told_so(root, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    assert ("--allow-root" in hub_layout.configuration(tmp_path, PORT, "password")["Spawner"]["args"]) is root


def test_a_name_that_would_lead_out_of_the_folder_is_refused(app):
    is_right = classes()["SharedPasswordAuthenticator"](config=app.config).validate_username
    assert all(map(is_right, ("ada", "ada-2", "3")))
    assert not any(map(is_right, ("..", ".", "a/b", "-a", "a b", "")))


@pytest.fixture(scope="module")
def learner(laid_out):
    """The folder that nbgitpuller makes in a learner's home."""
    folder, _ = laid_out
    home = folder / "learners" / "ada"
    home.mkdir()
    pull(folder / "class", hub_layout.BRANCH, home / hub_layout.COURSE)
    return home / hub_layout.COURSE


def test_a_learner_has_every_lesson_without_the_answers_to_predictions_and_what_it_links_to(learner):
    for ours, theirs in zip(LESSONS, read_lessons(learner / "notebooks"), strict=True):
        assert theirs.cells == handed_out(ours)
    text = "\n".join(cell.source for lesson in LESSONS for cell in lesson.text_cells)
    targets = set(re.findall(r"\]\((?!https?:)([^)#\s]+)", text))
    assert {"../pe_lib/loop.py", "03_loop.ipynb"} <= targets
    assert [target for target in sorted(targets) if not (learner / "notebooks" / target).exists()] == []


def test_the_link_is_that_of_the_teacher_but_for_the_address(laid_out):
    """The page is nbgitpuller's own, and ends in lesson 00."""
    folder, _ = laid_out
    before, _, query = hub_layout.link(folder, PORT).partition("?")
    assert before == "http://127.0.0.1:8000/hub/user-redirect/git-pull"
    assert re.search(r"^https://[\w.-]+/hub/user-redirect/git-pull\?repo=", HOSTING, re.M)
    assert query.startswith("repo=file%3A%2F%2F%2F") and query.endswith(f"notebooks%2F{my_notebooks.FIRST_LESSON}")


def test_the_next_start_keeps_answers_and_changes_the_password(laid_out, learner):
    folder, password = laid_out
    lesson = learner / "notebooks" / "03_loop.ipynb"
    notebook = json.loads(lesson.read_text(encoding="utf-8"))
    notebook["cells"][1]["source"] = "mine"
    lesson.write_text(json.dumps(notebook), encoding="utf-8")
    count = ("git", "-C", folder / "class", "rev-list", "--count", "HEAD")
    commits = run(*count)
    assert hub_layout.lay_out(folder, PORT) != password
    pull(folder / "class", hub_layout.BRANCH, learner)
    assert json.loads(lesson.read_text(encoding="utf-8"))["cells"][1]["source"] == "mine"
    assert run(*count) == commits, "nothing has changed, and nothing is handed out again"


ASK = """
import json
from jupyter_server.serverapp import ServerApp
from jupyterlab_server.config import get_page_config
from jupyterlab_server.settings_utils import _get_overrides

server = ServerApp()
server.load_config_file()
print(json.dumps([server.config, get_page_config([]), _get_overrides("/nowhere")[0]]))
"""


@pytest.fixture
def as_a_learner(laid_out, tmp_path):
    """The environment of a learner's server, with folders of its own."""
    own = {"HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    return {**os.environ, **hub_layout.configuration(laid_out[0], PORT, "password")["Spawner"]["environment"], **own}


def test_the_settings_of_a_hub_hold_and_figures_get_a_dark_ground(as_a_learner, tmp_path):
    """A learner's server is asked what it has read: that of tools/hosted/."""
    server, page, overrides = json.loads(run(sys.executable, "-c", ASK, env=as_a_learner, cwd=tmp_path))
    hosted = ROOT / "tools" / "hosted"
    wanted = [json.loads((hosted / f"{name}.json").read_text()) for name in ("page_config", "overrides")]
    assert server["MappingKernelManager"]["cull_idle_timeout"] == 45 * 60
    assert wanted[0]["disabledExtensions"].keys() <= set(page["disabledExtensions"])
    assert wanted[1].items() <= overrides.items()
    # JupyterLab runs as an extension of Jupyter's server, as on a hub: its page asks for the style of `make lab`.
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]
    with open(tmp_path / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=as_a_learner, stdout=log, stderr=log)
        try:
            server = wait_for_server(process, tmp_path)
            page, style = (server._ask("GET", path).decode() for path in ("lab", "custom/custom.css"))
        finally:
            process.terminate()
            process.wait()
    assert "custom/custom.css" in page and style == (ROOT / "tools" / "lab" / "custom.css").read_text(encoding="utf-8")


def test_a_save_that_is_cut_off_leaves_the_copy_that_is_named(tmp_path):
    """What lies on the disk while Jupyter writes, and so after a kill. docs/hosting.md tells the way back."""
    lesson = tmp_path / "02_formula.ipynb"
    lesson.write_text("as it was")
    with atomic_writing(str(lesson)) as half:
        half.write("half")
        half.flush()
        assert lesson.read_text() == "half" and (tmp_path / ".~02_formula.ipynb").read_text() == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == ["02_formula.ipynb"]
    assert "`mv .~02_formula.ipynb 02_formula.ipynb`" in HOSTING


MISSING = [("git", "posix", "No git here"), ("npm", "posix", "Install Node.js 22 or newer, with npm")]


@pytest.mark.parametrize("missing, system, named", [*MISSING, (None, "nt", "Windows Subsystem for Linux")])
def test_what_is_missing_is_named(monkeypatch, missing, system, named):
    monkeypatch.setattr(hub.shutil, "which", lambda name: None if name == missing else name)
    with monkeypatch.context() as patch, pytest.raises(SystemExit, match=named):
        patch.setattr(hub.os, "name", system)
        hub.refuse_unusable_machine(PORT)


def test_a_port_that_is_taken_is_named(monkeypatch):
    monkeypatch.setattr(hub.shutil, "which", lambda name: name)
    with socket.create_server((hub_layout.HERE, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"Port {port} cannot be taken .* `make PORT=9000 hub`"):
            hub.refuse_unusable_machine(port)


def test_what_is_there_is_not_installed_again(monkeypatch, tmp_path):
    """So that it starts without a network."""
    asked = []
    monkeypatch.setattr(hub.subprocess, "run", lambda command, **settings: asked.append(command))
    monkeypatch.setattr(hub, "PROXY", tmp_path / "configurable-http-proxy")
    hub.install()
    (npm,) = asked
    assert npm[:2] == ["npm", "install"] and npm[-1] == f"configurable-http-proxy@{hub.PROXY_VERSION}"
    hub.PROXY.touch()
    hub.install()
    assert asked == [npm]
    monkeypatch.setattr(hub.importlib.util, "find_spec", lambda name: None)
    hub.install()
    assert asked[-1][-3:] == ["constraints.txt", "--editable", ".[hub]"]


def test_a_hub_that_does_not_start_says_why(monkeypatch, tmp_path):
    """Here its proxy is missing; the whole of JupyterHub is started, and ends."""
    monkeypatch.setattr(hub_layout, "PROXY", tmp_path / "nowhere")
    with pytest.raises(SystemExit, match=r"(?s)The hub did not start:.*nowhere"), hub.running(tmp_path, free_port()):
        pass


def free_port():
    with socket.socket() as one:
        one.bind((hub_layout.HERE, 0))
        return min(one.getsockname()[1], 65000)
