"""Rules that compare a column of two records: a function for each comparator.

>>> import akin
>>> str(akin.compare.jaro_winkler("name", threshold=.8, weight=2))
'name:jaro-winkler:0.8:2'
>>> rules = [akin.compare.jaro_winkler("name"), akin.compare.exact("city", weight=.5)]
>>> table = {"name": ["Anna", "Ana"], "city": ["Ulm", "Ulm"]}
>>> len(akin.dedupe(table, rules, all_pairs=True))
1

Each function takes ``column``, a name or :func:`akin.sides`; ``threshold``, from 0 to 1 (default: 0): a similarity
below it counts as 0; and ``weight``, above 0 (default: 1): the weight of the column in the average. It returns a
:class:`Comparison`. ``str(rule)`` is the word of the command. Each function raises OptionError if the name of the
column is empty, and TypeError if an argument has the wrong type. :func:`akin.dedupe` checks thresholds and weights.
"""

from __future__ import annotations

from ._checks import whole
from ._rules import Column, Rule, decimal, members_of, ratio
from ._settings import Number
from ._suggest import attributes_of, suggests

__all__ = [
    "Comparison",
    "after",
    "codes",
    "cosine",
    "date",
    "dice",
    "exact",
    "initials",
    "jaccard",
    "jaro",
    "jaro_winkler",
    "levenshtein",
    "monge_elkan",
    "number",
    "osa",
    "percent",
    "soundex",
    "tfidf",
]
__getattr__ = attributes_of(__name__, (name for name in __all__ if name != "Comparison"))


class Comparison(Rule):
    """A rule that compares a column. ``str(rule)`` is the word of the command.

    >>> import akin
    >>> akin.compare.exact("city")
    <akin.compare.Comparison city:exact>
    """

    __slots__ = ()

    def __init__(self, column: Column, comparator: str, threshold: Number, weight: Number) -> None:
        least, part = ratio(threshold, "threshold"), decimal(weight, "weight")
        numbers = {"threshold": None if least == "0" else least, "weight": None if part == "1" else part}
        super().__init__("compare", {**members_of(column), "comparator": comparator, **numbers})

    def __repr__(self) -> str:
        return f"<akin.compare.Comparison {self}>"


def _grams(name: str, q: int | None) -> str:
    return name if q is None else f"{name}/{whole(q, 'q', 1, 255)}"


@suggests
def levenshtein(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 1 - edits / characters of the longer value. An edit inserts, deletes or replaces a
    character.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.levenshtein("name"))
    'name:levenshtein'
    """
    return Comparison(column, "levenshtein", threshold, weight)


@suggests
def osa(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule of :func:`levenshtein`, where a swap of two neighbours is one edit.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.osa("name"))
    'name:osa'
    """
    return Comparison(column, "osa", threshold, weight)


@suggests
def jaro(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with Jaro's similarity: by the characters that both values have at about the same places.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.jaro("name"))
    'name:jaro'
    """
    return Comparison(column, "jaro", threshold, weight)


@suggests
def jaro_winkler(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule of :func:`jaro`, where up to 4 equal first characters count more.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.jaro_winkler("name"))
    'name:jaro-winkler'
    """
    return Comparison(column, "jaro-winkler", threshold, weight)


@suggests
def soundex(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 1 if the Soundex codes are the same, else 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.soundex("name"))
    'name:soundex'
    """
    return Comparison(column, "soundex", threshold, weight)


@suggests
def exact(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 1 if the values have the same bytes, else 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.exact("name"))
    'name:exact'
    """
    return Comparison(column, "exact", threshold, weight)


@suggests
def number(column: Column, *, scale: Number | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 1 - difference / ``scale`` of numbers, at least 0. Without ``scale``: 1 - difference
    / the larger number.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.number("price", scale=5))
    'price:number/5'
    """
    return Comparison(column, "number" if scale is None else f"number/{decimal(scale, 'scale')}", threshold, weight)


@suggests
def percent(column: Column, *, percent: Number = 20, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 1 - difference of numbers in percent of the larger one / ``percent``, at least 0.
    ``percent`` is above 0, and at most 100.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.percent("price", percent=10))
    'price:percent/10'
    """
    return Comparison(column, f"percent/{decimal(percent, 'percent')}", threshold, weight)


@suggests
def date(column: Column, *, days: Number = 365, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 1 - days between the dates / ``days``, at least 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.date("born", days=30))
    'born:date/30'
    """
    return Comparison(column, f"date/{decimal(days, 'days')}", threshold, weight)


@suggests
def after(column: Column, *, days: Number = 365, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule of :func:`akin.link` with the similarity 1 - days that the right date is later than the left one /
    ``days``, at least 0. It is 0 if the right date is before the left one.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.after(akin.sides("sold", "paid"), days=30))
    'sold=paid:after/30'
    """
    return Comparison(column, f"after/{decimal(days, 'days')}", threshold, weight)


@suggests
def jaccard(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity words in common / words in either value. With ``q``: runs of ``q`` characters, 1 to
    255, instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.jaccard("name", q=3))
    'name:jaccard/3'
    """
    return Comparison(column, _grams("jaccard", q), threshold, weight)


@suggests
def cosine(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity words in common / square root of (words x words). With ``q``: runs of ``q``
    characters, 1 to 255, instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.cosine("name", q=3))
    'name:cosine/3'
    """
    return Comparison(column, _grams("cosine", q), threshold, weight)


@suggests
def dice(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the similarity 2 x words in common / (words + words). With ``q``: runs of ``q`` characters, 1 to
    255, instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.dice("name", q=3))
    'name:dice/3'
    """
    return Comparison(column, _grams("dice", q), threshold, weight)


@suggests
def monge_elkan(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the mean, over words, of the Jaro-Winkler similarity to the most similar word.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.monge_elkan("name"))
    'name:monge-elkan'
    """
    return Comparison(column, "monge-elkan", threshold, weight)


@suggests
def initials(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the mean credit of the words of names, paired in their order: equal words have credit 1, initials
    and the words that begin with them 0.9, others 0.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.initials("author"))
    'author:initials'
    """
    return Comparison(column, "initials", threshold, weight)


@suggests
def codes(column: Column, *, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule of :func:`tfidf` with codes in place of words: words with a digit, such as the numbers of models. A
    value without a code is missing.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.codes("name"))
    'name:codes'
    """
    return Comparison(column, "codes", threshold, weight)


@suggests
def tfidf(column: Column, *, q: int | None = None, threshold: Number = 0, weight: Number = 1) -> Comparison:
    """The rule with the cosine of words, where a word weighs more if fewer records have it. With ``q``: runs of ``q``
    characters, 1 to 255, instead of words.

    Raises OptionError and TypeError: see the module.

    >>> import akin
    >>> str(akin.compare.tfidf("name", q=3))
    'name:tfidf/3'
    """
    return Comparison(column, _grams("tfidf", q), threshold, weight)
