"""Merged records: one for each cluster, whose values a rule for each column chooses from the records of the cluster."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError, OptionError
from ._checks import flag, shown, text
from ._choices import choices, values
from ._input import as_list, input_of, no_column
from ._pairs import Pairs, format_of_ids, ids_of_rows
from ._settings import Job, Progress, Size, settings
from ._suggest import did_you_mean, suggests
from ._table import Table
from ._write import format_of, write

_SOURCE = "_source"  # behind the name of a column


class _Rule(NamedTuple):
    """How the value of a column is chosen: the value of the rule, and the column that it compares, or None."""

    value: int
    by: str | None


def _rule_of(word: Any, name: str) -> _Rule:
    """The rule that a word such as "newest:updated" says. ``name``: where it stands, for messages."""
    rows = {row.name: row for row in choices("merge-rules")}
    rule, colon, by = text(word, name).partition(":")
    if rule not in rows:
        expected = ", ".join(row.name + row.arguments for row in rows.values())
        raise OptionError(f"{name}: unknown merge rule {rule!r}: expected {expected}{did_you_mean(rule, rows)}")
    if bool(rows[rule].arguments) != bool(colon and by):
        raise OptionError(f"{name} is {word!r}; expected {rule}{rows[rule].arguments}")
    return _Rule(values("merge-rules")[rule], by or None)


def _rules_of(rules: Any, default: Any, names: Sequence[str]) -> list[_Rule]:
    """The rule of each column of a table."""
    if rules is not None and not isinstance(rules, Mapping):
        raise TypeError(f"rules is {shown(rules)}; expected a dictionary of columns and rules, such as 'longest'")
    said = {column: _rule_of(word, f"rules[{column!r}]") for column, word in (rules or {}).items()}
    usual = _rule_of(default, "default")
    for column in [*said, *(rule.by for rule in (*said.values(), usual) if rule.by is not None)]:
        if column not in names:
            no_column(f"rules: there is no column {column!r} in the table", column, names)
    return [said.get(name, usual) for name in names]


def _numbers_of(clusters: Any, job: Job) -> tuple[array[int] | _akin.Buffer, int]:
    """The number of the cluster of each row, and how many clusters there are."""
    if isinstance(clusters, Pairs):
        if clusters.of_two:
            raise TypeError("clusters: the result is of two tables; expected the clusters of one")
        clusters = clusters.clusters
    if isinstance(clusters, Table) and "side" in clusters.columns:
        raise TypeError("clusters: they are of two tables; expected the clusters of one")
    if isinstance(clusters, Table) and {"row", "cluster"} <= set(clusters.columns):
        if (numbered := clusters.buffer("cluster")) is not None:
            return numbered, max(memoryview(numbered).cast("B").cast("I"), default=-1) + 1
    labels: Any
    if isinstance(clusters, Mapping):
        if "cluster" not in clusters:
            no_column("clusters: there is no column 'cluster'", "cluster", list(clusters))
        labels = as_list(clusters["cluster"], "cluster")
    elif isinstance(clusters, (list, tuple)) or hasattr(clusters, "tolist"):
        labels = as_list(clusters, "clusters")
    else:
        labels = input_of(clusters, ["cluster"], False, job).column(0)
    numbers: dict[Any, int] = {}
    return array("I", (numbers.setdefault(label, len(numbers)) for label in labels)), len(numbers)


def _check_names(names: Sequence[str]) -> None:
    """Refuses a column whose name is that of the sources of another."""
    if taken := [name for name in names if name + _SOURCE in names]:
        raise OptionError(f"sources: the table has a column {taken[0] + _SOURCE!r}, as the sources of {taken[0]!r} are")


def _merged(read: _akin.Input, clusters: Any, rules: list[_Rule], source: str | None, job: Job) -> Table:
    """One row for each cluster. ``source``: what stands behind the name of a column of rows; None: there are none."""
    numbers, count = _numbers_of(clusters, job)
    names = list(read.names)
    length = len(memoryview(numbers).cast("B")) // 4
    if length != read.rows:
        raise InputError(f"clusters: there are {length} rows, and the table has {read.rows}")
    how = tuple(
        (rule.value, -1 if rule.by is None else names.index(rule.by), name + (source or ""))
        for name, rule in zip(names, rules, strict=True)
    )
    return Table(_akin.merge(job, read, numbers, count, how, source is not None))


@suggests
def merge(
    table: Any,
    clusters: Any,
    rules: Mapping[str, str] | None = None,
    *,
    default: str = "frequent",
    sources: bool = False,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Merges the records of each cluster into one: golden records.

    Parameters
    ----------
    table
        The records: a table, a data frame, a dictionary of lists or a file.
    clusters
        A result of one table, such as that of :func:`akin.dedupe`; a table or a file with the column ``cluster``, which
        has a row for each record, in their order; or a list of the clusters of the records.
    rules
        How the value of a column is chosen, by its name: a name of ``akin.choices("merge-rules")``, such as
        ``"longest"``. ``"newest:updated"`` takes the value of the record with the latest or greatest value in the
        column ``updated``. Missing values, which are null or empty, are passed over. Of equally good values the first
        one wins.
    default
        The rule of all other columns.
    sources
        For each column ``NAME`` add a column ``NAME_source``, with the row that the value is from.
    lossy
        Replace bytes that are not UTF-8 by U+FFFD, instead of refusing them.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Table
        A row for each cluster, with the columns of ``table``, in the order of the first rows of the clusters. A value
        is null if no record of the cluster has one.

    Raises
    ------
    OptionError
        A rule is unknown, or a column is missing.
    InputError
        A file is malformed, or the numbers of records and of rows of ``clusters`` differ.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> people = {"name": ["Anna Maria", "Anna Marie", "Bert"], "town": [None, "Ulm", "Bonn"]}
    >>> found = akin.dedupe(people, "name:jaro-winkler", all_pairs=True, threshold=0.9)
    >>> golden = akin.merge(people, found, {"name": "longest"}, sources=True)
    >>> golden["name"], golden["town"], golden["town_source"]
    (['Anna Maria', 'Bert'], ['Ulm', 'Bonn'], [1, 2])
    """
    job = settings(threads, device, memory, progress, device_memory)
    read = input_of(table, None, flag(lossy, "lossy"), job)
    if flag(sources, "sources"):
        _check_names(read.names)
    return _merged(read, clusters, _rules_of(rules, default, read.names), _SOURCE if sources else None, job)


# ---------------------------------------------------------------------------------------------------------------- jobs

_EVERY = "all"  # in place of a column
_SAID = re.compile(r'(?:"((?:[^"]|"")*)"|([^":][^:]*)):([^:]+)(?::(?:"((?:[^"]|"")*)"|([^":]+)))?')


def _rules_of_job(words: Sequence[Any], names: Sequence[str]) -> list[_Rule]:
    """The rules of the key ``merge`` of a job: COLUMN:RULE and COLUMN:RULE:COLUMN."""
    rules: dict[str, str] = {}
    default = "frequent"
    for word in words:
        found = _SAID.fullmatch(word) if isinstance(word, str) else None
        if not found:
            raise OptionError(f"merge is {shown(word)}; expected COLUMN:RULE")
        quoted, plain, rule, by_quoted, by = found.groups()
        rule = ":".join([rule, *([by] if by else [by_quoted.replace('""', '"')] if by_quoted else [])])
        if plain == _EVERY:
            default = rule
        else:
            rules[plain or quoted.replace('""', '"')] = rule
    return _rules_of(rules, default, names)


def write_merged(found: Pairs, table: Any, said: Mapping[str, Any], lossy: bool) -> None:
    """Writes the merged records that a job asks for."""
    job = settings()
    read = input_of(table, None, lossy, job)
    rules, with_sources = _rules_of_job(said.get("merge", []), read.names), bool(said.get("merged-sources"))
    source = _SOURCE
    if with_sources:
        _check_names(read.names)
    while any(name + source in read.names for name in read.names):
        source += "_"
    merged = _merged(read, found, rules, source, job)
    rows = [list(merged[name + source]) for name in read.names]
    columns: list[list[Any]] = []
    for at, of_column in enumerate(rows):
        texts = read.column(at)
        columns.append([None if row is None else texts[row] for row in of_column])
    formats = dict(zip(read.names, read.formats, strict=True))
    titles = list(read.names)
    if with_sources:
        ids = ids_of_rows(found)
        columns += [[row if row is None or ids is None else ids[0][row] for row in each] for each in rows]
        titles += [name + _SOURCE for name in read.names]
        formats |= dict.fromkeys(titles[len(rows) :], format_of_ids(found))
    path = said["merged"]
    write(path, format_of(path, said.get("format")), tuple(titles), zip(*columns, strict=True), formats=formats)
