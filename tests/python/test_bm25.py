"""Weights against the formulas as they are written, and rankings against sums of these."""

import csv
import math
import pickle
import random
import re
import subprocess
import sys
import warnings
from collections import Counter

import pytest

import akin


def weigh(formula, documents, k1=1.2, b=0.75):
    counts = [Counter((text or "").split()) for text in documents]
    lengths = [sum(count.values()) for count in counts]
    mean, n = sum(lengths) / len(lengths), len(documents)
    df = Counter(term for count in counts for term in count)
    found = {}
    for i, count in enumerate(counts):
        norm = k1 * ((1 - b) + b * (lengths[i] / mean))
        for term, tf in count.items():
            d = df[term]
            c = tf / ((1 - b) + b * (lengths[i] / mean)) + 0.5
            found[i, term] = {
                "paper": lambda: math.log(n / d) * (((k1 + 1) * tf) / (norm + tf)),
                "robertson": lambda: math.log((n - d + 0.5) / (d + 0.5)) * (tf / (norm + tf)),
                "lucene": lambda: math.log(1 + (n - d + 0.5) / (d + 0.5)) * (tf / (norm + tf)),
                "bm25+": lambda: math.log((n + 1) / d) * (1 + ((k1 + 1) * tf) / (norm + tf)),
                "bm25l": lambda: math.log((n + 1) / (d + 0.5)) * (((k1 + 1) * c) / (k1 + c)),
            }[formula]()
    return found


def test_most_texts_are_too_short_for_their_terms():
    """One warning, by each way to weigh documents; none for words."""
    texts = ["NY", "Ohio", "CA", None, ""]
    sentence = "^2 of 3 texts have fewer than 3 characters, .* use shorter q-grams$"
    ways = (
        lambda tokens: akin.bm25(texts, tokens=tokens),
        lambda tokens: akin.bm25(texts, tokens=tokens, threads=3, memory="16M"),
        lambda tokens: akin.Index.build(texts, kind="bm25", tokens=tokens),
    )
    for way in ways:
        with pytest.warns(akin.ResultWarning, match=sentence) as told:
            way("qgrams:3")
        assert len(told) == 1 and told[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error", akin.ResultWarning)
            way("qgrams:2")
            way("words")


def test_a_job_that_weighs_warns_once(tmp_path):
    (tmp_path / "states.txt").write_text("NY\nOhio\nCA\n")
    job = {
        "akin": "weigh", "version": 1, "input": [str(tmp_path / "states.txt")], "tokens": "qgrams:3",
        "output": str(tmp_path / "w.csv")
    }
    with pytest.warns(akin.ResultWarning, match="^2 of 3 texts have fewer than 3 characters") as told:
        akin.run(job)
    assert len(told) == 1


@pytest.fixture
def documents():
    draw = random.Random(3)
    words = ["w%d" % min(int(draw.paretovariate(0.7)), 500) for _ in range(20000)]
    made = [" ".join(words[at : at + draw.randint(1, 60)]) for at in range(0, 19000, 50)]
    return made[:7] + [None, ""] + made[7:]


@pytest.mark.parametrize("formula", ["paper", "robertson", "lucene", "bm25+", "bm25l"])
def test_weights(documents, formula):
    made = akin.bm25(documents, formula=formula, threads=3)
    expected = weigh(formula, documents)
    table = made.table()
    words = made.vocabulary
    assert {(d, words[t]): w for d, t, _, w in table} == pytest.approx(expected, rel=1e-14)
    assert (made.documents, made.terms, made.pairs) == (len(documents), len(words), len(expected))
    assert made.words == sum(table["tf"])
    assert made.df == [count for _, count in sorted(Counter(table["term"]).items())]


def test_matrix(documents):
    pytest.importorskip("scipy")
    made = akin.bm25(documents, k1=0.9, b=0.4)
    matrix = made.weights
    assert matrix.shape == (len(documents), made.terms) and matrix.format == "csr"
    expected = weigh("lucene", documents, 0.9, 0.4)
    words = made.vocabulary
    found = {(d, words[t]): w for d, t, w in zip(*matrix.nonzero(), matrix.tocoo().data)}
    assert found == pytest.approx({pair: w for pair, w in expected.items() if w != 0}, rel=1e-14)


def rank_by_hand(weights, query, documents, k):
    scores = {}
    for token in query.split():
        for d in range(documents):
            if (d, token) in weights:
                scores[d] = scores.get(d, 0.0) + weights[d, token]
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]


def test_ranking(documents, tmp_path):
    made = akin.bm25(documents, formula="lucene")
    words = made.vocabulary
    weights = {(d, words[t]): w for d, t, _, w in made.table()}
    draw = random.Random(4)
    queries = [" ".join(draw.choices(words, k=draw.randint(1, 5))) for _ in range(50)] + ["unknown", "", None]
    found = made.rank(queries, k=7, threads=2)
    for i, query in enumerate(queries):
        expected = rank_by_hand(weights, query or "", len(documents), 7)
        assert [(d, s) for q, d, s in found if q == i] == expected
    path = tmp_path / "documents.akin"
    made.index.save(path)
    opened = akin.Index.open(path)
    assert opened.rank(queries, k=7) == found
    assert (len(opened), opened.keywords, opened.about["pairs"]) == (made.documents, made.terms, made.pairs)
    assert list(opened.rank(queries[0], k=7)) == [row for row in found if row[0] == 0]
    assert list(opened.search(queries, k=7)) == list(found)
    built = akin.Index.build(documents, kind="bm25", formula="lucene")
    assert built.rank(queries, k=7) == found and built.about == opened.about
    with pytest.raises(AttributeError, match="BM25.index.save"):
        made.save(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(akin.InputError, match="documents.akin"):
        akin.Index.open(path)
    with pytest.raises(FileNotFoundError):
        akin.Index.open(tmp_path / "nothing.akin")
    with pytest.raises(akin.OptionError):
        made.rank(queries, k=0)


def test_words():
    texts = ["The running dogs", "a dog runs", "Dogs"]
    assert akin.bm25(texts).vocabulary == ["the", "running", "dogs", "a", "dog", "runs"]
    assert akin.bm25(texts, stem="english", stop_words="english").vocabulary == ["run", "dog"]
    assert akin.bm25(texts, stop_words=["dogs", "the"]).vocabulary == ["running", "a", "dog", "runs"]
    for arguments in (dict(formula="best"), dict(stem="klingon"), dict(stop_words="klingon"), dict(k1=-1), dict(b=2)):
        with pytest.raises(akin.OptionError):
            akin.bm25(texts, **arguments)


def test_a_ranking_is_pickled():
    weighed = akin.bm25(["red house", "blue house", "red red wine"])
    again = pickle.loads(pickle.dumps(weighed))
    assert again.rank(["red wine", "house"]) == weighed.rank(["red wine", "house"])
    assert repr(again) == repr(weighed)
    with pytest.raises(akin.OptionError, match="a pickle has no weights"):
        again.table()


BOOKS = {
    "isbn": ["b1", "b2", "b,3", 'b"4'],
    "title": ["the red house", "a red river", None, "house by the red river"],
    "text": ["red", "wine", "river", ""],
}
TOPICS = {"number": ["t1", "t2", "t3"], "title": ["red house", "river wine", "nothing"], "more": ["", "red", ""]}


def write_csv(path, table):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values()))


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("ending", ["trec", "run", "csv", "tsv", "jsonl", "CSV", "Tsv", "JSONL", "tab"])
def test_rankings_as_the_command_writes_them(names, ending, tmp_path, command):
    write_csv(tmp_path / "books.csv", BOOKS)
    write_csv(tmp_path / "topics.csv", TOPICS)
    how = ["--id", "isbn"] if names else []
    command(
        "index", "books.csv", "--kind", "bm25", "--on", "title,text", *how, "-o", "books.akin", "-q", folder=tmp_path
    )
    how = ["--id", "number"] if names else []
    command(
        "rank", "books.akin", "topics.csv", "--on", "title,more", *how, "-k", 3, "-o", f"c.{ending}", "-q",
        folder=tmp_path
    )
    expected = (tmp_path / f"c.{ending}").read_bytes()
    weighed = akin.bm25(BOOKS, ["title", "text"], id="isbn" if names else None)
    for ranks in (
        weighed, weighed.index, akin.Index.open(tmp_path / "books.akin"), pickle.loads(pickle.dumps(weighed))
    ):
        found = ranks.rank(TOPICS, 3, on=["title", "more"], id="number" if names else None)
        found.save(tmp_path / f"p.{ending}")
        assert (tmp_path / f"p.{ending}").read_bytes() == expected and len(found) > 3
        assert found.columns == (
            ("query", "query_id", "document", "document_id", "score") if names else ("query", "document", "score")
        )
    assert pickle.loads(pickle.dumps(found)) == found
    pickle.loads(pickle.dumps(found)).save(tmp_path / "again", format="trec", tag="other")
    command(
        "rank", "books.akin", "topics.csv", "--on", "title,more", *how, "-k", 3, "-o", "tagged", "--tag", "other", "-q",
        folder=tmp_path
    )
    assert (tmp_path / "again").read_bytes() == (tmp_path / "tagged").read_bytes()
    (tmp_path / "qrels.txt").write_text("t1 0 b1 1\n0 0 0 1\n")
    assert akin.evaluate_trec(tmp_path / "again", tmp_path / "qrels.txt")["answered"] == 1


def test_rankings_that_cannot_be_written(tmp_path):
    weighed = akin.bm25({"id": ["a b", "c"], "t": ["red", "blue"]}, "t", id="id")
    found = weighed.rank(["red"])
    assert found.to_dict() == {"query": [0], "document": [0], "document_id": ["a b"], "score": found["score"]}
    with pytest.raises(akin.InputError, match="document 'a b' has a blank"):
        found.save(tmp_path / "run.trec")
    assert not (tmp_path / "run.trec").exists()
    found.save(tmp_path / "run.csv")
    for options in ({"tag": "a b"}, {"tag": ""}, {"format": "xml"}, {"format": "csv", "tag": "x"}):
        with pytest.raises(akin.OptionError):
            found.save(tmp_path / "run", **options)
    for name in ("run.csv.gz", "run.ZST"):
        with pytest.raises(akin.OptionError, match="output is not compressed: expected a name without \\.(gz|zst)$"):
            found.save(tmp_path / name)
        assert not (tmp_path / name).exists()
    for ids in (["a", "a"], ["a", None], ["a", ""]):
        with pytest.raises(akin.InputError, match="row 1, column 'id'"):
            akin.bm25({"id": ids, "t": ["red", "blue"]}, "t", id="id")
        with pytest.raises(akin.InputError, match="row 1, column 'id'"):
            weighed.rank({"id": ids, "t": ["red", "blue"]}, on="t", id="id")


def test_nothing_has_names_too():
    weighed = akin.bm25({"id": [], "t": []}, "t", id="id")
    for ranks in (weighed, pickle.loads(pickle.dumps(weighed))):
        assert ranks.rank(["red"]).columns == ("query", "document", "document_id", "score")
    index = akin.Index.build({"id": [], "t": []}, "t", id="id")
    for one in (index, pickle.loads(pickle.dumps(index))):
        assert one.about["named"] == 1 and one.search(["red"]).columns == ("query", "object", "id", "count")
    assert akin.Index.build([]).about["named"] == 0
    assert akin.bm25([]).rank(["red"]).columns == ("query", "document", "score")


MATRIX = """
import resource, akin
weighed = akin.bm25([f"{i % 7} {i % 11} {i % 13}" for i in range(400_000)], threads=1)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (4 << 20),) * 2)
try:
    weighed._weights.matrix(weighed._run)
except MemoryError as error:
    print(error)
"""


def test_no_memory_for_a_matrix():
    done = subprocess.run([sys.executable, "-c", MATRIX], capture_output=True, text=True, timeout=60)
    assert re.fullmatch(
        r"out of memory: a matrix of weights; ulimit -v allows [0-9.]+ MB of memory\n", done.stdout
    ), done.stdout + done.stderr


def test_names_of_queries_of_an_index():
    index = akin.Index.build({"id": ["a", "b"], "t": ["red chair", "blue chair"]}, "t", id="id")
    found = index.search({"q": ["x", "y"], "t": ["red", "chair"]}, on="t", id="q", k=1)
    assert found.columns[:4] == (
        "query", "query_id", "object", "id"
    ) and found["query_id"] == ["x", "y"] and found["id"] == ["a", "a"]
    rows = akin.Index.build({"c": ["Ulm", "Bonn"], "n": ["1", "2"]}, kind="rows")
    assert rows.search({"q": ["x"], "c": ["Bonn"], "n": ["9"]}, id="q", k=1, weights={"c": 2})[0] == {
        "query": 0, "query_id": "x", "object": 1, "count": 2
    }
    with pytest.raises(akin.InputError, match="already that of row 0"):
        index.search({"q": ["x", "x"], "t": ["red", "chair"]}, on="t", id="q")
    with pytest.raises(akin.OptionError, match="id is for documents and rows and [a-z]+ and bm25 and [a-z]+, not for"):
        akin.Index.build([[1]], kind="sets").search([[1]], id="q")
