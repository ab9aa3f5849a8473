"""A searcher that stays between calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._akin import DeviceError
from ._settings import Job


class Kept:
    """Makes the object that a call works with, a new one for each call. If a call names a GPU, the last object is kept
    with the index on that GPU, for calls with the same settings. Such calls wait for each other. A call from within
    another, by ``progress`` or a signal handler, makes its own object, because the other call must wait for it."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._lock = threading.RLock()
        self._is_used = False  # by the thread that holds the lock
        self._said: tuple[Any, ...] | None = None
        self._made: Any = None

    @contextmanager
    def of(self, job: Job, *more: Any) -> Iterator[Any]:
        """What ``make(job, *more)`` gives."""
        if not job[1].startswith("cuda"):
            yield self._make(job, *more)
            return
        said = (*job[:-1], *more)  # all but progress
        with self._lock:
            if self._is_used:
                yield self._make(job, *more)
                return
            try:
                self._is_used = True
                if said != self._said:
                    self._said = self._made = None  # before there is another: the GPU's memory may be needed
                    self._made = self._make(job, *more)
                    self._said = said
                yield self._made
            except DeviceError:  # the GPU may be lost
                self._said = self._made = None
                raise
            finally:
                self._is_used = False
