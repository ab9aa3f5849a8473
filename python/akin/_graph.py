"""Clusters: pairs of rows become clusters of rows."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping
from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import listed, plain, text, whole
from ._choices import values
from ._input import Ids, input_of, stream_of
from ._settings import Job, Progress, Size, settings
from ._suggest import suggests
from ._table import Table
from ._warnings import warn_of

# Without `rows`, the largest number among pairs gives the number of rows. A larger number than both limits is an id.
_ROWS_MOST = 2**24
_ROWS_OF_A_PAIR = 1000
_LAST = 2**32 - 2  # row number, as there are as many rows as 32 bits can count
_PIECE = 2**20


def _as_buffer(rows: Any) -> Any:
    """Row numbers as a buffer of uint32."""
    if isinstance(rows, (str, bytes, bytearray)):  # an array would take bytes for its own
        raise TypeError(f"expected row numbers, got {type(rows).__name__}")
    try:
        view = memoryview(rows)
        if view.format == "I" and view.ndim == 1 and view.contiguous:
            return view
    except (TypeError, ValueError):  # of what has no buffer, or one of dates
        pass
    found = listed(rows, "pairs", "row numbers")
    try:
        return array("I", found)
    except OverflowError:
        raise InputError(f"a row number is below 0 or beyond 32 bits; expected 0 to {_LAST}") from None
    except TypeError:
        stranger = next(row for row in found if not isinstance(plain(row), int))
        raise TypeError(f"pairs: {stranger!r}; expected row numbers, whole numbers from 0 on") from None


def _of_file(path: str | os.PathLike[str], job: Job) -> tuple[Any, Any]:
    read = input_of(path, None, False, job)
    columns = [0, 1]
    if {"left", "right"} <= set(read.names):
        columns = [read.names.index("left"), read.names.index("right")]
    if len(read.names) < 2:
        raise InputError(f"{os.fspath(path)}: expected two columns of row numbers")
    try:
        left, right = ([int(row or "") for row in read.column(column)] for column in columns)
    except ValueError as error:
        raise InputError(f"{os.fspath(path)}: expected row numbers: {error}") from None
    return _as_buffer(left), _as_buffer(right)


def rows_of(pairs: Any, job: Job) -> tuple[Any, Any]:
    """Left and right rows of pairs, as buffers of uint32."""
    if isinstance(pairs, Table) and {"left", "right"} <= set(pairs.columns):
        return pairs.buffer("left"), pairs.buffer("right")
    if isinstance(pairs, (str, os.PathLike)):
        return _of_file(pairs, job)
    if hasattr(pairs, "__arrow_c_stream__"):
        return _akin.integers(stream_of(pairs), "left", "right")
    if isinstance(pairs, Mapping):
        if not {"left", "right"} <= set(pairs):
            raise OptionError("pairs: expected columns 'left' and 'right', of row numbers")
        left, right = _as_buffer(pairs["left"]), _as_buffer(pairs["right"])
        if len(left) != len(right):
            raise InputError(f"pairs: {len(left)} left rows and {len(right)} right ones; expected as many")
        return left, right
    sides = sides_of(pairs, "pairs", "row numbers")
    return _as_buffer(sides[0]), _as_buffer(sides[1])


def sides_of(pairs: Any, name: str, what: str) -> tuple[list[Any], list[Any]]:
    """The left and the right values of a list of pairs."""
    sides: tuple[list[Any], list[Any]] = ([], [])
    for pair in listed(pairs, name, f"pairs of {what}"):
        try:
            if isinstance(pair, (str, bytes)):
                raise TypeError
            for side in (0, 1):
                sides[side].append(pair[side])
        except (TypeError, LookupError):
            raise TypeError(f"{name}: {pair!r}; expected pairs of {what}") from None
    return sides


def needs_similarities(clustering: str) -> bool:
    """Whether a clustering, with its parameter, looks at the similarities of pairs."""
    return clustering.partition(":")[0] in values("clusterings", "similarities")


def _similarities_of(pairs: Any, job: Job) -> array[float] | _akin.Buffer | None:
    """The similarities of pairs, as a buffer of doubles; None: there are none."""
    if isinstance(pairs, Table):
        return pairs.buffer("similarity") if "similarity" in pairs.columns else None
    column: Any = None
    if isinstance(pairs, Mapping):
        column = pairs.get("similarity")
    elif isinstance(pairs, (str, os.PathLike)):
        read = input_of(pairs, None, False, job)
        column = read.column(read.names.index("similarity")) if "similarity" in read.names else None
    elif hasattr(pairs, "__arrow_c_stream__"):
        names: Any = getattr(pairs, "column_names", None) or getattr(pairs, "columns", ())
        column = pairs["similarity"] if "similarity" in list(names) else None
    elif hasattr(pairs, "__len__") and len(pairs) and all(hasattr(pair, "__len__") and len(pair) > 2 for pair in pairs):
        column = [pair[2] for pair in pairs]
    if column is None:
        return None
    try:
        return array("d", map(float, column.to_pylist() if hasattr(column, "to_pylist") else column))
    except (TypeError, ValueError):
        raise InputError("pairs: a similarity is missing, or is no number") from None


def _largest(rows: Any) -> int:
    """The largest row number; -1 without pairs. It looks at pieces, because max does not react to signals."""
    view = memoryview(rows)
    return max((max(view[at : at + _PIECE]) for at in range(0, len(view), _PIECE)), default=-1)


def _told(left: Any, right: Any) -> int:
    """The least number of rows that the pairs imply."""
    largest, count = max(_largest(left), _largest(right)), len(memoryview(left))
    if largest > _LAST:
        raise InputError(f"a row number is {largest}; expected 0 to {_LAST}")
    if largest >= max(_ROWS_MOST, _ROWS_OF_A_PAIR * count):
        raise OptionError(
            f"rows: the largest row of {count:,} pairs is {largest}; expected rows={largest + 1} if there are as many, "
            "and ids that are "
            "no row numbers to be numbered from 0 on"
        )
    return largest + 1


@suggests
def components(
    pairs: Any,
    rows: int | tuple[int, int] | None = None,
    *,
    clustering: str = "components",
    clusters_of: int = 1,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Finds clusters of rows: by default the connected components of the graph whose edges are the pairs.

    Parameters
    ----------
    pairs
        A result with ``left`` and ``right``, a table or a dictionary with these columns of integers, a table with two
        columns of integers, a list of pairs, or the path of a file with these columns. A clustering by similarities
        also needs a column ``similarity``, or a list of (left, right, similarity).
    rows
        The number of rows of one table, or (left, right) for pairs of two tables. None: a result of akin has it
        (``pairs.rows``). For other pairs it is the least number that they imply, of one table. The result has a row for
        each number, so ids are not row numbers: a number from 2^24 on is then refused, if there are fewer than a pair
        for each 1,000 rows.
    clustering
        The method: a name of ``akin.choices("clusterings")``, with its parameter after a colon, if it has one, such as
        ``"average:0.7"``.
    clusters_of
        Leave out clusters with fewer rows than this, such as 2 for those of one row. The other clusters keep their
        numbers.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Table
        A line for each row: ``row``, its number; ``cluster``, the number of its cluster, from 0 in the order of first
        rows; ``size``, the number of rows of the cluster; ``representative``, the first of them. A row without a pair
        is a cluster of its own. Of two tables, also ``side`` and ``representative_side``: ``"left"`` or ``"right"``,
        the table that has the row. Left rows come first. If a result of akin has ids, also ``id`` and
        ``representative_id``. A :class:`akin.ResultWarning` says if chains of pairs of such a result made the clusters
        large.

    Raises
    ------
    OptionError
        ``clustering`` is unknown; ``rows`` is malformed, too small or missing; or a table lacks the columns ``left``
        and ``right``.
    InputError
        A row number is null, below 0, beyond 32 bits or not whole, in a file or an Arrow table.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.components([(0, 1), (1, 3)], rows=5).to_dict()
    {'row': [0, 1, 2, 3, 4], 'cluster': [0, 0, 1, 0, 2], 'size': [3, 3, 1, 3, 1], 'representative': [0, 0, 2, 0, 4]}
    >>> akin.components([(0, 1, 0.9), (1, 2, 0.8)], rows=3, clustering="average")["cluster"]
    [0, 0, 1]
    >>> akin.components([(0, 1)], rows=(1, 2))
    akin.Table of 3 rows
     side  row  cluster  size  representative_side  representative
     left    0        0     2                 left               0
    right    0        1     1                right               0
    right    1        0     2                 left               0
    """
    made, warnings = connect(
        pairs, rows, clustering, whole(clusters_of, "clusters_of", 1, 2**32 - 1),
        settings(threads, device, memory, progress, device_memory)
    )
    if isinstance(pairs, Table):  # other graphs need not be of rows that are alike
        warn_of(warnings)
    return made


def connect(pairs: Any, rows: Any, clustering: str, least: int, job: Job) -> tuple[Table, list[str]]:
    """The clusters of pairs, as :func:`components` gives them, and warnings about them."""
    how = _akin.clustering_parse(text(clustering, "clustering"))
    left, right = rows_of(pairs, job)
    is_by_similarity = needs_similarities(clustering)
    similarities = _similarities_of(pairs, job) if is_by_similarity else None
    if is_by_similarity and similarities is None and memoryview(left).nbytes:
        raise OptionError(
            f"clustering is {clustering!r}, which needs the similarities of pairs: expected a result of akin, a list "
            "of (left, right, similarity), or a dictionary or a table with a column 'similarity'"
        )
    if rows is None and isinstance(pairs, Table):
        rows = getattr(pairs, "rows", None)
    said = plain(_told(left, right) if rows is None else rows)
    both = [plain(each) for each in said] if isinstance(said, (tuple, list)) else [said, 0]
    if len(both) != 2 or not all(isinstance(n, int) and 0 <= n < 2**32 for n in both):
        raise OptionError(f"rows is {rows!r}; expected a number of rows, or two")
    made, warnings = _akin.components(job, left, right, similarities, both[0], both[1], how, least)
    ids = getattr(pairs, "_ids", None) if tuple(both) == getattr(pairs, "rows", None) else None
    of_two = both[1] > 0 or (getattr(pairs, "of_two", False) and both == list(pairs.rows))
    return table_of(made, ids, both[0] if of_two else None, job), warnings


def table_of(clusters: _akin.Frame, ids: Ids | None, lefts: int | None, job: Job) -> Table:
    """Clusters with the ids of their rows, and with the side of each row, if they are of two tables. ``lefts``: the
    number of rows of the left table; None: there is one table."""
    if ids is not None:
        clusters = _akin.gather(job, clusters, ((1, "id", 0, *ids), (5, "representative_id", 3, *ids)))
    if lefts is not None:
        first = 3 if ids is None else 4
        clusters = _akin.split_sides(job, clusters, lefts, ((0, "side"), (first, "representative_side")))
    return Table(clusters)
