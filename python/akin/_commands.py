"""The commands whose jobs Python runs, without dedupe and link: a row for each, with its options and its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError
from ._checks import choice
from ._choices import values
from ._input import File
from ._job_made import run_build, run_look_up, run_records, run_sets, run_stats, run_text
from ._job_pairs import run_compare, run_evaluate, run_join
from ._job_search import run_index, run_rank, run_search, run_weigh
from ._job_values import (
    Tables,
    columns_of,
    counts_of,
    dictionary_of,
    flag_of,
    float_of,
    levenshtein_of,
    number_of,
    sided_column_of,
    sided_columns_of,
    text_of,
    two_of,
    without,
    words_of,
)
from ._results import Given
from ._suggest import did_you_mean, instead_of

Reader = Callable[[Any, str], Any]


class Option(NamedTuple):
    """An option that is an argument in Python: the name of the argument, and the reader of its value."""

    argument: str
    read: Reader


class Command(NamedTuple):
    """A command: the options that are arguments; the others, which its function reads; the least and the most number of
    tables; its function; and the format of files whose names have no known ending."""

    options: Mapping[str, Option]
    others: tuple[str, ...]
    inputs: tuple[int, int]
    run: Callable[[Tables, dict[str, Any], Given], Any]
    unnamed: str = "text"


def _options(read: Reader, names: str, **renamed: str) -> dict[str, Option]:
    """Rows of options with one reader. ``renamed``: options whose argument has another name."""
    same = {name: Option(name.replace("-", "_"), read) for name in names.split()}
    return same | {name.replace("_", "-"): Option(argument, read) for name, argument in renamed.items()}


_RUN = _options(number_of, "threads") | _options(text_of, "memory device device-memory")
_SEVERAL = 2**32  # tables, at most
_WEIGHED = (
    _options(columns_of, "on")
    | _options(text_of, "tokens stem formula")
    | _options(float_of, "k1 b delta")
    | _options(flag_of, "ignore-case lossy")
    | _options(words_of, "stop-words")
)

COMMANDS: dict[str, Command] = {
    "join": Command(
        _options(number_of, " ".join([*values("measures", "join"), "prefix-scale boost-threshold top bits block"]))
        | _options(number_of, "graph-edits budget")
        | _options(levenshtein_of, "levenshtein tree-edits")
        | _options(sided_columns_of, "on show")
        | _options(sided_column_of, "id")
        | _options(columns_of, "left-on right-on")
        | _options(text_of, "left-id right-id tokens fold technique filter sharing tree-format")
        | _options(flag_of, "lossy multiset ignore-case floored undecided")
        | _options(words_of, "stop-words")
        | _RUN,
        (
            "similarity",
            "input-format",
            "output",
            "format",
            "safe-csv",
            "digits",
            "count",
            "clusters",
            "clusters-of",
            "deduplicated",
            "explain",
            "sync",
            "quiet",
        ),
        (1, 2),
        run_join,
    ),
    "compare": Command(
        _options(sided_columns_of, "on")
        | _options(columns_of, "left-on right-on")
        | _options(text_of, "scorer fold")
        | _options(number_of, "cutoff prefix-scale boost-threshold threads")
        | _options(flag_of, "floored ignore-case"),
        (
            "tree-format",
            "mapping",
            "budget",
            "distance",
            "files",
            "matrix",
            "input-format",
            "output",
            "format",
            "safe-csv",
            "digits",
            "sync",
            "quiet",
        ),
        (1, 2),
        run_compare,
    ),
    "evaluate": Command(
        _options(flag_of, "linked closed")
        | _options(number_of, "bootstrap seed")
        | _options(text_of, "similarity memory"),
        ("curve", "trec", "input-format", "quiet"),
        (2, 2),
        run_evaluate,
        "csv",
    ),
    "index": Command(
        _options(columns_of, "on numeric")
        | _options(text_of, "kind id tokens fold family formula stem unknown tree-format")
        | _options(number_of, "bins ngram functions buckets seed")
        | _options(float_of, "k1 b epsilon delta width sigma")
        | _options(flag_of, "ignore-case bytes signatures-only lossy")
        | _options(words_of, "stop-words")
        | _options(dictionary_of, "dictionary")
        | _RUN,
        ("append", "documents", "input-format", "output", "sync", "quiet"),
        (1, _SEVERAL),
        run_index,
    ),
    "search": Command(
        _options(number_of, "tolerance least candidates within rerank", top="k")
        | _options(columns_of, "on")
        | _options(text_of, "id measure technique truth")
        | _options(flag_of, "one-round load-balance lossy")
        | _options(counts_of, "", weight="weights")
        | _RUN,
        (
            "query", "input-format", "show", "indexed", "output", "format", "safe-csv", "digits", "explain", "sync",
            "verify", "quiet"
        ),
        (1, 2),
        run_search,
    ),
    "weigh": Command(
        _WEIGHED | _options(text_of, "id unknown technique") | _options(dictionary_of, "dictionary") | _RUN,
        (
            "documents", "input-format", "statistics", "order", "output", "format", "safe-csv", "vocabulary",
            "save-statistics", "sum", "sync", "quiet"
        ),
        (1, _SEVERAL),
        run_weigh,
    ),
    "rank": Command(
        _WEIGHED
        | _options(number_of, "", top="k")
        | _options(columns_of, "query-on")
        | _options(text_of, "id query-id")
        | _RUN,
        (
            "query", "documents", "input-format", "show", "indexed", "output", "format", "safe-csv", "digits", "tag",
            "sync", "verify", "quiet"
        ),
        (1, 2),
        run_rank,
    ),
    "dictionary build": Command(
        _options(columns_of, "on") | _options(text_of, "kind memory"),
        ("input-format", "output", "sync", "quiet"),
        (1, 1),
        run_build,
    ),
    "dictionary lookup": Command(
        _options(columns_of, "on") | _RUN, ("ids", "input-format", "output", "sync", "quiet"), (2, 2), run_look_up
    ),
    "dictionary stats": Command({}, (), (1, 1), run_stats),
    "generate records": Command(
        _options(number_of, "tracks most-copies field-modifications record-modifications seed threads", records="rows")
        | _options(float_of, "duplicates")
        | _options(text_of, "kind copies")
        | _options(counts_of, "modify"),
        ("linked", "gold", "format", "safe-csv", "output", "sync", "quiet"),
        (0, 0),
        run_records,
    ),
    "generate sets": Command(
        _options(number_of, "tokens smallest largest seed threads", sets="rows")
        | _options(float_of, "average spread zipf duplicates")
        | _options(flag_of, "lognormal"),
        ("grow", "output", "sync", "quiet"),
        (0, 0),
        run_sets,
    ),
    "generate text": Command(
        _options(number_of, "documents vocabulary seed threads")
        | _options(text_of, "words")
        | _options(two_of, "length")
        | {"bytes": Option("bytes", lambda value, key: value)},
        ("distribution", "output", "sync", "quiet"),
        (0, 0),
        run_text,
    ),
}


def tables_of(name: str, said: Given) -> list[Any]:
    """The files that a job names, each with the format that it is read in."""
    paths, given = said.get("input", []), said.get("input-format")
    if name == "compare" and not said.get("files") and not said.get("matrix"):
        return list(paths)  # two strings
    if given is not None:
        choice(given, "input-format", {**values("table-formats", "read"), **({"ids": 0} if name == "join" else {})})
    return [
        File(path, given or _akin.format_of_name(path) or COMMANDS[name].unnamed)
        for path in paths
    ]


_MEASURES = (
    *(row.replace("-", "_") for row in values("measures", "join")), "levenshtein", "tree_edits", "graph_edits",
    "similarity", "threshold",
)  # fmt: skip


def arguments_of(name: str, said: Given, instead: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a job as arguments of Python; ``instead`` replaces some of them."""
    command = COMMANDS[name]
    known = (*command.options, *command.others, "akin", "version", "input")
    arguments: dict[str, Any] = {}
    for key, value in said.items():
        if key not in known:
            raise InputError(
                f"the job: {key!r} is unknown; expected the long name of an option of akin "
                f"{name}{did_you_mean(key, known)}"
            )
        if key in command.options:
            option = command.options[key]
            arguments[option.argument] = option.read(value, key)
    names = (
        {option.argument for option in command.options.values()}
        | {"progress"}
        | ({*_MEASURES} if name == "join" else set())
    )
    for key in instead:
        if key not in names:
            raise TypeError(f"run() has no argument {key!r}{instead_of(key, names)}")
    if name == "join" and any(key in instead for key in _MEASURES):
        arguments = {"similarity": None, **without(arguments, *_MEASURES)}
    return arguments | dict(instead)
