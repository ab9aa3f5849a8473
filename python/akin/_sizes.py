"""Sizes of the sets of tokens, or of the strings, that a join compares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _akin
from ._akin import OptionError
from ._checks import flag, text
from ._input import Names, texts_of
from ._objects import sets_of
from ._settings import Folds, Job, Progress, Size, folds_of, is_case_alone, settings, tokens_of
from ._suggest import suggests
from ._table import Table


@suggests
def sizes(
    table: Any,
    on: Names = None,
    *,
    tokens: str = "words",
    multiset: bool = False,
    ignore_case: bool | None = None,
    stop_words: str | Iterable[str] = (),
    fold: Folds = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Counts the tokens of each row, as :func:`akin.join` with the same arguments puts them into sets.

    It needs no dictionary of all tokens, so it takes less time and memory than a join needs to prepare its sets. Sizes
    say which rows can be partners at all, and divide a large table into parts.

    Parameters
    ----------
    table, on
        A table and the column of its texts (or several columns, whose tokens form one set), a column, a list of strings
        or the path of a file (see the package).
    tokens
        As in :func:`akin.join`, ``"ids"`` too. ``"characters"`` counts the characters of strings, as the joins of
        strings compare them: several columns form one string, and nothing but ``fold`` changes it. ``"qgrams:1"`` with
        ``multiset`` counts characters in normal form C, in which a letter and its accent are one.
    multiset, ignore_case, stop_words, lossy
        As in :func:`akin.join`.
    fold
        As in :func:`akin.join`: tokens ignore case alone, but ``"characters"`` and ``"qgrams:1"`` take all names of
        ``akin.choices("folds")``.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Table
        A row for each row of the table, in its order, with one column: ``size``, the number of tokens. A null has none.

    Raises
    ------
    OptionError
        An option is out of range or contradicts the tokens, or a column is missing.
    InputError
        Rows are malformed, not UTF-8 or not sets of token ids.
    TypeError, LimitError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.sizes(["red wine", "wine, red wine", None])["size"]
    [2, 2, 0]
    >>> akin.sizes(["red wine", "wine, red wine"], multiset=True)["size"]
    [2, 3]
    >>> akin.sizes(["Köln", "Ulm"], tokens="characters", fold="accents")["size"]
    [4, 3]
    """
    job = settings(threads, device, memory, progress, device_memory)
    folds = folds_of(ignore_case, fold)
    if isinstance(tokens, str) and tokens == "ids":
        given = dict(on=on, ignore_case=ignore_case, fold=fold)
        _refuse(tokens, multiset, stop_words, lossy=flag(lossy, "lossy"), **given)
        return Table(_akin.sizes(job, sets_of(table, False, job), None, "none"))
    if isinstance(tokens, str) and tokens == "characters":
        _refuse(tokens, multiset, stop_words)
        return _sizes_of(table, on, lossy, None, folds, job)
    if _is_of_one(tokens) and not is_case_alone(ignore_case, fold):
        cut = tokens_of(tokens, multiset, None, stop_words)
        return _sizes_of(table, on, lossy, cut, folds, job)
    cut = tokens_of(tokens, multiset, ignore_case, stop_words, fold)
    return _sizes_of(table, on, lossy, cut, "none", job)


def _is_of_one(tokens: str) -> bool:
    """Whether tokens are single characters."""
    return _akin.tokens_parse(text(tokens, "tokens")) == _akin.tokens_parse("qgrams:1")


def _refuse(tokens: str, multiset: bool, stop_words: Any, **given: Any) -> None:
    """Refuses options that such tokens do not have. ``given``: further ones, None or False where they are not given."""
    said = dict(multiset=flag(multiset, "multiset"), stop_words=stop_words != (), **given)
    for name, value in said.items():
        if value is not None and value is not False:
            raise OptionError(
                f"tokens={tokens!r} and {name} are given; expected one of them: {name} is for other tokens"
            )


def _sizes_of(table: Any, on: Names, lossy: bool, cut: Any, folds: str, job: Job) -> Table:
    return Table(_akin.sizes(job, texts_of(table, on, lossy, job), cut, folds))
