"""Jobs that make data or dictionaries: generate and dictionary."""

from __future__ import annotations

from typing import Any

from . import generate
from ._akin import InputError, OptionError
from ._choices import usual, values
from ._dictionary import Dictionary
from ._input import column_of
from ._job_values import Tables, number_of, text_of
from ._objects import sets_of
from ._results import Given
from ._settings import settings
from ._suggest import did_you_mean
from ._write import SAFE_CSV, ending_of, put

# ----------------------------------------------------------------------------------------------------------- dictionary


def run_build(tables: Tables, arguments: dict[str, Any], said: Given) -> Dictionary:
    made = Dictionary.build(*tables, **arguments)
    if "output" in said:
        made.save(said["output"])
    return made


def _dictionary(table: Any) -> Dictionary:
    return table if isinstance(table, Dictionary) else Dictionary.open(table)


def run_look_up(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    opened = _dictionary(tables[0])
    if not said.get("ids"):
        found = opened.look_up(tables[1], **arguments)
        if "output" in said:
            put(said["output"], ("-\n" if id is None else f"{id}\n" for id in found["id"]))
        return found
    given = column_of(tables[1], arguments.get("on"), False, settings()).column(0)
    if wrong := [id for id in given if id is None or not id.isascii() or not id.isdigit() or int(id) >= len(opened)]:
        raise InputError(f"{wrong[0]!r} is no id: expected a whole number below {len(opened)}")
    words = [opened.word(int(id)) for id in given if id is not None]
    if "output" in said:
        put(said["output"], (f"{word}\n" for word in words))
    return words


def run_stats(tables: Tables, arguments: dict[str, Any], said: Given) -> dict[str, Any]:
    return _dictionary(tables[0]).about


# ------------------------------------------------------------------------------------------------------------- generate


def run_records(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    made = generate.records(**arguments, linked="linked" in said)
    for key, table in (("output", made[0]), ("linked", made[1]), ("gold", made[-1])):
        if key in said:
            is_safe = said.get("format") == SAFE_CSV
            table.save(said[key], format=None if is_safe else said.get("format"), safe_csv=is_safe)
    return made


def _grown(arguments: dict[str, Any], grow: Any) -> list[list[int]]:
    """A collection that is read and enlarged. ``grow``: its file, and how many copies of it."""
    if not isinstance(grow, (list, tuple)) or len(grow) != 2:
        raise InputError(f"the job: 'grow' is {grow!r}; expected a file and a number of copies")
    running = {name: value for name, value in arguments.items() if name == "threads"}
    if shape := [name for name in arguments if name not in running]:
        raise OptionError(f"grow and {shape[0]}: a collection that is enlarged keeps its shape")
    return generate.grow(text_of(grow[0], "grow"), number_of(grow[1], "grow"), **running)


def run_sets(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    output = text_of(said["output"], "output") if "output" in said else None
    is_saved = output is not None and ending_of(output) == ".akin"
    made = _grown(arguments, said["grow"]) if "grow" in said else generate.sets(**arguments)
    if output is not None and is_saved:
        sets_of(made, False, settings()).save(settings(), output)
    elif output is not None:
        put(output, (" ".join(map(str, each)) + "\n" for each in made))
    return made


def run_text(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    ways, way = values("distributions"), said.get("distribution", usual("distributions"))
    if way not in ways:
        raise OptionError(f"distribution is {way!r}; expected {' or '.join(ways)}{did_you_mean(way, ways)}")
    made = generate.text(**arguments, uniform=way != usual("distributions"))
    if "output" in said:
        put(said["output"], (("\n" if i else "") + each + "\n" for i, each in enumerate(made)))
    return made
