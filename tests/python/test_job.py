"""Jobs: a file that the command and Python do alike, and the job file that Python writes of a call."""

import json
import os
import pathlib
import shutil
import subprocess
from decimal import Decimal

import numpy as np
import pytest

import akin

PEOPLE = """id,name,born,city,a:b
a1,"Schmidt, Anna",1980-02-28,Ulm,x
a2,"Schmit, Anna",1980-03-01,Ulm,x
a3,Bert Maier,1975-01-01,Bonn,y
a4,Bert Meier,1975-01-01,Bonn,y
"a""5",Cleo,,Köln,
"""
JOB = {
    "akin": "dedupe",
    "version": 1,
    "input": ["people.csv"],
    "window": [{"size": 3, "column": "name"}],
    "block": [
        {"columns": [{"column": "name", "key": "soundex"}, {"column": "city"}]},
        {"columns": [{"column": "a:b", "key": "simple"}]},
    ],
    "similar": [
        "name:jaccard:0.5:qgrams:2",
        {"column": "name", "measure": "dice", "threshold": ".5", "tokens": "words:1"},
    ],
    "max-block": 50,
    "compare": [
        {"column": "name", "comparator": "jaro-winkler", "threshold": 0.8, "weight": 2},
        {"column": "born", "comparator": "date/30"},
        {"column": "a:b", "comparator": "exact", "weight": 0.5},
        "where:levenshtein",
    ],
    "combine": ["where=city+a:b", '"="=id+name'],
    "fold": ["name", "where:case+blanks"],
    "synonyms": [{"groups": ["leeds,lds", "saint,st"]}, 'all::"zz,z+z"'],
    "missing": "skip",
    "evidence": 0.25,
    "threshold": "0.85",
    "id": "id",
    "gold": "gold.csv",
    "threads": 2,
    "quiet": False,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("people.csv").write_text(PEOPLE, encoding="utf-8")
    pathlib.Path("gold.csv").write_text("left,right\na1,a2\na3,a4\n")
    return tmp_path


def command():
    """The command, if it is built, or installed."""
    built = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "akin"
    return os.environ.get("AKIN") or (str(built) if built.exists() else shutil.which("akin"))


def test_options(folder):
    found = akin.run(JOB)
    assert [row[2:4] for row in found] == [("a1", "a2"), ("a3", "a4")]
    assert found.evaluation.f1 == 1
    assert found == akin.run(JOB, "people.csv", threads=1)
    again = akin.run(found.job)
    assert again == found and again.job == found.job
    assert len(akin.run(JOB, compare=["name:exact"], fold=["name"], gold=None)) == 0
    assert "block" not in akin.run(JOB, window=akin.window("name", 3)).job  # all selections of the job are replaced
    added = akin.run(JOB, block=akin.block("city"), all_pairs=True, add_selections=True).job
    assert added["block"] == [*found.job["block"], {"columns": ["city"]}] and added["window"] == found.job["window"]
    assert added["all-pairs"] is True
    assert akin.run(JOB, block="city", add_selections=True, window=["2:name", "2:born"]).job["block"] == added["block"]
    table = {"id": ["p"], "name": ["Anna"], "born": [None], "city": [None], "a:b": [None]}
    assert len(akin.run(JOB, table, gold=None)) == 0
    assert len(akin.run(JOB, "people.csv", "people.csv", gold=None)) > 4


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("two", [True, False])
def test_files_of_the_command(folder, format, names, two):
    if command() is None:
        pytest.skip("the command is not built")
    job = JOB | {"output": f"clusters.{format}", "pairs": f"pairs.{format}", "deduplicated": "unique.csv"}
    job |= {"merged": f"golden.{format}", "merge": ["name:longest", 'city:newest:"a:b"', "all:first"]}
    job["merged-sources"] = True
    files = [f"clusters.{format}", f"pairs.{format}", "unique.csv", f"golden.{format}"]
    if not names:
        del job["id"], job["gold"]
    if two:
        for key in ("deduplicated", "merged", "merge", "merged-sources"):
            del job[key]
        job["input"] = ["people.csv", "people.csv"]
        del files[2:]
    pathlib.Path("job.json").write_text(json.dumps(job), encoding="utf-8")
    subprocess.run([command(), "dedupe", "--job", "job.json"], check=True, capture_output=True)
    expected = [pathlib.Path(name).read_bytes() for name in files]
    for name in files:
        os.unlink(name)
    found = akin.run("job.json")
    assert [pathlib.Path(name).read_bytes() for name in files] == expected
    # and what Python writes, the command does
    found.save_job("again.json")
    words = ["--job", "again.json", "-o", files[0], "--pairs", files[1]]
    subprocess.run([command(), "dedupe", *words], check=True, capture_output=True)
    assert [pathlib.Path(name).read_bytes() for name in files[:2]] == expected[:2]


def test_small_clusters_are_left_out(folder):
    """The file has the clusters of two records and more, with their numbers."""
    found = akin.run(JOB | {"output": "all.csv"})
    akin.run(JOB | {"output": "clusters.csv", "clusters-of": 2})
    header, *lines = pathlib.Path("all.csv").read_text(encoding="utf-8").splitlines()
    sizes = found.clusters["size"]
    assert pathlib.Path("clusters.csv").read_text(encoding="utf-8").splitlines() == [
        header, *(line for line, size in zip(lines, sizes, strict=True) if size > 1)]
    assert 0 < sum(size > 1 for size in sizes) < len(sizes)



@pytest.mark.parametrize("name", ["output", "pairs"])
def test_formats_by_name(folder, name, command):
    """The command and Python write the same, or refuse it, before there are any files."""
    for ending in ("TSV", "Jsonl", "ndjson", "tab", "txt", "json", "akin", "csv.gz", "zst"):
        path = pathlib.Path(f"file.{ending}")
        pathlib.Path("job.json").write_text(
            json.dumps(JOB | {"output": "clusters.csv", name: str(path)}), encoding="utf-8"
        )
        refused = ending in ("json", "akin", "csv.gz", "zst")
        if refused:
            with pytest.raises(
                akin.OptionError,
                match="output is not compressed" if ending.endswith(("gz", "zst")) else "as csv, tsv or jsonl"
            ):
                akin.run("job.json")
            with pytest.raises(subprocess.CalledProcessError):
                command("dedupe", "--job", "job.json")
            assert not path.exists() and not pathlib.Path("clusters.csv").exists()
            continue
        command("dedupe", "--job", "job.json")
        expected = path.read_bytes()
        path.unlink()
        akin.run("job.json")
        assert path.read_bytes() == expected
        pathlib.Path("clusters.csv").unlink(missing_ok=True)
    with pytest.raises(akin.OptionError, match="output is not compressed"):
        akin.run(JOB | {"deduplicated": "unique.csv.gz"})
    with pytest.raises(akin.OptionError, match="output is not compressed"):
        akin.run(JOB, report="page.html.gz")


def test_rules_of_python_are_a_job(folder):
    """Tuples, dictionaries and what is usual become words of the command."""
    found = akin.dedupe(
        "people.csv",
        compare=[("name", "jaro_winkler", 0.5, 2), ("a:b", "exact")],
        all_pairs=True,
        block=akin.block(("a:b", "simple"), "city"),
        fold={"all": "case", "name": "none", "a:b": "all"},
        combine={"x": ["name", "a:b"]},
        threshold=0.7,
        missing="equal",
        evidence=0.75,
        memory="64MB",
    )
    assert found.job["compare"] == [
        {"column": "name", "comparator": "jaro-winkler", "threshold": 0.5, "weight": 2},
        {"column": "a:b", "comparator": "exact"},
    ]
    assert found.job["all-pairs"] is True
    assert found.job["block"] == [{"columns": [{"column": "a:b", "key": "simple"}, "city"]}]
    assert found.job["fold"] == [
        {"fold": ["case"]}, {"column": "name", "fold": ["none"]}, {"column": "a:b", "fold": ["all"]}
    ]
    assert found.job["combine"] == [{"name": "x", "columns": ["name", {"column": "a:b"}]}]
    assert (found.job["missing"], found.job["evidence"], found.job["input"]) == ("equal", 0.75, ["people.csv"])
    found.save_job("job.json")
    assert akin.run("job.json") == found
    if command():
        done = subprocess.run(
            [command(), "dedupe", "-q", "--job", "job.json", "-o", "c.csv", "--pairs", "-"], check=True,
            capture_output=True
        )
        assert len(done.stdout.decode().splitlines()) == len(found) + 1
    assert "input" not in akin.dedupe({"name": ["a", "b"]}, "name:exact", all_pairs=True).job


def test_saved_jobs_are_the_same_bytes(folder):
    """What Python saves the command saves, and the reverse."""
    if not command():
        pytest.skip("there is no command")
    words = [
        "dedupe", "people.csv", "--id", "id", "--window", "3:name:prefix:2", "--block", "name:soundex+city",
        "--similar", "name:jaccard:.50:qgrams:2",
        "--max-block", "050", "--compare", "name:jaro_winkler:0.80:2", "--compare", '"a:b":exact:0:.5', "--compare",
        "where:levenshtein",
        "--combine", "where=city+a:b", "--fold", "all:case", "--fold", "name", "--missing", "skip", "--evidence",
        "0.60", "--threshold", "0.70", "--one-to-one", "--one-per-source", "city",
        "--cluster", "average:0.50",
        "--lossy", "--gold", "gold.csv", "--report", "page.html", "--reproducible", "--threads", "2", "--memory",
        "64M",
    ]  # fmt: skip
    subprocess.run([command(), *words, "-o", "c.csv", "--save-job", "command.json"], check=True, capture_output=True)
    saved = json.loads(pathlib.Path("command.json").read_text(encoding="utf-8"))
    del saved["output"]
    expected = [
        line for line in pathlib.Path("command.json").read_text(encoding="utf-8").splitlines() if '"output"' not in line
    ]
    akin.run(saved).save_job("python.json")
    assert pathlib.Path("python.json").read_text(encoding="utf-8").splitlines() == expected
    subprocess.run(
        [command(), "dedupe", "--job", "python.json", "-o", "c.csv", "--save-job", "again.json"], check=True,
        capture_output=True
    )
    assert pathlib.Path("again.json").read_bytes() == pathlib.Path("command.json").read_bytes()


def done_by_command(path):
    """What the command prints of a saved job; skips where there is no command."""
    if not command():
        pytest.skip("there is no command")
    done = subprocess.run([command(), "dedupe", "-q", "--job", path, "-o", "-"], capture_output=True)
    assert done.stderr.decode() == ""
    return done.stdout.decode()


@pytest.mark.parametrize(
    "options,saved",
    [
        ({"threshold": 1e-05}, ("threshold", 0.00001)),
        ({"threshold": 0.8}, ("threshold", 0.8)),
        ({"threshold": np.float32(0.8)}, ("threshold", 0.8)),
        ({"threshold": np.array(0.5)}, ("threshold", 0.5)),
        ({"threshold": Decimal("0.70")}, ("threshold", 0.7)),
        ({"threshold": "0.7"}, ("threshold", 0.7)),
        ({"threshold": 1}, ("threshold", 1)),
        ({"memory": "2gb"}, ("memory", "2gb")),
        ({"memory": "2 GB"}, ("memory", "2 GB")),
        ({"memory": "65536kib"}, ("memory", "65536kib")),
        ({"memory": 1 << 26}, ("memory", "67108864")),
        (
            {
                "compare": [
                    {"column": "name", "comparator": "jaro", "threshold": Decimal("0.5"), "weight": np.float32(2)}
                ]
            },
            None
        ),
        ({"report": "page.html"}, ("report", "page.html")),
        ({"report": "page.html", "reproducible": True}, ("reproducible", True)),
    ],
)
def test_the_command_takes_what_is_saved(folder, options, saved):
    found = akin.dedupe("people.csv", **{"compare": "name:jaro", "all_pairs": True, **options})
    if saved:
        key, value = saved
        assert value == (float(found.job[key]) if key == "threshold" else found.job[key])
    found.save_job("saved.json")
    assert len(done_by_command("saved.json").splitlines()) == found.rows[0] + 1
    assert akin.run("saved.json") == found


def test_files_that_another_library_reads_are_saved(folder):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"name": ["Ann", "Ann"]}), "people.parquet")
    found = akin.dedupe("people.parquet", "name:exact", all_pairs=True)
    assert len(found) == 1 and found.job["input"] == ["people.parquet"]
    assert akin.run(found.job) == found


@pytest.mark.parametrize("report", ["r.csv", "r.tsv", "r.JSON", "r.akin", "r.jsonl", "r.html.gz"])
def test_a_report_is_named_as_a_page(folder, report):
    with pytest.raises(akin.OptionError, match="expected"):
        akin.dedupe("people.csv", "name:exact", all_pairs=True, report=report)
    assert not pathlib.Path(report).exists()


@pytest.mark.parametrize(
    "change,message",
    [
        ({"akin": None}, "known as a job"),
        ({"akin": "dedup"}, "did you mean dedupe"),
        ({"version": 2}, "known as a job"),
        ({"treshold": 0.5}, "'treshold' is unknown"),
        ({"threshold": None}, "expected a number"),
        ({"threshold": "much"}, "expected a number"),
        ({"lossy": "yes"}, "true or false"),
        ({"pairs": "all"}, 'to select pairs write "all-pairs": true'),
        ({"pairs": "window:20:name"}, r'to select pairs write "window": \["20:name"\]'),
        ({"pairs": [{"select": "all"}]}, "write one of the keys all-pairs, window, block, similar"),
        ({"pairs-out": "pairs.csv"}, "is now called 'pairs'"),
        ({"all-pairs": ["x"]}, "expected true or false"),
        ({"window": "20"}, "expected a list"),
        ({"window": [{}]}, '"size"'),
        ({"block": [{"columns": []}]}, "expected an array of"),
        ({"window": [{"size": 3, "sise": 3}]}, "unknown here"),
        ({"compare": [{"column": "name"}]}, '"comparator"'),
        ({"combine": ["where"]}, "NAME=COLUMN"),
        ({"combine": [{"name": "where"}]}, '"columns"'),
        ({"fold": [{"column": "name", "fold": ["caes"]}]}, "did you mean 'case'"),
        ({"input": []}, "0 tables"),
        ({"input-format": "text"}, "csv, tsv or jsonl"),
        ({"input-format": "json"}, "did you mean jsonl"),
        ({"output": "c.csv", "format": "jsnl"}, "did you mean jsonl"),
        ({"output": "c.csv", "format": "xml"}, "csv, tsv or jsonl"),
        ({"output-format": "csv"}, "'output-format' is now called 'format'"),
        ({"cluster": "magic"}, "unknown clustering 'magic': expected components"),
        ({"input": ["people.csv"] * 2, "deduplicated": "x.csv"}, "one file"),
        ({"input": ["people.csv"] * 2, "merged": "x.csv"}, "one table"),
        ({"merge": ["name:first"]}, "expected merged"),
        ({"merged": "x.csv", "merge": ["name"]}, "expected COLUMN:RULE"),
    ],
)
def test_refused(folder, change, message):
    with pytest.raises(akin.Error, match=message):
        akin.run(JOB | change)


def test_files_refused(folder):
    pathlib.Path("twice.json").write_text('{"akin": "dedupe", "version": 1, "id": "a", "id": "b"}')
    with pytest.raises(akin.InputError, match="'id' is there twice"):
        akin.run("twice.json")
    pathlib.Path("bad.json").write_text('{"akin": ')
    with pytest.raises(akin.InputError, match="bad.json"):
        akin.run("bad.json")
    with pytest.raises(FileNotFoundError):
        akin.run("none.json")
    with pytest.raises(TypeError, match="has no argument 'treshold': did you mean threshold"):
        akin.run(JOB, treshold=0.5)


RULES = [
    ("window", "1000000:name", True),
    ("window", "2000000:name", False),
    ("window", "2:name:soundex", True),
    ("window", "2:name+city", False),
    ("block", "name:soundex+city", True),
    ("block", "name:sondex", False),
    ("block", "name+", False),
    ("similar", "name:jaccard:0.5", True),
    ("similar", "name:jaccard:0.5:words:2", True),
    ("similar", "name:jaccard:0.5:blanks", False),
    ("similar", "name:jaccard:0.1234567891", False),
    ("similar", "name:overlap:0.5", False),
    ("nearest", "10:name", True),
    ("nearest", "10:name:words:2", True),
    ("nearest", "0:name", False),
    ("nearest", "10:name:blanks", False),
    ("nearest", {"count": 10, "column": "name", "tokens": "qgrams:2"}, True),
    ("nearest", {"column": "name"}, False),
    ("window", {"size": 2, "column": "name"}, True),
    ("window", {"sise": 2}, False),
    ("compare", "city:jaro:0.5:2", True),
    ("compare", '"a:b":exact', True),
    ("compare", "city:jaro:2", False),
    ("compare", "city:jaro:0.1234567891", False),
    ("compare", "city:jaro:1:0", False),
    ("compare", '"city:jaro', False),
    ("compare", {"column": "city", "comparator": "jaro", "threshold": 0.25}, True),
    ("compare", {"column": "city", "comparator": "exakt"}, False),
    ("fold", "all:case+blanks", True),
    ("fold", "all:all", True),
    ("fold", "name:cases", False),
    ("fold", "nobody", False),
    ("synonyms", "gold.csv", True),
    ("synonyms", "name::a,b", True),
    ("synonyms", {"column": "name", "groups": ["a,b"]}, True),
    ("synonyms", "name:", False),
    ("synonyms", "nobody:gold.csv", False),
    ("combine", "both=name+city", True),
    ("combine", "both", False),
    ("threshold", "0.5", True),
    ("threshold", "1.5", False),
    ("threshold", "0.1234567891", False),
    ("max-block", 2**32 - 1, True),
    ("max-block", 2**32, False),
    ("missing", "none", False),
]


@pytest.mark.parametrize(("option", "rule", "good"), RULES)
def test_the_command_accepts_what_python_does(folder, option, rule, good):
    """One grammar: what either refuses, the other refuses, and a job that is saved can be done."""
    job = {"akin": "dedupe", "version": 1, "input": ["people.csv"], "quiet": True}
    job |= {"compare": ["name:exact"], "all-pairs": True, "threshold": "0.75"}
    if option in ("compare", "window", "block", "similar", "nearest"):
        job[option] = [*job.get(option, []), rule]
    else:
        job[option] = [rule] if option in ("fold", "synonyms", "combine") else rule
    if good:
        akin.run(job).save_job("saved.json")
    else:
        with pytest.raises(akin.OptionError):
            akin.run(job)
    if command() is None:
        pytest.skip("the command is not built")
    pathlib.Path("job.json").write_text(json.dumps(job))
    done = subprocess.run([command(), "dedupe", "--job", "job.json"], capture_output=True, text=True)
    assert done.returncode == (0 if good else 2), done.stderr
    if good:
        saved = subprocess.run([command(), "dedupe", "--job", "saved.json", "-q"], capture_output=True, text=True)
        assert (saved.returncode, saved.stdout) == (0, done.stdout), saved.stderr


def test_there_are_as_many_comparisons_as_one_likes():
    table = {f"c{i}": ["x", "x"] for i in range(100)}
    found = akin.dedupe(table, [f"c{i}:exact" for i in range(100)], window="2", threshold=1)
    assert len(found) == 1 and len(found.columns) == 103


def test_jobs_write_in_their_folder(tmp_path, monkeypatch):
    (tmp_path / "jobs" / "below").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "jobs" / "away").symlink_to("../other")
    (tmp_path / "jobs" / "link.csv").symlink_to("../other/link.csv")
    monkeypatch.chdir(tmp_path)
    job = {"akin": "dedupe", "version": 1, "compare": ["name:exact"], "all-pairs": True, "threshold": 1}
    path, table = tmp_path / "jobs" / "job.json", {"name": ["Ann", "Ann"]}

    def named(output):
        path.write_text(json.dumps({**job, "output": output}))
        return path

    for inside in ("jobs/a.csv", "jobs/below/../b.csv", str(tmp_path / "jobs" / "below" / "c.csv"), "-"):
        assert len(akin.run(named(inside), table)) == 1
        assert inside == "-" or os.path.exists(inside)
    outside = (
        "a.csv", "jobs/../a.csv", "jobs/away/a.csv", "jobs/link.csv", "/nowhere/a.csv", "other/a.csv",
        "sqlite:a.db?table=t", "s3://bucket/a.parquet", "postgresql://me:secret@host/db?table=t"
    )
    for output in outside:
        with pytest.raises(akin.OptionError, match="not in the folder of the job") as raised:
            akin.run(named(output), table)
        assert "secret" not in str(raised.value)
    for output in ("jobs/none/a.csv", "jobs/none/deep/a.csv"):
        with pytest.raises(akin.OptionError, match="in a folder that does not exist"):
            akin.run(named(output), table)
    assert os.listdir("other") == [] and not os.path.exists("a.csv")
    assert len(akin.run(named("a.csv"), table, allow_paths=True)) == 1 and os.path.exists("a.csv")
    assert len(akin.run({**job, "output": "other/d.csv"}, table)) == 1


def test_numbers_in_other_forms(tmp_path):
    """A whole number is one, however it is written, and a size may be a number."""
    job = {"akin": "dedupe", "version": 1.0, "compare": ["name:exact"], "all-pairs": True, "threshold": 1.0}
    table = {"name": ["Ann", "Ann"]}
    assert len(akin.run(job | {"threads": 2.0, "memory": 0, "max-pairs": 1e3}, table)) == 1
    path = tmp_path / "job.json"
    path.write_text(json.dumps(job)[:-1] + ', "threads": 2e0, "memory": 1e9, "max-pairs": 1000.0}')
    assert len(akin.run(path, table)) == 1
    for wrong in ({"threads": 2.5}, {"max-pairs": 0.5}, {"memory": 1.5}, {"memory": True}):
        with pytest.raises((akin.OptionError, akin.InputError, TypeError)):
            akin.run(job | wrong, table)
