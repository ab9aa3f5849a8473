"""Calibration: measurements of how fast this machine joins, in a file that the command and Python share."""

from __future__ import annotations

import functools
import os
import re
import stat
from typing import Any

from . import _akin
from ._settings import Progress, Size, here, settings
from ._suggest import suggests
from ._warnings import warn
from ._write import put

_NAMES = ("index", "screened", "bitmap", "gpu_open", "gpu_transfer", "gpu_compare", "gpu_verify")
_OF_GPU = 3  # those from here on are of a GPU
_HEAD = "akin calibration 1"
_NUMBER = r"\s+([0-9]{0,15}\.?[0-9]*)\s+"
_ALONE = _HEAD + r"\s+" + "".join(name + _NUMBER for name in _NAMES[:_OF_GPU])
_WHOLE = _ALONE + "".join(name.replace("_", "-") + _NUMBER for name in _NAMES[_OF_GPU:])

Numbers = tuple[float, float, float, float, float, float, float]


@functools.cache
def _level(asked: str | None) -> str:
    """The SIMD level in use. It depends on the environment variable AKIN_CPU, whose value is ``asked``."""
    return str(_akin.info(here(settings()))["cpu"])


def path() -> str | None:
    """The path of the calibration, one for each SIMD level; None if there is no cache directory."""
    cache, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
    folder = cache if cache.startswith("/") else f"{home}/.cache" if home.startswith("/") else None
    return folder and f"{folder}/akin/calibration-{_level(os.environ.get('AKIN_CPU'))}"


def _read(name: str) -> Numbers | None:
    """The numbers in a file; None if it does not exist. Raises ValueError if it is not a calibration."""
    try:
        if not stat.S_ISREG(os.stat(name).st_mode):  # a pipe would wait for somebody to write to it
            raise ValueError("is no regular file")
        with open(name, encoding="ascii", errors="replace") as file:
            text = file.read(1024)
    except OSError:
        return None
    found = text.endswith("\n") and (re.fullmatch(_WHOLE, text) or re.fullmatch(_ALONE, text))
    if not found:
        raise ValueError("is no calibration")
    numbers = [float(number) for number in found.groups()] + [0.0] * len(_NAMES)
    return numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]


def _warn(name: str, why: object) -> None:
    """Warns of an unusable calibration, which does not change results."""
    warn(f"{name}: {why}, so the built-in prices are used; akin.calibrate() makes it anew", UserWarning)


def kept() -> tuple[str, Numbers] | None:
    """The path and the numbers of the calibration, if there is a valid one."""
    name = path()
    try:
        numbers = None if name is None else _read(name)
    except ValueError as why:
        _warn(str(name), why)
        return None
    return None if name is None or numbers is None else (name, numbers)


def prices() -> tuple[Any, ...] | None:
    """The calibration as the extension takes it: the function that warns of wrong numbers, and the numbers."""
    found = kept()
    return found and (functools.partial(_warn, found[0]), *found[1])


@suggests
def calibrate(
    *,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> dict[str, float]:
    """Measures how fast this machine and its GPU join, in a few seconds, and saves the result in the user's cache
    directory.

    Later joins, also those of the command, read it there, and then predict better which technique and device are
    fastest.

    Parameters
    ----------
    threads, device, memory, device_memory, progress
        See the package. ``device="cpu"`` measures no GPU, and leaves an earlier measurement of a GPU as it is.

    Returns
    -------
    dict
        Ratios of times on this machine to those on the machine of the built-in prices: ``index``, ``screened``,
        ``bitmap``, and with a GPU ``gpu_open``, ``gpu_transfer``, ``gpu_compare``, ``gpu_verify``.

    Raises
    ------
    OSError
        There is no cache directory, or the file cannot be written.
    OptionError, TypeError, DeviceError, MemoryError
        See the package.

    Examples
    --------
    >>> import akin
    >>> prices = akin.calibrate(device="cpu")  # doctest: +SKIP
    """
    name = path()
    if name is None:
        raise OSError("there is no place to keep a calibration: neither XDG_CACHE_HOME nor HOME is set")
    try:
        before = _read(name)
    except ValueError as why:
        if os.path.exists(name) and not os.path.isfile(name):
            raise OSError(f"{name}: {why}: remove it, for the calibration is kept there") from None
        before = None
    measured = _akin.measure(settings(threads, device, memory, progress, device_memory))
    has_gpu = measured[_NAMES.index("gpu_transfer")] > 0
    numbers = measured if has_gpu or before is None else (*measured[:_OF_GPU], *before[_OF_GPU:])
    count = len(_NAMES) if numbers[_NAMES.index("gpu_transfer")] > 0 else _OF_GPU
    lines = [f"{kind.replace('_', '-')} {number:.4f}\n" for kind, number in zip(_NAMES[:count], numbers, strict=False)]
    os.makedirs(os.path.dirname(name), exist_ok=True)
    put(name, [_HEAD + "\n", *lines])
    return dict(zip(_NAMES[: len(_NAMES) if has_gpu else _OF_GPU], measured, strict=False))
