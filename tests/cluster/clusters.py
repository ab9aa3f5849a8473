"""Clusters that are processes of this machine."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import faults
import pytest

_SPARK = {
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "4", "spark.executor.memory": "1g", "spark.sql.session.timeZone": "UTC",
    "spark.ui.showConsoleProgress": "false"
}  # fmt: skip
_LOCAL_CLUSTER = "local-cluster[2,1,1024]"


class Spark:
    """A cluster of Spark, whose executors are processes."""

    master = _LOCAL_CLUSTER

    def __init__(self, settings=None):
        pytest.importorskip("pyspark")
        from akin import spark
        from pyspark import cloudpickle

        cloudpickle.register_pickle_by_value(faults)
        os.environ["PYSPARK_PYTHON"] = sys.executable
        self.jobs, self._settings, self._session = spark, {**_SPARK, **(settings or {})}, None

    def start(self):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.master).appName("akin")
        for name, value in self._settings.items():
            builder = builder.config(name, value)
        self._session = builder.getOrCreate()
        self._session.sparkContext.setLogLevel("OFF")

    @property
    def session(self):
        return self._session

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

    def mend(self):
        """Starts what a test has ended."""

    def stop(self):
        if self._session is not None:
            self._session.stop()


def free_port(host="127.0.0.1"):
    with socket.socket() as found:
        found.bind((host, 0))
        return found.getsockname()[1]


def is_listening(host, port):
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False


class Processes:
    """Processes of the packages of Spark. They end at the latest with this process, and what they started with them."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-"))
        self._held = []

    def start(self, name, *words, host="127.0.0.1"):
        import pyspark

        home = pathlib.Path(pyspark.__file__).parent
        environment = {
            **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": host, "SPARK_LOCAL_DIRS": str(self.folder),
            "PYSPARK_PYTHON": sys.executable
        }  # fmt: skip
        with open(self.folder / f"{name}.log", "ab") as log:
            made = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "bash", str(home / "bin/spark-class"), *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=self.folder,
                start_new_session=True
            )  # fmt: skip
        self._held.append(made)
        return made

    def wait(self, process, is_true, what):
        def is_done():
            assert process.poll() is None, f"{what}: {self.logs()}"
            return is_true()

        faults.wait_for(is_done, what, 240)

    def logs(self):
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self.folder.glob("*.log")))

    def stop(self):
        for made in self._held:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(made.pid, signal.SIGKILL)
            made.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Standalone(Spark):
    """A standalone master, and a worker on each of two addresses. Tasks that take longer than others are copied, to the
    other address: Spark copies no task to the host where it runs."""

    HOSTS = ("127.0.0.2", "127.0.0.3")

    def __init__(self):
        super().__init__({
            "spark.speculation": "true", "spark.speculation.interval": "50ms", "spark.speculation.quantile": "0.1",
            "spark.speculation.multiplier": "1", "spark.speculation.minTaskRuntime": "0ms",
            "spark.speculation.efficiency.enabled": "false", "spark.scheduler.minRegisteredResourcesRatio": "1",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "240s", "spark.cores.max": "2",
            "spark.executor.cores": "1", "spark.locality.wait": "0s"
        })  # fmt: skip
        self._processes, self._workers = Processes(), {}

    def start(self):
        port = free_port()
        self.master = f"spark://127.0.0.1:{port}"
        words = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        made = self._processes.start("master", "org.apache.spark.deploy.master.Master", *words)
        self._processes.wait(made, lambda: is_listening("127.0.0.1", port), "master of Spark")
        self._start_workers()
        super().start()
        self._wait()

    def _start_workers(self):
        for host in self.HOSTS:
            if host not in self._workers or self._workers[host].poll() is not None:
                words = ("--host", host, "--cores", "1", "--memory", "1g", "--webui-port", "0")
                folder = ("--work-dir", str(self._processes.folder / host))
                worker = "org.apache.spark.deploy.worker.Worker"
                self._workers[host] = self._processes.start(host, worker, *words, *folder, self.master, host=host)

    def hosts(self):
        """The addresses of the executors that Spark knows."""
        held = self._session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()
        return {each.host() for each in held} & set(self.HOSTS)

    def _wait(self):
        for host, worker in self._workers.items():
            self._processes.wait(worker, lambda host=host: host in self.hosts(), f"executor at {host}")

    def is_lost(self, host):
        """Whether the worker of an address has ended."""
        return self._workers[host].poll() is not None

    def mend(self):
        self._start_workers()
        self._wait()

    def stop(self):
        try:
            super().stop()
        finally:
            self._processes.stop()


class Connect(Spark):
    """A server of Spark Connect, with executors that are processes. This process is the client, without a JVM."""

    def __init__(self):
        super().__init__()
        pytest.importorskip("grpc")
        self._processes, self.url = Processes(), None

    def start(self):
        from pyspark.sql import SparkSession

        port = free_port()
        settings = {
            **self._settings, "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(port)
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        server = "org.apache.spark.sql.connect.service.SparkConnectServer"
        submit = ("org.apache.spark.deploy.SparkSubmit", "--class", server, "--master", self.master)
        made = self._processes.start("connect", *submit, *words)
        self._processes.wait(made, lambda: is_listening("127.0.0.1", port), "server of Spark Connect")
        self.url = f"sc://127.0.0.1:{port}"
        self._session = SparkSession.builder.remote(self.url).getOrCreate()

    def stop(self):
        try:
            super().stop()
        finally:
            self._processes.stop()


class Ray:
    """A cluster of Ray, whose nodes are processes."""

    # Ray takes 127.0.0.1 for the address of the machine.
    NODE = {"node_ip_address": "127.0.0.2", "object_store_memory": 2**28, "include_dashboard": False, "num_cpus": 1}

    def __init__(self):
        os.environ.setdefault("RAY_worker_niceness", "0")  # else a machine that does other work runs them last
        pytest.importorskip("ray")
        import ray
        from akin import ray as jobs

        ray.cloudpickle.register_pickle_by_value(faults)
        self.jobs, self._ray, self._cluster, self._more = jobs, ray, None, []

    def start(self):
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args=self.NODE)
        self._cluster.add_node(**self.NODE)
        self._ray.init(address=self._cluster.address, log_to_driver=False, _node_ip_address="127.0.0.2")
        self._ray.data.DataContext.get_current().enable_progress_bars = False

    def add_node(self):
        """The name of one more node, which ends with the test."""
        self._more.append(self._cluster.add_node(**self.NODE))
        self._cluster.wait_for_nodes()
        return self._more[-1].node_id

    def is_alive(self, node):
        return any(each["Alive"] for each in self._ray.nodes() if each["NodeID"] == node)

    def frame(self, table, parts=3):
        step = -(-len(table) // parts) or 1
        return self._ray.data.from_arrow([table.slice(at, step) for at in range(0, max(1, len(table)), step)])

    def rows(self, frame):
        tables = self._ray.get(frame.to_arrow_refs())
        return sorted(row for each in tables for row in zip(*(column.to_pylist() for column in each), strict=True))

    def columns(self, frame):
        return frame.columns()

    def mend(self):
        """Ends what a test has started."""
        while self._more:
            self._cluster.remove_node(self._more.pop(), allow_graceful=False)

    def stop(self):
        self._ray.shutdown()
        if self._cluster is not None:
            self._cluster.shutdown()
