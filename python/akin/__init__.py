"""akin finds what is alike, exactly and fast: joins, comparisons, duplicates, term weights and rankings.

Columns go in as they are: a table of pyarrow, pandas, Polars or DuckDB (anything with ``__arrow_c_stream__`` or
``__arrow_c_array__``, whose text is not copied where its layout allows that), lists of strings, a dictionary of such lists, or the
path of a file. Results are :class:`akin.Table`, which converts to whatever takes Arrow tables.

What jobs have in common are their last arguments, all by name:

``threads``
    how many threads the job may use; 0: as many as the process may run on. The result is the same with any number.
``device``
    ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:N"``. ``"auto"`` never fails for want of a GPU.
``memory``
    a bound for akin's own heap, in bytes or as in ``"512MB"`` (or ``"512M"``, of powers of 1024); ``None``: no bound. What does not
    fit goes to temporary files.
``progress``
    called now and then with ``(phase, done, total)``, on the thread of the call; total is 0 while it is unknown. True: a bar of
    tqdm's, or if that is not installed a line of text, on stderr.
``device_memory``
    a bound for the memory of a GPU, as ``memory``; ``None``: 15/16 of what is free there.

Jobs let other threads run meanwhile, and stop at KeyboardInterrupt, or when ``progress`` raises. Every job may raise

``InputError``
    data is malformed, not UTF-8, or of a type that is not taken; also a ValueError.
``OptionError``
    an argument is out of range, contradicts another, or names a column that is not there; also a ValueError.
``TypeError``
    an argument is of a type that it cannot be.
``LimitError``
    there are more rows or tokens than 32 bits can number; also an OverflowError.
``DeviceError``
    a GPU was asked for and is absent, or failed; also a RuntimeError.
``MemoryError``, ``OSError``
    as everywhere in Python, also where the bound ``memory`` is too small; FileNotFoundError and the like have ``errno`` and ``filename``.
    What reads other programs' formats raises ImportError where their package is not installed.

InputError, OptionError, LimitError and DeviceError are :class:`akin.Error`, which says what attributes an exception has for programs: ``reason``,
``row``, ``column``, ``line``, ``word``, ``meant``.
"""

from . import generate, strings
from ._akin import DeviceError, Error, InputError, LimitError, OptionError
from ._akin import version as __version__
from ._bm25 import BM25, bm25
from ._calibration import calibrate
from ._choices import Choice, choices
from ._dedupe import dedupe, link
from ._dictionary import Dictionary
from ._evaluate import Evaluation, evaluate, evaluate_curve, evaluate_trec
from ._graph import components
from ._index import Index
from ._info import info
from ._job import run
from ._join import join, near_duplicates
from ._pairs import Duplicates, Page, Pairs
from ._ranking import Ranking
from ._splink import splink
from ._table import Table

__all__ = [
    "BM25",
    "Choice",
    "DeviceError",
    "Dictionary",
    "Duplicates",
    "Error",
    "Evaluation",
    "Index",
    "InputError",
    "LimitError",
    "OptionError",
    "Page",
    "Pairs",
    "Ranking",
    "Table",
    "__version__",
    "bm25",
    "calibrate",
    "choices",
    "components",
    "dedupe",
    "evaluate",
    "evaluate_curve",
    "evaluate_trec",
    "generate",
    "info",
    "join",
    "link",
    "near_duplicates",
    "run",
    "splink",
    "strings",
]
