"""Files that results are saved to: as the command writes them, and as the library does, whole or not at all."""

import errno
import os
import pickle
import stat
import tempfile
import threading
import warnings

import pytest

import akin
from akin._pickled import pack
from akin._settings import now, quiet, settings, synced
from akin._temporary import nameless

RANKED = akin.bm25(["red chair", "blue chair"]).rank("chair")


@pytest.fixture(params=["trec", "csv", "jsonl"])
def save(request):
    return lambda path: RANKED.save(path, format=request.param)


def test_what_is_no_regular_file_is_written_to(save, tmp_path):
    save(tmp_path / "run")
    whole = (tmp_path / "run").read_bytes()
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    save(tmp_path / "pipe")
    reader.join()
    assert found == [whole] and whole
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
    save("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert sorted(os.listdir(tmp_path)) == ["pipe", "run"]


def test_links_and_modes_stay(save, tmp_path):
    (tmp_path / "file").write_text("older")
    (tmp_path / "file").chmod(0o600)
    (tmp_path / "link").symlink_to("file")
    save(tmp_path / "link")
    save(tmp_path / "run")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == (tmp_path / "run").read_bytes()
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "run"]


def test_threads_may_write_one_file(save, tmp_path):
    failed = []

    def work():
        try:
            for _ in range(50):
                save(tmp_path / "run")
        except BaseException as error:  # noqa: BLE001: the test reports it
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and os.listdir(tmp_path) == ["run"]


def test_what_cannot_be_written(tmp_path):
    texts = ["red chair", "blue chair"]
    saves = [RANKED.save, akin.Index.build(texts).save, akin.bm25(texts).index.save, akin.Dictionary.build(texts).save]
    (tmp_path / "folder").mkdir()
    (tmp_path / "closed").mkdir(mode=0o500)
    refused = [
        (FileNotFoundError, errno.ENOENT, tmp_path / "none" / "x"),
        (IsADirectoryError, errno.EISDIR, tmp_path / "folder")
    ]
    if os.geteuid() != 0:
        refused.append((PermissionError, errno.EACCES, tmp_path / "closed" / "x"))
    for save in saves:
        for kind, number, path in refused:
            with pytest.raises(kind) as caught:
                save(path)
            assert (caught.value.errno, caught.value.filename) == (number, str(path))
    assert sorted(os.listdir(tmp_path)) == ["closed", "folder"]


def test_a_file_stays_where_not_all_can_be_written(tmp_path):
    found = akin.bm25({"id": ["a", "b c"], "t": ["red", "red blue"]}, "t", id="id").rank("red")
    (tmp_path / "run").write_text("older")
    with pytest.raises(akin.InputError, match="'b c' has a blank"):
        found.save(tmp_path / "run")
    assert (tmp_path / "run").read_text() == "older" and os.listdir(tmp_path) == ["run"]


def test_characters_are_as_the_command_has_them(tmp_path, command):
    odd = [chr(c) for c in range(1, 32)] + ['"', "\\", "\x7f", "/", "\x80", "é", "\u2028", "😀", ",", "'"]
    names = [f"{c}x{i}{c}y" for i, c in enumerate(odd)]
    table = {"id": names, "t": ["red"] * len(names)}
    with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
        file.write("id,t\n" + "".join('"{}",red\n'.format(name.replace('"', '""')) for name in names))
    (tmp_path / "q.txt").write_text("red\n")
    command("index", "t.csv", "--kind", "bm25", "--on", "t", "--id", "id", "-o", "t.akin", "-q", folder=tmp_path)
    found = akin.bm25(table, "t", id="id").rank("red", len(names))
    for ending in ("jsonl", "csv"):
        command("rank", "t.akin", "q.txt", "-k", len(names), "-o", f"c.{ending}", "-q", folder=tmp_path)
        found.save(tmp_path / f"p.{ending}")
        assert (tmp_path / f"p.{ending}").read_bytes() == (tmp_path / f"c.{ending}").read_bytes()


def test_names_of_other_formats_are_refused(tmp_path):
    """As by the command: a file is what its name says."""
    pairs = akin.join(["red chair", "chair, red"], jaccard=0.8)
    for row in akin.choices("foreign-formats"):
        path = tmp_path / f"d.{row.name}"
        for found in (pairs, RANKED):
            if row.name in ("parquet", "feather", "arrow"):
                pytest.importorskip("pyarrow")
                found.save(path)
                assert path.read_bytes()[:4] in (b"PAR1", b"ARRO")
                path.unlink()
            else:
                with pytest.raises(
                    akin.OptionError,
                    match=f"[.]{row.name} is neither read nor written: expected an ending such as .*[.]csv"
                ) as caught:
                    found.save(path)
                assert caught.value.reason == "foreign-format"
    for found in (pairs, RANKED):
        with pytest.raises(akin.OptionError, match="it is written as .*csv, tsv or jsonl"):
            found.save(tmp_path / "d.json")
    pairs.save(tmp_path / "d.xlsx", format="csv")  # who says so gets it
    assert os.listdir(tmp_path) == ["d.xlsx"]


def test_names_of_other_things_than_pages_are_refused(tmp_path):
    found = akin.dedupe({"name": ["Anna", "Ana"]}, "name:jaro", all_pairs=True, report=True)
    for ending in ("pdf", "csv", "xlsx", "parquet", "json"):
        with pytest.raises(akin.OptionError, match="the report is a page of HTML"):
            found.report.save(tmp_path / f"r.{ending}")
        with pytest.raises(akin.OptionError, match="the report is a page of HTML"):
            akin.dedupe({"name": ["Anna", "Ana"]}, "name:jaro", all_pairs=True, report=tmp_path / f"r.{ending}")
    assert os.listdir(tmp_path) == []


def test_a_tag_is_a_word(tmp_path):
    for tag in ("", "a b", "a\tb", "a\nb", "a\rb", "\x0b", "\x01", "a\x1f"):
        with pytest.raises(akin.OptionError, match="expected a word without blanks and control characters"):
            RANKED.save(tmp_path / "run", tag=tag)
    RANKED.save(tmp_path / "run", tag="é\x7f")
    assert (tmp_path / "run").read_text().endswith(" é\x7f\n") and os.listdir(tmp_path) == ["run"]


def test_pickling_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    texts = ["red chair", "blue chair"]
    seen = []
    for made in (akin.Index.build(texts), akin.bm25(texts).index):
        again = pickle.loads(pickle.dumps(made))
        again.save(tmp_path / "again")
        made.save(tmp_path / "made")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "made").read_bytes()
        seen += set(os.listdir(tmp_path)) - {"again", "made"}

    class Ended:
        def save(self, path):
            seen.extend(set(os.listdir(tmp_path)) - {"again", "made"})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pack(Ended())
    assert not seen


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_double_has_a_point(tmp_path, ending):
    """Readers infer the type of a column from its first values."""
    path = tmp_path / f"pairs.{ending}"
    akin.join(["a b"] * 30 + ["c d e f g h i j k l m n", "c d e f g h i j k l m"], jaccard=0.5).save(path)
    text = path.read_text()
    assert text.count("1.0") == 30 * 29 // 2 and "0.9166666666666666" in text
    if ending == "csv":
        polars = pytest.importorskip("polars")
        assert polars.read_csv(path)["similarity"].dtype == polars.Float64
    if ending == "jsonl":
        polars = pytest.importorskip("polars")
        assert polars.read_ndjson(path)["similarity"].dtype == polars.Float64


def test_what_a_killed_process_left_is_removed(save, tmp_path):
    left = tmp_path / ".akin-01234567d92051d5"
    left.write_text("half a fi")
    with pytest.warns(UserWarning, match="/.akin-01234567d92051d5: removed: a process that was killed has left it"):
        save(tmp_path / "run")
    assert os.listdir(tmp_path) == ["run"]
    left.write_text("half a fi")
    with pytest.raises(UserWarning), warnings.catch_warnings():
        warnings.simplefilter("error")
        save(tmp_path / "other")
    assert not left.exists()


def test_sync_changes_no_bytes(tmp_path):
    labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
    labels.answer("no")
    found = akin.dedupe({"name": ["Anna", "Ana", "Bert"]}, "name:jaro", all_pairs=True, threshold=0.8)
    savers = {
        "ranking.csv": RANKED.save, "pairs.csv": found.save, "job.json": found.save_job,
        "answers.csv": labels.save_answers, "model.json": labels.save_model,
        "words.akin": akin.Dictionary.build(["red", "white"]).save, "index.akin": akin.Index.build(["red wine"]).save,
    }  # fmt: skip
    for name, save_it in savers.items():
        save_it(tmp_path / name)
        before = (tmp_path / name).read_bytes()
        save_it(tmp_path / name, sync=True)
        assert (tmp_path / name).read_bytes() == before and before
    assert sorted(os.listdir(tmp_path)) == sorted(savers)
    with pytest.raises(TypeError):
        RANKED.save(tmp_path / "run", sync="yes")


def test_sync_is_a_setting_of_the_jobs_inside(tmp_path):
    assert settings()[5] is False
    with synced(True), synced(False):
        assert settings()[5] is True and now(quiet(settings()))[5] is True
    assert settings()[5] is False
    job = {"akin": "dedupe", "version": 1, "compare": ["name:jaro"], "all-pairs": True, "threshold": 0.8, "sync": True}
    job["pairs"] = str(tmp_path / "pairs.csv")
    akin.run(job, {"name": ["Anna", "Ana", "Bert"]})
    assert os.listdir(tmp_path) == ["pairs.csv"]
    with pytest.raises(akin.InputError, match="'sync' is 1; expected true or false"):
        akin.run(job | {"sync": 1}, {"name": ["Anna"]})


def test_temporary_files_have_no_name(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen = []
    with nameless() as (file, path):
        file.write(b"a")
        file.seek(0)
        seen += os.listdir(tmp_path)
        assert open(path).read() == "a"
    assert seen == []
