"""Rules that select pairs of records: all pairs, windows, blocks, and pairs with similar sets of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _choices
from ._akin import OptionError
from ._checks import plain, shown, text, whole
from ._rules import Column, Rule, decimal, members_of, rules_of
from ._settings import Number


class Selection(Rule):
    """A rule that selects pairs of records for :func:`akin.dedupe` and :func:`akin.link`. :func:`akin.all_pairs`, :func:`akin.window`,
    :func:`akin.block` and :func:`akin.similar` make it. ``str`` of it is the word that the command takes.

    Attributes
    ----------
    option : str
        The option that takes the rule: ``"all-pairs"``, ``"window"``, ``"block"`` or ``"similar"``.

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


def all_pairs() -> Selection:
    """The rule that selects all pairs of records. It suits some 10,000 records.

    Raises
    ------
    TypeError
        It takes no argument.

    Examples
    --------
    >>> import akin
    >>> str(akin.all_pairs())
    'all-pairs'
    >>> len(akin.dedupe({"name": ["ann", "anne"]}, "name:jaro-winkler", all_pairs=akin.all_pairs()))
    1
    """
    return Selection("all-pairs", {})


def window(column: Column | None, size: int, *, key: str | None = None) -> Selection:
    """The rule that sorts records by a key of a column, and selects each record with the ``size - 1`` next ones.

    Parameters
    ----------
    column
        The column. None: a pass for each column that is compared.
    size
        How many records a window holds, from 2 to 1,000,000.
    key
        What records are sorted by: one of ``akin.choices("keys")``, such as ``"value"`` or ``"prefix:3"``. None: what the command takes.

    Raises
    ------
    OptionError
        The size is out of range, the column has no name, or a key is given without a column.
    TypeError
        An argument is of a type that it cannot be.

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


def block(*columns: Column | tuple[Column, str], key: str | None = None) -> Selection:
    """The rule that selects records whose keys are equal in each of some columns.

    Parameters
    ----------
    *columns
        The columns; a tuple of a column and a key is a column with a key of its own.
    key
        The key of the other columns: one of ``akin.choices("keys")``. None: the value itself.

    Raises
    ------
    OptionError
        There is no column, or a column has no name.
    TypeError
        An argument is of a type that it cannot be.

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


def similar(
    column: Column,
    *,
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    tokens: str | None = None,
) -> Selection:
    """The rule that selects records whose sets of tokens in a column have a least similarity.

    Parameters
    ----------
    column
        The column.
    jaccard, cosine, dice
        The measure, one of the three, and the least similarity, above 0, at most 1.
    tokens
        ``"words"``, ``"words:N"`` (runs of N words) or ``"qgrams:N"`` (runs of N characters). None: words.

    Raises
    ------
    OptionError
        Not exactly one measure is given, or the column has no name.
    TypeError
        An argument is of a type that it cannot be.

    Examples
    --------
    >>> import akin
    >>> str(akin.similar("title", jaccard=.5, tokens="qgrams:3"))
    'title:jaccard:0.5:qgrams:3'
    """
    measures = {"jaccard": jaccard, "cosine": cosine, "dice": dice}
    given = [(name, value) for name, value in measures.items() if value is not None]
    if len(given) != 1:
        raise OptionError(f"similar() has {len(given)} measures; expected one of {', '.join(f'{name}=T' for name in measures)}")
    measure, least = given[0]
    cut = tokens if tokens is None else text(tokens, "tokens")
    return Selection("similar", {**members_of(column), "measure": measure, "threshold": decimal(least, measure), "tokens": cut})


def selections_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What arguments of the names of selections select, as members of a job."""
    said: dict[str, Any] = {}
    for row in _choices.choices("selections"):
        name = row.name.replace("-", "_")
        rules = given.get(name, given.get(row.name))
        if "flag" in row.capabilities:
            said[row.name] = _is_given(rules, name, row.name)
        elif name == "window" and isinstance(plain(rules), int):  # a size alone
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
