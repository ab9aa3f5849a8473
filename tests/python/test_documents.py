"""What documents show of Python, in blocks fenced as `pycon`, is run, and what it prints compared."""

import doctest
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def code_of(text):
    """The Python code that is shown. All else becomes blank lines, so that a failure has its line."""
    shown = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    blank, at = "", 0
    for match in shown.finditer(text):
        blank += re.sub(r"[^\n]", "", text[at : match.start(1)]) + match[1]
        at = match.end(1)
    return blank


def run(name, code, line=0):
    for module in re.findall(r"^>>> (?:import|from) (\w+)", code, re.MULTILINE):
        pytest.importorskip(module)
    test = doctest.DocTestParser().get_doctest(code, {}, name, name, line)
    assert test.examples
    said = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


RECIPES = [f"docs/recipes/{name}.md" for name in ("pandas", "polars", "duckdb")]


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "docs/start.md", *RECIPES])
def test_document(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(name, code_of((ROOT / name).read_text(encoding="utf-8")))


MIGRATION = (ROOT / "docs/migrate.md").read_text(encoding="utf-8")
SECTIONS = [
    match for match in re.finditer(r"^## (\w+)[^\0]*?(?=^## |\Z)", MIGRATION, re.MULTILINE) if "```pycon" in match[0]
]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section[1])
def test_migration(section, tmp_path, monkeypatch):
    """Each section by itself, as each wants another package."""
    monkeypatch.chdir(tmp_path)
    run("docs/migrate.md", code_of(section[0]), MIGRATION.count("\n", 0, section.start()))
