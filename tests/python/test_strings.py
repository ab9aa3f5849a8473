"""Strings against rapidfuzz, by the options that reproduce its conventions, and joins of strings against all pairs."""

import random

import pytest

import akin
from akin import strings

rapidfuzz = pytest.importorskip("rapidfuzz")
from rapidfuzz.distance import OSA, Jaro, JaroWinkler, Levenshtein  # noqa: E402

ALPHABET = "aabcdéß 漢"


def draw_strings(seed, count, longest=12):
    draw = random.Random(seed)
    made = ["".join(draw.choices(ALPHABET, k=draw.randint(0, longest))) for _ in range(count)]
    return made + [text[:-1] + draw.choice(ALPHABET) for text in made if text]


def test_two_strings():
    texts = draw_strings(1, 60)
    for a in texts[:40]:
        for b in texts[:40]:
            assert strings.levenshtein(a, b) == Levenshtein.distance(a, b)
            assert strings.osa(a, b) == OSA.distance(a, b)
            assert strings.similarity(a, b) == pytest.approx(Levenshtein.normalized_similarity(a, b), abs=1e-15)
            assert strings.jaro(a, b, floored=True) == pytest.approx(Jaro.similarity(a, b), abs=1e-15)
            ours = strings.jaro_winkler(a, b, floored=True, boost_threshold=0.7)
            if abs(Jaro.similarity(a, b) - 0.7) > 1e-12:  # there doubles decide whether the prefix counts
                assert ours == pytest.approx(JaroWinkler.similarity(a, b), abs=1e-15)


def test_boost_threshold_is_exact():
    """The Jaro similarity of these is 7/10, which doubles have a little above 0.7."""
    assert strings.jaro("bccaa", "bcbbcb") == pytest.approx(0.7)
    assert strings.jaro_winkler("bccaa", "bcbbcb", boost_threshold=0.7) == pytest.approx(0.7)
    assert strings.jaro_winkler("bccaa", "bcbbcb", boost_threshold=0.699999999) == pytest.approx(0.76)


def test_other_scorers():
    assert strings.similarity("Robert", "Rupert", "soundex") == 1
    assert strings.distance("2024-02-28", "2024-03-01", "date") == 2
    assert strings.similarity("2.5", "2", "number/2") == 0.75
    assert strings.similarity("no number", "2", "number") is None
    assert strings.similarity("a b c", "b c d", "jaccard") == 0.5
    with pytest.raises(akin.OptionError, match="levenshtein"):
        strings.similarity("a", "b", "magic")
    with pytest.raises(TypeError, match="compare takes columns"):
        strings.levenshtein("a", ["b"])


def test_columns_row_by_row():
    left, right = draw_strings(2, 200), draw_strings(3, 200)
    rows = min(len(left), len(right))
    left, right = left[:rows] + [None, "x"], right[:rows] + ["x", None]
    table = strings.compare(left, right, "jaro")
    assert table["similarity"] == [strings.jaro(a, b) for a, b in zip(left[:rows], right)] + [None, None]
    table = strings.compare(left, right, cutoff=0.5)
    for a, b, found in zip(left[:rows], right, table["similarity"]):
        exact = strings.similarity(a, b)
        assert found == (exact if exact >= 0.5 else 0)
    with pytest.raises(akin.OptionError, match="one length"):
        strings.compare(["a"], ["a", "b"])


@pytest.mark.parametrize("scorer", ["levenshtein", "osa", "jaro", "jaro_winkler"])
@pytest.mark.parametrize("two", [False, True])
def test_all_with_all(scorer, two):
    a = draw_strings(4, 80) + [None, ""]
    b = draw_strings(5, 60) + ["", None]
    found = strings.cdist_sparse(a, b if two else None, scorer=scorer, cutoff=0.8)
    expected = []
    for i, x in enumerate(a):
        for k, y in enumerate(b if two else a):
            if x and y and (two or i < k) and strings.similarity(x, y, scorer) > 0.8 - 1e-12:  # exactly 0.8 may be a double below
                expected.append((i, k, strings.similarity(x, y, scorer)))
    assert list(zip(found["left"], found["right"], found["similarity"])) == expected
    assert expected
    assert ("distance" in found.columns) == (scorer in ("levenshtein", "osa"))


def test_as_a_matrix():
    sparse = pytest.importorskip("scipy.sparse")
    from rapidfuzz.process import cdist

    a, b = draw_strings(6, 60), draw_strings(7, 60)
    t = strings.cdist_sparse(a, b, scorer="levenshtein", distance=3)
    matrix = sparse.coo_array((t["distance"], (t["left"], t["right"])), shape=(len(a), len(b))).toarray()
    dense = cdist(a, b, scorer=Levenshtein.distance)
    for i, x in enumerate(a):
        for k, y in enumerate(b):
            near = x and y and dense[i, k] <= 3
            assert matrix[i, k] == (dense[i, k] if near else 0)


def test_one_threshold():
    for arguments in (dict(), dict(cutoff=0.5, distance=1), dict(distance=0), dict(distance=0.5)):
        with pytest.raises(akin.OptionError):
            strings.cdist_sparse(["a"], **arguments)
    with pytest.raises(akin.OptionError):
        strings.cdist_sparse(["a"], scorer="jaro", distance=1)
