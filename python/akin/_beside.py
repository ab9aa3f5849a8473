"""Finds another distribution that installs a package ``akin`` into the same folder.

PyPI has a project ``akin``, which is not this one: this one is ``libakin``. pip installs both without a word, and the
files of the one that came last replace those of the other.
"""

from __future__ import annotations

import os

_OURS = "libakin"
_BOTH = ("akin", _OURS)
_INSTALLED = (".dist-info", ".egg-info")


def _distributions(folder: str) -> list[str]:
    """The distributions in a folder that have a package ``akin``: akin, libakin and those for GPUs, libakin_cuda13."""
    found = set()
    for entry in os.listdir(folder):
        name = entry.partition("-")[0].lower()
        if entry.endswith(_INSTALLED) and (name in _BOTH or name.startswith(f"{_OURS}_")):
            found.add(name.replace("_", "-"))
    return sorted(found)


def refuse_another() -> None:
    """Raises ImportError if the folder of this package has the files of two distributions."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        found = _distributions(folder)
    except OSError:  # no directory, or one that cannot be listed: no distribution can be seen there
        found = []
    if len(found) > 1:
        raise ImportError(
            f"akin: {' and '.join(found)} are both installed in {folder}, and the files of one have replaced those of "
            f"the other: pip uninstall {' '.join(found)}, then install one of them; this is {_OURS}",
            name="akin",
        )
