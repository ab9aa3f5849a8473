"""Learnt weights on a cluster: a model that is kept gives pairs the probabilities that they have on one machine.

::

    values      map: the values of each part --> sums (_cluster_statistics.py): how many records have each value
    equals      map: digests of compared values --> exchange by digest --> those of too many records, for the driver
                map: their records --> exchange by digest --> groups of equal records; some records are left out
    pairs       those of the selections (_cluster_selections.py), by tasks that know the model and the values
    completion  components of found pairs --> exchange of records and labels by id --> exchange by label
                --> map: all pairs of a component

Where a record has many partners, the probability of a pair depends on no other pair. Else pairs compete
(_cluster_competition.py), and there is no completion.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic

import pyarrow as pa
import pyarrow.compute as pc

from . import _akin, parts
from ._akin import InputError, OptionError
from ._cluster import (
    PARTS, PLACE, Batches, Engine, Frame, Side, advising_on_memory, batches_of, cast_of, rows_of, sent_of, split_sides,
    text_of_file
)  # fmt: skip
from ._cluster_forest import components_of
from ._cluster_selections import EQUALS, Counts, Rules, Work
from ._cluster_statistics import sum_statistics
from ._dedupe import population_of
from ._rules import Learning
from ._settings import settings
from ._statistics import Statistics

_NOTHING = Statistics(0, 0, ())

# Columns beside those of the user.
_DIGEST, _LEFT_OUT = "__akin_digest__", "__akin_left_out__"

#: The records of each table, and the statistics of the values of each compared column.
Population = tuple[int, int, Mapping[str, Statistics]]


def model_file(path: Any) -> tuple[str, str]:
    """The name of a file, and the model in it. Weights are learnt on one machine, from a sample."""
    if path is None:
        raise OptionError(
            "model is missing: weights are learnt on one machine. Run akin.dedupe(sample, ..., weights='learn', "
            "model='FILE') there, then give model='FILE' here"
        )
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"model is {path!r}; expected the path of a file")
    name = os.fsdecode(path)
    if os.path.isdir(name):
        raise InputError(f"{name}: is a directory; expected a file")
    text = text_of_file(name) if os.path.exists(name) else ""
    if not text:
        raise OptionError(
            f"model: {name!r} does not exist, or is empty; akin.dedupe(sample, ..., weights='learn', model='FILE') "
            "writes it, on one machine"
        )
    return name, text


# --------------------------------------------------------------------------------------------------------- equals


@dataclass(frozen=True)
class _Digest:
    """The digests of the compared values of records, each with its place."""

    rules: Rules
    places: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            made = [digest for digest in _digests(self.rules, cast_of(each, self.taken)) if digest]
            places = [parts.part_of(digest, self.places) for digest in made]
            columns = [pa.array(places, pa.int32()), pa.array(made, pa.string())]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)


def _digests(rules: Rules, batch: pa.RecordBatch) -> list[str | None]:
    """The digest of each record; equal records have the same one. None: too few columns have a value."""
    keys = rules.keys(EQUALS, batch, 0)
    return [key and hashlib.blake2b(key.encode(), digest_size=16).hexdigest() for key in keys]


@dataclass(frozen=True)
class _Frequent:
    """The digests of a place that more than ``most`` records have."""

    most: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is not None:
            counted = rows.group_by(_DIGEST).aggregate([([], "count_all")])
            frequent = counted.filter(pc.greater(counted["count_all"], self.most))
            yield from batches_of(frequent.select([_DIGEST]), self.schema)


@dataclass(frozen=True)
class _RouteEqual:
    """The records with frequent digests, to the places of their digests."""

    rules: Rules
    frequent: frozenset[str]
    places: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            digests = _digests(self.rules, batch)
            rows = [row for row, digest in enumerate(digests) if digest in self.frequent]
            places = [parts.part_of(str(digests[row]), self.places) for row in rows]
            columns: list[tuple[Sequence[Any], pa.DataType]] = [
                (places, pa.int32()), ([digests[row] for row in rows], pa.string())
            ]  # fmt: skip
            yield from sent_of(batch, rows, columns, self.schema)


@dataclass(frozen=True)
class _Equals:
    """The pairs of the first record of each group of equal records with each other one."""

    rules: Rules
    population: Population
    schema: pa.Schema  # the digest, whether the right record is left out, and the columns of results

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory(PARTS):
            rows = rows_of(batches)
            if rows is None:
                return
            rows = rows.sort_by("id")
            job = settings(1, "cpu", None, None)
            whole = population_of(self.population, job)
            found = pa.table(_akin.dedupe_equals(job, self.rules.read(rows, 0, job), self.rules.text, whole))
        first, other = (pc.take(rows["id"], found[name]) for name in ("first", "row"))
        each = [found[name] for name in found.column_names[3:]]
        columns = [
            pc.take(rows[_DIGEST], found["first"]), found["is_left_out"], first, other,
            pa.array([1.0] * len(found), pa.float64()), *each
        ]  # fmt: skip
        yield from batches_of(pa.Table.from_arrays(columns, schema=self.schema), self.schema)


_GROUPS = pa.schema([(_DIGEST, pa.string()), ("id", pa.string()), ("left_out", pa.int64())])


@dataclass(frozen=True)
class _Group:
    """The records of each group that are kept, and with the first one how many are left out."""

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is None:
            return
        kept = rows.filter(pc.invert(rows[_LEFT_OUT]))
        firsts = rows.group_by(_DIGEST).aggregate([("left_id", "min"), (_LEFT_OUT, "sum")])
        none = pa.array([0] * len(kept), pa.int64())
        for columns in (
            [firsts[_DIGEST], pc.cast(firsts["left_id_min"], pa.large_string()), firsts[f"{_LEFT_OUT}_sum"]],
            [kept[_DIGEST], pc.cast(kept["right_id"], pa.large_string()), none]
        ):  # fmt: skip
            yield from batches_of(pa.Table.from_arrays(columns, names=_GROUPS.names), _GROUPS)


@dataclass(frozen=True)
class _LeaveOut:
    """Drops the equal records that the job must not see."""

    rules: Rules
    kept: Mapping[str, frozenset[str]]  # of each digest of a group
    taken: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            known = zip(_digests(self.rules, batch), batch.column("id").to_pylist(), strict=True)
            is_kept = [digest is None or str(id) in self.kept.get(digest, (str(id),)) for digest, id in known]
            yield batch.filter(pa.array(is_kept, pa.bool_()))


# ----------------------------------------------------------------------------------------------------- completion


@dataclass(frozen=True)
class Reaching:
    """The pairs from a threshold on."""

    threshold: float

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch.filter(pc.greater_equal(batch.column("similarity"), self.threshold))


@dataclass(frozen=True)
class _Name:
    """Pairs whose ids are texts, different ones in two tables."""

    is_one: bool
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = [
                [_name_of(id, 0 if self.is_one else side) for id in batch.column(name).to_pylist()]
                for side, name in enumerate(("left_id", "right_id"))
            ]
            yield pa.RecordBatch.from_arrays([pa.array(names, pa.string()) for names in columns], schema=self.schema)


def _name_of(id: int | str, side: int) -> str:
    return f"{side}:{id}"


# The label of a record is the component of found pairs that it is in. A row with is_found says it. Other rows only say
# the size of the component that is made of more pairs. Rows of records have no label.
_LABEL = (("name", pa.string()), ("label", pa.string()), ("size", pa.int64()), ("is_found", pa.bool_()))


@dataclass(frozen=True)
class _RouteLabels:
    """The labels of records, to the places of the records."""

    is_found: bool
    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            names = batch.column("id").to_pylist()
            own = {
                PLACE: [parts.part_of(name, self.places) for name in names], "name": names,
                "label": batch.column("representative_id").to_pylist(), "size": batch.column("size").to_pylist(),
                "is_found": [self.is_found] * len(names)
            }  # fmt: skip
            nothing = [None] * len(names)
            columns = [pa.array(own.get(field.name, nothing), field.type) for field in self.schema]
            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)


@dataclass(frozen=True)
class _RouteRecords:
    """Records to the places of their names."""

    side: int
    places: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        for each in batches:
            batch = cast_of(each, self.taken)
            names = [_name_of(id, self.side) for id in batch.column("id").to_pylist()]
            places, sides = [parts.part_of(name, self.places) for name in names], [self.side] * len(names)
            labels = [(names if name == "name" else [None] * len(names), type) for name, type in _LABEL]
            columns: list[tuple[Sequence[Any], pa.DataType]] = [(places, pa.int32()), *labels, (sides, pa.int8())]
            yield from sent_of(batch, range(len(names)), columns, self.schema)


@dataclass(frozen=True)
class _Label:
    """The records of components that are not too large, to the places of their components."""

    places: int
    largest: int
    taken: pa.Schema
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        labels: dict[str, str] = {}
        large: set[str] = set()
        held = []
        with advising_on_memory(PARTS):
            for batch in batches:
                is_record = pc.is_valid(batch.column("side"))
                held.append(batch.filter(is_record))
                said = batch.filter(pc.invert(is_record))
                columns = (said.column(each).to_pylist() for each, _ in _LABEL)
                for name, label, size, is_found in zip(*columns, strict=True):
                    if is_found:
                        labels[name] = label
                    if size > self.largest:
                        large.add(name)
            for batch in held:
                names = batch.column("name").to_pylist()
                rows = [row for row, name in enumerate(names) if name in labels and name not in large]
                own = [labels[names[row]] for row in rows]
                places = [parts.part_of(label, self.places) for label in own]
                sent = cast_of(batch, pa.schema([("side", pa.int8()), *self.taken]))
                yield from sent_of(sent, rows, [(places, pa.int32()), (own, pa.string())], self.schema)


@dataclass(frozen=True)
class _Complete:
    """All pairs of the components of a place."""

    work: Work
    largest: int

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory(PARTS):
            rows = rows_of(batches)
            if rows is None:
                return
            left, right = split_sides(rows, self.work.rules.is_one)
            yield from batches_of(self.work.pairs_of_blocks("label", self.largest, left, right), self.work.schema)


# ----------------------------------------------------------------------------------------------------------- jobs


@dataclass(frozen=True)
class Learnt(Generic[Frame]):
    """What a job with a model does beside selecting pairs."""

    engine: Engine[Any, Frame]
    rules: Rules
    text: str  # of the model
    competes: bool  # a record has one partner at most
    is_given: bool  # the threshold is that of the caller
    leaves_out: bool  # equal records
    numbers: Learning

    @property
    def threshold(self) -> float:
        """That of the model."""
        return float(json.loads(self.text)["threshold"])

    @property
    def least(self) -> Fraction | None:
        """The least probability of pairs that connect components, which tasks find. None: the threshold."""
        least = self.numbers.connecting
        return None if self.is_given or self.threshold <= least else least

    # ------------------------------------------------------------------------------------------------- before pairs

    def nothing(self) -> Population:
        """What there is to know of tables none of whose records have a value."""
        counted = Counts(self.rules, 0, _akin.count_values)(self.rules.nothing(0))
        return 2, 0 if self.rules.is_one else 2, dict.fromkeys(counted, _NOTHING)

    def population(self, sides: Sequence[Side[Frame]], left_out: int = 0) -> Population:
        """What tasks have to know of the tables. Some of their records are left out."""
        counts = [Counts(self.rules, side, _akin.count_values) for side in range(len(sides))]
        counted = list(zip([side.frame for side in sides], counts, strict=True))
        found = sum_statistics(self.engine, counted, list(self.nothing()[2]), self.numbers.rare + 1)
        rows = [sum(rows for rows, _ in side.histogram.values()) for side in sides]
        return rows[0] - left_out, rows[1] if len(sides) > 1 else 0, found

    def prepared(
        self, sides: list[Side[Frame]], schema: pa.Schema
    ) -> tuple[list[Side[Frame]], Population, list[Frame]]:
        """The records that learning sees, what tasks have to know of them, and the pairs of groups of equal records."""
        population = self.population(sides)
        frequent = self._frequent(sides[0]) if self.leaves_out else frozenset()
        if not frequent:
            return sides, population, []
        (side,) = sides
        equals = self._equals(side, population, frequent, schema)
        kept, left_out = self._kept(equals)
        if not kept:
            return sides, population, []
        step = _LeaveOut(self.rules, kept, side.taken)
        rest = replace(side, frame=self.engine.map(side.frame, step, side.taken))
        pairs = self.engine.select(equals, [(name, name) for name in schema.names])
        return [rest], self.population([rest], left_out), [pairs]

    def _frequent(self, side: Side[Frame]) -> frozenset[str]:
        """The digests of records that may be equal to many others."""
        engine = self.engine
        placed, found = pa.schema([(PLACE, pa.int32()), (_DIGEST, pa.string())]), pa.schema([(_DIGEST, pa.string())])
        places = max(1, engine.places(side.frame))
        digests = engine.map(side.frame, _Digest(self.rules, places, side.taken, placed), placed)
        frequent = _Frequent(self.numbers.equals_kept, found)
        met = engine.map(engine.exchange(digests, places), frequent, found)
        return frozenset(engine.table(met)[_DIGEST].to_pylist())

    def _equals(
        self, side: Side[Frame], population: Population, frequent: frozenset[str], schema: pa.Schema
    ) -> Frame:
        """The pairs of groups of equal records, with their digests, and whether the right record is left out."""
        engine, rules = self.engine, self.rules
        places = max(1, engine.places(side.frame))
        sent = pa.schema([(PLACE, pa.int32()), (_DIGEST, pa.string()), *side.taken])
        found = pa.schema([(_DIGEST, pa.string()), (_LEFT_OUT, pa.bool_()), *schema])
        routed = engine.map(side.frame, _RouteEqual(rules, frequent, places, side.taken, sent), sent)
        return engine.map(engine.exchange(routed, places), _Equals(rules, population, found), found)

    def _kept(self, equals: Frame) -> tuple[dict[str, frozenset[str]], int]:
        """The records of each group that are kept, and how many records are left out."""
        groups = self.engine.table(self.engine.map(equals, _Group(), _GROUPS))
        kept: dict[str, set[str]] = {}
        for digest, id in zip(groups[_DIGEST].to_pylist(), groups["id"].to_pylist(), strict=True):
            kept.setdefault(digest, set()).add(id)
        return {digest: frozenset(ids) for digest, ids in kept.items()}, pc.sum(groups["left_out"]).as_py() or 0

    # -------------------------------------------------------------------------------------------------- after pairs

    def completed(self, found: Frame, sides: Sequence[Side[Frame]], work: Work) -> list[Frame]:
        """The found pairs, and all pairs of their components."""
        engine, is_more = self.engine, self.least is not None
        reaching = engine.map(found, Reaching(self.threshold), work.schema) if is_more else found
        together = self._together(reaching, found if is_more else None, sides)
        least = max(self.threshold, self.numbers.least) if is_more else self.numbers.least
        more = engine.map(together, _Complete(work, self.numbers.largest), work.schema)
        return [reaching, engine.map(more, Reaching(least), work.schema)]

    def _together(self, found: Frame, connecting: Frame | None, sides: Sequence[Side[Frame]]) -> Frame:
        """The records of each component of found pairs in one place. ``connecting``: other pairs, whose components must
        not be too large."""
        engine, taken = self.engine, sides[0].taken
        places = max(1, engine.places(sides[0].frame))
        sent = pa.schema([(PLACE, pa.int32()), *_LABEL, ("side", pa.int8()), *taken])
        frames = [engine.map(self._components(found), _RouteLabels(True, places, sent), sent)]
        if connecting is not None:
            frames.append(engine.map(self._components(connecting), _RouteLabels(False, places, sent), sent))
        for at, side in enumerate(sides):
            frames.append(engine.map(side.frame, _RouteRecords(at, places, side.taken, sent), sent))
        labelled = pa.schema([(PLACE, pa.int32()), ("label", pa.string()), ("side", pa.int8()), *taken])
        met = engine.exchange(engine.union(frames), places)
        labels = _Label(places, self.numbers.largest, taken, labelled)
        return engine.exchange(engine.map(met, labels, labelled), places)

    def _components(self, pairs: Frame) -> Frame:
        named = pa.schema([("left_id", pa.string()), ("right_id", pa.string())])
        return components_of(self.engine, self.engine.map(pairs, _Name(self.rules.is_one, named), named), pa.string())
