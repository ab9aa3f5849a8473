"""Limits: what jobs, their inputs and their outputs stop at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, Decimal
from typing import Any

from . import _akin
from ._akin import OptionError
from ._checks import plain, shown
from ._choices import values
from ._suggest import did_you_mean

_ROWS = {name.replace("-", "_"): value for name, value in values("limits").items()}
_USUAL = ((_ROWS["max_pairs"], _akin.limit_usual(_ROWS["max_pairs"])),)

_in_force: ContextVar[tuple[tuple[int, int], ...]] = ContextVar("akin.limits", default=_USUAL)


def in_force() -> tuple[tuple[int, int], ...]:
    """The limits of a job that begins here."""
    return _in_force.get()


def _said(number: Decimal) -> str:
    """A number with at most three decimals, rounded up, as a text."""
    if not number.is_finite():
        return str(number)
    return format(number.quantize(Decimal("0.001"), rounding=ROUND_CEILING).normalize(), "f")


def _most(name: str, value: Any) -> tuple[int, int]:
    """A limit as the library takes it."""
    if name not in _ROWS:
        raise OptionError(f"{name}: there is no such limit; expected {', '.join(_ROWS)}{did_you_mean(name, _ROWS)}")
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise TypeError(f"{name} is {shown(value)}; expected a number, or its text")
    said = value if isinstance(value, str) else _said(Decimal(str(value)))
    try:
        return _ROWS[name], _akin.limit_parse(_ROWS[name], said)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None


@contextmanager
def limits(**most: int | float | str | Decimal) -> Iterator[None]:
    """Sets limits of the jobs that begin within a ``with`` statement, on this thread or in this task.

    Limits of an outer ``with`` statement stay in force unless they are named again. A limit of 0 is lifted.

    Parameters
    ----------
    **most
        max_pairs
            Pairs that a job returns (default: 1000000000).
        timeout
            Seconds that each call may take, such as 1.5 (default: 0).
        max_output
            Bytes of each file that is written, such as ``"2GB"`` (default: 0).
        max_record
            Bytes of a record that is read from a file (default: 64 MiB).
        max_decompressed
            Bytes of a compressed file once it is decompressed (default: 1,000 times its size, and at least 1 GiB).
        max_window
            Bytes of the window of a zstd file (default: 128 MiB).
        max_symbols
            Symbols of a value that takes quadratic time to compare, for :func:`akin.dedupe` (default: 65536).

    Returns
    -------
    context manager
        It sets the limits where the ``with`` statement begins, and the former ones where it ends.

    Raises
    ------
    OptionError
        There is no such limit, or the value is no number of its kind. A job that meets a limit raises LimitError, whose
        ``reason`` is ``"limit"`` and whose ``option`` is the name of the limit.

    Examples
    --------
    >>> import akin
    >>> with akin.limits(max_pairs=2, timeout=60):
    ...     akin.join(["red sea", "sea red", "red sea"], jaccard=0.8)
    Traceback (most recent call last):
    ...
    akin.LimitError: stopped after 2 pairs, and there are more
    """
    merged = dict(in_force()) | dict(_most(name, value) for name, value in most.items())
    token = _in_force.set(tuple(merged.items()))
    try:
        yield
    finally:
        _in_force.reset(token)
