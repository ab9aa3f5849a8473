"""Joins in parts: which rows must meet, and which part of the work compares them.

A cluster gives each task a part of the rows. Two rows can only be alike if their sizes permit it: sets by their
numbers of tokens, strings by their numbers of characters. So the rows of a table are cut into blocks by size, and a
tile is two blocks whose rows can be alike (or one block with itself). Every pair of rows that can be alike meets in
exactly one tile, and a tile is an ordinary :func:`akin.join`::

    sizes of    1..4  5..7   8   8  9..12     a size with too many rows is split by a hash of the ids
              +-----+-----+---+---+-----+
    1..4      |  x  |  x  |   |   |     |     x: a tile, the join of two blocks, or of a block with itself
    5..7      |     |  x  | x | x |  x  |
    8         |     |     | x | x |  x  |
    8         |     |     |   | x |  x  |
    9..12     |     |     |   |   |  x  |
              +-----+-----+---+---+-----+

This module knows no cluster. :mod:`akin.spark` and :mod:`akin.ray` run tiles as tasks.

>>> from akin import parts
>>> rule = parts.rule_of(jaccard="0.8")
>>> rule(8, 10), rule(7, 10)
(True, False)
>>> tiling = parts.tile(rule, {4: (100, 2000), 5: (100, 2500), 9: (50, 2250)}, tiles=4)
>>> len(tiling.blocks), len(tiling.tiles)
(3, 4)
"""

from __future__ import annotations

import bisect
import functools
import itertools
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from ._akin import InputError, OptionError
from ._checks import text, whole
from ._choices import values
from ._ratio import ratio_of

__all__ = ["Block", "Histogram", "Tile", "Tiles", "Tiling", "part_of", "rule_of", "tile"]

#: For each size of a row the number of rows, and the bytes that they take when they are sent.
Histogram = Mapping[int, tuple[int, int]]
Rule = Callable[[int, int], bool]

_BLOCKS_MOST = 2**14  # which may make hundreds of millions of tiles; their numbers are 32-bit integers
_ROW = 16  # bytes that a row takes beside its values: its tile, and where its text begins


def _of_sets(measure: str, least: Fraction) -> Rule:
    """Whether the most common tokens that sets of two sizes can have reach the threshold, in integers."""
    num, den = least.numerator, least.denominator
    rules: dict[str, Rule] = {
        "jaccard": lambda r, s: den * min(r, s) >= num * max(r, s),
        "cosine": lambda r, s: den**2 * min(r, s) >= num**2 * max(r, s),
        "dice": lambda r, s: 2 * den * min(r, s) >= num * (r + s),
        "overlap": lambda r, s: den * min(r, s) >= num,
        "overlap_coefficient": lambda r, s: den >= num,
        "containment": lambda r, s: den * min(r, s) >= num * r,
    }
    if measure not in rules:
        raise OptionError(f"{measure} is no measure; expected one of {', '.join(rules)}")
    return rules[measure]


def _of_strings(similarity: str, least: Fraction, scale: Fraction) -> Rule:
    """Whether strings of two lengths can be so similar: the shorter one at best stands in the longer one."""
    num, den = least.numerator, least.denominator
    if similarity in values("comparators", "distance"):
        return lambda r, s: den * min(r, s) >= num * max(r, s)
    above, below = (scale if similarity in values("comparators", "prefix") else Fraction(0)).as_integer_ratio()

    def jaro(r: int, s: int) -> bool:
        # Jaro is at most j = (2 + short / long) / 3; the common prefix of at most 4 adds its scale of 1 - j.
        short, long = min(r, s), max(r, s)
        best = (2 * long + short) * below + min(4, short) * above * (long - short)  # of 3 long below
        return den * best >= 3 * num * long * below

    return jaro


def rule_of(
    *, similarity: str | None = None, threshold: Any = None, levenshtein: int | None = None, prefix_scale: Any = 0.1,
    **measures: Any
) -> Rule:
    """The rule of the sizes for a measure and its threshold, as :func:`akin.join` takes them.

    Returns
    -------
    Callable
        ``rule(r, s)``: whether a left row of size ``r`` and a right one of size ``s``, neither 0, can be alike enough.
        Sizes are numbers of tokens; for ``levenshtein`` and ``similarity``, of characters. All sizes are compared in
        integers.

    Raises
    ------
    OptionError
        No measure is given, or several are, or a threshold is malformed.

    Examples
    --------
    >>> from akin import parts
    >>> parts.rule_of(levenshtein=2)(3, 5), parts.rule_of(similarity="jaro", threshold=0.9)(3, 8)
    (True, False)
    """
    names = [name for name, value in measures.items() if value is not None]
    strings = {"levenshtein": levenshtein, "similarity": similarity}
    names += [name for name, value in strings.items() if value is not None]
    if len(names) != 1:
        raise OptionError(f"{' and '.join(names) or 'no measure'} given; expected one measure, such as jaccard=0.8")
    if levenshtein is not None:
        most = whole(levenshtein, "levenshtein")
        return lambda r, s: abs(r - s) <= most
    if similarity is not None:
        name = text(similarity, "similarity").replace("_", "-")
        scale = Fraction(ratio_of(prefix_scale, "prefix_scale"))
        return _of_strings(name, Fraction(ratio_of(threshold, "threshold")), scale)
    return _of_sets(names[0], Fraction(ratio_of(measures[names[0]], names[0])))


@dataclass(frozen=True)
class Block:
    """Rows of the sizes ``least`` to ``most``; of a size that is split, those of one ``part`` of ``parts``."""

    least: int
    most: int
    part: int
    parts: int
    rows: float  # expected, where a size is split
    bytes: float
    sizes: tuple[int, ...]  # that rows have, ascending


@dataclass(frozen=True)
class Tile:
    """The join of two blocks, by their places among those of the left and the right rows. In a join of one table a
    block may meet itself."""

    left: int
    right: int


def part_of(id: int | str, parts: int) -> int:
    """Which of the parts of a size a row is in, by its id.

    Examples
    --------
    >>> from akin import parts
    >>> parts.part_of("row 1", 4), parts.part_of(1, 4)
    (2, 0)
    """
    return zlib.crc32(id.encode() if isinstance(id, str) else id.to_bytes(16, "little", signed=True)) % parts


@dataclass(frozen=True)
class _Run:
    """Blocks side by side: one block of some sizes, or the parts of one size."""

    sizes: tuple[int, ...]
    parts: int
    rows: int
    bytes: int

    def blocks(self) -> list[Block]:
        rows, bytes = self.rows / self.parts, self.bytes / self.parts
        return [
            Block(self.sizes[0], self.sizes[-1], part, self.parts, rows, bytes, self.sizes)
            for part in range(self.parts)
        ]


def _cut(histogram: Histogram, most: float) -> list[_Run]:
    """Blocks of at most ``most`` bytes. A size that has more is split into parts, each a block."""
    runs: list[_Run] = []
    sizes: list[int] = []
    rows = taken = 0

    def close() -> None:
        nonlocal sizes, rows, taken
        if sizes:
            runs.append(_Run(tuple(sizes), 1, rows, taken))
        sizes, rows, taken = [], 0, 0

    for size in sorted(histogram):
        count, bytes = histogram[size]
        if size <= 0 or count <= 0:
            continue
        bytes += _ROW * count
        parts = min(count, -int(-bytes // most))
        if parts > 1:
            close()
            runs.append(_Run((size,), parts, count, bytes))
            continue
        if taken + bytes > most:
            close()
        sizes.append(size)
        rows, taken = rows + count, taken + bytes
    close()
    return runs


class _Partners:
    """Which sizes of right rows can be partners of the sizes of left rows: for each a range of places among the right
    sizes. Where sizes grow, neither end of the range goes down."""

    def __init__(self, rule: Rule, left: Histogram, right: Histogram | None) -> None:
        sizes = [size for size in sorted(left) if size > 0]
        others = sizes if right is None else [size for size in sorted(right) if size > 0]
        self._place = {size: at for at, size in enumerate(others)}
        self._range: dict[int, tuple[int, int]] = {}
        first = end = 0
        for size in sizes:
            while first < len(others) and others[first] < size and not rule(size, others[first]):
                first += 1
            end = max(end, first, bisect.bisect_left(others, size))
            while end < len(others) and rule(size, others[end]):
                end += 1
            if first < end:
                self._range[size] = first, end

    def spans(self, runs: Sequence[_Run], others: Sequence[_Run], is_one: bool) -> list[tuple[int, int, int]]:
        """The runs that can be alike, each with a span of places of its partners. Of one table each unordered pair is
        there once."""
        spans: list[tuple[int, int, int]] = []
        starts = [self._place[run.sizes[0]] for run in others]
        stops = [self._place[run.sizes[-1]] + 1 for run in others]
        for at, run in enumerate(runs):
            met = at if is_one else 0  # partners before this one are known, or none
            for least, most in (self._range[size] for size in run.sizes if size in self._range):
                first, end = max(met, bisect.bisect_right(stops, least)), bisect.bisect_left(starts, most)
                if first >= end:
                    continue
                if spans and spans[-1][0] == at and spans[-1][2] == first:
                    first = spans.pop()[1]
                spans.append((at, first, end))
                met = end
        return spans


class Tiles(Sequence[Tile]):
    """Tiles by their numbers, in the order of left blocks, then of right ones. They are made when they are asked for:
    what is held are spans, each of a left block and of right blocks side by side. So millions of tiles take little
    memory."""

    def __init__(self, spans: Iterable[tuple[int, int, int]]) -> None:
        self._left, self._first, self._number = array("i"), array("i"), array("q", [0])
        for left, first, end in spans:
            self._left.append(left)
            self._first.append(first)
            self._number.append(self._number[-1] + end - first)

    def __len__(self) -> int:
        return self._number[-1]

    @overload
    def __getitem__(self, number: int) -> Tile: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[Tile, ...]: ...

    def __getitem__(self, number: int | slice) -> Tile | tuple[Tile, ...]:
        if isinstance(number, slice):
            return tuple(self[at] for at in range(*number.indices(len(self))))
        at = range(len(self))[number]
        span = bisect.bisect_right(self._number, at) - 1
        return Tile(self._left[span], self._first[span] + at - self._number[span])

    @property
    def spans(self) -> Iterator[tuple[int, int, range]]:
        """For each span the number of its first tile, its left block, and its right blocks."""
        for at, left in enumerate(self._left):
            first, number = self._first[at], self._number[at]
            yield number, left, range(first, first + self._number[at + 1] - number)


class Tiling:
    """Blocks, and the tiles in which they meet.

    Attributes
    ----------
    blocks : tuple of Block
        Those of the left rows, or of the only table.
    right : tuple of Block or None
        Those of the right rows; None: one table is joined with itself.
    tiles : sequence of Tile
        Their numbers are their places here.
    """

    def __init__(self, blocks: Iterable[Block], right: Iterable[Block] | None, tiles: Tiles) -> None:
        self.blocks, self.right, self.tiles = tuple(blocks), None if right is None else tuple(right), tiles

    def __repr__(self) -> str:
        return f"akin.parts.Tiling of {len(self.tiles)} tiles"

    @property
    def _sides(self) -> tuple[tuple[Block, ...], ...]:
        return (self.blocks,) if self.right is None else (self.blocks, self.right)

    def sent(self, tile: int) -> tuple[float, float]:
        """The rows and the bytes that are expected to be sent to a tile."""
        it = self.tiles[tile]
        left, right = self.blocks[it.left], (self.right or self.blocks)[it.right]
        if left is right:
            return left.rows, left.bytes
        return left.rows + right.rows, left.bytes + right.bytes

    def _sums(self, values: Callable[[Block], float]) -> Iterator[tuple[float, float]]:
        """For each span the sum of a value over what is sent to its tiles, and the largest one of a tile."""
        lefts, rights = ([values(block) for block in side] for side in (self.blocks, self.right or self.blocks))
        before = [0.0, *itertools.accumulate(rights)]
        for _, left, there in self.tiles.spans:
            # A block that meets itself is sent once. It is the first one of its span.
            with_itself = self.right is None and there.start == left
            others = there.stop - there.start - with_itself
            taken = before[there.stop] - before[there.start] + lefts[left] * others
            yield taken, lefts[left] + max(rights[there.start + with_itself : there.stop], default=0)

    @property
    def rows_sent(self) -> float:
        """The rows that are expected to be sent to all tiles; a row goes to each tile of its block."""
        return sum(taken for taken, _ in self._sums(lambda block: block.rows))

    @property
    def bytes_sent(self) -> float:
        """The bytes that are expected to be sent to all tiles."""
        return sum(taken for taken, _ in self._sums(lambda block: block.bytes))

    @property
    def largest(self) -> float:
        """The most bytes that are expected to be sent to one tile."""
        return max((most for _, most in self._sums(lambda block: block.bytes)), default=0)

    def _goals(self, side: int) -> list[tuple[array[int], array[int]]]:
        """For each block of a side the tiles that it goes to, as left rows and as right ones."""
        goals = [(array("i"), array("i")) for _ in self._sides[side]]
        for number, left, there in self.tiles.spans:
            if side == 0:
                goals[left][0].extend(range(number, number + len(there)))
            if side == 1 or self.right is None:
                for at, right in enumerate(there, number):
                    if self.right is not None or right != left:
                        goals[right][1].append(at)
        return goals

    @functools.cached_property
    def _routes(self) -> list[tuple[list[tuple[array[int], array[int]]], dict[int, int]]]:
        """For each side where each block goes, and for each size the first of its blocks."""
        found = []
        for side, blocks in enumerate(self._sides):
            first = {size: at for at, block in reversed(list(enumerate(blocks))) for size in block.sizes}
            found.append((self._goals(side), first))
        return found

    def route(self, sizes: Iterable[int], ids: Callable[[int], int | str], side: int = 0) -> tuple[array[int], ...]:
        """Where rows go.

        Parameters
        ----------
        sizes
            The size of each row, one of those of the histogram. Rows of size 0 go nowhere.
        ids
            A function that returns the id of a row. It is called for rows of sizes that are split.
        side
            0 for left rows or those of the only table, 1 for right rows.

        Returns
        -------
        tuple of array
            Of the same length: a row (its place among the sizes), the number of a tile that it goes to, and its side
            there.

        Raises
        ------
        InputError
            The histogram lacks the size of a row.
        """
        blocks, (goals, first) = self._sides[side], self._routes[side]
        held: dict[int, array[int]] = {}
        for row, size in enumerate(sizes):
            if size == 0:
                continue
            at = first.get(size)
            if at is None:
                raise InputError(
                    f"a row of size {size} was not there when sizes were counted; expected a table that is the same "
                    "each time it is read"
                )
            if blocks[at].parts > 1:
                at += part_of(ids(row), blocks[at].parts)
            held.setdefault(at, array("i")).append(row)
        rows, tiles, sides = array("i"), array("i"), array("b")
        for at, here in held.items():
            for side_there, numbers in enumerate(goals[at]):
                for number in numbers:
                    rows += here
                    tiles += array("i", [number]) * len(here)
                sides += array("b", [side_there]) * (len(here) * len(numbers))
        return rows, tiles, sides


class _Cuts:
    """What a number of bytes of a block makes: the runs of both sides, and their spans. A trial takes no longer for
    many tiles than for few."""

    def __init__(self, partners: _Partners, left: Histogram, right: Histogram | None, bytes: float) -> None:
        self._is_one = right is None
        self._runs = _cut(left, bytes)
        self._others = self._runs if right is None else _cut(right, bytes)
        self._spans = partners.spans(self._runs, self._others, self._is_one)
        self._before = [0, *itertools.accumulate(run.parts for run in self._others)]

    def tiles(self) -> int:
        """Their number."""
        count = 0
        for at, first, end in self._spans:
            parts = self._runs[at].parts
            count += parts * (self._before[end] - self._before[first])
            if self._is_one and first == at:  # the parts of a run meet each other once
                count -= parts * (parts - 1) // 2
        return count

    def _spans_of_blocks(self) -> Iterator[tuple[int, int, int]]:
        of_left = [0, *itertools.accumulate(run.parts for run in self._runs)]
        for at, first, end in self._spans:  # a run of several parts has one span
            for block in range(of_left[at], of_left[at + 1]):
                yield block, block if self._is_one and first == at else self._before[first], self._before[end]

    def tiling(self) -> Tiling:
        blocks, others = ([block for run in runs for block in run.blocks()] for runs in (self._runs, self._others))
        return Tiling(blocks, None if self._is_one else others, Tiles(self._spans_of_blocks()))


def tile(
    rule: Rule, left: Histogram, right: Histogram | None = None, *, tiles: int = 64, bytes: int | None = None
) -> Tiling:
    """Cuts rows into blocks of about equal bytes, and finds the tiles in which they meet.

    Parameters
    ----------
    rule
        Which sizes can be alike: :func:`rule_of`, or any symmetric or directed rule that holds for a range of partners
        of each size, which moves up where the size grows.
    left, right
        The histogram of the sizes of each table; without ``right``, a table is joined with itself.
    tiles
        The largest number of tiles (at least 1). It is kept unless ``bytes`` needs more.
    bytes
        The most bytes that a tile is expected to receive, if no row has more than half of them. None: no limit.

    Returns
    -------
    Tiling

    Raises
    ------
    OptionError
        ``tiles`` is out of range, or ``bytes`` is too small for the rows.

    Examples
    --------
    >>> from akin import parts
    >>> tiling = parts.tile(parts.rule_of(overlap=1), {3: (1000, 20_000)}, tiles=10)
    >>> [block.parts for block in tiling.blocks], len(tiling.tiles)
    ([4, 4, 4, 4], 10)
    """
    whole(tiles, "tiles", 1, 2**20)
    all_bytes = sum(size + _ROW * rows for side in (left, right or {}) for rows, size in side.values()) + 1
    partners = _Partners(rule, left, right)
    least, most = 1.0, float(all_bytes)  # bytes of a block: where there are too many tiles, and where there are not
    best = _Cuts(partners, left, right, most)
    while most - least > all_bytes / 2**16 and most > 1.02 * least:
        middle = (least * most) ** 0.5
        tried = _Cuts(partners, left, right, middle)
        if tried.tiles() > tiles:
            least = middle
        else:
            most, best = middle, tried
    if bytes is not None and 2 * most > whole(bytes, "bytes", 1, 2**63 - 1):
        best = _Cuts(partners, left, right, bytes / 2)
        least_bytes = -(-2 * all_bytes // _BLOCKS_MOST)
        if bytes < least_bytes:
            raise OptionError(f"bytes is {bytes}, for {all_bytes} bytes of rows; expected at least {least_bytes}")
    return best.tiling()
