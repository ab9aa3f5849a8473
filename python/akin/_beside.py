"""Finds another distribution that installs a package ``akin`` into the same folder.

PyPI has a project ``akin``, which is not this one: this one is ``libakin``. pip installs both without a word, and the
files of the one that came last replace those of the other.
"""

from __future__ import annotations

import os

_OURS = "libakin"
_HAVE_IT = ("akin", _OURS, f"{_OURS}_cuda13")  # distributions that have a package akin
_DESCRIPTIONS = {".dist-info": "METADATA", ".egg-info": "PKG-INFO"}  # a folder without one is a leftover


def _distributions(folder: str) -> list[str]:
    """The distributions in a folder that have a package ``akin``."""
    found = set()
    for entry in os.listdir(folder):
        name, ending = entry.partition("-")[0].lower(), os.path.splitext(entry)[1]
        if name in _HAVE_IT and ending in _DESCRIPTIONS:
            if os.path.isfile(os.path.join(folder, entry, _DESCRIPTIONS[ending])):
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
            f"akin: {' and '.join(found)} are both installed in {folder}, and have replaced files of each other. "
            f"Run: pip uninstall {' '.join(found)}. Then: pip install {_OURS}",
            name="akin",
        )
