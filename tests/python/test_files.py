"""Several files as one table: folders, patterns, lists and akin.files."""

import gzip

import pytest

import akin


@pytest.fixture
def shards(tmp_path):
    folder = tmp_path / "data"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.csv").write_text("id,name\n1,Anna Muller\n2,Bob Stone\n")
    with gzip.open(folder / "b.csv.gz", "wt") as out:
        out.write("name,id\nBob Stone,3\n")
    (folder / "sub" / "c.jsonl").write_text('{"id":4,"name":"Anna Muller"}\n')
    (folder / ".hidden.csv").write_text("x\n1\n")
    return folder


def pairs_of(found):
    return list(zip(found["left"], found["right"], strict=True))


def test_a_folder_is_one_table(shards):
    assert pairs_of(akin.join(str(shards), on="name", jaccard=1)) == [(0, 3), (1, 2)]
    assert pairs_of(akin.join(shards, on="name", jaccard=1)) == [(0, 3), (1, 2)]


def test_a_pattern_and_a_list(shards, tmp_path):
    assert pairs_of(akin.join(f"{shards}/*.csv*", on="name", jaccard=1)) == [(1, 2)]
    (tmp_path / "list").write_text(f"{shards}/sub\n\n{shards}/a.csv\n")
    assert pairs_of(akin.join(f"@{tmp_path}/list", on="name", jaccard=1)) == [(0, 1)]


def test_several_paths(shards):
    several = akin.files([shards / "a.csv", f"{shards}/sub/*"])
    assert pairs_of(akin.join(several, on="name", jaccard=1)) == [(0, 2)]
    assert akin.dedupe(several, akin.compare.exact("name"), all_pairs=True, threshold=1).clusters["cluster"]


def test_bad_records_are_left_out(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text('name,b\nx,1\ny\nz,"1"2\nx,2\n')
    with pytest.raises(akin.InputError, match="bad.csv:3: has 1 field"):
        akin.join(path, on="name", jaccard=1)
    several = akin.files(path, skip_bad=2)
    assert pairs_of(akin.join(several, on="name", jaccard=1)) == [(0, 1)]
    assert [(file, line) for file, line, _ in several.skipped] == [(str(path), 3), (str(path), 4)]
    with pytest.raises(akin.InputError, match="bad.csv:4: field 2 has a stray quote"):
        akin.join(akin.files(path, skip_bad=1), on="name", jaccard=1)


def test_refusals(tmp_path):
    with pytest.raises(akin.InputError, match="no file has such a name"):
        akin.join(f"{tmp_path}/*.csv", on="name", jaccard=1)
    for bad in (-1, True, 1.5):
        with pytest.raises(akin.OptionError, match="skip_bad"):
            akin.files("x", skip_bad=bad)
    with pytest.raises(akin.OptionError, match="format"):
        akin.files("x", format="xlsx")
    with pytest.raises(akin.OptionError, match="expected a path"):
        akin.files([])


def test_parquet_by_a_pattern(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for i in range(3):
        parquet.write_table(pyarrow.table({"name": [f"name {i}", "same name"]}), tmp_path / f"{i}.parquet")
    assert len(akin.join(f"{tmp_path}/*.parquet", on="name", jaccard=1)["left"]) == 3
