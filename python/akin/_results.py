"""Files of results, as the commands write them: by ids where rows have such, rounded, with columns of the tables beside."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from . import _akin
from ._akin import OptionError
from ._input import file_of, format_number, input_of
from ._pairs import Pairs
from ._settings import settings
from ._table import Table
from ._write import format_of, write

Given = Mapping[str, Any]


class Shown(NamedTuple):
    """A column of a table that stands beside results: what it is called there, of which side it is, and its values by row."""

    name: str
    side: int
    values: Sequence[str | None]


def shown_of(names: Sequence[str], tables: Sequence[Any], prefixes: Sequence[str], lossy: bool = False) -> list[Shown]:
    """Columns of the tables, or of one table for both sides, called by the prefix of their side."""
    reads = [input_of(table, names, lossy, settings()) for table in tables] if names else []
    return [
        Shown(prefix + name, side, reads[min(side, len(reads) - 1)].column(i))
        for i, name in enumerate(names)
        for side, prefix in enumerate(prefixes)
    ]


def shown_of_all(names: Sequence[str], tables: Sequence[Any], lossy: bool = False) -> list[Shown]:
    """Columns of the tables one after the other, as clusters number their rows."""
    reads = [input_of(table, names, lossy, settings()) for table in tables] if names else []
    return [Shown(name, 0, [value for read in reads for value in read.column(i)]) for i, name in enumerate(names)]


def rounded(value: Any, digits: int | None) -> Any:
    """As the command writes it: what is no finite number is nothing."""
    if not isinstance(value, float):
        return value
    return None if not math.isfinite(value) else value if digits is None else round(value, digits)


def ranks_of(queries: Iterable[Any]) -> list[int]:
    """The rank of each result among those of its query."""
    return [rank for _, same in groupby(queries) for rank, _ in enumerate(same, 1)]


def named(found: Table, side: str, name: str) -> Any:
    """What the rows of a side are called: their ids, or else their numbers."""
    return found[name if name in found.columns else side]


def write_clusters(
    found: Pairs, path: str, given: str | None, ids: Sequence[Sequence[str | None]] | None, least: int, shown: Sequence[Shown] = ()
) -> None:
    """The cluster of each row."""
    rows, clusters = found.rows, found.clusters
    names = [*range(rows[0]), *range(rows[1])] if ids is None else [name for side in ids for name in side]
    columns: tuple[str, ...] = ("id", "cluster", "size", "representative")
    kept = [line for line in zip(*(clusters[name] for name in ("row", "cluster", "size", "representative")), strict=True) if line[2] >= least]
    lines: list[tuple[Any, ...]] = [(names[row], cluster, size, names[first]) for row, cluster, size, first in kept]
    if rows[1]:
        columns = ("side", "id", "cluster", "size", "representative_side", "representative")
        side = ["left"] * rows[0] + ["right"] * rows[1]
        lines = [(side[row], *line[:3], side[first], line[3]) for (row, *_, first), line in zip(kept, lines, strict=True)]
    if shown:
        columns += tuple(column.name for column in shown)
        lines = [(*line, *(column.values[row] for column in shown)) for (row, *_), line in zip(kept, lines, strict=True)]
    write(path, format_of(path, given), columns, lines)


def write_pairs(
    found: Pairs, path: str, given: str | None, digits: int | None, names: Sequence[str], nested: bool, shown: Sequence[Shown] = ()
) -> None:
    """Pairs with columns of these names; ``nested``: those from the second one on are an object of a line of JSON."""
    columns: list[Any] = [named(found, side, f"{side}_id") for side in ("left", "right")]
    columns += [[rounded(value, digits) for value in found[name]] for name in names]
    columns += [[column.values[row] for row in found[("left", "right")[column.side]]] for column in shown]
    titles = ("left", "right", *names, *(column.name for column in shown))
    write(path, format_of(path, given), titles, zip(*columns, strict=True), slice(3, 2 + len(names)) if nested else None)


def write_records(found: Pairs, table: Any, how: Given, said: Given, format: str | None = None) -> None:
    """The first record of each cluster, as it stands in the file."""
    run = {key: how[key] for key in ("threads", "device", "memory", "device_memory", "progress") if key in how}
    representative = found.clusters.buffer("representative")
    number = format_number(table, format)
    _akin.write_records(settings(**run), file_of(table), number, bool(said.get("lossy")), representative, said["deduplicated"])


def write_hits(found: Table, path: str, given: str | None, digits: int | None, measured: bool, shown: Sequence[Shown] = ()) -> None:
    """What a search has found; ``measured``: by a similarity, which is all that is written of it then."""
    if "certified" in found.columns:
        raise OptionError("output: the file of a search of strings has how each result is certified, which Python does not know: save the result, or run akin search --job")
    names = ["similarity"] if measured else [name for name in found.columns if name not in ("query", "query_id", "object", "id")]
    columns: list[Any] = [named(found, "query", "query_id"), ranks_of(found["query"]), named(found, "object", "id")]
    columns += [[rounded(value, digits) for value in found[name]] for name in names]
    columns += [[column.values[row] for row in found["query"]] for column in shown]
    write(path, format_of(path, given), ("query", "rank", "id", *names, *(column.name for column in shown)), zip(*columns, strict=True))


def write_compared(found: Table, path: str, given: str | None, digits: int | None, name: str) -> None:
    """The similarity or the distance of each row."""
    write(path, format_of(path, given), ("row", name), ((row, rounded(value, digits)) for row, value in enumerate(found[name])))
