"""Files in stores of objects: by file:// and, where moto is installed, by an S3 server on this machine."""

import gzip
import pathlib
import subprocess
import sys

import pytest

import akin
from test_openers import EXACT, JOBS, PEOPLE, folder, run, without  # noqa: F401

pytest.importorskip("pyarrow")
WORDS = ("--on", "name", "--id", "id", "--jaccard", "1", "-q")
SECRET = "s3cret-X"

# A process of its own: this one may wait for the server while it has the interpreter. It ends with its input.
SERVER = """
import sys
from moto.server import ThreadedMotoServer
made = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
made.start()
print("{}:{}".format(*made.get_host_and_port()), flush=True)
sys.stdin.read()
made.stop()
"""


class Store:
    """A place for files: `at` is the address of one, `put` and `get` are its bytes; None: there is none."""

    def __init__(self, at, put, get):
        self.at, self.put, self.get = at, put, get


@pytest.fixture
def local(tmp_path):
    (tmp_path / "store").mkdir()

    def get(name):
        path = tmp_path / "store" / name
        return path.read_bytes() if path.exists() else None

    return Store(
        lambda name: f"file://{tmp_path}/store/{name}",
        lambda name, data: (tmp_path / "store" / name).write_bytes(data),
        get,
    )


@pytest.fixture(scope="module")
def server():
    """The host and the port of an S3 server."""
    pytest.importorskip("moto.server", reason="there is no moto, so nothing is tested with S3")
    with subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process.stdout.readline().decode().strip()
        process.stdin.close()


@pytest.fixture
def s3(server):
    from pyarrow import fs

    try:
        system = fs.S3FileSystem(
            access_key="me", secret_key=SECRET, endpoint_override=server, scheme="http", region="us-east-1",
            allow_bucket_creation=True, allow_bucket_deletion=True, request_timeout=20,
        )  # fmt: skip
    except (AttributeError, ImportError, NotImplementedError):
        pytest.skip("the build of pyarrow has no S3")
    system.create_dir("shop")

    def put(name, data):
        with system.open_output_stream(f"shop/{name}", compression=None) as stream:
            stream.write(data)

    def get(name):
        if system.get_file_info(f"shop/{name}").type.name == "NotFound":
            return None
        with system.open_input_stream(f"shop/{name}", compression=None) as stream:
            return stream.read()

    parameters = f"?endpoint_override={server}&scheme=http&region=us-east-1"
    yield Store(lambda name: f"s3://me:{SECRET}@shop/{name}{parameters}", put, get)
    system.delete_dir("shop")


@pytest.fixture(params=["local", "s3"])
def store(folder, request):  # noqa: F811
    found = request.getfixturevalue(request.param)
    for name in ("people.parquet", "people.arrow", "people.csv"):
        found.put(name, pathlib.Path(name).read_bytes())
    found.put("people.csv.gz", gzip.compress(pathlib.Path("people.csv").read_bytes()))
    return found


@pytest.mark.parametrize("name", ["people.parquet", "people.arrow", "people.csv", "people.csv.gz"])
def test_a_job_prints_what_it_prints_of_the_file(store, name):
    job = JOBS[0]
    assert run(job[0], store.at(name), *job[1:], "-q") == run(job[0], "people.csv", *job[1:], "-q")
    found = akin.join(store.at(name), on="name", id="id", tokens="qgrams:2", jaccard=0.5)
    assert [(a, b) for a, b, *_ in found] == [(0, 2), (1, 4)]


def test_lines_and_ids(store):
    store.put("names.txt", b"red wine\nwine red\nwhite wine\n")
    store.put("sets.txt", b"1 2\n2 1\n3\n")
    store.put("big.jsonl", b"".join(b'{"id":%d,"name":"n%d"}\n' % (i, i // 2) for i in range(50_000)))
    assert run("join", store.at("names.txt"), "--tokens", "words", "--jaccard", "1", "-q").endswith("\n0,1,1\n")
    assert run("join", store.at("sets.txt"), "--jaccard", "1", "-q").endswith("\n0,1,1\n")
    assert run("join", store.at("big.jsonl"), "--on", "name", "--jaccard", "1", "--count", "-q") == "25000\n"
    assert run("weigh", store.at("names.txt"), "--sum", "-q") == run_of(store, "names.txt")


def run_of(store, name):
    """The sums of a file that is here."""
    pathlib.Path(name).write_bytes(store.get(name))
    return run("weigh", name, "--sum", "-q")


def test_folders(store, tmp_path):
    """A folder whose name ends so is one table, as it is in the file system."""
    from pyarrow import parquet

    import pyarrow as pa

    for part, rows in enumerate((slice(0, 2), slice(2, 5))):
        (tmp_path / "store").mkdir(exist_ok=True)
        parquet.write_table(pa.table({name: values[rows] for name, values in PEOPLE.items()}), "part.parquet")
        if store.at("x").startswith("file"):
            (tmp_path / "store" / "all.parquet").mkdir(exist_ok=True)
        store.put(f"all.parquet/part-{part}.parquet", pathlib.Path("part.parquet").read_bytes())
    assert run("join", store.at("all.parquet"), *WORDS) == run("join", "people.csv", *WORDS)


def test_results(store):
    for name in ("c.parquet", "c.arrow"):
        if store.at(name).startswith("file"):
            said = run("dedupe", "people.parquet", *EXACT, "-q", "-o", store.at(name), code=2)
            assert "leave out file://" in said and said.count("\n") == 1
            continue
        run("dedupe", store.at("people.parquet"), *EXACT, "--id", "id", "-q", "-o", store.at(name))
        pathlib.Path(name).write_bytes(store.get(name))
        from test_savers import read

        assert read(name)[0]["cluster"] == [0, 1, 2, 3, 1] and read(name)[0]["id"] == PEOPLE["id"]
        akin.dedupe("people.parquet", "name:exact", all_pairs=True, id="id").save(store.at(name))
        pathlib.Path(name).write_bytes(store.get(name))
        assert read(name)[0]["left_id"] == [10]
    said = run("dedupe", "people.parquet", *EXACT, "-q", "-o", store.at("c.csv"), code=2)
    assert "only Parquet and Arrow files are written to" in said and SECRET not in said


def test_a_result_that_fails_does_not_appear(store):
    if store.at("x").startswith("file"):
        return
    code = """
import os, signal, sys
from akin import _savers
what = sys.argv.pop(1)
def stop(self, *args):
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError("it broke")
_savers._File.finish = stop
from akin_command import main
main()
"""
    for what, expected in (("kill", -9), ("fail", 1)):
        done = subprocess.run(
            [sys.executable, "-c", code, what, "dedupe", "people.parquet", *EXACT, "-q", "-o", store.at("c.parquet")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == expected and SECRET not in done.stderr, done.stderr
        assert store.get("c.parquet") is None


@pytest.mark.parametrize("name", ["none.parquet", "none.csv", "none.txt"])
def test_what_is_not_there(store, name):
    shown = store.at(name).replace(f":{SECRET}", "")
    said = run("join", store.at(name), "--on", "name" if name[-1] != "t" else "text", "--jaccard", "1", code=2)
    assert said == f"akin: {shown}: cannot be opened: No such file or directory\n"
    with pytest.raises((akin.InputError, FileNotFoundError)) as raised:
        akin.join(store.at(name), on="name" if name[-1] != "t" else "text", jaccard=1)
    assert SECRET not in str(raised.value)


def test_errors_have_the_line_and_no_password(store):
    store.put("bad.csv", b"id,name\n1,a\n2\n")
    shown = store.at("bad.csv").replace(f":{SECRET}", "")
    said = run("join", store.at("bad.csv"), "--on", "name", "--jaccard", "1", code=2)
    assert said.startswith(f"akin: {shown}:3: has 1 field")
    with pytest.raises(akin.InputError) as raised:
        akin.join(store.at("bad.csv"), on="name", jaccard=1)
    assert SECRET not in str(raised.value) and ":3: has 1 field" in str(raised.value)


def test_a_store_that_the_build_lacks(folder):  # noqa: F811
    said = run("join", "viewfs://none/people.csv", "--on", "name", "--jaccard", "1", code=2)
    assert said.startswith("akin: viewfs://none/people.csv: cannot be opened: ") and said.count("\n") == 1


def test_what_is_not_installed_is_named(tmp_path, without):  # noqa: F811
    without("pyarrow")
    said = run("join", "s3://shop/people.csv", "--on", "a", "--jaccard", "1", code=2)
    assert said == "akin: s3://shop/people.csv: stores need pyarrow: pip install 'libakin[parquet]'\n"


def csv_of(local):
    local.put("big.csv", b"id,name\n" + b"".join(b"%d,n%d\n" % (i, i) for i in range(200_000)))
    return local.at("big.csv")


def test_an_exception_of_progress_arrives(local):
    def stop(*words):
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        akin.join(csv_of(local), on="name", jaccard=1, progress=stop)


def test_signals_arrive(local, monkeypatch):
    from akin import _stores

    path = csv_of(local)

    def interrupt(self, into):
        raise KeyboardInterrupt("pressed")

    monkeypatch.setattr(_stores.Bytes, "read", interrupt)
    with pytest.raises(KeyboardInterrupt, match="pressed"):
        akin.join(path, on="name", jaccard=1)


def test_an_upload_that_fails_in_the_middle_leaves_nothing(s3, folder, monkeypatch):  # noqa: F811
    import shutil

    from pyarrow import fs

    def some(source, to, *words):
        to.write(source.read(10))
        raise error("gone")

    found = akin.dedupe("people.parquet", "name:exact", all_pairs=True, id="id")
    for error in (OSError, KeyboardInterrupt):
        monkeypatch.setattr(shutil, "copyfileobj", some)
        with pytest.raises(error, match="gone"):
            found.save(s3.at("c.parquet"))
        monkeypatch.undo()
        system, inside = fs.FileSystem.from_uri(s3.at("c.parquet"))
        assert system.get_file_info(fs.FileSelector("shop")) == [] and inside == "shop/c.parquet"
    found.save(s3.at("c.parquet"))
    assert [each.path for each in system.get_file_info(fs.FileSelector("shop"))] == ["shop/c.parquet"]


def test_an_upload_that_cannot_move(s3, folder, monkeypatch):  # noqa: F811
    from akin import _stores

    found = akin.dedupe("people.parquet", "name:exact", all_pairs=True, id="id")
    monkeypatch.setattr(_stores, "COPIED", 0)
    found.save(s3.at("c.parquet"))
    assert s3.get("c.parquet")[:4] == b"PAR1"


def test_ids_and_numbers_in_python(store):
    import struct

    from akin._objects import matrix_of, sets_of
    from akin._settings import settings

    store.put("sets.txt", b"1 2\n2 1\n3\n")
    store.put("rows.fvecs", struct.pack("<iff", 2, 0.5, 1.5))
    assert sets_of(store.at("sets.txt"), False, settings()).rows == 3
    assert matrix_of(store.at("rows.fvecs"), False, settings()).shape() == (1, 2)
    with pytest.raises((akin.InputError, OSError)) as raised:
        sets_of(store.at("none.txt"), False, settings())
    assert SECRET not in str(raised.value)


def test_a_job_writes_records(store):
    outputs = ("--deduplicated", "a.csv", "--save-job", "j.json", "-o", "c.csv")
    run("dedupe", store.at("people.csv"), *EXACT, "-q", *outputs)
    expected = pathlib.Path("a.csv").read_bytes()
    pathlib.Path("a.csv").unlink()
    akin.run("j.json", store.at("people.csv"))
    assert pathlib.Path("a.csv").read_bytes() == expected


def test_names_of_results_have_no_password(s3, folder):  # noqa: F811
    found = akin.dedupe("people.parquet", "name:exact", all_pairs=True, id="id")
    with pytest.raises(akin.OptionError) as raised:
        found.save(s3.at("c.csv"))
    assert "only Parquet and Arrow" in str(raised.value) and SECRET not in str(raised.value)
