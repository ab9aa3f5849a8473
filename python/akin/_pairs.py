"""Pairs of rows, and what goes with them: clusters, which rows to keep, what the job did, a report."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

from . import _akin
from ._column import Mask
from ._graph import components
from ._input import Ids
from ._names import Clustering
from ._settings import settings
from ._table import Table
from ._write import check_page, job_text

if TYPE_CHECKING:
    from ._evaluate import Evaluation


class Pairs(Table):
    """A table of pairs of similar rows, with the columns ``left`` and ``right``.

    Attributes
    ----------
    rows : tuple[int, int]
        The numbers of rows of the left and the right table; the second is 0 for pairs within one table.
    stats : dict
        Figures of the job: pairs met and ruled out, techniques and times. Times and techniques depend on the machine. The pairs do not.

    Examples
    --------
    >>> import akin
    >>> pairs = akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8)
    >>> pairs.rows, pairs.keep, pairs.stats["pairs_found"]
    ((3, 0), [True, False, True], 1)
    """

    __slots__ = ("_clustering", "_clusters", "_ids", "rows")

    def __init__(
        self, frame: _akin.Frame, rows: tuple[int, int], stats: dict[str, Any] | None, ids: Ids | None = None
    ) -> None:
        super().__init__(frame, stats)
        self.rows = rows
        self._ids = ids  # what all rows are called
        self._clusters: Table | None = None
        self._clustering: Clustering = "closure"  # a job may set another one

    @property
    def clusters(self) -> Table:
        """Clusters of rows that pairs connect, directly or through others: :func:`akin.components` of the pairs. If the rows have ids, the
        result has them, too.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).clusters["cluster"]
        [0, 0, 1]
        """
        if self._clusters is None:
            self._clusters = components(self, self.rows, clustering=self._clustering)
        return self._clusters

    @property
    def keep(self) -> Mask:
        """A mask of the first row of each cluster, to filter the table: ``frame[found.keep]`` in pandas, ``frame.filter(found.keep)`` in
        Polars. ``~found.keep`` is the duplicates.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).keep
        [True, False, True]
        """
        if self.rows[1]:
            raise TypeError("pairs of two tables; expected those of one, whose duplicates are left out")
        return Mask(first == row for row, first in enumerate(self.clusters["representative"]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._frame.state(), self.rows, self.stats, _listed(self._ids))


class Page:
    """A report on a search for duplicates: the figures of each step, the similarities of the columns, the pairs nearest to the threshold,
    the clusters, and with a gold standard the quality of the pairs. It is a page of HTML that loads nothing else. A notebook displays it.

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
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #ccc"></iframe>'


class Duplicates(Pairs):
    """Pairs of records that belong together, with ``similarity`` and the similarity of each column.

    Attributes
    ----------
    job : dict
        The arguments as a job for ``akin dedupe --job`` and :func:`akin.run`. :meth:`save_job` writes it to a file.
    evaluation, closed : Evaluation or None
        With a gold standard, the quality of the pairs, and the quality of all pairs within clusters.
    report : Page or None
        The report, if ``report`` is True or a path.

    Examples
    --------
    >>> import akin
    >>> people = {"name": ["Anna Maria", "Anna Marie", "Bert"], "town": ["Ulm", "Ulm", "Bonn"]}
    >>> found = akin.dedupe(people, ["name:jaro-winkler:0.8", "town:exact"], all_pairs=True, threshold=0.9, report=True)
    >>> found.keep, found.report is None, found.job["compare"]
    ([True, False, True], False, [{'column': 'name', 'comparator': 'jaro-winkler', 'threshold': 0.8}, {'column': 'town', 'comparator':
    'exact'}])
    """

    __slots__ = ("closed", "evaluation", "job", "report")

    def __init__(
        self, frame: _akin.Frame, rows: tuple[int, int], stats: dict[str, Any] | None, ids: Ids | None = None
    ) -> None:
        super().__init__(frame, rows, stats, ids)
        self.job: dict[str, Any] = {}
        self.evaluation: Evaluation | None = None
        self.closed: Evaluation | None = None
        self.report: Page | None = None

    def save_job(self, path: str | os.PathLike[str]) -> None:
        """Writes the job to a file for ``akin dedupe --job`` and :func:`akin.run`. The file does not name tables that were not files: give
        them to the command or to ``run``.

        Raises OSError.

        >>> import akin
        >>> found = akin.dedupe({"name": ["Anna", "Ana", "Bert"]}, "name:jaro", all_pairs=True, threshold=0.8)
        >>> found.save_job("job.json")
        >>> len(akin.run("job.json", {"name": ["Paul", "Paula", "Bert"]}))
        1
        """
        with open(os.fspath(path), "w", encoding="utf-8", newline="") as file:
            file.write(job_text(self.job))

    def __reduce__(self) -> tuple[Any, ...]:
        more = (self.job, self.evaluation, self.closed, self.report and self.report.html, self._clustering)
        return _restore, (type(self), self._frame.state(), self.rows, self.stats, _listed(self._ids), *more)


def ids_of_rows(found: Pairs) -> tuple[list[str | None], ...] | None:
    """What the rows of both tables are called; None: they have no ids."""
    return _listed(found._ids)


def _listed(ids: Ids | None) -> tuple[list[str | None], ...] | None:
    """What rows are called, as lists: of the left table, and of the right one, if there is one."""
    return ids and tuple(read.column(at) for read, at in (ids[:2], ids[2:]) if read is not None)


def _restore(
    kind: type[Pairs],
    state: tuple[Any, ...],
    rows: tuple[int, int],
    stats: dict[str, Any] | None,
    ids: tuple[list[str | None], ...] | None,
    *more: Any,
) -> Pairs:
    job = settings()
    read = [_akin.from_lists(job, ("id",), (names,)) for names in ids or ()]
    called = None if not read else (read[0], 0, read[1] if len(read) > 1 else None, 0)
    made = kind(_akin.from_state(job, state), rows, stats, called)
    if isinstance(made, Duplicates):
        made.job, made.evaluation, made.closed, page, made._clustering = more
        made.report = None if page is None else Page(page)
    return made
