"""Indexes as bytes, so that they can be pickled: those of the file that save() writes."""

from __future__ import annotations

import tempfile
from typing import Protocol, Self, TypeVar


class Saved(Protocol):
    def save(self, path: str) -> None: ...

    @classmethod
    def open(cls, path: str) -> Self: ...


Kind = TypeVar("Kind", bound=Saved)


def pack(index: Saved) -> bytes:
    """What save() writes: into a file without a name, of which nothing stays behind whatever happens."""
    with tempfile.TemporaryFile(prefix="akin-") as file:
        index.save(f"/dev/fd/{file.fileno()}")
        file.seek(0)
        return file.read()


def unpack(kind: type[Kind], data: bytes) -> Kind:
    """What open() makes of it. The file is mapped, so it lasts as long as the index."""
    with tempfile.TemporaryFile(prefix="akin-") as file:
        file.write(data)
        file.flush()
        return kind.open(f"/dev/fd/{file.fileno()}")
