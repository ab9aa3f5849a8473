"""Duplicates in a table, and records of two tables that belong together."""

from __future__ import annotations

from typing import Any, Unpack

from . import _akin
from ._akin import OptionError
from ._input import input_of
from ._rules import Rules
from ._settings import Settings, settings
from ._table import Table

_MISSING = {"zero": 1, "skip": 2, "equal": 3}


def _find(
    left: Any,
    right: Any,
    compare: Any,
    pairs: Any,
    threshold: float,
    fold: Any,
    combine: Any,
    missing: str,
    one_to_one: bool,
    max_block: int,
    lossy: bool,
    run: Settings,
) -> Table:
    if missing not in _MISSING:
        raise OptionError(f"missing is {missing!r}; expected zero, skip or equal")
    if isinstance(max_block, bool) or not isinstance(max_block, int) or not 2 <= max_block < 2**64:
        raise OptionError(f"max_block is {max_block!r}; expected a number of records, 2 or more")
    job = settings(**run)
    rules = Rules(compare, pairs, fold, combine)
    numbers = rules.in_numbers()
    if not rules.columns:
        raise OptionError("nothing is compared; expected compare=['COLUMN:SCORER', ...]")
    first = input_of(left, rules.columns, lossy, job)
    second = None if right is None else input_of(right, rules.columns, lossy, job)
    more = (float(threshold), max_block, _MISSING[missing], one_to_one)
    return Table(_akin.dedupe(job, first, second, (*numbers, more)))


def dedupe(
    table: Any,
    compare: Any,
    pairs: Any,
    *,
    threshold: float = 0.8,
    fold: Any = None,
    combine: Any = None,
    missing: str = "zero",
    one_to_one: bool = False,
    max_block: int = 1000,
    lossy: bool = False,
    **run: Unpack[Settings],
) -> Table:
    """Finds the duplicates in a table: selects pairs of records, compares the values of each, and keeps those whose weighted average
    of similarities reaches the threshold.

    Parameters
    ----------
    table
        A table, a dictionary of lists or the path of a file (see the package); columns that no rule names may be anything.
    compare
        What is compared, and how: ``"COLUMN:SCORER[:THRESHOLD[:WEIGHT]]"``, or tuples of these. Scorers are those of
        :mod:`akin.strings`, and ``tfidf`` or ``tfidf/N``. A similarity below THRESHOLD (0) counts as 0, and WEIGHT (1) is what it
        counts for. Names with a colon stand in double quotes.
    pairs
        Which pairs are compared, a rule or several, of which any may select a pair: ``"all"``; ``"window:W:COLUMN[:KEY]"``, records
        sorted by a key of that column, each with the W - 1 next ones, and ``"window:W"`` that for each column that is compared;
        ``"block:COLUMN[:KEY][+COLUMN[:KEY]...]"``, records whose keys are equal; ``"similar:COLUMN:jaccard:T[:qgrams:N|:words:N]"``, records
        that have so similar words there (``cosine`` and ``dice``, too). KEY is ``value``, ``simple`` (length and first
        character) or ``soundex``.
    threshold
        Of the average, above 0 and at most 1.
    fold
        What values are cleaned of before anything else: ``{"COLUMN": "case+accents+punctuation+blanks"}``, or rules
        ``"COLUMN[:WHAT]"``; ``"all"`` is all columns, or all of that.
    combine
        Columns made of others: ``{"NAME": ["COLUMN", ...]}``, their values one behind the other with a blank between.
    missing
        A value that is null or empty in one record or both: ``"zero"``, similarity 0; ``"skip"``, the column does not count;
        ``"equal"``, 1 if it is missing in both, else 0.
    one_to_one
        A record belongs together with one other at most: of pairs with a record in common the most similar is kept.
    max_block
        Larger blocks are left out.
    lossy, **run
        See the package.

    Returns
    -------
    Table
        ``left`` and ``right``, row numbers from 0 on, ``left < right``, sorted by both; ``similarity``, the average; and that of each
        column that is compared, by its name (and scorer, where it is compared twice), null where a missing value was skipped.
        ``akin.components(found, rows=len(table))`` makes clusters of it.

    Notes
    -----
    B. Forchhammer et al., Duplicate Detection on GPUs, sections 4 and 5; see docs/dedupe.md.
    """
    return _find(
        table, None, compare, pairs, threshold, fold, combine, missing, one_to_one, max_block, lossy, run
    )


def link(
    left: Any,
    right: Any,
    compare: Any,
    pairs: Any,
    *,
    threshold: float = 0.8,
    fold: Any = None,
    combine: Any = None,
    missing: str = "zero",
    one_to_one: bool = False,
    max_block: int = 1000,
    lossy: bool = False,
    **run: Unpack[Settings],
) -> Table:
    """Finds which records of two tables belong together: as :func:`dedupe`, with pairs of a left record and a right one. Both tables
    have the columns that rules name."""
    if right is None:
        raise TypeError("right is None; akin.dedupe finds the duplicates of one table")
    return _find(
        left, right, compare, pairs, threshold, fold, combine, missing, one_to_one, max_block, lossy, run
    )
