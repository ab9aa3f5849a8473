"""Results that are written as Parquet and Arrow, and into databases, by the command and by the functions."""

import datetime
import decimal
import os
import pathlib
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest
from test_openers import at, folder, run, server, without  # noqa: F401

import akin
from akin import _savers

DAY = datetime.date
TOWNS = {
    "id": [30, 10, 20, 40],
    "name": ["Ulm", "Bonn", "Ulm", "Köln"],
    "price": [1.5, None, 0.1, 4.0],
    "since": [DAY(1953, 1, 31), None, DAY(2020, 2, 29), DAY(1, 1, 1)],
    "open": [True, False, None, True],
    "text": ['a "b", c\nd', "", None, "00123"],
}
EXACT = ("--compare", "name:exact", "--all-pairs", "--threshold", "1", "--id", "id")
CLUSTERS = {"id": [30, 10, 20, 40], "cluster": [0, 1, 0, 2], "size": [2, 1, 2, 1], "representative": [30, 10, 30, 40]}
FILES = ("parquet", "arrow", "feather", "ipc")
DATABASES = ("sqlite", "duckdb", "postgresql")


@pytest.fixture
def towns(folder):  # noqa: F811
    from pyarrow import parquet, table

    parquet.write_table(table(TOWNS), "towns.parquet")
    return folder


def address_of(kind, request):
    """The address of a database, which need not be there yet."""
    if kind == "duckdb":
        pytest.importorskip("duckdb")
    if kind != "postgresql":
        return f"{kind}:made.db"
    address = request.getfixturevalue("server")  # skips the test where there is none
    from adbc_driver_postgresql import dbapi

    with closing(dbapi.connect(address)) as connection, closing(connection.cursor()) as cursor:
        for name in ("t", "u", "people"):
            cursor.execute(f"drop table if exists {name}")
        connection.commit()
    return address


def target_of(kind, request, table="t"):
    """The path or the address of a table to write."""
    return at(address_of(kind, request), f"table={table}") if kind in DATABASES else f"{table}.{kind}"


def read(path):
    """A table, as columns of Python, and the names of its types."""
    import pyarrow

    from akin._openers import open_table

    made = pyarrow.table(open_table(path, akin._akin.format_of_name(path), ()))
    return made.to_pydict(), {field.name: str(field.type) for field in made.schema}


def is_there(path):
    try:
        return bool(read(path))
    except Exception as error:
        assert any(text in str(error) for text in ("No such file", "does not exist", "no such table")), error
        return False


@pytest.mark.parametrize("kind", FILES + DATABASES)
def test_a_dedupe_is_read_back(towns, kind, request):
    path = target_of(kind, request)
    assert run("dedupe", "towns.parquet", *EXACT, "-o", path, "-q") == ""
    found, types = read(path)
    assert found == CLUSTERS and set(types.values()) == {"int64"}


@pytest.mark.parametrize("kind", FILES + DATABASES)
def test_pairs_have_their_types(towns, kind, request):
    clusters, pairs = target_of(kind, request), target_of(kind, request, "u")
    shown = ("--show", "price,since,open,text")
    run("dedupe", "towns.parquet", *EXACT, "-o", clusters, "--pairs", pairs, *shown, "-q")
    found, types = read(pairs)
    as_text = kind == "sqlite"  # which has neither dates nor booleans
    assert found == {
        "left": [30],
        "right": [20],
        "similarity": [1.0],
        "name": [1.0],
        "left_price": [1.5],
        "right_price": [0.1],
        "left_since": ["1953-01-31" if as_text else DAY(1953, 1, 31)],
        "right_since": ["2020-02-29" if as_text else DAY(2020, 2, 29)],
        "left_open": [True],
        "right_open": [None],
        "left_text": ['a "b", c\nd'],
        "right_text": [None],
    }
    assert types["left"] == "int64" and types["similarity"] == types["left_price"] == "double"
    assert types["left_since"] == ("string" if as_text else "date32[day]")
    found, _ = read(clusters)
    assert found["text"] == TOWNS["text"] and found["price"] == TOWNS["price"]  # an empty text is no null


@pytest.mark.parametrize("kind", ("parquet", "sqlite"))
def test_every_command_writes_them(towns, kind, request):
    path = target_of(kind, request)
    run("join", "towns.parquet", "--on", "name", "--id", "id", "--jaccard", "1", "-o", path, "-q")
    assert read(path)[0] == {"left": [30], "right": [20], "similarity": [1.0]}
    again = ("-o", path, "--replace", "-q")
    run("join", "towns.parquet", "--on", "name", "--jaccard", "1", "--clusters", *again)
    assert read(path)[0]["id"] == [0, 1, 2, 3]
    run("link", "towns.parquet", "towns.parquet", *EXACT, *again)
    found, types = read(path)
    assert found["side"][0] == "left" and found["representative_side"][4] == "left" and types["id"] == "int64"
    run("rank", "towns.parquet", "--on", "name", "--id", "id", "--query", "ulm", *again)
    assert read(path)[0]["document"] == ["30", "20"] and read(path)[1]["score"] == "double"
    run("index", "towns.parquet", "--kind", "strings", "--on", "name", "-o", "names.akin", "-q")
    run("search", "names.akin", "--query", "Ulm", "-k", "2", "--indexed", "towns.parquet", "--show", "since", *again)
    found, types = read(path)
    assert found["id"] == [0, 2] and found["distance"] == [0, 0]
    assert types["document_since"] == ("string" if kind == "sqlite" else "date32[day]")
    run("compare", "towns.parquet", "towns.parquet", "--scorer", "jaro", "--files", "--on", "name", *again)
    assert read(path)[0] == {"row": [0, 1, 2, 3], "similarity": [1.0] * 4}
    run("weigh", "towns.parquet", "--on", "name", "--id", "id", "--vocabulary", "terms.parquet", *again)
    found, types = read(path)
    assert found["document"] == TOWNS["id"] and found["tf"] == [1] * 4 and types["weight"] == "double"
    assert read("terms.parquet")[0] == {"term": ["ulm", "bonn", "köln"], "df": [2, 1, 1]}
    run("generate", "records", "--records", "20", *again)
    assert len(read(path)[0]["id"]) >= 20


def test_csv_has_no_types(towns):
    pathlib.Path("towns.csv").write_text("id,name,code\n007,Ulm,1\n8,Ulm,\n")
    run("dedupe", "towns.csv", *EXACT, "--show", "code", "-o", "c.parquet", "-q")
    found, types = read("c.parquet")
    assert found["id"] == ["007", "8"] and types["id"] == types["code"] == "string" and found["code"] == ["1", ""]


def test_types_of_two_tables(towns):
    """A column that has ids of both has the type of both, else text."""
    pathlib.Path("towns.csv").write_text("id,name\nx,Ulm\n")
    run("link", "towns.parquet", "towns.csv", *EXACT, "--pairs", "p.parquet", "-o", "c.parquet", "-q")
    assert read("c.parquet")[1]["id"] == "string" and read("c.parquet")[0]["id"] == ["30", "10", "20", "40", "x"]
    assert (read("p.parquet")[1]["left"], read("p.parquet")[1]["right"]) == ("int64", "string")


def test_all_types_of_arrow(towns):
    import pyarrow as pa
    from pyarrow import parquet

    stamp = datetime.datetime(2020, 1, 31, 12, 30, 1, 250000)
    columns = {
        "id": pa.array(["a", "b"], pa.large_string()),
        "name": ["x", "x"],
        "small": pa.array([-7, None], pa.int8()),
        "big": pa.array([2**64 - 1, 0], pa.uint64()),
        "float": pa.array([0.1, float("inf")], pa.float32()),
        "stamp": pa.array([stamp, None], pa.timestamp("us")),
        "zoned": pa.array([stamp, None], pa.timestamp("ms", "Europe/Berlin")),
        "days": pa.array([DAY(2020, 1, 31), None], pa.date64()),
        "cents": pa.array([decimal.Decimal("-12.50"), None], pa.decimal128(9, 2)),
        "wide": pa.array([decimal.Decimal(10) ** 60, None], pa.decimal256(70, 0)),
        "clock": pa.array([datetime.time(23, 59, 1), None], pa.time32("ms")),
        "moment": pa.array([datetime.time(23, 59, 1, 5), None], pa.time64("us")),
        "nothing": pa.nulls(2),
        "kind": pa.array(["a", None]).dictionary_encode(),
    }
    parquet.write_table(pa.table(columns), "all.parquet")
    shown = ("--show", ",".join([*columns][2:]))
    run("dedupe", "all.parquet", *EXACT, *shown, "-o", "c.parquet", "-q")
    expected = pa.table(columns).to_pydict()
    found, types = read("c.parquet")
    assert {name: found[name] for name in columns if name != "name"} == {
        name: values for name, values in expected.items() if name != "name"
    }
    assert types["small"] == "int8" and types["big"] == "uint64" and types["float"] == "float"
    assert types["stamp"] == "timestamp[us]" and types["zoned"] == "timestamp[ms, tz=Europe/Berlin]"
    assert types["cents"] == "decimal128(9, 2)" and types["wide"] == "decimal256(70, 0)"
    assert types["clock"] == "time32[ms]" and types["moment"] == "time64[us]"


@pytest.mark.parametrize("kind", FILES + DATABASES)
def test_decimals_and_times_of_day(towns, kind, request):
    """They are compared as numbers and as text, and are written as they were read."""
    import pyarrow as pa
    from pyarrow import parquet

    long = decimal.Decimal("12345678901234567.89")
    prices = [decimal.Decimal("1.50"), decimal.Decimal("1.50"), long, None]
    clocks = [datetime.time(8, 30), datetime.time(8, 30), datetime.time(23, 59, 59), None]
    table = pa.table({"id": [1, 2, 3, 4], "price": pa.array(prices, pa.decimal128(25, 2)),
                      "clock": pa.array(clocks, pa.time64("us"))})  # fmt: skip
    parquet.write_table(table, "d.parquet")
    path, copied = target_of(kind, request), target_of(kind, request, "u")
    rules = ("--all-pairs", "--compare", "price:number/1:.5", "--compare", "clock:exact", "--threshold", ".9")
    outputs = ("-o", path, "--deduplicated", copied, "-q")
    run("dedupe", "d.parquet", "--id", "id", *rules, "--show", "price,clock", *outputs)
    found, types = read(path)
    assert found["representative"] == [1, 1, 3, 4]
    assert [value if value is None else decimal.Decimal(value) for value in found["price"]] == prices
    assert [value if value is None else str(value)[:8] for value in found["clock"]] == [
        clock if clock is None else str(clock) for clock in clocks
    ]
    exact = kind not in ("sqlite", "postgresql")  # the one has no decimals, the other gives them as text
    assert types["price"] == "decimal128(25, 2)" or not exact
    assert [decimal.Decimal(value) for value in read(copied)[0]["price"][:2]] == [decimal.Decimal("1.5"), long]


@pytest.mark.parametrize("kind", FILES + DATABASES)
def test_each_batch_has_a_dictionary_of_its_own(towns, kind, request):
    import pyarrow as pa
    from pyarrow import parquet

    def encoded(first, second):
        return pa.chunked_array([pa.array(part).dictionary_encode() for part in (first, second)])

    old, new = DAY(1953, 1, 31), DAY(2020, 1, 1)
    names, days = (["Ulm", "Bonn"], ["Ulm", "K\u00f6ln"]), ([new, None], [old, new])
    table = pa.table({"id": [1, 2, 3, 4], "name": encoded(*names), "since": encoded(*days)})
    parquet.write_table(table, "d.parquet", row_group_size=2)
    path = target_of(kind, request)
    run("dedupe", "d.parquet", *EXACT, "-o", "c.csv", "--deduplicated", path, "--show", "since", "-q")
    expected = {"id": [1, 2, 4], "name": ["Ulm", "Bonn", "K\u00f6ln"], "since": [new, None, new]}
    if kind == "sqlite":
        expected["since"] = [day and str(day) for day in expected["since"]]
    assert read(path)[0] == expected


@pytest.mark.parametrize("kind", DATABASES)
def test_a_table_that_is_there(towns, kind, request):
    path = target_of(kind, request)
    job = ("dedupe", "towns.parquet", *EXACT, "-q", "-o", path)
    run(*job)
    said = run(*job, "--threads", "1", code=2)
    assert said == f"akin: {path}: the table t is there: name another one, or let it be replaced by --replace\n"
    said = run("dedupe", "none.parquet", *EXACT, "-q", "-o", path, code=2)
    assert "is there" in said  # before any work
    run(*job, "--show", "name", "--replace")
    assert read(path)[0]["name"] == TOWNS["name"]
    with pytest.raises(akin.OptionError, match="is there: name another one, or let it be replaced by replace=True"):
        akin.dedupe("towns.parquet", "name:exact", all_pairs=True, id="id").save(path)
    akin.dedupe("towns.parquet", "name:exact", all_pairs=True, id="id").save(path, replace=True)
    assert read(path)[0]["left_id"] == [30]
    schema = at(path.partition("?table")[0].partition("&table")[0], "table=main.t")
    if kind == "sqlite":
        assert "is there" in run(*job[:-1], schema, code=2)


@pytest.mark.parametrize("kind", DATABASES)
def test_source_and_results_in_one_database(towns, kind, request):
    """Also a query that sees its table until the new one is there, and records of the source."""
    address = address_of(kind, request)
    people, t, u = (at(address, f"table={name}") for name in ("people", "t", "u"))
    _savers.save(people, kind, __import__("pyarrow").table(TOWNS))
    run("dedupe", people, *EXACT, "-o", t, "--pairs", u, "-q")
    assert read(t)[0] == CLUSTERS and read(u)[0]["left"] == [30]
    run("dedupe", people, *EXACT, "-o", t, "--deduplicated", u, "--replace", "-q")
    assert read(u)[0]["id"] == [30, 10, 40] and read(u)[0]["text"] == ['a "b", c\nd', "", "00123"]
    said = run("dedupe", people, *EXACT, "-o", people, "--replace", "-q", code=2)
    assert said == f"akin: {people}: is read and would be replaced: write to another file\n"
    query = at(address, "query=select * from people")
    run("dedupe", query, *EXACT, "-o", t, "--deduplicated", people, "--replace", "-q")
    assert read(people)[0]["id"] == [30, 10, 40] and read(t)[0] == CLUSTERS


@pytest.mark.parametrize("kind", ("sqlite", "duckdb"))
def test_two_tables_of_one_file_by_two_paths(towns, kind):
    pytest.importorskip("duckdb")
    run("dedupe", "towns.parquet", *EXACT, "-o", f"{kind}:a.db?table=t", "--pairs", f"{kind}:./a.db?table=u", "-q")
    assert read(f"{kind}:a.db?table=t")[0] == CLUSTERS and read(f"{kind}:a.db?table=u")[0]["left"] == [30]


def test_names_of_duckdb_are_those_of_tables(towns):
    """They are those of no variable of Python, and of no file."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect("a.db") as connection:
        connection.execute("create table akin_batch as select 99 as left, 98 as right, 97.0 as similarity")
        connection.execute("create schema s; create view s.v as select 5 as id, 'Ulm' as name")
    pairs = ("join", "towns.parquet", "--on", "name", "--jaccard", "1", "-q", "-o")
    for table in ("akin_batch", "name", "self", "rows", "duckdb", "s.name", "main.rows2"):
        run(*pairs, f"duckdb:new.db?table={table}" if "." not in table else f"duckdb:a.db?table={table}")
        run(*pairs, f"duckdb:a.db?table={table}", "--replace")
        assert read(f"duckdb:a.db?table={table}")[0] == {"left": [0], "right": [2], "similarity": [1.0]}
    assert read("duckdb:new.db?table=akin_batch")[0] == {"left": [0], "right": [2], "similarity": [1.0]}
    assert read("duckdb:a.db?table=s.v")[0] == {"id": [5], "name": ["Ulm"]}
    pathlib.Path("t.csv").write_text("id\n1\n")
    for table in ("names", "optional", "address", "Any", "t.csv", "v", "a.b.c.d"):
        with pytest.raises(ValueError, match=f"the table {table} does not exist"):
            read(f"duckdb:a.db?table={table}")
    said = run(*pairs, "duckdb:a.db?table=s.v", code=2)
    assert "the table s.v is there" in said


@pytest.mark.parametrize("kind", DATABASES)
def test_a_table_that_is_read_is_not_replaced(towns, kind, request):
    """Whatever its name, and the path of the file, are spelt like."""
    address = address_of(kind, request)
    people = at(address, "table=people")
    _savers.save(people, kind, __import__("pyarrow").table(TOWNS))
    same = {"postgresql": [at(address, "table=public.people")]}.get(kind) or [
        at(address, "table=People"),
        at(address, "table=MAIN.people"),
        at(address.replace(":", ":./", 1), "table=people"),
    ]
    for path in same:
        for words in (("-o", path), ("-o", "c.csv", "--pairs", path), ("-o", "c.csv", "--deduplicated", path)):
            said = run("dedupe", people, *EXACT, *words, "--replace", "-q", code=2)
            assert said == f"akin: {path}: is read and would be replaced: write to another file\n"
    assert read(people)[0]["id"] == TOWNS["id"]
    if kind == "postgresql":  # names are quoted, so this is another table
        run("dedupe", people, *EXACT, "-o", at(address, "table=People"), "--replace", "-q")
        assert read(people)[0]["id"] == TOWNS["id"]


def test_columns_called_like_those_of_clusters(towns):
    run("dedupe", "towns.parquet", *EXACT[:-2], "--show", "id,name", "-o", "c.parquet", "-q")
    found, types = read("c.parquet")
    assert found["id"] == [0, 1, 2, 3] and found["shown_id"] == TOWNS["id"] and types["shown_id"] == types["id"]
    run("dedupe", "towns.parquet", *EXACT[:-2], "--show", "id,name", "-o", "c.csv", "--save-job", "j.json", "-q")
    text = pathlib.Path("c.csv").read_bytes()
    akin.run("j.json")
    assert pathlib.Path("c.csv").read_bytes() == text and text.startswith(b"id,cluster,size,representative,shown_id,")


def test_types_of_several_files(towns):
    """A column keeps its type if all files agree, also where one lacks it; with a text file it is text."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    for folder in ("same", "other", "mixed"):
        os.mkdir(folder)
        parquet.write_table(pa.table({"id": [1, 2], "name": ["a", "b"]}), f"{folder}/a.parquet")
    table = {"price": [0.5, 2.0], "name": ["a", "c"], "id": [3, 4], "day": pa.array([DAY(2020, 1, 31)] * 2)}
    feather.write_feather(pa.table(table), "same/b.arrow")
    feather.write_feather(pa.table({"id": ["x"], "name": ["a"]}), "other/b.arrow")
    pathlib.Path("mixed/b.csv").write_text("id,name\nx,a\n")
    shown = ("--show", "id,price,day")
    run("dedupe", "same", *EXACT, "--show", "name", "-o", "c.parquet", "-q")
    assert read("c.parquet")[1]["id"] == "int64" and read("c.parquet")[0]["id"] == [1, 2, 3, 4]
    run("link", "same", "same/b.arrow", *EXACT, *shown, "--pairs", "p.parquet", "-o", "c.csv", "-q")
    found, types = read("p.parquet")
    assert types["left"] == types["left_id"] == types["right_id"] == "int64" and types["left_price"] == "double"
    assert types["left_day"] == "date32[day]" and found["left_price"] == [None, 0.5, 2.0]
    for folder in ("other", "mixed"):
        run("dedupe", folder, *EXACT, "--show", "name", "-o", "c.parquet", "-q")
        assert read("c.parquet")[1]["id"] == "string" and read("c.parquet")[0]["id"] == ["1", "2", "x"]


@pytest.mark.parametrize("kind", (*FILES, "duckdb", "postgresql"))
def test_records_keep_their_types(towns, kind, request):
    path = target_of(kind, request)
    run("dedupe", "towns.parquet", *EXACT, "-o", "c.csv", "--deduplicated", path, "-q")
    found, types = read(path)
    assert found == {name: [values[row] for row in (0, 1, 3)] for name, values in TOWNS.items()}
    assert types["since"] == "date32[day]" and types["open"] == "bool"
    run("join", "towns.parquet", "--on", "name", "--jaccard", "1", "-o", "-", "--deduplicated", path, "--replace", "-q")
    assert read(path)[0] == found


def test_records_with_lists(towns):
    """What akin does not compare is copied as it is."""
    run("dedupe", "people.parquet", *EXACT, "-o", "c.csv", "--deduplicated", "one.parquet", "-q")
    assert read("one.parquet")[0]["tags"] == [["a"]] * 4
    said = run("dedupe", "people.parquet", *EXACT, "--deduplicated", "one.csv", "-q", code=2)
    assert "--deduplicated one.csv: the input is parquet, whose records keep their types" in said
    said = run("dedupe", "people.csv", *EXACT, "--deduplicated", "one.parquet", "-q", code=2)
    assert "which is csv: expected a name that says so" in said


def test_a_job_of_python_writes_them(towns):
    run("dedupe", "towns.parquet", *EXACT, "-o", "c.parquet", "--pairs", "p.arrow", "--show", "text",
        "--deduplicated", "d.parquet", "--save-job", "j.json", "-q")  # fmt: skip
    expected = [read(path)[0] for path in ("c.parquet", "p.arrow", "d.parquet")]
    for path in ("c.parquet", "p.arrow", "d.parquet"):
        os.unlink(path)
    akin.run("j.json")
    assert [read(path)[0] for path in ("c.parquet", "p.arrow", "d.parquet")] == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "x.parquet", "--format", "csv"), "--format csv and x.parquet: that is parquet: leave out --format"),
        (("--format", "parquet"), "--format parquet: standard output and pipes cannot be parquet: leave"),
        (("-o", "no/x.parquet"), "no/x.parquet: "),
        (("-o", "sqlite:x.db"), "sqlite:x.db: expected ?table=NAME at the end of the address"),
        (("-o", "duckdb:x.db?query=select 1"), "duckdb:x.db?query=select 1: expected ?table=NAME"),
        (("-o", "sqlite:no/x.db?table=t"), "sqlite:no/x.db?table=t: cannot be written: No such file or directory"),
        (("-o", "sqlite:towns.parquet?table=t"), "sqlite:towns.parquet?table=t: cannot be written: file is not a"),
        (("-o", "sqlite:x.db?table=t", "--pairs", "sqlite:x.db?table=t"), "sqlite:x.db?table=t: expected two files"),
        (("-o", "sqlite:x.db?table=t", "--pairs", "sqlite:./x.db?table=t"), "sqlite:./x.db?table=t: "),
    ],
)
def test_refusals(towns, words, message):
    for code in (2, 1):
        done = subprocess.run(
            [sys.executable, "-c", "from akin_command import main; main()", "dedupe", "towns.parquet", *EXACT, *words],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode == code:
            break
    assert done.returncode == code and done.stderr.startswith(f"akin: {message}"), done.stderr
    assert done.stderr.count("\n") == 1 and not pathlib.Path("x.db").exists()


def test_a_pipe_is_no_parquet(towns):
    os.mkfifo("p.parquet")
    reader = os.open("p.parquet", os.O_RDONLY | os.O_NONBLOCK)
    assert "p.parquet: is a pipe or a device" in run("dedupe", "towns.parquet", *EXACT, "-o", "p.parquet", code=2)
    os.close(reader)
    assert "a number is written as text, not as parquet" in run(
        "join", "towns.parquet", "--on", "name", "--jaccard", "1", "--count", "-o", "n.parquet", code=2
    )


def test_files_keep_their_mode_and_links(towns):
    run("dedupe", "towns.parquet", *EXACT, "-o", "c.parquet", "-q")
    os.chmod("c.parquet", 0o640)
    os.symlink("c.parquet", "link.parquet")
    run("dedupe", "towns.parquet", *EXACT, "--clusters-of", "2", "-o", "link.parquet", "-q")
    assert os.path.islink("link.parquet") and os.stat("c.parquet").st_mode & 0o777 == 0o640
    assert read("c.parquet")[0]["id"] == [30, 20]


def test_what_is_not_installed_is_named(towns, without):  # noqa: F811
    pathlib.Path("towns.csv").write_text("id,name\n1,Ulm\n2,Ulm\n")
    without("pyarrow")
    for path, extra in (("c.parquet", "parquet"), ("sqlite:x.db?table=t", "databases")):
        said = run("dedupe", "towns.csv", *EXACT, "-o", path, code=2)
        format = "parquet" if extra == "parquet" else "sqlite"
        assert said == f"akin: {path}: writing {format} needs pyarrow: pip install 'libakin[{extra}]'\n"


def test_every_opened_format_has_a_saver():
    assert set(_savers.SAVERS) == {row.name for row in akin.choices("opened-formats")}
    assert "\nsqlite: " in run("info") and "read and written by pyarrow" in run("info")


def test_many_lines_in_blocks(towns):
    """Blocks end at the ends of lines, and not within quotes."""
    pathlib.Path("many.csv").write_text(
        "id,name\n" + "".join(f'{i},"a ""quoted""\n\nname, {i}"\n' for i in range(3000))
    )
    lines = _savers._Lines([("id", "l"), ("name", "u")])
    text = pathlib.Path("many.csv").read_bytes().partition(b"\n")[2]
    for size in (1, 7, 1000):
        _savers_block, _savers.BLOCK = _savers.BLOCK, 5000
        rows = [b for i in range(0, len(text), size) for b in lines.add(text[i : i + size])]
        rows += lines.take(all=True)
        _savers.BLOCK = _savers_block
        assert sum(batch.num_rows for batch in rows) == 3000 and len(rows) > 10
        assert rows[-1].to_pylist()[-1] == {"id": 2999, "name": 'a "quoted"\n\nname, 2999'}


# ------------------------------------------------------------------------------------------------------------- failures

STOPPED = """
import os, signal, sys
from akin import _savers
name, what = sys.argv.pop(1), sys.argv.pop(1)
_savers.BLOCK = 2000
kind = _savers._Table if sys.argv.pop(1) == "database" else _savers._File
real = getattr(kind, name)
def stop(self, *args):
    real(self, *args)
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "cancel":
        os.kill(os.getpid(), signal.SIGINT)
        return
    raise ValueError("it broke")
setattr(kind, name, stop)
from akin_command import main
main()
"""


def stopped(name, what, path, *words):
    kind = "file" if path.endswith(".parquet") else "database"
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, name, what, kind, *words, "-o", path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.fixture
def many(towns):
    pathlib.Path("many.csv").write_text("id,name\n" + "".join(f"{i},name {i // 2}\n" for i in range(2000)))
    return ("dedupe", "many.csv", *EXACT[:2], "--window", "2", "--threshold", "1", "--id", "id", "-q")


@pytest.mark.parametrize("kind", ("parquet", *DATABASES))
@pytest.mark.parametrize("step", ("begin", "write", "finish"))
@pytest.mark.parametrize("what", ("kill", "fail"))
def test_a_table_is_there_as_a_whole_or_not(many, kind, step, what, request):
    path = target_of(kind, request)
    before = sorted(os.listdir("."))
    code, said = stopped(step, what, path, *many)
    if what == "kill":
        assert code == -signal.SIGKILL
    else:
        assert code == 1 and "cannot be written: it broke" in said or kind == "parquet" and "it broke" in said
        assert sorted(os.listdir(".")) == before
    assert not is_there(path)
    run(*many, "-o", path)
    whole = read(path)
    assert len(whole[0]["id"]) == 2000
    stopped(step, what, path, *many, "--show", "name", "--replace")
    assert read(path) == whole


@pytest.mark.parametrize("kind", DATABASES)
def test_killed_once_it_is_committed(many, kind, request):
    path = target_of(kind, request)
    assert stopped("commit", "kill", path, *many)[0] == -signal.SIGKILL
    assert len(read(path)[0]["id"]) == 2000


@pytest.mark.parametrize("kind", ("parquet", *DATABASES))
def test_killed_at_any_time(many, kind, request):
    path = target_of(kind, request)
    command = [sys.executable, "-c", "from akin_command import main; main()", *many, "-o", path]
    begun = time.monotonic()
    subprocess.run(command, check=True)
    whole, seconds = read(path), time.monotonic() - begun
    for part in (0.5, 0.8, 0.9, 0.95):
        path = target_of(kind, request)
        for left in ("made.db", "t.parquet"):
            pathlib.Path(left).unlink(missing_ok=True)
        done = subprocess.Popen(command)
        time.sleep(seconds * part)
        done.kill()
        done.wait()
        assert not is_there(path) or read(path) == whole


@pytest.mark.parametrize("kind", ("parquet", *DATABASES))
def test_cancelled(many, kind, request):
    path = target_of(kind, request)
    assert stopped("write", "cancel", path, *many)[0] == 130
    assert not is_there(path)


@pytest.mark.parametrize("kind", DATABASES)
def test_all_tables_or_none(many, kind, request):
    """A second table that fails takes the first one with it, and so do files."""
    address = address_of(kind, request)
    path, pairs = (at(address, f"table={name}") for name in ("t", "u"))
    code, said = stopped("finish", "fail", path, *many, "--pairs", pairs, "--deduplicated", "d.csv")
    assert code == 1 and "it broke" in said
    assert not is_there(path) and not is_there(pairs) and not os.path.exists("d.csv")


@pytest.mark.parametrize("secret", ["s3cret-X", "s3/cret-X", "s3@cret-X"])
def test_passwords_are_not_shown(towns, secret):
    pytest.importorskip("adbc_driver_postgresql")
    for address in (
        f"postgresql://me:{secret}@localhost:1/people?table=people",
        f"postgresql://me@localhost:1/people?password={secret}&table=people",
    ):
        done = subprocess.run(
            [sys.executable, "-c", "from akin_command import main; main()", "dedupe", "towns.parquet", *EXACT,
             "-o", address, "--save-job", "j.json"], capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1 and "me@localhost:1/people" in done.stderr and "cret-X" not in done.stderr
        with pytest.raises(OSError, match="me@localhost:1/people") as raised:
            akin.dedupe("towns.parquet", "name:exact", all_pairs=True, id="id").save(address)
        assert "cret-X" not in str(raised.value)


def test_a_password_reaches_the_server(towns, server):  # noqa: F811
    path = server.replace("akin@", "akin:s3cret-X@") + "&table=t"
    done = subprocess.run(
        [sys.executable, "-c", "from akin_command import main; main()", "dedupe", "towns.parquet", *EXACT,
         "-o", path, "--replace", "--save-job", "j.json"], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert read(f"{server}&table=t")[0] == CLUSTERS
    assert "s3cret" not in done.stdout + done.stderr + pathlib.Path("j.json").read_text()
