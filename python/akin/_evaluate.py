"""Evaluation of pairs and rankings against known answers."""

from __future__ import annotations

import itertools
import os
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError, LimitError, OptionError
from ._checks import flag, text, whole
from ._graph import sides_of
from ._input import as_list, input_of, names_in, no_column, texts
from ._pairs import Pairs
from ._ranking import Ranking
from ._settings import Job, Progress, Size, quiet, settings
from ._suggest import suggests
from ._table import Table
from ._warnings import warn

_CLUSTER_PAIRS = 50_000_000  # lists of more take gigabytes


class Evaluation(NamedTuple):
    """The quality of pairs: ``precision`` is both / pairs, ``recall`` is both / gold, and ``f1`` is 2 * both / (pairs +
    gold). A ratio with the divisor 0 is 0.

    >>> import akin
    >>> akin.evaluate([(0, 1), (1, 2)], gold=[(0, 1), (0, 2)]).recall
    0.5
    """

    precision: float
    recall: float
    f1: float
    pairs: int
    """distinct pairs that were found"""
    gold: int
    """distinct pairs that are known"""
    both: int


class Quality(NamedTuple):
    """Three ratios from 0 to 1. ``f1`` is the harmonic mean of the other two.

    >>> import akin
    >>> akin.evaluate_clusters([(0, 1)], gold=[(0, 1)]).bcubed
    Quality(precision=1.0, recall=1.0, f1=1.0)
    """

    precision: float
    recall: float
    f1: float


class ClusterEvaluation(NamedTuple):
    """The quality of pairs, and of the clusters that they make. ``pairs_low`` and ``pairs_high`` are the ends of 95 %
    intervals, None without ``bootstrap``; so are those of ``bcubed``.

    >>> import akin
    >>> akin.evaluate_clusters([(0, 1), (1, 2)], gold=[(0, 1), (3, 4)]).bcubed.recall
    0.8
    """

    pairs: Evaluation
    records: int
    """distinct ids"""
    bcubed: Quality
    """the means, over all records, of the share of the records of the found cluster that are in the gold cluster
    (precision), and the other way round (recall)"""
    found_clusters: int
    """clusters of two records and more that were found"""
    gold_clusters: int
    """those that are known"""
    both_clusters: int
    """those that are in both, with the same records"""
    clusters: Quality
    """both_clusters / found_clusters, and both_clusters / gold_clusters"""
    pairs_low: Quality | None
    pairs_high: Quality | None
    bcubed_low: Quality | None
    bcubed_high: Quality | None


class _Ids(NamedTuple):
    """The ids of pairs, as they were read."""

    pairs: _akin.Input
    sides: bool | None
    """whether clusters have the sides of rows, so that pairs are of two tables; None: pairs are given"""
    records: tuple[list[str | None], list[str | None]]
    """the ids of all rows of clusters, of either side, or on the left if they have no sides"""


def _columns_of_clusters(names: list[str]) -> list[str] | None:
    """The columns of clusters by the rule of the command: the ids and "cluster", and before them "side" if it is the
    first column of the table; None: it has pairs."""
    sides = names[:1] if names[0] == "side" else []
    ids = ["id"] if "id" in names else names[len(sides) : len(sides) + 1]
    following = "cluster" in names if "id" in names else names[len(sides) + 1 : len(sides) + 2] == ["cluster"]
    return [*sides, *ids, "cluster"] if following else None


_SIDES = {"left", "right"}


def _check_later_side(data: Any, names: list[str], job: Job, name: str) -> None:
    """Refuses clusters with a column "side" that looks like that of two tables, and is not the first column."""
    if "side" not in names[1:]:
        return
    columns = {"side": texts(as_list(data["side"], "side"))} if isinstance(data, Mapping) else data
    values = set(input_of(columns, ["side"], False, job).column(0))
    if values and values <= _SIDES:
        raise InputError(
            f"{name}: the column 'side' has left and right, and is not the first one; expected side, id, cluster for "
            "clusters of two tables, or another name"
        )


def _pairs_of_clusters(data: Any, chosen: list[str], job: Job, name: str) -> _Ids:
    """All pairs of rows within clusters; of two tables, pairs of a left row and a right row."""
    columns = {n: texts(as_list(data[n], n)) for n in chosen} if isinstance(data, Mapping) else data
    read = input_of(columns, chosen, False, job)
    *sides, ids, clusters = (read.column(i) for i in range(len(chosen)))
    for side in sides:
        if wrong := [i for i, value in enumerate(side) if value not in _SIDES]:
            raise InputError(f"{name}: row {wrong[0]}: side is {side[wrong[0]]!r}; expected 'left' or 'right'")
    groups: dict[str | None, tuple[list[str | None], list[str | None]]] = {}
    for i, cluster in enumerate(clusters):
        groups.setdefault(cluster, ([], []))[bool(sides) and sides[0][i] == "right"].append(ids[i])
    count = sum(len(a) * len(b) if sides else len(a) * (len(a) - 1) // 2 for a, b in groups.values())
    if count > _CLUSTER_PAIRS:
        raise LimitError(
            f"{name}: the clusters have {count:,} pairs of rows; akin evaluate takes files of them with any number of "
            "pairs"
        )
    pairs: list[tuple[str | None, str | None]] = []
    for a, b in groups.values():
        pairs.extend(itertools.product(a, b) if sides else itertools.combinations(a, 2))
    lists = [left for left, _ in pairs], [right for _, right in pairs]
    records = [id for a, _ in groups.values() for id in a], [id for _, b in groups.values() for id in b]
    return _Ids(_akin.from_lists(job, ("left", "right"), lists), bool(sides), records)


def _read_ids(data: Any, job: Job, name: str) -> _Ids:
    """The two columns of ids: left_id and right_id, left and right, or the first two. Clusters become pairs."""
    if isinstance(data, Ranking):
        raise TypeError(
            f"{name} is a ranking; expected pairs: akin.evaluate_trec(ranking, judgements) evaluates rankings"
        )
    if hasattr(data, "tolist") and (getattr(data, "nlevels", 0) == 2 or getattr(data, "ndim", 0) == 2):
        data = data.tolist()  # an index of two levels of pandas, or an array of NumPy
    if isinstance(data, Mapping) and not isinstance(data, Table):
        names = list(data)
    elif isinstance(data, (list, tuple, set, frozenset)):
        left, right = sides_of(data, name, "ids")
        return _Ids(_akin.from_lists(job, ("left", "right"), (texts(left), texts(right))), None, ([], []))
    elif isinstance(data, (str, os.PathLike)):
        names = list(input_of(data, None, False, job).names)
    else:
        names = names_in(data) or []
    if len(names) < 2:
        raise OptionError(f"{name}: expected a table with two columns of ids, or a list of pairs")
    if clusters := _columns_of_clusters(names):
        _check_later_side(data, names, job, name)
        return _pairs_of_clusters(data, clusters, job, name)
    called = [pair for pair in (["left_id", "right_id"], ["left", "right"]) if set(pair) <= set(names)]
    chosen = called[0] if called else names[:2]
    columns = {n: texts(as_list(data[n], n)) for n in chosen} if isinstance(data, Mapping) else data
    return _Ids(input_of(columns, chosen, False, job), None, ([], []))


def ids_of(data: Any, job: Job, name: str) -> tuple[_akin.Input, bool | None]:
    """The two columns of ids, and whether clusters have the sides of rows (see above)."""
    return _read_ids(data, job, name)[:2]


def check_sides(sides: bool | None, of_two: bool, name: str) -> None:
    """Refuses clusters of one table for pairs of two."""
    if of_two and sides is False:
        raise OptionError(
            f"{name}: clusters without 'side' as their first column have pairs within one table; expected side, id, "
            "cluster for pairs of two tables"
        )


def check_gold(gold: _akin.Input, records: list[tuple[_akin.Input, int | None]]) -> None:
    """Refuses gold pairs without any id of a record, or with two tables without any id of a left or of a right record,
    as the command does. ``records`` has each table and the column of its ids; None: ids are row numbers."""
    if gold.rows == 0 or not all(table.rows for table, _ in records):
        return
    known = [gold.column(side) for side in range(2)]
    if len(records) == 1:
        known = [known[0] + known[1]]
    for (table, at), ids, side in zip(records, known, ("left ", "right ") if len(records) == 2 else ("",), strict=True):
        names: Any = map(str, range(table.rows)) if at is None else table.column(at)
        names = dict.fromkeys(names)
        if not any(id in names for id in ids):
            advice = "; is id= missing?" if at is None else ""
            like = ", ".join(map(repr, list(names)[:2]))
            raise InputError(
                f"gold: none of its {side}ids is of a record: they are like {ids[0]!r}, those of records like "
                f"{like}{advice}"
            )


def _advice_of(data: Any, name: str) -> str | None:
    """What pairs may lack that have nothing in common with others; None: they look as they should."""
    if isinstance(data, Table) and {"left", "right"} <= set(data.columns) and "left_id" not in data.columns:
        return f"left and right of the {name} are row numbers: give id="
    names = list(data) if isinstance(data, Mapping) else names_in(data) or []
    if len(names) > 1 and "cluster" not in names and not {"left", "right"} <= set(names):
        return f"the {name} are read from {names[0]!r} and {names[1]!r}; a table of clusters needs a column 'cluster'"
    return None


def warn_of_pairs(
    read: tuple[_akin.Input, _akin.Input], given: tuple[Any, Any], linked: bool, counts: Sequence[int], job: Job
) -> None:
    """Warns of an evaluation that says little. ``given``: the pairs and the gold pairs as the caller has them;
    ``counts``: the numbers of pairs, of gold pairs, and of those in both."""
    equal, swapped, apart = _akin.evaluate_warnings(quiet(job), *read, linked, (counts[0], counts[1], counts[2]))
    for each, rows in (("pairs", read[0].rows), ("gold", read[1].rows)):
        if rows == 0:
            warn(f"the {each} have no pair")
    for each in equal:
        warn(f"{each}: if left and right ids are of two tables, add linked=True")
    for each in swapped or apart:
        advice = map(_advice_of, given, ("pairs", "gold pairs"))
        warn("; ".join([each, *([] if swapped else filter(None, advice))][:2]))


def _ids_of_both(pairs: Any, gold: Any, linked: bool | None, job: Job) -> tuple[tuple[_Ids, _Ids], bool]:
    """The ids of both, and whether they are of two tables. ``linked`` None: the result or the clusters say so."""
    found, known = _read_ids(pairs, job, "pairs"), _read_ids(gold, job, "gold")
    sides, gold_sides = found.sides, known.sides
    of_two = isinstance(pairs, Pairs) and pairs.of_two
    of_two = bool(of_two or sides or gold_sides) if linked is None else flag(linked, "linked")
    check_sides(sides, of_two, "pairs")
    check_sides(gold_sides, of_two, "gold")
    return (found, known), of_two


@suggests
def evaluate(
    pairs: Any,
    gold: Any,
    *,
    linked: bool | None = None,
    closed: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Evaluation:
    """Computes precision, recall and F1 of pairs against a gold standard.

    Parameters
    ----------
    pairs, gold
        Tables or files with the columns ``left_id`` and ``right_id``, or ``left`` and ``right``, or with ids in the
        first two columns; lists of pairs; a MultiIndex of pandas with two levels; or arrays with two columns. A table
        of clusters has the columns ``id, cluster``, and every two rows of a cluster are a pair; or of two tables
        ``side, id, cluster``, and every left row and right row of a cluster are a pair. Ids are compared as text, and
        repeated pairs count once.
    linked
        True: left and right ids are of two collections, so a pair has an order. False: (1, 2) is the same as (2, 1),
        and a pair of an id with itself does not count: a warning has the number of such pairs. None: True for a result
        of two tables, such as that of :func:`akin.link`, and for clusters whose first column is ``side``, else False.
    closed
        Evaluate the transitive closures of both: two ids are a pair if a chain of pairs connects them.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Evaluation
        A named tuple of ``precision``, ``recall``, ``f1``, each from 0 to 1, and of the numbers of distinct pairs,
        ``pairs``, ``gold`` and ``both``. A :class:`akin.ResultWarning` says if no pair is in both.

    Raises
    ------
    OptionError
        A table has fewer than two columns; or clusters have no ``side`` where pairs are of two tables.
    InputError
        A file is malformed, or ids are not UTF-8; pairs and gold have no common id; or left and right of ``linked``
        gold pairs are swapped: after a swap, ten or more of them, and ten times as many, are found.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.evaluate([(0, 1), (1, 2)], gold=[(0, 1), (0, 2)])
    Evaluation(precision=0.5, recall=0.5, f1=0.5, pairs=2, gold=2, both=1)
    >>> akin.evaluate([(0, 1), (1, 2)], gold=[(0, 1), (0, 2)], closed=True).f1
    1.0

    :func:`evaluate_clusters` evaluates clusters, too, and gives intervals. :func:`evaluate_curve` evaluates the pairs
    at each threshold, and :func:`evaluate_trec` a ranking.
    """
    job = settings(threads, device, memory, progress, device_memory)
    (read, known), are_linked = _ids_of_both(pairs, gold, linked, job)
    both = read.pairs, known.pairs
    found = Evaluation(*_akin.evaluate(job, *both, are_linked, flag(closed, "closed"), True))
    warn_of_pairs(both, (pairs, gold), are_linked, found[3:], job)
    return found


@suggests
def evaluate_clusters(
    pairs: Any,
    gold: Any,
    *,
    linked: bool | None = None,
    closed: bool = False,
    bootstrap: int = 0,
    seed: int = 1,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> ClusterEvaluation:
    """Evaluates pairs as :func:`evaluate` does, and the clusters that they make: by B-cubed, and by clusters that are
    exactly those of the gold standard.

    Clusters are connected components: two ids are in one cluster if a chain of pairs connects them. The records are all
    ids of both arguments, with the rows of clusters of one record, if these are in a table of clusters.

    Parameters
    ----------
    pairs, gold, linked, closed
        As in :func:`evaluate`. ``closed`` is of ``.pairs`` alone.
    bootstrap
        How often the clusters of gold, those of one record included, are drawn again with replacement, for 95 %
        intervals: at least 40, such as 1000. 0: there are no intervals.
    seed
        The same seed draws the same clusters, with any number of threads.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    ClusterEvaluation
        A named tuple: ``pairs``, as :func:`evaluate` returns it; ``records``, ``bcubed``, ``found_clusters``,
        ``gold_clusters``, ``both_clusters``, ``clusters``; and ``pairs_low``, ``pairs_high``, ``bcubed_low``,
        ``bcubed_high``, the ends of the intervals.

    Raises
    ------
    OptionError
        ``bootstrap`` is from 1 to 39; and as :func:`evaluate`.
    InputError, TypeError, LimitError, DeviceError, MemoryError, OSError
        As :func:`evaluate`.

    Examples
    --------
    >>> import akin
    >>> pairs, gold = [("a", "b"), ("b", "c"), ("d", "e")], [("a", "b"), ("d", "e")]
    >>> found = akin.evaluate_clusters(pairs, gold, bootstrap=1000)
    >>> found.both_clusters, found.gold_clusters, found.records
    (1, 2, 5)
    >>> found.bcubed_low.precision <= found.bcubed.precision <= found.bcubed_high.precision
    True
    """
    job = settings(threads, device, memory, progress, device_memory)
    (read, known), are_linked = _ids_of_both(pairs, gold, linked, job)
    both = read.pairs, known.pairs
    times, number = whole(bootstrap, "bootstrap"), whole(seed, "seed", 0, 2**64 - 1)
    left, right = (_akin.from_lists(job, ("id",), (read.records[i] + known.records[i],)) for i in range(2))
    told = _akin.evaluate_clusters(
        job, *both, (left, right), are_linked, flag(closed, "closed"), True, times, number
    )
    counts, records, bcubed, ours, theirs, both_have, clusters, *ends = told
    low, high, bcubed_low, bcubed_high = (each and Quality(*each) for each in ends)
    found = ClusterEvaluation(
        Evaluation(*counts), records, Quality(*bcubed), ours, theirs, both_have, Quality(*clusters), low, high,
        bcubed_low, bcubed_high,
    )  # fmt: skip
    warn_of_pairs(both, (pairs, gold), are_linked, found.pairs[3:], job)
    return found


@suggests
def evaluate_curve(
    pairs: Any,
    gold: Any,
    *,
    similarity: str = "similarity",
    linked: bool | None = None,
    closed: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Evaluates the pairs that reach each threshold 0, 0.01, ... 1, as :func:`evaluate` does.

    Parameters
    ----------
    pairs, gold, linked, closed
        As in :func:`evaluate`; ``pairs`` is a table or a file.
    similarity
        The column of ``pairs`` with the similarities. A null reaches no threshold.
    threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Table
        101 rows with ``threshold``, ``precision``, ``recall``, ``f1``, ``pairs``, ``gold`` and ``both``.

    Raises
    ------
    OptionError
        The column is missing.
    InputError
        A similarity is not a number, or the numbers of similarities and pairs differ; and as :func:`evaluate`.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> pairs = {"left": [0, 1], "right": [1, 2], "similarity": [0.9, 0.4]}
    >>> curve = akin.evaluate_curve(pairs, gold=[(0, 1)])
    >>> max(curve["f1"]), curve[50]["precision"]
    (1.0, 1.0)
    """
    job = settings(threads, device, memory, progress, device_memory)
    (read, read_gold), of_two = _ids_of_both(pairs, gold, linked, job)
    found, known = read.pairs, read_gold.pairs
    text(similarity, "similarity")
    values: list[Any]
    if isinstance(pairs, Mapping):
        if similarity not in pairs:
            no_column(f"similarity: there is no column {similarity!r} in the pairs", similarity, ())
        values = as_list(pairs[similarity], similarity)
    elif isinstance(pairs, (list, tuple, set, frozenset)):
        raise TypeError("expected pairs with a column of similarities; a list of pairs has none")
    else:
        values = input_of(pairs, similarity, False, job).column(0)
    try:
        numbers = array("d", (float("nan") if value is None or value == "" else float(value) for value in values))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"column {similarity!r}: {error}") from None
    if len(numbers) != found.rows:
        raise InputError(f"column {similarity!r} has {len(numbers)} rows; expected {found.rows}, one for each pair")
    how = of_two, flag(closed, "closed"), True
    curve = Table(_akin.evaluate_curve(job, found, numbers, known, *how))
    counts = [curve[name][0] for name in ("pairs", "gold", "both")]
    warn_of_pairs((found, known), (pairs, gold), how[0], counts, job)
    return curve
