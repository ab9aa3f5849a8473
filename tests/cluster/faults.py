"""What the tests see of tasks, and do to them. It runs in the tasks, to which it is sent by value."""

import contextlib
import os
import resource
import signal
import time
import zlib


def parent_of(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def words_of(process):
    """The command line of a process."""
    with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
        return file.read().split("\0")


def executor_of_task():
    """The process of the executor of Spark: the parent of the daemon that makes the workers of Python."""
    return parent_of(os.getppid())


def where_on_spark(batches):
    """A name of the task, the number of the attempt, the host, and the batches."""
    from pyspark import TaskContext

    task, words = TaskContext.get(), words_of(executor_of_task())
    host = words[words.index("--hostname") + 1]
    return f"{task.stageId()}.{task.partitionId()}", task.attemptNumber(), host, batches


def where_on_ray(batches):
    """The same. Ray numbers no attempts: a task is known by its rows, and its host is a node."""
    import ray

    held = list(batches)
    rows = zlib.crc32(repr([batch.to_pydict() for batch in held]).encode())
    return str(rows), 0, ray.get_runtime_context().get_node_id(), iter(held)


def wait_for(is_true, what, seconds=120):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, f"after {seconds} seconds there is no {what}"
        time.sleep(0.05)


def kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def kill_executor(attempts):
    kill(executor_of_task())
    time.sleep(600)  # the daemon of workers ends this process


def kill_worker(attempts):
    """Kills a worker of a standalone Spark, and its executor."""
    executor = executor_of_task()
    worker = parent_of(executor)
    assert any(word.endswith("worker.Worker") for word in words_of(worker))
    kill(worker)
    kill_executor(attempts)


def kill_node(attempts):
    """Kills a node of Ray: its raylet, and this process."""
    raylet = os.getppid()
    assert words_of(raylet)[0].endswith("raylet")
    kill(raylet)
    kill_process(attempts)


def kill_process(attempts):
    kill(os.getpid())


def straggle(attempts):
    """Waits until the task was begun again elsewhere."""
    wait_for(lambda: attempts() > 1, "second attempt of the task")


@contextlib.contextmanager
def address_space(more):
    """A limit of the memory that this process maps."""
    with open("/proc/self/statm", encoding="utf-8") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + more, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def warmed(batches):
    """The batches, read, by a process that has loaded what a join needs: other libraries may end it at a limit."""
    import akin
    import pyarrow as pa
    import pyarrow.compute as pc

    table = pa.table({"id": [1, 2], "text": ["a b", "b a"]})
    pa.table(akin.join(table.filter(pc.greater(table["id"], 0)), on="text", id="id", jaccard=1, threads=1))
    return list(batches)


def watched(step, driver, log, where, fault, host=None, is_once=True, memory=None):
    """A step that writes down each attempt of its tasks. At the end of the first task (of those on a host, or of each),
    whose rows are then made, something happens to it; tasks elsewhere wait for that."""
    name = type(step).__name__

    def is_first():
        try:
            open(f"{log}.{name}", "x").close()
        except FileExistsError:
            return False
        return True

    def run(batches):
        task, attempt, here, batches = where(batches)
        assert os.getpid() != driver, "a task ran in the process of the test"
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{name} {task} {attempt} {os.getpid()} {here}\n")

        def attempts():
            with open(log, encoding="utf-8") as file:
                return sum(line.startswith(f"{name} {task} ") for line in file)

        made, is_more = step(batches if memory is None else warmed(batches)), True
        while is_more:
            with address_space(memory) if memory is not None else contextlib.nullcontext():
                batch = next(made, None)
            is_more = batch is not None
            if is_more:
                yield batch
        if fault is None:
            return
        if host not in (None, here):
            wait_for(lambda: os.path.exists(f"{log}.{name}"), f"task at {host}")
        elif not is_once or is_first():
            with open(f"{log}.faults", "a", encoding="utf-8") as file:
                file.write(f"{name} {task} {attempt} {os.getpid()} {here}\n")
            fault(attempts)

    return run
