"""Gives data frames of Polars a namespace ``akin``: ``import akin.polars``, then ``frame.akin.dedupe(...)``.

It has ``dedupe``, ``unique``, ``link``, ``join``, ``near_duplicates``, ``bm25`` and ``index``. ``unique`` returns a
data frame. The others return what the functions of the same names return: a result with ``keep``, ``clusters``,
``stats`` and the like, whose ``to_polars()`` makes a data frame, as that of ``clusters`` does.

Examples
--------
>>> import polars, akin.polars
>>> frame = polars.DataFrame({"id": [7, 8, 9], "name": ["Anna", "Ana", "Bert"], "city": ["Ulm", "Ulm", "Bonn"]})
>>> frame.akin.unique("name:jaro", all_pairs=True)["name"].to_list()
['Anna', 'Bert']
>>> found = frame.akin.join(on="name", levenshtein=1, id="id")
>>> found.to_polars().join(frame, left_on="left_id", right_on="id")["city"].to_list()
['Ulm']
>>> frame.filter(found.keep)["name"].to_list(), found.clusters.to_polars()["cluster"].to_list()
(['Anna', 'Bert'], [0, 0, 1])
"""

from __future__ import annotations

import polars

from ._namespace import Namespace


@polars.api.register_dataframe_namespace("akin")
class Akin(Namespace):
    __doc__ = Namespace.__doc__
