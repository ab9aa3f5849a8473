"""Rules that select pairs of records: all pairs, windows, blocks, and pairs with similar sets of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ._akin import OptionError
from ._checks import plain, shown, text, whole
from ._words import Column, column_of, decimal, object_of, rules_of
from ._settings import Number

OPTIONS = ("all_pairs", "window", "block", "similar")  # the arguments, as the command calls them but for the dash; tests hold them against it


class Selection:
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

    __slots__ = ("_word", "option")

    def __init__(self, option: str, word: str) -> None:
        self.option = option
        self._word = word

    def __str__(self) -> str:
        return self._word or self.option

    def __repr__(self) -> str:
        return f"<akin.Selection --{self.option}{self._word and ' '}{self._word}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and (self.option, self._word) == (other.option, other._word)

    def __hash__(self) -> int:
        return hash((self.option, self._word))


Rule = str | Selection | Mapping[str, Any]
Rules = Rule | Iterable[Rule] | None


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
    return Selection("all-pairs", "")


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
    word = str(whole(size, "size", 2, 1_000_000))
    if column is None and key is not None:
        raise OptionError("key is given without a column; expected window(COLUMN, SIZE, key=KEY)")
    if column is not None:
        word += ":" + column_of(column)
    if key is not None:
        word += ":" + text(key, "key")
    return Selection("window", word)


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
        parts.append(column_of(name) + ("" if own is None else ":" + text(own, "key")))
    return Selection("block", "+".join(parts))


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
    word = f"{column_of(column)}:{measure}:{decimal(least, measure)}"
    return Selection("similar", word if tokens is None else f"{word}:{text(tokens, 'tokens')}")


def selections_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What arguments of these names select, as members of a job."""
    said: dict[str, Any] = {}
    for name in OPTIONS:
        option, rules = name.replace("_", "-"), given.get(name)
        if name == OPTIONS[0]:
            if _is_given(rules, name, option):
                said[option] = True
        elif rules is not None:
            rules = str(plain(rules)) if name == "window" and isinstance(plain(rules), int) else rules  # a size alone
            said[option] = [_rule_of(rule, name, option) for rule in rules_of(rules, name, Selection)]
    return said


def former(value: Any) -> str | None:
    """What a member ``pairs`` selected before selections had names of their own, as it is written now; None: it names a file."""
    names = [name.replace("_", "-") for name in OPTIONS]
    if not isinstance(value, str):
        return f"one of the keys {', '.join(names)}"
    if value == names[0].split("-")[0]:
        return f'"{names[0]}": true'
    option, colon, word = value.partition(":")
    return f'"{option}": ["{word}"]' if colon and option in names[1:] else None


def _is_given(rule: Any, name: str, option: str) -> bool:
    if isinstance(rule, Selection):
        _rule_of(rule, name, option)
        return True
    if rule is None or isinstance(rule, bool):
        return bool(rule)
    raise TypeError(f"{name} is {shown(rule)}; expected True, False or akin.all_pairs()")


def _rule_of(rule: Any, name: str, option: str) -> Any:
    """A rule as JSON has it: a word of the command, or an object of a job."""
    if isinstance(rule, Selection):
        if rule.option != option:
            raise TypeError(f"{name} is {rule!r}; expected it as {rule.option.replace('-', '_')}=")
        return str(rule)
    if isinstance(rule, Mapping):
        return object_of(rule)
    if not isinstance(rule, str):
        raise TypeError(f"{name} is {shown(rule)}; expected a str, akin.{name}(...), an object of a job, or a list of these")
    return text(rule, f"a rule of {name}")
