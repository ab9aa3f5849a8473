"""Files of results, with the same bytes as those of the commands: ids, rounded values, and columns of the tables beside
them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from . import _akin
from ._akin import OptionError
from ._input import format_number, readable_of
from ._openers import is_opened, naming_store
from ._pairs import Pairs, format_of_ids
from ._settings import settings
from ._shown import Shown
from ._table import Table
from ._write import format_of, saved_format, write

Given = Mapping[str, Any]  # the members of a job


def rounded(value: Any, digits: int | None) -> Any:
    """A value as the command writes it. A float that is not finite is written as null."""
    if not isinstance(value, float):
        return value
    return None if not math.isfinite(value) else value if digits is None else round(value, digits)


def ranks_of(queries: Iterable[Any]) -> list[int]:
    """The rank of each result among those of its query."""
    return [rank for _, same in groupby(queries) for rank, _ in enumerate(same, 1)]


def named(found: Table, side: str, name: str) -> Any:
    """The names of the rows of a side: their ids, else their numbers."""
    return found[name if name in found.columns else side]


def values_of(shown: Sequence[Shown], *rows: Iterable[int]) -> list[list[str | None]]:
    """The values that lines show: ``rows`` are those of each side, line by line."""
    found = []
    for column in shown:
        values = column.read.column(column.at)
        found.append([values[row] for row in rows[column.side]])
    return found


def formats_of(shown: Sequence[Shown]) -> dict[str, str]:
    """The types of columns that lines show, in Arrow's notation."""
    return {column.name: column.read.formats[column.at] for column in shown}


def write_clusters(
    found: Pairs,
    path: str,
    given: str | None,
    ids: Sequence[Sequence[str | None]] | None,
    least: int,
    shown: Sequence[Shown] = (),
) -> None:
    """Writes the cluster of each row. ``shown``: columns of the rows, the right ones after the left ones."""
    clusters, of_two = found.clusters, found.of_two
    names = [range(count) for count in found.rows] if ids is None else ids
    sides: list[Sequence[Any]] = [["left"] * len(clusters)] * 2
    columns: dict[str, Sequence[Any]] = {}
    if of_two:
        sides = [list(clusters["side"]), list(clusters["representative_side"])]
        columns["side"] = sides[0]
    columns["id"] = _called(names, sides[0], list(clusters["row"]))
    columns |= {name: list(clusters[name]) for name in ("cluster", "size")}
    if of_two:
        columns["representative_side"] = sides[1]
    columns["representative"] = _called(names, sides[1], list(clusters["representative"]))
    kept = [i for i, size in enumerate(clusters["size"]) if size >= least]
    values = [[column[i] for i in kept] for column in columns.values()] + values_of(shown, kept)
    apart = [f"shown_{column.name}" if column.name in columns else column.name for column in shown]
    if repeated := next((i for i, name in enumerate(apart) if name in apart[:i]), None):
        both = f"{shown[apart.index(apart[repeated])].name},{shown[repeated].name}"
        raise OptionError(
            f"--show {both}: both columns would be called {apart[repeated]} in clusters: leave one out"
        )
    titles = (*columns, *apart)
    formats = dict(zip(apart, formats_of(shown).values(), strict=True))
    formats |= dict.fromkeys(("id", "representative"), format_of_ids(found))
    write(path, format_of(path, given), titles, zip(*values, strict=True), formats=formats)


def _called(names: Sequence[Sequence[Any]], sides: Sequence[str], rows: Sequence[int]) -> list[Any]:
    """The names of rows of two tables."""
    return [names[side == "right"][row] for side, row in zip(sides, rows, strict=True)]


def write_pairs(
    found: Pairs,
    path: str,
    given: str | None,
    digits: int | None,
    names: Sequence[str],
    nested: bool,
    shown: Sequence[Shown] = (),
) -> None:
    """Writes pairs with the columns of these names. ``nested``: in JSON lines, the columns from the second one on are
    members of an object."""
    columns: list[Any] = [named(found, side, f"{side}_id") for side in ("left", "right")]
    columns += [[rounded(value, digits) for value in found[name]] for name in names]
    columns += values_of(shown, found["left"], found["right"])
    titles = ("left", "right", *names, *(column.name for column in shown))
    part = slice(3, 2 + len(names)) if nested else None
    write(path, format_of(path, given), titles, zip(*columns, strict=True), part, formats=formats_of(shown))


def write_records(found: Pairs, table: Any, how: Given, said: Given, format: str | None = None) -> None:
    """Writes the first record of each cluster, as it stands in the file. Those of Parquet and Arrow are copied."""
    if isinstance(table, (str, os.PathLike)) and is_opened(os.fspath(table)):
        _copy_records(found, os.fspath(table), said["deduplicated"])
        return
    run = {key: how[key] for key in ("threads", "device", "memory", "device_memory", "progress") if key in how}
    representative = found.clusters.buffer("representative")
    number = format_number(table, format)
    path = readable_of(table)
    with naming_store(path):
        _akin.write_records(
            settings(**run), path, number, bool(said.get("lossy")), representative, said["deduplicated"]
        )


def _copy_records(found: Pairs, path: str, output: str) -> None:
    from ._savers import copy_rows

    format = saved_format(output)
    if format is None:
        raise OptionError(
            f"deduplicated: the records of {_akin.shown_address(path)} keep their types; expected a name such as "
            "FILE.parquet, or the address of a table in a database"
        )
    representatives = found.clusters["representative"]
    copy_rows(path, output, format, [row == first for row, first in enumerate(representatives)])


def write_hits(
    found: Table, path: str, given: str | None, digits: int | None, measured: bool, shown: Sequence[Shown] = ()
) -> None:
    """Writes the objects that a search found. ``measured``: with no other value than the similarity."""
    names = (
        ["similarity"]
        if measured
        else [name for name in found.columns if name not in ("query", "query_id", "object", "id")]
    )
    columns: list[Any] = [named(found, "query", "query_id"), ranks_of(found["query"]), named(found, "object", "id")]
    columns += [[rounded(value, digits) for value in found[name]] for name in names]
    columns += values_of(shown, found["query"], found["object"])
    write(
        path,
        format_of(path, given),
        ("query", "rank", "id", *names, *(column.name for column in shown)),
        zip(*columns, strict=True),
        formats=formats_of(shown),
    )


def write_compared(found: Table, path: str, given: str | None, digits: int | None, name: str) -> None:
    """Writes the similarity or the distance of each row."""
    write(
        path,
        format_of(path, given),
        ("row", name),
        ((row, rounded(value, digits)) for row, value in enumerate(found[name])),
    )
