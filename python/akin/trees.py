"""Ordered trees with labels: all pairs within some edits, and the edit distance of two with what becomes of each node.

An edit inserts a node, deletes one, or renames one. The children of a node that is deleted take its place. A tree is a
str in one of the formats of ``akin.choices("tree-formats")``: ``"brackets"``, such as ``{a{b}{c}}``; ``"json"``, with
the members of objects by key; ``"json-written"``, with members as they are written; or ``"xml"``. docs/trees.md defines
them. :func:`of_python` makes the tree of Python code, :func:`of_xml` and :func:`of_html` those of documents.

Examples
--------
>>> import akin
>>> akin.trees.distance("{a{b}{c}}", "{a{c}}")
1
>>> akin.trees.join(['{"name": "Ann", "age": 30}', '{"age": 31, "name": "Ann"}', "[1]"], edits=2, format="json")
akin.Table of 1 rows
left  right  distance
   0      1         1
"""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from typing import Any, NamedTuple
from xml.parsers import expat

from . import _akin
from ._akin import InputError, OptionError
from ._checks import text, top_of, whole
from ._index import Index
from ._input import Names, SidedNames, both_ids, both_named, each_side
from ._names import TreeFormat
from ._pairs import Pairs
from ._rules import Sides
from ._settings import Progress, Size, settings
from ._shown import Show, show_pairs
from ._suggest import attributes_of, suggests
from .strings import pairs_of, rows_of

__all__ = ["Comparison", "Node", "compare", "distance", "index", "join", "of_html", "of_python", "of_xml"]
__getattr__ = attributes_of(__name__, __all__)

_ANY = 2**32 - 1  # edits


class Node(NamedTuple):
    """A node of a tree that was compared."""

    label: str
    depth: int
    """0: the root."""
    partner: int | None
    """The number of the node of the other tree that this one becomes, renamed if the labels differ. None: a node of the
    left tree is deleted, one of the right tree inserted."""


class Comparison(NamedTuple):
    """A comparison of two trees, whose nodes are in preorder: a node before its children."""

    distance: int
    left: list[Node]
    right: list[Node]


@suggests
def join(
    left: Any,
    right: Any = None,
    on: SidedNames = None,
    *,
    edits: int | None = None,
    top: int | None = None,
    format: TreeFormat = "brackets",
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
    """Finds all pairs of trees that are at most ``edits`` edits apart, exactly: of two rows of ``left``, or of a row of
    ``left`` and one of ``right``. Rows that are null or blank are in no pair. With ``top`` it finds the nearest trees
    of each left row.

    Parameters
    ----------
    left, right
        Columns of str, tables or files (see the package).
    edits
        The largest distance, 0 or more. ``top`` needs none.
    top
        The number of best partners to keep for each left row, exactly, the nearest first. Without ``right`` the
        partners of a row are all other rows.
    format
        How a text is a tree: see the module.
    on, left_on, right_on
        The column of trees, of both tables or of each.
    id, left_id, right_id, show
        As in :func:`akin.join`.
    lossy, threads, memory, progress
        See the package.

    Returns
    -------
    Pairs
        The columns ``left``, ``right`` and ``distance``, sorted by rows; with ``top`` by left row and distance.

    Raises
    ------
    OptionError
        A column is missing, or an option is out of range.
    InputError
        A text is no tree, or not UTF-8.
    TypeError, LimitError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> akin.trees.join({"id": ["p", "q", "r"], "t": ["{a{b}}", "{a}", "{x{y}{z}}"]}, on="t", id="id", edits=1)[0]
    {'left': 0, 'right': 1, 'left_id': 'p', 'right_id': 'q', 'distance': 1}
    >>> akin.trees.join(["{a{b}}"], ["{a}", "{x{y}{z}}", "{a{c}}"], top=2).to_dict()
    {'left': [0, 0], 'right': [0, 2], 'distance': [1, 1]}
    """
    job = settings(threads, "cpu", memory, progress)
    best = top_of(top)
    if edits is None and not best:
        raise OptionError("expected edits, the largest distance, or top, for the best partners")
    most = _ANY if edits is None else whole(edits, "edits")
    columns = each_side("on", on, left_on, right_on, right is not None)
    ids = both_ids(id, left_id, right_id, right is not None)
    first, second = both_named((left, right), columns, ids, lossy, job)
    if first[1] > 1 or (second and second[1] > 1):
        raise OptionError("several columns; expected one, which has the trees")
    shown = show_pairs(show, (left, right), rows_of(first, second), lossy)
    made, did = _akin.match_trees(job, first[0], second and second[0], text(format, "format"), most, best)
    return pairs_of(made, first, second, shown, did, job)


def _compared(a: str, b: str, format: str, most: int) -> tuple[int | None, list[Any], list[Any]]:
    if not isinstance(a, str) or not isinstance(b, str):
        other = a if not isinstance(a, str) else b
        raise TypeError(f"expected two trees as str, got {type(other).__name__}; akin.trees.join takes columns")
    try:
        return _akin.compare_trees(settings(threads=1, device="cpu"), a, b, text(format, "format"), most)
    except UnicodeEncodeError:
        raise InputError("a tree has half of a surrogate pair, which UTF-8 lacks") from None


def distance(a: str, b: str, *, format: TreeFormat = "brackets", most: int | None = None) -> int | None:
    """The edit distance of two trees; None if it is above ``most``, which is found out sooner.

    Raises TypeError if an argument is not a str, InputError if it is no tree, and OptionError if the format is unknown.

    >>> import akin
    >>> akin.trees.distance("{a{b{c}}}", "{a{c}{d}}"), akin.trees.distance("[1, 2]", "[3, 4]", format="json", most=1)
    (2, None)
    """
    return _compared(a, b, format, _ANY if most is None else whole(most, "most"))[0]


@suggests
def index(
    trees: Any,
    on: Names = None,
    *,
    format: TreeFormat = "brackets",
    id: str | None = None,
    lossy: bool = False,
    threads: int = 0,
    memory: Size = None,
    progress: Progress | bool | None = None,
) -> Index:
    """Makes an index of trees, which finds the nearest ones of queries: see :meth:`akin.Index.search`.

    Parameters
    ----------
    trees, on
        A column of str, a table or a file (see the package), and its column of trees. Rows that are null or blank are
        never found.
    format
        How a text is a tree, those of queries, too: see the module.
    id
        The column with the names of the trees, which are unique.
    lossy, threads, memory, progress
        See the package.

    Returns
    -------
    Index
        Of kind ``"trees"``.

    Raises
    ------
    OptionError
        A column is missing, or an option is out of range.
    InputError
        A text is no tree, or not UTF-8.
    TypeError, LimitError, MemoryError, OSError
        See the package.

    Examples
    --------
    >>> import akin
    >>> index = akin.trees.index(["{a{b}{c}}", "{x{y}{z}}", "{a{b}}"])
    >>> index.search("{a{b}{d}}", k=2).to_dict()
    {'query': [0, 0], 'object': [0, 2], 'distance': [1, 1], 'certificate': ['by count', 'by count']}
    >>> index.search("{a{b}{d}}", within=0).to_dict()["object"]
    []
    """
    return Index.build(
        trees,
        on,
        kind="trees",
        tree_format=format,
        id=id,
        lossy=lossy,
        threads=threads,
        device="cpu",
        memory=memory,
        progress=progress,
    )


def compare(a: str, b: str, *, format: TreeFormat = "brackets") -> Comparison:
    """The edit distance of two trees, and what becomes of each node by as few edits.

    Raises TypeError if an argument is not a str, InputError if it is no tree, and OptionError if the format is unknown.

    >>> import akin
    >>> found = akin.trees.compare("{a{b{c}}}", "{a{d}}")
    >>> found.distance, [node.label for node in found.left if node.partner is None]
    (2, ['c'])
    >>> [(node.label, found.right[node.partner].label) for node in found.left if node.partner is not None]
    [('a', 'a'), ('b', 'd')]
    """
    found, *sides = _compared(a, b, format, _ANY)
    assert found is not None  # any distance was wanted
    return Comparison(found, *([Node(*node) for node in side] for side in sides))


def _brackets(label: str) -> str:
    return "{" + label.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")


def of_python(source: str | ast.AST) -> str:
    """The tree of Python code in bracket notation: the nodes of its syntax, labelled by their kinds, and leaves with
    the names and constants that they have. Comments and the layout do not count, nor whether a name is read or written.

    Raises SyntaxError if the source is not Python.

    >>> import akin
    >>> akin.trees.of_python("x = 1")
    "{Module{Assign{Name{'x'}}{Constant{1}}}}"
    >>> akin.trees.distance(akin.trees.of_python("print(a + b)"), akin.trees.of_python("print( a - b )  # less"))
    1
    """
    pieces: list[str] = []
    stack: list[Any] = [ast.parse(source) if isinstance(source, str) else source]
    while stack:
        node = stack.pop()
        if node is _END:
            pieces.append("}")
        elif isinstance(node, ast.AST):
            pieces.append(_brackets(type(node).__name__))
            stack.append(_END)
            for field, value in reversed([*ast.iter_fields(node)]):
                if field in ("ctx", "type_comment", "kind") or value is None:
                    continue
                stack.extend(reversed(value) if isinstance(value, list) else [value])
        else:
            pieces.append(_brackets(repr(node)) + "}")
    return "".join(pieces)


_END = object()  # on the stack: a node is complete


_BLANKS = re.compile("[ \t\r\n]+")


class _Elements:
    """The elements of a document, written in bracket notation as they come."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.open: list[str] = []
        self.text: list[str] = []

    def end_text(self) -> None:
        text = _BLANKS.sub(" ", "".join(self.text)).strip(" ")
        self.text.clear()
        if text and self.open:
            self.pieces.append(_brackets(f'"{text}"') + "}")

    def begin(self, name: str, attributes: Any) -> None:
        self.end_text()
        self.open.append(name)
        self.pieces.append(_brackets(f"<{name}>"))
        for key, value in sorted(attributes):
            self.pieces.append(_brackets(f"{key}=") + _brackets(f'"{value or ""}"') + "}}")

    def end(self) -> None:
        self.end_text()
        self.open.pop()
        self.pieces.append("}")


def of_xml(source: str) -> str:
    """The tree of an XML document in bracket notation, which is that of the format ``"xml"``. An element is a node
    ``<name>``. Its children are its attributes, sorted by name, each a node ``name=`` with its value in quotes; and its
    elements and texts, in their order. A text is a leaf in quotes, with one blank for each run of blanks, and none at
    its ends; a text of blanks is left out, as are comments and processing instructions.

    Raises InputError, with the line, if the source is no XML, or declares entities.

    >>> import akin
    >>> akin.trees.of_xml('<cd id="7"><title>Blue  Train</title><!-- 1957 --></cd>')
    '{<cd>{id={"7"}}{<title>{"Blue Train"}}}'
    """
    elements, parser = _Elements(), expat.ParserCreate()

    def refuse(name: str, *_: Any) -> None:
        raise InputError(f"line {parser.CurrentLineNumber}: the entity {name} is declared; expected a text without")

    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: elements.begin(name, attributes.items())
    parser.EndElementHandler = lambda name: elements.end()
    parser.CharacterDataHandler = elements.text.append
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(source, True)
    except expat.ExpatError as error:
        raise InputError(f"line {error.lineno}: {expat.ErrorString(error.code)}") from None
    return "".join(elements.pieces)


# elements without content and end tag
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements = _Elements()
        self.elements.begin("#document", ())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.begin(tag, [(key, value or "") for key, value in attrs])
        if tag in _VOID:
            self.elements.end()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.begin(tag, [(key, value or "") for key, value in attrs])
        self.elements.end()

    def handle_endtag(self, tag: str) -> None:
        if tag in self.elements.open[1:]:
            while self.elements.open[-1] != tag:
                self.elements.end()
            self.elements.end()

    def handle_data(self, data: str) -> None:
        self.elements.text.append(data)


def of_html(source: str) -> str:
    """The tree of an HTML page in bracket notation, as :func:`of_xml`, below a node ``<#document>``. Names of elements
    and attributes are in lower case. An end tag closes the innermost open element of its name and what is open in it;
    one without such an element is left out. So every text is a page; tags that may be left out are not guessed.

    >>> import akin
    >>> akin.trees.of_html("<P>One<br>line<p>another")
    '{<#document>{<p>{"One"}{<br>}{"line"}{<p>{"another"}}}}'
    """
    page = _Page()
    page.feed(source)
    page.close()
    while page.elements.open:
        page.elements.end()
    return "".join(page.elements.pieces)
