#!/usr/bin/env python3
"""Times a join of made-up records on one machine, and as tasks of a cluster on the same machine: what a cluster costs.

usage: cluster.py ROWS [--engine spark|ray] [--tiles 12] [--cores 2] [--memory 2] (in an environment with the engine)

Rows are texts of 4 to 40 words. One in 20 is another row with one word changed. The one machine has as many threads as
the cluster has cores: executors of Spark with one core each, or processors of Ray. Both find the same pairs, which is
checked. An empty pass sends all rows to Python and back, and joins nothing.

What a user of Spark gets with 2 cores (the environments are those of ./dev cluster-test):

    for rows in 1e5 1e6 1e7; do build/cluster/spark/bin/python bench/cluster.py $rows --memory 6; done
    build/cluster/ray/bin/python bench/cluster.py 1e5 --engine ray
"""

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time

import akin
import cluster_rows as made
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from akin import parts

HOW = {"jaccard": "0.8", "tokens": "words"}
WORDS = 30_000
CHUNK = 500_000  # rows that are drawn at a time


def rows_of(count, least=4, most=40, twins=0.05):
    """A table of ids and texts, and the size of each set."""
    rows = made.Rows(1 / (np.arange(WORDS) + 10))
    texts, sizes = [], []
    for at in range(0, count, CHUNK):
        draw = np.random.default_rng(at)
        sizes.append(np.sort(draw.integers(least, most, min(CHUNK, count - at), endpoint=True)))
        texts.append(rows.draw(sizes[-1], [1, at], twins).cast(pa.string()))
    return pa.table({"id": pa.array(range(count), pa.int64()), "text": pa.chunked_array(texts)}), np.concatenate(sizes)


def seconds(function):
    begun = time.perf_counter()
    value = function()
    return value, time.perf_counter() - begun


def least_of(function):
    """The least seconds of three runs, after a first one."""
    function()
    return min(seconds(function)[1] for _ in range(3))


def peak_of(batches):
    """The most memory that the process of a task ever had, in MB."""
    for _ in batches:
        pass
    yield pa.RecordBatch.from_pydict({"peak": [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024]})


class Spark:
    """A cluster of executors, processes of this machine."""

    def __init__(self, cores, memory):
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        options = {
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": str(2 * cores), "spark.ui.showConsoleProgress": "false",
            "spark.sql.execution.arrow.pyspark.enabled": "true", "spark.driver.maxResultSize": "4g",
            "spark.executor.memory": f"{memory}g", "spark.driver.memory": f"{memory}g",
        }  # fmt: skip
        builder = SparkSession.builder.master(f"local-cluster[{cores},1,{1024 * memory}]")
        for name, value in options.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        from akin import spark

        self.jobs = spark

    def frame(self, table, folder, parts=8):
        step = -(-len(table) // parts)
        for at in range(parts):
            pq.write_table(table.slice(at * step, step), f"{folder}/{at}.parquet", row_group_size=100_000)
        return self.session.read.parquet(folder)

    def empty_pass(self, frame):
        """Seconds to Python and back: a quarter of what five passes in turn take beyond one, the least of five runs."""
        summed, passed = ["sum(id + length(text)) as it"], [frame]
        for _ in range(5):
            passed.append(passed[-1].mapInArrow(lambda batches: batches, frame.schema))

        def run(count):  # a frame of its own: Spark keeps what the exchanges of a frame have sent
            return seconds(lambda: passed[count].selectExpr(*summed).collect())[1]

        taken = [[run(count) for count in (1, 5)] for _ in range(6)][1:]  # the first ones warm executors
        one, five = (min(each) for each in zip(*taken, strict=True))
        return (five - one) / 4

    def collect(self, frame):
        return frame.toArrow() if hasattr(frame, "toArrow") else pa.Table.from_pandas(frame.toPandas())

    def written(self):
        """Bytes and rows that exchanges wrote so far, compressed, and the tasks that failed."""
        context = self.session.sparkContext
        gateway = context._gateway
        empty = gateway.new_array(gateway.jvm.double, 0)
        none = gateway.jvm.java.util.ArrayList()
        held = context._jsc.sc().statusStore().stageList(none, False, False, empty, none)
        stages = [held.apply(at) for at in range(held.size())]
        return np.array([
            sum(each) for each in zip(
                *((it.shuffleWriteBytes(), it.shuffleWriteRecords(), it.numFailedTasks()) for it in stages), strict=True
            )
        ])  # fmt: skip

    def peak(self, frame):
        return max(row.peak for row in frame.mapInArrow(peak_of, "peak long").collect())

    def stop(self):
        self.session.stop()


class Ray:
    """Tasks of Ray, processes of this machine."""

    def __init__(self, cores, memory):
        import ray

        ray.init(  # a cluster of its own, also where another one runs
            address="local", num_cpus=cores, object_store_memory=memory * 2**30, include_dashboard=False,
            log_to_driver=False, _node_ip_address="127.0.0.1",
        )  # fmt: skip
        import ray.data

        ray.data.DataContext.get_current().enable_progress_bars = False
        from akin import ray as jobs

        self.ray, self.jobs = ray, jobs

    def frame(self, table, folder, parts=8):
        step = -(-len(table) // parts)
        return self.ray.data.from_arrow([table.slice(at, step) for at in range(0, len(table), step)])

    def empty_pass(self, frame):
        def passed():
            task = self.ray.remote(lambda block: block)
            return self.ray.get([task.remote(block) for block in frame.to_arrow_refs()])

        return least_of(passed)

    def collect(self, frame):
        return pa.concat_tables(self.ray.get(frame.to_arrow_refs()))

    def written(self):
        return None

    def peak(self, frame):
        task = self.ray.remote(lambda block: next(peak_of([]))["peak"][0].as_py())
        return max(self.ray.get([task.remote(block) for block in frame.to_arrow_refs()]))

    def stop(self):
        self.ray.shutdown()


ENGINES = {"spark": Spark, "ray": Ray}


def sorted_pairs(table):
    columns = ["left_id", "right_id", "overlap"]
    return pa.table({name: pc.cast(table[name], pa.int64()) for name in columns}).sort_by(
        [(name, "ascending") for name in columns]
    )


def sent_of(table, sizes, tiles):
    """The bytes of rows that the tiles of the join receive, counted: ids, texts, and the row's own bytes."""
    taken = np.asarray(pc.binary_length(table["text"])) + made.ROW
    rows, bytes = np.bincount(sizes), np.bincount(sizes, taken)
    histogram = {int(size): (int(rows[size]), int(bytes[size])) for size in np.nonzero(rows)[0]}
    tiling = parts.tile(parts.rule_of(jaccard=HOW["jaccard"]), histogram, tiles=tiles, bytes=2**28)
    sent = np.frombuffer(tiling.route(sizes.tolist(), int)[0], np.int32)
    return len(sent), int(taken[sent].sum()) + parts._ROW * len(sent)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", type=float)
    parser.add_argument("--engine", choices=ENGINES, default="spark")
    parser.add_argument("--tiles", type=int, default=12)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=2, help="GB of an executor, or of the objects of Ray (2)")
    options = parser.parse_args()
    rows = int(options.rows)
    table, sizes = rows_of(rows)
    size = sum(chunk.nbytes for chunk in table["text"].chunks) / 1e6
    akin.join(table.slice(0, 1000), on="text", id="id", threads=options.cores, **HOW)
    local, alone = seconds(lambda: akin.join(table, on="text", id="id", threads=options.cores, **HOW))
    found = len(local["left_id"])
    print(f"{rows:,} rows, {size:.1f} MB, {found:,} pairs; {options.engine}, {options.cores} cores")
    print(f"akin.join, {options.cores} threads: {alone:.2f} s")
    engine = ENGINES[options.engine](options.cores, options.memory)
    folder = tempfile.mkdtemp(prefix="akin-cluster-")
    try:
        frame = engine.frame(table, folder)
        through = engine.empty_pass(frame)
        said = "too little to measure"
        if through > 0:
            said = f"{through:.2f} s, {size / through:.0f} MB/s, {through / alone:.1f} times akin.join"
        print(f"empty pass to Python and back, without reading: {said}")
        planned, planning = seconds(lambda: engine.jobs.plan(frame, on="text", id="id", tiles=options.tiles, **HOW))
        print(f"plan, {planning:.2f} s: {planned}")
        before = engine.written()
        made_here, together = seconds(
            lambda: engine.collect(engine.jobs.join(frame, on="text", id="id", tiles=options.tiles, **HOW))
        )
        assert sorted_pairs(made_here).equals(sorted_pairs(pa.table(local)))
        print(f"join on {options.engine}: {together:.2f} s, {together / alone:.1f} times akin.join; the same pairs")
        count, bytes = sent_of(table, sizes, options.tiles)
        print(
            f"sent to tiles: {planned.rows_sent:,} rows, {planned.bytes_sent / rows:.1f} bytes a set predicted; "
            f"{count:,} rows, {bytes / rows:.1f} bytes a set counted"
        )
        if before is not None:
            written, records, failed = engine.written() - before
            print(
                f"exchanges of the join, ids and sizes too, compressed: {written / rows:.1f} bytes a set, "
                f"{records:,} rows; {failed} tasks failed"
            )
        print(f"peak memory of a task's process: {engine.peak(frame):,} MB")
    finally:
        engine.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
