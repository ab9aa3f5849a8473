"""Gives data frames of Polars a namespace ``akin``: ``import akin.polars``, then ``frame.akin.dedupe(...)``.

It has ``dedupe``, ``unique``, ``link``, ``join``, ``near_duplicates``, ``bm25`` and ``index``. Pairs are data frames of
Polars.

Examples
--------
>>> import polars, akin.polars
>>> frame = polars.DataFrame({"name": ["Anna", "Ana", "Bert"], "city": ["Ulm", "Ulm", "Bonn"]})
>>> frame.akin.unique("name:jaro", all_pairs=True)["name"].to_list()
['Anna', 'Bert']
>>> frame.akin.join(on="name", levenshtein=1).rows()
[(0, 1, 1, 0.75)]
"""

from __future__ import annotations

import polars

from ._namespace import Namespace


@polars.api.register_dataframe_namespace("akin")
class Akin(Namespace):
    __doc__ = Namespace.__doc__

    def __init__(self, frame: polars.DataFrame) -> None:
        super().__init__(frame, lambda table: table.to_polars())
