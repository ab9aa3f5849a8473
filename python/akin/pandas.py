"""Gives data frames of pandas an accessor ``akin``: ``import akin.pandas``, then ``frame.akin.dedupe(...)``.

It has ``dedupe``, ``unique``, ``link``, ``join``, ``near_duplicates``, ``bm25`` and ``index``. Pairs are data frames of
pandas, made by pyarrow. Row numbers are positions, whatever the index of the frame is.

Examples
--------
>>> import pandas, akin.pandas
>>> frame = pandas.DataFrame({"name": ["Anna", "Ana", "Bert"], "city": ["Ulm", "Ulm", "Bonn"]})
>>> frame.akin.unique("name:jaro", all_pairs=True)["name"].tolist()
['Anna', 'Bert']
>>> frame.akin.join(on="name", levenshtein=1)["distance"].tolist()
[1]
"""

from __future__ import annotations

import pandas

from ._namespace import Namespace


@pandas.api.extensions.register_dataframe_accessor("akin")
class Akin(Namespace):
    __doc__ = Namespace.__doc__

    def __init__(self, frame: pandas.DataFrame) -> None:
        super().__init__(frame, lambda table: table.to_pandas())
