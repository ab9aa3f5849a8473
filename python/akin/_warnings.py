"""What a user should know of a call that succeeded."""

from __future__ import annotations

import sys
import warnings


class ResultWarning(UserWarning):
    """A result that is right, but hardly what was meant: a column in which a comparator finds no number or date, a window that is too small,
    blocks that are left out, large clusters that chains of pairs made. ``stats["warnings"]`` of the result has the text, too.

    >>> import akin, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", akin.ResultWarning)
    ...     found = akin.dedupe({"price": ["cheap", "dear"]}, "price:number", all_pairs=True)
    >>> found.stats["warnings"][0][:60]
    "number finds no number in 2 of 2 values of column 'price'; t"
    """


def warn(text: str, category: type[Warning] = ResultWarning) -> None:
    """The warning points to the line that called akin."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("akin."):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
