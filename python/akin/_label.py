"""Answers of a person, from which weights are learnt."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from . import _akin
from ._checks import choice
from ._choices import values
from ._dedupe import dedupe, link
from ._labelled import Labelled
from ._names import Answer
from ._pairs import Duplicates
from ._settings import synced
from ._temporary import nameless
from ._write import put, write


_RESULTS = {"report", "gold", "show", "threshold", "precision", "cluster"}  # what is made of the pairs


class Question(NamedTuple):
    """A pair of records to ask about: their rows and ids (without ids the row numbers), and their values as text, by
    the names of the columns that rules use.

    Examples
    --------
    >>> import akin
    >>> people, _ = akin.generate.records(60, duplicates=0.4)
    >>> question = akin.label(people, id="id").next()
    >>> question.left_record.keys() == question.right_record.keys()
    True
    """

    left: int
    right: int
    left_id: str
    right_id: str
    left_record: dict[str, str | None]
    right_record: dict[str, str | None]
    probability: float
    """that both are the same, by the answers so far"""


class Labelling:
    """Questions about pairs of records, and the answers. :func:`akin.label` makes it.

    Examples
    --------
    >>> import akin
    >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
    >>> labels.answer("unsure")
    >>> len(labels.answers)
    1
    """

    def __init__(self, table: Any, right: Any, answers: Any, rules: dict[str, Any]) -> None:
        self._tables, self._rules = (table, right), rules
        self._labelled = Labelled(answers)
        self._columns: list[list[list[str | None]]] | None = None
        self._asked: Question | None = None
        self._find(None, {})

    def _find(self, model: str | os.PathLike[str] | None, results: dict[str, Any]) -> Duplicates:
        left, right = self._tables
        given = {**self._rules, **results, "answers": self._labelled, "model": model}
        return dedupe(left, **given) if right is None else link(left, right, **given)

    def _record(self, side: int, row: int) -> tuple[str, dict[str, str | None]]:
        """The id and the values of a row."""
        if self._columns is None:
            self._columns = [
                [read.column(i) for i in range(len(read.names))] for read, _ in self._labelled.sides
            ]
        side = min(side, len(self._columns) - 1)
        read, at = self._labelled.sides[side]
        columns = self._columns[side]
        record = {name: column[row] for name, column in zip(read.names, columns, strict=True)}
        return str(row) if at is None else columns[at][row] or "", record

    def next(self) -> Question | None:
        """The pair to ask about: the same until it has an answer. None: there is no further pair.

        Raises
        ------
        MemoryError
            Memory is short.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> labels.next() == labels.next()
        True
        """
        if self._asked is None and (pair := _akin.labelling_next(self._labelled.handle)) is not None:
            left, right, probability = pair
            left_id, left_record = self._record(0, left)
            right_id, right_record = self._record(1, right)
            self._asked = Question(left, right, left_id, right_id, left_record, right_record, probability)
        return self._asked

    def answer(self, answer: Answer) -> None:
        """Answers the question of :meth:`next`: ``"yes"``, ``"no"`` or ``"unsure"``.

        Raises
        ------
        OptionError
            There is no such answer, or no question is left.
        MemoryError
            Memory is short.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> first = labels.next()
        >>> labels.answer("unsure")
        >>> labels.next() == first
        False
        """
        number, asked = choice(answer, "answer", values("answers")), self.next()
        if asked is None:
            raise _akin.OptionError("there is no question left to answer")
        _akin.labelling_answer(self._labelled.handle, asked.left, asked.right, number)
        self._asked = None

    def undo(self) -> bool:
        """Takes back the last answer. Returns whether there was one.

        Raises
        ------
        MemoryError
            Memory is short.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> labels.answer("no")
        >>> labels.undo(), labels.undo()
        (True, False)
        """
        self._asked = None
        return _akin.labelling_undo(self._labelled.handle)

    @property
    def answers(self) -> list[tuple[str, str, str]]:
        """The answers in their order: the ids of both records, and ``"yes"``, ``"no"`` or ``"unsure"``.

        Raises
        ------
        MemoryError
            Memory is short.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> labels.answer("no")
        >>> [answer for _, _, answer in labels.answers]
        ['no']
        """
        return [answer for answer, _ in self._answers()]

    @property
    def doubted(self) -> list[tuple[str, str, str]]:
        """The answers that contradict the values and the other answers, like :attr:`answers`: ask for them again.

        Weights do not follow them, but their pairs are as the answers say. :meth:`duplicates` and :meth:`save_model`
        find them, from all answers.

        Raises
        ------
        MemoryError
            Memory is short.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> labels.answer("no")
        >>> found = labels.duplicates()
        >>> labels.doubted
        []
        """
        return [answer for answer, is_doubted in self._answers() if is_doubted]

    def _answers(self) -> list[tuple[tuple[str, str, str], bool]]:
        names = {number: name for name, number in values("answers").items()}
        return [
            ((self._record(0, left)[0], self._record(1, right)[0], names[number]), is_doubted)
            for left, right, number, is_doubted in _akin.labelling_answers(self._labelled.handle)
        ]

    def save_answers(self, path: str | os.PathLike[str], *, sync: bool = False) -> None:
        """Writes the answers as a CSV file with the columns left, right and answer.

        Raises
        ------
        OSError
            The file cannot be written.

        Examples
        --------
        >>> import akin
        >>> people, _ = akin.generate.records(60, duplicates=0.4)
        >>> labels = akin.label(people, id="id")
        >>> import os, tempfile
        >>> labels.answer("yes")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "answers.csv")
        ...     labels.save_answers(path)
        ...     akin.label(people, id="id", answers=path).answers == labels.answers
        True
        """
        with synced(sync):
            write(os.fsdecode(path), "csv", ("left", "right", "answer"), self.answers)

    def duplicates(self, **results: Any) -> Duplicates:
        """The pairs and clusters that :func:`akin.dedupe` or :func:`akin.link` finds with the answers.

        Parameters
        ----------
        results
            The arguments of these functions that say what is made of the pairs: ``report``, ``gold``, ``show``,
            ``threshold``, ``precision`` and ``cluster``.

        Returns
        -------
        Duplicates
            As :func:`akin.dedupe` or :func:`akin.link` returns it.

        Raises
        ------
        TypeError
            Another argument is given: it is one of :func:`akin.label`.
        OptionError, LimitError, MemoryError, OSError
            As :func:`akin.dedupe`.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> labels.answer("no")
        >>> labels.duplicates().stats["learnt"]["answers"]
        1
        """
        if others := results.keys() - _RESULTS:
            raise TypeError(f"{min(others)} is an argument of akin.label; expected {', '.join(sorted(_RESULTS))}")
        return self._find(None, results)

    def save_model(self, path: str | os.PathLike[str], *, sync: bool = False) -> None:
        """Learns from the answers, and writes the weights for ``akin.dedupe(model=path)``, in place of a file there.

        Raises
        ------
        OptionError, LimitError, MemoryError, OSError
            As :func:`akin.dedupe`.

        Examples
        --------
        >>> import akin
        >>> people, _ = akin.generate.records(60, duplicates=0.4)
        >>> labels = akin.label(people, id="id")
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "model.json")
        ...     labels.save_model(path)
        ...     akin.dedupe(people, id="id", model=path).stats["learnt"]["applied"]
        True
        """
        with synced(sync):
            put(os.fsdecode(path), [self._learnt()])

    def _learnt(self) -> str:
        """The model of the answers, as its file has it."""
        with nameless() as (file, path):
            self._find(path, {})
            file.seek(0)
            return file.read().decode()

    def model(self) -> dict[str, Any]:
        """Learns from the answers. Returns what :meth:`save_model` writes.

        Raises
        ------
        OptionError, LimitError, MemoryError, OSError
            As :func:`akin.dedupe`.

        Examples
        --------
        >>> import akin
        >>> labels = akin.label(akin.generate.records(60, duplicates=0.4)[0], id="id")
        >>> sorted(labels.model())[:2]
        ['akin', 'comparisons']
        """
        made: dict[str, Any] = json.loads(self._learnt())
        return made


def label(table: Any, right: Any = None, *, answers: Any = None, **rules: Any) -> Labelling:
    """Chooses pairs of records to ask a person about, and learns weights from the answers.

    Parameters
    ----------
    table, right
        A table, or two tables whose records belong together, as :func:`akin.dedupe` and :func:`akin.link` take them.
    answers
        Answers that are there already: the path of a file, or a table with the columns left, right and answer. left and
        right are ids of records, or without ids row numbers.
    rules
        The other arguments of :func:`akin.dedupe` or :func:`akin.link`, such as ``id``, ``compare``, ``block`` and
        ``one_to_one``. By default akin finds rules. ``weights`` is ``"learn"``.

    Returns
    -------
    Labelling
        ``.next()`` is the pair to ask about, ``.answer("yes")`` answers it, and ``.undo()`` takes an answer back.
        ``.duplicates()`` and ``.model()`` learn from the answers, and ``.save_answers(path)`` keeps them for
        ``akin.dedupe(table, answers=path)``.

    Raises
    ------
    InputError
        An answer has an id that no record has, or is not yes, no or unsure.
    OptionError, TypeError, LimitError, MemoryError, OSError
        As :func:`akin.dedupe`.

    Examples
    --------
    >>> import akin
    >>> people, gold = akin.generate.records(300, duplicates=0.4)
    >>> same = {frozenset(pair) for pair in gold}
    >>> labels = akin.label(people, id="id")
    >>> for _ in range(20):
    ...     question = labels.next()
    ...     is_same = frozenset((question.left_id, question.right_id)) in same
    ...     labels.answer("yes" if is_same else "no")
    >>> len(labels.answers), labels.undo(), len(labels.answers)
    (20, True, 19)
    >>> found = labels.duplicates()
    >>> found.stats["learnt"]["answers"]
    19
    """
    if rules.get("compare") is not None:
        rules.setdefault("weights", "learn")  # by default the library learns only those of comparisons that it finds
    return Labelling(table, right, answers, rules)
