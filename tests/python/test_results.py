"""What goes with pairs: names of rows, clusters, rows that stay, reports; near-duplicates; sets as sets."""

import pickle
import random

import pytest

import akin
from akin import _write, strings

PEOPLE = {
    "id": ["a", "b", "c", "d", "e"],
    "name": ["Anna Schmidt", "Ana Schmidt", "Bert Meyer", None, "Bert Maier"],
    "city": ["Ulm", "ULM", "Bonn", "Bonn", "Bonn "],
}
RULES = dict(compare=["name:jaro-winkler:0.8:2", "city:exact"], block="city", fold="all", threshold=0.85)


def test_formats():
    assert list(_write.FORMATS) == [row.name for row in akin.choices("table-formats") if "write" in row.capabilities]


def test_ids():
    found = akin.dedupe(PEOPLE, **RULES, id="id")
    assert found.columns == ("left", "right", "left_id", "right_id", "similarity", "name", "city")
    assert [row[:4] for row in found] == [(0, 1, "a", "b"), (2, 4, "c", "e")]
    plain = akin.dedupe(PEOPLE, **RULES)
    assert plain.to_dict() == {name: found[name] for name in plain.columns}
    linked = akin.link(PEOPLE, {**PEOPLE, "id": list("vwxyz")}, **RULES, id="id")
    assert ("a", "w") in zip(linked["left_id"], linked["right_id"])
    joined = akin.join(PEOPLE, on="name", id="id", jaccard=0.3)
    assert [row[:4] for row in joined] == [(0, 1, "a", "b"), (2, 4, "c", "e")]
    # the column of the texts may be that of the names, too
    own = akin.join({"name": ["x y", "y x"]}, on="name", id="name", jaccard=0.5)
    assert own[0]["left_id"] == "x y"
    apart = strings.cdist_sparse(PEOPLE, on="name", id="id", scorer="levenshtein", distance=1)
    assert [row[:5] for row in apart] == [(0, 1, "a", "b", 1)]


def test_ids_with_nulls_in_numbers():
    table = {"id": ["p", "q"], "a": ["x", "x"], "b": ["y", None]}
    found = akin.dedupe(table, ["a:exact", "b:exact"], all_pairs=True, missing="skip", threshold=0.9, id="id")
    assert found[0] == {"left": 0, "right": 1, "left_id": "p", "right_id": "q", "similarity": 1.0, "a": 1.0, "b": None}


@pytest.mark.parametrize(
    "ids,message",
    [(["a", "a", "b", "c", "d"], "row 1.*'a' is already that of row 0"), (["a", None, "b", "c", "d"], "row 1.*no id")],
)
def test_ids_refused(ids, message):
    with pytest.raises(akin.InputError, match=message):
        akin.dedupe({**PEOPLE, "id": ids}, **RULES, id="id")
    with pytest.raises(akin.OptionError, match="on=NAME"):
        akin.join(PEOPLE["name"], id="id", jaccard=0.5)
    long = ["x" + "\u00e9" * 150] * 2
    with pytest.raises(akin.InputError, match=f"row 1.*'x{chr(0xE9) * 99}' is already that of row 0"):
        akin.join({"name": ["a", "b"], "id": long}, on="name", id="id", jaccard=0.5)


def test_clusters_and_what_stays():
    pairs = akin.dedupe(PEOPLE, **RULES)
    assert pairs.clusters == akin.components(pairs, rows=5)
    assert pairs.keep == [True, False, True, True, False]
    assert pairs.rows == (5, 0)
    linked = akin.link(PEOPLE, PEOPLE, **RULES)
    assert len(linked.clusters) == 10
    with pytest.raises(TypeError, match="two tables"):
        linked.keep


def test_gold():
    gold = [("a", "b"), ("d", "e")]
    found = akin.dedupe(PEOPLE, **RULES, id="id", gold=gold)
    assert (found.evaluation.both, found.evaluation.pairs, found.evaluation.gold) == (1, 2, 2)
    assert found.evaluation == akin.evaluate(found, gold)
    assert found.closed == akin.evaluate(found, gold, closed=True)
    assert akin.dedupe(PEOPLE, **RULES, gold=[(1, 0)]).evaluation.recall == 1
    assert akin.dedupe(PEOPLE, **RULES).evaluation is None
    # of two tables 0, 1 is not 1, 0
    assert akin.link(PEOPLE, PEOPLE, **RULES, gold=[(1, 0)]).evaluation.both == 1


def test_report(tmp_path):
    found = akin.dedupe(PEOPLE, **RULES, id="id", gold=[("a", "b")], report=True)
    assert found == akin.dedupe(PEOPLE, **RULES, id="id")
    page = found.report.html
    assert page.startswith("<!doctype html>") and "block city" in page and "Anna Schmidt" in page
    assert "<iframe" in found.report._repr_html_()
    kept = akin.dedupe(PEOPLE, **RULES, report=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == kept.report.html
    found.report.save(tmp_path / "copy.html")
    assert (tmp_path / "copy.html").read_text(encoding="utf-8") == page
    with pytest.raises(OSError, match="missing"):
        akin.dedupe(PEOPLE, **RULES, report=tmp_path / "missing" / "page.html")


def test_what_was_done():
    found = akin.dedupe(PEOPLE, **RULES)
    assert found.stats["pairs_all"] == 10 and found.stats["pairs_found"] == 2
    assert found.stats["selected"][0]["by"] == "block city" and found.stats["selected"][0]["pairs"] == 4
    joined = akin.join(PEOPLE, on="name", jaccard=0.3, technique="ppjoin")
    assert joined.stats["pairs_found"] == 2 and joined.stats["steps"][0]["technique"] == "ppjoin"
    apart = strings.cdist_sparse(PEOPLE["name"], scorer="levenshtein", distance=1, technique="bags")
    assert apart.stats["pairs_found"] == 1
    with pytest.raises(akin.OptionError, match="magic"):
        strings.cdist_sparse(PEOPLE["name"], scorer="osa", distance=1, technique="magic")
    for options in (dict(filter="magic"), dict(sharing="magic"), dict(block=-1), dict(block=70000)):
        with pytest.raises(akin.OptionError):
            akin.join(PEOPLE, on="name", jaccard=0.5, **options)


def test_pickles():
    found = akin.dedupe(PEOPLE, **RULES, id="id", gold=[("a", "b")], report=True)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and type(again) is akin.Duplicates
    assert (again.rows, again.stats, again.job) == (found.rows, found.stats, found.job)
    assert (again.evaluation, again.closed, again.report.html) == (found.evaluation, found.closed, found.report.html)
    joined = pickle.loads(pickle.dumps(akin.join(PEOPLE, on="name", jaccard=0.3)))
    assert joined.clusters["size"] == [2, 2, 2, 1, 2]


def shingles_of(text, n):
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    return {tuple(words[i : i + n]) for i in range(max(len(words) - n + 1, min(len(words), 1)))}


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("threshold", [0.3, 0.8])
def test_near_duplicates(n, threshold):
    draw = random.Random(n)
    words = "the quick brown fox jumps over a lazy dog and runs home".split()
    documents = [None, "", "...", "fox", "Fox!"]
    for _ in range(120):
        if draw.random() < 0.5:
            documents.append(" ".join(draw.choices(words, k=draw.randint(1, 40))))
        else:
            copy = (documents[-1] or "fox").split()
            copy[draw.randrange(len(copy))] = draw.choice(words)
            documents.append(draw.choice([" ", ", ", "\n"]).join(copy).title())
    found = akin.near_duplicates(documents, jaccard=threshold, tokens=f"words:{n}", threads=2)
    sets = [shingles_of(text or "", n) for text in documents]
    expected = []
    for i, a in enumerate(sets):
        for k in range(i + 1, len(sets)):
            b = sets[k]
            if a & b and len(a & b) * 10 >= round(threshold * 10) * len(a | b):
                expected.append((i, k, len(a & b), len(a & b) / len(a | b)))
    assert list(found) == expected
    assert len(expected) > 20
    assert sum(found.keep) == len(documents) - sum(a != k for k, a in enumerate(found.clusters["representative"]))


def test_sets(tmp_path):
    sets = [{1, 2, 3}, [2, 3, 4], (9,), [], {1, 2, 3, 4}]
    found = akin.join(sets, tokens="ids", jaccard=0.5)
    assert [row[:3] for row in found] == [(0, 1, 2), (0, 4, 3), (1, 4, 3)]
    assert list(akin.join(sets, [[9]], tokens="ids", overlap=1))[0][:2] == (2, 0)
    (tmp_path / "sets.txt").write_text("1 2 3\n2 3 4\n9\n\n1 2 3 4\n")
    assert akin.join(tmp_path / "sets.txt", tokens="ids", jaccard=0.5) == found
    with pytest.raises(akin.OptionError, match="sets of numbers"):
        akin.join(sets, tokens="ids", jaccard=0.5, ignore_case=True)
