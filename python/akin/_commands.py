"""Jobs of commands other than dedupe and link: which function does each, and which option is which of its arguments."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin, generate
from ._akin import InputError, OptionError
from ._choices import usual, values
from ._evaluate import evaluate, evaluate_curve, evaluate_trec
from ._index import Index
from ._join import join
from ._pairs import Pairs, ids_of_rows
from ._settings import settings
from ._suggest import did_you_mean
from ._write import format_of, put, write

Said = dict[str, Any]


def _flag(value: Any, key: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"the job: {key!r} is {value!r}; expected true or false")
    return value


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"the job: {key!r} is {value!r}; expected a string")
    return value


def _number(value: Any, key: str) -> Any:
    """A number as it stands; of digits alone a whole one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise InputError(f"the job: {key!r} is {value!r}; expected a number")
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value) else value


def _float(value: Any, key: str) -> float:
    try:
        return float(_number(value, key))
    except ValueError:
        raise InputError(f"the job: {key!r} is {value!r}; expected a number") from None


def _columns(value: Any, key: str) -> list[str]:
    return next(csv.reader([_text(value, key)]))


def _words(value: Any, key: str) -> str | list[str]:
    """Stop words: the name of a language, or those of a file."""
    if _text(value, key) in values("stop-words"):
        return value  # type: ignore[no-any-return]
    with open(value, encoding="utf-8") as file:
        return file.read().split()


def _list(value: Any, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError(f"the job: {key!r} is {value!r}; expected a list of strings")
    return value


def _counts(value: Any, key: str) -> dict[str, int]:
    """NAME:N or NAME=N, several times."""
    pairs = [re.split("[:=](?=[0-9]+$)", each) for each in _list(value, key)]
    if not all(len(pair) == 2 for pair in pairs):
        raise InputError(f"the job: {key!r} is {value!r}; expected names with whole numbers")
    return {name: int(number) for name, number in pairs}


def _two(value: Any, key: str) -> tuple[float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InputError(f"the job: {key!r} is {value!r}; expected two numbers")
    return _float(value[0], key), _float(value[1], key)


class Option(NamedTuple):
    """An option: its argument in Python, and what reads its value."""

    argument: str
    read: Callable[[Any, str], Any]


class Command(NamedTuple):
    """A command: its options that are arguments; those that its function here deals with; those that Python has no use for, and why."""

    options: Mapping[str, Option]
    others: tuple[str, ...]
    without: Mapping[str, str]
    inputs: tuple[int, int]  # tables, at least and at most
    run: Callable[[Sequence[Any], dict[str, Any], Said], Any]


def _options(read: Callable[[Any, str], Any], names: str, **renamed: str) -> dict[str, Option]:
    """Rows of options that are read alike: each is the argument of its name, but for those that are renamed."""
    same = {name: Option(name.replace("-", "_"), read) for name in names.split()}
    return same | {name.replace("_", "-"): Option(argument, read) for name, argument in renamed.items()}


_RUN = _options(_number, "threads") | _options(_text, "memory device device-memory")
_SHOW = {"show": "look values up by the rows", "input-format": "read the file, and give its table"}


def _keep(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    """Without arguments of another function."""
    return {name: value for name, value in arguments.items() if name not in names}


# ------------------------------------------------------------------------------------------------------------------- join


def _run_join(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Pairs:
    if "deduplicated" in said and (len(tables) > 1 or not isinstance(tables[0], (str, os.PathLike))):
        raise OptionError("deduplicated: expected one file, whose records are copied without duplicates")
    if "output" in said:
        format_of(said["output"], said.get("format"))
    if "similarity" in said and "similarity" not in arguments:
        name, colon, least = _text(said["similarity"], "similarity").partition(":")
        arguments |= {"similarity": name, **({"threshold": least} if colon else {})}
    found = join(*tables, **arguments)
    if "output" in said and said.get("clusters"):
        write_clusters(found, said["output"], said.get("format"), ids_of_rows(found), max(_number(said.get("clusters-of", 1), "clusters-of"), 1))
    elif "output" in said and not said.get("count"):
        value = "distance" if "distance" in found.columns else "similarity"
        write_pairs(found, said["output"], said.get("format"), said.get("digits"), (value,), None)
    if "deduplicated" in said:
        write_records(found, tables[0], arguments, said)
    return found


# --------------------------------------------------------------------------------------------------------------- evaluate


def _run_evaluate(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Any:
    if said.get("trec"):
        return evaluate_trec(*tables, **arguments)
    return evaluate_curve(*tables, **arguments) if said.get("curve") else evaluate(*tables, **_keep(arguments, "similarity"))


# ------------------------------------------------------------------------------------------------------------------ index


def _run_index(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Index:
    if "append" in said:
        made = Index.open(_text(said["append"], "append")).append(tables[0], **arguments)
    else:
        made = Index.build(tables[0], **arguments)
    output = said.get("output", said.get("append"))
    if output is not None:
        made.save(output)
    return made


def _run_search(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Any:
    queries = said["query"] if "query" in said else tables[1] if len(tables) > 1 else None
    if queries is None:
        raise OptionError("expected queries: a second table, or 'query'")
    index = tables[0] if isinstance(tables[0], Index) else Index.open(tables[0])
    found = index.search(queries, **arguments)
    if "output" in said:
        found.save(said["output"], format=said.get("format"))
    return found


# --------------------------------------------------------------------------------------------------------------- generate


def _run_records(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Any:
    made = generate.records(**arguments, linked="linked" in said)
    for key, table in (("output", made[0]), ("linked", made[1]), ("gold", made[-1])):
        if key in said:
            table.save(said[key], format=said.get("format"))
    return made


def _run_sets(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Any:
    made = generate.sets(**arguments)
    if "output" in said:
        put(said["output"], (" ".join(map(str, each)) + "\n" for each in made))
    return made


def _run_text(tables: Sequence[Any], arguments: dict[str, Any], said: Said) -> Any:
    ways, way = values("distributions"), said.get("distribution", usual("distributions"))
    if way not in ways:
        raise OptionError(f"distribution is {way!r}; expected {' or '.join(ways)}{did_you_mean(way, ways)}")
    made = generate.text(**arguments, uniform=way != usual("distributions"))
    if "output" in said:
        put(said["output"], (("\n" if i else "") + each + "\n" for i, each in enumerate(made)))
    return made


# --------------------------------------------------------------------------------------------------------------- the rows

COMMANDS: dict[str, Command] = {
    "join": Command(
        _options(_number, " ".join([*values("measures", "join"), "levenshtein prefix-scale boost-threshold top bits block"]))
        | _options(_columns, "on left-on right-on")
        | _options(_text, "id left-id right-id tokens fold technique filter sharing")
        | _options(_flag, "lossy multiset ignore-case floored")
        | _options(_words, "stop-words")
        | _RUN,
        ("similarity", "output", "format", "digits", "count", "clusters", "clusters-of", "deduplicated", "explain", "quiet"),
        _SHOW,
        (1, 2),
        _run_join,
    ),
    "evaluate": Command(
        _options(_flag, "linked closed") | _options(_text, "similarity memory"),
        ("curve", "trec", "quiet"),
        {"input-format": _SHOW["input-format"]},
        (2, 2),
        _run_evaluate,
    ),
    "index": Command(
        _options(_columns, "on numeric")
        | _options(_text, "kind id tokens fold family formula stem unknown")
        | _options(_number, "bins ngram functions buckets seed")
        | _options(_float, "k1 b epsilon delta width sigma")
        | _options(_flag, "ignore-case bytes signatures-only lossy")
        | _options(_words, "stop-words")
        | _RUN,
        ("append", "output", "quiet"),
        {
            "input-format": _SHOW["input-format"],
            "documents": "give the documents as a list of texts",
            "dictionary": "give it to akin.Index.build, as an akin.Dictionary",
        },
        (1, 1),
        _run_index,
    ),
    "search": Command(
        _options(_number, "tolerance least candidates rerank", top="k")
        | _options(_columns, "on")
        | _options(_text, "id measure technique truth")
        | _options(_flag, "one-round load-balance lossy")
        | _options(_counts, "", weight="weights")
        | _RUN,
        ("query", "output", "format", "explain", "quiet"),
        _SHOW | {"indexed": _SHOW["show"], "digits": "round the column"},
        (1, 2),
        _run_search,
    ),
    "generate records": Command(
        _options(_number, "tracks most-copies field-modifications record-modifications seed threads", records="rows")
        | _options(_float, "duplicates")
        | _options(_text, "kind copies")
        | _options(_counts, "modify"),
        ("linked", "gold", "format", "output", "quiet"),
        {},
        (0, 0),
        _run_records,
    ),
    "generate sets": Command(
        _options(_number, "tokens smallest largest seed threads", sets="rows") | _options(_float, "average spread zipf duplicates"),
        ("output", "quiet"),
        {"grow": "call akin.generate.grow"},
        (0, 0),
        _run_sets,
    ),
    "generate text": Command(
        _options(_number, "documents vocabulary seed threads") | _options(_text, "words") | _options(_two, "length") | {"bytes": Option("bytes", lambda value, key: value)},
        ("distribution", "output", "quiet"),
        {},
        (0, 0),
        _run_text,
    ),
}

# Commands whose jobs Python leaves to them, and what to call.
WITHOUT = {
    "compare": "akin.strings.compare",
    "weigh": "akin.bm25",
    "rank": "akin.Index.rank",
    "dictionary": "akin.Dictionary.build",
}


def arguments_of(name: str, said: Said, instead: Mapping[str, Any]) -> dict[str, Any]:
    """What a job says as arguments of Python; what is said instead goes before."""
    command = COMMANDS[name]
    known = (*command.options, *command.others, *command.without, "akin", "version", "input")
    arguments: dict[str, Any] = {}
    for key, value in said.items():
        if key in command.without:
            raise OptionError(f"{key}: Python has no use for it: {command.without[key]}, or run akin {name} --job")
        if key not in known:
            raise InputError(f"the job: {key!r} is unknown; expected the long name of an option of akin {name}{did_you_mean(key, known)}")
        if key in command.options:
            option = command.options[key]
            arguments[option.argument] = option.read(value, key)
    names = {option.argument for option in command.options.values()} | {"progress"} | ({*_MEASURES} if name == "join" else set())
    for key in instead:
        if key not in names:
            raise TypeError(f"run() has no argument {key!r}{did_you_mean(key, names)}")
    if name == "join" and any(key in instead for key in _MEASURES):
        arguments = {"similarity": None, **_keep(arguments, *_MEASURES)}
    return arguments | dict(instead)


_MEASURES = (*(row.replace("-", "_") for row in values("measures", "join")), "levenshtein", "similarity", "threshold")


# -------------------------------------------------------------------------------------------------------- files of results


def write_clusters(found: Pairs, path: str, given: str | None, ids: Sequence[Sequence[str | None]] | None, least: int) -> None:
    """The cluster of each row, as the command writes it."""
    rows, clusters = found.rows, found.clusters
    names = [*range(rows[0]), *range(rows[1])] if ids is None else [name for side in ids for name in side]
    columns: tuple[str, ...] = ("id", "cluster", "size", "representative")
    kept = [line for line in zip(*(clusters[name] for name in ("row", "cluster", "size", "representative")), strict=True) if line[2] >= least]
    lines: list[tuple[Any, ...]] = [(names[row], cluster, size, names[first]) for row, cluster, size, first in kept]
    if rows[1]:
        columns = ("side", "id", "cluster", "size", "representative_side", "representative")
        side = ["left"] * rows[0] + ["right"] * rows[1]
        lines = [(side[row], *line[:3], side[first], line[3]) for (row, *_, first), line in zip(kept, lines, strict=True)]
    write(path, format_of(path, given), columns, lines)


def write_pairs(found: Pairs, path: str, given: str | None, digits: int | None, names: Sequence[str], nested: int | None) -> None:
    """Pairs, as the command writes them: by ids or rows, with columns of these names."""
    sides = ("left_id", "right_id") if "left_id" in found.columns else ("left", "right")
    columns: list[Any] = [found[name] for name in (*sides, *names)]
    if digits is not None:
        columns = [[round(value, digits) if isinstance(value, float) else value for value in column] for column in columns]
    write(path, format_of(path, given), ("left", "right", *names), zip(*columns, strict=True), nested=nested)


def write_records(found: Pairs, table: Any, how: Mapping[str, Any], said: Said, format: int = 0) -> None:
    """The first record of each cluster, as it stands in the file."""
    run = {key: how[key] for key in ("threads", "device", "memory", "device_memory", "progress") if key in how}
    representative = found.clusters.buffer("representative")
    _akin.write_records(settings(**run), os.fspath(table), format, bool(said.get("lossy")), representative, said["deduplicated"])
