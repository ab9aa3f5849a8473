"""Joins of sets against SetSimilaritySearch, against counts of common tokens by SciPy, and against what others have
counted; searches against counts."""

import random

import pytest

import akin

np = pytest.importorskip("numpy")


def drawn(seed, rows):
    draw = random.Random(seed)
    made = []
    for _ in range(rows):
        if made and draw.random() < 0.4:
            base = [token for token in draw.choice(made) if draw.random() < 0.9]
        else:
            base = []
        more = [min(int(draw.paretovariate(0.6)), 3000) for _ in range(draw.randint(0 if base else 1, 9))]
        made.append(sorted({*base, *more}))
    return made


@pytest.fixture(params=["random", "BMS2", "tweets_words"])
def sets(request, lines_of):
    if request.param == "random":
        return drawn(1, 800)
    lines = lines_of(f"join/{request.param}.txt.zst")
    some = lines[len(lines) // 2 :][:1500]  # lines stand by their size, so these are of few
    return [list(map(int, line.split())) for line in some + random.Random(2).sample(lines, 500)]


def column_of(sets):
    return [" ".join(map(str, tokens)) for tokens in sets]


def pairs_of(found):
    return list(zip(found["left"], found["right"]))


@pytest.mark.parametrize("measure,threshold", [("jaccard", 0.5), ("jaccard", 0.8), ("cosine", 0.7), ("cosine", 0.9)])
def test_all_pairs(sets, measure, threshold):
    theirs = pytest.importorskip("SetSimilaritySearch")
    listed = theirs.all_pairs(sets, similarity_func_name=measure, similarity_threshold=threshold)
    expected = sorted((min(i, k), max(i, k), similarity) for i, k, similarity in listed)
    found = akin.join(column_of(sets), tokens="whitespace", threads=2, **{measure: threshold})
    assert pairs_of(found) == [(i, k) for i, k, _ in expected]
    assert found["similarity"] == pytest.approx([similarity for *_, similarity in expected], rel=1e-15)


@pytest.mark.parametrize("measure,threshold", [("jaccard", 0.6), ("cosine", 0.75)])
def test_two_collections(sets, measure, threshold):
    theirs = pytest.importorskip("SetSimilaritySearch")
    left, right = sets[: len(sets) // 8], sets[len(sets) // 16 :]
    index = theirs.SearchIndex(right, similarity_func_name=measure, similarity_threshold=threshold)
    expected = sorted((i, k) for i, tokens in enumerate(left) for k, _ in index.query(tokens))
    found = akin.join(column_of(left), column_of(right), tokens="whitespace", **{measure: threshold})
    assert pairs_of(found) == expected and expected


@pytest.mark.parametrize("measure,threshold", [("jaccard", 0.4), ("cosine", 0.6), ("dice", 0.65), ("overlap", 3)])
@pytest.mark.parametrize("two", [False, True])
def test_counts_of_scipy(sets, measure, threshold, two):
    """All pairs from the product of two matrices, whose entries are tokens in common."""
    sparse = pytest.importorskip("scipy.sparse")
    sets = sets[0::2] + sets[1::2]
    ends = np.cumsum([0, *map(len, sets)])
    tokens = np.concatenate([np.asarray(s, dtype=np.int64) for s in sets])
    matrix = sparse.csr_array((np.ones(len(tokens), dtype=np.int64), tokens, ends))
    sizes = np.diff(ends)
    half = len(sets) // 2
    product = (matrix[:half] @ matrix[half:].T if two else sparse.triu(matrix @ matrix.T, 1)).tocoo()
    n, r, s = product.data, sizes[product.row], sizes[product.col + (half if two else 0)]
    similarity = {
        "jaccard": n / (r + s - n), "cosine": n / np.sqrt(r * s), "dice": 2 * n / (r + s), "overlap": n
    }[measure]
    kept = similarity >= threshold
    order = np.lexsort((product.col[kept], product.row[kept]))
    expected = [values[kept][order] for values in (product.row, product.col, n, similarity)]
    column = column_of(sets)
    found = akin.join(
        column[:half] if two else column, column[half:] if two else None, tokens="whitespace", **{measure: threshold}
    )
    for name, values in zip(("left", "right", "overlap"), expected):
        assert found[name] == values.tolist()
    assert found["similarity"] == pytest.approx(expected[3].tolist(), rel=1e-15) and len(found) > 5


@pytest.mark.parametrize(
    "name,threshold,count",
    [
        ("BMS2", 0.9, 72), ("BMS2", 0.5, 152_883), ("tweets_words", 0.8, 1_091), ("retail", 0.6, 43_371),
        ("enron", 0.9, 109_664)
    ],
)
def test_known_counts(shared, name, threshold, count):
    """Whole collections, whose pairs others have counted; 71 and 109,607 by who rounds bounds."""
    assert len(akin.join(shared(f"join/{name}.txt.zst"), tokens="whitespace", jaccard=threshold)) == count


@pytest.mark.parametrize("measure", [None, "jaccard", "cosine", "dice"])
def test_searches(sets, measure):
    """The best by tokens in common, or by similarity: all of them counted by SciPy."""
    sparse = pytest.importorskip("scipy.sparse")
    draw = random.Random(3)
    queries = [sorted(draw.sample(s, max(1, len(s) - 1))) for s in draw.sample(sets, 40)]
    width = max(map(max, filter(None, sets))) + 1

    def matrix_of(rows):
        ends = np.cumsum([0, *map(len, rows)])
        tokens = np.concatenate([np.asarray(row, dtype=np.int64) for row in rows])
        return sparse.csr_array((np.ones(len(tokens), dtype=np.int64), tokens, ends), shape=(len(rows), width))

    n = (matrix_of(queries) @ matrix_of(sets).T).toarray()
    r, s = np.array([[len(query)] for query in queries]), np.array([list(map(len, sets))])
    scores = {None: n, "jaccard": n / (r + s - n), "cosine": n / np.sqrt(r * s), "dice": 2 * n / (r + s)}[measure]
    found = akin.Index.build(column_of(sets), tokens="whitespace").search(column_of(queries), k=10, measure=measure)
    for i, row in enumerate(scores):
        best = np.lexsort((np.arange(len(row)), -row))[:10]
        ours = [line for line in found if line[0] == i]
        assert [line[-1] for line in ours] == pytest.approx(row[best].tolist(), rel=1e-15)
        # Two measures by doubles may differ in the last bit, and so may the order. So the test compares scores, and the
        # scores of the objects.
        assert [row[line[1]] for line in ours] == pytest.approx(row[best].tolist(), rel=1e-15)
        if measure is None:
            assert [line[1] for line in ours] == best.tolist()


def test_searches_truth(lines_of):
    """Rows of a table by the values that they share, as another program counted them: a query finds itself first."""
    lines = [line for part in ("train", "test") for line in lines_of(f"search/adult_{part}.csv.zst")]
    rows = [
        [field.strip() for field in line.strip().rstrip(".").split(",")][:14] for line in lines if line.count(",") == 14
    ]
    rows = [row for row in rows if row[0] != "age"]
    names = [f"c{i}" for i in range(14)]
    numeric = [names[i] for i in (0, 2, 4, 10, 11, 12)]
    asked = list(map(int, lines_of("search/rows_query_rows.txt")))[:50]
    index = akin.Index.build(dict(zip(names, map(list, zip(*rows)))), kind="rows", numeric=numeric)
    found = index.search(dict(zip(names, map(list, zip(*(rows[i] for i in asked))))), k=5, tolerance=50)
    truth = {}
    for line in lines_of("search/rows_truth.tsv.gz")[1:]:
        query, _, row, count = map(int, line.split("\t"))
        if query < len(asked) and row < len(rows):  # the first of the 20 copies that the truth is of
            truth.setdefault(query, []).append((row, count))
    for i in range(len(asked)):
        ours = [(row, count) for query, row, count in found if query == i]
        known = min(len(truth[i]), 5)
        assert ours[:known] == truth[i][:known] and known >= 3
