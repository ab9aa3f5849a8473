"""Rules of duplicates, in the words of the command: what is compared, how, and which pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

from ._akin import OptionError
from ._checks import listed, number, shown, text
from ._settings import tokens_of
from ._words import quoted, word_of

Part = tuple[str, int]  # of a key: a column, and what counts of it
Selection = tuple[int, int, tuple[Part, ...], int, str | None, tuple[Any, ...] | None]  # kind, window, key, measure, cutoff, tokens

_KEYS = {"value": 1, "simple": 2, "soundex": 3}
_MEASURES = {"jaccard": 1, "cosine": 2, "dice": 3}
_FOLDS = {"case": 1, "accents": 2, "punctuation": 4, "blanks": 8, "all": 15, "none": 0}


def fields_of(text: str, ends: str) -> list[tuple[str, str]]:
    """The fields of a rule, each with the character that ends it; one in quotes may hold anything, quotes doubled."""
    fields, at = [], 0
    while True:
        if text[at : at + 1] == '"':
            start, field = at + 1, ""
            while True:
                end = text.find('"', start)
                if end < 0:
                    raise OptionError(f"{text}: a quote is not closed")
                field += text[start:end]
                if text[end + 1 : end + 2] != '"':
                    break
                field, start = field + '"', end + 2
            at = end + 1
            if at < len(text) and text[at] not in ends:
                raise OptionError(f"{text}: something follows a quote")
        else:
            end = min((i for i in (text.find(c, at) for c in ends) if i >= 0), default=len(text))
            field, at = text[at:end], end
        fields.append((field, text[at : at + 1]))
        if at >= len(text):
            return fields
        at += 1


class Rules:
    """Columns by the names that rules have for them, and the rules in numbers."""

    def __init__(self, compare: Any, pairs: Any, fold: Any, combine: Any) -> None:
        self.columns: list[str] = []
        self.combined = _combined(combine)
        self.words: dict[str, list[str]] = {"pairs": [], "compare": []}  # of the command, for the same
        self.compared = [self._compare(word_of("compare", rule)) for rule in _listed(compare, "compare")]
        self.titles: list[str] = []  # what each selection selects
        self.selected = [
            selection for rule in _listed(pairs, "pairs") for selection in self._select(word_of("pairs", rule))
        ]
        self.folded = self._folds(fold)
        for _, members in self.combined:
            for member in members:
                self._own(member)

    def _own(self, name: str) -> str:
        """A column of the table, which is asked for from now on."""
        if name not in self.columns:
            self.columns.append(name)
        return name

    def _any(self, name: str) -> str:
        """A column of the table, or one that is made of others."""
        return name if name in (own for own, _ in self.combined) else self._own(name)

    def _compare(self, rule: Any) -> tuple[str, str, float, float]:
        expected = "COLUMN:SCORER[:THRESHOLD[:WEIGHT]], or a tuple of these"
        parts = [field for field, _ in fields_of(rule, ":")] if isinstance(rule, str) else listed(rule, "a rule of compare", expected)
        if not 2 <= len(parts) <= 4 or not all(isinstance(part, str) and part for part in parts[:2]):
            raise OptionError(f"compare: {shown(rule)}; expected {expected}")
        names = (f"compare: {shown(rule)}: the {what}" for what in ("threshold", "weight"))
        numbers = [number(part, name) for part, name in zip(parts[2:], names, strict=False)] + [0.0, 1.0][len(parts) - 2 :]
        scorer = text(parts[1], "the scorer").replace("_", "-")
        said = [quoted(parts[0]), scorer, *(format(Decimal(repr(n)), "f") for n in numbers[: len(parts) - 2])]
        self.words["compare"].append(":".join(said))
        return self._any(parts[0]), scorer, numbers[0], numbers[1]

    def _select(self, rule: Any) -> list[Selection]:
        if not isinstance(rule, str):
            raise TypeError(f"pairs: {shown(rule)}; expected a str such as 'all', 'window:20:name' or 'block:city'")
        text(rule, "a rule of pairs")
        fields = fields_of(rule, ":+")
        self.words["pairs"].append(rule)
        words = [field for field, _ in fields]
        if words[0] != "window" or len(words) > 2:
            self.titles.append(rule)
        kind, rest = words[0], fields[1:]
        if kind == "all" and not rest:
            return [(1, 0, (), 0, None, None)]
        if kind == "window" and len(words) >= 2 and re.fullmatch("[0-9]{1,10}", words[1]) and int(words[1]) < 2**32:
            window = int(words[1])
            if len(words) == 2:
                seen = dict.fromkeys(column for column, *_ in self.compared)
                self.titles += [f"{rule} of {column}" for column in seen]
                return [(2, window, ((column, 2),), 0, None, None) for column in seen]
            parts = self._parts(rest[1:], "simple", rule)
            if len(parts) == 1:
                return [(2, window, parts, 0, None, None)]
        if kind == "block" and rest:
            return [(3, 0, self._parts(rest, "value", rule), 0, None, None)]
        if kind == "similar" and len(words) in (4, 5, 6) and words[2] in _MEASURES:
            cut = tokens_of(":".join(words[4:]) or "words")
            parts = ((self._any(words[1]), 1),)
            return [(4, 0, parts, _MEASURES[words[2]], words[3], cut)]
        raise OptionError(
            f"pairs: {rule}; expected all, window:W[:COLUMN[:KEY]], block:COLUMN[:KEY][+COLUMN[:KEY]...], or "
            f"similar:COLUMN:MEASURE:T[:qgrams:N]"
        )

    def _parts(self, fields: list[tuple[str, str]], usual: str, rule: str) -> tuple[Part, ...]:
        parts, at = [], 0
        while at < len(fields):
            name, end = fields[at]
            key = usual
            if end == ":" and at + 1 < len(fields):
                at += 1
                key, end = fields[at]
            if key not in _KEYS or not name or end == ":":
                raise OptionError(f"pairs: {rule}; key {key!r}: expected simple, soundex or value")
            parts.append((self._any(name), _KEYS[key]))
            at += 1
        return tuple(parts)

    def _folds(self, fold: Any) -> dict[str | None, int]:
        """What columns are cleaned of; None stands for all of them."""
        if fold is None:
            return {}
        if isinstance(fold, Mapping):
            rules = [(None if name == "all" else name, what) for name, what in fold.items()]
        else:
            rules = [_fold_of(rule) for rule in _listed(fold, "fold")]
        found: dict[str | None, int] = {}
        for name, what in rules:
            if name is not None and not isinstance(name, str):
                raise TypeError(f"fold: {name!r}; expected the name of a column")
            parts = what.split("+") if isinstance(what, str) else listed(what, f"fold of {name!r}", "words such as 'case+accents'")
            if not all(isinstance(part, str) and part in _FOLDS for part in parts):
                raise OptionError(f"fold: {name}:{what}; expected case, accents, punctuation, blanks, all or none")
            found[None if name is None else self._any(name)] = sum(_FOLDS[part] for part in set(parts))
        return found

    def number(self, name: str) -> int:
        """The number of a column of the table, which is asked for from now on."""
        return self.columns.index(self._own(name))

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """What columns, scorers and selections are called."""
        columns = (*self.columns, *(name for name, _ in self.combined))
        return columns, tuple(scorer for _, scorer, *_ in self.compared), tuple(self.titles)

    def job(self) -> dict[str, Any]:
        """The rules as a job of the command has them."""
        made: dict[str, Any] = dict(self.words)
        if self.combined:
            made["combine"] = [
                quoted(name, "=") + "=" + "+".join(quoted(column) for column in columns) for name, columns in self.combined
            ]
        if self.folded:
            made["fold"] = [
                "all" if name is None else '"all"' if name == "all" else quoted(name) for name in self.folded
            ]
            for i, folds in enumerate(self.folded.values()):
                if folds != _FOLDS["all"]:
                    names = [what for what in ("case", "accents", "punctuation", "blanks") if _FOLDS[what] & folds]
                    made["fold"][i] += ":" + ("+".join(names) or "none")
        return made

    def in_numbers(self) -> tuple[Any, ...]:
        """As the extension takes them: columns by number, those of the table first."""
        names = self.columns + [name for name, _ in self.combined]
        if len(set(names)) < len(names):
            raise OptionError("combine: a name that a column of the table has")
        number = {name: i for i, name in enumerate(names)}
        titles = [column for column, *_ in self.compared]
        title = [f"{c}:{s}" if titles.count(c) > 1 or c in ("left", "right", "similarity") else c for c, s, *_ in self.compared]
        if len(set(title)) < len(title):
            raise OptionError("compare: a column is compared twice by the same scorer")
        everything = self.folded.get(None, 0)
        return (
            tuple((k, w, tuple((number[c], key) for c, key in parts), m, t, x) for k, w, parts, m, t, x in self.selected),
            tuple((number[c], s, t, w, name) for (c, s, t, w), name in zip(self.compared, title, strict=True)),
            tuple(tuple(number[c] for c in members) for _, members in self.combined),
            tuple(self.folded.get(name, everything) for name in names),
        )


def _fold_of(rule: Any) -> tuple[str | None, str]:
    """The column of a rule, None: all of them, and what it is cleaned of."""
    if not isinstance(rule, str):
        raise TypeError(f"fold: {shown(rule)}; expected a str such as 'name' or 'name:case+accents'")
    fields = fields_of(rule, ":")
    if len(fields) > 2:
        raise OptionError(f"fold: {rule}; expected COLUMN[:WHAT[+WHAT...]]")
    name, what = fields[0][0], fields[1][0] if len(fields) > 1 else "all"
    return (None if name == "all" and not rule.startswith('"') else name), what


def _combined(combine: Any) -> list[tuple[str, list[str]]]:
    """Columns that are made of others, and these."""
    expected = "{'NAME': ['COLUMN', ...]}, columns and what they are made of"
    if not isinstance(combine, Mapping | None):
        raise TypeError(f"combine is {shown(combine)}; expected {expected}")
    made = []
    for name, columns in (combine or {}).items():
        members = [columns] if isinstance(columns, str) else listed(columns, f"combine: {name!r}", "names of columns")
        if not members or not all(isinstance(each, str) for each in (name, *members)):
            raise TypeError(f"combine: {name!r} is {shown(columns)}; expected {expected}")
        made.append((name, members))
    return made


def _listed(rules: Any, name: str) -> list[Any]:
    if isinstance(rules, (str, Mapping)):
        return [rules]
    if isinstance(rules, tuple) and any(isinstance(part, Real) for part in rules):
        return [rules]  # which is one, with its threshold
    return listed(rules, name, "a list of rules")
