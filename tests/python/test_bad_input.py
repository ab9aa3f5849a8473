"""Whatever a public function is given instead of what it expects, it is done or refused by an exception that the
documents name."""

import pathlib
import random
import re
import threading

import pytest

import akin
from akin import generate, strings
from akin._settings import size_of

TEXTS = ["red chair", "red chairs", None, "blue table", ""]
TABLE = {
    "id": ["a", "b", "c", "d", "e"], "name": TEXTS, "city": ["Ulm", "Ulm", "Bonn", None, "Ulm"],
    "age": ["1", "2", "3", "4", "5"]
}
PAIRS = [(0, 1), (3, 4)]
IDS = [["a", "b"], ["d", "e"]]
FOUND = {"left": [0, 3], "right": [1, 4], "similarity": [0.5, 1.0]}
VECTORS = [[1.0, 2.0], [3.0, 4.0], [2.0, 2.0]]
SPLINK = {
    "link_type": "dedupe_only",
    "unique_id_column_name": "id",
    "comparisons": [
        {
            "output_column_name": "name",
            "comparison_levels": [
                {"sql_condition": '"name_l" IS NULL OR "name_r" IS NULL', "is_null_level": True},
                {"sql_condition": '"name_l" = "name_r"', "m_probability": 0.9, "u_probability": 0.1},
                {"sql_condition": 'jaro_winkler_similarity("name_l", "name_r") >= 0.8'},
                {"sql_condition": "ELSE"},
            ],
        }
    ],
    "blocking_rules_to_generate_predictions": [{"blocking_rule": 'l."city" = r."city"'}],
}
JOB = {
    "akin": "dedupe",
    "version": 1,
    "window": ["3"],
    "block": [{"columns": [{"column": "city"}]}],
    "compare": [{"column": "name", "comparator": "jaro-winkler", "threshold": 0.8}, "both:exact"],
    "combine": ["both=name+city"],
    "fold": ["all"],
    "synonyms": [{"column": "name", "groups": ["ann,anna"]}],
    "threshold": 0.9,
    "max-block": 10,
    "one-to-one": True,
    "one-per-source": {"column": "city"},
    "missing": "skip",
    "id": "id",
}
INDEX = akin.Index.build(TABLE, "name", id="id")
SETS = akin.Index.build([[1, 2], [2, 3]], kind="sets")
ROWS = akin.Index.build(TABLE, ["name", "age"], kind="rows", numeric=["age"])
NEAR = akin.Index.build(VECTORS, kind="vectors", functions=5)
STRINGS = akin.Index.build(["Ulm", "Bonn"], kind="strings", ngram=2)
RANKED = akin.bm25(TEXTS)
WORDS = akin.Dictionary.build(["red", "blue"])

HOW = {"threads": 1, "device": "cpu", "memory": "64MB", "device_memory": None, "progress": None}
TOKENS = {"tokens": "words", "ignore_case": True, "stop_words": ["red"]}
OF_DEDUPE = {
    "compare": ["name:jaro-winkler:0.5:2", ("both", "exact", 0.5)],
    "window": akin.window("name", 3),
    "block": ["city"],
    "similar": "name:jaccard:0.5:qgrams:2",
    "threshold": 0.8,
    "fold": {"name": "case+blanks", "city": ["accents"]},
    "synonyms": {"name": [["ann", "anna"]]},
    "combine": {"both": ["name", "city"]},
    "missing": "zero",
    "one_to_one": True,
    "one_per_source": "city",
    "max_block": 100,
    "id": "id",
    "gold": IDS,
    "report": True,
    "reproducible": True,
    "lossy": False,
}
OF_STRINGS = {"floored": True, "prefix_scale": 0.1, "boost_threshold": 0.7, "lossy": False}
OF_JOIN = {"on": "name", "id": "id", **TOKENS, "technique": "auto", "lossy": False}

# Every public function, by arguments with which it does something.
CALLS = {
    "join": (
        akin.join,
        {
            "left": TABLE, "right": TABLE, "left_on": "name", "right_on": ["name", "city"], "left_id": "id",
            "right_id": "id", "jaccard": 0.5, "multiset": True, "bits": 0, "block": 0, "filter": "auto",
            "sharing": "auto", **TOKENS, "technique": "auto", "lossy": False
        }
    ),
    "join of strings": (
        akin.join,
        {
            "left": TABLE, "right": TABLE, "on": "name", "id": "id", "similarity": "jaro-winkler", "threshold": 0.5,
            "floored": True, "prefix_scale": 0.1, "boost_threshold": 0.5, "fold": ["case"], "technique": "auto",
            "lossy": False
        }
    ),
    "join of strings by edits": (akin.join, {"left": TEXTS, "levenshtein": 2, "ignore_case": True, "top": 2}),
    "join of ids": (akin.join, {"left": [[1, 2], [2, 1]], "right": [[1]], "tokens": "ids", "overlap": 1}),
    "near_duplicates": (akin.near_duplicates, {"documents": TABLE, "jaccard": 0.5, **OF_JOIN}),
    "dedupe": (akin.dedupe, {"table": TABLE, **OF_DEDUPE, **HOW}),
    "link": (
        akin.link, {"left": TABLE, "right": TABLE, **OF_DEDUPE, "report": False, "reproducible": False, "gold": None}
    ),
    "run": (akin.run, {"job": JOB, "table": TABLE, "right": TABLE, "compare": ["name:exact"], "threads": 1}),
    "splink": (akin.splink, {"settings": SPLINK, "skip": False}),
    "components": (akin.components, {"pairs": PAIRS, "rows": 5, **HOW}),
    "components of two": (akin.components, {"pairs": FOUND, "rows": (5, 5)}),
    "evaluate": (akin.evaluate, {"pairs": IDS, "gold": IDS, "linked": True, "closed": True}),
    "evaluate_curve": (
        akin.evaluate_curve, {"pairs": FOUND, "gold": PAIRS, "similarity": "similarity", "linked": True, "closed": True}
    ),
    "evaluate_trec": (akin.evaluate_trec, {"ranked": "run.txt", "judgements": "qrels.txt"}),
    "bm25": (
        akin.bm25,
        {
            "documents": TABLE, "on": "name", "formula": "bm25+", "k1": 1.2, "b": 0.5, "delta": 1.0, **TOKENS,
            "stem": "english", "dictionary": WORDS, "unknown": "add", "technique": "auto", "lossy": False
        }
    ),
    "rank": (RANKED.rank, {"queries": TABLE, "k": 2, "on": "name", "lossy": False}),
    "index of bm25": (
        akin.Index.build,
        {
            "objects": TABLE, "on": "name", "kind": "bm25", "id": "id", **TOKENS, "formula": "bm25l", "k1": 1.2,
            "b": 0.5, "delta": 1.0, "stem": "english", "dictionary": WORDS, "unknown": "add", "lossy": False
        }
    ),
    "Index.rank": (RANKED.index.rank, {"queries": TABLE, "k": 2, "on": "name", "lossy": False}),
    "info": (akin.info, {"path": "b.akin"}),
    "Dictionary.build": (akin.Dictionary.build, {"words": TABLE, "on": "name", "kind": "chunks", "lossy": False}),
    "Dictionary.open": (akin.Dictionary.open, {"path": "d.akin"}),
    "Dictionary.save": (WORDS.save, {"path": "d.akin"}),
    "look_up": (WORDS.look_up, {"words": TABLE, "on": "name", "lossy": False}),
    "word": (WORDS.word, {"id": 0}),
    "index of documents": (
        akin.Index.build, {"objects": TABLE, "on": "name", "kind": "documents", "id": "id", **TOKENS, "lossy": False}
    ),
    "index of rows": (
        akin.Index.build, {"objects": TABLE, "on": ["name", "age"], "kind": "rows", "numeric": ["age"], "bins": 4}
    ),
    "index of strings": (akin.Index.build, {"objects": TEXTS, "kind": "strings", "ngram": 2, "bytes": True}),
    "index of sets": (
        akin.Index.build,
        {"objects": [[1, 2], [3]], "kind": "sets", "family": "minhash", "functions": 5, "buckets": 9, "seed": 2}
    ),
    "index of vectors": (
        akin.Index.build,
        {
            "objects": VECTORS, "kind": "vectors", "family": "e2lsh-l2", "epsilon": 0.5, "delta": 0.5, "width": 1.0,
            "signatures_only": True
        }
    ),
    "index by random binning": (
        akin.Index.build,
        {"objects": VECTORS, "kind": "vectors", "family": "random-binning", "functions": 5, "sigma": 1.0}
    ),
    "index of signatures": (
        akin.Index.build, {"objects": [[1, 2], [3, 4]], "kind": "signatures", "buckets": 9, "seed": 2}
    ),
    "append": (INDEX.append, {"objects": TABLE, "on": "name", "id": "id", "lossy": False}),
    "append sets": (SETS.append, {"objects": [[4]]}),
    "append vectors": (NEAR.append, {"objects": VECTORS}),
    "search": (
        INDEX.search,
        {
            "queries": TABLE, "k": 2, "on": "name", "measure": "jaccard", "least": 1, "technique": "auto",
            "load_balance": False, "lossy": False, **HOW
        }
    ),
    "search rows": (ROWS.search, {"queries": TABLE, "on": ["name", "age"], "tolerance": 1, "weights": {"age": 2}}),
    "search sets": (SETS.search, {"queries": [[1, 2]], "k": 1}),
    "search vectors": (NEAR.search, {"queries": VECTORS, "k": 1, "rerank": 3, "truth": [[0], [1], [2]]}),
    "search strings": (
        STRINGS.search,
        {
            "queries": ["Ulm"], "k": 1, "candidates": 1, "one_round": True,
            "truth": {"query": ["0"], "object": ["0"], "distance": ["0"]}
        }
    ),
    "Index.save": (INDEX.save, {"path": "i.akin"}),
    "Index.open": (akin.Index.open, {"path": "i.akin"}),
    "levenshtein": (strings.levenshtein, {"a": "a", "b": "b"}),
    "osa": (strings.osa, {"a": "a", "b": "b"}),
    "jaro": (strings.jaro, {"a": "a", "b": "b", "floored": True}),
    "jaro_winkler": (strings.jaro_winkler, {"a": "a", "b": "b", "prefix_scale": 0.1, "boost_threshold": "0.7"}),
    "similarity": (strings.similarity, {"a": "a", "b": "b", "scorer": "number/3"}),
    "distance": (strings.distance, {"a": "a", "b": "b", "scorer": "jaro"}),
    "compare": (
        strings.compare,
        {
            "left": TABLE, "right": TABLE, "scorer": "jaro", "left_on": "name", "right_on": "city", "cutoff": 0.5,
            **OF_STRINGS
        }
    ),
    "cdist_sparse": (
        strings.cdist_sparse,
        {
            "left": TABLE, "right": TABLE, "scorer": "osa", "distance": 2, "left_on": "name", "right_on": "city",
            "left_id": "id", "right_id": "id", "technique": "auto", **OF_STRINGS
        }
    ),
    "cdist_sparse by a cutoff": (strings.cdist_sparse, {"left": TEXTS, "cutoff": 0.5}),
    "records": (
        generate.records,
        {
            "rows": 20, "kind": "cd", "duplicates": 0.2, "copies": "zipf", "most_copies": 2, "field_modifications": 1,
            "record_modifications": 2, "modify": {"insert": 3}, "tracks": 1, "linked": True, "seed": 2
        }
    ),
    "sets": (
        generate.sets,
        {
            "rows": 20, "tokens": 30, "average": 4, "spread": 1, "smallest": 1, "largest": 9, "zipf": 1,
            "duplicates": 0.1, "seed": 3
        }
    ),
    "text": (
        generate.text,
        {"documents": 2, "words": {"a": 1, "b": 2}, "vocabulary": 9, "uniform": False, "length": (1, 1), "seed": 4}
    ),
    "info": (akin.info, {}),
}
class Ambiguous:
    """As an array of NumPy is: neither true nor false."""

    def __bool__(self):
        raise ValueError("the truth value is ambiguous")


BAD = [
    None, True, -1, 0, 1.5, float("nan"), float("inf"), 10**30, 10**400, "", "x", "a\0b", "\ud800", b"bytes", [],
    [None], [1], ["a", 1], [["a"]],
    [()], {}, {"a": 1}, {1: ["a"]}, {"left": [0]}, ("a",), (1, 2, 3), object(), len, range(3), memoryview(b"ab"), TABLE,
    INDEX, strings, Ambiguous(),
]  # fmt: skip
# As the table of docs/python.md says; what is no path may be a ValueError, as everywhere in Python.
DOCUMENTED = (akin.Error, TypeError, OSError, MemoryError)


def spoiled(value, draw):
    """A copy in which something is another thing, or is missing."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        key = draw.choice(list(value))
        rest = {k: v for k, v in value.items() if k != key}
        return rest if draw.random() < 0.2 else rest | {key: spoiled(value[key], draw)}
    if isinstance(value, (list, tuple)) and value and draw.random() < 0.9:
        at = draw.randrange(len(value))
        middle = [] if draw.random() < 0.2 else [spoiled(value[at], draw)]
        return type(value)([*value[:at], *middle, *value[at + 1 :]])
    return draw.choice(BAD)


def attempt(call, arguments, *also):
    try:
        call(**arguments)
    except (*DOCUMENTED, *also) as error:
        assert str(error), "an exception without a message"
    except ValueError as error:
        assert "path" in arguments or "null" in str(error) or "surrogates" in str(error), error


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.txt").write_text("1 Q0 a 1 0.5 akin\n")
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    RANKED.index.save("b.akin")
    WORDS.save("d.akin")
    INDEX.save("i.akin")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_public(name, folder):
    call, arguments = CALLS[name]
    call(**arguments)
    draw = random.Random(name)
    also = [IndexError] if name == "word" else []
    for key in arguments:
        for value in BAD:
            attempt(call, arguments | {key: value}, *also)
        for _ in range(40 if isinstance(arguments[key], (dict, list, tuple)) else 0):
            attempt(call, arguments | {key: spoiled(arguments[key], draw)}, *also)


@pytest.mark.parametrize(
    "call,error,message",
    [
        (
            lambda: akin.dedupe(TABLE, "name:exact", all_pairs=True, threshold="much"), akin.OptionError,
            "threshold is 'much'; expected a number"
        ),
        (lambda: akin.dedupe(TABLE, "name:exact", all_pairs=True, threshold=[0.5]), TypeError, "threshold is"),
        (
            lambda: akin.dedupe(TABLE, "name:exact", all_pairs=True, combine=["a=b+c"]), akin.OptionError,
            "there is no column 'b'"
        ),
        (
            lambda: akin.dedupe(TABLE, "name:exact", all_pairs=True, combine=5), TypeError,
            "combine is .*expected {'NAME'"
        ),
        (
            lambda: akin.dedupe(TABLE, "name:exact", all_pairs=True, combine={"both": []}), TypeError,
            "combine: 'both' is"
        ),
        (
            lambda: akin.dedupe(TABLE, "name:exact", all_pairs=True, gold=[("a",)]), TypeError,
            r"gold: \('a',\); expected pairs of ids"
        ),
        (lambda: akin.dedupe(TABLE, "name:exact", window="99999999999"), akin.OptionError, "W from 2 to"),
        (lambda: akin.dedupe(TABLE, ("name", "exact", 10**400), all_pairs=True), akin.OptionError, "threshold"),
        (
            lambda: akin.dedupe(TABLE | {"name": TEXTS[:4]}, "name:exact", block="city"), akin.InputError,
            "has 5 rows, the first one 4"
        ),
        (lambda: akin.evaluate(["ab"], PAIRS), TypeError, "pairs: 'ab'; expected pairs of ids"),
        (lambda: akin.evaluate([(0, None)], PAIRS), akin.InputError, "row 0 of the pairs has no right id"),
        (lambda: akin.evaluate_curve(FOUND, PAIRS, similarity="none"), akin.OptionError, "no column 'none'"),
        (lambda: akin.components([(0, 1.5)]), TypeError, "pairs: 1.5; expected row numbers"),
        (lambda: akin.components({"left": [1]}), akin.OptionError, "columns 'left' and 'right'"),
        (lambda: akin.components({"left": [1], "right": []}), akin.InputError, "1 left rows and 0 right"),
        (lambda: akin.bm25(TEXTS, delta=-1.0), akin.OptionError, "delta is -1.0"),
        (lambda: akin.bm25(TEXTS, formula=5), TypeError, "formula is 5; expected a str"),
        (lambda: akin.Index.build(TEXTS, kind="document"), akin.OptionError, r"did you mean '?documents"),
        (
            lambda: akin.Index.build([[0.5]], kind="vectors", family="simhas"), akin.OptionError,
            r"did you mean '?simhash"
        ),
        (lambda: generate.records(9, kind="peopel"), akin.OptionError, r"did you mean '?people"),
        (lambda: akin.components([(0, 1)], clustering="component"), akin.OptionError, r"did you mean '?components"),
        (lambda: akin.Index.build(VECTORS, kind="vectors", family=5), TypeError, "family is 5"),
        (lambda: ROWS.search(TABLE, on="name", weights=["name"]), TypeError, "weights is"),
        (
            lambda: strings.compare(TABLE, TABLE, left_on=["name", "city"], right_on="name"), akin.OptionError,
            "2 columns"
        ),
        (
            lambda: strings.compare(TABLE, TABLE, on="name", left_on="name"), akin.OptionError,
            "expected it, or left_on and right_on"
        ),
        (
            lambda: strings.cdist_sparse(TABLE, left_on="name", cutoff=0.5), akin.OptionError,
            "expected on for one table"
        ),
        (
            lambda: akin.join(TABLE, TABLE, "name", right_on="city", jaccard=0.5), akin.OptionError,
            "on='name' is for both tables"
        ),
        (
            lambda: akin.join(TABLE, right_on="city", jaccard=0.5), akin.OptionError,
            "left_on and right_on are for two tables"
        ),
        (
            lambda: akin.join(TABLE, TABLE, "name", id="id", left_id="id", jaccard=0.5), akin.OptionError,
            "id='id' is for both tables"
        ),
        (
            lambda: akin.join(["a", float("nan")], jaccard=0.5), TypeError,
            "row 1, column 'text': .* got NaN; write None for a missing value"
        ),
        (
            lambda: akin.join([{1, 2}, {2, 3}], jaccard=0.5), TypeError,
            "got <class 'set'>; akin.join takes sets of whole numbers with tokens='ids'"
        ),
        (lambda: akin.join([[1, 2], [2, 3]], jaccard=0.5), TypeError, "with tokens='ids'"),
        (
            lambda: akin.join(TABLE, "name", jaccard=0.5), akin.OptionError,
            "right is 'name', which is not a file, but a column of the left table; expected on='name'"
        ),
        (
            lambda: akin.join(TABLE, TABLE, left_on="name", jaccard=0.5), akin.OptionError,
            "which column?.* expected right_on=NAME"
        ),
        (
            lambda: akin.join(TABLE, TABLE, right_on="name", levenshtein=1), akin.OptionError,
            "which column?.* expected left_on=NAME"
        ),
        (
            lambda: akin.join(TABLE, {"n": TEXTS}, "name", jaccard=0.5), akin.OptionError,
            "the left table has it: expected left_on='name' and right_on=NAME, or akin.sides\\('name', NAME\\)"
        ),
        (
            lambda: akin.join({"n": TEXTS}, TABLE, "name", levenshtein=1), akin.OptionError,
            "the right table has it: expected left_on=NAME and right_on='name', or akin.sides\\(NAME, 'name'\\)"
        ),
        (
            lambda: akin.join(TABLE, {"name": TEXTS}, "name", id="id", jaccard=0.5), akin.OptionError,
            "the left table has it: expected left_id='id' and right_id=NAME"
        ),
        (
            lambda: akin.dedupe(TABLE, "name:jaro", all_pairs=True, fold="case+accents"), akin.OptionError,
            "did you mean 'all:case\\+accents'"
        ),
        (
            lambda: akin.dedupe(TABLE, {"name": "jaro-winkler"}, all_pairs=True), akin.OptionError,
            r"expected a list, \['name:jaro-winkler'\]"
        ),
        (lambda: akin.bm25(TEXTS, stem="en"), akin.OptionError, "'en' \\(did you mean 'english'"),
        (lambda: akin.Index.build(TEXTS, kind="BM25"), akin.OptionError, "did you mean bm25"),
        (
            lambda: akin.dedupe(TABLE, "name:jaro", all_pairs=True, id="id", gold=[("y", "z")]), akin.InputError,
            "gold: none of its ids is of a record: they are like 'y'"
        ),
        (
            lambda: akin.dedupe(TABLE, "name:jaro", all_pairs=True, gold=[("y", "z")]), akin.InputError,
            "those of records like '0', '1'; is id= missing?"
        ),
        (
            lambda: akin.link(TABLE, TABLE, "name:jaro", all_pairs=True, gold=[(0, 99)]), akin.InputError,
            "none of its right ids is of a record"
        ),
        (
            lambda: akin.join(TABLE, TABLE, left_on="name", right_on="town", jaccard=0.5), akin.OptionError,
            "no column 'town'"
        ),
        (lambda: akin.Dictionary.build(TABLE, ["name", "city"]), akin.OptionError, "2 columns"),
        (lambda: akin.splink(SPLINK | {"comparisons": [{}]}), akin.InputError, "comparison_levels"),
        (
            lambda: akin.splink(SPLINK | {"blocking_rules_to_generate_predictions": [3]}), akin.InputError,
            "blocking rule 3"
        ),
        (lambda: akin.splink("{"), akin.InputError, "the settings: "),
        (lambda: akin.splink('{"comparisons": ' + "[" * 100_000), akin.InputError, "recursion"),
        (lambda: akin.run(JOB | {"max-block": 2.5}, TABLE), akin.OptionError, "max-block is 2.5"),
        (lambda: akin.run(JOB | {"input": [None]}), akin.InputError, "a list of paths"),
        (lambda: akin.join(TEXTS, jaccard=0.5, multiset="no"), TypeError, "multiset is 'no'; expected True or False"),
        (lambda: akin.join(TEXTS, jaccard=0.5, memory=True), TypeError, "memory is True"),
        (lambda: akin.join(TEXTS, jaccard=0.5, device="cpu\0:1"), akin.OptionError, "NUL"),
        (lambda: akin.join({"a\0b": TEXTS}, jaccard=0.5), akin.OptionError, "NUL"),
        (lambda: akin.join(TABLE, on="name\0x", jaccard=0.5), akin.OptionError, "no column"),
        (lambda: RANKED.index.save("b\0.akin"), ValueError, "null"),
    ],
)
def test_messages(call, error, message, folder):
    with pytest.raises(error, match=message):
        call()


def test_arrays_are_no_numbers():
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match=r"^threshold is array\(\[0.8, 1. \]\); expected a number$"):
        akin.dedupe(TABLE, "name:jaro", all_pairs=True, threshold=numpy.array([0.8, 1]))


def test_reports():
    assert akin.dedupe(TABLE, "name:jaro", all_pairs=True, report=None).report is None
    with pytest.raises(TypeError, match="^report is 5.5; expected True, False or a path$"):
        akin.dedupe(TABLE, "name:jaro", all_pairs=True, report=5.5)


def test_message_of_something_large():
    with pytest.raises(TypeError) as caught:
        akin.join(TEXTS, jaccard=["x" * 1000] * 1000)
    assert len(str(caught.value)) < 1000


def test_ids_are_no_rows():
    """One pair of ids would be a table of gigabytes."""
    for pairs in ([(0, 10**9)], {"left": [3], "right": [2**24]}):
        with pytest.raises(akin.OptionError, match=r"expected rows=\d+ if there are as many"):
            akin.components(pairs)
    assert len(akin.components([(0, 2**24 - 1)])) == 2**24
    found = akin.components([(5, 2**24 + 1)], rows=2**24 + 2)
    assert len(found) == 2**24 + 2 and found[2**24 + 1] == {
        "row": 2**24 + 1, "cluster": 5, "size": 2, "representative": 5
    }


def test_pairs_of_a_file(tmp_path):
    (tmp_path / "pairs.csv").write_text("similarity,left,right\n0.5,0,2\n")
    assert akin.components(tmp_path / "pairs.csv", 4)["cluster"] == [0, 1, 0, 2]
    (tmp_path / "names.csv").write_text("left,right\na,b\n")
    (tmp_path / "one.csv").write_text("left\n1\n")
    with pytest.raises(akin.InputError, match="names.csv: expected row numbers"):
        akin.components(str(tmp_path / "names.csv"))
    with pytest.raises(akin.InputError, match="one.csv: expected two columns"):
        akin.components(str(tmp_path / "one.csv"))


def test_tables_of_others(tmp_path):
    """What pandas and pyarrow refuse is InputError, too."""
    pa = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    with pytest.raises(akin.InputError, match="column 'a', row 1: 1 is of type int, and the values before are"):
        akin.join(pandas.DataFrame({"a": ["x", 1, 2.5]}), jaccard=0.5)
    (tmp_path / "bad.parquet").write_bytes(b"no Parquet")
    with pytest.raises(akin.InputError, match="bad.parquet"):
        akin.join(tmp_path / "bad.parquet", jaccard=0.5)
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table({"a": ["x"]}), tmp_path / "t.parquet")
    with pytest.raises(akin.OptionError, match="no column 'b'"):
        akin.join(tmp_path / "t.parquet", on="b", jaccard=0.5)


def test_sizes():
    """K, M, G are powers of 1024, KB, MB, GB of 1000, as in the command."""
    sizes = {
        "16M": 16 << 20, "16MiB": 16 << 20, "16mib": 16 << 20, "16MB": 16 * 10**6, "3k": 3072, "3 KB": 3000, "7": 7,
        "7B": 7, "1P": 1 << 50
    }
    assert {text: size_of(text) for text in sizes} == sizes
    for text in ("16X", "M", "16IB", "1.5G", "16 M B", "-1", "0", ""):
        with pytest.raises(akin.OptionError, match="memory"):
            size_of(text)


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (
            lambda: SETS.search([[1]], on="name"), akin.OptionError,
            "on is for documents and rows and [a-z]+ and bm25 and trees, not for sets"
        ),
        (lambda: SETS.search([[1]], lossy=True), akin.OptionError, "lossy is for"),
        (lambda: NEAR.search(VECTORS, on="name"), akin.OptionError, "on is for"),
        (lambda: NEAR.search(VECTORS, lossy=True), akin.OptionError, "lossy is for"),
        (lambda: SETS.append([[1]], lossy=True), akin.OptionError, "lossy is for"),
        (lambda: akin.Index.build([[1]], kind="sets", lossy=True), akin.OptionError, "lossy is for"),
        (lambda: akin.Index.build([[1]], "name", kind="sets"), akin.OptionError, "on is for"),
        (lambda: INDEX.search("Ulm", tolerance=2), akin.OptionError, "tolerance is for rows, not for documents"),
        (lambda: STRINGS.search("Ulm", tolerance=0), akin.OptionError, "tolerance is for rows, not for strings"),
        (lambda: SETS.search([""]), TypeError, "a row is ''; expected token ids"),
        (lambda: SETS.search([b"ab"]), TypeError, "a row is b'ab'; expected token ids"),
        (lambda: akin.join([b"ab"], tokens="ids", overlap=1), TypeError, "a row is b'ab'; expected token ids"),
        (lambda: NEAR.search([b"ab"]), TypeError, "a row is b'ab'; expected numbers"),
        (lambda: NEAR.search(b"ab"), TypeError, "expected rows of numbers .*, got bytes"),
        (lambda: akin.Index.build([b"ab"], kind="signatures"), TypeError, "a row is b'ab'; expected numbers"),
        (
            lambda: akin.components([(2**32 - 1, 0)]), akin.InputError,
            "a row number is 4294967295; expected 0 to 4294967294"
        ),
        (
            lambda: akin.components([(0, 1)], rows=1), akin.OptionError,
            "a pair is of the rows 0 and 1, but there are 1, numbered from 0 on"
        ),
        (
            lambda: akin.components([(0, 3)], rows=(2, 3)), akin.OptionError,
            "rows 0 and 3, but there are 2 left and 3 right ones"
        ),
        (lambda: akin.join(["a"], jaccard=0.5, foo=1), TypeError, r"^join\(\) has no argument 'foo'$"),
    ],
)
def test_what_an_argument_is_for(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_the_bound_of_components():
    """As memory of its own; temporary files are mapped."""
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        pytest.skip("there is no /proc")

    def own():
        return int(re.search(r"RssAnon:\s+(\d+) kB", status.read_text())[1])

    before, peak, done = own(), [], threading.Event()

    def watch():
        while not done.wait(0.002):
            peak.append(own())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        found = akin.components([(0, 1)], rows=5_000_000, memory="20MB")
    finally:
        done.set()
        watcher.join()
    assert len(found) == 5_000_000 and found[1] == {"row": 1, "cluster": 0, "size": 2, "representative": 0}
    assert peak and max(peak) - before < 30_000  # of 80,000 that there are
