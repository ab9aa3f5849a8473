"""Temporary files: they have no name, so nothing stays behind however the process ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def nameless() -> Iterator[tuple[IO[bytes], str]]:
    """A file that is there inside the ``with`` statement, and the path by which this process opens it."""
    import tempfile

    with tempfile.TemporaryFile(prefix="akin-") as file:
        yield file, f"/dev/fd/{file.fileno()}"
