"""The command line of the course: `python -m pe_course COMMAND`, and the line that `python -m pe_lib` prints."""

import subprocess
import sys
from pathlib import Path

import pytest

from pe_course.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[2]


def test_every_command_has_its_help_and_its_line_in_the_list(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    said = capsys.readouterr().out
    assert left.value.code == 0 and all(line in " ".join(said.split()) for line in COMMANDS.values())
    for name in COMMANDS:
        with pytest.raises(SystemExit) as left:
            main([name, "--help"])
        assert left.value.code == 0 and f"usage: python -m pe_course {name} " in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["undo"], ["--progress"]])
def test_an_unknown_command_is_answered_with_those_there_are(arguments, capsys):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2 and "progress" in capsys.readouterr().err


def test_pe_lib_points_to_the_commands():
    done = subprocess.run([sys.executable, "-m", "pe_lib"], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.count("\n") == 1
    assert "python -m pe_clinic FILE[:NAME]" in done.stdout and "python -m pe_course" in done.stdout
