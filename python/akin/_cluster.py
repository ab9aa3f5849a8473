"""The jobs of a cluster, over an engine: what :mod:`akin.spark` and :mod:`akin.ray` have in common.

A job is a few steps, each a map over the batches of a frame, or an exchange that brings rows of one place together::

    join        map: sizes of rows --> exchange by id --> map: are ids unique? histogram --> tiling, by the driver
                map: rows to the tiles of their blocks --> exchange by tile --> map: akin.join
    components  map: akin.forest --> exchange into fewer places --> map: akin.forest --> ... until one place is left

What a task does is an object of this module with ``__call__``, which is sent to the task; the modules of akin must be
installed there.
"""

from __future__ import annotations

import math
import zlib
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
Batches = Iterable[pa.RecordBatch]
Step = Callable[[Batches], Iterator[pa.RecordBatch]]

#: The column of an exchange: rows with the same number meet in one task.
PLACE = "place"
_TEXT = "text_"  # and a number: the columns of text that travel
_FAN_IN = 8  # forests that one task merges
_STRINGS = ("levenshtein", "similarity")
# Arguments that change the sizes of strings, and of sets.
_SIZED_STRINGS: tuple[str, ...] = ("ignore_case", "fold", "lossy")
_SIZED = (*_SIZED_STRINGS, "tokens", "multiset", "stop_words")


class Engine(Protocol[Outer, Frame]):
    """What a job needs of a cluster. Frames are lazy or not, as the engine likes. ``Outer`` is the type of a frame for
    the user."""

    def take(self, frame: Outer) -> Frame:
        """The frame of a user's."""

    def give(self, frame: Frame) -> Outer:
        """The user's frame of a result."""

    def schema(self, frame: Frame) -> pa.Schema:
        """The columns of a frame, as its batches have them."""

    def select(self, frame: Frame, names: Sequence[str]) -> Frame:
        """Some columns of a frame."""

    def map(self, frame: Frame, step: Step, schema: pa.Schema) -> Frame:
        """The batches that a step makes of those of each part of a frame."""

    def exchange(self, frame: Frame, places: int) -> Frame:
        """The same rows. Those with the same number in the column ``place``, 0 to places - 1, are in one part, which
        has no others if the engine can have it so."""

    def union(self, frames: Sequence[Frame]) -> Frame:
        """The rows of frames that have the same columns."""

    def table(self, frame: Frame) -> pa.Table:
        """The rows of a small frame, for the driver."""

    def slots(self, frame: Frame) -> int:
        """How many tasks the cluster runs at a time, or about as many as it likes for a frame."""

    def settings(self) -> Callable[[], dict[str, Any]]:
        """A function that returns, in a task, its arguments ``threads`` and ``device``."""


# ---------------------------------------------------------------------------------------------------------- tasks


def _rows_of(batches: Batches) -> pa.Table | None:
    held = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(held) if held else None


def _texts_of(batch: Any, columns: Sequence[str]) -> Any:
    """The columns of text alone."""
    return pa.table({name: batch.column(name) for name in columns})


def _sizes_of(batch: Any, columns: Sequence[str], how: dict[str, Any]) -> memoryview:
    held: Any = sizes(_texts_of(batch, columns), list(columns), threads=1, **how).buffer("size")
    return memoryview(held)


def _bytes_of(batch: Any, columns: Sequence[str]) -> list[int]:
    """How many bytes the values of each row take."""
    taken: Any = None
    for name in columns:
        column = batch.column(name)
        if pa.types.is_integer(column.type):
            here = pa.array([8] * len(column), pa.int64())
        else:
            here = pc.add(pc.cast(pc.fill_null(pc.binary_length(column), 0), pa.int64()), 4)
        taken = here if taken is None else pc.add(taken, here)
    return list(taken.to_pylist())


def _place_of(value: int | str, places: int) -> int:
    return parts.part_of(value, places)


@dataclass(frozen=True)
class _Measure:
    """Of each row: the place of its id, the id, its size, and its bytes."""

    id: str
    columns: tuple[str, ...]
    how: dict[str, Any]
    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            ids = batch.column(self.id)
            if ids.null_count:
                raise InputError(f"column {self.id!r}: an id is null; expected an id in every row")
            places = [_place_of(value, self.places) for value in ids.to_pylist()]
            found = _sizes_of(batch, self.columns, self.how).tolist()
            taken = _bytes_of(batch, (self.id, *self.columns))
            columns = [pa.array(places, pa.int32()), ids, pa.array(found, pa.int64()), pa.array(taken, pa.int64())]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)


_HISTOGRAM = pa.schema([("size", pa.int64()), ("rows", pa.int64()), ("bytes", pa.int64())])


@dataclass(frozen=True)
class _Count:
    """The histogram of sizes of the rows of a place, whose ids must be unique."""

    id: str

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = _rows_of(batches)
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
        yield from pa.Table.from_arrays(columns, schema=_HISTOGRAM).to_batches()


class _Ids:
    """A column of ids, as a function of the row."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __call__(self, row: int) -> int | str:
        value: int | str = self._column[row].as_py()
        return value


@dataclass(frozen=True)
class _Route:
    """The rows that go to each tile."""

    tiling: Tiling
    side: int
    id: str
    columns: tuple[str, ...]
    how: dict[str, Any]
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            ids = batch.column(self.id)
            found = _sizes_of(batch, self.columns, self.how)
            rows, tiles, sides = self.tiling.route(found, _Ids(ids), self.side)
            taken = pa.array(rows, pa.int32())
            names, fields = (self.id, *self.columns), list(self.schema)[2:]
            sent = [
                pc.cast(pc.take(batch.column(name), taken), field.type)
                for name, field in zip(names, fields, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(
                [pa.array(tiles, pa.int32()), pa.array(sides, pa.int8()), *sent], schema=self.schema
            )


@dataclass(frozen=True)
class _Join:
    """The pairs of each tile. In a join of one table the left id is the smaller one."""

    tiling: Tiling
    columns: tuple[str, ...]
    options: dict[str, Any]
    settings: Callable[[], dict[str, Any]]
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = _rows_of(batches)
        if rows is None:
            return
        for tile in sorted(pc.unique(rows[PLACE]).to_pylist()):
            here = rows.filter(pc.equal(rows[PLACE], tile))
            yield from self._pairs(self.tiling.tiles[tile], here).to_batches()

    def _pairs(self, tile: parts.Tile, rows: pa.Table) -> pa.Table:
        is_one = self.tiling.right is None
        values = rows.select(["id", *self.columns])
        right = None
        if not (is_one and tile.left == tile.right):
            is_right = pc.equal(rows["side"], 1)
            values, right = values.filter(pc.invert(is_right)), values.filter(is_right)
        made = join(values, right, list(self.columns), id="id", **self.options, **self.settings())
        pairs = pa.table(made).select(self.schema.names)
        if is_one:
            first, second = pairs["left_id"], pairs["right_id"]
            is_less = pc.less(first, second)
            pairs = pairs.set_column(0, "left_id", pc.if_else(is_less, first, second))
            pairs = pairs.set_column(1, "right_id", pc.if_else(is_less, second, first))
        return pairs.cast(self.schema)


@dataclass(frozen=True)
class _Forest:
    """The forest of the pairs of a part, each with the place where it goes next."""

    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = _rows_of(batches)
        if rows is None:
            return
        found = pa.table(forest(rows.select(["left_id", "right_id"])))
        places = [zlib.crc32(str(value).encode()) % self.places for value in found["left_id"].to_pylist()]
        columns = [pa.array(places, pa.int32()), found["left_id"], found["right_id"]]
        yield from pa.Table.from_arrays(columns, names=[PLACE, "left_id", "right_id"]).cast(self.schema).to_batches()


@dataclass(frozen=True)
class _Clusters:
    """The members of each cluster of a forest that is whole, with its representative."""

    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = _rows_of(batches)
        if rows is None:
            return
        found = pa.table(forest(rows.select(["left_id", "right_id"])))
        counted = found.group_by("left_id").aggregate([([], "count_all")])
        members = pa.concat_tables([
            found.select(["right_id", "left_id"]).rename_columns(["id", "representative_id"]),
            counted.select(["left_id", "left_id"]).rename_columns(["id", "representative_id"]),
        ])
        size = pc.add(counted["count_all"], 1)
        at = pc.index_in(members["representative_id"], counted["left_id"].combine_chunks())
        whole = members.append_column("size", pc.take(size, at)).cast(self.schema)
        yield from whole.sort_by("id").to_batches()


# ----------------------------------------------------------------------------------------------------------- jobs


@dataclass(frozen=True)
class _Side(Generic[Frame]):
    """A table of a job: the columns that travel, and the histogram of its sizes."""

    frame: Frame
    columns: tuple[str, ...]
    id_type: pa.DataType
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


def _columns_of(on: Names, schema: pa.Schema, id: str) -> tuple[str, ...]:
    names = [name for name in schema.names if name != id] if on is None else [on] if isinstance(on, str) else list(on)
    if on is None and len(names) != 1:
        raise OptionError(f"on is missing; expected the name of a column of text, one of {', '.join(map(repr, names))}")
    for name in (*names, id):
        if name not in schema.names:
            raise OptionError(f"there is no column {name!r}; expected one of {', '.join(map(repr, schema.names))}")
    return tuple(names)


def _id_type_of(schema: pa.Schema, id: str) -> pa.DataType:
    type = schema.field(id).type
    if pa.types.is_signed_integer(type):
        return pa.int64()
    if pa.types.is_string(type) or pa.types.is_large_string(type):
        return pa.string()
    raise OptionError(f"column {id!r} of ids is of type {type}; expected integers of 64 bits, or text")


class Jobs(Generic[Outer, Frame]):
    """The functions of a module for an engine."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def _side(self, frame: Frame, on: Names, id: str, how: dict[str, Any], places: int) -> _Side[Frame]:
        schema = self._engine.schema(frame)
        columns, id_type = _columns_of(on, schema, id), _id_type_of(schema, id)
        frame = self._engine.select(frame, [id, *columns])
        measured = pa.schema(
            [(PLACE, pa.int32()), ("id", schema.field(id).type), ("size", pa.int64()), ("bytes", pa.int64())]
        )
        step = _Measure(id, columns, how, places, measured)
        met = self._engine.exchange(self._engine.map(frame, step, measured), places)
        found = self._engine.table(self._engine.map(met, _Count(id), _HISTOGRAM))
        histogram: dict[int, tuple[int, int]] = {}
        for size, rows, taken in zip(*(found[name].to_pylist() for name in _HISTOGRAM.names), strict=True):
            before = histogram.get(size, (0, 0))
            histogram[size] = before[0] + rows, before[1] + taken
        return _Side(frame, columns, id_type, histogram)

    def _taken(self, left: Outer, right: Outer | None) -> list[Frame]:
        return [self._engine.take(each) for each in (left, right) if each is not None]

    def _tiled(
        self, tables: Sequence[Frame], on: Names, id: str, tiles: int | None, bytes: Size, options: dict[str, Any]
    ) -> tuple[list[_Side[Frame]], dict[str, Any], Tiling]:
        """The tables, the arguments that change sizes, and the tiles."""
        how = _sizing(options)
        places = max(1, self._engine.slots(tables[0]))
        sides = [self._side(each, on, id, how, places) for each in tables]
        rule = parts.rule_of(**{name: options[name] for name in _RULING if options.get(name) is not None})
        tiling = parts.tile(
            rule, *(side.histogram for side in sides), tiles=3 * places if tiles is None else tiles,
            bytes=None if bytes is None else size_of(bytes, "bytes")
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
        sides, _, tiling = self._tiled(self._taken(left, right), on, id, tiles, bytes, options)
        counts = [value for side in sides for size, value in side.histogram.items() if size > 0]
        return Plan(
            len(tiling.tiles), sum(rows for rows, _ in counts), sum(taken for _, taken in counts),
            round(tiling.rows_sent), round(tiling.bytes_sent),
            math.ceil(max((tiling.sent(tile)[1] for tile in range(len(tiling.tiles))), default=0))
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
            The most bytes of ids and texts that one task receives, which may need more tasks. A task needs about ten
            times as much memory.
        **options
            Arguments of :func:`akin.join`: a measure such as ``jaccard="0.8"``, ``tokens``, ``memory`` and so on. Those
            of the ways to run have their meaning in each task; ``threads`` and ``device`` are those of the task.

        Returns
        -------
        frame
            ``left_id``, ``right_id``, ``overlap`` or ``distance``, and ``similarity``, in no particular order. In a
            join of one table ``left_id`` is the smaller id: integers as numbers, text by its bytes.

        Raises
        ------
        OptionError
            As in :func:`akin.join`; or ``top``, ``show`` or ``progress`` is given.
        Exception
            The exception of the engine, with the message of akin, if a task fails: an id is null or not unique, or
            memory does not suffice. A larger number of ``tiles`` needs less memory.
        """
        for name in ("top", "show", "progress", "left_on", "right_on", "left_id", "right_id"):
            if name in options:
                raise OptionError(f"{name} is given; a join on a cluster has no {name}")
        engine, settings = self._engine, self._engine.settings()
        sample = pa.table(join(_EMPTY, None if right is None else _EMPTY, "text", id="id", **options))
        sides, how, tiling = self._tiled(self._taken(left, right), on, id, tiles, bytes, options)
        id_type = sides[0].id_type if len({str(side.id_type) for side in sides}) == 1 else None
        if id_type is None:
            raise OptionError(f"column {id!r} has integers in one table and text in the other; expected one type")
        columns = tuple(f"{_TEXT}{at}" for at in range(len(sides[0].columns)))
        sent = pa.schema(
            [(PLACE, pa.int32()), ("side", pa.int8()), ("id", id_type), *((name, pa.string()) for name in columns)]
        )
        routed = engine.union([
            engine.map(side.frame, _Route(tiling, at, id, side.columns, how, sent), sent)
            for at, side in enumerate(sides)
        ])
        given = [field for field in sample.schema if field.name not in ("left", "right", "left_id", "right_id")]
        schema = pa.schema([("left_id", id_type), ("right_id", id_type), *map(_signed, given)])
        met = engine.exchange(routed, max(1, len(tiling.tiles)))
        return engine.give(engine.map(met, _Join(tiling, columns, options, settings, schema), schema))

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

        Each task reduces its pairs to a spanning forest; then fewer and fewer tasks merge forests. What they hold grows
        with the number of ids that occur in pairs, not with that of pairs.

        Parameters
        ----------
        pairs
            A table with columns ``left_id`` and ``right_id``, both integers of 64 bits or both text, as :func:`join`
            returns it.

        Returns
        -------
        frame
            For each id that occurs in a pair: ``id``; ``representative_id``, the smallest id of its component; and
            ``size``, the number of ids of the component.
        """
        engine = self._engine
        taken = engine.take(pairs)
        schema = engine.schema(taken)
        left, right = (_id_type_of(schema, name) for name in ("left_id", "right_id"))
        if left != right:
            raise OptionError(f"left_id is of type {left}, right_id of type {right}; expected one type")
        edges = pa.schema([(PLACE, pa.int32()), ("left_id", left), ("right_id", right)])
        places = max(1, math.ceil(engine.slots(taken) / 2))
        frame = engine.map(engine.select(taken, ["left_id", "right_id"]), _Forest(places, edges), edges)
        while places > 1:
            smaller = math.ceil(places / _FAN_IN)
            frame = engine.map(engine.exchange(frame, places), _Forest(smaller, edges), edges)
            places = smaller
        clusters = pa.schema([("id", left), ("representative_id", left), ("size", pa.int64())])
        return engine.give(engine.map(engine.exchange(frame, 1), _Clusters(clusters), clusters))


_EMPTY: dict[str, list[str]] = {"id": [], "text": []}
_RULING = (*_STRINGS, "threshold", "prefix_scale", *(name.replace("-", "_") for name in values("measures", "join")))


def _sizing(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of :func:`akin.sizes` for a join: of strings, the size is the number of characters."""
    if any(options.get(name) is not None for name in _STRINGS):
        folds = {name: options[name] for name in _SIZED_STRINGS if name in options}
        return {"tokens": "characters"} | folds
    return {name: options[name] for name in _SIZED if name in options}


def _signed(field: pa.Field) -> pa.Field:
    """A column of a type that every engine has: Spark has no unsigned integers."""
    return pa.field(field.name, pa.int64()) if pa.types.is_integer(field.type) else field
