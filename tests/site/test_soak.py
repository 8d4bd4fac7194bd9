"""`make soak`: it counts the rounds that failed, and its busy processes end with it."""

import signal
import subprocess
import sys
from functools import partial

import psutil
import pytest
import soak
from course import ROOT


@pytest.fixture
def test_file(tmp_path):
    return tmp_path / "test_it.py"


def test_rounds_are_run_and_counted(test_file, capfd, monkeypatch):
    test_file.write_text("def test_it():\n    with open(__file__ + '.ran', 'x'):\n        pass\n")
    assert soak.main(["--rounds", "2", "--busy", "0", "--at-once", "1", str(test_file)]) == 1
    said = capfd.readouterr().out
    assert said.count("1 passed") == 1 and "FileExistsError" in said
    assert said.endswith("2 rounds beside 0 busy processes, 1 failed.\n")
    monkeypatch.setattr(soak, "passes", lambda lessons, at_once: True)
    assert soak.main(["--rounds", "2", "--busy", "1"]) == 0
    assert capfd.readouterr().out.endswith("2 rounds beside 1 busy processes, 0 failed.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_busy_processes_end_however_it_is_stopped(test_file, how):
    test_file.write_text("import time\ndef test_it():\n    print('waiting')\n    time.sleep(60)\n")
    command = [sys.executable, str(ROOT / "tools" / "soak.py"), "--busy", "2", str(test_file)]
    # A shell starts what runs in the background with Ctrl-C ignored, and all that it starts inherits this.
    not_ignored = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=not_ignored)
    seen = set()
    while len(seen) < 3:  # two busy ones, and pytest
        seen |= set(psutil.Process(running.pid).children())
    busy = [process for process in seen if soak.BUSY in process.cmdline()]
    try:
        assert len(busy) == 2
        running.send_signal(how)
        assert psutil.wait_procs(busy, timeout=60)[1] == []
    finally:
        for process in (running, *(process for process in seen if process.is_running())):
            process.kill()
        running.communicate()
