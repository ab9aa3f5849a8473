"""Sets of token ids and rows of numbers, as the extension takes them."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from numbers import Integral, Real
from typing import Any, Literal

from . import _akin
from ._akin import InputError
from ._checks import listed, shown
from ._input import readable_of
from ._openers import naming_store
from ._settings import Job, here


def _path_of(data: Any) -> str | None:
    return readable_of(data) if isinstance(data, (str, os.PathLike)) else None


def _rows_of(data: Any, what: str) -> list[Any]:
    if isinstance(data, (bytes, bytearray)) or not isinstance(data, Iterable):
        raise TypeError(f"expected {what}, got {type(data).__name__}")
    return list(data)


def _lists_of(rows: list[Any], what: str) -> list[Any]:
    """Rows that have a length. Text and bytes are refused, although they are sequences."""
    for row in rows:
        if isinstance(row, (str, bytes, bytearray)):
            raise TypeError(f"a row is {shown(row)}; expected {what}")
    return [row if isinstance(row, (Sequence, set, frozenset)) else listed(row, "a row", what) for row in rows]


# ------------------------------------------------------------------------------------------------------------- matrices


def _of_lists(rows: list[Any]) -> Any:
    """Lists of numbers of one length as a buffer of two dimensions."""
    lists = _lists_of(rows, "numbers")
    widths = {len(row) for row in lists}
    if len(widths) > 1:
        raise InputError(f"rows of {min(widths)} and of {max(widths)} numbers; expected rows of one length")
    whole = all(isinstance(value, Integral) for row in lists for value in row)
    kind: Literal["q", "d"] = "q" if whole else "d"
    try:
        flat = array(kind, (value for row in lists for value in row))
    except OverflowError:
        raise InputError("an integer beyond 64 bits") from None
    except TypeError as error:
        raise TypeError(f"expected rows of numbers: {error}") from None
    return memoryview(flat).cast("B").cast(kind, (len(lists), widths.pop())) if flat else None


def matrix_of(data: Any, one: bool, job: Job) -> _akin.Matrix:
    """Rows of numbers, from a file (.npy, .fvecs, .bvecs, .ivecs, .u8, .fbin ...), an object with a buffer of two
    dimensions, or lists of numbers. ``one``: a single row is accepted as a matrix."""
    path = _path_of(data)
    if path is not None:
        with naming_store(path):
            return _akin.read_matrix(here(job), path)
    if hasattr(data, "to_numpy") and len(getattr(data, "shape", ())) == 2:
        data = data.to_numpy()  # of a data frame, whose iteration would give columns
    if str(getattr(data, "dtype", "")) == "float16":
        data = data.astype("float32")
    if hasattr(data, "filled") and data.mask.any():  # of numpy.ma, whose buffer has what lies under the mask
        raise InputError("an array with masked values; expected numbers only")
    what = "rows of numbers (a NumPy array, lists, or the path of a file)"
    if isinstance(data, (bytes, bytearray)):
        raise TypeError(f"expected {what}, got {type(data).__name__}")
    try:
        memoryview(data)
    except (TypeError, ValueError):  # of what has no buffer, or one of dates
        rows = _rows_of(data, what)
        is_one = one and bool(rows) and all(isinstance(value, Real) for value in rows)
        data = _of_lists([rows] if is_one else rows)
        if data is None:
            raise InputError("there are no numbers; expected rows of them") from None
    return _akin.matrix(data, one)


# ----------------------------------------------------------------------------------------------------------------- sets


def _of_sparse(data: Any) -> tuple[Any, Any]:
    """The stored columns of each row of a sparse matrix of SciPy."""
    rows = data.tocsr()
    if rows.shape[1] > 2**32 and rows.nnz and not 0 <= rows.indices.min() <= rows.indices.max() < 2**32:
        raise InputError("a column beyond 32 bits; expected tokens from 0 to 4294967295")
    return rows.indptr.astype("uint64"), rows.indices.astype("uint32")


def sets_of(data: Any, one: bool, job: Job) -> _akin.Sets:
    """Sets of token ids, from a file (lines of ids, or .akin), a sparse matrix, or lists. ``one``: a single list is
    accepted as a list of sets."""
    path = _path_of(data)
    if path is not None:
        with naming_store(path):
            return _akin.read_sets(here(job), path)
    if hasattr(data, "tocsr"):
        return _akin.sets(here(job), *_of_sparse(data))
    if hasattr(data, "columns"):  # iteration would give columns, or their names
        raise TypeError(
            "a data frame has no sets of token ids; expected lists of whole numbers, such as one of its columns"
        )
    rows = _rows_of(data, "sets of token ids (lists of whole numbers, or the path of a file)")
    if one and rows and all(isinstance(token, Integral) for token in rows):
        rows = [rows]
    lists = _lists_of(rows, "token ids")
    try:
        tokens = array("I", (token for row in lists for token in row))
    except OverflowError:
        raise InputError("a token is below 0 or beyond 32 bits; expected 0 to 4294967295") from None
    except TypeError as error:
        raise TypeError(f"expected sets of token ids, whole numbers: {error}") from None
    return _akin.sets(here(job), array("Q", accumulate(map(len, lists), initial=0)), tokens)
