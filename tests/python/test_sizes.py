"""Sizes of sets and of strings: those that joins compare."""

import random
import unicodedata

import pytest

import akin

TEXTS = [
    "Red wine, red", "the wine", None, "", "e\u0301te\u0301 \u00e9t\u00e9", "Stra\u00dfe STRASSE", "a-b 12 x9", "  "
]  # fmt: skip
WAYS = [
    {}, {"multiset": True}, {"ignore_case": False}, {"stop_words": "english"}, {"stop_words": ["wine"]},
    {"tokens": "whitespace"}, {"tokens": "whitespace", "fold": "case"}, {"tokens": "qgrams:2"},
    {"tokens": "qgrams:3", "multiset": True}, {"tokens": "words:2"}, {"tokens": "codes"},
    {"tokens": "qgrams:1", "multiset": True, "fold": ["case"]},
]  # fmt: skip


def joined_sizes(texts, **how):
    """The sizes by joins: by containment of 1, a row is in itself, with all of its tokens in common."""
    found = akin.join(texts, texts, containment=1, **how)
    own = {pair.left: pair.overlap for pair in found if pair.left == pair.right}
    return [own.get(row, 0) for row in range(len(texts))]


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_sizes_are_those_of_joins(how, addresses):
    for texts in (TEXTS, addresses):
        for threads in (1, 3):
            assert akin.sizes(texts, threads=threads, **how)["size"].tolist() == joined_sizes(texts, **how)


def test_columns_form_one_set():
    table = {"a": ["x y", "x", None], "b": ["y z", None, None], "c": ["other"] * 3}
    assert akin.sizes(table, ["a", "b"])["size"] == [3, 1, 0]
    assert akin.sizes(table, ["a", "b"], multiset=True)["size"] == [4, 1, 0]
    assert akin.sizes(table, "a").columns == ("size",)
    with pytest.raises(akin.OptionError, match="which column"):
        akin.sizes(table)


def test_characters():
    draw = random.Random(3)
    letters = "aAzZ \u00e9e\u0301\u00df\u0130\ufb01\u3042\U0001f600-'."
    texts = [None, "", *("".join(draw.choices(letters, k=draw.randrange(9))) for _ in range(300))]
    plain = [text or "" for text in texts]
    assert akin.sizes(texts, tokens="characters")["size"] == [len(text) for text in plain]
    composed = [len(unicodedata.normalize("NFC", text)) for text in plain]
    assert akin.sizes(texts, tokens="qgrams:1", multiset=True)["size"] == composed
    for fold in ("case", "accents", "case+accents", ["blanks", "punctuation"], "all"):
        sizes = akin.sizes(texts, tokens="characters", fold=fold)["size"]
        assert akin.sizes(texts, tokens="qgrams:1", multiset=True, fold=fold)["size"] == sizes
        once = akin.sizes(texts, tokens="qgrams:1", fold=fold)["size"]
        assert all(a <= b for a, b in zip(once, sizes))
    assert akin.sizes(texts, tokens="characters", ignore_case=True) == akin.sizes(
        texts, tokens="characters", fold="case"
    )


@pytest.mark.parametrize("fold", [None, "case", "accents+blanks"])
def test_characters_are_those_that_joins_of_strings_compare(fold):
    """A string of that many other characters is that many edits away from another, and no fewer."""
    texts = ["e\u0301te\u0301", " Ulm  Ulm ", "Stra\u00dfe", "x"]
    sizes = akin.sizes(texts, tokens="characters", fold=fold)["size"].tolist()
    for text, size in zip(texts, sizes):
        far = "\u4e00" * size
        assert [p.distance for p in akin.join([text], [far], levenshtein=99, fold=fold)] == [size]


def test_strings_of_several_columns_are_one():
    table = {"a": ["ab", None, "c"], "b": ["de", "f", ""]}
    assert akin.sizes(table, ["a", "b"], tokens="characters")["size"] == [5, 1, 1]


def test_ids():
    assert akin.sizes([[3, 1, 3], [], [7]], tokens="ids")["size"] == [2, 0, 1]
    for given in ({"on": "a"}, {"multiset": True}, {"fold": "case"}, {"lossy": True}, {"stop_words": ["a"]}):
        with pytest.raises(akin.OptionError, match=f"tokens='ids' and {next(iter(given))} are given"):
            akin.sizes([[1]], tokens="ids", **given)


def test_refusals(tmp_path):
    with pytest.raises(akin.OptionError, match="tokens='characters' and multiset"):
        akin.sizes(["a"], tokens="characters", multiset=True)
    with pytest.raises(akin.OptionError, match="tokens ignore case alone"):
        akin.sizes(["a"], tokens="qgrams:2", fold="accents")
    with pytest.raises(akin.OptionError, match="unknown kind of tokens"):
        akin.sizes(["a"], tokens="letters")
    (tmp_path / "bad.txt").write_bytes(b"fine\n\xff\xfe\n")
    with pytest.raises(akin.InputError):
        akin.sizes(tmp_path / "bad.txt")
    assert akin.sizes(tmp_path / "bad.txt", tokens="characters", lossy=True)["size"] == [4, 2]


def test_empty_and_types():
    made = akin.sizes([])
    assert len(made) == 0 and made.columns == ("size",)
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(akin.sizes(pyarrow.chunked_array([["a b"], ["c"]])))
    assert table.schema.field("size").type == pyarrow.uint32() and table["size"].to_pylist() == [2, 1]
