"""What documents show of Python, in blocks fenced as `pycon`, is run, and what it prints compared."""

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "package"))
import pycon


def run(name, code, line=0):
    for names in re.findall(r"^>>> (?:import|from) ([\w, ]+)", code, re.MULTILINE):
        for module in (name.split()[0] for name in names.split(",")):
            pytest.importorskip(module)
            pytest.importorskip("pyarrow" if module == "pandas" else module)  # which converts its frames
    assert pycon.run(name, code, line) == ""


RECIPES = [f"docs/recipes/{name}.md" for name in ("pandas", "polars", "duckdb")]


@pytest.mark.parametrize(
    "name", ["README.md", "python/README.md", "docs/python.md", "docs/start.md", "docs/corpus.md", *RECIPES]
)
def test_document(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(name, pycon.code_of((ROOT / name).read_text(encoding="utf-8")))


MIGRATION = (ROOT / "docs/migrate.md").read_text(encoding="utf-8")
SECTIONS = [
    match for match in re.finditer(r"^## (\w+)[^\0]*?(?=^## |\Z)", MIGRATION, re.MULTILINE) if "```pycon" in match[0]
]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section[1])
def test_migration(section, tmp_path, monkeypatch):
    """Each section by itself, as each wants another package."""
    monkeypatch.chdir(tmp_path)
    run("docs/migrate.md", pycon.code_of(section[0]), MIGRATION.count("\n", 0, section.start()))
