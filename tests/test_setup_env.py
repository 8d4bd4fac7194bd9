"""What `make lab` and `make test` do first: the one-line refusals, and when to install again."""

import subprocess
import sys

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


def test_torch_without_cuda_is_asked_for_once_and_exactly(monkeypatch, capsys):
    asked = []

    def no_answer(*arguments):
        asked.append(arguments)
        raise subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(setup_env, "pip", no_answer)
    setup_env.install_cpu_torch()
    (arguments,) = asked
    assert arguments[-1].startswith("torch==") and "--no-deps" in arguments
    assert capsys.readouterr().out.count("\n") == 1
