"""Clusters on this machine, whose tasks run in other processes than the tests. $AKIN_CLUSTER names one. The engine is
watched: every task writes down where it ran, and fails in the process of the test."""

import os
import pathlib
import random
import signal
import sys

import pyarrow as pa
import pytest

MODE = os.environ.get("AKIN_CLUSTER", "spark")
SPARK = {"spark": {}, "spark-3.5": {}, "spark-not-adaptive": {"spark.sql.adaptive.enabled": "false"}}
RAY = {"ray": [1, 1]}  # processors of its nodes


class Spark:
    """A cluster of Spark, whose executors are processes."""

    def __init__(self):
        pytest.importorskip("pyspark")
        from akin import spark
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("akin")
        usual = {
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "4", "spark.executor.memory": "1g",
            "spark.sql.session.timeZone": "UTC", "spark.ui.showConsoleProgress": "false",
        }  # fmt: skip
        for name, value in {**usual, **SPARK[MODE]}.items():
            builder = builder.config(name, value)
        self.jobs, self._session = spark, builder.getOrCreate()
        self._session.sparkContext.setLogLevel("OFF")

    def frame(self, table, parts=3):
        """A frame of an Arrow table, in several parts."""
        rows = list(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
        types = {"int64": "long", "string": "string"}
        names = [name.replace("`", "``") for name in table.column_names]
        each = zip(names, table.schema.types, strict=True)
        schema = ", ".join(f"`{name}` {types[str(type)]}" for name, type in each)
        return self._session.createDataFrame(rows, schema).repartition(parts, table.column_names[0])

    def rows(self, frame):
        """The rows of a frame, sorted."""
        return sorted(tuple(row) for row in frame.collect())

    def columns(self, frame):
        return frame.columns

    def stop(self):
        self._session.stop()


class Ray:
    """A cluster of Ray, whose nodes are processes."""

    def __init__(self):
        pytest.importorskip("ray")
        import ray
        from akin import ray as jobs
        from ray.cluster_utils import Cluster

        # Ray takes 127.0.0.1 for the address of the machine.
        node = {"node_ip_address": "127.0.0.2", "object_store_memory": 2**28, "include_dashboard": False}
        first, *others = RAY[MODE]
        self._cluster = Cluster(initialize_head=True, head_node_args={**node, "num_cpus": first})
        for processors in others:
            self._cluster.add_node(**node, num_cpus=processors)
        ray.init(address=self._cluster.address, log_to_driver=False, _node_ip_address="127.0.0.2")
        ray.data.DataContext.get_current().enable_progress_bars = False
        self.jobs, self._ray = jobs, ray

    def frame(self, table, parts=3):
        step = -(-len(table) // parts) or 1
        return self._ray.data.from_arrow([table.slice(at, step) for at in range(0, max(1, len(table)), step)])

    def rows(self, frame):
        tables = self._ray.get(frame.to_arrow_refs())
        return sorted(row for each in tables for row in zip(*(column.to_pylist() for column in each), strict=True))

    def columns(self, frame):
        return frame.columns()

    def stop(self):
        self._ray.shutdown()
        self._cluster.shutdown()


@pytest.fixture(scope="session")
def cluster():
    made = Ray() if MODE in RAY else Spark()
    yield made
    made.stop()


def watched_on_ray(step, driver, log):
    """A step that writes down where it ran."""
    name = type(step).__name__

    def run(batches):
        import os  # in the task

        assert os.getpid() != driver, "a task ran in the process of the test"
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{name} 0 0 {os.getpid()}\n")
        yield from step(batches)

    return run


def watched_on_spark(step, driver, log, break_at):
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
def watch(cluster, tmp_path, monkeypatch):
    seen = Watch(tmp_path / "tasks")
    engine = type(cluster.jobs._jobs._engine)
    usual = engine.map

    def map_watched(self, frame, step, schema):
        driver, log = os.getpid(), str(seen.log)
        on_spark = isinstance(cluster, Spark)
        run = watched_on_spark(step, driver, log, seen.break_at) if on_spark else watched_on_ray(step, driver, log)
        return usual(self, frame, run, schema)

    monkeypatch.setattr(engine, "map", map_watched)
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

