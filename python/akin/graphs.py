"""Small undirected graphs with labelled nodes and edges: all pairs within some edits, and the edit distance of two with
what becomes of each node and edge.

An edit inserts a node or deletes one that has no edges, inserts an edge or deletes one, or renames a node or an edge. A
graph is a str: the labels of its nodes, which have the numbers 0, 1, 2 ..., and behind a semicolon its edges, such as
``C C O; 0-1:single 1-2:double``. docs/graphs.md defines it. :func:`of_edges` makes the text of nodes and edges.

Examples
--------
>>> import akin
>>> akin.graphs.distance("C C O; 0-1 1-2", "C C N; 0-1 1-2:double")
2
>>> akin.graphs.join(["C C O; 0-1 1-2", "O C C; 0-1 1-2", "C C"], edits=2)
akin.Table of 1 rows
left  right  distance
   0      1         0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from . import _akin
from ._akin import InputError, OptionError
from ._checks import whole
from ._input import Names, SidedNames, both_ids, both_named, each_side
from ._pairs import Pairs
from ._rules import Sides
from ._settings import Progress, Size, settings
from ._shown import Show, show_pairs
from ._suggest import attributes_of, suggests
from .strings import pairs_of, rows_of

__all__ = ["Comparison", "Edge", "Node", "compare", "distance", "join", "of_edges"]
__getattr__ = attributes_of(__name__, __all__)

_ANY = 2**32 - 1  # edits
_BUDGET = 1_000_000


class Node(NamedTuple):
    """A node of a graph that was compared."""

    label: str
    partner: int | None
    """The number of the node of the other graph that this one becomes, renamed if the labels differ. None: a node of
    the left graph is deleted, one of the right graph inserted."""


class Edge(NamedTuple):
    """An edge of a graph that was compared."""

    first: int
    second: int
    """Its nodes, the lower number first."""
    label: str
    partner: int | None
    """The place of the edge of the other graph that this one becomes, or None, as for nodes."""


class Comparison(NamedTuple):
    """A comparison of two graphs. Edges are sorted by their nodes."""

    distance: int
    left_nodes: list[Node]
    left_edges: list[Edge]
    right_nodes: list[Node]
    right_edges: list[Edge]


def _budget_of(budget: int | None) -> int:
    """The states of a pair; 0: any number."""
    return 0 if budget is None else whole(budget, "budget", 1, 2**64 - 1)


@suggests
def join(
    left: Any,
    right: Any = None,
    on: SidedNames = None,
    *,
    edits: int,
    budget: int | None = _BUDGET,
    undecided: bool = False,
    left_on: Names = None,
    right_on: Names = None,
    id: str | Sides | None = None,
    left_id: str | None = None,
    right_id: str | None = None,
    show: Show = None,
    lossy: bool = False,
    threads: int = 0,
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """Finds all pairs of graphs that are at most ``edits`` edits apart, exactly: of two rows of ``left``, or of a row
    of ``left`` and one of ``right``. Rows that are null or blank are in no pair.

    Parameters
    ----------
    left, right
        Columns of str, tables or files (see the package).
    edits
        The largest distance, 0 or more. Up to 5 or so are fast.
    budget
        The most states of the search for the distance of a pair; None: any number. A pair that takes more raises
        LimitError, which names it.
    undecided
        Such a pair is a result whose distance is null: nobody knows whether it is at most ``edits``.
    on, left_on, right_on
        The column of graphs, of both tables or of each.
    id, left_id, right_id, show
        As in :func:`akin.join`.
    lossy, threads, memory, progress
        See the package.

    Returns
    -------
    Pairs
        The columns ``left``, ``right`` and ``distance``, sorted by rows.

    Raises
    ------
    OptionError
        A column is missing, or an option is out of range.
    InputError
        A text is no graph, or not UTF-8.
    LimitError
        A graph has more than 1,024 nodes, or a pair takes more states than the budget.
    TypeError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> table = {"id": ["p", "q", "r"], "g": ["C C O; 0-1 1-2", "C C N; 0-1 1-2", "C; "]}
    >>> akin.graphs.join(table, on="g", id="id", edits=1)[0]
    {'left': 0, 'right': 1, 'left_id': 'p', 'right_id': 'q', 'distance': 1}
    >>> akin.graphs.join(table, on="g", edits=1, budget=1, undecided=True).to_dict()
    {'left': [0], 'right': [1], 'distance': [None]}
    """
    job = settings(threads, "cpu", memory, progress)
    most = whole(edits, "edits")
    states = _budget_of(budget)
    columns = each_side("on", on, left_on, right_on, right is not None)
    ids = both_ids(id, left_id, right_id, right is not None)
    first, second = both_named((left, right), columns, ids, lossy, job)
    if first[1] > 1 or (second and second[1] > 1):
        raise OptionError("several columns; expected one, which has the graphs")
    shown = show_pairs(show, (left, right), rows_of(first, second), lossy)
    made, did = _akin.match_graphs(job, first[0], second and second[0], most, states, bool(undecided))
    return pairs_of(made, first, second, shown, did, job)


_Lists = tuple[int | None, list[Any], list[Any], list[Any], list[Any]]


def _compared(a: str, b: str, most: int, budget: int | None) -> _Lists:
    if not isinstance(a, str) or not isinstance(b, str):
        other = a if not isinstance(a, str) else b
        raise TypeError(f"expected two graphs as str, got {type(other).__name__}; akin.graphs.join takes columns")
    try:
        return _akin.compare_graphs(settings(threads=1, device="cpu"), a, b, most, _budget_of(budget))
    except UnicodeEncodeError:
        raise InputError("a graph has half of a surrogate pair, which UTF-8 lacks") from None


def distance(a: str, b: str, *, most: int | None = None, budget: int | None = _BUDGET) -> int | None:
    """The edit distance of two graphs; None if it is above ``most``, which is found out sooner.

    Raises TypeError if an argument is not a str, InputError if it is no graph, and LimitError if the search takes more
    states than ``budget`` (None: any number).

    >>> import akin
    >>> akin.graphs.distance("C C O; 0-1 1-2", "C C; 0-1"), akin.graphs.distance("a b", "c d", most=1)
    (2, None)
    """
    return _compared(a, b, _ANY if most is None else whole(most, "most"), budget)[0]


def compare(a: str, b: str, *, budget: int | None = _BUDGET) -> Comparison:
    """The edit distance of two graphs, and what becomes of each node and edge by as few edits.

    Raises TypeError if an argument is not a str, InputError if it is no graph, and LimitError if the search takes more
    states than ``budget`` (None: any number).

    >>> import akin
    >>> found = akin.graphs.compare("C C O; 0-1 1-2:single", "N C C; 0-1:double 1-2")
    >>> found.distance, [node.partner for node in found.left_nodes]
    (2, [2, 1, 0])
    >>> found.left_edges[1]
    Edge(first=1, second=2, label='single', partner=0)
    """
    found, *parts = _compared(a, b, _ANY, budget)
    assert found is not None  # any distance was wanted
    nodes, edges = parts[::2], parts[1::2]
    return Comparison(
        found,
        [Node(*node) for node in nodes[0]],
        [Edge(*edge) for edge in edges[0]],
        [Node(*node) for node in nodes[1]],
        [Edge(*edge) for edge in edges[1]],
    )


def _quoted(label: Any) -> str:
    text = "" if label is None else str(label)
    if text and text[0] != '"' and not any(c in text for c in " \t\r\n;"):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def of_edges(nodes: Iterable[Any] | Mapping[Any, Any], edges: Iterable[tuple[Any, ...]] = ()) -> str:
    """The text of a graph.

    Parameters
    ----------
    nodes
        The labels of nodes, whose numbers are 0, 1, 2 ...; or a mapping from whatever names a node to its label, such
        as ``dict(G.nodes(data="label"))`` of a graph of networkx.
    edges
        Two nodes each, by number or by name, and perhaps a label, such as ``G.edges(data="label")``. A label of None is
        the empty one.

    Raises OptionError if an edge has another length, or a node that is not there. Loops, and edges that come again, are
    refused when the text is read.

    >>> import akin
    >>> akin.graphs.of_edges(["C", "C", "O"], [(0, 1), (1, 2, "double bond")])
    'C C O; 0-1 1-2:"double bond"'
    >>> akin.graphs.of_edges({"x": "C", "y": None}, [("x", "y", 1)])
    'C ""; 0-1:1'
    """
    labels = list(nodes.values()) if isinstance(nodes, Mapping) else list(nodes)
    numbers = {name: i for i, name in enumerate(nodes if isinstance(nodes, Mapping) else range(len(labels)))}
    words = []
    for edge in edges:
        if len(edge) not in (2, 3):
            raise OptionError(f"an edge of {len(edge)} values; expected two nodes, and perhaps a label")
        if edge[0] not in numbers or edge[1] not in numbers:
            raise OptionError(f"the edge {edge!r}: expected two nodes that are there")
        label = edge[2] if len(edge) == 3 else None
        word = "" if label is None or label == "" else f":{_quoted(label)}"
        words.append(f" {numbers[edge[0]]}-{numbers[edge[1]]}{word}")
    return " ".join(map(_quoted, labels)) + (";" + "".join(words) if words else "")
