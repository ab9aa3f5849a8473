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
import gzip
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, NoReturn, cast

import pyarrow as pa
import pyarrow.compute as pc

from . import _akin, parts
from ._akin import InputError, OptionError
from ._checks import whole
from ._choices import values
from ._cluster import (
    BYTES_OF_BATCH, BYTES_OF_TILE, PARTS, PLACE, ROWS_OF_BATCH, TEXT, Batches, Engine, Frame, Outer, Route, Side,
    advising_on_memory, batches_of, cast_of, columns_of, on_device, rows_of,
    side_of, smaller_left
)  # fmt: skip
from ._cluster_statistics import sum_statistics
from ._dedupe import Options, find, learns, plan_of
from ._input import input_of
from ._rules import Plan
from ._settings import Job, Settings, Size, settings, size_of
from ._statistics import Statistics, statistics_made

# As in akin.h, akin_locality.
_BY_PAIR, _BY_BLOCK, _BY_WINDOW = 1, 2, 3
_SAMPLED = 512  # rows of a range, from which ranges are made
_SAMPLED_MOST = 2**20  # of all ranges
_BORDER = 64  # at least so many sampled rows at the start of a range also go to the range before
_SELECTIONS = tuple(name.replace("-", "_") for name in values("selections"))
_RUNNING = ("memory", "device_memory")
_OPTIONS = (
    "weights", "threshold", "fold", "synonyms", "combine", "missing", "evidence", "one_to_one", "one_per_source",
    "max_block", "left_on", "right_on", "lossy", "statistics"
)  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- a job


@dataclass(frozen=True)
class _Rules:
    """The plan of a job, and of each table the columns that it names."""

    text: str
    id: str
    columns: tuple[tuple[str, ...], ...]  # a name may be there twice, or be that of the ids
    is_one: bool
    lossy: bool

    def table(self, rows: Any, side: int) -> pa.Table:
        """Rows with the names of the user."""
        names = {name: rows.column(f"{TEXT}{at}") for at, name in enumerate(self.columns[0 if self.is_one else side])}
        return pa.table(names | {self.id: rows.column("id")})

    def _read(self, table: pa.Table, job: Job) -> _akin.Input:
        return input_of(table, table.column_names, self.lossy, job)

    def keys(self, selection: int, rows: pa.RecordBatch, side: int) -> list[str | None]:
        """The keys of rows, by a selection that has keys."""
        job = settings(1, "cpu", None, None)
        read = self._read(self.table(rows, side), job)
        made = _akin.dedupe_keys(job, read, self.text, selection, not self.is_one and side == 1)
        keys: list[str | None] = pa.table(made)["key"].to_pylist()
        return keys

    def statistics(self, rows: pa.Table, side: int) -> dict[str, Statistics]:
        """What comparators that weigh tokens by all records have to know of some rows."""
        job = settings(1, "cpu", None, None)
        tables = [pa.table({name: pa.array([], pa.string()) for name in (*names, self.id)}) for names in self.columns]
        tables[side] = self.table(rows, side)
        first, *others = (self._read(table, job) for table in tables)
        found = _akin.count_records(job, first, others[0] if others else None, self.text)
        return {name: statistics_made(*counted) for name, counted in found.items()}


@dataclass(frozen=True)
class _Work:
    """What a task needs to compare records."""

    rules: _Rules
    compare: Any
    selected: Mapping[str, Any]
    options: Options
    running: Mapping[str, Any]
    settings: Callable[[], dict[str, Any]]
    schema: pa.Schema

    def pairs(self, selection: int, left: pa.Table, right: pa.Table | None) -> pa.Table:
        """The pairs that a selection finds among such rows of one table or of two."""
        options = self.options | {"_selection": selection}
        first, *others = (
            self.rules.table(each.sort_by("id"), side) for side, each in enumerate((left, right)) if each is not None
        )
        second = others[0] if others else None

        def run(how: dict[str, Any]) -> pa.Table:
            return pa.table(find(first, second, self.compare, self.selected, options, cast(Settings, how)))

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = on_device({**self.running, **self.settings()}, run)
        pairs = found.select(self.schema.names)
        return smaller_left(pairs) if self.rules.is_one else pairs


def _sent(
    batch: pa.RecordBatch, rows: Sequence[int], columns: Mapping[str, tuple[Sequence[Any], pa.DataType]],
    schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Some rows of a batch behind some columns, in batches that every engine can send."""
    largest = max(1, batch.nbytes // max(1, batch.num_rows))
    step = max(1, min(ROWS_OF_BATCH, BYTES_OF_BATCH // largest))
    for at in range(0, len(rows), step):
        sent = batch.take(pa.array(rows[at : at + step], pa.int32()))
        made = [pa.array(values[at : at + step], type) for values, type in columns.values()]
        yield pa.RecordBatch.from_arrays([*made, *sent.columns], schema=schema)


def _split(rows: pa.Table, is_one: bool) -> tuple[pa.Table, pa.Table | None]:
    """The rows of each table."""
    if is_one:
        return rows, None
    is_right = pc.equal(rows["side"], 1)
    return rows.filter(pc.invert(is_right)), rows.filter(is_right)


@dataclass(frozen=True)
class _CountTokens:
    """Counts the tokens of the records of a part of a table, as comparators weigh them."""

    rules: _Rules
    side: int

    def __call__(self, rows: pa.Table) -> dict[str, Statistics]:
        return self.rules.statistics(rows, self.side)


# ---------------------------------------------------------------------------------------------------------- pairs


@dataclass(frozen=True)
class _Compare:
    """The pairs of each tile."""

    work: _Work
    selection: int
    tiling: parts.Tiling

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory():
            rows = rows_of(batches)
            if rows is None:
                return
            for number in sorted(pc.unique(rows[PLACE]).to_pylist()):
                tile = self.tiling.tiles[number]
                here = rows.filter(pc.equal(rows[PLACE], number))
                left, right = _split(here, self.work.rules.is_one and tile.left == tile.right)
                yield from batches_of(self.work.pairs(self.selection, left, right), self.work.schema)


# --------------------------------------------------------------------------------------------------------- blocks


@dataclass(frozen=True)
class _RouteToBlocks:
    """Rows to the place of their key. Of one key a part sends one row more than a block may have, at most: that is
    enough to show that the block is too large."""

    rules: _Rules
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
            columns: dict[str, tuple[Sequence[Any], pa.DataType]] = {
                PLACE: (places, pa.int32()), "side": ([self.side] * len(rows), pa.int8()), "key": (kept, pa.string())
            }  # fmt: skip
            yield from _sent(batch, rows, columns, self.schema)


@dataclass(frozen=True)
class _Blocks:
    """The pairs of the blocks of a place."""

    work: _Work
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
                pairs = self.work.pairs(self.selection, *_split(rows, self.work.rules.is_one))
                yield from batches_of(pairs, self.work.schema)


# -------------------------------------------------------------------------------------------------------- windows

# How windows sort rows: by the key, "" without one; then those of the left table first; then by id.
_Sorted = tuple[str, int, int | str]
_HASHES = 2**20  # of ids; those below a share of them are sampled


@dataclass(frozen=True)
class _Sample:
    """Some rows, by a hash of their ids, as windows sort them."""

    rules: _Rules
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

    rules: _Rules
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
            columns: dict[str, tuple[Sequence[Any], pa.DataType]] = {
                PLACE: ([place for _, place, _ in goes], pa.int32()), "side": ([self.side] * len(goes), pa.int8()),
                "key": ([keys[row] or "" for row in rows], pa.string()),
                "is_next": ([bool(is_next) for _, _, is_next in goes], pa.bool_())
            }  # fmt: skip
            yield from _sent(batch, rows, columns, self.schema)


@dataclass(frozen=True)
class _Windows:
    """The pairs of the windows of each range."""

    work: _Work
    selection: int
    window: int
    ranges: _Ranges

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory():
            rows = rows_of(batches)
            if rows is None:
                return
            for place in sorted(pc.unique(rows[PLACE]).to_pylist()):
                here = rows.filter(pc.equal(rows[PLACE], place))
                yield from batches_of(self._pairs(here, place), self.work.schema)

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
        pairs = self.work.pairs(self.selection, *_split(pa.concat_tables([own, after]), self.work.rules.is_one))
        # Pairs of two records of the next range are found there.
        is_after = []
        for side, name in ((0, "left_id"), (0 if self.work.rules.is_one else 1, "right_id")):
            ids = after.filter(pc.equal(after["side"], side))["id"]
            is_after.append(pc.is_in(pairs[name], value_set=ids))
        return pairs.filter(pc.invert(pc.and_(*is_after)))


# -------------------------------------------------------------------------------------------------------- results


@dataclass(frozen=True)
class _ByLeftId:
    """Pairs, each with a place by its left id."""

    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            places = [parts.part_of(id, self.places) for id in batch.column("left_id").to_pylist()]
            yield pa.RecordBatch.from_arrays([pa.array(places, pa.int32()), *batch.columns], schema=self.schema)


@dataclass(frozen=True)
class _Once:
    """Keeps one row for each pair. All selections give it the same similarities."""

    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory(PARTS):
            rows = rows_of(batches)
            if rows is None:
                return
            kept = self._first(rows)
        yield from batches_of(kept, self.schema)

    def _first(self, rows: pa.Table) -> pa.Table:
        numbered = rows.append_column("row", pa.array(range(len(rows)), pa.int64()))
        first = numbered.group_by(["left_id", "right_id"]).aggregate([("row", "min")])["row_min"]
        return rows.take(first).select(self.schema.names)


@dataclass(frozen=True)
class _OneToOne:
    """At most one pair for each record, the most similar pairs first, then by ids. Averages are compared as one machine
    compares them, rounded to 9 digits."""

    weights: tuple[int, ...]  # of the compared columns, in units of 10^-9
    is_one: bool
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is None:
            return
        rows = rows.select(self.schema.names).sort_by([("left_id", "ascending"), ("right_id", "ascending")])
        each = [rows[name].to_pylist() for name in self.schema.names[3:]]
        averages = [self._average(similarities) for similarities in zip(*each, strict=True)]
        ids = list(zip(rows["left_id"].to_pylist(), rows["right_id"].to_pylist(), strict=True))
        taken: tuple[set[Any], set[Any]] = (set(), set())
        left, right = (taken[0], taken[0]) if self.is_one else taken
        kept = []
        for row in sorted(range(len(ids)), key=lambda row: (-averages[row], row)):
            if ids[row][0] not in left and ids[row][1] not in right:
                left.add(ids[row][0])
                right.add(ids[row][1])
                kept.append(row)
        yield from batches_of(rows.take(pa.array(sorted(kept), pa.int64())), self.schema)

    def _average(self, similarities: Sequence[float | None]) -> int:
        counted = [(s, w) for s, w in zip(similarities, self.weights, strict=True) if s is not None]
        weights = sum(weight for _, weight in counted)
        total = sum(int(similarity * 2**40 + 0.5) * weight for similarity, weight in counted)
        return (total * 10**9 * 2 + weights * 2**40) // (weights * 2**41) if weights else 0


# ----------------------------------------------------------------------------------------------------------- jobs


def _refuse(plan: str) -> NoReturn:
    raise OptionError(
        "on a cluster compare= and a selection such as block= are needed; to find rules, run akin.dedupe on a sample, "
        "and take its .job"
    )


def _groups_in(path: str) -> list[str]:
    """The lines of a file of synonyms, which tasks do not have."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not valid UTF-8; expected a text, or one of gzip") from None
    return [line.strip() for line in lines if line.strip()]


def _groups_of(job: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The synonyms of a plan with the groups of the files that it names."""
    made = []
    for rule in job.get("synonyms", []):
        rule = {"file": rule} if isinstance(rule, str) else dict(rule)
        if path := rule.pop("file", None):
            rule["groups"] = _groups_in(path)
        made.append(rule)
    return made


def _selected(options: Mapping[str, Any]) -> dict[str, Any]:
    """The selections among the arguments; the others are checked."""
    known = (*_SELECTIONS, *_OPTIONS, *_RUNNING)
    for name in options:
        if name not in known:
            raise OptionError(f"{name} is given; on a cluster the arguments are tiles, bytes, {', '.join(known)}")
    return {name: options.get(name, False if name == "all_pairs" else None) for name in _SELECTIONS}


class RecordJobs(Generic[Outer, Frame]):
    """The functions of a module for an engine, over records."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def dedupe(
        self, table: Outer, compare: Any, *, id: str, tiles: int | None = None, bytes: Size = None, **options: Any
    ) -> Outer:
        """Finds the duplicates in a table by rules, as :func:`akin.dedupe` does: the same pairs and the same
        similarities. Where :func:`akin.dedupe` goes by the order of rows, it goes by ids.

        Parameters
        ----------
        table, compare
            A table of the cluster, and the comparisons, such as ``["name:jaro-winkler:0.8", "town:exact"]``.
        id
            The column of ids: integers of 64 bits or text, unique and not null, which is checked.
        tiles
            The most tasks that compare records of a selection (default: three for each task that the cluster runs at a
            time).
        bytes
            The most bytes of records that one task is expected to receive (default: 256 MiB). More tasks are made if
            necessary.
        **options
            Arguments of :func:`akin.dedupe`: selections (``all_pairs``, ``window``, ``block``, ``similar``), and
            ``threshold``, ``fold``, ``synonyms``, ``combine``, ``missing``, ``evidence``, ``one_to_one``,
            ``one_per_source``, ``max_block``, ``lossy`` and ``statistics``. ``memory`` is the limit of each task. For
            comparators that weigh tokens by all records, such as ``tfidf``, the statistics of the table are counted
            first, if they are not given.

        Returns
        -------
        frame
            ``left_id``, ``right_id``, ``similarity``, and the similarity of each compared column, in no particular
            order. ``left_id`` is the smaller id. ``components`` makes clusters of it.

        Raises
        ------
        OptionError
            As in :func:`akin.dedupe`; or an argument is given that a cluster does not take, or weights are to be
            learnt.
        Exception
            The exception of the engine, with the message of akin, if a task fails: see :func:`join`.
        """
        return self._find([table], compare, id, tiles, bytes, options)

    def link(
        self, left: Outer, right: Outer, compare: Any, *, id: str, tiles: int | None = None, bytes: Size = None,
        **options: Any
    ) -> Outer:
        """Finds the records of two tables that belong together, as :func:`akin.link` does. Both tables have a column
        ``id``, and other columns may have different names in them (``left_on``, ``right_on``, :func:`akin.sides`).

        Returns
        -------
        frame
            As for :func:`dedupe`; ``left_id`` is of the left table.
        """
        return self._find([left, right], compare, id, tiles, bytes, options)

    def _find(
        self, tables: Sequence[Outer], compare: Any, id: str, tiles: int | None, bytes: Size, said: Mapping[str, Any]
    ) -> Outer:
        engine = self._engine
        selected = _selected(said)
        tiles = None if tiles is None else whole(tiles, "tiles", 1, 2**20)
        options = cast(Options, {name: said[name] for name in _OPTIONS if name in said} | {"id": id})
        is_one = len(tables) == 1
        if learns(options.get("weights"), compare):
            raise OptionError("weights are learnt from all selected pairs, on one machine; expected weights='given'")
        plan = plan_of(compare, selected, options, not is_one, _refuse)
        if "synonyms" in options:
            options["synonyms"] = _groups_of(plan.job)
            plan = plan_of(compare, selected, options, not is_one, _refuse)
        for title, (locality, _) in zip(plan.titles, plan.localities, strict=True):
            if locality not in (_BY_PAIR, _BY_BLOCK, _BY_WINDOW):
                raise OptionError(f"{title} needs all records, or a list of pairs: it runs on one machine only")
        is_paired = options.pop("one_to_one", False)
        columns = _akin.plan(plan.text)[:2][: len(tables)]
        frames = [engine.take(each) for each in tables]
        sides = [
            side_of(engine, each, columns_of(names, engine.columns(each), id), id, None)
            for each, names in zip(frames, columns, strict=True)
        ]
        ids = {side.taken.field("id").type for side in sides}
        if len(ids) > 1:
            raise OptionError(f"column {id!r} has integers in one table and text in the other; expected one type")
        running = {name: said[name] for name in _RUNNING if name in said}
        rules = _Rules(plan.text, id, columns, is_one, bool(options.get("lossy")))
        schema = _schema_of(compare, selected, options, columns, id, ids.pop())
        if weighed := {**self._statistics(rules, sides), **(options.get("statistics") or {})}:
            options["statistics"] = weighed
        work = _Work(rules, compare, selected, options, running, engine.settings(), schema)
        job = _Selecting(engine, work, sides, tiles, BYTES_OF_TILE if bytes is None else size_of(bytes, "bytes"))
        found = [job.pairs(number, *how) for number, how in enumerate(plan.localities)]
        result = found[0] if len(found) == 1 else self._once(found, schema)
        return engine.give(self._paired(result, plan, is_one, schema) if is_paired else result)

    def _statistics(self, rules: _Rules, sides: Sequence[Side[Frame]]) -> dict[str, Statistics]:
        """The statistics of the tables, if comparators weigh tokens by all records."""
        counts = [_CountTokens(rules, side) for side in range(len(sides))]
        names = list(counts[0](sides[0].taken.empty_table()))
        frames = [side.frame for side in sides]
        return sum_statistics(self._engine, list(zip(frames, counts, strict=True)), names) if names else {}

    def _once(self, found: Sequence[Frame], schema: pa.Schema) -> Frame:
        """Each pair of several selections once."""
        engine = self._engine
        together = engine.union(found)
        places, placed = max(1, engine.places(together)), pa.schema([(PLACE, pa.int32()), *schema])
        met = engine.exchange(engine.map(together, _ByLeftId(places, placed), placed), places)
        return engine.map(met, _Once(schema), schema)

    def _paired(self, found: Frame, plan: Plan, is_one: bool, schema: pa.Schema) -> Frame:
        """The pairs of which no two share a record."""
        engine, placed = self._engine, pa.schema([(PLACE, pa.int32()), *schema])
        weights = tuple(int(Decimal(str(rule.get("weight", 1))) * 10**9) for rule in plan.job["compare"])
        met = engine.exchange(engine.map(found, _ByLeftId(1, placed), placed), 1)
        return engine.map(met, _OneToOne(weights, is_one, schema), schema)


def _schema_of(
    compare: Any, selected: Mapping[str, Any], options: Options, columns: Sequence[Sequence[str]], id: str,
    id_type: pa.DataType
) -> pa.Schema:
    """The columns of the result: those of a job on tables without rows."""
    types = [dict.fromkeys(names, pa.string()) | {id: id_type} for names in columns]
    tables = [pa.schema(list(each.items())).empty_table() for each in types]
    run = Settings(threads=1, device="cpu", memory=None, progress=None, device_memory=None)
    made = pa.table(find(tables[0], tables[1] if len(tables) > 1 else None, compare, selected, options, run))
    kept = [field for field in made.schema if field.name not in ("left", "right", "left_id", "right_id")]
    return pa.schema([("left_id", id_type), ("right_id", id_type), *kept])


@dataclass(frozen=True)
class _Selecting(Generic[Frame]):
    """The pairs of selections."""

    engine: Engine[Any, Frame]
    work: _Work
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
        usual = 3 * max(1, self.engine.slots(self.sides[0].frame))
        return max(usual if self.tiles is None else self.tiles, -(-taken // self.bytes))

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
