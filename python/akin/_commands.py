"""Jobs of commands other than dedupe and link: which function does each, and which option is which of its arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin, generate, strings
from ._akin import InputError, OptionError
from ._bm25 import BM25, bm25, write_vocabulary, write_weights
from ._checks import choice, whole
from ._choices import choices, usual, values
from ._dictionary import Dictionary
from ._evaluate import evaluate, evaluate_curve, evaluate_trec
from ._index import Index, _kinds_with
from ._input import File, by_pyarrow, column_of, each_side, input_of
from ._job_values import (
    columns_of,
    counts_of,
    dictionary_of,
    flag_of,
    float_of,
    levenshtein_of,
    list_of,
    number_of,
    sided_column_of,
    sided_columns_of,
    text_of,
    two_of,
    words_of,
)
from ._join import join
from ._pairs import Pairs, ids_of_rows
from ._ranking import Ranking, write_ranking
from ._results import Given, Shown, rounded, shown_of, shown_of_all, write_clusters, write_compared, write_hits, write_pairs, write_records
from ._settings import settings
from ._suggest import did_you_mean
from ._write import format_of, put, write

Reader = Callable[[Any, str], Any]
Tables = Sequence[Any]

class Option(NamedTuple):
    """An option: its argument in Python, and what reads its value."""

    argument: str
    read: Reader


class Command(NamedTuple):
    """A command: its options that are arguments; those that its function here deals with; those that Python has no use for, and why;
    how many tables it takes, at least and at most; its function; and the format of files whose names say none."""

    options: Mapping[str, Option]
    others: tuple[str, ...]
    without: Mapping[str, str]
    inputs: tuple[int, int]
    run: Callable[[Tables, dict[str, Any], Given], Any]
    unnamed: str = "text"


def _options(read: Reader, names: str, **renamed: str) -> dict[str, Option]:
    """Rows of options that are read alike: each is the argument of its name, but for those that are renamed."""
    same = {name: Option(name.replace("-", "_"), read) for name in names.split()}
    return same | {name.replace("_", "-"): Option(argument, read) for name, argument in renamed.items()}


_RUNNING = ("threads", "device", "memory", "device_memory", "progress")
_RUN = _options(number_of, "threads") | _options(text_of, "memory device device-memory")
_SEVERAL = 2**32  # tables, at most


def _shown_names(said: Given) -> list[str]:
    """Columns of the tables that results show."""
    return columns_of(said["show"], "show") if "show" in said else []


def _digits(said: Given) -> int | None:
    return whole(number_of(said["digits"], "digits"), "digits", 0, 15) if "digits" in said else None


_WEIGHED = (
    _options(columns_of, "on") | _options(text_of, "tokens stem formula") | _options(float_of, "k1 b delta") | _options(flag_of, "ignore-case lossy") | _options(words_of, "stop-words")
)  # fmt: skip


def _keep(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    """Without arguments of another function."""
    return {name: value for name, value in arguments.items() if name not in names}


# ------------------------------------------------------------------------------------------------------------------- join


# Arguments by which plain text is text, and not sets of token ids.
_TEXT = ("on", "left_on", "right_on", "id", "left_id", "right_id", "tokens", "multiset", "ignore_case", "fold", "stop_words", "lossy", "similarity", "levenshtein")  # fmt: skip


def _are_ids(tables: Tables, arguments: Mapping[str, Any]) -> bool:
    """Whether plain text has token ids: as it says, or as no option is about text."""
    if not all(isinstance(table, File) for table in tables):
        return False
    is_text = any(map(_has_columns, tables)) or any(arguments.get(name) for name in _TEXT)
    return tables[0].format == "ids" or not is_text


def _run_join(tables: Tables, arguments: dict[str, Any], said: Given) -> Pairs:
    if "deduplicated" in said and (len(tables) > 1 or not isinstance(tables[0], (str, os.PathLike))):
        raise OptionError("deduplicated: expected one file, whose records are copied without duplicates")
    if "output" in said:
        format_of(said["output"], said.get("format"))
    if "similarity" in said and "similarity" not in arguments:
        name, colon, least = text_of(said["similarity"], "similarity").partition(":")
        arguments |= {"similarity": name, **({"threshold": least} if colon else {})}
    if _are_ids(tables, arguments):
        arguments |= {"tokens": "ids"}
    found = join(*tables, **arguments)
    names, lossy = _shown_names(said), bool(arguments.get("lossy"))
    if "output" in said and said.get("clusters"):
        least = max(number_of(said.get("clusters-of", 1), "clusters-of"), 1)
        write_clusters(found, said["output"], said.get("format"), ids_of_rows(found), least, shown_of_all(names, tables, lossy))
    elif "output" in said and not said.get("count"):
        value = "distance" if "distance" in found.columns else "similarity"
        shown = shown_of(names, tables, ("left_", "right_"), lossy)
        write_pairs(found, said["output"], said.get("format"), _digits(said), (value,), False, shown)
    if "deduplicated" in said:
        write_records(found, tables[0], arguments, said)
    return found


# ---------------------------------------------------------------------------------------------------------------- compare


def _run_compare(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    if "scorer" not in arguments:
        raise OptionError("scorer: expected a comparator, such as 'levenshtein'")
    name = "distance" if said.get("distance") else "similarity"
    if not said.get("files"):
        scorer = strings.scorer_of(
            arguments["scorer"], arguments.get("ignore_case"), arguments.get("fold"), arguments.get("floored", False),
            arguments.get("prefix_scale", 0.1), arguments.get("boost_threshold", 0),
        )  # fmt: skip
        first, second = tables
        value = strings.compare_two(first, second, scorer)[name == "distance"]
        return rounded(value, _digits(said))
    on = arguments.pop("on", None)
    if on is not None:  # of plain text beside a table it says nothing
        of_sides = zip(("left", "right"), each_side("on", on, None, None, True), tables, strict=True)
        arguments |= {f"{side}_on": names for side, names, table in of_sides if _has_columns(table)}
    found = strings.compare(*tables, **arguments)
    if "output" in said:
        write_compared(found, said["output"], said.get("format"), _digits(said), name)
    return found


# --------------------------------------------------------------------------------------------------------------- evaluate


def _run_evaluate(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    if said.get("trec"):
        return evaluate_trec(*tables, **arguments)
    return evaluate_curve(*tables, **arguments) if said.get("curve") else evaluate(*tables, **_keep(arguments, "similarity"))


# ------------------------------------------------------------------------------------------------------------------ index


def _run_index(tables: Tables, arguments: dict[str, Any], said: Given) -> Index:
    if len(tables) > 1 and arguments.get("kind") not in _kinds_with("formula"):
        raise OptionError(f"{len(tables)} tables; akin index expects one, unless kind is 'bm25'")
    table = _documents(tables, arguments, said)
    if "append" in said:
        made = Index.open(text_of(said["append"], "append")).append(table, **arguments)
    else:
        made = Index.build(table, **arguments)
    output = said.get("output", said.get("append"))
    if output is not None:
        made.save(output)
    return made


def _index(table: Any) -> Index:
    return table if isinstance(table, Index) else Index.open(table)


def _queries(tables: Tables, said: Given) -> Any:
    queries = said["query"] if "query" in said else tables[1] if len(tables) > 1 else None
    if queries is None:
        raise OptionError("expected queries: a second table, or 'query'")
    return queries


def _shown_of_queries(queries: Any, said: Given, lossy: bool) -> list[Shown]:
    if "show" in said and "query" in said:
        raise OptionError("show: queries of the job have no columns; expected a table of queries")
    return shown_of(_shown_names(said), (queries,), ("query_",), lossy)


def _run_search(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    queries = _queries(tables, said)
    index = _index(tables[0])
    shown = _shown_of_queries(queries, said, bool(arguments.get("lossy")))
    found = index.search(queries, **arguments)
    if "output" in said:
        measured = "measure" in arguments and arguments["measure"] not in values("measures", "count")
        write_hits(found, said["output"], said.get("format"), _digits(said), measured, shown)
    return found


# ------------------------------------------------------------------------------------------------------- weigh and rank


def _documents(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    """Documents: of text as the job says what one is, of several tables one after the other."""
    unit = said.get("documents", usual("documents"))
    choice(unit, "documents", values("documents"))
    if "documents" in said:
        tables = [_cut(table, unit) for table in tables]
    if unit in values("documents", "names"):  # the names of the files
        arguments |= {"on": "text", "id": "id"}
        return {"id": list(map(os.fspath, tables)), "text": [input_of(table, None, bool(arguments.get("lossy")), settings()).column(0)[0] for table in tables]}
    if len(tables) == 1:
        return tables[0]
    names = [*arguments.get("on", []), *([arguments["id"]] if "id" in arguments else [])]
    reads = [input_of(table, names or None, bool(arguments.get("lossy")), settings()) for table in tables]
    if not names:
        return [value for read in reads for value in read.column(0)]
    return {name: [value for read in reads for value in read.column(i)] for i, name in enumerate(names)}


def _cut(table: Any, unit: str) -> File:
    """A file of text that is cut into documents."""
    if not isinstance(table, File) or _has_columns(table):
        raise OptionError(f"documents: expected files of plain text, of which a document is a {unit}")
    return File(table, unit)


def _run_weigh(tables: Tables, arguments: dict[str, Any], said: Given) -> BM25:
    documents = _documents(tables, arguments, said)
    output, vocabulary = said.get("output"), said.get("vocabulary")
    formats = {row.name: row.capabilities for row in choices("weights-formats") if "write" in row.capabilities}
    ending = os.path.splitext(output or "")[1][1:]
    format = said.get("format", ending if ending in formats else usual("weights-formats"))
    choice(format, "format", formats)
    made = bm25(documents, **arguments)
    if output is not None:
        lengths = write_weights(said.get("order", usual("weight-orders")), format, output, documents, arguments)
        if "names" not in formats[format]:  # a matrix
            beside = os.path.splitext(output)[0]
            vocabulary = vocabulary or f"{beside}.vocabulary.tsv"
            if "id" in arguments:
                names = input_of(documents, arguments["id"], bool(arguments.get("lossy")), settings()).column(0)
                write(f"{beside}.documents.tsv", "tsv", ("document", "length"), zip(names, lengths, strict=True))
    if vocabulary is not None:
        write_vocabulary(made, vocabulary)
    return made


def _has_columns(table: Any) -> bool:
    if isinstance(table, File):
        return table.format in values("table-formats", "columns")
    return not isinstance(table, (list, tuple))


def _is_index(table: Any) -> bool:
    """Whether it is an index, or a file that one is in (docs/container.md), and not documents."""
    if isinstance(table, Index) or not isinstance(table, (str, os.PathLike)):
        return isinstance(table, Index)
    path = os.fspath(table)
    if path.endswith(".akin"):
        return True
    with open(path, "rb") as file:
        return file.read(8) == b"AKIN\r\n\x1a\n"


def _check_index(said: Given) -> None:
    """An index says itself what is said of documents."""
    for key in ("documents", *_WEIGHED, "query-on", "query-id"):
        if key in said and key not in ("on", "lossy"):
            raise OptionError(f"{key}: is for documents in place of an index")


def _run_rank(tables: Tables, arguments: dict[str, Any], said: Given) -> Ranking:
    queries = _queries(tables, said)
    both: dict[str, Any] = {name: arguments.pop(name) for name in ("on", "id") if name in arguments}
    of_queries: dict[str, Any] = {name: arguments.pop(f"query_{name}") for name in ("on", "id") if f"query_{name}" in arguments}
    how = {name: arguments[name] for name in (*_RUNNING, "k", "lossy") if name in arguments}
    ranker: Index | BM25
    if _is_index(tables[0]):
        _check_index(said)
        ranker = _index(tables[0])
        of_queries = both
    else:  # on and id belong to the side that is a table
        is_table = "query" not in said and _has_columns(queries)
        of_documents = _keep(arguments, "k") | (both if _has_columns(tables[0]) or not is_table else {})
        of_queries = (both if is_table else {}) | of_queries
        ranker = bm25(_documents(tables[:1], of_documents, said), **of_documents)
    found = ranker.rank(queries, **how, **of_queries)
    if "output" in said:
        shown = _shown_of_queries(queries, said, bool(arguments.get("lossy")))
        write_ranking(found, said["output"], said.get("format"), said.get("tag"), _digits(said), shown)
    return found


# ------------------------------------------------------------------------------------------------------------- dictionary


def _run_build(tables: Tables, arguments: dict[str, Any], said: Given) -> Dictionary:
    made = Dictionary.build(*tables, **arguments)
    if "output" in said:
        made.save(said["output"])
    return made


def _dictionary(table: Any) -> Dictionary:
    return table if isinstance(table, Dictionary) else Dictionary.open(table)


def _run_look_up(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    opened = _dictionary(tables[0])
    if not said.get("ids"):
        found = opened.look_up(tables[1], **arguments)
        if "output" in said:
            put(said["output"], ("-\n" if id is None else f"{id}\n" for id in found["id"]))
        return found
    given = column_of(tables[1], arguments.get("on"), False, settings()).column(0)
    if wrong := [id for id in given if id is None or not id.isascii() or not id.isdigit() or int(id) >= len(opened)]:
        raise InputError(f"{wrong[0]!r} is no id: expected a whole number below {len(opened)}")
    words = [opened.word(int(id)) for id in given if id is not None]
    if "output" in said:
        put(said["output"], (f"{word}\n" for word in words))
    return words


def _run_stats(tables: Tables, arguments: dict[str, Any], said: Given) -> dict[str, Any]:
    return _dictionary(tables[0]).about


# --------------------------------------------------------------------------------------------------------------- generate


def _run_records(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    made = generate.records(**arguments, linked="linked" in said)
    for key, table in (("output", made[0]), ("linked", made[1]), ("gold", made[-1])):
        if key in said:
            table.save(said[key], format=said.get("format"))
    return made


def _run_sets(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    made = generate.sets(**arguments)
    if "output" in said:
        put(said["output"], (" ".join(map(str, each)) + "\n" for each in made))
    return made


def _run_text(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
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
        _options(number_of, " ".join([*values("measures", "join"), "prefix-scale boost-threshold top bits block"]))
        | _options(levenshtein_of, "levenshtein")
        | _options(sided_columns_of, "on")
        | _options(sided_column_of, "id")
        | _options(columns_of, "left-on right-on")
        | _options(text_of, "left-id right-id tokens fold technique filter sharing")
        | _options(flag_of, "lossy multiset ignore-case floored")
        | _options(words_of, "stop-words")
        | _RUN,
        ("similarity", "input-format", "show", "output", "format", "digits", "count", "clusters", "clusters-of", "deduplicated", "explain", "quiet"),
        {},
        (1, 2),
        _run_join,
    ),
    "compare": Command(
        _options(sided_columns_of, "on")
        | _options(columns_of, "left-on right-on")
        | _options(text_of, "scorer fold")
        | _options(number_of, "cutoff prefix-scale boost-threshold threads")
        | _options(flag_of, "floored ignore-case"),
        ("distance", "files", "input-format", "output", "format", "digits", "quiet"),
        {},
        (2, 2),
        _run_compare,
    ),
    "evaluate": Command(
        _options(flag_of, "linked closed") | _options(text_of, "similarity memory"),
        ("curve", "trec", "input-format", "quiet"),
        {},
        (2, 2),
        _run_evaluate,
        "csv",
    ),
    "index": Command(
        _options(columns_of, "on numeric")
        | _options(text_of, "kind id tokens fold family formula stem unknown")
        | _options(number_of, "bins ngram functions buckets seed")
        | _options(float_of, "k1 b epsilon delta width sigma")
        | _options(flag_of, "ignore-case bytes signatures-only lossy")
        | _options(words_of, "stop-words")
        | _options(dictionary_of, "dictionary")
        | _RUN,
        ("append", "documents", "input-format", "output", "quiet"),
        {},
        (1, _SEVERAL),
        _run_index,
    ),
    "search": Command(
        _options(number_of, "tolerance least candidates rerank", top="k")
        | _options(columns_of, "on")
        | _options(text_of, "id measure technique truth")
        | _options(flag_of, "one-round load-balance lossy")
        | _options(counts_of, "", weight="weights")
        | _RUN,
        ("query", "input-format", "show", "output", "format", "digits", "explain", "quiet"),
        {"indexed": "look values up by the rows"},
        (1, 2),
        _run_search,
    ),
    "weigh": Command(
        _WEIGHED | _options(text_of, "id unknown technique") | _options(dictionary_of, "dictionary") | _RUN,
        ("documents", "input-format", "order", "output", "format", "vocabulary", "sum", "quiet"),
        {},
        (1, _SEVERAL),
        _run_weigh,
    ),
    "rank": Command(
        _WEIGHED | _options(number_of, "", top="k") | _options(columns_of, "query-on") | _options(text_of, "id query-id") | _RUN,
        ("query", "documents", "input-format", "show", "output", "format", "digits", "tag", "quiet"),
        {"indexed": "look values up by the rows"},
        (1, 2),
        _run_rank,
    ),
    "dictionary build": Command(
        _options(columns_of, "on") | _options(text_of, "kind memory"),
        ("input-format", "output", "quiet"),
        {},
        (1, 1),
        _run_build,
    ),
    "dictionary lookup": Command(_options(columns_of, "on") | _RUN, ("ids", "input-format", "output", "quiet"), {}, (2, 2), _run_look_up),
    "dictionary stats": Command({}, (), {}, (1, 1), _run_stats),
    "generate records": Command(
        _options(number_of, "tracks most-copies field-modifications record-modifications seed threads", records="rows")
        | _options(float_of, "duplicates")
        | _options(text_of, "kind copies")
        | _options(counts_of, "modify"),
        ("linked", "gold", "format", "output", "quiet"),
        {},
        (0, 0),
        _run_records,
    ),
    "generate sets": Command(
        _options(number_of, "tokens smallest largest seed threads", sets="rows") | _options(float_of, "average spread zipf duplicates"),
        ("output", "quiet"),
        {"grow": "call akin.generate.grow"},
        (0, 0),
        _run_sets,
    ),
    "generate text": Command(
        _options(number_of, "documents vocabulary seed threads") | _options(text_of, "words") | _options(two_of, "length") | {"bytes": Option("bytes", lambda value, key: value)},
        ("distribution", "output", "quiet"),
        {},
        (0, 0),
        _run_text,
    ),
}



def tables_of(name: str, said: Given) -> list[Any]:
    """The files that a job names, each in the format that it is read in."""
    paths, given = said.get("input", []), said.get("input-format")
    if name == "compare" and not said.get("files"):
        return list(paths)  # two strings
    if given is not None:
        choice(given, "input-format", {**values("table-formats", "read"), **({"ids": 0} if name == "join" else {})})
    return [path if given is None and by_pyarrow(path) else File(path, given or _akin.format_of_name(path) or COMMANDS[name].unnamed) for path in paths]


def arguments_of(name: str, said: Given, instead: Mapping[str, Any]) -> dict[str, Any]:
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
