"""Jobs about indexes and term weights: index, search, weigh and rank."""

from __future__ import annotations

import os
from typing import Any

from . import _akin
from ._akin import OptionError
from ._bm25 import BM25, bm25, write_vocabulary, write_weights
from ._checks import choice
from ._choices import choices, usual, values
from ._index import Index, _kinds_with
from ._input import File, input_of
from ._job_values import Tables, digits_of, flag_of, has_columns, list_of, shown_names, text_of, without
from ._ranking import Ranking, write_ranking
from ._results import Given, write_hits
from ._settings import settings
from ._shown import Shown, add_shown, shown_of_queries
from ._statistics import Statistics
from ._write import is_csv, write

# What the documents of a job may say that an index has in itself.
_OF_DOCUMENTS = (
    "documents",
    "tokens",
    "stem",
    "formula",
    "k1",
    "b",
    "delta",
    "ignore-case",
    "stop-words",
    "query-on",
    "query-id",
)
_RUNNING = ("threads", "device", "memory", "device_memory", "progress")

# ------------------------------------------------------------------------------------------------------------ documents


def _documents(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    """Documents, of all tables in their order. Of plain text the job says where one ends."""
    unit = said.get("documents", usual("documents"))
    choice(unit, "documents", values("documents"))
    if "documents" in said:
        tables = [_cut(table, unit) for table in tables]
    lossy = bool(arguments.get("lossy"))
    if unit in values("documents", "names"):  # a file is a document, and its name the id
        arguments |= {"on": "text", "id": "id"}
        return {
            "id": list(map(os.fspath, tables)),
            "text": [input_of(table, None, lossy, settings()).column(0)[0] for table in tables],
        }
    if len(tables) == 1:
        return tables[0]
    names = [*arguments.get("on", []), *([arguments["id"]] if "id" in arguments else [])]
    reads = [input_of(table, names or None, lossy, settings()) for table in tables]
    if not names:
        return [value for read in reads for value in read.column(0)]
    return {name: [value for read in reads for value in read.column(i)] for i, name in enumerate(names)}


def _cut(table: Any, unit: str) -> File:
    """A file of plain text that is cut into documents."""
    if not isinstance(table, File) or has_columns(table):
        raise OptionError(f"documents is {unit!r}, which cuts plain text; expected a file of plain text, not a table")
    return File(table, unit)


def _queries(tables: Tables, said: Given) -> Any:
    queries = said["query"] if "query" in said else tables[1] if len(tables) > 1 else None
    if queries is None:
        raise OptionError("expected queries: a second table, or 'query'")
    return queries


def _indexed(said: Given) -> list[File]:
    """The files that an index was made of."""
    if "indexed" in said and "show" not in said:
        raise OptionError("indexed: expected show, the columns of these files to show")
    paths = list_of(said.get("indexed", []), "indexed")
    return [File(path, _akin.format_of_name(path) or "text") for path in paths]


def _shown(tables: Tables, documents: Tables, count: int, said: Given, lossy: bool) -> list[Shown]:
    """The columns of queries and documents that results show."""
    queries = None if "query" in said else tables[1]
    if "show" in said and queries is None and not documents:
        raise OptionError(
            "show: queries of the job have no columns; expected a table of queries, or indexed, files of the documents"
        )
    return shown_of_queries(shown_names(said), queries, documents, count, lossy)


# ----------------------------------------------------------------------------------------------------- index and search


def run_index(tables: Tables, arguments: dict[str, Any], said: Given) -> Index:
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


def _index(table: Any, said: Given) -> Index:
    verify = flag_of(said.get("verify", False), "verify")
    return table if isinstance(table, Index) else Index.open(table, verify=verify)


def run_search(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    queries, indexed = _queries(tables, said), _indexed(said)
    index = _index(tables[0], said)
    shown = _shown(tables, indexed, len(index), said, bool(arguments.get("lossy")))
    found = index.search(queries, **arguments)
    if "output" in said:
        measured = "measure" in arguments and arguments["measure"] not in values("measures", "count")
        write_hits(found, said["output"], said.get("format"), digits_of(said), measured, shown)
    add_shown(found, shown)
    return found


# ------------------------------------------------------------------------------------------------------- weigh and rank


def run_weigh(tables: Tables, arguments: dict[str, Any], said: Given) -> BM25:
    documents = _documents(tables, arguments, said)
    output, vocabulary = said.get("output"), said.get("vocabulary")
    formats = {row.name: row.capabilities for row in choices("weights-formats") if "write" in row.capabilities}
    ending = os.path.splitext(output or "")[1][1:]
    format = said.get("format", ending if ending in formats else usual("weights-formats"))
    choice(format, "format", formats)
    is_safe = flag_of(said.get("safe-csv", False), "safe-csv")
    if is_safe and not (output and is_csv(format)) and not (vocabulary or "").endswith(".csv"):
        raise OptionError("safe-csv: neither weights nor vocabulary are written as CSV")
    if "statistics" in said:
        arguments["statistics"] = Statistics.open(text_of(said["statistics"], "statistics"))
    made = bm25(documents, **arguments)
    if "save-statistics" in said:
        made.statistics.save(text_of(said["save-statistics"], "save-statistics"))
    if output is not None:
        order = said.get("order", usual("weight-orders"))
        lengths = write_weights(order, format, output, documents, arguments, is_safe)
        if "names" not in formats[format]:  # a matrix
            beside = os.path.splitext(output)[0]
            vocabulary = vocabulary or f"{beside}.vocabulary.tsv"
            if "id" in arguments:
                names = input_of(documents, arguments["id"], bool(arguments.get("lossy")), settings()).column(0)
                write(f"{beside}.documents.tsv", "tsv", ("document", "length"), zip(names, lengths, strict=True))
    if vocabulary is not None:
        write_vocabulary(made, vocabulary, is_safe)
    return made


def _is_index(table: Any) -> bool:
    """Whether it is an index, or a file that holds one (docs/container.md), and not documents."""
    if isinstance(table, Index) or not isinstance(table, (str, os.PathLike)):
        return isinstance(table, Index)
    path = os.fspath(table)
    if path.endswith(".akin"):
        return True
    with open(path, "rb") as file:
        return file.read(8) == b"AKIN\r\n\x1a\n"


def run_rank(tables: Tables, arguments: dict[str, Any], said: Given) -> Ranking:
    queries, shown_files = _queries(tables, said), list(_indexed(said))
    both: dict[str, Any] = {name: arguments.pop(name) for name in ("on", "id") if name in arguments}
    of_queries: dict[str, Any] = {
        name: arguments.pop(f"query_{name}") for name in ("on", "id") if f"query_{name}" in arguments
    }
    how = {name: arguments[name] for name in (*_RUNNING, "k", "lossy") if name in arguments}
    ranker: Index | BM25
    if _is_index(tables[0]):
        if beside := [key for key in _OF_DOCUMENTS if key in said]:
            raise OptionError(f"{beside[0]}: is for documents in place of an index")
        ranker, of_queries = _index(tables[0], said), both
        count = len(ranker)
    else:  # on and id belong to the side that is a table
        if "verify" in said:
            raise OptionError("verify: is for an index, and the documents are at hand; leave it out")
        if shown_files:
            raise OptionError("indexed: is for an index, and the documents are at hand; leave it out")
        is_table = "query" not in said and has_columns(queries)
        of_documents = without(arguments, "k") | (both if has_columns(tables[0]) or not is_table else {})
        of_queries = (both if is_table else {}) | of_queries
        ranker = bm25(_documents(tables[:1], of_documents, said), **of_documents)
        shown_files = [_cut(tables[0], said["documents"]) if "documents" in said else tables[0]]
        count = ranker.documents
    shown = _shown(tables, shown_files, count, said, bool(arguments.get("lossy")))
    found = ranker.rank(queries, **how, **of_queries)
    if "output" in said:
        write_ranking(found, said["output"], said.get("format"), said.get("tag"), digits_of(said), shown)
    add_shown(found, shown)
    return found
