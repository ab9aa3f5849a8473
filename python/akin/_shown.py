"""Columns of tables that stand beside results: the values of the rows that a result names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError, OptionError
from ._checks import shown as value_shown
from ._input import OF_TEXT, Columns, columns_there, input_of
from ._rules import Sides
from ._settings import Job, here, settings
from ._table import Table

Show = str | Sides | Sequence[str | Sides] | None
_SIDES = (("left", "query"), ("right", "document", "object"))  # what the columns with rows are called


class Shown(NamedTuple):
    """A column that is shown: its title, the side of the result that has its rows, its table, and its number there."""

    name: str
    side: int
    read: _akin.Input
    at: int


def names_to_show(show: Show) -> list[str | Sides]:
    """The names of the argument ``show``."""
    if show is None:
        return []
    names = [show] if isinstance(show, (str, Sides)) else list(show) if isinstance(show, Iterable) else [None]
    if not all(isinstance(name, (str, Sides)) for name in names):
        raise TypeError(f"show is {value_shown(show)}; expected the name of a column, or a list of names")
    return names


def show_pairs(show: Show, tables: Sequence[Any], rows: Sequence[int], lossy: bool) -> list[Shown]:
    """The columns that stand beside pairs of rows. ``rows``: the number of rows of each table."""
    given = [table for table in tables if table is not None]
    columns = shown_of_pairs(names_to_show(show), given, lossy)
    for each in columns:
        _check_rows(each, rows[each.side if len(given) > 1 else 0])
    return columns


def show_hits(show: Show, queries: Any, indexed: Any, counts: tuple[int, int], lossy: bool) -> list[Shown]:
    """The columns of queries and of indexed objects that stand beside hits. ``counts``: the numbers of both."""
    names = names_to_show(show)
    if not names and indexed is not None:
        raise OptionError("indexed: expected show, the columns of this table to show")
    if sided := [name for name in names if isinstance(name, Sides)]:
        raise OptionError(f"show: {sided[0]} names a column of two tables; expected a name")
    if isinstance(queries, str):
        queries = [queries]
    has_columns = isinstance(queries, (Mapping, os.PathLike)) or hasattr(queries, "__arrow_c_stream__")
    if not has_columns and isinstance(queries, (list, tuple)) and OF_TEXT in names:
        has_columns = all(isinstance(query, str) for query in queries)
    if names and indexed is None and not has_columns:
        raise OptionError(
            "show: the queries have no columns; expected indexed, the table that was indexed, or a table of queries"
        )
    documents = [] if indexed is None else [indexed]
    columns = shown_of_queries(list(map(str, names)), queries if has_columns else None, documents, counts[1], lossy)
    for each in columns:
        _check_rows(each, counts[each.side])
    return columns


def add_shown(found: Table, shown: Sequence[Shown]) -> None:
    """Puts columns beside a result, except those that it has."""
    found._frame = beside(found._frame, [each for each in shown if each.name not in found.columns], settings())


def show_word(names: Sequence[str | Sides]) -> str:
    """Names of columns as the command and a job have them: NAME or LEFT=RIGHT, separated by commas."""
    return ",".join("=".join(dict.fromkeys(_quoted(_name_of(name, side)) for side in range(2))) for name in names)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',="') else name


def _check_rows(shown: Shown, expected: int) -> None:
    if shown.read.rows != expected:
        raise InputError(
            f"show: {shown.name}: the table has {shown.read.rows} rows when it is read for this column, and {expected} "
            "before; expected one that can be read twice"
        )


def beside(made: _akin.Frame, shown: Sequence[Shown], job: Job) -> _akin.Frame:
    """A result and the columns that are shown. Its rows are in the columns of the name of each side."""
    if not shown:
        return made
    fields = [name for name, _ in made.fields]
    titles = [*fields, *(each.name for each in shown)]
    if twice := [name for name in titles[len(fields) :] if titles.count(name) > 1]:
        raise OptionError(f"show: the result has a column {twice[0]!r} already; leave it out")
    at = [next(fields.index(name) for name in names if name in fields) for names in _SIDES]
    more = [(i, each.name, at[each.side], each.read, each.at, None, 0) for i, each in enumerate(shown, len(fields))]
    return _akin.gather(here(job), made, tuple(more))


# ---------------------------------------------------------------------------------------------------------------
# reading


def _read_shown(names: Sequence[str | Sides], tables: Sequence[Any], lossy: bool) -> list[Columns]:
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


def _titled(names: Sequence[str | Sides], sides: Sequence[Columns], prefixes: Sequence[str]) -> list[Shown]:
    """The columns that sides have, titled by the prefix of their side."""
    named = ((side, prefix, _name_of(name, side)) for name in names for side, prefix in enumerate(prefixes))
    return [Shown(prefix + name, side, *sides[side][name]) for side, prefix, name in named if name in sides[side]]


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
    sides = [(side, read, rows[side]) for side, read in enumerate(reads)]
    return [
        _joined(_name_of(name, 0), 0, [(read.get(_name_of(name, side)), count) for side, read, count in sides])
        for name in names
    ]


def _joined(title: str, side: int, parts: Sequence[tuple[tuple[_akin.Input, int] | None, int]]) -> Shown:
    """The column of several tables, one after another. A part that is None is as many nulls as its number says."""
    if len(parts) == 1 and parts[0][0] is not None:
        return Shown(title, side, *parts[0][0])
    values = [value for part, rows in parts for value in ([None] * rows if part is None else part[0].column(part[1]))]
    return Shown(title, side, _akin.from_lists(here(settings()), ("shown",), (values,)), 0)


def shown_of_queries(
    names: Sequence[str], queries: Any, documents: Sequence[Any], count: int, lossy: bool = False
) -> list[Shown]:
    """Columns of queries, and of the ``count`` documents of an index, which the tables have in their order. ``queries``
    is None if they are text without columns."""
    if not names:
        return []
    of_queries = {} if queries is None else columns_there(queries, names, names if documents else (), lossy, settings())
    of_documents = _of_documents(names, of_queries, queries is None, documents, count, lossy)
    return _titled(names, (of_queries, of_documents), ("query_", "document_"))


def _of_documents(
    names: Sequence[str], of_queries: Mapping[str, Any], must: bool, documents: Sequence[Any], count: int, lossy: bool
) -> Columns:
    """Columns of the documents. A column is in all tables of documents, or in none of them and in the queries.
    ``must``: it must be in the documents."""
    if not documents:
        return {}
    reads = [columns_there(table, names, () if must else names, lossy, settings()) for table in documents]
    rows = [
        next(iter(read.values()))[0].rows if read else input_of(table, None, lossy, settings()).rows
        for read, table in zip(reads, documents, strict=True)
    ]
    if sum(rows) != count:
        raise InputError(
            f"indexed: there are {sum(rows)} rows, and the index has {count}; expected what was indexed, each file in "
            "its order"
        )
    found: Columns = {}
    for name in names:
        having = [read for read, number in zip(reads, rows, strict=True) if name in read or not number]
        if len(having) == len(reads):
            joined = _joined(name, 1, [(read.get(name), 0) for read in having])
            found[name] = joined.read, joined.at
        elif having or name not in of_queries:
            where = "each file of documents" if having else "the documents, nor in the queries"
            raise OptionError(f"show: there is no column {name!r} with values in {where}")
    return found
