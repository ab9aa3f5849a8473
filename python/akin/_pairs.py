"""Pairs of rows, and what goes with them: clusters, which rows to keep, what the job did, a report."""

from __future__ import annotations

import html
import json
import os
from typing import TYPE_CHECKING, Any

from . import _akin
from ._graph import components
from ._settings import settings
from ._table import Table

if TYPE_CHECKING:
    from ._evaluate import Evaluation


class Pairs(Table):
    """A table of pairs of rows that are alike, with columns ``left`` and ``right``.

    Attributes
    ----------
    rows : tuple[int, int]
        How many rows the left and the right table have; the latter 0 where pairs are of two rows of one table.
    report : dict
        What the job did: what it met and ruled out, how, and in which time. Times and techniques depend on the machine, the pairs
        do not.
    """

    __slots__ = ("_clustering", "_clusters", "rows")

    def __init__(self, frame: _akin.Frame, rows: tuple[int, int], report: dict[str, Any] | None) -> None:
        super().__init__(frame, report)
        self.rows = rows
        self._clusters: Table | None = None
        self._clustering = "closure"  # a job may set another one

    @property
    def clusters(self) -> Table:
        """Which rows belong together, directly or by way of others: :func:`akin.components` of the pairs."""
        if self._clusters is None:
            self._clusters = components(self, self.rows, clustering=self._clustering)
        return self._clusters

    @property
    def keep(self) -> list[bool]:
        """For each row of the one table whether it stays where of each cluster the first row does: a mask to filter the table by."""
        if self.rows[1]:
            raise TypeError("pairs of two tables; expected those of one, whose duplicates are left out")
        return [cluster == row for row, cluster in enumerate(self.clusters["cluster"])]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._frame.state(), self.rows, self.report)


class Page:
    """A report on a search for duplicates: what each step selected and found, how alike the columns are, the pairs nearest to the
    threshold, clusters, and how good the pairs are where that is known. HTML that needs nothing else; a notebook shows it."""

    __slots__ = ("html",)

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file.

        Raises OSError."""
        with open(os.fspath(path), "w", encoding="utf-8", newline="") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"akin.Page of {len(self.html):,} characters; save(PATH) writes it, for a browser"

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #ccc"></iframe>'


class Duplicates(Pairs):
    """Pairs of records that belong together, with ``similarity`` and that of each column.

    Attributes
    ----------
    job : dict
        What was asked for, as a job of ``akin dedupe --job`` and :func:`akin.run`; :meth:`save_job` writes it to a file.
    evaluation, closed : Evaluation or None
        Where a gold standard was given: how good the pairs are, and how good the pairs within clusters.
    page : Page or None
        The report for people, where one was asked for.
    """

    __slots__ = ("closed", "evaluation", "job", "page")

    def __init__(self, frame: _akin.Frame, rows: tuple[int, int], report: dict[str, Any] | None) -> None:
        super().__init__(frame, rows, report)
        self.job: dict[str, Any] = {}
        self.evaluation: Evaluation | None = None
        self.closed: Evaluation | None = None
        self.page: Page | None = None

    def save_job(self, path: str | os.PathLike[str]) -> None:
        """Writes what was asked for to a file, which ``akin dedupe --job`` and :func:`akin.run` do again. Tables that were not files
        are not in it: name them there.

        Raises OSError."""
        text = json.dumps(self.job, indent=2, ensure_ascii=False) + "\n"
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(text)

    def __reduce__(self) -> tuple[Any, ...]:
        more = (self.job, self.evaluation, self.closed, self.page and self.page.html, self._clustering)
        return _restore, (type(self), self._frame.state(), self.rows, self.report, *more)


def _restore(kind: type[Pairs], state: tuple[Any, ...], rows: tuple[int, int], report: dict[str, Any] | None, *more: Any) -> Pairs:
    made = kind(_akin.from_state(settings(), state), rows, report)
    if isinstance(made, Duplicates):
        made.job, made.evaluation, made.closed, page, made._clustering = more
        made.page = None if page is None else Page(page)
    return made
