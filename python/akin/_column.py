"""Columns of results, and masks of rows: Arrow arrays that behave like lists."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, overload

from . import _akin
from ._settings import settings

if TYPE_CHECKING:
    import numpy
    import pyarrow

_AT_ONCE = 4096
_SHOWN = 20  # values that are shown
# Methods of arrays and series, which columns lack.
_OF_ARRAYS = frozenset("all any astype max mean min sum to_list to_pandas to_polars unique value_counts values".split())


class Column:
    """A column of a result, or a slice of one. It is an Arrow array, which pyarrow, Polars and DuckDB take without a
    copy; NumPy and pandas take it, too. It also behaves like a list: it has a length, items, slices, and is equal to a
    list of the same values.

    >>> import akin
    >>> pairs = akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3)
    >>> pairs["right"], pairs["right"][0], pairs["right"] == [1, 2, 2]
    ([1, 2, 2], 1, True)
    """

    __slots__ = ("_frame", "_index", "_start", "_stop")

    def __init__(self, frame: _akin.Frame, index: int, start: int, stop: int) -> None:
        self._frame, self._index, self._start, self._stop = frame, index, start, stop

    def __len__(self) -> int:
        return self._stop - self._start

    @overload
    def __getitem__(self, key: int) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> Column | list[Any]: ...
    def __getitem__(self, key: int | slice) -> Any:
        if isinstance(key, slice) and key.indices(len(self))[2] != 1:
            return self.tolist()[key]
        if isinstance(key, slice):
            start, stop = rows_of(key, len(self))
            return Column(self._frame, self._index, self._start + start, self._start + stop)
        number = operator.index(key)
        row = number + len(self) if number < 0 else number
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {key}, only {len(self)} of them")
        return self._frame.column(self._index, self._start + row, self._start + row + 1)[0]

    def __iter__(self) -> Iterator[Any]:
        for start in range(self._start, self._stop, _AT_ONCE):
            yield from self._frame.column(self._index, start, min(start + _AT_ONCE, self._stop))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Column, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def _refuse(self, other: object) -> NoReturn:
        raise TypeError("a column of akin has no such operator; expected to_numpy() > 0.5, say, or a data frame")

    __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __add__ = __sub__ = __mul__ = __truediv__ = _refuse

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            instead = ": to_numpy() makes an array, and to_pyarrow() one of Arrow" if name in _OF_ARRAYS else ""
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{instead}")

    def __repr__(self) -> str:
        return _shown(self)

    def __reduce__(self) -> tuple[Any, ...]:
        rows, columns = self._frame.state(self._start, self._stop)
        return _restore, ((rows, (columns[self._index],)),)

    def count(self, value: object) -> int:
        """The number of rows with a value. Raises MemoryError.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3)["left"].count(0)
        2
        """
        return self.tolist().count(value)

    def index(self, value: object) -> int:
        """The first row with a value. Raises ValueError if no row has it.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3)["right"].index(2)
        1
        """
        return self.tolist().index(value)

    def tolist(self) -> list[Any]:
        """The values as a list, in which a null is None. Raises MemoryError.

        >>> import akin
        >>> akin.join(["a b", "b a"], jaccard=0.5)["similarity"].tolist()
        [1.0]
        """
        return self._frame.column(self._index, self._start, self._stop)

    def to_numpy(self) -> numpy.ndarray[Any, Any]:
        """The values as an array of NumPy. Numbers without nulls are not copied; nulls become NaN or None. Raises
        ImportError without NumPy.

        >>> import akin
        >>> akin.join(["a b", "b a"], jaccard=0.5)["right"].to_numpy()
        array([1], dtype=uint32)
        """
        import numpy

        buffer = self._frame.buffer(self._index)
        if buffer is not None:
            return numpy.asarray(memoryview(buffer))[self._start : self._stop]
        values, kind = self.tolist(), self._frame.fields[self._index][1]
        if kind in "ILgil":
            return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
        return numpy.array(values, dtype=bool if kind == "b" and None not in values else object)

    def to_pyarrow(self) -> pyarrow.Array:
        """The values as an array of pyarrow, without a copy. Raises ImportError without pyarrow.

        >>> import akin
        >>> akin.join(["a b", "b a"], jaccard=0.5)["right"].to_pyarrow().type
        DataType(uint32)
        """
        import pyarrow

        return pyarrow.array(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        made = self.to_numpy()
        return made.astype(dtype or made.dtype, copy=bool(copy))

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._frame.array(self._index, self._start, self._stop)


class Mask(list[bool]):
    """A mask of rows: a list of bools that is also an Arrow array. ``~mask`` selects the other rows, and ``&``, ``|``
    and ``^`` combine it with masks, lists, arrays of NumPy and series of pandas and Polars (to the right of the mask).
    pandas takes it as ``frame[mask]``, Polars as ``frame.filter(mask)``, NumPy as an index. ``polars.Series("keep",
    mask)`` is a column of Polars.

    >>> import akin
    >>> found = akin.near_duplicates(["a cat", "a dog", "A cat!"], tokens="words")
    >>> found.keep, ~found.keep
    ([True, True, False], [False, False, True])
    >>> found.keep & [True, False, True], found.keep.sum()
    ([True, False, False], 2)
    """

    __slots__ = ()
    __pandas_priority__ = 5000  # above that of series and data frames: they leave their operators to the mask
    __array_priority__ = 5000  # the same for NumPy

    def __invert__(self) -> Mask:
        return Mask(not value for value in self)

    def _combined(self, other: Any, by: Callable[[Any, Any], Any]) -> Any:
        """What an operator makes of a mask and another one, which is a mask, or of the type of the other one."""
        if isinstance(other, (bool, int)):
            return NotImplemented
        if type(other).__module__.partition(".")[0] == "polars":
            import polars

            return by(polars.Series("keep", self), other)
        if not isinstance(other, (list, tuple)):
            return by(self.__array__(), other)
        if len(other) != len(self):
            raise ValueError(f"masks of {len(self):,} and of {len(other):,} rows; expected the same number of rows")
        return Mask(bool(by(a, bool(b))) for a, b in zip(self, other))

    def __and__(self, other: Any) -> Any:
        return self._combined(other, operator.and_)

    def __or__(self, other: Any) -> Any:
        return self._combined(other, operator.or_)

    def __xor__(self, other: Any) -> Any:
        return self._combined(other, operator.xor)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def sum(self, axis: Any = None, out: Any = None) -> int:
        """The number of rows that the mask selects. NumPy's functions give ``axis`` and ``out``, which change
        nothing. Raises TypeError for other arguments.

        >>> import akin
        >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.8).keep.sum()
        2
        """
        return self.count(True)

    def any(self, axis: Any = None, out: Any = None) -> bool:
        """Whether the mask selects a row; ``axis`` and ``out`` as in :meth:`sum`. Raises TypeError as :meth:`sum` does.

        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.8).keep.any()
        True
        """
        return True in self

    def all(self, axis: Any = None, out: Any = None) -> bool:
        """Whether the mask selects all rows; ``axis`` and ``out`` as in :meth:`sum`. Raises TypeError as :meth:`sum`
        does.

        >>> import akin
        >>> akin.join(["red wine", "wine, red"], jaccard=0.8).keep.all()
        False
        """
        return False not in self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy

        return numpy.array(list(self), dtype=dtype or bool)

    def __repr__(self) -> str:
        return _shown(self)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        bits = bytearray((len(self) + 7) // 8)
        for at, value in enumerate(self):
            bits[at // 8] |= value << at % 8
        return frame_of("keep", "b", bytes(bits), len(self)).array(0, 0, len(self))


def _shown(values: Column | Mask) -> str:
    """Values as a list shows them; of a long list the first and the last."""
    if len(values) <= _SHOWN:
        return repr(list(values))
    ends = (", ".join(map(repr, part)) for part in (values[: _SHOWN // 2], values[-_SHOWN // 2 :]))
    return f"[{', ..., '.join(ends)}] ({len(values):,} values)"


def frame_of(name: str, format: str, values: bytes, rows: int) -> _akin.Frame:
    """A frame of one column."""
    return _akin.from_state(settings(), (rows, ((name, format, None, values, None),)))


def rows_of(part: slice, rows: int) -> tuple[int, int]:
    """The rows of a slice: the first row, and the one after the last."""
    start, stop, step = part.indices(rows)
    if step != 1:
        raise TypeError(f"a slice has step {step}; expected rows one after another, as in [10:20]")
    return start, max(start, stop)


def _restore(state: tuple[Any, ...]) -> Column:
    return Column(_akin.from_state(settings(), state), 0, 0, state[0])
