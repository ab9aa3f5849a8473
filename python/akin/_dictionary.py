"""Dictionaries: words and their ids, frozen in a compressed trie."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from typing import Any

from . import _akin
from ._checks import flag, text
from ._input import Names, column_of, file_of
from ._names import DictionaryKind
from ._settings import Job, Progress, Size, now, settings, synced
from ._suggest import suggests
from ._table import Table


class Dictionary:
    """A set of words with ids, in about 2.4 bytes a word. :meth:`build` makes it and :meth:`open` opens a saved one. It
    does not change, and several threads may use it.

    The ids are 0 .. len - 1. Their order is that of the words sorted by their bytes, read from the last byte to the
    first. ``dictionary["word"]`` is the id of a word, and ``"word" in dictionary`` is True if the dictionary has it.

    Attributes
    ----------
    about : dict
        ``kind``; the numbers of ``words``, ``nodes`` of the trie, ``symbols`` and ``rare`` symbols; ``longest``, the
        bytes of the longest word; and sizes in bytes: ``bytes`` of the file, ``bytes_beside`` of further memory while
        it is open, and ``bytes_table`` of a state-transition table with the same words.

    Examples
    --------
    >>> import akin
    >>> words = akin.Dictionary.build(["red", "white", "red"])
    >>> len(words), "red" in words, list(words)
    (2, True, ['red', 'white'])
    """

    def __init__(self, trie: _akin.Trie, run: Job | None = None) -> None:
        if not isinstance(trie, _akin.Trie) or run is None:
            raise TypeError("an akin.Dictionary is made by akin.Dictionary.build(...), or akin.Dictionary.open(PATH)")
        self._trie = trie
        self._run = run
        self.about: dict[str, Any] = trie.describe()

    @classmethod
    @suggests
    def build(
        cls,
        words: Any,
        on: Names = None,
        *,
        kind: DictionaryKind = "chunks",
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Dictionary:
        """Makes a dictionary.

        Parameters
        ----------
        words, on
            A column, a table and the name of its column, a list of strings or the path of a file (see the package).
            Repeated words count once, and nulls do not count.
        kind
            The data structure, which changes no id: ``"chunks"``, the smallest and fastest; ``"rrr"``, that of the
            paper; ``"stt"``, a state-transition table, for comparison.
        lossy, threads, device, memory, device_memory, progress
            See the package.

        Returns
        -------
        Dictionary

        Raises
        ------
        OptionError
            ``kind`` is unknown, or the table has several columns and ``on`` names none.
        InputError
            Words are malformed or not UTF-8.
        TypeError, LimitError, DeviceError, MemoryError, OSError
            See the package.

        Notes
        -----
        T. Wakatsuki, A. Keyaki, J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, sections 2.4 and
        3.1; see docs/dictionary.md.

        Examples
        --------
        >>> import akin
        >>> akin.Dictionary.build(["red", "white", "red"])
        akin.Dictionary of 2 words
        """
        job = settings(threads, device, memory, progress, device_memory)
        return cls(_akin.build_trie(job, column_of(words, on, lossy, job), text(kind, "kind")), job)

    @classmethod
    @suggests
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        mapped: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Dictionary:
        """Opens a file of ``akin dictionary build`` or :meth:`save`, and returns the Dictionary. The file is checked,
        and read into memory, so whoever changes it later does not change the dictionary. That takes as much memory as
        the file has bytes.

        With ``mapped`` most of it stays in the file. It takes less memory, which processes share. But nobody may write
        to the file while the dictionary exists, as ``cp NEW FILE`` does: answers become wrong, or SIGBUS ends the
        process. To replace the file by a rename, as :meth:`save` and ``mv NEW FILE`` do, is safe.

        Raises InputError if the file is of another kind or damaged; FileNotFoundError and other OSError, MemoryError,
        TypeError.

        >>> import akin
        >>> akin.Dictionary.build(["red", "white"]).save("words.akin")
        >>> len(akin.Dictionary.open("words.akin"))
        2
        """
        job = settings(threads, device, memory, progress, device_memory)
        return cls(_akin.open_trie(job, file_of(path), flag(mapped, "mapped")), job)

    def save(self, path: str | os.PathLike[str], *, sync: bool = False) -> None:
        """Saves the dictionary as an .akin file, which ``akin dictionary`` and ``akin weigh`` also read. The file
        appears whole or not at all.
        With ``sync`` it is on the disk then, and a loss of power cannot take it away.

        Raises OSError, with ``errno`` and ``filename``, MemoryError, and TypeError if ``path`` is not a path.

        >>> import akin
        >>> akin.Dictionary.build(["red", "white"]).save("words.akin")
        """
        with synced(sync):
            self._trie.save(now(self._run), os.fspath(path))

    def __len__(self) -> int:
        return int(self.about["words"])

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._find(word) is not None

    def __getitem__(self, word: str) -> int:
        if not isinstance(word, str):
            raise TypeError(f"expected a word, a str, got {type(word).__name__}; word(ID) gives the word of an id")
        found = self._find(word)
        if found is None:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        """All words, by id."""
        return map(self.word, range(len(self)))

    def _find(self, word: str) -> int | None:
        try:
            return self._trie.find(word)
        except UnicodeEncodeError:  # half of a surrogate pair, which no word has
            return None

    def word(self, id: int) -> str:
        """The word with that id, a str. Raises IndexError if no word has the id, and TypeError if it is not a whole
        number.

        >>> import akin
        >>> akin.Dictionary.build(["red", "white"]).word(0)
        'red'
        """
        number = operator.index(id)
        if not 0 <= number < len(self):
            raise IndexError(f"there is no id {number}, only {len(self)} of them")
        return self._trie.string(number)

    @suggests
    def look_up(
        self,
        words: Any,
        on: Names = None,
        *,
        lossy: bool = False,
        threads: int = 0,
        device: str = "auto",
        memory: Size = None,
        device_memory: Size = None,
        progress: Progress | bool | None = None,
    ) -> Table:
        """Looks many words up, given as to :meth:`build`. Returns an :class:`akin.Table` with a row for each word and
        the column ``id``, null if the dictionary lacks the word. It is faster than single words, and runs on several
        threads or on a GPU.

        Raises OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError and OSError, as :meth:`build`
        does.

        >>> import akin
        >>> akin.Dictionary.build(["red", "white"]).look_up(["white", "green"]).to_dict()
        {'id': [1, None]}
        """
        job = settings(threads, device, memory, progress, device_memory)
        return Table(self._trie.look_up(job, column_of(words, on, lossy, job)))

    def __repr__(self) -> str:
        return f"akin.Dictionary of {len(self):,} words"
