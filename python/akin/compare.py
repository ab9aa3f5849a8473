"""Rules that compare a column of two records: one function for each comparator, whose arguments an editor completes.

>>> import akin
>>> str(akin.compare.jaro_winkler("name", threshold=.8, weight=2))
'name:jaro-winkler:0.8:2'
>>> rules = [akin.compare.jaro_winkler("name"), akin.compare.exact("city", weight=.5)]
>>> table = {"name": ["Anna", "Ana"], "city": ["Ulm", "Ulm"]}
>>> len(akin.dedupe(table, rules, all_pairs=True))
1

Each function takes the column; ``threshold``, from 0 to 1: a similarity below it counts as 0; and ``weight``, above 0: what the
column counts for in the average. ``str`` of a rule is the word that the command takes. All raise OptionError for a column without a
name, and TypeError for arguments of other types. Thresholds and weights are checked by :func:`akin.dedupe`.
"""

from __future__ import annotations

from ._checks import whole
from ._rules import Column, Rule, decimal, members_of
from ._settings import Number

__all__ = [
    "Comparison",
    "cosine",
    "date",
    "dice",
    "exact",
    "jaccard",
    "jaro",
    "jaro_winkler",
    "levenshtein",
    "monge_elkan",
    "number",
    "osa",
    "soundex",
    "tfidf",
]


class Comparison(Rule):
    """A rule that compares a column. ``str`` of it is the word that the command takes.

    >>> import akin
    >>> akin.compare.exact("city")
    <akin.compare.Comparison city:exact>
    """

    __slots__ = ()

    def __init__(self, column: Column, comparator: str, threshold: Number, weight: Number) -> None:
        least, part = decimal(threshold, "threshold"), decimal(weight, "weight")
        numbers = {"threshold": None if least == "0" else least, "weight": None if part == "1" else part}
        super().__init__("compare", {**members_of(column), "comparator": comparator, **numbers})

    def __repr__(self) -> str:
        return f"<akin.compare.Comparison {self}>"


def _grams(name: str, q: int | None) -> str:
    return name if q is None else f"{name}/{whole(q, 'q', 1, 255)}"


def levenshtein(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """1 - edits / characters of the longer value. An edit inserts, deletes or replaces a character.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.levenshtein("name"))
    'name:levenshtein'
    """
    return Comparison(column, "levenshtein", threshold, weight)


def osa(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """As :func:`levenshtein`; neighbours that change places are one edit.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.osa("name"))
    'name:osa'
    """
    return Comparison(column, "osa", threshold, weight)


def jaro(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """Characters that both values have at about the same places.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.jaro("name"))
    'name:jaro'
    """
    return Comparison(column, "jaro", threshold, weight)


def jaro_winkler(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """As :func:`jaro`; the first 4 characters count more.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.jaro_winkler("name"))
    'name:jaro-winkler'
    """
    return Comparison(column, "jaro-winkler", threshold, weight)


def soundex(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """1 if the Soundex codes are the same, else 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.soundex("name"))
    'name:soundex'
    """
    return Comparison(column, "soundex", threshold, weight)


def exact(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """1 if the values are the same, byte by byte, else 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.exact("name"))
    'name:exact'
    """
    return Comparison(column, "exact", threshold, weight)


def number(column: Column, *, scale: Number | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """1 - difference / ``scale``, at least 0. Without ``scale``: 1 - difference / the larger number.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.number("price", scale=5))
    'price:number/5'
    """
    return Comparison(column, "number" if scale is None else f"number/{decimal(scale, 'scale')}", threshold, weight)


def date(column: Column, *, days: Number = 365, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """1 - days between the dates / ``days``, at least 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.date("born", days=30))
    'born:date/30'
    """
    return Comparison(column, f"date/{decimal(days, 'days')}", threshold, weight)


def jaccard(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """Words in common / words in either value. With ``q``: of runs of ``q`` characters instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.jaccard("name", q=3))
    'name:jaccard/3'
    """
    return Comparison(column, _grams("jaccard", q), threshold, weight)


def cosine(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """Words in common / square root of (words x words). With ``q``: of runs of ``q`` characters instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.cosine("name", q=3))
    'name:cosine/3'
    """
    return Comparison(column, _grams("cosine", q), threshold, weight)


def dice(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """2 x words in common / (words + words). With ``q``: of runs of ``q`` characters instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.dice("name", q=3))
    'name:dice/3'
    """
    return Comparison(column, _grams("dice", q), threshold, weight)


def monge_elkan(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The mean over words of the Jaro-Winkler similarity of the most alike word.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.monge_elkan("name"))
    'name:monge-elkan'
    """
    return Comparison(column, "monge-elkan", threshold, weight)


def tfidf(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """Cosine of words. A word weighs the more, the fewer records have it. With ``q``: of runs of ``q`` characters instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.tfidf("name", q=3))
    'name:tfidf/3'
    """
    return Comparison(column, _grams("tfidf", q), threshold, weight)
