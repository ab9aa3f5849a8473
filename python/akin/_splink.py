"""Settings of Splink as rules of akin."""

from __future__ import annotations

import json
import math
import os
import re
import warnings
from collections.abc import Mapping
from typing import Any

from ._akin import InputError, OptionError
from ._checks import flag
from ._rules import Column, sides
from ._selections import block
from ._suggest import suggests

_LEFT = r'"?(?P<left>[^"(),=]+?)_l"?'
_RIGHT = r'"?(?P<right>[^"(),=]+?)_r"?'
_LIMIT = r"(?P<limit>[0-9]{1,15}(?:\.[0-9]*)?|\.[0-9]+)"
# SQL functions that compute a similarity or a distance, and the scorers that compute the same. DuckDB's jaccard
# compares characters.
_SIMILAR = {
    "jaro_winkler_similarity": "jaro-winkler",
    "jaro_winkler_sim": "jaro-winkler",
    "jaro_winkler": "jaro-winkler",
    "jaro_similarity": "jaro",
    "jaro_sim": "jaro",
    "jaccard": "jaccard/1",
}
_DISTANT = {"levenshtein": "levenshtein", "damerau_levenshtein": "osa"}
_DAY = 86400.0
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d")

# Patterns are compiled where they are first used: it takes 2 ms, and most programs use none.
_EXACT = f"{_LEFT} ?= ?{_RIGHT}"
_CALL = rf"(?i)(?P<name>\w+) ?\( ?{_LEFT} ?, ?{_RIGHT} ?\) ?(?P<than><=|>=) ?{_LIMIT}"
_PARSED = r"""(?:(?:try_)?(?:strptime|to_timestamp|to_date)\( ?{} ?, ?'(?P<{}>[^']*)' ?\)|{})"""
_A = _PARSED.format(_LEFT, "format", _LEFT.replace("<left>", "<plain_left>"))
_B = _PARSED.format(_RIGHT, "other", _RIGHT.replace("<right>", "<plain_right>"))
_EPOCH = rf"(?i)abs\( ?epoch\( ?{_A} ?\) ?- ?epoch\( ?{_B} ?\) ?\) ?<= ?{_LIMIT}"
_DIFF = rf"(?i)abs\( ?date_?diff\( ?(?:'day' ?, ?)?{_A} ?, ?{_B} ?\) ?\) ?<= ?{_LIMIT}"
_EQUAL = (
    r"""(?i)(?:l\.(?P<left>"[^"]+"|\w+)|soundex\( ?l\.(?P<sound_left>"[^"]+"|\w+) ?\)) ?= ?"""
    r"""(?:r\.(?P<right>"[^"]+"|\w+)|soundex\( ?r\.(?P<sound_right>"[^"]+"|\w+) ?\))"""
)


class _Stranger(Exception):
    """A part of the settings without a counterpart."""


def _plain(sql: str) -> str:
    """SQL in one line, without parentheses around all of it."""
    sql = " ".join(sql.split())
    while sql.startswith("(") and sql.endswith(")"):
        depth = 0
        for i, c in enumerate(sql):
            depth += (c == "(") - (c == ")")
            if depth == 0 and i < len(sql) - 1:
                return sql
        sql = sql[1:-1].strip()
    return sql


# --------------------------------------------------------------------------------------------------------- comparisons


def _column_of(left: str, right: str, two: bool) -> Column:
    """A column of both records, or one of the left table and another of the right table."""
    if left == right:
        return left
    if not two:
        raise _Stranger("compares two columns of one table")
    return sides(left, right)


def _date_of(match: re.Match[str], two: bool) -> Column:
    if match["format"] != match["other"]:
        raise _Stranger("reads the dates of the two records by different formats")
    if match["format"] not in (None, *_DATES):
        raise _Stranger(f"has dates as {match['format']}; expected YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD")
    return _column_of(match["left"] or match["plain_left"], match["right"] or match["plain_right"], two)


def _level_of(sql: str, two: bool) -> tuple[Column, str, float]:
    """The column, the scorer and the limit of a level: a least similarity; for dates the most days; for distances 0,
    because no similarity corresponds to them."""
    text = _plain(sql)
    if match := re.fullmatch(_EXACT, text):
        return _column_of(match["left"], match["right"], two), "exact", 1.0
    if match := re.fullmatch(_CALL, text):
        name = match["name"].lower()
        known = _SIMILAR if match["than"] == ">=" else _DISTANT
        if name not in known:
            raise _Stranger(f"is by {match['name']}")
        return _column_of(match["left"], match["right"], two), known[name], float(
            match["limit"]
        ) if known is _SIMILAR else 0.0
    for pattern, day in ((_EPOCH, _DAY), (_DIFF, 1.0)):
        if match := re.fullmatch(pattern, text):
            return _date_of(match, two), "date", float(match["limit"]) / day
    raise _Stranger(
        "is no comparison by equality, Levenshtein, Damerau-Levenshtein, Jaro, Jaro-Winkler, Jaccard or days"
    )


def _weight_of(level: Mapping[str, Any]) -> float | None:
    """The match weight of a level, log2(m / u), if the model was trained."""
    trained = []
    for key in ("m_probability", "u_probability"):
        p = level.get(key)
        if isinstance(p, (int, float)) and not isinstance(p, bool) and 0 < p <= 1:
            trained.append(math.log2(p))
    return trained[0] - trained[1] if len(trained) == 2 else None


def _compared(comparison: Mapping[str, Any], two: bool) -> tuple[list[tuple[Column, str, float]], float | None]:
    """The rules (column, scorer, threshold) of a comparison, and its weight."""
    column: Column | None = None
    limits: dict[str, float] = {}
    weight: float | None = None
    for level in comparison["comparison_levels"]:
        sql: str = level["sql_condition"]
        if level.get("is_null_level") or sql.strip().upper() == "ELSE":
            continue
        try:
            name, scorer, limit = _level_of(sql, two)
        except _Stranger as why:
            raise _Stranger(f"level {sql!r} {why}") from None
        if column not in (None, name):
            raise _Stranger(f"level {sql!r} is of another column than the level before")
        if not limits:
            weight = _weight_of(level)
        column = name
        worst = max if scorer == "date" else min
        limits[scorer] = worst(limits.get(scorer, limit), limit)
    if column is None:
        raise _Stranger("it has no level but null and ELSE")
    if len(limits) > 1:
        limits.pop("exact", None)  # the same by any other scorer is 1, too
    rules = [
        (column, f"date/{math.ceil(limit)}", 0.0)
        if scorer == "date"
        else (column, scorer, 0.0 if scorer == "exact" else limit)
        for scorer, limit in limits.items()
    ]
    if weight is not None and weight <= 0:
        raise _Stranger("agreement speaks against a match: its weight log2(m / u) is not above 0")
    return rules, weight


# ------------------------------------------------------------------------------------------------------ blocking rules


def _sql_of(rule: Any) -> str:
    """The SQL of a blocking rule, which is a str or an object."""
    return str(rule["blocking_rule"] if isinstance(rule, Mapping) else rule)


def _selected(rule: Any, two: bool) -> str:
    """The rule ``block`` of a blocking rule."""
    if isinstance(rule, Mapping) and rule.get("arrays_to_explode"):
        raise _Stranger("explodes arrays")
    sql = _sql_of(rule)
    parts: list[Column | tuple[Column, str]] = []
    for part in re.split(r"\s+and\s+", _plain(sql), flags=re.IGNORECASE):
        match = re.fullmatch(_EQUAL, _plain(part))
        if not match or (match["left"] is None) != (match["right"] is None):
            raise _Stranger(f"{part!r} is not l.COLUMN = r.COLUMN; make a column of it first")
        left, right = (name.strip('"') for name in match.groups() if name)
        column = _column_of(left, right, two)
        parts.append(column if match["left"] else (column, "soundex"))
    return str(block(*parts))


# ------------------------------------------------------------------------------------------------------------ settings


def _is_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, Mapping) for one in value)


def _check(read: Any, name: str) -> Mapping[str, Any]:
    """Refuses settings that do not have the form of Splink, in the parts that akin reads."""
    if not isinstance(read, Mapping):
        raise InputError(f"{name}: expected an object, as JSON has them, got {type(read).__name__}")
    comparisons, rules = read.get("comparisons", []), read.get("blocking_rules_to_generate_predictions") or []
    if not _is_objects(comparisons):
        raise InputError(f"{name}: 'comparisons': expected a list of objects")
    for comparison in comparisons:
        levels = comparison.get("comparison_levels")
        if not _is_objects(levels) or not all(isinstance(level.get("sql_condition"), str) for level in levels):
            raise InputError(
                f"{name}: 'comparison_levels': expected a list of objects, each with a text 'sql_condition'"
            )
    if not isinstance(rules, list):
        raise InputError(f"{name}: 'blocking_rules_to_generate_predictions': expected a list")
    for rule in rules:
        if not isinstance(rule.get("blocking_rule") if isinstance(rule, Mapping) else rule, str):
            raise InputError(
                f"{name}: blocking rule {rule!r}: expected a text, or an object with a text 'blocking_rule'"
            )
    if not isinstance(read.get("unique_id_column_name", ""), str):
        raise InputError(f"{name}: 'unique_id_column_name': expected a text")
    return read


def _read(settings: Any) -> Mapping[str, Any]:
    name = "the settings"
    if hasattr(settings, "create_settings_dict"):
        return _check(settings.create_settings_dict("duckdb"), name)
    if isinstance(settings, Mapping):
        return _check(settings, name)
    if not isinstance(settings, (str, bytes, os.PathLike)):
        raise TypeError(
            "expected settings of Splink, a dictionary, a SettingsCreator, JSON or a path, got "
            f"{type(settings).__name__}"
        )
    if isinstance(settings, os.PathLike) or (isinstance(settings, str) and not settings.lstrip().startswith("{")):
        name = os.fspath(settings)
        with open(settings, "rb") as file:
            settings = file.read()
    try:
        read = json.loads(settings)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: {error}") from None
    return _check(read, name)


@suggests
def splink(settings: Any, *, skip: bool = False) -> dict[str, Any]:
    """Reads settings of Splink as rules: ``akin.dedupe(table, **akin.splink("model.json"), threshold=0.9)``.

    Parameters
    ----------
    settings
        The path of a JSON file, as ``linker.misc.save_model_to_json`` writes it, its text, the dictionary, or a
        ``SettingsCreator``.
    skip
        True leaves out comparisons and blocking rules without a counterpart, with a warning. Otherwise they are
        refused.

    Returns
    -------
    dict
        Arguments of :func:`akin.dedupe` and :func:`akin.link`: ``compare``; ``block``, or without blocking rules
        ``all_pairs``; ``missing``, which is ``"skip"``, as null levels of Splink do not count; ``id``; and
        ``max_block``, large enough for all blocks.

    Raises
    ------
    OptionError
        A comparison or a blocking rule has no counterpart; the message names it.
    InputError
        The file is not JSON, or the settings are malformed.
    TypeError, OSError
        See the package.

    Notes
    -----
    Splink adds match weights of levels, and akin averages similarities. So scores differ, and you need a new threshold.
    With ``weights="learn"`` akin learns weights, too, and needs no threshold: ``akin.dedupe(table, **rules,
    weights="learn")``.

    Exact matches become ``exact``. Jaro, Jaro-Winkler and DuckDB's Jaccard (of characters) stay, with the threshold of
    the lowest level. Levenshtein and Damerau-Levenshtein become ``levenshtein`` and ``osa`` without a threshold,
    because the similarity of a distance depends on the length. Differences of dates become ``date/DAYS``, with the days
    of the widest level. A comparison by several of these becomes several rules, which share its weight. Weights are 1,
    or in a trained model ``log2(m / u)`` of the first level. Rare values do not weigh more, which raises a warning.

    Blocking rules are those of ``block_on``: ``l.x = r.x``, ``soundex(l.x) = soundex(r.x)``, and several with AND. A
    condition on two columns, such as ``l.x = r.y``, becomes :func:`akin.sides`. It needs the two tables of
    :func:`akin.link`, so settings with ``dedupe_only`` cannot have it.

    Examples
    --------
    >>> import akin
    >>> names = [
    ...     {"sql_condition": "name_l IS NULL OR name_r IS NULL", "is_null_level": True},
    ...     {"sql_condition": "jaro_winkler_similarity(name_l, name_r) >= 0.9"},
    ...     {"sql_condition": "ELSE"},
    ... ]
    >>> blocks = ["l.city = r.city"]
    >>> rules = akin.splink({"blocking_rules_to_generate_predictions": blocks,
    ...                      "comparisons": [{"comparison_levels": names}]})
    >>> sorted(rules)
    ['block', 'compare', 'id', 'max_block', 'missing']
    >>> linked = {
    ...     "link_type": "link_only",
    ...     "blocking_rules_to_generate_predictions": ["l.city = r.town"],
    ...     "comparisons": [{"comparison_levels": [{"sql_condition": "levenshtein(name_l, title_r) <= 2"}]}],
    ... }
    >>> rules = akin.splink(linked)
    >>> rules["compare"], rules["block"]
    ([(akin.sides('name', 'title'), 'levenshtein', 0.0, 1.0)], ['city=town'])
    """
    read, skip = _read(settings), flag(skip, "skip")
    if read.get("link_type") == "link_and_dedupe":
        raise OptionError(
            "link_type 'link_and_dedupe' has no counterpart; concatenate the tables, and deduplicate the result with "
            "akin.dedupe"
        )
    strangers: list[str] = []
    two = read.get("link_type") != "dedupe_only"
    compared: list[tuple[list[tuple[Column, str, float]], float | None]] = []
    blocks: list[str] = []
    everything: dict[str, Any] = {}
    for comparison in read.get("comparisons", []):
        name = comparison.get("output_column_name") or comparison.get("comparison_description")
        try:
            compared.append(_compared(comparison, two))
        except _Stranger as why:
            strangers.append(f"comparison {name!r}: {why}")
        if any(level.get("tf_adjustment_column") for level in comparison["comparison_levels"]):
            warnings.warn(f"comparison {name!r}: rare values weigh as much as others here", stacklevel=2)
    for rule in read.get("blocking_rules_to_generate_predictions") or []:
        try:
            blocks.append(_selected(rule, two))
        except _Stranger as why:
            strangers.append(f"blocking rule {_sql_of(rule)!r}: {why}")
    if strangers and not skip:
        raise OptionError(
            f"{strangers[0]}: there is no counterpart in akin" + (
                f" ({len(strangers)} in all)" if strangers[1:] else ""
            )
        )
    for stranger in strangers:
        warnings.warn(f"{stranger}: left out, as there is no counterpart in akin", stacklevel=2)
    if not compared:
        raise OptionError("there is no comparison")
    if not blocks and not read.get("blocking_rules_to_generate_predictions"):
        everything = {"all_pairs": True}
    trained = all(weight is not None for _, weight in compared)
    compare = []
    for rules, weight in compared:
        each = round((weight or 1) / len(rules), 6) if trained else 1 / len(rules)
        compare += [(column, scorer, threshold, each) for column, scorer, threshold in rules]
    return {
        "compare": compare,
        **(everything or {"block": blocks}),
        "missing": "skip",
        "id": read.get("unique_id_column_name", "unique_id"),
        "max_block": 2**32 - 1,
    }
