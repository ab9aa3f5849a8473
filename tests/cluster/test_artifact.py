"""akin as an artifact of a session of Spark, or as a module of a job of Ray: where tasks run there is no akin."""

import pathlib
import shutil
import subprocess
import sys
import tarfile

import akin
import pyarrow as pa
import pytest
from conftest import MODE, by_id

WHEELS = pathlib.Path(__file__).parents[2] / "build" / "cluster" / "wheel"


@pytest.fixture
def archive(tmp_path):
    """The archive of docs/cluster.md: a folder with the package, and a Python that finds it."""
    made = tmp_path / "akin"
    (made / "site").mkdir(parents=True)
    shutil.copytree(pathlib.Path(akin.__file__).parent, made / "site" / "akin")
    finds = 'PYTHONPATH="$(dirname "$0")/site:$PYTHONPATH"'
    (made / "python").write_text(f'#!/bin/sh\nexec env {finds} {sys.executable} "$@"\n')
    (made / "python").chmod(0o755)
    subprocess.run([made / "python", "-c", "import akin"], check=True)
    with tarfile.open(tmp_path / "akin.tar.gz", "w:gz") as file:
        file.add(made, ".")
    return tmp_path / "akin.tar.gz"


@pytest.mark.skipif(MODE in ("ray", "spark-3.5"), reason="archives of a session came with Spark 4")
def test_archive(cluster, archive):
    def where(batches):
        import akin

        for _ in batches:
            pass
        yield pa.RecordBatch.from_pydict({"path": [akin.__file__]})

    table = pa.table({"key": list(range(60)), "text": [f"red wine {at // 2} {at // 3}" for at in range(60)]})
    session = cluster.session
    session.addArtifacts(f"{archive}#akin", archive=True)
    before = session.conf.get("spark.sql.execution.pyspark.python", None)
    session.conf.set("spark.sql.execution.pyspark.python", "akin/python")
    try:
        found = session.range(9).repartition(3).mapInArrow(where, "path string").collect()
        expected = by_id(akin.join(table, on="text", id="key", jaccard=0.6))
        pairs = cluster.rows(cluster.jobs.join(cluster.frame(table), on="text", id="key", jaccard=0.6, tiles=4))
    finally:
        if before is None:
            session.conf.unset("spark.sql.execution.pyspark.python")
        else:
            session.conf.set("spark.sql.execution.pyspark.python", before)
    assert pairs == expected and expected
    for row in found:
        assert row.path.endswith("akin/site/akin/__init__.py") and not row.path.startswith(str(archive.parent))


RAY = """
import sys
import akin, pyarrow as pa, ray
from akin import ray as akr
ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1",
         runtime_env={"py_modules": [sys.argv[1]]})

@ray.remote
def where():
    import akin
    return akin.__file__

assert "py_modules" in ray.get(where.remote()), ray.get(where.remote())
table = pa.table({"key": list(range(60)), "text": [f"red wine {at // 2} {at // 3}" for at in range(60)]})
how = {"on": "text", "id": "key", "jaccard": 0.6}
found = pa.concat_tables(ray.get(akr.join(ray.data.from_arrow(table), tiles=4, **how).to_arrow_refs()))
rows = sorted(zip(*(found[name].to_pylist() for name in found.column_names)))
alone = akin.join(table, **how)
assert rows == sorted(zip(*(alone[name].tolist() for name in found.column_names))) and rows
print("as on one machine")
"""


@pytest.mark.skipif(MODE != "ray" or not list(WHEELS.glob("*.whl")), reason="it needs Ray, and a wheel")
def test_module_of_a_job(tmp_path):
    (tmp_path / "job.py").write_text(RAY)
    words = [sys.executable, str(tmp_path / "job.py"), str(next(WHEELS.glob("*.whl")))]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert done.returncode == 0 and "as on one machine" in done.stdout, done.stderr[-3000:]
