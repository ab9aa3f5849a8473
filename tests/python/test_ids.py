"""Ids of integers come back as the integers that they were, with their type; other ids as text."""

import pickle

import pytest

import akin

pa = pytest.importorskip("pyarrow")

NAMES = ["red wine", "wine, red", "white bread"]
IDS = [300, 7, 12]
# The type that ids have in results, by the type of their column.
TYPES = {
    "int8": "int32", "int16": "int32", "int32": "int32", "int64": "int64",
    "uint8": "uint32", "uint16": "uint32", "uint32": "uint32", "uint64": "uint64",
    "string": "large_string", "large_string": "large_string", "date32": "large_string",
}  # fmt: skip


def table_of(kind, ids=IDS):
    small = [value % 100 for value in ids]
    values = {"string": list(map(str, small)), "large_string": list(map(str, small))}.get(kind, small)
    return pa.table({"id": pa.array(values, getattr(pa, kind)()), "name": NAMES})


def types_of(found, *names):
    made = found.to_pyarrow()
    return [str(made.schema.field(name).type) for name in names]


@pytest.mark.parametrize("kind", TYPES)
def test_types(kind):
    table, expected = table_of(kind), TYPES[kind]
    ids = [value.as_py() if expected != "large_string" else str(value.as_py()) for value in table["id"]]
    for found in (
        akin.join(table, on="name", id="id", jaccard=0.9),
        akin.near_duplicates(table, "name", id="id", tokens="words"),
        akin.dedupe(table, "name:jaccard", all_pairs=True, threshold=0.9, id="id"),
        akin.strings.cdist_sparse(table, on="name", id="id", cutoff=0.5, top=1),
        akin.link(table, table, "name:jaccard", all_pairs=True, threshold=0.9, id="id"),
    ):
        for each in (found, pickle.loads(pickle.dumps(found))):
            assert types_of(each, "left_id", "right_id") == [expected] * 2
            assert each["left_id"] == [ids[row] for row in each["left"]] and each["right_id"] == [
                ids[row] for row in each["right"]
            ]
            clusters = each.clusters
            assert types_of(clusters, "id", "representative_id") == [expected] * 2
            assert clusters["id"] == ids * (2 if each.rows[1] else 1)
    index = akin.Index.build(table, "name", id="id")
    for each in (index, pickle.loads(pickle.dumps(index)), index.append(table_of(kind, [1, 2, 3]), "name", id="id")):
        found = each.search(table, on="name", id="id", k=1)
        assert types_of(found, "query_id", "id") == [expected] * 2 and found["query_id"] == ids
        assert found["id"][2] == ids[2]
    weighed = akin.bm25(table, "name", id="id")
    for each in (weighed, pickle.loads(pickle.dumps(weighed)), akin.Index.build(table, "name", id="id", kind="bm25")):
        ranked = each.rank(table, on="name", id="id", k=1)
        assert types_of(ranked, "query_id", "document_id") == [expected] * 2 and ranked["document_id"][2] == ids[2]


def test_extremes():
    for kind, values in (
        ("int64", [-(2**63), 2**63 - 1, 0]), ("uint64", [2**64 - 1, 0, 1]), ("int32", [-(2**31), 2**31 - 1, 0])
    ):
        table = pa.table({"id": pa.array(values, getattr(pa, kind)()), "name": NAMES})
        found = akin.join(table, on="name", id="id", jaccard=0.9)
        assert (found["left_id"], found["right_id"]) == ([values[0]], [values[1]])
        assert found["left_id"].to_numpy().dtype == kind and memoryview(found.buffer("left_id"))[0] == values[0]
        assert found["left_id"].to_pyarrow().type == getattr(pa, kind)()
        assert found.clusters["id"] == values


def test_two_tables():
    whole, text = table_of("int64"), table_of("string", [1, 2, 3])
    found = akin.link(whole, text, "name:jaccard", all_pairs=True, threshold=0.9, id="id")
    assert types_of(found, "left_id", "right_id") == ["int64", "large_string"]
    assert types_of(found.clusters, "id") == ["large_string"] and found.clusters["id"] == [
        "0", "7", "12", "1", "2", "3"
    ]
    # rows of a table without ids have their numbers
    found = akin.join(whole, NAMES, left_on="name", left_id="id", jaccard=0.9)
    assert types_of(found, "left_id", "right_id") == ["int64", "uint32"] and found["right_id"] == found["right"]


def test_files_and_saved_indexes(tmp_path):
    (tmp_path / "t.csv").write_text("id,name\n1,red wine\n2,wine red\n")
    found = akin.join(tmp_path / "t.csv", on="name", id="id", jaccard=0.9)
    assert found["left_id"] == ["1"]  # a file has text alone
    akin.Index.build(table_of("int64"), "name", id="id").save(tmp_path / "t.akin")
    assert akin.Index.open(tmp_path / "t.akin").search("bread", k=1)["id"] == ["12"]


def test_merges():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame({"id": IDS, "name": NAMES, "price": [5.5, 6.0, 1.0]})
    found = akin.join(frame, on="name", id="id", jaccard=0.9)
    merged = found.to_pandas().merge(frame, left_on="left_id", right_on="id")
    assert merged["price"].tolist() == [5.5]
    assert found.clusters.to_pandas().merge(frame, on="id")["cluster"].tolist() == [0, 0, 1]
    other = polars.from_pandas(frame)
    found = akin.join(other, on="name", id="id", jaccard=0.9)
    assert found.to_polars().join(other, left_on="right_id", right_on="id")["price"].to_list() == [6.0]
    assert akin.evaluate(found, [(300, 7)]).f1 == 1
    assert akin.dedupe(
        other, "name:jaccard", all_pairs=True, threshold=0.9, id="id", gold=[("300", "7")]
    ).evaluation.f1 == 1
