"""Types: mypy accepts the package, the stub names what the extension has, and mypy checks users' programs."""

import ast
import pathlib
from typing import get_args

import pytest

import akin
from akin import _akin, _names

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "akin"

USE = """
import akin
from akin import _names as names
from akin import generate, strings

rules = [akin.compare.jaro_winkler("name", threshold=0.8, weight=2), akin.compare.jaccard("name", q=2)]
linked: akin.Duplicates = akin.link(
    {"a": ["x"]}, {"b": ["x"]}, akin.compare.exact(akin.sides("a", "b")),
    block=akin.block((akin.sides("a", "b"), "soundex")), left_id="a", right_id="b"
)
akin.link({"a": ["x"]}, {"b": ["x"]}, "a:exact", all_pairs=True, left_on=["a"], right_on="b")
akin.link({"a": ["x"]}, {"b": ["x"]}, "a:exact", all_pairs=True, left_on=1, right_on="b")  # wrong
blocks: list[akin.Selection] = [akin.block("name", key="prefix:3"), akin.block(("name", "soundex"), "zip")]
akin.dedupe(
    {"name": ["a"]}, rules, block=blocks, window=akin.window("name", 20),
    similar=akin.similar("name", jaccard=0.5), threads=1
)
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
technique: names.Technique = "bitmap"
akin.join(["a"], jaccard=0.5, technique="ppjoin", tokens="qgrams:3")
akin.join(["a"], jaccard=0.5, technique="ppjion")  # wrong
akin.join(["a"], similarity="jaro-winkler", threshold=0.9, technique="bags", fold="case+accents")
akin.join(["a"], similarity="soundex", threshold=0.9)  # wrong
akin.join(["a"], levenshtein=1, ignore_case=True, fold=["accents"])
akin.join(["a"], jaccard=0.5, fold=1)  # wrong
akin.join(["a"], jaccard=0.5, technique="hybrid", filter="bitmap")  # wrong
akin.join(["a"], jaccard=0.5, technique="hybrid", sharing="all")  # wrong
akin.bm25(["red"], formula="bm25")  # wrong
akin.bm25(["red"], unknown="drop")  # wrong
akin.bm25(["red"], technique="ppjoin")  # wrong
akin.components([(0, 1)], clustering=1)  # wrong
akin.dedupe(["a"], "jaro", "all", threshold="0.8", missing="none")  # wrong
akin.dedupe({"name": ["a"]}, id="id", ignore=["year"], weights="learn", threshold="auto")
akin.link({"name": ["a"]}, {"name": ["a"]}, rules, window=20, weights="learn", cluster="average:0.3")
akin.dedupe({"name": ["a"]}, rules, window=20, weights="learnt")  # wrong
akin.dedupe({"name": ["a"]}, ignore=1)  # wrong
akin.Index.build(["a"], kind="texts")  # wrong
akin.Index.build([[0.5]], kind="vectors", family="e2lsh")  # wrong
akin.Index.build(["a"]).search(["a"], measure="overlap")  # wrong
akin.Index.build(["a"]).search(["a"], technique="list")  # wrong
akin.Dictionary.build(["a"], kind="trie")  # wrong
generate.records(5, kind="books")  # wrong
generate.records(5, copies="normal")  # wrong
strings.cdist_sparse(["a"], cutoff=0.8, technique="prefix")  # wrong
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


def of_table(table, *capabilities):
    rows = akin.choices(table)
    return {row.name for row in rows if not capabilities or row.capabilities & set(capabilities)}


@pytest.mark.parametrize(
    ("type", "names"),
    [
        ("Answer", of_table("answers")),
        ("Copies", of_table("copies")),
        ("DictionaryKind", of_table("dictionary-kinds")),
        ("Family", of_table("families")),
        ("Filter", of_table("techniques", "finds-candidates", "default")),
        ("Formula", of_table("formulas")),
        ("IndexKind", of_table("search-kinds")),
        ("Missing", of_table("missing")),
        ("RecordKind", of_table("record-kinds")),
        ("SearchMeasure", of_table("measures", "search")),
        ("SearchTechnique", of_table("search-techniques")),
        ("Sharing", of_table("sharings")),
        ("StringSimilarity", of_table("comparators", "match")),
        ("StringTechnique", of_table("string-techniques")),
        ("TreeFormat", of_table("tree-formats")),
        ("Technique", of_table("techniques")),
        ("UnknownTerms", of_table("unknown-terms")),
        ("WeighTechnique", of_table("weigh-techniques")),
        ("Weights", of_table("weights")),
    ],
)
def test_names_are_those_of_the_tables(type, names):
    assert set(get_args(getattr(_names, type))) == names


def test_every_type_of_names_is_held_against_a_table():
    (cases,) = [mark.args[1] for mark in test_names_are_those_of_the_tables.pytestmark]
    assert {case[0] for case in cases} == {name for name, value in vars(_names).items() if get_args(value)}


def names_of(body):
    return {part.name for part in body if isinstance(part, (ast.ClassDef, ast.FunctionDef))}


def test_stub_of_the_extension():
    stub = ast.parse((PACKAGE / "_akin.pyi").read_text(encoding="utf-8"))
    numbers = {part.target.id: part.annotation for part in stub.body if isinstance(part, ast.AnnAssign)}
    constants = {name for name, type in numbers.items() if isinstance(type, ast.Name) and type.id == "int"}
    assert all(isinstance(getattr(_akin, name), int) for name in constants)
    names = {name for name in dir(_akin) if not name.startswith("__") and name != "version"}
    assert names_of(stub.body) | constants == names
    for part in stub.body:
        if isinstance(part, ast.ClassDef) and part.name != "Buffer" and not part.bases:
            shown = {
                name
                for name in vars(getattr(_akin, part.name))
                if not name.startswith("__") or name.startswith("__arrow")
            }
            assert names_of(part.body) == shown, part.name
