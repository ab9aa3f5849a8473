"""Results as the command writes them, to files of CSV, TSV and JSON lines that appear whole or not at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from . import _akin, _choices
from ._akin import InputError, OptionError
from ._settings import here, settings

FORMATS = tuple(_choices.values("table-formats", "write"))
ENDINGS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}

_AT_ONCE = 4096  # lines that are encoded together
_ESCAPED = re.compile('[\0-\x1f"\\\\]')


def ending_of(path: str) -> str:
    """How the name of a file that is written ends, in lower case; what is not written by such a name is refused, as by the command."""
    ending = os.path.splitext(path)[1].lower()
    if ending in (".gz", ".zst"):
        raise OptionError(f"{path}: output is not compressed: expected a name without {ending}")
    return ending


def format_of(path: str, given: str | None) -> str:
    """The format of a file that is written: as given, or as its name ends."""
    ending = ending_of(path)
    if given is not None:
        if given not in FORMATS:
            raise OptionError(f"output-format is {given!r}; expected {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
        return given
    if ending in (".json", ".akin"):
        raise OptionError(f"{path}: it is written as csv, tsv or jsonl: name it so, or say the output-format")
    return ENDINGS.get(ending, "csv")


def digits(value: float) -> str:
    """The fewest digits that read back to the same double."""
    return next(text for digits in (15, 16, 17) if float(text := f"{value:.{digits}g}") == value)


def _cell(value: Any, format: str) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return digits(value)
    text = str(value)
    if format == "tsv" and any(c in text for c in "\t\n\r"):
        raise InputError(f"{text!r} has a tab or a line end, which TSV cannot hold")
    if format == "csv" and any(c in text for c in '",\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _quoted(text: str) -> str:
    """A string of JSON: escaped is what must be, and in one way, \\u000a and not \\n, too."""
    return '"' + _ESCAPED.sub(lambda c: f"\\{c[0]}" if c[0] >= " " else f"\\u{ord(c[0]):04x}", text) + '"'


def _json(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(k)}:{_json(v)}" for k, v in value.items()) + "}"
    return _quoted(value) if isinstance(value, str) else digits(value) if isinstance(value, float) else str(value)


def write(path: str, format: str, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], nested: int | None = None) -> None:
    """Writes rows; of JSON lines the columns from `nested` on are an object ``each``."""
    between = "\t" if format == "tsv" else ","
    lines = [] if format == "jsonl" else [between.join(_cell(name, format) for name in columns)]
    for row in rows:
        if format == "jsonl":
            pairs = dict(zip(columns[:nested], row[:nested], strict=True))
            if nested is not None:
                pairs["each"] = dict(zip(columns[nested:], row[nested:], strict=True))
            lines.append(_json(pairs))
        else:
            lines.append(between.join(_cell(value, format) for value in row))
    put(path, (line + "\n" for line in lines))


def put(path: str, lines: Iterable[str]) -> None:
    """Writes lines to a file as all of akin's are: it appears whole or not at all, with the mode of one that it replaces; links are
    followed, and what is no regular file is written to as it stands. "-" is standard output."""
    if path == "-":
        sys.stdout.writelines(lines)
    else:
        _akin.write_file(here(settings()), path, _pieces(iter(lines)))


def _pieces(lines: Iterator[str]) -> Iterator[bytes]:
    while some := "".join(islice(lines, _AT_ONCE)):
        yield some.encode()
