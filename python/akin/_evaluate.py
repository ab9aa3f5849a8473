"""Evaluation of pairs and rankings against known answers."""

from __future__ import annotations

import itertools
import os
import re
import tempfile
from array import array
from collections.abc import Mapping
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError, LimitError, OptionError
from ._checks import flag, text
from ._graph import sides_of
from ._input import as_list, file_of, input_of, no_column
from ._pairs import Pairs
from ._ranking import Ranking
from ._settings import Job, Progress, Size, settings
from ._suggest import suggests
from ._table import Table
from ._warnings import warn
from ._write import put

_WHOLE = re.compile(r"-?[0-9]{1,10}(\.0*)?")
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


def _columns_of(data: Any) -> list[str] | None:
    """The names of the columns, if the table has them without being read."""
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    if names is None or callable(names):
        return None
    return [name for name in names if isinstance(name, str)]


def _texts(ids: list[Any]) -> list[str | None]:
    return [None if id is None else str(id) for id in ids]


def _pairs_of_clusters(data: Any, names: list[str], job: Job, name: str) -> _akin.Input:
    """All pairs of rows within clusters; of two tables, pairs of a left row and a right row."""
    id = "id" if "id" in names else names[0]
    chosen = ["side", id, "cluster"] if "side" in names else [id, "cluster"]
    columns = {n: _texts(as_list(data[n], n)) for n in chosen} if isinstance(data, Mapping) else data
    read = input_of(columns, chosen, False, job)
    *sides, ids, clusters = (read.column(i) for i in range(len(chosen)))
    groups: dict[str | None, tuple[list[str | None], list[str | None]]] = {}
    for i, cluster in enumerate(clusters):
        groups.setdefault(cluster, ([], []))[bool(sides) and sides[0][i] == "right"].append(ids[i])
    count = sum(len(a) * len(b) if sides else len(a) * (len(a) - 1) // 2 for a, b in groups.values())
    if count > _CLUSTER_PAIRS:
        raise LimitError(
            f"{name}: the clusters have {count:,} pairs of rows; akin evaluate takes files of them with any number of "
            f"pairs"
        )
    pairs: list[tuple[str | None, str | None]] = []
    for a, b in groups.values():
        pairs.extend(itertools.product(a, b) if sides else itertools.combinations(a, 2))
    return _akin.from_lists(job, ("left", "right"), ([left for left, _ in pairs], [right for _, right in pairs]))


def ids_of(data: Any, job: Job, name: str = "pairs") -> _akin.Input:
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
        return _akin.from_lists(job, ("left", "right"), (_texts(left), _texts(right)))
    elif isinstance(data, (str, os.PathLike)):
        names = list(input_of(data, None, False, job).names)
    else:
        names = _columns_of(data) or []
    if len(names) < 2:
        raise OptionError(f"{name}: expected a table with two columns of ids, or a list of pairs")
    if names[1] == "cluster" or {"id", "cluster"} <= set(names):
        return _pairs_of_clusters(data, names, job, name)
    called = [pair for pair in (["left_id", "right_id"], ["left", "right"]) if set(pair) <= set(names)]
    chosen = called[0] if called else names[:2]
    columns = {n: _texts(as_list(data[n], n)) for n in chosen} if isinstance(data, Mapping) else data
    return input_of(columns, chosen, False, job)


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


def _warn_of(pairs: _akin.Input, gold: _akin.Input, linked: bool) -> None:
    for each in _akin.evaluate_warnings(pairs, gold, linked):
        warn(f"{each}: if left and right ids are of two tables, add linked=True")


def _are_linked(pairs: Any, linked: bool | None) -> bool:
    """Whether pairs are of two tables; None: a result of two tables is, and nothing else."""
    return isinstance(pairs, Pairs) and pairs.rows[1] > 0 if linked is None else flag(linked, "linked")


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
        of clusters has the columns ``id, cluster`` or ``side, id, cluster``, and every two rows of a cluster are a
        pair. Ids are compared as text, and repeated pairs count once.
    linked
        True: left and right ids are of two collections, so a pair has an order. False: (1, 2) is the same as (2, 1),
        and a pair of an id with itself does not count: a warning has the number of such pairs. None: True for a result
        of two tables, such as that of :func:`akin.link`, else False.
    closed
        Evaluate the transitive closures of both: two ids are a pair if a chain of pairs connects them.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Evaluation
        A named tuple of ``precision``, ``recall``, ``f1``, each from 0 to 1, and of the numbers of distinct pairs,
        ``pairs``, ``gold`` and ``both``.

    Raises
    ------
    OptionError
        A table has fewer than two columns.
    InputError
        A file is malformed, or ids are not UTF-8; pairs and gold have no common id; or left and right are swapped in
        ``linked`` pairs.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.evaluate([(0, 1), (1, 2)], gold=[(0, 1), (0, 2)])
    Evaluation(precision=0.5, recall=0.5, f1=0.5, pairs=2, gold=2, both=1)
    >>> akin.evaluate([(0, 1), (1, 2)], gold=[(0, 1), (0, 2)], closed=True).f1
    1.0
    """
    job = settings(threads, device, memory, progress, device_memory)
    both, are_linked = (ids_of(pairs, job), ids_of(gold, job, "gold")), _are_linked(pairs, linked)
    found = Evaluation(*_akin.evaluate(job, *both, are_linked, flag(closed, "closed"), True))
    _warn_of(*both, are_linked)
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
    found = ids_of(pairs, job)
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
    how = _are_linked(pairs, linked), flag(closed, "closed"), True
    known = ids_of(gold, job, "gold")
    curve = Table(_akin.evaluate_curve(job, found, numbers, known, *how))
    _warn_of(found, known, how[0])
    return curve


_JUDGED = ("query", "document", "relevance")


def _judgements(data: Any, job: Job) -> list[str]:
    """Lines of TREC's format, of a table or a dictionary of judgements."""
    if isinstance(data, Mapping) and data and all(isinstance(each, Mapping) for each in data.values()):
        lines = [(query, document, value) for query, each in data.items() for document, value in each.items()]
        data = {name: [line[i] for line in lines] for i, name in enumerate(_JUDGED)}
    names = list(data) if isinstance(data, Mapping) else _columns_of(data)
    if names is None or isinstance(data, Ranking):
        advice = "; the ranking is the first argument" if isinstance(data, Ranking) else ""
        raise TypeError(
            f"judgements is of type {type(data).__name__}; expected the path of a file, a table with columns query, "
            f"document and relevance, or a dictionary {{query: {{document: relevance}}}}{advice}"
        )
    if isinstance(data, Mapping) and (missing := [name for name in _JUDGED if name not in data]):
        no_column(f"judgements: there is no column {missing[0]!r}; the columns are: ", missing[0], data)
    columns = {n: _texts(as_list(data[n], n)) for n in _JUDGED} if isinstance(data, Mapping) else data
    read = input_of(columns, _JUDGED, False, job)
    lines = list(zip(*(read.column(i) for i in range(3)), strict=True))
    for row, line in enumerate(lines):
        for name, value in zip(_JUDGED, line):
            if not value or any(c <= " " for c in value) or (name == "relevance" and not _WHOLE.fullmatch(value)):
                expected = "a whole number" if name == "relevance" else "an id without blanks"
                raise InputError(f"judgements: row {row}, column {name!r}: {value!r}; expected {expected}")
    return [f"{query} 0 {document} {relevance}\n" for query, document, relevance in lines]


@suggests
def evaluate_trec(
    ranked: Ranking | str | os.PathLike[str],
    judgements: Any,
    *,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> dict[str, Any]:
    """Evaluates a ranking by judgements, with the same results as trec_eval.

    Parameters
    ----------
    ranked
        A :class:`akin.Ranking`; or the path of one: lines of ``query Q0 document rank score tag``, as ``akin rank``
        writes them.
    judgements
        The path of a file, lines of ``query 0 document relevance``; a table, a data frame or a dictionary with the
        columns ``query``, ``document`` and ``relevance``; or a dictionary ``{query: {document: relevance}}``. Ids are
        those of the ranking, or its row numbers if it has no ids, and are compared as text.
    threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    dict
        ``ndcg_10``, ``map``, ``p_10``, ``r_100`` and ``mrr``, means over the queries with a relevant document; and the
        numbers of these ``queries``, of the ``answered`` ones, and of documents that are ``relevant`` and ``found``.

    Raises
    ------
    InputError
        A line has another format; the message names the file and the line. A relevance is not a whole number, or an id
        is empty or has a blank. No query of the ranking has judgements.
    OptionError
        A table of judgements lacks a column.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> ranking = akin.bm25(["red wine", "red house", "a river"]).rank(["red house"], k=2)
    >>> akin.evaluate_trec(ranking, {"query": [0], "document": [0], "relevance": [1]})["mrr"]
    0.5
    >>> with open("run.trec", "w") as file:
    ...     _ = file.write("q1 Q0 d7 1 3.5 akin\\nq1 Q0 d9 2 1.5 akin\\n")
    >>> with open("qrels.txt", "w") as file:
    ...     _ = file.write("q1 0 d9 1\\n")
    >>> akin.evaluate_trec("run.trec", "qrels.txt")["mrr"]
    0.5
    """
    job = settings(threads, device, memory, progress, device_memory)
    if not isinstance(ranked, (Ranking, str, os.PathLike)):
        raise TypeError(
            f"ranked is of type {type(ranked).__name__}; expected an akin.Ranking, which akin.Index.rank and "
            "akin.BM25.rank return, or the path of a file"
        )
    with tempfile.TemporaryDirectory(prefix="akin-") as folder:
        run, known = os.path.join(folder, "ranking.trec"), os.path.join(folder, "judgements.txt")
        if isinstance(judgements, (str, os.PathLike)):
            known = file_of(judgements)
        else:
            put(known, _judgements(judgements, job))
        if isinstance(ranked, Ranking):
            ranked.save(run, format="trec")
        else:
            run = file_of(ranked)
        return _akin.evaluate_trec(job, run, known)
