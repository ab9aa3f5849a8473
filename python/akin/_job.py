"""Jobs: what ``akin dedupe --job`` does, from the same file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, cast

from . import _akin, _choices
from ._akin import InputError, OptionError
from ._checks import shown, whole
from ._dedupe import Options, find
from ._input import FORMATS
from ._pairs import Duplicates
from ._settings import Settings, settings
from ._suggest import did_you_mean
from ._write import ending_of, format_of, write

_SELECTIONS = {row.name.replace("-", "_"): row for row in _choices.choices("selections")}
_PLANNED = {row.name: row for row in [*_SELECTIONS.values(), *_choices.choices("plan-options")]}
_FILES = ("output", "pairs", "deduplicated", "report")
_NUMBERS = ("clusters-of", "digits", "threads")
_TRUE = ("lossy", "quiet")
_TEXTS = (*_FILES, "show", "input-format", "format", "gold", "memory", "device", "device-memory")
_KEYS = ("akin", "version", "input", *_PLANNED, *_NUMBERS, *_TRUE, *_TEXTS)
_FORMER = {"output-format": "format", "pairs-out": "pairs"}  # keys that were renamed, as in cli/former.c: an old one is refused with the new one
_COMMANDS = ("dedupe", "link")
_HOW = ("threads", "device", "memory", "device_memory", "progress")


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        twice = next(key for i, (key, _) in enumerate(members) if key in (k for k, _ in members[:i]))
        raise InputError(f"key {twice!r} is there twice")
    return found


def _read(job: Any) -> dict[str, Any]:
    """The members of a job, a file or what one holds, each of the kind that it should be."""
    name = "the job"
    if isinstance(job, (str, os.PathLike)):
        name = os.fspath(job)
        with open(job, encoding="utf-8") as file:
            try:
                job = json.load(file, object_pairs_hook=_once)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{name}: {error}") from None
    if not isinstance(job, Mapping) or job.get("akin") not in _COMMANDS or job.get("version") != 1:
        raise InputError(f'{name}: expected "akin": "dedupe" or "link" and "version": 1, by which it is known as a job')
    for key, value in job.items():
        if key == "pairs" and (now := _former_selection(value)):
            raise InputError(f"{name}: 'pairs' is {shown(value)}; it is the file that pairs are written to; to select pairs write {now}")
        if key in _FORMER:
            raise InputError(f"{name}: {key!r} is now called {_FORMER[key]!r}")
        if key not in _KEYS:
            raise InputError(f"{name}: {key!r} is unknown; expected the long name of an option of akin dedupe")
        can = _PLANNED[key].capabilities if key in _PLANNED else frozenset()
        if "repeated" in can or key == "input":
            fits, expected = isinstance(value, list), "a list"
        elif "flag" in can or key in _TRUE:
            fits, expected = isinstance(value, bool), "true or false"
        elif "number" in can or key in _NUMBERS:
            fits, expected = isinstance(value, (int, float, str)) and not isinstance(value, bool), "a number"
        elif key == "id":
            fits, expected = isinstance(value, (str, dict)), "a string or an object"
        else:
            fits, expected = isinstance(value, str) or key in ("version",), "a string"
        if key == "input" and fits and not all(isinstance(path, str) for path in value):
            fits, expected = False, "a list of paths"
        if not fits:
            raise InputError(f"{name}: {key!r} is {value!r}; expected {expected}")
    return dict(job)


def _former_selection(value: Any) -> str | None:
    """What a member ``pairs`` selected before selections had names of their own, as it is written now; None: it names a file."""
    names = [row.name for row in _SELECTIONS.values()]
    if not isinstance(value, str):
        return f"one of the keys {', '.join(names)}"
    if value == names[0].split("-")[0]:
        return f'"{names[0]}": true'
    option, colon, word = value.partition(":")
    return f'"{option}": ["{word}"]' if colon and option in names[1:] else None


def _whole(said: Any, key: str) -> int:
    """A whole number, which may be decimal text, as all numbers of a job."""
    return whole(int(said) if isinstance(said, str) and re.fullmatch("[0-9]{1,20}", said) else said, key, 0, 2**64 - 1)


def _check_outputs(said: dict[str, Any]) -> None:
    """Refuses names by which nothing is written, before there is work to be lost."""
    for key in ("output", "pairs"):
        if key in said:
            format_of(said[key], said.get("format"))
    if "deduplicated" in said:
        ending_of(said["deduplicated"])


def _write_clusters(
    found: Duplicates, path: str, given: str | None, two: bool, ids: list[list[str | None]] | None, least: int
) -> None:
    rows, clusters = found.rows, found.clusters
    names = [*range(rows[0]), *range(rows[1])] if ids is None else [name for side in ids for name in side]
    columns: tuple[str, ...] = ("id", "cluster", "size", "representative")
    kept = [line for line in zip(*(clusters[name] for name in ("row", "cluster", "size", "representative")), strict=True) if line[2] >= least]
    lines: list[tuple[Any, ...]] = [(names[row], cluster, size, names[first]) for row, cluster, size, first in kept]
    if two:
        columns = ("side", "id", "cluster", "size", "representative_side", "representative")
        side = ["left"] * rows[0] + ["right"] * rows[1]
        lines = [(side[row], *line[:3], side[first], line[3]) for (row, *_, first), line in zip(kept, lines, strict=True)]
    write(path, format_of(path, given), columns, lines)


def _write_pairs(found: Duplicates, path: str, given: str | None, digits: int | None) -> None:
    named = "left_id" in found.columns
    kept = [name for name in found.columns if name not in (("left", "right") if named else ())]
    columns = tuple({"left_id": "left", "right_id": "right"}.get(name, name) for name in kept)
    values: list[Any] = [found[name] for name in kept]
    if digits is not None:
        values = [[round(value, digits) if isinstance(value, float) else value for value in column] for column in values]
    write(path, format_of(path, given), columns, zip(*values, strict=True), nested=3)


def _asked(said: dict[str, Any], instead: dict[str, Any]) -> tuple[dict[str, Any], Options, Settings]:
    """Rules, what else is asked for, and how it is run; what is said instead goes before."""
    rules = {"compare": said.get("compare", [])} | {name: said.get(row.name) for name, row in _SELECTIONS.items()}
    if any(name in instead for name in _SELECTIONS):
        rules |= dict.fromkeys(_SELECTIONS)
    others = ("missing", "gold", "report", "lossy", "fold", "combine", "threshold", "one-to-one")
    options: dict[str, Any] = {key.replace("-", "_"): said[key] for key in others if key in said}
    how = {key.replace("-", "_"): said[key] for key in ("memory", "device", "device-memory") if key in said}
    for key, where in (("max-block", options), ("threads", how)):
        if key in said:
            where[key.replace("-", "_")] = _whole(said[key], key)
    if "id" in said and "id" not in instead:
        options["_id"] = said["id"]
    if "cluster" in said:
        options["_cluster"] = said["cluster"]
    for key, value in instead.items():
        if key not in rules and key not in _HOW and key not in Options.__annotations__:
            known = (*rules, *_HOW, *(name for name in Options.__annotations__ if name[0] != "_"))
            raise TypeError(f"run() has no argument {key!r}{did_you_mean(key, known)}")
        (rules if key in rules else how if key in _HOW else options)[key] = value
    if "threshold" not in options:
        raise OptionError("expected a threshold: how alike records must be, above 0, to 1")
    return rules, cast(Options, options), cast(Settings, how)


def run(job: Any, table: Any = None, right: Any = None, **instead: Any) -> Duplicates:
    """Does a job of ``akin dedupe``, as ``akin dedupe --job FILE`` does.

    Parameters
    ----------
    job
        The path of a job file, which ``akin dedupe --save-job`` or :meth:`akin.Duplicates.save_job` wrote, or what such a file holds,
        a dictionary. docs/jobs.md has its keys.
    table, right
        Tables in place of the files that the job names.
    **instead
        What stands in the place of what the job says, by the names of :func:`akin.dedupe`: ``threshold``, ``compare``, ``threads``,
        ``progress``, ... A selection of pairs replaces all selections of the job.

    Returns
    -------
    Duplicates
        As :func:`akin.dedupe` and :func:`akin.link` give it. Files that the job names are written: ``output`` (clusters), ``pairs``,
        ``deduplicated``, ``report``, the same as the command writes but for figures of time and memory in the report. What the command
        would print for want of an ``output`` is not printed: ``.clusters`` has it.

    Raises
    ------
    InputError
        The job is none, has a key that is unknown, or a value of another kind; and as :func:`akin.dedupe`.
    OptionError
        What is asked for cannot be, or a file is named as it cannot be written; and as :func:`akin.dedupe`.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> job = {"akin": "dedupe", "version": 1, "compare": ["name:jaro"], "all-pairs": True, "threshold": "0.8"}
    >>> len(akin.run(job, {"name": ["Anna", "Ana", "Bert"]}))
    1
    """
    said = _read(job)
    tables = said.get("input", []) if table is None else [table] if right is None else [table, right]
    if not 1 <= len(tables) <= 2:
        raise OptionError(f"{len(tables)} tables; expected one or two, named by the job or given")
    format, two = said.get("input-format"), len(tables) == 2
    formats = list(_choices.values("table-formats", "columns"))
    if format is not None and format not in formats:
        raise OptionError(f"input-format is {format!r}; expected {', '.join(formats[:-1])} or {formats[-1]}{did_you_mean(format, formats)}")
    if "deduplicated" in said and (two or not isinstance(tables[0], (str, os.PathLike))):
        raise OptionError("deduplicated: expected one file, whose records are copied without duplicates")
    _check_outputs(said)
    if "show" in said:
        raise OptionError("show: files that Python writes have no columns of the tables; look them up by the rows, or run akin dedupe --job")
    digits = whole(_whole(said["digits"], "digits"), "digits", 0, 15) if "digits" in said else None
    least = max(_whole(said.get("clusters-of", 1), "clusters-of"), 1)
    rules, options, how = _asked(said, instead)
    found, ids = find(tables[0], tables[1] if two else None, rules["compare"], rules, options, how, format)
    given = said.get("format")
    if "output" in said:
        _write_clusters(found, said["output"], given, two, ids(), least)
    if "pairs" in said:
        _write_pairs(found, said["pairs"], given, digits)
    if "deduplicated" in said:
        clusters, lossy = found.clusters.buffer("representative"), options.get("lossy", False)
        _akin.write_records(settings(**how), os.fspath(tables[0]), FORMATS[format], lossy, clusters, said["deduplicated"])
    return found
