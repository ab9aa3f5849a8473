"""Comparators against rapidfuzz and jellyfish, by the options that reproduce their conventions: random strings, names
of compact discs, and indexes of strings. docs/strings.md lists the differences, which are left aside."""

import csv
import datetime
import io
import random
import unicodedata

import pytest

import akin
from akin import strings

np = pytest.importorskip("numpy")
pytest.importorskip("rapidfuzz")
from rapidfuzz.distance import OSA, Jaro, JaroWinkler, Levenshtein  # noqa: E402
from rapidfuzz.process import cdist, cpdist  # noqa: E402

ALPHABETS = ["ab", "abcdefghijklmnopqrstuvwxyz ,.'-", "aäöüßéñ", "αβγ漢字仮名", "ab😀😁é"]
LENGTHS = [0, 1, 2, 3, 5, 8, 12, 20, 40, 63, 64, 65, 100, 129]


def edited(draw, text, alphabet):
    made = list(text)
    for _ in range(draw.randrange(8)):
        at, kind = draw.randrange(len(made) + 1), draw.randrange(4)
        if kind == 0 or at == len(made):
            made.insert(at, draw.choice(alphabet))
        elif kind == 1:
            del made[at]
        elif kind == 2:
            made[at] = draw.choice(alphabet)
        elif at + 1 < len(made):
            made[at], made[at + 1] = made[at + 1], made[at]
    return "".join(made)


def random_pairs(count):
    draw = random.Random(1)
    for i in range(count):
        alphabet = draw.choice(ALPHABETS)
        left = "".join(draw.choices(alphabet, k=draw.choice(LENGTHS)))
        yield left, edited(draw, left, alphabet if i % 3 else "xyz")


def discs(lines_of, column):
    table = csv.DictReader(io.StringIO("\n".join(lines_of("dedupe/cd/cd.csv.zst")), newline=""))
    return sorted({row[column] for row in table})


@pytest.fixture(params=["random", "artist", "title"])
def columns(request, lines_of):
    """Two columns: strings, and others that are more or less like them."""
    if request.param == "random":
        pairs = list(random_pairs(4000))
    else:
        values = discs(lines_of, request.param)
        pairs = list(zip(values, values[1:])) + list(zip(values, values[len(values) // 2 :]))
    return [left for left, _ in pairs], [right for _, right in pairs]


THEIRS = {"floored": True, "boost_threshold": 0.7}


def is_decided(a, b):
    """Whether Jaro is not exactly at the boost threshold, where their doubles may let the prefix count."""
    return abs(Jaro.similarity(a, b) - 0.7) > 1e-12


BY_RAPIDFUZZ = {
    "levenshtein": ("levenshtein", Levenshtein, {}),
    "osa": ("osa", OSA, {}),
    "jaro": ("jaro", Jaro, {"floored": True}),
    "jaro_winkler": ("jaro_winkler", JaroWinkler, THEIRS),
}


@pytest.mark.parametrize("name", BY_RAPIDFUZZ)
def test_rapidfuzz_row_by_row(columns, name):
    scorer, theirs, options = BY_RAPIDFUZZ[name]
    columns = list(zip(*(pair for pair in zip(*columns) if is_decided(*pair))))
    found = strings.compare(*columns, scorer, threads=2, **options)
    expected = cpdist(*columns, scorer=theirs.normalized_similarity, dtype=np.float64)
    assert np.abs(np.asarray(found.buffer("similarity")) - expected).max() < 1e-14
    if name in ("levenshtein", "osa"):
        assert found["distance"] == cpdist(*columns, scorer=theirs.distance, dtype=np.int32).tolist()


@pytest.mark.parametrize("scale", [0.05, 0.2, 0.25])
def test_rapidfuzz_prefix_scale(columns, scale):
    columns = list(zip(*(pair for pair in zip(*columns) if is_decided(*pair))))
    found = strings.compare(*columns, "jaro_winkler", prefix_scale=scale, **THEIRS)
    expected = [JaroWinkler.similarity(a, b, prefix_weight=scale) for a, b in zip(*columns)]
    assert found["similarity"] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("name", BY_RAPIDFUZZ)
def test_rapidfuzz_all_with_all(lines_of, name):
    """The pairs that their dense matrix has at or above a cutoff; doubles may be a hair below it."""
    scorer, theirs, options = BY_RAPIDFUZZ[name]
    draw = random.Random(2)
    values = draw.sample([value for value in discs(lines_of, "artist") if value], 2500)
    left, right = values[:1000], values[500:]
    found = strings.cdist_sparse(left, right, scorer=scorer, cutoff=0.6, threads=2, **options)
    dense = cdist(left, right, scorer=theirs.normalized_similarity, dtype=np.float64, workers=2)
    rows, columns = np.nonzero(dense > 0.6 - 1e-12)
    assert found["left"] == rows.tolist() and found["right"] == columns.tolist() and len(rows) > 700
    jaro = cdist(left, right, scorer=Jaro.normalized_similarity, dtype=np.float64, workers=2)[rows, columns]
    decided = np.abs(jaro - 0.7) > 1e-12 if options is THEIRS else np.full(len(rows), True)
    assert np.abs(np.asarray(found.buffer("similarity")) - dense[rows, columns])[decided].max() < 1e-14


def test_rapidfuzz_strings_index(bytes_of):
    """The nearest of an index of strings, against all distances of bytes."""
    objects = bytes_of("search/sequence_db.txt.zst").split(b"\n")[:8000]
    queries = bytes_of("search/sequence_queries_30.txt").split(b"\n")[:20]
    dense = cdist(queries, objects, scorer=Levenshtein.distance, dtype=np.int32, workers=2)
    index = akin.Index.build([o.decode() for o in objects], kind="strings", ngram=3, bytes=True)
    found = index.search([q.decode() for q in queries], k=5)
    for i, distances in enumerate(dense):
        order = np.lexsort((np.arange(len(distances)), distances))[:5]
        assert [(o, d) for q, o, d, _ in found if q == i] == [(int(o), int(distances[o])) for o in order]


def test_strings_truth(bytes_of, lines_of):
    """The exact nearest strings of real queries, as somebody else found them."""
    objects = bytes_of("search/sequence_db.txt.zst").decode().rstrip("\n").split("\n")
    queries = lines_of("search/sequence_queries_10.txt")[:12]
    truth = [line.split("\t") for line in lines_of("search/sequence_truth_10.tsv.gz")]
    index = akin.Index.build(objects, kind="strings", ngram=3, bytes=True)
    found = index.search(queries, k=10)
    expected = [(int(q), int(row), int(distance)) for q, _, row, distance in truth[1:] if int(q) < len(queries)]
    assert [(q, o, d) for q, o, d, _ in found] == expected and len(expected) == 10 * len(queries)


def is_alone(text):
    """Whether each code point is a grapheme cluster, which jellyfish takes for a symbol."""
    marks = ("Mn", "Mc", "Me", "Cf", "Sk")
    return "\r" not in text and not any(unicodedata.category(c) in marks and ord(c) > 127 for c in text)


def with_empty(function):
    """To jellyfish two empty strings are not alike; to akin and rapidfuzz they are."""
    return lambda a, b: function(a, b) if a or b else 1.0


def test_jellyfish(columns):
    jellyfish = pytest.importorskip("jellyfish")
    pairs = [pair for pair in zip(*columns) if all(map(is_alone, pair)) and is_decided(*pair)]
    left, right = zip(*pairs)
    assert strings.compare(left, right)["distance"] == [jellyfish.levenshtein_distance(a, b) for a, b in pairs]
    for scorer, theirs, options in (
        ("jaro", jellyfish.jaro_similarity, {"floored": True}),
        ("jaro_winkler", jellyfish.jaro_winkler_similarity, THEIRS),
    ):
        expected = [with_empty(theirs)(a, b) for a, b in pairs]
        assert strings.compare(left, right, scorer, **options)["similarity"] == pytest.approx(expected, abs=1e-14)
    # Theirs is Damerau's distance, in which an edit may be edited again, so it is osa's or below, and not below a
    # transposition's worth.
    osa = strings.compare(left, right, "osa")["distance"]
    whole = [jellyfish.damerau_levenshtein_distance(a, b) for a, b in pairs]
    edits = [Levenshtein.distance(a, b) for a, b in pairs]
    assert all(d <= o <= e for d, o, e in zip(whole, osa, edits)) and osa != edits


def test_jellyfish_soundex(lines_of):
    jellyfish = pytest.importorskip("jellyfish")
    words = {
        word for artist in discs(lines_of, "artist") for word in artist.split() if word.isascii() and word.isalpha()
    }
    words = sorted(words)
    expected = [float(jellyfish.soundex(a) == jellyfish.soundex(b)) for a, b in zip(words, words[1:])]
    assert strings.compare(words[:-1], words[1:], "soundex")[
        "similarity"
    ] == expected and 0 < sum(expected) < len(expected)


def test_jellyfish_jaccard(lines_of):
    """Of words. (Their runs of N characters do not overlap, and akin's do.)"""
    jellyfish = pytest.importorskip("jellyfish")
    titles = [
        title.lower() for title in discs(lines_of, "title") if title.replace(" ", "").isalnum() and title.isascii()
    ]
    expected = [jellyfish.jaccard_similarity(a, b) for a, b in zip(titles, titles[1:])]
    found = strings.compare(titles[:-1], titles[1:], "jaccard")
    assert found["similarity"] == expected and len({*expected}) > 5


@pytest.mark.parametrize("size", [1, 2, 3])
def test_scikit_learn_qgrams(columns, size):
    """Sets of runs of N characters. Of shorter strings scikit-learn makes none, akin one; it merges blanks."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    pairs = [pair for pair in zip(*columns) if all(len(s) >= size and "  " not in s and is_alone(s) for s in pair)]
    left, right = zip(*pairs)
    counter = text.CountVectorizer(analyzer="char", ngram_range=(size, size), lowercase=False, binary=True).fit(
        left + right
    )
    a, b = counter.transform(left), counter.transform(right)
    common = np.asarray(a.multiply(b).sum(axis=1)).ravel()
    sizes = [np.asarray(side.sum(axis=1)).ravel() for side in (a, b)]
    for scorer, expected in (
        ("jaccard", common / (sizes[0] + sizes[1] - common)),
        ("cosine", common / np.sqrt(sizes[0] * sizes[1])),
        ("dice", 2 * common / (sizes[0] + sizes[1])),
    ):
        found = strings.compare(left, right, f"{scorer}/{size}")
        assert np.abs(np.asarray(found.buffer("similarity")) - expected).max() < 1e-15 and expected.max() > 0.5


def test_dates():
    draw = random.Random(3)
    first = datetime.date(1, 1, 1).toordinal()
    days = [(draw.randint(first, 3_652_059), draw.randint(-900, 900)) for _ in range(500)]
    pairs = [(d, min(max(d + by, first), 3_652_059)) for d, by in days]
    shown = [[datetime.date.fromordinal(day).isoformat() for day in side] for side in zip(*pairs)]
    found = strings.compare(*shown, "date/365")
    assert found["distance"] == [abs(a - b) for a, b in pairs]
    assert found["similarity"] == pytest.approx([max(0, 1 - abs(a - b) / 365) for a, b in pairs], abs=1e-15)


def test_numbers():
    draw = random.Random(4)
    values = [
        draw.choice([draw.uniform(-5, 5), draw.randint(-9, 9), 10.0 ** draw.randint(-20, 20)]) for _ in range(1000)
    ]
    left, right = values[:500], values[500:]
    found = strings.compare([repr(v) for v in left], [f" {v:+} " for v in right], "number/2")
    assert found["distance"] == [abs(a - b) for a, b in zip(left, right)]
    assert found["similarity"] == [max(0.0, 1 - abs(a - b) / 2) for a, b in zip(left, right)]
