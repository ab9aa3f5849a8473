"""A join on a cluster of Ray whose nodes kill tasks when a gigabyte more of the machine's memory is used.

usage: ray_memory.py ROWS TILES

It prints the number of pairs, and the number of processes that ran a task of the join. All rows are equal.
"""

import os
import sys
import tempfile
import time

import akin
import pyarrow as pa
import ray
from akin import ray as jobs
from akin._cluster_join import _Join
from clusters import Ray
from ray.cluster_utils import Cluster

MORE = 10**9
RETRIES = 1  # of a task that was killed for its memory; by default there is no limit


def memory():
    """What is used of the machine's memory, and all of it."""
    with open("/proc/meminfo", encoding="ascii") as file:
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in file}
    return (kilobytes["MemTotal"] - kilobytes["MemAvailable"]) * 1024, kilobytes["MemTotal"] * 1024


def main(rows, tiles):
    used, total = memory()
    monitor = {"memory_usage_threshold": (used + MORE) / total, "memory_monitor_refresh_ms": 50}
    node = {**Ray.NODE, "_system_config": {**monitor, "task_oom_retries": RETRIES}}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    ray.init(address=cluster.address, log_to_driver=False, _node_ip_address="127.0.0.2")
    with tempfile.TemporaryDirectory() as folder:
        run = _Join.__call__

        def noted(step, batches):
            open(os.path.join(folder, f"{os.getpid()}.{time.time_ns()}"), "x").close()
            return run(step, batches)

        _Join.__call__ = noted
        ray.cloudpickle.register_pickle_by_value(sys.modules[_Join.__module__])
        table = pa.table({"id": range(rows), "text": ["a b c"] * rows})
        try:
            pairs = jobs.join(ray.data.from_arrow(table), on="text", id="id", jaccard="0.5", tiles=tiles, bytes="1GB")
            print(pairs.count())
        except ray.exceptions.OutOfMemoryError as error:
            print(f"{type(error).__name__}: {error}")
        print(len(os.listdir(folder)))
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
