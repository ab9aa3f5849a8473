"""A standalone cluster of Spark, with workers on two addresses: one is lost, or is slow."""

import akin
import faults
import pytest
from conftest import MODE, by_id
from test_jobs import rows

pytestmark = pytest.mark.skipif(MODE != "spark-standalone", reason="is for workers on two addresses")

HOW = {"on": "text", "id": "id", "jaccard": "0.6"}


def test_both_workers_join(cluster, watch):
    table = rows(20)
    found = cluster.rows(cluster.jobs.join(cluster.frame(table), tiles=12, **HOW))
    assert found == by_id(akin.join(table, **HOW)) and found
    assert {attempt.host for attempt in watch.attempts()} == set(cluster.HOSTS)


def test_a_worker_is_lost(cluster, watch):
    """With it go the rows that it has sent to the tiles, so that tasks of that step run again, too."""
    table = rows(21)
    watch.break_at("_Join", faults.kill_worker)
    found = cluster.rows(cluster.jobs.join(cluster.frame(table), tiles=12, **HOW))
    broken, others = watch.again("_Join")
    assert {attempt.host for attempt in others} == set(cluster.HOSTS) - {broken.host}
    faults.wait_for(lambda: cluster.is_lost(broken.host), "end of the worker")
    assert found == by_id(akin.join(table, **HOW))


@pytest.mark.parametrize("step", ["_Measure", "Route", "_Join"])
def test_a_straggler_runs_twice(cluster, watch, step):
    """A task has made its rows, and waits: Spark copies it to the other address."""
    table = rows(22)
    watch.break_at(step, faults.straggle)
    found = cluster.rows(cluster.jobs.join(cluster.frame(table, parts=6), tiles=12, **HOW))
    broken, others = watch.again(step)
    assert any(other.number > broken.number and other.host != broken.host for other in others)
    assert len(set(found)) == len(found)
    assert found == by_id(akin.join(table, **HOW))
