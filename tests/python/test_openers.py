"""Tables that other libraries read, by the command that is inside the package, and by its functions."""

import glob
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import closing

import pytest

import akin
from akin import _openers

PEOPLE = {
    "id": [30, 10, 20, 40, 50],
    "name": ["Anna Muller", "Bob Stone", "Anna Muler", None, "Bob Stone"],
    "price": [1.5, 2.0, None, 4.0, 5.25],
}


def run(*words, folder=None, code=0):
    """Runs the command of the package, and gives what it prints, or what it says on stderr where it fails."""
    done = subprocess.run(
        [sys.executable, "-c", "from akin_command import main; main()", *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert code == 0 or done.stdout == ""
    return done.stderr if code else done.stdout


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the people in every format that pyarrow reads, and as CSV."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    monkeypatch.chdir(tmp_path)
    table = pa.table(PEOPLE)
    parquet.write_table(table.append_column("tags", pa.array([["a"]] * 5)), "people.parquet", row_group_size=2)
    for name in ("people.arrow", "people.feather", "people.ipc"):
        feather.write_feather(table, name, chunksize=2)
    rows = zip(*PEOPLE.values(), strict=True)
    lines = [
        ",".join("" if value is None else f"{value:g}" if isinstance(value, float) else str(value) for value in row)
        for row in rows
    ]
    pathlib.Path("people.csv").write_text("\n".join([",".join(PEOPLE), *lines, ""]))
    return tmp_path


FILES = ["people.parquet", "people.arrow", "people.feather", "people.ipc"]
EXACT = ("--compare", "name:exact", "--all-pairs", "--threshold", "1")
JOBS = [
    ("join", "--on", "name", "--id", "id", "--tokens", "qgrams:2", "--jaccard", "0.5", "--show", "price"),
    ("dedupe", "--compare", "name:jaro-winkler", "--all-pairs", "--threshold", "0.9", "--id", "id"),
    ("weigh", "--on", "name", "--sum"),
    ("rank", "--on", "name", "--id", "id", "--query", "bob"),
]


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job[0])
def test_a_job_prints_what_it_prints_of_the_csv(folder, path, job):
    expected = run(job[0], "people.csv", *job[1:], "-q")
    assert expected.count("\n") > 1 and run(job[0], path, *job[1:], "-q") == expected


def test_two_tables(folder):
    words = ("--on", "name", "--id", "id", "--jaccard", "1", "-q")
    assert run("join", "people.csv", "people.parquet", *words) == run("join", "people.csv", "people.csv", *words)
    outputs = ("--pairs", "pairs.csv", "-o", "clusters.csv", "-q")
    run("link", "people.arrow", "people.parquet", *EXACT, "--id", "id", *outputs)
    assert pathlib.Path("pairs.csv").read_text().count("\n") == 7


def test_an_index_of_a_file_that_is_read_again(folder):
    run("index", "people.parquet", "--kind", "strings", "--on", "name", "-o", "names.akin", "-q")
    hits = run(
        "search", "names.akin", "--query", "Bob Stones", "-k", "1", "--indexed", "people.parquet", "--show", "id", "-q"
    )
    assert hits.splitlines()[1].endswith(",10")


def test_gold_and_evaluation(folder):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table({"a": [30, 10], "b": [20, 50]}), "gold.parquet")
    run("dedupe", "people.parquet", *JOBS[1][1:], "--pairs", "pairs.csv", "-o", "c.csv", "--gold", "gold.parquet")
    assert "recall" in run("evaluate", "pairs.csv", "gold.parquet")
    parquet.write_table(pa.table({"a": [30, None], "b": [20, 50]}), "gold.parquet")
    assert "gold.parquet: row 1: there is no id" in run("evaluate", "pairs.csv", "gold.parquet", code=2)


def test_repeated_ids(folder):
    said = run("join", "people.parquet", "--on", "name", "--id", "name", "--jaccard", "1", "-q", code=2)
    assert said.startswith("akin: people.parquet: row ") and "line" not in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("people.parquet", "--on", "nam"),
            "people.parquet: there is no column 'nam' (did you mean 'name'?); "
            "the columns are: 'id', 'name', 'price', 'tags'",
        ),
        (("people.parquet", "--on", "tags"), "people.parquet: column 'tags': its type is list"),
        (("none.parquet", "--on", "name"), "none.parquet: cannot be opened: No such file or directory"),
        (("folder.parquet", "--on", "name"), "folder.parquet: there is no column 'name'"),
        (("bad.parquet", "--on", "name"), "bad.parquet: "),
        (("bad.feather", "--on", "name"), "bad.feather: "),
        (("people.parquet",), "missing --on COLUMN"),
        (
            ("people.parquet", "--on", "name", "--deduplicated", "out.csv"),
            "--deduplicated out.csv: the input is parquet, ",
        ),
    ],
)
def test_refusals(folder, words, message):
    for name in ("bad.parquet", "bad.feather"):
        pathlib.Path(name).write_bytes(b"no Parquet")
    pathlib.Path("folder.parquet").mkdir()
    said = run("join", *words, "--jaccard", "0.5", code=2)
    assert said.startswith(f"akin: {message}") and said.count("\n") == 1 and "Traceback" not in said


def test_text_that_is_not_utf8(folder):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather

    column = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    feather.write_feather(pa.table({"name": column}), "bad.arrow")
    words = ("join", "bad.arrow", "--on", "name", "--jaccard", "0.5", "-q")
    assert "bad.arrow: row 0, column 'name': the text is not valid UTF-8; --lossy replaces it" in run(*words, code=2)
    assert run(*words, "--lossy") == "left,right,similarity\n"


@pytest.fixture
def without(tmp_path, monkeypatch):
    """Hides a module from programs that are run."""

    def hide(name):
        (tmp_path / "hidden").mkdir()
        (tmp_path / "hidden" / f"{name}.py").write_text("raise ImportError('hidden')\n")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hidden"))

    return hide


def test_what_is_not_installed_is_named_with_what_installs_it(tmp_path, without):
    without("pyarrow")
    said = run("join", tmp_path / "x.parquet", "--on", "a", "--jaccard", "1", code=2)
    assert said == f"akin: {tmp_path}/x.parquet: reading parquet needs pyarrow: pip install 'libakin[parquet]'\n"


def test_every_opened_format_has_an_opener():
    assert set(_openers.OPENERS) == {row.name for row in akin.choices("opened-formats")}


def test_info_says_what_reads_each():
    said = run("info")
    for format in _openers.OPENERS:
        assert f"\n{format}: " in said and _openers.describe(format) in said


def test_jobs(folder):
    run(
        "dedupe",
        "people.parquet",
        *EXACT,
        "--id",
        "id",
        "--save-job",
        "job.json",
        "-o",
        "a.csv",
        "-q",
    )
    assert json.loads(pathlib.Path("job.json").read_text())["input"] == ["people.parquet"]
    run("dedupe", "--job", "job.json", "-o", "b.csv", "-q")
    assert pathlib.Path("a.csv").read_bytes() == pathlib.Path("b.csv").read_bytes()
    assert len(akin.run("job.json")) == 1


def test_functions(folder):
    how = {"on": "name", "id": "id", "tokens": "qgrams:2", "jaccard": 0.5}
    expected = akin.join(pytest.importorskip("pyarrow").table(PEOPLE), **how)
    for path in FILES:
        found = akin.join(path, **how)
        assert found == expected and found["left_id"][0] == 30 and len(found) == 2
        with pytest.raises(akin.OptionError, match=f"{path}: there is no column 'nam'") as raised:
            akin.join(path, on="nam", jaccard=0.5)
        assert (raised.value.reason, raised.value.column, raised.value.meant) == ("no-column", "nam", "name")
    with pytest.raises(FileNotFoundError):
        akin.join("none.parquet", on="name", jaccard=0.5)


def test_streams_are_read_batch_by_batch(folder):
    """A file of many row groups is not held as a whole."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    schema = pa.schema([("name", pa.string()), ("other", pa.string())])
    with parquet.ParquetWriter("many.parquet", schema) as writer:
        for group in range(40):
            names = [f"{group} {i} and some more words" for i in range(20000)]
            writer.write_table(pa.table({"name": names, "other": names}))
    before = pa.total_allocated_bytes()
    reader = _openers.open_table("many.parquet", "parquet", ["name"])
    most, rows = 0, 0
    for batch in reader:
        rows += batch.num_rows
        most = max(most, pa.total_allocated_bytes() - before)
    assert rows == 800000 and most < 14 << 20, most  # of 27 MB
    assert (
        run("join", "many.parquet", "--on", "name", "--jaccard", "1", "--count", "--memory", "16M", "-q") == "780\n"
    )  # of "1 2" and "2 1"


def test_columns_of_few_values_are_read_as_dictionaries(folder):
    """They give the same results; other columns, and all columns of a copy, are text."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = 20000
    data = {
        "city": [f"city {i % 50}" for i in range(rows)],
        "name": [f"the name of number {i}" for i in range(rows)],
        "count": [i % 7 for i in range(rows)],
    }
    parquet.write_table(pa.table(data), "few.parquet", row_group_size=6000, dictionary_pagesize_limit=10000)

    def types_of(*names):
        schema = _openers.open_table("few.parquet", "parquet", names).schema
        return {field.name for field in schema if pa.types.is_dictionary(field.type)}

    assert types_of("city", "name", "count") == {"city"}
    assert types_of("name") == types_of() == set()
    words = ("--compare", "city:exact", "--block", "city", "--threshold", "1", "-q")
    pathlib.Path("few.csv").write_text("city\n" + "\n".join(data["city"][:500]) + "\n")
    parquet.write_table(pa.table(data).slice(0, 500), "less.parquet")
    assert run("dedupe", "less.parquet", *words) == run("dedupe", "few.csv", *words)


# ------------------------------------------------------------------------------------------------------------ databases


@pytest.fixture
def sqlite(folder):
    import sqlite3

    with closing(sqlite3.connect("people.db")) as connection:
        connection.execute('create table people (id integer, name text, price real, "a ""b" , picture blob)')
        rows = [(*row, None if row[0] == 30 else row[0], None) for row in zip(*PEOPLE.values(), strict=True)]
        connection.executemany("insert into people values (?, ?, ?, ?, ?)", rows)
        connection.execute("update people set picture = x'ff' where id = 50")
        connection.execute("create table mixed (some)")
        connection.executemany("insert into mixed values (?)", [(None,)] * 2000 + [(1,), (2.5,), ("text",)])
        connection.commit()
    return "sqlite:people.db"


@pytest.fixture
def duck(folder):
    duckdb = pytest.importorskip("duckdb")
    with closing(duckdb.connect("people.duckdb")) as connection:
        connection.execute(
            "create schema other; create table people as from 'people.parquet'; create view other.known as from people"
        )
    return "duckdb:people.duckdb"


def as_postgres(*words):
    """Runs a program of PostgreSQL, which refuses to be run by root."""
    if os.geteuid() == 0:
        words = ("runuser", "-u", "postgres", "--", *words)
    return subprocess.run(words, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server of PostgreSQL, in a folder of its own and on a socket alone."""
    pytest.importorskip("adbc_driver_postgresql")
    programs = [
        shutil.which(name) or next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))), None)
        for name in ("initdb", "pg_ctl")
    ]
    if None in programs or (os.geteuid() == 0 and as_postgres("true").returncode != 0):
        pytest.skip("there is no PostgreSQL, or no user who may run it")
    with tempfile.TemporaryDirectory(prefix="akin-pg-") as place:
        if os.geteuid() == 0:
            shutil.chown(place, "postgres")
        made = as_postgres(programs[0], "-D", f"{place}/data", "-A", "trust", "-U", "akin")
        started = as_postgres(
            programs[1],
            "-D",
            f"{place}/data",
            "-o",
            f"-k {place} -c listen_addresses= -c fsync=off",
            "-w",
            "-l",
            f"{place}/log",
            "start",
        )
        assert made.returncode == started.returncode == 0, made.stderr + started.stderr
        try:
            yield f"postgresql://akin@/postgres?host={place}"
        finally:
            as_postgres(programs[1], "-D", f"{place}/data", "-m", "immediate", "stop")


@pytest.fixture
def postgres(folder, server):
    from adbc_driver_postgresql import dbapi

    with closing(dbapi.connect(server)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute("drop table if exists people")
        cursor.execute("create table people (id int, name text, price float8, tags text)")
        for row in zip(*PEOPLE.values(), strict=True):
            cursor.execute("insert into people values ($1, $2, $3, 'a')", row)
        connection.commit()
    return server


DATABASES = ["sqlite", "duck", "postgres"]
SOURCES = "expected ?table=NAME or ?query=SQL at the end"


def at(database, what):
    """The address of a table or a query of a database."""
    return f"{database}{'&' if '?' in database else '?'}{what}"


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job[0])
def test_a_job_of_a_database(database, job, request):
    database = request.getfixturevalue(database)
    expected = run(job[0], "people.csv", *job[1:], "-q")
    assert run(job[0], at(database, "table=people"), *job[1:], "-q") == expected
    assert (
        run(job[0], at(database, "query=select * from people where name <> 'x' or name is null;"), *job[1:], "-q")
        == expected
    )


@pytest.mark.parametrize("database", DATABASES)
def test_an_option_names_the_table(database, request):
    database, job = request.getfixturevalue(database), JOBS[0]
    expected = run(job[0], "people.csv", *job[1:], "-q")
    assert run(job[0], database, "--table", "people", *job[1:], "-q") == expected
    query = "select name, id, price from people where id < 99;"
    assert run(job[0], database, *job[1:], "--sql", query, "-q") == expected
    two = (database, at(database, "query=select * from people where id = 10"), "--table", "people")
    run("link", *two, *EXACT, "--id", "id", "-o", "c.csv", "--pairs", "p.csv", "--save-job", "job.json", "-q")
    assert [line[:6] for line in pathlib.Path("p.csv").read_text().splitlines()[1:]] == ["10,10,", "50,10,"]
    assert json.loads(pathlib.Path("job.json").read_text())["input"][0] == at(database, "table=people")
    said = run("join", at(database, "table=people"), "--sql", query, *job[1:], code=2)
    shown = at(database, "table=people")
    assert said == f"akin: --sql: {shown} already has a table or a query: leave the option out\n"
    said = run("join", at(database, "table="), "--table", "people", *job[1:], code=2)
    assert said == f"akin: {at(database, 'table=')}: nothing stands behind '=': {SOURCES}\n"
    for comment in ("-- all of them", "/* all of them */;", "-- all;\n ; "):
        assert run(job[0], database, *job[1:], "--sql", f"select * from people {comment}", "-q") == expected


@pytest.mark.parametrize("name", (b"p\xff.parquet", b"sqlite:p\xff.db?table=t", b"duckdb:p\xff.db?table=t"))
def test_a_name_that_is_not_utf8(folder, name):
    """The message shows a question mark in place of a stray byte, which a terminal might obey."""
    words = ["join", name, "--on", "name", "--jaccard", "1"]
    main = [sys.executable, "-c", "from akin_command import main; main()"]
    done = subprocess.run([*main, *words], capture_output=True, check=False)
    assert done.returncode == 2 and b"p?." in done.stderr and b"No such file" in done.stderr, done
    assert b"without a text" not in done.stderr and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("database", DATABASES)
def test_functions_of_a_database(database, request):
    address = at(request.getfixturevalue(database), "table=people")
    found = akin.dedupe(address, "name:jaro-winkler", all_pairs=True, threshold=0.9, id="id")
    assert list(found) == list(
        akin.dedupe("people.parquet", "name:jaro-winkler", all_pairs=True, threshold=0.9, id="id")
    )
    assert found["left_id"][0] in (10, 30) and found.job["input"] == [address]
    linked = akin.link("people.csv", address, "name:exact", all_pairs=True, threshold=1)
    assert len(linked) == 6


@pytest.mark.parametrize("database", DATABASES)
def test_refusals_of_a_database(database, request):
    database = request.getfixturevalue(database)
    for what, message in [
        ("table=none", "none"),
        ("query=select nothing from people", "nothing"),
        ("table=people", "there is no column 'nam' (did you mean 'name'?); the columns are: 'id', 'name', 'price'"),
    ]:
        address = at(database, what)
        said = run("join", address, "--on", "nam", "--jaccard", "1", code=2)
        assert said.startswith(f"akin: {address}: ") and message in said and said.count("\n") == 1
    said = run("join", database, "--on", "name", "--jaccard", "1", code=2)
    assert said == f"akin: {database}: expected ?table=NAME or ?query=SQL at the end of the address\n"


def test_names_and_schemas(sqlite, duck):
    words = ("--on", "name", "--jaccard", "1", "--count", "-q")
    assert (
        run("join", f"{sqlite}?table=main.people", *words) == run("join", f"{duck}?table=other.known", *words) == "1\n"
    )
    assert run("join", f"{sqlite}?table=people", "--on", 'a "b', "--jaccard", "1", "--count", "-q") == "0\n"
    assert run("join", "duckdb:?query=from 'people.csv'", *words) == "1\n"


def test_types_of_sqlite_are_those_of_its_values(sqlite):
    from akin._openers import open_table

    def types(address, *names):
        return {field.name: str(field.type) for field in open_table(address, "sqlite", names).schema}

    assert types(f"{sqlite}?table=people", "id", "name", "price", 'a "b') == {
        "id": "int64",
        "name": "string",
        "price": "double",
        'a "b': "int64",
    }
    assert types(f"{sqlite}?table=mixed") == {"some": "string"}
    assert types(f"{sqlite}?query=select some from mixed limit 2002") == {"some": "double"}
    rows = open_table(f"{sqlite}?table=mixed", "sqlite", ()).read_all()["some"].to_pylist()
    assert rows == [None] * 2000 + ["1", "2.5", "text"]
    said = run("join", f"{sqlite}?table=people", "--on", "picture", "--jaccard", "1", code=2)
    assert "column 'picture': its type is binary" in said


def test_databases_that_are_not_there(folder):
    for scheme in ("sqlite", "duckdb"):
        if scheme == "duckdb":
            pytest.importorskip("duckdb")
        said = run("join", f"{scheme}:none.db?table=people", "--on", "name", "--jaccard", "1", code=2)
        assert (
            said == "akin: none.db: cannot be opened: No such file or directory\n"
            and not pathlib.Path("none.db").exists()
        )
        with pytest.raises(FileNotFoundError):
            akin.join(f"{scheme}:none.db?table=people", on="name", jaccard=1)


def test_three_slashes(sqlite, folder):
    words = ("--on", "name", "--jaccard", "1", "--count", "-q")
    assert run("join", f"sqlite://{folder}/people.db?table=people", *words) == "1\n"
    said = run("join", "sqlite:///people.db?table=people", *words, code=2)
    assert said == (
        "akin: ///people.db: cannot be opened: No such file or directory; for a file in the working directory write "
        "sqlite:people.db\n"
    )


def test_passwords_are_not_shown(folder):
    pytest.importorskip("adbc_driver_postgresql")
    address = "postgresql://me:secret@localhost:1/people?connect_timeout=2&table=people"
    assert "secret" not in run("join", address, "--on", "name", "--jaccard", "1", code=2)
    with pytest.raises(akin.InputError) as raised:
        akin.join(address, on="name", jaccard=1)
    assert "secret" not in str(raised.value) and str(raised.value).startswith("postgresql://me@localhost:1/people?")


def test_a_query_that_fails_in_the_middle(folder):
    """The message has what the database says, and no traceback, which pyarrow adds."""
    pytest.importorskip("duckdb")
    address = "duckdb:?query=select if(i > 250000, error('it broke'), 'a' || i) as name from range(300000) as t(i)"
    said = run("join", address, "--on", "name", "--jaccard", "1", code=2)
    with pytest.raises(akin.InputError) as raised:
        akin.join(address, on="name", jaccard=1)
    for text in (said, str(raised.value)):
        assert "it broke" in text and address in text and "Traceback" not in text and "File " not in text, text


def anonymous_of(code, *words):
    """The most private memory of a process of Python, in KiB: neither mapped files nor libraries count."""
    most, done = 0, subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.DEVNULL)
    while done.poll() is None:
        status = pathlib.Path(f"/proc/{done.pid}/status").read_text()
        most = max([most, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:"))])
        time.sleep(0.005)
    assert done.returncode == 0
    return most


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /proc")
def test_the_bound_holds_beside_the_memory_of_pyarrow(tmp_path):
    """What a job takes more than reading the file alone is within --memory, and without it is not."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path, count = str(tmp_path / "many.parquet"), 60_000
    with parquet.ParquetWriter(path, pa.schema({"title": pa.string()})) as writer:
        for group in range(16):
            titles = [
                f"u{row} " + " ".join(f"w{row * factor % 9973}" for factor in (1, 7, 31, 101, 211, 499, 997, 1999))
                for row in range(group * count, (group + 1) * count)
            ]
            writer.write_table(pa.table({"title": titles}), row_group_size=count)
    read = "import sys; from akin import _openers as o; [0 for _ in o.open_table(sys.argv[1], 'parquet', ['title'])]"
    alone = anonymous_of(read, path)
    job = ("from akin_command import main; main()", "join", path, "--on", "title", "--tokens", "words", "--count", "-q")
    bounded, free = (anonymous_of(*job, "--jaccard", "0.95", *more) - alone for more in (("--memory", "32M"), ()))
    noise = 32 * 1024  # what pyarrow keeps of memory that it has freed differs from run to run
    assert bounded < 32 * 1024 + noise < 32 * 1024 + 2 * noise < free, (alone, bounded, free)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /proc")
def test_the_bound_holds_with_groups_of_rows_of_16_mib(tmp_path):
    """The memory beside that of reading does not grow with the groups of rows, nor with the file."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path, count = str(tmp_path / "many.parquet"), 250_000
    with parquet.ParquetWriter(path, pa.schema({"title": pa.string()}), compression="none", use_dictionary=False) as to:
        for group in range(3):
            titles = [
                " ".join(f"word{(row * factor >> 3) % 9973}" for factor in (1, 7, 31, 101, 211, 499)) + f" number{row}"
                for row in range(group * count, (group + 1) * count)
            ]
            to.write_table(pa.table({"title": titles}), row_group_size=count)
    read = "import sys; from akin import _openers as o; [0 for _ in o.open_table(sys.argv[1], 'parquet', ['title'])]"
    alone = anonymous_of(read, path)
    job = ("from akin_command import main; main()", "join", path, "--on", "title", "--tokens", "words", "--count", "-q")
    bounded, free = (anonymous_of(*job, "--jaccard", "0.95", *more) - alone for more in (("--memory", "64M"), ()))
    noise = 32 * 1024  # what pyarrow keeps of memory that it has freed differs from run to run
    assert bounded < 64 * 1024 + noise < free, (alone, bounded, free)


@pytest.mark.parametrize("secret", ["s3cret-X", "s3cret-X%zz", "s3/cret-X", "s3@cret-X"])
def test_passwords_in_errors_of_drivers(folder, secret):
    """A driver may repeat an address that it cannot read, or the part that is wrong."""
    pytest.importorskip("adbc_driver_postgresql")
    for address in (
        f"postgresql://me:{secret}@localhost:1/people?table=people",
        f"postgresql://me@localhost:1/people?password={secret}&table=people",
    ):
        said = run("join", address, "--on", "name", "--jaccard", "1", code=2)
        with pytest.raises(akin.InputError) as raised:
            akin.join(address, on="name", jaccard=1)
        for text in (said, "".join(traceback.format_exception(raised.value.with_traceback(None)))):
            assert "cret-X" not in text and "me@localhost:1/people" in text


def test_passwords_are_in_no_output(folder, postgres):
    """The server trusts whoever comes, so any password does."""
    address = postgres.replace("akin@", "akin:s3cret-X@") + "&password=s3cret-X&table=people"
    words = (*EXACT, "--id", "id")
    outputs = ("-o", "c.csv", "--pairs", "p.csv", "--report", "r.html", "--save-job", "j.json")
    command = "import sys; sys.stderr = sys.stdout; from akin_command import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "dedupe", address, *words, *outputs],
        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    assert done.returncode == 0, done.stdout
    written = [pathlib.Path(name).read_text() for name in outputs[1::2]]
    found = akin.dedupe(address, compare="name:exact", all_pairs=True, threshold=1, id="id")
    found.save_job("found.json")
    written += [done.stdout, repr(found), json.dumps(found.job), pathlib.Path("found.json").read_text()]
    assert len(written[0]) > 20 and not [text for text in written if "s3cret-X" in text]
    assert json.loads(written[3])["input"] == found.job["input"] == [f"{postgres}&table=people"]
    assert run("dedupe", "--job", "j.json", "-o", "again.csv", "-q") == ""  # the server needs none
    assert pathlib.Path("again.csv").read_text() == written[0]


# --------------------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize("case", ["brief-texts", "compare-strings", "jobs", "refuse-top", "show"])
def test_the_command_prints_what_that_of_c_prints(case, tmp_path):
    """Golden files, also of the order in which output and warnings come, which -u does not change."""
    program = tmp_path / "akin"
    program.write_text(f"#!{sys.executable} -u\nfrom akin_command import main\nmain()\n")
    program.chmod(0o755)
    runner = pathlib.Path(__file__).resolve().parents[1] / "cli" / "run.sh"
    done = subprocess.run([runner, program, case], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_exit_by_signals(folder):
    """Ctrl-C ends a job with 130, and a pipe that is closed ends it as programs of C end."""
    command = [sys.executable, "-c", "from akin_command import main; main()"]
    job = subprocess.Popen(
        [*command, "join", "-", "--input", "text", "--tokens", "words", "--jaccard", "1"], stdin=subprocess.PIPE
    )
    job.stdin.write(b"a line\n")
    job.stdin.flush()
    time.sleep(1)
    job.send_signal(signal.SIGINT)
    assert job.wait(20) == 130
    text = "\n".join(["some words"] * 3000)
    pathlib.Path("same.txt").write_text(text)
    piped = subprocess.Popen(
        [*command, "join", "same.txt", "--tokens", "words", "--jaccard", "1", "-q"], stdout=subprocess.PIPE
    )
    piped.stdout.readline()
    piped.stdout.close()
    assert piped.wait(20) in (-signal.SIGPIPE, 1)
