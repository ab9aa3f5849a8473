"""Collections of documents: near-duplicates.

>>> import akin
>>> texts = ["The road is closed until Friday.", "the road is closed until friday", "It rains in Ulm."]
>>> found = akin.corpus.near_duplicates(texts, jaccard=0.5)
>>> [text for text, stays in zip(texts, found.keep) if stays]
['The road is closed until Friday.', 'It rains in Ulm.']

The functions take tables, Arrow streams and paths, as all of akin does (see the package): ``akin.files([...])`` is
several files, and a data set of the package ``datasets`` is a table.
"""

from __future__ import annotations

from typing import Any

from . import _akin, _choices
from ._akin import OptionError
from ._checks import flag, shown, text, whole
from ._column import Mask
from ._input import Names, input_of, names_of
from ._join import least_of
from ._settings import Number, Progress, Size, settings, tokens_of
from ._suggest import attributes_of, suggests
from ._table import Table

__all__ = ["Removed", "near_duplicates"]
__getattr__ = attributes_of(__name__, __all__)

_LEAST, _GREATEST = 2, 3  # numbers of akin_keep: which value of a column is preferred
_ALL, _WITHIN, _ACROSS = 0, 1, 2  # numbers of akin_comparing


class Removed(Table):
    """The documents that were removed, a table with columns ``id`` and ``survivor`` (row numbers from 0 on, or ids),
    ``similarity`` and ``common``, the number of tokens that both have.

    Attributes
    ----------
    keep : Mask
        True for each document that is kept: ``frame[found.keep]`` in pandas, ``frame.filter(found.keep)`` in Polars.
    stats : dict
        Counts of documents, of pairs that were compared, and seconds.

    Examples
    --------
    >>> import akin
    >>> found = akin.corpus.near_duplicates(["a b c", "a b c", "d"])
    >>> found.keep, found["survivor"]
    ([True, False, True], [0])
    """

    __slots__ = ("keep",)

    def __init__(self, frame: _akin.Frame, keep: Mask, stats: dict[str, Any] | None) -> None:
        super().__init__(frame, stats)
        self.keep = keep

    def _part(self, frame: _akin.Frame) -> Table:
        return Table(frame)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._frame.state(), bytes(self.keep), self.stats)


def _restore(state: Any, keep: bytes, stats: dict[str, Any] | None) -> Removed:
    return Removed(_akin.from_state(settings(), state), Mask(map(bool, keep)), stats)


@suggests
def near_duplicates(
    documents: Any,
    on: Names = None,
    *,
    id: str | None = None,
    tokens: str = "words:5",
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    overlap: Number | None = None,
    overlap_coefficient: Number | None = None,
    containment: Number | None = None,
    keep: str = "first",
    within: str | None = None,
    across: str | None = None,
    ignore_frequent: int = 0,
    components: bool = False,
    ignore_case: bool | None = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> Removed:
    """Finds documents that are almost copies of others, and keeps one of them.

    Documents come in an order of preference. A document is removed if and only if a kept document before it is alike;
    the first such one is its survivor. So no document is removed for one that is removed itself, and chains of
    documents that are alike do not become one, as they do in :func:`akin.near_duplicates`, which finds all pairs.

    Parameters
    ----------
    documents, on
        A table and the column of its texts (or several columns, which form one text with blanks between), a column, a
        list of strings or the path of a file (see the package).
    id
        The column that names documents in the result, and breaks ties of ``keep``. None: row numbers.
    tokens
        What a document is a set of: ``"words:N"``, all runs of N words; a document of fewer words is one token. Other
        tokens are those of :func:`akin.join`.
    jaccard, cosine, dice, overlap, overlap_coefficient, containment
        One measure and its threshold (default: jaccard=0.8). ``containment`` is the share of a document's own tokens
        that the kept one has.
    keep
        Which of two documents is kept: ``"first"``, ``"longest"``, or the name of a column. The column prefers the
        lesser value, ``"COLUMN:desc"`` the greater one. Numbers count as numbers.
    within, across
        A column. Only documents that have the same value there are compared, or only those that have different ones.
    ignore_frequent
        Tokens that are in more documents than this are left out (default: 0, none is). A document of such tokens alone
        is kept.
    components
        Documents that a chain of alike pairs connects are one component, of which the preferred document is kept. The
        others need not be like it. Neither with ``within`` or ``across`` nor with ``ignore_frequent``.
    ignore_case, lossy, threads, device, memory, progress
        As in :func:`akin.join`. ``device``: ``"auto"`` or ``"cpu"``.

    Returns
    -------
    Removed
        The documents that were removed, with ``keep``, a mask of those that stay.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.join`.

    Notes
    -----
    Prefix filter: S. Chaudhuri, V. Ganti, R. Kaushik, A primitive operator for similarity joins in data cleaning, 2006.
    The proof that nothing is lost: docs/corpus.md.

    Examples
    --------
    >>> import akin
    >>> pages = {"url": ["a", "b", "c"], "score": ["1", "5", "2"], "text": ["red wine from Ulm"] * 2 + ["white wine"]}
    >>> found = akin.corpus.near_duplicates(pages, on="text", id="url", keep="score:desc")
    >>> found["id"], found["survivor"], found["similarity"]
    (['a'], ['b'], [1.0])
    """
    job = settings(threads, device, memory, progress)
    measure, least = _measure_of(
        jaccard=jaccard,
        cosine=cosine,
        dice=dice,
        overlap=overlap,
        overlap_coefficient=overlap_coefficient,
        containment=containment,
    )
    preferred, column = _keep_of(keep)
    if within is not None and across is not None:
        raise OptionError("within and across are given; expected one of them")
    source = within if within is not None else across
    comparing = _ALL if source is None else _WITHIN if within is not None else _ACROSS
    names = names_of(on)
    others = [text(name, "the name of a column") for name in (column, id, source) if name is not None]
    if others and not names:
        raise OptionError(f"{others[0]!r} is the column of a table; expected on=NAME, too")
    asked = list(dict.fromkeys([*names, *others]))
    found = input_of(documents, asked or None, lossy, job)
    if not names and len(found.names) != 1:
        raise OptionError(f"the table has the columns {', '.join(map(repr, found.names))}; expected on=NAME")
    columns = tuple(-1 if name is None else asked.index(name) for name in (column, id, source))
    frame, mask, stats = _akin.near_duplicates(
        job, found, max(1, len(names)), tokens_of(tokens, False, ignore_case), measure, least, preferred, comparing,
        columns, whole(ignore_frequent, "ignore_frequent"), int(flag(components, "components"))
    )
    return Removed(frame, Mask(map(bool, mask)), stats)


def _measure_of(**given: Number | None) -> tuple[str, str]:
    """The measure and its threshold, as text."""
    said = [name for name, value in given.items() if value is not None]
    if len(said) > 1:
        raise OptionError(f"{said[0]} and {said[1]} are given; expected one of them")
    name = said[0] if said else "jaccard"
    value = given[name]
    return name.replace("_", "-"), least_of(0.8 if value is None else value, name)


def _keep_of(keep: str) -> tuple[int, str | None]:
    """The number of an akin_keep, and the column that it looks at."""
    known = _choices.values("keeps")
    if text(keep, "keep") in known:
        return known[keep], None
    name, colon, order = keep.rpartition(":")
    if not colon or order not in ("asc", "desc"):
        name, order = keep, "asc"
    if not name:
        names = ", ".join(map(repr, known))
        raise OptionError(f"keep={shown(keep)}; expected {names}, or the name of a column")
    return _GREATEST if order == "desc" else _LEAST, name
