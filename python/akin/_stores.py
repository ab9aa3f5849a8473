"""Files in stores of objects, by addresses such as ``s3://BUCKET/KEY``, through the file systems of pyarrow."""

from __future__ import annotations

import errno
import os
import tempfile
from typing import Any

from . import _akin
from ._akin import InputError, OptionError

_SCHEMES = "s3 gs gcs abfs abfss hdfs viewfs file".split()  # those of src/base/remote.c


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
        raise ImportError(f"{shown}: reading from a store needs pyarrow: pip install 'akin[parquet]'") from None
    system, inside = fs.FileSystem.from_uri(path)  # an error says what the build of pyarrow lacks
    return system, inside


def why_of(path: str, error: Exception) -> str:
    """Why a file cannot be used: the words of the system, or what the library says, in a line without a password."""
    from ._openers import said_of

    if isinstance(error, FileNotFoundError):
        return error.strerror or os.strerror(errno.ENOENT)
    return (isinstance(error, OSError) and error.strerror) or " ".join(said_of(path, error).split())


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
            self.file = system.open_input_stream(inside, compression=None)
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
    """A temporary file that becomes an object once it is whole. Stores make an object appear when its stream ends, also
    where the writer has failed, so nothing is sent before."""

    def __init__(self, path: str) -> None:
        if path.startswith("file:"):
            raise OptionError("results are written to the path of a file: leave out file://")
        self.system, self.inside = place_of(path)
        self.file = tempfile.TemporaryFile()

    def send(self) -> None:
        import shutil

        self.file.seek(0)
        with self.system.open_output_stream(self.inside, compression=None) as stream:
            shutil.copyfileobj(self.file, stream, 1 << 20)
