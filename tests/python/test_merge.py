"""Merged records: each rule against a search in plain Python. Jobs are in test_job.py."""

import random
from datetime import date

import pytest

import akin


def merged_by_hand(values, clusters, rule, by):
    """The row of each cluster whose value is taken."""
    rows = {}
    for cluster in dict.fromkeys(clusters):
        having = [i for i, c in enumerate(clusters) if c == cluster and values[i]]
        column = [values[i] for i in having]
        worth = {
            "frequent": lambda i: column.count(values[i]),
            "longest": lambda i: len(values[i]),
            "newest": lambda i: (by[i] is not None, int(by[i] or 0)),
            "first": lambda i: 0,
        }[rule]
        rows[cluster] = max(having, key=worth) if having else None  # the first of those that are worth the same
    return list(rows.values())


@pytest.mark.parametrize("rule", ["frequent", "longest", "newest", "first"])
def test_rules(rule):
    rng = random.Random(3)
    for _ in range(50):
        count = rng.randrange(1, 30)
        values = [rng.choice([None, "", "a", "bb", "ää", "ccc"]) for _ in range(count)]
        by = [rng.choice([None, "1", "2", "10"]) for _ in range(count)]
        clusters = [rng.choice("xyz") for _ in range(count)]
        word = "newest:by" if rule == "newest" else rule
        made = akin.merge({"v": values, "by": by}, clusters, {"v": word}, sources=True)
        expected = merged_by_hand(values, clusters, rule, by)
        assert made["v_source"] == expected
        assert made["v"] == [None if row is None else values[row] for row in expected]


def test_a_result_and_its_clusters():
    pa = pytest.importorskip("pyarrow")
    people = pa.table({
        "id": [7, 8, 9, 10], "name": ["Anna Maria", "Anna Marie", "Bert", "Anna Maria"],
        "town": [None, "Ulm", "", "Köln"],
        "day": [date(2024, 1, 2), date(2024, 1, 10), None, date(2023, 5, 5)],
    })  # fmt: skip
    found = akin.dedupe(people, "name:jaro-winkler", all_pairs=True, threshold=0.9, id="id")
    made = akin.merge(people, found, {"town": "newest:day", "day": "newest:day"})
    assert made.columns == ("id", "name", "town", "day") and len(made) == 2
    assert made["id"] == [7, 9] and made["name"] == ["Anna Maria", "Bert"] and made["town"] == ["Ulm", None]
    assert pa.table(made).schema.field("id").type == pa.int64()
    for clusters in (found.clusters, pa.table(found.clusters), found.clusters["cluster"], {"cluster": [0, 0, 1, 0]}):
        assert akin.merge(people, clusters, {"town": "newest:day", "day": "newest:day"}) == made
    all_first = dict.fromkeys(people.column_names, "first")
    assert akin.merge(people, found, default="first") == akin.merge(people, found, all_first)
    assert akin.merge({"a": []}, []).columns == ("a",)


def test_refused():
    table = {"a": ["x", "y"], "b": ["1", "2"]}
    with pytest.raises(akin.OptionError, match=r"rules\['a'\]: unknown merge rule 'best': expected frequent, longest"):
        akin.merge(table, [0, 0], {"a": "best"})
    with pytest.raises(akin.OptionError, match="expected newest:COLUMN"):
        akin.merge(table, [0, 0], {"a": "newest"})
    with pytest.raises(akin.OptionError, match="expected first"):
        akin.merge(table, [0, 0], default="first:b")
    with pytest.raises(akin.OptionError, match="there is no column 'c'"):
        akin.merge(table, [0, 0], {"a": "newest:c"})
    with pytest.raises(akin.InputError, match="there are 1 rows, and the table has 2"):
        akin.merge(table, [0])
    with pytest.raises(akin.OptionError, match="the table has a column 'a_source'"):
        akin.merge({"a": ["x"], "a_source": ["y"]}, [0], sources=True)
    with pytest.raises(TypeError, match="expected a dictionary of columns and rules"):
        akin.merge(table, [0, 0], "first")
    with pytest.raises(TypeError, match="of two tables"):
        akin.merge(table, akin.link(table, table, "a:exact", all_pairs=True, threshold=1))

