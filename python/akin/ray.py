"""Jobs on Ray, with the results of one machine: the same pairs, and the same numbers.

Every function takes and returns :class:`ray.data.Dataset`, and has the arguments and results of that in
:mod:`akin.spark`. Work runs in tasks over blocks of Arrow, not in the joins and groups of Ray Data. ``libakin`` must be
installed on every node.

>>> from akin import ray as akr                                                             # doctest: +SKIP
>>> pairs = akr.join(dataset, on="text", id="doc_id", tokens="words:5", jaccard="0.8")      # doctest: +SKIP
>>> clusters = akr.components(pairs)                                                        # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import ray
import ray.data

from ._cluster import PLACE, ROWS_OF_BATCH, Step
from ._cluster_forest import ForestJobs
from ._cluster_join import JoinJobs, Plan as Plan
from ._cluster_records import RecordJobs
from ._cluster_search import SearchJobs

__all__ = [
    "Plan", "bm25", "components", "dedupe", "join", "link", "match", "near_duplicates", "plan", "search"
]  # fmt: skip


@dataclass(frozen=True)
class _Blocks:
    """A frame: parts, each of some tables that tasks have made or will make."""

    schema: pa.Schema
    parts: list[list[Any]]


def _run(step: Step, schema: pa.Schema, *blocks: pa.Table) -> pa.Table:
    """What a step makes of a part."""
    batches = [batch for block in blocks for batch in block.to_batches()]
    return pa.Table.from_batches(list(step(iter(batches))), schema)


def _split(places: int, *blocks: pa.Table) -> Any:
    """The rows of a part for each place. Batches are split one by one: all rows may be more than 2 GiB of text."""
    parts: list[list[pa.RecordBatch]] = [[] for _ in range(places)]
    for batch in pa.concat_tables(blocks).to_batches(max_chunksize=ROWS_OF_BATCH):
        ordered = batch.take(pc.sort_indices(batch.column(PLACE)))
        at = 0
        for row in pc.value_counts(ordered.column(PLACE)).to_pylist():
            parts[row["values"]].append(ordered.slice(at, row["counts"]))
            at += row["counts"]
    tables = [pa.Table.from_batches(part, blocks[0].schema) for part in parts]
    return tables if places > 1 else tables[0]


def _select(names: Sequence[tuple[str, str]], schema: pa.Schema, block: Any) -> pa.Table:
    table = block if isinstance(block, pa.Table) else pa.Table.from_pandas(block, preserve_index=False)
    return pa.table([table.column(name) for name, _ in names], names=[own for _, own in names]).cast(schema)


def _task_settings() -> dict[str, Any]:
    """The processors and the GPU that Ray gives to this task."""
    context = ray.get_runtime_context()
    threads = int(context.get_assigned_resources().get("CPU", 1))
    gpus = context.get_accelerator_ids().get("GPU")  # the task sees no other, so that it is the first
    return {"threads": max(1, threads), "device": "cuda:0" if gpus else "cpu"}


class _Ray:
    """The engine."""

    def take(self, frame: ray.data.Dataset) -> _Blocks:
        if not hasattr(frame, "materialize"):
            raise TypeError(f"{frame!r:.60}: expected a Dataset of Ray; a column is given as on='NAME'")
        held = frame.materialize()
        schema = pa.schema(held.schema().base_schema) if held.schema() is not None else pa.schema([])
        return _Blocks(schema, [[block] for block in held.to_arrow_refs()])

    def give(self, frame: _Blocks) -> ray.data.Dataset:
        return ray.data.from_arrow_refs([block for part in frame.parts for block in part])

    def schema(self, frame: _Blocks) -> pa.Schema:
        return frame.schema

    def columns(self, frame: _Blocks) -> list[str]:
        return list(frame.schema.names)

    def select(self, frame: _Blocks, names: Sequence[tuple[str, str]]) -> _Blocks:
        schema = pa.schema([frame.schema.field(name).with_name(own) for name, own in names])
        task = ray.remote(_select)
        return _Blocks(schema, [[task.remote(names, schema, block) for block in part] for part in frame.parts])

    def map(self, frame: _Blocks, step: Step, schema: pa.Schema) -> _Blocks:
        task, held = ray.remote(_run), ray.put(step)
        return _Blocks(schema, [[task.remote(held, schema, *part)] for part in frame.parts])

    def exchange(self, frame: _Blocks, places: int) -> _Blocks:
        task = ray.remote(num_returns=places)(_split)
        split = [task.remote(places, *part) for part in frame.parts if part]
        if places == 1:
            return _Blocks(frame.schema, [split])
        return _Blocks(frame.schema, [[parts[place] for parts in split] for place in range(places)])

    def union(self, frames: Sequence[_Blocks]) -> _Blocks:
        return _Blocks(frames[0].schema, [part for frame in frames for part in frame.parts])

    def table(self, frame: _Blocks) -> pa.Table:
        blocks = ray.get([block for part in frame.parts for block in part])
        return pa.concat_tables([frame.schema.empty_table(), *blocks])

    def slots(self, frame: _Blocks) -> int:
        return int(ray.cluster_resources().get("CPU", 1))

    def places(self, frame: _Blocks) -> int:
        return max(self.slots(frame), len(frame.parts))

    def settings(self) -> Callable[[], dict[str, Any]]:
        return _task_settings


_engine = _Ray()
_joins: JoinJobs[ray.data.Dataset, _Blocks] = JoinJobs(_engine)
_forests: ForestJobs[ray.data.Dataset, _Blocks] = ForestJobs(_engine)
_records: RecordJobs[ray.data.Dataset, _Blocks] = RecordJobs(_engine)
_searches: SearchJobs[ray.data.Dataset, _Blocks] = SearchJobs(_engine)
components = _forests.components
join, match = _joins.join, _joins.match
near_duplicates, plan = _joins.near_duplicates, _joins.plan
dedupe, link = _records.dedupe, _records.link
bm25, search = _searches.bm25, _searches.search
