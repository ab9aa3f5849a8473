"""What programs read of an exception besides its message."""

import errno
import pickle

import pytest

import akin
from akin import generate, strings

FIELDS = ("reason", "row", "column", "line", "word", "meant", "option")


def fields(error):
    """Those that are known."""
    return {name: getattr(error, name) for name in FIELDS if getattr(error, name) is not None}


def caught(error, call, *arguments, **options):
    with pytest.raises(error) as info:
        call(*arguments, **options)
    return info.value


def test_the_class_has_none():
    for kind in (akin.Error, akin.InputError, akin.OptionError, akin.LimitError, akin.DeviceError):
        assert fields(kind("x")) == {}


def test_what_python_code_raises_has_none():
    assert fields(caught(akin.OptionError, akin.join, ["a"], threads=-1, jaccard=0.5)) == {}


def test_unknown_tokens():
    expected = {"reason": "unknown-choice", "word": "wrds", "meant": "words"}
    assert fields(caught(akin.OptionError, akin.join, ["a"], tokens="wrds", jaccard=0.5)) == expected


def test_a_column_that_is_not_there():
    table = {"name:first": ["a"], "age": ["1"]}
    assert fields(caught(akin.OptionError, akin.join, table, on="name", jaccard=0.5)) == {
        "reason": "no-column",
        "column": "name",
        "meant": "name:first",
    }
    assert fields(caught(akin.OptionError, akin.join, table, on="years", jaccard=0.5)) == {
        "reason": "no-column", "column": "years"
    }
    assert fields(caught(akin.OptionError, akin.join, ["a"], on="\ud800\0", jaccard=0.5)) == {
        "reason": "no-column", "column": "??"
    }


def test_a_column_that_no_file_has(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Name ,age\nx,1\n")
    error = caught(akin.OptionError, akin.join, path, on="name", jaccard=0.5)
    assert fields(error) == {"reason": "no-column", "column": "name", "meant": "Name "}


def test_a_choice_that_is_not_there():
    error = caught(
        akin.OptionError, akin.dedupe, {"a": ["x", "y"]}, compare=["a:exact"], block="a:soundx", threshold=0.5
    )
    assert fields(error) == {"reason": "unknown-choice", "word": "soundx", "meant": "soundex", "option": "block"}
    error = caught(akin.OptionError, akin.choices, "measure")
    assert fields(error) == {"reason": "unknown-choice", "word": "measure", "meant": "measures"}


def test_the_reasons_are_listed():
    assert {"no-file", "not-utf-8", "no-column", "memory-bound"} <= {reason.name for reason in akin.choices("reasons")}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a,b\n1,\xff\n", {"reason": "not-utf-8", "line": 2}),
        (b"a,b\n1,2\n3,\0\n", {"reason": "nul", "line": 3}),
        (b"\xff\xfea\0\n\0", {"reason": "utf-16", "line": 1}),
        (b"a,b\n1\n", {"reason": "malformed", "line": 2}),
        (b"a,a\n", {"reason": "repeated", "line": 1, "column": "a"}),
    ],
)
def test_lines_of_a_file(tmp_path, content, expected):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert fields(caught(akin.InputError, akin.join, path, on="a", jaccard=0.5)) == expected


def test_rows_in_memory():
    pyarrow = pytest.importorskip("pyarrow")
    text = pyarrow.StringArray.from_buffers(
        2, pyarrow.py_buffer(b"\0\0\0\0\2\0\0\0\3\0\0\0"), pyarrow.py_buffer(b"ab\xff")
    )
    error = caught(akin.InputError, akin.join, pyarrow.table({"t": text}), on="t", jaccard=0.5)
    assert fields(error) == {"reason": "not-utf-8", "row": 1, "column": "t"}


def test_row_0_is_a_row():
    error = caught(akin.InputError, akin.join, ["a\0b"], jaccard=0.5)
    assert error.reason == "nul" and error.row == 0 and error.line is None


def test_a_number_that_is_none():
    error = caught(akin.InputError, akin.Index.build, {"age": ["1", "old"]}, "age", kind="rows", numeric=["age"])
    assert fields(error) == {"reason": "not-a-number", "row": 1, "column": "age", "word": "old"}


def test_ids():
    table = {"id": ["a", "b", "a"], "name": ["x", "x", "x"]}
    error = caught(akin.InputError, akin.join, table, on="name", id="id", jaccard=0.5)
    assert fields(error) == {"reason": "repeated", "row": 2, "column": "id"}
    table["id"][2] = None
    error = caught(akin.InputError, akin.join, table, on="name", id="id", jaccard=0.5)
    assert fields(error) == {"reason": "missing", "row": 2, "column": "id"}


def test_files_that_the_system_refuses(tmp_path):
    error = caught(FileNotFoundError, akin.Index.build(["a"]).save, tmp_path / "none" / "x.akin")
    assert fields(error) == {"reason": "no-file"}
    assert error.errno == errno.ENOENT and error.filename == str(tmp_path / "none" / "x.akin")
    error = caught(IsADirectoryError, akin.Index.build(["a"]).save, tmp_path)
    assert fields(error) == {"reason": "file"} and error.filename == str(tmp_path)
    error = caught(akin.InputError, akin.Index.open, __file__)
    assert fields(error) == {"reason": "other-kind"}


def test_a_device_that_is_not_there():
    assert fields(caught(akin.DeviceError, akin.join, ["a"], device="cuda:900", jaccard=0.5)) == {"reason": "no-device"}


def test_a_bound_that_is_too_small():
    words = " ".join(map(str, range(3_000_000)))
    error = caught(MemoryError, akin.join, [words], memory="16MiB", jaccard=0.5)
    assert fields(error) == {"reason": "memory-bound", "row": 0}


def test_errors_of_strings():
    assert fields(caught(akin.InputError, strings.levenshtein, "a", "\ud800")) == {}


def test_pickled():
    error = caught(akin.OptionError, akin.join, {"a": ["x"]}, on="b", jaccard=0.5)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and fields(copy) == fields(error) == {"reason": "no-column", "column": "b"}


def test_renamed_arguments_keep_what_is_known(monkeypatch):
    """Of errors whose message names options of the library."""

    def refuse(*_):
        error = akin.OptionError("universe is 0")
        error.word, error.option = "0", "universe"
        raise error

    monkeypatch.setattr(generate._akin, "generate_sets", refuse)
    error = caught(akin.OptionError, generate.sets, 10)
    assert str(error) == "tokens is 0" and fields(error) == {"word": "0", "option": "tokens"}
