"""Duplicates and links against all pairs, compared one by one."""

import random

import pytest

import akin
from akin import strings

FIRST = "Anna Ana Bert Berta Clara Klara Dora Emil Émile Fritz".split()
LAST = "Schmidt Schmitt Schmid Meyer Maier Mayer Huber Hubert".split()
CITIES = ["Ulm", "ULM", "Bonn", "Köln", "Koeln", None, ""]


def draw_people(seed, rows):
    draw = random.Random(seed)
    return {
        "id": [str(i) for i in range(rows)],
        "first": [draw.choice([*FIRST, None]) for _ in range(rows)],
        "last": [draw.choice(LAST) for _ in range(rows)],
        "city": [draw.choice(CITIES) for _ in range(rows)],
        "year": [draw.choice(["1980", "1981", "1971", "", "unknown"]) for _ in range(rows)],
    }


COMPARE = [("first", "jaro-winkler", 0.5, 1), ("last", "levenshtein", 0, 2), ("city", "exact", 0, 0.5), ("year", "number/10", 0, 1)]


def similarity_of(a, b, i, k, missing):
    total = weights = 0
    each = []
    for column, scorer, threshold, weight in COMPARE:
        x, y = a[column][i] or None, b[column][k] or None
        if column == "year":
            x, y = (None if value == "unknown" else value for value in (x, y))
        if x is None or y is None:
            if missing == "skip":
                each.append(None)
                continue
            value = float(missing == "equal" and x is None and y is None)
        else:
            value = strings.similarity(x, y, scorer)
            value = value if value >= threshold else 0.0
        each.append(value)
        total, weights = total + weight * value, weights + weight
    return (total / weights if weights else 0.0), each


@pytest.mark.parametrize("missing", ["zero", "skip", "equal"])
@pytest.mark.parametrize("two", [False, True])
def test_all_pairs(missing, two):
    a, b = draw_people(1, 70), draw_people(2, 50)
    if two:
        found = akin.link(a, b, COMPARE, "all", threshold=0.8, missing=missing, threads=2)
    else:
        b = a
        found = akin.dedupe(a, COMPARE, "all", threshold=0.8, missing=missing, threads=2)
    expected = []
    for i in range(70):
        for k in range(0 if two else i + 1, len(b["id"])):
            value, each = similarity_of(a, b, i, k, missing)
            if value >= 0.8 - 5e-10:
                expected.append((i, k, value, *each))
    assert found.columns == ("left", "right", "similarity", "first", "last", "city", "year")
    assert [row[:2] for row in found] == [row[:2] for row in expected] and expected
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], abs=1e-12)
    assert [row[3:] for row in found] == [row[3:] for row in expected]


def test_selections():
    people = draw_people(3, 120)
    every = list(akin.dedupe(people, COMPARE, "all", threshold=0.7))

    def among(select):
        return [row for row in every if select(row[0], row[1])]

    def same(*columns):
        return lambda i, k: all(people[c][i] == people[c][k] and people[c][i] for c in columns)

    def found(*pairs):
        return list(akin.dedupe(people, COMPARE, pairs, threshold=0.7))

    assert found("block:last") == among(same("last"))
    assert found("block:last+city") == among(same("last", "city"))
    both = among(lambda i, k: same("last")(i, k) or same("first", "year")(i, k))
    assert found("block:last", "block:first:value+year") == both
    assert found("similar:last:jaccard:1") == among(same("last"))
    assert found("window:121:last") == every
    assert set(found("window:20")) < set(every)
    sounds = among(lambda i, k: strings.similarity(people["last"][i], people["last"][k], "soundex") == 1)
    assert found("block:last:soundex") == sounds


@pytest.mark.parametrize("key", akin.choices("keys"))
def test_each_key(key):
    people = draw_people(3, 60)
    word = key.name + key.arguments.replace("N", "3")
    every = list(akin.dedupe(people, COMPARE, "all", threshold=0.7))
    blocks = list(akin.dedupe(people, COMPARE, f"block:last:{word}", threshold=0.7))
    assert set(blocks) <= set(every) and blocks
    windows = {"select": "window", "size": 61, "column": "last", "key": word}
    assert list(akin.dedupe(people, COMPARE, windows, threshold=0.7)) == every


def test_folds_and_combined_columns():
    table = {"a": ["Köln", "KOLN", "x"], "b": ["1", "1", None], 'odd:"name': ["p", "p", "q"]}
    assert len(akin.dedupe(table, "a:exact", "all")) == 0
    for fold in ("a", "all", {"a": "case+accents"}, ["a:case+accents"]):
        assert list(akin.dedupe(table, "a:exact", "all", fold=fold)) == [(0, 1, 1.0, 1.0)]
    assert len(akin.dedupe(table, "a:exact", "all", fold={"all": "all", "a": "none"})) == 0
    whole = akin.dedupe(table, [("ab", "exact")], "block:ab", combine={"ab": ["a", "b"]}, fold="all")
    assert list(whole) == [(0, 1, 1.0, 1.0)]
    assert list(akin.dedupe(table, '"odd:""name":exact', 'block:"odd:""name"')) == [(0, 1, 1.0, 1.0)]


def test_one_to_one_and_tables():
    pa = pytest.importorskip("pyarrow")
    people, others = draw_people(4, 60), draw_people(5, 60)
    found = akin.link(people, others, COMPARE, "all", threshold=0.7, one_to_one=True)
    assert len(set(found["left"])) == len(set(found["right"])) == len(found) > 10
    assert akin.link(pa.table(people), pa.table(others), COMPARE, "all", threshold=0.7, one_to_one=True) == found


@pytest.mark.parametrize(
    "arguments,message",
    [
        (dict(compare="last"), "COLUMN:COMPARATOR"),
        (dict(compare="last:magic"), "levenshtein"),
        (dict(compare="last:exact:often"), "expected a decimal number"),
        (dict(compare="last:exact:2"), "threshold"),
        (dict(compare="surname:exact"), "there is no column 'surname'"),
        (dict(compare=["last:exact", "last:exact"]), "already"),
        (dict(compare=[]), "nothing is compared|compare"),
        (dict(pairs="some"), "expected all, window"),
        (dict(pairs="window:1:last"), "window"),
        (dict(pairs="block:last:colour"), "expected value, simple"),
        (dict(pairs="similar:last:jaccard:2"), "above 0, to 1"),
        (dict(pairs="similar:last:jaccard"), "expected similar:COLUMN"),
        (dict(pairs=[]), "pairs|select"),
        (dict(fold="last:colour"), "expected case"),
        (dict(combine={"last": ["first"]}, compare=["last:exact", "first:exact"], pairs="block:last"), None),
        (dict(missing="maybe"), "zero, skip or equal"),
        (dict(threshold=2), "threshold"),
        (dict(max_block=1), "from 2 to"),
        (dict(compare='"last:exact'), "quote"),
    ],
)
def test_refusals(arguments, message):
    asked = {"compare": "last:exact", "pairs": "all", **arguments}
    if message is None:  # a column of that name need not be there
        akin.dedupe(draw_people(1, 5), **asked)
        return
    with pytest.raises(akin.OptionError, match=message):
        akin.dedupe(draw_people(1, 5), **asked)


def test_one_rule_may_be_a_tuple():
    table = {"name": ["anna", "anne", "bert"]}
    one = akin.dedupe(table, ("name", "levenshtein", 0.5, 2), "all", threshold=0.5)
    assert one == akin.dedupe(table, [("name", "levenshtein", 0.5, 2)], "all", threshold=0.5)
    assert list(zip(one["left"], one["right"])) == [(0, 1)]
