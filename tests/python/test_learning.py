"""Weights that are learnt, and rules that are found, against the command."""

import copy
import csv
import json
import pickle
import random

import pytest

import akin

RULES = ["given_name:jaro-winkler", "surname:jaro-winkler", "suburb:jaro-winkler", "phone:levenshtein"]
JOB = {"akin": "dedupe", "version": 1}
WORDS = [part for rule in RULES for part in ("--compare", rule)]


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def columns_of(path):
    """A file as a dictionary of lists, in which an empty value is None."""
    rows = read(path)
    return {name: [row[name] or None for row in rows] for name in rows[0]}


@pytest.fixture(scope="module")
def register(tmp_path_factory):
    """Files of records with duplicates, and of two tables to be linked."""
    folder = tmp_path_factory.mktemp("register")
    people, gold = akin.generate.records(300, duplicates=0.4, seed=3)
    people.save(folder / "people.csv")
    gold.save(folder / "gold.csv")
    left, right, links = akin.generate.records(250, duplicates=0.5, linked=True, seed=4)
    for name, table in (("left", left), ("right", right), ("links", links)):
        table.save(folder / f"{name}.csv")
    return folder


CASES = {
    "weights": (["--window", "10", *WORDS, "--weights", "learn"], {"compare": RULES, "window": 10, "weights": "learn"}),
    "threshold": (
        ["--window", "10", *WORDS, "--weights", "learn", "--threshold", "0.6", "--cluster", "components"],
        {"compare": RULES, "window": 10, "weights": "learn", "threshold": 0.6, "cluster": "components"},
    ),
    "auto": (
        ["--all-pairs", *WORDS, "--weights", "learn", "--threshold", "auto", "--one-to-one"],
        {"compare": RULES, "all_pairs": True, "weights": "learn", "threshold": "auto", "one_to_one": True},
    ),
    "precision": (["--precision", "0.99"], {"precision": 0.99}),
    "rules": ([], {}),
    "selections": ([*WORDS, "--threshold", "0.8"], {"compare": RULES}),
    "comparisons": (["--window", "5:surname"], {"window": "5:surname"}),
    "given": (["--weights", "given", "--threshold", "0.7"], {"weights": "given", "threshold": 0.7}),
    "ignored": (["--ignore", "phone", "--ignore", "state", "--max-block", "1000"],
                {"ignore": ["phone", "state"], "max_block": 1000}),
}  # fmt: skip


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_results_are_those_of_the_command(register, command, tmp_path, case, two):
    words, how = CASES[case]
    paths = [register / f"{name}.csv" for name in (("left", "right") if two else ("people",))]
    output, pairs, job = (tmp_path / name for name in ("clusters.csv", "pairs.csv", "job.json"))
    command("link" if two else "dedupe", *paths, "-q", "--id", "id", *words, "-o", output, "--pairs", pairs,
            "--save-job", job)  # fmt: skip
    find = akin.link if two else akin.dedupe
    found = find(*map(str, paths), id="id", **how)
    names = [name for name in found.columns if name not in ("left", "right", "left_id", "right_id")]
    expected = read(pairs)
    assert expected and [(row["left"], row["right"]) for row in expected] == list(
        zip(found["left_id"], found["right_id"], strict=True)
    )
    for name in names:
        assert [float(row[name]) if row[name] else None for row in expected] == list(found[name])
    clustered = read(output)
    for name in ("cluster", "size"):
        assert [int(row[name]) for row in clustered] == list(found.clusters[name])
    assert [row["id"] for row in clustered] == list(found.clusters["id"])
    said = json.loads(job.read_text(encoding="utf-8"))
    expected = {key: value for key, value in said.items() if key not in ("output", "pairs", "quiet")}
    assert found.job == expected | {"akin": "dedupe"}
    again = akin.run(found.job)
    assert again == found and again.clusters == found.clusters and again.job == found.job
    assert akin.run(job) == found


@pytest.mark.parametrize("two", [False, True])
def test_tables_in_memory_are_as_files(register, two):
    pa, pd, pl = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    paths = [str(register / f"{name}.csv") for name in (("left", "right") if two else ("people",))]
    tables = [columns_of(path) for path in paths]
    find = akin.link if two else akin.dedupe
    for how in ({}, {"compare": RULES, "window": 10, "weights": "learn"}):
        found = find(*paths, id="id", **how)
        assert len(found) > 50
        makes = [dict, pa.table, pd.DataFrame, pl.DataFrame]
        for make in makes:
            made = find(*map(make, tables), id="id", **how)
            assert made == found and made.clusters == found.clusters and made.stats["learnt"].keys()
            assert {**made.job, "input": paths} == found.job
        for threads in (1, 2, 5):
            made = find(*tables, id="id", threads=threads, **how)
            assert made == found and made.clusters == found.clusters
            timed = ("seconds",)
            assert {k: v for k, v in made.stats["learnt"].items() if k not in timed} == {
                k: v for k, v in found.stats["learnt"].items() if k not in timed
            }


def test_what_was_learnt(register):
    people = columns_of(register / "people.csv")
    found = akin.dedupe(people, id="id", gold=register / "gold.csv")
    learnt = found.stats["learnt"]
    assert learnt["partners"] == "many" and learnt["comparisons"] == 9 and 0 < learnt["threshold"] < 1
    assert learnt["expected_matches"] == pytest.approx(found.evaluation.gold, rel=0.1)
    assert learnt["expected_precision"] > 0.9 and learnt["expected_recall"] > 0.9 and learnt["seconds"] >= 0
    assert min(found["similarity"]) >= learnt["threshold"] - 1e-9
    assert found.evaluation.f1 > 0.9 and found.closed.f1 > 0.9
    assert found.closed == akin.evaluate(found.clusters, register / "gold.csv", closed=True)
    given = akin.dedupe(people, RULES, window=10)
    assert given.stats["learnt"] is None and given.stats["suggested"] == []
    left, right = (columns_of(register / f"{name}.csv") for name in ("left", "right"))
    linked = akin.link(left, right, id="id", one_to_one=True)
    assert linked.stats["learnt"]["partners"] == "one"
    assert len(set(linked["left"])) == len(linked) == len(set(linked["right"]))


@pytest.mark.parametrize("two", [False, True])
def test_models_are_kept(register, command, tmp_path, two):
    paths = [str(register / f"{name}.csv") for name in (("left", "right") if two else ("people",))]
    find = akin.link if two else akin.dedupe
    model, other = tmp_path / "model.json", tmp_path / "other.json"
    learnt = find(*paths, id="id", model=model)
    text = model.read_text(encoding="utf-8")
    kept = find(*paths, id="id", model=str(model), threads=3)
    assert not learnt.stats["learnt"]["applied"] and kept.stats["learnt"]["applied"]
    assert kept == learnt and kept.clusters == learnt.clusters and len(kept) > 50
    assert model.read_text(encoding="utf-8") == text and json.loads(text)["akin"] == "model"
    assert kept.job["model"] == str(model) and akin.run(kept.job) == learnt
    command("link" if two else "dedupe", *paths, "-q", "--id", "id", "--model", other, "-o", tmp_path / "clusters.csv")
    assert other.read_text(encoding="utf-8") == text
    sure = find(*paths, id="id", model=model, threshold=0.999)
    assert 0 < len(sure) <= len(kept) and min(sure["similarity"]) >= 0.999


def test_models_that_are_refused(register, tmp_path):
    people, model = str(register / "people.csv"), tmp_path / "model.json"
    found = akin.dedupe(people, RULES, window=10, weights="learn", model=model)
    assert akin.run(found.job, precision=0.9).stats["learnt"]["expected_precision"] >= 0.9
    with pytest.raises(akin.OptionError, match="the model compares column 'phone', and this job does not") as caught:
        akin.dedupe(people, RULES[:3], window=10, weights="learn", model=model)
    assert caught.value.reason == "other-rules"
    with pytest.raises(akin.OptionError, match="model is of weights that are learnt"):
        akin.dedupe(people, RULES, window=10, model=model)
    with pytest.raises(TypeError, match="expected the path of a file"):
        akin.dedupe(people, model=3)
    model.write_text("{}", encoding="utf-8")
    with pytest.raises(akin.InputError, match="model.json:1: expected an object"):
        akin.dedupe(people, RULES, window=10, weights="learn", model=model)


def test_reference_table():
    towns = "Aldburn Birchley Corwick Dunmere Elstow Farnby Glenholt Harwich Ilmarsh Kelford Lowick Marston".split()
    sports = "Chess Rowing Sailing Fencing Archery".split()
    titles = [f"{town} {sport} Club {1990 + (7 * t + s) % 20}" for t, town in enumerate(towns)
              for s, sport in enumerate(sports)]
    others = [title.replace("ar", "ra").replace("Club", "club") for title in titles[::2]] + ["Oakham Golf Open"]
    left, right = {"title": titles}, {"title": others}
    found = akin.link(left, right, precision=0.9)
    learnt = found.stats["learnt"]
    assert learnt["decoys"] == len(titles) and learnt["expected_precision"] >= 0.9 and len(found) > 25
    assert sum(b * 2 == a for a, b in zip(found["left"], found["right"])) >= 0.9 * len(found)
    assert len(set(found["right"])) == len(found)
    assert len(akin.link(left, right, precision=0.99)) <= len(found)
    assert akin.link(left, right, compare="title:osa", nearest=10, weights="learn", precision=0.9).stats["learnt"][
        "decoys"] == len(titles)
    with pytest.raises(akin.OptionError, match="of two tables"):
        akin.dedupe(left, precision=0.9)


def people_of_two_lists(shared, seed, count=1500):
    """Two lists of people; the first `shared` ones are the same. Most records have a name alone."""
    rng = random.Random(seed)
    given = [a + b + c for a in "mar jo an el ka be ti ro".split() for b in "ni la se do".split()
             for c in "n s ra".split()]
    family = [a + b + c for a in "smi ander thom wil car fer gol hag bru nor pet ols".split()
              for b in "to li man ber ga".split() for c in "n son ti rup k dt".split()]
    towns = [f"{a}{b}" for a in "ridge marsh wood stone oak".split() for b in "ton ham ford by wick".split()]

    def person():
        town = rng.choice(towns) if rng.random() < 0.3 else ""
        year = str(rng.randint(1930, 1999)) if rng.random() < 0.3 else ""
        return [f"{rng.choice(given)} {rng.choice(family)}", town, year]

    def misspelt(name):
        at = rng.randrange(len(name) - 1)
        return name[:at] + name[at + 1] + name[at] + name[at + 2 :] if rng.random() < 0.3 else name

    left = [person() for _ in range(count)]
    right = [[misspelt(name), *rest] for name, *rest in left[:shared]] + [person() for _ in range(count - shared)]
    return [dict(zip(("name", "town", "year"), map(list, zip(*rows)))) for rows in (left, right)]


def test_decoys_of_a_sample():
    """Of tables with 8,192 records or more not all records have a decoy."""
    left, right = people_of_two_lists(2000, 7, 9000)
    found = akin.link(left, right, threads=3)
    right_ones = sum(a == b < 2000 for a, b in zip(found["left"], found["right"]))
    assert abs(right_ones / len(found) - found.stats["learnt"]["expected_precision"]) < 0.15
    assert list(found) == list(akin.link(left, right, threads=1))


def test_few_records_have_a_partner():
    """Names are alike by chance: decoys show how often, and without them more pairs are found, most of them wrong."""
    left, right = people_of_two_lists(600, 7)
    found = akin.link(left, right)
    right_ones = sum(a == b < 600 for a, b in zip(found["left"], found["right"]))
    assert right_ones > 450 and right_ones >= 0.85 * len(found)


def test_precisions(register):
    people = str(register / "people.csv")
    last = None
    for precision in (0.5, "0.9", 0.999):
        found = akin.dedupe(people, id="id", precision=precision)
        assert found.stats["learnt"]["expected_precision"] >= float(precision) - 1e-9
        assert last is None or len(found) <= last
        last = len(found)
        assert akin.run(found.job) == found and "threshold" not in found.job
    assert akin.run(found.job, threshold=0.5).job["threshold"] == 0.5
    with pytest.raises(akin.OptionError, match="expected one of them"):
        akin.dedupe(people, precision=0.9, threshold=0.5)
    with pytest.raises(akin.OptionError, match="weights='learn'"):
        akin.dedupe(people, RULES, window=10, precision=0.9)
    with pytest.raises(akin.OptionError, match="precision"):
        akin.dedupe(people, precision=2)
    with pytest.raises(akin.OptionError, match="3 compared columns or more, or of two tables"):
        akin.dedupe(people, RULES[:1], window=10, weights="learn", precision=0.9)


def test_warns_of_no_matches():
    left, right = (akin.generate.records(40, duplicates=0, seed=seed)[0] for seed in (3, 5))
    with pytest.warns(akin.ResultWarning, match="no class of matches"):
        akin.link(left, right, id="id")
    with pytest.warns(akin.ResultWarning, match="no threshold has the expected precision 1"):
        assert len(akin.link(left, right, id="id", precision=1)) == 0


def test_clusters_are_those_of_the_job(register):
    """They stay with copies and pickles. Those of a part are made of its pairs."""
    people = columns_of(register / "people.csv")
    found = akin.dedupe(people, cluster="average:0.3", threshold="0.999999", id="id")
    more = [size for size in found.clusters["size"] if size > 1]
    assert len(more) > sum(size > 1 for size in akin.components(found)["size"])  # pairs below the threshold
    for same in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert same == found and same.clusters == found.clusters and same.keep == found.keep and same.job == found.job
        assert pickle.loads(pickle.dumps(same)).clusters == found.clusters
    part = found[:10]
    assert part.clusters == akin.components(part, clustering="average:0.3")
    linked = akin.link(people, people, RULES, window=5, weights="learn")
    assert linked.clusters.columns == ("side", "row", "cluster", "size", "representative_side", "representative")
    assert pickle.loads(pickle.dumps(linked)).clusters == linked.clusters


def test_ignored_columns_may_have_any_type(register):
    pa = pytest.importorskip("pyarrow")
    people = columns_of(register / "people.csv")
    expected = akin.dedupe(people, id="id", ignore="phone")
    rows = len(people["id"])
    for phone in ([3] * rows, [[1]] * rows):
        table = people | {"phone": phone}
        assert akin.dedupe(table, id="id", ignore="phone") == expected
        assert akin.dedupe(pa.table(table), id="id", ignore=["phone"]) == expected
    with pytest.raises(TypeError, match="expected a str or None.*reads all columns but those of ignore="):
        akin.dedupe(people | {"phone": [3] * rows}, id="id")
    # A rule may use a column that is ignored where rules are found.
    found = akin.dedupe(people, ["phone:exact", "surname:jaro"], id="id", ignore="phone")
    assert all("phone" not in block["columns"] for block in found.job["block"]) and len(found)
    assert akin.run(found.job, people) == found


def test_a_stream_is_read_once(register):
    pa = pytest.importorskip("pyarrow")
    table = pa.table(columns_of(register / "people.csv"))
    told = []
    akin.dedupe(table, id="id", progress=lambda phase, done, total: told.append((phase, done, total)))
    assert told and all(done <= total for _, done, total in told)
    stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    assert akin.dedupe(stream, id="id") == akin.dedupe(table, id="id")


def test_columns_that_are_left_out_are_named(register):
    people = columns_of(register / "people.csv")
    rows = [str(row) for row in range(len(people["id"]))]
    people |= {"none": [None] * len(rows), "row": rows, "key": [f"a{row}" for row in rows]}
    found = akin.dedupe(people, id="id")
    assert found.stats["suggested"] == [
        "column 'none' is left out: hardly any record has a value, or all have the same",
        "column 'row' is left out: its values are numbers of rows",
        "column 'key' is left out: its values are numbers of rows",
    ]
    assert found == akin.dedupe(people, id="id", ignore=["none", "row", "key"])
    assert pickle.loads(pickle.dumps(found)).stats == found.stats


def test_a_report(register):
    people = columns_of(register / "people.csv")
    found = akin.dedupe(people, id="id", report=True)
    page = found.report.html
    plain = akin.dedupe(people, id="id")
    assert found == plain and found.clusters == plain.clusters
    expected = f'{found.stats["learnt"]["expected_precision"]:.4f}'
    assert 'class="learnt"' in page and f">{expected}</dd>" in page and 'id="weights"' in page
    assert page.count("data-bits=") > 0 and "data-counts=" not in page
    left, right = columns_of(register / "left.csv"), columns_of(register / "right.csv")
    gold = [(row["left"], row["right"]) for row in read(register / "links.csv")]
    page = akin.link(left, right, id="id", report=True, gold=gold).report.html
    assert "by B-cubed" in page and 'id="expected"' in page


@pytest.mark.parametrize(
    "call,error,message",
    [
        (lambda t: akin.dedupe({"id": ["1", "2"]}, id="id"), akin.OptionError, "no columns that can be compared"),
        (lambda t: akin.link(t, {"x": ["a", "b"]}), akin.OptionError, "no columns of one name that can be compared"),
        (lambda t: akin.dedupe(t, weights="given", threshold="auto"), akin.OptionError, "needs weights='learn'"),
        (lambda t: akin.dedupe(t, threshold=2), akin.OptionError, "auto or a number above 0"),
        (lambda t: akin.dedupe(t, threshold="automatic"), akin.OptionError, "threshold is 'automatic'; expected a num"),
        (lambda t: akin.dedupe(t, weights=1), akin.OptionError, "weights is 1; expected one of given, learn"),
        (lambda t: akin.dedupe(t, []), akin.OptionError, "nothing is compared; expected .*, or None"),
        (lambda t: akin.dedupe(t, ignore=["suburb", 1]), TypeError, "a name of ignore is 1; expected a str"),
        (lambda t: akin.link(t, t, ignore="subburb"), akin.OptionError, r"no column 'subburb' \(did you mean"),
        (lambda t: akin.run(JOB | {"ignore": "x"}, t), akin.InputError, "'ignore' is unknown"),
        (lambda t: akin.run(JOB | {"weights": "given"}, t), akin.OptionError, 'the job has no "threshold"'),
    ],
)  # fmt: skip
def test_refused(register, call, error, message):
    with pytest.raises(error, match=message):
        call(columns_of(register / "people.csv"))


def test_jobs_without_rules(register):
    people = columns_of(register / "people.csv")
    found = akin.run(JOB | {"id": "id"}, people)
    assert found == akin.dedupe(people, id="id")
    assert akin.run(JOB | {"id": "id", "compare": [], "block": []}, people) == found
    ignoring = akin.run(JOB | {"id": "id"}, people, ignore="phone")
    assert ignoring == akin.dedupe(people, id="id", ignore="phone") and ignoring.job != found.job


def test_equal_records():
    """Equal records are one cluster, however many there are; equal rows alone are one, too."""
    names = ["ann", "ann", "ann", "bob", "carl", "carl"]
    found = akin.dedupe({"name": names})
    assert list(found.clusters["cluster"]) == [0, 0, 0, 1, 2, 2]
    assert found.stats["learnt"]["equal_records"] == 3
    same = akin.dedupe({"name": ["ann"] * 3, "city": ["york"] * 3})
    assert list(same.clusters["cluster"]) == [0, 0, 0] and same.stats["learnt"] is None
    assert list(akin.dedupe({"name": ["ann"]}).clusters["cluster"]) == [0]


@pytest.mark.parametrize("seed", [15, 16])
def test_neighbours_are_no_duplicates(seed):
    """Neighbours agree in suburb, postcode and state, and in nothing else: a table without duplicates has none."""
    people, _ = akin.generate.records(2000, duplicates=0, seed=seed)
    with pytest.warns(akin.ResultWarning, match="no class of matches"):
        found = akin.dedupe(people, id="id")
    assert len(found) <= 2 and found.stats["learnt"]["expected_matches"] < 2


def test_unrelated_tables_have_no_links():
    left, right = (akin.generate.records(2000, duplicates=0, seed=seed)[0] for seed in (1, 2))
    assert len(akin.link(left, right, id="id")) <= 2
