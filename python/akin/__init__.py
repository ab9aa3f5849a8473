"""akin finds what is alike, exactly and fast.

Which job is yours?

===============================================================  ====================================================
near-duplicate documents                                         ``akin.near_duplicates(texts)``
duplicates in a table                                            ``akin.dedupe(table, compare, window=20)``
records of two tables that belong together                       ``akin.link(left, right, compare, window=20)``
pairs of rows with similar words or q-grams                      ``akin.join(left, right, jaccard=0.8)``
names against a list, strings with typos                         ``akin.join(names, list, levenshtein=2)``
documents ranked by BM25                                         ``akin.bm25(documents).rank(queries)``
a search index of texts, sets, rows, strings or vectors          ``akin.Index.build(objects).search(queries)``
how good pairs are, against pairs that are known                 ``akin.evaluate(pairs, gold)``
===============================================================  ====================================================

>>> import akin
>>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8)
akin.Table of 1 rows
left  right  overlap  similarity
   0      1        2           1

Where to look next: ``help(akin.join)`` and so on explain each function with examples; ``akin.choices()`` lists the names that arguments
take; docs/python.md is the guide. Further parts are ``akin.components``, ``akin.Dictionary``, ``akin.generate`` (made-up data),
``akin.run`` (job files), ``akin.splink``, ``akin.info`` and ``akin.calibrate``, and ``akin.pandas``, ``akin.polars`` and
``akin.sklearn``, which are imported by these names.

Jobs take a table of pyarrow, pandas, Polars or DuckDB (anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``; text is not copied if
its layout allows it), lists of strings, a dictionary of such lists, or the path of a file. Results are :class:`akin.Table`, which every
package that takes Arrow tables can read.

The last arguments of every job determine how it runs. They do not change the result:

``threads``
    the number of threads (default: 0, one for each CPU of the process).
``device``
    ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:N"``. ``"auto"`` works without a GPU.
``memory``
    a bound for akin's own heap, in bytes or such as ``"512MB"`` (powers of 1000) or ``"512M"`` (powers of 1024) (default: no bound). The
    rest goes to temporary files.
``progress``
    a function, called now and then with ``(phase, done, total)`` on the thread of the call. total is 0 while it is unknown. True shows a
    bar of tqdm on stderr, or a line of text if tqdm is not installed.
``device_memory``
    a bound for the memory of a GPU, as ``memory`` (default: 15/16 of the free memory).

Jobs let other threads run meanwhile, and stop at KeyboardInterrupt, or when ``progress`` raises. Every job may raise

``InputError``
    data is malformed, not UTF-8, or of an unsupported type; also a ValueError.
``OptionError``
    an argument is out of range, contradicts another, or names a missing column; also a ValueError.
``TypeError``
    an argument has a wrong type.
``LimitError``
    there are more rows or tokens than 32 bits can number; also an OverflowError.
``DeviceError``
    the selected GPU is missing or failed; also a RuntimeError.
``MemoryError``, ``OSError``
    as everywhere in Python, also if the bound ``memory`` is too small. FileNotFoundError and the like have ``errno`` and ``filename``. A
    function that needs another package raises ImportError if the package is not installed.

A right result that you probably did not intend comes with a warning, ``ResultWarning``.

InputError, OptionError, LimitError and DeviceError are :class:`akin.Error`, with attributes for programs: ``reason``,
``row``, ``column``, ``line``, ``word``, ``meant``, ``option``.
"""

from . import compare as compare, generate as generate, strings as strings
from ._akin import DeviceError as DeviceError, Error as Error, InputError as InputError, LimitError as LimitError, OptionError as OptionError
from ._akin import version as __version__
from ._bm25 import BM25 as BM25, bm25 as bm25
from ._calibration import calibrate as calibrate
from ._choices import Choice as Choice, choices as choices
from ._column import Column as Column, Mask as Mask
from ._dedupe import dedupe as dedupe, link as link
from ._dictionary import Dictionary as Dictionary
from ._evaluate import Evaluation as Evaluation, evaluate as evaluate, evaluate_curve as evaluate_curve, evaluate_trec as evaluate_trec
from ._graph import components as components
from ._index import Index as Index
from ._info import info as info
from ._job import run as run
from ._join import join as join, near_duplicates as near_duplicates
from ._pairs import Duplicates as Duplicates, Page as Page, Pairs as Pairs
from ._ranking import Ranking as Ranking
from ._selections import Selection as Selection, all_pairs as all_pairs, block as block, similar as similar, window as window
from ._splink import splink as splink
from ._table import Table as Table
from ._rules import Sides as Sides, sides as sides
from ._warnings import ResultWarning as ResultWarning
