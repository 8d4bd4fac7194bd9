"""What `make lab` and `make test` do first: the one-line refusals, and when to install again."""

import os
import platform
import shutil
import subprocess
import sys
from functools import partial
from zipfile import ZipFile

import pytest
import setup_env
from course import run

from pe_course.judges.known import pages

REFUSED = {
    "needs Python 3.10 or newer": lambda patch: patch.setattr(setup_env, "OLDEST", (99, 0)),
    f"apt install python{setup_env.VERSION}-venv": lambda patch: patch.setitem(sys.modules, "ensurepip", None),
    "docs/install.md has the conda way": lambda patch: patch.setattr(sys, "platform", "darwin"),  # an Intel Mac
}


@pytest.mark.parametrize("words", REFUSED)
def test_unusable_python_is_told_in_one_line(monkeypatch, words):
    assert setup_env.refuse_unusable_python() is None, "this one is usable"
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    REFUSED[words](monkeypatch)
    with pytest.raises(SystemExit) as refused:
        setup_env.refuse_unusable_python()
    assert words in refused.value.code and "\n" not in refused.value.code


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_or_a_moved_course_install_again(tmp_path, monkeypatch, name):
    for file in ("pyproject.toml", "constraints.txt"):
        (tmp_path / file).write_bytes((setup_env.ROOT / file).read_bytes())
    here = setup_env.fingerprint()
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    moved = setup_env.fingerprint()
    (tmp_path / name).write_text("changed")
    assert len({here, moved, setup_env.fingerprint()}) == 3


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """The path of a .venv that does not work, in a folder of its own; nothing is installed into it."""
    venv = tmp_path / "course" / ".venv"
    venv.parent.mkdir()
    for name in ("VENV", "VENV_PYTHON", "MARK", "STAMP", "CACHE"):
        monkeypatch.setattr(setup_env, name, venv / getattr(setup_env, name).relative_to(setup_env.ROOT / ".venv"))
    monkeypatch.setattr(setup_env, "install", lambda tests, newest: None)
    return venv


def content(folder):
    return {path.relative_to(folder): path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def test_venv_that_is_ours_and_does_not_work_is_made_anew(broken, elsewhere, monkeypatch):
    """A link in it is removed, and not followed."""
    made, before = [], content(elsewhere)
    monkeypatch.setattr(setup_env, "run", lambda *command: made.append(command))
    (broken / "lib").mkdir(parents=True)
    (broken / "lib" / "old.py").touch()
    (broken / "lib64").symlink_to(elsewhere)
    setup_env.MARK.touch()
    setup_env.main([])
    assert made == [(sys.executable, "-m", "venv", str(broken))] and content(elsewhere) == before
    assert {path.name for path in broken.iterdir()} == {setup_env.MARK.name, setup_env.STAMP.name}


def test_venv_that_was_interrupted_is_known_by_its_mark(broken, monkeypatch):
    """With the real venv module, which was interrupted before it came to pip."""
    broken.mkdir()
    monkeypatch.setattr(setup_env, "run", lambda *command: subprocess.run([*command, "--without-pip"], check=True))
    setup_env.make_venv()
    assert setup_env.VENV_PYTHON.exists() and not setup_env.venv_works()
    setup_env.refuse_what_is_not_ours(works=False)
    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    assert setup_env.venv_works(), "this one has pip"


@pytest.fixture
def elsewhere(tmp_path):
    """Somebody's folder with a file in it, which no set-up may touch."""
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "chapter.tex").write_text("years of work")
    return folder


ATTACKS = {
    "a link to somebody's folder": lambda venv, folder: venv.symlink_to(folder),
    "a link to an empty folder": lambda venv, folder: ((folder / "new").mkdir(), venv.symlink_to(folder / "new")),
    "a link to a folder that we made": lambda venv, folder: (
        *((folder / setup_env.MARK.name).touch(), venv.symlink_to(folder)),
    ),
    "a link that leads nowhere": lambda venv, folder: venv.symlink_to(folder / "missing"),
    "somebody's folder": lambda venv, folder: shutil.copytree(folder, venv),
    "a venv without pip, as uv makes it": lambda venv, folder: subprocess.run([*VENV_WITHOUT_PIP, venv], check=True),
    "a venv of somebody's into which set-up once installed": lambda venv, folder: (
        *(shutil.copytree(folder, venv), setup_env.STAMP.touch()),
    ),
    "a file": lambda venv, folder: venv.write_text("mine"),
}
VENV_WITHOUT_PIP = (sys.executable, "-m", "venv", "--without-pip")


def assert_refused(venv, elsewhere):
    before = content(venv.parent), content(elsewhere)
    with pytest.raises(SystemExit) as refused:
        setup_env.main([])
    assert "\n" not in refused.value.code and str(venv) in refused.value.code and "move it away" in refused.value.code
    assert (content(venv.parent), content(elsewhere)) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_set_up_did_not_make_is_refused_and_stays(broken, elsewhere, attack):
    ATTACKS[attack](broken, elsewhere)
    assert_refused(broken, elsewhere)


def test_a_python_that_works_is_used_but_not_through_a_link(broken, elsewhere, monkeypatch):
    """A link may lead to another project's, whose packages an installation would replace."""
    monkeypatch.setattr(setup_env, "venv_works", lambda: True)
    broken.symlink_to(elsewhere)
    assert_refused(broken, elsewhere)
    broken.unlink()
    broken.mkdir()
    setup_env.main([])
    assert {path.name for path in broken.iterdir()} == {setup_env.STAMP.name}


# uv, and pip where uv cannot do it


def fails(*arguments, error=None, **environment):
    raise error or subprocess.CalledProcessError(1, arguments)


@pytest.fixture
def asked(monkeypatch):
    """What pip and uv are asked for; nothing is installed, PyTorch's own index answers, and there is an NVIDIA card."""
    calls = []
    monkeypatch.setattr(setup_env, "is_without_cuda", lambda: False)
    monkeypatch.setattr(setup_env, "pip", lambda *arguments: calls.append(("pip", *arguments)))
    monkeypatch.setattr(setup_env, "uv", lambda *arguments, **environment: calls.append(("uv", *arguments)))
    return calls


PINS = ("--constraint", "constraints.txt")
FETCH_UV = ("pip", "-qqq", "--only-binary", "uv", *PINS, "uv")
ASK_FOR_TORCH = ("uv", "-qq", "--dry-run", "--no-deps", "--torch-backend", "cpu", *PINS, "torch")


@pytest.mark.parametrize("cuda", [True, False])
def test_pip_brings_uv_and_uv_the_rest(monkeypatch, asked, cuda):
    """PyTorch without CUDA, where that is of no use, is asked for first."""
    monkeypatch.setattr(setup_env, "is_without_cuda", lambda: not cuda)
    setup_env.install(tests=False, newest=False)
    first, backend = ([], ()) if cuda else ([ASK_FOR_TORCH], ("--torch-backend", "cpu"))
    assert asked == [FETCH_UV, *first, ("uv", *backend, *PINS, "--editable", ".[course]")]


@pytest.mark.skipif(not shutil.which("make"), reason="no make here")
def test_under_make_python_keeps_what_it_compiles():
    command = ("make", "--no-print-directory", "--eval", 'show: ; @echo "told: [$$PYTHONDONTWRITEBYTECODE]"', "show")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    assert run(*command, cwd=setup_env.ROOT, env=environment) == "told: []\n"


CUDA = [("linux", None, True), ("linux", "/usr/bin/nvidia-smi", False), ("win32", None, False), ("darwin", None, False)]


@pytest.mark.parametrize(("system", "card", "without"), CUDA)
def test_cuda_is_of_no_use_on_linux_without_an_nvidia_card(monkeypatch, system, card, without):
    """Elsewhere the ordinary PyTorch comes without it."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(setup_env.shutil, "which", lambda program: card)
    assert setup_env.is_without_cuda() is without


def test_index_of_torch_that_does_not_answer_is_asked_once(monkeypatch, capsys, asked):
    tried = []
    monkeypatch.setattr(setup_env, "is_without_cuda", lambda: True)
    monkeypatch.setattr(setup_env, "uv", lambda *arguments, **given: (tried.append(given), fails(*arguments)))
    assert setup_env.cpu_build([]) == []
    assert "several GB" in capsys.readouterr().out
    assert tried == [setup_env.ONE_TRY]


@pytest.mark.parametrize("error", [None, PermissionError("blocked")])
def test_pip_takes_over_where_uv_fails_or_may_not_run(monkeypatch, capsys, asked, error):
    monkeypatch.setattr(setup_env, "uv", partial(fails, error=error))
    setup_env.install(tests=True, newest=False)
    assert asked == [FETCH_UV, ("pip", *PINS, "--editable", ".[test]")]
    assert "pip does" in capsys.readouterr().out


def test_pip_takes_over_where_uv_cannot_be_had_and_looks_for_torch_without_cuda_first(monkeypatch, asked):
    def pip(*arguments):
        asked.append(("pip", *arguments))
        if arguments[-1] == "uv":
            fails(*arguments)

    monkeypatch.setattr(setup_env, "is_without_cuda", lambda: True)
    monkeypatch.setattr(setup_env, "pip", pip)
    setup_env.install(tests=False, newest=False)
    torch = ("--retries", "1", "--extra-index-url", setup_env.TORCH_CPU_INDEX, "--no-deps", *PINS, "torch")
    assert asked == [FETCH_UV, ("pip", *torch), ("pip", *PINS, "--editable", ".[course]")]


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """This Python's pip, which is told nothing but what the test tells it."""
    for name in os.environ:
        if name.startswith(("PIP_", "UV_")) or name.endswith(("CA_BUNDLE", "SSL_CERT_FILE")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    monkeypatch.setattr(setup_env, "CACHE", tmp_path / "uv-cache")


def test_files_of_pip_are_read_and_variables_are_stronger(alone, monkeypatch, tmp_path):
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex_url = https://a.example\ncert = /a.pem\nfind-links =\n  /one\n  /two\n"
        "[install]\nindex-url = https://b.example\n[freeze]\ntimeout = 1\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    monkeypatch.setenv("PIP_CERT", "/b.pem")
    told = {"index-url": "https://b.example", "cert": "/b.pem", "find-links": "\n/one\n/two"}
    read = setup_env.pip_settings()  # with what this machine's own files tell every pip
    assert read.items() >= told.items() and "timeout" not in read
    assert setup_env.settings_of_uv(told)["UV_FIND_LINKS"] == "/one,/two"


DEFAULTS = {"UV_SYSTEM_CERTS", "UV_CACHE_DIR"}
TOLD = pages(__file__.replace("test_setup_env", "told_to_pip"), {})["settings"].entries


@pytest.mark.parametrize("told, handed_on", [tuple(map(eval, pair)) for pair in TOLD])
def test_what_pip_was_told_is_handed_on(alone, monkeypatch, told, handed_on):
    """And certificates that pip finds by itself, unless it was told of others."""
    settings = setup_env.settings_of_uv(told)
    assert {name: value for name, value in settings.items() if name not in DEFAULTS} == handed_on
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "/found.pem")
            assert setup_env.settings_of_uv(told)["SSL_CERT_FILE"] == told.get("cert", "/found.pem")


def test_what_uv_itself_was_told_goes_before(alone, monkeypatch):
    seen = {}
    monkeypatch.setattr(setup_env, "run", lambda *command, env: seen.update(env, command=command))
    monkeypatch.setenv("PIP_INDEX_URL", "https://of-pip.example")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://of-uv.example")
    monkeypatch.setenv("UV_HTTP_RETRIES", "9")
    setup_env.uv("torch", **setup_env.ONE_TRY)
    assert seen["UV_DEFAULT_INDEX"] == "https://of-uv.example"
    assert seen["UV_HTTP_RETRIES"] == "0", "the one try"
    assert "--no-index" not in seen["command"]


def test_uv_installs_from_the_folder_that_pip_was_told(alone, monkeypatch, tmp_path, capfd):
    """uv itself, which no other test starts."""
    pytest.importorskip("uv", reason="pip made this .venv: uv could not be had")
    texts = {
        "METADATA": "Metadata-Version: 2.1\nName: tiny-pe\nVersion: 7.0\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with ZipFile(tmp_path / "tiny_pe-7.0-py3-none-any.whl", "w") as wheel:
        for name, text in texts.items():
            wheel.writestr(f"tiny_pe-7.0.dist-info/{name}", text)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    setup_env.uv("--dry-run", "tiny-pe")
    assert " + tiny-pe==7.0" in capfd.readouterr().err


@pytest.fixture
def update(tmp_path, monkeypatch):
    """A .venv that was made of other pins, and no network to install the new ones."""
    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    monkeypatch.setattr(setup_env, "STAMP", tmp_path / "installed")
    monkeypatch.setattr(setup_env, "venv_works", lambda: True)  # else main would make the real one anew
    monkeypatch.setattr(setup_env, "CACHE", tmp_path / "uv-cache")
    setup_env.CACHE.mkdir()
    monkeypatch.setattr(setup_env, "pip", fails)
    monkeypatch.setattr(setup_env, "uv", fails)
    setup_env.STAMP.write_text("of other pins")


def test_update_without_a_network_goes_on_where_the_course_runs(update, monkeypatch, capsys):
    """What is to be imported is imported here, where it is loaded already."""
    monkeypatch.setattr(setup_env, "venv_runs", lambda code: exec(code) is None)
    setup_env.main(["--go-on"])
    warned = capsys.readouterr().out.splitlines()[-2:]
    assert "could not be installed" in warned[0] and "Going on" in warned[1]
    assert not setup_env.STAMP.exists(), "tried again at the next start, even with the pins of before"


@pytest.mark.parametrize(("arguments", "runs"), [([], True), (["--go-on"], False)])
def test_update_without_a_network_stops_the_tests_and_a_course_that_does_not_run(update, monkeypatch, arguments, runs):
    monkeypatch.setattr(setup_env, "course_runs", lambda: runs)
    with pytest.raises(subprocess.CalledProcessError):
        setup_env.main(arguments)
    assert setup_env.CACHE.exists(), "what came before the failure is kept for the next try"


def test_course_runs_only_where_it_is_installed(tmp_path, monkeypatch):
    """Not because pe_lib lies in the folder that we are in."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True)
    monkeypatch.chdir(setup_env.ROOT)
    monkeypatch.setattr(setup_env, "VENV_PYTHON", tmp_path / setup_env.VENV_PYTHON.relative_to(setup_env.VENV))
    assert setup_env.venv_runs("import sys")
    assert not setup_env.course_runs()


def test_what_is_installed_is_not_installed_again(update, asked):
    """A learner is spared what only the tests need; the tests' .venv serves a learner, too."""

    def installed():
        return [call[-1] for call in asked if call[0] == "uv"]

    for arguments, expected in (([], [".[course]"]), (["--tests"], [".[course]", ".[test]"])):
        setup_env.main(arguments)
        assert installed() == expected and not setup_env.CACHE.exists()
        setup_env.main([])
        assert installed() == expected


def test_newest_releases_are_not_held_back_by_the_pins(update, asked):
    pins = (setup_env.ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert {line.partition("==")[0] for line in pins.splitlines()} >= {"uv", "torch"}
    setup_env.main(["--tests", "--newest"])
    assert asked == [("pip", "-qqq", "--only-binary", "uv", "uv"), ("uv", "--editable", ".[test]")]
    setup_env.main(["--tests"])
    assert asked[-1] == ("uv", *PINS, "--editable", ".[test]"), "the pinned releases again"
