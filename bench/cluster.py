#!/usr/bin/env python3
"""Times a join of made-up records on one machine, and as tasks of Spark on the same machine: what the cluster costs.

usage: cluster.py ROWS [TILES] (pyspark and akin must be installed)

Rows are texts of 4 to 40 words that akin.generate makes. The one machine has two threads, the cluster two executors of
one processor. Both find the same pairs, which is checked.
"""

import os
import random
import sys
import time

import akin
import pyarrow as pa
from akin import spark as aks
from pyspark.sql import SparkSession


def texts_of(rows):
    """Texts of words that are drawn by Zipf's law; every twentieth is another one with a word changed."""
    draw = random.Random(1)
    words = [f"w{number}" for number in range(30_000)]
    weights = [1 / (at + 10) for at in range(len(words))]
    lengths = [draw.randint(4, 40) for _ in range(rows)]
    drawn = iter(draw.choices(words, weights, k=sum(lengths)))
    made = []
    for at, length in enumerate(lengths):
        text = [next(drawn) for _ in range(length)]
        if at % 20 == 19:
            text = made[draw.randrange(at)].split()
            text[draw.randrange(len(text))] = "changed"
        made.append(" ".join(text))
    return made


def seconds(function):
    began = time.perf_counter()
    value = function()
    return value, time.perf_counter() - began


def main(rows, tiles="12"):
    table = pa.table({"id": pa.array(range(int(rows)), pa.int64()), "text": texts_of(int(rows))})
    how = {"jaccard": "0.8", "tokens": "words"}
    local, alone = seconds(lambda: akin.join(table, on="text", id="id", threads=2, **how))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = {
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4", "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.pyspark.enabled": "true", "spark.driver.maxResultSize": "4g",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,2048]").config("spark.executor.memory", "2g")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    folder = f"/tmp/akin-cluster-{os.getpid()}"
    session.createDataFrame(table.to_pandas()).repartition(8).write.parquet(folder)
    frame = session.read.parquet(folder)
    frame.groupBy().sum("id").collect()  # the executors are warm
    _, through = seconds(lambda: frame.mapInArrow(lambda batches: batches, frame.schema).agg({"id": "sum"}).collect())
    print(aks.plan(frame, on="text", id="id", tiles=int(tiles), **how))
    found, together = seconds(lambda: aks.join(frame, on="text", id="id", tiles=int(tiles), **how).collect())
    expected = sorted(zip(local["left_id"], local["right_id"], local["overlap"], strict=True))
    assert sorted((row.left_id, row.right_id, row.overlap) for row in found) == expected
    size = sum(map(len, table["text"].to_pylist())) / 1e6
    print(
        f"{rows} rows, {size:.1f} MB, {len(expected)} pairs: one machine {alone:.2f} s, Spark {together:.2f} s, "
        f"{together / alone:.1f} times; JVM to Python and back {size / through:.0f} MB/s"
    )
    session.stop()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
