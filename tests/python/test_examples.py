"""The examples print what stands beside them, in NAME.txt below the command."""

import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/python"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


def test_there_are_examples():
    assert NAMES and NAMES == sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.parametrize("name", NAMES)
def test_example(name, tmp_path):
    command, _, expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").partition("\n")
    assert command == f"$ python3 {name}.py"
    ran = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == expected
