"""The namespace ``akin`` of data frames of other packages."""

from __future__ import annotations

from typing import Any

from ._bm25 import BM25, bm25
from ._dedupe import dedupe, link
from ._index import Index
from ._input import Names
from ._join import join, near_duplicates
from ._merge import merge
from ._pairs import Duplicates, Pairs
from ._table import Table


class Namespace:
    """The jobs of akin on one data frame. Each method is the function of the same name, with the frame as its first
    argument: it has the same arguments and the same result. ``to_pandas()`` and ``to_polars()`` of the result, and of
    its ``clusters``, make data frames; ``keep`` filters the frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def dedupe(self, compare: Any = None, **options: Any) -> Duplicates:
        """Finds the duplicates in the table: see :func:`akin.dedupe`."""
        return dedupe(self._frame, compare, **options)

    def unique(self, compare: Any = None, **options: Any) -> Any:
        """The table with only the first row of each cluster of duplicates, which :func:`akin.dedupe` finds."""
        if compare is None:
            raise TypeError(
                "unique() expects rules that compare columns, such as 'name:jaro-winkler'; for documents, filter by "
                "near_duplicates(on=COLUMN).keep"
            )
        keep = dedupe(self._frame, compare, **options).keep
        return self._frame[keep] if hasattr(self._frame, "iloc") else self._frame.filter(keep)

    def link(self, right: Any, compare: Any = None, **options: Any) -> Duplicates:
        """Finds the rows of another table that belong to rows of this one: see :func:`akin.link`."""
        return link(self._frame, right, compare, **options)

    def join(self, right: Any = None, on: Names = None, **options: Any) -> Pairs:
        """Finds pairs of rows with similar texts, in the table or with another one: see :func:`akin.join`."""
        return join(self._frame, right, on, **options)

    def near_duplicates(self, on: Names = None, **options: Any) -> Pairs:
        """Finds documents that are nearly the same: see :func:`akin.near_duplicates`."""
        return near_duplicates(self._frame, on, **options)

    def merge(self, clusters: Any, rules: Any = None, **options: Any) -> Table:
        """Makes one record of each cluster of the table's rows: see :func:`akin.merge`."""
        return merge(self._frame, clusters, rules, **options)

    def bm25(self, on: Names = None, **options: Any) -> BM25:
        """Weighs the terms of the table's texts, for rankings: see :func:`akin.bm25`."""
        return bm25(self._frame, on, **options)

    def index(self, on: Names = None, **options: Any) -> Index:
        """Makes an index of the table's rows: see :meth:`akin.Index.build`."""
        return Index.build(self._frame, on, **options)
