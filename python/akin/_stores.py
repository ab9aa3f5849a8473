"""Files in stores of objects, by addresses such as ``s3://BUCKET/KEY``, through the file systems of pyarrow."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import Any

from . import _akin
from ._akin import InputError, OptionError

_SCHEMES = "s3 gs gcs abfs abfss hdfs viewfs file".split()  # those of src/base/remote.c
BUFFER = 8 << 20  # bytes that a request reads
COPIED = 5 << 30  # bytes of an object that every store copies


def unused_name(beginning: str) -> str:
    """A name that nothing else has: the beginning, and 128 random bits."""
    return beginning + os.urandom(16).hex()


def is_in_store(path: str) -> bool:
    """Whether a path is the address of a file in a store."""
    scheme, mark, _ = path.partition("://")
    return bool(mark) and scheme in _SCHEMES


def place_of(path: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    try:
        from pyarrow import fs
    except ImportError:
        shown = _akin.shown_address(path)
        raise ImportError(f"{shown}: stores need pyarrow: pip install 'libakin[parquet]'") from None
    system, inside = fs.FileSystem.from_uri(path)  # an error says what the build of pyarrow lacks
    return system, inside


def why_of(path: str, error: Exception) -> str:
    """Why a file cannot be used: the words of the system, or what the library says, in a line without a password."""
    from ._openers import said_of

    if isinstance(error, FileNotFoundError):
        return error.strerror or os.strerror(errno.ENOENT)
    return (isinstance(error, OSError) and error.strerror) or " ".join(said_of(path, str(error)).split())


class Bytes:
    """The bytes of a file, which are read once."""

    def __init__(self, path: str) -> None:
        self.path, self.shown = path, _akin.shown_address(path)
        try:
            system, inside = place_of(path)
            about = system.get_file_info(inside)
            if about.type.name == "NotFound":
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            if about.type.name == "Directory":
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            self.size = about.size or 0
            self.file = system.open_input_stream(inside, compression=None, buffer_size=BUFFER)
        except (ImportError, MemoryError):
            raise
        except Exception as error:
            raise InputError(f"{self.shown}: cannot be opened: {why_of(path, error)}") from None

    def read(self, into: memoryview) -> int:
        try:
            return int(self.file.readinto(into))
        except (OSError, ValueError) as error:
            raise OSError(f"{self.shown}: cannot be read: {why_of(self.path, error)}") from None

    def close(self) -> None:
        self.file.close()


def open_bytes(path: str) -> Bytes:
    """The bytes of a file, for the extension."""
    return Bytes(path)


class Upload:
    """A temporary file, which `send` copies to an object beside the one that `publish` makes appear. A store publishes
    what was written even if the writer fails, so nothing is sent earlier, and not under the name."""

    def __init__(self, path: str) -> None:
        if path.startswith("file:"):
            raise OptionError("results are written to the path of a file: leave out file://")
        self.system, self.inside = place_of(path)
        folder, slash, _ = self.inside.rpartition("/")
        self.beside = f"{folder}{slash}{unused_name('.akin-')}"
        self.is_beside = False
        import tempfile

        self.file = tempfile.TemporaryFile()

    def send(self) -> None:
        """Sends the file under a name that it has so far."""
        if self.file.seek(0, os.SEEK_END) <= COPIED:
            self.is_beside = True
            self._copy_to(self.beside)

    def publish(self) -> None:
        """Gives the object its name."""
        if not self.is_beside:
            self._copy_to(self.inside)
            return
        try:
            self.system.move(self.beside, self.inside)
        except NotImplementedError:  # some stores move no objects
            self.system.copy_file(self.beside, self.inside)
            self.system.delete_file(self.beside)
        self.is_beside = False

    def _copy_to(self, place: str) -> None:
        import shutil

        self.file.seek(0)
        with self.system.open_output_stream(place, compression=None) as stream:
            shutil.copyfileobj(self.file, stream, 1 << 20)

    def close(self) -> None:
        """Takes away what has no name."""
        if self.is_beside:
            with suppress(Exception):  # it may not be there
                self.system.delete_file(self.beside)
        self.file.close()
