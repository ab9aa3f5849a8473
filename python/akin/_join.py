"""Joins of sets: pairs of rows whose texts have enough tokens in common, and near-duplicates among documents."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

from . import _akin
from ._akin import OptionError
from ._calibration import prices
from ._checks import flag, shown, text, top_of, whole
from ._input import Names, all_ids_of, both_ids, called, each_side, named_of
from ._names import Filter, Sharing, Technique
from ._objects import sets_of
from ._pairs import Pairs
from ._settings import Job, Number, Progress, Size, decimal_of, settings, tokens_of
from ._suggest import suggests


def _measure_of(**thresholds: Number | None) -> tuple[str, str]:
    given = [(name, value) for name, value in thresholds.items() if value is not None]
    if len(given) != 1:
        said = f"{' and '.join(name for name, _ in given)} are given" if given else "no measure is given"
        raise OptionError(f"{said}; expected one of {', '.join(thresholds)}, with its threshold, such as jaccard=0.8")
    name, value = given[0]
    return name.replace("_", "-"), decimal_of(value, name)


@suggests
def join(
    left: Any,
    right: Any = None,
    on: Names = None,
    *,
    left_on: Names = None,
    right_on: Names = None,
    id: str | None = None,
    left_id: str | None = None,
    right_id: str | None = None,
    tokens: str = "words",
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    overlap: Number | None = None,
    overlap_coefficient: Number | None = None,
    containment: Number | None = None,
    multiset: bool = False,
    fold: bool | None = None,
    stop_words: str | Iterable[str] = (),
    top: int | None = None,
    technique: Technique = "auto",
    bits: int = 0,
    block: int = 0,
    filter: Filter = "auto",
    sharing: Sharing = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """Every pair of rows whose texts are alike as sets of tokens: all of them, and no other.

    Parameters
    ----------
    left, right
        Tables, columns, lists of strings or paths of files (see the package). Without ``right``, pairs of rows of ``left``.
    on, left_on, right_on
        The column whose text is compared, or several, whose tokens are put together: ``on`` in both tables, or ``left_on`` and
        ``right_on`` where columns are called differently. Not needed where there is one column.
    id, left_id, right_id
        The column that has the names of rows, in both tables or in each; every row must have its own. The result has columns ``left_id``
        and ``right_id`` then.
    tokens
        ``"words"`` (longest runs of letters, marks and digits), ``"whitespace"`` (runs of anything but spaces and tabs),
        ``"qgrams:N"`` (all runs of N characters) or ``"words:N"`` (all runs of N words). ``"ids"``: ``left`` and ``right`` are sets of whole
        numbers, lists of such or sparse matrices of SciPy, or files of them, which ``akin join`` reads, too.
    jaccard, cosine, dice, overlap, overlap_coefficient, containment
        The least similarity, one of them: n / |r u s|, n / sqrt(|r| |s|), 2 n / (|r| + |s|), n, n / min(|r|, |s|), or n / |r|, for n
        tokens in common of r and s; ``containment`` needs a right table, and r is the left row. Above 0 and at most 1, ``overlap`` a whole number; decimal, and compared exactly: 0.8 is 8/10. Decimal text is
        taken, too.
    multiset
        A token that a text has k times is k tokens.
    fold
        Whether upper and lower case are one; None: of words, not of others.
    stop_words
        Tokens that are left out: a list of words, or a language, such as ``"english"``, for its function words.
    top
        Only the best partners of each left row, so many, found exactly. The threshold may be 0 then: ``jaccard=0, top=3``. Pairs come by
        left row, the best first; without ``right`` the partners of a row are all other rows. It goes with ``technique="auto"`` and without
        the options of techniques, on the CPU.
    technique, bits
        How pairs are found, which changes nothing but the time (docs/how-joins.md): ``"auto"``, ``"allpairs"``, ``"ppjoin"``,
        ``"groupjoin"``, ``"bitmap"``, ``"screened"``; on a GPU ``"tensor"``, ``"prefix"``, and to be compared with ``"gssjoin"``,
        ``"fgssjoin"``, ``"sf-gssjoin"``, ``"bitmap"``, ``"hybrid"``. ``bits`` is the width of signatures, 0: chosen.
    block, filter, sharing
        Of techniques to be compared with: the sets of a block (0: 15000), what finds candidates for ``"hybrid"``, and what a thread of
        the GPU verifies (``"many"``, ``"one"``, ``"part"``).
    lossy
        Bytes that are not UTF-8 are replaced by U+FFFD; else they are an error.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Pairs
        A table of ``left`` and ``right``, row numbers from 0 on, ``left < right`` without a right table, sorted by both; ``overlap``, the
        number of tokens in common; ``similarity``, the nearest double. Nulls and texts without tokens join nothing. It also has
        ``.clusters``, ``.keep``, a mask of the rows that stay where of each cluster the first does, and ``.stats``, how the pairs were
        found.

    Raises
    ------
    OptionError
        There is not one threshold, it or an option is out of range, or a column is not there.
    InputError
        Rows are malformed, not UTF-8, or no sets of token ids; an id is null, or there twice.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    Techniques are those of C. Bellas and A. Gounaris, An empirical evaluation of exact set similarity join techniques using GPUs,
    sections 2 and 3, and akin's own.

    Examples
    --------
    >>> import akin
    >>> akin.join(["a b c", "a b", "b c d"], jaccard=0, top=1).to_dict()
    {'left': [0, 1, 2], 'right': [1, 0, 0], 'overlap': [2, 2, 2], 'similarity': [0.6666666666666666, 0.6666666666666666, 0.5]}
    >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3)
    akin.Table of 3 rows
    left  right  overlap  similarity
       0      1        2           1
       0      2        1    0.333333
       1      2        1    0.333333
    >>> left = {"id": ["a", "b"], "name": ["north river street", "hill street"]}
    >>> right = {"id": ["x", "y"], "name": ["river street north", "south hill"]}
    >>> akin.join(left, right, on="name", id="id", tokens="qgrams:3", cosine=0.5)[0]
    {'left': 0, 'right': 0, 'left_id': 'a', 'right_id': 'x', 'overlap': 13, 'similarity': 0.8125}
    """
    if isinstance(right, numbers.Number):
        raise TypeError(f"right is {shown(right)}, a number; expected a table, or the threshold by its measure, such as jaccard={shown(right)}")
    measure, threshold = _measure_of(
        jaccard=jaccard,
        cosine=cosine,
        dice=dice,
        overlap=overlap,
        overlap_coefficient=overlap_coefficient,
        containment=containment,
    )
    job = settings(threads, device, memory, progress, device_memory)
    widths = whole(bits, "bits"), whole(block, "block")
    options = (measure, threshold, text(technique, "technique"), *widths, text(filter, "filter"), text(sharing, "sharing"), top_of(top))
    if isinstance(tokens, str) and tokens == "ids":
        wanted = flag(lossy, "lossy") or tokens_of("words", multiset, fold, stop_words) != tokens_of("words")
        return _join_sets(left, right, options, (on, left_on, right_on, id, left_id, right_id, fold), wanted, job)
    cut = tokens_of(tokens, multiset, fold, stop_words)
    columns = each_side("on", on, left_on, right_on, right is not None)
    ids = both_ids(id, left_id, right_id, right is not None)
    first = named_of(left, columns[0], ids[0], lossy, job)
    second = None if right is None else named_of(right, columns[1], ids[1], lossy, job)
    counts = first[1], second[1] if second else 0
    made, did = _akin.join(job, first[0], second and second[0], counts, cut, options, _prices(technique))
    return Pairs(called(made, first, second, job), (first[0].rows, second[0].rows if second else 0), did, all_ids_of(first, second))


def _prices(technique: str) -> tuple[Any, ...] | None:
    """What was measured of this machine, for who chooses a technique."""
    return prices() if technique == "auto" else None


def _join_sets(
    left: Any, right: Any, options: tuple[Any, ...], none: tuple[Any, ...], wanted: bool, job: Job
) -> Pairs:
    if wanted or any(value is not None for value in none):
        raise OptionError("tokens='ids' are sets as they are; columns, ids, fold, multiset, stop words and lossy are of text")
    first = sets_of(left, False, job)
    second = None if right is None else sets_of(right, False, job)
    made, did = _akin.join(job, first, second, (0, 0), tokens_of("words"), options, _prices(options[2]))
    return Pairs(made, (first.rows, second.rows if second else 0), did)


@suggests
def near_duplicates(
    documents: Any,
    on: Names = None,
    *,
    jaccard: Number = 0.8,
    tokens: str = "words:5",
    id: str | None = None,
    fold: bool | None = None,
    stop_words: str | Iterable[str] = (),
    technique: Technique = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """Every pair of documents that are nearly the same, exactly: by the Jaccard similarity of their runs of words (shingles).

    What MinHash with bands finds with some probability, this finds; nothing is estimated, and there are no parameters but the threshold
    and what a token is. ``found.keep`` is a mask of the documents that stay, ``found.clusters`` tells which belong together.

    Parameters
    ----------
    documents, on
        A table and the column of its texts (or several columns), a column, a list of strings or the path of a file (see the package).
    jaccard
        The least similarity, above 0 and at most 1, decimal and compared exactly.
    tokens
        ``"words:N"``, all runs of N words; a document of fewer words is one token, and like no other than the same words. Or another
        kind, as in :func:`akin.join`.
    id, fold, stop_words, technique, lossy, threads, device, memory, device_memory, progress
        As in :func:`akin.join`; runs of words that are in ``stop_words``, a list of texts, are left out, such as those of a notice that
        many documents have.

    Returns
    -------
    Pairs
        As :func:`akin.join` gives it.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError, OSError
        As :func:`akin.join`.

    Notes
    -----
    A. Broder, On the resemblance and containment of documents, 1997, for shingles; joined as in docs/how-joins.md.

    Examples
    --------
    >>> import akin
    >>> texts = ["The road is closed until Friday.", "the road is closed until friday", "It rains in Ulm today and tomorrow."]
    >>> found = akin.near_duplicates(texts, jaccard=0.5)
    >>> [text for text, stays in zip(texts, found.keep) if stays]
    ['The road is closed until Friday.', 'It rains in Ulm today and tomorrow.']
    """
    return join(
        documents,
        on=on,
        jaccard=jaccard,
        tokens=tokens,
        id=id,
        fold=fold,
        stop_words=stop_words,
        technique=technique,
        lossy=lossy,
        threads=threads,
        device=device,
        memory=memory,
        device_memory=device_memory,
        progress=progress,
    )
