"""Generated data for experiments: records with duplicates, sets and documents. The same seed gives the same data on
every machine, and the same as ``akin generate``.

>>> import akin
>>> people, gold = akin.generate.records(100, seed=1)
>>> people.columns[:3], len(people)
(('id', 'given_name', 'surname'), 100)
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._checks import choice, flag, listed, number, shown, whole
from ._checks import text as checked
from ._choices import values
from ._input import file_of, input_of
from ._names import Copies, RecordKind
from ._objects import sets_of
from ._settings import Job, Progress, Size, settings, size_of
from ._suggest import suggests
from ._table import Table

__all__ = ["grow", "records", "sets", "text"]

_MOST = 2**64 - 1
_FREQUENCY = re.compile(r"\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


@contextmanager
def _named(**names: str) -> Iterator[None]:
    """Around a call of the library: errors name the arguments of this module, not the options of the library."""
    try:
        yield
    except OptionError as error:
        if error.option not in names:
            raise
        renamed = OptionError(names[error.option] + str(error).removeprefix(error.option))
        vars(renamed).update(vars(error), option=names[error.option])
        raise renamed from None


@suggests
def records(
    rows: int = 10000,
    *,
    kind: RecordKind = "people",
    duplicates: float = 0.1,
    copies: Copies = "poisson",
    most_copies: int = 5,
    field_modifications: int = 2,
    record_modifications: int = 5,
    modify: Mapping[str, int] | None = None,
    tracks: int = 2,
    linked: bool = False,
    seed: int = 1,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> tuple[Table, Table] | tuple[Table, Table, Table]:
    """Generates records of invented people or CDs, with duplicates that have errors, and the pairs of records with the
    same original.

    Parameters
    ----------
    rows
        The number of records, with duplicates.
    kind
        ``"people"`` (names, address, date of birth, phone) or ``"cd"`` (artist, title, category, genre, year,
        ``tracks`` of them).
    duplicates
        The share of records that are duplicates, from 0 to below 1.
    copies, most_copies
        The distribution of the number of duplicates of a record that has some: ``"uniform"``, ``"poisson"`` or
        ``"zipf"``; and the largest number.
    field_modifications, record_modifications
        The largest number of errors in a value of a duplicate, and in a duplicate.
    modify
        How frequent a kind of error is, in relation to the others: ``{"insert": 10, "missing": 0, ...}``. ``"all"``
        stands for all kinds.
    tracks
        The number of tracks of a CD.
    linked
        Put duplicates into a table of their own.
    seed, threads, device, memory, device_memory, progress
        The same seed gives the same records; and see the package.

    Returns
    -------
    tuple of Table
        The records, or with ``linked`` the originals and the duplicates; and last the true pairs, ``left`` and
        ``right``, by ``id``, which ``gold=`` takes.

    Raises
    ------
    OptionError
        An argument is out of range, or a kind of error is unknown.
    TypeError, LimitError, MemoryError
        See the package.

    Notes
    -----
    P. Christen, Probabilistic Data Generation for Deduplication and Data Linkage, IDEAL 2005; see docs/generate.md.

    Examples
    --------
    >>> import akin
    >>> people, gold = akin.generate.records(1000, seed=7)
    >>> len(people), people.columns[:3], gold.columns
    (1000, ('id', 'given_name', 'surname'), ('left', 'right'))
    """
    errors, weights = values("modifications"), dict[int, int]()
    if not isinstance(modify, Mapping | None):
        raise TypeError(f"modify is {shown(modify)}; expected a dictionary of kinds of errors and how often each is")
    for error, weight in (modify or {}).items():
        if error != "all":
            choice(error, "modify", errors)
        for name in errors if error == "all" else [error]:
            weights[errors[name]] = whole(weight, f"modify[{error!r}]")
    job = settings(threads, device, memory, progress, device_memory)
    options = (
        choice(kind, "kind", values("record-kinds")),
        whole(rows, "rows"),
        number(duplicates, "duplicates"),
        choice(copies, "copies", values("copies")),
        whole(most_copies, "most_copies"),
        whole(field_modifications, "field_modifications"),
        whole(record_modifications, "record_modifications"),
        whole(tracks, "tracks"),
        flag(linked, "linked"),
        whole(seed, "seed", 0, _MOST),
    )
    first, second, gold = _akin.generate_records(job, options, tuple(weights.items()))
    return (Table(first), Table(gold)) if second is None else (Table(first), Table(second), Table(gold))


@suggests
def sets(
    rows: int = 100000,
    *,
    tokens: int = 50000,
    average: float = 10,
    spread: float = 3,
    smallest: int = 1,
    largest: int = 0,
    zipf: float = 1,
    duplicates: float = 0.05,
    lognormal: bool = False,
    seed: int = 1,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> list[list[int]]:
    """Generates sets of token ids, which ``akin.join(..., tokens="ids")`` takes.

    Parameters
    ----------
    rows
        The number of sets.
    tokens
        The number of different tokens.
    average, spread, smallest, largest
        Sizes of sets: mean and standard deviation of a normal distribution, and bounds (``largest`` 0: no bound).
    zipf
        Token k is drawn with the weight ``1 / (k + 1)**zipf``.
    duplicates
        The share of sets that copy an earlier one, with a tenth of its tokens changed.
    lognormal
        Sizes are lognormally distributed, with the same mean and standard deviation: most sets are small, and a few are
        very large.
    seed, threads, device, memory, device_memory, progress
        The same seed gives the same sets; and see the package.

    Returns
    -------
    list of list of int

    Raises
    ------
    OptionError
        An argument is out of range.
    TypeError, LimitError, MemoryError
        See the package.

    >>> import akin
    >>> len(akin.generate.sets(100, seed=7))
    100
    """
    job = settings(threads, device, memory, progress, device_memory)
    sizes = (
        number(average, "average"), number(spread, "spread"), whole(smallest, "smallest"), whole(largest, "largest")
    )
    options = (
        whole(rows, "rows"), whole(tokens, "tokens"), *sizes, number(zipf, "zipf"), number(duplicates, "duplicates")
    )
    with _named(
        universe="tokens", size_mean="average", size_deviation="spread", size_smallest="smallest",
        size_largest="largest"
    ):
        both = _akin.generate_sets(job, (*options, whole(seed, "seed", 0, _MOST), flag(lognormal, "lognormal")))
    return _lists_of(*both)


def _lists_of(offsets: _akin.Buffer, tokens: _akin.Buffer) -> list[list[int]]:
    found = memoryview(tokens)
    return [found[begin:end].tolist() for begin, end in pairwise(memoryview(offsets).tolist())]


@suggests
def grow(
    sets: Any,
    copies: int,
    *,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> list[list[int]]:
    """Enlarges a collection of sets: returns ``copies`` copies of ``sets``, one after another, as lists of token ids.

    ``sets`` is a list of lists of token ids, a sparse matrix of SciPy, or the path of a file of sets. The first copy is
    the original. Each further copy replaces every token by the next more frequent one, and the most frequent by the
    rarest, so the distributions of sizes and frequencies stay the same.

    C. Bellas, A. Gounaris, An empirical evaluation of exact set similarity join techniques using GPUs, section 4.4.1.

    Raises OptionError if ``copies`` is below 1, InputError if ``sets`` are not sets of token ids; TypeError,
    LimitError, MemoryError, OSError: see the package.

    >>> import akin
    >>> akin.generate.grow([[1, 2], [2, 3]], copies=2)
    [[1, 2], [2, 3], [1, 3], [1, 2]]
    """
    job = settings(threads, device, memory, progress, device_memory)
    return _lists_of(*_akin.grow_sets(job, sets_of(sets, False, job), whole(copies, "copies", 1)))


def _cut(made: bytes) -> Iterator[str]:
    """Documents that are separated by empty lines, one at a time: a split of all of them would not react to Ctrl-C."""
    if not made:
        return
    begin = 0
    while (end := made.find(b"\n\n", begin)) >= 0:
        yield made[begin:end].decode()
        begin = end + 2
    yield made[begin:].decode().removesuffix("\n")


@suggests
def text(
    documents: int | None = None,
    *,
    bytes: int | str | None = None,
    words: Mapping[str, float] | Iterable[str] | str | os.PathLike[str] | None = None,
    vocabulary: int | None = None,
    uniform: bool = False,
    length: tuple[float, float] = (6.0, 1.1),
    seed: int = 1,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> list[str]:
    """Generates documents of words that are drawn independently of one another.

    Parameters
    ----------
    documents, bytes
        The number of documents (default: 1000, or unlimited with ``bytes``), and the largest size of the text, in bytes
        or as ``"100MB"``, with an empty line between two documents. The text ends with the last word that fits.
    words
        The words to draw from: a dictionary of words and their frequencies, a list of words, or the path of a file
        whose lines have a word, a tab and a frequency. A frequency of 0 counts as half of the smallest other one. None:
        invented words.
    vocabulary
        The number of words: the first of ``words`` (None: all), or invented ones (default: 500000), whose frequencies
        follow Zipf and Mandelbrot.
    uniform
        All words are equally frequent.
    length
        Mean and standard deviation of the natural logarithm of a document's length in words.
    seed, threads, device, memory, device_memory, progress
        The same seed gives the same text; and see the package.

    Returns
    -------
    list of str

    Raises
    ------
    OptionError
        An argument is out of range, or contradicts another.
    InputError
        Words, or a line of their file, are malformed.
    TypeError, LimitError, MemoryError, OSError
        See the package.

    Notes
    -----
    T. Wakatsuki, A. Keyaki, J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, section 4.1.

    Examples
    --------
    >>> import akin
    >>> len(akin.generate.text(10, seed=7))
    10
    """
    job = settings(threads, device, memory, progress, device_memory)
    drawn = weights = None
    uniform = flag(uniform, "uniform")
    made_up = 500000 if vocabulary is None else whole(vocabulary, "vocabulary", 1)
    if words is not None:
        chosen, frequent = _words_of(words, None if vocabulary is None else made_up, job)
        drawn = _akin.from_lists(job, ("word",), (chosen,))
        weights = None if frequent is None or uniform else array("d", frequent)
    lengths = [number(each, "length") for each in listed(length, "length", "two numbers")]
    if len(lengths) != 2:
        raise OptionError(f"length is {length!r}; expected two numbers, the mean and the deviation of a logarithm")
    count = 1000 if documents is None and bytes is None else 0 if documents is None else whole(
        documents, "documents", 1
    )
    amount = (count, size_of(bytes, "bytes"))
    rest = (made_up, uniform, whole(seed, "seed", 0, _MOST))
    with _named(length_mu="length[0]", length_sigma="length[1]"):
        made = _akin.generate_text(job, (*amount, *lengths, *rest), drawn, weights)
    return list(_cut(made))


def _words_of(words: Any, most: int | None, job: Job) -> tuple[list[Any], list[float] | None]:
    """The words to draw from, and their frequencies, if there are any."""
    frequent: list[float] | None = None
    if isinstance(words, (str, os.PathLike)):
        name, chosen, frequent = file_of(words), [], []
        for line, said in enumerate(input_of(name, None, False, job, "text").column(0)[:most], 1):
            word, _, weight = (said or "").partition("\t")
            if not word or " " in word or not _FREQUENCY.fullmatch(weight):
                raise InputError(f"{name}:{line}: expected a word, a tab and how frequent it is, a number from 0 on")
            chosen.append(word)
            frequent.append(float(weight))
    else:
        chosen = listed(words, "words", "words, a dictionary of words and how frequent each is, or a path")[:most]
        if isinstance(words, Mapping):
            frequent = [number(words[word], f"words[{word!r}]") for word in chosen]
        for word in chosen:
            if not checked(word, "a word") or any(c in word for c in " \t\r\n"):
                raise OptionError(f"a word is {shown(word)}; expected words without blanks and line ends")
    if not chosen:
        raise OptionError("there are no words; expected one at least")
    if frequent is not None:
        least = min((each for each in frequent if each > 0), default=0.0)
        frequent = [least / 2 if each == 0 else each for each in frequent]
    return chosen, frequent
