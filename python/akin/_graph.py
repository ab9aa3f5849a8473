"""What pairs of rows connect."""

from __future__ import annotations

from array import array
from typing import Any, Unpack

from . import _akin
from ._akin import InputError, OptionError
from ._settings import Settings, plain, settings
from ._table import Table


def _as_buffer(rows: Any) -> Any:
    """Row numbers as a buffer of uint32."""
    if isinstance(rows, (str, bytes, bytearray)):  # an array would take bytes for its own
        raise TypeError(f"expected row numbers, got {type(rows).__name__}")
    try:
        view = memoryview(rows)
        if view.format == "I" and view.ndim == 1 and view.contiguous:
            return view
    except TypeError:
        pass
    try:
        return array("I", rows)
    except OverflowError:
        raise InputError("a row number is below 0 or beyond 32 bits; expected 0 to 4294967294") from None


def rows_of(pairs: Any) -> tuple[Any, Any]:
    """Left and right rows of pairs, as buffers of uint32."""
    if isinstance(pairs, Table) and {"left", "right"} <= set(pairs.columns):
        return pairs.buffer("left"), pairs.buffer("right")
    if hasattr(pairs, "__arrow_c_stream__"):
        return _akin.integers(pairs.__arrow_c_stream__(), "left", "right")
    if isinstance(pairs, dict):
        return _as_buffer(pairs["left"]), _as_buffer(pairs["right"])
    listed = list(pairs)
    return _as_buffer([pair[0] for pair in listed]), _as_buffer([pair[1] for pair in listed])


def components(pairs: Any, rows: int | tuple[int, int] | None = None, **run: Unpack[Settings]) -> Table:
    """Which rows belong together: the connected components of the graph whose edges are pairs.

    Parameters
    ----------
    pairs
        A result with ``left`` and ``right``, a table with such columns of integers (or two columns of integers), a dictionary of the
        two, or a list of pairs.
    rows
        How many rows there are: of one table, or (left, right) where pairs link two, whose right rows are then numbered behind
        the left ones. None: as many as the pairs tell, of one table.
    **run
        ``threads``, ``device``, ``memory``, ``progress``: see the package.

    Returns
    -------
    Table
        A row for each row: ``cluster``, the smallest row of its cluster, and ``size``, how many rows that has. A row without a
        pair is a cluster of its own.
    """
    job = settings(**run)
    left, right = rows_of(pairs)
    if rows is None:
        a, b = memoryview(left), memoryview(right)
        rows = max(max(a, default=-1), max(b, default=-1)) + 1
    rows = plain(rows)
    both = (rows, 0) if isinstance(rows, int) else tuple(map(plain, rows))
    if len(both) != 2 or not all(isinstance(n, int) and 0 <= n < 2**32 for n in both):
        raise OptionError(f"rows is {rows!r}; expected a number of rows, or two")
    return Table(_akin.components(job, left, right, *both))
