"""Thresholds: numbers of Python as ratios of integers, which the library compares with exactly."""

from __future__ import annotations

import math
import numbers
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ._akin import OptionError
from ._checks import plain, shown, text
from ._settings import Number, decimal_of

_MOST = 10**9 - 1  # of the two integers of a ratio
_NEAR = 4  # units in the last place that arithmetic with floats may be off
_DIGITS = 9  # of a decimal number that somebody wrote


def ratio_of(value: Number, name: str) -> str:
    """A threshold as text that the library reads: a decimal number, or a fraction such as "2/3". Fractions and decimals
    are exact. A float stands for the fraction that it was computed from: 2/3 is 2/3, 0.7999999999999999 is 4/5, and a
    similarity that akin found is reached by the pairs that have it."""
    value = plain(value)
    if isinstance(value, str):
        return text(value, name)
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        raise TypeError(f"{name} is {shown(value)}; expected a number, or its text, such as '0.8' or '2/3'")
    if isinstance(value, int) or not math.isfinite(value) or value <= 0:
        return decimal_of(value, name) if value else "0"
    if isinstance(value, (Fraction, Decimal)):
        found = Fraction(value)
        if max(found.numerator, found.denominator) > _MOST and _decimal(found) is None:
            raise OptionError(
                f"{name} is {value}; expected a fraction of two numbers of at most {_DIGITS} digits, or a decimal "
                f"number of at most {_DIGITS} digits"
            )
    else:
        found = _of_float(value)
    return _decimal(found) or f"{found.numerator}/{found.denominator}"


def _decimal(value: Fraction) -> str | None:
    """The decimal text of a fraction that has at most nine digits."""
    scaled = value * 10**_DIGITS
    if scaled.denominator != 1:
        return None
    said = format(Decimal(scaled.numerator).scaleb(-_DIGITS).normalize(), "f")
    return said if len(said.replace(".", "").lstrip("0")) <= _DIGITS else None


def _of_float(value: Any) -> Fraction:
    """The fraction that a float stands for: a simple one or a decimal number nearby. Of other floats, such as a cosine,
    which is irrational, it is a fraction just below, which their own pairs reach."""
    exact, unit, simple = _exactly(value)
    near = exact.limit_denominator(simple)
    if abs(near - exact) <= _NEAR * unit:
        return near
    if isinstance(value, float) and _decimal(written := Fraction(repr(float(value)))):
        return written
    return _below(exact - _NEAR * unit)


def _exactly(value: Any) -> tuple[Fraction, Fraction, int]:
    """The value of a float, the unit in its last place, and the largest denominator of a fraction that is called simple
    in its type: few floats at random are as near to one."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.floating):
        unit, digits = Fraction(*numpy.spacing(value).as_integer_ratio()), numpy.finfo(value).nmant
    else:
        value = float(value)
        unit, digits = Fraction(math.ulp(value)), sys.float_info.mant_dig - 1
    return Fraction(*value.as_integer_ratio()), unit, 2 ** (digits // 3)


def _below(value: Fraction) -> Fraction:
    """The largest fraction up to a value whose integers the library can hold."""
    most = _MOST if value <= 1 else int(_MOST / value)
    found = value.limit_denominator(max(most, 1))
    if found <= value:
        return found
    a, b = found.numerator, found.denominator  # its left neighbour p / q has a q - b p = 1
    q = most - (most - pow(a, -1, b)) % b
    return Fraction(a * q - 1, b * q)
