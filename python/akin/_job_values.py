"""Readers of the values of jobs. Each takes a value and its key, and returns the argument, or refuses the value."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Any

from ._akin import InputError
from ._checks import whole
from ._choices import formats_with_columns, values
from ._dictionary import Dictionary
from ._input import File, input_of
from ._results import Given
from ._rules import Sides, sides
from ._settings import settings

_MOST = 2**32 - 1

Tables = Sequence[Any]  # what a job reads


def flag_of(value: Any, key: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"the job: {key!r} is {value!r}; expected true or false")
    return value


def text_of(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"the job: {key!r} is {value!r}; expected a string")
    return value


def number_of(value: Any, key: str) -> Any:
    """A number as it stands. Text of digits becomes an int."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise InputError(f"the job: {key!r} is {value!r}; expected a number")
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value) else value


def float_of(value: Any, key: str) -> float:
    try:
        return float(number_of(value, key))
    except ValueError:
        raise InputError(f"the job: {key!r} is {value!r}; expected a number") from None


def columns_of(value: Any, key: str) -> list[str]:
    return next(csv.reader([text_of(value, key)]))


_SIDED = re.compile(r'(?:"((?:[^"]|"")*)"|([^",=][^,=]*))(?:=(?:"((?:[^"]|"")*)"|([^",][^,]*)))?(?:,(?=.)|$)')


def sided_columns_of(value: Any, key: str) -> list[str | Sides]:
    """Columns of two tables: NAME or LEFT=RIGHT, separated by commas, perhaps in quotes."""
    columns: list[str | Sides] = []
    at, word = 0, text_of(value, key)
    while not at or at < len(word):
        found = _SIDED.match(word, at)
        if not found or "" in found.groups():
            raise InputError(f"the job: {key!r} is {value!r}; expected names of columns, separated by single commas")
        left, right = (
            (quoted or "").replace('""', '"') or plain or "" for quoted, plain in (found.group(1, 2), found.group(3, 4))
        )
        columns.append(sides(left, right) if right not in ("", left) else left)
        at = found.end()
    for names in zip(
        *([each, each] if isinstance(each, str) else [each.left, each.right] for each in columns), strict=True
    ):
        if twice := [name for name in names if names.count(name) > 1]:
            raise InputError(f"the job: {key!r} is {value!r}; column {twice[0]!r} is named twice")
    return columns


def sided_column_of(value: Any, key: str) -> str | Sides:
    columns = sided_columns_of(value, key)
    if len(columns) > 1:
        raise InputError(f"the job: {key!r} is {value!r}; expected one column; a name with a comma stands in quotes")
    return columns[0]


def levenshtein_of(value: Any, key: str) -> Any:
    """A number of edits; the largest one, if the job has true."""
    return _MOST if value is True else number_of(value, key)


def words_of(value: Any, key: str) -> str | list[str]:
    """Stop words: the name of a language, or the lines of a file."""
    if text_of(value, key) in values("stop-words"):
        return value  # type: ignore[no-any-return]
    read = input_of(File(value, "text"), None, False, settings())
    return [word for word in read.column(0) if word]


def dictionary_of(value: Any, key: str) -> Dictionary:
    return Dictionary.open(text_of(value, key))


def list_of(value: Any, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError(f"the job: {key!r} is {value!r}; expected a list of strings")
    return value


def counts_of(value: Any, key: str) -> dict[str, int]:
    """A list of NAME:N or NAME=N."""
    pairs = [re.split("[:=](?=[0-9]+$)", each) for each in list_of(value, key)]
    if not all(len(pair) == 2 for pair in pairs):
        raise InputError(f"the job: {key!r} is {value!r}; expected names with whole numbers")
    return {name: int(number) for name, number in pairs}


def two_of(value: Any, key: str) -> tuple[float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InputError(f"the job: {key!r} is {value!r}; expected two numbers")
    return float_of(value[0], key), float_of(value[1], key)


def digits_of(said: Given) -> int | None:
    """The digits of similarities and scores. None: the fewest digits that give the same number again."""
    return whole(number_of(said["digits"], "digits"), "digits", 0, 15) if "digits" in said else None


def shown_names(said: Given) -> list[str]:
    """The columns that results show, of one table."""
    return columns_of(said["show"], "show") if "show" in said else []


def sided_names(said: Given) -> list[str | Sides]:
    """The columns that results show, of two tables: NAME, or LEFT=RIGHT."""
    return sided_columns_of(said["show"], "show") if "show" in said else []


def without(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    """Arguments but for those of these names."""
    return {name: value for name, value in arguments.items() if name not in names}


def has_columns(table: Any) -> bool:
    """Whether a table has columns with names, as far as its format or its type says."""
    if isinstance(table, File):
        return table.format in formats_with_columns()
    return not isinstance(table, (list, tuple))
