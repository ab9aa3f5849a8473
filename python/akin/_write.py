"""Results as the command writes them, to files of CSV, TSV and JSON lines that appear whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from ._akin import InputError, OptionError

FORMATS = ("csv", "tsv", "jsonl")


def format_of(path: str, given: str | None) -> str:
    """The format of a file that is written: as given, or as its name ends."""
    if given is not None:
        if given not in FORMATS:
            raise OptionError(f"output-format is {given!r}; expected csv, tsv or jsonl")
        return given
    ends = {".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
    return ends.get(os.path.splitext(path)[1].lower(), "csv")


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


def _json(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_json(v)}" for k, v in value.items()) + "}"
    return digits(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


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
    """Writes lines to a file that appears whole or not at all; "-" is standard output."""
    if path == "-":
        sys.stdout.writelines(lines)
        return
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
