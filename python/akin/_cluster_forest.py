"""Clusters of pairs on a cluster: forests, merged by fewer and fewer tasks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

import pyarrow as pa
import pyarrow.compute as pc

from . import parts
from ._akin import LimitError, OptionError
from ._cluster import (
    PLACE, Batches, Engine, Frame, Outer, advising_on_memory, batches_of, columns_of, id_type_of, large_of
)  # fmt: skip
from ._forest import forest

_FAN_IN = 8  # forests that one task merges
_PAIRS_HELD = 2**22  # pairs that a task reduces to a forest at a time


_FEWER = "a higher threshold, or components of a part of the pairs, leave fewer ids"


def _forest_of(batches: Batches) -> pa.Table | None:
    """The forest of all pairs. Besides the forest of those that came before, it holds as many pairs again, or a few
    million."""
    held: list[pa.Table] = []
    fresh = most = 0
    with advising_on_memory(_FEWER):
        for batch in batches:
            if batch.num_rows:
                held.append(pa.table({name: batch.column(name) for name in ("left_id", "right_id")}))
                fresh += batch.num_rows
            if fresh > max(_PAIRS_HELD, most):
                held = [_merged(held)]
                fresh, most = 0, len(held[0])
        return _merged(held) if held else None


def _merged(held: list[pa.Table]) -> pa.Table:
    try:
        return pa.table(forest(pa.concat_tables(held)))
    except LimitError as error:
        raise LimitError(f"{error}; {_FEWER}") from error


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
        found = found.cast(large_of(found.schema))
        counted = found.group_by("left_id").aggregate([([], "count_all")])
        sizes = pa.table({"representative_id": counted["left_id"], "size": pc.add(counted["count_all"], 1)})
        members = found.select(["right_id", "left_id"]).rename_columns(["id", "representative_id"])
        representatives = sizes.append_column("id", sizes["representative_id"])
        for table in (members.join(sizes, "representative_id"), representatives):
            yield from batches_of(table.select(self.schema.names), self.schema)


def components_of(engine: Engine[Any, Frame], pairs: Frame, id_type: pa.DataType) -> Frame:
    """The members of each component of pairs that have no other columns."""
    edges = pa.schema([(PLACE, pa.int32()), ("left_id", id_type), ("right_id", id_type)])
    places = max(1, math.ceil(engine.slots(pairs) / 2))
    frame = engine.map(pairs, _Forest(places, edges), edges)
    while places > 1:
        smaller = math.ceil(places / _FAN_IN)
        frame = engine.map(engine.exchange(frame, places), _Forest(smaller, edges), edges)
        places = smaller
    clusters = pa.schema([("id", id_type), ("representative_id", id_type), ("size", pa.int64())])
    return engine.map(engine.exchange(frame, 1), _Clusters(clusters), clusters)


class ForestJobs(Generic[Outer, Frame]):
    """The functions of a module for an engine, over pairs."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def components(self, pairs: Outer) -> Outer:
        """Finds the connected components of the graph whose edges are the pairs.

        Each task reduces its pairs to a spanning forest, a few million at a time; then fewer and fewer tasks merge
        forests. So the memory of a task grows with the number of ids that occur in pairs.

        Parameters
        ----------
        pairs
            A table with columns ``left_id`` and ``right_id``, both signed integers or both text, as :func:`join`
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
        left, right = (id_type_of(schema.field(name).type, name) for name in ids)
        if left != right:
            raise OptionError(f"left_id is of type {left}, right_id of type {right}; expected one type")
        return engine.give(components_of(engine, engine.select(taken, [(name, name) for name in ids]), left))
