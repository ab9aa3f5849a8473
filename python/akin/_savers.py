"""Tables that other libraries write: files of Parquet and Arrow, and databases. The mirror of :mod:`akin._openers`.
Each is written batch by batch, and appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple, Protocol

from . import _akin
from ._akin import OptionError
from ._openers import again, check_modules, duckdb_connection, duckdb_has, parts_of, quoted
from ._settings import here, settings
from ._stores import Upload, is_in_store, unused_name, why_of

BLOCK = 4 << 20  # bytes of lines that become a batch


class Target(Protocol):
    """What batches are written to, in this order."""

    def begin(self, schema: Any) -> None: ...
    def write(self, batch: Any) -> None: ...
    def finish(self) -> None:
        """Writes the rest. Only a last step is missing, which seldom fails."""

    def commit(self) -> None: ...
    def close(self) -> None:
        """Ends the writing in any case. What is not committed goes away."""


def _decoded(schema: Any) -> Any:
    """A schema in which dictionary columns have the type of their values. Each batch may have a dictionary of its own,
    and neither Arrow's files nor databases have several."""
    import pyarrow

    def decoded(field: Any) -> Any:
        return field.with_type(field.type.value_type) if pyarrow.types.is_dictionary(field.type) else field

    return pyarrow.schema(map(decoded, schema), metadata=schema.metadata)


# ---------------------------------------------------------------------------------------------------------------- files


class _File:
    """A file, whose name and whose end are the caller's."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.writer: Any = None

    def begin(self, schema: Any) -> None:
        self.writer = self.make(schema)

    def make(self, schema: Any) -> Any:
        raise NotImplementedError

    def write(self, batch: Any) -> None:
        self.writer.write_batch(batch)

    def finish(self) -> None:
        self.writer.close()
        self.file.flush()

    def commit(self) -> None:
        pass

    def close(self) -> None:
        with suppress(Exception):  # the file goes away, unless it is finished
            if self.writer:
                self.writer.close()
        self.file.close()


class _Parquet(_File):
    def make(self, schema: Any) -> Any:
        from pyarrow import parquet

        return parquet.ParquetWriter(self.file, schema)


class _Arrow(_File):
    def make(self, schema: Any) -> Any:
        from pyarrow import Codec, ipc

        compression = "lz4" if Codec.is_available("lz4") else None
        self.schema = _decoded(schema)
        return ipc.new_file(self.file, self.schema, options=ipc.IpcWriteOptions(compression=compression))

    def write(self, batch: Any) -> None:
        super().write(batch.cast(self.schema) if batch.schema != self.schema else batch)


class _Sent:
    """A file of a store of objects."""

    def __init__(self, kind: type[_File], upload: Upload) -> None:
        self.upload, self.target = upload, kind(upload.file)

    def begin(self, schema: Any) -> None:
        self.target.begin(schema)

    def write(self, batch: Any) -> None:
        self.target.write(batch)

    def finish(self) -> None:
        self.target.finish()
        self.upload.send()

    def commit(self) -> None:
        self.upload.publish()

    def close(self) -> None:
        self.target.close()
        self.upload.close()


# ------------------------------------------------------------------------------------------------------------ databases


class Database:
    """A database, to which several tables may be written in one transaction."""

    is_file = True  # the place is a path
    def __init__(self, place: str) -> None:
        self.place = place
        self.names: set[tuple[str, ...]] = set()  # of tables that are written
        self.unfinished: set[tuple[str, ...]] = set()
        self.began = self.committed = False
        self.connection = self.connect()

    def connect(self) -> Any:
        raise NotImplementedError

    def has(self, name: tuple[str, ...]) -> bool:
        """Whether there is a table of that name."""
        raise NotImplementedError

    def begin(self) -> None:
        """Begins the transaction."""

    def create(self, name: tuple[str, ...], schema: Any) -> Any:
        """Creates a table, and returns what further batches are cast to."""
        raise NotImplementedError

    def insert(self, name: tuple[str, ...], batch: Any) -> None:
        raise NotImplementedError

    def finish(self, name: tuple[str, ...], replaces: bool) -> None:
        """Gives the table its name, if it has another one so far."""

    def end(self) -> None:
        """Closes the connection."""
        self.connection.close()


def _sql(name: tuple[str, ...]) -> str:
    return ".".join(map(quoted, name))


class _Table:
    """A table of a database."""

    def __init__(self, kind: type[Database], place: str, name: tuple[str, ...], replaces: bool, how: str) -> None:
        self.name, self.replaces = name, replaces
        key = (kind.__name__, os.path.realpath(place) if kind.is_file else place)
        known = _open.get(key)
        if known and name in known.names:
            raise OptionError("would be written twice")
        self.database = known or kind(place)
        self.key, self.schema = key, None
        with ExitStack() as stack:
            if not known:
                stack.callback(self.database.end)
            if not replaces and self.database.has(name):
                where = ".".join(name)
                raise OptionError(f"the table {where} is there: name another one, or let it be replaced by {how}")
            stack.pop_all()
        _open[key] = self.database
        self.database.names.add(name)
        self.database.unfinished.add(name)

    def begin(self, schema: Any) -> None:
        if not self.database.began:
            self.database.begin()
            self.database.began = True
        self.schema = self.database.create(self.name, _decoded(schema))

    def write(self, batch: Any) -> None:
        if batch.num_rows:
            self.database.insert(self.name, batch.cast(self.schema) if batch.schema != self.schema else batch)

    def finish(self) -> None:
        self.database.finish(self.name, self.replaces)
        self.database.unfinished.discard(self.name)

    def commit(self) -> None:
        """Commits all tables of the database, which are finished together."""
        if self.database.unfinished:
            raise RuntimeError("another table of the database is still being written")
        if not self.database.committed:
            self.database.connection.commit()
            self.database.committed = True

    def close(self) -> None:
        database = self.database
        database.names.discard(self.name)
        database.unfinished.discard(self.name)
        if not database.names and self.key in _open:
            del _open[self.key]
            database.end()


_open: dict[tuple[str, str], Database] = {}  # that are written to


def _is_new(place: str) -> bool:
    """Whether a database makes a file of its own. Its folder must be there, and a file must be one to write to."""
    if not place:
        raise OptionError("expected the name of a file")
    if os.path.exists(place):
        if not os.access(place, os.W_OK) or os.path.isdir(place):
            raise PermissionError(13, os.strerror(13), place)
        return False
    folder = os.path.dirname(place) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(2, os.strerror(2), folder)
    return True


class _DuckDB(Database):
    def connect(self) -> Any:
        self.is_new = _is_new(self.place)
        return duckdb_connection(self.place)

    def has(self, name: tuple[str, ...]) -> bool:
        return duckdb_has(self.connection, name)

    def begin(self) -> None:
        self.connection.begin()

    def create(self, name: tuple[str, ...], schema: Any) -> Any:
        self.connection.execute(f"drop table if exists {_sql(name)}")
        self._run(f"create table {_sql(name)} as", schema.empty_table())
        return schema

    def insert(self, name: tuple[str, ...], batch: Any) -> None:
        self._run(f"insert into {_sql(name)}", batch)

    def _run(self, statement: str, rows: Any) -> None:
        """Runs a statement about rows, which have a name that nothing else has."""
        name = unused_name("akin_")
        self.connection.register(name, rows)
        self.connection.execute(f"{statement} from {name}")
        self.connection.unregister(name)

    def end(self) -> None:
        self.connection.close()
        if self.is_new and not self.committed:
            for path in (self.place, f"{self.place}.wal"):
                with suppress(OSError):
                    os.unlink(path)


class _SQLite(Database):
    """Rows are gathered in a database of its own, which is a temporary file. So the other one is locked for the time of
    copying them, and can be read until then."""

    def connect(self) -> Any:
        import sqlite3

        self.is_new = _is_new(self.place)
        connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        if not self.is_new:
            self._attach(connection)
        return connection

    def _attach(self, connection: Any) -> None:
        connection.execute("attach ? as target", (os.path.abspath(self.place),))
        connection.execute("select count(*) from target.sqlite_master")  # it is a database
        self.attached = True

    attached = False

    def _there(self, name: tuple[str, ...]) -> str:
        return f"target.{quoted(name[-1])}"

    def has(self, name: tuple[str, ...]) -> bool:
        if len(name) > 1 and name[:-1] != ("main",):
            raise OptionError(f"expected the name of a table, not {'.'.join(name)}")
        if self.is_new:
            return False
        query = "select 1 from target.sqlite_master where type in ('table', 'view') and lower(name) = lower(?)"
        return self.connection.execute(query, name[-1:]).fetchone() is not None

    def create(self, name: tuple[str, ...], schema: Any) -> Any:
        self.columns = getattr(self, "columns", {})
        self.columns[name] = ", ".join(
            f"{quoted(field.name)} {_type_of_sqlite(field.name, field.type)}" for field in schema
        )
        self.connection.execute(f"create table main.{quoted(name[-1])} ({self.columns[name]})")
        return schema

    def insert(self, name: tuple[str, ...], batch: Any) -> None:
        import pyarrow

        def values_of(column: Any) -> Any:
            is_text = pyarrow.types.is_temporal(column.type) or pyarrow.types.is_decimal(column.type)
            return (column.cast(pyarrow.string()) if is_text else column).to_pylist()

        places = ", ".join("?" * batch.num_columns)
        rows = zip(*map(values_of, batch.columns), strict=True)
        begins = not self.connection.in_transaction  # another table may be finished already
        if begins:
            self.connection.execute("begin")
        self.connection.executemany(f"insert into main.{quoted(name[-1])} values ({places})", rows)
        if begins:
            self.connection.execute("commit")

    def finish(self, name: tuple[str, ...], replaces: bool) -> None:
        there = self._there(name)
        if not self.attached:
            self._attach(self.connection)
        if not self.connection.in_transaction:
            self.connection.execute("begin immediate")
        if replaces:
            self.connection.execute(f"drop table if exists {there}")
        self.connection.execute(f"create table {there} ({self.columns[name]})")
        self.connection.execute(f"insert into {there} select * from main.{quoted(name[-1])}")

    def end(self) -> None:
        if self.connection.in_transaction:
            self.connection.rollback()
        self.connection.close()
        if self.is_new and not self.committed:
            with suppress(OSError):
                os.unlink(self.place)


def _type_of_sqlite(name: str, type: Any) -> str:
    """What SQLite calls a type. Decimals are text there: as numbers they would lose digits."""
    from pyarrow import types

    for is_one, called in (
        (types.is_boolean, "boolean"), (types.is_integer, "integer"), (types.is_floating, "real"),
        (types.is_decimal, "decimal_text"), (types.is_date, "date"), (types.is_time, "time"),
        (types.is_temporal, "timestamp"), (types.is_null, "text"),
        (types.is_string, "text"), (types.is_large_string, "text"), (types.is_binary, "blob"),
        (types.is_large_binary, "blob"),
    ):  # fmt: skip
        if is_one(type):
            return called
    raise OptionError(f"column '{name}': SQLite has no type for {type}")


class _PostgreSQL(Database):
    """The table has a name of its own until it is finished, so that one that it replaces can be read until then."""

    is_file = False

    def connect(self) -> Any:
        from adbc_driver_postgresql import dbapi

        self.beside: dict[tuple[str, ...], tuple[str, ...]] = {}
        return dbapi.connect(self.place)

    def _execute(self, *words: Any) -> Any:
        with self.connection.cursor() as cursor:
            cursor.execute(*words)
            return cursor.fetchone() if cursor.description else None

    def has(self, name: tuple[str, ...]) -> bool:
        there = self._execute("select to_regclass($1)::text", (_sql(name),))[0] is not None
        self.connection.rollback()  # no transaction is open while a job works
        return there

    def create(self, name: tuple[str, ...], schema: Any) -> Any:
        fitted = _types_of_postgresql(schema)
        self.beside[name] = (*name[:-1], unused_name("akin_"))
        self._ingest(name, fitted.empty_table(), "create")
        return fitted

    def insert(self, name: tuple[str, ...], batch: Any) -> None:
        self._ingest(name, batch, "append")

    def _ingest(self, name: tuple[str, ...], rows: Any, mode: str) -> None:
        *schema, table = self.beside[name]
        with self.connection.cursor() as cursor:
            cursor.adbc_ingest(table, rows, mode=mode, **({"db_schema_name": schema[-1]} if schema else {}))

    def finish(self, name: tuple[str, ...], replaces: bool) -> None:
        if replaces:
            self._execute(f"drop table if exists {_sql(name)}")
        self._execute(f"alter table {_sql(self.beside[name])} rename to {quoted(name[-1])}")

    def end(self) -> None:
        if not self.committed:
            with suppress(Exception):
                self.connection.rollback()
        self.connection.close()


def _types_of_postgresql(schema: Any) -> Any:
    """A schema with the types that PostgreSQL has: no unsigned numbers, and times in microseconds."""
    import pyarrow
    from pyarrow import types

    def fitted(type: Any) -> Any:
        if types.is_unsigned_integer(type):
            return pyarrow.int64()
        if types.is_int8(type):
            return pyarrow.int16()
        if types.is_timestamp(type):
            return pyarrow.timestamp("us", type.tz)
        if types.is_date64(type):
            return pyarrow.date32()
        return pyarrow.string() if types.is_null(type) else type

    return pyarrow.schema([(field.name, fitted(field.type)) for field in schema])


def _place_of(address: str, scheme: str) -> tuple[str, tuple[str, ...]]:
    """The place of a database, and the name of the table, which stands at the end of the address."""
    place, what, value = parts_of(address)
    if what != "table" or not value:
        raise OptionError("expected ?table=NAME at the end of the address: that is where results are written")
    return place.removeprefix(scheme), tuple(value.split("."))


# -------------------------------------------------------------------------------------------------------------- savers


class Saver(NamedTuple):
    """What writes a format of the table "opened-formats": a row of :data:`SAVERS`."""

    modules: tuple[str, ...]  # that write it,
    extra: str  # and what installs them: libakin[extra]
    file: type[_File] | None  # a file, or else a database,
    database: type[Database] | None = None
    scheme: str = ""  # whose place has not this at its beginning


SAVERS: dict[str, Saver] = {
    "parquet": Saver(("pyarrow",), "parquet", _Parquet),
    "arrow": Saver(("pyarrow",), "parquet", _Arrow),
    "duckdb": Saver(("duckdb", "pyarrow"), "databases", None, _DuckDB, "duckdb:"),
    "sqlite": Saver(("pyarrow",), "databases", None, _SQLite, "sqlite:"),
    "postgresql": Saver(("adbc_driver_postgresql", "pyarrow"), "databases", None, _PostgreSQL),
}


def _target_of(path: str, format: str, file: Any, replaces: bool, how: str) -> Target:
    """What batches are written to. ``how`` lets a table be replaced."""
    saver = SAVERS[format]
    if saver.file and is_in_store(path):
        return _Sent(saver.file, Upload(path))
    if saver.file:
        return saver.file(file)
    assert saver.database
    place, name = _place_of(path, saver.scheme)
    return _Table(saver.database, place, name, replaces, how)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Around the writing of such a table: errors name it, without its password."""
    name = _akin.shown_address(path)
    try:
        yield
    except (ImportError, MemoryError):
        raise
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None
    except Exception as error:
        raise OSError(f"{name}: cannot be written: {why_of(path, error)}") from None


# ---------------------------------------------------------------------------------------------------------- functions


class _Gathered:
    """A file whose bytes are taken from it, piece by piece."""

    closed = False

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, data: Any) -> int:
        self.pieces.append(bytes(data))
        return len(self.pieces[-1])

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def take(self) -> bytes:
        taken, self.pieces = b"".join(self.pieces), []
        return taken


def _pieces(kind: type[_File], reader: Any) -> Iterator[bytes]:
    file = _Gathered()
    target = kind(file)
    target.begin(reader.schema)
    for batch in reader:
        target.write(batch)
        yield file.take()
    target.finish()
    yield file.take()


def save(path: str, format: str, table: Any, replace: bool = False) -> None:
    """Writes what has an Arrow stream to a path or an address, as the command does."""
    check_modules(SAVERS[format], path, f"writing {format}")
    import pyarrow

    reader = pyarrow.RecordBatchReader.from_stream(table)
    if (kind := SAVERS[format].file) and not is_in_store(path):
        _akin.write_file(here(settings()), path, _pieces(kind, reader))
        return
    with naming(path):
        target = _target_of(path, format, None, replace, "replace=True")
        try:
            target.begin(reader.schema)
            for batch in reader:
                target.write(batch)
            target.finish()
            target.commit()
        finally:
            target.close()


def _chosen(reader: Any, mask: Any, path: str) -> Iterator[Any]:
    """The batches of the rows that have a bit."""
    row = 0
    for batch in reader:
        bits = mask.slice(row, batch.num_rows)
        yield batch.filter(bits) if row + batch.num_rows <= len(mask) and bits.true_count < len(bits) else batch
        row += batch.num_rows
    if row != len(mask):
        raise OptionError(f"{_akin.shown_address(path)} has changed while it was read")


def _with_texts(reader: Any, column: str, texts: Callable[[int, int], list[str | None]]) -> Iterator[Any]:
    """The batches with other texts in a column; a row whose text is None keeps its own."""
    import pyarrow
    from pyarrow import compute, types

    place = reader.schema.get_field_index(column)
    if place < 0:
        raise OptionError(f"has no column {column!r}, or several")
    given = reader.schema.field(place).type
    type = given.value_type if types.is_dictionary(given) else given
    if not (types.is_string(type) or types.is_large_string(type) or types.is_string_view(type)):
        raise OptionError(f"column {column!r}: passages are cut out of text, and its type is {given}")
    row = 0
    for batch in reader:
        others = pyarrow.array(texts(row, batch.num_rows), pyarrow.large_string())
        row += batch.num_rows
        if others.null_count < len(others):
            own = batch.column(place).cast(type).cast(pyarrow.large_string())
            made = compute.if_else(others.is_valid(), others, own).cast(type)
            columns = [*batch.columns]
            columns[place] = made if type == given else made.dictionary_encode().cast(given)
            batch = pyarrow.RecordBatch.from_arrays(columns, schema=batch.schema)
        yield batch


def copy_rows(path: str, to: str, format: str, kept: Sequence[bool]) -> None:
    """Copies rows of a file that another library reads, with all columns."""
    import pyarrow

    of = _akin.format_of_name(path) or ""
    if not SAVERS[of].file:  # a query may give its rows in another order the next time
        raise OptionError(f"{_akin.shown_address(path)}: records of databases are copied by the command akin alone")
    reader = pyarrow.RecordBatchReader.from_stream(again(path, of))
    batches = _chosen(reader, pyarrow.array(kept, pyarrow.bool_()), path)
    save(to, format, pyarrow.RecordBatchReader.from_batches(reader.schema, batches))


# ---------------------------------------------------------------------------------------------------------- the command

_TYPES = {
    "n": "null", "b": "bool_", "c": "int8", "C": "uint8", "s": "int16", "S": "uint16", "i": "int32", "I": "uint32",
    "l": "int64", "L": "uint64", "f": "float32", "g": "float64", "tdD": "date32", "tdm": "date64",
}  # fmt: skip
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


def type_of(format: str) -> Any:
    """The type that Arrow's notation means; of all kinds of text the same."""
    import pyarrow

    if format.startswith("ts"):
        return pyarrow.timestamp(_UNITS[format[2]], format[4:] or None)
    if format.startswith("tt"):
        return (pyarrow.time32 if format[2] in "sm" else pyarrow.time64)(_UNITS[format[2]])
    if format.startswith("d:"):
        precision, scale, *bits = map(int, format[2:].split(","))
        return getattr(pyarrow, f"decimal{bits[0] if bits else 128}")(precision, scale)
    return getattr(pyarrow, _TYPES.get(format, "string"))()


def _is_cast(type: Any) -> bool:
    """Whether pyarrow's reader of CSV lacks a type, so that akin casts text to it."""
    from pyarrow import types

    return bool(types.is_decimal(type) and not types.is_decimal128(type))


def of_text(column: Any, type: Any) -> Any:
    """A column of text as one of a type."""
    import pyarrow
    from pyarrow import compute

    if pyarrow.types.is_time(type):  # pyarrow cannot cast text to times
        moments = compute.binary_join_element_wise("1970-01-01T", column.cast("string"), "")
        column = moments.cast(pyarrow.timestamp(type.unit))
    return column.cast(type)


class _Lines:
    """Lines of CSV, which become batches. Memory holds a block of them."""

    def __init__(self, columns: Sequence[tuple[str, str]]) -> None:
        import pyarrow
        from pyarrow import csv

        self.schema = pyarrow.schema([(name, type_of(format)) for name, format in columns])
        self.rest: list[bytes] = []  # that are no batch yet
        self.length = 0
        names = [str(place) for place in range(len(columns))]  # each its own, whatever columns are called
        parsed = [pyarrow.string() if _is_cast(type) else type for type in self.schema.types]
        self.parsing = csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
        self.converting = csv.ConvertOptions(
            column_types=dict(zip(names, parsed, strict=True)), null_values=[""],
            strings_can_be_null=True, quoted_strings_can_be_null=False,
        )  # fmt: skip
        self.names = names

    def add(self, data: bytes) -> Iterator[Any]:
        self.rest.append(data)
        self.length += len(data)
        if self.length >= BLOCK:
            yield from self.take()

    def take(self, all: bool = False) -> Iterator[Any]:
        """The whole lines so far. A line ends at a line feed that an even number of quotes stands before."""
        block = b"".join(self.rest)
        end = len(block) if all else block.rfind(b"\n") + 1
        is_odd = block.count(b'"', 0, end) % 2
        while end and is_odd:
            before = block.rfind(b"\n", 0, end - 1) + 1
            is_odd = (is_odd + block.count(b'"', before, end)) % 2
            end = before
        self.rest = [block[end:]]
        self.length = len(block) - end
        if end:
            yield from self.parse(block[:end])

    def parse(self, block: bytes) -> Iterator[Any]:
        import pyarrow
        from pyarrow import csv

        reading = csv.ReadOptions(column_names=self.names, block_size=len(block) + 1, use_threads=False)
        table = csv.read_csv(pyarrow.BufferReader(block), reading, self.parsing, self.converting)
        yield from table.rename_columns(self.schema.names).cast(self.schema).to_batches()


class Saved:
    """A table that the command writes: the functions of an akin_saver."""

    def __init__(self, format: str, path: str, descriptor: int, replaces: bool) -> None:
        self.path = path
        self.lines: _Lines | None = None
        with naming(path):
            check_modules(SAVERS[format], path, f"writing {format}")
            file = os.fdopen(os.dup(descriptor), "wb") if descriptor >= 0 else None
            self.target = _target_of(path, format, file, replaces, "--replace")

    def begin(self, columns: Sequence[tuple[str, str]]) -> None:
        with naming(self.path):
            self.lines = _Lines(columns)
            self.target.begin(self.lines.schema)

    def write(self, data: bytes) -> None:
        with naming(self.path):
            assert self.lines
            for batch in self.lines.add(data):
                self.target.write(batch)

    def copy(
        self, format: str, path: str, kept: bytes, rows: int, column: str | None = None,
        texts: Callable[[int, int], list[str | None]] | None = None,
    ) -> None:
        """Writes rows of a table that was opened, those that have a bit, perhaps with other texts in a column."""
        import pyarrow

        mask = pyarrow.Array.from_buffers(pyarrow.bool_(), rows, [None, pyarrow.py_buffer(kept)])
        with naming(self.path):
            reader = again(path, format)
            self.target.begin(reader.schema)
            batches = _with_texts(reader, column, texts) if column is not None and texts else reader
            for batch in _chosen(batches, mask, path):
                self.target.write(batch)

    def finish(self) -> None:
        with naming(self.path):
            for batch in self.lines.take(all=True) if self.lines else ():
                self.target.write(batch)
            self.target.finish()

    def commit(self) -> None:
        with naming(self.path):
            self.target.commit()

    def discard(self) -> None:
        with suppress(Exception):
            self.target.close()
