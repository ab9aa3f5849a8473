"""Rules of deduplication, which the library reads and writes: comparisons, folds, synonyms, and combined columns."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, NamedTuple

from . import _akin
from ._akin import OptionError
from ._checks import listed, number, shown, text
from ._choices import values
from ._ratio import ratio_of
from ._settings import decimal_of
from ._suggest import did_you_mean, suggests

# ---------------------------------------------------------------------------------------------------------------- rules


class Rule:
    """A rule: the option of a plan that takes it, and its members as an object of a job. ``str(rule)`` is the word of
    the command."""

    __slots__ = ("_members", "option")

    def __init__(self, option: str, members: Mapping[str, Any]) -> None:
        self.option = option
        self._members = {key: value for key, value in members.items() if value is not None}

    def __str__(self) -> str:
        return _akin.plan_word(self.option, json.dumps([self._members] if self._members else True)) or self.option

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.option, str(self)) == (other.option, str(other))

    def __hash__(self) -> int:
        return hash((self.option, str(self)))


class Sides:
    """A column with different names in two tables: :func:`akin.sides` makes it. ``str(sides)`` is the word of the
    command.

    Examples
    --------
    >>> import akin
    >>> akin.sides("name", "full name")
    akin.sides('name', 'full name')
    """

    __slots__ = ("left", "right")

    def __init__(self, left: str, right: str) -> None:
        self.left, self.right = left, right

    def __str__(self) -> str:
        return _akin.plan_word("id", json.dumps(members_of(self)))

    def __repr__(self) -> str:
        return f"akin.sides({self.left!r}, {self.right!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sides) and (self.left, self.right) == (other.left, other.right)

    def __hash__(self) -> int:
        return hash((self.left, self.right))


Column = str | Sides


@suggests
def sides(left: str, right: str) -> Sides:
    """A column with the name ``left`` in the left table and ``right`` in the right one. Rules, ``on`` and ``id`` take
    it in place of a name.

    Returns
    -------
    Sides

    Raises
    ------
    OptionError
        A name is empty.
    TypeError
        A name is not a str.

    Examples
    --------
    >>> import akin
    >>> name = akin.sides("name", "full name")
    >>> str(akin.compare.jaro_winkler(name)), str(akin.block(name, key="soundex"))
    ('name=full name:jaro-winkler', 'name=full name:soundex')
    >>> found = akin.link({"name": ["Ann"]}, {"full name": ["Anne"]}, akin.compare.jaro(name), all_pairs=True,
    ...                   threshold=0.5)
    >>> found["name=full name"].tolist()
    [0.9166666666666666]
    """
    made = Sides(left, right)
    members_of(made)
    return made


def members_of(column: object) -> dict[str, str]:
    """A column as members of an object."""
    named = {"column": column.left, "right": column.right} if isinstance(column, Sides) else {"column": column}
    for name in named.values():
        if not text(name, "a column"):
            raise OptionError("a column is ''; expected its name")
    return named  # type: ignore[return-value]


def decimal(value: Any, name: str) -> str:
    """A number as the plan reads it."""
    read: Any = number(value, name)
    if isinstance(value, (str, Real, Decimal)):
        read = value
    return decimal_of(read, name)


def ratio(value: Any, name: str) -> str:
    """A threshold as the plan reads it."""
    if isinstance(value, str) and "/" in value:
        return text(value, name)
    read: Any = number(value, name)
    if isinstance(value, (str, Real, Decimal)):
        read = value
    return ratio_of(read, name)


# ------------------------------------------------------------------------------------------------------- as JSON has it


def rules_of(rules: Any, option: str, maker: str = "") -> list[Any]:
    """The given rules, None, one or several, as JSON has them: words of the command, and objects. ``maker``: the
    function that makes them."""
    if rules is None:
        return []
    if isinstance(rules, (str, Mapping, Rule)):
        rules = [rules]
    name = option.replace("-", "_")
    return [_rule_of(rule, name, option, maker) for rule in listed(rules, name, "a rule or a list of rules")]


def _rule_of(rule: Any, name: str, option: str, maker: str = "") -> Any:
    if isinstance(rule, Rule):
        if rule.option != option:
            raise TypeError(f"{name} is {rule!r}; expected it as {rule.option.replace('-', '_')}=")
        return rule._members
    if isinstance(rule, Mapping):
        return {
            key: (ratio if key == "threshold" else decimal)(value, key)
            if isinstance(value, (Real, Decimal)) and not isinstance(value, bool) else value
            for key, value in rule.items()
        }
    if not isinstance(rule, str):
        raise TypeError(f"{name} is {shown(rule)}; expected a str, {maker}an object of a job, or a list of these")
    return text(rule, f"a rule of {name}")


def _compared(rules: Any) -> list[Any]:
    """The rules of comparisons. The tuple of one rule may stand alone."""
    if _is_row(rules):
        rules = [rules]
    if isinstance(rules, Mapping) and rules and "column" not in rules and all(
        isinstance(scorer, str) for scorer in rules.values()
    ):
        raise OptionError(
            f"compare is {shown(rules)}; expected a list, {[f'{column}:{scorer}' for column, scorer in rules.items()]}"
        )
    if rules is None or isinstance(rules, (str, Mapping, Rule)):
        return rules_of(rules, "compare")
    many = listed(rules, "compare", "a rule or a list of rules")
    return [
        _row_of(rule) if not isinstance(rule, (str, Mapping, Rule)) else _rule_of(rule, "compare", "compare")
        for rule in many
    ]


def _is_row(rules: Any) -> bool:
    """Whether a tuple is one rule. It is one if it has a number, or if it is a column and a comparator. Two words with
    a colon each are two rules."""
    if not isinstance(rules, tuple):
        return False
    if any(isinstance(part, Real) for part in rules):
        return True
    return len(rules) == 2 and isinstance(rules[1], str) and (
        isinstance(rules[0], Sides) or isinstance(rules[0], str) and not all(":" in part for part in rules)
    )


def _row_of(rule: Any) -> dict[str, Any]:
    """The rule of a tuple of a column, a scorer, and perhaps a threshold and a weight."""
    expected = "COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]], or a tuple of these"
    parts = listed(rule, "a rule of compare", expected)
    if not 2 <= len(parts) <= 4 or not parts[0] or not isinstance(parts[0], (str, Sides)) or not isinstance(
        parts[1], str
    ) or not parts[1]:
        raise OptionError(f"compare: {shown(rule)}; expected {expected}")
    numbers = zip((("threshold", ratio), ("weight", decimal)), parts[2:], strict=False)
    return {
        **members_of(parts[0]),
        "comparator": text(parts[1], "the scorer"),
        **{what: read(part, f"compare: {shown(rule)}: the {what}") for (what, read), part in numbers},
    }


def _folded(fold: Any) -> list[Any]:
    """The rules of folds."""
    if not isinstance(fold, Mapping):
        return rules_of(fold, "fold")
    for name in fold:
        if not isinstance(name, (str, Sides)):
            raise TypeError(f"fold: {name!r}; expected the name of a column")
    return [
        ({} if name == "all" else members_of(name))
        | {
            "fold": what
            if isinstance(what, str)
            else listed(what, f"fold of {name!r}", "words such as 'case+accents'") or "none"
        }
        for name, what in fold.items()
    ]


_EXPECTED_SYNONYMS = "a path, a list of groups such as ['william', 'bill'], or {'COLUMN': either}"


def _synonyms(synonyms: Any) -> list[Any]:
    """The rules of words that count as equal."""
    if synonyms is None:
        return []
    if isinstance(synonyms, (str, os.PathLike)):
        synonyms = [synonyms]
    if not isinstance(synonyms, Mapping):
        return _synonyms_of_all(listed(synonyms, "synonyms", _EXPECTED_SYNONYMS))
    made: list[dict[str, Any]] = []
    for name, said in synonyms.items():
        if not isinstance(name, (str, Sides)):
            raise TypeError(f"synonyms: {name!r}; expected the name of a column")
        column = {} if name == "all" else members_of(name)
        if isinstance(said, (str, os.PathLike)):
            made.append(column | {"file": os.fsdecode(said)})
        elif groups := [_group_of(group) for group in listed(said, f"synonyms of {name!r}", _EXPECTED_SYNONYMS)]:
            made.append(column | {"groups": groups})
    return made


def _synonyms_of_all(many: list[Any]) -> list[Any]:
    """The rules of a list, which has words and objects of a job, paths, and groups."""
    rules: list[Any] = []
    groups: list[str] = []
    for each in many:
        if isinstance(each, (str, Mapping)):
            rules.append(each)
        elif isinstance(each, os.PathLike):
            rules.append({"file": os.fsdecode(each)})
        else:
            groups.append(_group_of(each))
    return rules + ([{"groups": groups}] if groups else [])


def _group_of(group: Any) -> str:
    """A group as a line of a file."""
    if isinstance(group, str):
        raise TypeError(f"synonyms: {group!r}; expected a list of words, the full form first")
    many = listed(group, "a group", _EXPECTED_SYNONYMS)
    words = [" ".join(text(word, "a word of synonyms").split()) for word in many]
    return ",".join('"' + word.replace('"', '""') + '"' if re.search('[",;#]', word) else word for word in words)


def _combined(combine: Any) -> list[Any]:
    """The rules of combined columns."""
    expected = "{'NAME': ['COLUMN', ...]}, columns and what they are made of"
    if combine is not None and not isinstance(combine, (Mapping, str, list, tuple)):
        raise TypeError(f"combine is {shown(combine)}; expected {expected}")
    if not isinstance(combine, Mapping):
        return rules_of(combine, "combine")
    made = []
    for name, columns in combine.items():
        members = [columns] if isinstance(columns, (str, Sides)) else listed(
            columns, f"combine: {name!r}", "names of columns"
        )
        if not members or not isinstance(name, str) or not all(isinstance(each, (str, Sides)) for each in members):
            raise TypeError(f"combine: {name!r} is {shown(columns)}; expected {expected}")
        made.append({"name": text(name, "a column"), "columns": [members_of(each) for each in members]})
    return made


# ----------------------------------------------------------------------------------------------------------------- plan


def _json(said: Mapping[str, Any]) -> str:
    try:
        return json.dumps(said)
    except (TypeError, ValueError, RecursionError) as error:
        raise OptionError(f"a rule cannot be written as JSON: {error}") from None


def _both_named(rule: Any, right_of: Mapping[str, str]) -> Any:
    """A rule that names a column of the left table, with its name in the right table."""
    if isinstance(rule, str):
        return {"column": rule, "right": right_of[rule]} if rule in right_of else rule
    if "columns" in rule:
        return rule | {"columns": [_both_named(column, right_of) for column in rule["columns"]]}
    return rule | {
        "right": right_of[rule["column"]]
    } if rule.get("column") in right_of and "right" not in rule else rule


def _renamed(text: str, right_of: Mapping[str, str]) -> str:
    """A plan whose rules name columns of the left table, with their names in the right table."""
    members = json.loads(_akin.plan(text)[3], parse_float=str)  # a number stays the text that it is
    named = {
        key: [_both_named(rule, right_of) for rule in rules] for key,
        rules in members.items() if isinstance(rules, list)
    }
    if source := members.get("one-per-source"):
        named["one-per-source"] = _both_named(source, right_of)
    text = json.dumps(members | named)
    left, right = _akin.plan(text)[:2]
    for pair in right_of.items():
        if pair not in zip(left, right, strict=True):
            raise OptionError(
                f"left_on names {pair[0]!r}, and no rule uses this column{did_you_mean(pair[0], left)}; rules use the "
                "names of the left table, and left_id and right_id name rows"
            )
    return text


def _clustering_of(kind: int, num: int, den: int) -> str:
    """The word of a clustering, with its parameter, if it has one."""
    row = next(name for name, value in values("clusterings").items() if value == kind)
    return f"{row}:{ratio_of(Fraction(num, den), 'cluster')}" if num else row


class Learning(NamedTuple):
    """Numbers of the library that matter where weights are learnt."""

    connecting: Fraction  # the probability from which on pairs connect components of clusters; 0: found pairs alone do
    equals_kept: int  # of a group of equal records; 0: weights are not learnt
    rare: int  # values of so many records weigh alike
    largest: int  # records of a component whose pairs are all compared
    least: float  # the probability of a pair that no selection selects, at least


class Plan:
    """A plan of deduplication, as JSON that the library reads, and facts about it. ``right_of``: the names of columns
    in the right table. ``suggest`` adds the rules that a plan lacks: comparisons if ``compare`` is None, and selections
    if there are none."""

    def __init__(
        self, compare: Any, selections: Mapping[str, Any], fold: Any, synonyms: Any, combine: Any,
        others: Mapping[str, Any], right_of: Mapping[str, str], suggest: Callable[[str], str]
    ) -> None:
        said = {
            "combine": _combined(combine), "compare": _compared(compare), **selections, "fold": _folded(fold),
            "synonyms": _synonyms(synonyms), **others
        }
        if not said["compare"] and compare is not None:
            raise OptionError(
                "nothing is compared; expected compare=['COLUMN:COMPARATOR', ...], or None, so that akin finds rules"
            )
        self.is_found = not said["compare"] or not any(selections.values())
        self.text = _json(said)
        if self.is_found:
            self.text = suggest(self.text)
        if right_of:
            self.text = _renamed(self.text, right_of)
        made = _akin.plan(self.text)
        left, right, self.titles, members, ids, how, self.comparisons, self.localities, numbers = made
        self.clustering = _clustering_of(*how)
        self.learning = Learning(Fraction(how[1], how[2]) if how[1] else Fraction(0), *numbers)
        self.job: dict[str, Any] = json.loads(members)
        ids = ids or (None, None)
        self.sided = [f"{a or ''}={b or ''}" for a, b in [*zip(left, right, strict=True), ids] if a != b]
        self.columns = tuple(
            list(dict.fromkeys([*names, *([] if id is None else [id])])) for names,
            id in zip((left, right), ids, strict=True)
        )
        self.ids = tuple(ids)
