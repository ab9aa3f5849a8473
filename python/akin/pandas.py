"""Gives data frames of pandas an accessor ``akin``: ``import akin.pandas``, then ``frame.akin.dedupe(...)``.

It has ``dedupe``, ``unique``, ``link``, ``join``, ``near_duplicates``, ``bm25`` and ``index``. ``unique`` returns a
data frame. The others return what the functions of the same names return: a result with ``keep``, ``clusters``,
``stats`` and the like, whose ``to_pandas()`` makes a data frame, as that of ``clusters`` does. Row numbers are
positions, whatever the index of the frame is.

Examples
--------
>>> import pandas, akin.pandas
>>> frame = pandas.DataFrame({"id": [7, 8, 9], "name": ["Anna", "Ana", "Bert"], "city": ["Ulm", "Ulm", "Bonn"]})
>>> frame.akin.unique("name:jaro", all_pairs=True)["name"].tolist()
['Anna', 'Bert']
>>> found = frame.akin.join(on="name", levenshtein=1, id="id")
>>> found.to_pandas().merge(frame, left_on="left_id", right_on="id")["city"].tolist()
['Ulm']
>>> frame[found.keep]["name"].tolist(), found.clusters.to_pandas()["cluster"].tolist()
(['Anna', 'Bert'], [0, 0, 1])
"""

from __future__ import annotations

import pandas

from ._namespace import Namespace


@pandas.api.extensions.register_dataframe_accessor("akin")
class Akin(Namespace):
    __doc__ = Namespace.__doc__
