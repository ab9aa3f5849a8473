"""Clusters on this machine, whose tasks run in other processes than the tests: the engine of akin.spark is watched, so
that every task says where it ran, and fails in the test's process."""

import os
import pathlib
import random
import signal
import sys

import pyarrow as pa
import pytest

pytest.importorskip("pyspark")
from akin import _cluster, spark as aks
from pyspark.sql import SparkSession

MODES = {
    "local-cluster": {"master": "local-cluster[2,1,1024]"},
    "without-adaptive": {"master": "local-cluster[2,1,1024]", "spark.sql.adaptive.enabled": "false"},
}


def session_of(mode):
    options = dict(MODES[mode])
    builder = SparkSession.builder.master(options.pop("master")).appName("akin")
    usual = {
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4", "spark.executor.memory": "1g", "spark.task.maxFailures": "4",
        "spark.sql.session.timeZone": "UTC", "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
    }  # fmt: skip
    for name, value in {**usual, **options}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


@pytest.fixture(scope="session")
def mode():
    return os.environ.get("AKIN_CLUSTER", "local-cluster")


@pytest.fixture(scope="session")
def spark(mode):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = session_of(mode)
    yield made
    made.stop()


def watched(step, driver, log, break_at):
    """A step that writes down each attempt of its tasks, outside the process of the driver, and that may end badly."""
    name = type(step).__name__

    def run(batches):
        import os  # in the task

        from pyspark import TaskContext

        task = TaskContext.get()
        assert os.getpid() != driver, "a task ran in the process of the test"
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{name} {task.partitionId()} {task.attemptNumber()} {os.getpid()}\n")
        if name == break_at and task.partitionId() == 1 and not os.path.exists(f"{log}.broken"):
            open(f"{log}.broken", "x").close()  # once: a stage that begins again counts attempts from 0 again
            with open(f"/proc/{os.getppid()}/stat", encoding="utf-8") as file:
                executor = int(file.read().rpartition(")")[2].split()[1])  # the parent of the daemon of workers
            os.kill(executor, signal.SIGKILL)
        yield from step(batches)

    return run


class Watch:
    """What tasks did."""

    def __init__(self, log):
        self.log, self.break_at = log, None
        log.write_text("")

    def attempts(self, name):
        """The attempts of the tasks of a step: (partition, attempt of its stage, process)."""
        lines = (line.split() for line in self.log.read_text().splitlines())
        return [tuple(map(int, line[1:])) for line in lines if line[0] == name]


@pytest.fixture
def watch(tmp_path, monkeypatch):
    seen = Watch(tmp_path / "tasks")
    engine = aks._jobs._engine
    usual = type(engine).map

    def map_watched(self, frame, step, schema):
        return usual(self, frame, watched(step, os.getpid(), str(seen.log), seen.break_at), schema)

    monkeypatch.setattr(type(engine), "map", map_watched)
    yield seen
    lines = seen.log.read_text().splitlines()
    assert lines, "no task ran"
    assert str(os.getpid()) not in {line.split()[3] for line in lines}


WORDS = "river hill stone field brook grove house mill bridge tower meadow forest harbour island valley".split()


def texts(seed, count, popular=6):
    """Texts of words: most of one size, some empty, some null, some the same."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        size = draw.choice([0, 2, 3, popular, popular, popular, popular, 9, 14])
        made.append(None if draw.random() < 0.03 else " ".join(draw.choice(WORDS) for _ in range(size)))
    return made + draw.sample(made, count // 10)


def table_of(ids, values):
    return pa.table({"id": ids, "text": pa.array(values, pa.string())})


def frame_of(spark, table, parts=3):
    """A frame of Spark of an Arrow table."""
    rows = list(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
    types = {"int64": "long", "string": "string"}
    schema = ", ".join(f"{field.name} {types[str(field.type)]}" for field in table.schema)
    return spark.createDataFrame(rows, schema).repartition(parts, "id")


def rows_of(frame):
    """The rows of a frame or of a table, sorted."""
    if isinstance(frame, pa.Table):
        return sorted(zip(*(frame[name].to_pylist() for name in frame.column_names), strict=True))
    return sorted(tuple(row) for row in frame.collect())


def by_id(pairs, is_one=True):
    """The pairs of one machine as a cluster has them: by ids, of one table the smaller one left."""
    table = pa.table(pairs)
    names = [name for name in table.column_names if name not in ("left", "right")]
    key = lambda value: value.encode() if isinstance(value, str) else value
    rows = []
    for left, right, *values in zip(*(table[name].to_pylist() for name in names), strict=True):
        if is_one and key(right) < key(left):
            left, right = right, left
        rows.append((left, right, *values))
    return sorted(rows)


__all__ = ["_cluster"]
