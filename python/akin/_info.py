"""What this build and this machine offer."""

from __future__ import annotations

from typing import Any

from . import _akin
from ._calibration import kept
from ._settings import settings


def info() -> dict[str, Any]:
    """Describes the build and the machine.

    Looks for GPUs, which may take up to a second the first time in a process; there need be none.

    Returns
    -------
    dict
        ``version``; ``cpu``, the SIMD level in use ("scalar", "avx2", "avx512"), and ``cpu_best``, what the CPU has;
        ``threads``, what a job uses; ``device``, the state of GPU support in words ("ready", "no GPU", "built without CUDA"),
        ``devices``, a list of GPUs with name, memory in bytes, compute capability and multiprocessors; versions of CUDA
        (1000 * major + 10 * minor, 0: none) and of libraries; ``prices``, the file by whose measurements joins are planned (see
        :func:`akin.calibrate`), None: by those that are built in.

    Raises
    ------
    MemoryError
        There is none left.

    Examples
    --------
    >>> import akin
    >>> akin.info()["version"] == akin.__version__
    True
    """
    measured = kept()
    return _akin.info(settings()) | {"prices": measured and measured[0]}
