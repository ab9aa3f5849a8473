"""Words of the command: fields with colons between them, names in quotes, and what is given as one rule or several."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

from ._akin import OptionError
from ._checks import listed, number, text
from ._settings import decimal_of


def decimal(value: Any, name: str) -> str:
    """A number as the plan reads it."""
    read: Any = number(value, name)
    if isinstance(value, (str, Real, Decimal)):
        read = value
    return decimal_of(read, name)


def quoted(field: str) -> str:
    """A field as it stands in a word: in quotes if it has what ends fields."""
    if field.startswith('"') or any(c in field for c in ":+="):
        return '"' + field.replace('"', '""') + '"'
    return field


class Sides:
    """A column that two tables call differently: :func:`akin.sides` makes it. ``str`` of it is the word that the command takes.

    Examples
    --------
    >>> import akin
    >>> akin.sides("name", "full name")
    akin.sides('name', 'full name')
    """

    __slots__ = ("left", "right")

    def __init__(self, left: str, right: str) -> None:
        self.left, self.right = left, right

    def __str__(self) -> str:
        return f"{column_of(self.left)}={column_of(self.right)}"

    def __repr__(self) -> str:
        return f"akin.sides({self.left!r}, {self.right!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sides) and (self.left, self.right) == (other.left, other.right)

    def __hash__(self) -> int:
        return hash((self.left, self.right))


Column = str | Sides


def sides(left: str, right: str) -> Sides:
    """A column that the left table of :func:`akin.link` calls ``left`` and the right one ``right``. Rules take it in the place of a name.

    Raises
    ------
    OptionError
        A name is empty.
    TypeError
        A name is no str.

    Examples
    --------
    >>> import akin
    >>> name = akin.sides("name", "full name")
    >>> str(akin.compare.jaro_winkler(name)), str(akin.block(name, key="soundex"))
    ('name=full name:jaro-winkler', 'name=full name:soundex')
    >>> found = akin.link({"name": ["Ann"]}, {"full name": ["Anne"]}, akin.compare.jaro(name), all_pairs=True, threshold=0.5)
    >>> found["name=full name"].tolist()
    [0.9166666666666666]
    """
    column_of(left), column_of(right)
    return Sides(left, right)


def column_of(column: object) -> str:
    """The name of a column, as it stands in a word."""
    if isinstance(column, Sides):
        return str(column)
    name = text(column, "a column")
    if not name:
        raise OptionError("a column is ''; expected its name")
    return quoted(name)


def object_of(rule: Mapping[str, Any]) -> dict[str, Any]:
    """An object of a job; its numbers are decimal text, without an exponent."""
    return {
        key: decimal(value, key) if isinstance(value, (Real, Decimal)) and not isinstance(value, bool) else value
        for key, value in rule.items()
    }


def rules_of(rules: Any, name: str, kind: type | tuple[type, ...] = ()) -> list[Any]:
    """The rules that were given: None, one, or several."""
    if rules is None:
        return []
    if isinstance(rules, (str, Mapping)) or isinstance(rules, kind):
        return [rules]
    return listed(rules, name, "a rule or a list of rules")
