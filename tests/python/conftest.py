"""What the tests of the package share."""

import os
import pathlib
import random
import shutil
import subprocess
import tempfile

import pytest

WORDS = "north south east west river house stone market garden street hill bridge old new upper lower".split()
SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"


def pytest_configure(config):
    """What was measured of the machine at hand is none of the tests' business."""
    cache = tempfile.TemporaryDirectory()
    config.add_cleanup(cache.cleanup)
    os.environ["XDG_CACHE_HOME"] = cache.name


@pytest.fixture
def addresses():
    """300 rows of a few words, near-duplicates, empty ones and nulls among them."""
    draw = random.Random(7)
    rows = []
    for _ in range(300):
        kind = draw.random()
        if kind < 0.05:
            rows.append(None)
        elif kind < 0.08:
            rows.append("")
        elif kind < 0.4 and rows and rows[-1]:
            rows.append(" ".join(rows[-1].split()[1:] + draw.sample(WORDS, 1)))
        else:
            rows.append(" ".join(draw.choices(WORDS, k=draw.randint(1, 8))))
    return rows


@pytest.fixture(scope="session")
def shared():
    """The path of a file in ../shared/data, real data that is no part of akin; without it the test is skipped."""

    def path_of(name):
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"../shared/data/{name} is not there")
        return path

    return path_of


@pytest.fixture(scope="session")
def bytes_of(shared):
    """What such a file holds, unpacked."""

    def read(name):
        path = shared(name)
        pa = pytest.importorskip("pyarrow")
        with pa.input_stream(str(path)) as stream:
            return stream.read()

    return read


@pytest.fixture(scope="session")
def lines_of(bytes_of):
    return lambda name: bytes_of(name).decode().replace("\r\n", "\n").rstrip("\n").split("\n")


@pytest.fixture(scope="session")
def command():
    """Runs the command, which must be built, or installed, and gives what it prints."""
    built = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "akin"
    program = os.environ.get("AKIN") or (str(built) if built.exists() else shutil.which("akin"))

    def run(*words, folder=None):
        if program is None:
            pytest.skip("the command is not built")
        return subprocess.run([program, *map(str, words)], cwd=folder, check=True, capture_output=True).stdout

    return run
