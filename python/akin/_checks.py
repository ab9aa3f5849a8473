"""Checks of arguments. A message has the argument's name, its value and the expected value."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ._akin import OptionError
from ._suggest import did_you_mean

Key = TypeVar("Key")

_BOOLS = {("numpy", "bool"), ("numpy", "bool_")}

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80
shown = _short.repr  # of what may be a whole table


def plain(value: Any) -> Any:
    """A whole number of another type, such as NumPy's, as an int; anything else unchanged."""
    try:
        return value if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return value


def whole(value: Any, name: str, least: int = 0, most: int = 2**32 - 1) -> int:
    """A whole number."""
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(f"{name} is {shown(value)}; expected a whole number from {least} to {most}")
    return value


_ALL = "all"


def whole_or_all(value: Any, name: str, least: int = 0, most: int = 2**32 - 1) -> int:
    """A whole number, or the word that stands for the largest."""
    return most if isinstance(value, str) and value == _ALL else whole(value, name, least, most)


def number(value: Any, name: str) -> float:
    """A number, or its decimal text. The library refuses infinities and NaN."""
    if isinstance(value, bool) or not (
        isinstance(value, str) or hasattr(value, "__float__") or hasattr(value, "__index__")
    ):
        raise TypeError(f"{name} is {shown(value)}; expected a number")
    try:
        return float(value)
    except TypeError:  # such as an array of several
        raise TypeError(f"{name} is {shown(value)}; expected a number") from None
    except (ValueError, OverflowError):
        raise OptionError(f"{name} is {shown(value)}; expected a number") from None


def flag(value: Any, name: str, expected: str = "True or False") -> bool:
    """True or False, of Python or NumPy."""
    if not (isinstance(value, int) and value in (0, 1)) and (
        type(value).__module__, type(value).__name__
    ) not in _BOOLS:
        raise TypeError(f"{name} is {shown(value)}; expected {expected}")
    return bool(value)


def text(value: Any, name: str) -> str:
    """A str without a NUL, which ends names in the library."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {shown(value)}; expected a str")
    if "\0" in value or (not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)):
        raise OptionError(
            f"{name} is {shown(value)}; expected a str without NUL, and without halves of surrogate pairs"
        )
    return value


def choice(value: Any, name: str, known: Mapping[str, Key]) -> Key:
    """The value of a name that must be one of several."""
    if not isinstance(value, str) or value not in known:
        raise OptionError(f"{name} is {shown(value)}; expected one of {', '.join(known)}{did_you_mean(value, known)}")
    return known[value]


def listed(values: Any, name: str, what: str) -> list[Any]:
    """The items of an iterable other than a str."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {shown(values)}; expected {what}")
    return list(values)


def top_of(top: int | None) -> int:
    """The number of best partners to keep; 0: all pairs."""
    return 0 if top is None else whole(top, "top", 1)
