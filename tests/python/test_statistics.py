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
    return None if value is None else struct.pack("d", value)


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


# ------------------------------------------------------------------------------------------------------------- records


def records(count, seed, column="name"):
    draw = random.Random(seed)
    often = [1 / (i + 1) for i in range(40)]
    names = [" ".join(draw.choices(WORDS, often, k=draw.randrange(1, 7))) for _ in range(count)]
    names = [None if draw.random() < 0.05 else "" if draw.random() < 0.05 else name for name in names]
    cities = [draw.choice(["Bonn", "bonn", "KÖLN", "Ulm 7", None]) for _ in range(count)]
    return {column: names, "city": cities}


def part_of(table, rows):
    return {name: [values[row] for row in rows] for name, values in table.items()}


def similarities(found, left, right=None):
    """The bits of each pair of the rows that the parts are of, with those of each comparison."""
    found = found.to_dict()
    rows = zip(*(found[name] for name in found))
    return {(left[a], (right or left)[b]): tuple(map(bits, each)) for a, b, *each in rows}


RULES = (
    {"compare": ["name:tfidf", "city:exact"]},
    {"compare": ["name:tfidf/2", "name:tfidf:0.3:2"], "fold": "name:case+accents"},
    {"compare": ["name:codes"]},
    {"compare": "both:tfidf/3", "combine": "both=name+city", "fold": "both", "synonyms": {"both": [["w1", "w2"]]}},
)


def by_numbers(seed):
    return {"all_pairs": True, "threshold": 0.05, "missing": ("zero", "skip", "equal")[seed % 3]}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_part_of_a_table_as_the_whole(rules, seed):
    """Each pair of a part has the bits that it has in the whole table, and without statistics some have others."""
    table, draw = records(90, seed), random.Random(seed)
    whole = similarities(akin.dedupe(table, **rules, **by_numbers(seed)), range(90))
    counted = akin.Statistics.of_records(table, **rules)
    assert counted and akin.dedupe(table, **rules, **by_numbers(seed), statistics=counted)
    alone = 0
    for threads in (1, 2):
        rows = sorted(draw.sample(range(90), 40))
        part = part_of(table, rows)
        found = akin.dedupe(part, **rules, **by_numbers(seed), statistics=counted, threads=threads)
        expected = {pair: each for pair, each in whole.items() if set(pair) <= set(rows)}
        assert len(expected) > 20
        assert similarities(found, rows) == expected
        alone += similarities(akin.dedupe(part, **rules, **by_numbers(seed)), rows) != expected
    assert alone == 2


@pytest.mark.parametrize("rules", RULES)
def test_merged_statistics_of_parts(rules):
    left, right = records(70, 5), records(50, 6)
    merge = lambda parts: {name: akin.Statistics.merge(p[name] for p in parts) for name in parts[0]}  # noqa: E731
    count = lambda table, **more: akin.Statistics.of_records(table, **rules, **more)  # noqa: E731
    whole = count(left, right=right, threads=2)
    pieces = [part_of(left, rows) for rows in (range(0, 20), range(20, 21), range(21, 70))]
    assert merge([*map(count, pieces), count(right)]) == whole
    expected = similarities(akin.link(left, right, **rules, **by_numbers(1)), range(70), range(50))
    found = {}
    for a in (range(0, 31), range(31, 70)):
        for b in (range(0, 9), range(9, 50)):
            parts = part_of(left, a), part_of(right, b)
            found |= similarities(akin.link(*parts, **rules, **by_numbers(1), statistics=whole), a, b)
    assert found == expected and len(found) > 100


def test_statistics_of_records_count_plainly():
    """Against the definition: documents have a value, a token counts once in a record."""
    table = {"name": ["Red wine wine", "wine", "", None, "white 7up 7UP", "..."]}
    found = akin.Statistics.of_records(table, ["name:tfidf", "name:codes", "name:exact"], threads=2)
    plain, codes = found["name:tfidf"], found["name:codes"]
    assert (plain.documents, plain.tokens) == (4, 5)
    assert list(plain.terms) == [("7up", 1), ("red", 1), ("white", 1), ("wine", 2)]
    assert (codes.documents, list(codes.terms)) == (1, [("7up", 1)])
    sides = akin.Statistics.of_records({"a": ["x y"]}, "a:tfidf", right={"b": ["y"]}, left_on="a", right_on="b")
    assert list(sides["a=b"].terms) == [("x", 1), ("y", 2)]
    assert akin.Statistics.of_records(table, "name:osa") == {}


def test_statistics_of_records_that_are_refused():
    table = {"name": ["red wine", "white wine"]}
    counted = akin.Statistics.of_records(table, "name:tfidf")

    def refuses(sentence, error, statistics, compare="name:tfidf", of=table):
        with pytest.raises(error, match=sentence):
            akin.dedupe(of, compare, all_pairs=True, statistics=statistics)

    refuses("no comparison 'nam'; expected 'name'", akin.OptionError, {"nam": counted["name"]})
    refuses("expected a dictionary", TypeError, counted["name"])
    refuses("expected akin.Statistics", TypeError, {"name": 3})
    refuses("compared by osa; expected tfidf or codes", akin.OptionError, counted, "name:osa")
    refuses("'name': .*'blue' of the documents is not there", akin.InputError, counted, of={"name": ["blue"] * 2})
    refuses("are no part of them", akin.InputError, counted, of={"name": ["red wine"] * 3})
    with pytest.raises(akin.OptionError, match="nothing is compared"):
        akin.Statistics.of_records(table, None)
    with pytest.raises(akin.OptionError, match="there is one"):
        akin.Statistics.of_records(table, "name=title:tfidf")


# --------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["of.csv", "of.jsonl", "of.tsv"])
def test_files(tmp_path, name):
    """Terms with quotes, and the empty one, are in files as they are; rows may stand in any order."""
    words = akin.Dictionary.build(["a", "b"])
    for found in (
        akin.Statistics.of(["b a", "a", None, "é", "x"], dictionary=words),
        akin.Statistics.of(['"w", w', "w w"], tokens="qgrams:2"),
        akin.Statistics.of([]),
    ):
        found.save(tmp_path / name)
        assert akin.Statistics.open(tmp_path / name) == found
    lines = ["term,documents,tokens", "wine,1,", ",2,4", "red,2,"]
    (tmp_path / "turned.csv").write_text("\n".join(lines) + "\n")
    assert akin.Statistics.open(tmp_path / "turned.csv") == akin.Statistics(2, 4, [("red", 2), ("wine", 1)])


def test_files_that_are_refused(tmp_path):
    path = tmp_path / "bad.csv"
    for rows, sentence in (
        ("red,1,\n", "expected one row with a number of tokens"),
        (",4,9\n,4,9\n", "expected one row with a number of tokens"),
        (",4,9\nred,1,3\n", "expected one row with a number of tokens"),
        (",four,9\n", "row 0: 'four'; expected a whole number"),
        (",4,-9\n", "row 0: '-9'; expected a whole number"),
        (",4,9\nred,,\n", "row 1: .*expected a whole number"),
        (",4,9\nred,5,\n", "expected 1 to 4"),
    ):
        path.write_text("term,documents,tokens\n" + rows)
        with pytest.raises(akin.InputError, match=sentence):
            akin.Statistics.open(path)
    path.write_text("term,df\nred,1\n")
    with pytest.raises(akin.OptionError, match="documents"):
        akin.Statistics.open(path)
