"""Forests over ids: stars around the smallest ids, which merge like the pairs that they stand for."""

import random

import pytest

import akin


def oracle(pairs, key=lambda id: id):
    """The same by looking for components step by step."""
    near = {}
    for left, right in pairs:
        near.setdefault(left, set()).add(right)
        near.setdefault(right, set()).add(left)
    found, seen = [], set()
    for start in sorted(near, key=key):
        if start in seen:
            continue
        seen.add(start)
        open_ones = [start]
        while open_ones:
            for other in near[open_ones.pop()] - seen:
                seen.add(other)
                open_ones.append(other)
                found.append((start, other))
    return sorted(found, key=lambda pair: key(pair[1]))


def as_bytes(text):
    return text.encode()


KINDS = {
    "small": (lambda draw: draw.randrange(40), None),
    "negative": (lambda draw: draw.randrange(-30, 30), None),
    "sparse": (lambda draw: draw.choice((-1, 1)) * (2**62 + draw.randrange(25)), None),
    "wide": (lambda draw: draw.choice((-(2**63), 2**63 - 1, 0, -1)) ^ draw.randrange(9), None),
    "unsigned": (lambda draw: draw.choice((2**63, 0, 2**64 - 9)) + draw.randrange(9), None),
    "text": (lambda draw: "".join(draw.choices("aB\u00e9\u3042\U0001f600", k=draw.randrange(4))), as_bytes),
    "long text": (lambda draw: "the same long beginning " + "ab"[draw.randrange(2)] * draw.randrange(40), as_bytes),
}


@pytest.mark.parametrize("kind", KINDS)
def test_forests_are_the_oracles_and_merge(kind):
    of, key = KINDS[kind]
    key = key or (lambda id: id)
    draw = random.Random(kind)
    for count in (0, 1, 2, 5, 20, 30, 60):
        for threads in (1, 3):
            pairs = [(of(draw), of(draw)) for _ in range(count)]
            made = akin.forest(pairs, threads=threads)
            assert list(made) == oracle(pairs, key)
            assert made.columns == ("left_id", "right_id")
            assert akin.forest(made) == made
            other = pairs * 2 + [pair[::-1] for pair in pairs]
            draw.shuffle(other)
            assert akin.forest(other, threads=threads) == made
            cut = draw.randrange(count + 1)
            merged = [*akin.forest(pairs[:cut]), *akin.forest(pairs[cut:])]
            assert list(akin.forest(merged)) == list(made)


def test_long_chain_and_star():
    n = 10**6
    ids = [3 * i - n for i in range(n)]
    random.Random(1).shuffle(ids)
    for kind in (lambda ids: ids, lambda ids: [f"id {i}" for i in ids]):
        named = kind(ids)
        low = min(named)
        chain = akin.forest({"left_id": named[:-1], "right_id": named[1:]})
        assert chain["right_id"].tolist() == sorted(named)[1:] and set(chain["left_id"]) == {low}
        assert akin.forest({"left_id": [named[n // 2]] * n, "right_id": named}) == chain


@pytest.mark.parametrize("kind", "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split())
def test_types_stay(kind):
    pyarrow = pytest.importorskip("pyarrow")
    low = -5 if kind[0] == "i" else 250
    table = pyarrow.table({"x": pyarrow.array([low, 1, 7, 7], kind), "a": pyarrow.array([2, 2, 7, 3], kind)})
    made = pyarrow.table(akin.forest(pyarrow.concat_tables([table[:2], table[2:]]), left="a", right="x"))
    wide = kind.replace("8", "32").replace("16", "32")
    assert [str(field.type) for field in made.schema] == [wide, wide] and made.column_names == ["a", "x"]
    assert list(zip(*made.to_pydict().values())) == oracle([(low, 2), (1, 2), (7, 7), (7, 3)])


def test_types_of_both_sides():
    pyarrow = pytest.importorskip("pyarrow")
    for kinds, expected in (
        (("int32", "int64"), "int64"), (("uint8", "uint64"), "uint64"), (("int8", "uint32"), "int64"),
        (("int64", "uint64"), "int64"), (("string", "large_string"), "large_string"),
    ):  # fmt: skip
        values = ["1", "3"] if "string" in kinds[0] else [1, 3]
        table = pyarrow.table([pyarrow.array(values, kind) for kind in kinds], names=["left_id", "right_id"])
        made = pyarrow.table(akin.forest(table))
        assert str(made.schema[0].type) == expected and len(made) == 0
    table = pyarrow.table({"left_id": pyarrow.array([-1], "int64"), "right_id": pyarrow.array([1], "uint64")})
    with pytest.raises(akin.InputError, match="below 0, and some from"):
        akin.forest(pyarrow.table({"left_id": [-1], "right_id": pyarrow.array([2**63], "uint64")}))
    assert list(akin.forest(table)) in ([(-1, 1)],)


def test_sources(tmp_path):
    pairs = [("b", "a"), ("c", "b"), ("\u00e9", "z")]
    expected = [("a", "b"), ("a", "c"), ("z", "\u00e9")]
    columns = {"left_id": [left for left, _ in pairs], "right_id": [right for _, right in pairs]}
    (tmp_path / "pairs.csv").write_text("left_id,n,right_id\n" + "".join(f"{a},1,{b}\n" for a, b in pairs), "utf-8")
    for given in (pairs, columns, tmp_path / "pairs.csv", akin.forest(pairs)):
        assert list(akin.forest(given)) == expected
    found = akin.join({"id": ["c", "a", "b"], "t": ["x y", "x y", "z"]}, on="t", id="id", jaccard=1)
    assert list(akin.forest(found)) == [("a", "c")]
    numpy = pytest.importorskip("numpy")
    arrays = {"left_id": numpy.array([5, 2], "int16"), "right_id": numpy.array([2, 9], "int64")}
    assert list(akin.forest(arrays)) == [(2, 5), (2, 9)]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns, index=[4, 5, 6])
    assert list(akin.forest(frame)) == expected
    frame = frame.astype("category")
    assert list(akin.forest(frame)) == expected


@pytest.mark.parametrize("pairs, message", [
    ([(1, 2), (None, 3)], "row 1, column 'left_id': there is no id"),
    ([("a", "b"), ("a", None)], "row 1, column 'right_id': there is no id"),
    ([(1, "a")], "integers, those of 'right_id' text"),
    ([(2**64, 1)], "beyond 64 bits"),
    ({"left_id": [1], "right_id": [1, 2]}, "1 left ids and 2 right ones"),
])  # fmt: skip
def test_bad_pairs(pairs, message):
    with pytest.raises(akin.InputError, match=message):
        akin.forest(pairs)


def test_bad_tables():
    with pytest.raises(akin.OptionError, match="no column 'right_id'"):
        akin.forest({"left_id": [1]})
    with pytest.raises(akin.OptionError, match="expected two columns"):
        akin.forest([(1, 2)], left="a", right="a")
    pyarrow = pytest.importorskip("pyarrow")
    for values, message in (([1, None], "row 1, column 'left_id': there is no id"), ([0.5, 1.0], "expected ids"),
                            (["a", None], "row 1, column 'left_id': there is no id")):
        with pytest.raises(akin.InputError, match=message) as caught:
            akin.forest(pyarrow.table({"left_id": values, "right_id": values}))
        assert caught.value.row in (1, None)
    with pytest.raises(akin.OptionError, match="no column 'right_id'"):
        akin.forest(pyarrow.table({"left_id": [1], "other": [2]}))
