"""The settings of all jobs: threads, device, memory and progress; and numbers as the library reads them."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypedDict

from . import _akin
from ._akin import OptionError
from ._checks import choice, flag, listed, plain, shown, text
from ._choices import values
from ._limits import in_force
from ._progress import Bars

Progress = Callable[[str, int, int], object]
Told = Callable[[str, int, int, str | None], object]  # of phase, done, total and unit, as the extension calls it
Number = float | int | str | Decimal | Fraction
Size = int | str | None
Folds = str | Sequence[str] | None
# As settings() gives it, and the extension takes it.
Job = tuple[int, str, int, str | None, int, bool, tuple[tuple[int, int], ...], Told | None]

_NINE_DIGITS = 10**9
_NO_CEILING = 2**64 - 1  # the memory of a job that has no limit at all
_MOST_BYTES = 2**64 - 2  # that a size has room for


_syncing: ContextVar[bool] = ContextVar("akin_sync", default=False)  # whether files are on the disk before a job ends


@contextmanager
def synced(sync: Any) -> Iterator[None]:
    """Jobs inside the ``with`` statement have what they write on the disk before they end, if ``sync`` is true."""
    before = _syncing.set(flag(sync, "sync") or _syncing.get())
    try:
        yield
    finally:
        _syncing.reset(before)


def now(job: Job) -> Job:
    """The settings of an earlier job for what is written now."""
    return (*job[:-3], _syncing.get(), in_force(), job[-1])


class Settings(TypedDict, total=False):
    """The last arguments of every job; see the package."""

    threads: int
    device: str
    memory: Size
    progress: Progress | bool | None
    device_memory: Size


def size_of(memory: Size, name: str = "memory") -> int:
    """A number of bytes: an int, or text such as "512MB", in powers of 1000, or "512M" and "512MiB", in powers of 1024,
    as in the command. None: 0, the default."""
    if memory is None:
        return 0
    memory = plain(memory)
    if isinstance(memory, int) and not isinstance(memory, bool):
        if memory <= 0:
            raise OptionError(f"{name} is {memory}; expected a number of bytes above 0, or None")
        return min(memory, _MOST_BYTES)
    if not isinstance(memory, str):
        raise TypeError(f"{name} is {shown(memory)}; expected a whole number of bytes, a text such as '2GB', or None")
    try:
        size = _akin.size_parse(text(memory, name))
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None
    return size_of(size, name)


def _bound_of(memory: Size) -> int:
    """The size of the argument ``memory``, of which 0 lifts every limit."""
    is_lifted = (isinstance(memory, int) and not isinstance(memory, bool) and memory == 0) or memory == "0"
    return _NO_CEILING if is_lifted else size_of(memory)


def _without_unit(progress: Any) -> Told:
    """A function of (phase, done, total), for a caller that also passes the unit."""
    if not callable(progress):
        raise TypeError("progress is not callable; expected a function of (phase, done, total), or True")

    def told(phase: str, done: int, total: int, unit: str | None) -> None:
        progress(phase, done, total)

    return told


def settings(
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    progress: Progress | bool | None = None,
    device_memory: Size = None,
) -> Job:
    """The settings, after checks."""
    threads = plain(threads)
    expected = "expected a whole number up to 4096, or 0 for as many as there are"
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads is {shown(threads)}; {expected}")
    if not 0 <= threads <= 4096:
        raise OptionError(f"threads is {threads}; {expected}")
    told: Told | None = Bars() if progress is True else None
    if not isinstance(progress, bool) and progress is not None:
        told = _without_unit(progress)
    temporary = os.environ.get("TMPDIR") or None
    most = size_of(device_memory, "device_memory")
    return threads, text(device, "device"), _bound_of(memory), temporary, most, _syncing.get(), in_force(), told


def here(job: Job) -> Job:
    """The settings without a GPU, for work that does not use one."""
    return (job[0], "cpu", *job[2:])


def quiet(job: Job) -> Job:
    """The settings without a GPU and progress, for work that is done later."""
    return (*here(job)[:-1], None)


def decimal_of(value: Number, name: str) -> str:
    """The decimal text of a number, which the library compares with exactly. Floats and fractions are rounded to 9
    digits. So 0.8 is 8/10, and not the double next to it, and 0.7999999999999999 is 8/10, too."""
    value = plain(value)
    if isinstance(value, str):
        return text(value, name)
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        raise TypeError(f"{name} is {shown(value)}; expected a number, or its decimal text")
    if isinstance(value, Fraction):
        exact = Decimal(round(value * _NINE_DIGITS)) / _NINE_DIGITS
    else:
        exact = Decimal(str(value))
        if exact.is_finite() and not isinstance(value, (int, Decimal)):
            exact = exact.quantize(Decimal(1) / _NINE_DIGITS) if abs(exact) < _NINE_DIGITS else exact
    said = format(exact, "f")
    return said.rstrip("0").rstrip(".") if "." in said and said.strip(".0-") else said


def folds_of(ignore_case: bool | None, fold: Folds) -> str:
    """Folds as the library reads them: names of the table "folds" with + between them."""
    if fold is None:
        return "case" if ignore_case is not None and flag(ignore_case, "ignore_case") else "none"
    if isinstance(fold, bool):
        raise OptionError(
            f"fold={fold}: expected the names of folds, such as fold='case+accents'; of case alone ignore_case={fold}"
        )
    if ignore_case is not None and flag(ignore_case, "ignore_case"):
        raise OptionError("ignore_case and fold are given; expected one of them: fold='case+accents' includes case")
    names = (fold,) if isinstance(fold, str) else listed(fold, "fold", "names of folds, each a str")
    return "+".join(text(name, "a fold") for name in names) or "none"


def is_case_alone(ignore_case: bool | None, fold: Folds) -> bool:
    """Whether nothing but case is folded, if anything is."""
    return not _folds_sum(ignore_case, fold) & ~values("folds")["case"]


def _folds_sum(ignore_case: bool | None, fold: Folds) -> int:
    known, folds = values("folds"), 0
    for name in folds_of(ignore_case, fold).split("+"):
        folds |= choice(name, "fold", known)
    return folds


def _case_of(ignore_case: bool | None, fold: Folds) -> int:
    """Whether tokens ignore case; -1: the default of these tokens."""
    folds = _folds_sum(ignore_case, fold)
    if not is_case_alone(ignore_case, fold):
        raise OptionError(f"fold={fold!r}: tokens ignore case alone; expected ignore_case=True")
    return -1 if ignore_case is None and fold is None else int(folds > 0)


def tokens_of(
    tokens: str,
    multiset: bool = False,
    ignore_case: bool | None = None,
    stop_words: str | Iterable[str] = (),
    fold: Folds = None,
) -> tuple[int, int, bool, int, tuple[str, ...]]:
    """The kind of token of a name in the table "tokens", such as "qgrams:3"."""
    kind, length = _akin.tokens_parse(text(tokens, "tokens"))
    if isinstance(stop_words, str):
        words = _akin.stop_words(text(stop_words, "stop_words"))
    else:
        said = listed(stop_words, "stop_words", "words, each a str, or the name of a language")
        words = tuple(text(word, "a word of stop_words") for word in said)
    return kind, length, flag(multiset, "multiset"), _case_of(ignore_case, fold), words
