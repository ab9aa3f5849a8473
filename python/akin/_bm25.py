"""Term weights of documents, and rankings by them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _akin, _choices
from ._akin import OptionError
from ._checks import choice, number, text, whole
from ._dictionary import Dictionary
from ._input import Names, file_of, named_of
from ._kept import Kept
from ._pickled import pack, unpack
from ._ranking import Ranking
from ._settings import Job, Progress, Size, here, quiet, settings, tokens_of
from ._suggest import suggests
from ._table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class BM25:
    """Documents and what their terms weigh: made by :func:`akin.bm25`, or opened from a file, in which the weights can be ranked by,
    and no more be listed. So it is with one that was pickled, which is done by the bytes of that file.

    A ranking with ``device="cuda"`` (or ``"cuda:N"``) leaves a copy of the index on that GPU, which later ones with the same ``k``,
    ``threads``, ``device`` and ``memory`` use, one at a time; it goes with this object, or when such a ranking says otherwise.

    Attributes
    ----------
    documents, terms, words, pairs : int
        Documents; distinct terms; tokens of all documents; pairs of a document and a term, which have a weight.

    Examples
    --------
    >>> import akin
    >>> akin.bm25(["red wine", "white wine"])
    akin.BM25 of 2 documents, 3 terms
    """

    def __init__(
        self, weights: _akin.Weights | None, index: _akin.RankIndex | None, run: Job, names: _akin.Input | None = None
    ) -> None:
        self._made = weights
        self._names = names
        self._run = quiet(run)
        self._lock = threading.RLock()  # a signal handler may rank while the index is made
        self._index = index
        self._kept: Kept | None = None
        source = index if weights is None else weights
        if not isinstance(source, (_akin.Weights, _akin.RankIndex)):
            raise TypeError("made by akin.bm25, or by BM25.open")
        self.documents, self.terms, self.words, self.pairs = source.figures()

    def __repr__(self) -> str:
        return f"akin.BM25 of {self.documents:,} documents, {self.terms:,} terms"

    @property
    def _weights(self) -> _akin.Weights:
        if self._made is None:
            raise OptionError("an index that was opened ranks, and does not list weights")
        return self._made

    def _ranked(self) -> tuple[_akin.RankIndex, Kept]:
        """The index, which is made when it is first asked for, and what ranks by it."""
        with self._lock:
            if self._index is None:
                made = _akin.index(self._run, self._weights, self._names)
                self._index = self._index or made
            if self._kept is None:
                self._kept = Kept(self._index.ranking)
            return self._index, self._kept

    @cached_property
    def _words(self) -> tuple[list[str], list[int]]:
        return self._weights.vocabulary()

    @property
    def vocabulary(self) -> list[str]:
        """The terms: that with id i is number i; ids are dealt in the order in which terms first appear.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).vocabulary
        ['red', 'wine', 'white']
        """
        return self._words[0]

    @property
    def df(self) -> list[int]:
        """For each term in how many documents it is.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).df
        [1, 2, 1]
        """
        return self._words[1]

    def table(self) -> Table:
        """All weights, by term and document: ``document``, ``term`` (its id), ``tf``, how often it is there, and ``weight``.

        Raises OptionError, of an index that was opened, MemoryError.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).table()["term"]
        [0, 1, 1, 2]
        """
        return Table(self._weights.frame(self._run))

    @cached_property
    def weights(self) -> csr_array:
        """All weights as a sparse matrix of SciPy, which must be installed: documents by terms.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).weights.shape
        (2, 3)
        """
        try:
            import numpy
            from scipy.sparse import csr_array
        except ImportError:
            raise ImportError("weights are a matrix of SciPy (pip install scipy); table() needs nothing") from None
        ends, terms, values = map(numpy.asarray, self._weights.matrix(self._run))
        signed = numpy.int32 if terms.itemsize == 4 else numpy.int64
        made = csr_array((self.documents, self.terms))  # whose constructor would go through all of this, deaf to Ctrl-C
        made.data, made.indices, made.indptr = values, terms.view(signed), ends.view(signed)
        made.has_canonical_format = True
        return made

    @suggests
    def rank(
        self,
        queries: Any,
        k: int = 10,
        *,
        on: Names = None,
        id: str | None = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Ranking:
        """The ``k`` documents of the highest score for each query, exactly: ties by number.

        Parameters
        ----------
        queries
            The text of a query, or a column, a list, a table or ``pathlib.Path`` of a file of them (see the package). They are cut into
            terms as the documents were.
        k
            How many documents at most, 1 or more; those that have none of the query's terms are not found.
        on
            Of a table, the column of the queries, or several, whose terms are put together.
        id
            Of a table, the column that tells what queries are called; the result has ``query_id`` then.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Returns
        -------
        Ranking
            A table of ``query`` and ``document``, row numbers from 0 on, and ``score``, the sum of what the query's tokens weigh; by query,
            best first; with ``document_id`` where documents have names. ``save(path)`` writes it as ``akin rank`` does, as a run of TREC's.

        Raises
        ------
        OptionError
            ``k`` is below 1, or a column is not there.
        InputError
            Queries are malformed or not UTF-8; a name is null, empty, or there twice.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Notes
        -----
        Documents are passed over by bounds that hold for the rounded sums, too (MaxScore, block-max); see docs/rank.md.

        Examples
        --------
        >>> import akin
        >>> weighed = akin.bm25(["a river of wine", "red wine, white wine", "the north river"])
        >>> found = weighed.rank(["white wine", "river"], k=1)
        >>> found["query"], found["document"]
        ([0, 1], [1, 2])
        """
        k, job = whole(k, "k", 1), settings(threads, device, memory, progress, device_memory)
        asked, count, at = named_of([queries] if isinstance(queries, str) else queries, on, id, lossy, job)
        with self._ranked()[1].of(job, k) as ranking:
            return Ranking(ranking.rank(job, asked, count, -1 if at is None else at))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the index that ranks, as an .akin file, which ``akin rank`` reads, too; whole or not at all.

        Raises OSError, with ``errno`` and ``filename``, MemoryError, TypeError of what is no path.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).save("wine.akin")
        >>> len(akin.BM25.open("wine.akin").rank("red"))
        1
        """
        self._ranked()[0].save(self._run, os.fspath(path))

    @classmethod
    @suggests
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> BM25:
        """Opens a saved index: it is mapped and checked, and must stay as it is as long as this lives.

        Raises InputError where it is no such file, or damaged; FileNotFoundError and other OSError, MemoryError, TypeError.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).save("wine.akin")
        >>> akin.BM25.open("wine.akin")
        akin.BM25 of 2 documents, 3 terms
        """
        job = settings(threads, device, memory, progress, device_memory)
        return cls(None, _akin.open_index(job, file_of(path)), job)

    def __reduce__(self) -> tuple[Any, ...]:
        return unpack, (BM25, pack(self))


@suggests
def bm25(
    documents: Any,
    on: Names = None,
    *,
    id: str | None = None,
    formula: str = "lucene",
    k1: float = 1.2,
    b: float = 0.75,
    delta: float | None = None,
    tokens: str = "words",
    fold: bool | None = None,
    stop_words: str | Iterable[str] = (),
    stem: str | None = None,
    dictionary: Dictionary | None = None,
    unknown: str = "share",
    technique: str = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> BM25:
    """Weighs the terms of documents by BM25.

    Parameters
    ----------
    documents, on
        A table and the column of its texts (or several columns), a column, a list of strings or the path of a file (see the package).
        A null is a document without terms.
    id
        Of a table, the column that tells what documents are called, in the files of an index, too; every document must have its own.
    formula
        ``"lucene"``: log(1 + (N - df + 0.5) / (df + 0.5)) * tf / (norm + tf) with norm = k1 (1 - b + b length / mean length); ``"paper"`` and
        ``"atire"``: log(N / df) * (k1 + 1) tf / (norm + tf); ``"robertson"``, ``"bm25+"``, ``"bm25l"``: see docs/weigh.md.
    k1, b, delta
        The parameters; delta of BM25+ and BM25L, None: what is usual.
    tokens, fold, stop_words
        What a term is: as in :func:`akin.join`.
    stem
        What words become: a stemmer of Snowball, such as ``"english"``.
    dictionary, unknown
        A fixed vocabulary, whose ids are those of the terms. Words that are not in it ``"share"`` an id, or are ``"add"``-ed. With ``stem``
        it should hold stems.
    technique
        ``"auto"``, ``"hash"``; on a GPU ``"primitives"`` and ``"dictionary"``, too, to be compared with. The weights are the same.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    BM25
        ``.weights``, a sparse matrix, ``.vocabulary``, ``.rank(queries, k)``.

    Raises
    ------
    OptionError
        A formula, a stemmer or a technique is unknown, a parameter out of range; on=, id= name columns that are not there.
    InputError
        Documents are malformed or not UTF-8; a name is null, empty, or there twice.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    T. Wakatsuki, A. Keyaki, J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, formula 1; C. Kamphuis et al.,
    Which BM25 Do You Mean?, ECIR 2020. Weights are the same bytes with any number of threads, and on a GPU.

    Examples
    --------
    >>> import akin
    >>> weighed = akin.bm25(["a river of wine", "red wine, white wine", "the north river"], stop_words="english")
    >>> weighed.vocabulary
    ['river', 'wine', 'red', 'white', 'north']
    >>> list(weighed.rank("white wine", k=2)["document"])
    [1, 0]
    """
    way = choice(unknown, "unknown", _choices.values("unknown-terms"))
    if dictionary is not None and not isinstance(dictionary, Dictionary):
        raise TypeError(f"dictionary is a {type(dictionary).__name__}; expected an akin.Dictionary")
    job = settings(threads, device, memory, progress, device_memory)
    terms = tokens_of(tokens, False, fold, stop_words)
    how = (text(formula, "formula"), number(k1, "k1"), number(b, "b"), -1.0 if delta is None else number(delta, "delta"))
    if delta is not None and not how[-1] >= 0:
        raise OptionError(f"delta is {delta!r}; expected a number of 0 or more, or None for what is usual")
    stemmer = None if stem is None else text(stem, "stem")
    fixed = None if dictionary is None else dictionary._trie
    read, count, at = named_of(documents, on, id, lossy, job)
    names = None
    if at is not None:
        _akin.check_ids(here(job), read, at)
        names = _akin.from_lists(here(job), (read.names[at],), (read.column(at),))
    made = _akin.weigh(job, read, count, terms, (*how, stemmer, text(technique, "technique"), fixed, way))
    return BM25(made, None, job, names)
