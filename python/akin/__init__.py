"""akin finds what is alike, exactly and fast.

Which job is yours?

===============================================================  ====================================================
near-duplicate documents                                         ``akin.near_duplicates(texts)``
documents without near-duplicates, or without those of a test    ``akin.corpus.near_duplicates(texts)``
duplicates in a table                                            ``akin.dedupe(table, compare, window=20)``
records of two tables that belong together                       ``akin.link(left, right, compare, window=20)``
pairs of rows with similar words or q-grams                      ``akin.join(left, right, jaccard=0.8)``
names against a list, strings with typos                         ``akin.join(names, list, levenshtein=2)``
two columns of strings, row by row                               ``akin.strings.compare(left, right)``
trees, JSON values or code that differ by few edits              ``akin.trees.join(trees, edits=3)``
molecules and other small graphs that differ by few edits        ``akin.graphs.join(graphs, edits=2)``
the matrix of all similarities of strings                        ``akin.strings.cdist(left, right)``
documents ranked by BM25                                         ``akin.bm25(documents).rank(queries)``
a search index of texts, sets, rows, strings or vectors          ``akin.Index.build(objects).search(queries)``
the quality of pairs, against known pairs                        ``akin.evaluate(pairs, gold)``
the quality of clusters, by B-cubed, with intervals              ``akin.evaluate_clusters(pairs, gold)``
the quality of a ranking, against judgements of TREC's format    ``akin.evaluate_trec(ranking, "qrels.txt")``
===============================================================  ====================================================

>>> import akin
>>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8)
akin.Table of 1 rows
left  right  overlap  similarity
   0      1        2           1

Where to look next: ``help(akin.join)`` and so on explain each function with examples; ``akin.choices()`` lists the
names that arguments take; docs/python.md is the guide.

FUNCTIONS

jobs
    ``akin.join``, ``akin.near_duplicates``, ``akin.dedupe``, ``akin.link``, ``akin.bm25`` and ``akin.run``, which runs
    a job file.
rules for ``akin.dedupe`` and ``akin.link``
    ``akin.all_pairs``, ``akin.window``, ``akin.block``, ``akin.similar`` and ``akin.nearest`` select pairs of records;
    ``akin.compare`` is a module with a function for each comparator; ``akin.sides`` names a column of two tables;
    ``akin.splink`` reads the settings of Splink. ``akin.label`` asks a person about pairs, and learns from the answers.
files
    ``akin.files`` names several files that are read as one table, and may leave bad records out.
results
    ``akin.components`` makes clusters of pairs, and ``akin.merge`` one record of each cluster. ``akin.evaluate``,
    ``akin.evaluate_clusters``, ``akin.evaluate_curve`` and ``akin.evaluate_trec`` compare a result with what is known.
parts of a large job
    ``akin.sizes`` counts the tokens of each row, or the characters. ``akin.forest`` reduces pairs of ids, in parts.
this machine and files
    ``akin.info``, ``akin.calibrate`` and ``akin.choices``.

Modules: ``akin.strings`` compares strings, ``akin.trees`` trees, ``akin.graphs`` graphs, ``akin.corpus`` cleans
collections of documents, ``akin.generate`` makes up data, ``akin.parts`` cuts a join into parts;
``akin.pandas``, ``akin.polars``, ``akin.sklearn``, ``akin.spark`` and ``akin.ray`` are imported by these names.
Classes: ``akin.Index``, ``akin.Dictionary``, ``akin.BM25``, ``akin.Statistics``, and those of results and rules.

Columns go in as they are: a table of pyarrow, pandas, Polars or DuckDB (anything with ``__arrow_c_stream__`` or
``__arrow_c_array__``, whose text is not copied where its layout allows that), lists of strings, a dictionary of such
lists, or the path of a file. Results are :class:`akin.Table`, which converts to whatever takes Arrow tables.

The last arguments of every job say how it runs. They do not change the result:

``threads``
    the largest number of threads (default: 0, as many as the process may run on).
``device``
    ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:N"``. ``"auto"`` never fails for want of a GPU.
``memory``
    a limit on akin's own heap, at least 16 MiB: a number of bytes, or text such as ``"512MB"``, in powers of 1000, or
    ``"512M"`` and ``"512MiB"``, in powers of 1024. Data that does not fit goes to temporary files. ``None``: a join
    that needs more than three quarters of the memory of the system, or of the limit of the cgroup, begins again with
    that limit. A deduplication that needs more raises MemoryError. 0: no limit.
``progress``
    a function that the job calls from time to time with ``(phase, done, total)``, on the thread of the call; total is 0
    while it is unknown. True: a bar of tqdm on stderr, or without tqdm a line of text.
``device_memory``
    a limit on the memory of a GPU, as ``memory``; ``None``: 15/16 of its free memory.

Other threads of Python run during a job. A job stops at KeyboardInterrupt, or when ``progress`` raises. Every job may
raise

``InputError``
    data is malformed, not UTF-8 or of a wrong type; also a ValueError.
``OptionError``
    an argument is out of range, contradicts another, or names a missing column; also a ValueError.
``TypeError``
    an argument has the wrong type.
``LimitError``
    there are more rows or tokens than 32 bits can number, or a limit of :func:`akin.limits` is met; also an
    OverflowError.
``DeviceError``
    the GPU that an argument names is absent, or it failed; also a RuntimeError.
``MemoryError``, ``OSError``
    as everywhere in Python, also if the limit ``memory`` is too small; FileNotFoundError and the like have ``errno``
    and ``filename``. Formats of other programs raise ImportError if their package is not installed.

A correct result that may not be the intended one comes with a warning, ``ResultWarning``.

InputError, OptionError, LimitError and DeviceError are :class:`akin.Error`. Its attributes are for programs:
``reason``, ``row``, ``column``, ``line``, ``word``, ``meant``, ``option``.
"""

from ._beside import refuse_another as _refuse_another

_refuse_another()  # before another distribution's modules are imported

from ._akin import DeviceError as DeviceError, Error as Error, InputError as InputError
from ._akin import LimitError as LimitError, OptionError as OptionError
from ._akin import version as __version__

# The module of a name is loaded when the name is first used: to load all takes longer than to start the interpreter.
_MODULES = ("compare", "corpus", "generate", "graphs", "parts", "strings", "trees")
_NAMES = {
    "_bm25": "BM25 bm25",
    "_calibration": "calibrate",
    "_choices": "Choice choices",
    "_column": "Column Mask",
    "_dedupe": "dedupe link",
    "_dictionary": "Dictionary",
    "_evaluate": "ClusterEvaluation Evaluation Quality evaluate evaluate_clusters evaluate_curve",
    "_forest": "forest",
    "_graph": "components",
    "_index": "Index",
    "_info": "info",
    "_input": "files",
    "_job": "run",
    "_join": "join near_duplicates",
    "_label": "Labelling Question label",
    "_limits": "limits",
    "_merge": "merge",
    "_pairs": "Duplicates Page Pairs",
    "_ranking": "Ranking",
    "_selections": "Selection all_pairs block nearest similar window",
    "_sizes": "sizes",
    "_splink": "splink",
    "_statistics": "Statistics",
    "_table": "Table",
    "_trec": "evaluate_trec",
    "_rules": "Sides sides",
    "_warnings": "ResultWarning",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

TYPE_CHECKING = False
if TYPE_CHECKING:  # which type checkers take for true: the same names
    from . import compare as compare, corpus as corpus, generate as generate, parts as parts, strings as strings
    from . import graphs as graphs, trees as trees
    from ._bm25 import BM25 as BM25, bm25 as bm25
    from ._calibration import calibrate as calibrate
    from ._choices import Choice as Choice, choices as choices
    from ._column import Column as Column, Mask as Mask
    from ._dedupe import dedupe as dedupe, link as link
    from ._dictionary import Dictionary as Dictionary
    from ._evaluate import ClusterEvaluation as ClusterEvaluation, Evaluation as Evaluation, Quality as Quality
    from ._evaluate import evaluate as evaluate, evaluate_clusters as evaluate_clusters
    from ._evaluate import evaluate_curve as evaluate_curve
    from ._forest import forest as forest
    from ._graph import components as components
    from ._index import Index as Index
    from ._info import info as info
    from ._input import files as files
    from ._job import run as run
    from ._join import join as join, near_duplicates as near_duplicates
    from ._label import Labelling as Labelling, Question as Question, label as label
    from ._limits import limits as limits
    from ._merge import merge as merge
    from ._pairs import Duplicates as Duplicates, Page as Page, Pairs as Pairs
    from ._ranking import Ranking as Ranking
    from ._selections import Selection as Selection, all_pairs as all_pairs, block as block
    from ._selections import nearest as nearest, similar as similar, window as window
    from ._sizes import sizes as sizes
    from ._splink import splink as splink
    from ._statistics import Statistics as Statistics
    from ._table import Table as Table
    from ._trec import evaluate_trec as evaluate_trec
    from ._rules import Sides as Sides, sides as sides
    from ._warnings import ResultWarning as ResultWarning
del TYPE_CHECKING

__all__ = ["DeviceError", "Error", "InputError", "LimitError", "OptionError", *_MODULES, *_HOMES]


def __getattr__(name: str) -> object:
    """The value of a name that is used for the first time. Raises AttributeError for an unknown name."""
    if name.startswith("_"):  # a module of the package that is in sys.modules alone, for which Python asks here first
        raise AttributeError(f"module 'akin' has no attribute {name!r}", name=name)
    from importlib import import_module

    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        from ._suggest import attribute

        return attribute(name)
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The names for users, without the modules that make them."""
    return sorted({*__all__, *(name for name in globals() if not name.startswith("_") or name.endswith("__"))})
