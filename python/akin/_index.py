"""Indexes: the objects that have the most in common with a query, the nearest strings and vectors, or the best documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin, _choices
from ._akin import OptionError
from ._checks import choice, flag, listed, number, shown, text, whole
from ._dictionary import Dictionary
from ._input import Names, file_of, input_of, names_of, no_column, texts_of
from ._kept import Kept
from ._names import Family, Formula, IndexKind, SearchMeasure, SearchTechnique, UnknownTerms
from ._objects import matrix_of, sets_of
from ._pickled import pack, unpack
from ._ranking import Ranking
from ._settings import Folds, Job, Progress, Size, folds_of, quiet, settings, tokens_of
from ._suggest import suggests
from ._table import Table
from ._truth import known_of, rate

class _Facts(NamedTuple):
    """What an index of a kind is like, as the library says it."""

    kind: str
    value: int
    is_hashed: int
    title: str
    options: str
    objects: int
    columns: int


_SETS, _MATRIX, _TABLE = 0, 1, 3  # forms of objects: akin_given_form
_FACTS = [_Facts(*row) for row in _akin.search_kinds()]
_KINDS = {facts.kind: facts.value for facts in _FACTS}
_FORMS = {facts.kind: facts.objects for facts in _FACTS}


# Of a family, what it is of and which options it has.
_FAMILIES = {name: (objects, options.split()) for name, objects, options in _akin.families()}


def _has(facts: _Facts, option: str) -> bool:
    return option.replace("_", "-") in facts.options.split()


def _kinds_with(option: str) -> list[str]:
    """Kinds that have a use for an option."""
    return list(dict.fromkeys(facts.kind for facts in _FACTS if _has(facts, option)))


def _check_kind(kind: str, given: Mapping[str, Any]) -> None:
    """Refuses what the kind has no use for; None is not given."""
    for name, value in given.items():
        if value is not None and kind not in _kinds_with(name):
            raise OptionError(f"{name} is for {' and '.join(_kinds_with(name))}, not for {kind}")


def _functions_of(
    kind: str,
    family: str | None,
    functions: int | None,
    epsilon: float | None,
    delta: float | None,
    width: float | None,
    sigma: float | None,
    buckets: int | None,
    seed: int,
    signatures_only: bool,
) -> tuple[Any, ...]:
    """Hash functions, as the extension takes them."""
    if functions is not None and (epsilon is not None or delta is not None):
        raise OptionError("functions and epsilon both say how many there are; expected one of them")
    if (epsilon is None) != (delta is None):
        raise OptionError("epsilon and delta go together")
    name = "e2lsh-l2" if family is None else text(family, "family")
    choice(name, "family", _choices.values("families"))
    if (_FAMILIES[name][0] == _SETS) != (_FORMS[kind] == _SETS):
        raise OptionError(f"family {name!r} is not of {kind}; expected minhash of sets, and another of vectors")
    for given, option in ((width, "width"), (sigma, "sigma"), (buckets, "buckets")):
        if given is not None and option not in _FAMILIES[name][1]:
            having = " and ".join(other for other, (_, options) in _FAMILIES.items() if option in options)
            raise OptionError(f"{option} is of {having}, not of {name}")
    numbers = []
    for value, said in ((epsilon, "epsilon"), (delta, "delta"), (width, "width"), (sigma, "sigma")):
        numbers.append(0.0 if value is None else number(value, said))
        if value is not None and not numbers[-1] > 0:
            raise OptionError(f"{said} is {value!r}; expected a number above 0")
    count = 0 if epsilon is not None else whole(237 if functions is None else functions, "functions", 1, 1_000_000)
    return (
        name,
        count,
        0 if buckets is None else whole(buckets, "buckets", 2, 2**31 - 1),
        flag(signatures_only, "signatures_only"),
        *numbers,
        whole(seed, "seed", 0, 2**64 - 1),
    )


def _weighing_of(
    formula: str | None,
    k1: float | None,
    b: float | None,
    delta: float | None,
    stem: str | None,
    dictionary: Dictionary | None,
    unknown: str | None,
    technique: str = "auto",
) -> tuple[Any, ...]:
    """How terms weigh, as the extension takes it; None is what is usual."""
    if dictionary is not None and not isinstance(dictionary, Dictionary):
        raise TypeError(f"dictionary is a {type(dictionary).__name__}; expected an akin.Dictionary")
    if delta is not None and not number(delta, "delta") >= 0:
        raise OptionError(f"delta is {delta!r}; expected a number of 0 or more, or None for what is usual")
    return (
        _choices.usual("formulas") if formula is None else text(formula, "formula"),
        1.2 if k1 is None else number(k1, "k1"),
        0.75 if b is None else number(b, "b"),
        -1.0 if delta is None else number(delta, "delta"),
        None if stem is None else text(stem, "stem"),
        text(technique, "technique"),
        None if dictionary is None else dictionary._trie,
        choice("share" if unknown is None else unknown, "unknown", _choices.values("unknown-terms")),
    )


class Index:
    """Objects to be searched: made by :meth:`build`, or opened by :meth:`open`. It does not change; many threads may search it. It can be
    pickled, as the bytes of its file.

    A search with ``device="cuda"`` (or ``"cuda:N"``) leaves a copy of the index on that GPU, which later searches with the same
    ``threads``, ``device`` and ``memory`` use, one at a time; it goes with the index, or when such a search says otherwise.

    Attributes
    ----------
    kind : str
        ``"sets"``, ``"documents"``, ``"rows"``, ``"strings"``, ``"vectors"``, ``"signatures"`` or ``"bm25"``.
    about : dict
        What the index is, by name: objects, keywords, columns, ngram, functions, family, buckets, width, sigma, bytes, those of vectors
        that are kept, and whether objects are named; of bm25 formula, k1, b, delta, words and pairs.

    Examples
    --------
    >>> import akin
    >>> index = akin.Index.build(["red wine", "white wine", "a north river"])
    >>> index, index.kind, len(index)
    (akin.Index of 3 documents, 'documents', 3)
    """

    def __init__(self, index: _akin.SearchIndex, run: Job | None = None) -> None:
        if not isinstance(index, _akin.SearchIndex) or run is None:
            raise TypeError("an akin.Index is made by akin.Index.build(...), or akin.Index.open(PATH)")
        self._index = index
        self._run = quiet(run)
        self._kept = Kept(index.searcher)
        self.about: dict[str, Any] = index.describe()
        self.kind: str = self.about["kind"]
        hashed = self.about["functions"] > 0
        self._facts = next(facts for facts in _FACTS if facts.kind == self.kind and facts.is_hashed == hashed)
        self.keywords: int = self.about["keywords"]
        self.bytes: int = self.about["bytes"]

    def __len__(self) -> int:
        return int(self.about["objects"])

    def __repr__(self) -> str:
        by = f" by {self.about['functions']:,} functions" if self.about["functions"] else ""
        return f"akin.Index of {len(self):,} {self.kind}{by}"

    @classmethod
    @suggests
    def build(
        cls,
        objects: Any,
        on: Names = None,
        *,
        kind: IndexKind = "documents",
        id: str | None = None,
        tokens: str = "words",
        ignore_case: bool | None = None,
        fold: Folds = None,
        stop_words: str | Iterable[str] = (),
        numeric: str | Sequence[str] = (),
        bins: int = 1024,
        ngram: int = 0,
        bytes: bool = False,
        family: Family | None = None,
        functions: int | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        width: float | None = None,
        sigma: float | None = None,
        buckets: int | None = None,
        seed: int = 1,
        signatures_only: bool = False,
        formula: Formula | None = None,
        k1: float | None = None,
        b: float | None = None,
        stem: str | None = None,
        dictionary: Dictionary | None = None,
        unknown: UnknownTerms | None = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Index:
        """Makes an index.

        Parameters
        ----------
        objects, on
            Of documents, rows and strings a table, a column, a list of strings or the path of a file (see the package), and the columns that
            count: of documents and strings one is needed; of rows None stands for all. Of sets lists of token ids, a sparse matrix of
            SciPy, whose stored columns are the tokens of a row, or the path of a file. Of vectors and signatures whatever has a buffer of
            two dimensions, as a NumPy array has (floats, bytes; integers of signatures; used where it lies if it is of 32-bit floats or
            bytes in C order), lists of numbers, or the path of a matrix (.npy, .fvecs, .bvecs, .ivecs, .fbin, .u8bin).
        kind
            ``"documents"``, texts by their distinct tokens; ``"rows"`` of a table by the values of its columns; ``"strings"``,
            strings by edit distance; ``"sets"`` by their tokens, or with ``family="minhash"`` by hash functions;
            ``"vectors"`` by hash functions; ``"signatures"``, the values of your own, a column each; ``"bm25"``, texts that are ranked
            by what the query's words weigh in them.
        id
            Of a table, the column that names objects; what is found has the names, too.
        tokens, stop_words
            Of documents and bm25: what a token is, as in :func:`akin.join`.
        ignore_case, fold
            Of documents, bm25 and strings: what queries and objects are cleaned of, as in :func:`akin.join`. The index keeps it, and
            queries need not say it.
        numeric, bins
            Of rows: the columns that hold numbers, and into how many intervals to cut the values of each.
        ngram
            Of strings: so many symbols have the n-grams that are kept, 1 to 5; 0: none are.
        bytes
            Of strings: a symbol is a byte of UTF-8, and not a code point.
        family
            Hash functions of vectors: ``"e2lsh-l2"`` (the default), ``"e2lsh-l1"``, ``"random-binning"``, ``"simhash"``; of sets
            ``"minhash"``.
        functions, epsilon, delta
            How many functions (237); or as many as it takes to estimate a similarity to within epsilon (0.02 to 1) by a probability of
            1 - delta. Of bm25 delta is a parameter of the formula.
        width, sigma, buckets
            Of e2lsh the width of a bucket, of random-binning that of the kernel, in the units of the vectors' distances; how many values a
            function has, or signatures are hashed into. What is not told is what a sample of the vectors suggests.
        seed
            The same seed draws the same functions.
        signatures_only
            Vectors are not kept: the index is smaller, and a search cannot rerank.
        formula, k1, b, stem, dictionary, unknown
            Of bm25: how terms weigh, as in :func:`akin.bm25`.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Raises
        ------
        OptionError
            An option is out of range, or of another kind of objects; a column is not there.
        InputError
            Objects are malformed or not UTF-8, numbers not finite; a name is null, or there twice.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Notes
        -----
        J. Zhou et al., A Generic Inverted Index Framework for Similarity Search on the GPU, sections III to V; see docs/search.md, and of
        bm25 docs/rank.md.

        Examples
        --------
        >>> import akin
        >>> akin.Index.build(["red wine", "white wine", "a north river"])
        akin.Index of 3 documents
        >>> akin.Index.build([[1, 2, 3], [2, 3, 4]], kind="sets").search([[2, 3]], k=1)["count"]
        [2]
        >>> index = akin.Index.build(["the red house", "a blue house", "red red wine"], kind="bm25", formula="lucene")
        >>> index.search("red wine", k=2)
        akin.Table of 2 rows
        query  object     score
            0       2  0.739584
            0       0  0.213638
        """
        number_of_kind = choice(kind, "kind", _KINDS)
        numbers = (numeric,) if isinstance(numeric, str) else tuple(listed(numeric, "numeric", "the names of columns"))
        folds = folds_of(ignore_case, fold)
        cut = tokens_of(tokens, False, ignore_case, stop_words, fold if kind in _kinds_with("tokens") else None)
        given = {
            "numeric": numbers or None,
            "ngram": whole(ngram, "ngram", 0, 5) or None,
            "bytes": flag(bytes, "bytes") or None,
            "family": family,
            "functions": functions,
            "epsilon": epsilon,
            "delta": delta,
            "width": width,
            "sigma": sigma,
            "buckets": buckets,
            "signatures_only": flag(signatures_only, "signatures_only") or None,
            "id": id,
            "tokens": None if tokens == _choices.usual("tokens") else tokens,
            "ignore_case": ignore_case,
            "fold": fold,
            "stop_words": cut[-1] or None,
            "formula": formula,
            "k1": k1,
            "b": b,
            "stem": stem,
            "dictionary": dictionary,
            "unknown": unknown,
            "bins": None if whole(bins, "bins", 1) == 1024 else bins,
        }
        _check_kind(kind, given)
        ways = [facts for facts in _FACTS if facts.kind == kind]
        draws = [facts for facts in ways if _has(facts, "family")]
        hashed = bool(draws) and (len(ways) == 1 or family is not None)
        if draws and not hashed and any(given[name] is not None for name in ("functions", "epsilon", "buckets")):
            raise OptionError("hash functions of sets are minhash: expected family='minhash'")
        options = (
            cut,
            (tuple(text(name, "numeric") for name in numbers), whole(bins, "bins", 1)),
            whole(ngram, "ngram", 0, 5),
            flag(bytes, "bytes"),
            folds,
            _functions_of(kind, family, functions, epsilon, delta, width, sigma, buckets, seed, signatures_only)
            if hashed
            else None,
            (0 if buckets is None else whole(buckets, "buckets", 2, 2**31 - 1), whole(seed, "seed", 0, 2**64 - 1)),
            _weighing_of(formula, k1, b, delta, stem, dictionary, unknown) if _has(ways[0], "formula") else None,
        )
        job = settings(threads, device, memory, progress, device_memory)
        read, at = _read(kind, objects, on, id, lossy, job)
        return cls(_akin.build(job, read, at, number_of_kind, options), job)

    @suggests
    def append(
        self,
        objects: Any,
        on: Names = None,
        *,
        id: str | None = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Index:
        """A longer index: the objects of this one, and behind them others, which are given as in :meth:`build` and indexed likewise
        (columns of rows are found by their names). This one stays as it is.

        The longer one is, byte by byte, that of all objects at once, but that intervals of numbers stay as they are. It takes about as long
        as copying the index, and indexing what is added. Objects that have names (``id``) need them here, too.

        Raises what :meth:`build` does, OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError and OSError;
        the first two also of objects that the index cannot take, of other columns or dimensions.

        >>> import akin
        >>> len(akin.Index.build(["red wine"]).append(["white wine"]))
        2
        """
        job = settings(threads, device, memory, progress, device_memory)
        read, at = _read(self.kind, objects, on, id, lossy, job)
        return Index(self._index.append(job, read, at), job)

    @suggests
    def search(
        self,
        queries: Any,
        k: int = 10,
        *,
        on: Names = None,
        id: str | None = None,
        measure: SearchMeasure | None = None,
        tolerance: int = 50,
        weights: Mapping[str, int] | None = None,
        least: int = 0,
        candidates: int = 0,
        one_round: bool = False,
        rerank: int = 0,
        technique: SearchTechnique = "auto",
        load_balance: bool = False,
        truth: Any = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Table:
        """The ``k`` objects that have the most keywords in common with each query; of strings the nearest ones; of bm25 the documents of
        the highest score, as :meth:`rank` finds them. Exact; of vectors those
        that have the most values of hash functions in common, which estimates how near they are.

        Parameters
        ----------
        queries, on
            The text of a query, or a column, list, table or ``pathlib.Path`` of them (see the package). Of rows a table, whose columns are
            told by name, and may be fewer than those of the index; a field is a value, or of a numeric column a number or a range
            such as "[20,30]". Of sets, vectors and signatures what they are built of, or one of them.
        id
            Of a table, the column that names queries. The result then has ``query_id``.
        k
            The most objects to return for each query, at least 1. Objects with nothing in common come last.
        measure
            Of sets and documents: ``"jaccard"``, ``"cosine"`` or ``"dice"``, by which the most similar are found; None: by the count.
        tolerance
            Of rows: intervals on either side of a number's that count as the same, too.
        weights
            Of rows: how much a column counts, a whole number of 1 or more; 1 where it is not named.
        least
            Objects that count less are not found; not of strings.
        candidates, one_round
            Of strings with n-grams: so many that have the most n-grams in common are compared first, and others where it is not proven
            that these are the nearest; with ``one_round`` none others, and column ``certified`` tells what is not proven.
        rerank
            Of vectors that are kept: so many that agree the most, or k, are compared with the query, and the nearest of them found.
        technique, load_balance
            ``"auto"``, ``"lists"`` or ``"scan"``, which find the same; or one of the paper's, most of which are on the GPU, and which may
            split long lists; see docs/search.md.
        truth
            The nearest of each query, if they are known: a matrix of the numbers of objects (an array or a path, .ivecs or .npy), or a table
            with ``query``, ``object`` and of strings ``distance``, such as the result of another search. The stats of the result have
            then ``recall``, the share of them that was found; ``ratio``, how many times farther what was found is than they are, on
            average (equation 13 of the paper; None where there are no distances); and ``endless``, how many were found where the true
            neighbour is at no distance, which have no ratio.
        lossy, threads, device, memory, device_memory, progress
            See the package, and the class of ``device``.

        Returns
        -------
        Table
            ``query`` and ``object``, row numbers from 0 on; ``query_id`` and ``id`` where they are named; ``count``, or of bm25 ``score``, or of strings ``distance`` and
            ``certified``; ``similarity`` with a measure, and of hash functions, where it is the share that agrees; of vectors and sets by
            MinHash ``distance``, the one that this tells of, or after ``rerank`` the true one. By query, best first, ties by object. Its
            ``stats`` says what was done and in how many seconds.

        Raises
        ------
        OptionError
            An option is out of range, or of another kind of objects; a column is not there.
        InputError
            Queries, or ``truth``, are malformed; vectors have other dimensions than those of the index.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Examples
        --------
        >>> import akin
        >>> index = akin.Index.build(["red wine", "white wine", "a north river"])
        >>> index.search(["wine, white"], k=2).to_dict()
        {'query': [0, 0], 'object': [1, 0], 'count': [2, 1]}
        """
        if truth is not None and not _has(self._facts, "truth"):
            titles = [facts.title for facts in _FACTS if _has(facts, "truth")]
            raise OptionError(f"truth is for {', '.join(titles[:-1])} and {titles[-1]}; of {self.kind} what is found is exact")
        near = whole(tolerance, "tolerance", 0)
        _check_kind(self.kind, {"tolerance": None if near == 50 else near})
        job = settings(threads, device, memory, progress, device_memory)
        read, at = self._queries(queries, on, id, lossy, job)
        options = (
            whole(k, "k", 1),
            text(technique, "technique"),
            near,
            whole(least, "least", 0),
            whole(candidates, "candidates", 0),
            flag(one_round, "one_round"),
            _measure_of(measure),
            flag(load_balance, "load_balance"),
            whole(rerank, "rerank", 0),
            _weights_of(weights, read, at),
        )
        known = far = None
        if truth is not None:
            known, far = known_of(truth, _count_of(read), min(options[0], len(self)), len(self), job)
        with self._kept.of(job) as searcher:
            found = Table(*searcher.search(job, read, at, options, False))
        if known is not None and found.stats is not None:
            by = (lambda query, object: self._index.distance(read, query, object)) if self.about["vectors"] else None
            found.stats |= rate(found, known, by, far)
        return found

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
        """The ``k`` documents of the highest score for each query, of an index of kind ``"bm25"``, exactly: ties by number. It finds what
        :meth:`search` finds, and gives it as a ranking, which ``save(path)`` writes as a run of TREC's.

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
            Of a table, the column that names queries. The result then has ``query_id``.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Returns
        -------
        Ranking
            A table of ``query`` and ``document``, row numbers from 0 on, and ``score``, the sum of what the query's tokens weigh; by query,
            best first; with ``document_id`` where documents have names.

        Raises
        ------
        OptionError
            ``k`` is below 1, a column is not there, or the index is of another kind.
        InputError
            Queries are malformed or not UTF-8; a name is null, empty, or there twice.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Examples
        --------
        >>> import akin
        >>> index = akin.Index.build({"id": ["a", "b"], "text": ["red house", "red wine"]}, "text", id="id", kind="bm25", formula="lucene")
        >>> index.rank("wine").save("run.trec")
        >>> print(open("run.trec").read(), end="")
        0 Q0 b 1 0.31506690025452055 akin

        Notes
        -----
        Documents are passed over by bounds that hold for the rounded sums, too (MaxScore, block-max); see docs/rank.md.
        """
        if not _has(self._facts, "formula"):
            raise OptionError(f"ranked are documents of an index of kind 'bm25', and this is one of {self.kind}; use search")
        k, job = whole(k, "k", 1), settings(threads, device, memory, progress, device_memory)
        read, at = self._queries(queries, on, id, lossy, job)
        options = (k, "auto", 50, 0, 0, False, _measure_of(None), False, 0, None)
        with self._kept.of(job) as searcher:
            return Ranking(searcher.search(job, read, at, options, True)[0])

    def _queries(self, queries: Any, on: Names, id: str | None, lossy: bool, job: Job) -> tuple[Any, int]:
        """Queries, and which of their columns names them, or -1."""
        if _FORMS[self.kind] in (_SETS, _MATRIX):
            _check_kind(self.kind, {"on": on, "id": id, "lossy": flag(lossy, "lossy") or None})
            return (sets_of if _FORMS[self.kind] == _SETS else matrix_of)(queries, True, job), -1
        return _texts(self.kind, [queries] if isinstance(queries, str) else queries, on, id, lossy, job)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the index as an .akin file, which ``akin search`` and, of bm25, ``akin rank`` read; whole or not at all.

        Raises OSError, with ``errno`` and ``filename``, MemoryError, TypeError of what is no path.

        >>> import akin
        >>> akin.Index.build(["red wine"]).save("wine.akin")
        """
        self._index.save(self._run, os.fspath(path))

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
    ) -> Index:
        """Opens a saved index: it is mapped and checked, and must stay as it is as long as this lives.

        Raises InputError where it is no such file, or damaged; FileNotFoundError and other OSError, MemoryError, TypeError.

        >>> import akin
        >>> akin.Index.build(["red wine"]).save("wine.akin")
        >>> akin.Index.open("wine.akin")
        akin.Index of 1 documents
        """
        job = settings(threads, device, memory, progress, device_memory)
        return cls(_akin.open_search(job, file_of(path)), job)

    def __reduce__(self) -> tuple[Any, ...]:
        return unpack, (Index, pack(self))


def _read(kind: str, objects: Any, on: Names, id: str | None, lossy: bool, job: Job) -> tuple[Any, int]:
    """Objects, and which of their columns names them, or -1."""
    if _FORMS[kind] in (_SETS, _MATRIX):
        _check_kind(kind, {"on": on, "id": id, "lossy": flag(lossy, "lossy") or None})
        return (sets_of if _FORMS[kind] == _SETS else matrix_of)(objects, False, job), -1
    return _texts(kind, objects, on, id, lossy, job)


def _texts(kind: str, objects: Any, on: Names, id: str | None, lossy: bool, job: Job) -> tuple[_akin.Input, int]:
    """Columns of text, and which of them names the rows, or -1."""
    chosen = names_of(on)
    if id is not None and text(id, "id") in chosen:
        raise OptionError(f"id={id!r} is a column that counts, too")
    if id is None or chosen:
        wanted: Names = [*chosen, id] if id is not None else on
        read = (input_of if _FORMS[kind] == _TABLE else texts_of)(objects, wanted, lossy, job)
    else:  # all columns but that one
        read = input_of(objects, None, lossy, job)
    if id is not None and id not in read.names:
        no_column(f"id={id!r}: there is no such column; the columns are: ", id, read.names)
    at = -1 if id is None else read.names.index(id)
    if _FORMS[kind] != _TABLE and not chosen and id is not None and len(read.names) != 2:
        raise OptionError("which column? expected on=NAME, or a list of names")
    most = max(facts.columns for facts in _FACTS if facts.kind == kind)
    if most and len(read.names) - (id is not None) != most:
        raise OptionError(f"{kind} are of one column")
    return read, at


def _measure_of(measure: str | None) -> int:
    """Of a measure; None: the number of keywords in common."""
    if measure is None:
        return _choices.values("measures", "count")["overlap"]
    return choice(measure, "measure", _choices.values("measures", "search"))


def _weights_of(weights: Mapping[str, int] | None, read: Any, id: int) -> tuple[int, ...] | None:
    if weights is None:
        return None
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights is {shown(weights)}; expected a dictionary of columns and what each counts")
    names = [name for i, name in enumerate(getattr(read, "names", ())) if i != id]
    for name in weights:
        if name not in names:
            no_column(f"weights: there is no column {name!r} in the queries", str(name), ())
    return tuple(whole(weights.get(name, 1), "weights", 1) for name in names)


def _count_of(read: Any) -> int:
    return read.shape()[0] if isinstance(read, _akin.Matrix) else int(read.rows)
