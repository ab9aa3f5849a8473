"""Columns, masks and slices of results: as lists, and as other packages take them."""

import pickle

import pytest

import akin

TEXTS = ["red wine", "wine, red", "white wine", None, "wine white"]
PAIRS = akin.join(TEXTS, jaccard=0.3)
ROWS = [tuple(row) for row in PAIRS]


def test_as_lists():
    left = PAIRS["left"]
    assert left == [row[0] for row in ROWS] == left.tolist() and left == PAIRS["left"] and not left == PAIRS["right"]
    assert left != left.tolist()[:-1] and left != left.tolist() + [1]
    assert (left[0], left[-1], len(left)) == (ROWS[0][0], ROWS[-1][0], len(ROWS))
    assert left[1:3] == [
        row[0] for row in ROWS[1:3]
    ] and left[1:][1:][0] == ROWS[2][0] and left[::-1] == left.tolist()[::-1]
    assert left[3:1] == [] and len(left[100:]) == 0
    for row in (len(ROWS), -len(ROWS) - 1):
        with pytest.raises(IndexError):
            left[row]
    assert repr(left) == repr(left.tolist())
    assert pickle.loads(pickle.dumps(left[1:])) == left[1:]
    assert 5 not in left and max(left) == max(left.tolist()) and sum(left) == sum(left.tolist())


def test_long_columns():
    column = akin.components([(0, 9999)])["cluster"]
    assert (
        repr(column) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..., 9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 0] "
                        "(10,000 values)"
    )
    assert list(column) == column.tolist() == [*range(9999), 0] and list(column[4000:9000]) == [*range(4000, 9000)]


@pytest.mark.parametrize("part", [slice(None), slice(1, 3), slice(2, 2)])
def test_slices_of_tables(part):
    table = PAIRS[part]
    assert type(table) is akin.Pairs and [tuple(row) for row in table] == ROWS[part] and table.columns == PAIRS.columns
    named = akin.join({"id": ["a", "\u00e9", "c", "d", "e"], "t": TEXTS}, on="t", id="id", jaccard=0.3)
    assert [row for row in named[part]] == [row for row in named][part]
    curve = akin.evaluate_curve({"left": [1, 2], "right": [2, 3], "similarity": [0.5, None]}, [(1, 2)])
    assert [row for row in curve[part]] == [row for row in curve][part]


def test_nulls_and_bools():
    found = akin.dedupe(
        {"a": ["x", "x", None, "y"], "b": ["1", "1", "1", "1"]}, ["a:exact", "b:exact"], all_pairs=True, threshold=0.5,
        missing="skip"
    )
    assert None in found["a"] and [row["a"] for row in map(found.__getitem__, range(len(found)))] == found["a"]
    for start in range(len(found)):
        assert found[start:]["a"] == found["a"].tolist()[start:]
    np = pytest.importorskip("numpy")
    assert [None if np.isnan(value) else value for value in np.asarray(found["a"])] == found["a"]
    pa = pytest.importorskip("pyarrow")
    for start in range(len(found)):
        assert pa.array(found["a"][start:]).to_pylist() == found["a"].tolist()[start:]
        assert pa.array(found["a"][start:]).null_count == found["a"].tolist()[start:].count(None)


def test_numpy():
    np = pytest.importorskip("numpy")
    rights = np.asarray(PAIRS["right"])
    assert rights.dtype == np.uint32 and rights.tolist() == PAIRS["right"] and np.shares_memory(
        rights, np.asarray(PAIRS["right"])
    )
    assert np.asarray(PAIRS["right"][1:3]).tolist() == PAIRS["right"][1:3] and np.array(
        PAIRS["right"], dtype=float
    ).sum() == sum(rights)
    assert np.arange(len(TEXTS))[~np.asarray(PAIRS.keep)].tolist() == [
        i for i, stays in enumerate(PAIRS.keep) if not stays
    ]


def test_pyarrow():
    pa = pytest.importorskip("pyarrow")
    for name in PAIRS.columns:
        array = pa.array(PAIRS[name])
        array.validate(full=True)
        assert array.to_pylist() == PAIRS[name] and pa.array(PAIRS[name][1:3]).to_pylist() == PAIRS[name][1:3]
    mask = pa.array(~PAIRS.keep)
    mask.validate(full=True)
    assert mask.type == pa.bool_() and mask.to_pylist() == ~PAIRS.keep
    array = pa.array(akin.join({"id": list("abcde"), "t": TEXTS}, on="t", id="id", jaccard=0.3)["left_id"])
    assert array.to_pylist() == [list("abcde")[row[0]] for row in ROWS]  # the table is gone, its values are not


def test_pandas():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": TEXTS}, index=list("vwxyz"))
    kept, left = frame[PAIRS.keep], frame[~PAIRS.keep]
    assert len(kept) + len(left) == len(frame) and left["text"].tolist() == ["wine, red", "white wine", "wine white"]
    assert frame.loc[~PAIRS.keep].equals(left)
    frame["cluster"] = PAIRS.clusters["cluster"]
    frame["keep"] = PAIRS.keep
    assert frame["cluster"].tolist() == PAIRS.clusters["cluster"] and frame["keep"].tolist() == PAIRS.keep
    assert pd.Series(PAIRS["similarity"]).tolist() == PAIRS["similarity"]


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"text": TEXTS})
    assert frame.filter(~PAIRS.keep)["text"].to_list() == ["wine, red", "white wine", "wine white"]
    assert pl.Series(PAIRS["similarity"]).to_list() == PAIRS["similarity"] and pl.Series(
        PAIRS["left"]
    ).dtype == pl.UInt32
    assert pl.Series(PAIRS.keep).dtype == pl.Boolean
    assert frame.with_columns(cluster=pl.Series(PAIRS.clusters["cluster"])).height == len(TEXTS)


def test_columns_are_inputs():
    named = akin.join({"id": list("abcde"), "t": TEXTS}, on="t", id="id", jaccard=0.3)
    assert akin.join(named["left_id"], jaccard=1).rows == (len(ROWS), 0)
    pairs = {"left": PAIRS["left"], "right": PAIRS["right"]}
    assert akin.components(pairs, rows=len(TEXTS)) == PAIRS.clusters


def test_saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, expected in (
        ("t.csv", "left,right,overlap,similarity\n0,1,2,1.0\n"),
        ("t.jsonl", '{"left":0,"right":1,"overlap":2,"similarity":1.0}\n')
    ):
        PAIRS.head(1).save(name)
        assert (tmp_path / name).read_text() == expected
    PAIRS.save("t.txt", format="tsv")
    assert (tmp_path / "t.txt").read_text().splitlines()[0] == "left\tright\toverlap\tsimilarity"
    with pytest.raises(akin.OptionError, match="not compressed"):
        PAIRS.save("t.csv.gz")
    with pytest.raises(akin.OptionError, match="expected csv, tsv or jsonl"):
        PAIRS.save("t.csv", format="parquet")
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    PAIRS.save("t.parquet")
    PAIRS.save("t.arrow")
    read = parquet.read_table("t.parquet").to_pylist()
    assert read == feather.read_table("t.arrow").to_pylist() == pa.table(PAIRS).to_pylist()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.arrow", "t.csv", "t.jsonl", "t.parquet", "t.txt"]


def test_old_names():
    found = akin.dedupe({"a": ["x", "x"]}, "a:exact", all_pairs=True)
    assert found.report is None and found.stats["pairs_found"] == 1
    with pytest.raises(AttributeError, match="^Duplicates has no attribute 'page': the page is in .report$"):
        found.page
    with pytest.raises(AttributeError, match="^Pairs has no attribute 'report': what the job did is in .stats$"):
        PAIRS.report
    assert not hasattr(PAIRS, "nothing")


def test_slices_keep_their_type():
    table = {"t": ["a b", "a b", "c", "c"], "id": ["k", "l", "m", "n"]}
    found = akin.dedupe(table, "t:jaccard", all_pairs=True, id="id", gold=[("k", "l")], threshold=1)
    part = found[:1]
    assert type(part) is type(found.head(1)) is akin.Duplicates and part.rows == found.rows and part.job == found.job
    assert part.keep == [True, False, True, True] and found.keep == [True, False, True, False]
    assert part.clusters["id"] == ["k", "l", "m", "n"] and part.evaluation is part.report is part.stats is None
    assert pickle.loads(pickle.dumps(part)).keep == part.keep
    linked = akin.link(table, table, "t:jaccard", all_pairs=True, id="id", threshold=1)
    assert akin.evaluate(linked[:2], [("k", "l")]) == akin.evaluate(linked[:2], [("k", "l")], linked=True)


def test_rows_have_names():
    row = next(iter(PAIRS))
    assert row == ROWS[0] and (row.left, row.similarity) == (ROWS[0][0], ROWS[0][3])
    assert row._fields == PAIRS.columns and repr(row) == repr(tuple(row))
    assert type(pickle.loads(pickle.dumps(row))) is tuple
    sided = akin.link({"a b": ["x"]}, {"def": ["x"]}, [(akin.sides("a b", "def"), "exact")], all_pairs=True)
    assert next(iter(sided))._fields == sided.columns == ("left", "right", "similarity", "a b=def")
    pd = pytest.importorskip("pandas")
    assert list(pd.DataFrame(sided).columns) == [*sided.columns]
    frame = pd.DataFrame(PAIRS)
    assert list(frame.columns) == [*PAIRS.columns] and frame["similarity"].tolist() == PAIRS["similarity"]


def test_masks_combine():
    keep = akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).keep
    other = [True, True, False]
    assert (keep & other, keep | other, keep ^ other) == (
        [True, False, False], [True, True, True], [False, True, True]
    )
    assert other & keep == keep & other and type(keep & keep) is akin.Mask
    assert (keep.sum(), keep.any(), keep.all()) == (2, True, False)
    assert not (keep & ~keep).any() and (keep | ~keep).all()
    with pytest.raises(ValueError, match="masks of 3 and of 1 rows"):
        keep & [True]
    with pytest.raises(TypeError):
        keep & 1


def test_masks_combine_with_those_of_others():
    keep = akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).keep
    np = pytest.importorskip("numpy")
    values = np.array([1, 9, 7])
    assert np.asarray(keep).dtype == bool and np.sum(keep) == 2 and np.all(keep) == False  # noqa: E712
    for both in (keep & (values > 5), (values > 5) & keep):
        assert type(both) is np.ndarray and both.tolist() == [False, False, True]
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": values}, index=["p", "q", "r"])
    for both in (keep & (frame.x > 5), (frame.x > 5) & keep):
        assert type(both) is pd.Series and frame[both].x.tolist() == [7]
    assert (~keep | (frame.x > 8)).tolist() == ((frame.x > 8) | ~keep).tolist() == [False, True, False]
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": values})
    assert frame.filter(keep & (frame["x"] > 5))["x"].to_list() == [7]
    assert frame.filter(keep & (pl.col("x") > 5))["x"].to_list() == [7]


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: PAIRS[["left", "right"]], TypeError, "the key of a table is a list; expected .* to_pandas"),
        (lambda: PAIRS["similarity"] > 0.5, TypeError, r"expected to_numpy\(\) > 0.5, say, or a data frame"),
        (lambda: PAIRS.to_csv("x.csv"), AttributeError, r"no attribute 'to_csv': save\(PATH\) writes CSV"),
        (lambda: PAIRS["left"].sum(), AttributeError, r"no attribute 'sum': to_numpy\(\) makes an array"),
        (lambda: akin.bm25(["a b"]).search("a"), AttributeError, r"no attribute 'search': rank\(queries, k=10\)"),
    ],
)
def test_what_data_frames_have(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_a_column_of_mixed_types_is_refused_with_its_row():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"n": [1, 2, 3], "t": ["a", None, 1]})
    with pytest.raises(akin.InputError, match="column 't', row 2: 1 is of type int, and the values before are of "):
        akin.join(frame, on="t", jaccard=0.5)


def test_frames_of_an_old_pandas(monkeypatch):
    """Such a frame iterates over the names of its columns, which are no texts to join."""
    pd = pytest.importorskip("pandas")
    monkeypatch.delattr(pd.DataFrame, "__arrow_c_stream__", raising=False)
    with pytest.raises(TypeError, match="pandas .*no Arrow interface; expected pandas 2.2 or later"):
        akin.join(pd.DataFrame({"red wine": ["a"], "wine, red": ["b"]}), jaccard=0.3)
