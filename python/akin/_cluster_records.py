"""Duplicates and links on a cluster: the pairs of each selection, then each pair once, and perhaps each record once."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, cast

import pyarrow as pa

from . import _akin, parts
from ._akin import OptionError
from ._checks import whole
from ._choices import values
from ._cluster import (
    BYTES_OF_TILE, PARTS, PLACE, RUNNING, Batches, Engine, Frame, Outer, Side, advising_on_memory, batches_of, called,
    check_ids, columns_of, in_one_place, of_side, rows_of, side_of, text_of_file
)  # fmt: skip
from ._cluster_competition import found_among
from ._cluster_model import Learnt, model_file
from ._cluster_selections import LOCALITIES, Counts, Rules, Selecting, Work, refuse_to_suggest
from ._cluster_statistics import sum_statistics
from ._dedupe import Options, dedupe, find, learns, plan_of
from ._rules import Plan, Sides
from ._settings import Settings, Size, settings, size_of
from ._statistics import Statistics
from ._suggest import did_you_mean

_SELECTIONS = tuple(name.replace("-", "_") for name in values("selections"))
_OPTIONS = (
    "weights", "model", "threshold", "fold", "synonyms", "combine", "missing", "evidence", "one_to_one",
    "one_per_source", "max_block", "left_on", "right_on", "lossy", "statistics"
)  # fmt: skip


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
    """Keeps one row for each pair. All selections give it the same similarities. A group of equal records gives it 1:
    then the lower probability counts, as on one machine."""

    schema: pa.Schema
    has_equals: bool

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory(PARTS):
            rows = rows_of(batches)
            if rows is None:
                return
            kept = self._first(rows.sort_by("similarity") if self.has_equals else rows)
        yield from batches_of(kept, self.schema)

    def _first(self, rows: pa.Table) -> pa.Table:
        numbered = rows.select(["left_id", "right_id"]).append_column("row", pa.array(range(len(rows)), pa.int64()))
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


def _groups_in(path: str) -> list[str]:
    """The lines of a file of synonyms."""
    return [line.strip() for line in text_of_file(path).splitlines() if line.strip()]


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
    known = (*_SELECTIONS, *_OPTIONS, *RUNNING)
    for name in options:
        if name not in known and name in inspect.signature(dedupe).parameters:
            raise OptionError(f"{name} is given; it is for one machine: akin.dedupe, akin.link")
        if name not in known:
            raise OptionError(f"there is no argument {name}{did_you_mean(name, (*known, 'tiles', 'bytes'))}")
    return {name: options.get(name, False if name == "all_pairs" else None) for name in _SELECTIONS}


def _planned(
    compare: Any, id: str | Sides, is_one: bool, said: Mapping[str, Any]
) -> tuple[dict[str, Any], Options, Plan]:
    """The selections of a job, its other arguments, and its plan, which tasks can do."""
    selected = _selected(said)
    options = cast(Options, {name: said[name] for name in _OPTIONS if name in said} | {"id": id})
    if compare is None:
        refuse_to_suggest("")
    plan = plan_of(compare, selected, options, not is_one, refuse_to_suggest)
    if "synonyms" in options:
        options["synonyms"] = _groups_of(plan.job)
        plan = plan_of(compare, selected, options, not is_one, refuse_to_suggest)
    for title, (locality, _) in zip(plan.titles, plan.localities, strict=True):
        if locality not in LOCALITIES:
            word = title.split()[0]
            raise OptionError(f"{word} is for one machine: akin.dedupe, akin.link; a block or a window may do")
    return selected, options, plan


class RecordJobs(Generic[Outer, Frame]):
    """The functions of a module for an engine, over records."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def dedupe(
        self, table: Outer, compare: Any = None, *, id: str, tiles: int | None = None, bytes: Size = None,
        **options: Any
    ) -> Outer:
        """Finds the duplicates in a table by rules or by learnt weights, as :func:`akin.dedupe` does: the same pairs
        and the same similarities. Where :func:`akin.dedupe` goes by the order of rows, it goes by ids.

        Parameters
        ----------
        table, compare
            A table of the cluster, and the comparisons, such as ``["name:jaro-winkler:0.8", "town:exact"]``.
        id
            The column of ids: signed integers or text, unique and not null, which is checked.
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
            first, if they are not given. ``weights="learn"`` takes the weights of ``model``. That is a file that
            :func:`akin.dedupe` or :func:`akin.link` wrote. The default threshold is 0.8, and with a model that of the
            model.

        Returns
        -------
        frame
            ``left_id``, ``right_id``, ``similarity``, and the similarity of each compared column, in no particular
            order. ``left_id`` is the smaller id. ``components`` makes clusters of it, but does not know sources: with
            ``one_per_source`` it may still connect two records of one source.

        Raises
        ------
        OptionError
            As in :func:`akin.dedupe`; or an argument is given that a cluster does not take; or
            ``weights="learn"`` has no model, or one that does not suit the tables.
        Exception
            The exception of the engine, with the message of akin, if a task fails: see :func:`join`.
        """
        return self._find([table], compare, id, tiles, bytes, options)

    def link(
        self, left: Outer, right: Outer, compare: Any = None, *, id: str | Sides, tiles: int | None = None,
        bytes: Size = None, **options: Any
    ) -> Outer:
        """Finds the records of two tables that belong together, as :func:`akin.link` does. Columns may have different
        names in the two tables: :func:`akin.sides`, also for ``id``, or ``left_on`` and ``right_on``.

        Returns
        -------
        frame
            As for :func:`dedupe`; ``left_id`` is of the left table.
        """
        return self._find([left, right], compare, id, tiles, bytes, options)

    def _find(
        self, tables: Sequence[Outer], compare: Any, id: str | Sides, tiles: int | None, bytes: Size,
        said: Mapping[str, Any]
    ) -> Outer:
        engine, is_one = self._engine, len(tables) == 1
        tiles = None if tiles is None else whole(tiles, "tiles", 1, 2**20)
        most = BYTES_OF_TILE if bytes is None else size_of(bytes, "bytes")
        selected, options, plan = _planned(compare, id, is_one, said)
        own = tuple(of_side(id, at) for at in range(len(tables)))
        rules = Rules(plan.text, own, _akin.plan(plan.text)[:2][: len(tables)], is_one, bool(options.get("lossy")))
        learnt = self._learnt(compare, selected, options, plan, rules)
        sides = self._sides(tables, rules)
        schema = _schema_of(compare, selected, options, rules, sides[0].taken.field("id").type)
        equals: list[Frame] = []
        is_paired = False
        if not learnt:
            is_paired = options.pop("one_to_one", False)  # tasks do not choose: they lack pairs
        else:
            sides, population, equals = learnt.prepared(sides, schema)
            options["_population"] = population
            if not learnt.competes and learnt.least is not None:
                options["threshold"] = learnt.least
        if weighed := {**self._statistics(rules, sides), **(options.get("statistics") or {})}:
            options["statistics"] = weighed
        running = {name: said[name] for name in RUNNING if name in said}
        text = learnt.text if learnt else None
        work = Work(rules, compare, selected, options, running, engine.settings(), schema, text)
        job = Selecting(engine, work, sides, tiles, most)
        found = [job.pairs(number, *how) for number, how in enumerate(plan.localities)]
        if learnt and learnt.competes:
            threshold = Fraction(str(plan.job["threshold"])) if learnt.is_given else None
            once, memory = self._once(found, schema), said.get("memory")
            found = [found_among(engine, once, learnt.text, population[:2], threshold, memory, schema), *equals]
        elif learnt:  # an exchange keeps what has been compared
            found = [*learnt.completed(self._exchanged(found, schema), sides, work), *equals]
        result = self._once(found, schema, bool(equals))
        return engine.give(self._paired(result, plan, is_one, schema) if is_paired else result)

    def _learnt(
        self, compare: Any, selected: Mapping[str, Any], options: Options, plan: Plan, rules: Rules
    ) -> Learnt[Frame] | None:
        """What a job with learnt weights does; None: its weights are given. A model that tasks cannot apply is
        refused."""
        if not learns(options.get("weights"), compare):
            return None
        name, text = model_file(options.get("model"))
        is_paired = bool(options.get("one_to_one"))
        leaves_out = rules.is_one and options.get("one_per_source") is None and not is_paired
        is_given = _is_number(plan.job.get("threshold"))
        competes = is_paired or _akin.model_competes(settings(1, "cpu", None, None), name, text)
        learnt = Learnt(self._engine, rules, text, competes, is_given, leaves_out, plan.learning)
        tried = cast(Options, {**options, "_population": learnt.nothing()})
        _schema_of(compare, selected, tried, rules, pa.string())
        return learnt

    def _sides(self, tables: Sequence[Outer], rules: Rules) -> list[Side[Frame]]:
        sides = []
        for at, (table, names, id) in enumerate(zip(tables, rules.columns, rules.ids, strict=True)):
            frame = self._engine.take(table)
            known = columns_of(names, self._engine.columns(frame), id, at, called(at, len(tables)))
            sides.append(side_of(self._engine, frame, known, id, None))
        check_ids(sides)
        return sides

    def _statistics(self, rules: Rules, sides: Sequence[Side[Frame]]) -> dict[str, Statistics]:
        """The statistics of the tables, if comparators weigh tokens by all records."""
        counts = [Counts(rules, side, _akin.count_records) for side in range(len(sides))]
        names = list(counts[0](rules.nothing(0)))
        frames = [side.frame for side in sides]
        return sum_statistics(self._engine, list(zip(frames, counts, strict=True)), names) if names else {}

    def _once(self, found: Sequence[Frame], schema: pa.Schema, has_equals: bool = False) -> Frame:
        """Each pair of several selections once."""
        return found[0] if len(found) == 1 else self._exchanged(found, schema, has_equals)

    def _exchanged(self, found: Sequence[Frame], schema: pa.Schema, has_equals: bool = False) -> Frame:
        engine = self._engine
        together = engine.union(found)
        places, placed = max(1, engine.places(together)), pa.schema([(PLACE, pa.int32()), *schema])
        met = engine.exchange(engine.map(together, _ByLeftId(places, placed), placed), places)
        return engine.map(met, _Once(schema, has_equals), schema)

    def _paired(self, found: Frame, plan: Plan, is_one: bool, schema: pa.Schema) -> Frame:
        """The pairs of which no two share a record."""
        weights = tuple(int(Decimal(str(rule.get("weight", 1))) * 10**9) for rule in plan.job["compare"])
        met = in_one_place(self._engine, found, schema)
        return self._engine.map(met, _OneToOne(weights, is_one, schema), schema)


def _is_number(said: Any) -> bool:
    """Whether a threshold is a number, and not a word."""
    try:
        Fraction(str(said))
    except ValueError:
        return False
    return True


def _schema_of(
    compare: Any, selected: Mapping[str, Any], options: Options, rules: Rules, id_type: pa.DataType
) -> pa.Schema:
    """The columns of the result: those of a job on tables without rows."""
    sides = zip(rules.columns, rules.ids, strict=True)
    types = [dict.fromkeys(names, pa.string()) | {id: id_type} for names, id in sides]
    tables = [pa.schema(list(each.items())).empty_table() for each in types]
    run = Settings(threads=1, device="cpu", memory=None, progress=None, device_memory=None)
    made = pa.table(find(tables[0], tables[1] if len(tables) > 1 else None, compare, selected, options, run))
    kept = [field for field in made.schema if field.name not in ("left", "right", "left_id", "right_id")]
    if PLACE in made.schema.names:
        raise OptionError(f"a column is called {PLACE!r}, as tasks call one of theirs: rename it")
    return pa.schema([("left_id", id_type), ("right_id", id_type), *kept])
