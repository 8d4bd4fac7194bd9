"""What `make lab` and `make test` do first: the one-line refusals, and when to install again."""

import platform
import socket
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import version

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


def test_venv_that_does_not_work_is_made_anew(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(setup_env, "VENV", tmp_path)
    monkeypatch.setattr(setup_env, "STAMP", tmp_path / "installed")
    monkeypatch.setattr(setup_env, "venv_works", lambda: False)
    monkeypatch.setattr(setup_env, "install", lambda tests, newest: None)
    monkeypatch.setattr(setup_env, "run", lambda *command: made.append(command))
    setup_env.main([])
    assert made == [(sys.executable, "-m", "venv", "--clear", str(tmp_path))]


def failed(stderr):
    return subprocess.CalledProcessError(1, ["pip"], stderr=stderr)


PIP_SAYS = """WARNING: Retrying
ERROR: Could not find a version
ERROR: No matching distribution found for torch

note: This error is likely not a problem with pip.
"""


# PyTorch without CUDA


@pytest.fixture
def asked(monkeypatch):
    """What pip is asked for; nothing is installed."""
    calls = []
    monkeypatch.setattr(setup_env, "pip", lambda *arguments: calls.append(arguments))
    return calls


def test_torch_without_cuda_is_asked_for_exactly_and_with_pip_s_own_patience(monkeypatch, capsys, asked):
    monkeypatch.setattr(setup_env, "no_answer", lambda url: None)
    setup_env.install_cpu_torch(setup_env.pinned_torch())
    assert asked == [("--no-deps", "--index-url", setup_env.TORCH_CPU_INDEX, setup_env.pinned_torch())]
    assert setup_env.pinned_torch().startswith("torch==")
    assert capsys.readouterr().out == ""


def test_index_that_does_not_answer_is_not_asked(monkeypatch, capsys, asked):
    monkeypatch.setattr(setup_env, "no_answer", lambda url: "timed out")
    setup_env.install_cpu_torch(setup_env.pinned_torch())
    assert asked == []
    assert f"could not be taken from {setup_env.TORCH_CPU_INDEX}: timed out\n" in capsys.readouterr().out


def test_download_that_fails_is_told_with_pip_s_last_line(monkeypatch, capsys):
    def pip(*arguments):
        raise failed(PIP_SAYS)

    monkeypatch.setattr(setup_env, "no_answer", lambda url: None)
    monkeypatch.setattr(setup_env, "pip", pip)
    setup_env.install_cpu_torch(setup_env.pinned_torch())
    told = capsys.readouterr().out
    assert f"{setup_env.TORCH_CPU_INDEX}: ERROR: No matching distribution found for torch\n" in told


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/here" else 404)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def test_server_that_answers(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert setup_env.no_answer(f"{address}/here") is None
        assert "404" in setup_env.no_answer(f"{address}/lost")
        server.shutdown()
    assert "refused" in setup_env.no_answer(f"{address}/here").lower()


def test_server_that_stalls_is_given_seconds(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(setup_env, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert "timed out" in setup_env.no_answer(f"http://127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.parametrize(
    "error, answers",
    [
        (ssl.SSLError("[SSL: CERTIFICATE_VERIFY_FAILED] unable to get local issuer certificate"), True),
        (ValueError("unknown url type"), False),
        (OSError(), False),
    ],
)
def test_certificate_is_left_to_pip_and_no_error_stops_the_set_up(monkeypatch, error, answers):
    def urlopen(url, timeout):
        raise error

    monkeypatch.setattr(setup_env.urllib.request, "urlopen", urlopen)
    assert (setup_env.no_answer("https://example.org") is None) == answers


def test_torch_that_is_installed_is_not_asked_for_again(monkeypatch):
    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    assert setup_env.is_installed("torch==" + version("torch").partition("+")[0])
    assert setup_env.is_installed("torch")
    assert not setup_env.is_installed("torch==0.1")
    assert not setup_env.is_installed("no-such-package")


# An update


@pytest.fixture
def update(tmp_path, monkeypatch):
    """A .venv that was made of other pins, and a pip that cannot install the new ones."""

    def pip(*arguments):
        raise failed(PIP_SAYS)

    monkeypatch.setattr(setup_env, "VENV_PYTHON", sys.executable)
    monkeypatch.setattr(setup_env, "STAMP", tmp_path / "installed")
    monkeypatch.setattr(setup_env, "venv_works", lambda: True)  # else main would make the real one anew
    monkeypatch.setattr(setup_env, "needs_cpu_torch", lambda requirement: False)
    monkeypatch.setattr(setup_env, "pip", pip)
    setup_env.STAMP.write_text("of other pins")


def test_update_without_a_network_goes_on_where_the_course_runs(update, capsys):
    setup_env.main(["--go-on"])
    warned = capsys.readouterr().out.splitlines()[1:]
    assert len(warned) == 2 and "No matching distribution found for torch" in warned[0]
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


def test_successful_update_is_remembered(update, monkeypatch, asked):
    setup_env.main([])
    assert asked == [("--constraint", "constraints.txt", "--editable", ".[course]")]
    setup_env.main([])
    assert len(asked) == 1


def test_a_learner_is_spared_what_only_the_tests_need(update, monkeypatch, asked):
    setup_env.main([])
    setup_env.main(["--tests"])
    assert [call[-1] for call in asked] == [".[course]", ".[test]"]
    setup_env.main([])
    setup_env.main(["--tests"])
    assert len(asked) == 2, "the tests' .venv serves a learner too"


def test_newest_releases_are_not_held_back_by_the_pins(update, monkeypatch, asked):
    setup_env.main(["--tests", "--newest"])
    assert asked == [("--editable", ".[test]")]
    setup_env.main(["--tests"])
    assert asked[1][0] == "--constraint", "the pinned releases again"


def test_what_a_failed_command_says_is_kept(tmp_path):
    with pytest.raises(subprocess.CalledProcessError) as error:
        setup_env.run(sys.executable, "-c", "import sys; sys.exit('ERROR: no disk')")
    assert setup_env.reason(error.value) == "ERROR: no disk"
    assert setup_env.reason(failed("")) == "no reason was given"
