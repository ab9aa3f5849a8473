"""Spark Connect: the process of the user has no JVM, and no executor."""

import os
import subprocess
import sys

import akin
import pytest
from conftest import MODE, by_id
from test_jobs import clusters_of, rows, text_ids

pytestmark = pytest.mark.skipif(MODE != "spark-connect", reason="is for Spark Connect")


def is_remote(frame):
    return type(frame).__module__.startswith("pyspark.sql.connect.")


def test_frames_are_remote(cluster, watch):
    from pyspark import SparkContext

    table = rows(30, 120, text_ids)
    frame = cluster.frame(table)
    jobs, by = cluster.jobs, {"on": "text", "id": "id"}
    pairs = jobs.join(frame, jaccard="0.6", tiles=5, **by)
    near = jobs.near_duplicates(frame, jaccard=0.5, tokens="words:2", tiles=5, **by)
    like = jobs.match(frame, levenshtein=4, tiles=5, **by)
    clusters = jobs.components(near)
    assert all(map(is_remote, (frame, pairs, near, like, clusters)))
    assert SparkContext._active_spark_context is None and SparkContext._gateway is None
    assert cluster.rows(pairs) == by_id(akin.join(table, jaccard="0.6", **by))
    expected = by_id(akin.near_duplicates(table, jaccard=0.5, tokens="words:2", **by))
    assert cluster.rows(near) == expected and expected
    assert cluster.rows(clusters) == clusters_of(expected)
    assert cluster.rows(like) == by_id(akin.join(table, levenshtein=4, **by))
    assert jobs.plan(frame, jaccard="0.6", tiles=5, **by).tasks <= 5


REMOTE_ALONE = """
import sys
from akin import spark
from pyspark.sql.connect.session import SparkSession

session = SparkSession.builder.remote(sys.argv[1]).create()
frame = session.createDataFrame([(1, "a b"), (2, "b a"), (3, "c")], "id long, text string")
pairs = spark.join(frame, on="text", id="id", jaccard=1)
print(sorted(map(tuple, pairs.collect())), sorted(map(tuple, spark.components(pairs).collect())))
session.stop()
"""


def test_a_session_that_is_not_that_of_the_process(cluster):
    """Without pyspark.sql.SparkSession, the functions of pyspark.sql.functions would want a JVM."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    done = subprocess.run(
        [sys.executable, "-c", REMOTE_ALONE, cluster.url], capture_output=True, text=True, env=known, timeout=300
    )
    assert done.stdout == "[(1, 2, 2, 1.0)] [(1, 1, 2), (2, 1, 2)]\n", done.stderr
