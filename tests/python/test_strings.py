"""Strings against rapidfuzz, by the options that reproduce its conventions, and joins of strings against all pairs."""

import unicodedata
import warnings
from random import Random

import numpy
import pytest

import akin
from akin import strings

rapidfuzz = pytest.importorskip("rapidfuzz")
from rapidfuzz.distance import OSA, Jaro, JaroWinkler, Levenshtein  # noqa: E402

ALPHABET = "aabcdéß 漢"


def draw_strings(seed, count, longest=12):
    draw = Random(seed)
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
            # exactly 0.8 may be a double below
            if x and y and (two or i < k) and strings.similarity(x, y, scorer) > 0.8 - 1e-12:
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


# ------------------------------------------------------------------------------------------------------------ akin.join


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("scorer", ["levenshtein", "osa", "jaro", "jaro-winkler"])
def test_join_of_strings(scorer, two):
    """akin.join joins strings as cdist_sparse does."""
    a, b = draw_strings(4, 80) + [None, ""], draw_strings(5, 60) if two else None
    assert akin.join(a, b, similarity=scorer, threshold=0.8) == strings.cdist_sparse(a, b, scorer=scorer, cutoff=0.8)
    assert akin.join(a, b, similarity=scorer, top=2) == strings.cdist_sparse(a, b, scorer=scorer, top=2)
    assert akin.join(a, b, levenshtein=2) == strings.cdist_sparse(a, b, scorer="levenshtein", distance=2)
    assert akin.join(a, b, levenshtein=9, top=3) == strings.cdist_sparse(a, b, scorer="levenshtein", distance=9, top=3)
    if scorer.startswith("jaro"):
        how = dict(floored=True, **({"boost_threshold": 0.7, "prefix_scale": 0.2} if scorer == "jaro-winkler" else {}))
        assert akin.join(a, b, similarity=scorer, threshold=0.7, **how) == strings.cdist_sparse(
            a, b, scorer=scorer, cutoff=0.7, **how
        )


def test_join_of_strings_in_tables():
    left = {"id": ["a", "b"], "name": ["Anna", "Bert"]}
    right = {"key": ["x", "y"], "person": ["berta", "HANNA"]}
    found = akin.join(
        left, right, left_on="name", right_on="person", left_id="id", right_id="key", levenshtein=1, ignore_case=True
    )
    assert found.columns == ("left", "right", "left_id", "right_id", "distance", "similarity")
    assert list(found) == [(0, 1, "a", "y", 1, 0.8), (1, 0, "b", "x", 1, 0.8)]
    pandas = pytest.importorskip("pandas")
    assert akin.join(
        pandas.DataFrame(left), pandas.DataFrame(right), left_on="name", right_on="person", levenshtein=1,
        ignore_case=True
    )["right"].tolist() == [1, 0]


# ---------------------------------------------------------------------------------------------------------------- folds

def plain(value, folds):
    """What a value of letters and accents becomes, by the Unicode database of Python."""
    if "accents" in folds:
        value = "".join(c for c in unicodedata.normalize("NFD", value) if not unicodedata.combining(c))
    if "case" in folds:
        value = value.casefold()
    return unicodedata.normalize("NFC", value)


@pytest.mark.parametrize("folds", ["none", "case", "accents", "case+accents", ["accents", "case"]])
def test_folds(folds):
    """Folds are as values folded before."""
    random = Random(7)
    words = ["".join(random.choice("aAäÄéEsnN ") for _ in range(random.randrange(1, 8))) for _ in range(60)]
    clean = [plain(word, folds) for word in words]
    for scorer in ("levenshtein", "osa", "jaro", "jaro-winkler", "soundex", "exact", "jaccard/2", "monge-elkan"):
        assert strings.compare(words, words[::-1], scorer, fold=folds) == strings.compare(clean, clean[::-1], scorer)
        assert strings.similarity(words[0], words[1], scorer, fold=folds) == strings.similarity(
            clean[0], clean[1], scorer
        )
        assert strings.distance(words[0], words[1], scorer, fold=folds) == strings.distance(clean[0], clean[1], scorer)
    for one in (strings.levenshtein, strings.osa, strings.jaro, strings.jaro_winkler):
        assert [one(a, b, fold=folds) for a, b in zip(words, words[1:])] == [
            one(a, b) for a, b in zip(clean, clean[1:])
        ]
    for how in (dict(similarity="jaro-winkler", threshold=0.8), dict(levenshtein=1), dict(similarity="osa", top=2)):
        assert akin.join(words, fold=folds, **how) == akin.join(clean, **how)
    assert strings.cdist_sparse(words, cutoff=0.8, fold=folds) == strings.cdist_sparse(clean, cutoff=0.8)
    index, expected = akin.Index.build(words, kind="strings", fold=folds), akin.Index.build(clean, kind="strings")
    assert index.search(words[::3], k=4) == expected.search(clean[::3], k=4)
    assert index.append(words[:9]).search(words[1::3], k=4) == expected.append(clean[:9]).search(clean[1::3], k=4)


def test_ignoring_case(tmp_path):
    assert strings.levenshtein("ANNA", "anna", ignore_case=True) == strings.osa("ANNA", "anna", ignore_case=True) == 0
    assert strings.jaro("ANNA", "anna", ignore_case=True) == strings.jaro_winkler("ANNA", "anna", ignore_case=True) == 1
    assert akin.join(["ANNA", "anna"], levenshtein=0, ignore_case=True) == akin.join(
        ["ANNA", "anna"], levenshtein=0, fold="case"
    )
    akin.Index.build(["ANNA", "Bert"], kind="strings", ignore_case=True).save(tmp_path / "names.akin")
    index = akin.Index.open(tmp_path / "names.akin")
    assert index.search("anna", k=1)["distance"] == [0]
    assert akin.info(tmp_path / "names.akin")["fold"] == "case"
    with pytest.raises(akin.OptionError, match="fold is for .*, not for rows"):
        akin.Index.build({"a": ["x"]}, kind="rows", fold="case")
    with pytest.raises(akin.OptionError, match="punctuation means something"):
        strings.compare(["-1"], ["1"], "number", fold="all")
    with pytest.raises(akin.InputError):
        strings.levenshtein("\ud800", "a", ignore_case=True)


@pytest.mark.parametrize("scorer", ["levenshtein", "osa", "jaro", "jaro_winkler", "jaccard/2", "number"])
def test_cells_are_those_of_pairs(scorer):
    left, right = ["Anna", None, "", "12", "Zoë" * 300, "ANNE"], ["anne", "Ann", None, "13", "Zoe" * 300]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", akin.ResultWarning)
        pairs = akin.strings.compare(
            [a for a in left for _ in right], [b for _ in left for b in right], scorer, ignore_case=True
        )
        for distances in (False, True):
            for dtype in ("float32", "float64"):
                cells = akin.strings.cdist(
                    left, right, scorer=scorer, distances=distances, dtype=dtype, ignore_case=True, threads=2
                )
                assert cells.shape == (6, 5) and cells.dtype == dtype
                wanted = pairs["distance" if distances else "similarity"].to_numpy().astype(dtype)
                numpy.testing.assert_array_equal(cells.ravel(), wanted)
    assert akin.strings.cdist(left, scorer="exact").shape == (6, 6)
    assert akin.strings.cdist([], right).shape == (0, 5)


def test_both_columns_are_of_one_table(tmp_path):
    table = {"old": ["Robert", "Smith", None], "new": ["Rupert", "", "x"]}
    wanted = akin.strings.compare(table["old"], table["new"], "osa")
    assert akin.strings.compare(table, scorer="osa", on=akin.sides("old", "new")) == wanted
    assert akin.strings.compare(table, scorer="osa", left_on="old", right_on="new") == wanted
    cells = akin.strings.cdist(table, scorer="osa", on=akin.sides("old", "new"))
    numpy.testing.assert_array_equal(cells, akin.strings.cdist(table["old"], table["new"], scorer="osa"))
    (tmp_path / "names.csv").write_text("old,new\nRobert,Rupert\nSmith,\n")
    job = {"akin": "compare", "version": 1, "input": [str(tmp_path / "names.csv")], "files": True, "scorer": "osa"}
    assert akin.run(job | {"on": "old=new"})["distance"].to_numpy().tolist() == [2, 5]
    for same in ({"on": "old"}, {"left_on": "old", "right_on": "old"}):
        with pytest.raises(akin.OptionError, match="compared with itself"):
            akin.strings.compare(table, scorer="osa", **same)
    with pytest.raises(akin.OptionError, match="compared with itself"):
        akin.strings.compare(["a", "b"])


def test_cells_are_refused():
    with pytest.raises(akin.OptionError, match="dtype is 'int8'"):
        akin.strings.cdist(["a"], ["b"], dtype="int8")
    with pytest.raises(akin.OptionError, match="cosine"):
        akin.strings.cdist(["a"], ["b"], scorer="tfidf")
