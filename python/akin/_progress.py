"""Progress of a job on stderr: a bar of tqdm, or without tqdm a line of text."""

from __future__ import annotations

import sys
from typing import Any


def _scaled(count: float) -> str:
    """A number in readable units: 999, 1.23 k, 45.6 M."""
    for prefix in ("", " k", " M", " G"):
        if count < 1000:
            break
        count /= 1000
    else:
        prefix = " T"
    return f"{count:.3g}{prefix}"


class _Line:
    """A line on stderr in place of a bar, written again at each step."""

    def __init__(self, phase: str, total: int, unit: str | None) -> None:
        self._phase = phase
        self._unit = unit
        self._width = 0
        self.n = 0
        self.total = total or None

    def update(self, more: int) -> None:
        self.n += more
        text = f"{self._phase}:" + (f" {100 * self.n // self.total} %" if self.total else "")
        if self._unit:
            text += f" {_scaled(self.n)}" + (f" of {_scaled(self.total)}" if self.total else "") + f" {self._unit}"
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


def _bar(phase: str, total: int, unit: str | None) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(phase, total, unit)
    if unit is None:  # pieces of work, whose number means nothing to people
        form = "{l_bar}{bar}| [{elapsed}<{remaining}]"
        return tqdm(desc=phase, total=total or None, leave=False, bar_format=form)
    return tqdm(
        desc=phase, total=total or None, leave=False, unit="B" if unit == "bytes" else f" {unit}", unit_scale=True
    )


class Bars:
    """The callback of ``progress=True``: a bar for each phase that lasts long enough to be seen."""

    def __init__(self) -> None:
        self._phase: str | None = None
        self._bar: Any = None

    def __call__(self, phase: str, done: int, total: int, unit: str | None) -> None:
        if phase != self._phase or (self._bar is not None and done < self._bar.n):
            self.close()
        if self._bar is None:
            if total and done >= total:
                return
            self._phase, self._bar = phase, _bar(phase, total, unit)
        self._bar.total = total or None
        self._bar.update(done - self._bar.n)
        if total and done >= total:
            self.close()

    def close(self) -> None:
        bar, self._bar, self._phase = self._bar, None, None
        if bar is not None:
            bar.close()

    def __del__(self) -> None:
        self.close()
