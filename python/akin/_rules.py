"""Rules of duplicates, which the library reads: what is compared, how, and which pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from numbers import Real
from typing import Any

from . import _akin
from ._akin import OptionError
from ._checks import listed, shown, text
from ._selections import OPTIONS, selections_of
from ._words import Sides, column_of, decimal, object_of, rules_of
from .compare import Comparison


class Words(list[str]):
    """Words of the command, as a job has them."""


class Rules:
    """A plan of deduplication, as JSON that the library reads, and what its parts are called."""

    def __init__(self, compare: Any, selected: Mapping[str, Any], fold: Any, combine: Any, others: Mapping[str, Any]) -> None:
        selections = selections_of(selected)
        said: dict[str, Any] = {
            "combine": _combined(combine),
            "compare": [_compared(rule) for rule in _listed(compare, "compare")],
            **selections,
            "fold": _folded(fold),
            **others,
        }
        if not said["compare"]:
            raise OptionError("nothing is compared; expected compare=['COLUMN:SCORER', ...]")
        if not any(selections.values()):
            raise OptionError(
                f"no pairs are selected; expected at least one of {', '.join(OPTIONS)}, such as all_pairs=True, or window=20 for more than "
                "some 10,000 records"
            )
        try:
            self.text = json.dumps(said)
        except (TypeError, ValueError, RecursionError) as error:
            raise OptionError(f"a rule cannot be written as JSON: {error}") from None
        left, right, _, self.scorers, attributes, self.titles, self.words, ids = _akin.plan(self.text)
        self.sided = [f"{a}={b}" for a, b in [*zip(left, right, strict=True), *([ids] if ids else [])] if a != b]
        self.columns = tuple(list(dict.fromkeys([*names, *ids[side : side + 1]])) for side, names in enumerate((left, right)))
        self.ids = tuple(names.index(id) for names, id in zip(self.columns, ids, strict=False)) or (None, None)
        self.names = tuple(
            f"{name}:{scorer}" if name in ("left", "right", "similarity") else name
            for name, scorer in zip(attributes, self.scorers, strict=True)
        )
        if len(set(self.names)) < len(self.names):
            twice = next(name for i, name in enumerate(self.names) if name in self.names[:i])
            raise OptionError(f"compare: the result would have two columns {twice!r}")

    def job(self) -> dict[str, Any]:
        """The rules as a job of the command has them."""
        return {option: True if option == OPTIONS[0].replace("_", "-") else list(words) for option, words in self.words.items() if words}


def _compared(rule: Any) -> Any:
    """A rule as JSON has it: a str is a word of the command, a mapping an object of a job."""
    expected = "COLUMN:SCORER[:THRESHOLD[:WEIGHT]], or a tuple of these"
    if isinstance(rule, (str, Comparison)):
        return text(str(rule), "a rule of compare")
    if isinstance(rule, Mapping):
        return object_of(rule)
    parts = listed(rule, "a rule of compare", expected)
    column = parts[0] if parts else None
    if not 2 <= len(parts) <= 4 or not isinstance(column, (str, Sides)) or not column or not isinstance(parts[1], str) or not parts[1]:
        raise OptionError(f"compare: {shown(rule)}; expected {expected}")
    said = {"comparator": text(parts[1], "the scorer").replace("_", "-")}
    said |= {"column": column.left, "right": column.right} if isinstance(column, Sides) else {"column": text(column, "a column")}
    for what, part in zip(("threshold", "weight"), parts[2:], strict=False):
        said[what] = decimal(part, f"compare: {shown(rule)}: the {what}")
    return said


def _folded(fold: Any) -> list[str]:
    """What columns are cleaned of, as words."""
    if fold is None:
        return []
    if not isinstance(fold, Mapping):
        rules = _listed(fold, "fold")
        for rule in rules:
            if not isinstance(rule, str):
                raise TypeError(f"fold: {shown(rule)}; expected a str such as 'name' or 'name:case+accents'")
        return [text(rule, "a rule of fold") for rule in rules]
    words = []
    for name, what in fold.items():
        if not isinstance(name, (str, Sides)):
            raise TypeError(f"fold: {name!r}; expected the name of a column")
        parts = [what] if isinstance(what, str) else listed(what, f"fold of {name!r}", "words such as 'case+accents'")
        if not all(isinstance(part, str) for part in parts):
            raise OptionError(f"fold: {name}:{what}; expected words such as 'case+accents'")
        folds = "+".join(text(part, "a fold") for part in parts)
        words.append(f"{column_of(name)}:{folds or 'none'}")
    return words


def _combined(combine: Any) -> list[str]:
    """Columns that are made of others, as words."""
    expected = "{'NAME': ['COLUMN', ...]}, columns and what they are made of"
    if isinstance(combine, Words):
        return [text(word, "a rule of combine") for word in combine]
    if not isinstance(combine, Mapping | None):
        raise TypeError(f"combine is {shown(combine)}; expected {expected}")
    words = []
    for name, columns in (combine or {}).items():
        members = [columns] if isinstance(columns, (str, Sides)) else listed(columns, f"combine: {name!r}", "names of columns")
        if not members or not isinstance(name, str) or not all(isinstance(each, (str, Sides)) for each in members):
            raise TypeError(f"combine: {name!r} is {shown(columns)}; expected {expected}")
        words.append(column_of(name) + "=" + "+".join(map(column_of, members)))
    return words


def _listed(rules: Any, name: str) -> list[Any]:
    if isinstance(rules, tuple) and any(isinstance(part, Real) for part in rules):
        return [rules]  # which is one, with its threshold
    return rules_of(rules, name, Comparison)
