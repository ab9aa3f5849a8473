"""Files of results, with the same bytes as those of the commands: ids, rounded values, and columns of the tables beside
them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError, OptionError
from ._input import columns_there, file_of, format_number, input_of
from ._pairs import Pairs
from ._rules import Sides
from ._settings import settings
from ._table import Table
from ._write import format_of, write

Given = Mapping[str, Any]  # the members of a job


class Shown(NamedTuple):
    """A column of a table that stands beside results: its title, the side of the result that has its rows, and its
    values by row."""

    name: str
    side: int
    values: Sequence[str | None]


def _read_shown(names: Sequence[str | Sides], tables: Sequence[Any], lossy: bool) -> list[dict[str, list[str | None]]]:
    """The columns that results show, of one table or two. LEFT=RIGHT is in both tables, and a column of one name in at
    least one of them."""
    if not names:
        return [{} for _ in tables]
    if len(tables) == 1:
        if sided := [name for name in names if isinstance(name, Sides)]:
            raise OptionError(f"show: {sided[0]} names a column of two tables, and there is one")
        return [columns_there(tables[0], map(str, names), (), lossy, settings())]
    of_both = [name for name in names if isinstance(name, str)]
    left = columns_there(tables[0], [_name_of(name, 0) for name in names], of_both, lossy, settings())
    optional = [name for name in of_both if name in left]
    return [left, columns_there(tables[1], [_name_of(name, 1) for name in names], optional, lossy, settings())]


def _name_of(name: str | Sides, side: int) -> str:
    return (name.right if side else name.left) if isinstance(name, Sides) else name


def _titled(
    names: Sequence[str | Sides], sides: Sequence[Mapping[str, Sequence[str | None]]], prefixes: Sequence[str]
) -> list[Shown]:
    """The columns that sides have, titled by the prefix of their side."""
    named = ((side, prefix, _name_of(name, side)) for name in names for side, prefix in enumerate(prefixes))
    return [Shown(prefix + name, side, sides[side][name]) for side, prefix, name in named if name in sides[side]]


def shown_of_pairs(names: Sequence[str | Sides], tables: Sequence[Any], lossy: bool = False) -> list[Shown]:
    """Columns of two tables, or of one table for both sides."""
    reads = _read_shown(names, tables, lossy)
    return _titled(names, (reads[0], reads[-1]), ("left_", "right_"))


def shown_of_clusters(
    names: Sequence[str | Sides], tables: Sequence[Any], rows: Sequence[int], lossy: bool = False
) -> list[Shown]:
    """Columns of the tables one after another, as clusters number their rows. ``rows``: the number of rows of each
    table."""
    reads = _read_shown(names, tables, lossy)
    sides = [(side, read, [None] * rows[side]) for side, read in enumerate(reads)]
    return [
        Shown(
            _name_of(name, 0),
            0,
            [value for side, read, nothing in sides for value in read.get(_name_of(name, side), nothing)],
        )
        for name in names
    ]


def shown_of_queries(
    names: Sequence[str], queries: Any, documents: Sequence[Any], count: int, lossy: bool = False
) -> list[Shown]:
    """Columns of queries, and of the ``count`` documents of an index, which the tables have in their order. ``queries``
    is None if the job contains them as text."""
    if not names:
        return []
    of_queries = {} if queries is None else columns_there(queries, names, names if documents else (), lossy, settings())
    return _titled(
        names,
        (of_queries, _of_documents(names, of_queries, queries is None, documents, count, lossy)),
        ("query_", "document_"),
    )


def _of_documents(
    names: Sequence[str], of_queries: Mapping[str, Any], must: bool, documents: Sequence[Any], count: int, lossy: bool
) -> dict[str, list[str | None]]:
    """Columns of the documents. A column is in all tables of documents, or in none of them and in the queries.
    ``must``: it must be in the documents."""
    if not documents:
        return {}
    reads = [columns_there(table, names, () if must else names, lossy, settings()) for table in documents]
    rows = [
        len(next(iter(read.values()))) if read else input_of(table, None, lossy, settings()).rows
        for read, table in zip(reads, documents, strict=True)
    ]
    if sum(rows) != count:
        raise InputError(
            f"indexed: there are {sum(rows)} rows, and the index has {count}; expected what was indexed, each file in its order"
        )
    found: dict[str, list[str | None]] = {}
    for name in names:
        having = [read for read, number in zip(reads, rows, strict=True) if name in read or not number]
        if len(having) == len(reads):
            found[name] = [value for read in having for value in read.get(name, ())]
        elif having or name not in of_queries:
            where = "each file of documents" if having else "the documents, nor in the queries"
            raise OptionError(f"show: there is no column {name!r} with values in {where}")
    return found


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
    return [[column.values[row] for row in rows[column.side]] for column in shown]


def write_clusters(
    found: Pairs,
    path: str,
    given: str | None,
    ids: Sequence[Sequence[str | None]] | None,
    least: int,
    shown: Sequence[Shown] = (),
) -> None:
    """Writes the cluster of each row."""
    rows, clusters = found.rows, found.clusters
    names = [*range(rows[0]), *range(rows[1])] if ids is None else [name for side in ids for name in side]
    columns: tuple[str, ...] = ("id", "cluster", "size", "representative")
    kept = [
        line
        for line in zip(*(clusters[name] for name in ("row", "cluster", "size", "representative")), strict=True)
        if line[2] >= least
    ]
    lines: list[tuple[Any, ...]] = [(names[row], cluster, size, names[first]) for row, cluster, size, first in kept]
    if rows[1]:
        columns = ("side", "id", "cluster", "size", "representative_side", "representative")
        side = ["left"] * rows[0] + ["right"] * rows[1]
        lines = [
            (side[row], *line[:3], side[first], line[3]) for (row, *_, first), line in zip(kept, lines, strict=True)
        ]
    if shown:
        columns += tuple(column.name for column in shown)
        lines = [
            (*line, *(column.values[row] for column in shown)) for (row, *_), line in zip(kept, lines, strict=True)
        ]
    write(path, format_of(path, given), columns, lines)


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
    write(
        path, format_of(path, given), titles, zip(*columns, strict=True), slice(3, 2 + len(names)) if nested else None
    )


def write_records(found: Pairs, table: Any, how: Given, said: Given, format: str | None = None) -> None:
    """Writes the first record of each cluster, as it stands in the file."""
    run = {key: how[key] for key in ("threads", "device", "memory", "device_memory", "progress") if key in how}
    representative = found.clusters.buffer("representative")
    number = format_number(table, format)
    _akin.write_records(
        settings(**run), file_of(table), number, bool(said.get("lossy")), representative, said["deduplicated"]
    )


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
    )


def write_compared(found: Table, path: str, given: str | None, digits: int | None, name: str) -> None:
    """Writes the similarity or the distance of each row."""
    write(
        path,
        format_of(path, given),
        ("row", name),
        ((row, rounded(value, digits)) for row, value in enumerate(found[name])),
    )
