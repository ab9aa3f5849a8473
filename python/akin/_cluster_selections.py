"""Duplicates and links on a cluster: for each selection, records that decide about a pair meet in one task.

::

    pairs alone   map: rows to the tiles of their blocks --> exchange by tile  --> map: akin.dedupe of one selection
    blocks        map: rows by a hash of their keys      --> exchange by place --> map: the same
    windows       map: rows by ranges of sorted keys     --> exchange by range --> map: the same
                  (the first rows of a range go to the range before, too)
    all of them   union --> exchange by pair --> map: each pair once --> perhaps one place: each record once

A task runs all rules of the job with one of its selections, so it makes the same comparisons as one machine.
"""

from __future__ import annotations

import bisect
import contextlib
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, cast

import pyarrow as pa
import pyarrow.compute as pc

from . import _akin, parts
from ._akin import InputError, OptionError
from ._cluster import (
    PLACE, TEXT, Batches, Engine, Frame, Side, advising_on_memory, batches_of, cast_of, on_device, places_of, rows_of,
    sent_of, smaller_left, split_sides, usual_tiles
)  # fmt: skip
from ._cluster_join import Route
from ._dedupe import Options, find, plan_of
from ._input import input_of
from ._settings import Job, Settings, settings
from ._statistics import Statistics, statistics_made
from ._temporary import nameless

# Localities of selections: as in akin.h, akin_locality.
_BY_PAIR, _BY_BLOCK, _BY_WINDOW = 1, 2, 3
LOCALITIES = (_BY_PAIR, _BY_BLOCK, _BY_WINDOW)
_SAMPLED = 512  # rows of a range, from which ranges are made
_SAMPLED_MOST = 2**20  # of all ranges
_BORDER = 64  # at least so many sampled rows at the start of a range also go to the range before

#: In place of a selection: the keys are equal where all compared values are.
EQUALS = -1

# ---------------------------------------------------------------------------------------------------------- a task


#: Counts statistics of records, by names.
Count = Callable[[Job, _akin.Input, "_akin.Input | None", str], dict[str, tuple[int, int, _akin.Frame]]]


@dataclass(frozen=True)
class Rules:
    """The plan of a job, and of each table the columns that it names."""

    text: str
    ids: tuple[str, ...]  # the column of ids of each table
    columns: tuple[tuple[str, ...], ...]  # a name may be there twice, or be that of the ids
    is_one: bool
    lossy: bool

    def table(self, rows: Any, side: int) -> pa.Table:
        """Rows with the names of the user."""
        table = 0 if self.is_one else side
        names = {name: rows.column(f"{TEXT}{at}") for at, name in enumerate(self.columns[table])}
        return pa.table(names | {self.ids[table]: rows.column("id")})

    def nothing(self, side: int) -> pa.Table:
        """No rows of a table."""
        names = [*(f"{TEXT}{at}" for at in range(len(self.columns[side]))), "id"]
        return pa.table({name: pa.array([], pa.string()) for name in names})

    def read(self, rows: Any, side: int, job: Job) -> _akin.Input:
        """Rows as the library takes them."""
        table = self.table(rows, side)
        return input_of(table, table.column_names, self.lossy, job)

    def keys(self, selection: int, rows: pa.RecordBatch, side: int) -> list[str | None]:
        """The keys of rows, by a selection that has keys, or by ``EQUALS``."""
        job = settings(1, "cpu", None, None)
        made = _akin.dedupe_keys(job, self.read(rows, side, job), self.text, selection, not self.is_one and side == 1)
        keys: list[str | None] = pa.table(made)["key"].to_pylist()
        return keys

    def statistics(self, rows: pa.Table, side: int, count: Count) -> dict[str, Statistics]:
        """What a function of the library counts in some rows."""
        job = settings(1, "cpu", None, None)
        tables = range(len(self.columns))
        first, *others = (self.read(rows if at == side else self.nothing(at), at, job) for at in tables)
        found = count(job, first, others[0] if others else None, self.text)
        return {name: statistics_made(*counted) for name, counted in found.items()}


@dataclass(frozen=True)
class Work:
    """What a task needs to compare records."""

    rules: Rules
    compare: Any
    selected: Mapping[str, Any]
    options: Options
    running: Mapping[str, Any]
    settings: Callable[[], dict[str, Any]]
    schema: pa.Schema
    model: str | None = None  # the text of a file

    def pairs(self, selection: int, left: pa.Table, right: pa.Table | None) -> pa.Table:
        """The pairs that a selection finds among such rows of one table or of two."""
        tables = [self.rules.table(each, side) for side, each in enumerate(_ordered(left, right))]
        return self._found(tables, self.selected, {"_selection": selection})

    def pairs_of_blocks(self, column: str, most: int, left: pa.Table, right: pa.Table | None) -> pa.Table:
        """The pairs among rows with the same text in a column that no rule knows, if these are not too many."""
        tables, numbers, block = [], dict[str, int](), "__akin_block__"
        while block in self.rules.text:
            block += "_"
        for side, each in enumerate(_ordered(left, right)):
            # Folds and synonyms do not change such words.
            words = [f"akinblock{numbers.setdefault(text, len(numbers))}x" for text in each[column].to_pylist()]
            tables.append(self.rules.table(each, side).append_column(block, pa.array(words, pa.string())))
        # The other selections stay, as other rules may be about their columns.
        blocks = self.selected.get("block") or []
        selected = {**self.selected, "block": [*(blocks if isinstance(blocks, (list, tuple)) else [blocks]), block]}
        titles = plan_of(self.compare, selected, self.options, len(tables) > 1, refuse_to_suggest).titles
        number = next(at for at, title in enumerate(titles) if block in title)
        return self._found(tables, selected, {"max_block": most, "_selection": number})

    def _found(self, tables: Sequence[pa.Table], selected: Mapping[str, Any], more: Mapping[str, Any]) -> pa.Table:
        second = tables[1] if len(tables) > 1 else None

        def run(how: dict[str, Any]) -> pa.Table:
            with _file_of(self.model) as path:
                options = cast(Options, {**self.options, **more} | ({"model": path} if path else {}))
                return pa.table(find(tables[0], second, self.compare, selected, options, cast(Settings, how)))

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = on_device({**self.running, **self.settings()}, run)
        pairs = found.select(self.schema.names)
        return smaller_left(pairs) if self.rules.is_one else pairs


def refuse_to_suggest(_: str) -> NoReturn:
    """What a plan calls that lacks rules."""
    raise OptionError(
        "on a cluster compare= and a selection such as block= are needed; to find rules, run akin.dedupe on a sample, "
        "and take its .job"
    )


def _ordered(left: pa.Table, right: pa.Table | None) -> list[pa.Table]:
    """The tables that there are, each sorted by its ids."""
    return [each.sort_by("id") for each in (left, right) if each is not None]


@contextlib.contextmanager
def _file_of(text: str | None) -> Iterator[str | None]:
    """A file of a text, for this process; None: there is no text."""
    if text is None:
        yield None
        return
    with nameless() as (file, path):
        file.write(text.encode())
        file.flush()
        yield path


@dataclass(frozen=True)
class Counts:
    """Counts what the records of a part of a table have, such as tokens or values, as the rules make them."""

    rules: Rules
    side: int
    count: Count

    def __call__(self, rows: pa.Table) -> dict[str, Statistics]:
        return self.rules.statistics(rows, self.side, self.count)


# ---------------------------------------------------------------------------------------------------------- pairs


@dataclass(frozen=True)
class _Compare:
    """The pairs of each tile."""

    work: Work
    selection: int
    tiling: parts.Tiling

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory():
            for number, rows in places_of(batches):
                tile = self.tiling.tiles[number]
                left, right = split_sides(rows, self.work.rules.is_one and tile.left == tile.right)
                yield from batches_of(self.work.pairs(self.selection, left, right), self.work.schema)


# --------------------------------------------------------------------------------------------------------- blocks


@dataclass(frozen=True)
class _RouteToBlocks:
    """Rows to the place of their key. Of one key a part sends one row more than a block may have, at most: that is
    enough to show that the block is too large."""

    rules: Rules
    selection: int
    most: int
    side: int
    places: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        counted: Counter[str] = Counter()
        for each in batches:
            batch = cast_of(each, self.taken)
            keys = self.rules.keys(self.selection, batch, self.side)
            rows, kept = [], []
            for row, key in enumerate(keys):
                if key is not None and counted[key] <= self.most:
                    counted[key] += 1
                    rows.append(row)
                    kept.append(key)
            places = [parts.part_of(key, self.places) for key in kept]
            columns: list[tuple[Sequence[Any], pa.DataType]] = [
                (places, pa.int32()), ([self.side] * len(rows), pa.int8()), (kept, pa.string())
            ]  # fmt: skip
            yield from sent_of(batch, rows, columns, self.schema)


@dataclass(frozen=True)
class _Blocks:
    """The pairs of the blocks of a place."""

    work: Work
    selection: int
    most: int

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        counted: Counter[str] = Counter()
        held = []
        with advising_on_memory():
            for batch in batches:
                keys = batch.column("key").to_pylist()
                is_kept = [counted[key] <= self.most for key in keys]
                counted.update(keys)
                held.append(batch.filter(pa.array(is_kept, pa.bool_())))
            rows = rows_of(held)
            if rows is not None:
                # Enough rows are held to show that a block is too large.
                pairs = self.work.pairs(self.selection, *split_sides(rows, self.work.rules.is_one))
                yield from batches_of(pairs, self.work.schema)


# -------------------------------------------------------------------------------------------------------- windows

# How windows sort rows: by the key, "" without one; then those of the left table first; then by id.
_Sorted = tuple[str, int, int | str]
_HASHES = 2**20  # of ids; those below a share of them are sampled


@dataclass(frozen=True)
class _Sample:
    """Some rows, by a hash of their ids, as windows sort them."""

    rules: Rules
    selection: int
    side: int
    share: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            is_in = [parts.part_of(id, _HASHES) < self.share for id in batch.column("id").to_pylist()]
            batch = batch.filter(pa.array(is_in, pa.bool_()))
            keys = [key or "" for key in self.rules.keys(self.selection, batch, self.side)]
            sides = pa.array([self.side] * len(keys), pa.int8())
            columns = [pa.array(keys, pa.string()), sides, batch.column("id")]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)


@dataclass(frozen=True)
class _Ranges:
    """Sorted rows in ranges. Range i + 1 begins at starts[i]. Its rows before ends[i] also go to range i; None: all of
    its rows."""

    starts: tuple[_Sorted, ...]
    ends: tuple[_Sorted | None, ...]

    def places(self, row: _Sorted) -> list[tuple[int, int]]:
        """The ranges of a row, and whether it is there as a row of the next range."""
        at = bisect.bisect_right(self.starts, row)
        if at == 0:
            return [(0, 0)]
        end = self.ends[at - 1]
        return [(at, 0), (at - 1, 1)] if end is None or row < end else [(at, 0)]


def _ranges_of(sampled: list[_Sorted], share: float, window: int, most: int) -> _Ranges:
    """At most that many ranges of about as many rows each."""
    border = window - 1 if share == 1 else max(_BORDER, math.ceil(4 * window * share))
    step = max(-(-len(sampled) // most), border, 1)
    starts = sampled[step::step]
    ends = [sampled[at + border] if at + border < len(sampled) else None for at in range(step, len(sampled), step)]
    return _Ranges(tuple(starts), tuple(ends))


@dataclass(frozen=True)
class _RouteToRanges:
    """Rows to their ranges."""

    rules: Rules
    selection: int
    side: int
    ranges: _Ranges
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            keys = self.rules.keys(self.selection, batch, self.side)
            goes = [
                (row, place, is_next)
                for row, (key, id) in enumerate(zip(keys, batch.column("id").to_pylist(), strict=True))
                for place, is_next in self.ranges.places((key or "", self.side, id))
            ]
            rows = [row for row, _, _ in goes]
            columns: list[tuple[Sequence[Any], pa.DataType]] = [
                ([place for _, place, _ in goes], pa.int32()), ([self.side] * len(goes), pa.int8()),
                ([keys[row] or "" for row in rows], pa.string()),
                ([bool(is_next) for _, _, is_next in goes], pa.bool_())
            ]  # fmt: skip
            yield from sent_of(batch, rows, columns, self.schema)


@dataclass(frozen=True)
class _Windows:
    """The pairs of the windows of each range."""

    work: Work
    selection: int
    window: int
    ranges: _Ranges

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory():
            for place, rows in places_of(batches):
                yield from batches_of(self._pairs(rows, place), self.work.schema)

    def _pairs(self, rows: pa.Table, place: int) -> pa.Table:
        own, after = rows.filter(pc.invert(rows["is_next"])), rows.filter(rows["is_next"])
        after = after.sort_by([("key", "ascending"), ("side", "ascending"), ("id", "ascending")])
        is_whole = place == len(self.ranges.ends) or self.ranges.ends[place] is None  # no range follows the next one
        if len(after) < self.window - 1 and not is_whole:
            raise InputError(
                f"too few of the records next to a range were sampled, for a window of {self.window}; expected a "
                "smaller number for tiles="
            )
        after = after.slice(0, self.window - 1)
        pairs = self.work.pairs(self.selection, *split_sides(pa.concat_tables([own, after]), self.work.rules.is_one))
        # Pairs of two records of the next range are found there.
        is_after = []
        for side, name in ((0, "left_id"), (0 if self.work.rules.is_one else 1, "right_id")):
            ids = after.filter(pc.equal(after["side"], side))["id"]
            is_after.append(pc.is_in(pairs[name], value_set=ids))
        return pairs.filter(pc.invert(pc.and_(*is_after)))


# ----------------------------------------------------------------------------------------------------- selections


@dataclass(frozen=True)
class Selecting(Generic[Frame]):
    """The pairs of selections."""

    engine: Engine[Any, Frame]
    work: Work
    sides: Sequence[Side[Frame]]
    tiles: int | None
    bytes: int  # of a task

    def pairs(self, selection: int, locality: int, most: int) -> Frame:
        """``most``: the records of a window, or of a block."""
        ways = {_BY_PAIR: self._tiled, _BY_BLOCK: self._blocked, _BY_WINDOW: self._ranged}
        return ways[locality](selection, most)

    def _tasks(self) -> int:
        """How many tasks have no more than their bytes, or as many as are wanted."""
        taken = sum(size for side in self.sides for _, size in side.histogram.values())
        usual = usual_tiles(self.engine, self.sides[0].frame) if self.tiles is None else self.tiles
        return max(usual, -(-taken // self.bytes))

    def _rows(self) -> int:
        return sum(rows for side in self.sides for rows, _ in side.histogram.values())

    def _sent(self, *more: tuple[str, pa.DataType]) -> pa.Schema:
        return pa.schema([(PLACE, pa.int32()), ("side", pa.int8()), *more, *self.sides[0].taken])

    def _met(self, step: Callable[[int, pa.Schema], Any], sent: pa.Schema, places: int) -> Frame:
        """The rows of all tables, by their places; ``step`` makes that of a side."""
        engine = self.engine
        frames = [engine.map(side.frame, step(at, side.taken), sent) for at, side in enumerate(self.sides)]
        return engine.exchange(engine.union(frames), places)

    def _tiled(self, selection: int, most: int) -> Frame:
        histograms = [side.histogram for side in self.sides]
        tiling = parts.tile(lambda r, s: True, *histograms, tiles=self._tasks(), bytes=self.bytes)
        sent = self._sent()
        met = self._met(lambda at, taken: Route(tiling, at, None, taken, sent), sent, max(1, len(tiling.tiles)))
        return self.engine.map(met, _Compare(self.work, selection, tiling), self.work.schema)

    def _blocked(self, selection: int, most: int) -> Frame:
        sent, places, work = self._sent(("key", pa.string())), self._tasks(), self.work
        rules = work.rules
        met = self._met(lambda at, taken: _RouteToBlocks(rules, selection, most, at, places, taken, sent), sent, places)
        return self.engine.map(met, _Blocks(work, selection, most), work.schema)

    def _ranged(self, selection: int, window: int) -> Frame:
        engine, work, rows = self.engine, self.work, self._rows()
        most = max(1, min(self._tasks(), rows // (8 * window)))
        wanted = min(_SAMPLED * most, _SAMPLED_MOST)
        share = min(_HASHES, -(-wanted * _HASHES // max(1, rows)))
        found = pa.schema([("key", pa.string()), ("side", pa.int8()), ("id", self.sides[0].taken.field("id").type)])
        steps = [_Sample(work.rules, selection, at, share, side.taken, found) for at, side in enumerate(self.sides)]
        drawn = [engine.map(side.frame, step, found) for side, step in zip(self.sides, steps, strict=True)]
        sampled = engine.table(engine.union(drawn))
        rows_drawn = sorted(zip(*(sampled[name].to_pylist() for name in found.names), strict=True))
        ranges = _ranges_of(rows_drawn, share / _HASHES, window, most)
        sent = self._sent(("key", pa.string()), ("is_next", pa.bool_()))
        places = len(ranges.starts) + 1
        met = self._met(lambda at, taken: _RouteToRanges(work.rules, selection, at, ranges, taken, sent), sent, places)
        return engine.map(met, _Windows(work, selection, window, ranges), work.schema)
