"""Joins on a cluster: tiles of rows whose sizes permit that they are alike."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import pyarrow as pa
import pyarrow.compute as pc

from . import parts
from ._akin import OptionError
from ._checks import whole
from ._choices import values
from ._cluster import (
    BYTES_OF_TILE, PLACE, Batches, Engine, Frame, Outer, Side, Step, advising_on_memory, batches_of, called, cast_of,
    check_ids, columns_of, of_side, on_device, places_of, sent_of, side_of, signed, sizes_of, smaller_left, split_sides,
    usual_tiles
)  # fmt: skip
from ._rules import Sides
from ._join import join
from ._settings import Number, Size, size_of
from .parts import Tiling

Columns = str | Sides | Sequence[str | Sides] | None
_STRINGS = ("levenshtein", "similarity")
# Arguments that change the sizes of strings, and of sets.
_SIZED_STRINGS: tuple[str, ...] = ("ignore_case", "fold", "lossy")
_SIZED = (*_SIZED_STRINGS, "tokens", "multiset", "stop_words")
_RULING = (*_STRINGS, "threshold", "prefix_scale", *(name.replace("-", "_") for name in values("measures", "join")))
# Arguments of akin.join that a cluster does not take, and what to do.
_SIDES = "a column with two names is akin.sides(LEFT, RIGHT) in on= and id="
_OF_ONE = {
    "top": "search and bm25 have k=, and link has one_to_one=", "show": "join the columns to the pairs by id",
    "progress": "the engine shows it", "threads": "the engine says how many a task has",
    "device": "the engine says which GPU a task has", "left_on": _SIDES, "right_on": _SIDES, "left_id": _SIDES,
    "right_id": _SIDES
}  # fmt: skip

# ---------------------------------------------------------------------------------------------------------- tasks


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
            rows, tiles, sides = self.tiling.route(sizes_of(batch, self.how), _Ids(batch.column("id")), self.side)
            yield from sent_of(batch, rows, [(tiles, pa.int32()), (sides, pa.int8())], self.schema)


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
            for tile, rows in places_of(batches):
                yield from batches_of(self.pairs(tile, rows), self.schema)

    def pairs(self, number: int, rows: pa.Table) -> pa.Table:
        tile, is_one = self.tiling.tiles[number], self.tiling.right is None
        left, right = split_sides(rows.select(["side", "id", *self.columns]), is_one and tile.left == tile.right)
        made = on_device(
            self.settings(), lambda run: join(left, right, list(self.columns), id="id", **self.options, **run)
        )
        pairs = pa.table(made).select(self.schema.names)
        return smaller_left(pairs) if is_one else pairs


_TRIED = pa.schema([("tile", pa.int64()), ("seconds", pa.float64())])


@dataclass(frozen=True)
class _RouteToTrials:
    """The rows that go to some tiles, which are numbered by their places here."""

    route: Route
    chosen: tuple[int, ...]

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        chosen = pa.array(self.chosen, pa.int32())
        for batch in self.route(batches):
            kept = batch.filter(pc.is_in(batch.column(PLACE), value_set=chosen))
            places = pc.index_in(kept.column(PLACE), value_set=chosen)
            yield pa.RecordBatch.from_arrays([places, *kept.columns[1:]], schema=batch.schema)


@dataclass(frozen=True)
class _Try:
    """How long the join of each tile takes."""

    join: _Join
    chosen: tuple[int, ...]

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory():
            for place, rows in places_of(batches):
                tile = self.chosen[place]
                begun = time.perf_counter()
                self.join.pairs(tile, rows)
                seconds = time.perf_counter() - begun
                yield from pa.table([[tile], [seconds]], schema=_TRIED).to_batches()


# ----------------------------------------------------------------------------------------------------------- jobs

_MEMORY, _MEMORY_OF_BYTE = 150_000_000, 5  # of a task, without its pairs: measured, docs/cluster.md
_RATE = 50e6  # bytes that a task receives a second, assumed
_ALONE = 10**8  # rows, below which one machine is faster
_UNITS = {"GB": 1e9, "MB": 1e6, "kB": 1e3}


def _sized(bytes: int) -> str:
    """A number of bytes with its unit."""
    unit = next((unit for unit in ("GB", "MB", "kB") if bytes >= _UNITS[unit]), "kB")
    return f"{bytes / _UNITS[unit]:,.1f} {unit}"


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
    memory : int
        The bytes that this task is expected to need, without its pairs, which take about 64 bytes each.
    seconds : float or None
        How long the tasks are expected to take, if the cluster does nothing else: by the tiles that ``trials=`` really
        ran, and 50 MB that a task receives a second. None: no tile was run.
    """

    tasks: int
    rows: int
    bytes: int
    rows_sent: int
    bytes_sent: int
    largest: int
    memory: int
    seconds: float | None

    def __str__(self) -> str:
        said = (
            f"{self.tasks} tasks; {self.rows:,} rows of {_sized(self.bytes)} make {self.rows_sent:,} copies of "
            f"{_sized(self.bytes_sent)}, at most {_sized(self.largest)} in a task, which needs {_sized(self.memory)}"
        )
        if self.seconds is not None:
            said += f"; about {self.seconds:,.0f} s" if self.seconds >= 1 else "; less than 1 s"
        if self.rows < _ALONE:
            said += "; below about 100,000,000 rows akin.join on one machine is faster"
        return said


class JoinJobs(Generic[Outer, Frame]):
    """The functions of a module for an engine."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def _taken(self, left: Outer, right: Outer | None) -> list[Frame]:
        return [self._engine.take(each) for each in (left, right) if each is not None]

    def _tiled(
        self, tables: Sequence[Frame], on: Any, id: str | Sides, tiles: int | None, bytes: Size,
        options: dict[str, Any]
    ) -> tuple[list[Side[Frame]], dict[str, Any], Tiling]:
        """The tables, the arguments that change sizes, and the tiles."""
        how = _sizing(options)
        sides = []
        for at, each in enumerate(tables):
            own = of_side(id, at)
            names = columns_of(on, self._engine.columns(each), own, at, called(at, len(tables)))
            sides.append(side_of(self._engine, each, names, own, how))
        if len({len(side.taken) for side in sides}) > 1:
            raise OptionError("on names other numbers of columns in the two tables")
        check_ids(sides)
        rule = parts.rule_of(**{name: options[name] for name in _RULING if options.get(name) is not None})
        most = BYTES_OF_TILE if bytes is None else size_of(bytes, "bytes")
        tiling = parts.tile(
            rule, *(side.histogram for side in sides), bytes=most,
            tiles=usual_tiles(self._engine, tables[0]) if tiles is None else tiles
        )
        return sides, how, tiling

    def plan(
        self, left: Outer, right: Outer | None = None, on: Columns = None, *, id: str | Sides,
        tiles: int | None = None, bytes: Size = None, trials: int = 2, **options: Any
    ) -> Plan:
        """Says what :func:`join` of the same arguments will do. It reads the tables once, and sends ids and sizes. For
        trials it reads them once more.

        Parameters
        ----------
        left, right, on, id, tiles, bytes, **options
            As in :func:`join`.
        trials
            How many tiles are really joined, so that seconds can be expected. 0: none.

        Returns
        -------
        Plan
        """
        sample = _checked(right is not None, options)
        sides, how, tiling = self._tiled(self._taken(left, right), on, id, tiles, bytes, options)
        seconds = self._tried(sides, how, tiling, sample, options, whole(trials, "trials", 0, 2**20))
        counts = [value for side in sides for size, value in side.histogram.items() if size > 0]
        largest = math.ceil(tiling.largest)
        return Plan(
            len(tiling.tiles), sum(rows for rows, _ in counts), sum(taken for _, taken in counts),
            round(tiling.rows_sent), round(tiling.bytes_sent), largest, _MEMORY + _MEMORY_OF_BYTE * largest, seconds
        )

    def _tried(
        self, sides: list[Side[Frame]], how: dict[str, Any], tiling: Tiling, sample: pa.Schema, options: dict[str, Any],
        trials: int
    ) -> float | None:
        """The seconds that all tiles take, by those of a few, which are spread evenly."""
        engine, count = self._engine, len(tiling.tiles)
        chosen = tuple(sorted({(2 * at + 1) * count // (2 * trials) for at in range(trials)})) if count else ()
        if not chosen:
            return None
        routed, step = self._routed(sides, how, tiling, sample, options, chosen)
        tried = engine.table(engine.map(engine.exchange(routed, len(chosen)), _Try(step, chosen), _TRIED))
        sent = sum(tiling.sent(tile)[1] for tile in tried["tile"].to_pylist())
        if not sent:
            return None
        return float((pc.sum(tried["seconds"]).as_py() / sent + 1 / _RATE) * tiling.bytes_sent / engine.slots(routed))

    def _routed(
        self, sides: list[Side[Frame]], how: dict[str, Any], tiling: Tiling, sample: pa.Schema, options: dict[str, Any],
        chosen: tuple[int, ...] | None = None
    ) -> tuple[Frame, _Join]:
        """The rows that go to the tiles, or to the chosen ones, and the join of a tile."""
        taken, engine = sides[0].taken, self._engine
        sent = pa.schema([(PLACE, pa.int32()), ("side", pa.int8()), *taken])
        routes = [Route(tiling, at, how, side.taken, sent) for at, side in enumerate(sides)]
        steps: list[Step] = [*routes] if chosen is None else [_RouteToTrials(route, chosen) for route in routes]
        routed = engine.union([engine.map(side.frame, step, sent) for side, step in zip(sides, steps, strict=True)])
        given = [field for field in sample if field.name not in ("left", "right", "left_id", "right_id")]
        ids = [(name, taken.field("id").type) for name in ("left_id", "right_id")]
        schema = pa.schema([*ids, *map(signed, given)])
        return routed, _Join(tiling, tuple(taken.names[1:]), options, engine.settings(), schema)

    def join(
        self, left: Outer, right: Outer | None = None, on: Columns = None, *, id: str | Sides,
        tiles: int | None = None, bytes: Size = None, **options: Any
    ) -> Outer:
        """Finds every pair of rows that are alike, as :func:`akin.join` does: the same pairs and the same numbers.

        Parameters
        ----------
        left, right, on
            Tables of the cluster, and the columns of text. A column with different names in the two tables is
            :func:`akin.sides`. Without ``right``, pairs of rows of ``left``.
        id
            The column of ids of each table: signed integers or text, unique and not null, which is checked.
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
        sides, how, tiling = self._tiled(self._taken(left, right), on, id, tiles, bytes, options)
        routed, step = self._routed(sides, how, tiling, sample, options)
        met = self._engine.exchange(routed, max(1, len(tiling.tiles)))
        return self._engine.give(self._engine.map(met, step, step.schema))

    def match(
        self, left: Outer, right: Outer | None = None, on: Columns = None, *, id: str | Sides, **options: Any
    ) -> Outer:
        """Finds every pair of rows whose strings are alike: :func:`join` with ``levenshtein=N``, or with ``similarity``
        and ``threshold``.

        Returns
        -------
        frame
            As for :func:`join`; for edit distances with ``distance``.
        """
        is_near = options.get("similarity") is not None and options.get("threshold") is not None
        if not is_near and options.get("levenshtein") is None:
            raise OptionError("expected levenshtein=2, say, or similarity='jaro-winkler' with threshold=0.9")
        return self.join(left, right, on, id=id, **options)

    def near_duplicates(
        self, documents: Outer, on: str | Sequence[str] | None = None, *, id: str, jaccard: Number = 0.8,
        tokens: str = "words:5", **options: Any
    ) -> Outer:
        """Finds every pair of documents that are nearly the same, as :func:`akin.near_duplicates` does.

        Returns
        -------
        frame
            As for :func:`join`. :func:`components` makes clusters of it.
        """
        return self.join(documents, None, on, id=id, jaccard=jaccard, tokens=tokens, **options)


_EMPTY: dict[str, list[str]] = {"id": [], "text": []}


def _checked(of_two: bool, options: dict[str, Any]) -> pa.Schema:
    """The columns of a join with these options, which are checked by a join of no rows."""
    for name, advice in _OF_ONE.items():
        if options.get(name) is not None:
            raise OptionError(f"{name} is given; a join on a cluster does not take it: {advice}")
    known = {name: value for name, value in options.items() if name not in _OF_ONE}
    right = _EMPTY if of_two else None
    return pa.table(join(_EMPTY, right, "text", id="id", threads=1, device="cpu", **known)).schema


def _sizing(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of :func:`akin.sizes` for a join: of strings, the size is the number of characters."""
    if any(options.get(name) is not None for name in _STRINGS):
        folds = {name: options[name] for name in _SIZED_STRINGS if name in options}
        return {"tokens": "characters"} | folds
    return {name: options[name] for name in _SIZED if name in options}
