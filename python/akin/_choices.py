"""The tables of choices of the library: measures, techniques, comparators, formats and so on."""

from __future__ import annotations

from typing import NamedTuple

from . import _akin
from ._checks import text
from ._suggest import suggests


class Choice(NamedTuple):
    """A row of a table of choices: see :func:`akin.choices`.

    >>> import akin
    >>> akin.choices("comparators")[0].name
    'levenshtein'
    """

    name: str
    arguments: str
    help: str
    capabilities: frozenset[str]


@suggests
def choices(what: str = "choices") -> list[Choice]:
    """Lists the names that an argument, or an option of the command, takes.

    Parameters
    ----------
    what
        The name of a table, such as ``"measures"``, ``"techniques"`` or ``"keys"``. ``"choices"`` lists all tables.

    Returns
    -------
    list of Choice
        Each has a ``name``, the ``arguments`` that may follow the name, a line of ``help``, and ``capabilities``, a set
        of names that the table ``"capabilities"`` explains.

    Raises
    ------
    OptionError
        There is no such table.

    Examples
    --------
    >>> import akin
    >>> [measure.name for measure in akin.choices("measures")][:3]
    ['jaccard', 'cosine', 'dice']
    >>> akin.choices("measures")[0].help
    'tokens in common / tokens in either set'
    >>> sorted(akin.choices("measures")[1].capabilities)
    ['dedupe', 'join', 'search']
    """
    bits = {value: name for name, _, _, value, _ in _akin.choices("capabilities")}
    return [
        Choice(name, arguments, help, frozenset(named for bit, named in bits.items() if capabilities & bit))
        for name, arguments, help, _, capabilities in _akin.choices(text(what, "what"))
    ]


def values(what: str, capability: str | None = None) -> dict[str, int]:
    """The values in C of the names of a table, or of the rows with a capability."""
    (bit,) = [
        value for name, _, _, value, _ in _akin.choices("capabilities") if name == capability
    ] if capability else (-1,)
    return {
        name: value for name, _, _, value,
        capabilities in _akin.choices(what) if capability is None or capabilities & bit
    }


def formats_with_columns() -> set[str]:
    """The formats of tables whose columns have names."""
    return {*values("table-formats", "columns"), *values("opened-formats", "columns")}


def usual(what: str) -> str:
    """The name of the default row."""
    return next(row.name for row in choices(what) if "default" in row.capabilities)
