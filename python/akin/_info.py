"""Facts about the build, the machine and saved files."""

from __future__ import annotations

import os
from typing import Any

from . import _akin
from ._calibration import kept
from ._input import file_of
from ._settings import quiet, settings
from ._suggest import suggests


@suggests
def info(path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Describes a file that akin saved, or without ``path`` the build and the machine.

    Without a path it looks for GPUs, which may take up to a second the first time in a process. It needs none.

    Parameters
    ----------
    path
        A file that :meth:`akin.Index.save`, :meth:`akin.Dictionary.save` or the command wrote. All of it is checked.

    Returns
    -------
    dict
        Of a file: ``kind``, such as ``"bm25"``; ``holds``, the kind in words; ``version``; ``bytes``, its size; the
        number of objects by their name (``documents``, ``rows``); how text becomes tokens (``tokens``, ``fold``,
        ``stem``, and the number of ``stop_words``); parameters (``formula``, ``k1``, ``b``); ``named``, whether objects
        have names; ``made_by`` and ``used_by``. Of a model of learnt weights: its comparisons, ``threshold``,
        ``matches``, ... These names are those of ``akin info FILE``.

        Without a path: ``version``; ``cpu``, the SIMD level in use ("scalar", "neon", "avx2", "avx512"); ``cpu_best``,
        the best level of the CPU; ``threads``, the default of a job; ``device``, the state of GPU support in words
        ("ready", "no GPU", "built without CUDA"); ``devices``, a list of GPUs with name, memory in bytes, compute
        capability and multiprocessors; versions of CUDA (1000 * major + 10 * minor, 0: none) and of libraries;
        ``prices``, the path of the calibration that plans joins (see :func:`akin.calibrate`), or None for the built-in
        one.

    Raises
    ------
    InputError
        The file is not one of akin's, or it is damaged.
    TypeError, MemoryError, OSError
        See the package; FileNotFoundError if the file does not exist.

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
