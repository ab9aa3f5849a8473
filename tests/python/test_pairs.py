"""Clusters against SciPy's connected components, and evaluations against sets of pairs."""

import pickle
import random
import subprocess
import sys
import warnings
from array import array

import pytest

import akin
from akin import _graph


def draw_pairs(seed, rows, count):
    draw = random.Random(seed)
    return [(draw.randrange(rows), draw.randrange(rows)) for _ in range(count)]


def labels_by_hand(pairs, rows):
    label = list(range(rows))
    while True:
        before = label[:]
        for a, b in pairs:
            label[a] = label[b] = min(label[a], label[b])
        if label == before:
            return label


def numbers_by_hand(label):
    """Clusters as 0, 1, 2, ... by their first rows."""
    firsts = sorted(set(label))
    return [firsts.index(each) for each in label]


@pytest.mark.parametrize("count", [0, 5, 60, 300])
def test_components(count):
    pairs = draw_pairs(count, 100, count)
    found = akin.components(pairs, 100)
    label = labels_by_hand(pairs, 100)
    assert found["row"] == list(range(100)) and found["representative"] == label
    assert found["cluster"] == numbers_by_hand(label)
    assert found["size"] == [label.count(each) for each in label]
    for least in (1, 2, 3, 101):
        kept = akin.components(pairs, 100, clusters_of=least)
        assert list(kept) == [row for row in found if row[2] >= least]
    as_columns = {"left": [a for a, _ in pairs], "right": [b for _, b in pairs]}
    assert akin.components(as_columns, 100, threads=2) == found
    alike = [(*pair, 1) for pair in pairs]  # clusterings by similarity split components
    for clustering in akin.choices("clusterings"):
        if "similarities" not in clustering.capabilities:
            assert akin.components(pairs, 100, clustering=clustering.name) == found
        else:
            split = akin.components(alike, 100, clustering=clustering.name)
            assert all(found["cluster"][row] == found["cluster"][first] for row, *_, first in split)
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.int8(), pa.uint32(), pa.int64(), pa.uint64()):
        table = pa.table({"x": pairs and ["?"] * count or pa.array([], pa.string()), **{
            name: pa.array(rows, kind) for name, rows in as_columns.items()}})
        assert akin.components(table, 100) == found
        assert akin.components(pa.concat_tables([table.slice(0, 3), table.slice(3)]), 100) == found


def test_clusterings_by_similarity(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pairs = [(0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.2), (3, 4, 0.4)]
    columns = dict(zip(("left", "right", "similarity"), map(list, zip(*pairs)), strict=True))
    (tmp_path / "p.csv").write_text("left,right,similarity\n" + "".join(f"{a},{b},{s}\n" for a, b, s in pairs))
    for given in (pairs, columns, pa.table(columns), tmp_path / "p.csv"):
        for clustering, expected in (
            ("average", (0, 0, 0, 1, 2)), ("average:0.6", (0, 0, 1, 2, 3)), ("average:2/5", (0, 0, 0, 1, 1)),
            ("center", (0, 0, 1, 2, 2)), ("merge-center", (0, 0, 0, 1, 1)), ("correlation", (0, 0, 0, 1, 2)),
            ("components", (0, 0, 0, 1, 1)),
        ):  # fmt: skip
            assert akin.components(given, 5, clustering=clustering)["cluster"] == expected, (given, clustering)
    with pytest.raises(akin.OptionError, match="'average', which needs the similarities of pairs"):
        akin.components([(0, 1)], 2, clustering="average")
    with pytest.raises(akin.InputError, match="a similarity is missing, or is no number"):
        akin.components({"left": [0], "right": [1], "similarity": [None]}, 2, clustering="average")
    assert akin.components([], 2, clustering="average")["cluster"] == (0, 1)
    people = {"name": ["anna berg", "anna berk", "anne berk", "bob"]}
    found = [akin.dedupe(people, "name:levenshtein", all_pairs=True, threshold=0.88, cluster=clustering).clusters
             for clustering in ("components", "average")]  # fmt: skip
    assert found[0]["cluster"] == (0, 0, 0, 1) and found[1]["cluster"] == (0, 0, 1, 2)
    gold = [(0, 1), (1, 2)]
    for of_two in (False, True):  # .closed is that of the clusters
        for clustering in akin.choices("clusterings"):
            job = {"all_pairs": True, "threshold": 0.88, "cluster": clustering.name, "gold": gold}
            made = akin.link(people, people, "name:levenshtein", **job) if of_two else akin.dedupe(
                people, "name:levenshtein", **job
            )
            assert made.closed == akin.evaluate(made.clusters, gold, closed=True), clustering.name


def test_no_warning_of_chains_that_are_split():
    chain = {"name": [f"{'b' * i}{'a' * (60 - i)}" for i in range(60)]}
    job = {"all_pairs": True, "threshold": 0.98}
    with pytest.warns(akin.ResultWarning, match="chains of pairs made large clusters"):
        assert akin.dedupe(chain, "name:levenshtein", **job).clusters["size"][0] == 60
    found = akin.dedupe(chain, "name:levenshtein", cluster="average", **job)
    assert set(found.clusters["size"]) == {2}


def test_tables_that_are_no_pairs():
    pa = pytest.importorskip("pyarrow")
    found = akin.components([(0, 1), (1, 2)], 3)
    named_halfway = pa.table({"other": [0, 1], "left": [1, 2]})
    assert akin.components(named_halfway, 3) == found
    whole = pa.StructArray.from_arrays([pa.array([0, 5, 1]), pa.array([1, 6, 2])], names=["left", "right"])
    nulls = pa.StructArray.from_arrays(whole.flatten(), names=["left", "right"], mask=pa.array([False, True, False]))
    with pytest.raises(akin.InputError, match="row 1 is null"):
        akin.components(pa.chunked_array([nulls]), 9)
    for column in (
        pa.array(["0", "1"]), pa.array([0.0, 1.0]), pa.array([0, 1]).dictionary_encode(), pa.array([0, None])
    ):
        with pytest.raises(akin.InputError, match="column 'right'"):
            akin.components(pa.table({"left": [0, 1], "right": column}), 3)
    for table in (pa.table({"left": [0]}), pa.chunked_array([[1, 2]])):
        with pytest.raises(akin.InputError, match="two columns"):
            akin.components(table, 3)


def test_against_scipy():
    pytest.importorskip("scipy")
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = draw_pairs(9, 20000, 15000)
    left, right = zip(*pairs)
    count, theirs = connected_components(coo_array(([1] * len(pairs), (left, right)), shape=(20000, 20000)))
    ours = akin.components(pairs, 20000)["cluster"]
    assert len(set(ours)) == count == len(set(zip(ours, theirs)))


def test_of_a_join(addresses):
    pairs = akin.join(addresses, jaccard=0.6)
    found = akin.components(pairs, len(addresses))
    assert found["representative"] == labels_by_hand([(a, b) for a, b, *_ in pairs], len(addresses))
    assert akin.components(pairs) == pairs.clusters == found
    as_columns = {name: pairs[name] for name in ("left", "right")}
    assert len(akin.components(as_columns)) == max(pairs["right"]) + 1
    linked = akin.join(addresses[:50], addresses[50:], jaccard=0.6)
    found = akin.components(linked)
    assert found == linked.clusters == akin.components(linked, (50, 250))
    first = [(side == "right") * 50 + row for side, row in zip(*(found[f"representative{at}"] for at in ("_side", "")))]
    assert first == labels_by_hand([(a, 50 + b) for a, b, *_ in linked], 300)


def test_rows_that_cannot_be():
    pa = pytest.importorskip("pyarrow")
    for pairs in (
        [(-1, 2)], [(1, 2**32)], pa.table({"left": [1], "right": [-5]}), pa.table({"left": [1], "right": [None]})
    ):
        with pytest.raises(akin.InputError):
            akin.components(pairs, 10)
    with pytest.raises(akin.OptionError):
        akin.components([(1, 10)], 10)
    with pytest.raises(akin.OptionError, match="unknown clustering 'magic': expected components"):
        akin.components([(1, 2)], 10, clustering="magic")
    for least in (0, -1, 1.5, True):
        with pytest.raises(akin.OptionError, match="clusters_of is .*; expected a whole number from 1"):
            akin.components([(1, 2)], 10, clusters_of=least)
    with pytest.raises(akin.InputError, match="row numbers"):
        akin.components(pa.table({"left": [1.5], "right": [2.5]}), 10)


def test_results_know_their_rows():
    """They distinguish pairs of two tables from those of one, and rows of a large table from ids."""
    pairs = akin.join(["red house", "x y"], ["a b", "red house"], jaccard=0.9)
    assert akin.components(pairs)["cluster"] == pairs.clusters["cluster"] == [0, 1, 2, 0]
    pairs = akin.join(["red house", "house red"], jaccard=0.9)
    pairs.rows = (2**20, 0)  # as of a table with that many rows
    assert len(akin.components(pairs)) == 2**20 and len(akin.components(pairs, 2)) == 2
    with pytest.raises(akin.OptionError, match="expected rows=16777218 if there are as many"):
        akin.components([(2**24, 2**24 + 1)])


def test_the_largest_row(monkeypatch):
    monkeypatch.setattr(_graph, "_PIECE", 3)
    for rows in ([], [7], [1, 2, 3], [1, 2, 3, 9], [9, 2, 3, 4, 5, 6, 7]):
        assert _graph._largest(array("I", rows)) == max(rows, default=-1)


def test_dates_are_no_rows():
    numpy = pytest.importorskip("numpy")
    days = numpy.array(["2024-01-01", "2024-01-02"], "datetime64[D]")
    with pytest.raises(TypeError, match="pairs: .*; expected row numbers"):
        akin.components({"left": days, "right": days})


READER = """
import akin, io
from pyarrow import csv
lines = "".join(f"{i},{i + 1}\\n" for i in range(100_000))
file = io.BytesIO(("left,right\\n" + lines).encode())
print(len(akin.components(csv.open_csv(file, read_options=csv.ReadOptions(block_size=1 << 14)))))
"""


def test_a_stream_whose_threads_need_the_interpreter():
    """pyarrow reads the file, an object of Python, ahead on a thread of its own."""
    pytest.importorskip("pyarrow")
    done = subprocess.run([sys.executable, "-c", READER], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "100001", done.stderr


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("closed", [False, True])
def test_evaluate(linked, closed):
    pairs, gold = draw_pairs(1, 40, 40), draw_pairs(2, 40, 30) + draw_pairs(1, 40, 15)

    def pairs_of(listed):
        if closed:
            both = [(a, b + 40) for a, b in listed] if linked else listed
            label = labels_by_hand(both, 80)
            seen = {x for pair in both for x in pair}
            listed = [(a, b) for a in seen for b in seen if label[a] == label[b] and a != b]
            if linked:
                listed = [(a, b) for a, b in listed if a < 40 <= b]
        return {pair if linked else tuple(sorted(pair)) for pair in listed if linked or pair[0] != pair[1]}

    p, g = pairs_of(pairs), pairs_of(gold)
    found = akin.evaluate(pairs, gold, linked=linked, closed=closed)
    both = len(p & g)
    assert found == (both / len(p), both / len(g), 2 * both / (len(p) + len(g)), len(p), len(g), both)
    as_columns = {"left": [a for a, _ in pairs], "right": [b for _, b in pairs]}
    assert akin.evaluate(as_columns, gold, linked=linked, closed=closed) == found
    pa = pytest.importorskip("pyarrow")
    assert akin.evaluate(pa.table(as_columns), gold, linked=linked, closed=closed) == found


@pytest.mark.parametrize("linked", [False, True])
def test_evaluate_clusters(linked):
    """B-cubed by comparing the two clusters of each record."""
    pairs, gold = draw_pairs(1, 40, 30), draw_pairs(2, 40, 20) + draw_pairs(1, 40, 15)
    shift = 40 if linked else 0
    found_of, gold_of = (labels_by_hand([(a, b + shift) for a, b in each], 80) for each in (pairs, gold))
    ids = {x for a, b in pairs + gold for x in (a, b + shift)}

    def clusters_of(label):
        return {x: frozenset(y for y in ids if label[y] == label[x]) for x in ids}

    f, g = clusters_of(found_of), clusters_of(gold_of)
    precision = sum(len(f[x] & g[x]) / len(f[x]) for x in ids) / len(ids)
    recall = sum(len(f[x] & g[x]) / len(g[x]) for x in ids) / len(ids)
    many = [{c for c in each.values() if len(c) > 1} for each in (f, g)]
    e = akin.evaluate_clusters(pairs, gold, linked=linked)
    assert e.pairs == akin.evaluate(pairs, gold, linked=linked)
    assert e.bcubed == pytest.approx((precision, recall, 2 * precision * recall / (precision + recall)))
    assert e[1:2] + e[3:6] == (len(ids), len(many[0]), len(many[1]), len(many[0] & many[1]))
    assert e.clusters.recall == pytest.approx(len(many[0] & many[1]) / len(many[1]))
    assert e.pairs_low is e.bcubed_high is None
    one, two, other = (
        akin.evaluate_clusters(pairs, gold, linked=linked, bootstrap=200, threads=threads, seed=seed)
        for threads, seed in ((1, 1), (2, 1), (2, 2))
    )
    assert one == two != other and one[:7] == e[:7]
    assert one.bcubed_low.f1 < one.bcubed.f1 < one.bcubed_high.f1
    assert one.pairs_low.precision < one.pairs.precision < one.pairs_high.precision


def test_evaluate_clusters_counts_single_records(tmp_path):
    clusters = {"id": ["a", "b", "c", "d", "e"], "cluster": [0, 0, 1, 2, 3]}
    path = tmp_path / "clusters.csv"
    path.write_text("id,cluster\na,0\nb,0\nc,1\nd,2\ne,3\n")
    for given in (clusters, path):
        e = akin.evaluate_clusters(given, [("b", "c")])
        assert e.records == 5 and e.bcubed.precision == 0.8 and e.bcubed.recall == 0.8
    gold = tmp_path / "gold.csv"
    gold.write_text("left,right\nb,c\n")
    job = {"akin": "evaluate", "version": 1, "input": [str(path), str(gold)], "bootstrap": 50, "seed": 3}
    assert akin.run(job) == akin.evaluate_clusters(path, gold, bootstrap=50, seed=3)
    sides = {"side": ["left", "right", "left", "right"], "id": ["a", "a", "b", "b"], "cluster": [0, 0, 1, 2]}
    assert akin.evaluate_clusters(sides, [("a", "a")]).records == 4
    with pytest.raises(akin.OptionError, match="bootstrap is 39; expected 0, or 40 at least"):
        akin.evaluate_clusters(clusters, [("b", "c")], bootstrap=39)
    with pytest.raises(akin.InputError, match="of the records has no left id"):
        akin.evaluate_clusters({"id": ["a", "b", None], "cluster": [0, 0, 1]}, [("a", "b")])


def test_pairs_of_an_id_with_itself_are_counted():
    pairs, gold = [("1", "2"), ("1", "1"), ("3", "3")], [("1", "2"), ("2", "2")]
    text = r"^2 of 3 pairs and 1 of 2 gold pairs are of an id with itself, and were left out: .* add linked=True$"
    with pytest.warns(akin.ResultWarning, match=text) as warned:
        assert akin.evaluate(pairs, gold).pairs == 1
    assert len(warned) == 1 and warned[0].filename == __file__
    table = {"left": ["1", "1", "3"], "right": ["2", "1", "3"], "similarity": [1.0, 0.5, 0.5]}
    with pytest.warns(akin.ResultWarning, match=text):
        akin.evaluate_curve(table, gold)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert akin.evaluate(pairs, gold, linked=True).pairs == 3
        assert akin.evaluate(pairs[:1], gold[:1]).f1 == 1


@pytest.mark.parametrize("closed", [False, True])
def test_clusters_are_evaluated_as_their_pairs(closed, tmp_path):
    pa = pytest.importorskip("pyarrow")
    clusters = {"id": ["a", "b", "c", "d"], "cluster": [0, 1, 0, 0], "size": [3, 1, 3, 3]}
    pairs, gold = [("a", "c"), ("a", "d"), ("c", "d")], [("a", "c"), ("d", "c"), ("b", "a")]
    expected = akin.evaluate(pairs, gold, closed=closed)
    path = tmp_path / "clusters.csv"
    path.write_text("id,cluster\na,0\nb,1\nc,0\nd,0\n")
    for given in (clusters, path, pa.table(clusters)):
        assert akin.evaluate(given, gold, closed=closed) == expected
        assert akin.evaluate(gold, given, closed=closed) == akin.evaluate(gold, pairs, closed=closed)
    sides = {"side": ["left", "right", "right", "left"], "id": ["a", "a", "b", "b"], "cluster": [0, 0, 0, 1]}
    known = [("a", "b"), ("b", "a"), ("a", "a")]
    assert akin.evaluate(sides, known, linked=True, closed=closed) == akin.evaluate(
        [("a", "a"), ("a", "b")], known, linked=True, closed=closed
    )


@pytest.mark.parametrize("ids", [False, True])
def test_clusters_of_two_tables_have_sides(ids, tmp_path):
    left = {"id": ["a", "b", "c"], "name": ["Anna", "Bert", "Carl"]}
    right = {"id": ["b", "a", "d"], "name": ["Bert", "Anna", "Bert"]}
    found = akin.link(left, right, "name:exact", all_pairs=True, threshold=1, id="id" if ids else None)
    clusters, rows = found.clusters, [0, 1, 2, 0, 1, 2]
    assert clusters["side"] == ["left"] * 3 + ["right"] * 3 and clusters["row"] == rows
    assert clusters["cluster"] == [0, 1, 2, 1, 0, 1] and clusters["size"] == [2, 3, 1, 3, 2, 3]
    assert clusters["representative_side"] == ["left"] * 6 and clusters["representative"] == [0, 1, 2, 1, 0, 1]
    assert not ids or clusters["id"] == ["a", "b", "c", "b", "a", "d"]
    assert not ids or clusters["representative_id"] == ["a", "b", "c", "b", "a", "b"]

    gold = list(zip(*(found[name] for name in (("left_id", "right_id") if ids else ("left", "right"))), strict=True))
    saved = tmp_path / "clusters.csv"
    clusters.save(saved)
    for given in (clusters, saved):
        assert akin.evaluate(given, gold) == akin.evaluate(found, gold) == (1, 1, 1, 3, 3, 3)
        assert akin.evaluate(gold, given).f1 == 1
        assert akin.evaluate(found, given).f1 == 1
    assert ids or akin.components(gold, (3, 3)).to_dict() == clusters.to_dict()


def test_clusters_of_one_table_are_no_pairs_of_two():
    clusters, pairs = {"id": ["a", "b"], "cluster": [0, 0]}, [("a", "b")]
    sided = {"side": ["left", "right"], **clusters}
    message = "gold: clusters without 'side' as their first column have pairs within one table"
    for found, gold in ((clusters, pairs), (pairs, clusters)):
        with pytest.raises(akin.OptionError, match="clusters without 'side'"):
            akin.evaluate(found, gold, linked=True)
    with pytest.raises(akin.OptionError, match=message):
        akin.evaluate(sided, clusters)
    table = {"id": ["a", "b"], "name": ["x", "x"]}
    with pytest.raises(akin.OptionError, match=message):
        akin.link(table, table, "name:exact", all_pairs=True, threshold=1, id="id", gold=clusters)


def test_what_is_taken_for_clusters_of_two_tables():
    pairs = [("1", "2")]
    shown = {"id": [1, 2, 3], "cluster": [0, 0, 1], "side": ["left", "right", "A"]}  # a column of the table itself
    assert akin.evaluate(shown, pairs) == (1, 1, 1, 1, 1, 1)
    with pytest.raises(akin.InputError, match="'side' has left and right, and is not the first one"):
        akin.evaluate({**shown, "side": ["left", "right", "left"]}, pairs)
    both = {"left_id": [1, 2], "right_id": [2, 3], "row": [0, 1], "cluster": [0, 0]}
    assert akin.evaluate(both, pairs).pairs == 2
    for side in ("Left", "", None):
        with pytest.raises(akin.InputError, match="pairs: row 1: side is .*; expected 'left' or 'right'"):
            akin.evaluate({"side": ["right", side], "id": [1, 1], "cluster": [0, 0]}, pairs)


@pytest.mark.parametrize("rows", [(2, 0), (0, 2), (0, 0)])
def test_an_empty_table_is_one_of_two(rows, tmp_path):
    left, right = ({"id": ["1", "2"][:count], "name": ["a", "a"][:count]} for count in rows)
    found = akin.link(left, right, "name:exact", all_pairs=True, threshold=1, id="id")
    for each in (found, pickle.loads(pickle.dumps(found)), found[:0]):
        assert each.of_two and each.rows == rows
        assert each.clusters.columns[:4] == ("side", "row", "id", "cluster")
        assert akin.components(each).columns[0] == akin.components(each, each.rows).columns[0] == "side"
        with pytest.raises(TypeError, match="pairs of two tables"):
            each.keep
    if sum(rows):
        assert akin.evaluate(found.clusters, [("1", "1")], linked=True).pairs == 0
    job = tmp_path / "job.json"
    found.save_job(job)
    out = tmp_path / "clusters.csv"
    akin.run({**found.job, "output": str(out)}, left, right)
    assert out.read_text().startswith("side,id,cluster,size,representative_side,representative\n")


def test_evaluate_files_and_joins(addresses, tmp_path):
    pairs = akin.join(addresses, jaccard=0.6)
    path = tmp_path / "gold.csv"
    path.write_text("a,b,why\n" + "".join(f"{b},{a},\n" for a, b, *_ in list(pairs)[::2]))
    found = akin.evaluate(pairs, path)
    assert found.recall == 1 and found.gold == (len(pairs) + 1) // 2 and found.pairs == len(pairs)
    with pytest.raises(akin.OptionError):
        akin.evaluate(pairs, {"a": ["1"]})


def test_ids_that_have_nothing_in_common():
    found = [("a1", "a2"), ("a3", "a4")]
    with pytest.raises(
        akin.InputError,
        match="no id in common: ids of the pairs are like 'a1', 'a3', those of the gold pairs like '1', '3'"
    ):
        akin.evaluate(found, [(1, 2), (3, 4)])
    with pytest.raises(akin.InputError, match="left and right of the gold pairs are swapped"):
        akin.evaluate(found, [("a2", "a1")], linked=True)
    with pytest.raises(akin.InputError, match="no right id in common"):
        akin.evaluate(found, [("a1", "b2")], linked=True)
    with pytest.warns(akin.ResultWarning, match="the first pair is 'a1', 'a2', the first gold pair 'a1', 'a3'$"):
        assert akin.evaluate(found, [("a1", "a3")]).both == 0  # of the same ids
    assert akin.evaluate([], [("x", "y")]).recall == 0


def test_no_pair_in_common_warns():
    """Row numbers in place of ids, and clusters without a column of that name."""
    people = {"id": ["2", "3", "0", "1"], "name": ["anna", "anna", "bert", "bert"]}
    gold = [("2", "3"), ("0", "2")]
    rules = {"compare": "name:jaro", "all_pairs": True, "threshold": 0.9}
    advice = "no pair in common.*; left and right of the pairs are row numbers: give id=$"
    wrong = [("0", "2"), ("1", "3")]
    with pytest.warns(akin.ResultWarning, match=advice):
        found = akin.dedupe(people, gold=wrong, **rules)
    assert found.evaluation.both == 0
    for evaluate in (akin.evaluate, akin.evaluate_curve):
        with pytest.warns(akin.ResultWarning, match=advice):
            evaluate(found, wrong)
    assert akin.dedupe(people, gold=gold, id="id", **rules).evaluation.both == 1  # and no warning
    named = akin.dedupe(people, id="id", **rules)
    with pytest.warns(akin.ResultWarning, match="the gold pairs are read from 'id' and 'class'; a table of clusters"):
        akin.evaluate(named, {"id": ["0", "1", "2", "3"], "class": ["x", "x", "y", "y"]})
    assert akin.evaluate(named, {"id": ["0", "1", "2", "3"], "cluster": ["x", "x", "y", "y"]}).f1 == 1


def test_swapped_columns_of_overlapping_ids():
    count = 12
    left, right = ({"name": [f"n{(i + shift) % count}" for i in range(count)]} for shift in (0, 1))
    found = akin.link(left, right, "name:exact", all_pairs=True, threshold=1)
    gold = list(zip(found["left"], found["right"], strict=True))
    swapped = [(b, a) for a, b in gold]
    assert akin.evaluate(found, gold).f1 == 1
    message = "left and right of the gold pairs seem swapped: 0 of 12 gold pairs are found, and 12 after a swap"
    for evaluate in (akin.evaluate, akin.evaluate_curve):
        with pytest.raises(akin.InputError, match=message):
            evaluate(found, swapped)
    with pytest.warns(akin.ResultWarning, match=message):  # what was found is not lost
        linked = akin.link(left, right, "name:exact", all_pairs=True, threshold=1, gold=swapped)
    assert linked.evaluation.both == 0 and len(linked) == count
    with pytest.warns(akin.ResultWarning, match="seem swapped: 0 of 5"):
        akin.evaluate(gold[:5], swapped[:5], linked=True)


def test_a_result_knows_whether_it_is_linked():
    left, right = {"name": ["red", "blue", "green"]}, {"name": ["blue", "red", "pink"]}
    found = akin.link(left, right, "name:exact", all_pairs=True, threshold=1)
    gold = [(0, 1), (1, 0), (2, 2)]  # of one table (1, 0) would be (0, 1), and (2, 2) no pair
    assert akin.evaluate(found, gold) == akin.evaluate(found, gold, linked=True)
    assert akin.evaluate(found, gold)[3:] == (2, 3, 2) and akin.evaluate(found, gold, linked=False)[3:] == (1, 1, 1)
    assert akin.evaluate(list(found), gold) == akin.evaluate(found, gold, linked=False)
    curve = akin.evaluate_curve(found, gold)
    assert curve == akin.evaluate_curve(found, gold, linked=True) != akin.evaluate_curve(found, gold, linked=False)
    assert akin.evaluate(akin.join(left, right, on="name", jaccard=1), gold)[3:] == (2, 3, 2)
    assert akin.evaluate(akin.join(left["name"] * 2, jaccard=1), [(3, 0)]).both == 1  # of one table


def test_clusters_are_called_by_ids():
    left = {"key": ["x1", "x2", "x3"], "name": ["red boats", "red boats", "blue"]}
    right = {"key": ["y1", "y2"], "name": ["blue", "green"]}
    columns = ("row", "id", "cluster", "size", "representative", "representative_id")
    for found in (
        akin.join(left, on="name", id="key", jaccard=0.9),
        akin.dedupe(left, "name:exact", all_pairs=True, id="key", threshold=1),
        akin.strings.cdist_sparse(left, on="name", id="key", scorer="levenshtein", distance=0),
    ):
        for pairs in (found, pickle.loads(pickle.dumps(found))):
            assert pairs.clusters.columns == columns
            assert list(pairs.clusters["id"]) == ["x1", "x2", "x3"] and list(pairs.clusters["representative_id"]) == [
                "x1", "x1", "x3"
            ]
            assert akin.components(pairs, clusters_of=2)["id"] == ["x1", "x2"]
            assert akin.components(pairs, rows=7).columns == ("row", "cluster", "size", "representative")
    found = akin.link(left, right, "name:exact", all_pairs=True, id="key", threshold=1)
    for pairs in (found, pickle.loads(pickle.dumps(found))):
        assert list(pairs.clusters["id"]) == ["x1", "x2", "x3", "y1", "y2"]
        assert list(pairs.clusters["representative_id"]) == ["x1", "x2", "x3", "x3", "y2"]
    assert akin.join(left["name"], jaccard=0.9).clusters.columns == ("row", "cluster", "size", "representative")
