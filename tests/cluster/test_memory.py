"""Ray ends tasks where the memory of a node is nearly used up: an error that says so, and more tiles help."""

import os
import subprocess
import sys

import pytest
from conftest import IS_RAY

pytestmark = pytest.mark.skipif(not IS_RAY, reason="Spark does not watch memory")
ROWS = 7000  # their pairs take more than a gigabyte


def join(tiles):
    """The lines that the program prints; a process of its own, because a process knows one cluster."""
    program = os.path.join(os.path.dirname(__file__), "ray_memory.py")
    ran = subprocess.run([sys.executable, program, str(ROWS), str(tiles)], capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_a_tile_that_exceeds_the_memory_of_a_node():
    *said, processes = join(1)
    assert any("OutOfMemoryError: " in line and "running low on memory" in line for line in said), said
    assert processes == "2"  # it was tried once more


def test_smaller_tiles_do_not():
    *_, pairs, processes = join(60)
    assert int(pairs) == ROWS * (ROWS - 1) // 2 and int(processes) > 40
