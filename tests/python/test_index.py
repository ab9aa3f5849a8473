"""Searches against what every object counts, or how far every string is."""

import errno
import inspect
import pickle
import random

import pytest

import akin
import akin._akin
from akin import strings

WORDS = ["w%d" % i for i in range(60)]


def draw_texts(seed, rows, longest=12):
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(0, longest))) or None for _ in range(rows)]


def best(counts, k):
    return sorted(enumerate(counts), key=lambda pair: (-pair[1], pair[0]))[:k]


def test_documents(tmp_path):
    objects, queries = draw_texts(1, 400), draw_texts(2, 30) + ["unknown words"]
    index = akin.Index.build(objects, threads=2)
    assert len(index) == 400 and index.kind == "documents" and index.keywords == 60
    found = index.search(queries, k=9)
    sets = [set((text or "").split()) for text in objects]
    for i, query in enumerate(queries):
        asked = set((query or "").split())
        expected = best([len(asked & have) for have in sets], 9)
        assert [(o, n) for q, o, n in found if q == i] == expected
    at = next(i for i, query in enumerate(queries) if query)
    assert list(index.search(queries[at], k=9)) == [(0, o, n) for q, o, n in found if q == at]
    by_jaccard = index.search(queries, k=5, measure="jaccard", technique="lists")
    for i, query in enumerate(queries):
        asked = set((query or "").split())
        similar = [len(asked & have) / len(asked | have) if asked & have else 0.0 for have in sets]
        assert [(o, s) for q, o, _, s in by_jaccard if q == i] == best(similar, 5)
    index.save(tmp_path / "objects.akin")
    opened = akin.Index.open(tmp_path / "objects.akin")
    assert opened.kind == "documents" and opened.search(queries, k=9) == found
    with pytest.raises(FileNotFoundError):
        akin.Index.open(tmp_path / "nothing.akin")


def test_rows():
    draw = random.Random(3)
    table = {
        "colour": [draw.choice(["red", "green", "blue", None]) for _ in range(300)],
        "size": [draw.choice("SML") for _ in range(300)],
        "price": [str(draw.randint(0, 1000)) for _ in range(300)],
    }
    index = akin.Index.build(table, kind="rows", numeric=["price"], bins=1000)
    query = {"price": ["[100,300]", "500"], "colour": ["red", "blue"]}
    found = index.search(query, k=20, tolerance=0, weights={"colour": 2}, technique="scan")
    low, high = min(map(int, table["price"])), max(map(int, table["price"]))

    def bin_of(price):
        return min(int((price - low) / (high - low) * 1000), 999)

    for i in range(2):
        counts = []
        for colour, price in zip(table["colour"], table["price"]):
            bounds = (100, 300) if i == 0 else (500, 500)
            inside = bin_of(bounds[0]) <= bin_of(int(price)) <= bin_of(bounds[1])
            counts.append(2 * (colour == query["colour"][i]) + inside)
        assert [(o, n) for q, o, n in found if q == i] == best(counts, 20)
    with pytest.raises(akin.OptionError, match="weight"):
        index.search(query, weights={"weight": 2})


@pytest.mark.parametrize("ngram", [0, 3])
def test_strings(ngram):
    objects = [text and text[:25] for text in draw_texts(4, 200)]
    queries = [text and text[:25] + "x" for text in draw_texts(5, 20)] + [None]
    index = akin.Index.build(objects, kind="strings", ngram=ngram)
    found = index.search(queries, k=4)
    for i, query in enumerate(queries):
        distances = [(strings.levenshtein(query, text), o) for o, text in enumerate(objects) if text and query]
        assert [(n, o) for q, o, n, _ in found if q == i] == sorted(distances)[:4]
    assert set(found["certificate"]) == {"by scan"}


@pytest.mark.parametrize("ngram", [0, 2])
@pytest.mark.parametrize("letters", ["aäoöuü", "".join(map(chr, range(0x4E00, 0x4E00 + 700)))])
def test_strings_by_code_points_and_bytes(letters, ngram, tmp_path):
    draw = random.Random(len(letters))
    objects = ["".join(draw.choices(letters, k=draw.randint(0, 20))) for _ in range(200)]
    queries = [text[:3] + "☃" + text[4:] for text in objects[::20]]
    assert (len(set("".join(objects))) > 254) == (len(letters) > 254)
    for by_bytes in False, True:
        index = akin.Index.build(objects[:90], kind="strings", ngram=ngram, bytes=by_bytes).append(objects[90:])
        index.save(tmp_path / "i.akin")
        found = akin.Index.open(tmp_path / "i.akin").search(queries, k=4)
        as_symbols = (lambda text: text.encode().decode("latin-1")) if by_bytes else str
        for i, query in enumerate(queries):
            distances = [
                (strings.levenshtein(as_symbols(query), as_symbols(text)), o) for o, text in enumerate(objects)
            ]
            assert [(n, o) for q, o, n, _ in found if q == i] == sorted(distances)[:4]
    with pytest.raises(akin.OptionError, match="bytes is for strings, not for documents"):
        akin.Index.build(objects, bytes=True)


def test_refusals():
    index = akin.Index.build(["a b", "b c"])
    for arguments in (
        dict(k=0), dict(measure="levenshtein"), dict(technique="magic"), dict(tolerance=-1), dict(k=True)
    ):
        with pytest.raises(akin.OptionError):
            index.search(["a"], **arguments)
    for arguments in (
        dict(kind="pictures"), dict(kind="strings", ngram=9), dict(tokens="?"), dict(kind="rows", bins=0)
    ):
        with pytest.raises(akin.OptionError):
            akin.Index.build({"text": ["a", "b"]}, **arguments)
    with pytest.raises(akin.InputError, match="row 1"):
        akin.Index.build({"n": ["1", "one"]}, kind="rows", numeric="n")


def test_files_that_the_system_refuses(tmp_path):
    texts = ["red chair", "blue chair"]
    made = [akin.Index.build(texts), akin.bm25(texts).index, akin.Dictionary.build(texts)]
    (tmp_path / "file").write_text("x")
    for one in made:
        with pytest.raises(FileNotFoundError) as caught:
            one.save(tmp_path / "none" / "x.akin")
        assert caught.value.errno == errno.ENOENT and caught.value.filename == str(tmp_path / "none" / "x.akin")
        with pytest.raises(NotADirectoryError):
            one.save(tmp_path / "file" / "x.akin")
    with pytest.raises(FileNotFoundError) as caught:
        akin.dedupe({"a": texts}, "a:jaro", all_pairs=True, report=tmp_path / "none" / "page.html")
    assert caught.value.errno == errno.ENOENT and "none" in str(caught.value)
    assert not (tmp_path / "none").exists()


def test_an_index_is_pickled():
    index = akin.Index.build(
        {"id": ["a", "b", "c"], "text": ["red chair", "blue chair", "green lamp"]}, "text", id="id"
    )
    again = pickle.loads(pickle.dumps(index))
    assert again.about == index.about and repr(again) == repr(index)
    assert again.search(["a blue chair", "lamp"], k=2) == index.search(["a blue chair", "lamp"], k=2)


def test_what_is_not_collected():
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame({"text": ["red chair"]}).lazy()
    with pytest.raises(TypeError, match="collect"):
        akin.Index.build(lazy, "text")
    assert len(akin.Index.build(lazy.collect(), "text")) == 1


def test_options_of_kinds_are_parameters() -> None:
    """A misspelt option in the library's table would be for all kinds."""
    known = {*inspect.signature(akin.Index.build).parameters, *inspect.signature(akin.Index.search).parameters}
    for _, _, _, title, options, _ in akin._akin.search_kinds():
        for option in options.split():
            name = {"weight": "weights", "scan": "technique", "documents": "objects"}.get(
                option, option.replace("-", "_")
            )
            assert name in known, f"{option} of {title}"
