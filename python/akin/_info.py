"""What this build and this machine offer, and what a saved file holds."""

from __future__ import annotations

import os
from typing import Any

from . import _akin
from ._calibration import kept
from ._input import file_of
from ._settings import quiet, settings


def info(path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Describes a file that akin saved, or else the build and the machine.

    Without a path it looks for GPUs, which may take up to a second the first time in a process; there need be none.

    Parameters
    ----------
    path
        A file of any kind that :meth:`akin.Index.save`, :meth:`akin.Dictionary.save` or the command wrote. All of it is checked.

    Returns
    -------
    dict
        Of a file ``kind``, such as ``"bm25"``, ``holds``, that in words, ``version``, ``bytes``, how many objects there are, called by what
        they are (``documents``, ``rows``), how text becomes tokens (``tokens``, ``fold``, ``stem``, ``stop_words``, how many), parameters
        (``formula``, ``k1``, ``b``), whether objects are ``named``, ``made_by`` and ``used_by``; the names are those of ``akin info FILE``.

        Without a path ``version``; ``cpu``, the SIMD level in use ("scalar", "avx2", "avx512"), and ``cpu_best``, what the CPU has;
        ``threads``, what a job uses; ``device``, the state of GPU support in words ("ready", "no GPU", "built without CUDA"),
        ``devices``, a list of GPUs with name, memory in bytes, compute capability and multiprocessors; versions of CUDA
        (1000 * major + 10 * minor, 0: none) and of libraries; ``prices``, the file by whose measurements joins are planned (see
        :func:`akin.calibrate`), None: by those that are built in.

    Raises
    ------
    InputError
        The file is none that akin saved, or damaged.
    TypeError, MemoryError, OSError
        See the package; FileNotFoundError where there is no such file.

    Examples
    --------
    >>> import akin
    >>> akin.info()["version"] == akin.__version__
    True
    >>> akin.Index.build(["red wine", "blue sea"], kind="bm25").save("texts.akin")
    >>> about = akin.info("texts.akin")
    >>> about["kind"], about["documents"], about["terms"], about["tokens"]
    ('bm25', 2, 4, 'words')
    """
    if path is not None:
        return {name.replace("-", "_"): value for name, value in _akin.saved(quiet(settings()), file_of(path))}
    measured = kept()
    return _akin.info(settings()) | {"prices": measured and measured[0]}
