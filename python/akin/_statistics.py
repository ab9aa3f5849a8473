"""Statistics of a corpus, by which the documents of a part are weighed."""

from __future__ import annotations

import itertools
import os
from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import listed, plain, shown, whole
from ._graph import sides_of
from ._input import Names, as_list, input_of, names_in
from ._settings import Job, Progress, Settings, Size, settings
from ._suggest import suggests
from ._table import Table

if TYPE_CHECKING:
    from ._dictionary import Dictionary
    from ._names import UnknownTerms

_COLUMNS = ("term", "documents")
_SAVED = (*_COLUMNS, "tokens")
_MOST = 2**32 - 1


class Statistics:
    """What has to be known of a corpus to weigh a part of it: the number of documents, the number of tokens, and for
    each term the number of documents that contain it. :attr:`akin.BM25.statistics` and :meth:`of` count those of
    BM25, and :meth:`of_records` those of the comparators ``tfidf`` and ``codes``. :meth:`merge` adds up those of parts.
    ``akin.bm25(part, statistics=...)``, ``akin.dedupe(part, statistics=...)`` and :func:`akin.link` weigh by them.

    Statistics can be pickled and compared. ``akin.Statistics(s.documents, s.tokens, s.terms)`` makes them again, also
    of an Arrow table of the terms.

    Parameters
    ----------
    documents
        The number of documents.
    tokens
        The number of tokens in all documents, without stop words.
    terms
        An Arrow table, a data frame or a dictionary of lists with the columns ``term`` and ``documents``, or a list of
        (term, documents). Each term is there once.

    Attributes
    ----------
    documents, tokens : int
        As above.
    terms : Table
        ``term`` and ``documents``, the number of documents that contain the term, sorted by the bytes of terms. An
        empty term stands for all that a fixed vocabulary lacks (``unknown="share"``).

    Raises
    ------
    InputError
        A term is null or is there twice, or a number is out of range.
    OptionError
        A number is out of range, or a column is missing.
    TypeError
        An argument has the wrong type.

    Examples
    --------
    >>> import akin
    >>> first, second = ["red wine", "a red house"], ["white wine"]
    >>> corpus = akin.Statistics.merge([akin.Statistics.of(first), akin.Statistics.of(second)])
    >>> corpus
    akin.Statistics of 3 documents, 5 terms
    >>> part, both = akin.bm25(second, statistics=corpus), akin.bm25(first + second)
    >>> part.rank("wine")["score"].tolist() == both.rank("wine")["score"].tolist()[1:]
    True
    """

    __slots__ = ("documents", "terms", "tokens")

    def __init__(self, documents: int, tokens: int, terms: Any) -> None:
        self.documents: int = whole(documents, "documents", 0, _MOST)
        self.tokens: int = whole(tokens, "tokens", 0, 2**64 - 1)
        self.terms: Table = _table_of(_checked(_counts_of(terms), self.documents))

    @staticmethod
    @suggests
    def of(
        documents: Any,
        on: Names = None,
        *,
        tokens: str = "words",
        ignore_case: bool | None = None,
        stop_words: str | Iterable[str] = (),
        stem: str | None = None,
        dictionary: Dictionary | None = None,
        unknown: UnknownTerms = "share",
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Statistics:
        """Counts the statistics of documents for :func:`akin.bm25`, and weighs nothing, in a part of its time.

        Parameters
        ----------
        documents, on, tokens, ignore_case, stop_words, stem, dictionary, unknown
            As in :func:`akin.bm25`. All parts of a corpus need the same.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Returns
        -------
        Statistics

        Raises
        ------
        OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError, OSError
            As :func:`akin.bm25`.

        Examples
        --------
        >>> import akin
        >>> found = akin.Statistics.of(["red wine", "white wine"])
        >>> found.documents, found.tokens, found.terms.to_dict()
        (2, 4, {'term': ['red', 'white', 'wine'], 'documents': [1, 1, 2]})
        """
        from ._bm25 import count

        return statistics_made(
            *count(
                documents, on, tokens=tokens, ignore_case=ignore_case, stop_words=stop_words, stem=stem,
                dictionary=dictionary, unknown=unknown, lossy=lossy, threads=threads, device=device, memory=memory,
                device_memory=device_memory, progress=progress
            )
        )  # fmt: skip

    @staticmethod
    @suggests
    def of_records(
        table: Any,
        compare: Any,
        *,
        right: Any = None,
        fold: Any = None,
        synonyms: Any = None,
        combine: Any = None,
        left_on: Names = None,
        right_on: Names = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> dict[str, Statistics]:
        """Counts the statistics by which the comparators ``tfidf`` and ``codes`` weigh tokens, for ``statistics=`` of
        :func:`akin.dedupe` and :func:`akin.link`. With those of a whole table, two records of a part have the
        similarity that they have in the whole table, the same double.

        The same ``compare``, ``fold``, ``synonyms`` and ``combine`` make the same tokens as in the job. A document is a
        record with a value in the column, or for ``codes`` with a code. A token counts once in a record.

        Parameters
        ----------
        table, compare, fold, synonyms, combine
            As in :func:`akin.dedupe`. Comparisons that weigh no tokens are ignored.
        right, left_on, right_on
            The right table, and the names of its columns, as in :func:`akin.link`: the records of both tables count
            together. The statistics of each table alone, merged, are the same.
        lossy, threads, device, memory, device_memory, progress
            See the package. The CPU counts.

        Returns
        -------
        dict of Statistics
            By what results call a comparison: the column, or ``"COLUMN:COMPARATOR"`` where several comparisons have one
            column.

        Raises
        ------
        OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError, OSError
            As :func:`akin.dedupe`.

        Examples
        --------
        >>> import akin
        >>> first, second = {"name": ["red wine", "wine"]}, {"name": ["white wine", "red wine"]}
        >>> counted = [akin.Statistics.of_records(part, "name:tfidf")["name"] for part in (first, second)]
        >>> whole = {"name": akin.Statistics.merge(counted)}
        >>> akin.dedupe(first, "name:tfidf", all_pairs=True, threshold=0.1, statistics=whole)["similarity"].tolist()
        [0.5337101420261677]
        """
        from ._dedupe import count_records

        run = Settings(threads=threads, device=device, memory=memory, progress=progress, device_memory=device_memory)
        rules = {"fold": fold, "synonyms": synonyms, "combine": combine}
        found = count_records(table, right, compare, rules, (left_on, right_on), lossy, run)
        return {name: statistics_made(*counted) for name, counted in found.items()}

    @staticmethod
    @suggests
    def open(path: str | os.PathLike[str]) -> Statistics:
        """Reads statistics that :meth:`save` or ``akin weigh --save-statistics`` wrote.

        Raises
        ------
        InputError, OptionError, OSError
            The file is malformed, has other columns, or cannot be read.

        Examples
        --------
        >>> import akin
        >>> akin.Statistics.of(["red wine", "white wine"]).save("wines.csv")
        >>> akin.Statistics.open("wines.csv")
        akin.Statistics of 2 documents, 3 terms
        """
        name = os.fspath(path)
        read = input_of(path, _SAVED, False, settings())
        terms, counts, tokens = (read.column(i) for i in range(len(_SAVED)))
        whole = [row for row, number in enumerate(tokens) if number]
        if len(whole) != 1 or terms[whole[0]]:
            raise InputError(f"{name}: expected one row with a number of tokens, that of the corpus, without a term")
        at, numbers = whole[0], [_number(count, f"{name}: row {row}") for row, count in enumerate(counts)]
        counted = [(term or "", number) for term, number in zip(terms, numbers, strict=True)]
        del counted[at]
        return Statistics(numbers[at], _number(tokens[at], f"{name}: row {at}"), counted)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the statistics to a file, which appears whole or not at all: a table with the columns ``term``,
        ``documents`` and ``tokens``. The first row is that of the corpus, without a term; the rows of terms have no
        tokens. The ending of the name gives the format, as in :meth:`akin.Table.save`. ``akin weigh --statistics`` and
        :meth:`open` read the file.

        Raises
        ------
        OptionError, InputError, OSError, ImportError
            As :meth:`akin.Table.save`.

        Examples
        --------
        >>> import akin
        >>> akin.Statistics.of(["red wine", "white wine"]).save("wines.csv")
        >>> print(open("wines.csv").read(), end="")
        term,documents,tokens
        ,2,4
        red,1,
        white,1,
        wine,2,
        """
        texts = [term.encode() for term in self.terms["term"].tolist()]
        ends = array("q", itertools.accumulate(map(len, texts), initial=0))
        rows = len(texts) + 1
        counts = array("I", [self.documents, *self.terms["documents"].tolist()])
        columns = (
            ("term", "U", None, array("q", [0, *ends]).tobytes(), b"".join(texts)),
            ("documents", "I", None, counts.tobytes(), None),
            ("tokens", "L", _first_alone(rows), array("Q", [self.tokens, *[0] * len(texts)]).tobytes(), None),
        )
        Table(_akin.from_state(settings(), (rows, columns))).save(path)

    @staticmethod
    def merge(parts: Iterable[Statistics]) -> Statistics:
        """The statistics of a corpus from those of its parts: the sums. Parts in any order, and merged in any groups,
        give the same statistics.

        Raises
        ------
        TypeError
            A part has another type.
        OptionError
            There are 2^32 documents or more.

        Examples
        --------
        >>> import akin
        >>> a, b = akin.bm25(["red wine"]).statistics, akin.bm25(["white wine"]).statistics
        >>> akin.Statistics.merge([a, b]) == akin.bm25(["red wine", "white wine"]).statistics
        True
        """
        documents, tokens = 0, 0
        counts: dict[str, int] = {}
        for part in listed(parts, "parts", "a list of akin.Statistics"):
            if not isinstance(part, Statistics):
                raise TypeError(f"parts: {shown(part)}; expected a list of akin.Statistics")
            documents, tokens = documents + part.documents, tokens + part.tokens
            for term, count in zip(part.terms["term"].tolist(), part.terms["documents"].tolist(), strict=True):
                counts[term] = counts.get(term, 0) + count
        return statistics_made(documents, tokens, _table_of(counts))

    def __repr__(self) -> str:
        return f"akin.Statistics of {self.documents:,} documents, {len(self.terms):,} terms"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Statistics) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash((self.documents, self.tokens, len(self.terms)))

    def _state(self) -> tuple[Any, ...]:
        return self.documents, self.tokens, self.terms._frame.state()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._state()


def _restore(documents: int, tokens: int, state: tuple[Any, ...]) -> Statistics:
    return statistics_made(documents, tokens, Table(_akin.from_state(settings(), state)))


def _counts_of(terms: Any) -> list[tuple[Any, Any]]:
    """Terms and numbers of documents."""
    names = list(terms) if isinstance(terms, Mapping) else names_in(terms)
    if names is not None or hasattr(terms, "__arrow_c_stream__"):
        if not set(_COLUMNS) <= set(names or ()):
            raise OptionError("terms: expected the columns 'term' and 'documents'")
        words, counts = (as_list(terms[name], name) for name in _COLUMNS)
        if len(words) != len(counts):
            raise InputError(f"terms: {len(words)} terms and {len(counts)} numbers of documents; expected as many")
        return list(zip(words, counts, strict=True))
    return list(zip(*sides_of(terms, "terms", "a term and a number"), strict=True))


def _checked(counts: list[tuple[Any, Any]], documents: int) -> dict[str, int]:
    """The number of documents of each term."""
    found: dict[str, int] = {}
    for term, count in counts:
        if not isinstance(term, str):
            raise InputError(f"terms: {shown(term)}; expected a str")
        number = plain(count)
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= documents:
            raise InputError(
                f"terms: {term!r} is in {shown(count)} documents; expected 1 to {documents}, the number of documents"
            )
        if term in found:
            raise InputError(f"terms: {term!r} is there twice")
        found[term] = number
    return found


def _number(value: str | None, where: str) -> int:
    """A number of a file."""
    if value is None or not (value.isascii() and value.isdigit()):
        raise InputError(f"{where}: {shown(value)}; expected a whole number")
    return int(value)


def _first_alone(rows: int) -> bytes:
    """A bitmap in which only the first of some rows is not null."""
    return bytes([1, *[0] * ((rows - 1) // 8)])


def _table_of(counts: Mapping[str, int]) -> Table:
    """A table of terms, sorted by their bytes, which is the order of str."""
    ordered = sorted(counts)
    texts = [term.encode() for term in ordered]
    ends = array("q", itertools.accumulate(map(len, texts), initial=0))
    columns = (
        ("term", "U", None, ends.tobytes(), b"".join(texts)),
        ("documents", "I", None, array("I", map(counts.__getitem__, ordered)).tobytes(), None),
    )
    return Table(_akin.from_state(settings(), (len(ordered), columns)))


def statistics_made(documents: int, tokens: int, terms: Table | _akin.Frame) -> Statistics:
    """Statistics of what has been counted here."""
    made = Statistics(documents, tokens, ())
    made.terms = terms if isinstance(terms, Table) else Table(terms)
    return made


def statistics_of(weights: _akin.Weights, job: Job) -> Statistics:
    """The statistics of the documents of weights."""
    documents, tokens, terms = weights.statistics(job)
    return statistics_made(documents, tokens, terms)


def corpus_of(statistics: Statistics | None, job: Job) -> tuple[Any, ...] | None:
    """Statistics as the library takes them."""
    if statistics is None:
        return None
    if not isinstance(statistics, Statistics):
        raise TypeError(f"statistics is {shown(statistics)}; expected akin.Statistics")
    terms = statistics.terms
    return (
        statistics.documents, statistics.tokens, input_of(terms, ("term",), False, job), terms.buffer("documents")
    )
