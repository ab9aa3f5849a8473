"""Every option of the command has a counterpart in Python: a parameter of its name, or the one in docs/python.md."""

import inspect
import pathlib
import re

import pytest

import akin
from akin._settings import Settings

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
SECTION = DOCUMENT.read_text(encoding="utf-8").partition("\n## What the command does, in Python\n")[2]
ROWS = dict(re.findall(r"^\| `akin (\w+)` \| (.*) \|$", SECTION, re.MULTILINE))
EVERYWHERE = re.findall(r"`--([a-z-]+)`", SECTION.partition("\nIn every function, ")[2].partition("\n\n")[0])
RUNNING = set(Settings.__annotations__)


def options_of(text):
    """Long names of the options that a help describes."""
    return re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)", text, re.MULTILINE)


def named(path):
    """What stands behind a dotted name."""
    found = akin
    for name in path.split(".")[1:]:
        found = getattr(found, name)
    return found


def parameters_of(row):
    found = set()
    for path in re.findall(r"`(akin\.[A-Za-z0-9_.]+)`", row):
        taken = inspect.signature(named(path)).parameters
        found |= set(taken) - {"run"} | (RUNNING if "run" in taken else set())
    return found


def verbs(command):
    return re.findall(
        r"^  (\w+) +\w", command("help").decode().partition("\nCommands:\n")[2].partition("\n\n")[0], re.MULTILINE
    )


def test_every_verb(command):
    assert set(verbs(command)) - {"help"} == set(ROWS)


@pytest.mark.parametrize("verb", ROWS)
def test_every_option(verb, command):
    options = options_of(command("help", verb).decode())
    parameters, row = parameters_of(ROWS[verb]), ROWS[verb]
    said = set(re.findall(r"`--([a-z0-9-]+)", row))
    assert len(options) == len(set(options)) > 1 and parameters | said
    alone = [
        name
        for name in options
        if name.replace("-", "_") not in parameters and name not in said and name not in EVERYWHERE
    ]
    assert not alone, f"akin {verb}: options without a counterpart; give docs/python.md what to say of them"
    assert not said - set(options), f"akin {verb} has no such options"


# What stands for files and columns of them, has a name of Python's, or is Python's alone: statistics.
RENAMED = set(
    "self progress instead left right table items a b scorer distance cutoff documents words objects queries pairs "
    "gold ranked judgements rows uniform k id left_on right_on left_id right_id weights path format dictionary "
    "technique unknown threshold clusters rules default sources dtype distances mapped statistics measure cut edits "
    "most".split()
)


@pytest.mark.parametrize("verb", ROWS)
def test_every_parameter(verb, command):
    """The other way round."""
    options = {option.replace("-", "_") for option in options_of(command("help", verb).decode())}
    assert parameters_of(ROWS[verb]) <= options | RENAMED | RUNNING | {"lossy"}


def test_nothing_else_is_said_everywhere(command):
    options = {option for verb in ROWS for option in options_of(command("help", verb).decode())}
    assert set(EVERYWHERE) <= options
