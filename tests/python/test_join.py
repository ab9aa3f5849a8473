"""Joins against all pairs, in fractions; whatever holds the columns, the pairs are the same."""

import math
import warnings
from fractions import Fraction

import pytest

import akin


def tokens(text, kind):
    if text is None:
        return frozenset()
    if kind == "words":
        return frozenset(text.lower().split())
    q = int(kind.split(":")[1])
    return frozenset(text[i : i + q] for i in range(len(text) - q + 1)) or frozenset([text] if text else [])


# Each measure by its definition, of r and s tokens, n of them in common; of cosine the square. And thresholds to try.
MEASURES = {
    "jaccard": (lambda r, s, n: Fraction(n, r + s - n), [0.5, 0.8]),
    "cosine": (lambda r, s, n: Fraction(n * n, r * s), [0.7]),
    "dice": (lambda r, s, n: Fraction(2 * n, r + s), ["0.75"]),
    "overlap": (lambda r, s, n: Fraction(n), [3]),
    "overlap_coefficient": (lambda r, s, n: Fraction(n, min(r, s)), [0.75]),
    "containment": (lambda r, s, n: Fraction(n, r), [0.6]),
}


def reaches(measure, r, s, n, t):
    return n > 0 and MEASURES[measure][0](r, s, n) >= (t * t if measure == "cosine" else t)


def value(measure, r, s, n):
    return n / math.sqrt(r * s) if measure == "cosine" else float(MEASURES[measure][0](r, s, n))


def test_every_measure_is_tried():
    assert {name.replace("_", "-") for name in MEASURES} == {
        row.name for row in akin.choices("measures") if "join" in row.capabilities
    }


def is_directed(measure):
    return any(
        row.name == measure.replace("_", "-") and "directed" in row.capabilities for row in akin.choices("measures")
    )


def by_all_pairs(left, right, kind, measure, threshold):
    a = [tokens(text, kind) for text in left]
    b = a if right is None else [tokens(text, kind) for text in right]
    found = []
    for i, r in enumerate(a):
        for k, s in enumerate(b):
            if r and s and (right is not None or i < k):
                n = len(r & s)
                if reaches(measure, len(r), len(s), n, Fraction(str(threshold))):
                    found.append((i, k, n, value(measure, len(r), len(s), n)))
    return found


@pytest.mark.parametrize("kind", ["words", "qgrams:3"])
@pytest.mark.parametrize("measure,threshold", [(name, t) for name, (_, tried) in MEASURES.items() for t in tried])
def test_all_pairs(addresses, kind, measure, threshold):
    if is_directed(measure):
        with pytest.raises(akin.OptionError, match="needs two collections"):
            akin.join(addresses, tokens=kind, **{measure: threshold})
    for right in [addresses[100:200]] if is_directed(measure) else [None, addresses[100:200]]:
        found = list(akin.join(addresses, right, tokens=kind, **{measure: threshold}))
        expected = by_all_pairs(addresses, right, kind, measure, threshold)
        assert [row[:3] for row in found] == [row[:3] for row in expected]
        assert [row[3] for row in found] == pytest.approx([row[3] for row in expected], rel=1e-15)
        assert expected


def test_threads_and_techniques_give_the_same(addresses):
    first = akin.join(addresses, jaccard=0.6, threads=1)
    for technique in ("allpairs", "ppjoin", "groupjoin", "bitmap", "screened"):
        for threads in (1, 3):
            assert akin.join(addresses, jaccard=0.6, technique=technique, threads=threads) == first
    assert akin.join(addresses, jaccard=0.6, memory="16MiB") == first


def test_a_threshold_is_the_decimal_that_is_written():
    # 13 / 20 is 0.65, and the double 0.65 is a little more.
    left, right = " ".join(map(str, range(16))), " ".join(map(str, range(3, 20)))
    assert len(akin.join([left], [right], jaccard=0.65)) == 1
    assert len(akin.join([left], [right], jaccard="0.651")) == 0


def test_columns_of_several(addresses):
    table = {"a": addresses, "b": addresses[::-1], "c": ["x"] * len(addresses)}
    together = [" ".join(filter(None, pair)) for pair in zip(table["a"], table["b"])]
    assert akin.join(table, on=["a", "b"], jaccard=0.7) == akin.join(together, jaccard=0.7)
    renamed = {"d": addresses[:50]}
    assert akin.join(table, renamed, left_on="a", right_on="d", dice=0.8) == akin.join(
        addresses, addresses[:50], dice=0.8
    )
    assert akin.join(table, renamed, left_on="a", dice=0.8) == akin.join(addresses, addresses[:50], dice=0.8)
    parts = {"one": ["red house", None], "two": ["by the river", "wine"], "number": ["n1", "n2"]}
    whole = {"text": ["the river by the red house"], "key": ["k"]}
    assert akin.join(table, renamed, on=akin.sides("a", "d"), dice=0.8) == akin.join(
        addresses, addresses[:50], dice=0.8
    )
    with pytest.raises(akin.OptionError, match="names a column of two tables, and there is one"):
        akin.join(table, on=[akin.sides("a", "d")], dice=0.8)
    found = akin.join(
        parts, whole, left_on=["one", "two"], right_on="text", left_id="number", right_id="key", jaccard=1
    )
    assert found.to_dict() == {
        "left": [0], "right": [0], "left_id": ["n1"], "right_id": ["k"], "overlap": [5], "similarity": [1.0]
    }


def test_files(addresses, tmp_path):
    expected = akin.join([row for row in addresses if row], jaccard=0.7)
    path = tmp_path / "addresses.txt"
    path.write_text("".join(f"{row}\n" for row in addresses if row))
    assert akin.join(path, jaccard=0.7) == expected
    path = tmp_path / "addresses.csv"
    path.write_text("id,address\n" + "".join(f"1,{row}\n" for row in addresses if row))
    assert akin.join(str(path), on="address", jaccard=0.7) == expected
    with pytest.raises(FileNotFoundError, match="nothing.csv"):
        akin.join(tmp_path / "nothing.csv", jaccard=0.7)
    path.write_text('id,address\n1,"open\n')
    with pytest.raises(akin.InputError, match=r"addresses.csv:2"):
        akin.join(path, on="address", jaccard=0.7)


@pytest.mark.parametrize(
    "arguments,error,message",
    [
        (dict(), akin.OptionError, "expected one of jaccard, cosine, dice, "),
        (dict(jaccard=0.5, dice=0.5), akin.OptionError, "jaccard and dice are given; expected one of"),
        (dict(jaccard=1.5), akin.OptionError, "jaccard is 1.5; expected a similarity above 0 and at most 1"),
        (dict(jaccard=0), akin.OptionError, "threshold"),
        (dict(jaccard=[1]), TypeError, "expected a number"),
        (dict(jaccard=0.5, tokens="letters"), akin.OptionError, r"expected words\[:N\], whitespace, qgrams:N, codes, "),
        (dict(jaccard=0.5, tokens="qgrams:0"), akin.OptionError, "q"),
        (dict(jaccard=0.5, technique="magic"), akin.OptionError, "allpairs"),
        (dict(jaccard=0.5, threads=-1), akin.OptionError, "threads"),
        (dict(jaccard=0.5, memory="much"), akin.OptionError, "memory"),
        (dict(jaccard=0.5, memory=1000), akin.OptionError, "16"),
        (dict(jaccard=0.5, device="abacus"), akin.OptionError, "abacus"),
        (dict(jaccard=0.5, on="name"), akin.OptionError, "there is no column 'name'"),
        (dict(jaccard=0.5, progress=3), TypeError, "callable"),
    ],
)
def test_refusals(arguments, error, message):
    with pytest.raises(error, match=message):
        akin.join(["a", "b"], **arguments)


@pytest.mark.parametrize("data", [3, b"bytes", ["a", 1], {"a": ["x"], 3: ["y"]}, [["x"]]])
def test_what_holds_no_columns(data):
    with pytest.raises(TypeError):
        akin.join(data, jaccard=0.5)


def test_lists_of_other_lengths():
    with pytest.raises(ValueError, match="column 'b' has 1 rows, the first one 2"):
        akin.join({"a": ["x", "y"], "b": ["z"]}, on=["a", "b"], jaccard=0.5)


def test_a_gpu_that_is_not_there():
    if akin.info()["device"] == "ready":
        pytest.skip("there is a GPU")
    with pytest.raises(akin.DeviceError, match="GPU"):
        akin.join(["a"], jaccard=0.5, device="cuda")


def test_ids_of_one_table():
    """Rows of the other table are called by their numbers."""
    texts, table = ["a b", "c d", "b a"], {"id": ["x", "y"], "t": ["a b", "q"]}
    for how in ({"jaccard": 0.9}, {"levenshtein": 0}):
        found = akin.join(texts, table, right_on="t", right_id="id", **how)
        assert found["left_id"] == found["left"] and found["right_id"] == ["x"] * len(found) and len(found)
        assert found.clusters["id"] == ["0", "1", "2", "x", "y"]
        turned = akin.join(table, texts, left_on="t", left_id="id", **how)
        assert sorted(zip(turned["right_id"], turned["left_id"])) == sorted(zip(found["left_id"], found["right_id"]))


def strings_of(table, names):
    """The values of columns, without missing ones, with a blank between."""
    return [" ".join(filter(None, values)) for values in zip(*(table[name] for name in names))]


def test_strings_of_several_columns(addresses):
    table = {
        "a": addresses, "b": [None if i % 3 else "" if i % 2 else "x" for i in range(len(addresses))],
        "c": addresses[::-1], "id": list(map(str, range(len(addresses))))
    }
    for names in (["a", "b"], ["b", "a", "c"], ["b", "b"][:1]):
        together = strings_of(table, names)
        for how in (
            {"levenshtein": 2}, {"similarity": "jaro-winkler", "threshold": 0.9}, {"similarity": "osa", "top": 2}
        ):
            assert akin.join(table, on=names, **how) == akin.join(together, **how)
    left, right = strings_of(table, ["a", "b"]), strings_of(table, ["c"])
    found = akin.join(table, {"d": table["c"]}, left_on=["a", "b"], right_on="d", levenshtein=3, left_id="id")
    assert found["left"] == akin.join(left, right, levenshtein=3)["left"] and found["left_id"] == list(
        map(str, found["left"])
    )
    assert akin.strings.cdist_sparse(table, on=["a", "b"], cutoff=0.95) == akin.strings.cdist_sparse(left, cutoff=0.95)
    index, plain = akin.Index.build(table, ["a", "b"], kind="strings", ngram=2), akin.Index.build(
        left, kind="strings", ngram=2
    )
    assert index.about == plain.about
    assert index.search(table, k=3, on=["a", "b"]) == plain.search(left, k=3)
    assert index.search(left[0], k=3) == plain.search(left[0], k=3)
    longer = index.append(table, ["a", "b"])
    assert longer.search(left, k=2) == plain.append(left).search(left, k=2)
    named = akin.Index.build(table, ["a", "b"], kind="strings", id="id", ignore_case=True)
    assert named.search([left[3].upper()], k=1)["distance"] == [0]


def test_most_texts_are_too_short():
    titles = ["The red boat", "the red boat!", "a boat", "one two three four five", "", "..."]
    words = (
        "^4 of 5 texts have fewer than 5 words, so each is a single token, which only texts of the same words have: "
        "use words, or"
    )
    with pytest.warns(akin.ResultWarning, match=words.replace("4 of 5", "3 of 4")) as told:
        found = akin.near_duplicates(titles, jaccard=0.5)
    assert told[0].filename == __file__ and found.stats["warnings"] == [str(told[0].message)] and found["left"] == [0]
    with pytest.warns(akin.ResultWarning) as told:
        akin.join(titles, ["one two three four five six"] + titles, tokens="words:5", jaccard=0.5)
    assert [str(each.message)[:20] for each in told] == ["left: 3 of 4 texts h", "right: 3 of 5 texts "]
    with pytest.warns(akin.ResultWarning, match="^2 of 3 texts have fewer than 4 characters, .* use shorter q-grams$"):
        akin.join(["abc", "ab", "abcd"], tokens="qgrams:4", jaccard=0.5)
    with pytest.warns(akin.ResultWarning, match="^3 of 4 texts have fewer than 5 words"):
        akin.Index.build(titles, tokens="words:5")
    index = akin.Index.build(titles[3:4], tokens="words:5")
    with pytest.warns(akin.ResultWarning, match="^3 of 4 texts have fewer than 5 words") as told:
        assert len(index.append(titles)) == 7
    assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(akin.ResultWarning, match="^similar t:jaccard:0.5:words:5: 3 of 4 texts have"):
        akin.dedupe({"t": titles}, "t:jaro", similar="t:jaccard:0.5:words:5", threshold=0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("error", akin.ResultWarning)
        assert akin.join(titles, tokens="words:2", jaccard=0.5).stats["warnings"] == []
        akin.near_duplicates(titles[3:4] * 4 + titles[:3])
        akin.join(titles, jaccard=0.5)
        akin.join(["", None], tokens="words:5", jaccard=0.5)
        akin.Index.build(titles).append(titles)
        index.append(titles[3:4])


def test_chains_make_large_clusters():
    chain = [f"w{i} w{i + 1}" for i in range(30)]
    sentence = (
        "chains of pairs made large clusters: 29 pairs were found, and the clusters hold 435 pairs of records; the "
        "largest cluster has 30 records"
    )
    found = akin.join(chain, jaccard=0.3)
    with pytest.warns(akin.ResultWarning, match=f"^{sentence}: raise the threshold") as told:
        assert max(found.clusters["size"]) == 30
    assert told[0].filename == __file__ and found.stats["warnings"] == [str(told[0].message)]
    with pytest.warns(akin.ResultWarning, match=f"^{sentence}"):
        akin.join(chain, jaccard=0.3).keep
    with pytest.warns(akin.ResultWarning, match=f"^{sentence}"):
        akin.components(found)
    with pytest.warns(akin.ResultWarning) as told:  # one for duplicates
        akin.dedupe({"t": chain}, "t:jaccard", all_pairs=True, threshold=0.3).clusters
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", akin.ResultWarning)
        assert found.clusters["cluster"] == [0] * 30  # it was said
        akin.join(["a b", "b a", "a  b"], jaccard=1).clusters
