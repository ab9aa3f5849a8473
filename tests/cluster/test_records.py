"""Duplicates and links on a cluster have the bytes of one machine, where rows are in the order of ids."""

import json
import random

import akin
import faults
import pyarrow as pa
import pytest
from conftest import by_id

FIRST = "Anna Bert Carla Dora Emil Frieda Georg Hanna Ida Jakob Klara Lotte Max Nora Otto Paula".split()
LAST = "Gruber Huber Maier Mayer Meier Moser Müller Schmid Schmidt Wagner Weber Winkler".split()
TOWNS = "Ulm Köln Bonn Wien Graz Linz".split()


def people(count, seed, ids="ints", some_missing=True):
    """Records of people: some the same but for a letter, some with values missing."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        if made and draw.random() < 0.3:
            name, town, year = draw.choice(made)
            if name and draw.random() < 0.7:
                at = draw.randrange(len(name))
                name = name[:at] + draw.choice("aeou") + name[at + 1 :]
        else:
            name, town = f"{draw.choice(FIRST)} {draw.choice(LAST)}", draw.choice(TOWNS)
            year = draw.randint(1950, 1990)
        if some_missing and draw.random() < 0.05:
            name = draw.choice([None, ""])
        if some_missing and draw.random() < 0.05:
            town = None
        made.append((name, town, year))
    numbers = draw.sample(range(-(2**40), 2**40), count)
    named = pa.array(numbers, pa.int64()) if ids == "ints" else pa.array([f"ß{number}" for number in numbers])
    columns = {"key": named} | {
        name: pa.array(values, type)
        for name, values, type in zip(
            ("name", "town", "year"), zip(*made, strict=True), (pa.string(), pa.string(), pa.int64()), strict=True
        )
    }
    return pa.table(columns)


def by_bytes(table):
    """The rows in the order of ids, which text has by its bytes."""
    return table.sort_by("key")


RULES = ["name:jaro-winkler:0.8:2", "town:exact", "year:number/5"]
SELECTIONS = {
    "all": {"all_pairs": True},
    "block": {"block": "town"},
    "two blocks": {"block": ["town+year", "name:soundex"]},
    "prefix": {"block": "name:prefix:3"},
    "small blocks": {"block": ["town", "name:soundex"], "max_block": 9},
    "neighbouring buckets": {"block": "year:round:4", "max_block": 60},
    "window": {"window": "7:name"},
    "windows": {"window": 4},
    "sound": {"window": "12:name:soundex"},
    "similar": {"similar": "name:jaccard:0.5"},
    "all kinds": {"window": ["5:name", "3:town"], "block": "year", "similar": "name:jaccard:0.9:qgrams:2"},
}  # fmt: skip


def found_of(cluster, table, tiles, rules=RULES, **how):
    """The pairs of one machine, and those of the cluster."""
    expected = by_id(akin.dedupe(by_bytes(table), rules, id="key", **how))
    found = cluster.jobs.dedupe(cluster.frame(table), rules, id="key", tiles=tiles, **how)
    return expected, cluster.rows(found)


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("ids", ["ints", "texts"])
def test_dedupe(cluster, watch, name, ids):
    table = people(260, 1, ids)
    expected, found = found_of(cluster, table, 5, threshold=0.85, **SELECTIONS[name])
    assert found == expected and len(expected) > 10


@pytest.mark.parametrize("tiles", [1, 23])
def test_any_number_of_tasks(cluster, watch, tiles):
    expected, found = found_of(cluster, people(200, 2), tiles, threshold=0.8, **SELECTIONS["all kinds"])
    assert found == expected and expected


HOW = [
    {"missing": "skip", "evidence": 0.3}, {"missing": "equal"}, {"fold": {"name": "case+accents", "town": "all"}},
    {"synonyms": {"name": [["Anna", "Nora"]]}}, {"combine": {"who": ["name", "town"]}, "block": "who:prefix:2"},
    {"one_per_source": "town"}, {"one_to_one": True}, {"one_to_one": True, "missing": "skip", "evidence": 0}
]  # fmt: skip


@pytest.mark.parametrize("how", HOW)
def test_arguments(cluster, watch, how):
    table = people(220, 3)
    expected, found = found_of(cluster, table, 4, **{"block": "year:round:3", "threshold": 0.75, **how})
    assert found == expected and expected


@pytest.mark.parametrize("how", [{"block": "town"}, {"all_pairs": True, "synonyms": {"name": [["Anna", "Nora"]]}}])
def test_tokens_weighed_by_all_records(cluster, watch, how):
    rules, how = ["name:tfidf", "name:tfidf/2", "town:exact"], {"threshold": 0.7, "fold": "all", **how}
    expected, found = found_of(cluster, people(200, 13), 5, rules, **how)
    assert found == expected and expected
    left, right = people(110, 14), people(120, 15).rename_columns(["key", "full", "place", "born"])
    rules = ["name:tfidf", "town:exact"]
    names = {"left_on": ["name", "town"], "right_on": ["full", "place"], "id": "key"}
    how.pop("synonyms", None)
    expected = by_id(akin.link(by_bytes(left), by_bytes(right), rules, **names, **how), is_one=False)
    links = cluster.jobs.link(cluster.frame(left), cluster.frame(right), rules, tiles=4, **names, **how)
    assert cluster.rows(links) == expected and expected


def with_equals(table):
    """A table with a record that is there eight times."""
    many = pa.concat_tables([table.slice(5, 1)] * 8)
    equal = pa.table({name: (table.slice(100, 8) if name == "key" else many)[name] for name in table.column_names})
    return pa.concat_tables([table.slice(0, 100), equal, table.slice(108)])


def kept_model(table, path, rules, **how):
    """A model by which records have many partners, in a file."""
    akin.dedupe(by_bytes(table), rules, id="key", weights="learn", model=path, **how)
    model = json.loads(path.read_text())
    path.write_text(json.dumps(model | {"partners": "many", "threshold": 0.4}))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("ids", ["ints", "texts"])
@pytest.mark.parametrize("how", [{"block": ["name", "year"]}, {"window": "9:name", "block": "town", "fold": "all"}])
def test_learnt_weights(cluster, watch, tmp_path, how, ids):
    """Equal records are left out, and all pairs of a component are compared."""
    table = with_equals(people(240, 19, ids))
    path = tmp_path / "model.json"
    kept_model(table, path, RULES, **how)
    expected, found = found_of(cluster, table, 5, weights="learn", model=path, **how)
    assert found == expected and len(expected) > 30
    assert akin.dedupe(by_bytes(table), RULES, weights="learn", model=path, **how).stats["learnt"]["equal_records"] > 3


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_learnt_weights_of_two_tables(cluster, watch, tmp_path):
    left, right = people(160, 20), people(150, 20)
    path = tmp_path / "model.json"
    kept_model(left, path, RULES, block=["name", "year"])
    how = {"id": "key", "block": ["name", "year"], "weights": "learn", "model": path}
    expected = by_id(akin.link(by_bytes(left), by_bytes(right), RULES, **how), is_one=False)
    links = cluster.jobs.link(cluster.frame(left), cluster.frame(right), RULES, tiles=4, **how)
    assert cluster.rows(links) == expected and len(expected) > 30


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("how", [{"block": ["name", "year"], "one_to_one": True}, {"all_pairs": True}])
def test_learnt_weights_of_one_partner(cluster, watch, tmp_path, how):
    """Pairs of a link compete, and those of a table with one_to_one."""
    left, right = people(160, 20), people(150, 20)
    path = tmp_path / "model.json"
    how = {"id": "key", "weights": "learn", "model": path, **how}
    akin.link(by_bytes(left), by_bytes(right), RULES, **how | {"one_to_one": True})
    assert json.loads(path.read_text())["partners"] == "one"
    expected = by_id(akin.link(by_bytes(left), by_bytes(right), RULES, **how), is_one=False)
    links = cluster.jobs.link(cluster.frame(left), cluster.frame(right), RULES, tiles=4, **how)
    assert cluster.rows(links) == expected and len(expected) > 30
    path.unlink()
    how["one_to_one"] = True
    akin.dedupe(by_bytes(left), RULES, **how)
    expected = by_id(akin.dedupe(by_bytes(left), RULES, **how))
    assert cluster.rows(cluster.jobs.dedupe(cluster.frame(left), RULES, tiles=4, **how)) == expected
    assert len(expected) > 10


def test_statistics_that_are_given(cluster, watch):
    """Those that are not given are counted."""
    rules, how = ["name:tfidf", "town:tfidf"], {"all_pairs": True, "threshold": 0.6}
    table = people(120, 17)
    known = akin.Statistics.of_records(by_bytes(table), rules)
    expected = by_id(akin.dedupe(by_bytes(table), rules, id="key", **how))
    for given in (None, {}, {"name": known["name"]}, known):
        found = cluster.jobs.dedupe(cluster.frame(table), rules, id="key", tiles=6, statistics=given, **how)
        assert cluster.rows(found) == expected and expected


def test_a_fold_of_a_column_that_a_selection_names(cluster, watch):
    how = {"block": "town", "fold": {"town": "case"}, "threshold": 0.8}
    expected, found = found_of(cluster, people(120, 18), 4, ["name:jaro"], **how)
    assert found == expected and expected


@pytest.mark.parametrize("count", [151, 180, 181])
def test_ranges_that_end_with_few_records(cluster, watch, count):
    """The last range has one record, or a few."""
    expected, found = found_of(cluster, people(count, 19), 9, window="3:name", threshold=0.7)
    assert found == expected and expected


def test_synonyms_of_a_file(cluster, watch, tmp_path):
    file = tmp_path / "names.txt"
    file.write_text("# names\nAnna, Nora\n\nMax,Otto\n", encoding="utf-8")
    expected, found = found_of(cluster, people(150, 4), 4, block="town", threshold=0.9, synonyms=str(file))
    assert found == expected and expected


@pytest.mark.parametrize("name", ["all", "two blocks", "small blocks", "neighbouring buckets", "window", "all kinds"])
def test_link(cluster, watch, name):
    left, right = people(150, 5, "texts"), people(170, 6, "texts")
    how = {"threshold": 0.85, "id": "key", **SELECTIONS[name]}
    expected = by_id(akin.link(by_bytes(left), by_bytes(right), RULES, **how), is_one=False)
    found = cluster.jobs.link(cluster.frame(left), cluster.frame(right), RULES, tiles=5, **how)
    assert cluster.rows(found) == expected and expected


def test_names_of_two_tables(cluster, watch):
    left, right = people(120, 7), people(130, 8).rename_columns(["key", "full", "place", "born"])
    rules = ["name=full:jaro:0.7", "town=place:exact", "year=full:jaccard", "year=born:number/5"]
    how = {"threshold": 0.3, "id": "key", "block": "name=full:prefix:2", "one_to_one": True}
    expected = by_id(akin.link(by_bytes(left), by_bytes(right), rules, **how), is_one=False)
    found = cluster.jobs.link(cluster.frame(left), cluster.frame(right), rules, tiles=5, **how)
    assert cluster.rows(found) == expected and expected


def test_a_block_of_all(cluster, watch):
    """A key that all records share: blocks of it are too large, and few records of it are sent."""
    table = people(400, 9, some_missing=False).set_column(2, "town", pa.array(["Ulm"] * 400))
    expected, found = found_of(cluster, table, 6, block=["town", "name:prefix:4"], max_block=20, threshold=0.8)
    assert found == expected and expected
    expected, found = found_of(cluster, table, 6, block="town", max_block=399, threshold=0.8)
    assert found == expected == []


def test_no_rows(cluster):
    table = people(3, 10).slice(0, 0)
    for how in ({"all_pairs": True}, {"block": "town"}, {"window": "3:name"}):
        assert cluster.rows(cluster.jobs.dedupe(cluster.frame(table), RULES, id="key", **how)) == []


def test_clusters_of_duplicates(cluster, watch):
    table = people(200, 11, "texts")
    pairs = cluster.jobs.dedupe(cluster.frame(table), RULES, id="key", block="town", threshold=0.85)
    groups = {}
    for id, representative, size in cluster.rows(cluster.jobs.components(pairs)):
        groups.setdefault(representative, []).append((id, size))
    clusters = pa.table(akin.dedupe(by_bytes(table), RULES, id="key", block="town", threshold=0.85).clusters)
    expected = {}
    for id, number in zip(clusters["id"].to_pylist(), clusters["cluster"].to_pylist(), strict=True):
        expected.setdefault(number, set()).add(id)
    found = {frozenset(id for id, _ in members) for members in groups.values()}
    assert found == {frozenset(members) for members in expected.values() if len(members) > 1} and found
    assert all(size == len(members) for members in groups.values() for _, size in members)


@pytest.mark.parametrize("how, said", [
    ({"nearest": 3}, "nearest is for one machine"), ({"given": [(0, 1)]}, "given is for one machine"),
    ({"show": "name"}, "show is given; it is for one machine"), ({"treshold": 1}, "treshold.*threshold"),
    ({"weights": "learn"}, "on one machine"),
    ({"block": None}, "a selection such as block"), ({"block": "place"}, "no column 'place'"),
    ({"threshold": 2}, "threshold"), ({"tiles": 0}, "tiles is 0"), ({"id": "name"}, "id is null"),
    ({"id": "town", "block": "year"}, "rows"),
])  # fmt: skip
def test_refused(cluster, how, said):
    how = {"block": "town", "id": "key", **how}
    frame = cluster.frame(people(40, 12, some_missing="id" in how and how["id"] == "name"))
    with pytest.raises(Exception, match=said):
        cluster.rows(cluster.jobs.dedupe(frame, RULES, **how))


def test_processes_die_in_each_step(cluster, watch):
    """The process of a task is killed in each step: the pairs are the same, and none is there twice."""
    steps = [
        "_Terms", "_Sum", "Route", "_Compare", "_RouteToBlocks", "_Blocks", "_Sample", "_RouteToRanges", "_Windows",
        "_ByLeftId", "_Once", "_OneToOne"
    ]  # fmt: skip
    for step in steps:
        watch.break_at(step, faults.kill_process)
    how = {"window": "6:name", "block": "town", "similar": "name:jaccard:0.6", "one_to_one": True, "threshold": 0.7}
    expected, found = found_of(cluster, people(150, 16), 6, ["name:tfidf:0.3", "town:exact"], **how)
    for step in steps:
        watch.again(step)
    assert found == expected and len(set(found)) == len(found) > 10


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_processes_die_in_each_step_of_a_model(cluster, watch, tmp_path):
    table, path, how = with_equals(people(150, 21)), tmp_path / "model.json", {"block": ["name", "year"]}
    kept_model(table, path, RULES, **how)
    model = json.loads(path.read_text())
    path.write_text(json.dumps(model | {"threshold": 0.5}))  # above that of components
    steps = [
        "_Terms", "_Sum", "_Digest", "_Frequent", "_RouteEqual", "_Equals", "_Group", "_LeaveOut", "_RouteToBlocks",
        "_Blocks", "_ByLeftId", "_Once", "Reaching", "_Name", "_RouteLabels", "_RouteRecords", "_Label", "_Complete"
    ]  # fmt: skip
    for step in steps:
        watch.break_at(step, faults.kill_process)
    expected, found = found_of(cluster, table, 4, weights="learn", model=path, **how)
    for step in steps:
        watch.again(step)
    assert found == expected and len(set(found)) == len(found) > 10
