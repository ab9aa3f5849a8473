"""Thresholds: the ratios that numbers of Python become, and that no pair on a threshold is lost."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import pytest

import akin
from akin._ratio import ratio_of

SETS = ("jaccard", "cosine", "dice", "overlap_coefficient", "containment")
STRINGS = ("levenshtein", "osa", "jaro", "jaro-winkler")


@pytest.mark.parametrize(
    "value, text",
    [
        (0.8, "0.8"), (1, "1"), (1.0, "1"), (0, "0"), (0.0, "0"), (2 / 3, "2/3"), (0.7999999999999999, "0.8"),
        (0.1 + 0.2, "0.3"), (5 / 7, "5/7"), (0.8123456, "0.8123456"), (0.123456789, "0.123456789"), (3.0, "3"),
        (1e-9, "0.000000001"), (Fraction(2, 3), "2/3"), (Fraction(4, 5), "0.8"), (Decimal("0.80"), "0.8"),
        (Fraction(999999998, 999999999), "999999998/999999999"), ("2/3", "2/3"), (-0.5, "-0.5"),
    ],
)
def test_a_number_is_the_ratio_that_it_was_computed_from(value, text):
    assert ratio_of(value, "threshold") == text


def test_numbers_of_numpy_have_units_of_their_own():
    numpy = pytest.importorskip("numpy")
    for step in (0.1, 0.05):
        for kind in (float, numpy.float32):
            for i, value in enumerate(numpy.arange(0.5, 1, step, dtype=kind)):
                assert Fraction(ratio_of(value, "t")) == Fraction("0.5") + i * Fraction(str(step)), (kind, value)
    assert ratio_of(numpy.float32(2 / 3), "t") == "2/3"
    assert ratio_of(numpy.float64(0.8), "t") == ratio_of(numpy.float16(0.8), "t") == "0.8"
    assert Fraction(ratio_of(numpy.float32(0.9171234), "t")) <= Fraction(float(numpy.float32(0.9171234)))


def test_a_float_that_no_simple_fraction_is_near_lies_just_above_its_ratio():
    rng = random.Random(7)
    for value in (math.sqrt(0.5), 1 / math.pi, math.nextafter(1, 0) - 2**-40, *(rng.random() for _ in range(2000))):
        made = Fraction(ratio_of(value, "t"))
        assert max(made.numerator, made.denominator) < 10**9
        assert 0 <= Fraction(value) - made < Fraction(1, 10**9)


@pytest.mark.parametrize("value", [Fraction(1, 2**31 - 1), Decimal("0.12345678901"), Decimal("0.66666666666666666")])
def test_an_exact_number_beyond_the_range_is_refused(value):
    with pytest.raises(akin.OptionError, match="jaccard is .*; expected a fraction of two numbers of at most 9 digits"):
        akin.join(["a", "b"], jaccard=value)


@pytest.mark.parametrize("value", ["1/0", "3/2", "2/", "/3", "a/b", "1/2/3", Fraction(3, 2)])
def test_a_fraction_that_is_no_threshold_is_refused(value):
    with pytest.raises(akin.OptionError, match="jaccard is .*; expected"):
        akin.join(["a", "b"], jaccard=value)
    with pytest.raises(akin.OptionError, match="expected"):
        akin.dedupe({"t": ["a", "b"]}, "t:jaccard", all_pairs=True, threshold=value)


def test_pairs_exactly_on_two_thirds_are_found():
    texts = ["a b", "a b c"]
    found = akin.join(texts, jaccard=0.1)["similarity"][0]
    for threshold in (found, 2 / 3, Fraction(2, 3), "2/3"):
        assert len(akin.join(texts, jaccard=threshold)) == 1
        assert len(akin.join(["a b c"], ["a b d"], containment=threshold)) == 1
        assert len(akin.join(["abc", "abd"], similarity="levenshtein", threshold=threshold)) == 1
        assert akin.strings.compare(["abc"], ["abd"], "levenshtein", cutoff=threshold)["similarity"][0] > 0
        for rule in ("t:jaccard", akin.compare.jaccard("t", threshold=threshold), ("t", "jaccard", threshold)):
            chosen = {"similar": akin.similar("t", jaccard=threshold), "threshold": threshold}
            assert len(akin.dedupe({"t": texts}, [rule], **chosen)) == 1


def test_a_saved_job_has_the_threshold_exactly(tmp_path):
    table, path = {"t": ["a b", "a b c"]}, tmp_path / "job.json"
    rule = akin.compare.jaccard("t", threshold=2 / 3)
    assert str(rule) == "t:jaccard:2/3"
    found = akin.dedupe(table, rule, similar=akin.similar("t", jaccard=2 / 3), threshold=2 / 3)
    found.save_job(path)
    assert path.read_text().count('"threshold": "2/3"') == 3
    assert akin.run(path, table) == found
    again = akin.run({"akin": "join", "version": 1, "jaccard": "2/3", "tokens": "words"}, table["t"])
    assert len(again) == 1


def texts_of(seed):
    rng = random.Random(seed)
    return [" ".join(rng.choice("abcdefghijkl") for _ in range(rng.randint(1, 9 + seed))) for _ in range(25)]


def kept(found, similarity):
    """The pairs that reach a similarity as it is printed."""
    return {row[:2] for row in zip(found["left"], found["right"], found["similarity"]) if row[2] >= similarity}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measure", SETS + STRINGS)
def test_a_similarity_as_threshold_keeps_its_pairs(measure, seed):
    texts = texts_of(seed)

    def join(threshold):
        if measure in STRINGS:
            return akin.join(texts, similarity=measure, threshold=threshold)
        return akin.join(texts, texts if measure == "containment" else None, **{measure: threshold})

    found = join(0.05)
    for similarity in sorted(set(found["similarity"])):
        pairs = set(zip(*(join(similarity)[side] for side in ("left", "right"))))
        assert pairs >= kept(found, similarity), (measure, similarity)
        assert pairs <= kept(found, similarity - 1e-9), (measure, similarity)


@pytest.mark.parametrize("seed", range(3))
def test_an_average_as_threshold_keeps_its_pairs(seed):
    table = {"t": texts_of(seed), "u": texts_of(seed + 10)}
    rules = [akin.compare.jaccard("t"), akin.compare.jaro_winkler("u", weight=2)]
    found = akin.dedupe(table, rules, all_pairs=True, threshold=0.2)
    for similarity in sorted(set(found["similarity"]))[::9]:
        again = akin.dedupe(table, rules, all_pairs=True, threshold=similarity)
        assert {*zip(again["left"], again["right"])} >= kept(found, similarity)
