"""How good pairs are against those that are known to be right."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Unpack

from . import _akin
from ._akin import OptionError
from ._input import input_of
from ._settings import Settings, settings
from ._table import Table


class Evaluation(NamedTuple):
    """Precision is both / pairs, recall both / gold, f1 2 * both / (pairs + gold); each 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float
    pairs: int
    """distinct pairs that were found"""
    gold: int
    """distinct pairs that are known"""
    both: int


def _columns_of(data: Any) -> list[str] | None:
    """Names of the columns, if they can be told without reading."""
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    if names is None or callable(names):
        return None
    return [name for name in names if isinstance(name, str)]


def ids_of(data: Any, job: tuple) -> _akin.Input:
    """Two columns of ids: those called left_id and right_id, or left and right, or the first two."""
    if isinstance(data, Mapping) and not isinstance(data, Table):
        names = list(data)
    elif isinstance(data, (list, tuple, set, frozenset)):
        pairs = list(data)
        ids = [[str(pair[side]) for pair in pairs] for side in (0, 1)]
        return _akin.from_lists(job, ("left", "right"), (ids[0], ids[1]))
    elif isinstance(data, (str, os.PathLike)):
        names = list(input_of(data, None, False, job).names)
    else:
        names = _columns_of(data) or []
    if len(names) < 2:
        raise OptionError("expected pairs: a table with two columns of ids, or a list of pairs")
    called = [pair for pair in (["left_id", "right_id"], ["left", "right"]) if set(pair) <= set(names)]
    chosen = called[0] if called else names[:2]
    columns = {n: [v if v is None else str(v) for v in data[n]] for n in chosen} if isinstance(data, Mapping) else data
    return input_of(columns, chosen, False, job)


def evaluate(
    pairs: Any, gold: Any, *, linked: bool = False, closed: bool = False, **run: Unpack[Settings]
) -> Evaluation:
    """Precision, recall and f1 of pairs against a gold standard.

    Parameters
    ----------
    pairs, gold
        Tables with columns ``left_id`` and ``right_id``, or ``left`` and ``right``, or whose first two columns are ids; files of
        such; or lists of pairs. Ids are compared as text, and a pair counts once however often it is there.
    linked
        Left and right ids are of two collections: a pair is ordered then. Else (1, 2) is (2, 1), and a pair of an id with itself
        counts nowhere.
    closed
        Of the transitive closures of both: two ids are a pair as soon as a chain of pairs connects them.
    **run
        ``threads``, ``device``, ``memory``, ``progress``: see the package.

    Returns
    -------
    Evaluation
        A named tuple.
    """
    job = settings(**run)
    return Evaluation(*_akin.evaluate(job, ids_of(pairs, job), ids_of(gold, job), linked, closed))
