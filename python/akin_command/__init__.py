"""The command `akin`, which is inside the extension `akin._akin`.

The package `akin` takes a tenth of a second to import. So the command loads the extension alone, and the package where
it has to open a table by another library.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

TYPE_CHECKING = False  # as typing has it, which takes 3 ms to import
if TYPE_CHECKING:
    from typing import Any

_EXTENSION = "akin._akin"
# Python has other ways with them than a command of a shell.
_CHANGED = {signal.SIGINT: signal.default_int_handler, signal.SIGPIPE: signal.SIG_IGN, signal.SIGXFSZ: signal.SIG_IGN}


def _extension() -> Any:
    """The extension, under the name that the package knows it by."""
    if _EXTENSION not in sys.modules:
        package = PathFinder.find_spec("akin")
        spec = PathFinder.find_spec(_EXTENSION, package.submodule_search_locations if package else None)
        if spec is None or spec.loader is None:
            raise ImportError("the package akin is not there, or has no extension")
        module = sys.modules[_EXTENSION] = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[_EXTENSION]


class _NoPandas:
    """Keeps pandas out of the process. pyarrow.dataset imports it where it is, which takes half a second, and the
    command does not use it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command akin does without pandas", name=name)


def _open(format: str, path: str, names: tuple[str, ...], optional: int, keeps: bool) -> object:
    from akin._openers import open_stream

    return open_stream(format, path, names, optional, keeps)


def _save(format: str, path: str, descriptor: int, replaces: bool) -> object:
    from akin._savers import Saved

    return Saved(format, path, descriptor, replaces)


def _describe(format: str) -> str:
    from akin._openers import describe

    return describe(format)


def main() -> None:
    """Runs the command line of the process."""
    for number, changed in _CHANGED.items():
        if signal.getsignal(number) == changed:
            signal.signal(number, signal.SIG_DFL)
    sys.meta_path.insert(0, _NoPandas())
    words = ("akin", *sys.argv[1:])
    sys.exit(_extension().command(tuple(map(os.fsencode, words)), _open, _save, _describe))
