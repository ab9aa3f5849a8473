"""Clusters on this machine, whose tasks run in other processes than the tests. $AKIN_CLUSTER names one. The engine is
watched: every task writes down where it ran, and fails in the process of the test."""

import contextlib
import os
import random
import signal
from typing import NamedTuple

import faults
import pyarrow as pa
import pytest
from clusters import Connect, Ray, Spark, Standalone

MODE = os.environ.get("AKIN_CLUSTER", "spark")
MADE = {
    "spark": Spark, "spark-3.5": Spark, "spark-not-adaptive": lambda: Spark({"spark.sql.adaptive.enabled": "false"}),
    "spark-standalone": Standalone, "spark-connect": Connect, "ray": Ray
}  # fmt: skip
IS_RAY = MODE == "ray"


@pytest.fixture(scope="session")
def cluster():
    made = MADE[MODE]()
    try:
        made.start()
        yield made
    finally:
        made.stop()


@contextlib.contextmanager
def limit(seconds):
    """Ends what hangs."""

    def end(*_):
        raise TimeoutError(f"nothing came in {seconds} seconds")

    before, left = signal.signal(signal.SIGALRM, end), signal.alarm(seconds)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.alarm(left)


@pytest.fixture(autouse=True)
def limited():
    with limit(1200):
        yield


class Attempt(NamedTuple):
    """One run of a task of a step."""

    step: str
    task: str
    number: int  # of the attempt, in its stage; on Ray always 0
    process: int
    host: str


class Watch:
    """What tasks did, and what happens to those of a step."""

    def __init__(self, log):
        self.log, self.faults = log, {}
        log.write_text("")

    def break_at(self, step, fault, **how):
        """Has a function of :mod:`faults` called in the first task of a step."""
        self.faults[step] = {"fault": fault, **how}

    def _read(self, path, step):
        lines = path.read_text().splitlines() if path.exists() else []
        made = [Attempt(line[0], line[1], int(line[2]), int(line[3]), line[4]) for line in map(str.split, lines)]
        return [attempt for attempt in made if step in (None, attempt.step)]

    def attempts(self, step=None):
        return self._read(self.log, step)

    def tasks(self, step):
        return {attempt.task for attempt in self.attempts(step)}

    def broken(self, step):
        """The attempts to which something happened."""
        return self._read(self.log.with_name(f"{self.log.name}.faults"), step)

    def again(self, step):
        """The attempt of a step that was broken, and the attempts of the same task in other processes."""
        (broken,) = self.broken(step)
        others = [each for each in self.attempts(step) if each.task == broken.task and each.process != broken.process]
        assert others, f"no task of {step} ran again"
        return broken, others


@pytest.fixture
def watch(cluster, tmp_path, monkeypatch):
    seen = Watch(tmp_path / "tasks")
    engine = type(cluster.jobs._engine)
    usual = engine.map
    where = faults.where_on_ray if IS_RAY else faults.where_on_spark

    def map_watched(self, frame, step, schema):
        fault = seen.faults.get(type(step).__name__, {"fault": None})
        return usual(self, frame, faults.watched(step, os.getpid(), str(seen.log), where, **fault), schema)

    monkeypatch.setattr(engine, "map", map_watched)
    yield seen
    cluster.mend()
    attempts = seen.attempts()
    assert attempts, "no task ran"
    assert os.getpid() not in {attempt.process for attempt in attempts}


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

