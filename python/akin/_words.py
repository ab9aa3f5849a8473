"""Words of the command: fields with colons between them, names in quotes, and what is given as one rule or several."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

from ._akin import OptionError
from ._checks import listed, number, text
from ._settings import Number, decimal_of


def decimal(value: Number, name: str) -> str:
    """A number as the plan reads it."""
    read = number(value, name)
    return decimal_of(value if isinstance(value, (str, Real, Decimal)) else read, name)


def quoted(field: str, also: str = "") -> str:
    """A field as it stands in a word: in quotes if it has what ends fields."""
    if field.startswith('"') or any(c in field for c in ":+" + also):
        return '"' + field.replace('"', '""') + '"'
    return field


def column_of(column: object) -> str:
    """The name of a column, as it stands in a word."""
    name = text(column, "a column")
    if not name:
        raise OptionError("a column is ''; expected its name")
    return quoted(name)


def object_of(rule: Mapping[str, Any]) -> dict[str, Any]:
    """An object of a job; its numbers are decimal text, without an exponent."""
    return {key: decimal(value, key) if isinstance(value, float) else value for key, value in rule.items()}


def rules_of(rules: Any, name: str, kind: type | tuple[type, ...] = ()) -> list[Any]:
    """The rules that were given: None, one, or several."""
    if rules is None:
        return []
    if isinstance(rules, (str, Mapping)) or isinstance(rules, kind):
        return [rules]
    return listed(rules, name, "a rule or a list of rules")
