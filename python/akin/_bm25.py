"""Term weights of documents, and rankings by them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _akin
from ._akin import OptionError
from ._checks import choice
from ._choices import values
from ._dictionary import Dictionary
from ._index import Index, _weighing_of
from ._input import Names, ids_frame, input_of_frame, named_of, type_of
from ._names import Formula, UnknownTerms, WeighTechnique
from ._ranking import Ranking
from ._settings import Job, Progress, Size, here, quiet, settings, tokens_of
from ._shown import Show
from ._statistics import Statistics, corpus_of, statistics_of
from ._suggest import suggests
from ._table import Table
from ._warnings import warn_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class BM25:
    """The weights of the terms of documents: a sparse matrix, and an index that ranks by it. :func:`akin.bm25` makes
    it.

    It can be pickled. A pickle has the bytes of the index; it ranks, but has no matrix, vocabulary or table.

    Attributes
    ----------
    documents, terms, words, pairs : int
        The number of documents, of distinct terms, of tokens in all documents, and of pairs of a document and a term in
        it. Each pair has a weight.

    Examples
    --------
    >>> import akin
    >>> akin.bm25(["red wine", "white wine"])
    akin.BM25 of 2 documents, 3 terms
    """

    def __init__(
        self, weights: _akin.Weights | None, index: Index | None = None, run: Job | None = None,
        names: _akin.Input | None = None
    ) -> None:
        if not isinstance(weights, _akin.Weights | None) or run is None:
            raise TypeError("an akin.BM25 is made by akin.bm25(...); akin.Index.open(PATH) opens an index of kind bm25")
        self._made = weights
        self._names = names
        self._run = quiet(run)
        self._lock = threading.RLock()  # a signal handler may rank while the index is made
        self._index = index
        if weights is not None:
            if not isinstance(weights, _akin.Weights):
                raise TypeError("made by akin.bm25")
            self.documents, self.terms, self.words, self.pairs = weights.figures()
        elif isinstance(index, Index):
            about = index.about
            self.documents, self.terms, self.words, self.pairs = (
                about[name] for name in ("objects", "keywords", "words", "pairs")
            )
        else:
            raise TypeError("made by akin.bm25")

    def __repr__(self) -> str:
        return f"akin.BM25 of {self.documents:,} documents, {self.terms:,} terms"

    def __getattr__(self, name: str) -> Any:
        if name in ("search", "query", "retrieve", "get_scores", "get_top_n"):
            raise AttributeError(f"'BM25' object has no attribute {name!r}: rank(queries, k=10) ranks the documents")
        if name == "save":
            raise AttributeError(
                "BM25 has no save(); its index has: BM25.index.save(path). akin.Index.open opens the file"
            )
        raise AttributeError(f"'BM25' object has no attribute {name!r}")

    @property
    def _weights(self) -> _akin.Weights:
        if self._made is None:
            raise OptionError("this BM25 was pickled, and a pickle has no weights; it can still rank")
        return self._made

    @property
    def index(self) -> Index:
        """The index that ranks the documents, an :class:`akin.Index` of kind ``"bm25"``. The first access makes it;
        ``index.save(path)`` saves it. Raises MemoryError.

        Examples
        --------
        >>> import akin
        >>> akin.bm25(["red house", "red wine"]).index
        akin.Index of 2 bm25
        """
        with self._lock:
            if self._index is None:
                of_names = "U" if self._names is None else type_of(self._names, 0)
                made = Index(_akin.index_of_weights(self._run, self._weights, self._names), self._run, of_names)
                self._index = self._index or made
            return self._index

    @cached_property
    def _words(self) -> tuple[list[str], list[int]]:
        return self._weights.vocabulary()

    @property
    def vocabulary(self) -> list[str]:
        """The terms, a list of str: item i is the term with the id i. Ids follow the first appearance of terms. Raises
        OptionError after pickling.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).vocabulary
        ['red', 'wine', 'white']
        """
        return self._words[0]

    @property
    def df(self) -> list[int]:
        """For each term, in the order of ids, the number of documents that contain it: a list of int. Raises
        OptionError after pickling.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).df
        [1, 2, 1]
        """
        return self._words[1]

    @cached_property
    def statistics(self) -> Statistics:
        """The statistics of these documents, an :class:`akin.Statistics`, also if they were weighed by those of a
        corpus. Raises OptionError after pickling, and MemoryError.

        >>> import akin
        >>> found = akin.bm25(["red wine", "white wine"]).statistics
        >>> found.documents, found.tokens, found.terms["documents"].tolist()
        (2, 4, [1, 1, 2])
        """
        return statistics_of(self._weights, self._run)

    def table(self) -> Table:
        """All weights as an :class:`akin.Table`, sorted by term and document: ``document`` (its row), ``term`` (its
        id), ``tf`` (how often the document contains the term) and ``weight``.

        Raises OptionError after pickling, and MemoryError.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).table()["term"]
        [0, 1, 1, 2]
        """
        return Table(self._weights.frame(self._run))

    @cached_property
    def weights(self) -> csr_array:
        """All weights as a sparse matrix of SciPy, documents by terms. Raises ImportError without SciPy, and
        OptionError after pickling.

        >>> import akin
        >>> akin.bm25(["red wine", "white wine"]).weights.shape
        (2, 3)
        """
        try:
            import numpy
            from scipy.sparse import csr_array
        except ImportError:
            raise ImportError("weights is a matrix of SciPy: pip install scipy; table() works without it") from None
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
        show: Show = None,
        indexed: Any = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Ranking:
        """Finds the ``k`` documents with the highest scores for each query: :meth:`akin.Index.rank` of :attr:`index`,
        with the same arguments.

        Returns
        -------
        Ranking
            ``query`` and ``document``, row numbers from 0, and ``score``, sorted by query, the best first.

        Raises
        ------
        OptionError
            ``k`` is below 1, or a column is missing.
        InputError
            Queries are malformed or not UTF-8, or a name is null, empty or not unique.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Examples
        --------
        >>> import akin
        >>> akin.bm25(["red house", "red wine", "a blue sea"], formula="lucene").rank("wine", k=1)
        akin.Table of 1 rows
        query  document     score
            0         1  0.473504
        """
        return self.index.rank(
            queries,
            k,
            on=on,
            id=id,
            show=show,
            indexed=indexed,
            lossy=lossy,
            threads=threads,
            device=device,
            memory=memory,
            device_memory=device_memory,
            progress=progress,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.index,)


def _restore(index: Index) -> BM25:
    return BM25(None, index, settings())


@suggests
def bm25(
    documents: Any,
    on: Names = None,
    *,
    id: str | None = None,
    formula: Formula = "lucene",
    k1: float = 1.2,
    b: float = 0.75,
    delta: float | None = None,
    tokens: str = "words",
    ignore_case: bool | None = None,
    stop_words: str | Iterable[str] = (),
    stem: str | None = None,
    dictionary: Dictionary | None = None,
    unknown: UnknownTerms = "share",
    technique: WeighTechnique = "auto",
    statistics: Statistics | None = None,
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
        A table and the column of its texts (or several columns), a column, a list of strings or the path of a file (see
        the package). A null is a document without terms.
    id
        The column of a table that names documents. Every document must have its own name. Rankings and saved indexes
        have the names.
    formula
        ``"lucene"``: log(1 + (N - df + 0.5) / (df + 0.5)) * tf / (norm + tf) with norm = k1 (1 - b + b length / mean
        length); ``"paper"`` and ``"atire"``: log(N / df) * (k1 + 1) tf / (norm + tf); ``"robertson"``, ``"bm25+"``,
        ``"bm25l"``: see docs/weigh.md.
    k1, b, delta
        The parameters of the formula. ``delta`` belongs to BM25+ (default: 1) and BM25L (default: 0.5).
    tokens, ignore_case, stop_words
        How a text becomes terms: as in :func:`akin.join`. A :class:`akin.ResultWarning` says if most texts are too
        short for their tokens.
    stem
        A stemmer of Snowball, such as ``"english"``, which reduces each word to its stem. None keeps words.
    dictionary, unknown
        A fixed vocabulary, an :class:`akin.Dictionary`, whose ids the terms have. Words that it lacks ``"share"`` one
        id, or are added to it (``"add"``). With ``stem`` it should contain stems.
    technique
        ``"auto"`` or ``"hash"``. On a GPU also ``"primitives"`` and ``"dictionary"``, which reproduce a paper. All give
        the same weights.
    statistics
        The statistics of a corpus that the documents are a part of, an :class:`akin.Statistics`. Weights and scores are
        then those that the documents have in the whole corpus, the same doubles: its number of documents, the mean of
        their lengths, and its numbers of documents with a term take the place of those of the documents.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    BM25
        ``.weights``, a sparse matrix, ``.vocabulary``, ``.rank(queries, k)``, ``.index``.

    Raises
    ------
    OptionError
        A formula, a stemmer or a technique is unknown, a parameter is out of range, or ``on`` or ``id`` names a column
        that is missing.
    InputError
        Documents are malformed or not UTF-8, or a name is null, empty or not unique; or they are no part of the corpus
        of ``statistics``: it lacks a term of theirs, or has fewer documents.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    T. Wakatsuki, A. Keyaki, J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, formula 1; C. Kamphuis
    et al., Which BM25 Do You Mean?, ECIR 2020. Weights are the same bytes with any number of threads, and on a GPU.

    Examples
    --------
    >>> import akin
    >>> weighed = akin.bm25(["a river of wine", "red wine, white wine", "the north river"], stop_words="english")
    >>> weighed.vocabulary
    ['river', 'wine', 'red', 'white', 'north']
    >>> list(weighed.rank("white wine", k=2)["document"])
    [1, 0]
    """
    given = locals()
    made, names, job, warnings = weigh(order="term", **given)
    warn_of(warnings)
    return BM25(made, None, job, names)


def weigh(
    documents: Any,
    on: Names,
    order: str,
    *,
    id: str | None,
    formula: str,
    k1: float,
    b: float,
    delta: float | None,
    tokens: str,
    ignore_case: bool | None,
    stop_words: str | Iterable[str],
    stem: str | None,
    dictionary: Dictionary | None,
    unknown: str,
    technique: str,
    statistics: Statistics | None,
    lossy: bool,
    threads: int,
    device: str,
    memory: Size,
    device_memory: Size,
    progress: Progress | bool | None,
) -> tuple[_akin.Weights, _akin.Input | None, Job, list[str]]:
    """The weights of :func:`bm25`, the names of the documents, the settings of the job, and warnings. ``order``: an
    index needs them by term."""
    how = _weighing_of(formula, k1, b, delta, stem, dictionary, unknown, technique)
    job = settings(threads, device, memory, progress, device_memory)
    terms = tokens_of(tokens, False, ignore_case, stop_words)
    read, count, at = named_of(documents, on, id, lossy, job)
    names = None
    if at is not None:
        _akin.check_ids(here(job), read, at)
        names = input_of_frame(ids_frame(read, at, job), "id", job)
    made, warnings = _akin.weigh(
        job, read, count, terms, how, choice(order, "order", values("weight-orders")), corpus_of(statistics, job)
    )
    return made, names, job, warnings


def count(
    documents: Any,
    on: Names,
    *,
    tokens: str,
    ignore_case: bool | None,
    stop_words: str | Iterable[str],
    stem: str | None,
    dictionary: Dictionary | None,
    unknown: str,
    lossy: bool,
    threads: int,
    device: str,
    memory: Size,
    device_memory: Size,
    progress: Progress | bool | None,
) -> tuple[int, int, _akin.Frame]:
    """The statistics of documents: how many there are, their tokens, and the terms."""
    how = _weighing_of("lucene", 1.2, 0.75, None, stem, dictionary, unknown, "auto")
    job = settings(threads, device, memory, progress, device_memory)
    terms = tokens_of(tokens, False, ignore_case, stop_words)
    read, columns, _ = named_of(documents, on, None, lossy, job)
    return _akin.count_documents(job, read, columns, terms, how)[0]


def write_weights(
    order: str, format: str, output: str, documents: Any, how: Mapping[str, Any], is_safe: bool = False
) -> list[int]:
    """Writes the weights of documents to a file, by document or by term, as ``akin weigh`` does. It weighs them again,
    because a
    :class:`BM25` has them by term alone. ``how``: arguments of :func:`bm25`. Returns the lengths of documents."""
    import inspect

    usual = {
        name: row.default for name, row in inspect.signature(bm25).parameters.items() if row.default is not row.empty
    }
    made, names, job, _ = weigh(documents, order=order, **{**usual, **how})
    made.write(quiet(job), output, format, names, False, is_safe)
    return made.lengths()


def write_vocabulary(made: BM25, path: str, is_safe: bool = False) -> None:
    """Writes the terms and the number of documents that contain each, as ``akin weigh`` does."""
    made._weights.write(made._run, path, "csv" if path.endswith(".csv") else "tsv", None, True, is_safe)
