"""The jobs of a cluster, over an engine: what all of them have in common.

A job is a few steps, each a map over the batches of a frame, or an exchange that brings rows of one place together::

    join        map: sizes of rows --> exchange by id --> map: are ids unique? histogram --> tiling, by the driver
                map: rows to the tiles of their blocks --> exchange by tile --> map: akin.join
    components  map: akin.forest --> exchange into fewer places --> map: akin.forest --> ... until one place is left

What a task does is an object with ``__call__``, which is sent to the task; the modules of akin must be installed there.
"""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from . import parts
from ._akin import InputError, OptionError
from ._rules import Sides
from ._sizes import sizes

Outer = TypeVar("Outer")
Frame = TypeVar("Frame")
Result = TypeVar("Result")
Batches = Iterable[pa.RecordBatch]
Step = Callable[[Batches], Iterator[pa.RecordBatch]]

#: The column of an exchange: rows with the same number meet in one task.
PLACE = "__akin_place__"
TEXT = "text_"  # and a number: the columns of text that travel
ROWS_OF_BATCH = 2**16
BYTES_OF_BATCH = 2**28  # of text, in a batch that is sent
BYTES_OF_TILE = 2**28  # that a tile receives, unless the caller says otherwise
#: The arguments of a task that runs a job of one machine.
RUNNING = ("memory", "device_memory")


class Engine(Protocol[Outer, Frame]):
    """What a job needs of a cluster. Frames are lazy or not, as the engine likes. ``Outer`` is the type of a frame for
    the user."""

    def take(self, frame: Outer) -> Frame:
        """Makes a frame of what the user gives."""

    def give(self, frame: Frame) -> Outer:
        """Makes what the user gets of a frame."""

    def columns(self, frame: Frame) -> list[str]:
        """The names of the columns of a frame."""

    def schema(self, frame: Frame) -> pa.Schema:
        """The columns of a frame, as its batches have them."""

    def select(self, frame: Frame, names: Sequence[tuple[str, str]]) -> Frame:
        """Some columns of a frame, each by its name there and its new name."""

    def map(self, frame: Frame, step: Step, schema: pa.Schema) -> Frame:
        """The batches that a step makes of those of each part of a frame."""

    def exchange(self, frame: Frame, places: int) -> Frame:
        """The same rows. Those with the same number in the column ``place``, 0 to places - 1, are in one part. An
        engine should give each number a part of its own."""

    def union(self, frames: Sequence[Frame]) -> Frame:
        """The rows of frames that have the same columns."""

    def table(self, frame: Frame) -> pa.Table:
        """The rows of a small frame, for the driver."""

    def slots(self, frame: Frame) -> int:
        """How many tasks the cluster runs at a time, as far as the engine knows."""

    def places(self, frame: Frame) -> int:
        """Over how many parts an exchange of the whole frame spreads it."""

    def settings(self) -> Callable[[], dict[str, Any]]:
        """A function that returns, in a task, its arguments ``threads`` and ``device``."""


# ---------------------------------------------------------------------------------------------------------- tasks


def large_of(schema: pa.Schema) -> pa.Schema:
    """The same columns, with offsets of 64 bits: a task may hold more than 2 GiB of text."""
    types = {pa.string(): pa.large_string()}
    return pa.schema([field.with_type(types.get(field.type, field.type)) for field in schema])


def rows_of(batches: Batches) -> pa.Table | None:
    """All rows that a task receives; None: there are none."""
    held = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(held).cast(large_of(held[0].schema)) if held else None


def places_of(batches: Batches) -> Iterator[tuple[int, pa.Table]]:
    """The rows of each place that a task receives, in the order of places."""
    rows = rows_of(batches)
    if rows is None:
        return
    for place in sorted(pc.unique(rows[PLACE]).to_pylist()):
        yield place, rows.filter(pc.equal(rows[PLACE], place))


def split_sides(rows: pa.Table, is_one: bool) -> tuple[pa.Table, pa.Table | None]:
    """The left rows and the right ones; all rows and None if they meet themselves."""
    if is_one:
        return rows, None
    is_right = pc.equal(rows["side"], 1)
    return rows.filter(pc.invert(is_right)), rows.filter(is_right)


def batches_of(table: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """A result, in batches that every engine can send."""
    for at in range(0, len(table), ROWS_OF_BATCH):
        yield from table.slice(at, ROWS_OF_BATCH).cast(schema).to_batches()


TILES = "a larger number for tiles=, or a smaller one for bytes=, gives each task fewer rows"
PARTS = "more parts of the table give each task fewer rows"


@contextlib.contextmanager
def advising_on_memory(advice: str = TILES) -> Iterator[None]:
    """Adds to a MemoryError of a task what the caller of the job can do."""
    try:
        yield
    except MemoryError as error:
        raise MemoryError(f"memory does not suffice for the rows of a task: {advice}. {error}") from error


def on_device(run: dict[str, Any], call: Callable[[dict[str, Any]], Result]) -> Result:
    """Calls with the settings of a task. What the GPU of the task cannot do at all, the CPU does."""
    try:
        return call(run)
    except OptionError:
        if run.get("device", "cpu") == "cpu":
            raise
        return call({**run, "device": "cpu"})


def cast_of(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The columns of a schema, with its types: texts may come as dictionaries, or with offsets of 64 bits."""
    columns = [pc.cast(batch.column(field.name), field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def sizes_of(batch: pa.RecordBatch, how: dict[str, Any] | None) -> Sequence[int]:
    """The size of each row, by its columns of text; ``how`` None: 1."""
    if how is None:
        return [1] * batch.num_rows
    names = [name for name in batch.schema.names if name.startswith(TEXT)]
    texts = pa.table({name: batch.column(name) for name in names})
    held: Any = sizes(texts, names, threads=1, device="cpu", **how).buffer("size")
    return memoryview(held).tolist()


def bytes_of(batch: pa.RecordBatch) -> Any:
    """How many bytes the values of each row take."""
    taken: Any = pa.scalar(0, pa.int64())
    for column in batch.columns:
        if pa.types.is_integer(column.type):
            taken = pc.add(taken, 8)
        else:
            taken = pc.add(taken, pc.add(pc.cast(pc.fill_null(pc.binary_length(column), 0), pa.int64()), 4))
    return taken


def sent_of(
    batch: pa.RecordBatch, rows: Sequence[int], columns: Sequence[tuple[Sequence[Any], pa.DataType]], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Some rows of a batch behind some columns, in batches that every engine can send."""
    largest = pc.max(bytes_of(batch)).as_py() if batch.num_rows else 0
    step = max(1, min(ROWS_OF_BATCH, BYTES_OF_BATCH // max(1, largest)))
    for at in range(0, len(rows), step):
        sent = batch.take(pa.array(rows[at : at + step], pa.int32()))
        made = [pa.array(values[at : at + step], type) for values, type in columns]
        yield pa.RecordBatch.from_arrays([*made, *sent.columns], schema=schema)


@dataclass(frozen=True)
class _Measure:
    """Of each row: the place of its id, the id, its size, and its bytes."""

    id: str
    how: dict[str, Any] | None
    places: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            ids = batch.column("id")
            if ids.null_count:
                raise InputError(f"column {self.id!r}: an id is null; expected an id in every row")
            if "" in (known := ids.to_pylist()):
                raise InputError(f"column {self.id!r}: an id is empty; expected one character or more")
            places = [parts.part_of(value, self.places) for value in known]
            found = pa.array(sizes_of(batch, self.how), pa.int64())
            columns = [pa.array(places, pa.int32()), ids, found, bytes_of(batch)]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)


_HISTOGRAM = pa.schema([("size", pa.int64()), ("rows", pa.int64()), ("bytes", pa.int64())])


@dataclass(frozen=True)
class _Count:
    """The histogram of sizes of the rows of a place, whose ids must be unique."""

    id: str

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is None:
            return
        counted = rows.group_by("id").aggregate([([], "count_all")])
        twice = counted.filter(pc.greater(counted["count_all"], 1))
        if len(twice):
            raise InputError(
                f"column {self.id!r}: id {twice['id'][0].as_py()!r} is in {twice['count_all'][0]} rows; expected "
                "unique ids"
            )
        summed = rows.group_by("size").aggregate([([], "count_all"), ("bytes", "sum")])
        columns = [pc.cast(summed[name], pa.int64()) for name in ("size", "count_all", "bytes_sum")]
        yield from batches_of(pa.Table.from_arrays(columns, schema=_HISTOGRAM), _HISTOGRAM)


def smaller_left(pairs: pa.Table) -> pa.Table:
    """Pairs of one table, whose first columns are ids, with the smaller id left."""
    first, second = pairs["left_id"], pairs["right_id"]
    is_less = pc.less(first, second)
    pairs = pairs.set_column(0, "left_id", pc.if_else(is_less, first, second))
    return pairs.set_column(1, "right_id", pc.if_else(is_less, second, first))


@dataclass(frozen=True)
class _OnePlace:
    """Sends all rows to one place."""

    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            places = pa.repeat(pa.scalar(0, pa.int32()), batch.num_rows)
            yield pa.RecordBatch.from_arrays([places, *batch.columns], schema=self.schema)


def in_one_place(engine: Engine[Any, Frame], frame: Frame, schema: pa.Schema) -> Frame:
    """All rows, for one task, with their place."""
    placed = pa.schema([(PLACE, pa.int32()), *schema])
    return engine.exchange(engine.map(frame, _OnePlace(placed), placed), 1)


# ---------------------------------------------------------------------------------------------------- local files


def text_of_file(path: str) -> str:
    """The text of a local file, which may be compressed by gzip. Tasks do not have it."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not valid UTF-8; expected a text, or one of gzip") from None


# --------------------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True)
class Side(Generic[Frame]):
    """A table of a job: its id and its columns of text, by the names of this module, with their types; and the
    histogram of its sizes."""

    frame: Frame
    taken: pa.Schema
    histogram: dict[int, tuple[int, int]]


def of_side(name: Any, side: int) -> Any:
    """The name of a column in the left table (0) or the right one."""
    return (name.left, name.right)[side] if isinstance(name, Sides) else name


def called(side: int, tables: int) -> str:
    """What a message calls a table."""
    return f"the {'right' if side else 'left'} table" if tables > 1 else "the table"


def columns_of(on: Any, known: list[str], id: str, side: int = 0, where: str = "the table") -> list[str]:
    """The columns that a job names, of one of its tables."""
    if on is None:
        names = [name for name in known if name != id]
    else:
        names = [of_side(name, side) for name in ([on] if isinstance(on, (str, Sides)) else on)]
    said = f"expected one of {', '.join(map(repr, known))}" if known else f"{where} has no columns"
    if on is None and len(names) != 1:
        raise OptionError(f"on is missing; expected one of {', '.join(map(repr, names))}, a column of text")
    for name in (*names, id):
        if name not in known:
            two = "; a column with two names is akin.sides(LEFT, RIGHT)" if where != "the table" else ""
            raise OptionError(f"{where} has no column {name!r}; {said}{two}")
    return names


def id_type_of(type: pa.DataType, name: str) -> pa.DataType:
    if pa.types.is_signed_integer(type):
        return pa.int64()
    if _is_text(type):
        return pa.string()
    raise OptionError(f"column {name!r} of ids is of type {type}; expected signed integers, or text: cast it")


def _is_text(type: pa.DataType) -> bool:
    if pa.types.is_dictionary(type):
        return _is_text(type.value_type)
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type))


def _check_text(type: pa.DataType, name: str) -> None:
    if not _is_text(type) and not pa.types.is_integer(type):
        raise OptionError(f"column {name!r} is of type {type}; expected text or integers: cast it to text")


def side_of(
    engine: Engine[Any, Frame], frame: Frame, names: Sequence[str], id: str, how: dict[str, Any] | None
) -> Side[Frame]:
    """A table: reads it once, checks that its ids are unique, and counts its sizes; ``how`` None: all are 1."""
    chosen = [(id, "id"), *((name, f"{TEXT}{at}") for at, name in enumerate(names))]
    frame = engine.select(frame, chosen)
    types = engine.schema(frame)
    for name, (_, own) in zip(names, chosen[1:], strict=True):
        _check_text(types.field(own).type, name)
    id_type = id_type_of(types.field("id").type, id)
    taken = pa.schema([("id", id_type), *((own, pa.string()) for _, own in chosen[1:])])
    measured = pa.schema([(PLACE, pa.int32()), ("id", id_type), ("size", pa.int64()), ("bytes", pa.int64())])
    places = max(1, engine.places(frame))
    met = engine.exchange(engine.map(frame, _Measure(id, how, places, taken, measured), measured), places)
    found = engine.table(engine.map(met, _Count(id), _HISTOGRAM))
    histogram: dict[int, tuple[int, int]] = {}
    for size, rows, sent in zip(*(found[name].to_pylist() for name in _HISTOGRAM.names), strict=True):
        before = histogram.get(size, (0, 0))
        histogram[size] = before[0] + rows, before[1] + sent
    return Side(frame, taken, histogram)


def check_ids(sides: Sequence[Side[Any]]) -> None:
    """Refuses tables whose ids cannot be compared."""
    if len({side.taken.field("id").type for side in sides}) > 1:
        raise OptionError("ids are integers in one table and text in the other; expected one type")


def usual_tiles(engine: Engine[Outer, Frame], frame: Frame) -> int:
    """The most tasks of a job, unless the caller says otherwise."""
    return 3 * max(1, engine.slots(frame))


def signed(field: pa.Field) -> pa.Field:
    """A column of a type that every engine has: Spark has no unsigned integers."""
    return pa.field(field.name, pa.int64()) if pa.types.is_integer(field.type) else field
