"""Jobs of a cluster on an engine of this process, with parts drawn at random: the results are those of one machine.
tests/cluster/ runs some of them on Spark and Ray."""

import gzip
import json
import pickle
import random
import warnings

import akin
import pytest

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")

from akin._cluster import PLACE  # noqa: E402
from akin._cluster_forest import ForestJobs  # noqa: E402
from akin._cluster_join import JoinJobs  # noqa: E402
from akin._cluster_records import RecordJobs  # noqa: E402
from akin._cluster_search import SearchJobs  # noqa: E402


class Frame:
    """Parts, each a list of batches."""

    def __init__(self, schema, parts):
        self.schema, self.parts = schema, parts


def on_cpu():
    return {"threads": 1, "device": "cpu"}


class Engine:
    """Maps steps over parts, as bytes like those that a task receives."""

    def __init__(self, draw):
        self._draw, self._slots, self._places = draw, draw.randint(1, 6), draw.randint(1, 7)

    def take(self, table):
        if isinstance(table, Frame):
            return table
        rows, count = self._draw.sample(range(len(table)), len(table)), self._draw.randint(1, 5)
        dealt = (table.take(pa.array(rows[part::count], pa.int64())).combine_chunks() for part in range(count))
        return Frame(table.schema, [part.to_batches(max_chunksize=self._draw.choice([1, 7, 1000])) for part in dealt])

    def give(self, frame):
        return frame

    def columns(self, frame):
        return frame.schema.names

    def schema(self, frame):
        return frame.schema

    def select(self, frame, names):
        schema = pa.schema([frame.schema.field(name).with_name(own) for name, own in names])
        chosen = [
            [pa.RecordBatch.from_arrays([batch.column(name) for name, _ in names], schema=schema) for batch in part]
            for part in frame.parts
        ]
        return Frame(schema, chosen)

    def map(self, frame, step, schema):
        parts = [list(pickle.loads(pickle.dumps(step))(iter(part))) for part in frame.parts]
        assert all(batch.schema.equals(schema) for part in parts for batch in part)
        return Frame(schema, parts)

    def exchange(self, frame, places):
        parts = [[] for _ in range(places)]
        for batch in (batch for part in frame.parts for batch in part):
            for place in set(batch.column(PLACE).to_pylist()):
                parts[place].append(batch.filter(pc.equal(batch.column(PLACE), place)))
        for part in parts:
            self._draw.shuffle(part)
        if places > 2 and self._draw.random() < 0.3:  # several places may be in one part
            parts = [sum(parts[:2], []), *parts[2:]]
        return Frame(frame.schema, parts)

    def union(self, frames):
        return Frame(frames[0].schema, [part for frame in frames for part in frame.parts])

    def table(self, frame):
        return pa.Table.from_batches([batch for part in frame.parts for batch in part], frame.schema)

    def slots(self, frame):
        return self._slots

    def places(self, frame):
        return self._places

    def settings(self):
        return on_cpu


class AllJobs(JoinJobs, ForestJobs, RecordJobs, SearchJobs):
    pass


WORDS = ["red", "white", "wine", "of", "the", "Ärger", "ärger", "x1", "x2", "12", "7"]


def text(draw):
    if draw.random() < 0.15:
        return draw.choice([None, "", " ", "-"])
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, 4)))


def ids(draw, count):
    if draw.random() < 0.5:
        return pa.array(draw.sample(range(-3 * count - 3, 3 * count + 3), count), pa.int64())
    known = [f"{letter}{at}" for at in range(count) for letter in "aZß\U00010000\uffee"]
    return pa.array(draw.sample(known, count), pa.string())


def table(draw, most=120, names=None):
    """Records with copies, of which some differ in a value."""
    rows = []
    for _ in range(draw.choice([0, 1, 2, most // 4, most])):
        row = [text(draw), text(draw), draw.choice([None, *range(12)])]
        if rows and draw.random() < 0.5:
            row = [*draw.choice(rows)]
            row[draw.randrange(2)] = text(draw)
        rows.append(row)
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    arrays = [pa.array(values, type) for values, type in zip(columns, (pa.string(), pa.large_string(), pa.int64()))]
    return pa.table([ids(draw, len(rows)), *arrays], names=["key", "a", "b", "n"])


def same_ids(tables):
    """Whether ids are of one type."""
    return len({each.schema.field("key").type for each in tables}) == 1


def sorted_rows(table, names):
    return sorted(zip(*(table[name].to_pylist() for name in names), strict=True), key=str)


def check(alone, together, engine):
    """Both results, or both refusals; how many rows there are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = pa.table(alone())
        except (akin.OptionError, akin.InputError):
            with pytest.raises((akin.OptionError, akin.InputError)):
                engine.table(together())
            return 0
        found = engine.table(together())
    names = found.schema.names
    assert sorted_rows(found, names) == sorted_rows(expected, names)
    return len(found)


COMPARED = [
    "a:exact", "a:jaro-winkler:0.8", "b:levenshtein", "a:jaccard:0.3:2", "b:tfidf", "b:codes", "a:soundex",
    "b:monge-elkan:0.9:0.5", "n:number/3", "a:tfidf/2:0.5:1.25"
]  # fmt: skip
SELECTED = [
    ("all_pairs", True), ("window", [2, "4:a", "9:b:soundex", "300:b", "6:a:prefix:2", ["3:a", "2:b"], "5:n:round:3"]),
    ("block", ["a", "b", "a+n", "a:prefix:1", "b:soundex", "n:round:2", ["a", "b"], "n:round:2+a:soundex"]),
    ("similar", ["a:jaccard:0.5", "b:cosine:0.6", "a:dice:0.3:qgrams:2"])
]  # fmt: skip
ARGUMENTS = [
    ("max_block", [2, 3, 9]), ("one_to_one", [True]), ("missing", ["skip", "equal"]), ("evidence", [0, 0.4, 1]),
    ("fold", ["all", {"b": "case"}]), ("synonyms", [{"b": [["red", "white"]]}]), ("one_per_source", ["b", "n"])
]  # fmt: skip


def arguments(draw):
    how = {"threshold": draw.choice([0.05, 0.4, 0.8]), "id": "key"}
    for name, values in draw.sample(SELECTED, draw.randint(1, 3)):
        how[name] = values if values is True else draw.choice(values)
    for name, values in ARGUMENTS:
        if draw.random() < 0.2:
            how[name] = draw.choice(values)
    return draw.sample(COMPARED, draw.randint(1, 3)), how


@pytest.mark.parametrize("seed", range(8))
def test_records(seed):
    draw, found = random.Random(seed), 0
    for _ in range(15):
        engine = Engine(draw)
        jobs, tables = AllJobs(engine), [table(draw) for _ in range(draw.choice([1, 1, 2]))]
        if not same_ids(tables):
            continue
        rules, how = arguments(draw)
        alone, together = (akin.link, jobs.link) if len(tables) == 2 else (akin.dedupe, jobs.dedupe)
        tiles = draw.choice([None, 1, 2, 7, 40])
        found += check(
            lambda: alone(*(each.sort_by("key") for each in tables), rules, **how),
            lambda: together(*tables, rules, tiles=tiles, **how), engine
        )
    assert found > 20


def people(draw, count, first=0):
    """Records of persons, some of whom have several, with errors, or one that is there many times."""
    names, towns = [[f"{front}{end}" for front in fronts for end in ("a", "on", "er", "ichs")] for fronts in (
        ("Mart", "Jul", "Berg", "Sand", "Kar", "Wil"), ("Nord", "Ost", "Brandt"))]  # fmt: skip
    rows = []
    while len(rows) < count:
        person = [
            f"{draw.choice(names)} {draw.choice(names)}", draw.choice([*towns, towns[0], towns[0], None]),
            f"0{draw.randrange(10**6):06}", draw.choice([f"19{draw.randrange(50, 99)}-03-15", "?", ""])
        ]  # fmt: skip
        for _ in range(draw.choice([1, 1, 1, 2, 4, 6])):
            record = [*person]
            if draw.random() < 0.6:
                at = draw.randrange(4)
                value = record[at] or ""
                record[at] = draw.choice([None, value.upper(), value[1:], f"{value}{draw.randrange(10)}", person[at]])
            rows += [record] * draw.choice([1] * 30 + [2, 5, 9])
    columns = list(zip(*draw.sample(rows, len(rows)), strict=True))
    made = pa.table([pa.array(values, pa.string()) for values in columns], names=["name", "town", "phone", "born"])
    numbers = pa.array(draw.sample(range(first, first + 9 * len(rows)), len(rows)), pa.int64())
    return made.append_column("key", numbers)


PEOPLE = ["name:jaro-winkler:0.8:2", "town:exact", "phone:levenshtein", "born:date"]


def linked(draw, left):
    """Records of persons of another table, and others."""
    taken = left.take(pa.array([row for row in range(len(left)) if draw.random() < 0.3], pa.int64()))
    numbers = pa.array(range(10**6, 10**6 + len(taken)), pa.int64())
    return pa.concat_tables([taken.set_column(4, "key", numbers), people(draw, 1 + len(left) // 4, 2 * 10**6)])


def met_by_others(tables, found, names):
    """How many found pairs have different values in all columns: others have connected them."""
    of = {}
    for each in tables:
        rows = zip(*(each[name].to_pylist() for name in ("key", *names)), strict=True)
        of.update({key: values for key, *values in rows})
    pairs = zip(found["left_id"].tolist(), found["right_id"].tolist(), strict=True)
    return sum(all(a is None or a != b for a, b in zip(of[left], of[right], strict=True)) for left, right in pairs)


MODELLED = [
    {}, {}, {"threshold": 0.6}, {"threshold": "1/3"}, {"threshold": "0.000000001"}, {"fold": "all"},
    {"fold": {"town": "case"}},
    {"synonyms": {"town": [["Norda", "Osta"]]}}, {"one_per_source": "town"}, {"max_block": 20},
    {"combine": {"digest": ["name", "born"]}, "block": ["digest", "phone"], "fold": {"digest": "case"}}
]  # fmt: skip


@pytest.mark.parametrize("competes", [False, True])
def test_models(tmp_path, competes):
    """Learnt weights: the probabilities of one machine, with equal records and pairs that only found pairs connect."""
    draw, found, equal, connected, competed, refused = random.Random(300), 0, 0, 0, 0, 0
    path = tmp_path / "model.json"
    for _ in range(40):
        engine, left = Engine(draw), people(draw, draw.choice([1, 60, 150, 150] if competes else [30, 150, 400]))
        tables = [left] if draw.random() < 0.7 else [left, linked(draw, left)]
        alone, together = (getattr(on, "dedupe" if len(tables) == 1 else "link") for on in (akin, AllJobs(engine)))
        rules = draw.choice([PEOPLE, [*PEOPLE, "name:tfidf"], PEOPLE[:3], PEOPLE[2:]])
        how = {"id": "key", "weights": "learn", "model": str(path)} | draw.choice([
            {"block": ["name", "phone"]}, {"window": ["4:name", "3:phone:prefix:3"]}, {"all_pairs": True},
            {"block": ["name", "phone"], "similar": "name:jaccard:0.5"}, {"block": "town"}
        ])  # fmt: skip
        how |= draw.choice(MODELLED)
        if "town" in str(how.get("fold", "")) + str(how.get("synonyms", "")):
            how["block"], rules = ["town", "phone"], [PEOPLE[0], *PEOPLE[2:]]
        if "combine" in how:
            rules = [*rules, "digest:jaro"]
        if draw.random() < 0.3:
            tables = [each.set_column(4, "key", pc.cast(each["key"], pa.string())) for each in tables]
        ordered = [each.sort_by("key") for each in tables]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            alone(*ordered, rules, **how | draw.choice([{}, {"one_to_one": True}] if competes else [{}]))
            model = json.loads(path.read_text())
            model["threshold"] = draw.choice([model["threshold"], 0.1, 0.5, 1e-7])
            model["partners"] = draw.choice([model["partners"], "one", "many"]) if competes else "many"
            how |= draw.choice([{}, {}, {"one_to_one": True}] if competes else [{}])
            if draw.random() < 0.2:
                model.pop("caps", None)  # as of an older akin
            path.write_text(json.dumps(model))
            expected = alone(*ordered, rules, **how)
        tiles = draw.choice([None, 1, 9])
        has_one = model["partners"] == "one" or "one_to_one" in how
        if has_one and len(tables) == 2 and "caps" not in model and model["learnt"]:
            refused += 1
            engine.map = None  # before any task
            with pytest.raises(akin.OptionError, match="no \"caps\""):
                together(*tables, rules, tiles=tiles, **how)
            path.unlink()
            continue
        found += check(lambda: expected, lambda: together(*tables, rules, tiles=tiles, **how), engine)
        equal += expected.stats["learnt"]["equal_records"]
        competed += has_one and len(expected) > 10
        if how.get("block") == ["name", "phone"] and not {"similar", "fold"} & {*how} and not has_one:
            connected += met_by_others(tables, expected, ["name", "phone"])
        path.unlink()
    assert found > 1000 and equal > 50
    assert competed > 5 and refused > 0 if competes else connected > 0, (competed, refused, connected)


@pytest.mark.parametrize("made", [gzip.compress, lambda text: b"\xef\xbb\xbf" + text])
def test_files_of_models(tmp_path, made):
    draw, path = random.Random(1), tmp_path / "model.json"
    table, how = people(draw, 60), {"id": "key", "block": ["name", "phone"], "weights": "learn", "model": path}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        akin.dedupe(table, PEOPLE, **how)
    path.write_bytes(made(path.read_bytes().replace(b'"partners": "one"', b'"partners": "many"')))
    engine = Engine(draw)
    assert check(
        lambda: akin.dedupe(table.sort_by("key"), PEOPLE, **how), lambda: AllJobs(engine).dedupe(table, PEOPLE, **how),
        engine
    ) > 10  # fmt: skip


@pytest.mark.parametrize("text, said", [
    (None, "does not exist, or is empty"), (b"", "does not exist, or is empty"), (b"\xff", "is not valid UTF-8"),
    (b"{", "model.json"), (b"[]", "model.json"), (b"{}\0", "model.json.*NUL"), ("folder", "is a directory")
])  # fmt: skip
def test_models_that_are_refused(tmp_path, text, said):
    path = tmp_path / "model.json"
    if isinstance(text, bytes):
        path.write_bytes(text)
    elif text:
        path.mkdir()
    with pytest.raises((akin.InputError, akin.OptionError), match=said):
        AllJobs(Engine(random.Random(1))).dedupe(
            people(random.Random(1), 9), PEOPLE, id="key", all_pairs=True, weights="learn", model=path
        )


def test_columns_called_as_those_of_tasks(tmp_path):
    """A column of the user may have a name that tasks could have taken."""
    draw, path = random.Random(4), tmp_path / "model.json"
    for name in ("digest", "__akin_block__", "label", "side", "is_found"):
        table = people(draw, 120).rename_columns([name, "town", "phone", "born", "key"])
        rules, how = [f"{name}:jaro", *PEOPLE[1:]], {"id": "key", "block": [name, "phone"], "weights": "learn"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            akin.dedupe(table, rules, model=path, **how)
            path.write_text(path.read_text().replace('"partners": "one"', '"partners": "many"'))
        engine = Engine(draw)
        assert check(
            lambda: akin.dedupe(table.sort_by("key"), rules, model=path, **how),
            lambda: AllJobs(engine).dedupe(table, rules, model=path, **how), engine
        ) > 10  # fmt: skip
        path.unlink()
    with pytest.raises(akin.OptionError, match="rename it"):
        AllJobs(Engine(draw)).dedupe(
            people(draw, 9).rename_columns([PLACE, "b", "c", "d", "key"]), f"{PLACE}:jaro", id="key", all_pairs=True
        )


MEASURED = [
    {"jaccard": 0.6}, {"cosine": "2/3", "tokens": "qgrams:2"}, {"overlap": 2}, {"levenshtein": 2},
    {"similarity": "jaro-winkler", "threshold": 0.9}, {"dice": 0.5, "multiset": True}
]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_joins(seed):
    draw, found = random.Random(100 + seed), 0
    for _ in range(12):
        engine = Engine(draw)
        tables = [table(draw) for _ in range(draw.choice([1, 2]))]
        if not same_ids(tables):
            continue
        how = {"on": draw.choice(["a", "b", ["a", "b"]]), "id": "key", **draw.choice(MEASURED)}
        found += check(
            lambda: akin.join(*(each.sort_by("key") for each in tables), **how),
            lambda: AllJobs(engine).join(*tables, tiles=draw.choice([1, 5, 30]), **how), engine
        )
    assert found > 20


@pytest.mark.parametrize("seed", range(4))
def test_searches(seed):
    draw, found = random.Random(200 + seed), 0
    for _ in range(12):
        engine, documents, k = Engine(draw), table(draw), draw.choice([1, 3, 500])
        jobs, on = AllJobs(engine), draw.choice(["a", "b", ["a", "b"]])
        columns = [on] if isinstance(on, str) else on
        count = draw.randint(0, 6)
        queries = pa.table({name: pa.array([text(draw) for _ in range(count)], pa.string()) for name in columns})
        cut = draw.choice([{}, {"tokens": "qgrams:2"}])
        formula = {"formula": draw.choice(["lucene", "bm25+", "bm25l", "robertson", "paper"])} | cut
        built = draw.choice([{}, {"kind": "strings"}, cut])
        searched = {} if "kind" in built else draw.choice([{}, {"measure": "jaccard"}, {"least": 2}])
        ordered = documents.sort_by("key")
        found += check(
            lambda: akin.bm25(ordered, on, id="key", **formula).rank(queries, k, on=on),
            lambda: jobs.bm25(documents, queries, on=on, id="key", k=k, **formula), engine
        )
        found += check(
            lambda: akin.Index.build(ordered, on, id="key", **built).search(queries, k, on=on, **searched),
            lambda: jobs.search(documents, queries, on=on, id="key", k=k, **built, **searched), engine
        )
    assert found > 20


@pytest.mark.parametrize("window", [2, 5, 60])
@pytest.mark.parametrize("rows", [179, 180, 181, 199])
def test_ranges_that_end_with_few_records(window, rows):
    draw = random.Random(rows)
    engine = Engine(draw)
    columns = {"key": pa.array(draw.sample(range(10**6), rows), pa.int64())}
    records = pa.table(columns | {"a": pa.array([text(draw) for _ in range(rows)], pa.string())})
    how = {"window": f"{window}:a", "threshold": 0.5, "id": "key"}
    assert check(
        lambda: akin.dedupe(records.sort_by("key"), "a:jaccard", **how),
        lambda: AllJobs(engine).dedupe(records, "a:jaccard", tiles=20, **how), engine
    ) > 20


def test_components(monkeypatch):
    """Forests are merged a few pairs at a time."""
    from akin import _cluster_forest

    draw = random.Random(8)
    for held in (2**22, 3, 40):
        monkeypatch.setattr(_cluster_forest, "_PAIRS_HELD", held)
        engine = Engine(draw)
        ends = [pa.array([draw.randint(-99, 99) for _ in range(140)]) for _ in range(2)]
        pairs = pa.table(ends, names=["left_id", "right_id"])
        whole = pa.table(akin.forest(pairs))
        roots = dict(zip(whole["right_id"].to_pylist(), whole["left_id"].to_pylist(), strict=True))
        roots |= {root: root for root in roots.values()}
        sizes = {root: list(roots.values()).count(root) for root in roots.values()}
        found = engine.table(AllJobs(engine).components(pairs))
        assert sorted(zip(*found.to_pydict().values(), strict=True)) == sorted(
            (id, root, sizes[root]) for id, root in roots.items()
        )


def test_names_of_two_tables():
    """Columns of ids and of text have other names in the right table; some are names that steps use, too."""
    draw = random.Random(9)
    engine = Engine(draw)
    jobs, left = AllJobs(engine), table(draw, 90).rename_columns(["sku", "place", "row", "n"])
    right = table(draw, 90).rename_columns(["code", "side", "key", "id"])
    while not same_ids([left.rename_columns(["key", *"abc"]), right.rename_columns(["key", *"abc"])]) or not len(right):
        right = table(draw, 90).rename_columns(["code", "side", "key", "id"])
    id = akin.sides("sku", "code")
    how = {"threshold": 0.4, "all_pairs": True, "window": "5:row=key", "one_to_one": True}
    ordered = left.sort_by("sku"), right.sort_by("code")
    rules = ["place=side:jaccard", "row=key:exact", "n=id:number/5"]
    check(
        lambda: akin.link(*ordered, rules, id=id, **how), lambda: jobs.link(left, right, rules, id=id, **how), engine
    )
    on = akin.sides("place", "side")
    check(
        lambda: akin.join(*ordered, on=on, id=id, jaccard=0.5),
        lambda: jobs.join(left, right, on=on, id=id, jaccard=0.5), engine
    )
    with pytest.raises(akin.OptionError, match=r"the right table has no column 'sku'.*akin.sides"):
        jobs.link(left, right, rules, id="sku", all_pairs=True)


@pytest.mark.parametrize("job, how, said", [
    ("dedupe", {}, "run akin.dedupe on a sample"), ("dedupe", {"compare": "a:exact"}, "run akin.dedupe on a sample"),
    ("join", {"on": "a", "jaccard": 0.5, "top": 3}, "bm25 have k="),
    ("match", {"on": "a", "similarity": "jaro"}, "threshold=0.9"),
    ("join", {"on": "a", "jaccard": 0.5, "id": "n"}, "is in 2 rows"),
    ("bm25", {"on": "a", "queries": ["x"], "query_id": "q"}, "leave query_id out"),
])  # fmt: skip
def test_refused(job, how, said):
    engine = Engine(random.Random(1))
    records = pa.table({"key": ["a", "b", "c"], "a": ["x", "y", "z"], "n": [1, 2, 2]})
    with pytest.raises((akin.OptionError, akin.InputError), match=said):
        getattr(AllJobs(engine), job)(records, **{"id": "key", **how})


def test_ids_that_are_empty():
    engine = Engine(random.Random(1))
    with pytest.raises(akin.InputError, match="an id is empty"):
        AllJobs(engine).join(pa.table({"key": ["a", ""], "a": ["x", "y"]}), on="a", id="key", jaccard=0.5)


def test_plan():
    draw = random.Random(7)
    engine, records = Engine(draw), table(draw, 200)
    plan = AllJobs(engine).plan(records, on="a", id="key", jaccard=0.5, tiles=12, trials=3)
    assert plan.tasks <= 12 and plan.seconds > 0 and plan.memory > plan.largest
    empty = AllJobs(engine).plan(records.slice(0, 0), on="a", id="key", jaccard=0.5)
    assert (empty.tasks, empty.seconds, empty.rows) == (0, None, 0)


def test_ranges_of_a_sample(monkeypatch):
    """Few rows are sampled, as of a large table."""
    from akin import _cluster_selections

    monkeypatch.setattr(_cluster_selections, "_SAMPLED_MOST", 600)
    draw = random.Random(5)
    engine = Engine(draw)
    columns = {"key": pa.array(draw.sample(range(10**6), 4000), pa.int64())}
    records = pa.table(columns | {"a": pa.array([text(draw) for _ in range(4000)], pa.string())})
    how = {"window": "4:a", "threshold": 0.9, "id": "key"}
    assert check(
        lambda: akin.dedupe(records.sort_by("key"), "a:jaccard", **how),
        lambda: AllJobs(engine).dedupe(records, "a:jaccard", tiles=5, **how), engine
    ) > 1000


def test_what_a_gpu_cannot_do_the_cpu_does():
    from akin._cluster import on_device

    tried = []

    def call(run):
        tried.append(run["device"])
        if run["device"] != "cpu":
            raise akin.OptionError("no GPU has this")
        return 7

    assert on_device({"device": "cuda:1", "threads": 2}, call) == 7 and tried == ["cuda:1", "cpu"]
    with pytest.raises(akin.OptionError):
        on_device({"device": "cpu"}, lambda run: akin.join(["a"], jaccard=2, **run))
