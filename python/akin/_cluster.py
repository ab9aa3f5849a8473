"""The jobs of a cluster, over an engine: what :mod:`akin.spark` and :mod:`akin.ray` have in common.

A job is a few steps, each a map over the batches of a frame, or an exchange that brings rows of one place together::

    join        map: sizes of rows --> exchange by id --> map: are ids unique? histogram --> tiling, by the driver
                map: rows to the tiles of their blocks --> exchange by tile --> map: akin.join
    components  map: akin.forest --> exchange into fewer places --> map: akin.forest --> ... until one place is left

What a task does is an object of this module with ``__call__``, which is sent to the task; the modules of akin must be
installed there.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from . import parts
from ._akin import InputError, OptionError
from ._choices import values
from ._forest import forest
from ._input import Names
from ._join import join
from ._settings import Number, Size, size_of
from ._sizes import sizes
from .parts import Tiling

Outer = TypeVar("Outer")
Frame = TypeVar("Frame")
Result = TypeVar("Result")
Batches = Iterable[pa.RecordBatch]
Step = Callable[[Batches], Iterator[pa.RecordBatch]]

#: The column of an exchange: rows with the same number meet in one task.
PLACE = "place"
TEXT = "text_"  # and a number: the columns of text that travel
_FAN_IN = 8  # forests that one task merges
ROWS_OF_BATCH = 2**16
BYTES_OF_BATCH = 2**28  # of text, in a batch that is sent
_PAIRS_HELD = 2**22  # pairs that a task reduces to a forest at a time
BYTES_OF_TILE = 2**28  # that a tile receives, unless the caller says otherwise
_STRINGS = ("levenshtein", "similarity")
# Arguments that change the sizes of strings, and of sets.
_SIZED_STRINGS: tuple[str, ...] = ("ignore_case", "fold", "lossy")
_SIZED = (*_SIZED_STRINGS, "tokens", "multiset", "stop_words")


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


def _large(schema: pa.Schema) -> pa.Schema:
    """The same columns, with offsets of 64 bits: a task may hold more than 2 GiB of text."""
    types = {pa.string(): pa.large_string()}
    return pa.schema([field.with_type(types.get(field.type, field.type)) for field in schema])


def rows_of(batches: Batches) -> pa.Table | None:
    """All rows that a task receives; None: there are none."""
    held = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(held).cast(_large(held[0].schema)) if held else None


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


def _sizes_of(batch: pa.RecordBatch, how: dict[str, Any] | None) -> Sequence[int]:
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
            places = [parts.part_of(value, self.places) for value in ids.to_pylist()]
            found = pa.array(_sizes_of(batch, self.how), pa.int64())
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


class _Ids:
    """A column of ids, as a function of the row."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __call__(self, row: int) -> int | str:
        value: int | str = self._column[row].as_py()
        return value


@dataclass(frozen=True)
class Route:
    """The rows that go to each tile."""

    tiling: Tiling
    side: int
    how: dict[str, Any] | None
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            rows, tiles, sides = self.tiling.route(_sizes_of(batch, self.how), _Ids(batch.column("id")), self.side)
            largest = pc.max(bytes_of(batch)).as_py() if batch.num_rows else 0
            step = max(1, min(ROWS_OF_BATCH, BYTES_OF_BATCH // max(1, largest)))
            for at in range(0, len(rows), step):
                sent = batch.take(pa.array(rows[at : at + step], pa.int32()))
                columns = [pa.array(tiles[at : at + step], pa.int32()), pa.array(sides[at : at + step], pa.int8())]
                yield pa.RecordBatch.from_arrays([*columns, *sent.columns], schema=self.schema)


def smaller_left(pairs: pa.Table) -> pa.Table:
    """Pairs of one table, whose first columns are ids, with the smaller id left."""
    first, second = pairs["left_id"], pairs["right_id"]
    is_less = pc.less(first, second)
    pairs = pairs.set_column(0, "left_id", pc.if_else(is_less, first, second))
    return pairs.set_column(1, "right_id", pc.if_else(is_less, second, first))


@dataclass(frozen=True)
class _Join:
    """The pairs of each tile. In a join of one table the left id is the smaller one."""

    tiling: Tiling
    columns: tuple[str, ...]
    options: dict[str, Any]
    settings: Callable[[], dict[str, Any]]
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory():
            rows = rows_of(batches)
            if rows is None:
                return
            for tile in sorted(pc.unique(rows[PLACE]).to_pylist()):
                here = rows.filter(pc.equal(rows[PLACE], tile))
                yield from batches_of(self._pairs(self.tiling.tiles[tile], here), self.schema)

    def _pairs(self, tile: parts.Tile, rows: pa.Table) -> pa.Table:
        is_one = self.tiling.right is None
        values = rows.select(["id", *self.columns])
        right = None
        if not (is_one and tile.left == tile.right):
            is_right = pc.equal(rows["side"], 1)
            values, right = values.filter(pc.invert(is_right)), values.filter(is_right)
        made = on_device(
            self.settings(), lambda run: join(values, right, list(self.columns), id="id", **self.options, **run)
        )
        pairs = pa.table(made).select(self.schema.names)
        return smaller_left(pairs) if is_one else pairs


def _forest_of(batches: Batches) -> pa.Table | None:
    """The forest of all pairs. Besides the forest of those that came before, it holds a few million pairs."""
    held: list[pa.Table] = []
    fresh = 0
    for batch in batches:
        if batch.num_rows:
            held.append(pa.table({name: batch.column(name) for name in ("left_id", "right_id")}))
            fresh += batch.num_rows
        if fresh > _PAIRS_HELD:
            held, fresh = [pa.table(forest(pa.concat_tables(held)))], 0
    return pa.table(forest(pa.concat_tables(held))) if held else None


@dataclass(frozen=True)
class _Forest:
    """The forest of the pairs of a part, each with the place where it goes next."""

    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        found = _forest_of(batches)
        if found is None:
            return
        roots = pc.unique(found["left_id"])
        places = pa.array([parts.part_of(value, self.places) for value in roots.to_pylist()], pa.int32())
        place = pc.take(places, pc.index_in(found["left_id"], value_set=roots))
        yield from batches_of(found.add_column(0, PLACE, place), self.schema)


@dataclass(frozen=True)
class _Clusters:
    """The members of each cluster of a forest that is whole, with its representative."""

    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        found = _forest_of(batches)
        if found is None:
            return
        found = found.cast(_large(found.schema))
        counted = found.group_by("left_id").aggregate([([], "count_all")])
        sizes = pa.table({"representative_id": counted["left_id"], "size": pc.add(counted["count_all"], 1)})
        members = found.select(["right_id", "left_id"]).rename_columns(["id", "representative_id"])
        representatives = sizes.append_column("id", sizes["representative_id"])
        for table in (members.join(sizes, "representative_id"), representatives):
            yield from batches_of(table.select(self.schema.names), self.schema)


# ----------------------------------------------------------------------------------------------------------- jobs


@dataclass(frozen=True)
class Side(Generic[Frame]):
    """A table of a job: its id and its columns of text, by the names of this module, with their types; and the
    histogram of its sizes."""

    frame: Frame
    taken: pa.Schema
    histogram: dict[int, tuple[int, int]]


@dataclass(frozen=True)
class Plan:
    """What a join on a cluster will do.

    Attributes
    ----------
    tasks : int
        The tiles, each a task.
    rows, bytes : int
        The rows of the tables with tokens, and the bytes of their ids and texts.
    rows_sent, bytes_sent : int
        What is expected to be sent to the tasks: a row goes to every tile of its block.
    largest : int
        The most bytes that one task is expected to receive.
    """

    tasks: int
    rows: int
    bytes: int
    rows_sent: int
    bytes_sent: int
    largest: int

    def __str__(self) -> str:
        return (
            f"{self.tasks} tasks; {self.rows:,} rows of {self.bytes / 1e6:,.1f} MB are sent {self.rows_sent:,} times, "
            f"{self.bytes_sent / 1e6:,.1f} MB in all, at most {self.largest / 1e6:,.1f} MB to a task"
        )


def columns_of(on: Names, known: list[str], id: str) -> list[str]:
    names = [name for name in known if name != id] if on is None else [on] if isinstance(on, str) else list(on)
    said = f"expected one of {', '.join(map(repr, known))}" if known else "the table has no columns"
    if on is None and len(names) != 1:
        raise OptionError(f"on is missing; expected one of {', '.join(map(repr, names))}, a column of text")
    for name in (*names, id):
        if name not in known:
            raise OptionError(f"there is no column {name!r}; {said}")
    return names


def _id_type_of(type: pa.DataType, name: str) -> pa.DataType:
    if pa.types.is_signed_integer(type):
        return pa.int64()
    if _is_text(type):
        return pa.string()
    raise OptionError(f"column {name!r} of ids is of type {type}; expected signed integers, or text")


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
    id_type = _id_type_of(types.field("id").type, id)
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


class Jobs(Generic[Outer, Frame]):
    """The functions of a module for an engine."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def _taken(self, left: Outer, right: Outer | None) -> list[Frame]:
        return [self._engine.take(each) for each in (left, right) if each is not None]

    def _tiled(
        self, tables: Sequence[Frame], on: Names, id: str, tiles: int | None, bytes: Size, options: dict[str, Any]
    ) -> tuple[list[Side[Frame]], dict[str, Any], Tiling]:
        """The tables, the arguments that change sizes, and the tiles."""
        how = _sizing(options)
        sides = [
            side_of(self._engine, each, columns_of(on, self._engine.columns(each), id), id, how) for each in tables
        ]
        rule = parts.rule_of(**{name: options[name] for name in _RULING if options.get(name) is not None})
        most = BYTES_OF_TILE if bytes is None else size_of(bytes, "bytes")
        tiling = parts.tile(
            rule, *(side.histogram for side in sides), bytes=most,
            tiles=3 * max(1, self._engine.slots(tables[0])) if tiles is None else tiles
        )
        return sides, how, tiling

    def plan(
        self, left: Outer, right: Outer | None = None, on: Names = None, *, id: str, tiles: int | None = None,
        bytes: Size = None, **options: Any
    ) -> Plan:
        """Says what :func:`join` of the same arguments will do. It reads the tables once, and sends ids and sizes.

        Returns
        -------
        Plan
        """
        _checked(right is not None, options)
        sides, _, tiling = self._tiled(self._taken(left, right), on, id, tiles, bytes, options)
        counts = [value for side in sides for size, value in side.histogram.items() if size > 0]
        return Plan(
            len(tiling.tiles), sum(rows for rows, _ in counts), sum(taken for _, taken in counts),
            round(tiling.rows_sent), round(tiling.bytes_sent),
            math.ceil(tiling.largest)
        )

    def join(
        self, left: Outer, right: Outer | None = None, on: Names = None, *, id: str, tiles: int | None = None,
        bytes: Size = None, **options: Any
    ) -> Outer:
        """Finds every pair of rows that are alike, as :func:`akin.join` does: the same pairs and the same numbers.

        Parameters
        ----------
        left, right, on
            Tables of the cluster, and the columns of text, which both tables have. Without ``right``, pairs of rows of
            ``left``.
        id
            The column of ids of each table: integers of 64 bits or text, unique and not null, which is checked.
        tiles
            The most tasks that compare rows (default: three for each task that the cluster runs at a time). A row is
            sent about sqrt(2 f tiles) times, where f is the share of pairs whose sizes permit that they are alike.
        bytes
            The most bytes of ids and texts that one task is expected to receive (default: 256 MiB). More tasks are
            made if necessary. A row that has more than half of them exceeds the limit.
        **options
            Arguments of :func:`akin.join`: a measure such as ``jaccard="0.8"``, ``tokens`` and so on. ``memory`` is the
            limit of each task. The engine says how many threads a task has, and which GPU.

        Returns
        -------
        frame
            ``left_id``, ``right_id``, ``overlap`` or ``distance``, and ``similarity``, in no particular order. In a
            join of one table ``left_id`` is the smaller id: integers as numbers, text by its bytes.

        Raises
        ------
        OptionError
            As in :func:`akin.join`; or ``top``, ``show``, ``progress``, ``threads`` or ``device`` is given.
        Exception
            The exception of the engine, with the message of akin, if a task fails: an id is null or not unique, the
            table changed between two readings, or memory does not suffice. A larger number of ``tiles`` needs less, and
            so does a smaller number of ``bytes``. If the system ends a task whose memory exceeds a limit, the engine
            tries it again some times, and its exception says only that a process ended: do the same then.
        """
        sample = _checked(right is not None, options)
        engine, settings = self._engine, self._engine.settings()
        sides, how, tiling = self._tiled(self._taken(left, right), on, id, tiles, bytes, options)
        taken = sides[0].taken
        if any(side.taken.field("id").type != taken.field("id").type for side in sides):
            raise OptionError(f"column {id!r} has integers in one table and text in the other; expected one type")
        sent = pa.schema([(PLACE, pa.int32()), ("side", pa.int8()), *taken])
        routed = engine.union([
            engine.map(side.frame, Route(tiling, at, how, side.taken, sent), sent) for at, side in enumerate(sides)
        ])
        given = [field for field in sample if field.name not in ("left", "right", "left_id", "right_id")]
        ids = [(name, taken.field("id").type) for name in ("left_id", "right_id")]
        schema = pa.schema([*ids, *map(signed, given)])
        met = engine.exchange(routed, max(1, len(tiling.tiles)))
        step = _Join(tiling, tuple(taken.names[1:]), options, settings, schema)
        return engine.give(engine.map(met, step, schema))

    def match(self, left: Outer, right: Outer | None = None, on: Names = None, *, id: str, **options: Any) -> Outer:
        """Finds every pair of rows whose strings are alike: :func:`join` with ``levenshtein=N``, or with ``similarity``
        and ``threshold``.

        Returns
        -------
        frame
            As for :func:`join`; for edit distances with ``distance``.
        """
        if not any(options.get(name) is not None for name in _STRINGS):
            raise OptionError("expected levenshtein=2, say, or similarity='jaro-winkler' with threshold=0.9")
        return self.join(left, right, on, id=id, **options)

    def near_duplicates(
        self, documents: Outer, on: Names = None, *, id: str, jaccard: Number = 0.8, tokens: str = "words:5",
        **options: Any
    ) -> Outer:
        """Finds every pair of documents that are nearly the same, as :func:`akin.near_duplicates` does.

        Returns
        -------
        frame
            As for :func:`join`. :func:`components` makes clusters of it.
        """
        return self.join(documents, None, on, id=id, jaccard=jaccard, tokens=tokens, **options)

    def components(self, pairs: Outer) -> Outer:
        """Finds the connected components of the graph whose edges are the pairs.

        Each task reduces its pairs to a spanning forest, a few million at a time; then fewer and fewer tasks merge
        forests. So the memory of a task grows with the number of ids that occur in pairs.

        Parameters
        ----------
        pairs
            A table with columns ``left_id`` and ``right_id``, both integers of 64 bits or both text, as :func:`join`
            returns it. The ids of both columns are those of one table: give the rows of two tables different ids.

        Returns
        -------
        frame
            For each id that occurs in a pair with another id: ``id``; ``representative_id``, the smallest id of its
            component; and ``size``, the number of ids of the component.
        """
        engine = self._engine
        taken = engine.take(pairs)
        ids = columns_of(["left_id"], engine.columns(taken), "right_id") + ["right_id"]
        schema = engine.schema(engine.select(taken, [(name, name) for name in ids]))
        left, right = (_id_type_of(schema.field(name).type, name) for name in ids)
        if left != right:
            raise OptionError(f"left_id is of type {left}, right_id of type {right}; expected one type")
        edges = pa.schema([(PLACE, pa.int32()), ("left_id", left), ("right_id", right)])
        places = max(1, math.ceil(engine.slots(taken) / 2))
        frame = engine.map(engine.select(taken, [(name, name) for name in ids]), _Forest(places, edges), edges)
        while places > 1:
            smaller = math.ceil(places / _FAN_IN)
            frame = engine.map(engine.exchange(frame, places), _Forest(smaller, edges), edges)
            places = smaller
        clusters = pa.schema([("id", left), ("representative_id", left), ("size", pa.int64())])
        return engine.give(engine.map(engine.exchange(frame, 1), _Clusters(clusters), clusters))


EMPTY: dict[str, list[str]] = {"id": [], "text": []}
_RULING = (*_STRINGS, "threshold", "prefix_scale", *(name.replace("-", "_") for name in values("measures", "join")))
_OF_ONE = ("top", "show", "progress", "threads", "device", "left_on", "right_on", "left_id", "right_id")


def _checked(of_two: bool, options: dict[str, Any]) -> pa.Schema:
    """The columns of a join with these options, which are checked by a join of no rows."""
    for name in _OF_ONE:
        if options.get(name) is not None:
            raise OptionError(f"{name} is given; a join on a cluster does not take it")
    known = {name: value for name, value in options.items() if name not in _OF_ONE}
    right = EMPTY if of_two else None
    return pa.table(join(EMPTY, right, "text", id="id", threads=1, device="cpu", **known)).schema


def _sizing(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of :func:`akin.sizes` for a join: of strings, the size is the number of characters."""
    if any(options.get(name) is not None for name in _STRINGS):
        folds = {name: options[name] for name in _SIZED_STRINGS if name in options}
        return {"tokens": "characters"} | folds
    return {name: options[name] for name in _SIZED if name in options}


def signed(field: pa.Field) -> pa.Field:
    """A column of a type that every engine has: Spark has no unsigned integers."""
    return pa.field(field.name, pa.int64()) if pa.types.is_integer(field.type) else field
