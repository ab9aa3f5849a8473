"""What stays of an index from one call to the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._akin import DeviceError
from ._settings import Job


class Kept:
    """Makes what a call works with, anew for each. Where a GPU is asked for by name the last one is kept, for calls that say the same:
    with it stays the index on that GPU. Such calls wait for each other; one from within another, by ``progress`` or a signal handler, makes
    its own, as the other cannot go on before it."""

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
