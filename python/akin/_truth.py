"""The quality of search results, against the known nearest objects."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ._akin import InputError
from ._input import input_of
from ._objects import matrix_of
from ._settings import Job
from ._table import Table

Known = list[list[int]]


def _numbers(texts: list[str | None], name: str) -> list[int]:
    try:
        return [int(text or "") for text in texts]
    except ValueError:
        raise InputError(f"truth: column {name!r}: expected whole numbers") from None


def _of_columns(data: Any, job: Job) -> tuple[list[int], list[int], list[int] | None]:
    """The queries, objects and distances (if there are any) of a result, or of a table as ``akin search`` writes it."""
    if isinstance(data, Table) and {"query", "object"} <= set(data.columns):
        known = data["distance"].tolist() if "distance" in data.columns else None
        return data["query"].tolist(), data["object"].tolist(), known
    read = input_of(data, None, False, job)
    columns = {name: i for i, name in enumerate(read.names)}
    name = next((name for name in ("object", "row", "id") if name in columns), None)
    if "query" not in columns or name is None:
        raise InputError("truth: expected columns 'query', and 'object', 'row' or 'id'")
    edits = _numbers(read.column(columns["distance"]), "distance") if "distance" in columns else None
    return _numbers(read.column(columns["query"]), "query"), _numbers(read.column(columns[name]), name), edits


def _is_table(data: Any) -> bool:
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data).removesuffix(".gz").removesuffix(".zst").endswith((".csv", ".tsv", ".jsonl"))
    return hasattr(data, "__arrow_c_stream__") or isinstance(data, dict)


def known_of(data: Any, queries: int, k: int, objects: int, job: Job) -> tuple[Known, list[list[int]] | None]:
    """The ``k`` nearest objects of each query, and their distances, if there are any."""
    edits = None
    if _is_table(data):
        known: Known = [[] for _ in range(queries)]
        far: Known = [[] for _ in range(queries)]
        asked, found, edits = _of_columns(data, job)
        for i, query in enumerate(asked):
            if 0 <= query < queries and len(known[query]) < k:
                known[query].append(found[i])
                far[query].append(edits[i] if edits else 0)
    else:
        matrix = matrix_of(data, False, job)
        try:
            known = [matrix.row(query)[:k] for query in range(min(queries, matrix.shape()[0]))]
        except IndexError:
            raise InputError("truth: a matrix of floats; expected whole numbers, those of objects") from None
    if len(known) < queries or any(len(row) < k for row in known):
        raise InputError(f"truth: expected {k} neighbours of each of {queries} queries, as many as are looked for")
    for query, row in enumerate(known):
        if len(set(row)) < k or not all(0 <= value < objects for value in row):
            raise InputError(f"truth: query {query}: expected numbers of objects below {objects}, each once")
    return known, far if edits else None


def rate(found: Table, known: Known, distance: Callable[[int, int], float] | None, far: Known | None) -> dict[str, Any]:
    """Figures of search results. ``recall`` is the share of the nearest objects that was found; an object as near as
    the farthest of them counts, too. ``ratio`` is how many times farther the found objects are than the nearest ones,
    on average, the i-th compared with the i-th (equation 13 of the paper); None without distances. ``endless`` is the
    number of found objects without a ratio, because the true neighbour has the distance 0."""
    of_query: dict[int, list[tuple[int, float]]] = {}
    edits = found["distance"] if far else [0.0] * len(found)
    for query, object, edit in zip(found["query"], found["object"], edits):
        of_query.setdefault(query, []).append((object, distance(query, object) if distance else edit))
    right, endless, ratios = 0, 0, []
    for query, hits in of_query.items():
        near = sorted(
            distance(query, object) for object in known[query]
        ) if distance else sorted(far[query]) if far else []
        truth = set(known[query])
        right += sum(object in truth or (bool(near) and value == near[-1]) for object, value in hits)
        pairs = list(zip(sorted(value for _, value in hits), near))
        rated = [value / least if least > 0 else 1.0 for value, least in pairs if least > 0 or value <= 0]
        endless += len(pairs) - len(rated)
        if rated:
            ratios.append(sum(rated) / len(rated))
    wanted = sum(map(len, known))
    return {
        "recall": right / wanted if wanted else None,
        "ratio": sum(ratios) / len(ratios) if ratios else None,
        "endless": endless,
    }
