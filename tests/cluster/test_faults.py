"""Tasks, executors and nodes that die: the pairs are those of one machine, and a job that cannot end says why."""

import random

import akin
import faults
import pytest
from conftest import IS_RAY, by_id, limit, table_of
from test_jobs import clusters_of, int_ids, pairs_of, rows

HOW = {"on": "text", "id": "id", "jaccard": "0.6"}
JOIN, COMPONENTS = ["_Measure", "_Count", "Route", "_Join"], ["_Forest", "_Clusters"]
on_spark = pytest.mark.skipif(IS_RAY, reason="is for Spark")
on_ray = pytest.mark.skipif(not IS_RAY, reason="is for Ray")


def join_in_parts(cluster, table):
    """The pairs of a join, and those of one machine."""
    found = cluster.rows(cluster.jobs.join(cluster.frame(table), tiles=12, **HOW))
    assert len(set(found)) == len(found)
    return found, by_id(akin.join(table, **HOW))


@on_spark
def test_executors_die_in_each_step(cluster, watch):
    """An executor is killed in each step, when a task has made its rows. Map output that it held is lost, too."""
    for step in JOIN:
        watch.break_at(step, faults.kill_executor)
    found, expected = join_in_parts(cluster, rows(10))
    for step in JOIN:
        watch.again(step)
    assert found == expected and found


@on_spark
def test_executors_die_in_each_step_of_components(cluster, watch):
    for step in COMPONENTS:
        watch.break_at(step, faults.kill_executor)
    draw, ids = random.Random(4), int_ids(200)
    edges = [(min(pair), max(pair)) for pair in (draw.sample(ids, 2) for _ in range(150))]
    found = cluster.rows(cluster.jobs.components(cluster.frame(pairs_of(edges), parts=4)))
    for step in COMPONENTS:
        watch.again(step)
    assert found == clusters_of(edges)


@on_ray
@pytest.mark.parametrize("step", ["Route", "_Join"])
def test_a_node_is_lost(cluster, watch, step):
    """Blocks that the node held are lost, too, and the tasks that made them run again."""
    node = cluster.add_node()
    watch.break_at(step, faults.kill_node, host=node)
    found, expected = join_in_parts(cluster, rows(10))
    broken, others = watch.again(step)
    assert broken.host == node and all(other.host != node for other in others)
    faults.wait_for(lambda: not cluster.is_alive(node), "end of the node")
    assert found == expected and found


@pytest.mark.parametrize("steps", [JOIN, COMPONENTS], ids=["join", "components"])
def test_processes_die_in_each_step(cluster, watch, steps):
    """The process of a task is killed in each step, as the kernel does it if memory runs out."""
    for step in steps:
        watch.break_at(step, faults.kill_process)
    if steps is JOIN:
        found, expected = join_in_parts(cluster, rows(11))
    else:
        edges = [(at, at + 1) for at in range(60) if at % 7]
        found, expected = cluster.rows(cluster.jobs.components(cluster.frame(pairs_of(edges)))), clusters_of(edges)
    for step in steps:
        watch.again(step)
    assert found == expected and found


def test_a_task_that_always_dies_ends_the_job(cluster, watch):
    """The engine gives up after some attempts, and says that a process ended."""
    watch.break_at("_Join", faults.kill_process, is_once=False)
    said = "crashed|died unexpectedly|exited unexpectedly"
    with limit(300), pytest.raises(Exception, match=said):
        cluster.rows(cluster.jobs.join(cluster.frame(rows(12, 100)), tiles=1, **HOW))
    killed = watch.broken("_Join")
    assert len(killed) >= 3 and len({attempt.process for attempt in killed}) == len(killed)


def test_a_tile_that_exceeds_the_address_space(cluster, watch):
    """The limit is that of the system, for the process of the task."""
    watch.break_at("_Join", None, memory=2**26)
    table = table_of(list(range(3000)), ["a b c"] * 3000)  # 4 million pairs
    with limit(300), pytest.raises(Exception, match="memory does not suffice for the rows of a task.*tiles=") as said:
        cluster.rows(cluster.jobs.join(cluster.frame(table), tiles=1, **HOW))
    assert "bytes=" in str(said.value) and watch.attempts("_Join")


def test_a_tile_that_exceeds_the_memory_of_akin(cluster, watch):
    """Strings of this length do not go to temporary files."""
    draw = random.Random(6)
    table = table_of([1, 2], [bytes(draw.choices(range(97, 123), k=3_000_000)).decode() for _ in range(2)])
    how = {"on": "text", "id": "id", "levenshtein": 2, "tiles": 1, "memory": "16MiB"}
    said = "memory does not suffice for the rows of a task.*tiles=.*16 MiB of memory are too little"
    with limit(300), pytest.raises(Exception, match=said):
        cluster.rows(cluster.jobs.join(cluster.frame(table), **how))
    assert watch.attempts("_Join")


def test_a_tile_that_goes_to_temporary_files(cluster, watch, monkeypatch, tmp_path):
    """Sets that exceed the memory do, and the pairs stay the same."""
    draw = random.Random(5)
    values = [" ".join(str(draw.randrange(1500)) for _ in range(12)) for _ in range(30_000)]
    table = table_of(list(range(len(values) + 50)), values + values[:50])
    bounded = {**HOW, "memory": "16MiB"}
    with monkeypatch.context() as patched:
        patched.setenv("TMPDIR", str(tmp_path / "missing"))
        with pytest.raises(FileNotFoundError):  # files are needed
            akin.join(table, **bounded)
    found = cluster.rows(cluster.jobs.join(cluster.frame(table), tiles=1, **bounded))
    assert found == by_id(akin.join(table, **HOW)) and len(found) >= 50
