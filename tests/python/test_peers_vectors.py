"""Nearest vectors against FAISS, whose flat indexes compare all: those that akin reranks, and how many of them its
counts of hash functions find; similarities of sets by MinHash against true ones."""

import math

import pytest

import akin

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module", params=["random", "mnist"])
def vectors(request):
    """Objects and queries."""
    if request.param == "mnist":
        bytes_of = request.getfixturevalue("bytes_of")
        read = []
        for name, rows in (("base", 1500), ("queries", 20)):
            content = bytes_of(f"search/vectors_{name}.u8.zst")
            columns = int.from_bytes(content[4:8], "little")
            read.append(np.frombuffer(content, np.uint8, rows * columns, offset=8).reshape(rows, columns))
        return read
    draw = np.random.default_rng(1)
    centres = draw.normal(size=(40, 24))
    made = centres[draw.integers(0, 40, 2060)] + draw.normal(scale=0.3, size=(2060, 24))
    return made[:2000].astype(np.float32), made[2000:].astype(np.float32)


def nearest_of(family, objects, queries, k):
    """Their k nearest, and all distances in doubles."""
    faiss = pytest.importorskip("faiss")
    a, b = queries.astype(np.float64), objects.astype(np.float64)
    if family == "simhash":
        a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (a, b))
        distances = np.arccos(np.clip(a @ b.T, -1, 1))
        index = faiss.IndexFlatIP(b.shape[1])
    elif family == "e2lsh-l2":
        distances = np.sqrt(np.maximum((a**2).sum(1)[:, None] + (b**2).sum(1) - 2 * a @ b.T, 0))
        index = faiss.IndexFlatL2(b.shape[1])
    else:
        distances = np.abs(a[:, None] - b).sum(axis=2)
        index = faiss.IndexFlat(b.shape[1], faiss.METRIC_L1)
    index.add(b.astype(np.float32))
    return index.search(a.astype(np.float32), k)[1], distances


@pytest.mark.parametrize("family", ["e2lsh-l2", "e2lsh-l1", "random-binning", "simhash"])
def test_faiss(vectors, family):
    """With all vectors reranked a search finds what FAISS finds, but for vectors that are as near up to its last
    bits."""
    objects, queries = vectors
    nearest, distances = nearest_of(family, objects, queries, 10)
    index = akin.Index.build(objects, kind="vectors", family=family, functions=64, threads=2)
    found = index.search(queries, k=10, rerank=len(objects), truth=nearest)
    ours = np.array(found["object"]).reshape(len(queries), 10)
    rows = np.arange(len(queries))[:, None]
    assert distances[rows, ours] == pytest.approx(distances[rows, nearest], rel=1e-5)
    assert np.array(found["distance"]).reshape(ours.shape) == pytest.approx(distances[rows, ours], rel=1e-6, abs=1e-6)
    same = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(ours.tolist(), nearest.tolist())])
    assert same > 0.99 and found.stats["recall"] >= same - 1e-9 and found.stats["ratio"] == pytest.approx(1, abs=1e-5)
    # A search by counts alone, which reranks the best hundred, does not find all of them, and the report says how many.
    some = index.search(queries, k=10, rerank=100, truth=nearest)
    listed = np.array(some["object"]).reshape(len(queries), 10).tolist()
    recall = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(listed, nearest.tolist())])
    assert 0.3 < recall <= some.stats["recall"] + 1e-9 and some.stats["recall"] < recall + 0.02


def test_counts_of_signatures():
    """In how many columns rows agree, by NumPy."""
    draw = np.random.default_rng(2)
    objects, queries = draw.integers(0, 5, (900, 40)), draw.integers(0, 5, (30, 40))
    found = akin.Index.build(objects, kind="signatures").search(queries, k=12)
    agree = (queries[:, None] == objects).sum(axis=2)
    for i, row in enumerate(agree):
        best = np.lexsort((np.arange(len(row)), -row))[:12]
        assert [(o, n) for q, o, n, *_ in found if q == i] == [(int(o), int(row[o])) for o in best]


def test_minhash():
    """The share of functions that agree is the Jaccard similarity, to within what theorem 4.1 of the paper allows."""
    draw = np.random.default_rng(3)
    base = draw.choice(100_000, 300, replace=False)
    sets = [sorted({*base[: 300 - 10 * i].tolist(), *range(200_000 + 500 * i, 200_000 + 511 * i)}) for i in range(25)]
    found = akin.Index.build(sets, kind="sets", family="minhash", epsilon=0.06, delta=0.06).search(sets[:5], k=25)
    errors = []
    for query, row, similarity in zip(found["query"], found["object"], found["similarity"]):
        a, b = set(sets[query]), set(sets[row])
        errors.append(abs(similarity - len(a & b) / len(a | b)))
    assert len(errors) == 125 and sum(error > 0.06 for error in errors) <= 0.06 * len(errors)
    assert math.fsum(errors) / len(errors) < 0.03
