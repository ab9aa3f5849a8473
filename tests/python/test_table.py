"""Tables in and out: pyarrow, pandas, Polars, DuckDB, NumPy; pickles, pictures."""

import multiprocessing
import pickle

import pytest

import akin

pa = pytest.importorskip("pyarrow")

TEXTS = ["north river", None, "north river", "", "östliche Straße 12", "north rivers and more than twelve bytes", None]
EXPECTED = akin.join(TEXTS, tokens="qgrams:2", jaccard=0.3)


def test_an_unnamed_index_is_no_column():
    """The index of a frame is a column if it has a name."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"name": ["red wine", "wine red"]}, index=[7, 9])
    with pytest.raises(akin.OptionError, match=r"the columns are: 'name'$"):
        akin.join(frame, on="number", jaccard=0.5)
    assert len(akin.join(frame, on="name", jaccard=0.5)) == 1
    assert akin.join(frame.rename_axis("id"), on="name", id="id", jaccard=0.5)["right_id"] == [9]


def joined(data, **arguments):
    return akin.join(data, tokens="qgrams:2", jaccard=0.3, **arguments)


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_pyarrow(kind):
    types = {"string": pa.string(), "large_string": pa.large_string(), "string_view": pa.string_view()}
    array = pa.array(TEXTS, types.get(kind, pa.string()))
    if kind == "dictionary":
        array = array.dictionary_encode()
    assert joined(array) == EXPECTED
    assert joined(pa.chunked_array([array])) == EXPECTED
    assert joined(pa.table({"other": range(7), "text": array}), on="text") == EXPECTED
    assert joined(pa.record_batch({"text": array})) == EXPECTED
    pieces = [array.slice(0, 2), array.slice(2, 0), array.slice(2, 3), array.slice(5)]
    assert joined(pa.chunked_array(pieces)) == EXPECTED
    shifted = pa.array(["junk", None, "junk"] + TEXTS, array.type if kind != "dictionary" else pa.string())
    assert joined(shifted.slice(3)) == EXPECTED
    assert joined(pa.table({"text": shifted}).slice(3)) == EXPECTED
    assert joined(pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), iter([]))).shape == (0, 4)


def test_numbers_become_text():
    table = pa.table({"zip": pa.array([10115, None, 10115], pa.int32()), "text": ["a", "a", "b"]})
    assert list(akin.join(table, on="zip", jaccard=1)) == [(0, 2, 1, 1.0)]
    assert list(akin.join(table.set_column(0, "zip", table["zip"].cast(pa.decimal128(12, 2))), on="zip", jaccard=1))
    with pytest.raises(akin.InputError, match=r"column 'zip': its type is binary"):
        akin.join(pa.table({"zip": pa.array([b"1"])}), jaccard=1)


def test_parquet_and_feather(tmp_path):
    import pyarrow.feather
    import pyarrow.parquet

    table = pa.table({"n": range(7), "text": TEXTS})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    pyarrow.feather.write_feather(table, tmp_path / "t.feather")
    assert joined(tmp_path / "t.parquet", on="text") == EXPECTED
    assert joined(tmp_path / "t.feather", on="text") == EXPECTED


def test_nested_columns_are_refused_by_name():
    types = {
        "struct": pa.array([{"a": 1}]),
        "list": pa.array([[1]]),
        "map": pa.array([[("a", 1)]], pa.map_("string", "int8")),
    }
    for name, array in types.items():
        with pytest.raises(akin.InputError, match=f"column 'x': its type is {name} .*cast it to text"):
            joined(pa.table({"x": array, "text": ["a text"]}), on="x")
        assert len(joined(pa.table({"x": array, "text": ["a text"]}), on="text")) == 0


def test_pandas():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"n": range(7), "text": TEXTS})
    assert joined(frame, on="text") == EXPECTED
    assert joined(frame["text"]) == EXPECTED
    assert joined(frame.astype({"text": "category"}), on="text") == EXPECTED
    assert joined(frame.iloc[[0, 1, 2, 3, 4, 5, 6]], on="text") == EXPECTED
    twice = pd.concat([frame, frame], keys=["a", "b"])  # whose rows are called otherwise, and in chunks
    assert joined(twice.loc["b"], on="text") == EXPECTED
    for some in (twice.iloc[7:], frame[frame["n"] >= 0], frame.set_index("n")):
        assert joined(some[["text"]]) == joined(some["text"]) == EXPECTED  # an index is no column
    assert joined(frame["text"].astype("string[pyarrow]")) == joined(frame["text"].astype("category")) == EXPECTED
    missing = frame["text"].where(frame["n"] != 2, float("nan"))
    assert joined(missing) == joined([None if i == 2 else text for i, text in enumerate(TEXTS)])
    back = EXPECTED.to_pandas()
    assert list(back.columns) == list(EXPECTED.columns)
    assert list(back.itertuples(index=False, name=None)) == list(EXPECTED)


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"n": range(7), "text": TEXTS})
    assert joined(frame, on="text") == EXPECTED
    assert joined(frame["text"]) == EXPECTED
    assert joined(frame.with_columns(pl.col("text").cast(pl.Categorical)), on="text") == EXPECTED
    assert EXPECTED.to_polars().rows() == list(EXPECTED)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    table = pa.table({"text": TEXTS})  # noqa: F841 - DuckDB finds it by its name
    found = joined(duckdb.sql("select text from \"table\""))
    assert found == EXPECTED
    result = EXPECTED  # noqa: F841
    assert duckdb.sql("select * from result order by 1, 2").fetchall() == list(EXPECTED)


def test_nulls_and_booleans_there_and_back():
    people = {"name": ["Ann", "Ann", "Anne", None], "city": ["Ulm", None, "Ulm", "Ulm"]}
    skipped = akin.dedupe(people, ["name:levenshtein", "city:exact"], all_pairs=True, threshold=0.5, missing="skip")
    certified = akin.Index.build(["ab", "abc"], kind="strings").search(["ab", "b"], k=2)
    empty = akin.dedupe(people, "name:exact", block="city", threshold=1)
    assert None in skipped["city"] and len(skipped) and set(certified["certificate"]) == {"by scan"} and len(empty) == 0
    gold = [(0, 2), (1, 2)]
    for result in (skipped, certified, empty):
        rows = list(result)
        arrow = result.to_pyarrow()
        assert [tuple(row.values()) for row in arrow.to_pylist()] == rows
        forms = [arrow]
        try:
            forms.append(result.to_polars())
            assert forms[-1].rows() == rows
        except ImportError:
            pass
        try:
            forms.append(result.to_pandas())
            assert [tuple(None if v != v else v for v in row) for row in forms[-1].itertuples(index=False)] == rows
        except ImportError:
            pass
        try:
            import duckdb

            forms.append(duckdb.sql("select * from result"))
            assert forms[-1].fetchall() == rows
            forms.append(duckdb.sql("select * from arrow"))
        except ImportError:
            pass
        if "left" in result.columns:
            for form in forms:
                assert akin.components(form, 4) == akin.components(result, 4)
                assert akin.evaluate(form, gold) == akin.evaluate(result, gold)


def test_slices_of_others():
    """Rows that a filter or a slice leaves, with whatever lies before and behind them."""
    chosen = [TEXTS[i] for i in (2, 4, 5)]
    expected = akin.bm25(chosen).table()
    table = pa.table({"n": range(7), "text": TEXTS}).combine_chunks()
    forms = [table.filter(pa.array([i in (2, 4, 5) for i in range(7)])), table.take(pa.array([2, 4, 5]))]
    try:
        import pandas as pd

        frame = table.to_pandas()
        forms += [frame.iloc[[2, 4, 5]], frame.loc[frame["n"].isin([2, 4, 5])]]
        forms.append(frame.convert_dtypes(dtype_backend="pyarrow").iloc[[2, 4, 5]])
        assert akin.Index.build(pd.DataFrame({"a": ["x", "y"]})[1:], kind="rows").search({"a": ["y"]})["count"] == [1]
    except ImportError:
        pass
    try:
        import polars as pl

        frame = pl.DataFrame(table)
        forms += [
            frame.filter(pl.col("n").is_in([2, 4, 5])), frame[[2, 4, 5]],
            pl.concat([frame[2:3], frame[4:6]], rechunk=False)
        ]
    except ImportError:
        pass
    try:
        import duckdb

        forms.append(duckdb.sql("select * from \"table\" where n in (2, 4, 5) order by n"))
        forms.append(duckdb.sql("select n, text::enum('x', 'north river', 'y') as text from \"table\" where n = 2"))
        assert akin.bm25(forms.pop(), on="text").vocabulary == ["north", "river"]
    except ImportError:
        pass
    for form in forms:
        assert akin.bm25(form, on="text").table() == expected


def test_columns_of_nulls():
    expected = [(0, 1, 0.5, 1.0, 0.0)]
    lists = {"a": ["x", "x"], "b": [None, None]}
    forms = [
        lists, {name: pa.array(column, pa.string()) for name, column in lists.items()},
        pa.table({"a": ["x", "x"], "b": pa.nulls(2)})
    ]
    try:
        import pandas as pd

        forms.append(pd.DataFrame(lists))
    except ImportError:
        pass
    try:
        import polars as pl

        forms.append(pl.DataFrame(lists))
    except ImportError:
        pass
    for form in forms:
        assert list(akin.dedupe(form, ["a:exact", "b:exact"], all_pairs=True, threshold=0.5)) == expected


def test_what_is_no_text():
    with pytest.raises(TypeError, match="row 1, column 'b': expected a str or None, got <class 'int'>"):
        akin.dedupe({"a": ["x", "y"], "b": ["z", 1]}, ["a:exact", "b:exact"], all_pairs=True)
    with pytest.raises(akin.InputError, match="row 1, column 'text': it has half of a surrogate pair"):
        akin.join(["x", "\udc80"], jaccard=1)


def test_numpy():
    np = pytest.importorskip("numpy")
    for name in EXPECTED.columns:
        array = np.asarray(EXPECTED.buffer(name))
        assert array.dtype == {"similarity": np.float64}.get(name, np.uint32)
        assert array.tolist() == EXPECTED[name]
        assert not array.flags.writeable
    array = np.asarray(akin.join(TEXTS, jaccard=0.3).buffer("left"))
    assert array.tolist() == [0]  # the table is gone, its values are not


def test_numbers_of_numpy():
    """As arguments: whole ones, and thresholds, which are the decimals that they print."""
    np = pytest.importorskip("numpy")
    expected = akin.join(TEXTS, tokens="qgrams:2", jaccard=0.3)
    for real in (np.float64, np.float32, np.float16):
        assert akin.join(
            TEXTS, tokens="qgrams:2", jaccard=real(0.3), threads=np.int64(1), memory=np.uint32(1 << 27)
        ) == expected
    assert akin.join(TEXTS, overlap=np.int64(2)) == akin.join(TEXTS, overlap=2)
    with pytest.raises(akin.OptionError, match="above 0"):
        akin.join(TEXTS, jaccard=np.float64("1e-30"))
    strings = akin.strings
    assert strings.cdist_sparse(TEXTS, cutoff=np.float64(0.9)) == strings.cdist_sparse(TEXTS, cutoff=0.9)
    found = strings.cdist_sparse(TEXTS, scorer="levenshtein", distance=np.int8(1))
    assert found == strings.cdist_sparse(TEXTS, scorer="levenshtein", distance=1) and len(found)
    rows = np.int64(len(TEXTS))
    assert akin.components(found, rows) == akin.components(found, len(TEXTS))
    assert akin.components(found, (rows, np.int32(7))) == akin.components(found, (7, 7))
    assert akin.bm25(TEXTS).rank("river", k=np.uint8(2)) == akin.bm25(TEXTS).rank("river", k=2)
    assert akin.Index.build(TEXTS).search("river", k=np.int64(2)) == akin.Index.build(TEXTS).search("river", k=2)
    people = {"name": TEXTS}
    asked = dict(compare=[("name", "exact", np.float32(0), np.float64(1))], block="name")
    found = akin.dedupe(people, **asked, threshold=np.float64(1), max_block=np.int64(5))
    assert found == akin.dedupe(people, "name:exact", block="name", threshold=1) and len(found)
    for wrong in (np.bool_(True), True, 1.5, "1", None):
        with pytest.raises((akin.OptionError, TypeError)):
            akin.bm25(TEXTS).rank("river", k=wrong)


def test_values():
    first = EXPECTED[0]
    assert first == dict(zip(EXPECTED.columns, next(iter(EXPECTED))))
    assert EXPECTED[-1] == EXPECTED[len(EXPECTED) - 1]
    assert EXPECTED.to_dict() == EXPECTED.to_pyarrow().to_pydict()
    assert EXPECTED.shape == (len(EXPECTED), 4)
    with pytest.raises(KeyError, match="there is no column 'middle'"):
        EXPECTED["middle"]
    with pytest.raises(IndexError):
        EXPECTED[len(EXPECTED)]
    with pytest.raises(TypeError):
        akin.Table([1])


def test_looks():
    many = akin.join(["same"] * 10, jaccard=1)
    text = repr(many).splitlines()
    assert text[0] == "akin.Table of 45 rows"
    assert text[1].split() == list(many.columns)
    assert len(text) == 13 and text[7].split() == ["..."] * 4
    page = many._repr_html_()
    assert page.count("<tr>") == 12 and "45 rows" in page
    assert repr(akin.join(["a"], jaccard=1)).startswith("akin.Table of 0 rows")


@pytest.mark.parametrize("hidden", "\n \x1b \x7f \x80 \x9b \u061c \u200e \u2028 \u2029 \u202e \u2066 \u2069".split(" "))
def test_terminals_are_not_controlled(hidden):
    left = {"id": [f"a{hidden}b"], "name": ["same"]}
    found = akin.join(left, {"id": ["c"], "name": ["same"]}, on="name", id="id", jaccard=1)
    assert found["left_id"][0] == f"a{hidden}b"
    assert "a b" in repr(found) and len(repr(found).splitlines()) == 3


def test_pickles():
    for table in (EXPECTED, akin.join(["a"], jaccard=1)):
        copy = pickle.loads(pickle.dumps(table))
        assert copy == table and list(copy) == list(table)
    rows, columns = EXPECTED._frame.state()
    name, kind, validity, data, text = columns[0]
    for broken in (
        (name, kind, validity, data[1:], text), (name, "?", validity, data, text), (name, kind, b"", data, text)
    ):
        with pytest.raises(ValueError, match="pickle"):
            akin._akin.from_state(akin._settings.settings(), (rows, (broken,)))


def _in_a_process(texts):
    return joined(texts, threads=2)


def test_processes():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_a_process, [TEXTS] * 4) == [EXPECTED] * 4


def test_messages_tell_what_was_expected():
    names = ["anna", "anne"]
    for call, error, match in (
        (lambda: akin.join(names, jaccard=0.5, memory=1e9), TypeError, "whole number of bytes"),
        (lambda: akin.join(names, jaccard=0.5, device_memory="0"), akin.OptionError, "above 0"),
        (lambda: akin.join(names, jaccard=0.5, tokens=None), TypeError, "tokens is None; expected a str"),
        (lambda: akin.join(names, jaccard=0.5, stop_words=["a", 1]), TypeError, "stop_words is 1; expected a str"),
        (lambda: akin.strings.cdist_sparse(names, distance=1), akin.OptionError, "distance is a number of edits"),
        (lambda: akin.strings.levenshtein("\ud800", "a"), akin.InputError, "surrogate"),
        (lambda: akin.components({"left": b"\0\0\0\0", "right": b"\1\0\0\0"}), TypeError, "row numbers, got bytes"),
        (lambda: akin.join(names, jaccard=0.5)[::2], TypeError, "a slice has step 2"),
    ):
        with pytest.raises(error, match=match):
            call()
    with pytest.raises(akin.OptionError, match="too large"):
        akin.join(names, jaccard=0.5, memory="99999999999999999999T")


def test_csv_for_spreadsheets(tmp_path):
    values = ["=1+1", "-1.5", "+3", "-a", "@b", "\tc", "\rd", 'e"=', "'f", "+1e5", '=say("x")']
    want = ["\"'=1+1\"", "-1.5", "+3", "\"'-a\"", "\"'@b\"", "\"'\tc\"", "\"'\rd\"", '"e""="', "'f", "+1e5"]
    want.append('"\'=say(""x"")"')
    left = {"id": values, "name": [str(i) for i in range(len(values))]}
    found = akin.join(left, {"id": ["z"] * 0 + [f"z{i}" for i in range(len(values))], "name": left["name"]}, on="name",
                      id="id", jaccard=1)  # fmt: skip
    found.save(tmp_path / "safe.csv", safe_csv=True)
    lines = (tmp_path / "safe.csv").read_bytes().decode().split("\n")[1:-1]
    assert all(any(word in line for line in lines) for word in want)
    assert not any(line.startswith(("=", "@", "-a")) for line in lines)
    for path, format in (("safe.tsv", None), ("safe.csv", "jsonl"), ("safe.parquet", None)):
        with pytest.raises(akin.OptionError, match="safe_csv"):
            found.save(tmp_path / path, format=format, safe_csv=True)
