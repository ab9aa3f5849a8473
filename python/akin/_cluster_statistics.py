"""Statistics of a collection on a cluster: every part counts its terms, and one exchange adds up the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from . import parts
from ._cluster import PLACE, Batches, Engine, Frame, batches_of, rows_of
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
        rows = rows_of(batches)
        if rows is None:
            return
        for name, found in self.count(rows).items():
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
    """The sums for each term of a place."""

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is not None:
            summed = rows.group_by(["of", "term"]).aggregate([("documents", "sum"), ("tokens", "sum")])
            columns = [summed[name] for name in ("of", "term", "documents_sum", "tokens_sum")]
            yield from batches_of(pa.Table.from_arrays(columns, schema=_COUNTED), _COUNTED)


def sum_statistics(
    engine: Engine[Any, Frame], counted: Sequence[tuple[Frame, Counter]], names: Sequence[str]
) -> dict[str, Statistics]:
    """The statistics of tables, each with what counts its parts, by these names. They pass through the driver."""
    placed = pa.schema([(PLACE, pa.int32()), *_COUNTED])
    places = max(1, engine.places(counted[0][0]))
    found = [engine.map(frame, _Terms(count, places, placed), placed) for frame, count in counted]
    summed = engine.table(engine.map(engine.exchange(engine.union(found), places), _Sum(), _COUNTED))
    terms: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    totals = dict.fromkeys(names, (0, 0))
    for name, term, documents, tokens in zip(*(summed[name].to_pylist() for name in _COUNTED.names), strict=True):
        if term is None:
            totals[name] = documents, tokens
        else:
            terms[name].append((term, documents))
    return {name: Statistics(*totals[name], terms[name]) for name in names}
