"""Rankings and searches on a cluster have the bytes of one machine, where documents are in the order of ids."""

import random

import akin
import faults
import pyarrow as pa
import pytest
from conftest import table_of, texts


def documents(seed, count=220, is_text=False):
    values = texts(seed, count)
    numbers = random.Random(seed).sample(range(-(2**40), 2**40), len(values))
    return table_of([f"ß{number}" for number in numbers] if is_text else numbers, values)


QUERIES = ["river hill", "stone", "harbour island valley", "unknown", "", "mill mill mill bridge", "the river"]
NAMED = pa.table({"name": [f"q{number}" for number in range(len(QUERIES))], "text": QUERIES})


def expected_of(found, names):
    table = pa.table(found)
    return sorted(zip(*(table[name].to_pylist() for name in names), strict=True))


RANKED = [
    {}, {"k": 3}, {"k": 1000}, {"formula": "bm25+", "delta": 0.5}, {"formula": "paper", "k1": 0.9, "b": 0.4},
    {"stop_words": ["river"]}, {"stem": "english"}, {"tokens": "qgrams:3"}, {"formula": "robertson"},
    {"formula": "bm25l"}
]  # fmt: skip


@pytest.mark.parametrize("how", RANKED)
@pytest.mark.parametrize("is_text", [False, True])
def test_bm25(cluster, watch, how, is_text):
    table, k = documents(1, is_text=is_text), how.get("k", 10)
    weighed = akin.bm25(table.sort_by("id"), "text", id="id", **{n: v for n, v in how.items() if n != "k"})
    expected = expected_of(weighed.rank(NAMED, k, on="text", id="name"), ["query_id", "document_id", "score"])
    found = cluster.jobs.bm25(cluster.frame(table, 4), NAMED, on="text", id="id", query_id="name", **how)
    assert cluster.columns(found) == ["query_id", "document_id", "score"]
    assert cluster.rows(found) == expected and len(expected) > 10


def test_queries_without_names(cluster, watch):
    table = documents(2)
    weighed = akin.bm25(table.sort_by("id"), "text", id="id")
    for queries in ("river mill", QUERIES, {"q": QUERIES}):
        asked = [queries] if isinstance(queries, str) else QUERIES
        expected = expected_of(weighed.rank(asked, 5), ["query", "document_id", "score"])
        found = cluster.jobs.bm25(cluster.frame(table), queries, on="text", id="id", k=5)
        assert cluster.columns(found) == ["query", "document_id", "score"]
        assert cluster.rows(found) == expected and expected
    assert cluster.rows(cluster.jobs.bm25(cluster.frame(table), ["unknown", ""], on="text", id="id")) == []


def test_several_columns(cluster, watch):
    table = documents(3).append_column("title", pa.array(texts(4, 220), pa.string()))
    weighed = akin.bm25(table.sort_by("id"), ["title", "text"], id="id")
    expected = expected_of(weighed.rank(QUERIES, 4), ["query", "document_id", "score"])
    found = cluster.jobs.bm25(cluster.frame(table), QUERIES, on=["title", "text"], id="id", k=4)
    assert cluster.rows(found) == expected and expected


SEARCHED = [
    {}, {"measure": "jaccard"}, {"measure": "cosine", "k": 3}, {"tokens": "qgrams:2", "measure": "dice"}, {"k": 400},
    {"least": 2}, {"kind": "strings", "k": 4}, {"kind": "strings", "ngram": 3, "k": 5}
]  # fmt: skip


@pytest.mark.parametrize("how", SEARCHED)
def test_search(cluster, watch, how):
    table, k = documents(5), how.get("k", 10)
    built = {name: value for name, value in how.items() if name in ("kind", "tokens", "ngram")}
    asked = {name: value for name, value in how.items() if name in ("measure", "least")}
    index = akin.Index.build(table.sort_by("id"), "text", id="id", **built)
    found = cluster.jobs.search(cluster.frame(table, 4), NAMED, on="text", id="id", query_id="name", **how)
    expected = expected_of(index.search(NAMED, k, on="text", id="name", **asked), cluster.columns(found))
    assert cluster.rows(found) == expected and len(expected) >= len(QUERIES)


def test_no_documents(cluster):
    frame = cluster.frame(documents(6).slice(0, 0))
    assert cluster.rows(cluster.jobs.bm25(frame, QUERIES, on="text", id="id")) == []
    assert cluster.rows(cluster.jobs.search(frame, QUERIES, on="text", id="id")) == []


@pytest.mark.parametrize("job, how, said", [
    ("bm25", {"show": "text"}, "show is given"), ("bm25", {"stopwords": []}, "stop_words"),
    ("bm25", {"k": 0}, "k is 0"), ("bm25", {"on": "no"}, "no column 'no'"),
    ("search", {"kind": "vectors"}, "kind is 'vectors'"), ("search", {"kind": "rows"}, "kind is 'rows'"),
    ("search", {"query_id": "no"}, "no column 'no'"), ("bm25", {"query_on": "no"}, "no column 'no'"),
    ("bm25", {"formula": "tf"}, "formula"), ("search", {"measure": "bm25"}, "bm25"),
])  # fmt: skip
def test_refused(cluster, job, how, said):
    with pytest.raises((akin.OptionError, TypeError), match=said):
        getattr(cluster.jobs, job)(cluster.frame(documents(7, 20)), NAMED, **{"on": "text", "id": "id", **how})


def test_processes_die_in_each_step(cluster, watch):
    steps = ["_Terms", "_Sum", "_Hits", "_Best"]
    for step in steps:
        watch.break_at(step, faults.kill_process)
    table = documents(8)
    expected = akin.bm25(table.sort_by("id"), "text", id="id").rank(QUERIES, 5)
    found = cluster.rows(cluster.jobs.bm25(cluster.frame(table, 4), QUERIES, on="text", id="id", k=5))
    for step in steps:
        watch.again(step)
    assert found == expected_of(expected, ["query", "document_id", "score"]) and found
