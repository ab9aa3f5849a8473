"""Types: mypy has nothing to say of the package, the stub of the extension has what that has, and who uses the package is told."""

import ast
import pathlib

import pytest

from akin import _akin

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "akin"

USE = """
import akin
from akin import generate, strings

rules = [akin.compare.jaro_winkler("name", threshold=0.8, weight=2), akin.compare.jaccard("name", q=2)]
linked: akin.Duplicates = akin.link({"a": ["x"]}, {"b": ["x"]}, akin.compare.exact(akin.sides("a", "b")), block=akin.block((akin.sides("a", "b"), "soundex")), id="a", right_id="b")
blocks: list[akin.Selection] = [akin.block("name", key="prefix:3"), akin.block(("name", "soundex"), "zip")]
akin.dedupe({"name": ["a"]}, rules, block=blocks, window=akin.window("name", 20), similar=akin.similar("name", jaccard=0.5), threads=1)
pairs: akin.Pairs = akin.join(["a b", "b a"], jaccard=0.5, threads=1)
keep: list[bool] = ~pairs.keep
rows: list[int] = pairs["left"].tolist()
part: akin.Table = pairs[1:]
found: akin.Duplicates = akin.dedupe({"name": ["a", "b"]}, "name:jaro", all_pairs=True, threshold="0.8", memory="64M")
ranking: akin.Ranking = akin.bm25(["red"]).rank("red", k=1)
ranking.save("run.trec", tag="mine")
distance: int = strings.levenshtein("a", "b")
sets: list[list[int]] = generate.grow([[1, 2]], copies=2)
similarity: float | None = strings.similarity("a", "b", "number/3")
akin.join(["a"], jaccard=0.5, thread=1)  # wrong
akin.block("name", keys="value")  # wrong
akin.window("name")  # wrong
akin.compare.exact("name", q=3)  # wrong
akin.dedupe({"name": ["a"]}, "name:jaro", "all")  # wrong
akin.dedupe({"name": ["a"]}, "name:jaro", pairs="all")  # wrong
akin.bm25(["red"]).rank("red", k="1")  # wrong
akin.components([(0, 1)])[0:2].head(1).save("x.csv", format="csv")
akin.components([(0, 1)]).save("x", tag="y")  # wrong
akin.join(["a"], jaccard=0.5, threads="2")  # wrong
akin.join(["a"], jaccard=0.5).report  # wrong
strings.levenshtein("a", 5)  # wrong
"""


def check(cache, *words):
    api = pytest.importorskip("mypy.api")
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache), "--no-error-summary"]
    said, failed, _ = api.run([*options, *map(str, words)])
    assert not failed, failed
    return said


def test_mypy(tmp_path, monkeypatch):
    assert check(tmp_path / "cache", "--strict", PACKAGE) == ""
    (tmp_path / "use.py").write_text(USE)
    monkeypatch.setenv("MYPYPATH", str(PACKAGE.parent))
    said = check(tmp_path / "cache", "--strict", tmp_path / "use.py").splitlines()
    lines = {int(line.split(":")[1]) for line in said if ": error: " in line}
    assert lines == {i for i, line in enumerate(USE.splitlines(), 1) if "# wrong" in line}, said


def names_of(body):
    return {part.name for part in body if isinstance(part, (ast.ClassDef, ast.FunctionDef))}


def test_stub_of_the_extension():
    stub = ast.parse((PACKAGE / "_akin.pyi").read_text(encoding="utf-8"))
    assert names_of(stub.body) == {name for name in dir(_akin) if not name.startswith("__") and name != "version"}
    for part in stub.body:
        if isinstance(part, ast.ClassDef) and part.name != "Buffer" and not part.bases:
            shown = {name for name in vars(getattr(_akin, part.name)) if not name.startswith("__") or name.startswith("__arrow")}
            assert names_of(part.body) == shown, part.name
