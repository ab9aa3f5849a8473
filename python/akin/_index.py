"""Indexes: the objects with the most in common with a query, the nearest strings and vectors, or the best documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _akin, _choices
from ._akin import OptionError
from ._checks import choice, flag, listed, number, shown, text, whole, whole_or_all
from ._dictionary import Dictionary
from ._input import Names, file_of, input_of, names_of, no_column, texts_of, type_of
from ._kept import Kept
from ._names import Family, Formula, IndexKind, SearchMeasure, SearchTechnique, TreeFormat, UnknownTerms
from ._objects import matrix_of, sets_of
from ._pickled import pack, unpack
from ._ranking import Ranking
from ._settings import Folds, Job, Progress, Size, folds_of, now, quiet, settings, synced, tokens_of
from ._shown import Show, beside, show_hits
from ._suggest import did_you_mean, suggests
from ._table import Table
from ._truth import known_of, rate
from ._warnings import warn_of

class _Facts(NamedTuple):
    """Facts about the indexes of a kind, from the library."""

    kind: str
    value: int
    is_hashed: int
    title: str
    options: str
    objects: int


_SETS, _MATRIX, _TEXT, _TABLE = 0, 1, 2, 3  # forms of objects: akin_given_form
_ANY = 2**32 - 1  # edits
_FACTS = [_Facts(*row) for row in _akin.search_kinds()]
_KINDS = {facts.kind: facts.value for facts in _FACTS}
_FORMS = {facts.kind: facts.objects for facts in _FACTS}


# Of a family, what it is of and which options it has.
_FAMILIES = {name: (objects, options.split()) for name, objects, options in _akin.families()}


def _has(facts: _Facts, option: str) -> bool:
    return option.replace("_", "-") in facts.options.split()


def _kinds_with(option: str) -> list[str]:
    """The kinds that have an option."""
    return list(dict.fromkeys(facts.kind for facts in _FACTS if _has(facts, option)))


def kinds_of_text() -> list[str]:
    """The kinds whose objects are texts, without those that weigh terms."""
    return [facts.kind for facts in _FACTS if facts.objects == _TEXT and not _has(facts, "formula")]


def _check_kind(kind: str, given: Mapping[str, Any]) -> None:
    """Refuses options that the kind does not have. An option that is None is not given."""
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
    """The options of hash functions, as the extension takes them."""
    if functions is not None and (epsilon is not None or delta is not None):
        raise OptionError("functions and epsilon both give the number of functions; expected one of them")
    if (epsilon is None) != (delta is None):
        raise OptionError("epsilon and delta: expected both, or neither")
    name = "e2lsh-l2" if family is None else text(family, "family")
    choice(name, "family", _choices.values("families"))
    if (_FAMILIES[name][0] == _SETS) != (_FORMS[kind] == _SETS):
        raise OptionError(
            f"family {name!r} is not for {kind}; expected minhash for sets, and another family for vectors"
        )
    for given, option in ((width, "width"), (sigma, "sigma"), (buckets, "buckets")):
        if given is not None and option not in _FAMILIES[name][1]:
            having = " and ".join(other for other, (_, options) in _FAMILIES.items() if option in options)
            raise OptionError(f"{option} is for {having}, not for {name}")
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
    """The options of term weights, as the extension takes them. None stands for the default."""
    if dictionary is not None and not isinstance(dictionary, Dictionary):
        raise TypeError(f"dictionary is a {type(dictionary).__name__}; expected an akin.Dictionary")
    if delta is not None and not number(delta, "delta") >= 0:
        raise OptionError(f"delta is {delta!r}; expected a number of 0 or more, or None for the default")
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
    """An index for searches. :meth:`build` makes it, and :meth:`open` opens a saved one. It does not change, and
    several threads may search it. It can be pickled; a pickle has the bytes of its file.

    A search with ``device="cuda"`` or ``"cuda:N"`` copies the index to that GPU. Later searches with the same
    ``threads``, ``device`` and ``memory`` use the copy, one at a time. The copy is freed with the index, or by such a
    search with other settings.

    Attributes
    ----------
    kind : str
        ``"sets"``, ``"documents"``, ``"rows"``, ``"strings"``, ``"vectors"``, ``"signatures"`` or ``"bm25"``.
    about : dict
        Facts by name: numbers of objects, keywords, columns and hash functions, ngram, family, buckets, width, sigma,
        sizes in bytes of the index and of kept vectors, and whether objects have names; for bm25 also formula, k1, b,
        delta, words and pairs.

    Examples
    --------
    >>> import akin
    >>> index = akin.Index.build(["red wine", "white wine", "a north river"])
    >>> index, index.kind, len(index)
    (akin.Index of 3 documents, 'documents', 3)
    """

    def __init__(self, index: _akin.SearchIndex, run: Job | None = None, id_type: str = "U") -> None:
        if not isinstance(index, _akin.SearchIndex) or run is None:
            raise TypeError("an akin.Index is made by akin.Index.build(...), or akin.Index.open(PATH)")
        self._index = index
        self._run = quiet(run)
        self._id_type = id_type  # in Arrow's notation; a file has ids as text
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
        tree_format: TreeFormat | None = None,
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
            Documents, strings, rows and bm25: a table, a column, a list of strings or the path of a file (see the
            package), and the columns to index. Documents and strings need one column. The values of several columns
            make one string, with blanks between. For rows None stands for all columns. Sets: lists of token ids, a
            sparse matrix of SciPy, whose stored columns are the tokens of a row, or the path of a file. Vectors and
            signatures: any object with a buffer of two dimensions, such as a NumPy array of floats or bytes
            (signatures: integers), lists of numbers, or the path of a matrix (.npy, .fvecs, .bvecs, .ivecs, .fbin,
            .u8bin). Arrays of 32-bit floats or bytes in C order are not copied.
        kind
            ``"documents"``: texts, by their distinct tokens. ``"rows"``: rows of a table, by the values of columns.
            ``"strings"``: strings, by edit distance. ``"trees"``: trees, by edit distance
            (:mod:`akin.trees`). ``"sets"``: sets, by their tokens, or with ``family="minhash"`` by
            hash functions. ``"vectors"``: vectors, by hash functions. ``"signatures"``: the values of your own hash
            functions, a column for each. ``"bm25"``: texts, ranked by the weights of the query's words.
        id
            The column of a table with the names of objects, which are unique. Results then have the names. Integers of
            an Arrow table or a data frame stay integers, until the index is saved: a file has text.
        tokens, stop_words
            Documents and bm25: how a text becomes tokens, as in :func:`akin.join`.
        ignore_case, fold
            Documents, bm25 and strings: the differences that do not count, as in :func:`akin.join`. The index stores
            them, and queries are treated alike.
        numeric, bins
            Rows: the columns of numbers, and the number of intervals that the values of each are cut into.
        ngram
            Strings: the length of the n-grams to keep, 1 to 5 symbols (default: 0, no n-grams).
        bytes
            Strings: a symbol is a byte of UTF-8, not a code point.
        tree_format
            Trees: how a text is a tree (default: brackets).
        family
            The family of hash functions. Vectors: ``"e2lsh-l2"`` (the default), ``"e2lsh-l1"``, ``"random-binning"`` or
            ``"simhash"``. Sets: ``"minhash"``.
        functions, epsilon, delta
            The number of hash functions (default: 237); or instead ``epsilon``, from 0.02 to 1, and ``delta``: as many
            functions as estimate a similarity to within epsilon with a probability of 1 - delta. For bm25 ``delta`` is
            a parameter of the formula.
        width, sigma, buckets
            The width of a bucket of e2lsh, and of the kernel of random-binning, in units of distance (default: from a
            sample of the vectors). The number of values of a hash function, or of buckets that signatures are hashed
            into.
        seed
            The same seed draws the same hash functions.
        signatures_only
            Do not keep the vectors: the index is smaller, and a search cannot rerank.
        formula, k1, b, stem, dictionary, unknown
            Bm25: how terms weigh, as in :func:`akin.bm25`.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Returns
        -------
        Index

        Raises
        ------
        OptionError
            An option is out of range or belongs to another kind, or a column is missing.
        InputError
            Objects are malformed or not UTF-8, numbers are not finite, or a name is null or not unique.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Notes
        -----
        J. Zhou et al., A Generic Inverted Index Framework for Similarity Search on the GPU, sections III to V; see
        docs/search.md, and for bm25 docs/rank.md.

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
            "tree_format": tree_format,
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
            raise OptionError("sets are hashed by minhash: expected family='minhash'")
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
            _choices.usual("tree-formats") if tree_format is None else text(tree_format, "tree_format"),
        )
        job = settings(threads, device, memory, progress, device_memory)
        read, at = _read(kind, objects, on, id, lossy, job)
        made, warnings = _akin.build(job, read, at, number_of_kind, options)
        warn_of(warnings)
        return cls(made, job, type_of(read, at))

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
        """Makes a longer index: the objects of this one and, after them, other objects, given as to :meth:`build`.
        Columns of rows are found by their names. This index does not change. Returns the longer Index.

        The result has the same bytes as an index of all objects at once, except that intervals of numbers stay as they
        are. It takes about as long as a copy of the index and an index of the new objects. If the objects have names,
        the new ones need ``id``. A :class:`akin.ResultWarning` says if most of the new texts are too short for the
        tokens of the index.

        Raises OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError and OSError, as :meth:`build`
        does; OptionError and InputError also for objects with other columns or dimensions.

        >>> import akin
        >>> len(akin.Index.build(["red wine"]).append(["white wine"]))
        2
        """
        job = settings(threads, device, memory, progress, device_memory)
        read, at = _read(self.kind, objects, on, id, lossy, job)
        made, warnings = self._index.append(job, read, at)
        warn_of(warnings)
        return Index(made, job, self._id_type if self._id_type == type_of(read, at) else "U")

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
        within: int | None = None,
        rerank: int | str = 0,
        technique: SearchTechnique = "auto",
        load_balance: bool = False,
        truth: Any = None,
        show: Show = None,
        indexed: Any = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Table:
        """Finds the ``k`` objects that have the most keywords in common with each query, the nearest strings or trees,
        or for bm25 the documents with the highest scores, as :meth:`rank` does. The answer is exact, except for
        vectors: their common values of hash functions only estimate how near they are.

        Parameters
        ----------
        queries, on
            The text of a query, or a column, a list, a table or a ``pathlib.Path`` of queries (see the package). Rows:
            a table with some of the columns of the index, by their names; a field is a value, or in a column of numbers
            a number or a range such as "[20,30]". Sets, vectors and signatures: as in :meth:`build`, or a single one.
        k
            The largest number of objects for each query, at least 1. Objects with nothing in common come last.
        id
            The column of a table with the names of queries. The result then has ``query_id``.
        measure
            Sets and documents: ``"jaccard"``, ``"cosine"`` or ``"dice"``, to find the most similar objects. None: by
            the number of common keywords.
        tolerance
            Rows: a number also counts this many intervals away from its own, on either side.
        weights
            Rows: how much a column counts, a whole number from 1 (default: 1).
        least
            Leave out objects with a smaller count. Not for strings.
        candidates, one_round
            Strings with n-grams: first compare this many strings, those with the most n-grams in common. If this does
            not prove the answer, compare others, unless ``one_round`` is True; the answer may then be wrong. Trees:
            with ``one_round`` the most trees to compare with a query.
        within
            Trees: the largest distance of what is found (default: None, any). Up to 16 is fast.
        rerank
            Vectors that the index keeps: compare this many objects, and at least k, with the query, those on which the
            most functions agree, and find the nearest of them. With ``"all"``, or ``len(index)``, the answer is exact.
        technique, load_balance
            ``"auto"``, ``"lists"`` or ``"scan"``, with the same answers; or a technique of the paper, most of them on a
            GPU, where ``load_balance`` splits long lists. See docs/search.md.
        truth
            The known nearest objects of each query: a matrix of row numbers (an array or a path, .ivecs or .npy), or a
            table with ``query``, ``object`` and for strings ``distance``, such as the result of another search.
            ``stats`` then has ``recall``, the share of them that was found; ``ratio``, the average of how many times
            farther the found objects are (equation 13 of the paper; None without distances); and ``endless``, the
            number of found objects without a ratio, because the true neighbour has the distance 0.
        show, indexed
            Columns whose values stand beside what is found: a name or a list of names. ``indexed`` is the table that
            was indexed, because an index does not have it. The result has ``query_NAME`` for columns of the queries,
            and ``document_NAME`` for those of ``indexed``, whose rows are the objects. A list of strings has one
            column, ``"text"``.
        lossy, threads, device, memory, device_memory, progress
            See the package; for ``device`` also the class.

        Returns
        -------
        Table
            A line for each found object, sorted by query, the best first, equal ones by object: ``query`` and
            ``object``, row numbers from 0; ``query_id`` and ``id``, if they have names; and values. Sets, documents and
            rows have ``count``, and with a measure ``similarity``. Bm25 has ``score``. Strings and trees have
            ``distance``, in edits, and ``certificate``: ``"by scan"``, ``"by count"`` or ``"none"``, the proof of the
            answer. Hash functions give ``count`` and ``similarity``, the share that agrees; vectors and sets by MinHash
            also ``distance``, an estimate, or with ``rerank`` the true one. ``stats`` says what was done, in seconds.

        Raises
        ------
        OptionError
            An option is out of range or belongs to another kind, or a column is missing.
        InputError
            Queries or ``truth`` are malformed, or vectors have other dimensions than those of the index.
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
            raise OptionError(
                f"truth is for {', '.join(titles[:-1])} and {titles[-1]}; a search of {self.kind} is exact"
            )
        if measure is not None and not _has(self._facts, "measure"):
            raise OptionError(
                f"measure is for {' and '.join(_kinds_with('measure'))}; an index of {self._facts.title} has an order "
                "of its "
                "own: leave measure out"
            )
        near = whole(tolerance, "tolerance", 0)
        _check_kind(self.kind, {"tolerance": None if near == 50 else near, "within": within})
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
            whole_or_all(rerank, "rerank"),
            _weights_of(weights, read, at),
            _ANY if within is None else whole(within, "within", 0, _ANY - 1),
        )
        known = far = None
        if truth is not None:
            known, far = known_of(truth, _count_of(read), min(options[0], len(self)), len(self), job)
        shown_columns = show_hits(show, queries, indexed, (_count_of(read), len(self)), lossy)
        with self._kept.of(job) as searcher:
            made, stats = searcher.search(job, read, at, options, False, type_of(read, at), self._id_type)
        found = Table(beside(made, shown_columns, job), stats)
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
        show: Show = None,
        indexed: Any = None,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Ranking:
        """Finds the ``k`` documents with the highest scores for each query, in an index of kind ``"bm25"``, exactly;
        equal scores by number. :meth:`search` finds the same; a ranking can be saved in TREC's format by
        ``save(path)``.

        Parameters
        ----------
        queries
            The text of a query, or a column, a list, a table or a ``pathlib.Path`` of a file of queries (see the
            package). They are cut into terms as the documents were.
        k
            The largest number of documents for each query, at least 1. Documents without a term of the query are not
            found.
        on
            The column of a table with the queries, or several columns, whose terms are put together.
        id
            The column of a table with the names of queries. The result then has ``query_id``.
        show, indexed
            Columns of the queries and of the documents to show, as in :meth:`search`.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Returns
        -------
        Ranking
            A table of ``query`` and ``document``, row numbers from 0, and ``score``, the sum of the weights of the
            query's tokens, sorted by query, the best first; with ``document_id`` if documents have names.

        Raises
        ------
        OptionError
            ``k`` is below 1, a column is missing, or the index is of another kind.
        InputError
            Queries are malformed or not UTF-8, or a name is null, empty or not unique.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Examples
        --------
        >>> import akin
        >>> index = akin.Index.build({"id": ["a", "b"], "text": ["red house", "red wine"]}, "text", id="id",
        ...                          kind="bm25", formula="lucene")
        >>> index.rank("wine").save("run.trec")
        >>> print(open("run.trec").read(), end="")
        0 Q0 b 1 0.31506690025452055 akin

        Notes
        -----
        Documents are skipped by bounds that also hold for rounded sums (MaxScore, block-max); see docs/rank.md.
        """
        if not _has(self._facts, "formula"):
            raise OptionError(f"rank needs an index of kind 'bm25', and this is one of {self.kind}; use search")
        k, job = whole(k, "k", 1), settings(threads, device, memory, progress, device_memory)
        read, at = self._queries(queries, on, id, lossy, job)
        options = (k, "auto", 50, 0, 0, False, _measure_of(None), False, 0, None, _ANY)
        shown_columns = show_hits(show, queries, indexed, (_count_of(read), len(self)), lossy)
        with self._kept.of(job) as searcher:
            made = searcher.search(job, read, at, options, True, type_of(read, at), self._id_type)[0]
        return Ranking(beside(made, shown_columns, job))

    def _queries(self, queries: Any, on: Names, id: str | None, lossy: bool, job: Job) -> tuple[Any, int]:
        """The queries, and the number of the column with their names, or -1."""
        if _FORMS[self.kind] in (_SETS, _MATRIX):
            _check_kind(self.kind, {"on": on, "id": id, "lossy": flag(lossy, "lossy") or None})
            return (sets_of if _FORMS[self.kind] == _SETS else matrix_of)(queries, True, job), -1
        return _texts(self.kind, [queries] if isinstance(queries, str) else queries, on, id, lossy, job)

    def save(self, path: str | os.PathLike[str], *, sync: bool = False) -> None:
        """Saves the index as an .akin file, which ``akin search`` reads, and for bm25 ``akin rank``. The file appears
        whole or not at all.
        With ``sync`` it is on the disk then, and a loss of power cannot take it away.

        Raises OSError, with ``errno`` and ``filename``, MemoryError, and TypeError if ``path`` is not a path.

        >>> import akin
        >>> akin.Index.build(["red wine"]).save("wine.akin")
        """
        with synced(sync):
            self._index.save(now(self._run), os.fspath(path))

    @classmethod
    @suggests
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        mapped: bool = False,
        verify: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Index:
        """Opens a saved index and returns it. The file is checked, and read into memory, so whoever changes it later
        does not change the index. That takes as much memory as the file has bytes.

        With ``mapped`` most of the index stays in the file. It takes less memory, which processes share. But nobody
        may write to the file while the index exists, as ``cp NEW FILE`` does: answers become wrong, or SIGBUS ends
        the process. To replace the file by a rename, as :meth:`save` and ``mv NEW FILE`` do, is safe.

        Of an index of kind bm25, akin checks a block when a search uses it for the first time. The search raises
        InputError if the block is damaged. With ``mapped`` such an index is open at once. With ``verify`` the whole
        file is checked here. Other kinds are always checked here.

        Raises InputError if the file is of another kind or damaged; FileNotFoundError and other OSError, MemoryError,
        TypeError.

        >>> import akin
        >>> akin.Index.build(["red wine"]).save("wine.akin")
        >>> akin.Index.open("wine.akin")
        akin.Index of 1 documents
        """
        job = settings(threads, device, memory, progress, device_memory)
        return cls(_akin.open_search(job, file_of(path), flag(mapped, "mapped"), flag(verify, "verify")), job)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (pack(self), self._id_type)


def _restore(data: bytes, id_type: str) -> Index:
    made = unpack(Index, data)
    made._id_type = id_type
    return made


def _read(kind: str, objects: Any, on: Names, id: str | None, lossy: bool, job: Job) -> tuple[Any, int]:
    """The objects, and the number of the column with their names, or -1."""
    if _FORMS[kind] in (_SETS, _MATRIX):
        _check_kind(kind, {"on": on, "id": id, "lossy": flag(lossy, "lossy") or None})
        return (sets_of if _FORMS[kind] == _SETS else matrix_of)(objects, False, job), -1
    return _texts(kind, objects, on, id, lossy, job)


def _texts(kind: str, objects: Any, on: Names, id: str | None, lossy: bool, job: Job) -> tuple[_akin.Input, int]:
    """Columns of text, and the number of the column with the names of rows, or -1."""
    chosen = names_of(on)
    if id is not None and text(id, "id") in chosen:
        raise OptionError(f"id={id!r} is also in on; expected a column that is not indexed")
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
    return read, at


def _measure_of(measure: str | None) -> int:
    """The number of a measure; None: the number of common keywords."""
    if measure is None:
        return _choices.values("measures", "count")["overlap"]
    known, comparators = _choices.values("measures", "search"), _choices.values("comparators", "match")
    if measure not in known and did_you_mean(measure, comparators):
        raise OptionError(
            f"measure is {shown(measure)}; expected one of {', '.join(known)}; kind='strings' finds by edit distance, "
            "and "
            "akin.join compares strings"
        )
    return choice(measure, "measure", known)


def _weights_of(weights: Mapping[str, int] | None, read: Any, id: int) -> tuple[int, ...] | None:
    if weights is None:
        return None
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights is {shown(weights)}; expected a dictionary of columns and their weights")
    names = [name for i, name in enumerate(getattr(read, "names", ())) if i != id]
    for name in weights:
        if name not in names:
            no_column(f"weights: there is no column {name!r} in the queries", str(name), ())
    return tuple(whole(weights.get(name, 1), "weights", 1) for name in names)


def _count_of(read: Any) -> int:
    return read.shape()[0] if isinstance(read, _akin.Matrix) else int(read.rows)
