"""The namespace ``akin`` of data frames of other packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._bm25 import BM25, bm25
from ._dedupe import dedupe, link
from ._index import Index
from ._input import Names
from ._join import join, near_duplicates


class Namespace:
    """The jobs of akin on one table. Results are tables of the same package. Arguments are those of the functions with
    the same names."""

    def __init__(self, frame: Any, convert: Callable[[Any], Any]) -> None:
        self._frame = frame
        self._convert = convert

    def dedupe(self, compare: Any, **options: Any) -> Any:
        """Finds the duplicates in the table: see :func:`akin.dedupe`."""
        return self._convert(dedupe(self._frame, compare, **options))

    def unique(self, compare: Any, **options: Any) -> Any:
        """The table with only the first row of each cluster of duplicates, which :func:`akin.dedupe` finds."""
        keep = dedupe(self._frame, compare, **options).keep
        return self._frame[keep] if hasattr(self._frame, "iloc") else self._frame.filter(keep)

    def link(self, right: Any, compare: Any, **options: Any) -> Any:
        """Finds the rows of another table that belong to rows of this one: see :func:`akin.link`."""
        return self._convert(link(self._frame, right, compare, **options))

    def join(self, right: Any = None, on: Names = None, **options: Any) -> Any:
        """Finds pairs of rows with similar texts, in the table or with another one: see :func:`akin.join`."""
        return self._convert(join(self._frame, right, on, **options))

    def near_duplicates(self, on: Names = None, **options: Any) -> Any:
        """Finds documents that are nearly the same: see :func:`akin.near_duplicates`."""
        return self._convert(near_duplicates(self._frame, on, **options))

    def bm25(self, on: Names = None, **options: Any) -> BM25:
        """Weighs the terms of the table's texts, for rankings: see :func:`akin.bm25`."""
        return bm25(self._frame, on, **options)

    def index(self, on: Names = None, **options: Any) -> Index:
        """Makes an index of the table's rows: see :meth:`akin.Index.build`."""
        return Index.build(self._frame, on, **options)
