"""Collections of documents from Python: what the command finds, and what is refused."""

import csv
import io
import json
import pickle
import random
import subprocess
import sys

import pytest

import akin

WORDS = [f"w{i}" for i in range(40)]


def collection(seed, count=200):
    draw = random.Random(seed)
    texts = []
    for _ in range(count):
        if texts and draw.random() < 0.5:
            words = draw.choice(texts).split()
            for _ in range(draw.choice((0, 1, 2))):
                if words:
                    words[draw.randrange(len(words))] = draw.choice(WORDS)
        else:
            words = [draw.choice(WORDS) for _ in range(draw.choice((0, 3, 20, 60)))]
        texts.append(" ".join(words))
    return {
        "id": [f"d{draw.randrange(10**6)}-{i}" for i in range(count)],
        "text": texts,
        "score": [str(draw.randrange(5)) for _ in texts],
        "source": [draw.choice("ab") for _ in texts],
    }


def printed(tmp_path, table, *words):
    path = tmp_path / "docs.jsonl"
    rows = [dict(zip(table, row)) for row in zip(*table.values())]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = subprocess.run([sys.executable, "-m", "akin", "corpus", words[0], *words[1].split(), str(path), "-q",
                           *words[2:]], capture_output=True, text=True, cwd=tmp_path, check=True)
    return done.stdout


def command(tmp_path, table, *words):
    return list(csv.DictReader(io.StringIO(printed(tmp_path, table, *words))))


@pytest.mark.parametrize(
    "options", [
        {},
        {"jaccard": 0.5, "tokens": "words:2", "keep": "score:desc"},
        {"containment": "2/3", "tokens": "words:1", "keep": "longest"},
        {"dice": 0.7, "tokens": "words:2", "within": "source"},
        {"cosine": 0.7, "tokens": "words:2", "across": "source", "keep": "score"},
        {"overlap_coefficient": 0.9, "tokens": "words:3", "ignore_frequent": 5},
        {"jaccard": 0.6, "tokens": "words:2", "components": True},
    ]
)
def test_near_duplicates_as_the_command(tmp_path, options):
    table = collection(len(options))
    found = akin.corpus.near_duplicates(table, "text", id="id", memory="16M", threads=2, **options)
    words = [word for name, value in options.items()
             for word in ([f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)]))]
    said = command(tmp_path, table, "near-duplicates", "", "--id", "id", "--removed", "-", *words)
    assert [(row["id"], row["survivor"], float(row["similarity"]), int(row["common"])) for row in said] == [
        tuple(row) for row in found
    ]
    gone = set(found["id"])
    assert found.keep == [id not in gone for id in table["id"]] and found.stats["kept"] == sum(found.keep)
    assert 0 < len(found) < len(table["id"])


def test_repeats_as_the_command(tmp_path):
    table = collection(7)
    for keep in ("first", "none"):
        found = akin.corpus.repeats(table, "text", id="id", length=20, keep=keep)
        said = command(tmp_path, table, "repeats", "", "--id", "id", "--length", "20", "--keep", keep)
        assert [(row["id"], int(row["begin"]), int(row["end"]), row["source"], int(row["source_begin"]),
                 int(row["times"])) for row in said] == [tuple(row) for row in found]
        assert len(found) > 10
    again = akin.corpus.repeats(table["text"], length=20)
    for id, begin, end, source, source_begin, times in again:
        own, other = table["text"][id].encode(), table["text"][source].encode()
        assert own[begin:begin + 20] == other[source_begin:source_begin + 20] and times > 1 and end - begin >= 20


def without(text, passages):
    """A text in UTF-8 without its passages; empty if only blanks are left."""
    left, at = b"", 0
    for begin, end in passages:
        left, at = left + text[at:begin], end
    left += text[at:]
    return b"" if passages and not left.strip() else left


@pytest.mark.parametrize("options", [{"length": 20}, {"words": 4}, {"words": 3, "keep": "none"}])
def test_texts_without_passages(tmp_path, options):
    table = collection(11)
    found = akin.corpus.repeats(table, "text", cut=True, **options)
    passages = {}
    for row in found:
        passages.setdefault(row.id, []).append((row.begin, row.end))
    expected = [without(text.encode(), passages.get(i, [])).decode() for i, text in enumerate(table["text"])]
    assert found.texts == expected and passages and any(a != b for a, b in zip(expected, table["text"]))
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    command(tmp_path, table, "repeats", "", "--kept", str(tmp_path / "kept.jsonl"), "-o", str(tmp_path / "p.csv"),
            *words)
    kept = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    assert [row["text"] for row in kept] == expected and [row["id"] for row in kept] == table["id"]
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.texts == found.texts


def test_passages_of_words_and_nulls():
    texts = ["One two three four", None, "- ONE, two; three: four!", "x one two"]
    found = akin.corpus.repeats(texts, words=3, cut=True)
    assert found["id"] == [2] and (found[0]["begin"], found[0]["end"]) == (0, len(texts[2]))
    assert found.texts == ["One two three four", None, "", "x one two"]
    assert akin.corpus.repeats(texts, words=3).texts is None
    with pytest.raises(akin.OptionError, match="length and words are given; expected one of them"):
        akin.corpus.repeats(texts, length=10, words=3)
    with pytest.raises(akin.OptionError, match="length is 0; expected 1 to 65536 words"):
        akin.corpus.repeats(texts, words=0)


def test_overlap_as_the_command(tmp_path):
    table = collection(9)
    items = {"name": ["x", "y", "z"], "q": [table["text"][150][:60].upper(), "nowhere at all", ""],
             "a": [table["text"][20][:40], "w1", "w2 w3"]}
    path = tmp_path / "items.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(items)
        writer.writerows(zip(*items.values()))
    found = akin.corpus.overlap(items, table, ["q", "a"], "text", items_id="name", id="id", words=5)
    said = command(tmp_path, table, "overlap", str(path), "--items-on", "q,a", "--items-id", "name", "--id", "id",
                   "--words", "5")
    assert [[str(value) for value in row] for row in found] == [
        [row["item"], row["part"], str(float(row["share"])), *list(row.values())[3:]] for row in said
    ]
    assert len(found.keep) == len(table["id"]) and not all(found.keep) and any(found.keep)
    assert pickle.loads(pickle.dumps(found)).keep == found.keep


def test_paths_and_frames(tmp_path):
    table = collection(3, 60)
    rows = [dict(zip(table, row)) for row in zip(*table.values())]
    for name, part in (("a", rows[:20]), ("b", rows[20:])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part))
    of_files = akin.corpus.near_duplicates(
        akin.files([tmp_path / "a.jsonl", tmp_path / "b.jsonl"]), "text", id="id", tokens="words:2", jaccard=0.5
    )
    assert of_files == akin.corpus.near_duplicates(table, "text", id="id", tokens="words:2", jaccard=0.5)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table)
    found = akin.corpus.near_duplicates(frame, "text", id="id", tokens="words:2", jaccard=0.5)
    assert found == of_files and list(frame[found.keep]["id"]) == [
        id for id, kept in zip(table["id"], found.keep) if kept
    ]
    assert pickle.loads(pickle.dumps(found)).keep == found.keep


def test_null_ids():
    pyarrow = pytest.importorskip("pyarrow")
    text = "the quick brown fox jumps over the lazy dog"
    table = pyarrow.table({"text": [text, text], "id": pyarrow.array([1, None])})
    assert akin.corpus.overlap(table, table, "text", "text", items_id="id", id="id")["item"] == [1, None]
    assert akin.corpus.near_duplicates(table, "text", id="id")["id"] == [None]
    assert akin.corpus.repeats(table, "text", id="id", length=20)["id"] == [None]


@pytest.mark.parametrize(
    "act, said", [
        (lambda: akin.corpus.near_duplicates(["a"], jaccard=0.5, dice=0.5), "jaccard and dice are given"),
        (lambda: akin.corpus.near_duplicates(["a"], jaccard=2), "jaccard is 2"),
        (lambda: akin.corpus.near_duplicates(["a"], keep=":desc"), "keep=':desc'"),
        (lambda: akin.corpus.near_duplicates(["a"], keep="score"), "'score' is the column of a table"),
        (lambda: akin.corpus.near_duplicates({"t": ["a"]}, "t", within="t", across="t"), "within and across"),
        (lambda: akin.corpus.near_duplicates({"t": ["a"]}, "t", within="t", components=True), "components and sources"),
        (lambda: akin.corpus.near_duplicates({"t": ["a"], "u": ["b"]}), "expected on=NAME"),
        (lambda: akin.corpus.near_duplicates(["a"], tokens="word:5"), "word"),
        (lambda: akin.corpus.overlap(["a"], ["b"], words=0), "words is 0"),
        (lambda: akin.corpus.repeats(["a"], length=7), "length is 7"),
        (lambda: akin.corpus.repeats(["a"], keep="longest"), "keep='longest'"),
    ]
)
def test_refused(act, said):
    with pytest.raises(akin.OptionError, match=said):
        act()


@pytest.mark.parametrize(
    "options", [{}, {"measure": "containment", "tokens": "words:2", "keep": "score:desc"},
                {"measure": "dice", "tokens": "words:1", "within": "source"}, {"across": "source", "keep": "longest"}]
)
def test_sample_as_the_command(tmp_path, options):
    table = collection(7)
    found = akin.corpus.near_duplicates_sample(table, "text", id="id", sample=60, memory="16M", threads=2, **options)
    words = [word for name, value in options.items() if name != "measure" for word in ("--" + name, value)]
    rows = command(tmp_path, table, "near-duplicates", "--sample 60", "--id", "id",
                   "--" + options.get("measure", "jaccard"), "0.9", *words)
    assert [[float(cell) for cell in row.values()] for row in rows] == [list(map(float, row)) for row in found]
    assert found["share"][0] >= found["share"][-1] > 0
    assert all(low <= share <= high for share, low, high in zip(found["share"], found["low"], found["high"]))


def test_integers_that_no_double_has():
    """The lesser of two integers is preferred, whatever their doubles are."""
    values = [2**53 + 1, 2**53, 10**19 + 1, 10**19, -(2**53) - 1, -(2**53) - 2, 2**53 + 2, -5]
    texts = ["the same words"] * len(values)
    for keep, best in (("q", min(values)), ("q:desc", max(values))):
        for shift in range(len(values)):
            column = values[shift:] + values[:shift]
            found = akin.corpus.near_duplicates({"text": texts, "q": [str(v) for v in column]}, "text", keep=keep)
            assert [v for v, kept in zip(column, found.keep) if kept] == [best]
    ids = ["1234567890123456789", "1234567890123456788"]
    for order in (ids, ids[::-1]):
        found = akin.corpus.near_duplicates({"id": order, "text": texts[:2]}, "text", id="id", keep="longest")
        assert found.to_dict()["survivor"] == [ids[1]]


def test_missing_and_empty_sources_are_one():
    table = {"text": ["a b"] * 4, "g": ["", None, "x", None]}
    assert len(akin.corpus.near_duplicates(table, "text", within="g")) == 2
    assert akin.corpus.near_duplicates(table, "text", across="g").keep == [True, True, False, True]


def test_plan(tmp_path):
    table = collection(7)
    plan = akin.corpus.near_duplicates_plan(table, "text", tokens="words:2", memory="64M", threads=1)
    texts = [text or "" for text in table["text"]]
    assert plan["documents"] == len(texts) and plan["bytes"] == sum(len(text.encode()) for text in texts)
    assert plan["readings"] == 2 and plan["temporary"] == plan["bytes"] and plan["seconds"] > 0
    found = akin.corpus.near_duplicates(table, "text", tokens="words:2", memory="64M", threads=1)
    assert found.stats["memory_peak"] <= plan["memory"] and found.stats["rounds"] <= plan["rounds"]
    lines = printed(tmp_path, table, "near-duplicates", "--plan", "--tokens", "words:2", "--memory", "64M", "--threads",
                    "1").splitlines()
    said = dict(line.split(" ") for line in lines)
    assert {name: int(said[name]) for name in said if name != "seconds"} == {
        name: value for name, value in plan.items() if name != "seconds"
    }
    free = akin.corpus.near_duplicates_plan(table, "text", tokens="words:2", threads=1)
    assert free["temporary"] == 0 and free["tokens"] == plan["tokens"]
    found = akin.corpus.near_duplicates(table, "text", tokens="words:2", threads=1)
    assert found.stats["memory_peak"] <= free["memory"]
    assert akin.corpus.near_duplicates_plan(table, "text", ignore_frequent=3)["readings"] == 3


def test_sample_bounds_what_is_removed():
    table = collection(9)
    found = akin.corpus.near_duplicates_sample(table, "text", tokens="words:2", sample=1000)
    for threshold, most in zip(found["threshold"], found["documents"]):
        removed = akin.corpus.near_duplicates(table, "text", tokens="words:2", jaccard=f"{threshold:.2f}")
        assert 0 < len(removed) <= most
    with pytest.raises(akin.OptionError, match="counts tokens"):
        akin.corpus.near_duplicates_sample(table, "text", measure="overlap")
    with pytest.raises(akin.OptionError, match="sample"):
        akin.corpus.near_duplicates_sample(table, "text", sample=0)


def test_report(tmp_path):
    texts = ["one two three four five six", "one two three four five SIX", "</script><b>&", "</script><b>&"]
    found = akin.corpus.near_duplicates(texts, report=True)
    assert "<script" not in found.report.html and "&lt;/script&gt;&lt;b&gt;&amp;" in found.report.html
    assert "<del>six</del><ins>SIX</ins>" in found.report.html
    assert pickle.loads(pickle.dumps(found)).report.html == found.report.html
    assert akin.corpus.near_duplicates(texts).report is None
    page = tmp_path / "page.html"
    assert akin.corpus.near_duplicates(texts, report=page).report.html == page.read_text(encoding="utf-8")
    with pytest.raises(akin.OptionError, match="HTML"):
        akin.corpus.near_duplicates(texts, report=tmp_path / "page.csv")


@pytest.mark.parametrize("verb", ["near-duplicates", "overlap"])
def test_parquet_shards(tmp_path, verb):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = collection(5)
    table["score"] = [int(score) for score in table["score"]]
    whole = pyarrow.table(table)
    (tmp_path / "shards" / "b").mkdir(parents=True)
    names = {"0.parquet": (0, 70), "1.parquet": (70, 30), "b/2.parquet": (100, 0), "b/3.parquet": (100, 100)}
    for name, (first, count) in names.items():
        parquet.write_table(whole.slice(first, count), tmp_path / "shards" / name)
    (tmp_path / "items.csv").write_text("text\n" + "\n".join(table["text"][150:152]) + "\n")
    words = ["--tokens", "words:2"] if verb == "near-duplicates" else ["--words", "5", "--output", "hits.csv"]
    items = [] if verb == "near-duplicates" else ["items.csv"]
    for _ in range(2):  # what is done stays as it is
        done = subprocess.run([sys.executable, "-m", "akin", "corpus", verb, *items, "shards", "--id", "id", "--kept",
                               "out", *words], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    if items:
        keep = akin.corpus.overlap(table["text"][150:152], table["text"], words=5).keep
    else:
        keep = akin.corpus.near_duplicates(table["text"], tokens="words:2").keep
    assert 0 < sum(keep) < len(keep)
    for name, (first, count) in names.items():
        rows = [row for row in range(first, first + count) if keep[row]]
        written = parquet.read_table(tmp_path / "out" / name)
        assert written.equals(whole.take(pyarrow.array(rows, "int64"))) and written.schema == whole.schema


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary", "string_view"])
def test_parquet_without_passages(tmp_path, kind):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = collection(5)
    texts = pyarrow.array([None if row % 9 == 4 else text for row, text in enumerate(table["text"])])
    texts = texts.dictionary_encode() if kind == "dictionary" else texts.cast(getattr(pyarrow, kind)())
    number = pyarrow.array(range(200), "int16")
    whole = pyarrow.table({"id": number, "text": texts, "of": [[row] for row in range(200)]})
    names = {"0.parquet": (0, 70), "1.arrow": (70, 30), "b/2.parquet": (100, 0), "b/3.parquet": (100, 100)}
    (tmp_path / "shards" / "b").mkdir(parents=True)
    for name, (first, count) in names.items():
        part = whole.slice(first, count)
        if name.endswith("arrow"):
            with pyarrow.ipc.new_file(tmp_path / "shards" / name, part.schema) as file:
                file.write_table(part.unify_dictionaries())
        else:
            parquet.write_table(part, tmp_path / "shards" / name, row_group_size=17)
    run = [sys.executable, "-m", "akin", "corpus", "repeats", "-q", "--words", "4", "-o", "p.csv", "--kept"]
    for words in (["out", "shards"], ["out", "shards"], ["one.parquet", "shards/0.parquet"]):
        done = subprocess.run([*run, *words], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    found = akin.corpus.repeats(whole, "text", words=4, cut=True)
    assert len(found) > 10
    expected = list(found.texts)
    for name, (first, count) in names.items():
        path = tmp_path / "out" / name
        written = pyarrow.ipc.open_file(path).read_all() if name.endswith("arrow") else parquet.read_table(path)
        assert written["text"].to_pylist() == expected[first : first + count]
        assert written.drop_columns("text").equals(whole.slice(first, count).drop_columns("text"))
        is_decoded = name.endswith("arrow") and kind == "dictionary"  # as files of Arrow's are written
        assert written.schema.field("text").type == (pyarrow.string() if is_decoded else texts.type)
    alone = akin.corpus.repeats(whole.slice(0, 70), "text", words=4, cut=True).texts
    assert parquet.read_table(tmp_path / "one.parquet")["text"].to_pylist() == list(alone)
    parquet.write_table(pyarrow.table({"text": [1234567812345678] * 2}), tmp_path / "numbers.parquet")
    done = subprocess.run([sys.executable, "-m", "akin", "corpus", "repeats", "numbers.parquet", "--length", "8", "-o",
                           "p.csv", "--kept", "n.parquet"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode != 0 and "passages are cut out of text, and its type is int64" in done.stderr
    assert not (tmp_path / "n.parquet").exists()


def test_sources_by_file_and_the_column_text(tmp_path):
    text = "the quick brown fox jumps over the lazy dog"
    for name, ids in (("a", (1, 2)), ("b", (3, 4))):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id in ids))
    files = akin.files([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    for documents in (files, tmp_path):
        assert akin.corpus.near_duplicates(documents, id="id")["id"] == ["2", "3", "4"]
        assert akin.corpus.near_duplicates(documents, id="id", within=True)["id"] == ["2", "4"]
        assert akin.corpus.near_duplicates(documents, id="id", across=True)["id"] == ["3", "4"]
        assert akin.corpus.near_duplicates(documents, id="id", across=False, within=None)["id"] == ["2", "3", "4"]
    assert akin.corpus.overlap([text], tmp_path, id="id")["document"] == ["1"]
    assert akin.corpus.repeats(files, id="id", length=20)["id"] == ["2", "3", "4"]
    with pytest.raises(akin.OptionError, match="the documents have no sources"):
        akin.corpus.near_duplicates([text], within=True)


def test_long_names_of_parts():
    names = ["q" * 700, "r" * 900]
    found = akin.corpus.overlap({name: ["red wine from Ulm"] for name in names}, ["red wine from Ulm " * 2], names)
    assert found["part"] == [*names, "+".join(names)]


def test_documents_without_a_token_are_alike():
    found = akin.corpus.near_duplicates(["", "?", "a"], containment=1)
    assert found["id"] == [1] and found["similarity"] == [1.0] and found["common"] == [0]
