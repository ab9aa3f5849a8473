"""Pairs that the caller gives to be compared: rows, or ids that become rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _akin
from ._akin import OptionError
from ._evaluate import check_sides, ids_of
from ._graph import rows_of, sides_of
from ._input import as_list, input_of, names_in, texts
from ._settings import Job

_IDS = ("left_id", "right_id")
_ROWS = ("left", "right")

Sides = Sequence[tuple[_akin.Input, int | None]]  # the tables of a job, and the column of ids of each
Rows = tuple[Any, Any]  # buffers of uint32: left and right rows


def given_rows(given: Any, sides: Sides, job: Job) -> Rows:
    """The left and the right rows of given pairs."""
    have_ids = any(at is not None for _, at in sides)
    if isinstance(given, (str, os.PathLike)):
        return _rows_of(_of_file(given, have_ids, len(sides) == 2, job), sides, job)
    names = list(given) if isinstance(given, Mapping) else names_in(given)
    if names is not None and set(_IDS) <= set(names):
        if have_ids:
            if isinstance(given, Mapping):
                given = {name: texts(as_list(given[name], name)) for name in _IDS}
            return _rows_of(input_of(given, _IDS, False, job), sides, job)
        if not set(_ROWS) <= set(names):
            raise OptionError("given has the columns left_id and right_id; expected id=, the column that has these ids")
    if names is None and not hasattr(given, "__arrow_c_stream__") and not hasattr(given, "__array__"):
        left, right = sides_of(given, "given", "row numbers, or of ids")
        if any(isinstance(each, str) for each in (*left, *right)):
            if not have_ids:
                raise OptionError("given has pairs of str, which are ids; expected id=, the column that has these ids")
            return _rows_of(_akin.from_lists(job, _ROWS, (texts(left), texts(right))), sides, job)
        given = list(zip(left, right, strict=True))
    return rows_of(given, job)


def _of_file(path: str | os.PathLike[str], have_ids: bool, of_two: bool, job: Job) -> _akin.Input:
    """Two columns of a file: ids, if the tables have some, else row numbers. Clusters become pairs."""
    names = input_of(path, None, False, job).names
    if not have_ids and set(_ROWS) <= set(names):
        return input_of(path, _ROWS, False, job)
    pairs, have_sides = ids_of(path, job, "given")
    check_sides(have_sides, of_two, "given")
    return pairs


def _rows_of(pairs: _akin.Input, sides: Sides, job: Job) -> Rows:
    """The rows of pairs of names."""
    (left, id), (right, right_id) = sides[0], sides[1] if len(sides) == 2 else (None, None)
    return _akin.rows_of_ids(
        job, left, -1 if id is None else id, right, -1 if right_id is None else right_id, pairs
    )
