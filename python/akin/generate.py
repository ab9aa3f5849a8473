"""Made-up data to try things on: records of which some are duplicates with errors, sets, documents. The same seed gives the same data
everywhere, and the same as ``akin generate``."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Unpack

from . import _akin
from ._akin import OptionError
from ._checks import choice, listed, number, shown, whole
from ._settings import Settings, settings
from ._table import Table

__all__ = ["records", "sets", "text"]

_KINDS = {"people": 1, "cd": 2}
_COPIES = {"uniform": 1, "poisson": 2, "zipf": 3}
_ERRORS = {
    "insert": 10,
    "delete": 12,
    "substitute": 20,
    "transpose": 8,
    "missing": 6,
    "swap": 2,
    "abbreviate": 5,
    "split": 4,
    "merge": 5,
    "words": 3,
    "phonetic": 8,
    "ocr": 5,
    "case": 12,
}


_MOST = 2**64 - 1


def records(
    rows: int = 10000,
    *,
    kind: str = "people",
    duplicates: float = 0.1,
    copies: str = "poisson",
    most_copies: int = 5,
    field_modifications: int = 2,
    record_modifications: int = 5,
    modify: Mapping[str, int] | None = None,
    tracks: int = 2,
    linked: bool = False,
    seed: int = 1,
    **run: Unpack[Settings],
) -> tuple[Table, Table] | tuple[Table, Table, Table]:
    """Records of people or CDs that nobody has, some of them with errors and more than once, and which are of one original.

    Parameters
    ----------
    rows
        How many, duplicates included.
    kind
        ``"people"`` (names, address, date of birth, phone) or ``"cd"`` (artist, title, category, genre, year, ``tracks`` of them).
    duplicates
        The share of records that are duplicates, below 1.
    copies, most_copies
        How many duplicates a record has that has any: ``"uniform"``, ``"poisson"`` or ``"zipf"``, at most so many.
    field_modifications, record_modifications
        Errors in a value of a duplicate, and in a duplicate, at most.
    modify
        How often a kind of error is, compared with the others: ``{"insert": 10, "missing": 0, ...}``; ``"all"`` is all of them.
    linked
        Duplicates are a table of their own.
    seed, **run
        The same seed gives the same records; and see the package.

    Returns
    -------
    tuple
        The records, of linked ones the originals and the duplicates; and the pairs that are right, ``left`` and ``right``, by ``id``,
        which ``gold=`` takes.

    Notes
    -----
    P. Christen, Probabilistic Data Generation for Deduplication and Data Linkage, IDEAL 2005; see docs/generate.md.
    """
    weights = dict(_ERRORS)
    if not isinstance(modify, Mapping | None):
        raise TypeError(f"modify is {shown(modify)}; expected a dictionary of kinds of errors and how often each is")
    for error, weight in (modify or {}).items():
        if error != "all":
            choice(error, "modify", _ERRORS)
        for name in weights if error == "all" else [error]:
            weights[name] = whole(weight, f"modify[{error!r}]")
    job = settings(**run)
    options = (
        choice(kind, "kind", _KINDS),
        whole(rows, "rows"),
        number(duplicates, "duplicates"),
        choice(copies, "copies", _COPIES),
        whole(most_copies, "most_copies"),
        whole(field_modifications, "field_modifications"),
        whole(record_modifications, "record_modifications"),
        whole(tracks, "tracks"),
        bool(linked),
        whole(seed, "seed", 0, _MOST),
    )
    first, second, gold = _akin.generate_records(job, options, tuple(weights.values()))
    return (Table(first), Table(gold)) if second is None else (Table(first), Table(second), Table(gold))


def sets(
    rows: int = 100000,
    *,
    tokens: int = 50000,
    average: float = 10,
    spread: float = 3,
    smallest: int = 0,
    largest: int = 0,
    zipf: float = 1,
    duplicates: float = 0.05,
    seed: int = 1,
    **run: Unpack[Settings],
) -> list[list[int]]:
    """Sets of token ids, which ``akin.join(..., tokens="ids")`` takes: ``average`` tokens each, normally distributed with deviation
    ``spread``, between ``smallest`` and ``largest`` (0: no bound), of so many ``tokens``, token k drawn with weight
    ``1 / (k + 1)**zipf``; and a rate of near-``duplicates`` of earlier ones, a tenth of whose tokens is changed."""
    job = settings(**run)
    sizes = (number(average, "average"), number(spread, "spread"), whole(smallest, "smallest"), whole(largest, "largest"))
    options = (whole(rows, "rows"), whole(tokens, "tokens"), *sizes, number(zipf, "zipf"), number(duplicates, "duplicates"))
    both = _akin.generate_sets(job, (*options, whole(seed, "seed", 0, _MOST)))
    offsets, found = memoryview(both[0]).tolist(), memoryview(both[1])
    return [found[begin:end].tolist() for begin, end in pairwise(offsets)]


def text(
    documents: int = 1000,
    *,
    words: Mapping[str, float] | Iterable[str] | None = None,
    vocabulary: int = 500000,
    uniform: bool = False,
    length: tuple[float, float] = (6.0, 1.1),
    seed: int = 1,
    **run: Unpack[Settings],
) -> list[str]:
    """Documents of words that are drawn independently of one another, of ``words``, each with how frequent it is, or one as frequent as
    another; or of so many made-up ones, whose frequencies are those of Zipf and Mandelbrot, or all the same if ``uniform``. ``length``:
    mean and standard deviation of the natural logarithm of a document's length in words.

    T. Wakatsuki, A. Keyaki, J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, section 4.1."""
    job = settings(**run)
    drawn = weights = None
    if words is not None:
        drawn = _akin.from_lists(job, ("word",), (listed(words, "words", "words, or a dictionary of words and how frequent each is"),))
        if isinstance(words, Mapping) and not uniform:
            weights = array("d", (number(weight, f"words[{word!r}]") for word, weight in words.items()))
    lengths = [number(each, "length") for each in listed(length, "length", "two numbers")]
    if len(lengths) != 2:
        raise OptionError(f"length is {length!r}; expected two numbers, the mean and the deviation of a logarithm")
    options = (whole(documents, "documents", 0, _MOST), 0, *lengths)
    rest = (whole(vocabulary, "vocabulary"), bool(uniform), whole(seed, "seed", 0, _MOST))
    made = _akin.generate_text(job, (*options, *rest), drawn, weights).decode()
    return [document.removesuffix("\n") for document in made.split("\n\n")]
