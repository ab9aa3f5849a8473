"""Statistics of a collection on a cluster: every part counts its terms, and one exchange adds up the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from . import parts
from ._cluster import PARTS, PLACE, Batches, Engine, Frame, advising_on_memory, batches_of, rows_of
from ._statistics import Statistics

#: The statistics of a part, or of several things of it, by their names.
Counter = Callable[[pa.Table], Mapping[str, Statistics]]

# A row without a term has the number of all documents, and their tokens.
_COUNTED = pa.schema([("of", pa.string()), ("term", pa.string()), ("documents", pa.int64()), ("tokens", pa.int64())])


@dataclass(frozen=True)
class _Terms:
    """Of each term of a part the number of documents that contain it, with the place of the term."""

    count: Counter
    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory(PARTS):
            rows = rows_of(batches)
            counted = {} if rows is None else self.count(rows)
        for name, found in counted.items():
            terms, counts = (pa.table(found.terms)[column].to_pylist() for column in ("term", "documents"))
            places = [parts.part_of(term, self.places) for term in terms]
            columns = [
                pa.array([0, *places], pa.int32()), pa.array([name] * (len(terms) + 1), pa.string()),
                pa.array([None, *terms], pa.string()), pa.array([found.documents, *counts], pa.int64()),
                pa.array([found.tokens, *([0] * len(terms))], pa.int64())
            ]  # fmt: skip
            yield from batches_of(pa.Table.from_arrays(columns, schema=self.schema), self.schema)


@dataclass(frozen=True)
class _Sum:
    """The sums for each term of a place, without those of fewer documents."""

    least: int

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is not None:
            summed = rows.group_by(["of", "term"]).aggregate([("documents", "sum"), ("tokens", "sum")])
            columns = [summed[name] for name in ("of", "term", "documents_sum", "tokens_sum")]
            found = pa.Table.from_arrays(columns, names=_COUNTED.names)
            is_enough = pc.or_(pc.is_null(found["term"]), pc.greater_equal(found["documents"], self.least))
            yield from batches_of(found.filter(is_enough), _COUNTED)


def sum_statistics(
    engine: Engine[Any, Frame], counted: Sequence[tuple[Frame, Counter]], names: Sequence[str], least: int = 1
) -> dict[str, Statistics]:
    """The statistics of tables, each with what counts its parts, by these names. They pass through the driver. Terms of
    fewer than ``least`` documents are left out."""
    placed = pa.schema([(PLACE, pa.int32()), *_COUNTED])
    places = max(1, engine.places(counted[0][0]))
    found = [engine.map(frame, _Terms(count, places, placed), placed) for frame, count in counted]
    summed = engine.table(engine.map(engine.exchange(engine.union(found), places), _Sum(least), _COUNTED))
    return {name: _statistics_of(summed.filter(pc.equal(summed["of"], name))) for name in names}


def _statistics_of(rows: pa.Table) -> Statistics:
    is_total = pc.is_null(rows["term"])
    total, terms = rows.filter(is_total), rows.filter(pc.invert(is_total))
    documents, tokens = (pc.sum(total[name]).as_py() or 0 for name in ("documents", "tokens"))
    return Statistics(documents, tokens, terms.select(["term", "documents"]))
