"""Jobs of the command, which Python runs from the same file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, cast

from . import _akin, _choices
from ._akin import InputError, OptionError
from ._checks import shown, whole
from ._commands import COMMANDS, arguments_of, tables_of
from ._dedupe import Options, find, learns
from ._input import formatted
from ._job_values import flag_of, sided_names
from ._limits import limits
from ._merge import write_merged
from ._pairs import Duplicates, ids_of_rows
from ._results import write_clusters, write_pairs, write_records
from ._settings import Settings, synced
from ._shown import add_shown, names_to_show, show_word, shown_of_clusters, shown_of_pairs
from ._suggest import did_you_mean, instead_of
from ._write import ending_of, format_of, safe

_SELECTIONS = {row.name.replace("-", "_"): row for row in _choices.choices("selections")}
_PLANNED = {row.name: row for row in [*_SELECTIONS.values(), *_choices.choices("plan-options")]}
_FILES = ("output", "pairs", "deduplicated", "merged", "report")
_LIMITS = tuple(_choices.values("limits"))
_NUMBERS = ("clusters-of", "digits", "threads", *_LIMITS)
_TRUE = ("safe-csv", "lossy", "sync", "quiet", "merged-sources", "reproducible")
_LISTS = ("merge",)
_TEXTS = (*_FILES, "model", "answers", "show", "input-format", "format", "gold", "device")
_SIZES = ("memory", "device-memory")
# keys of files that a job writes, as in the tables of options of the command; some only of one command
_WRITTEN = (
    "output", "pairs", "deduplicated", "merged", "report", "model", "answers", "vocabulary", "save-statistics", "linked"
)
_WRITTEN_BY = {"generate records": ("gold",), "index": ("append",)}
_STREAMS = ("-", os.devnull, "/dev/stdout", "/dev/stderr")
_KEYS = ("akin", "version", "input", *_PLANNED, *_NUMBERS, *_TRUE, *_LISTS, *_TEXTS, *_SIZES)
# keys that were renamed, as in cli/former.c: an old one is refused with the new one
_FORMER = {"output-format": "format", "pairs-out": "pairs"}
_PLANS = ("dedupe", "link")
_HOW = ("threads", "device", "memory", "device_memory", "progress")


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        twice = next(key for i, (key, _) in enumerate(members) if key in (k for k, _ in members[:i]))
        raise InputError(f"key {twice!r} is there twice")
    return found


def _whole_numbers(value: Any) -> Any:
    """A value of JSON whose whole numbers are ints, however they are written: 1.0, 1e3."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e20:
        return int(value)
    if isinstance(value, list):
        return [_whole_numbers(each) for each in value]
    return {key: _whole_numbers(each) for key, each in value.items()} if isinstance(value, dict) else value


def _read(job: Any) -> dict[str, Any]:
    """The members of a job: of a file, or of a dictionary."""
    name = "the job"
    if isinstance(job, (str, os.PathLike)):
        name = os.fspath(job)
        with open(job, encoding="utf-8") as file:
            try:
                job = json.load(file, object_pairs_hook=_once)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{name}: {error}") from None
    job, known = _whole_numbers(job), (*_PLANS, *COMMANDS)
    command = job.get("akin") if isinstance(job, Mapping) else None
    if not isinstance(job, Mapping) or not isinstance(command, str) or job.get("version") != 1:
        raise InputError(f'{name}: expected "akin", such as "dedupe", and "version": 1, by which it is known as a job')
    if command not in known:
        raise InputError(
            f'{name}: "akin" is {command!r}; expected {", ".join((*_PLANS, *COMMANDS))}{did_you_mean(command, known)}'
        )
    if not isinstance(job.get("input", []), list) or not all(isinstance(path, str) for path in job.get("input", [])):
        raise InputError(f"{name}: 'input' is {job['input']!r}; expected a list of paths")
    return _checked(job, name) if command in _PLANS else dict(job)


def _is_confined(folder: str, path: str) -> bool | None:
    """Whether what is written to a path or an address is in a folder or below it, with links followed. A store and a
    server of databases are in none. None: the directory of a file is not there, and what is there of its path is in the
    folder."""
    if path in _STREAMS:
        return True
    if path.startswith(("sqlite:", "duckdb:")):
        path = re.split("[?&](?:table|query)=", path.partition(":")[2], maxsplit=1)[0]
    elif path.startswith("file://"):
        from urllib.parse import unquote

        path = unquote(re.split("[?#]", path[len("file://") :], maxsplit=1)[0])
    elif "://" in path or _akin.format_of_name(path) == "postgresql":
        return False
    if not path or (os.path.islink(path) and not os.path.exists(path)):
        return False
    real = os.path.realpath(path)
    where = real if os.path.exists(real) else os.path.realpath(os.path.dirname(path) or ".")
    is_below = os.path.commonpath((folder, where)) == folder
    return is_below if os.path.isdir(os.path.dirname(real)) or not is_below else None


def _check_paths(job: Any, said: Mapping[str, Any]) -> None:
    """Refuses files that a job of a file would write outside the folder of that file."""
    if not isinstance(job, (str, os.PathLike)):
        return
    real = os.path.realpath(job)
    folder = os.path.dirname(real) if os.path.isfile(real) else os.path.realpath(".")
    for key in (*_WRITTEN, *_WRITTEN_BY.get(said["akin"], ())):
        path = said.get(key)
        if not isinstance(path, str) or not path:
            continue
        confined = _is_confined(folder, path)
        if confined is None:
            raise OptionError(
                f"{os.fspath(job)}: {key!r}: {_akin.shown_address(path)} is in a folder that does not exist; make the "
                "folder first"
            )
        if not confined:
            seen = "" if os.path.isabs(path) or ":" in path else ", seen from the current folder,"
            raise OptionError(
                f"{os.fspath(job)}: {key!r}: {_akin.shown_address(path)}{seen} is not in the "
                "folder of the job, and only there may a job write; allow_paths=True lets it, if you trust the job"
            )


def _checked(job: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The members of a job of dedupe or link, after a check of their types."""
    for key, value in job.items():
        if key == "pairs" and (now := _former_selection(value)):
            raise InputError(
                f"{name}: 'pairs' is {shown(value)}; it is the file that pairs are written to; to select pairs write "
                f"{now}"
            )
        if key in _FORMER:
            raise InputError(f"{name}: {key!r} is now called {_FORMER[key]!r}")
        if key not in _KEYS:
            raise InputError(f"{name}: {key!r} is unknown; expected the long name of an option of akin dedupe")
        can = _PLANNED[key].capabilities if key in _PLANNED else frozenset()
        if "repeated" in can or key in _LISTS:
            fits, expected = isinstance(value, list), "a list"
        elif "flag" in can or key in _TRUE:
            fits, expected = isinstance(value, bool), "true or false"
        elif "number" in can or key in _NUMBERS:
            fits, expected = isinstance(value, (int, float, str)) and not isinstance(value, bool), "a number"
        elif key in _SIZES:
            fits, expected = isinstance(value, (int, str)) and not isinstance(value, bool), "a size, such as '2G'"
        elif key in ("id", "one-per-source"):
            fits, expected = isinstance(value, (str, dict)), "a string or an object"
        else:
            fits, expected = isinstance(value, str) or key in ("version", "input"), "a string"
        if not fits:
            raise InputError(f"{name}: {key!r} is {value!r}; expected {expected}")
    return dict(job)


def _former_selection(value: Any) -> str | None:
    """The present form of a selection that stands under ``pairs``, as older versions had it; None: ``pairs`` names a
    file."""
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
    """Refuses names that no result can have, before the work begins."""
    for key in ("output", "pairs", "merged"):
        if key in said:
            format_of(said[key], said.get("format"))
    if "deduplicated" in said:
        ending_of(said["deduplicated"])


def _added(selections: Any, value: Any) -> Any:
    """The selections of a job and others of the same option."""
    if not isinstance(selections, list):
        return selections or value
    return [*selections, *(value if isinstance(value, (list, tuple)) else [value])]


def _asked(said: dict[str, Any], instead: dict[str, Any]) -> tuple[dict[str, Any], Options, Settings]:
    """The rules, the other options and the settings of a job; ``instead`` replaces some of them."""
    rules = {"compare": said.get("compare") or None} | {name: said.get(row.name) for name, row in _SELECTIONS.items()}
    if instead.pop("add_selections", False):
        instead = {key: _added(rules[key], value) if key in _SELECTIONS else value for key, value in instead.items()}
    elif any(name in instead for name in _SELECTIONS):
        rules |= dict.fromkeys(_SELECTIONS)
    others = (
        "missing", "evidence", "gold", "report", "reproducible", "lossy", "fold", "synonyms", "combine", "weights",
        "model", "answers", "threshold", "precision", "one-to-one", "one-per-source", "cluster"
    )
    options: dict[str, Any] = {key.replace("-", "_"): said[key] for key in others if key in said}
    how = {key.replace("-", "_"): said[key] for key in ("memory", "device", "device-memory") if key in said}
    for key, where in (("max-block", options), ("threads", how)):
        if key in said:
            where[key.replace("-", "_")] = _whole(said[key], key)
    if "id" in said and "id" not in instead:
        options["_id"] = said["id"]
    for key, value in instead.items():
        if key not in rules and key not in _HOW and key not in Options.__annotations__:
            known = (*rules, "add_selections", *_HOW, *(name for name in Options.__annotations__ if name[0] != "_"))
            raise TypeError(f"run() has no argument {key!r}{instead_of(key, known)}")
        (rules if key in rules else how if key in _HOW else options)[key] = value
    for key, other in (("threshold", "precision"), ("precision", "threshold")):
        if key in instead and other not in instead:
            options.pop(other, None)  # they exclude each other
    if not {"threshold", "precision"} & options.keys() and not learns(options.get("weights"), rules["compare"]):
        raise OptionError('the job has no "threshold", such as 0.8: how alike records must be, above 0 and at most 1')
    return rules, cast(Options, options), cast(Settings, how)


def _safe(said: dict[str, Any]) -> dict[str, Any]:
    """A job whose format is that of ``"safe-csv"`` where it is true. Weights have names of formats of their own."""
    if not flag_of(said.get("safe-csv", False), "safe-csv") or said["akin"] == "weigh":
        return said
    if said.get("deduplicated") is not None:
        raise OptionError("safe-csv and deduplicated: records are written as they stand in the input")
    if said["akin"] == "rank" and format_of(said.get("output", "-"), said.get("format"), "trec") == "trec":
        raise OptionError("safe-csv: rankings are written as trec; leave it out, or write CSV")
    return said | {"format": safe(said.get("format"), True)}


def run(job: Any, table: Any = None, right: Any = None, *, allow_paths: bool = False, **instead: Any) -> Any:
    """Runs a job, as ``akin COMMAND --job FILE`` does, and writes the same bytes to the files that it names, but for
    the times and the memory in a report that is not ``reproducible``.

    Parameters
    ----------
    job
        The path of a job file, which ``--save-job`` of a command or :meth:`akin.Duplicates.save_job` wrote, or its
        content as a dictionary. docs/jobs.md lists the keys.
    table, right
        Tables in place of the files that the job names.
    allow_paths
        Whether a job file may write files outside its folder. A dictionary may always.
    **instead
        Arguments that replace those of the job, by their names in the function of the command: ``threshold``,
        ``compare``, ``threads``, ``progress``, ... A selection of pairs, or a measure, replaces all of the job. With
        ``add_selections=True`` selections add to those of the job.

    Returns
    -------
    Duplicates, Pairs, Evaluation, Table, Index, ...
        The result of the function of the command: :func:`akin.dedupe`, :func:`akin.link`, :func:`akin.join`,
        :func:`akin.strings.compare`, :func:`akin.evaluate`, :func:`akin.evaluate_clusters` with ``bootstrap``,
        :func:`akin.evaluate_curve`, :func:`akin.evaluate_trec`,
        :meth:`akin.Index.build`, :meth:`akin.Index.search`, :func:`akin.bm25` for ``weigh``, its ``rank``,
        :meth:`akin.Dictionary.build`, ``look_up``, or a function of :mod:`akin.generate`. The comparison of two strings
        returns a number or None, and ``dictionary stats`` a dictionary. Nothing is printed.

    Raises
    ------
    InputError
        The file is not a job, a key is unknown, or a value has the wrong type; and as the function of the command.
    OptionError
        An option is out of range, a file cannot have the name that it should have, or it is outside the folder of the
        job; and as the function of the command.
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
    if not allow_paths:
        _check_paths(job, said)
    said = _safe(said)
    most = {key.replace("-", "_"): said.pop(key) for key in _LIMITS if key in said}
    with synced(said.get("sync", False)), limits(**most):
        return _run(said, table, right, instead)


def _run(said: dict[str, Any], table: Any, right: Any, instead: dict[str, Any]) -> Any:
    """Runs a job that was read."""
    name, given = said["akin"], [table] if right is None else [table, right]
    if name in _PLANS:
        return _run_plan(said, said.get("input", []) if table is None else given, instead)
    command, tables = COMMANDS[name], tables_of(name, said) if table is None else given
    if not command.inputs[0] <= len(tables) <= command.inputs[1]:
        raise OptionError(
            f"{len(tables)} tables; akin {name} expects {_counted(*command.inputs)}, named by the job or given"
        )
    return command.run(tables, arguments_of(name, said, instead), said)


def _counted(least: int, most: int) -> str:
    return f"{least}" if least == most else f"{least} or {most}" if most == least + 1 else f"{least} or more"


def _run_plan(said: dict[str, Any], tables: list[Any], instead: dict[str, Any]) -> Duplicates:
    """Runs a job of dedupe or link."""
    if not 1 <= len(tables) <= 2 or (said["akin"] == _PLANS[1] and len(tables) == 1):
        raise OptionError(
            f"{len(tables)} tables; expected {'one or ' if said['akin'] == _PLANS[0] else ''}two, named by the job or "
            "given"
        )
    format, two = said.get("input-format"), len(tables) == 2
    formats = list(_choices.values("table-formats", "columns"))
    if format is not None and format not in formats:
        raise OptionError(
            f"input-format is {format!r}; expected {', '.join(formats[:-1])} or "
            f"{formats[-1]}{did_you_mean(format, formats)}"
        )
    if "deduplicated" in said and (two or not isinstance(tables[0], (str, os.PathLike))):
        raise OptionError("deduplicated: expected one file, whose records are copied without duplicates")
    if "merged" in said and two:
        raise OptionError("merged: expected one table, whose duplicates are merged")
    if "merged" not in said and (more := [key for key in ("merge", "merged-sources") if said.get(key)]):
        raise OptionError(f"{more[0]}: that is for merged records; expected merged, the name of their file")
    _check_outputs(said)
    digits = whole(_whole(said["digits"], "digits"), "digits", 0, 15) if "digits" in said else None
    least = max(_whole(said.get("clusters-of", 1), "clusters-of"), 1)
    names = names_to_show(instead.pop("show")) if "show" in instead else sided_names(said)
    rules, options, how = _asked(said, instead)
    found = find(tables[0], tables[1] if two else None, rules["compare"], rules, options, how, format)
    given, lossy = said.get("format"), options.get("lossy", False)
    sources = [formatted(table, format) for table in tables]
    shown = shown_of_pairs(names, sources, lossy)
    if "output" in said:
        write_clusters(
            found, said["output"], given, ids_of_rows(found), least,
            shown_of_clusters(names, sources, found.rows, lossy)
        )
    if "pairs" in said:
        similarities = [name for name in found.columns if name not in ("left", "right", "left_id", "right_id")]
        write_pairs(found, said["pairs"], given, digits, similarities, True, shown)
    if "deduplicated" in said:
        write_records(found, tables[0], how, said | {"lossy": lossy}, format)
    if "merged" in said:
        write_merged(found, sources[0], said, lossy)
    add_shown(found, shown)
    if names:
        found.job["show"] = show_word(names)
    return found
