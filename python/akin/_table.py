"""Results: columns that other programs take as Arrow tables."""

from __future__ import annotations

import html
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _akin
from ._settings import settings

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_SHOWN = 10  # rows, at the beginning and at the end together
_TYPES = {"I": "uint32", "L": "uint64", "g": "double", "b": "bool", "U": "large_string"}


class Table:
    """Columns of a result, in rows 0 .. len - 1.

    It is an Arrow table: whatever takes ``__arrow_c_stream__`` takes it without a copy (``pyarrow.table(t)``,
    ``polars.DataFrame(t)``, ``duckdb.sql("select * from t")``). ``t["left"]`` is a column as a list, ``t[3]`` a row as a
    dictionary, and iterating gives rows as tuples. Numbers have the buffer protocol by :meth:`buffer`, for NumPy. It does not
    change, and can be pickled.

    Attributes
    ----------
    report : dict or None
        What the job did, and in how many seconds, of jobs that tell it; no part of the table's value.
    """

    __slots__ = ("_frame", "report")

    def __init__(self, frame: _akin.Frame, report: dict[str, Any] | None = None) -> None:
        if not isinstance(frame, _akin.Frame):
            raise TypeError("tables are made by the functions of akin")
        self._frame = frame
        self.report = report

    def __len__(self) -> int:
        return self._frame.rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in self._frame.fields)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return len(self), len(self._frame.fields)

    def _index(self, name: str) -> int:
        try:
            return self.columns.index(name)
        except ValueError:
            raise KeyError(f"there is no column {name!r}; the columns are: {', '.join(map(repr, self.columns))}") from None

    def __getitem__(self, key: str | int) -> Any:
        """A column by its name, as a list; a row by its number, as a dictionary."""
        if isinstance(key, str):
            return self._frame.column(self._index(key), 0, len(self))
        number = operator.index(key)
        row = number + len(self) if number < 0 else number
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {key}, only {len(self)} of them")
        return {name: self._frame.column(i, row, row + 1)[0] for i, name in enumerate(self.columns)}

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(self), 4096):
            stop = min(start + 4096, len(self))
            yield from zip(*(self._frame.column(i, start, stop) for i in range(len(self.columns))))

    def to_dict(self) -> dict[str, list[Any]]:
        """All columns as lists."""
        return {name: self[name] for name in self.columns}

    def buffer(self, name: str) -> _akin.Buffer | None:
        """The values of a column of numbers, in place, as ``numpy.asarray`` and memoryview take them; None if it has nulls, or
        is not of numbers. Raises KeyError where there is no such column."""
        return self._frame.buffer(self._index(name))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)

    def to_pyarrow(self) -> pyarrow.Table:
        """The same as a table of pyarrow, of which nothing is copied. Raises ImportError where that is not installed, MemoryError."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a data frame of pandas, by pyarrow. Raises ImportError where these are not installed, MemoryError."""
        return self.to_pyarrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The same as a data frame of Polars. Raises ImportError where that is not installed, MemoryError."""
        import polars

        return polars.DataFrame(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._frame.state() == other._frame.state()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._frame.state(), self.report)

    def _shown(self) -> tuple[list[tuple[Any, ...]], int]:
        """Rows to be shown, and behind how many of them others are left out (0: none are)."""
        rows, width = len(self), range(len(self.columns))
        if rows <= _SHOWN:
            return list(zip(*(self._frame.column(i, 0, rows) for i in width))), 0
        half = _SHOWN // 2
        ends = ((0, half), (rows - half, rows))
        return [row for a, b in ends for row in zip(*(self._frame.column(i, a, b) for i in width))], half

    def __repr__(self) -> str:
        rows, gap = self._shown()
        lines = [list(self.columns)] + [[_text(value) for value in row] for row in rows]
        if gap:
            lines.insert(gap + 1, ["..."] * len(self.columns))
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        body = "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths)).rstrip() for line in lines)
        return f"akin.Table of {len(self):,} rows\n{body}"

    def _repr_html_(self) -> str:
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


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = "null" if value is None else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _restore(state: tuple[Any, ...], report: dict[str, Any] | None = None) -> Table:
    return Table(_akin.from_state(settings(), state), report)
