"""Indexes: the objects that have the most in common with a query, or the strings that are nearest to it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from . import _akin
from ._akin import OptionError
from ._input import Names, input_of, texts_of
from ._settings import Settings, settings, tokens_of
from ._table import Table

_KINDS = {"documents": 2, "rows": 3, "sequences": 4}
_MEASURES = {"jaccard": 1, "cosine": 2, "dice": 3, None: 4}


def _whole(value: Any, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**32:
        raise OptionError(f"{name} is {value!r}; expected a whole number, {least} or more")
    return value


class Index:
    """Objects to be searched: made by :meth:`build`, or opened by :meth:`open`. It does not change; many threads may search it."""

    def __init__(self, searcher: _akin.Searcher, run: tuple) -> None:
        if not isinstance(searcher, _akin.Searcher):
            raise TypeError("made by Index.build or Index.open")
        self._searcher = searcher
        self._run = run
        kind, self._objects, self.keywords, self.bytes = searcher.describe()
        self.kind = {number: name for name, number in _KINDS.items()}.get(kind, "others")

    def __len__(self) -> int:
        return self._objects

    def __repr__(self) -> str:
        return f"akin.Index of {self._objects:,} {self.kind}"

    @classmethod
    def build(
        cls,
        objects: Any,
        on: Names = None,
        *,
        kind: str = "documents",
        tokens: str = "words",
        fold: bool | None = None,
        stop_words: str | Iterable[str] = (),
        numeric: Sequence[str] = (),
        bins: int = 1024,
        ngram: int = 0,
        lossy: bool = False,
        **run: Unpack[Settings],
    ) -> Index:
        """Makes an index.

        Parameters
        ----------
        objects, on
            A table, a column, a list of strings or the path of a file (see the package), and the columns that count: of documents
            and sequences one is needed; of rows None stands for all.
        kind
            ``"documents"``, texts by their distinct tokens; ``"rows"`` of a table by the values of its columns; ``"sequences"``,
            strings of bytes by edit distance.
        tokens, fold, stop_words
            Of documents: what a token is, as in :func:`akin.join`.
        numeric, bins
            Of rows: the columns that hold numbers, whose values are cut into so many intervals.
        ngram
            Of sequences: so many bytes have the n-grams that are kept, 1 to 5; 0: none are.
        lossy, **run
            See the package.
        """
        if kind not in _KINDS:
            raise OptionError(f"kind is {kind!r}; expected documents, rows or sequences")
        job = settings(**run)
        read = (input_of if kind == "rows" else texts_of)(objects, on, lossy, job)
        if kind == "sequences" and len(read.names) != 1:
            raise OptionError("sequences are of one column")
        text = tokens_of(tokens, False, fold, stop_words)
        numbers = (numeric,) if isinstance(numeric, str) else tuple(numeric)
        plan = (_KINDS[kind], text, numbers, _whole(bins, "bins", 1), _whole(ngram, "ngram", 0))
        return cls(_akin.build(job, read, plan), job)

    def search(
        self,
        queries: Any,
        k: int = 10,
        *,
        on: Names = None,
        measure: str | None = None,
        tolerance: int = 50,
        weights: Mapping[str, int] | None = None,
        least: int = 0,
        candidates: int = 0,
        one_round: bool = False,
        technique: str = "auto",
        lossy: bool = False,
        **run: Unpack[Settings],
    ) -> Table:
        """The ``k`` objects that have the most keywords in common with each query; of sequences the nearest ones. Exact.

        Parameters
        ----------
        queries, on
            The text of a query, or a column, list, table or ``pathlib.Path`` of them (see the package). Of rows a table, whose columns are
            told by name, and may be fewer than those of the index; a field is a value, or of a numeric column a number or a range
            such as "[20,30]".
        k
            How many objects at most, 1 or more; those without anything in common come behind the others.
        measure
            Of documents: ``"jaccard"``, ``"cosine"`` or ``"dice"``, by which the most similar are found; None: by the count.
        tolerance
            Of rows: intervals on either side of a number's that count as the same, too.
        weights
            Of rows: how much a column counts, a whole number of 1 or more; 1 where it is not named.
        least
            Objects that count less are not found.
        candidates, one_round
            Of sequences with n-grams: how many are compared at first, and whether that is all (docs/search.md).
        technique
            ``"auto"``, ``"lists"``, ``"scan"``: the same is found by each.
        lossy, **run
            See the package.

        Returns
        -------
        Table
            ``query`` and ``object``, row numbers from 0 on; ``count``, and by a measure ``similarity``; of sequences ``distance`` and
            ``certified``, whether it is known to be right, which it always is unless ``one_round``. By query, best first.

        Notes
        -----
        J. Zhou et al., A Generic Inverted Index Framework for Similarity Search on the GPU; see docs/search.md.
        """
        if measure not in _MEASURES:
            raise OptionError(f"measure is {measure!r}; expected jaccard, cosine or dice, or None")
        job = settings(**run)
        asked = [queries] if isinstance(queries, str) else queries
        read = (input_of if self.kind == "rows" else texts_of)(asked, on, lossy, job)
        weighing = None
        if weights is not None:
            unknown = [name for name in weights if name not in read.names]
            if unknown:
                raise OptionError(f"weights: there is no column {unknown[0]!r} in the queries")
            weighing = tuple(_whole(weights.get(name, 1), "weights", 1) for name in read.names)
        options = (
            _whole(k, "k", 1),
            technique,
            _whole(tolerance, "tolerance", 0),
            _whole(least, "least", 0),
            _whole(candidates, "candidates", 0),
            one_round,
            _MEASURES[measure],
            weighing,
        )
        return Table(self._searcher.search(job, read, options))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the index as an .akin file, which ``akin search`` reads, too; whole or not at all."""
        self._searcher.save(self._run, os.fspath(path))

    @classmethod
    def open(cls, path: str | os.PathLike[str], **run: Unpack[Settings]) -> Index:
        """Opens a saved index: it is mapped and checked, and must stay as it is as long as this lives."""
        job = settings(**run)
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
        return cls(_akin.open_search(job, os.fspath(path)), job)
