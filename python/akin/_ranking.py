"""Rankings: the best documents for queries, and their files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import text
from ._results import formats_of, named, ranks_of, rounded, values_of
from ._settings import settings, synced
from ._shown import Shown
from ._suggest import suggests
from ._table import Table
from ._write import Doubles, digits as fewest, format_of, put, safe, save_table, with_point, write


class Ranking(Table):
    """A table of ``query`` and ``document``, row numbers from 0, and ``score``, sorted by query, the best first. It
    also has ``query_id`` and ``document_id`` if queries and documents have names.

    >>> import akin
    >>> found = akin.bm25(["red wine", "white wine"]).rank("red wine", k=2)
    >>> found["document"]
    [0, 1]
    """

    __slots__ = ()

    @suggests
    def save(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        tag: str | None = None,
        replace: bool = False,
        safe_csv: bool = False,
        sync: bool = False,
    ) -> None:
        """Writes the ranking to a file, as ``akin rank`` does, with 1.0 for a score of 1. The file appears whole or
        not at all.

        Parameters
        ----------
        path
            The file. One with the ending .parquet, .arrow, .feather or .ipc, and the address of a table in a database,
            gets the columns of the table.
        format
            ``"trec"``, lines of ``query Q0 document rank score tag``, which :func:`akin.evaluate_trec` and trec_eval
            read; or ``"csv"``, ``"tsv"`` or ``"jsonl"``, with ``query``, ``document``, ``rank`` and ``score``. None: by
            the ending of the path, else ``"trec"``.
        tag
            The name of the run in TREC's format (default: ``"akin"``).
        replace
            Lets the table take the place of one that is in the database.
        safe_csv
            As for :meth:`Table.save`: CSV for spreadsheets.
        sync
            Returns only when the file is on the disk, so that a loss of power cannot take it away.

        Raises
        ------
        OptionError
            The format is unknown; the name is that of a format that akin does not write; or the tag is not a word, or
            not for TREC's format.
        InputError
            A name contains characters that the format cannot hold.
        OSError
            The file cannot be written. An earlier file of the name stays as it is.

        Examples
        --------
        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).rank("red", k=2).save("run.trec", tag="mine")
        >>> open("run.trec").read().split()[:4]
        ['0', 'Q0', '0', '1']
        """
        name = os.fsdecode(path)
        with synced(sync):
            if format is not None or tag is not None or safe_csv or not save_table(name, self, replace):
                write_ranking(self, name, safe(format, safe_csv), tag, doubles=with_point)

    def _part(self, frame: _akin.Frame) -> Table:
        return Ranking(frame)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._frame.state(), self.stats)


def write_ranking(
    found: Table, path: str, format: str | None, tag: str | None, digits: int | None = None,
    shown: Sequence[Shown] = (), doubles: Doubles = fewest
) -> None:
    """Writes queries and documents, by their names if any, with ranks, scores and shown columns."""
    kind = format_of(path, format, "trec")
    columns: list[Any] = [
        named(found, "query", "query_id"), named(found, "document", "document_id"), ranks_of(found["query"])
    ]
    columns.append([rounded(score, digits) for score in found["score"]])
    if kind != "trec":
        if tag is not None:
            raise OptionError(f"tag is {tag!r}; only TREC's format has one")
        columns += values_of(shown, found["query"], found["document"])
        titles = ("query", "document", "rank", "score", *(column.name for column in shown))
        write(path, kind, titles, zip(*columns, strict=True), doubles=doubles, formats=formats_of(shown))
        return
    if shown:
        raise OptionError("show: TREC's format has no room for values; expected another format, such as 'csv'")
    word = "akin" if tag is None else text(tag, "tag")
    if not _fits(word):
        raise OptionError(f"tag is {word!r}; expected a word without blanks and control characters")
    put(
        path, (_trec(query, document, rank, score, word) for query, document, rank, score in zip(*columns, strict=True))
    )


def _fits(name: str) -> bool:
    """Whether a name can be a field in TREC's format, whose fields stand between blanks."""
    return bool(name) and all(c > " " for c in name)


def _trec(query: Any, document: Any, rank: int, score: float, tag: str) -> str:
    for what, name in (("query", str(query)), ("document", str(document))):
        if not _fits(name):
            raise InputError(
                f"{what} {name!r} has a blank, or nothing, which TREC's format cannot hold: write CSV, TSV or JSON "
                "lines"
            )
    return f"{query} Q0 {document} {rank} {fewest(score)} {tag}\n"


def _restore(state: tuple[Any, ...], stats: dict[str, Any] | None) -> Ranking:
    return Ranking(_akin.from_state(settings(), state), stats)
