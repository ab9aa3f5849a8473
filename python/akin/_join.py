"""Joins of sets: pairs of rows whose texts have enough tokens in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from . import _akin
from ._akin import OptionError
from ._input import Names, texts_of
from ._settings import Number, Settings, decimal_of, settings, tokens_of
from ._table import Table

_MEASURES = {"jaccard": 1, "cosine": 2, "dice": 3, "overlap": 4}


def _measure_of(**thresholds: Number | None) -> tuple[int, str]:
    given = [(name, value) for name, value in thresholds.items() if value is not None]
    if len(given) != 1:
        raise OptionError(f"{len(given)} thresholds; expected one of jaccard, cosine, dice and overlap, as in jaccard=0.8")
    name, value = given[0]
    return _MEASURES[name], decimal_of(value, name)


def join(
    left: Any,
    right: Any = None,
    on: Names = None,
    *,
    right_on: Names = None,
    tokens: str = "words",
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    overlap: Number | None = None,
    multiset: bool = False,
    fold: bool | None = None,
    stop_words: str | Iterable[str] = (),
    technique: str = "auto",
    bits: int = 0,
    lossy: bool = False,
    **run: Unpack[Settings],
) -> Table:
    """Every pair of rows whose texts are alike as sets of tokens: all of them, and no other.

    Parameters
    ----------
    left, right
        Tables, columns, lists of strings or paths of files (see the package). Without ``right``, pairs of rows of ``left``.
    on, right_on
        The column whose text is compared, or several, whose tokens are put together; not needed where there is one column.
        ``right_on`` where the right table calls them otherwise.
    tokens
        ``"words"`` (longest runs of letters, marks and digits), ``"blanks"`` (runs of anything but spaces and tabs),
        ``"qgrams:N"`` (all runs of N characters) or ``"words:N"`` (all runs of N words).
    jaccard, cosine, dice, overlap
        The least similarity, one of them: n / |r u s|, n / sqrt(|r| |s|), 2 n / (|r| + |s|), or n, for n tokens in common. Above 0
        and at most 1, ``overlap`` a whole number; decimal, and compared exactly: 0.8 is 8/10. Decimal text is taken, too.
    multiset
        A token that a text has k times is k tokens.
    fold
        Whether upper and lower case are one; None: of words, not of others.
    stop_words
        Tokens that are left out: a list of words, or a language, such as ``"english"``, for its function words.
    technique, bits
        How pairs are found, which changes nothing but the time (docs/join.md): ``"auto"``, ``"allpairs"``, ``"ppjoin"``,
        ``"groupjoin"``, ``"bitmap"``, ``"screened"``, ``"tensor"``, ``"prefix"``.
    lossy
        Bytes that are not UTF-8 are replaced by U+FFFD; else they are an error.
    **run
        ``threads``, ``device``, ``memory``, ``progress``: see the package.

    Returns
    -------
    Table
        ``left`` and ``right``, row numbers from 0 on, ``left < right`` without a right table, sorted by both; ``overlap``, the
        number of tokens in common; ``similarity``, the nearest double. Nulls and texts without tokens join nothing.

    Raises
    ------
    OptionError, InputError, LimitError, DeviceError, MemoryError, OSError

    Notes
    -----
    Techniques are those of C. Bellas and A. Gounaris, An empirical evaluation of exact set similarity join techniques using GPUs,
    sections 2 and 3, and akin's own.
    """
    measure, threshold = _measure_of(jaccard=jaccard, cosine=cosine, dice=dice, overlap=overlap)
    job = settings(**run)
    text = tokens_of(tokens, multiset, fold, stop_words)
    first = texts_of(left, on, lossy, job)
    second = None if right is None else texts_of(right, on if right_on is None else right_on, lossy, job)
    return Table(_akin.join(job, first, second, text, (measure, threshold, technique, bits)))
