"""Jobs on a cluster give the bytes of one machine."""

import random

import akin
import pyarrow as pa
import pytest
from conftest import by_id, table_of, texts


def int_ids(count, seed=1):
    return random.Random(seed).sample(range(-(2**40), 2**40), count)


def text_ids(count, seed=1):
    draw = random.Random(seed)
    return draw.sample([f"{letter}{number}" for letter in "aZéß😀" for number in range(count)], count)


def rows(seed, count=200, ids=int_ids):
    values = texts(seed, count)
    return table_of(ids(len(values), seed), values)


@pytest.mark.parametrize("tiles", [1, 7, 40])
@pytest.mark.parametrize("ids", [int_ids, text_ids])
def test_join(cluster, watch, tiles, ids):
    table = rows(3, ids=ids)
    expected = by_id(akin.join(table, on="text", id="id", jaccard="0.6"))
    pairs = cluster.jobs.join(cluster.frame(table), on="text", id="id", jaccard="0.6", tiles=tiles)
    assert cluster.rows(pairs) == expected and len(expected) > 100
    assert cluster.columns(pairs) == ["left_id", "right_id", "overlap", "similarity"]
    assert 1 <= len(watch.tasks("_Join")) <= tiles


MEASURES = [
    {"cosine": 0.7}, {"dice": "2/3"}, {"overlap": 4}, {"overlap_coefficient": 1}, {"jaccard": 1},
    {"jaccard": 0.5, "tokens": "qgrams:3"}, {"jaccard": 0.4, "multiset": True, "ignore_case": False},
    {"jaccard": 0.5, "stop_words": ["river", "hill"]}
]  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
def test_measures(cluster, watch, measure):
    table = rows(4, 120)
    expected = by_id(akin.join(table, on="text", id="id", **measure))
    assert cluster.rows(cluster.jobs.join(cluster.frame(table), on="text", id="id", tiles=9, **measure)) == expected
    assert expected


@pytest.mark.parametrize("measure", [{"containment": 0.7}, {"jaccard": "0.6"}])
def test_two_tables(cluster, watch, measure):
    left, right = rows(5, 120), rows(6, 150)
    expected = by_id(akin.join(left, right, on="text", id="id", **measure), is_one=False)
    found = cluster.jobs.join(cluster.frame(left), cluster.frame(right), on="text", id="id", tiles=11, **measure)
    assert cluster.rows(found) == expected and expected


STRINGS = [
    {"levenshtein": 4}, {"similarity": "jaro-winkler", "threshold": 0.9}, {"similarity": "osa", "threshold": "3/4"},
    {"similarity": "jaro", "threshold": 0.8, "fold": "case+accents"}
]  # fmt: skip


@pytest.mark.parametrize("how", STRINGS)
def test_match(cluster, watch, how):
    table = rows(7, 150)
    expected = by_id(akin.join(table, on="text", id="id", **how))
    found = cluster.jobs.match(cluster.frame(table), on="text", id="id", tiles=8, **how)
    assert cluster.rows(found) == expected and expected


def test_near_duplicates_and_clusters(cluster, watch):
    table = rows(8, 150, text_ids)
    local = akin.near_duplicates(table, on="text", id="id", jaccard=0.5, tokens="words:2")
    frame = cluster.frame(table)
    pairs = cluster.jobs.near_duplicates(frame, on="text", id="id", jaccard=0.5, tokens="words:2", tiles=5)
    assert cluster.rows(pairs) == by_id(local)
    assert cluster.rows(cluster.jobs.components(pairs)) == clusters_of(by_id(local))


def clusters_of(pairs):
    """Each id of the pairs, the smallest of its cluster, and the size of the cluster: an oracle."""
    held = {}
    for left, right, *_ in pairs:
        first, second = held.setdefault(left, {left}), held.setdefault(right, {right})
        if first is not second:
            first |= second
            held.update(dict.fromkeys(second, first))
    key = lambda value: value.encode() if isinstance(value, str) else value
    return sorted((id, min(members, key=key), len(members)) for id, members in held.items())


def pairs_of(edges):
    sides = [pa.array([edge[side] for edge in edges], pa.int64()) for side in (0, 1)]
    return pa.table({"left_id": sides[0], "right_id": sides[1]})


def test_components(cluster, watch):
    draw = random.Random(2)
    ids = int_ids(400)
    edges = [(draw.choice(ids), draw.choice(ids)) for _ in range(150)] + list(zip(ids[:60], ids[1:61], strict=True))
    edges = [(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]]
    frame = cluster.frame(pairs_of(edges), parts=6)
    assert cluster.rows(cluster.jobs.components(frame)) == clusters_of(edges)


def test_permuted_rows(cluster, watch):
    table = rows(9, 150)
    expected = by_id(akin.join(table, on="text", id="id", jaccard="0.6"))
    for seed in (1, 2):
        order = list(range(len(table)))
        random.Random(seed).shuffle(order)
        frame = cluster.frame(table.take(order), parts=1 + 4 * seed)
        assert cluster.rows(cluster.jobs.join(frame, on="text", id="id", jaccard="0.6", tiles=6 * seed)) == expected


def test_one_giant_size(cluster, watch):
    values = [" ".join(random.Random(seed).sample(["a", "b", "c", "d", "e", "f"], 4)) for seed in range(300)]
    table = table_of(int_ids(300), values)
    expected = by_id(akin.join(table, on="text", id="id", jaccard="0.6"))
    found = cluster.jobs.join(cluster.frame(table), on="text", id="id", jaccard="0.6", tiles=30)
    assert cluster.rows(found) == expected
    assert len(watch.tasks("_Join")) > 20  # the one size was split


def test_nothing(cluster, watch):
    empty = cluster.frame(table_of(pa.array([], pa.int64()), []))
    assert cluster.rows(cluster.jobs.join(empty, on="text", id="id", jaccard="0.6")) == []
    blank = cluster.frame(table_of([1, 2, 3], ["", None, " "]))
    assert cluster.rows(cluster.jobs.join(blank, on="text", id="id", jaccard="0.6")) == []
    assert cluster.rows(cluster.jobs.components(cluster.frame(pairs_of([])))) == []


@pytest.mark.parametrize("ids, said", [([1, 2, 2], "id 2 is in 2 rows"), ([1, None, 3], "an id is null")])
def test_bad_ids(cluster, watch, ids, said):
    frame = cluster.frame(table_of(pa.array(ids, pa.int64()), ["a", "b", "c"]))
    with pytest.raises(Exception, match=said):
        cluster.jobs.join(frame, on="text", id="id", jaccard="0.6")


def test_plan(cluster, watch):
    table = rows(11)
    plan = cluster.jobs.plan(cluster.frame(table), on="text", id="id", jaccard="0.6", tiles=10)
    assert plan.rows == sum(1 for value in table["text"].to_pylist() if value)
    assert plan.tasks <= 10 and plan.largest < plan.bytes_sent and plan.memory > plan.largest
    assert plan.seconds > 0 and "on one machine is faster" in str(plan)
    assert 1 <= len(watch.attempts("_Try")) <= 2
    assert cluster.jobs.plan(cluster.frame(table), on="text", id="id", jaccard="0.6", trials=0).seconds is None


def test_options_are_checked_before_tasks(cluster):
    frame = cluster.frame(table_of([1], ["a"]))
    for how, said in (
        ({"jaccard": 2}, "jaccard is 2"), ({"jaccard": 0.5, "top": 3}, "top is given"),
        ({"jaccard": 0.5, "on": "name"}, "no column 'name'"), ({}, "no measure is given"),
        ({"jaccard": 0.5, "threads": 2}, "threads is given")
    ):  # fmt: skip
        for job in (cluster.jobs.join, cluster.jobs.plan):
            with pytest.raises(akin.OptionError, match=said):
                job(frame, **{"on": "text", "id": "id", **how})


@pytest.mark.parametrize("on", ["id", ["text", "other.name"], "`n"])
def test_columns(cluster, watch, on):
    """The column of ids as text, several columns, and names that are not words of SQL."""
    values = texts(12, 80)
    table = pa.table({"id": text_ids(len(values), 2), "text": pa.array(values, pa.string())})
    table = table.append_column("other.name", pa.array([number % 7 for number in range(len(table))], pa.int64()))
    table = table.append_column("`n", pa.array(values[::-1], pa.string()))
    how = {"on": on, "id": "id", "jaccard": "0.5", "tokens": "qgrams:2"}
    expected = by_id(akin.join(table, **how))
    assert cluster.rows(cluster.jobs.join(cluster.frame(table), tiles=6, **how)) == expected and expected


def test_a_limit_of_bytes_and_the_default_tiles(cluster, watch):
    table = rows(13, 150)
    expected = by_id(akin.join(table, on="text", id="id", jaccard="0.6"))
    frame = cluster.frame(table)
    assert cluster.rows(cluster.jobs.join(frame, on="text", id="id", jaccard="0.6", memory="64MB")) == expected
    assert cluster.rows(cluster.jobs.join(frame, on="text", id="id", jaccard="0.6", tiles=1, bytes=4000)) == expected
    assert len(watch.tasks("_Join")) > 10


def test_small_batches(monkeypatch):
    from akin import _cluster, _cluster_join

    table = rows(14, 150)
    expected = by_id(akin.join(table, on="text", id="id", jaccard="0.6"))
    held = table.rename_columns(["id", "text_0"]).to_batches()
    taken = held[0].schema
    sent = pa.schema([("__akin_place__", pa.int32()), ("side", pa.int8()), *taken])
    histogram = {}
    for size in akin.sizes(table, "text")["size"]:
        histogram[size] = histogram.get(size, (0, 0))[0] + 1, histogram.get(size, (0, 0))[1] + 40
    tiling = akin.parts.tile(akin.parts.rule_of(jaccard="0.6"), histogram, tiles=9)
    route = _cluster_join.Route(tiling, 0, {}, taken, sent)
    whole = pa.Table.from_batches(list(route(held)))
    monkeypatch.setattr(_cluster, "BYTES_OF_BATCH", 300)
    parts = list(route(held))
    assert len(parts) > 20 and pa.Table.from_batches(parts).equals(whole)
    joined = _cluster_join._Join(tiling, ("text_0",), {"jaccard": "0.6"}, dict, pa.schema(
        [("left_id", pa.int64()), ("right_id", pa.int64()), ("overlap", pa.int64()), ("similarity", pa.float64())]
    ))
    assert by_id(pa.Table.from_batches(list(joined(parts)))) == expected


def test_forests_in_steps(monkeypatch):
    from akin import _cluster_forest

    draw = random.Random(3)
    table = pairs_of([(draw.randint(0, 300), draw.randint(0, 300)) for _ in range(400)])
    monkeypatch.setattr(_cluster_forest, "_PAIRS_HELD", 50)
    assert _cluster_forest._forest_of(table.to_batches(max_chunksize=30)).equals(pa.table(akin.forest(table)))
    assert _cluster_forest._forest_of([]) is None


def test_ids_of_both_tables(cluster, watch):
    left, right = rows(15, 60), rows(16, 60)
    bad = table_of(right["id"].to_pylist()[:-1] + right["id"].to_pylist()[:1], right["text"].to_pylist())
    with pytest.raises(Exception, match="is in 2 rows"):
        cluster.jobs.join(cluster.frame(left), cluster.frame(bad), on="text", id="id", jaccard="0.6")
    text = table_of([str(value) for value in right["id"].to_pylist()], right["text"].to_pylist())
    with pytest.raises(akin.OptionError, match="integers in one table and text in the other"):
        cluster.jobs.join(cluster.frame(left), cluster.frame(text), on="text", id="id", jaccard="0.6")


def test_text_ids_by_bytes(cluster, watch):
    ids = ["\uffff", "\U0001f600", "b", "a"]
    found = cluster.jobs.join(cluster.frame(table_of(ids, ["x y"] * 4)), on="text", id="id", jaccard=1)
    order = sorted(ids, key=str.encode)
    expected = [(order[a], order[b], 2, 1.0) for a in range(4) for b in range(a + 1, 4)]
    assert cluster.rows(found) == sorted(expected)
    pairs = pa.table({"left_id": [ids[0], "b", "c"], "right_id": [ids[1], "b", "c"]})
    expected = [(ids[0], ids[0], 2), (ids[1], ids[0], 2)]  # an id that is paired with itself alone is in no cluster
    assert cluster.rows(cluster.jobs.components(cluster.frame(pairs))) == sorted(expected)
