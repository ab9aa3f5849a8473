"""Warnings about results."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable


class ResultWarning(UserWarning):
    """The warning about a correct result that may not be the intended one: a comparator finds no number or date in a
    tenth or more of a column, a window is too small, blocks are left out, texts are too short for their tokens, chains
    of pairs make large clusters, or an evaluation leaves out pairs of an id with itself, finds no pair in common, or
    would be far better with left and right swapped. ``stats["warnings"]`` has the warnings of the job.

    >>> import akin, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", akin.ResultWarning)
    ...     found = akin.dedupe({"price": ["cheap", "dear"]}, "price:number", all_pairs=True)
    >>> found.stats["warnings"][0][:60]
    "number finds no number in 2 of 2 values of column 'price'; t"
    """


def warn(text: str, category: type[Warning] = ResultWarning) -> None:
    """Warns, with the line that called akin."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("akin."):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def warn_of(texts: Iterable[str]) -> None:
    """Warns of each."""
    for each in texts:
        warn(each)
