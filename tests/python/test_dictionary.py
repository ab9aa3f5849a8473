"""Dictionaries against the order of their words, and evaluations at every threshold and of rankings."""

import random

import pytest

import akin


@pytest.mark.parametrize("kind", ["chunks", "rrr", "stt"])
def test_words(kind, tmp_path):
    draw = random.Random(4)
    words = ["".join(draw.choices("abcä", k=draw.randint(0, 6))) for _ in range(400)]
    made = akin.Dictionary.build([*words, None, "only"], kind=kind)
    expected = sorted({*words, "only"}, key=lambda word: word.encode()[::-1])
    assert len(made) == len(expected) == made.about["words"] and made.about["kind"] == kind
    assert [made.word(i) for i in range(len(made))] == expected
    assert [made[word] for word in expected] == list(range(len(made)))
    made.save(tmp_path / "words.akin")
    for one in (made, akin.Dictionary.open(tmp_path / "words.akin")):
        ids = one.look_up([*words, None, "never"], threads=2)["id"]
        assert ids == [expected.index(word) for word in words] + [None, None]
    assert "only" in made and "never" not in made and 3 not in made
    assert repr(made) == f"akin.Dictionary of {len(expected):,} words"


def test_refused(tmp_path):
    made = akin.Dictionary.build({"word": ["a"], "more": ["b"]}, on="word")
    with pytest.raises(KeyError):
        made["b"]
    for id in (1, -1, 2**40):
        with pytest.raises(IndexError, match=f"no id {id}"):
            made.word(id)
    assert "\ud800" not in made and list(made) == ["a"]
    with pytest.raises(TypeError, match="expected a word"):
        made[0]
    with pytest.raises(akin.OptionError, match="chunks"):
        akin.Dictionary.build(["a"], kind="magic")
    with pytest.raises(FileNotFoundError):
        akin.Dictionary.open(tmp_path / "none.akin")
    (tmp_path / "text.akin").write_text("no dictionary")
    with pytest.raises(akin.InputError):
        akin.Dictionary.open(tmp_path / "text.akin")
    with pytest.raises(TypeError):
        akin.Dictionary(None, ())


def test_curve(tmp_path):
    pairs = {"left": [0, 0, 1, 2], "right": [1, 2, 2, 3], "similarity": [0.95, 0.5, 0.755, None]}
    gold = [(0, 1), (1, 2), (4, 5)]
    curve = akin.evaluate_curve(pairs, gold)
    assert len(curve) == 101 and curve["threshold"][50] == 0.5
    for i in (0, 50, 51, 75, 76, 95, 96, 100):
        row = curve[i]
        reached = [(a, b) for a, b, s in zip(*pairs.values(), strict=True) if s is not None and s >= i / 100]
        assert (row["precision"], row["recall"], row["f1"], row["pairs"]) == akin.evaluate(reached, gold)[:4]
    found = akin.join(["a b c", "a b c", "a b d"], jaccard=0.2)
    told = akin.evaluate_curve(found, [(0, 1)])
    assert told["precision"][100] == 1 and told["precision"][0] == pytest.approx(1 / 3)
    (tmp_path / "pairs.csv").write_text("x,y,score\n0,1,1\n0,2,.5\n")
    assert akin.evaluate_curve(tmp_path / "pairs.csv", [(0, 1)], similarity="score")["pairs"][51] == 1
    with pytest.raises(TypeError, match="column of similarities"):
        akin.evaluate_curve([(0, 1)], gold)
    with pytest.raises(akin.InputError, match="'similarity'"):
        akin.evaluate_curve({"left": [0], "right": [1], "similarity": ["much"]}, gold)


def test_clusters_with_ids(tmp_path):
    people = {"id": ["a", "b", "c"], "name": ["Anna", "Anna", "Bert"]}
    clusters = akin.dedupe(people, "name:exact", id="id", all_pairs=True, threshold=1).clusters
    assert list(clusters[0])[:3] == ["row", "id", "cluster"]
    clusters.save(tmp_path / "clusters.csv")
    for given in (clusters, clusters.to_pandas(), tmp_path / "clusters.csv"):
        assert akin.evaluate(given, [("a", "b")])[:3] == (1, 1, 1)
    with pytest.raises(TypeError, match="pairs is a ranking; .*akin.evaluate_trec"):
        akin.evaluate(akin.bm25(["a", "b"]).rank(["a"]), [(0, 1)])


def test_trec(tmp_path):
    (tmp_path / "run").write_text("q1 Q0 a 1 3.5 akin\nq1 Q0 b 2 2.5 akin\nq1 Q0 c 3 1.5 akin\n")
    (tmp_path / "judged").write_text("q1 0 b 1\nq1 0 x 1\nq2 0 a 1\n")
    told = akin.evaluate_trec(tmp_path / "run", tmp_path / "judged")
    assert (told["queries"], told["answered"], told["found"], told["relevant"]) == (2, 1, 3, 3)
    assert told["mrr"] == 0.25 and told["map"] == 0.125 and told["p_10"] == 0.05
    ranking = akin.bm25({"id": ["a", "b", "c"], "text": ["red wine", "white wine", "beer"]}, "text", id="id").rank(
        ["wine"], k=2
    )
    (tmp_path / "wine").write_text("0 0 b 1\n")
    ranking.save(tmp_path / "saved", format="trec")
    assert akin.evaluate_trec(ranking, tmp_path / "wine") == akin.evaluate_trec(tmp_path / "saved", tmp_path / "wine")
    assert akin.evaluate_trec(ranking, tmp_path / "wine")["found"] == 2
    with pytest.raises(FileNotFoundError):
        akin.evaluate_trec(tmp_path / "none", tmp_path / "judged")
    (tmp_path / "bad").write_text("q1 Q0\n")
    with pytest.raises(akin.InputError, match="bad:1"):
        akin.evaluate_trec(tmp_path / "bad", tmp_path / "judged")


def test_fixed_vocabulary():
    texts = ["the red house", "a house", "red red wine"]
    fixed = akin.Dictionary.build(["house", "red", "never"])
    added = akin.bm25(texts, dictionary=fixed, unknown="add")
    assert added.vocabulary == [fixed.word(i) for i in range(3)] + ["the", "a", "wine"]
    plain = akin.bm25(texts, technique="hash")
    assert added.rank("red wine") == plain.rank("red wine")
    weights = [{(words[t], d): w for d, t, _, w in one.table()} for one in (added, plain) for words in [one.vocabulary]]
    assert weights[0] == weights[1] and len(weights[0]) == 7
    shared = akin.bm25(texts, dictionary=fixed)
    assert shared.terms == 4 and shared.df == [2, 2, 0, 3]
    for options in (dict(unknown="forget"), dict(technique="magic")):
        with pytest.raises(akin.OptionError):
            akin.bm25(texts, dictionary=fixed, **options)
    with pytest.raises(TypeError, match=r"expected an akin\.Dictionary"):
        akin.bm25(texts, dictionary=["red"])


def test_judgements():
    """A table, a dictionary and a file of the same judgements give the same figures."""
    texts = {"id": [f"d{i}" for i in range(4)], "text": ["red wine", "white wine", "beer and wine", "tea"]}
    ranking = akin.bm25(texts, "text", id="id").rank(
        {"q": ["q1", "q2"], "text": ["red wine", "tea beer"]}, on="text", id="q"
    )
    nested = {"q1": {"d0": 2, "d2": 1}, "q2": {"d3": 1, "d9": 1}}
    columns = {
        "query": ["q1", "q1", "q2", "q2"],
        "document": ["d0", "d2", "d3", "d9"],
        "relevance": [2, 1, 1, 1],
    }  # fmt: skip
    expected = akin.evaluate_trec(ranking, nested)
    assert expected["queries"] == 2 and expected["relevant"] == 4 and 0 < expected["ndcg_10"] < 1
    assert akin.evaluate_trec(ranking, columns) == expected
    assert akin.evaluate_trec(
        ranking, {name: [str(value) for value in values] for name, values in columns.items()}
    ) == expected
    pandas, polars, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    for table in (
        pandas.DataFrame(columns), polars.DataFrame(columns), pa.table(columns),
        pandas.DataFrame(columns).astype({"relevance": float})
    ):
        assert akin.evaluate_trec(ranking, table) == expected


@pytest.mark.parametrize(
    "judgements,error,message",
    [
        (
            5, TypeError,
            "judgements is of type int; expected the path of a file, a table with columns query, document and relevance"
        ),
        ([("0", "0", 1)], TypeError, "judgements is of type list; expected"),
        ({"query": [0], "doc": [0]}, akin.OptionError, "no column 'document'.*; the columns are: 'query', 'doc'"),
        ({}, akin.OptionError, "no column 'query'"),
        ({"0": {"0": 0.5}}, akin.InputError, "row 0, column 'relevance': '0.5'; expected a whole number"),
        ({"0": {"a b": 1}}, akin.InputError, "row 0, column 'document': 'a b'; expected an id without blanks"),
        ({"0": {"0": None}}, akin.InputError, "row 0, column 'relevance': None"),
        ({"0": {"0": 10**12}}, akin.InputError, "expected a whole number"),
        (
            {"q7": {"0": 1}}, akin.InputError,
            "no query in common: queries of the run are like '0', those of the judgements like 'q7'"
        ),
    ],
)
def test_judgements_refused(judgements, error, message):
    with pytest.raises(error, match=message):
        akin.evaluate_trec(akin.bm25(["red wine"]).rank("wine"), judgements)


def test_rankings_refused():
    ranking = akin.bm25(["red wine"]).rank("wine")
    with pytest.raises(TypeError, match="judgements is of type Ranking; .*; the ranking is the first argument"):
        akin.evaluate_trec("qrels.txt", ranking)
    with pytest.raises(TypeError, match="ranked is of type list; expected an akin.Ranking, the path"):
        akin.evaluate_trec([("0", "0", 1)], {"0": {"0": 1}})
    for ranked, message in (
        ({"query": [0], "document": [0]}, "ranked: there is no column 'score'; the columns are: 'query', 'document'"),
        ({"0": {"0": "high"}}, "ranked: row 0, column 'score': 'high'; expected a number"),
        ({"0": {"0": float("nan")}}, "ranked: row 0, column 'score': 'nan'; expected a number"),
        ({"query": [0], "document": [0], "rank": [1.5]}, "row 0, column 'rank': '1.5'; expected a whole number"),
        ({"query": [0, 0], "document": [1, 1], "score": [2, 1]}, "row 1: document '1' is there twice for query '0'"),
    ):
        with pytest.raises(ValueError, match=message):
            akin.evaluate_trec(ranked, {"0": {"0": 1}})


def test_rankings_as_tables():
    """A table, a frame and a dictionary of a ranking give the figures of the ranking; ids come before row numbers."""
    pandas = pytest.importorskip("pandas")
    texts = {"id": ["2", "1", "0", "3"], "text": ["red wine", "white wine", "blue sea", "a river of wine"]}
    queries = {"q": ["1", "0"], "text": ["wine", "sea"]}
    ranking = akin.bm25(texts, "text", id="id").rank(queries, on="text", id="q", k=3)
    judged = pandas.DataFrame(ranking.to_dict()).assign(relevance=[0, 0, 1, 1])
    expected = akin.evaluate_trec(ranking, judged)
    assert expected["map"] == pytest.approx(2 / 3)  # of row numbers it is 0.5
    assert akin.evaluate_trec(ranking, judged[["query_id", "document_id", "relevance"]]) == expected
    frame = pandas.DataFrame(ranking.to_dict())
    nested = {str(q): dict(zip(f["document_id"], f["score"])) for q, f in frame.groupby("query_id")}
    ranks = frame.drop(columns="score").assign(rank=[1, 2, 3, 1])
    for ranked in (ranking[:], frame, ranking.to_dict(), nested, ranks, frame.sample(frac=1, random_state=1)):
        assert akin.evaluate_trec(ranked, judged) == expected
    index = akin.Index.build(texts, kind="bm25", on="text", id="id")
    assert akin.evaluate_trec(index.search(queries, on="text", id="q", k=3), judged) == expected
