"""Pairs of rows, with their clusters, statistics and report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _akin
from ._column import Mask
from ._graph import connect
from ._input import Ids, ids_frame, input_of_frame
from ._settings import settings, synced
from ._table import Table
from ._warnings import warn_of
from ._write import check_page, job_text, put

if TYPE_CHECKING:
    from ._evaluate import Evaluation


class Pairs(Table):
    """A table of pairs of rows that are alike, with columns ``left`` and ``right``.

    Attributes
    ----------
    rows : tuple[int, int]
        The numbers of rows of the left and the right table. The second is 0 for pairs of one table.
    of_two : bool
        The pairs are of two tables.
    stats : dict
        What the job did: counts of what it met and ruled out, the technique, and seconds. Times and techniques depend
        on the machine, the pairs do not.

    Examples
    --------
    >>> import akin
    >>> pairs = akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8)
    >>> pairs.rows, pairs.keep, pairs.stats["pairs_found"]
    ((3, 0), [True, False, True], 1)
    """

    __slots__ = ("_clustering", "_clusters", "_ids", "of_two", "rows")

    def __init__(
        self, frame: _akin.Frame, rows: tuple[int, int | None], stats: dict[str, Any] | None, ids: Ids | None = None
    ) -> None:
        super().__init__(frame, stats)
        self.rows = rows[0], rows[1] or 0
        self.of_two = rows[1] is not None
        self._ids = ids  # what all rows are called
        self._clusters: Table | None = None
        self._clustering: str = "components"  # a job may set another one

    @property
    def clusters(self) -> Table:
        """The clusters of the rows, a table: :func:`akin.components` of the pairs, with ``row``, ``cluster``, ``size``,
        ``representative``, with ``side`` and ``representative_side`` for two tables, and with the ids of rows if there
        are ids. If :func:`akin.dedupe` or :func:`akin.link` has learnt weights, they are those of the job, which may
        also take pairs below the threshold. A :class:`akin.ResultWarning` says if chains of pairs made the clusters
        large. Raises MemoryError.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).clusters["cluster"]
        [0, 0, 1]
        """
        if self._clusters is None:
            self._clusters, warnings = connect(self, self.rows, self._clustering, 1, settings())
            said = {} if self.stats is None else self.stats
            new = [each for each in warnings if each not in said.get("warnings", ())]
            said["warnings"] = [*said.get("warnings", ()), *new]
            warn_of(new)
        return self._clusters

    @property
    def keep(self) -> Mask:
        """A mask with True for the first row of each cluster, to filter the table by: ``frame[found.keep]`` in pandas,
        ``frame.filter(found.keep)`` in Polars. ``~found.keep`` is the duplicates. Raises TypeError for pairs of two
        tables.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).keep
        [True, False, True]
        """
        if self.of_two:
            raise TypeError(
                "pairs of two tables have no duplicates to leave out: .clusters has the cluster of each row of both"
            )
        return Mask(first == row for row, first in enumerate(self.clusters["representative"]))

    @property
    def _rows_given(self) -> tuple[int, int | None]:
        return self.rows[0], self.rows[1] if self.of_two else None

    def _part(self, frame: _akin.Frame) -> Pairs:
        """Some of these pairs: their clusters are those of the pairs that are left."""
        part = type(self)(frame, self._rows_given, None, self._ids)
        part._clustering = self._clustering
        return part

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._frame.state(), self._rows_given, self.stats, _states(self._ids))


class Page:
    """A report on a search for duplicates, as HTML without external parts; a notebook shows it. It has the counts of
    each step, the similarities of each column, the pairs nearest to the threshold, clusters, and with a gold standard
    the quality of the pairs.

    >>> import akin
    >>> people = {"name": ["Anna Maria", "Anna Marie", "Bert"]}
    >>> found = akin.dedupe(people, "name:jaro-winkler", all_pairs=True, threshold=0.9, report=True)
    >>> found.report.save("report.html")
    """

    __slots__ = ("html",)

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, for a browser.

        Raises OSError, and OptionError if the name is that of another format, such as ``report.pdf``.

        >>> import akin
        >>> found = akin.dedupe({"name": ["Anna", "Ana"]}, "name:jaro", all_pairs=True, threshold=0.8, report=True)
        >>> found.report.save("report.html")
        """
        check_page(os.fsdecode(path))
        with open(os.fspath(path), "w", encoding="utf-8", newline="") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"akin.Page of {len(self.html):,} characters; save(PATH) writes it, for a browser"

    def _repr_html_(self) -> str:
        import html

        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #ccc"></iframe>'


class Duplicates(Pairs):
    """Pairs of records that belong together, with ``similarity`` and that of each compared column.

    Attributes
    ----------
    job : dict
        The request, as a job of ``akin dedupe --job`` and :func:`akin.run`; :meth:`save_job` writes it to a file.
    evaluation, closed : Evaluation or None
        With a gold standard: the quality of the pairs, and of the pairs within clusters.
    report : Page or None
        The report, if ``report`` asked for it.

    Examples
    --------
    >>> import akin
    >>> people = {"name": ["Anna Maria", "Anna Marie", "Bert"], "town": ["Ulm", "Ulm", "Bonn"]}
    >>> found = akin.dedupe(people, ["name:jaro-winkler:0.8", "town:exact"], all_pairs=True, threshold=0.9, report=True)
    >>> found.keep, found.report is None, found.job["compare"]
    ([True, False, True], False, [{'column': 'name', 'comparator': 'jaro-winkler', 'threshold': 0.8}, {'column': 'town',
    'comparator': 'exact'}])
    """

    __slots__ = ("_are_made", "closed", "evaluation", "job", "report")

    def __init__(
        self, frame: _akin.Frame, rows: tuple[int, int | None], stats: dict[str, Any] | None, ids: Ids | None = None
    ) -> None:
        super().__init__(frame, rows, stats, ids)
        self.job: dict[str, Any] = {}
        self.evaluation: Evaluation | None = None
        self.closed: Evaluation | None = None
        self.report: Page | None = None
        self._are_made = False  # the clusters, by the job: the pairs alone do not say them

    def _part(self, frame: _akin.Frame) -> Duplicates:
        """Some of these pairs, with the request, and without the report and the evaluation, which are of all pairs."""
        part = super()._part(frame)
        assert isinstance(part, Duplicates)
        part.job = self.job
        return part

    def save_job(self, path: str | os.PathLike[str], *, sync: bool = False) -> None:
        """Writes the request to a job file, which ``akin dedupe --job`` and :func:`akin.run` run. Tables that were not
        files are not in it: give them to :func:`akin.run`. The file appears whole or not at all. With ``sync`` it is on
        the disk then.

        Raises OSError.

        >>> import akin
        >>> found = akin.dedupe({"name": ["Anna", "Ana", "Bert"]}, "name:jaro", all_pairs=True, threshold=0.8)
        >>> found.save_job("job.json")
        >>> len(akin.run("job.json", {"name": ["Paul", "Paula", "Bert"]}))
        1
        """
        with synced(sync):
            put(os.fsdecode(path), [job_text(self.job)])

    def __reduce__(self) -> tuple[Any, ...]:
        clusters = self.clusters._frame.state() if self._are_made else None
        more = (self.job, self.evaluation, self.closed, self.report and self.report.html, self._clustering, clusters)
        return _restore, (type(self), self._frame.state(), self._rows_given, self.stats, _states(self._ids), *more)


def ids_of_rows(found: Pairs) -> tuple[list[str | None], ...] | None:
    """The ids of the rows of both tables, as text; None without ids."""
    return None if found._ids is None else tuple(read.column(at) for read, at in _sides(found._ids))


def format_of_ids(found: Pairs) -> str:
    """The type of the ids of both tables, in Arrow's notation: text, unless it is the same."""
    formats = {read.formats[at] for read, at in _sides(found._ids)} if found._ids else {"l"}
    return formats.pop() if len(formats) == 1 else "u"


def _sides(ids: Ids) -> list[tuple[_akin.Input, int]]:
    """The ids of the left table, and of the right one, if there is one."""
    return [(read, at) for read, at in (ids[:2], ids[2:]) if read is not None]


def _states(ids: Ids | None) -> tuple[Any, ...] | None:
    """Ids for a pickle."""
    return None if ids is None else tuple(ids_frame(read, at, settings()).state() for read, at in _sides(ids))


def _restore(
    kind: type[Pairs],
    state: tuple[Any, ...],
    rows: tuple[int, int | None],
    stats: dict[str, Any] | None,
    ids: tuple[Any, ...] | None,
    *more: Any,
) -> Pairs:
    job = settings()
    read = [input_of_frame(_akin.from_state(job, each), "id", job) for each in ids or ()]
    called = None if not read else (read[0], 0, read[1] if len(read) > 1 else None, 0)
    made = kind(_akin.from_state(job, state), rows, stats, called)
    if isinstance(made, Duplicates):
        made.job, made.evaluation, made.closed, page, made._clustering, clusters = more
        made.report = None if page is None else Page(page)
        if clusters is not None:
            made._clusters, made._are_made = Table(_akin.from_state(job, clusters)), True
    return made
