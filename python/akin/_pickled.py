"""Pickles of indexes: the bytes of their files."""

from __future__ import annotations

from typing import Protocol, Self, TypeVar

from ._temporary import nameless


class Saved(Protocol):
    def save(self, path: str) -> None: ...

    @classmethod
    def open(cls, path: str) -> Self: ...


Kind = TypeVar("Kind", bound=Saved)


def pack(index: Saved) -> bytes:
    """The bytes of the file that save() writes. It goes through a file without a name, which never stays behind."""
    with nameless() as (file, path):
        index.save(path)
        file.seek(0)
        return file.read()


def unpack(kind: type[Kind], data: bytes) -> Kind:
    """The index from these bytes."""
    with nameless() as (file, path):
        file.write(data)
        file.flush()
        return kind.open(path)
