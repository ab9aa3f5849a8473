"""Weights against the formulas as they are written, and rankings against sums of these."""

import math
import pickle
import random
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
    expected = weigh("paper", documents, 0.9, 0.4)
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
    made.save(path)
    opened = akin.BM25.open(path)
    assert opened.rank(queries, k=7) == found
    assert (opened.documents, opened.terms, opened.pairs) == (made.documents, made.terms, made.pairs)
    assert list(opened.rank(queries[0], k=7)) == [row for row in found if row[0] == 0]
    with pytest.raises(akin.OptionError, match="does not list weights"):
        opened.weights
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(akin.InputError, match="documents.akin"):
        akin.BM25.open(path)
    with pytest.raises(FileNotFoundError):
        akin.BM25.open(tmp_path / "nothing.akin")
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
    with pytest.raises(akin.OptionError, match="does not list weights"):
        again.table()
