"""Indexes as bytes, so that they can be pickled: those of the file that save() writes."""

from __future__ import annotations

import os
import tempfile
from typing import Protocol, Self, TypeVar


class Saved(Protocol):
    def save(self, path: str) -> None: ...

    @classmethod
    def open(cls, path: str) -> Self: ...


Kind = TypeVar("Kind", bound=Saved)


def pack(index: Saved) -> bytes:
    """What save() writes."""
    with tempfile.TemporaryDirectory(prefix="akin-") as folder:
        path = os.path.join(folder, "index.akin")
        index.save(path)
        with open(path, "rb") as file:
            return file.read()


def unpack(kind: type[Kind], data: bytes) -> Kind:
    """What open() makes of it. The file is mapped, so it lasts as long as the index, though its name does not."""
    with tempfile.TemporaryDirectory(prefix="akin-") as folder:
        path = os.path.join(folder, "index.akin")
        with open(path, "wb") as file:
            file.write(data)
        return kind.open(path)
