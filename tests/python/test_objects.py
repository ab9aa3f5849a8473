"""Indexes of sets, vectors and signatures, what grows, and what stays between calls."""

import array
import concurrent.futures
import math
import random
import threading

import gpu_copies
import pytest

import akin
from akin import _akin
from akin._kept import Kept
from akin._settings import settings


def draw_sets(seed, count):
    draw = random.Random(seed)
    return [draw.sample(range(80), draw.randint(0, 12)) for _ in range(count)]


def draw_vectors(seed, count, width=9):
    draw = random.Random(seed)
    return [[draw.choice((0, 40)) + draw.randint(0, 9) for _ in range(width)] for _ in range(count)]


def best(counts, k):
    return sorted(enumerate(counts), key=lambda pair: (-pair[1], pair[0]))[:k]


def rows_of(table, query):
    at = table.columns.index("query")
    return [row[:at] + row[at + 1 :] for row in table if row[at] == query]


def test_sets(tmp_path):
    objects, queries = draw_sets(1, 300), draw_sets(2, 20) + [[], [4_000_000_000]]
    index = akin.Index.build(objects, kind="sets", threads=2)
    assert (index.kind, len(index), index.keywords) == ("sets", 300, 80)
    found = index.search(queries, k=7)
    for i, query in enumerate(queries):
        assert rows_of(found, i) == best([len(set(query) & set(have)) for have in objects], 7)
    asked = max(queries, key=len)
    similar = index.search(asked, k=3, measure="dice", least=1)
    rates = [2 * len(set(asked) & set(o)) / (len(asked) + len(o)) for o in objects]
    assert [(o, rate) for o, _, rate in rows_of(similar, 0)] == best(rates, 3)
    path = tmp_path / "sets.txt"
    path.write_text("".join(" ".join(map(str, tokens)) + "\n" for tokens in objects))
    assert akin.Index.build(path, kind="sets").search(map(iter, queries), k=7) == found
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.lil_array((len(objects), 80))
    for i, tokens in enumerate(objects):
        matrix[i, tokens] = 1
    assert akin.Index.build(matrix, kind="sets").search(queries, k=7) == found
    for bad in ([[1, -1]], [[2**32]], [[1.5]], "no such file", 7, [["a"]]):
        with pytest.raises((akin.InputError, FileNotFoundError, TypeError)):
            akin.Index.build(bad, kind="sets")


def test_minhash():
    objects = draw_sets(3, 200)
    index = akin.Index.build(objects, kind="sets", family="minhash", functions=400, seed=5)
    assert index.about["family"] == "minhash" and index.about["functions"] == 400
    found = index.search(objects[:20], k=5)
    assert found.columns == ("query", "object", "count", "similarity", "distance")
    for i in range(20):
        hits = rows_of(found, i)
        if objects[i]:
            assert hits[0][1:] == (400, 1.0, 0.0)
        for o, count, share, _ in hits:
            union = len(set(objects[i]) | set(objects[o])) or 1
            assert share == count / 400 and abs(share - len(set(objects[i]) & set(objects[o])) / union) < 0.15
    same = akin.Index.build(objects, kind="sets", family="minhash", functions=400, seed=5)
    assert same.search(objects[:20], k=5) == found
    known = akin.Index.build(objects, kind="sets").search(objects[:20], k=5, measure="jaccard")
    report = index.search(objects[:20], k=5, truth=known).stats
    assert 0.5 < report["recall"] <= 1 and report["ratio"] is None
    by_epsilon = akin.Index.build(objects, kind="sets", family="minhash", epsilon=0.06, delta=0.06)
    assert by_epsilon.about["functions"] == 259


def test_vectors(tmp_path):
    numpy = pytest.importorskip("numpy")
    objects, queries = draw_vectors(4, 300), draw_vectors(5, 15)
    index = akin.Index.build(objects_as_floats(objects), kind="vectors", functions=60)
    assert index.about["family"] == "e2lsh-l2" and index.about["columns"] == 9 and "60 functions" in repr(index)
    found = index.search(objects_as_floats(queries), k=6, rerank=300)
    exact = [sorted((math.dist(query, o), i) for i, o in enumerate(objects))[:6] for query in queries]
    for i in range(15):
        assert [(o, pytest.approx(d)) for o, _, _, d in rows_of(found, i)] == [(o, d) for d, o in exact[i]]
    array64 = numpy.array(objects, dtype="f8")
    numpy.save(tmp_path / "objects.npy", array64.astype("f4"))
    strided = numpy.zeros((600, 18), dtype="f4")[::2, ::2]
    strided[:] = array64
    odd = numpy.frombuffer(b"x" + array64.astype("f4").tobytes(), dtype="u1")[1:].view("f4").reshape(300, 9)
    for same in (
        array64,
        array64.astype("f4"),
        numpy.asfortranarray(array64),
        strided,
        odd,
        tmp_path / "objects.npy",
        memoryview(array.array("f", array64.ravel().tolist())).cast("B").cast("f", (300, 9)),
    ):
        again = akin.Index.build(same, kind="vectors", functions=60)
        assert again.search(numpy.array(queries, dtype="f4"), k=6, rerank=300) == found
    of_bytes = akin.Index.build(array64.astype("u1"), kind="vectors", functions=60)
    assert of_bytes.search(numpy.array(queries, dtype="u1"), k=6, rerank=300)["object"] == found["object"]
    one = index.search(numpy.array(queries[3], dtype="f4"), k=6, rerank=300)
    assert one["object"] == index.search(
        objects_as_floats(queries)[3], k=6, rerank=300
    )["object"] == found["object"][18:24]
    index.save(tmp_path / "vectors.akin")
    assert akin.Index.open(tmp_path / "vectors.akin").search(array64[:3], k=2) == index.search(array64[:3], k=2)


@pytest.mark.parametrize("number", ["u1", "f4"])
@pytest.mark.parametrize("family", ["e2lsh-l2", "e2lsh-l1"])
def test_all_vectors_reranked(family, number):
    """Without counting first, for few nearest, and with it: the same answers, of more queries than are signed once."""
    numpy = pytest.importorskip("numpy")
    random = numpy.random.default_rng(9)
    objects, queries = (random.integers(0, 6, (rows, 5)).astype(number) for rows in (1000, 4500))
    index = akin.Index.build(objects, kind="vectors", family=family, functions=64)
    for k in (1, 15, 16):
        found = index.search(queries[: 4500 if k == 15 else 50], k=k, rerank=1000)
        assert found == index.search(queries[: 4500 if k == 15 else 50], k=k, rerank=1000, technique="scan")
    assert index.search(queries[:50], k=15, rerank="all") == index.search(queries[:50], k=15, rerank=1000)
    apart = numpy.abs(objects.astype(int) - queries[0].astype(int))
    known = apart.sum(1) if family == "e2lsh-l1" else numpy.sqrt((apart**2).sum(1))
    assert index.search(queries[0], k=3, rerank=1000)["object"] == numpy.argsort(known, kind="stable")[:3].tolist()


def objects_as_floats(rows):
    return [[float(value) for value in row] for row in rows]


@pytest.mark.parametrize("family", ["e2lsh-l1", "random-binning", "simhash"])
def test_families(family):
    objects = objects_as_floats(draw_vectors(6, 100))
    index = akin.Index.build(objects, kind="vectors", family=family, functions=50, signatures_only=True)
    found = index.search(objects, k=1)
    assert set(found["count"]) == {50} and all(o <= i for i, o in enumerate(found["object"]))
    with pytest.raises(akin.OptionError):
        index.search(objects, rerank=5)


def test_truth(tmp_path):
    numpy = pytest.importorskip("numpy")
    objects, queries = objects_as_floats(draw_vectors(7, 200)), objects_as_floats(draw_vectors(8, 10))
    index = akin.Index.build(objects, kind="vectors", functions=30)
    exact = index.search(queries, k=5, rerank=200)
    rows = numpy.array(exact["object"], dtype="i4").reshape(10, 5)
    numpy.save(tmp_path / "truth.npy", rows)
    (tmp_path / "truth.csv").write_text(
        "query,rank,row\n" + "".join(f"{i},{r + 1},{o}\n" for i, row in enumerate(rows) for r, o in enumerate(row))
    )
    ways = (exact, rows, rows.tolist(), tmp_path / "truth.npy", tmp_path / "truth.csv")
    for known in ways:
        report = index.search(queries, k=5, rerank=200, truth=known).stats
        assert (report["recall"], report["ratio"], report["endless"]) == (1, 1, 0)
    approximate = index.search(queries, k=5)
    report = index.search(queries, k=5, truth=exact).stats
    near = {(q, o): math.dist(queries[q], objects[o]) for q in range(10) for o in range(200)}
    right, ratios = 0, []
    for q in range(10):
        known = [o for o, *_ in rows_of(exact, q)]
        hits = [o for o, *_ in rows_of(approximate, q)]
        far = max(near[q, o] for o in known)
        right += sum(o in known or near[q, o] == pytest.approx(far) for o in hits)
        pairs = zip(sorted(near[q, o] for o in hits), sorted(near[q, o] for o in known))
        ratios.append(sum(a / b for a, b in pairs) / 5)
    assert report["recall"] == right / 50 and report["ratio"] == pytest.approx(sum(ratios) / 10)
    words = akin.Index.build(["abc", "abd", "xyz", "abcd"], kind="strings", ngram=2)
    known = words.search(["abc"], k=2)
    assert words.search(["abc"], k=2, truth=known).stats["recall"] == 1
    for bad in (rows[:5], rows[:, :2], rows + 200, [[0] * 5] * 10, rows.astype("f4"), {"query": ["0"]}):
        with pytest.raises((akin.InputError, IndexError)):
            index.search(queries, k=5, truth=bad)
    with pytest.raises(akin.OptionError, match="exact"):
        akin.Index.build(["a"]).search("a", truth=[[0]])


def test_signatures():
    numpy = pytest.importorskip("numpy")
    draw = numpy.random.default_rng(9)
    objects, queries = draw.integers(-3, 3, (250, 12)), draw.integers(-3, 3, (9, 12))
    index = akin.Index.build(objects, kind="signatures")
    found = index.search(queries, k=8)
    assert found.columns == ("query", "object", "count", "similarity")
    for i, query in enumerate(queries):
        assert [row[:2] for row in rows_of(found, i)] == best([int((query == o).sum()) for o in objects], 8)
    for kind in ("i1", "i2", "i4", "i8"):
        assert akin.Index.build(objects.astype(kind), kind="signatures").search(queries.astype("i2"), k=8) == found
    assert akin.Index.build(objects.tolist(), kind="signatures").search(queries.tolist(), k=8) == found
    above = akin.Index.build((objects + 3).astype("u2"), kind="signatures")
    for kind in ("u4", "u8", "u1"):
        assert above.search((queries + 3).astype(kind), k=8) == found
    with pytest.raises((akin.InputError, akin.OptionError)):
        akin.Index.build(objects.astype("f4"), kind="signatures")


def test_matrices_that_are_refused():
    numpy = pytest.importorskip("numpy")
    for bad in (
        numpy.zeros(4, dtype="f4"),
        numpy.zeros((2, 2, 2), dtype="f4"),
        numpy.zeros((2, 2), dtype="?"),
        numpy.zeros((2, 2), dtype="c8"),
        numpy.zeros((2, 2), dtype=">f4"),
        numpy.array([[1.0, numpy.nan]]),
        numpy.array([[1e300, 1]]),
        numpy.zeros((3, 0), dtype="f4"),
        [[1.0, 2.0], [3.0]],
        [],
        [["a"]],
        7,
        b"ab",
    ):
        with pytest.raises((akin.Error, TypeError)):
            akin.Index.build(bad, kind="vectors")
    index = akin.Index.build([[1.0, 2.0], [3.0, 4.0]], kind="vectors", functions=5)
    with pytest.raises(akin.OptionError):
        index.search([[1.0, 2.0, 3.0]])
    for options in (
        dict(functions=5, epsilon=0.1, delta=0.1),
        dict(epsilon=0.1),
        dict(family="minhash"),
        dict(family="other"),
        dict(sigma=1),
        dict(family="simhash", buckets=3),
        dict(width=-1),
        dict(functions=0),
        dict(seed=-1),
        dict(ngram=2),
        dict(numeric=["a"]),
        dict(id="a"),
        dict(on="a"),
    ):
        with pytest.raises(akin.OptionError):
            akin.Index.build([[1.0, 2.0]], kind="vectors", **options)
    with pytest.raises(akin.OptionError, match="minhash"):
        akin.Index.build([[1]], kind="sets", functions=5)


def test_names():
    table = {"isbn": ["b1", "b2", "b3"], "text": ["a red boat", "blue sea", "a red sea"]}
    index = akin.Index.build(table, "text", id="isbn")
    assert list(index.search("red sea", k=2)) == [(0, 2, "b3", 2), (0, 0, "b1", 1)]
    assert list(akin.Index.build(table, id="isbn").search("red sea", k=1)) == [(0, 2, "b3", 2)]
    rows = akin.Index.build(table, kind="rows", id="isbn")
    assert list(rows.search({"text": ["blue sea"]}, k=1)) == [(0, 1, "b2", 1)]
    strings = akin.Index.build(table, "text", kind="strings", id="isbn")
    assert list(strings.search("blue se", k=1)) == [(0, 1, "b2", 1, "by scan")]
    for arguments in (dict(on="text", id="none"), dict(on=["text", "isbn"], id="isbn")):
        with pytest.raises(akin.OptionError):
            akin.Index.build(table, **arguments)


def test_append(tmp_path):
    sets = draw_sets(10, 60)
    texts = [" ".join(map(str, tokens)) for tokens in sets]
    numbers = {"n": [str(len(tokens)) for tokens in sets], "t": texts}
    vectors = draw_vectors(14, 60)
    first = {name: column[:40] for name, column in numbers.items()}
    more = {name: column[40:] for name, column in reversed(numbers.items())}
    for whole, part, rest, options in (
        (sets, sets[:40], sets[40:], dict(kind="sets")),
        (texts, texts[:40], texts[40:], dict(kind="documents")),
        (texts, texts[:40], texts[40:], dict(kind="strings", ngram=2)),
        (numbers, first, more, dict(kind="rows", numeric="n")),
        (sets, sets[:40], sets[40:], dict(kind="sets", family="minhash", functions=30)),
        (vectors, vectors[:40], vectors[40:], dict(kind="vectors", functions=30, width=20)),
        (vectors, vectors[:40], vectors[40:], dict(kind="signatures")),
    ):
        if options["kind"] == "vectors":
            whole, part, rest = map(objects_as_floats, (whole, part, rest))
        short = akin.Index.build(part, **options)
        longer, at_once = short.append(rest), akin.Index.build(whole, **options)
        assert (len(short), len(longer)) == (40, 60)
        asked = numbers if options["kind"] == "rows" else whole
        assert longer.search(asked, k=5) == at_once.search(asked, k=5)
        longer.save(tmp_path / "longer.akin")
        at_once.save(tmp_path / "at_once.akin")
        if options["kind"] != "rows":
            assert (tmp_path / "longer.akin").read_bytes() == (tmp_path / "at_once.akin").read_bytes()
    named = akin.Index.build({"t": ["x y"], "i": ["one"]}, "t", id="i")
    assert named.append({"t": ["y z"], "i": ["two"]}, "t", id="i").search("z", k=1)["id"] == ["two"]
    with pytest.raises(akin.Error):
        named.append(["y z"])


def test_report():
    found = akin.Index.build(["a b", "b c", "c d"]).search(["b", "c d"], k=2, device="cpu")
    report = found.stats
    assert (report["queries"], report["found"], report["items"], report["gpu"]) == (2, 4, 3, False)
    assert report["technique"] == "lists" and report["seconds_search"] >= 0
    strings = akin.Index.build(["ab", "abc", "xyz"], kind="strings", ngram=2)
    candidates = strings.search(["ab"], k=1, candidates=1, one_round=True)
    assert candidates["object"] == [0] and candidates.stats["by_scan"] == 0
    with pytest.raises(akin.OptionError):
        strings.search(["ab"], measure="jaccard")


def test_one_searcher_for_many_calls():
    index = akin.Index.build([f"red chair {i}" for i in range(200)])
    ranked = akin.bm25([f"red chair {i % 50}" for i in range(200)])
    job = settings(device="cpu", threads=2)
    searcher, ranking = index._index.searcher(job), ranked.index._index.searcher(job)
    options = (10, "auto", 50, 0, 0, False, 4, False, 0, None, 2**32 - 1)
    told = []
    with_progress = (*job[:-1], lambda *said: told.append(said))

    def stop(*said):
        raise ZeroDivisionError

    for i in range(20):
        asked = _akin.from_lists(job, ("text",), ([f"chair {i}"] * 300,))
        run = with_progress if i % 2 else job
        assert akin.Table(*searcher.search(run, asked, -1, options, False, "U", "U")) == index.search(
            [f"chair {i}"] * 300
        )
        assert akin.Table(ranking.search(run, asked, -1, options, True, "U", "U")[0]) == ranked.rank(
            [f"chair {i}"] * 300
        )
        if i % 5 == 0:
            with pytest.raises(ZeroDivisionError):
                searcher.search((*job[:-1], stop), asked, -1, options, False, "U", "U")
            with pytest.raises(ZeroDivisionError):
                ranking.search((*job[:-1], stop), asked, -1, options, True, "U", "U")
    assert told
    with pytest.raises(TypeError):
        searcher.search(None, asked, -1, options, False, "U", "U")


def test_what_is_kept():
    class Made:
        def __init__(self, job, k):
            self.said = job, k

    def cuda(**more):
        return settings(device="cuda", **more)

    kept = Kept(Made)
    with kept.of(settings(), 1) as a, kept.of(settings(), 1) as b:
        assert a is not b
    with kept.of(cuda(), 1) as a:
        pass
    with kept.of(cuda(progress=print), 1) as b:
        assert a is b
    with kept.of(cuda(), 2) as b:
        assert a is not b
    with kept.of(cuda(threads=3), 2) as a:
        assert a is not b
    with pytest.raises(akin.DeviceError), kept.of(cuda(threads=3), 2):
        raise akin.DeviceError("lost")
    with kept.of(cuda(threads=3), 2) as b:
        assert a is not b
    at_once, most = 0, 0

    def use(_):
        nonlocal at_once, most
        with kept.of(cuda(), 1):
            at_once += 1
            most = max(most, at_once)
            threading.Event().wait(0.002)
            at_once -= 1

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(24)))
    assert most == 1


@pytest.mark.skipif(not akin.info()["devices"], reason="there is no GPU")
def test_copies_on_a_gpu():
    gpu_copies.check()


def test_frames_are_rows_of_numbers():
    np, pandas, polars = (pytest.importorskip(name) for name in ("numpy", "pandas", "polars"))
    numbers = np.arange(12).reshape(3, 4)
    names = list("abcd")
    expected = akin.Index.build(numbers, kind="signatures").search(numbers, k=3)
    for rows in (
        pandas.DataFrame(numbers, columns=names),
        polars.DataFrame(numbers, schema=names),
        [list(row) for row in numbers],  # of NumPy's numbers
    ):
        made = akin.Index.build(rows, kind="signatures")
        assert len(made) == 3 and made.search(rows, k=3) == expected
    vectors = polars.DataFrame(numbers.astype("f4"), schema=names)
    assert len(akin.Index.build(vectors, kind="vectors", functions=4)) == 3
    with pytest.raises(TypeError, match="data frame has no sets"):
        akin.Index.build(polars.DataFrame(numbers, schema=names), kind="sets")


def test_options_of_other_kinds_are_refused():
    for kind, objects, options in (
        ("rows", {"a": ["x"]}, {"fold": "case"}),
        ("strings", ["a"], {"tokens": "qgrams:3"}),
        ("sets", [[1]], {"stop_words": ["a"]}),
        ("documents", ["a"], {"bins": 5}),
    ):
        with pytest.raises(akin.OptionError, match=f"{next(iter(options))} is for .*, not for {kind}"):
            akin.Index.build(objects, kind=kind, **options)
    with pytest.raises(akin.OptionError, match="ngram is 6; expected a whole number from 0 to 5"):
        akin.Index.build(["a"], kind="strings", ngram=6)


def test_numbers_that_are_not_taken_for_others():
    np, sparse = pytest.importorskip("numpy"), pytest.importorskip("scipy.sparse")
    beyond = sparse.csr_array(([1], ([0], [2**32])), shape=(1, 2**33))
    with pytest.raises(akin.InputError, match="beyond 32 bits"):
        akin.Index.build(beyond, kind="sets")
    with pytest.raises(akin.InputError, match="masked"):
        akin.Index.build(np.ma.array([[1.0, 2.0]], mask=[[False, True]]), kind="vectors")
    whole = np.ma.array([[1, 2]], mask=False)
    assert len(akin.Index.build(whole, kind="signatures").search(whole, k=1)) == 1


def test_floats_of_16_bits_are_vectors():
    numpy = pytest.importorskip("numpy")
    vectors = numpy.random.default_rng(7).random((40, 8)).astype("float16")
    index = akin.Index.build(vectors, kind="vectors", functions=32)
    wide = akin.Index.build(vectors.astype("float32"), kind="vectors", functions=32)
    assert index.search(vectors[:5], k=3, rerank=40) == wide.search(vectors[:5].astype("float32"), k=3, rerank=40)
