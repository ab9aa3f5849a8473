"""Tables, columns and files, as the extension takes them."""

from __future__ import annotations

import errno
import importlib.util
import os
import sys
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from . import _akin, _choices
from ._akin import InputError, OptionError
from ._checks import flag, shown, text
from ._column import frame_of
from ._datasets import of_datasets
from ._openers import OPENERS, is_opened, naming, naming_store, open_table
from ._rules import Sides
from ._settings import Job, here
from ._stores import is_in_store
from ._temporary import nameless

Names = str | Sequence[str] | None
SidedNames = str | Sides | Sequence[str | Sides] | None  # of two tables
# columns, how many of them count, and the number of the one that names rows
Named = tuple[_akin.Input, int, int | None]
Columns = dict[str, tuple[_akin.Input, int]]  # by name: the table, and the number of the column

SIDES = ("left", "right")  # of two tables
OF_TEXT = "text"  # the name of the column of a list, or of plain text
FORMATS: dict[str | None, int] = {None: 0}
FORMATS.update(_choices.values("documents"))
FORMATS.update(_choices.values("table-formats", "read"))
FORMATS.update(_choices.values("opened-formats"))
_OPENED = {FORMATS[name]: name for name in OPENERS}


class File(os.PathLike[str]):
    """The path of a file, with a format that does not depend on its name."""

    def __init__(self, path: str | os.PathLike[str], format: str) -> None:
        self.path, self.format = os.fspath(path), format

    def __fspath__(self) -> str:
        return self.path


class Files(os.PathLike[str]):
    """What :func:`akin.files` returns."""

    def __init__(
        self, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], format: str | None, skip_bad: int
    ) -> None:
        several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
        self.paths = tuple(os.fsdecode(path) for path in several)
        self.format, self.skip_bad = format, skip_bad
        self.skipped: list[tuple[str, int, str]] = []
        if not self.paths or any("\n" in path for path in self.paths):
            raise OptionError("files: expected a path, or several, none with a line end in it")

    def __fspath__(self) -> str:
        return self.paths[0]

    def __repr__(self) -> str:
        return f"akin.files({list(self.paths)!r})"

    def read(self, names: tuple[str, ...], lossy: bool, settings: Job, format: int) -> _akin.Input:
        """The columns of these names of all files, one after the other."""
        if len(self.paths) == 1:
            found = _of_file(_table_file(self.paths[0]), names, lossy, settings, format, self.skip_bad)
        else:
            with nameless() as (list_file, list_path):
                list_file.write("".join(f"{path}\n" for path in self.paths).encode("utf-8", "surrogateescape"))
                list_file.seek(0)
                found = _of_file(f"@{list_path}", names, lossy, settings, format, self.skip_bad)
        self.skipped = found.skipped
        return found


def files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *, format: str | None = None, skip_bad: int = 0
) -> Files:
    """Files that are read as one table, wherever the path of a table is taken.

    Parameters
    ----------
    paths
        a file, a folder, a pattern such as ``"data/*.csv"``, ``"@list"``, or a list of them
    format
        the format of all files; None: that of the name of each
    skip_bad
        how many bad records may be left out; one more is an error

    Returns
    -------
    Files
        The argument of a job. After the job its ``skipped`` has the records that were left out, as (file, line,
        reason).

    Raises
    ------
    OptionError
        `paths` is empty, or an argument has a value that is not allowed.

    Examples
    --------
    >>> import akin, pathlib
    >>> _ = pathlib.Path("a.csv").write_text("name,year\\nred wine,2001\\nbroken\\n")
    >>> _ = pathlib.Path("b.csv").write_text("year,name\\n2003,wine red\\n")
    >>> wines = akin.files("*.csv", skip_bad=1)
    >>> akin.join(wines, on="name", jaccard=1)
    akin.Table of 1 rows
    left  right  overlap  similarity
       0      1        2           1
    >>> wines.skipped
    [('a.csv', 3, 'has 1 field; expected 2, as in the header')]
    """
    if not isinstance(skip_bad, int) or isinstance(skip_bad, bool) or skip_bad < 0:
        raise OptionError(f"skip_bad={skip_bad!r}: expected a whole number")
    if format is not None and format not in FORMATS:
        raise OptionError(f"format={format!r}: expected one of {', '.join(filter(None, FORMATS))}")
    return Files(paths, format, skip_bad)


def formatted(table: Any, format: str | None) -> Any:
    """A file with that format; other tables unchanged."""
    return table if format is None or not isinstance(table, (str, os.PathLike)) else File(table, format)


def format_number(data: Any, format: str | None = None) -> int:
    """The number of a file's format in the extension; 0: by its name."""
    return FORMATS[data.format if format is None and isinstance(data, (File, Files)) else format]


def names_of(on: Names) -> tuple[str, ...]:
    """Names of columns; an empty tuple stands for all."""
    if on is None:
        return ()
    if isinstance(on, str):
        return (on,)
    names = tuple(on) if isinstance(on, Iterable) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"expected the name of a column, or a list of names, got {shown(on)}")
    return names


def no_column(message: str, name: str, others: Iterable[Any]) -> NoReturn:
    """Raises OptionError with the reason no-column. The names of the columns follow the message."""
    names = list(others)
    known = tuple(_plain(other) for other in names if isinstance(other, str))
    near = next((other for other in known if other.strip().lower() == name.strip().lower()), None) or _akin.guess(
        _plain(name), known
    )
    if near:
        message = message.replace("; the columns are: ", f" (did you mean {near!r}?); the columns are: ")
    _akin.no_column(message + ", ".join(map(repr, names)), _plain(name), known)


def _plain(name: str) -> str:
    """A name in a form that C accepts."""
    return name.encode("utf-8", "replace").decode().replace("\0", "?")


def file_of(path: str | os.PathLike[str]) -> str:
    """The path of a file that exists."""
    name = os.fsdecode(path)
    if not os.path.exists(name):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return name


def readable_of(path: str | os.PathLike[str]) -> str:
    """The path of a file that exists, or the address of one in a store."""
    name = os.fsdecode(path)
    return name if is_in_store(name) else file_of(name)


def _table_file(given: str | os.PathLike[str]) -> str:
    """The path of a table's file, or the address of a table. A str that is neither may have been meant as a text."""
    if isinstance(given, str) and (is_opened(given) or is_in_store(given) or _akin.path_has_files(given)):
        return given
    try:
        return file_of(given)
    except FileNotFoundError as error:
        if not isinstance(given, str) or _akin.format_of_name(given) is not None:
            raise
        advice = f"{error.strerror}; a str is the path of a file, and one text is [{shown(given)}]"
        raise FileNotFoundError(error.errno, advice, error.filename) from None


def _of_file(
    path: str, names: tuple[str, ...], lossy: bool, settings: Job, format: int, skip_bad: int = 0
) -> _akin.Input:
    kind = _akin.format_of_name(path) if format == 0 else _OPENED.get(format)
    if kind not in OPENERS:
        with naming_store(path):
            return _akin.from_file(settings, path, format, names, lossy, skip_bad)
    with naming(path):
        return _akin.from_arrow(settings, stream_of(open_table(path, kind, names)), None, names, lossy)


def as_list(column: Any, name: str) -> list[Any]:
    """The values of a column."""
    if isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
        raise TypeError(f"column {name!r}: expected a list of strings, got {type(column).__name__}")
    return column if type(column) is list else list(column.to_pylist() if hasattr(column, "to_pylist") else column)


def names_in(data: Any) -> list[str] | None:
    """The names of the columns, if the table has them without being read."""
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    if names is None or callable(names):
        return None
    return [name for name in names if isinstance(name, str)]


def texts(ids: list[Any]) -> list[str | None]:
    """Ids as text."""
    return [None if id is None else str(id) for id in ids]


def _of_mapping(data: Mapping[str, Any], names: tuple[str, ...], settings: Job) -> _akin.Input:
    for name in names:
        if name not in data:
            no_column(f"there is no column {name!r}; the columns are: ", name, data)
    chosen = names or tuple(data)
    if not all(isinstance(name, str) for name in chosen):
        raise TypeError("the names of columns are not all of type str")
    return _akin.from_lists(settings, chosen, tuple(as_list(data[name], name) for name in chosen))


def of_pandas(data: Any, names: tuple[str, ...]) -> Any:
    """A table of pandas in a form that exports the right Arrow table. A series becomes a frame, because before version
    3 it has no Arrow interface and marks missing values by NaN. The index of a frame, which would become a column, is
    left out unless columns are named and it has a name."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return data
    if isinstance(data, pandas.Series):
        if importlib.util.find_spec("pyarrow") is None:
            return [None if missing else value for value, missing in zip(data, data.isna(), strict=True)]
        data = data.to_frame()
    if isinstance(data, pandas.DataFrame) and not hasattr(data, "__arrow_c_stream__"):
        # It would be taken for a list, that of its names.
        raise TypeError(
            f"a data frame of pandas {pandas.__version__}, which has no Arrow interface; expected pandas 2.2 or later, "
            "or a dictionary of lists"
        )
    if isinstance(data, pandas.DataFrame) and not isinstance(data.index, pandas.RangeIndex):
        return data if names and any(data.index.names) else data.reset_index(drop=True)
    return data


def _mixed_value(data: Any) -> str | None:
    """What a data frame of pandas has that fits no column of Arrow's: the first value whose type is not that of the
    values before it."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(data, pandas.DataFrame):
        return None
    for name, column in data.items():
        if column.dtype != object:
            continue
        values = [(row, value) for row, value in enumerate(column) if not pandas.api.types.is_scalar(value) or
                  not pandas.isna(value)]
        for row, value in values[1:]:
            if type(value) is not type(values[0][1]) and not {type(value), type(values[0][1])} <= {int, float}:
                first = type(values[0][1]).__name__
                return (
                    f"column {name!r}, row {row}: {shown(value)} is of type {type(value).__name__}, and the values "
                    f"before are of type {first}; expected values of one type: frame[{name!r}].astype('string') makes "
                    "them text"
                )
    return None


def stream_of(data: Any) -> object:
    """The Arrow stream of a table. Its maker may fail because values fit no column."""
    try:
        return data.__arrow_c_stream__()
    except TypeError:
        if (mixed := _mixed_value(data)) is None:
            raise
        raise InputError(mixed) from None
    except (ValueError, NotImplementedError) as error:
        raise InputError(f"a {type(data).__name__} that cannot be read as an Arrow table: {error}") from error


def input_of(data: Any, on: Names, lossy: bool, settings: Job, format: str | None = None) -> _akin.Input:
    """The columns of these names, in their order, of a table, a column, a file or lists; without names all columns. A
    file has that format; None: by its name."""
    try:
        return _read(data, names_of(on), flag(lossy, "lossy"), here(settings), format)
    except OptionError as error:
        left, sign, right = (getattr(error, "column", None) or "").partition("=")
        if sign and getattr(error, "reason", None) == "no-column":
            advice = f"two names of one column are akin.sides({left!r}, {right!r})"
            error.args = (f"{error.args[0]}; {advice}", *error.args[1:])
        raise


def _read(data: Any, names: tuple[str, ...], lossy: bool, settings: Job, format: str | None) -> _akin.Input:
    """The columns of these names, as :func:`input_of` returns them."""
    if isinstance(data, Files):
        return data.read(names, lossy, settings, format_number(data, format))
    if isinstance(data, (str, os.PathLike)):
        return _of_file(_table_file(data), names, lossy, settings, format_number(data, format))
    data = of_datasets(of_pandas(data, names), names)
    if hasattr(data, "__arrow_c_stream__"):
        return _akin.from_arrow(settings, stream_of(data), None, names, lossy)
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        return _akin.from_arrow(settings, schema, array, names, lossy)
    if isinstance(data, Mapping):
        return _of_mapping(data, names, settings)
    if isinstance(data, Iterable) and not isinstance(data, bytes):
        for name in names:
            if name != OF_TEXT:
                no_column(f"there is no column {name!r}: a list of strings is one column, {OF_TEXT!r}", name, ())
        return _akin.from_lists(settings, (OF_TEXT,), (as_list(data, OF_TEXT),))
    if type(data).__name__ == "LazyFrame":
        raise TypeError("a LazyFrame of Polars has not been read yet; expected what its collect() gives")
    raise TypeError(
        "expected a table or column of Arrow's (pyarrow, pandas, Polars, DuckDB), lists of strings or a path, "
        f"got {type(data).__name__}"
    )


def texts_of(data: Any, on: Names, lossy: bool, settings: Job, argument: str = "on") -> _akin.Input:
    """Columns, whose values form one text for each row. Without names there must be one column. ``argument``: the name
    of the argument that names columns."""
    found = input_of(data, on, lossy, settings)
    if on is None and len(found.names) != 1:
        some = ", ".join(map(repr, found.names[:8]))
        raise OptionError(
            f"which column? There are {len(found.names)}: {some}; expected {argument}=NAME, or a list of names"
        )
    return found


def _of_side(name: str, both: Any, side: str, two: bool) -> Any:
    """The names of columns of one table, where some may be :func:`akin.sides`."""
    if isinstance(both, (list, tuple)):
        return [_of_side(name, each, side, two) for each in both]
    if not isinstance(both, Sides):
        return both
    if not two:
        raise OptionError(f"{name}={both!r} names a column of two tables, and there is one")
    return getattr(both, side)


def each_side(name: str, both: Any, left: Any, right: Any, two: bool) -> tuple[Any, Any]:
    """The arguments of the left and of the right table: the parameter ``name`` of both, or ``left_NAME`` and
    ``right_NAME``."""
    if left is None and right is None:
        return _of_side(name, both, "left", two), _of_side(name, both, "right", two)
    if both is not None:
        raise OptionError(f"{name}={both!r} is for both tables; expected it, or left_{name} and right_{name}")
    if not two:
        raise OptionError(f"left_{name} and right_{name} are for two tables; expected {name} for one table")
    return left, right


def both_ids(id: str | Sides | None, left: str | None, right: str | None, two: bool) -> tuple[str | None, str | None]:
    """The columns with the ids of rows, of the left and of the right table."""
    sides: tuple[str | None, str | None] = each_side("id", id, left, right, two)
    return sides


def column_of(data: Any, on: Names, lossy: bool, settings: Job, argument: str = "on") -> _akin.Input:
    """One column of a table. It needs a name if the table has several columns."""
    found = texts_of(data, on, lossy, settings, argument)
    if len(found.names) != 1:
        raise OptionError(f"{len(found.names)} columns; expected the name of one")
    return found


def named_of(
    data: Any, on: Names, id: str | None, lossy: bool, settings: Job, argument: str = "on"
) -> Named:
    """Columns, whose values form one text for each row; their number; and the number of the column with the ids of
    rows."""
    if id is None:
        found = texts_of(data, on, lossy, settings, argument)
        return found, len(found.names), None
    names = names_of(on)
    if not names:
        raise OptionError(f"id={id!r} is the column of a table; expected {argument}=NAME, too")
    asked = names if text(id, "id") in names else (*names, id)
    return input_of(data, asked, lossy, settings), len(names), asked.index(id)


# The ids of rows: each table, and the number of its column of ids. With one table the right one is None.
Ids = tuple[_akin.Input, int, _akin.Input | None, int]


def both_named(
    tables: tuple[Any, Any], columns: tuple[Names, Names], ids: tuple[str | None, str | None], lossy: bool,
    settings: Job
) -> tuple[Named, Named | None]:
    """The left table, and the right one if there is one, as :func:`named_of` reads them."""
    left, right = tables
    if isinstance(right, str) and columns == (None, None) and not os.path.exists(right) and _has(
        left, right, lossy, settings
    ):
        raise OptionError(
            f"right is {right!r}, which is not a file, but a column of the left table; expected on={right!r}"
        )
    first = _named_side(tables, 0, columns, ids, lossy, settings)
    return first, None if right is None else _named_side(tables, 1, columns, ids, lossy, settings)


def _named_side(
    tables: tuple[Any, Any], side: int, columns: tuple[Names, Names], ids: tuple[str | None, str | None], lossy: bool,
    settings: Job
) -> Named:
    """One of two tables, as :func:`named_of` reads it."""
    argument = "on" if columns[0] == columns[1] else f"{SIDES[side]}_on"

    def said_of_both(name: str) -> str | None:
        """Which argument names that column for both tables."""
        return next(
            (what for what, said in (("on", columns), ("id", ids)) if said[0] == said[1] and name in names_of(said[0])),
            None
        )

    with naming_sides(tables[not side], side, said_of_both, lossy, settings):
        return named_of(tables[side], columns[side], ids[side], lossy, settings, argument)


@contextmanager
def naming_sides(
    other: Any, side: int, argument_of: Callable[[str], str | None], lossy: bool, settings: Job,
    format: str | None = None
) -> Iterator[None]:
    """Around the reading of one of two tables, left (0) or right (1): if it lacks a column that the ``other`` table
    has, the message says how to name a column of each table. ``argument_of``: the argument that names a column, "on" or
    "id"; None: no advice."""
    try:
        yield
    except OptionError as error:
        missing: str = getattr(error, "column", None) or ""
        what = argument_of(missing) if missing and other is not None else None
        if what is None or not _has(other, missing, lossy, settings, format):
            raise
        beside, names = SIDES[not side], [repr(missing), "NAME"]
        left, right = names if side else names[::-1]
        advice = f"expected left_{what}={left} and right_{what}={right}, or akin.sides({left}, {right})"
        error.args = (f"{error.args[0]}; the {beside} table has it: {advice}", *error.args[1:])
        raise


def _has(table: Any, column: str, lossy: bool, settings: Job, format: str | None = None) -> bool:
    """Whether a table has a column; False, too, if it cannot be read."""
    try:
        input_of(table, column, lossy, settings, format)
    except Exception:
        return False
    return True


def columns_there(data: Any, names: Iterable[str], optional: Container[str], lossy: bool, settings: Job) -> Columns:
    """Columns by name. The table may lack columns that are ``optional``; one with only nulls counts as missing."""
    wanted = list(dict.fromkeys(names))
    while wanted:
        try:
            read = input_of(data, wanted, lossy, settings)
        except OptionError as error:
            missing = getattr(error, "column", None)
            if getattr(error, "reason", None) != "no-column" or missing not in optional or missing not in wanted:
                raise
            wanted.remove(missing)
            continue
        return {
            name: (read, i)
            for i, name in enumerate(wanted)
            if name not in optional or not read.rows or any(value is not None for value in read.column(i))
        }
    return {}


def all_ids_of(left: Named, right: Named | None, settings: Job) -> Ids | None:
    """The ids of all rows, if one side has ids; those of a side without ids are its row numbers."""
    sides = [side for side in (left, right) if side is not None]
    if all(at is None for _, _, at in sides):
        return None
    named = [(read, at) if at is not None else (_numbered(read.rows, settings), 0) for read, _, at in sides]
    return *named[0], *(named[1] if right is not None else (None, 0))


def _numbered(rows: int, settings: Job) -> _akin.Input:
    """A column of row numbers."""
    return input_of_frame(_rows_of(rows), "row", settings)


def _rows_of(rows: int) -> _akin.Frame:
    return frame_of("row", "I", array("I", range(rows)).tobytes(), rows)


def input_of_frame(made: _akin.Frame, name: str, settings: Job) -> _akin.Input:
    """A column of a frame."""
    return _akin.from_arrow(here(settings), made.__arrow_c_stream__(), None, (name,), False)


def ids_frame(read: _akin.Input, at: int, settings: Job) -> _akin.Frame:
    """A frame with a column ``id``, the ids of a table with the type that they had."""
    return _akin.gather(here(settings), _rows_of(read.rows), ((1, "id", 0, read, at, None, 0),))


def type_of(read: Any, at: int) -> str:
    """The type of a column of ids; of no column (-1) that of text."""
    return read.types[at] if at >= 0 else "U"


def called(made: _akin.Frame, ids: Ids | None, settings: Job) -> _akin.Frame:
    """Pairs with the ids of their rows."""
    if ids is None:
        return made
    left, at, right, right_at = ids
    _akin.check_ids(settings, left, at)
    if right is None:
        right, right_at = left, at
    else:
        _akin.check_ids(settings, right, right_at)
    both = (2, "left_id", 0, left, at, None, 0), (3, "right_id", 1, right, right_at, None, 0)
    return _akin.gather(settings, made, both)

