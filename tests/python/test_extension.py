"""The extension by itself: called past the package, with what it does not expect, it raises and does not crash."""

import json
import os
import random
import tempfile
from array import array

import akin
import pytest

from akin import _akin
from akin._settings import settings

JOB = settings(threads=1, device="cpu")
NAMES = _akin.from_lists(JOB, ("name", "city"), (["Anna Schmidt", "Ana Schmidt", "Bert"], ["Ulm", "Ulms", "Bonn"]))
ONE = _akin.from_lists(JOB, ("name",), (["Anna"],))
NONE = _akin.from_lists(JOB, (), ())
TEXT = (1, 3, False, -1, ("the",))
JOIN = ("jaccard", "0.3", "auto", 0, 0, "auto", "auto", 0)
SCORER = ("jaro-winkler", False, "0.1", "0", "none")
WEIGH = ("paper", 1.2, 0.75, -1.0, None, "auto", None, 1)
ROWS = array("I", [0, 1, 1]), array("I", [1, 2, 2])
SETS = _akin.sets(JOB, array("Q", [0, 2, 3]), array("I", [1, 2, 2]))
MATRIX = _akin.matrix(memoryview(array("f", [1, 2, 3, 4])).cast("B").cast("f", (2, 2)), False)
TRIE = _akin.build_trie(JOB, ONE, "chunks")
WEIGHTS, _ = _akin.weigh(JOB, ONE, 1, TEXT, WEIGH, 2, None)
TERMS = _akin.weigh(JOB, NAMES, 2, TEXT, WEIGH, 2, None)[0].vocabulary()
CORPUS = (3, 1000, _akin.from_lists(JOB, ("term",), (TERMS[0],)), array("I", TERMS[1]))
GIVEN = _akin.from_lists(JOB, ("left", "right"), (["Bert", "Anna Schmidt"], ["Ulm", "Bonn"]))
RANKS = _akin.index_of_weights(JOB, WEIGHTS, ONE)
PAIRS = _akin.join(JOB, NAMES, None, (1, 0), TEXT, JOIN, None)[0]
RULES = json.dumps(
    {
        "compare": ["name:jaro:0.5", "both:exact:0:2"],
        "all-pairs": True,
        "window": ["3:both:simple"],
        "block": ["city+name:soundex"],
        "similar": ["name:jaccard:0.5:qgrams:2"],
        "combine": ["both=name+city"],
        "fold": ["all"],
        "synonyms": ["name::ann,anna"],
        "given": "-",
        "threshold": 0.8,
        "max-block": 100,
    }
)
WEIGHED = json.dumps({"compare": ["name:tfidf"], "all-pairs": True, "threshold": 0.5})
KEYED = json.dumps({"compare": ["name:exact"], "block": ["name:prefix:2"], "threshold": 0.5})
COUNTED = _akin.count_records(JOB, NAMES, None, WEIGHED)["name"]
WHOLE = (
    *COUNTED[:2], _akin.from_arrow(JOB, COUNTED[2].__arrow_c_stream__(), None, ("term",), False), COUNTED[2].buffer(1)
)
LEARNT = json.dumps(
    {"compare": ["name:exact", "city:exact"], "all-pairs": True, "weights": "learn", "threshold": 0.5}
)
POPULATION = (9, 0, {name: WHOLE for name in ("name", "city")})


def model_of_many():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.json")
        rows = {"name": ["a", "a", "b", "c", "c", "d"], "city": ["x", "x", "y", "z", "z", "v"]}
        akin.dedupe(rows, ["name:exact", "city:exact"], all_pairs=True, weights="learn", model=path)
        with open(path) as file:
            return file.read().replace('"partners": "one"', '"partners": "many"')


MODEL = model_of_many()
PAGE = ("r.html", ("table", "right"), 0, 0, NAMES, False)
FUNCTIONS = ("e2lsh-l2", 5, 0, False, 0.0, 0.0, 0.0, 0.0, 1)
OPTIONS = (None, ((), 4), 0, False, "none", FUNCTIONS, (0, 1), None, "brackets")
VECTORS = _akin.build(JOB, MATRIX, -1, 5, OPTIONS)[0]
ROWED = _akin.build(JOB, NAMES, -1, 3, OPTIONS)[0]
SEARCH = (1, "auto", 1, 0, 0, False, 4, False, 0, None, 2**32 - 1)

TRIES = 1000
# Functions of the extension, by arguments that suit them.
CALLS = {
    "from_lists": (_akin.from_lists, (JOB, ("a", "b"), (["x", None], ["y", "z"]))),
    "from_file": (_akin.from_file, (JOB, "t.csv", 0, ("a",), False, 0)),
    "join": (_akin.join, (JOB, NAMES, NAMES, (1, 1), TEXT, JOIN, (str, *[1.0] * 7))),
    "join of sets": (_akin.join, (JOB, SETS, SETS, (0, 0), TEXT, JOIN, None)),
    "gather": (_akin.gather, (JOB, PAIRS, ((2, "left_id", 0, NAMES, 1, None, 0), (5, "both", 1, NAMES, 0, NAMES, 1)))),
    "compare_two": (_akin.compare_two, (JOB, SCORER, "a", "b")),
    "compare": (_akin.compare, (JOB, SCORER, NAMES, NAMES, "0.5")),
    "match": (_akin.match, (JOB, SCORER, NAMES, NAMES, (1, 1), "0.5", 0, "auto", 0)),
    "components": (_akin.components, (JOB, *ROWS, None, 3, 0, (0, 0, 1), 1)),
    "evaluate": (_akin.evaluate, (JOB, NAMES, NAMES, False, True, False)),
    "evaluate_curve": (_akin.evaluate_curve, (JOB, NAMES, array("d", [0.5, 1.0, 1.0]), NAMES, False, False, False)),
    "dedupe": (
        _akin.dedupe,
        (JOB, NAMES, None, RULES, (PAGE[0], PAGE[1][:1], 0, 0, None, False), None, None, ROWS, [None] * 2, None, -1)
    ),
    "link": (
        _akin.dedupe, (JOB, NAMES, NAMES, RULES, (*PAGE[:-4], -1, -1, None, True), None, None, None, None, None, -1)
    ),
    "dedupe a part": (_akin.dedupe, (JOB, NAMES, None, WEIGHED, None, None, None, None, [WHOLE], None, 0)),
    "dedupe by a model": (_akin.dedupe, (JOB, NAMES, None, LEARNT, None, "m.json", None, None, None, POPULATION, 0)),
    "keys": (_akin.dedupe_keys, (JOB, NAMES, KEYED, 0, False)),
    "equals": (_akin.dedupe_equals, (JOB, NAMES, LEARNT, POPULATION)),
    "model competes": (_akin.model_competes, (JOB, "m.json", MODEL)),
    "model match": (
        _akin.model_match, (JOB, MODEL, (6, 0), (1, 2), array("I", [0, 1]), array("I", [1, 2]), array("d", [0.5, 1]))
    ),
    "count values": (_akin.count_values, (JOB, NAMES, NAMES, LEARNT)),
    "count records": (_akin.count_records, (JOB, NAMES, NAMES, WEIGHED)),
    "rows_of_ids": (_akin.rows_of_ids, (JOB, NAMES, 0, NAMES, 1, GIVEN)),
    "plan": (_akin.plan, (RULES,)),
    "build_trie": (_akin.build_trie, (JOB, NAMES, "chunks")),
    "look_up": (TRIE.look_up, (JOB, NAMES)),
    "weigh": (_akin.weigh, (JOB, NAMES, 2, TEXT, (*WEIGH[:-2], TRIE, True), 1, None)),
    "weigh a part": (_akin.weigh, (JOB, NAMES, 2, TEXT, WEIGH, 1, CORPUS)),
    "count documents": (_akin.count_documents, (JOB, NAMES, 2, TEXT, WEIGH)),
    "statistics of weights": (WEIGHTS.statistics, (JOB,)),
    "write weights": (WEIGHTS.write, (JOB, "w.tsv", "tsv", ONE, False, False)),
    "index of weights": (_akin.index_of_weights, (JOB, WEIGHTS, ONE)),
    "rank": (RANKS.searcher(JOB).search, (JOB, NAMES, 1, SEARCH, True, "U", "U")),
    "sets": (_akin.sets, (JOB, array("Q", [0, 1]), array("I", [7]))),
    "matrix": (_akin.matrix, (memoryview(b"abcd").cast("B", (2, 2)), False)),
    "stop_words": (_akin.stop_words, ("english",)),
    "build sets": (_akin.build, (JOB, SETS, -1, 1, (*OPTIONS[:5], ("minhash", *FUNCTIONS[1:]), *OPTIONS[6:]))),
    "build documents": (_akin.build, (JOB, NAMES, 1, 2, (TEXT, *OPTIONS[1:]))),
    "build rows": (_akin.build, (JOB, NAMES, -1, 3, OPTIONS)),
    "build strings": (_akin.build, (JOB, NAMES, 1, 4, (None, ((), 4), 2, False, "case+blanks", None, *OPTIONS[6:]))),
    "build bm25": (
        _akin.build,
        (JOB, NAMES, 1, 7, (TEXT, ((), 4), 0, False, "none", None, (0, 1), (*WEIGH[:-2], TRIE, True), "brackets")),
    ),
    "build vectors": (_akin.build, (JOB, MATRIX, -1, 5, OPTIONS)),
    "append": (VECTORS.append, (JOB, MATRIX, -1)),
    "distance": (VECTORS.distance, (MATRIX, 0, 1)),
    "search": (VECTORS.searcher(JOB).search, (JOB, MATRIX, -1, SEARCH, False, "U", "l")),
    "search rows": (ROWED.searcher(JOB).search, (JOB, NAMES, 0, (*SEARCH[:-2], (2,), SEARCH[-1]), False, "l", "U")),
    "from_state": (_akin.from_state, (JOB, PAIRS.state())),
    "column": (PAIRS.column, (0, 0, 1)),
    "check_ids": (_akin.check_ids, (JOB, NAMES, 1)),
    "grow_sets": (_akin.grow_sets, (JOB, SETS, 2)),
    "write_records": (_akin.write_records, (JOB, "t.csv", 0, False, array("I", [0, 0]), "u.csv")),
    "generate_text": (_akin.generate_text, (JOB, (2, 0, 1.0, 0.5, 9, False, 1), ONE, array("d", [1.0]))),
}  # fmt: skip
STRANGE = [
    None, True, 0, 1, 3, 99, 0.5, "", "x", "a\0b", "\ud800", b"", b"abc", (), ("a",), (1, 2), [], ["a"], {},
    array("d", [0.5]), memoryview(b"abcde")[1:],
    NAMES, ONE, NONE, SETS, MATRIX, TRIE, WEIGHTS, PAIRS, TEXT, JOIN, PAGE,
]  # fmt: skip


def spoiled(value, draw):
    if isinstance(value, tuple) and value and draw.random() < 0.8:
        at = draw.randrange(len(value))
        middle = [] if draw.random() < 0.2 else [spoiled(value[at], draw)]
        return (*value[:at], *middle, *value[at + 1 :])
    return draw.choice(STRANGE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_strangers(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a\nx\ny\n")
    (tmp_path / "m.json").write_text(MODEL)
    call, arguments = CALLS[name]
    call(*arguments)
    draw = random.Random(name)
    tries = [spoiled(arguments, draw) for _ in range(TRIES)]
    tries += [(*arguments[:i], other, *arguments[i + 1 :]) for i in range(len(arguments)) for other in STRANGE]
    for given in tries:
        try:
            call(*given)
        except (TypeError, ValueError, IndexError, OverflowError, OSError, _akin.Error) as error:
            assert str(error)


def test_sides_of_other_columns():
    """What was read as the same columns on both sides."""
    for right in (ONE, NONE):
        with pytest.raises(ValueError, match="not as many columns as the plan names|columns; expected 1"):
            _akin.dedupe(JOB, NAMES, right, RULES, None, None, None, None, None, None, -1)
    for right in ("Anna", 5, SETS, TRIE):
        with pytest.raises(TypeError, match="expected an Input"):
            _akin.dedupe(JOB, NAMES, right, RULES, None, None, None, None, None, None, -1)
        with pytest.raises(TypeError, match="expected an Input"):
            _akin.match(JOB, SCORER, NAMES, right, (1, 1), "0.5", 0, "auto", 0)
    with pytest.raises(ValueError, match="columns; expected 2"):
        _akin.evaluate(JOB, NAMES, ONE, False, False, False)


@pytest.mark.parametrize("name", ["a\0b", "\0", "\ud800"])
def test_names_are_whole_or_refused(name):
    refused = pytest.raises(_akin.OptionError, match="NUL" if "\0" in name else "surrogate")
    with refused:
        _akin.from_lists(JOB, (name,), (["x"],))
    with refused:
        _akin.stop_words(name)
    with refused:
        _akin.join(JOB, NAMES, None, (1, 0), (*TEXT[:-1], (name,)), JOIN, None)
    with refused:
        _akin.dedupe(JOB, NAMES, None, RULES, (PAGE[0], (name,), *PAGE[2:]), None, None, None, None, None, -1)
