"""A spanning forest over ids: clusters as pairs, which a cluster of machines can merge."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping
from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import listed, plain, shown, text
from ._graph import sides_of
from ._input import Files, as_list, input_of, no_column, of_pandas, stream_of
from ._settings import Job, Progress, Size, settings
from ._suggest import suggests
from ._table import Table

_Numbers = tuple[Any, str]  # a buffer of integers, and the letter of their type, as in Frame.fields
_TYPES = {True: {4: "i", 8: "l"}, False: {4: "I", 8: "L"}}  # of signed and unsigned integers, by their bytes
_INTEGERS = frozenset(letter for types in _TYPES.values() for letter in types.values())
_ARRAYS = {"i": "i", "I": "I", "l": "q", "L": "Q"}


def _missing(row: int, name: str) -> InputError:
    error = InputError(f"row {row}, column {name!r}: there is no id")
    error.row, error.column = row, name
    return error


def _of_buffer(values: Any) -> _Numbers | None:
    """Integers that have a buffer, such as those of NumPy."""
    try:
        view = memoryview(values)
    except (TypeError, ValueError):
        return None
    if view.ndim != 1 or view.format not in tuple("bhilqBHILQ"):
        return None
    types = _TYPES[view.format.islower()]
    if view.itemsize in types and view.contiguous:
        return view, types[view.itemsize]
    return array(_ARRAYS[types[max(view.itemsize, 4)]], view.tolist()), types[max(view.itemsize, 4)]


def _of_list(values: list[Any], name: str) -> _Numbers | None:
    """Integers of a list; None: it has others. An empty list is one of integers."""
    known = [plain(value) for value in values]
    strange = {type(value) for value in known} - {int}
    if strange and (strange != {type(None)} or len(known) == known.count(None)):
        return None
    if strange:
        raise _missing(known.index(None), name)
    try:
        return array("q", known), "l"
    except OverflowError:
        pass
    try:
        return array("Q", known), "L"
    except OverflowError:
        raise InputError(
            f"column {name!r}: an id is beyond 64 bits, or some are below 0 and some from 2^63 on"
        ) from None


def _of_one_type(sides: tuple[_Numbers, _Numbers]) -> tuple[Any, Any, str]:
    """Both sides as integers of one type."""
    types = {letter for _, letter in sides}
    kind = types.pop() if len(types) == 1 else "L" if "L" in types else "l"
    try:
        left, right = (
            values if letter == kind else array(_ARRAYS[kind], memoryview(values).tolist()) for values, letter in sides
        )
    except OverflowError:
        raise InputError("some ids are below 0, and some from 2^63 on; expected one type of integers") from None
    return left, right, kind


def _of_sides(sides: tuple[Any, Any], names: tuple[str, str], job: Job) -> _akin.Frame:
    """Of lists or buffers of ids."""
    numbers = [_of_buffer(side) or _of_list(listed(side, name, "ids"), name) for side, name in zip(sides, names)]
    if numbers[0] is not None and numbers[1] is not None:
        left, right, kind = _of_one_type((numbers[0], numbers[1]))
        if len(memoryview(left)) != len(memoryview(right)):
            raise _uneven(sides)
        return _akin.forest_of_integers(job, left, right, kind, names)
    if numbers[0] is not None or numbers[1] is not None:
        raise _mixed(names, numbers[0] is not None)
    if len(sides[0]) != len(sides[1]):
        raise _uneven(sides)
    read = _akin.from_lists(job, names, (as_list(sides[0], names[0]), as_list(sides[1], names[1])))
    return _akin.forest_of_texts(job, read, names)


def _uneven(sides: tuple[Any, Any]) -> InputError:
    return InputError(f"pairs: {len(sides[0])} left ids and {len(sides[1])} right ones; expected as many")


def _mixed(names: tuple[str, str], first: bool) -> InputError:
    kinds = ("integers", "text") if first else ("text", "integers")
    return InputError(f"ids of column {names[0]!r} are {kinds[0]}, those of {names[1]!r} {kinds[1]}; expected one type")


def _of_input(read: _akin.Input, names: tuple[str, str], job: Job) -> _akin.Frame:
    """Of two columns that were read as text, of integers or of text."""
    are_integers = [letter in _INTEGERS for letter in read.types]
    for name, letter in zip(names, read.types):
        if letter != "U" and letter not in _INTEGERS:
            raise InputError(f"column {name!r} has numbers or truth values; expected ids, which are integers or text")
    if are_integers[0] != are_integers[1]:
        raise _mixed(names, are_integers[0])
    if not are_integers[0]:
        return _akin.forest_of_texts(job, read, names)
    sides = ([None if value is None else int(value) for value in read.column(side)] for side in (0, 1))
    return _of_sides((next(sides), next(sides)), names, job)


def _of_table(pairs: Any, names: tuple[str, str], job: Job) -> _akin.Frame:
    """Of a table of Arrow's, whose integers are not made text."""
    stream = stream_of(pairs)
    integers = _akin.integer_ids(stream, *names)
    if integers is not None:
        return _akin.forest_of_integers(job, *integers, names)
    return _of_input(_akin.from_arrow(job, stream, None, names, False), names, job)


@suggests
def forest(
    pairs: Any,
    *,
    left: str = "left_id",
    right: str = "right_id",
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Makes a spanning forest of the graph whose edges are pairs of ids: clusters, as pairs again.

    :func:`akin.components` is for pairs of row numbers. This function takes any ids, and its result can be merged: the
    forest of the forests of parts is that of all pairs. So a cluster of machines reduces its pairs in parts.

    Parameters
    ----------
    pairs
        A result with ids, a table, a data frame or a dictionary with two columns of ids, a list of pairs, or the path
        of a file. Ids are integers of at most 64 bits, or text; those of text files are text.
    left, right
        The columns of ids.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Table
        Two columns of the same names and the same type, integers of 8 and 16 bits as 32. For each id that is not the
        smallest of its connected component a row: the smallest id, and the id. Integers are compared as numbers, text
        by its bytes in UTF-8. Rows are sorted by the right column. An id that is paired only with itself is in no row.

    Raises
    ------
    OptionError
        A column is missing.
    InputError
        An id is missing, or ids are not integers or text, or not of one type.
    LimitError
        There are more than 2^31 - 1 pairs: make forests of parts.
    TypeError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.forest([(7, 3), (9, 7), (4, 5), (3, 9)])
    akin.Table of 3 rows
    left_id  right_id
          4         5
          3         7
          3         9
    >>> parts = [{"a": ["Ulm", "Bonn"], "b": ["Köln", "Bonn"]}, {"a": ["Köln"], "b": ["Bonn"]}]
    >>> forests = [list(akin.forest(part, left="a", right="b")) for part in parts]
    >>> akin.forest(forests[0] + forests[1])["right_id"]
    ['Köln', 'Ulm']
    """
    names = text(left, "left"), text(right, "right")
    if names[0] == names[1]:
        raise OptionError(f"left and right are {shown(left)}; expected two columns")
    job = settings(threads, device, memory, progress, device_memory)
    pairs = of_pandas(pairs, names)
    if hasattr(pairs, "__arrow_c_stream__"):
        return Table(_of_table(pairs, names, job))
    if isinstance(pairs, Mapping):
        for name in names:
            if name not in pairs:
                no_column(f"pairs: there is no column {name!r}; the columns are: ", name, pairs)
        return Table(_of_sides((pairs[names[0]], pairs[names[1]]), names, job))
    if isinstance(pairs, (str, os.PathLike, Files)) or hasattr(pairs, "__arrow_c_array__"):
        return Table(_of_input(input_of(pairs, list(names), False, job), names, job))
    return Table(_of_sides(sides_of(pairs, "pairs", "ids"), names, job))
