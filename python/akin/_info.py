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

    Without a path it also looks for GPUs. The first call in a process may take up to a second. A GPU is not needed.

    Parameters
    ----------
    path
        A file of any kind from :meth:`akin.Index.save`, :meth:`akin.Dictionary.save` or the command. akin checks the whole file.

    Returns
    -------
    dict
        For a file: ``kind``, such as ``"bm25"``; ``holds``, the kind in words; ``version``; ``bytes``; the number of objects under their
        name (``documents``, ``rows``); the tokens of text (``tokens``, ``fold``, ``stem``, and ``stop_words``, their number); parameters
        (``formula``, ``k1``, ``b``); ``named``, if objects have ids; ``made_by`` and ``used_by``. The names are those of
        ``akin info FILE``.

        Without a path: ``version``; ``cpu``, the SIMD level in use ("scalar", "avx2", "avx512"), and ``cpu_best``, the best level of the
        CPU; ``threads``, the number for a job; ``device``, the state of GPU support in words ("ready", "no GPU", "built without CUDA");
        ``devices``, a list of GPUs with name, memory in bytes, compute capability and multiprocessors; versions of CUDA (1000 * major + 10
        * minor, 0: none) and of libraries; ``prices``, the file with the prices of the planner (see :func:`akin.calibrate`), None for the
        built-in prices.

    Raises
    ------
    InputError
        The file is no saved file of akin, or is damaged.
    TypeError, MemoryError, OSError
        See the package; FileNotFoundError if there is no such file.

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
