"""Columns that stand beside results: show, and indexed."""

import csv

import pytest

import akin

WINES = {"id": ["a", "b", "c"], "name": ["red wine", "wine, red", "white bread"], "price": ["5", None, "2"]}
SHOP = {"code": ["x", "y"], "title": ["wine red", "brown bread"], "price": ["6", "3"]}


def test_pairs():
    for found in (
        akin.join(WINES, on="name", jaccard=0.9, show=["id", "price"]),
        akin.near_duplicates(WINES, "name", tokens="words", show=("id", "price")),
        akin.dedupe(WINES, "name:jaccard", all_pairs=True, threshold=0.9, show=["id", "price"]),
        akin.strings.cdist_sparse(WINES, on="name", cutoff=0.4, show=["id", "price"])[:1],
    ):
        assert found.columns[-4:] == ("left_id", "right_id", "left_price", "right_price")
        assert {name: found[0][name] for name in found.columns[-4:]} == {
            "left_id": "a", "right_id": "b", "left_price": "5", "right_price": None
        }
    plain = akin.join(WINES, on="name", jaccard=0.9)
    assert akin.join(WINES, on="name", jaccard=0.9, show=[]) == plain == akin.join(
        WINES, on="name", jaccard=0.9, show=None
    )
    named = akin.join(WINES, on="name", jaccard=0.9, id="id", show="price")
    assert named.columns == (
        "left", "right", "left_id", "right_id", "overlap", "similarity", "left_price", "right_price"
    )
    assert named.clusters["id"] == WINES["id"] and named.keep == [True, False, True]


def test_two_tables():
    how = dict(left_on="name", right_on="title")
    shown = ["id", "price", akin.sides("name", "title")]
    for found in (
        akin.join(WINES, SHOP, jaccard=0.9, show=shown, **how),
        akin.link(WINES, SHOP, "name:jaccard", all_pairs=True, threshold=0.9, show=shown, **how),
    ):
        assert found.columns[-5:] == ("left_id", "left_price", "right_price", "left_name", "right_title")
        assert [row[-5:] for row in found] == [
            ("a", "5", "6", "red wine", "wine red"), ("b", None, "6", "wine, red", "wine red")
        ]


def test_as_the_command(command, tmp_path):
    (tmp_path / "w.csv").write_text("id,name,price\na,red wine,5\nb,\"wine, red\",\nc,white bread,2\n")
    said = command(
        "join", "w.csv", "--on", "name", "--id", "id", "--jaccard", "0.3", "--show", "name,price", "-o", "-",
        "--format", "csv", folder=tmp_path
    )
    found = akin.join(tmp_path / "w.csv", on="name", id="id", jaccard=0.3, show=["name", "price"])
    rows = list(csv.DictReader(said.decode().splitlines()))
    names = ("left_name", "right_name", "left_price", "right_price")
    assert found.columns[6:] == names == tuple(rows[0])[3:] and len(rows) == len(found) == 1
    assert [[row[name] for name in names] for row in rows] == [list(line[6:]) for line in found]


def test_queries_of_a_list():
    """Texts are the column text."""
    words = ["house", "mouse"]
    index = akin.Index.build(words, kind="strings")
    for queries in (["hous"], ("hous",), "hous"):
        found = index.search(queries, 2, show="text", indexed=words)
        assert found["query_text"] == ["hous", "hous"] and found["document_text"] == words
        assert index.search(queries, 2, show="text").columns[-1] == "query_text"
    assert index.search(["hous"], 2, show="word", indexed={"word": words}).columns[-1] == "document_word"
    with pytest.raises(akin.OptionError, match="the queries have no columns"):
        index.search(["hous"], show="word")


def test_types():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({
        "name": ["b a", "a b"], "n": pa.array([None, -5], pa.int64()), "x": [0.1, 1e300],
        "s": pa.array([1.5, None], pa.float32()),
        "is": [True, False], "day": pa.array([0, 1], pa.date32()),
    })  # fmt: skip
    found = akin.join(table, on="name", jaccard=0.9, show=table.column_names[1:]).to_pyarrow()
    names = [name for name in found.column_names if name.startswith(("left_", "right_"))]
    assert {name: str(found.schema.field(name).type) for name in names if name.startswith("left_")} == {
        "left_n": "int64", "left_x": "double", "left_s": "double", "left_is": "bool", "left_day": "large_string",
    }  # fmt: skip
    assert found.select(names).to_pylist() == [{
        "left_n": None, "right_n": -5, "left_x": 0.1, "right_x": 1e300, "left_s": 1.5, "right_s": None, "left_is": True,
        "right_is": False,
        "left_day": "1970-01-01", "right_day": "1970-01-02",
    }]  # fmt: skip


def test_hits():
    index, asked = akin.Index.build(WINES, "name", id="id"), {"q": ["bread"], "who": ["me"]}
    found = index.search(asked, on="q", k=1, show=["who", "price"], indexed=WINES)
    assert found.to_dict() == {
        "query": [0], "object": [2], "id": ["c"], "count": [1], "query_who": ["me"], "document_price": ["2"],
    }  # fmt: skip
    assert index.search(asked, on="q", k=1, show="who")["query_who"] == ["me"]
    assert index.search("bread", k=1, show="price", indexed=WINES)["document_price"] == ["2"]
    for ranker in (akin.bm25(WINES, "name"), akin.Index.build(WINES, "name", kind="bm25")):
        ranked = ranker.rank(asked, on="q", k=1, show=["who", "name"], indexed=WINES)
        assert type(ranked) is akin.Ranking and ranked[0]["query_who"] == "me" and ranked[0][
            "document_name"
        ] == "white bread"
    vectors = akin.Index.build([[0.0, 1.0], [1.0, 0.0], [5.0, 5.0]], kind="vectors")
    assert vectors.search([[5.0, 5.0]], k=1, rerank=3, show="name", indexed=WINES)["document_name"] == ["white bread"]


INDEX = akin.Index.build(WINES["name"])


@pytest.mark.parametrize(
    "call,error,message",
    [
        (lambda: akin.join(WINES, on="name", jaccard=1, show="nam"), akin.OptionError, "no column 'nam'"),
        (lambda: akin.join(WINES, on="name", jaccard=1, show=5), TypeError, "show is 5; expected the name of a column"),
        (lambda: akin.join(WINES, on="name", jaccard=1, show=[5]), TypeError, r"show is \[5\]; expected"),
        (
            lambda: akin.join(WINES, on="name", jaccard=1, show=akin.sides("id", "name")), akin.OptionError,
            "there is one"
        ),
        (
            lambda: akin.join(WINES, on="name", jaccard=1, id="id", show="id"), akin.OptionError,
            "has a column 'left_id' already"
        ),
        (
            lambda: akin.join(WINES, on="name", jaccard=1, show=["id", "id"]), akin.OptionError,
            "has a column 'left_id' already"
        ),
        (lambda: akin.join([{1}], tokens="ids", jaccard=1, show="id"), akin.OptionError, "sets of numbers"),
        (lambda: INDEX.search("bread", show="name"), akin.OptionError, "expected indexed, the table that was indexed"),
        (lambda: INDEX.search("bread", indexed=WINES), akin.OptionError, "indexed: expected show"),
        (lambda: INDEX.search("bread", show="name", indexed=SHOP), akin.OptionError, "no column 'name'"),
        (lambda: INDEX.search("bread", show="title", indexed=SHOP), akin.InputError, "2 rows, and the index has 3"),
        (lambda: INDEX.search("bread", show=akin.sides("a", "b"), indexed=WINES), akin.OptionError, "of two tables"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
