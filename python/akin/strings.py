"""Comparison of strings, symbol by symbol: of two strings, of two columns row by row, or of all pairs.

A symbol is a Unicode code point. ``ignore_case=True`` or ``fold`` removes differences before the comparison: ``fold``
is a str of names of ``akin.choices("folds")`` with + between them, such as ``"case+accents"``, or a list of names. A
scorer is the name of a comparator, perhaps with an argument after a slash, such as ``"number/10"``; underscores may
stand for dashes. ``akin.choices("comparators")`` lists the comparators, with a line of help for each.

A similarity is from 0 to 1. A distance is the number of edits for ``levenshtein`` and ``osa``, the difference of two
numbers, the days between two dates, and 1 - similarity for all other scorers.

Examples
--------
>>> import akin
>>> [row.name for row in akin.choices("comparators") if "match" in row.capabilities]
['levenshtein', 'osa', 'jaro', 'jaro-winkler']
>>> akin.strings.similarity("MARTHA", "MARHTA", "jaro_winkler")
0.9611111111111111
>>> akin.strings.levenshtein("José", "JOSE", fold="case+accents")
0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from . import _akin
from ._akin import InputError, OptionError
from ._checks import flag, text, top_of, whole
from ._input import Named, Names, SidedNames, all_ids_of, both_ids, both_named, called, column_of, each_side
from ._names import StringTechnique
from ._pairs import Pairs
from ._ratio import ratio_of
from ._rules import Sides
from ._settings import Folds, Job, Number, Progress, Size, decimal_of, folds_of, settings
from ._shown import Show, Shown, beside, show_pairs
from ._suggest import attributes_of, suggests
from ._table import Table
from ._warnings import warn_of

if TYPE_CHECKING:
    import numpy

__all__ = ["cdist", "cdist_sparse", "compare", "distance", "jaro", "jaro_winkler", "levenshtein", "osa", "similarity"]
__getattr__ = attributes_of(__name__, __all__)

_ALONE = settings(threads=1, device="cpu")


# as the extension takes it: name, floored, prefix_scale, boost_threshold, folds
_Scorer = tuple[str, bool, str, str, str]


def scorer_of(
    scorer: str, ignore_case: bool | None, fold: Folds, floored: bool = False, prefix_scale: Number = 0.1,
    boost: Number = 0
) -> _Scorer:
    scale, threshold = decimal_of(prefix_scale, "prefix_scale"), ratio_of(boost, "boost_threshold")
    return text(scorer, "scorer"), flag(floored, "floored"), scale, threshold, folds_of(ignore_case, fold)


def _usual(scorer: str, ignore_case: bool, fold: Folds, floored: bool = False) -> _Scorer:
    return scorer, floored, "0.1", "0", folds_of(ignore_case, fold)


def compare_two(a: str, b: str, scorer: _Scorer) -> tuple[float, float]:
    """The similarity and the distance of two strings; NaN if the scorer needs numbers or dates, and a string is not
    one."""
    if not isinstance(a, str) or not isinstance(b, str):
        other = a if not isinstance(a, str) else b
        raise TypeError(f"expected two strings, got {type(other).__name__}; akin.strings.compare takes columns")
    try:
        return _akin.compare_two(_ALONE, scorer, a, b)
    except UnicodeEncodeError:
        raise InputError("a string has half of a surrogate pair, which UTF-8 lacks") from None


def levenshtein(a: str, b: str, *, ignore_case: bool = False, fold: Folds = None) -> int:
    """The Levenshtein distance, an int: the smallest number of symbols to insert, delete or replace to turn one string
    into the other.

    Raises TypeError if an argument is not a str, and InputError for half of a surrogate pair.

    >>> import akin
    >>> akin.strings.levenshtein("kitten", "sitting")
    3
    """
    return int(compare_two(a, b, _usual("levenshtein", ignore_case, fold))[1])


def osa(a: str, b: str, *, ignore_case: bool = False, fold: Folds = None) -> int:
    """The optimal string alignment distance, an int. It is as :func:`levenshtein`, but a swap of two neighbours is one
    edit. Edits do not overlap, unlike in the distance of Damerau.

    Raises TypeError if an argument is not a str, and InputError for half of a surrogate pair.

    >>> import akin
    >>> akin.strings.osa("ab", "ba"), akin.strings.levenshtein("ab", "ba")
    (1, 2)
    """
    return int(compare_two(a, b, _usual("osa", ignore_case, fold))[1])


def jaro(a: str, b: str, *, floored: bool = False, ignore_case: bool = False, fold: Folds = None) -> float:
    """Jaro's similarity, from 0 to 1 (M. Jaro, 1989). ``floored``: half the number of matches out of order is rounded
    down, as in rapidfuzz and jellyfish.

    Raises TypeError if an argument is not a str, and InputError for half of a surrogate pair.

    >>> import akin
    >>> round(akin.strings.jaro("MARTHA", "MARHTA"), 3)
    0.944
    """
    return compare_two(a, b, _usual("jaro", ignore_case, fold, flag(floored, "floored")))[0]


def jaro_winkler(
    a: str,
    b: str,
    *,
    prefix_scale: Number = 0.1,
    boost_threshold: Number = 0,
    floored: bool = False,
    ignore_case: bool = False,
    fold: Folds = None,
) -> float:
    """The Jaro-Winkler similarity, from 0 to 1 (W. Winkler, 1990). It is Jaro's similarity j, plus ``prefix *
    prefix_scale * (1 - j)`` if j is above ``boost_threshold`` (0.7 in other packages). ``prefix`` is the number of
    equal first symbols, at most 4. ``floored`` as in :func:`jaro`.

    Raises TypeError if an argument is not a str, and InputError for half of a surrogate pair, and OptionError if
    ``prefix_scale`` or ``boost_threshold`` is out of range.

    >>> import akin
    >>> round(akin.strings.jaro_winkler("MARTHA", "MARHTA"), 3)
    0.961
    """
    return compare_two(a, b, scorer_of("jaro_winkler", ignore_case, fold, floored, prefix_scale, boost_threshold))[0]


def similarity(
    a: str, b: str, scorer: str = "levenshtein", *, ignore_case: bool = False, fold: Folds = None
) -> float | None:
    """The similarity of two strings by a scorer, from 0 to 1. None if the scorer needs numbers or dates, and a string
    is not one.

    Raises TypeError if an argument is not a str, and InputError for half of a surrogate pair, and OptionError if the
    scorer is unknown.

    >>> import akin
    >>> akin.strings.similarity("red wine", "wine, red", "jaccard")
    1.0
    """
    found = compare_two(a, b, _usual(text(scorer, "scorer"), ignore_case, fold))[0]
    return None if found != found else found


def distance(
    a: str, b: str, scorer: str = "levenshtein", *, ignore_case: bool = False, fold: Folds = None
) -> float | None:
    """The distance of two strings by a scorer, 0 or more. None if the scorer needs numbers or dates, and a string is
    not one.

    Raises TypeError if an argument is not a str, and InputError for half of a surrogate pair, and OptionError if the
    scorer is unknown.

    >>> import akin
    >>> akin.strings.distance("2024-01-31", "2024-02-02", "date")
    2.0
    """
    found = compare_two(a, b, _usual(text(scorer, "scorer"), ignore_case, fold))[1]
    return None if found != found else found


def bounds_of(cutoff: Number | None, distance: int | None, name: str) -> tuple[str | None, int]:
    """The least similarity, "" for any above 0; or None and the largest distance. ``name``: the name of the cutoff."""
    if distance is not None:
        return None, whole(distance, "distance")
    return "" if cutoff is None else ratio_of(cutoff, name), 0


def match(
    sides: tuple[Any, Any],
    columns: tuple[Names, Names],
    ids: tuple[str | None, str | None],
    scorer: _Scorer,
    bounds: tuple[str | None, int],
    how: tuple[str, int],
    show: Show,
    lossy: bool,
    job: Job,
) -> Pairs:
    """A join of strings, after the checks of arguments: for :func:`cdist_sparse` and :func:`akin.join`. ``how``:
    technique and top."""
    first, second = both_named(sides, columns, ids, lossy, job)
    counts = first[1], second[1] if second else 0
    shown = show_pairs(show, sides, rows_of(first, second), lossy)
    made, did = _akin.match(job, scorer, first[0], second and second[0], counts, *bounds, *how)
    return pairs_of(made, first, second, shown, did, job)


def rows_of(first: Named, second: Named | None) -> tuple[int, int]:
    return first[0].rows, second[0].rows if second else 0


def pairs_of(
    made: _akin.Frame, first: Named, second: Named | None, shown: list[Shown], did: dict[str, Any], job: Job
) -> Pairs:
    """The result of a join: with ids, and with the columns that are shown."""
    ids = all_ids_of(first, second, job)
    rows = first[0].rows, second[0].rows if second else None
    return Pairs(beside(called(made, ids, job), shown, job), rows, did, ids)


def _two_columns(
    left: Any, right: Any, on: SidedNames, left_on: Names, right_on: Names, lossy: bool, job: Job
) -> tuple[_akin.Input, _akin.Input]:
    """The column of each side. Without a right table, both are of the left one; one column is read once."""
    columns = each_side("on", on, left_on, right_on, True)
    is_on = left_on is None and right_on is None
    first = column_of(left, columns[0], lossy, job, "on" if is_on else "left_on")
    if right is None and columns[0] == columns[1]:
        return first, first
    return first, column_of(left if right is None else right, columns[1], lossy, job, "on" if is_on else "right_on")


@suggests
def compare(
    left: Any,
    right: Any = None,
    scorer: str = "levenshtein",
    *,
    on: SidedNames = None,
    left_on: Names = None,
    right_on: Names = None,
    cutoff: Number | None = None,
    floored: bool = False,
    prefix_scale: Number = 0.1,
    boost_threshold: Number = 0,
    ignore_case: bool = False,
    fold: Folds = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Compares two columns of the same length, row by row.

    Parameters
    ----------
    left, right
        Columns, or tables (see the package). Without ``right``, both columns are of ``left``.
    on, left_on, right_on
        The column of both tables, or of each: ``on=akin.sides("a", "b")`` is ``left_on="a", right_on="b"``.
    scorer
        The name of a comparator: see the module.
    cutoff
        A smaller similarity becomes 0, and its distance infinite, which is faster.
    floored, prefix_scale, boost_threshold
        As in :func:`jaro_winkler`.
    ignore_case, fold
        The differences to remove before the comparison: see the module.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Table
        A row for each pair of values: ``similarity`` and ``distance``, doubles. They are null if a value is null, or is
        not a number or a date and the scorer needs one. A :class:`akin.ResultWarning` says if a scorer understands
        nearly no value of a column, or if most values are too short for its tokens.

    Raises
    ------
    OptionError
        The scorer is unknown, columns have different lengths, are missing or are the same one, or an option is out of
        range.
    InputError
        A column is malformed or not UTF-8.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.strings.compare(["Anna", "Bert"], ["Anne", "Berta"], "levenshtein").to_dict()
    {'similarity': [0.75, 0.8], 'distance': [1.0, 1.0]}
    >>> akin.strings.compare({"old": ["Robert"], "new": ["Rupert"]}, left_on="old", right_on="new")["distance"]
    [2.0]
    """
    job = settings(threads, device, memory, progress, device_memory)
    first, second = _two_columns(left, right, on, left_on, right_on, lossy, job)
    if second is first:
        raise OptionError("each value would be compared with itself: expected left_on and right_on, or two tables")
    if first.rows != second.rows:
        raise OptionError(f"{first.rows} rows and {second.rows}; expected columns of one length")
    limit = None if cutoff is None else ratio_of(cutoff, "cutoff")
    scoring = scorer_of(scorer, ignore_case, fold, floored, prefix_scale, boost_threshold)
    made, warnings = _akin.compare(job, scoring, first, second, limit)
    warn_of(warnings)
    return Table(made, {"warnings": warnings})


@suggests
def cdist(
    left: Any,
    right: Any = None,
    *,
    scorer: str = "jaro_winkler",
    distances: bool = False,
    dtype: Literal["float32", "float64"] = "float32",
    on: SidedNames = None,
    left_on: Names = None,
    right_on: Names = None,
    floored: bool = False,
    prefix_scale: Number = 0.1,
    boost_threshold: Number = 0,
    ignore_case: bool = False,
    fold: Folds = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> numpy.ndarray[Any, Any]:
    """Compares each string of a column with each of another: the matrix of all similarities, or of all distances. To
    find the pairs that are alike, :func:`cdist_sparse` is much faster, and needs no matrix.

    Parameters
    ----------
    left, right
        Columns, or tables (see the package). Without ``right``, both columns are of ``left``, and may be the same one.
    scorer
        The name of a comparator: see the module.
    distances
        Distances in place of similarities.
    dtype
        The type of the numbers: ``"float32"``, which rounds them, or ``"float64"``.
    on, left_on, right_on
        The column of both tables, or of each.
    floored, prefix_scale, boost_threshold
        As in :func:`jaro_winkler`.
    ignore_case, fold
        The differences to remove before the comparison: see the module.
    lossy, threads, device, memory, device_memory, progress
        See the package. The matrix is not a part of ``memory``. It is computed on the CPU.

    Returns
    -------
    numpy.ndarray
        A row for each value of ``left``, and a column for each value of ``right``. A number is NaN if a value is null,
        or is not a number or a date and the scorer needs one. A :class:`akin.ResultWarning` says if a scorer
        understands nearly no value of a column, or if most values are too short for its tokens.

    Raises
    ------
    OptionError
        The scorer or the type is unknown, a column is missing, or an option is out of range.
    InputError
        A column is malformed or not UTF-8.
    ImportError
        NumPy is not installed.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    Edit distances (G. Myers, J. ACM 46(3), 1999; H. Hyyrö, 2003) and Jaro's similarities are computed in SIMD lanes,
    for strings of up to 512 symbols; see docs/how-strings.md.

    Examples
    --------
    >>> import akin
    >>> akin.strings.cdist(["Anna", "Bert"], ["Anne", "Berta", "Anna"], scorer="levenshtein", distances=True)
    array([[1., 4., 0.],
           [4., 1., 4.]], dtype=float32)
    """
    import numpy

    job = settings(threads, device, memory, progress, device_memory)
    if dtype not in ("float32", "float64"):
        raise OptionError(f"dtype is {dtype!r}: expected 'float32' or 'float64'")
    first, second = _two_columns(left, right, on, left_on, right_on, lossy, job)
    scoring = scorer_of(scorer, ignore_case, fold, floored, prefix_scale, boost_threshold)
    cells = numpy.empty((first.rows, second.rows), dtype)
    warn_of(_akin.compare_matrix(job, scoring, first, second, flag(distances, "distances"), cells))
    return cells


@suggests
def cdist_sparse(
    left: Any,
    right: Any = None,
    *,
    scorer: str = "jaro_winkler",
    cutoff: Number | None = None,
    distance: int | None = None,
    on: SidedNames = None,
    left_on: Names = None,
    right_on: Names = None,
    id: str | Sides | None = None,
    left_id: str | None = None,
    right_id: str | None = None,
    floored: bool = False,
    prefix_scale: Number = 0.1,
    boost_threshold: Number = 0,
    ignore_case: bool = False,
    fold: Folds = None,
    top: int | None = None,
    show: Show = None,
    technique: StringTechnique = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """Finds all pairs of strings that are alike enough, exactly: the entries of the matrix that rapidfuzz's ``cdist``
    fills, without the others. It is :func:`akin.join` by ``similarity`` or ``levenshtein``, with the arguments of
    rapidfuzz.

    Parameters
    ----------
    left, right
        Columns, or tables (see the package). Without ``right``, pairs of two rows of ``left``.
    on, left_on, right_on
        The column of both tables, or of each; or several columns, whose values make one string, as in
        :func:`akin.join`.
    scorer
        ``"jaro_winkler"``, ``"jaro"``, ``"levenshtein"`` or ``"osa"``.
    cutoff, distance
        One of them: the least similarity, above 0 and at most 1, compared exactly; or, for edit distances,
        the largest distance, 0 or more.
    id, left_id, right_id
        The column with the ids of rows, in both tables or in each. The result then has ``left_id`` and ``right_id``.
        If only one of two tables has ids, the ids of the other are its row numbers.
    floored, prefix_scale, boost_threshold
        As in :func:`jaro_winkler`.
    ignore_case, fold
        The differences to remove before the comparison: see the module.
    top
        The number of best partners to keep for each left string, exactly, by similarity, or with ``distance`` by
        distance. Then ``cutoff`` and ``distance`` may be left out. Pairs are sorted by left row, the best first.
        Without ``right`` the partners of a string are all other strings. ``top`` works on the CPU, with
        ``technique="auto"``.
    show
        Columns whose values stand beside the pairs, as in :func:`akin.join`.
    technique
        How pairs are found, which changes only the time: ``"auto"``, ``"bags"`` or ``"segments"``.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Pairs
        A table of ``left`` and ``right``, row numbers from 0, sorted by both, with ``left < right`` without ``right``;
        for edit distances ``distance``; and ``similarity``. Nulls and empty strings are in no pair. SciPy makes a
        matrix of it by ``coo_array((t["similarity"], (t["left"], t["right"])), shape=(len(left), len(right)))``.

    Raises
    ------
    OptionError
        Neither or both of ``cutoff`` and ``distance`` are given, the scorer has no distance, or a column is missing.
    InputError
        A column is malformed or not UTF-8, or an id is null or not unique.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    Pairs are screened by bags of characters or an index of segments (G. Li et al., Pass-Join, PVLDB 5(3), 2011), and
    compared in SIMD lanes, or on a GPU; see docs/how-strings.md.

    Examples
    --------
    >>> import akin
    >>> akin.strings.cdist_sparse(["Anna", "Anne", "Bert"], scorer="levenshtein", distance=1).to_dict()
    {'left': [0], 'right': [1], 'distance': [1], 'similarity': [0.75]}
    """
    best = top_of(top)
    if (cutoff is None) == (distance is None) and not (best and cutoff is None):
        raise OptionError("expected cutoff, a least similarity, or distance, a largest one")
    if distance is not None and isinstance(scorer, str) and scorer.startswith("jaro"):
        raise OptionError(
            f"distance is a number of edits: expected scorer='levenshtein' or 'osa', or a cutoff for {scorer}"
        )
    job = settings(threads, device, memory, progress, device_memory)
    columns = each_side("on", on, left_on, right_on, right is not None)
    ids = both_ids(id, left_id, right_id, right is not None)
    scoring = scorer_of(scorer, ignore_case, fold, floored, prefix_scale, boost_threshold)
    how = (text(technique, "technique"), best)
    return match((left, right), columns, ids, scoring, bounds_of(cutoff, distance, "cutoff"), how, show, lossy, job)
