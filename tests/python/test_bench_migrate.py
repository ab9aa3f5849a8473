"""bench/migrate.py: that both sides of its jobs still run, and find the same in the first few of their data."""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("pyarrow")

PATH = pathlib.Path(__file__).resolve().parents[2] / "bench/migrate.py"
SPEC = importlib.util.spec_from_file_location("migrate", PATH)
migrate = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(migrate)


@pytest.mark.parametrize("name", migrate.JOBS)
def test_both_sides(name, shared):
    job = migrate.JOBS[name]()
    for module in job.needs:
        pytest.importorskip(module)
    data = job.few(job.read(shared("text/titles.txt.zst").parents[1]), 8000 if name == "neighbours" else 1500)
    theirs, ours = (job.found(getattr(job, side)(job.before(side, data))) for side in ("theirs", "ours"))
    if name in ("strings", "documents", "persons"):  # they miss some of the pairs, or find others
        assert 0 < theirs["pairs"] and ours["pairs"] > 0.9 * theirs["pairs"]
    else:
        assert theirs == ours and all(ours.values())


def test_report(tmp_path):
    lines = [
        ("edits", side, i, second, 1_000_000, '{"pairs": 1234}') for i in range(3) for side,
        second in (("theirs", 2), ("ours", 0.5))
    ]
    path = tmp_path / "results.tsv"
    path.write_text(
        "".join("\t".join(map(str, line)) + "\n" for line in lines).replace('{"pairs": 1234}', '"{""pairs"": 1234}"')
    )
    said = subprocess.run([sys.executable, PATH, "report", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert said.splitlines()[2] == "| edits | 2 | 0.5 | 4 (4, 4) | 1 | 1 | 1,234 pairs | 1,234 pairs |"
