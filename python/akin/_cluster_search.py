"""Searches and rankings on a cluster: every part of the documents has an index, and the answers of all are merged.

::

    BM25    statistics of the terms of the queries (_cluster_statistics.py)
    both    map: index of a part, its best k documents for each query --> exchange by query --> map: the best k of all

Queries go to every task. BM25 needs of a collection the number of its documents, the sum of their lengths, and the
numbers of documents that have a term of a query; with these each part scores as the whole collection does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import pyarrow as pa
import pyarrow.compute as pc

from ._akin import OptionError
from ._bm25 import bm25
from ._checks import whole
from ._cluster import (
    PARTS, PLACE, RUNNING, TEXT, Batches, Engine, Frame, Outer, Side, advising_on_memory, batches_of, cast_of,
    columns_of, on_device, rows_of, side_of, signed
)  # fmt: skip
from ._cluster_statistics import sum_statistics
from ._dictionary import Dictionary
from ._index import Index, kinds_of_text
from ._input import Names, names_of
from ._statistics import Statistics
from ._suggest import did_you_mean

# The values by which hits are sorted, the first of these that there is; and whether the larger ones come first.
_VALUES = {"distance": False, "score": True, "similarity": True, "count": True}


@dataclass(frozen=True)
class _Queries:
    """The queries of a job: their texts, in one column or several, and the names that results give them."""

    texts: pa.Table
    name: str  # "query", or "query_id"
    ids: pa.Array

    @classmethod
    def of(cls, queries: Any, on: Names, id: str | None, usual: Sequence[str]) -> _Queries:
        if isinstance(queries, str):
            queries = [queries]
        is_listed = isinstance(queries, (list, tuple))
        if is_listed:
            queries = {"text": pa.array(queries, pa.string())}
        try:
            table = pa.table(queries)
        except (TypeError, ValueError) as error:
            raise TypeError(f"queries are {queries!r:.80}; expected texts, or a table of this machine") from error
        known = table.column_names
        others = [name for name in known if name != id]
        names = list(names_of(on)) or (list(usual) if set(usual) <= set(others) else others)
        if on is None and len(names) != 1 and names != list(usual):
            raise OptionError(f"query_on is missing; the queries have the columns {', '.join(map(repr, others))}")
        for name in (*names, *([] if id is None else [id])):
            if name not in known:
                advice = "; leave query_id out, or give a table" if is_listed and name == id else ""
                has = ", ".join(map(repr, known))
                raise OptionError(f"the queries have no column {name!r}; they have {has}{advice}")
        ids = pa.array(range(len(table)), pa.int64()) if id is None else table[id].combine_chunks()
        if ids.null_count:
            raise OptionError(f"column {id!r} of the queries has a null; expected a name for each query")
        texts = pa.table({f"{TEXT}{at}": pc.cast(table[name], pa.string()) for at, name in enumerate(names)})
        return cls(texts, "query" if id is None else "query_id", ids)

    @property
    def on(self) -> list[str]:
        return list(self.texts.column_names)


@dataclass(frozen=True)
class _Documents:
    """The documents of a part, by id."""

    taken: pa.Schema

    def read(self, batches: Batches) -> pa.Table | None:
        rows = rows_of(cast_of(batch, self.taken) for batch in batches)
        return None if rows is None else rows.sort_by("id")

    @property
    def on(self) -> list[str]:
        return list(self.taken.names[1:])


@dataclass(frozen=True)
class _CountTerms:
    """Counts the terms of queries in the documents of a part."""

    documents: _Documents
    words: tuple[str, ...]
    how: Mapping[str, Any]

    def __call__(self, rows: pa.Table) -> dict[str, Statistics]:
        documents, words = self.documents.read(rows.to_batches()), Dictionary.build(self.words)
        found = Statistics.of(documents, self.documents.on, dictionary=words, threads=1, device="cpu", **self.how)
        return {"": found}


# ------------------------------------------------------------------------------------------------------------- hits


@dataclass(frozen=True)
class _Hits:
    """The best documents of a part for each query, with the place of the query. ``found(documents, columns)`` has the
    columns query, id, and values."""

    documents: _Documents
    found: Callable[[pa.Table, list[str]], pa.Table]
    places: int
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        with advising_on_memory(PARTS):
            rows = self.documents.read(batches)
            if rows is None:
                return
            hits = self.found(rows, self.documents.on)
        places = pa.array([query % self.places for query in hits["query"].to_pylist()], pa.int32())
        yield from batches_of(hits.add_column(0, PLACE, places), self.schema)


@dataclass(frozen=True)
class _Best:
    """The best of all hits of the queries of a place, equal ones by id."""

    k: int
    by: tuple[str, bool]
    ids: pa.Array
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        rows = rows_of(batches)
        if rows is None:
            return
        value = (self.by[0], "descending" if self.by[1] else "ascending")
        rows = rows.sort_by([("query", "ascending"), value, (rows.column_names[2], "ascending")])
        kept: list[int] = []
        before, count = None, 0
        for row, query in enumerate(rows["query"].to_pylist()):
            count = count + 1 if query == before else 1
            before = query
            if count <= self.k:
                kept.append(row)
        best = rows.take(pa.array(kept, pa.int64()))
        names = self.ids.take(best["query"].combine_chunks())
        yield from batches_of(pa.Table.from_arrays([names, *best.columns[2:]], schema=self.schema), self.schema)


@dataclass(frozen=True)
class _Ranking:
    """Ranks the documents of a part by BM25."""

    queries: _Queries
    k: int
    statistics: Statistics
    words: tuple[str, ...]
    how: Mapping[str, Any]
    settings: Callable[[], dict[str, Any]]

    def __call__(self, documents: pa.Table, on: list[str]) -> pa.Table:
        words = Dictionary.build(self.words)

        def rank(run: dict[str, Any]) -> pa.Table:
            weighed = bm25(documents, on, id="id", statistics=self.statistics, dictionary=words, **self.how, **run)
            return pa.table(weighed.rank(self.queries.texts, self.k, on=self.queries.on, **run))

        return on_device(self.settings(), rank).select(["query", "document_id", "score"])


@dataclass(frozen=True)
class _Searching:
    """Searches the documents of a part."""

    queries: _Queries
    k: int
    built: Mapping[str, Any]
    searched: Mapping[str, Any]
    settings: Callable[[], dict[str, Any]]

    def __call__(self, documents: pa.Table, on: list[str]) -> pa.Table:
        def search(run: dict[str, Any]) -> pa.Table:
            index = Index.build(documents, on, id="id", **self.built, **run)
            return pa.table(index.search(self.queries.texts, self.k, on=self.queries.on, **self.searched, **run))

        found = on_device(self.settings(), search)
        return found.select(["query", "id", *(name for name in _VALUES if name in found.column_names)])


# ------------------------------------------------------------------------------------------------------------- jobs

_WEIGHED = ("formula", "k1", "b", "delta")
_CUT = ("tokens", "ignore_case", "stop_words", "stem", "lossy")
_BUILT = ("kind", "tokens", "ignore_case", "fold", "stop_words", "ngram", "lossy")
_SEARCHED = ("measure", "least", "candidates")


def _check_names(options: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in options:
        if name not in known:
            said = did_you_mean(name, known) or f"; expected some of {', '.join(known)}"
            raise OptionError(f"{name} is given, which a cluster does not take{said}")


def _some(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


class SearchJobs(Generic[Outer, Frame]):
    """The functions of a module for an engine, over documents and queries."""

    def __init__(self, engine: Engine[Outer, Frame]) -> None:
        self._engine = engine

    def bm25(
        self, documents: Outer, queries: Any, on: Names = None, *, id: str, k: int = 10, query_on: Names = None,
        query_id: str | None = None, **options: Any
    ) -> Outer:
        """Ranks the documents for each query by BM25, as ``akin.bm25(documents).rank(queries, k)`` does: the same
        documents, and the same scores.

        Parameters
        ----------
        documents, on
            A table of the cluster, and its column of texts (or several columns).
        queries
            A text, a list of texts, or a table: an Arrow table, a data frame or a dictionary of lists. They go to every
            task, through the driver.
        id
            The column of ids of the documents: signed integers or text, unique and not null, which is checked.
        k
            The largest number of documents for each query.
        query_on, query_id
            The columns of the queries' texts (default: ``on``, or the only column) and names (default: none, and the
            result has row numbers from 0).
        **options
            Arguments of :func:`akin.bm25`: ``formula``, ``k1``, ``b``, ``delta``, ``tokens``, ``ignore_case``,
            ``stop_words``, ``stem``, ``lossy``, and ``memory`` for each task.

        Returns
        -------
        frame
            ``query`` or ``query_id``, ``document_id`` and ``score``, in no particular order. Equal scores go by id.

        Raises
        ------
        OptionError
            As in :func:`akin.bm25`; or an argument is given that a cluster does not take.
        Exception
            The exception of the engine, with the message of akin, if a task fails: see :func:`join`.
        """
        _check_names(options, (*_WEIGHED, *_CUT, *RUNNING))
        engine, most = self._engine, whole(k, "k", 1)
        frame = engine.take(documents)
        names = columns_of(on, engine.columns(frame), id)
        asked = _Queries.of(queries, query_on, query_id, names)
        cut, running = _some(options, _CUT), _some(options, RUNNING)
        words = tuple(bm25(asked.texts, asked.on, **_some(options, _WEIGHED), **cut).vocabulary)
        side = side_of(engine, frame, names, id, None)
        counted = sum_statistics(engine, [(side.frame, _CountTerms(_Documents(side.taken), words, cut))], [""])
        settings = _Merged(engine.settings(), running)
        ranking = _Ranking(asked, most, counted[""], words, _some(options, (*_WEIGHED, *_CUT)), settings)
        values = [("document_id", side.taken.field("id").type), ("score", pa.float64())]
        return engine.give(self._best(side, asked, ranking, most, values))

    def search(
        self, documents: Outer, queries: Any, on: Names = None, *, id: str, k: int = 10, query_on: Names = None,
        query_id: str | None = None, **options: Any
    ) -> Outer:
        """Finds the ``k`` documents that have the most tokens in common with each query, or are most similar, or the
        nearest strings, as an :class:`akin.Index` of all documents does.

        Parameters
        ----------
        documents, queries, on, id, k, query_on, query_id
            As for :func:`bm25`.
        **options
            Arguments of :meth:`akin.Index.build`: ``kind`` (``"documents"``, the default, or ``"strings"``),
            ``tokens``, ``ignore_case``, ``fold``, ``stop_words``, ``ngram``, ``lossy``; of :meth:`akin.Index.search`:
            ``measure``, ``least``, ``candidates``; and ``memory`` for each task.

        Returns
        -------
        frame
            ``query`` or ``query_id``, ``id``, and ``count``, ``similarity`` or ``distance``, in no particular order.
            Equal ones go by id.

        Raises
        ------
        OptionError
            As in :class:`akin.Index`; or an argument is given that a cluster does not take.
        Exception
            The exception of the engine, with the message of akin, if a task fails: see :func:`join`.
        """
        _check_names(options, (*dict.fromkeys((*_BUILT, *_SEARCHED)), *RUNNING))
        if options.get("kind") not in (None, *(kinds := kinds_of_text())):
            raise OptionError(f"kind is {options['kind']!r}; on a cluster it is {' or '.join(kinds)}, and bm25 ranks")
        engine, most = self._engine, whole(k, "k", 1)
        frame = engine.take(documents)
        names = columns_of(on, engine.columns(frame), id)
        asked = _Queries.of(queries, query_on, query_id, names)
        settings = _Merged(engine.settings(), _some(options, RUNNING))
        searching = _Searching(asked, most, _some(options, _BUILT), _some(options, _SEARCHED), settings)
        on_this = _Searching(asked, 1, searching.built, searching.searched, dict)
        types = [("id", pa.int64()), *((f"{TEXT}{at}", pa.string()) for at in range(len(names)))]
        one = pa.table([pa.array([0], pa.int64()), *(pa.array(["a"]) for _ in names)], schema=pa.schema(types))
        sample = on_this(one, one.column_names[1:]).schema
        side = side_of(engine, frame, names, id, None)
        values = [("id", side.taken.field("id").type), *(signed(field) for field in list(sample)[2:])]
        return engine.give(self._best(side, asked, searching, most, values))

    def _best(
        self, side: Side[Frame], asked: _Queries, found: Callable[[pa.Table, list[str]], pa.Table], k: int,
        values: Sequence[tuple[str, pa.DataType]]
    ) -> Frame:
        engine = self._engine
        places = max(1, min(engine.places(side.frame), len(asked.ids)))
        placed = pa.schema([(PLACE, pa.int32()), ("query", pa.int64()), *values])
        schema = pa.schema([(asked.name, asked.ids.type), *values])
        by = next((name, is_largest) for name, is_largest in _VALUES.items() if name in schema.names)
        hits = engine.map(side.frame, _Hits(_Documents(side.taken), found, places, placed), placed)
        return engine.map(engine.exchange(hits, places), _Best(k, by, asked.ids, schema), schema)


@dataclass(frozen=True)
class _Merged:
    """The settings of a task, and those of the caller."""

    settings: Callable[[], dict[str, Any]]
    running: Mapping[str, Any]

    def __call__(self) -> dict[str, Any]:
        return {**self.settings(), **self.running}
