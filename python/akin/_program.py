"""The place of the command `akin` of this package."""

import importlib.metadata
import os
import sysconfig
from collections.abc import Iterator


def _places() -> Iterator[str]:
    """The places where the command may be: first where pip installed it, then the folders of pip."""
    try:
        files = importlib.metadata.files("akin") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    yield from (str(file.locate()) for file in files if file.match("bin/akin"))
    yield os.path.join(sysconfig.get_path("scripts"), "akin")
    yield os.path.join(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")), "akin")
    yield os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin", "akin")  # pip install --target


def program() -> str | None:
    """The path of the command; None if it is not installed."""
    return next((place for place in _places() if os.path.isfile(place) and os.access(place, os.X_OK)), None)
