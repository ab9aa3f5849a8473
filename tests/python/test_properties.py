"""What holds for any strings, in whatever layout they come: drawn by Hypothesis, the same ones each time."""

import unicodedata
from collections import Counter

import pytest

import akin
from akin import strings

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

settings.register_profile(
    "akin", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("akin")

# Code points that Python and utf8proc both know. Surrogates have no UTF-8, and NUL is refused, as it is in files.
ANY = st.characters(exclude_categories=("Cs", "Cn", "Co"), exclude_characters="\0")
FEW = st.sampled_from("aabB cdé e\u0301ß漢字😀👩\u200d🚀\u00a0,.0\t")
TEXT = st.one_of(st.text(FEW, max_size=12), st.text(ANY, max_size=8), st.sampled_from(["", "😀", "a b", "x" * 70]))
COLUMN = st.lists(st.one_of(st.none(), TEXT), max_size=12)
ASCII = st.lists(st.one_of(st.none(), st.text("ab cd", max_size=9)), max_size=14)


@st.composite
def layouts(draw):
    """A column as a list, and as an array or chunked array of pyarrow that holds the same."""
    pa = pytest.importorskip("pyarrow")
    column = draw(COLUMN)
    kind = draw(
        st.sampled_from([pa.string(), pa.large_string(), pa.string_view(), "dictionary", "dictionary of large"])
    )

    def array_of(values):
        if not isinstance(kind, str):
            return pa.array(values, kind)
        index = pa.int8() if kind == "dictionary" else pa.uint32()
        text = pa.string() if kind == "dictionary" else pa.large_string()
        return pa.array(values, text).dictionary_encode().cast(pa.dictionary(index, text))

    def piece_of(values):
        """With rows before and behind it that are not of it."""
        before, behind = draw(COLUMN), draw(COLUMN)
        return array_of(before + values + behind).slice(len(before), len(values))

    if draw(st.booleans()):
        return column, piece_of(column)
    cuts = sorted(draw(st.lists(st.integers(0, len(column)), max_size=4)))
    ends = [0, *cuts, len(column)]
    pieces = [piece_of(column[a:b]) for a, b in zip(ends, ends[1:])]
    return column, pa.chunked_array(pieces, type=pieces[0].type)


@given(layouts())
def test_layouts(layout):
    column, array = layout
    for tokens in ("words", "whitespace", "qgrams:2"):
        assert akin.join(array, tokens=tokens, jaccard=0.3) == akin.join(column, tokens=tokens, jaccard=0.3)
    assert strings.cdist_sparse(array, distance=3, scorer="osa") == strings.cdist_sparse(
        column, distance=3, scorer="osa"
    )
    assert strings.compare(array, array, "jaro") == strings.compare(column, column, "jaro")
    assert akin.bm25(array).table() == akin.bm25(column).table()
    found = [akin.Index.build(each, kind="strings").search(each, k=3) for each in (array, column)]
    assert found[0] == found[1]


@given(
    layouts(), st.sampled_from([{"all_pairs": True}, {"block": "x"}, {"window": "3:x"}, {"similar": "x:jaccard:0.5"}]),
    st.sampled_from(["zero", "skip", "equal"])
)
def test_layouts_of_tables(layout, selected, missing):
    pa = pytest.importorskip("pyarrow")
    column, array = layout
    compare = ["x:levenshtein", "n:number/3"]
    table = pa.table({"n": range(len(column)), "x": array})
    lists = {"x": column, "n": [str(i) for i in range(len(column))]}
    found = akin.dedupe(table, compare, **selected, threshold=0.4, missing=missing)
    assert found == akin.dedupe(lists, compare, **selected, threshold=0.4, missing=missing)
    if column:
        index = [akin.Index.build(each, kind="rows", numeric="n").search(each, k=4) for each in (table, lists)]
        assert index[0] == index[1]


def qgrams_of(text, q):
    text = unicodedata.normalize("NFC", text or "")
    return {text[i : i + q] for i in range(len(text) - q + 1)} or ({text} if text else set())


def words_of(text):
    """Runs of letters, marks and decimal digits, of text in Unicode's compatibility normalisation, caseless."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", text or "").casefold())
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", text).casefold())
    parts = "".join(c if unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd" else " " for c in text)
    return set(parts.split(" ")) - {""}


@given(COLUMN, st.sampled_from(["words", "qgrams:1", "qgrams:2", "qgrams:3"]), st.sampled_from([0.2, 0.5, 0.75, 1]))
def test_joins(column, tokens, threshold):
    cut = words_of if tokens == "words" else lambda text: qgrams_of(text, int(tokens[-1]))
    sets = [cut(text) for text in column]
    expected = []
    for i, r in enumerate(sets):
        for k in range(i + 1, len(sets)):
            n, union = len(r & sets[k]), len(r | sets[k])
            if n and n * 20 >= round(threshold * 20) * union:
                expected.append((i, k, n))
    found = akin.join(column, tokens=tokens, jaccard=threshold)
    assert list(zip(found["left"], found["right"], found["overlap"])) == expected


@given(COLUMN, COLUMN, st.sampled_from(["jaccard", "cosine", "dice"]))
def test_joins_either_way(a, b, measure):
    """Of two columns, swapped; and as part of the join of both."""
    there = list(akin.join(a, b, **{measure: 0.4}))
    back = [(k, i, *rest) for i, k, *rest in akin.join(b, a, **{measure: 0.4})]
    assert sorted(there) == sorted(back)
    both = [(i, k - len(a), *rest) for i, k, *rest in akin.join(a + b, **{measure: 0.4}) if i < len(a) <= k]
    assert there == both


@given(TEXT, TEXT, TEXT)
def test_distances(a, b, c):
    for measure in (strings.levenshtein, strings.osa):
        assert measure(a, a) == 0 and measure(a, b) == measure(b, a)
        assert abs(len(a) - len(b)) <= measure(a, b) <= max(len(a), len(b))
        assert (measure(a, b) == 0) == (a == b)
        assert measure(a + c, b + c) <= measure(a, b) == measure(a[::-1], b[::-1])
    assert strings.osa(a, b) <= strings.levenshtein(a, b) <= strings.levenshtein(a, c) + strings.levenshtein(c, b)
    assert strings.jaro(a, a) == 1 and 0 <= strings.jaro(a, b) == strings.jaro(b, a) <= strings.jaro_winkler(a, b) <= 1


@given(TEXT, TEXT)
def test_rapidfuzz(a, b):
    distance = pytest.importorskip("rapidfuzz.distance")
    assert strings.levenshtein(a, b) == distance.Levenshtein.distance(a, b)
    assert strings.osa(a, b) == distance.OSA.distance(a, b)
    assert strings.jaro(a, b, floored=True) == pytest.approx(distance.Jaro.similarity(a, b), abs=1e-15)


@given(
    COLUMN, COLUMN, st.sampled_from(["levenshtein", "osa", "jaro", "jaro_winkler"]), st.sampled_from([0.3, 0.5, 0.8, 1])
)
def test_all_with_all(a, b, scorer, cutoff):
    found = strings.cdist_sparse(a, b, scorer=scorer, cutoff=cutoff)
    expected = [
        (i, k, strings.similarity(x, y, scorer))
        for i, x in enumerate(a)
        for k, y in enumerate(b)
        if x and y and strings.similarity(x, y, scorer) > cutoff - 1e-12
    ]
    assert list(zip(found["left"], found["right"], found["similarity"])) == expected


@given(ASCII, st.sampled_from([{"block": "x"}, {"all_pairs": True}, {"window": "20:x"}, {"similar": "x:jaccard:0.01"}]))
def test_equal_values(column, selected):
    """Every way of selection that selects equal values finds them, and nothing else is equal."""
    found = akin.dedupe({"x": column}, "x:exact", **selected, threshold=1)
    equal = [
        (i, k) for i in range(len(column)) for k in range(i + 1, len(column)) if column[i] and column[i] == column[k]
    ]
    if "similar" in selected:
        equal = [(i, k) for i, k in equal if column[i].strip()]  # one of blanks has no words
    assert list(zip(found["left"], found["right"])) == equal
    clusters = akin.components(found, rows=len(column))
    size = Counter(text for i, text in enumerate(column) if any(i in pair for pair in equal))
    assert clusters["size"] == [size[text] or 1 if text else 1 for text in column]


@given(ASCII, ASCII, st.integers(1, 5))
def test_rankings(documents, queries, k):
    made = akin.bm25(documents, tokens="whitespace", formula="lucene")
    counts = [Counter((text or "").split()) for text in documents]
    table = made.table()
    words = made.vocabulary
    found = {(d, words[t]): tf for d, t, tf in zip(table["document"], table["term"], table["tf"])}
    assert found == {(d, word): n for d, count in enumerate(counts) for word, n in count.items()}
    weights = {(d, words[t]): w for d, t, _, w in table}
    ranked = list(made.rank(queries, k=k))
    for q, query in enumerate(queries):
        scores = []
        for d, count in enumerate(counts):
            shared = [word for word in (query or "").split() if word in count]
            if shared:
                score = 0.0
                for word in shared:
                    score += weights[d, word]
                scores.append((d, score))
        expected = sorted(scores, key=lambda pair: (-pair[1], pair[0]))[:k]
        assert [(d, s) for i, d, s in ranked if i == q] == expected


@given(COLUMN, COLUMN, st.integers(1, 6), st.booleans())
def test_nearest(objects, queries, k, by_bytes):
    """By code points, or by bytes; nulls are near nothing, empty strings as far from others as these are long."""
    found = akin.Index.build(objects, kind="strings", ngram=2, bytes=by_bytes).search(queries, k=k)
    for q, query in enumerate(queries):
        ours = [(d, o) for i, o, d, _ in found if i == q]
        texts = [
            text.encode().decode("latin-1") if by_bytes and text is not None else text for text in (query, *objects)
        ]
        expected = [
            (strings.levenshtein(texts[0], text), o) for o,
            text in enumerate(texts[1:]) if texts[0] is not None and text is not None
        ]
        assert ours == sorted(expected)[:k]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_components(pairs):
    pa = pytest.importorskip("pyarrow")
    found = akin.components(pairs, 31)
    cluster = found["representative"]
    assert all(cluster[a] == cluster[b] for a, b in pairs)
    numbers = {first: number for number, first in enumerate(sorted(set(cluster)))}
    assert found["cluster"] == [numbers[first] for first in cluster]
    assert all(label == cluster[label] <= row for row, label in enumerate(cluster))
    # No two clusters could be one: of n rows that m pairs join, as many are left as a forest of these pairs has trees.
    joined, forest = list(range(31)), 31
    for a, b in pairs:
        if joined[a] != joined[b]:
            joined = [joined[a] if label == joined[b] else label for label in joined]
            forest -= 1
    assert len(set(cluster)) == forest
    table = pa.table(
        {"left": [a for a, _ in pairs], "right": [b for _, b in pairs]},
        schema=pa.schema([("left", pa.int64()), ("right", pa.int64())])
    )
    assert akin.components(table, 31) == found == akin.components(pairs[::-1], 31)


@given(st.binary(max_size=12), st.text(ANY, max_size=5))
def test_what_is_not_utf8(junk, text):
    """It is refused with its row, or replaced; NUL is refused at any rate."""
    pa = pytest.importorskip("pyarrow")
    raw = pa.array([text.encode(), junk], pa.binary())
    column = pa.StringArray.from_buffers(2, *raw.buffers()[1:])
    if b"\0" in junk:
        for lossy in (False, True):
            with pytest.raises(akin.InputError, match="row 1"):
                akin.bm25(column, lossy=lossy)
        return
    repaired = akin.bm25(column, tokens="qgrams:1", lossy=True)
    try:
        read = [text, junk.decode()]
    except UnicodeDecodeError:
        with pytest.raises(akin.InputError, match="row 1"):
            akin.bm25(column)
        assert "\ufffd" in repaired.vocabulary
    else:
        whole = akin.bm25(read, tokens="qgrams:1")
        assert whole.table() == repaired.table() and whole.vocabulary == repaired.vocabulary
