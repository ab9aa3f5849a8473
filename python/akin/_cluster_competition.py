"""Pairs that compete, because a record has one partner at most: tasks find weights, and one task finds the pairs.

::

    pairs       those of the selections, with weights in place of probabilities, but for those that change no other pair
                --> exchange by pair --> each once
    together    --> exchange to one place --> probabilities, then one pair for each record at most
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from . import _akin
from ._cluster import Batches, Engine, Frame, advising_on_memory, batches_of, in_one_place, rows_of
from ._settings import Size, settings


@dataclass(frozen=True)
class _Match:
    """Of all pairs of whole tables those that are found, with their probabilities."""

    model: str
    rows: tuple[int, int]
    threshold: Fraction | None
    settings: Callable[[], dict[str, Any]]
    memory: Size
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory("selections that select fewer pairs leave fewer that compete"):
            pairs = rows_of(batches)
            if pairs is None:
                return
            pairs = pairs.select(self.schema.names).sort_by([("left_id", "ascending"), ("right_id", "ascending")])
            left, right = self._numbered(pairs)
            weights = _data(pairs["similarity"], pa.float64())
            job = settings(self.settings()["threads"], "cpu", self.memory, None)
            found = pa.table(_akin.model_match(job, self.model, self.rows, self._ratio(), left, right, weights))
            kept = pairs.take(found["pair"]).set_column(2, "similarity", found["probability"])
        yield from batches_of(kept, self.schema)

    def _ratio(self) -> tuple[int, int]:
        return (self.threshold.numerator, self.threshold.denominator) if self.threshold else (0, 1)

    def _numbered(self, pairs: pa.Table) -> tuple[Any, Any]:
        """The rows of pairs: ids of a table are numbered in their order."""
        if self.rows[1]:
            return tuple(_numbers(pairs[name], pairs[name]) for name in ("left_id", "right_id"))
        every = pa.chunked_array([*pairs["left_id"].chunks, *pairs["right_id"].chunks])
        return _numbers(pairs["left_id"], every), _numbers(pairs["right_id"], every)


def _numbers(ids: pa.ChunkedArray, every: pa.ChunkedArray) -> Any:
    """The places of ids among all of them, sorted, as 32-bit integers."""
    distinct = pc.unique(every)
    return _data(pc.index_in(ids, distinct.take(pc.sort_indices(distinct))), pa.uint32())


def _data(column: pa.ChunkedArray, type: pa.DataType) -> memoryview:
    """The numbers of a column."""
    held = column.cast(type).combine_chunks()
    view = memoryview(held.buffers()[1]) if len(held) else memoryview(b"")
    width = type.bit_width // 8
    return view[held.offset * width : (held.offset + len(held)) * width]


def found_among(
    engine: Engine[Any, Frame], pairs: Frame, model: str, rows: tuple[int, int], threshold: Fraction | None,
    memory: Size, schema: pa.Schema
) -> Frame:
    """Finds pairs among pairs with weights, which are there once each. ``rows``: those of the whole tables, without
    records that are left out. ``threshold`` None: that of the model. ``memory``: that of a task."""
    match = _Match(model, rows, threshold, engine.settings(), memory, schema)
    return engine.map(in_one_place(engine, pairs, schema), match, schema)
