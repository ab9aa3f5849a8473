"""Tables that other libraries read: files of Parquet and Arrow. Each becomes an Arrow stream, which is read batch by batch."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from . import _akin
from ._akin import Error, InputError

BATCH = 65536  # rows of a batch, where a format leaves the choice


class Opener(NamedTuple):
    """What reads a format of the table "opened-formats": a row of :data:`OPENERS`."""

    module: str  # that reads it,
    extra: str  # and what installs it: akin[extra]
    # A path, the names of the wanted columns and how many of these need not exist -> what has an Arrow stream.
    open: Callable[[str, Sequence[str], int], Any]


def wanted_of(names: Sequence[str], optional: int, there: Sequence[str]) -> list[str] | None:
    """The columns to read; None: all of them, as no names were given, or as one that must exist does not, and the error
    is to list all columns."""
    needed = names[: len(names) - optional]
    return [name for name in names if name in there] if names and all(name in there for name in needed) else None


def _batches(data: Any, names: Sequence[str], optional: int) -> Any:
    """The batches of a dataset of pyarrow, of which it reads one ahead."""
    columns = wanted_of(names, optional, data.schema.names)
    return data.scanner(columns=columns, batch_size=BATCH, batch_readahead=1, fragment_readahead=1).to_reader()


def _of_parquet(path: str, names: Sequence[str], optional: int) -> Any:
    from pyarrow import dataset

    # With a buffer in advance, which suits stores of objects, it would hold several groups of rows.
    options = dataset.ParquetFragmentScanOptions(pre_buffer=False)
    return _batches(dataset.dataset(path, format=dataset.ParquetFileFormat(default_fragment_scan_options=options)), names, optional)


def _of_arrow(path: str, names: Sequence[str], optional: int) -> Any:
    from pyarrow import dataset

    return _batches(dataset.dataset(path, format="feather"), names, optional)


OPENERS: dict[str, Opener] = {
    "parquet": Opener("pyarrow", "parquet", _of_parquet),
    "arrow": Opener("pyarrow", "parquet", _of_arrow),
}


def is_opened(path: str) -> bool:
    """Whether a path has the name of a table that another library reads."""
    return _akin.format_of_name(path) in OPENERS


def _install(opener: Opener) -> str:
    return f"pip install 'akin[{opener.extra}]'"


def open_table(path: str, format: str, names: Sequence[str], optional: int = 0) -> Any:
    """What has an Arrow stream of a table, of these columns at least. Errors of the library that reads it stay as they are."""
    opener = OPENERS[format]
    try:
        importlib.import_module(opener.module)
    except ImportError:
        raise ImportError(f"{path}: reading {format} needs {opener.module}: {_install(opener)}") from None
    if not os.path.isdir(path):  # which may be a dataset
        with open(path, "rb"):  # so that what cannot be opened is an error of the system, with its number
            pass
    return opener.open(path, names, optional)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Around the reading of such a table: errors name the file."""
    try:
        yield
    except (OSError, ImportError, MemoryError):
        raise
    except Error as error:
        error.args = (f"{path}: {error}", *error.args[1:])
        raise
    except Exception as error:
        raise InputError(f"{path}: {error}") from error


# ----------------------------------------------------------------------------------------------------------- the command


def open_stream(format: str, path: str, names: tuple[str, ...], optional: int) -> object:
    """The capsule of an Arrow stream, for the command. The text of any exception names the file."""
    try:
        return open_table(path, format, names, optional).__arrow_c_stream__()
    except (ImportError, MemoryError):
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror or error}") from None
    except Exception as error:
        raise InputError(f"{path}: {error}") from None


def describe(format: str) -> str:
    """What reads a format and its version, or else how to install it."""
    from importlib.metadata import PackageNotFoundError, version  # which takes long to import

    opener = OPENERS[format]
    try:
        return f"{opener.module} {version(opener.module)}"
    except PackageNotFoundError:
        return f"not read without {opener.module}: {_install(opener)}"
