"""What `make lab` and `make test` do first: the one-line refusals, and when to install again."""

import os
import platform
import shutil
import socket
import subprocess
import sys
from zipfile import ZipFile

import pytest
import setup_env


def refusal():
    with pytest.raises(SystemExit) as refused:
        setup_env.refuse_unusable_python()
    assert "\n" not in refused.value.code
    return refused.value.code


def test_old_python_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(setup_env, "OLDEST", (99, 0))
    assert "needs Python 3.10 or newer" in refusal()


def test_missing_venv_is_told_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert f"apt install python{setup_env.VERSION}-venv" in refusal()


def test_intel_mac_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "conda" in refusal()


def test_this_python_is_accepted():
    assert setup_env.refuse_unusable_python() is None


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_or_a_moved_course_install_again(tmp_path, monkeypatch, name):
    for file in ("pyproject.toml", "constraints.txt"):
        (tmp_path / file).write_bytes((setup_env.ROOT / file).read_bytes())
    here = setup_env.fingerprint()
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    moved = setup_env.fingerprint()
    (tmp_path / name).write_text("changed")
    assert len({here, moved, setup_env.fingerprint()}) == 3


def test_half_made_venv_does_not_work(tmp_path, monkeypatch):
    monkeypatch.setattr(setup_env, "VENV_PYTHON", tmp_path / "bin" / "python")
    assert not setup_env.venv_works()
    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    assert setup_env.venv_works()


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


def test_venv_that_is_ours_and_does_not_work_is_made_anew(broken, monkeypatch):
    made = []
    monkeypatch.setattr(setup_env, "run", lambda *command: made.append(command))
    (broken / "lib").mkdir(parents=True)
    (broken / "lib" / "old.py").touch()
    setup_env.MARK.touch()
    setup_env.main([])
    assert made == [(sys.executable, "-m", "venv", str(broken))]
    assert {path.name for path in broken.iterdir()} == {setup_env.MARK.name, setup_env.STAMP.name}


def test_venv_that_was_interrupted_is_made_anew(broken):
    """With the real venv module; the second run finds the mark of the first."""
    broken.mkdir()
    setup_env.make_venv()
    setup_env.VENV_PYTHON.unlink()
    setup_env.make_venv()
    assert setup_env.venv_works()


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
        (folder / setup_env.MARK.name).touch(),
        venv.symlink_to(folder),
    ),
    "a link that leads nowhere": lambda venv, folder: venv.symlink_to(folder / "missing"),
    "somebody's folder": lambda venv, folder: shutil.copytree(folder, venv),
    "a venv without pip, as uv makes it": lambda venv, folder: subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", venv], check=True
    ),
    "a venv of somebody's into which set-up once installed": lambda venv, folder: (
        shutil.copytree(folder, venv),
        setup_env.STAMP.touch(),
    ),
    "a file": lambda venv, folder: venv.write_text("mine"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_set_up_did_not_make_is_refused_and_stays(broken, elsewhere, attack):
    ATTACKS[attack](broken, elsewhere)
    before = content(broken.parent), content(elsewhere)
    with pytest.raises(SystemExit) as refused:
        setup_env.main([])
    assert "\n" not in refused.value.code and str(broken) in refused.value.code and "move it away" in refused.value.code
    assert (content(broken.parent), content(elsewhere)) == before


def test_a_link_to_a_python_that_works_is_refused_as_well(broken, elsewhere, monkeypatch):
    """It may be another project's, whose packages an installation would replace."""
    monkeypatch.setattr(setup_env, "venv_works", lambda: True)
    broken.symlink_to(elsewhere)
    before = content(elsewhere)
    with pytest.raises(SystemExit, match="is a link"):
        setup_env.main([])
    assert content(elsewhere) == before


def test_a_folder_of_somebody_with_a_python_that_works_is_used(broken, monkeypatch):
    monkeypatch.setattr(setup_env, "venv_works", lambda: True)
    broken.mkdir()
    (broken / "pyvenv.cfg").touch()
    setup_env.main([])
    assert {path.name for path in broken.iterdir()} == {"pyvenv.cfg", setup_env.STAMP.name}


def test_a_link_inside_our_venv_is_removed_and_not_followed(broken, elsewhere, monkeypatch):
    monkeypatch.setattr(setup_env, "run", lambda *command: None)
    broken.mkdir()
    setup_env.MARK.touch()
    (broken / "lib64").symlink_to(elsewhere)
    before = content(elsewhere)
    setup_env.make_venv()
    assert content(elsewhere) == before and not (broken / "lib64").exists()


# uv, and pip where uv cannot do it


def fails(*arguments, **environment):
    raise subprocess.CalledProcessError(1, arguments)


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


def test_pip_brings_uv_and_uv_the_rest(asked):
    setup_env.install(tests=False, newest=False)
    assert asked == [FETCH_UV, ("uv", *PINS, "--editable", ".[course]")]


@pytest.mark.skipif(not shutil.which("make"), reason="no make here")
def test_under_make_python_keeps_what_it_compiles():
    show = 'show: ; @echo "told: [$$PYTHONDONTWRITEBYTECODE]"'
    done = subprocess.run(
        ["make", "--no-print-directory", "--eval", show, "show"],
        cwd=setup_env.ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "told: []\n"


def test_uv_and_torch_are_pinned():
    pins = (setup_env.ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert {line.partition("==")[0] for line in pins.splitlines()} >= {"uv", "torch"}


def test_torch_without_cuda_where_it_is_of_no_use(monkeypatch, asked):
    monkeypatch.setattr(setup_env, "is_without_cuda", lambda: True)
    setup_env.install(tests=False, newest=False)
    assert asked == [FETCH_UV, ASK_FOR_TORCH, ("uv", "--torch-backend", "cpu", *PINS, "--editable", ".[course]")]


@pytest.mark.parametrize(("card", "without"), [(None, True), ("/usr/bin/nvidia-smi", False)])
def test_cuda_is_of_no_use_without_an_nvidia_card(monkeypatch, card, without):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(setup_env.shutil, "which", lambda program: card)
    assert setup_env.is_without_cuda() is without


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_elsewhere_the_ordinary_torch_is_without_cuda(monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(setup_env.shutil, "which", lambda program: None)
    assert setup_env.is_without_cuda() is False


def test_index_of_torch_that_does_not_answer_is_asked_once(monkeypatch, capsys, asked):
    tried = []

    def uv(*arguments, **environment):
        tried.append(environment)
        fails(*arguments)

    monkeypatch.setattr(setup_env, "is_without_cuda", lambda: True)
    monkeypatch.setattr(setup_env, "uv", uv)
    assert setup_env.cpu_build([]) == []
    assert "several GB" in capsys.readouterr().out
    assert tried == [setup_env.ONE_TRY]


@pytest.mark.parametrize("error", [subprocess.CalledProcessError(1, ["uv"]), PermissionError("blocked")])
def test_pip_takes_over_where_uv_fails_or_may_not_run(monkeypatch, capsys, asked, error):
    def uv(*arguments, **environment):
        raise error

    monkeypatch.setattr(setup_env, "uv", uv)
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


# What pip was told, uv is told


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """This Python's pip, which is told nothing but what the test tells it."""
    for name in os.environ:
        if name.startswith(("PIP_", "UV_")) or name.endswith(("CA_BUNDLE", "SSL_CERT_FILE")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    monkeypatch.setattr(setup_env, "CACHE", tmp_path / "uv-cache")


def told_to_pip():
    return {option: value for option, value in setup_env.pip_settings().items() if option != "config-file"}


def test_variables_of_pip_are_read(alone, monkeypatch):
    assert told_to_pip() == {}
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert told_to_pip() == {"index-url": "https://mirror.example/simple", "no-index": "1"}


def test_files_of_pip_are_read_and_variables_are_stronger(alone, monkeypatch, tmp_path):
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex_url = https://a.example\ncert = /a.pem\nfind-links =\n  /one\n  /two\n"
        "[install]\nindex-url = https://b.example\n[freeze]\ntimeout = 1\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    monkeypatch.setenv("PIP_CERT", "/b.pem")
    told = {"index-url": "https://b.example", "cert": "/b.pem", "find-links": "\n/one\n/two"}
    read = told_to_pip()  # with what this machine's own files tell every pip
    assert read.items() >= told.items() and "timeout" not in read
    assert setup_env.settings_of_uv(told)["UV_FIND_LINKS"] == "/one,/two"


DEFAULTS = {"UV_SYSTEM_CERTS", "UV_CACHE_DIR"}


@pytest.mark.parametrize(
    ("told", "handed_on"),
    [
        ({}, {}),
        ({"index-url": "https://a.example"}, {"UV_DEFAULT_INDEX": "https://a.example"}),
        ({"extra-index-url": "u v"}, {"UV_INDEX": "u v", "UV_INDEX_STRATEGY": "unsafe-best-match"}),
        ({"find-links": "/wheels https://a.example/b"}, {"UV_FIND_LINKS": "/wheels,https://a.example/b"}),
        ({"cert": "/a.pem", "client-cert": "/b.pem"}, {"SSL_CERT_FILE": "/a.pem", "SSL_CLIENT_CERT": "/b.pem"}),
        ({"proxy": "http://a.example:80"}, {"ALL_PROXY": "http://a.example:80"}),
        ({"trusted-host": "a.example b.example"}, {"UV_INSECURE_HOST": "a.example b.example"}),
        ({"default-timeout": "60"}, {"UV_HTTP_TIMEOUT": "60"}),
        ({"disable-pip-version-check": "1"}, {}),
    ],
)
def test_what_pip_was_told_is_handed_on(alone, told, handed_on):
    settings = setup_env.settings_of_uv(told)
    assert {name: value for name, value in settings.items() if name not in DEFAULTS} == handed_on


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_certificates_that_pip_finds_by_itself_are_handed_on(alone, monkeypatch, name):
    monkeypatch.setenv(name, "/a.pem")
    assert setup_env.settings_of_uv({})["SSL_CERT_FILE"] == "/a.pem"
    assert setup_env.settings_of_uv({"cert": "/b.pem"})["SSL_CERT_FILE"] == "/b.pem"


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


# uv itself: the two tests that start it


@pytest.fixture
def here(alone):
    pytest.importorskip("uv", reason="pip made this .venv: uv could not be had")


def test_uv_installs_from_the_folder_that_pip_was_told(here, monkeypatch, tmp_path, capfd):
    with ZipFile(tmp_path / "tiny_pe-7.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_pe.py", "")
        for name, text in (
            ("METADATA", "Metadata-Version: 2.1\nName: tiny-pe\nVersion: 7.0\n"),
            ("WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
            ("RECORD", ""),
        ):
            wheel.writestr(f"tiny_pe-7.0.dist-info/{name}", text)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    setup_env.uv("--dry-run", "tiny-pe")
    assert " + tiny-pe==7.0" in capfd.readouterr().err


def test_index_that_stalls_is_asked_once(here, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        with pytest.raises(subprocess.CalledProcessError):
            setup_env.uv("-qq", "--dry-run", "tiny-pe", **{**setup_env.ONE_TRY, "UV_HTTP_TIMEOUT": "1"})
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


# An update


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


def test_update_without_a_network_goes_on_where_the_course_runs(update, capsys):
    setup_env.main(["--go-on"])
    warned = capsys.readouterr().out.splitlines()[-2:]
    assert "could not be installed" in warned[0] and "Going on" in warned[1]
    assert not setup_env.STAMP.exists(), "tried again at the next start, even with the pins of before"


def test_update_without_a_network_stops_the_tests(update):
    with pytest.raises(subprocess.CalledProcessError):
        setup_env.main([])


def test_update_without_a_network_stops_where_the_course_does_not_run(update, monkeypatch):
    monkeypatch.setattr(setup_env, "course_runs", lambda: False)
    with pytest.raises(subprocess.CalledProcessError):
        setup_env.main(["--go-on"])


def test_course_runs_only_where_it_is_installed(tmp_path, monkeypatch):
    """Not because pe_lib lies in the folder that we are in."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True)
    monkeypatch.chdir(setup_env.ROOT)
    monkeypatch.setattr(setup_env, "VENV_PYTHON", tmp_path / setup_env.VENV_PYTHON.relative_to(setup_env.VENV))
    assert setup_env.venv_runs("import sys")
    assert not setup_env.course_runs()


def installed_by_uv(asked):
    return [call[1:] for call in asked if call[0] == "uv"]


def test_successful_update_is_remembered_and_leaves_no_cache(update, asked):
    setup_env.main([])
    assert installed_by_uv(asked) == [(*PINS, "--editable", ".[course]")]
    assert not setup_env.CACHE.exists()
    setup_env.main([])
    assert len(installed_by_uv(asked)) == 1


def test_what_came_before_a_failure_is_kept_for_the_next_try(update):
    with pytest.raises(subprocess.CalledProcessError):
        setup_env.main([])
    assert setup_env.CACHE.exists()


def test_a_learner_is_spared_what_only_the_tests_need(update, asked):
    setup_env.main([])
    setup_env.main(["--tests"])
    assert [call[-1] for call in installed_by_uv(asked)] == [".[course]", ".[test]"]
    setup_env.main([])
    setup_env.main(["--tests"])
    assert len(installed_by_uv(asked)) == 2, "the tests' .venv serves a learner too"


def test_newest_releases_are_not_held_back_by_the_pins(update, asked):
    setup_env.main(["--tests", "--newest"])
    assert asked == [("pip", "-qqq", "--only-binary", "uv", "uv"), ("uv", "--editable", ".[test]")]
    setup_env.main(["--tests"])
    assert asked[-1] == ("uv", *PINS, "--editable", ".[test]"), "the pinned releases again"
