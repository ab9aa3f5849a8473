"""Words of the command line that are made of fields, and the objects that a job file has for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._akin import OptionError

# The fields of each form, in their order; what is optional, and what stands for it where one behind it is given.
_COMPARE = (("column", None), ("comparator", None), ("threshold", "0"), ("weight", None))
_PAIRS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "all": (),
    "window": (("size", None), ("column", None), ("key", None)),
    "block": (("columns", None),),
    "similar": (("column", None), ("measure", None), ("threshold", None), ("tokens", None)),
}
_LEAST = {"compare": 2, "all": 0, "window": 1, "block": 1, "similar": 3, "columns": 1}


def quoted(field: str, also: str = "") -> str:
    """A field as it stands in a word: in quotes if it has what ends fields."""
    if field.startswith('"') or any(c in field for c in ":+" + also):
        return '"' + field.replace('"', '""') + '"'
    return field


def _field(value: Any, shown: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise OptionError(f"{shown!r}: expected a string or a number, not {value!r}")
    return str(value)


def _fields(form: str, fields: tuple[tuple[str, str | None], ...], given: Mapping[str, Any], shown: Any) -> list[str]:
    unknown = [key for key in given if key not in (name for name, _ in fields)]
    if unknown:
        raise OptionError(f"{shown!r}: {unknown[0]!r} is unknown here; expected {', '.join(name for name, _ in fields)}")
    last = max((i for i, (name, _) in enumerate(fields) if name in given), default=-1)
    words = []
    for i, (name, otherwise) in enumerate(fields[: max(last + 1, _LEAST[form])]):
        if name not in given and otherwise is None:
            raise OptionError(f"{shown!r}: expected {name!r} in it")
        value = given.get(name, otherwise)
        if name == "columns":
            words.append(_columns(value, shown))
        elif i == 3 and form == "similar":
            words.append(_field(value, shown))  # the rest of the word, colons and all
        else:
            words.append(quoted(_field(value, shown)))
    return words


def _columns(value: Any, shown: Any) -> str:
    if not isinstance(value, list) or not value or not all(isinstance(one, Mapping) for one in value):
        raise OptionError(f"{shown!r}: expected a list of {{'column': ..., 'key': ...}}")
    parts = (("column", None), ("key", None))
    return "+".join(":".join(_fields("columns", parts, one, shown)) for one in value)


def word_of(option: str, rule: Any) -> Any:
    """The word that an object of a job file stands for; anything else as it is."""
    if not isinstance(rule, Mapping):
        return rule
    if option == "compare":
        return ":".join(_fields("compare", _COMPARE, rule, rule))
    select = rule.get("select")
    if not isinstance(select, str) or select not in _PAIRS:
        raise OptionError(f"{rule!r}: expected 'select' to be one of {', '.join(_PAIRS)}")
    rest = {key: value for key, value in rule.items() if key != "select"}
    return ":".join([select, *_fields(select, _PAIRS[select], rest, rule)])
