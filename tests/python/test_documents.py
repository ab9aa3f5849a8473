"""What documents show of Python, in blocks fenced as `pycon`, is run, and what it prints compared."""

import doctest
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "docs/start.md"])
def test_document(name, tmp_path, monkeypatch):
    text = (ROOT / name).read_text(encoding="utf-8")
    # All but these blocks becomes blank lines, so that a failure tells its line.
    shown = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    blank, at = "", 0
    for match in shown.finditer(text):
        blank += re.sub(r"[^\n]", "", text[at : match.start(1)]) + match[1]
        at = match.end(1)
    for module in re.findall(r"^>>> import (\w+)", blank, re.MULTILINE):
        pytest.importorskip(module)
    test = doctest.DocTestParser().get_doctest(blank, {}, name, name, 0)
    assert test.examples
    monkeypatch.chdir(tmp_path)
    said = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert result.failed == 0, "".join(said)
