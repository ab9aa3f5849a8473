"""Writers of results: files of CSV, TSV and JSON lines, and by other libraries those of :mod:`akin._savers`. Those of
jobs have the same bytes as those of the command."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from . import _akin
from ._akin import InputError, OptionError
from ._choices import values
from ._settings import decimal_of, here, settings
from ._suggest import did_you_mean

_AT_ONCE = 4096  # lines that are encoded together
SAFE_CSV = "safe-csv"  # CSV for spreadsheets, which is no choice beside CSV
# what a spreadsheet may take for a formula, as akin_is_formula of akin.h says
_FORMULA = re.compile(r"(?![-+]([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\Z)[-=+@\uff1d\uff0b\uff0d\uff20\t\r\n]")
_ESCAPED = re.compile('[\0-\x1f"\\\\]')


def ending_of(path: str) -> str:
    """The ending of a file to write, in lower case. Endings of compressed files are refused, as by the command."""
    ending = os.path.splitext(path)[1].lower()
    if ending in (".gz", ".zst"):
        raise OptionError(f"{path}: output is not compressed: expected a name without {ending}")
    return ending


def check_page(path: str) -> None:
    """Refuses names of other formats for a page of HTML, as the command does."""
    ending = ending_of(path)
    if _akin.format_of_name(path) is not None or ending[1:] in values("foreign-formats") or ending in (
        ".json", ".akin", ".pdf"
    ):
        raise OptionError(f"report {path}: the report is a page of HTML: expected a name such as report.html")


def format_of(path: str, given: str | None, *more: str) -> str:
    """The format of a file to write: the given one, or by the ending of its name, or else the first one. ``more``:
    formats before FORMATS."""
    ending, names = ending_of(path), (*more, *FORMATS)
    if given == SAFE_CSV:
        if (told := format_of(path, None)) != "csv":
            raise OptionError(f"safe_csv and {path}: that is {told}; leave out safe_csv, or write CSV")
        return SAFE_CSV
    listed = " or ".join((", ".join(names[:-1]), names[-1]))
    if given is not None:
        if saved := saved_format(path):
            raise OptionError(f"format {given} and {path}: that is {saved}; leave out the format, or name another file")
        if given not in names:
            raise OptionError(f"format is {given!r}; expected {listed}{did_you_mean(given, names)}")
        return given
    if ending in (".json", ".akin"):
        raise OptionError(f"{path}: it is written as {listed}: name it so, or say the format")
    _akin.check_output_name(path)
    named = _akin.format_of_name(path)
    return named if named is not None and (named in FORMATS or saved_format(path)) else names[0]


def is_csv(format: str) -> bool:
    """Whether that is the format that ``safe_csv`` is for."""
    return format == "csv"


def safe(format: str | None, is_safe: bool) -> str | None:
    """The format that is given, or that of ``safe_csv``, which is for CSV alone."""
    if is_safe and format not in (None, "csv"):
        raise OptionError(f"safe_csv and format {format!r}: leave out safe_csv, or write CSV")
    return SAFE_CSV if is_safe else format


def saved_format(path: str) -> str | None:
    """The format of "opened-formats" that a path or an address is of, which another library writes."""
    named = _akin.format_of_name(path)
    return named if named in values("opened-formats") else None


def save_table(path: str, table: Any, replace: bool) -> bool:
    """Writes a table by another library, if the path or the address is of its format; else returns False."""
    format = saved_format(path)
    if format is None:
        return False
    from ._savers import save

    save(path, format, table, replace)
    return True


# Types of columns of results, whatever their values look like.
_TYPES = {"similarity": "double", "distance": "double", "score": "double", "cluster": "int64", "size": "int64",
          "rank": "int64", "row": "int64"}  # fmt: skip


def _arrow_of(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], formats: Mapping[str, str]) -> Any:
    """Rows as a table of pyarrow. A column of numbers and words has words. ``formats``: types of columns, as Arrow has
    them, whose values may have become text."""
    import pyarrow

    from ._savers import of_text, type_of

    def array_of(name: str, column: list[Any]) -> Any:
        if name in formats and name not in _TYPES:
            made = pyarrow.array([value if value is None else str(value) for value in column], "string")
            return of_text(made, type_of(formats[name]))
        if all(value is None for value in column):
            return pyarrow.array(column, _TYPES.get(name, "string"))
        try:
            return pyarrow.array(column, _TYPES.get(name))
        except (TypeError, pyarrow.ArrowInvalid):
            return pyarrow.array([None if value is None else str(value) for value in column], "string")

    lists = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    arrays = [array_of(name, column) for name, column in zip(columns, lists, strict=True)]
    return pyarrow.Table.from_arrays(arrays, list(columns))


def digits(value: float) -> str:
    """The fewest digits that read back to the same double."""
    return next(text for digits in (15, 16, 17) if float(text := f"{value:.{digits}g}") == value)


def with_point(value: float) -> str:
    """The same, with a point or an exponent. So readers that infer types see a double: 1.0."""
    text = digits(value)
    return text if any(c in text for c in ".en") else text + ".0"


Doubles = Callable[[float], str]  # the text of a double


class _Delimited:
    """Lines of values, after a line with the names of the columns."""

    def __init__(self, between: str) -> None:
        self.between = between

    def quoted(self, text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in '",\n\r') else text

    def _cell(self, value: Any, doubles: Doubles) -> str:
        if value is None:
            return ""
        if isinstance(value, bool):
            return "true" if value else "false"
        return doubles(value) if isinstance(value, float) else self.quoted(str(value))

    def line(self, values: Iterable[Any], doubles: Doubles = digits) -> str:
        return self.between.join(self._cell(value, doubles) for value in values)

    def lines(
        self, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], nested: slice | None, doubles: Doubles
    ) -> Iterator[str]:
        yield self.line(columns)
        yield from (self.line(row, doubles) for row in rows)


class _Safe(_Delimited):
    """Lines for spreadsheets: what they may take for a formula is quoted, with an apostrophe before it."""

    def quoted(self, text: str) -> str:
        return '"\'' + text.replace('"', '""') + '"' if _FORMULA.match(text) else super().quoted(text)


class _Tabbed(_Delimited):
    """Lines of values without quotes. Some texts do not fit into them."""

    def quoted(self, text: str) -> str:
        if any(c in text for c in "\t\n\r"):
            raise InputError(f"{text!r} has a tab or a line end, which TSV cannot hold")
        return text


class _JsonLines:
    """An object in each line. The columns of ``nested`` become its member ``each``, an object."""

    def lines(
        self, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], nested: slice | None, doubles: Doubles
    ) -> Iterator[str]:
        for row in rows:
            members = [*zip(columns, row, strict=True)]
            if nested:
                members[nested] = [("each", dict(members[nested]))]
            yield _object(members, doubles)


def _quoted(text: str) -> str:
    """A string of JSON, with escapes only where JSON needs them, and in one form: \\u000a, not \\n."""
    return '"' + _ESCAPED.sub(lambda c: f"\\{c[0]}" if c[0] >= " " else f"\\u{ord(c[0]):04x}", text) + '"'


def _object(members: Iterable[tuple[str, Any]], doubles: Doubles) -> str:
    return "{" + ",".join(f"{_quoted(key)}:{_json(value, doubles)}" for key, value in members) + "}"


def _json(value: Any, doubles: Doubles = digits) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, dict):
        return _object(value.items(), doubles)
    return _quoted(value) if isinstance(value, str) else doubles(value) if isinstance(value, float) else str(value)


def job_text(job: Mapping[str, Any]) -> str:
    """A job as the command writes it, with a line for each member and each rule."""
    return "{\n" + ",\n".join(f"  {_quoted(key)}: {_member(value, key)}" for key, value in job.items()) + "\n}\n"


def _member(value: Any, key: str = "") -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(name)}: {_member(each)}" for name, each in value.items()) + "}"
    if isinstance(value, (list, tuple)) and key not in ("", "input"):
        return "[\n    " + ",\n    ".join(map(_member, value)) + "\n  ]"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_member, value)) + "]"
    return _json(value) if value is None or isinstance(value, (bool, str)) else decimal_of(value, key)


# The writers of results, those of the command (cli/writer.c); the first one is the default.
FORMATS: dict[str, _Delimited | _JsonLines] = {"csv": _Delimited(","), "tsv": _Tabbed("\t"), "jsonl": _JsonLines()}
_SAFE = _Safe(",")


def write(
    path: str, format: str, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], nested: slice | None = None,
    doubles: Doubles = digits, formats: Mapping[str, str] | None = None
) -> None:
    """Writes rows. In JSON lines the columns of ``nested`` are an object ``each``. ``formats``: types of columns whose
    values became text, for formats that keep types."""
    writer = _SAFE if format == SAFE_CSV else FORMATS.get(format)
    if writer is None:
        save_table(path, _arrow_of(columns, rows, formats or {}), False)
        return
    put(path, (line + "\n" for line in writer.lines(columns, rows, nested, doubles)))


def put(path: str, lines: Iterable[str]) -> None:
    """Writes lines to a file, as all of akin's files are written: it appears whole or not at all, with the mode of the
    file that it replaces. Links are followed, and pipes and devices are written to directly. "-" is standard output."""
    if path == "-":
        sys.stdout.writelines(lines)
    else:
        _akin.write_file(here(settings()), path, _pieces(iter(lines)))


def put_array(path: str, array: Any) -> None:
    """Writes an array as a file of NumPy, likewise."""
    import io

    import numpy

    head = io.BytesIO()
    numpy.lib.format.write_array_header_1_0(head, numpy.lib.format.header_data_from_array_1_0(array))
    pieces: Iterator[bytes] = (piece.tobytes() for piece in (numpy.frombuffer(head.getvalue(), "u1"), *array))
    if path == "-":
        sys.stdout.buffer.writelines(pieces)
    else:
        _akin.write_file(here(settings()), path, pieces)


def _pieces(lines: Iterator[str]) -> Iterator[bytes]:
    while some := "".join(islice(lines, _AT_ONCE)):
        yield some.encode()
