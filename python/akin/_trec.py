"""Evaluation of rankings against judgements, as trec_eval does."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from . import _akin
from ._akin import InputError
from ._input import as_list, file_of, input_of, names_in, no_column, texts
from ._ranking import Ranking
from ._settings import Job, Progress, Size, settings
from ._suggest import suggests
from ._temporary import nameless
from ._write import digits as fewest, put

_WHOLE = re.compile(r"-?[0-9]{1,10}(\.0*)?")
# what else the columns of rankings and judgements may be called; the first one that is there counts
_OTHERS = {
    "query": ("query_id", "query"), "document": ("document_id", "document", "id", "object"), "score": ("score", "rank")
}
_COLUMNS = {"ranked": ("query", "document", "score"), "judgements": ("query", "document", "relevance")}
_EXPECTED = {
    "ranked": "an akin.Ranking, the path of a file, a table with columns query, document and score, or a dictionary "
    "{query: {document: score}}",
    "judgements": "the path of a file, a table with columns query, document and relevance, or a dictionary "
    "{query: {document: relevance}}",
}
_TREC = {"ranked": "{} Q0 {} 0 {} akin\n", "judgements": "{} 0 {} {}\n"}


def _column_of(names: Sequence[str], column: str, what: str) -> str:
    """The name that a table has for a column."""
    found = next((name for name in _OTHERS.get(column, (column,)) if name in names), None)
    return found or no_column(f"{what}: there is no column {column!r}; the columns are: ", column, names)


def _value_of(value: str | None, name: str) -> str | None:
    """A relevance, a score or a rank as TREC's format has it. None: it is none of them."""
    if name != "score":
        whole = value if value and _WHOLE.fullmatch(value) else None
        return whole and (whole if name == "relevance" else fewest(-float(whole)))
    try:
        score = float(value or "")
    except ValueError:
        return None
    return fewest(score) if math.isfinite(score) else None


def _lines(data: Any, what: str, job: Job) -> list[str]:
    """Lines of TREC's format, of a table or a dictionary. ``what``: the argument, "ranked" or "judgements"."""
    if isinstance(data, Mapping) and data and all(isinstance(each, Mapping) for each in data.values()):
        nested = [(query, document, value) for query, each in data.items() for document, value in each.items()]
        data = {name: [line[i] for line in nested] for i, name in enumerate(_COLUMNS[what])}
    names = list(data) if isinstance(data, Mapping) else names_in(data)
    if names is None or (what == "judgements" and isinstance(data, Ranking)):
        advice = "; the ranking is the first argument" if isinstance(data, Ranking) else ""
        raise TypeError(f"{what} is of type {type(data).__name__}; expected {_EXPECTED[what]}{advice}")
    chosen = [_column_of(names, column, what) for column in _COLUMNS[what]]
    columns = {n: texts(as_list(data[n], n)) for n in chosen} if isinstance(data, Mapping) else data
    read = input_of(columns, chosen, False, job)
    lines: dict[tuple[str, str], str] = {}
    for row, (query, document, value) in enumerate(zip(*(read.column(i) for i in range(3)), strict=True)):
        for name, id in zip(chosen, (query, document)):
            if not id or any(c <= " " for c in id):
                raise InputError(f"{what}: row {row}, column {name!r}: {id!r}; expected an id without blanks")
        written = _value_of(value, chosen[2])
        if written is None:
            expected = "a number" if chosen[2] == "score" else "a whole number"
            raise InputError(f"{what}: row {row}, column {chosen[2]!r}: {value!r}; expected {expected}")
        if (query, document) in lines:
            raise InputError(f"{what}: row {row}: document {document!r} is there twice for query {query!r}")
        lines[query, document] = _TREC[what].format(query, document, written)
    return list(lines.values())


@suggests
def evaluate_trec(
    ranked: Any,
    judgements: Any,
    *,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> dict[str, Any]:
    """Evaluates a ranking by judgements, with the same results as trec_eval.

    Parameters
    ----------
    ranked
        A :class:`akin.Ranking`; the path of one: lines of ``query Q0 document rank score tag``, as ``akin rank`` writes
        them; a table, a data frame or a dictionary with the columns ``query``, ``document`` and ``score``, or ``rank``
        without ``score``; or a dictionary ``{query: {document: score}}``.
    judgements
        The path of a file, lines of ``query 0 document relevance``; a table, a data frame or a dictionary with the
        columns ``query``, ``document`` and ``relevance``; or a dictionary ``{query: {document: relevance}}``. Ids are
        those of the ranking, or its row numbers if it has no ids, and are compared as text.

        Where a table has the columns ``query_id`` and ``document_id``, they are read in place of ``query`` and
        ``document``. Objects of :meth:`akin.Index.search` may be in the column ``id`` or ``object``.
    threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    dict
        ``ndcg_10``, ``map``, ``p_10``, ``r_100`` and ``mrr``, means over the queries with a relevant document; and the
        counts ``queries``, those with a relevant document; ``answered``, those of them in the ranking; ``found``, lines
        of the ranking for these queries; and ``relevant``, relevant documents of these queries.

    Raises
    ------
    InputError
        A line has another format; the message names the file and the line. A relevance is not a whole number, a score
        is not a number, or an id is empty or has a blank. A document is there twice for its query. No query of the
        ranking has judgements.
    OptionError
        A table lacks a column.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> ranking = akin.bm25(["red wine", "red house", "a river"]).rank(["red house"], k=2)
    >>> akin.evaluate_trec(ranking, {"query": [0], "document": [0], "relevance": [1]})["mrr"]
    0.5
    >>> with open("run.trec", "w") as file:
    ...     _ = file.write("q1 Q0 d7 1 3.5 akin\\nq1 Q0 d9 2 1.5 akin\\n")
    >>> with open("qrels.txt", "w") as file:
    ...     _ = file.write("q1 0 d9 1\\n")
    >>> akin.evaluate_trec("run.trec", "qrels.txt")["mrr"]
    0.5
    """
    job = settings(threads, device, memory, progress, device_memory)
    given, files = {"ranked": ranked, "judgements": judgements}, {}
    with nameless() as ranked_file, nameless() as judged_file:
        for (what, data), (file, path) in zip(given.items(), (ranked_file, judged_file), strict=True):
            if not isinstance(data, (str, os.PathLike)):
                files[what] = path
                put(path, _lines(data, what, job))
                file.seek(0)
        files |= {what: file_of(data) for what, data in given.items() if what not in files}
        return _akin.evaluate_trec(job, files["ranked"], files["judgements"])
