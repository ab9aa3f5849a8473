"""Rankings: the best documents of queries, and files of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import text
from ._settings import settings
from ._table import Table
from ._write import digits, format_of, put, save_arrow, write


class Ranking(Table):
    """A table of ``query`` and ``document``, row numbers from 0 on, and ``score``; with ``query_id`` and ``document_id`` where these have
    names. By query, best first.

    >>> import akin
    >>> found = akin.bm25(["red wine", "white wine"]).rank("red wine", k=2)
    >>> found["document"]
    [0, 1]
    """

    __slots__ = ()

    def _lines(self) -> Iterator[tuple[Any, Any, int, float]]:
        """Query, document, rank and score, by names where there are such."""
        queries, documents = (
            self[f"{side}_id" if f"{side}_id" in self.columns else side] for side in ("query", "document")
        )
        rows = zip(self["query"], queries, documents, self["score"], strict=True)
        for _, found in groupby(rows, key=lambda row: row[0]):
            for rank, (_, query, document, score) in enumerate(found, 1):
                yield query, document, rank, score

    def save(self, path: str | os.PathLike[str], *, format: str | None = None, tag: str | None = None) -> None:
        """Writes the ranking as ``akin rank`` does, to a file that appears whole or not at all.

        Parameters
        ----------
        format
            ``"trec"``, lines of ``query Q0 document rank score tag``, which :func:`akin.evaluate_trec` and trec_eval take; ``"csv"``,
            ``"tsv"`` and ``"jsonl"``, with ``query``, ``document``, ``rank`` and ``score``. None: as the path ends, else ``"trec"``.
        tag
            What TREC's format calls the run; None: ``"akin"``.

        Raises
        ------
        OptionError
            The format is unknown, the name that of a format that akin does not write, or the tag no word, or for a format that has none.
        InputError
            A name has what the format cannot hold.
        OSError
            The file cannot be written; there is none then, or the one that was there.

        Examples
        --------
        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).rank("red", k=2).save("run.trec", tag="mine")
        >>> open("run.trec").read().split()[:4]
        ['0', 'Q0', '0', '1']
        """
        name = os.fsdecode(path)
        if format is None and tag is None and save_arrow(name, self):
            return
        kind = format_of(name, format, "trec")
        if kind != "trec":
            if tag is not None:
                raise OptionError(f"tag is {tag!r}; only TREC's format has one")
            write(name, kind, ("query", "document", "rank", "score"), self._lines())
            return
        word = "akin" if tag is None else text(tag, "tag")
        if not _fits(word):
            raise OptionError(f"tag is {word!r}; expected a word without blanks and control characters")
        put(name, (_trec(*line, word) for line in self._lines()))

    def _part(self, frame: _akin.Frame) -> Table:
        return Ranking(frame)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._frame.state(), self.stats)


def _fits(name: str) -> bool:
    """Whether it can be a field of TREC's format, which are between blanks."""
    return bool(name) and all(c > " " for c in name)


def _trec(query: Any, document: Any, rank: int, score: float, tag: str) -> str:
    for what, name in (("query", str(query)), ("document", str(document))):
        if not _fits(name):
            raise InputError(f"{what} {name!r} has a blank, or nothing, which TREC's format cannot hold: write CSV, TSV or JSON lines")
    return f"{query} Q0 {document} {rank} {digits(score)} {tag}\n"


def _restore(state: tuple[Any, ...], stats: dict[str, Any] | None) -> Ranking:
    return Ranking(_akin.from_state(settings(), state), stats)
