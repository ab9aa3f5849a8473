"""Tables that other libraries read: files of Parquet and Arrow, and databases. Each becomes an Arrow stream, which is
read batch by batch."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any, NamedTuple

from . import _akin
from ._akin import Error, InputError, OptionError
from ._stores import is_in_store, place_of, why_of

BATCH = 65536  # rows of a batch, where a format leaves the choice


class Opener(NamedTuple):
    """What reads a format of the table "opened-formats": a row of :data:`OPENERS`."""

    modules: tuple[str, ...]  # that read it,
    extra: str  # and what installs them: libakin[extra]
    # A path or an address, the names of the wanted columns, and how many of these need not exist -> what has an Arrow
    # stream.
    open: Callable[[str, Sequence[str], int], Any]


def wanted_of(names: Sequence[str], optional: int, there: Sequence[str]) -> list[str] | None:
    """The columns to read; None: all of them, as no names were given, or as one that must exist does not, and the error
    is to list all columns."""
    needed = names[: len(names) - optional]
    return [name for name in names if name in there] if names and all(name in there for name in needed) else None


# ---------------------------------------------------------------------------------------------------------------- files


def _place(path: str) -> dict[str, Any]:
    """What a dataset is made of, and the file system that has it."""
    if is_in_store(path):
        system, inside = place_of(path)
        return {"source": inside, "filesystem": system}
    return {"source": _files(path)}


def _exists(path: str) -> str:
    """The path of a file or a folder. What cannot be opened is an error of the system, with its number."""
    if not os.path.isdir(path):
        with open(path, "rb"):
            pass
    return path


def _files(path: str) -> str | list[str]:
    """What a dataset is made of: a file, a folder, or the files of a pattern or a list."""
    return _akin.path_files(path) if not os.path.exists(path) and _akin.path_has_files(path) else _exists(path)


def _batches(data: Any, names: Sequence[str], optional: int) -> Any:
    """The batches of a dataset. pyarrow reads one batch ahead."""
    columns = wanted_of(names, optional, data.schema.names)
    return data.scanner(columns=columns, batch_size=BATCH, batch_readahead=1, fragment_readahead=1).to_reader()


LENGTH = 4  # bytes that plain text of Parquet takes for the length of a value alone


def _is_coded(metadata: Any, column: int) -> bool:
    """Whether the values of a column are numbers of entries in dictionaries, in all groups of rows. A writer gives up a
    dictionary that becomes too large; then the values take more bytes than their lengths."""
    chunks = [metadata.row_group(group).column(column) for group in range(metadata.num_row_groups)]
    return all(each.has_dictionary_page and each.total_uncompressed_size < LENGTH * each.num_values for each in chunks)


def _coded(data: Any, names: Sequence[str]) -> list[str]:
    """The columns of text among these that the first file of a dataset has as dictionaries. To read such a column as
    one takes less time and memory than its text; of another column it takes more."""
    import pyarrow

    first = next(iter(data.get_fragments()), None)
    if first is None or not first.metadata.num_rows:
        return []
    types = (pyarrow.string(), pyarrow.large_string())
    wanted = {each.name for each in data.schema if each.name in names and each.type in types}
    columns = enumerate(first.metadata.schema.column(at).path for at in range(first.metadata.num_columns))
    return [name for at, name in columns if name in wanted and _is_coded(first.metadata, at)]


def _of_parquet(path: str, names: Sequence[str], optional: int) -> Any:
    from pyarrow import dataset

    def open_with(coded: Sequence[str]) -> Any:
        format = dataset.ParquetFileFormat(default_fragment_scan_options=options, dictionary_columns=coded)
        return dataset.dataset(**place, format=format)

    # With a buffer in advance, which suits stores of objects, it would hold several groups of rows.
    options = dataset.ParquetFragmentScanOptions(pre_buffer=False)
    place = _place(path)
    data = open_with(())  # which columns are coded is known only when it is open
    coded = _coded(data, names)
    return _batches(open_with(coded) if coded else data, names, optional)


def _of_arrow(path: str, names: Sequence[str], optional: int) -> Any:
    from pyarrow import dataset

    return _batches(dataset.dataset(**_place(path), format="feather"), names, optional)


# ------------------------------------------------------------------------------------------------------------ databases


class Address(NamedTuple):
    """A table of a database, or the result of a query: ``PLACE?table=NAME`` or ``PLACE?query=SQL``. Both stand at the
    end, as they are."""

    place: str  # of the database, without its scheme where that is of akin
    source: str  # what stands after "from"


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def parts_of(address: str) -> tuple[str, str, str]:
    """The place of a database, "table" or "query", and its name or its text; two empty ones if it has neither."""
    found = re.search(r"[?&](table|query)=", address)
    return (address[: found.start()], found[1], address[found.end() :]) if found else (address, "", "")


def address_of(address: str, scheme: str = "") -> Address:
    """What an address names, for SQL."""
    place, what, value = parts_of(address)
    if not value:
        raise OptionError("expected ?table=NAME or ?query=SQL at the end of the address")
    # A query may end with a comment, which the end of its line ends.
    source = (
        ".".join(map(quoted, value.split("."))) if what == "table" else f"({value.strip().rstrip(';')}\n) as query"
    )
    return Address(place.removeprefix(scheme), source)


def _selection(source: str, names: Sequence[str], optional: int, there: Sequence[str]) -> str:
    """The query of the columns that are wanted."""
    wanted = wanted_of(names, optional, there)
    return f"select {'*' if wanted is None else ', '.join(map(quoted, wanted))} from {source}"


def _held(reader: Any, *owners: Any) -> Any:
    """A reader that has what it needs, and closes that in the end, the first one first."""
    import pyarrow

    def batches() -> Iterator[Any]:
        with ExitStack() as stack:
            for owner in reversed(owners):
                stack.enter_context(closing(owner))
            try:
                yield from reader
            except OSError as error:  # so DuckDB calls what is wrong with a query
                raise ValueError(str(error)) from None

    return pyarrow.RecordBatchReader.from_batches(reader.schema, batches())


def _database(place: str, scheme: str) -> str:
    """The path of a database's file. In addresses of other programs three slashes may begin a relative path."""
    try:
        return _exists(place)
    except FileNotFoundError as error:
        if place.startswith("//"):
            advice = f"; for a file in the working directory write {scheme}{place.lstrip('/')}"
            raise FileNotFoundError(error.errno, f"{error.strerror}{advice}", place) from None
        raise


@contextmanager
def _closed_on_error(owner: Any) -> Iterator[None]:
    """Closes what a reader would have, if there is an error before there is a reader."""
    with ExitStack() as stack:
        stack.enter_context(closing(owner))
        yield
        stack.pop_all()


def duckdb_connection(place: str, reads: bool = False) -> Any:
    """A connection to a database. A name in SQL is not that of a variable of Python."""
    import duckdb

    return duckdb.connect(place, read_only=reads, config={"python_enable_replacements": False})


def duckdb_has(connection: Any, name: Sequence[str]) -> bool:
    """Whether there is a table or a view of that name. DuckDB would also take it for that of a file."""
    where = {
        1: "table_schema = current_schema()",
        2: "(lower(table_schema) = lower($2) or lower(table_catalog) = lower($2))",
        3: "lower(table_schema) = lower($2) and lower(table_catalog) = lower($3)",
    }
    if len(name) not in where:
        return False
    query = f"select 1 from information_schema.tables where lower(table_name) = lower($1) and {where[len(name)]}"
    return bool(connection.execute(query, list(reversed(name))).fetchall())


def _duckdb_of(place: str) -> Any:
    """A connection that reads. A database that this process writes to has one kind of connections."""
    import duckdb

    if not place:
        return duckdb_connection("")
    try:
        return duckdb_connection(_database(place, "duckdb:"), reads=True)
    except duckdb.ConnectionException:
        return duckdb_connection(place)


def _of_duckdb(address: str, names: Sequence[str], optional: int) -> Any:
    place, source = address_of(address, "duckdb:")
    _, what, table = parts_of(address)
    connection = _duckdb_of(place)
    with _closed_on_error(connection):
        if what == "table" and not duckdb_has(connection, table.split(".")):
            raise ValueError(f"the table {table} does not exist")
        there = connection.sql(f"select * from {source}").columns
        found = connection.sql(_selection(source, names, optional, there))
        read = getattr(found, "to_arrow_reader", None) or found.fetch_record_batch  # as it was called before
        return _held(read(BATCH), connection)


def _type_of_sqlite(pyarrow: Any, types: set[str]) -> Any:
    """The type of a column that has values of these types, as SQLite calls them. akin refuses blobs that it wants."""
    if "blob" in types:
        return pyarrow.binary()
    if not types or "text" in types:
        return pyarrow.string()
    return pyarrow.float64() if "real" in types else pyarrow.int64()


def _array_of_sqlite(pyarrow: Any, values: Sequence[Any], field: Any) -> Any:
    try:
        return pyarrow.array(values, field.type)
    except pyarrow.ArrowInvalid as error:  # a column with fractions has a whole number that no double is
        raise ValueError(f"column {field.name}: {error}; a query can cast it to text") from None


def _batches_of_sqlite(connection: Any, cursor: Any, schema: Any) -> Iterator[Any]:
    import pyarrow

    with closing(connection):
        while rows := cursor.fetchmany(BATCH):
            columns = zip(zip(*rows, strict=True), schema, strict=True)
            yield pyarrow.record_batch([_array_of_sqlite(pyarrow, *each) for each in columns], schema=schema)


def _of_sqlite(address: str, names: Sequence[str], optional: int) -> Any:
    """The values of a column of SQLite may be of any types. So a first pass finds these, and a second one, which sees
    the same state of the database, reads the values."""
    import pathlib
    import sqlite3

    import pyarrow

    def names_of(query: str) -> list[str]:
        return [each[0] for each in connection.execute(f"{query} limit 0").description]

    def type_of(types: str | None) -> Any:
        return _type_of_sqlite(pyarrow, set(types.split(",")) if types else set())

    place, source = address_of(address, "sqlite:")
    path = pathlib.Path(_database(place, "sqlite:")).absolute().as_uri()
    connection = sqlite3.connect(f"{path}?mode=ro", uri=True, check_same_thread=False)
    with _closed_on_error(connection):
        connection.execute("begin")
        chosen = names_of(_selection(source, names, optional, names_of(f"select * from {source}")))
        found = ", ".join(f"group_concat(distinct nullif(typeof({quoted(name)}), 'null'))" for name in chosen)
        types = map(type_of, connection.execute(f"select {found} from {source}").fetchone())
        schema = pyarrow.schema([*zip(chosen, types, strict=True)])
        as_text = {name for name, type in zip(chosen, schema.types, strict=True) if type == pyarrow.string()}
        read = ", ".join(f"cast({quoted(name)} as text)" if name in as_text else quoted(name) for name in chosen)
        cursor = connection.execute(f"select {read} from {source}")
        return pyarrow.RecordBatchReader.from_batches(schema, _batches_of_sqlite(connection, cursor, schema))


def _of_postgresql(address: str, names: Sequence[str], optional: int) -> Any:
    from adbc_driver_postgresql import dbapi

    place, source = address_of(address)
    connection = dbapi.connect(place)
    with _closed_on_error(connection):
        cursor = connection.cursor()
        with _closed_on_error(cursor):
            cursor.execute(f"select * from {source} limit 0")
            there = [each[0] for each in cursor.description]
            cursor.execute(_selection(source, names, optional, there))
            return _held(cursor.fetch_record_batch(), cursor, connection)


OPENERS: dict[str, Opener] = {
    "parquet": Opener(("pyarrow",), "parquet", _of_parquet),
    "arrow": Opener(("pyarrow",), "parquet", _of_arrow),
    "duckdb": Opener(("duckdb", "pyarrow"), "databases", _of_duckdb),
    "sqlite": Opener(("pyarrow",), "databases", _of_sqlite),
    "postgresql": Opener(("adbc_driver_postgresql", "pyarrow"), "databases", _of_postgresql),
}


def is_opened(path: str) -> bool:
    """Whether a path or an address is of a table that another library reads."""
    return _akin.format_of_name(path) in OPENERS


def said_of(path: str, text: str) -> str:
    """What another library says, without the password of the address, which it may repeat."""
    from urllib.parse import unquote

    shown = _akin.shown_address(path)
    if shown == path:
        return text
    start = len(os.path.commonprefix([path, shown]))
    host = shown[start:].partition("?")[0]  # it follows the password
    secrets = [path[start : path.find(host, start)].removeprefix(":"), *re.findall("(?<==)[^&]+", path[start:])]
    parts = [part for secret in secrets for part in (secret, *re.split("[@/:?#]", secret))]
    hidden = {form for part in parts if part not in shown for form in (part, unquote(part))}
    for form in sorted(hidden - {""}, key=len, reverse=True):
        text = text.replace(form, "***")
    return text


def install(row: Any) -> str:
    """The command that installs what a row of OPENERS or SAVERS needs."""
    return f"pip install 'libakin[{row.extra}]'"


def check_modules(row: Any, path: str, work: str) -> None:
    """Names the module that a row of OPENERS or SAVERS lacks for its work, such as "reading parquet"."""
    for module in row.modules:
        try:
            importlib.import_module(module)
        except ImportError:
            raise ImportError(f"{_akin.shown_address(path)}: {work} needs {module}: {install(row)}") from None


def open_table(path: str, format: str, names: Sequence[str], optional: int = 0) -> Any:
    """What has an Arrow stream of a table, of these columns at least. Errors of the library that reads it stay."""
    opener = OPENERS[format]
    check_modules(opener, path, f"reading {format}")
    return opener.open(path, names, optional)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Around the reading of such a table: errors name it."""
    try:
        yield
    except (OSError, ImportError, MemoryError):
        raise
    except Error as error:
        error.args = (f"{_akin.shown_address(path)}: {said_of(path, str(error))}", *error.args[1:])
        raise
    except Exception as error:
        raise InputError(f"{_akin.shown_address(path)}: {said_of(path, str(error))}") from None


@contextmanager
def naming_store(path: str) -> Iterator[None]:
    """Around the reading of a file that libakin may find in a store: errors have no password of its address."""
    try:
        yield
    except Error as error:
        text = str(error).replace(path, _akin.shown_address(path))
        error.args = (said_of(path, text), *error.args[1:])
        raise


# ---------------------------------------------------------------------------------------------------------- the command


# Tables of databases that have been read and may be wanted again, by their addresses without passwords: temporary
# files of Arrow. A query may give its rows in another order the next time.
_kept: dict[str, Any] = {}


def _keeping(path: str, reader: Any, names: Sequence[str], optional: int) -> Any:
    """A reader of the wanted columns that keeps all of them for :func:`again`."""
    import tempfile

    import pyarrow

    def batches() -> Iterator[Any]:
        with pyarrow.ipc.new_stream(pyarrow.PythonFile(file, "w"), reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
                yield batch.select(columns)

    there = reader.schema.names
    columns = wanted_of(names, optional, there) or there
    file = _kept[_akin.shown_address(path)] = tempfile.TemporaryFile()
    schema = pyarrow.schema([reader.schema.field(name) for name in columns])
    return pyarrow.RecordBatchReader.from_batches(schema, batches())


def again(path: str, format: str) -> Any:
    """What has the batches of a table that was opened to be kept, with all columns, in the same order."""
    import pyarrow

    file = _kept.get(_akin.shown_address(path))
    if file is None:
        return open_table(path, format, ())
    file.seek(0)
    return pyarrow.ipc.open_stream(file)


def open_stream(format: str, path: str, names: tuple[str, ...], optional: int, keeps: bool = False) -> object:
    """The capsule of an Arrow stream, for the command. The text of any exception names the table."""
    try:
        is_file = OPENERS[format].open in (_of_parquet, _of_arrow)
        if not keeps or is_file:
            return open_table(path, format, names, optional).__arrow_c_stream__()
        reader = open_table(path, format, (), 0)
        return _keeping(path, reader, names, optional).__arrow_c_stream__()
    except (ImportError, MemoryError):
        raise
    except OSError as error:
        name = error.filename or _akin.shown_address(path)
        raise InputError(f"{name}: cannot be opened: {why_of(path, error)}") from None
    except Exception as error:
        raise InputError(f"{_akin.shown_address(path)}: {why_of(path, error)}") from None


def describe(format: str) -> str:
    """What reads and writes a format, with its version, or else how to install it."""
    from importlib.metadata import PackageNotFoundError, version  # which takes long to import

    opener = OPENERS[format]
    found = []
    for module in opener.modules:
        try:
            found.append(f"{module} {version(module)}")
        except PackageNotFoundError:
            return f"neither read nor written without {module}: {install(opener)}"
    return f"read and written by {', '.join(found)}"
