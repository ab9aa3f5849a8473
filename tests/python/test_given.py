"""Pairs that the caller gives, against all pairs, blocks, and a comparison pair by pair."""

import itertools
import random

import pytest

import akin


def people(count, seed):
    draw = random.Random(seed)
    names = ["anna", "anne", "hanna", "bert", "berta", "carl", "karl", "dora", None]
    return {
        "id": [f"p{i}" for i in range(count)],
        "name": [draw.choice(names) for _ in range(count)],
        "town": [draw.choice(["ulm", "bonn", "köln", ""]) for _ in range(count)],
        "zip": [str(draw.randrange(5)) for _ in range(count)],
    }


def rows_of(found):
    return found.to_dict(), found.clusters.to_dict()


RULES = {"compare": ["name:jaro-winkler", "town:exact"], "threshold": 0.4}


@pytest.mark.parametrize("seed", range(5))
def test_all_pairs(seed):
    """All pairs, in any order, on either side, and twice."""
    table, draw = people(40, seed), random.Random(seed)
    pairs = [draw.choice([(a, b), (b, a)]) for a, b in itertools.combinations_with_replacement(range(40), 2)]
    pairs += draw.sample(pairs, 30)
    draw.shuffle(pairs)
    expected = akin.dedupe(table, all_pairs=True, **RULES)
    for threads in (1, 3):
        found = akin.dedupe(table, given=pairs, threads=threads, **RULES)
        assert rows_of(found) == rows_of(expected)
        assert found.stats["pairs_selected"] == 40 * 39 // 2
        assert found.stats["selected"][0]["by"] == "given -"


def test_blocks():
    """The pairs of blocks, for one table and for two."""
    left, right = people(50, 1), people(30, 2)
    inside = [(a, b) for a, b in itertools.combinations(range(50), 2) if left["zip"][a] == left["zip"][b]]
    across = [(a, b) for a in range(50) for b in range(30) if left["zip"][a] == right["zip"][b]]
    expected = akin.dedupe(left, block="zip", id="id", **RULES)
    assert rows_of(akin.dedupe(left, given=inside, id="id", **RULES)) == rows_of(expected)
    random.Random(3).shuffle(across)
    expected = akin.link(left, right, block="zip", **RULES)
    assert rows_of(akin.link(left, right, given=across, **RULES)) == rows_of(expected)


def test_beside_another_selection():
    table = people(50, 4)
    given = [(0, 1), (49, 0), (7, 7)]
    found = akin.dedupe(table, block="zip", given=given, **RULES)
    pairs = {(a, b) for a, b in itertools.combinations(range(50), 2) if table["zip"][a] == table["zip"][b]}
    expected = akin.dedupe(table, given=sorted(pairs | {(0, 1), (0, 49)}), **RULES)
    assert found.to_dict() == expected.to_dict()
    assert [each["pairs"] for each in found.stats["selected"]] == [len(pairs), 2]


def test_one_pair_after_the_other():
    """Similarities are those of akin.strings."""
    table = people(30, 5)
    pairs = [(3, 9), (12, 4), (5, 6), (20, 21)]
    found = {
        (each.left, each.right): each.similarity
        for each in akin.dedupe(table, "name:jaro-winkler", given=pairs, threshold=0.001)
    }
    for a, b in pairs:
        x, y = table["name"][a], table["name"][b]
        similarity = akin.strings.similarity(x, y, "jaro-winkler") if x and y else 0
        assert found.get((min(a, b), max(a, b)), 0) == similarity


@pytest.mark.parametrize("equal", [1, 20])
def test_learnt_weights(equal):
    """All pairs, also where many records are equal, of which learning leaves some out."""
    table, _ = akin.generate.records(120, duplicates=0.4, seed=1)
    table = {name: list(table[name]) for name in ("given_name", "surname", "suburb", "date_of_birth")}
    for column in table.values():
        column.extend(column[0] for _ in range(equal - 1))
    count, rules = len(table["surname"]), ["given_name:jaro-winkler", "surname:jaro-winkler", "suburb:jaro-winkler"]
    pairs = list(itertools.combinations(range(count), 2))
    random.Random(1).shuffle(pairs)
    expected = akin.dedupe(table, rules, weights="learn", all_pairs=True)
    found = akin.dedupe(table, rules, weights="learn", given=pairs)
    assert rows_of(found) == rows_of(expected)
    learnt = [each.stats["learnt"] | {"seconds": 0} for each in (found, expected)]
    assert learnt[0] == learnt[1] and (learnt[0]["equal_records"] > 0) == (equal > 1)


def forms(tmp_path, pairs, ids):
    pyarrow = pytest.importorskip("pyarrow")
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    of_ids = {"left_id": [ids[row] for row in left], "right_id": [ids[row] for row in right]}
    (tmp_path / "rows.csv").write_text("left,right\n" + "".join(f"{a},{b}\n" for a, b in pairs))
    (tmp_path / "ids.csv").write_text("left,right\n" + "".join(f"{ids[a]},{ids[b]}\n" for a, b in pairs))
    yield None, {"left": left, "right": right}
    yield None, pyarrow.table({"left": left, "right": right})
    yield None, tmp_path / "rows.csv"
    yield "id", pairs
    yield "id", {"left": left, "right": right}
    yield "id", of_ids
    yield "id", {"left": [0] * len(left), "right": [0] * len(left)} | of_ids
    yield "id", pyarrow.table(of_ids)
    yield "id", [(ids[a], ids[b]) for a, b in pairs]
    yield "id", str(tmp_path / "ids.csv")


def test_forms(tmp_path):
    table, pairs = people(30, 6), [(0, 3), (9, 4), (28, 29)]
    expected = akin.dedupe(table, given=pairs, **RULES).to_dict()
    for id, given in forms(tmp_path, pairs, table["id"]):
        found = akin.dedupe(table, given=given, id=id, **RULES).to_dict()
        assert {name: found[name] for name in expected} == expected


def test_a_result_of_akin():
    """Candidates of a join are compared."""
    table = people(60, 7)
    joined = akin.join(table, on="name", id="id", tokens="qgrams:2", jaccard=0.5)
    found = akin.dedupe(table, "name:jaro", given=joined, threshold=0.001)
    assert list(zip(found["left"], found["right"])) == list(zip(joined["left"], joined["right"]))
    assert akin.dedupe(table, "name:jaro", given=joined, threshold=0.001, id="id")["left"].tolist() == joined[
        "left"
    ].tolist()


def test_ids_of_one_table():
    left, right = people(5, 8), people(5, 9)
    found = akin.link(left, right, "name:jaro", given=[("p1", "3")], left_id="id", threshold=0.001)
    assert found.stats["pairs_selected"] == 1


def test_jobs(tmp_path):
    table = people(20, 10)
    path = tmp_path / "pairs.csv"
    path.write_text("left,right\n1,2\n5,3\n")
    found = akin.dedupe(table, given=path, **RULES)
    assert found.job["given"] == str(path)
    assert akin.run(found.job, table).to_dict() == found.to_dict()
    kept = akin.dedupe(table, given=[(1, 2), (5, 3)], **RULES)
    assert kept.job["given"] == "-"  # standard input, for the command
    assert akin.run(kept.job, table, given=[(1, 2), (5, 3)]).to_dict() == found.to_dict()


def test_no_pairs():
    assert len(akin.dedupe(people(5, 1), given=[], **RULES)) == 0
    assert len(akin.dedupe({"name": [], "town": []}, given=[], **RULES)) == 0


def test_what_is_refused():
    table = people(5, 1)
    for given, error, sentence in [
        ([(0, 5)], akin.InputError, "given pair 0, of rows 0 and 5: the table has 5 rows"),
        ([(0, 1), (7, 1)], akin.InputError, "given pair 1, of rows 7 and 1: the table has 5 rows"),
        ([(0, -1)], akin.InputError, "below 0"),
        ([("p1", "p2")], akin.OptionError, "expected id="),
        ({"left_id": ["p1"], "right_id": ["p2"]}, akin.OptionError, "expected id="),
        ({"left": [0]}, akin.OptionError, "expected columns 'left' and 'right'"),
        ([0, 1], TypeError, "expected pairs"),
        (7, TypeError, "expected"),
        ("missing.csv", OSError, "missing.csv"),
    ]:
        with pytest.raises(error, match=sentence):
            akin.dedupe(table, given=given, **RULES)
    with pytest.raises(akin.InputError, match="no record has the id 'p7'"):
        akin.dedupe(table, given=[("p1", "p7")], id="id", **RULES)
    with pytest.raises(akin.InputError, match="given pair 0, of rows 4 and 3: the right table has 3 rows"):
        akin.link(table, people(3, 1), given=[(4, 3)], **RULES)
