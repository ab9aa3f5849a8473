"""Strings compared symbol by symbol: two of them, two columns row by row, or all with all.

A symbol is a Unicode code point. Case and accents count, unless you give ``ignore_case=True`` or ``fold``. ``fold`` takes the differences
to ignore: names of ``akin.choices("folds")`` with + between them, such as ``"case+accents"``, or a list of names. A scorer is the name of a
comparator, with its argument after a slash, such as ``"number/10"``. Underscores may stand for dashes. ``akin.choices("comparators")``
lists the comparators.

The similarity is from 0 to 1. The distance is the number of edits of ``levenshtein`` and ``osa``, the difference of two numbers, the
days between two dates, and 1 - similarity of all others.

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

from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import flag, text, top_of, whole
from ._input import Names, SidedNames, all_ids_of, both_ids, both_named, called, column_of, each_side
from ._names import StringTechnique
from ._pairs import Pairs
from ._rules import Sides
from ._settings import Folds, Job, Number, Progress, Size, decimal_of, folds_of, settings
from ._suggest import suggests
from ._table import Table
from ._warnings import warn

__all__ = ["cdist_sparse", "compare", "distance", "jaro", "jaro_winkler", "levenshtein", "osa", "similarity"]

_ALONE = settings(threads=1, device="cpu")


_Scorer = tuple[str, bool, str, str, str]  # as the extension takes it: name, floored, prefix_scale, boost_threshold, folds


def scorer_of(scorer: str, ignore_case: bool | None, fold: Folds, floored: bool = False, prefix_scale: Number = 0.1, boost: Number = 0) -> _Scorer:
    scale, threshold = decimal_of(prefix_scale, "prefix_scale"), decimal_of(boost, "boost_threshold")
    return text(scorer, "scorer"), flag(floored, "floored"), scale, threshold, folds_of(ignore_case, fold)


def _usual(scorer: str, ignore_case: bool, fold: Folds, floored: bool = False) -> _Scorer:
    return scorer, floored, "0.1", "0", folds_of(ignore_case, fold)


def compare_two(a: str, b: str, scorer: _Scorer) -> tuple[float, float]:
    """The similarity and the distance of two strings; not a number where one is no number or date and ought to be."""
    if not isinstance(a, str) or not isinstance(b, str):
        other = a if not isinstance(a, str) else b
        raise TypeError(f"expected two strings, got {type(other).__name__}; akin.strings.compare takes columns")
    try:
        return _akin.compare_two(_ALONE, scorer, a, b)
    except UnicodeEncodeError:
        raise InputError("a string has half of a surrogate pair, which UTF-8 lacks") from None


def levenshtein(a: str, b: str, *, ignore_case: bool = False, fold: Folds = None) -> int:
    """The fewest symbols to insert, delete or replace so that one string becomes the other.

    Raises TypeError if an argument is no str, and InputError for half a surrogate pair.

    >>> import akin
    >>> akin.strings.levenshtein("kitten", "sitting")
    3
    """
    return int(compare_two(a, b, _usual("levenshtein", ignore_case, fold))[1])


def osa(a: str, b: str, *, ignore_case: bool = False, fold: Folds = None) -> int:
    """The same, but two neighbours that change places are also one edit: optimal string alignment, which is Damerau's distance restricted
    to edits that do not overlap.

    Raises TypeError if an argument is no str, and InputError for half a surrogate pair.

    >>> import akin
    >>> akin.strings.osa("ab", "ba"), akin.strings.levenshtein("ab", "ba")
    (1, 2)
    """
    return int(compare_two(a, b, _usual("osa", ignore_case, fold))[1])


def jaro(a: str, b: str, *, floored: bool = False, ignore_case: bool = False, fold: Folds = None) -> float:
    """Jaro's similarity, from 0 to 1 (M. Jaro, 1989). ``floored`` rounds down half the number of matches that are out of order, as
    rapidfuzz and jellyfish do.

    Raises TypeError if an argument is no str, and InputError for half a surrogate pair.

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
    """Jaro's similarity j plus ``prefix * prefix_scale * (1 - j)``, if j is above ``boost_threshold``. prefix is the number of equal first
    symbols, at most 4 (W. Winkler, 1990; the usual threshold elsewhere is 0.7). ``floored`` as in :func:`jaro`.

    Raises TypeError if an argument is no str, InputError for half a surrogate pair, and OptionError if ``prefix_scale`` or
    ``boost_threshold`` is out of range.

    >>> import akin
    >>> round(akin.strings.jaro_winkler("MARTHA", "MARHTA"), 3)
    0.961
    """
    return compare_two(a, b, scorer_of("jaro_winkler", ignore_case, fold, floored, prefix_scale, boost_threshold))[0]


def similarity(
    a: str, b: str, scorer: str = "levenshtein", *, ignore_case: bool = False, fold: Folds = None
) -> float | None:
    """The similarity of two strings by any scorer, from 0 to 1. None if the scorer needs numbers or dates, and a string is not one.

    Raises TypeError if an argument is no str, InputError for half a surrogate pair, and OptionError if the scorer is unknown.

    >>> import akin
    >>> akin.strings.similarity("red wine", "wine, red", "jaccard")
    1.0
    """
    found = compare_two(a, b, _usual(text(scorer, "scorer"), ignore_case, fold))[0]
    return None if found != found else found


def distance(
    a: str, b: str, scorer: str = "levenshtein", *, ignore_case: bool = False, fold: Folds = None
) -> float | None:
    """The distance of two strings by any scorer. None if the scorer needs numbers or dates, and a string is not one.

    Raises TypeError if an argument is no str, InputError for half a surrogate pair, and OptionError if the scorer is unknown.

    >>> import akin
    >>> akin.strings.distance("2024-01-31", "2024-02-02", "date")
    2.0
    """
    found = compare_two(a, b, _usual(text(scorer, "scorer"), ignore_case, fold))[1]
    return None if found != found else found


def bounds_of(cutoff: Number | None, distance: int | None, name: str) -> tuple[str | None, int]:
    """The least similarity, "" for any above 0, or None and the largest distance. ``name`` is what the cutoff is called."""
    if distance is not None:
        return None, whole(distance, "distance")
    return "" if cutoff is None else decimal_of(cutoff, name), 0


def match(
    sides: tuple[Any, Any],
    columns: tuple[Names, Names],
    ids: tuple[str | None, str | None],
    scorer: _Scorer,
    bounds: tuple[str | None, int],
    how: tuple[str, int],
    lossy: bool,
    job: Job,
) -> Pairs:
    """A join of strings, whose arguments were taken: for :func:`cdist_sparse` and :func:`akin.join`. ``how``: technique and top."""
    first, second = both_named(sides, columns, ids, lossy, job)
    if first[1] > 1 or (second and second[1] > 1):
        raise OptionError("strings are compared of one column; expected the name of one")
    made, did = _akin.match(job, scorer, first[0], second and second[0], *bounds, *how)
    called_so = all_ids_of(first, second, job)
    return Pairs(called(made, called_so, job), (first[0].rows, second[0].rows if second else 0), did, called_so)


@suggests
def compare(
    left: Any,
    right: Any,
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
    """Compares two columns of one length row by row.

    Parameters
    ----------
    left, right
        Columns, or tables (see the package).
    on, left_on, right_on
        The column of both tables, or of each.
    scorer
        The name of a comparator: see the module.
    cutoff
        A similarity below the cutoff is 0 in the result, and its distance is infinity. This is faster.
    floored, prefix_scale, boost_threshold
        As in :func:`jaro_winkler`.
    ignore_case, fold
        The differences to ignore: see the module.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Table
        ``similarity`` and ``distance``, doubles. They are null if a value is null, or if the scorer needs a number or date and the value is
        not one. A warning comes if this is so for nearly all values of a column.

    Raises
    ------
    OptionError
        The scorer is unknown, columns are missing or of different lengths, or an option is out of range.
    InputError
        A column is malformed or not UTF-8.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.strings.compare(["Anna", "Bert"], ["Anne", "Berta"], "levenshtein").to_dict()
    {'similarity': [0.75, 0.8], 'distance': [1.0, 1.0]}
    """
    job = settings(threads, device, memory, progress, device_memory)
    columns = each_side("on", on, left_on, right_on, True)
    first, second = column_of(left, columns[0], lossy, job), column_of(right, columns[1], lossy, job)
    if first.rows != second.rows:
        raise OptionError(f"{first.rows} rows and {second.rows}; expected columns of one length")
    limit = None if cutoff is None else decimal_of(cutoff, "cutoff")
    scoring = scorer_of(scorer, ignore_case, fold, floored, prefix_scale, boost_threshold)
    made, warnings = _akin.compare(job, scoring, first, second, limit)
    for each in warnings:
        warn(each)
    return Table(made, {"warnings": warnings})


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
    technique: StringTechnique = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """All pairs of similar strings, exactly: the entries of the matrix of rapidfuzz's ``cdist`` that reach the cutoff, without the matrix.
    It is :func:`akin.join` by ``similarity`` or ``levenshtein``, with the arguments of rapidfuzz.

    Parameters
    ----------
    left, right
        Columns, or tables (see the package). Without ``right``, pairs of two rows of ``left``.
    on, left_on, right_on
        The column of both tables, or of each.
    scorer
        ``"jaro_winkler"``, ``"jaro"``, ``"levenshtein"`` or ``"osa"``.
    cutoff, distance
        The least similarity, above 0 and at most 1, decimal and compared exactly; or, of edit distances, the largest distance, 0 or
        more. One of them.
    id, left_id, right_id
        The column that has the names of rows, in both tables or in each: the result has ``left_id`` and ``right_id`` then.
    floored, prefix_scale, boost_threshold
        As in :func:`jaro_winkler`.
    ignore_case, fold
        The differences to ignore: see the module.
    top
        How many of the best partners of each left string to keep, exactly, by similarity or, with ``distance``, by distance. Neither
        ``cutoff`` nor ``distance`` need be given then. Pairs come by left row, the best first; without ``right`` the partners of a string
        are all others. It goes with ``technique="auto"``, on the CPU.
    technique
        How pairs are found, which changes nothing but the time: ``"auto"``, ``"bags"`` or ``"segments"``.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Pairs
        A table of ``left`` and ``right``, row numbers from 0 on, ``left < right`` without ``right``, sorted by both; of edit distances
        ``distance``; ``similarity``. Nulls and empty strings are in no pair. With SciPy it is a matrix by
        ``coo_array((t["similarity"], (t["left"], t["right"])), shape=(len(left), len(right)))``.

    Raises
    ------
    OptionError
        Neither or both of ``cutoff`` and ``distance`` are given, or one that the scorer does not have; a column is missing.
    InputError
        A column is malformed or not UTF-8; an id is null or occurs twice.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    Pairs are screened by bags of characters or an index of segments (G. Li et al., Pass-Join, PVLDB 5(3), 2011), and compared in
    SIMD lanes, or on a GPU; see docs/how-strings.md.

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
        raise OptionError(f"a distance is of edits: expected scorer='levenshtein' or 'osa', or a cutoff of {scorer}")
    job = settings(threads, device, memory, progress, device_memory)
    columns = each_side("on", on, left_on, right_on, right is not None)
    ids = both_ids(id, left_id, right_id, right is not None)
    scoring = scorer_of(scorer, ignore_case, fold, floored, prefix_scale, boost_threshold)
    how = (text(technique, "technique"), best)
    return match((left, right), columns, ids, scoring, bounds_of(cutoff, distance, "cutoff"), how, lossy, job)
