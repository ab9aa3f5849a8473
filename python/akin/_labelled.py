"""The labelling of a job: the answers that it learns from."""

from __future__ import annotations

from typing import Any

from . import _akin
from ._input import input_of
from ._settings import Job

_COLUMNS = ("left", "right", "answer")


class Labelled:
    """A labelling, and the answers of a table that a job adds to it first."""

    def __init__(self, answers: Any = None) -> None:
        self.handle = _akin.labelling()
        self._answers = answers
        self.sides: list[tuple[_akin.Input, int | None]] = []  # of the job: each table, and the column of its ids

    def spec(self, sides: list[tuple[_akin.Input, int | None]], job: Job) -> tuple[Any, ...]:
        """What a job takes. The answers of the table are added once."""
        answers = None if self._answers is None else input_of(self._answers, _COLUMNS, False, job)
        self._answers, self.sides = None, sides
        ids = [-1 if at is None else at for _, at in sides]
        return self.handle, ids[0], ids[-1], answers


def labelled_of(answers: Any) -> Labelled | None:
    """The labelling for the argument ``answers``."""
    return answers if answers is None or isinstance(answers, Labelled) else Labelled(answers)
