"""Jobs on Apache Spark, with the results of one machine: the same pairs, and the same numbers.

Every function takes and returns DataFrames of Spark, and runs akin inside tasks, through ``DataFrame.mapInArrow``.
There is no server and no shared folder. ``libakin`` and pyarrow must be installed where the executors run Python.
Versions 3.5 and 4 of Spark work.

>>> from akin import spark as aks                                                           # doctest: +SKIP
>>> pairs = aks.join(df, on="text", id="doc_id", tokens="words:5", jaccard="0.8")           # doctest: +SKIP
>>> clusters = aks.components(pairs)                                                        # doctest: +SKIP

A table that fits one machine is joined faster there by :func:`akin.join`. :func:`plan` says what a job will send.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from ._cluster import PLACE, Step
from ._cluster_forest import ForestJobs
from ._cluster_join import JoinJobs, Plan as Plan
from ._cluster_records import RecordJobs
from ._cluster_search import SearchJobs

__all__ = [
    "Plan", "bm25", "components", "dedupe", "join", "link", "match", "near_duplicates", "plan", "search"
]  # fmt: skip


def _murmur3(value: int) -> int:
    """The hash of a 32-bit integer by which Spark chooses its partition: Murmur3 with seed 42, as an int of C."""
    k = value * 0xCC9E2D51 & 0xFFFFFFFF
    k = (k << 15 | k >> 17) * 0x1B873593 & 0xFFFFFFFF
    h = 42 ^ k
    h = ((h << 13 | h >> 19) & 0xFFFFFFFF) * 5 + 0xE6546B64 & 0xFFFFFFFF
    h ^= 4
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    h ^= h >> 16
    return h - 2**32 if h >= 2**31 else h


def _places(partitions: int) -> list[int]:
    """For each partition an integer that Spark sends there. Plain numbers would leave a third of them empty."""
    found: dict[int, int] = {}
    value = 0
    while len(found) < partitions:
        found.setdefault(_murmur3(value) % partitions, value)
        value += 1
    return [found[partition] for partition in range(partitions)]


def _task_settings() -> dict[str, Any]:
    """The processors and the GPU that Spark gives to this task."""
    from pyspark import TaskContext

    task = TaskContext.get()
    if task is None:
        return {"threads": 1}
    gpus = task.resources().get("gpu")
    return {"threads": max(1, task.cpus()), "device": f"cuda:{gpus.addresses[0]}" if gpus else "cpu"}


def _is_remote(frame: DataFrame) -> bool:
    """Whether a frame is one of Spark Connect."""
    return type(frame).__module__.startswith("pyspark.sql.connect.")


def _functions_for(frame: DataFrame) -> Any:
    """The functions that make columns of a frame. Those of ``pyspark.sql.functions`` look for a session of the process,
    and a frame of Spark Connect may belong to another one."""
    return import_module("pyspark.sql.connect.functions" if _is_remote(frame) else "pyspark.sql.functions")


_PLACES = 200  # what Spark takes for spark.sql.shuffle.partitions


# Newer versions need the zone of timestamps, which no job takes.
_ZONE: Any = {"timezone": "UTC"} if "timezone" in inspect.signature(to_arrow_schema).parameters else {}


class _Spark:
    """The engine. Its frames are those of the user."""

    def take(self, frame: DataFrame) -> DataFrame:
        if not hasattr(frame, "mapInArrow"):
            raise TypeError(f"{frame!r:.60}: expected a DataFrame of Spark; a column is given as on='NAME'")
        return frame

    def give(self, frame: DataFrame) -> DataFrame:
        return frame

    def schema(self, frame: DataFrame) -> pa.Schema:
        return to_arrow_schema(frame.schema, **_ZONE)

    def columns(self, frame: DataFrame) -> list[str]:
        return list(frame.columns)

    def select(self, frame: DataFrame, names: Sequence[tuple[str, str]]) -> DataFrame:
        quoted = [(name.replace("`", "``"), own) for name, own in names]
        F = _functions_for(frame)
        return frame.select(*(F.col(f"`{name}`").alias(own) for name, own in quoted))

    def map(self, frame: DataFrame, step: Step, schema: pa.Schema) -> DataFrame:
        def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            return step(batches)

        return frame.mapInArrow(run, from_arrow_schema(schema))

    def exchange(self, frame: DataFrame, places: int) -> DataFrame:
        F = _functions_for(frame)
        if hasattr(type(frame), "repartitionById"):
            return frame.repartitionById(places, F.col(PLACE))
        chosen = F.array(*(F.lit(value).cast("int") for value in _places(places)))
        to = "__akin_to__"
        return frame.withColumn(to, chosen[F.col(PLACE)]).repartition(places, F.col(to)).drop(to)

    def union(self, frames: Sequence[DataFrame]) -> DataFrame:
        whole = frames[0]
        for frame in frames[1:]:
            whole = whole.unionAll(frame)
        return whole

    def table(self, frame: DataFrame) -> pa.Table:
        rows = frame.collect()
        schema = self.schema(frame)
        return pa.table({name: [row[name] for row in rows] for name in schema.names}, schema=schema)

    def slots(self, frame: DataFrame) -> int:
        if _is_remote(frame):  # and does not know
            return self.places(frame)
        return int(frame.sparkSession.sparkContext.defaultParallelism)

    def places(self, frame: DataFrame) -> int:
        said = frame.sparkSession.conf.get("spark.sql.shuffle.partitions", None) or ""
        return int(said) if said.isdecimal() else _PLACES  # it may be "auto"

    def settings(self) -> Callable[[], dict[str, Any]]:
        return _task_settings


_engine = _Spark()
_joins: JoinJobs[DataFrame, DataFrame] = JoinJobs(_engine)
_forests: ForestJobs[DataFrame, DataFrame] = ForestJobs(_engine)
_records: RecordJobs[DataFrame, DataFrame] = RecordJobs(_engine)
_searches: SearchJobs[DataFrame, DataFrame] = SearchJobs(_engine)
components = _forests.components
join, match = _joins.join, _joins.match
near_duplicates, plan = _joins.near_duplicates, _joins.plan
dedupe, link = _records.dedupe, _records.link
bm25, search = _searches.bm25, _searches.search
