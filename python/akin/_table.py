"""Tables of results, which other programs read as Arrow tables."""

from __future__ import annotations

import operator
import os
import re
from collections import namedtuple
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, overload

from . import _akin
from ._column import Column, rows_of
from ._settings import settings, synced
from ._suggest import suggests
from ._write import format_of, safe, save_table, with_point, write

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# what a terminal must not get, as akin_character_shown of akin.h says
_HIDDEN = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_SHOWN = 10  # rows, at the beginning and at the end together
_TYPES = {"I": "uint32", "L": "uint64", "g": "double", "b": "bool", "U": "large_string", "i": "int32", "l": "int64"}
# Methods of data frames, which tables lack.
_FILES = frozenset("to_arrow to_csv to_excel to_feather to_json to_parquet write_csv write_json write_parquet".split())
_OF_FRAMES = frozenset(
    "assign describe drop filter group_by groupby iloc join loc merge query select sort sort_values tail "
    "with_columns".split()
)


class Table:
    """A table of a result, with rows 0 .. len - 1.

    It is an Arrow table: whatever takes ``__arrow_c_stream__`` takes it without a copy (``pyarrow.table(t)``,
    ``polars.DataFrame(t)``, ``duckdb.sql("select * from t")``). ``t["left"]`` is a column, an Arrow array that NumPy
    and pandas also take; ``t[3]`` is a row as a dictionary; ``t[10:20]`` is a table of these rows; and iteration gives
    rows as named tuples. A table does not change, and can be pickled.

    >>> import akin
    >>> pairs = akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3)
    >>> pairs["similarity"][0], pairs[0]["right"], len(pairs[1:])
    (1.0, 1, 2)
    >>> list(pairs)[0]
    (0, 1, 2, 1.0)

    Attributes
    ----------
    stats : dict or None
        What the job did, and in how many seconds; None of jobs that do not say it. It is not part of the table's value.
    """

    __slots__ = ("_frame", "stats")

    def __init__(self, frame: _akin.Frame, stats: dict[str, Any] | None = None) -> None:
        if not isinstance(frame, _akin.Frame):
            raise TypeError("tables are made by the functions of akin")
        self._frame = frame
        self.stats = stats

    if not TYPE_CHECKING:  # to whom all attributes are known

        def __getattr__(self, name: str) -> NoReturn:
            instead = {"report": ": what the job did is in .stats", "page": ": the page is in .report"}.get(name, "")
            if name in _FILES:
                instead = ": save(PATH) writes CSV, TSV, JSON lines or, with pyarrow, Parquet, Arrow and databases"
            if name in _OF_FRAMES or name in self.columns:
                column = f"; the column is [{name!r}]" if name in self.columns else ""
                instead = f": to_pandas() and to_polars() make data frames{column}"
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{instead}")

    def __len__(self) -> int:
        return self._frame.rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, a tuple of str.

        >>> import akin
        >>> akin.components([(0, 1)]).columns
        ('row', 'cluster', 'size', 'representative')
        """
        return tuple(name for name, _ in self._frame.fields)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns, a tuple.

        >>> import akin
        >>> akin.components([(0, 1)]).shape
        (2, 4)
        """
        return len(self), len(self._frame.fields)

    def _index(self, name: str) -> int:
        try:
            return self.columns.index(name)
        except ValueError:
            raise KeyError(
                f"there is no column {name!r}; the columns are: {', '.join(map(repr, self.columns))}"
            ) from None

    @overload
    def __getitem__(self, key: str) -> Column: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> Table: ...
    def __getitem__(self, key: str | int | slice) -> Any:
        """A column by its name; a row by its number, as a dictionary; the rows of a slice, as a table."""
        if isinstance(key, str):
            return Column(self._frame, self._index(key), 0, len(self))
        if isinstance(key, slice):
            return self._part(_akin.from_state(settings(), self._frame.state(*rows_of(key, len(self)))))
        try:
            number = operator.index(key)
        except TypeError:
            raise TypeError(
                f"the key of a table is a {type(key).__name__}; expected the name of a column, the number of a row or "
                "a slice: to_pandas() and to_polars() make data frames, which select columns and filter rows"
            ) from None
        row = number + len(self) if number < 0 else number
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {key}, only {len(self)} of them")
        return {name: self._frame.column(i, row, row + 1)[0] for i, name in enumerate(self.columns)}

    def _part(self, frame: _akin.Frame) -> Table:
        """A table of some rows of this one."""
        return Table(frame)

    @suggests
    def head(self, rows: int = 5) -> Table:
        """The first ``rows`` rows, as a table. Raises TypeError if ``rows`` is not a whole number.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3).head(1)
        akin.Table of 1 rows
        left  right  overlap  similarity
           0      1        2           1
        """
        return self[: max(0, operator.index(rows))]

    @suggests
    def save(
        self, path: str | os.PathLike[str], *, format: str | None = None, replace: bool = False,
        safe_csv: bool = False, sync: bool = False
    ) -> None:
        """Writes the table to a file or into a database. It appears whole or not at all.

        Parameters
        ----------
        path
            The file. Its ending gives the format: ``.csv``, ``.tsv``, ``.jsonl``; with pyarrow also ``.parquet``,
            ``.arrow``, ``.feather``, ``.ipc``. Or the address of a table in a database, such as
            ``"sqlite:shop.db?table=pairs"``.
        format
            ``"csv"``, ``"tsv"`` or ``"jsonl"``, for any name (default: by the ending, else ``"csv"``). In these formats
            a double has a point or an exponent, as 1.0 has, so readers see a column of doubles.
        replace
            Lets the table take the place of one that is in the database. Files are replaced without it.
        safe_csv
            For spreadsheets, and for CSV alone: text that begins with =, +, -, @, a tab or a line end, and is no
            number, gets an apostrophe before it.
        sync
            Returns only when the file is on the disk, so that a loss of power cannot take it away.

        Raises
        ------
        OptionError
            The format is unknown, or the name is that of a format that akin does not write, such as ``.xlsx`` and
            ``.gz``; or the table is in the database already.
        InputError
            A text contains characters that the format cannot hold, such as a tab in TSV.
        OSError, ImportError
            The file or the table cannot be written, or the library that writes it is not installed.

        Examples
        --------
        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.3).save("pairs.csv")
        >>> print(open("pairs.csv").read(), end="")
        left,right,overlap,similarity
        0,1,2,1.0
        """
        name = os.fsdecode(path)
        with synced(sync):
            if format is not None or safe_csv or not save_table(name, self, replace):
                write(name, format_of(name, safe(format, safe_csv)), self.columns, self, doubles=with_point)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        row_of = _row_of(self.columns)._make
        for start in range(0, len(self), 4096):
            stop = min(start + 4096, len(self))
            yield from map(row_of, zip(*(self._frame.column(i, start, stop) for i in range(len(self.columns)))))

    def to_dict(self) -> dict[str, list[Any]]:
        """All columns as lists, in a dictionary by their names.

        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.3).to_dict()
        {'left': [0], 'right': [1], 'overlap': [2], 'similarity': [1.0]}
        """
        return {name: self[name].tolist() for name in self.columns}

    def buffer(self, name: str) -> _akin.Buffer | None:
        """The values of a column of numbers, without a copy, for ``numpy.asarray`` and memoryview; None if the column
        has nulls or no numbers. Raises KeyError if the column does not exist.

        >>> import akin
        >>> memoryview(akin.join(["red wine", "wine, red"], jaccard=0.3).buffer("right"))[0]
        1
        """
        return self._frame.buffer(self._index(name))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)

    def to_pyarrow(self) -> pyarrow.Table:
        """The table as one of pyarrow, without a copy. Raises ImportError without pyarrow, and MemoryError.

        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.3).to_pyarrow().num_rows
        1
        """
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas. Raises ImportError without pandas and pyarrow, and MemoryError.

        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.3).to_pandas()
           left  right  overlap  similarity
        0     0      1        2         1.0
        """
        return self.to_pyarrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The table as a data frame of Polars. Raises ImportError without Polars, and MemoryError.

        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.3).to_polars().shape
        (1, 4)
        """
        import polars

        return polars.DataFrame(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._frame.state() == other._frame.state()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._frame.state(), self.stats)

    def _shown(self) -> tuple[list[tuple[Any, ...]], int]:
        """The rows to show, and the number of rows before the gap (0: there is no gap)."""
        rows, width = len(self), range(len(self.columns))
        if rows <= _SHOWN:
            return list(zip(*(self._frame.column(i, 0, rows) for i in width))), 0
        half = _SHOWN // 2
        ends = ((0, half), (rows - half, rows))
        return [row for a, b in ends for row in zip(*(self._frame.column(i, a, b) for i in width))], half

    def __repr__(self) -> str:
        rows, gap = self._shown()
        lines = [[_HIDDEN.sub(" ", name) for name in self.columns]] + [[_text(value) for value in row] for row in rows]
        if gap:
            lines.insert(gap + 1, ["..."] * len(self.columns))
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        body = "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths)).rstrip() for line in lines)
        return f"akin.Table of {len(self):,} rows\n{body}"

    def _repr_html_(self) -> str:
        import html

        rows, gap = self._shown()
        kinds = [_TYPES[kind] for _, kind in self._frame.fields]
        head = "".join(
            f"<th title='{kind}'>{html.escape(name)}</th>" for name, kind in zip(self.columns, kinds, strict=True)
        )
        cells = ["".join(f"<td>{html.escape(_text(value))}</td>" for value in row) for row in rows]
        if gap:
            cells.insert(gap, "<td>&hellip;</td>" * len(self.columns))
        body = "".join(f"<tr>{line}</tr>" for line in cells)
        return (
            f"<table><caption>{len(self):,} rows</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


@lru_cache(maxsize=64)
def _row_of(columns: tuple[str, ...]) -> Any:
    """The type of rows: a named tuple, from which pandas takes the names of columns. It is shown, and pickled, as a
    tuple."""
    make: Any = namedtuple  # of names that are known only now
    made = make("Row", columns, rename=True)  # a name that is no identifier has no attribute
    made._fields = columns
    made.__repr__ = tuple.__repr__
    made.__reduce__ = lambda row: (tuple, (tuple(row),))
    return made


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = "null" if value is None else _HIDDEN.sub(" ", str(value))
    return text if len(text) <= 60 else text[:57] + "..."


def _restore(state: tuple[Any, ...], stats: dict[str, Any] | None = None) -> Table:
    return Table(_akin.from_state(settings(), state), stats)
