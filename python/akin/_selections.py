"""Rules that select pairs of records: all pairs, windows, blocks, pairs with similar sets of tokens, and the records
nearest to each; and pairs that the caller gives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _choices
from ._akin import OptionError
from ._checks import plain, shown, text, whole
from ._rules import Column, Rule, members_of, ratio, rules_of
from ._settings import Number
from ._suggest import suggests


class Selection(Rule):
    """A rule that selects pairs of records for :func:`akin.dedupe` and :func:`akin.link`. :func:`akin.all_pairs`,
    :func:`akin.window`, :func:`akin.block`, :func:`akin.similar` and :func:`akin.nearest` make it. ``str(rule)`` is
    the word of the command.

    Attributes
    ----------
    option : str
        The option of the command that takes the rule: ``"all-pairs"``, ``"window"``, ``"block"``, ``"similar"`` or
        ``"nearest"``.

    Examples
    --------
    >>> import akin
    >>> akin.block("surname", key="soundex")
    <akin.Selection --block surname:soundex>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        word = str(self) if self._members else ""
        return f"<akin.Selection --{self.option}{word and ' '}{word}>"


Said = str | Selection | Mapping[str, Any]
Rules = Said | Iterable[Said] | None


@suggests
def all_pairs() -> Selection:
    """The rule that selects all pairs of records. It suits up to about 10,000 records.

    Returns
    -------
    Selection

    Raises
    ------
    TypeError
        An argument is given.

    Examples
    --------
    >>> import akin
    >>> str(akin.all_pairs())
    'all-pairs'
    >>> len(akin.dedupe({"name": ["ann", "anne"]}, "name:jaro-winkler", all_pairs=akin.all_pairs()))
    1
    """
    return Selection("all-pairs", {})


@suggests
def window(column: Column | None, size: int, *, key: str | None = None) -> Selection:
    """The rule that sorts records by a key of a column, and selects each record with the next ``size - 1`` records.

    Parameters
    ----------
    column
        The column. None: a window over each compared column.
    size
        The number of records in a window, from 2 to 1,000,000.
    key
        The key to sort by: one of ``akin.choices("keys")``, such as ``"value"`` (the default) or ``"prefix:3"``.

    Returns
    -------
    Selection

    Raises
    ------
    OptionError
        The size is out of range, the name of the column is empty, or a key is given without a column.
    TypeError
        An argument has the wrong type.

    Examples
    --------
    >>> import akin
    >>> str(akin.window("name", 20, key="soundex"))
    '20:name:soundex'
    """
    rows = whole(size, "size", 2, 1_000_000)
    if column is None and key is not None:
        raise OptionError("key is given without a column; expected window(COLUMN, SIZE, key=KEY)")
    named = {} if column is None else members_of(column)
    return Selection("window", {"size": rows, **named, "key": key if key is None else text(key, "key")})


@suggests
def block(*columns: Column | tuple[Column, str], key: str | None = None) -> Selection:
    """The rule that selects records with equal keys in each of these columns.

    Parameters
    ----------
    *columns
        The columns. A tuple of a column and a key is a column with a key of its own.
    key
        The key of the other columns: one of ``akin.choices("keys")`` (default: ``"value"``).

    Returns
    -------
    Selection

    Raises
    ------
    OptionError
        No column is given, or the name of a column is empty.
    TypeError
        An argument has the wrong type.

    Examples
    --------
    >>> import akin
    >>> str(akin.block("surname", "zip", key="prefix:3"))
    'surname:prefix:3+zip:prefix:3'
    >>> str(akin.block(("surname", "soundex"), "zip"))
    'surname:soundex+zip'
    """
    if not columns:
        raise OptionError("block() has no column; expected block(COLUMN, ...)")
    parts = []
    for column in columns:
        if isinstance(column, tuple) and len(column) != 2:
            raise TypeError(f"a column is {shown(column)}; expected a name, or a tuple of a name and a key")
        name, own = column if isinstance(column, tuple) else (column, key)
        parts.append(members_of(name) if own is None else {**members_of(name), "key": text(own, "key")})
    return Selection("block", {"columns": parts})


@suggests
def similar(
    column: Column,
    *,
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    tokens: str | None = None,
) -> Selection:
    """The rule that selects records whose sets of tokens in a column are similar.

    Parameters
    ----------
    column
        The column.
    jaccard, cosine, dice
        One of them: the measure, and its least similarity, above 0 and at most 1.
    tokens
        ``"words"`` (the default), ``"words:N"`` (runs of N words), ``"qgrams:N"`` (runs of N characters) or ``"codes"``
        (letters and digits of runs with a digit, such as the numbers of models).

    Returns
    -------
    Selection

    Raises
    ------
    OptionError
        No measure or several are given, or the name of the column is empty.
    TypeError
        An argument has the wrong type.

    Examples
    --------
    >>> import akin
    >>> str(akin.similar("title", jaccard=.5, tokens="qgrams:3"))
    'title:jaccard:0.5:qgrams:3'
    """
    measures = {"jaccard": jaccard, "cosine": cosine, "dice": dice}
    given = [(name, value) for name, value in measures.items() if value is not None]
    if len(given) != 1:
        raise OptionError(
            f"similar() has {len(given)} measures; expected one of {', '.join(f'{name}=T' for name in measures)}"
        )
    measure, least = given[0]
    cut = tokens if tokens is None else text(tokens, "tokens")
    return Selection(
        "similar", {**members_of(column), "measure": measure, "threshold": ratio(least, measure), "tokens": cut}
    )


@suggests
def nearest(column: Column | None, k: int, *, tokens: str | None = None) -> Selection:
    """The rule that selects each record with the ``k`` records that are most alike in a column: by the cosine of their
    tokens, where rare tokens weigh more. ``akin.compare.tfidf`` compares in this way.

    Parameters
    ----------
    column
        The column. None: the nearest records in each compared column.
    k
        The number of records, from 1 to 1000.
    tokens
        ``"qgrams:3"`` (the default), ``"words"``, ``"words:N"`` (runs of N words) or ``"qgrams:N"`` (runs of N
        characters).

    Returns
    -------
    Selection

    Raises
    ------
    OptionError
        ``k`` is out of range, the name of the column is empty, or tokens are given without a column.
    TypeError
        An argument has the wrong type.

    Examples
    --------
    >>> import akin
    >>> str(akin.nearest("title", 10, tokens="words"))
    '10:title:words'
    """
    count = whole(k, "k", 1, 1000)
    if column is None and tokens is not None:
        raise OptionError("tokens is given without a column; expected nearest(COLUMN, K, tokens=TOKENS)")
    named = {} if column is None else members_of(column)
    cut = tokens if tokens is None else text(tokens, "tokens")
    return Selection("nearest", {"count": count, **named, "tokens": cut})


ELSEWHERE = "-"  # the file of pairs that are in no file: a job that is saved expects them on standard input


def selections_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The given selections, as members of a job. One that is not repeated has a file of pairs."""
    said: dict[str, Any] = {}
    for row in _choices.choices("selections"):
        name = row.name.replace("-", "_")
        rules = given.get(name, given.get(row.name))
        if "flag" in row.capabilities:
            said[row.name] = _is_given(rules, name, row.name)
        elif "repeated" not in row.capabilities:
            if rules is not None:
                said[row.name] = os.fsdecode(rules) if isinstance(rules, (str, os.PathLike)) else ELSEWHERE
        elif name in ("window", "nearest") and isinstance(plain(rules), int):  # a number alone
            said[row.name] = [str(plain(rules))]
        else:
            said[row.name] = rules_of(rules, row.name, f"akin.{name}(...), ")
    return said


def _is_given(rule: Any, name: str, option: str) -> bool:
    if isinstance(rule, Selection):
        return bool(rules_of(rule, option)) or True
    if rule is None or isinstance(rule, bool):
        return bool(rule)
    raise TypeError(f"{name} is {shown(rule)}; expected True, False or akin.all_pairs()")
