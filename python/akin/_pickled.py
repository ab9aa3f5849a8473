"""Pickles of indexes: the bytes of their files."""

from __future__ import annotations

import tempfile
from typing import Protocol, Self, TypeVar


class Saved(Protocol):
    def save(self, path: str) -> None: ...

    @classmethod
    def open(cls, path: str) -> Self: ...


Kind = TypeVar("Kind", bound=Saved)


def pack(index: Saved) -> bytes:
    """The bytes of the file that save() writes. It goes through a file without a name, which never stays behind."""
    with tempfile.TemporaryFile(prefix="akin-") as file:
        index.save(f"/dev/fd/{file.fileno()}")
        file.seek(0)
        return file.read()


def unpack(kind: type[Kind], data: bytes) -> Kind:
    """The index from these bytes. The file is mapped, and exists as long as the index."""
    with tempfile.TemporaryFile(prefix="akin-") as file:
        file.write(data)
        file.flush()
        return kind.open(f"/dev/fd/{file.fileno()}")
