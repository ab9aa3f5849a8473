"""Collections of documents: near-duplicates, contamination, repeated passages.

>>> import akin
>>> texts = ["The road is closed until Friday.", "the road is closed until friday", "It rains in Ulm."]
>>> found = akin.corpus.near_duplicates(texts, jaccard=0.5)
>>> [text for text, stays in zip(texts, found.keep) if stays]
['The road is closed until Friday.', 'It rains in Ulm.']

The functions take tables, Arrow streams and paths, as all of akin does (see the package): ``akin.files([...])`` is
several files, and a data set of the package ``datasets`` (or a split of it) is a table, in its own order.
"""

from __future__ import annotations

import os
from typing import Any

from . import _akin, _choices
from ._akin import OptionError
from ._checks import flag, shown, text, whole
from ._column import Column, Mask
from ._input import OF_TEXT, Names, input_of, names_of
from ._join import least_of
from ._pairs import Page
from ._settings import Job, Number, Progress, Size, settings, tokens_of
from ._suggest import attributes_of, suggests
from ._table import Table
from ._temporary import nameless
from ._warnings import warn_of
from ._write import check_page

__all__ = ["Hits", "Passages", "Removed", "near_duplicates", "near_duplicates_plan", "near_duplicates_sample",
           "overlap", "repeats"]
__getattr__ = attributes_of(__name__, __all__)



class Removed(Table):
    """The documents that were removed, a table with columns ``id`` and ``survivor`` (row numbers from 0 on, or ids),
    ``similarity`` and ``common``, the number of tokens that both have.

    Attributes
    ----------
    keep : Mask
        True for each document that is kept: ``frame[found.keep]`` in pandas, ``frame.filter(found.keep)`` in Polars.
    stats : dict
        Counts of documents, of pairs that were compared, and seconds.
    report : Page or None
        The page that ``report`` asked for, which a notebook shows.

    Examples
    --------
    >>> import akin
    >>> found = akin.corpus.near_duplicates(["a b c", "a b c", "d"])
    >>> found.keep, found["survivor"]
    ([True, False, True], [0])
    """

    __slots__ = ("keep", "report")

    def __init__(self, frame: _akin.Frame, keep: Mask, stats: dict[str, Any] | None) -> None:
        super().__init__(frame, stats)
        self.keep = keep
        self.report: Page | None = None

    def _part(self, frame: _akin.Frame) -> Table:
        return Table(frame)

    def __reduce__(self) -> tuple[Any, ...]:
        page = None if self.report is None else self.report.html
        return _restore, (self._frame.state(), bytes(self.keep), self.stats, page)


class Hits(Table):
    """The items that stand in documents, a table: see :func:`overlap`.

    Attributes
    ----------
    keep : Mask
        True for each document that no item stands in.

    Examples
    --------
    >>> import akin
    >>> found = akin.corpus.overlap(["What is the capital of France?"], ["Quiz: what is the capital of FRANCE", "no"])
    >>> found.keep
    [False, True]
    """

    __slots__ = ("keep",)

    def __init__(self, frame: _akin.Frame, keep: Mask) -> None:
        super().__init__(frame)
        self.keep = keep

    def _part(self, frame: _akin.Frame) -> Table:
        return Table(frame)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_hits, (self._frame.state(), bytes(self.keep))


class Passages(Table):
    """Passages that are in documents again, a table: see :func:`repeats`.

    Examples
    --------
    >>> import akin
    >>> found = akin.corpus.repeats(["the cat sat here", "a cat sat there"], length=8, cut=True)
    >>> found.texts
    ['the cat sat here', 'athere']
    """

    __slots__ = ("_texts",)

    def __init__(self, frame: _akin.Frame, texts: _akin.Frame | None) -> None:
        super().__init__(frame)
        self._texts = texts

    @property
    def texts(self) -> Column | None:
        """The text of each document without its passages; None without ``cut=True``. A text of which only blanks are
        left is empty.

        >>> import akin
        >>> akin.corpus.repeats(["one two three", "One, two, three!"], words=3, cut=True).texts
        ['one two three', '']
        """
        return None if self._texts is None else Column(self._texts, 0, 0, self._texts.rows)

    def _part(self, frame: _akin.Frame) -> Table:
        return Table(frame)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_passages, (self._frame.state(), None if self._texts is None else self._texts.state())


def _restore_passages(state: Any, texts: Any) -> Passages:
    job = settings()
    return Passages(_akin.from_state(job, state), None if texts is None else _akin.from_state(job, texts))


def _restore_hits(state: Any, keep: bytes) -> Hits:
    return Hits(_akin.from_state(settings(), state), Mask(map(bool, keep)))


def _restore(state: Any, keep: bytes, stats: dict[str, Any] | None, page: str | None) -> Removed:
    made = Removed(_akin.from_state(settings(), state), Mask(map(bool, keep)), stats)
    made.report = None if page is None else Page(page)
    return made


@suggests
def near_duplicates(
    documents: Any,
    on: Names = None,
    *,
    id: str | None = None,
    tokens: str = "words:5",
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    overlap: Number | None = None,
    overlap_coefficient: Number | None = None,
    containment: Number | None = None,
    keep: str = "first",
    within: str | bool | None = None,
    across: str | bool | None = None,
    ignore_frequent: int = 0,
    components: bool = False,
    report: bool | str | os.PathLike[str] | None = None,
    ignore_case: bool | None = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Removed:
    """Finds documents that are almost copies of others, and keeps one of them.

    Documents come in an order of preference. A document is removed if and only if a kept document before it is alike;
    the first such one is its survivor. So no document is removed for one that is removed itself, and chains of
    documents that are alike do not become one, as they do in :func:`akin.near_duplicates`, which finds all pairs.

    Parameters
    ----------
    documents, on
        A table and the column of its texts (or several columns, which form one text with blanks between), a column, a
        list of strings or the path of a file, whose column ``text`` is taken unless others are named (see the package).
    id
        The column that names documents in the result, and breaks ties of ``keep``. None: row numbers.
    tokens
        What a document is a set of: ``"words:N"``, all runs of N words; a document of fewer words is one token. Other
        tokens are those of :func:`akin.join`.
    jaccard, cosine, dice, overlap, overlap_coefficient, containment
        One measure and its threshold (default: jaccard=0.8). ``containment`` is the share of a document's own tokens
        that the kept one has.
    keep
        Which of two documents is kept: ``"first"``, ``"longest"``, or the name of a column. The column prefers the
        lesser value, ``"COLUMN:desc"`` the greater one. Numbers count as numbers.
    within, across
        A column. Only documents that have the same value there are compared, or only those that have different ones.
        True: only documents of one file are, or only those of different files.
    ignore_frequent
        Tokens that are in more documents than this are left out (default: 0, none is). A document of such tokens alone
        is kept.
    components
        Documents that a chain of alike pairs connects are one component, of which the preferred document is kept. The
        others need not be like it. Neither with ``within`` or ``across`` nor with ``ignore_frequent``.
    report
        True makes an HTML page about the result, ``.report``: the figures, how alike removed documents are, and the
        largest clusters with what their texts differ in. A path also writes it to that file.
    ignore_case, lossy, threads, device, memory, device_memory, progress
        As in :func:`akin.join`. GPUs hold the hashes of documents. With ``ignore_frequent`` none is used.

    Returns
    -------
    Removed
        The documents that were removed, with ``keep``, a mask of those that stay.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.join`.

    Notes
    -----
    Prefix filter: S. Chaudhuri, V. Ganti, R. Kaushik, A primitive operator for similarity joins in data cleaning, 2006.
    The proof that nothing is lost: docs/corpus.md.

    Examples
    --------
    >>> import akin
    >>> pages = {"url": ["a", "b", "c"], "score": ["1", "5", "2"], "text": ["red wine from Ulm"] * 2 + ["white wine"]}
    >>> found = akin.corpus.near_duplicates(pages, on="text", id="url", keep="score:desc")
    >>> found["id"], found["survivor"], found["similarity"]
    (['a'], ['b'], [1.0])
    """
    job = settings(threads, device, memory, progress, device_memory)
    measure, least = _measure_of(
        jaccard=jaccard,
        cosine=cosine,
        dice=dice,
        overlap=overlap,
        overlap_coefficient=overlap_coefficient,
        containment=containment,
    )
    preferred, column = _keep_of(keep)
    source, comparing = _comparing_of(within, across)
    if isinstance(report, (str, os.PathLike)):
        check_page(os.fsdecode(report))
    else:
        report = report is not None and flag(report, "report", "True, False or a path")
    found, texts, columns = _read(documents, on, (column, id, source), lossy, job)
    with nameless() as (_, own):
        path = None if not report else own if report is True else os.fsdecode(report)
        title = os.path.basename(os.fspath(documents)) if isinstance(documents, (str, os.PathLike)) else None
        frame, mask, stats = _akin.near_duplicates(
            job, found, texts, tokens_of(tokens, False, ignore_case), measure, least, preferred, comparing,
            columns, whole(ignore_frequent, "ignore_frequent"), int(flag(components, "components")),
            None if path is None else (path, title, tokens, source)
        )
        warn_of(stats["warnings"])
        removed = Removed(frame, Mask(map(bool, mask)), stats)
        if path is not None:
            with open(path, encoding="utf-8", newline="") as page:
                removed.report = Page(page.read())
    return removed


@suggests
def near_duplicates_plan(
    documents: Any,
    on: Names = None,
    *,
    tokens: str = "words:5",
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    overlap: Number | None = None,
    overlap_coefficient: Number | None = None,
    containment: Number | None = None,
    ignore_frequent: int = 0,
    ignore_case: bool | None = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> dict[str, Any]:
    """Foresees what :func:`near_duplicates` will take.

    It reads the documents, and does the job with 32 MB of them, from all over the corpus, on the CPU. Tokens and
    seconds grow with the bytes. Memory and rounds are those of a corpus whose documents all have to be indexed.

    Parameters
    ----------
    documents, on, tokens, jaccard, cosine, dice, overlap, overlap_coefficient, containment, ignore_frequent
        As in :func:`near_duplicates`.
    ignore_case, lossy, threads, device, memory, progress
        As in :func:`akin.join`.

    Returns
    -------
    dict
        ``documents`` and ``bytes`` of text; about the number of distinct ``tokens`` of all documents; the bytes of
        ``memory`` beside the texts, at most; those of ``temporary`` files; how many ``readings`` of the text there are
        with one round; how many ``rounds``, at most; and ``seconds`` after the documents are read.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.join`.

    Examples
    --------
    >>> import akin
    >>> plan = akin.corpus.near_duplicates_plan(["red wine from Ulm", "white wine from Ulm", "beer"], tokens="words")
    >>> plan["documents"], plan["bytes"], plan["tokens"], plan["rounds"]
    (3, 40, 9, 1)
    """
    job = settings(threads, device, memory, progress)
    measure, least = _measure_of(
        jaccard=jaccard,
        cosine=cosine,
        dice=dice,
        overlap=overlap,
        overlap_coefficient=overlap_coefficient,
        containment=containment,
    )
    preferred, _ = _keep_of("first")
    found, texts, columns = _read(documents, on, (None, None, None), lossy, job)
    return _akin.near_duplicates(
        job, found, texts, tokens_of(tokens, False, ignore_case), measure, least, preferred, 0, columns,
        whole(ignore_frequent, "ignore_frequent"), 0, "plan"
    )


@suggests
def near_duplicates_sample(
    documents: Any,
    on: Names = None,
    *,
    sample: int = 10_000,
    measure: str = "jaccard",
    id: str | None = None,
    tokens: str = "words:5",
    keep: str = "first",
    within: str | None = None,
    across: str | None = None,
    ignore_case: bool | None = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Estimates how much thresholds of :func:`near_duplicates` would remove, before the whole job runs.

    ``sample`` documents are drawn, always the same ones of a number of documents. Each is compared with all documents
    before it in the order of preference. The share of those that reach a threshold is an upper bound of what it
    removes: the document before may be removed itself, though its survivor is nearly always alike, too.

    Parameters
    ----------
    documents, on, id, tokens, keep, within, across
        As in :func:`near_duplicates`.
    sample
        How many documents are drawn. If there are no more, all are, and the shares are exact.
    measure
        ``"jaccard"``, ``"cosine"``, ``"dice"``, ``"overlap-coefficient"`` or ``"containment"``.
    ignore_case, lossy, threads, device, memory, progress
        As in :func:`akin.join`. ``device``: ``"auto"`` or ``"cpu"``.

    Returns
    -------
    Table
        A row for each ``threshold`` 0.5, 0.55 ... 1: ``share`` of the drawn documents that have a document before them
        at least that alike; ``low`` and ``high``, an interval of 95 % for the share of all documents (E. B. Wilson,
        1927); and about how many ``documents`` that are.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.join`.

    Examples
    --------
    >>> import akin
    >>> texts = ["red wine from Ulm", "Red wine, from Ulm", "white wine from Ulm", "beer"]
    >>> found = akin.corpus.near_duplicates_sample(texts, tokens="words")
    >>> found["threshold"][:4], found["share"][:4]
    ([0.5, 0.55, 0.6, 0.65], [0.5, 0.5, 0.5, 0.25])
    """
    job = settings(threads, device, memory, progress)
    preferred, column = _keep_of(keep)
    source, comparing = _comparing_of(within, across)
    found, texts, columns = _read(documents, on, (column, id, source), lossy, job)
    return Table(_akin.near_duplicates(
        job, found, texts, tokens_of(tokens, False, ignore_case), text(measure, "measure"), "1", preferred, comparing,
        columns, 0, 0, whole(sample, "sample", 1)
    ))


@suggests
def overlap(
    items: Any,
    documents: Any,
    items_on: Names = None,
    on: Names = None,
    *,
    items_id: str | None = None,
    id: str | None = None,
    words: int = 13,
    lossy: bool = False,
    threads: int = 0,
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> Hits:
    """Finds the items of a test that stand in documents: contamination.

    A gram is ``words`` words in a row, without case and punctuation; an item of fewer words is one gram. No hash makes
    a hit up: words decide.

    Parameters
    ----------
    items, items_on
        A table and the columns of its texts, a column, a list of strings or the path of a file (see the package). With
        several columns each is an item, and so are all of them together: question, answer, and both.
    documents, on
        The same of the corpus, whose columns form one text with blanks between.
    items_id, id
        The columns that name items and documents in the result. None: row numbers.
    words
        Words of a gram, 1 to 255.
    lossy, threads, memory, progress
        As in :func:`akin.join`.

    Returns
    -------
    Hits
        A row for each item with a hit: ``item``; ``part``, the column, or all of them with ``+`` between (empty with
        one column); ``share`` of its grams that are in the documents; ``grams`` and ``covered``, their numbers;
        ``documents`` with a gram; ``document``, ``words``, ``item_begin``, ``item_end``, ``document_begin`` and
        ``document_end``: the longest common run of words, and its bytes in both texts, encoded in UTF-8. ``keep`` is a
        mask of the documents that no item stands in.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.join`.

    Examples
    --------
    >>> import akin
    >>> quiz = {"q": ["Who built the old mill?"], "a": ["Nobody knows"]}
    >>> found = akin.corpus.overlap(quiz, ["WHO built -- the old mill? Nobody knows."], ["q", "a"])
    >>> found["part"], found["share"], found["words"]
    (['q', 'a', 'q+a'], [1.0, 1.0, 1.0], [5, 2, 7])
    """
    job = settings(threads, "auto", memory, progress)
    asked, item_texts, item_columns = _read(items, items_on, (items_id,), lossy, job)
    found, texts, columns = _read(documents, on, (id,), lossy, job)
    frame, mask = _akin.overlap(
        job, asked, item_texts, item_columns[0], found, texts, columns[0], whole(words, "words")
    )
    return Hits(frame, Mask(map(bool, mask)))


@suggests
def repeats(
    documents: Any,
    on: Names = None,
    *,
    id: str | None = None,
    length: int | None = None,
    words: int | None = None,
    keep: str = "first",
    cut: bool = False,
    lossy: bool = False,
    threads: int = 0,
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> Passages:
    """Finds passages that are in the documents again, byte for byte or word for word, in one document or in two.

    A *run* is ``length`` bytes, or ``words`` words, in a row. It is repeated if it stands at two places or more. The
    first of these places is the first copy, and the others are later ones. A passage is what later copies cover that
    overlap no first copy of a repeated run. So each repeated run is still in the texts without passages.

    Parameters
    ----------
    documents, on
        A table and the column of its texts (or several columns, which form one text with blanks between), a column, a
        list of strings or the path of a file (see the package).
    id
        The column that names documents in the result. None: row numbers.
    length
        The least bytes of a passage, 8 to 65536 (default: 100).
    words
        Instead, the least words of a passage, 1 to 65536. They are compared without case, punctuation and blanks.
    keep
        ``"first"`` lists the later copies, ``"none"`` all copies.
    cut
        The result has the texts without their passages, too.
    lossy, threads, memory, progress
        As in :func:`akin.join`.

    Returns
    -------
    Passages
        A row for each passage, by document and place: ``id``, ``begin`` and ``end``, bytes of its text in UTF-8, on
        borders of characters or words; ``source`` and ``source_begin``, where its first run is first; ``times``, how
        often this run is in the documents. ``texts`` has the texts without passages.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.join`.

    Examples
    --------
    >>> import akin
    >>> found = akin.corpus.repeats(["the cat sat here", "a cat sat there"], length=8)
    >>> found["id"], found["begin"], found["end"], found["source_begin"]
    ([1], [1], [9], [3])
    """
    kept = _choices.values("keeps").get(text(keep, "keep"))
    if kept not in (_akin.KEEP_FIRST, _akin.KEEP_NONE):
        raise OptionError(f"keep={shown(keep)}; of repeated passages the first one is kept, or none")
    if length is not None and words is not None:
        raise OptionError("length and words are given; expected one of them")
    unit = _akin.REPEATS_BYTES if words is None else _akin.REPEATS_WORDS
    least = whole(words, "words") if words is not None else 100 if length is None else whole(length, "length")
    job = settings(threads, "auto", memory, progress)
    found, texts, columns = _read(documents, on, (id,), lossy, job)
    frame, left = _akin.repeats(job, found, texts, columns[0], unit, least, kept, flag(cut, "cut"))
    return Passages(frame, left)


def _read(
    documents: Any, on: Names, others: tuple[str | None, ...], lossy: bool, job: Job
) -> tuple[_akin.Input, int, tuple[int, ...]]:
    """The columns of texts and others of a table; the number of texts; and the number of each other column, or -1."""
    names = names_of(on)
    if not names and isinstance(documents, (str, os.PathLike)):
        names = (OF_TEXT,)  # as the command has it
    said = [text(name, "the name of a column") for name in others if name is not None]
    if said and not names:
        raise OptionError(f"{said[0]!r} is the column of a table; expected on=NAME, too")
    asked = list(dict.fromkeys([*names, *said]))
    found = input_of(documents, asked or None, lossy, job)
    if not names and len(found.names) != 1:
        raise OptionError(f"the table has the columns {', '.join(map(repr, found.names))}; expected on=NAME")
    return found, max(1, len(names)), tuple(-1 if name is None else asked.index(name) for name in others)


def _measure_of(**given: Number | None) -> tuple[str, str]:
    """The measure and its threshold, as text."""
    said = [name for name, value in given.items() if value is not None]
    if len(said) > 1:
        raise OptionError(f"{said[0]} and {said[1]} are given; expected one of them")
    name = said[0] if said else "jaccard"
    value = given[name]
    return name.replace("_", "-"), least_of(0.8 if value is None else value, name)


def _comparing_of(within: str | bool | None, across: str | bool | None) -> tuple[str | None, int]:
    """The column of sources, None: they are files, if any; and the number of an akin_comparing."""
    column, other = (None if source is False else source for source in (within, across))
    if column is not None and other is not None:
        raise OptionError("within and across are given; expected one of them")
    if column is None and other is None:
        return None, _akin.COMPARE_ALL
    source = other if column is None else column
    number = _akin.COMPARE_ACROSS if column is None else _akin.COMPARE_WITHIN
    return None if source is True else text(source, "within" if column is not None else "across"), number


def _keep_of(keep: str) -> tuple[int, str | None]:
    """The number of an akin_keep, and the column that it looks at."""
    known = {name: value for name, value in _choices.values("keeps").items() if value != _akin.KEEP_NONE}
    if text(keep, "keep") in known:
        return known[keep], None
    name, colon, order = keep.rpartition(":")
    if not colon or order not in ("asc", "desc"):
        name, order = keep, "asc"
    if not name:
        names = ", ".join(map(repr, known))
        raise OptionError(f"keep={shown(keep)}; expected {names}, or the name of a column")
    return _akin.KEEP_GREATEST if order == "desc" else _akin.KEEP_LEAST, name
