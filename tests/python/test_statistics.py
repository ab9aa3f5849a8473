"""Statistics of a corpus: parts weighed by them against the whole corpus, bit by bit."""

import itertools
import pickle
import random
import struct

import pytest

import akin

WORDS = [f"w{i}" for i in range(40)]
FORMULAS = ("paper", "robertson", "lucene", "atire", "bm25+", "bm25l")


def corpus(count, seed):
    draw = random.Random(seed)
    often = [1 / (i + 1) for i in range(40)]
    texts = [" ".join(draw.choices(WORDS, often, k=draw.randrange(25))) for _ in range(count)]
    texts[count // 2] = None
    return texts


def cut(texts, parts, seed):
    draw = random.Random(seed)
    ends = sorted(draw.choices(range(len(texts) + 1), k=parts - 1))
    return [texts[a:b] for a, b in itertools.pairwise([0, *ends, len(texts)])]


def bits(value):
    return struct.pack("d", value)


def rows_of(weighed, first):
    """The terms of each document, and the bits of their weights."""
    words, table = weighed.vocabulary, weighed.table()
    columns = (table[name].tolist() for name in ("document", "term", "tf", "weight"))
    return {(first + d, words[t]): (tf, bits(weight)) for d, t, tf, weight in zip(*columns)}


@pytest.mark.parametrize("formula", FORMULAS)
def test_parts_weigh_as_the_whole(formula):
    texts = corpus(120, 1)
    whole = akin.bm25(texts, formula=formula)
    expected = rows_of(whole, 0)
    for parts in (1, 2, 3, 7):
        pieces = cut(texts, parts, parts)
        counted = [akin.Statistics.of(piece, threads=1 + parts % 2) for piece in pieces]
        merged = akin.Statistics.merge(counted)
        assert merged == whole.statistics
        found = {}
        for i, piece in enumerate(pieces):
            first = sum(map(len, pieces[:i]))
            found |= rows_of(akin.bm25(piece, formula=formula, statistics=merged, threads=1 + i % 3), first)
        assert found == expected


@pytest.mark.parametrize("formula", ["lucene", "bm25+", "robertson"])
def test_parts_rank_as_the_whole(formula):
    """The scores of all documents of the parts, for queries of words that some parts lack."""
    texts = corpus(90, 2)
    queries = [" ".join(random.Random(i).choices([*WORDS, "none"], k=1 + i % 6)) for i in range(40)]
    whole = akin.bm25(texts, formula=formula)

    def scores(weighed, first):
        found = weighed.rank(queries, k=1000)
        columns = (found[name].tolist() for name in ("query", "document", "score"))
        return {(q, first + d): bits(score) for q, d, score in zip(*columns)}

    for parts in (2, 5):
        pieces, found = cut(texts, parts, parts), {}
        merged = akin.Statistics.merge(map(akin.Statistics.of, pieces))
        for i, piece in enumerate(pieces):
            found |= scores(akin.bm25(piece, formula=formula, statistics=merged), sum(map(len, pieces[:i])))
        assert found == scores(whole, 0)


def test_merging_in_any_groups():
    counted = [akin.Statistics.of(piece) for piece in cut(corpus(60, 3), 6, 3)]
    whole = akin.Statistics.merge(counted)
    merge = akin.Statistics.merge
    for way in (
        merge(reversed(counted)),
        merge([merge(counted[:2]), merge([merge(counted[2:3]), merge(counted[3:])])]),
        merge([*counted, merge([])]),
    ):
        assert pickle.dumps(way) == pickle.dumps(whole)
    assert merge([]).documents == 0


def test_fixed_vocabulary():
    """Terms that the vocabulary lacks share one id, which is in other documents of each part."""
    texts = corpus(50, 4)
    words = akin.Dictionary.build(WORDS[:10])
    for unknown in ("share", "add"):
        how = {"dictionary": words, "unknown": unknown}
        whole, pieces, found = akin.bm25(texts, **how), cut(texts, 3, 4), {}
        merged = akin.Statistics.merge(akin.Statistics.of(piece, **how) for piece in pieces)
        assert merged == whole.statistics
        for i, piece in enumerate(pieces):
            found |= rows_of(akin.bm25(piece, statistics=merged, **how), sum(map(len, pieces[:i])))
        assert found == rows_of(whole, 0)


def test_saved_index(tmp_path):
    texts = corpus(40, 5)
    part = akin.bm25(texts[:20], statistics=akin.Statistics.of(texts))
    part.index.save(tmp_path / "part.akin")
    again = akin.Index.open(tmp_path / "part.akin")
    assert again.rank("w1 w3 w9", k=20).to_dict() == part.rank("w1 w3 w9", k=20).to_dict()
    assert pickle.loads(pickle.dumps(part)).rank("w2", k=5).to_dict() == part.rank("w2", k=5).to_dict()
    whole = akin.bm25(texts).rank("w1 w3 w9", k=40)
    expected = [(d, s) for d, s in zip(whole["document"].tolist(), whole["score"].tolist()) if d < 20]
    found = again.rank("w1 w3 w9", k=20)
    assert list(zip(found["document"].tolist(), found["score"].tolist())) == expected


def test_class():
    found = akin.Statistics.of(["b a", "a", None, "é"])
    assert (found.documents, found.tokens, list(found.terms)) == (4, 4, [("a", 2), ("b", 1), ("é", 1)])
    assert pickle.loads(pickle.dumps(found)) == found
    for terms in (found.terms, found.terms.to_dict(), [("é", 1), ("a", 2), ("b", 1)]):
        assert akin.Statistics(4, 4, terms) == found
    pyarrow = pytest.importorskip("pyarrow")
    assert akin.Statistics(4, 4, pyarrow.table(found.terms)) == found
    assert found != akin.Statistics(4, 5, found.terms)


def test_what_is_refused():
    def refuses(sentence, error, call):
        with pytest.raises(error, match=sentence):
            call()

    whole = akin.Statistics.of(["red wine", "white wine"])
    weigh = lambda texts, s: lambda: akin.bm25(texts, statistics=s)  # noqa: E731
    refuses("term 'blue' of the documents is not there", akin.InputError, weigh(["blue"], whole))
    refuses("are no part of them", akin.InputError, weigh(["red"] * 3, whole))
    refuses("are no part of them", akin.InputError, weigh(["red red red red red"], whole))
    refuses("'red' is in 1 documents, and in 2", akin.InputError, weigh(["red", "red"], whole))
    refuses("expected 1 to 2", akin.InputError, lambda: akin.Statistics(2, 4, [("red", 3)]))
    refuses("expected 1 to 2", akin.InputError, lambda: akin.Statistics(2, 4, [("red", 0)]))
    refuses("'red' is there twice", akin.InputError, lambda: akin.Statistics(2, 4, [("red", 1), ("red", 1)]))
    refuses("expected a str", akin.InputError, lambda: akin.Statistics(2, 4, [(None, 1)]))
    refuses("'term' and 'documents'", akin.OptionError, lambda: akin.Statistics(2, 4, {"term": ["red"]}))
    refuses("documents", akin.OptionError, lambda: akin.Statistics(-1, 4, []))
    refuses("expected akin.Statistics", TypeError, weigh(["red"], {"red": 1}))
    refuses("expected a list of akin.Statistics", TypeError, lambda: akin.Statistics.merge([whole, 3]))
    refuses("pickled", akin.OptionError, lambda: pickle.loads(pickle.dumps(akin.bm25(["a"]))).statistics)
