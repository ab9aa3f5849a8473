"""Rows for the benchmarks of clusters: histograms of sizes, and texts that are drawn with given sizes.

It is no program. bench/cluster*.py and bench/two_gpus.py import it. It needs numpy.
"""

import collections
import re
import subprocess

import akin
import numpy as np

ROW = 12  # bytes that a row takes beside its text when it is sent: an id of 64 bits and the length of the text
WORDS_OF_ZIPF = 1_000_000
_ROUNDS = 30


def lines_of(path):
    """The lines of a file of texts, which may be compressed by zstd."""
    if str(path).endswith(".zst"):
        text = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout
        return text.decode().splitlines()
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def histogram_of(lines, tokens):
    """For each size of a set the number of rows, and the bytes of their ids and texts."""
    sizes = np.asarray(akin.sizes(lines, tokens=tokens).buffer("size"), dtype=np.int64)
    taken = np.fromiter((len(line.encode()) + ROW for line in lines), np.int64, len(lines))
    rows, bytes = np.bincount(sizes), np.bincount(sizes, taken)
    return {int(size): (int(rows[size]), int(bytes[size])) for size in np.nonzero(rows)[0] if size}


def read_histogram(path):
    """A histogram that a file has: in each line a size, the rows and their bytes."""
    return {size: (rows, bytes) for size, rows, bytes in (map(int, line.split()) for line in open(path))}


def scaled(histogram, rows):
    """The same shares of sizes, for another number of rows."""
    factor = rows / sum(count for count, _ in histogram.values())
    wanted = {size: (round(count * factor), round(taken * factor)) for size, (count, taken) in histogram.items()}
    return {size: value for size, value in wanted.items() if value[0] > 0}


def frequencies_of(lines):
    """How often each word occurs, most often first, in half a million of the lines."""
    counted = collections.Counter()
    for line in lines[:: max(1, len(lines) // 500_000)]:
        counted.update(re.findall(r"\w+", line.lower()))
    return np.array(sorted(counted.values(), reverse=True), dtype=np.float64)


def zipf():
    """The frequencies of words that are made up."""
    return 1 / (np.arange(WORDS_OF_ZIPF) + 10)


def column(data, ends):
    """A column of texts of ASCII: of Arrow, or a list where there is no pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        held = data.tobytes().decode("ascii")
        return [held[begin:end] for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]
    offsets = np.concatenate(([0], ends)).astype(np.int64)
    return pa.LargeStringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(data))


def joined(columns):
    """Columns behind each other, as one."""
    if isinstance(columns[0], list):
        return [text for each in columns for text in each]
    import pyarrow as pa

    return pa.concat_arrays(columns)


class Rows:
    """Draws texts with given numbers of tokens. A word has 7 letters. Words are drawn by their frequencies, each row
    without repetition, so rows lack the topics of real texts. The same seed makes the same rows.

    ``shingle`` is N of the tokens words:N.
    """

    def __init__(self, frequencies, shingle=1):
        self._shingle = shingle
        self._sums = np.cumsum(frequencies) / np.sum(frequencies)
        numbers = np.arange(len(frequencies))
        letters = np.full((len(numbers), 8), ord(" "), np.uint8)
        for at in range(7):
            letters[:, 6 - at] = ord("a") + numbers % 26
            numbers = numbers // 26
        self._words = letters.view(np.uint64).ravel()

    def _distinct(self, draw, words, starts, lengths):
        """Draws repeated words of a row again."""
        rows = np.repeat(np.arange(len(lengths)), lengths)
        held = np.arange(len(words))  # the places of rows that may have repetitions
        for round in range(_ROUNDS):
            keys = rows[held] * np.int64(len(self._words)) + words[held]
            order = np.argsort(keys, kind="stable")
            twice = held[order[1:]][keys[order[1:]] == keys[order[:-1]]]
            if not len(twice):
                return
            # From the middle on rare words are as likely as common ones: a long row of common words would not end.
            if round < _ROUNDS // 2:
                words[twice] = np.searchsorted(self._sums, draw.random(len(twice)))
            else:
                words[twice] = draw.integers(len(self._words), size=len(twice))
            again = np.zeros(len(lengths), bool)
            again[rows[twice]] = True
            held = np.nonzero(again[rows])[0]
        raise SystemExit("the rows need more different words than there are")

    def draw(self, sizes, seed, twins=0.0):
        """Rows of these sizes, which ascend. The share ``twins`` of them are the row before with another word."""
        draw = np.random.default_rng(seed)
        sizes = np.asarray(sizes, np.int64)
        lengths = sizes + self._shingle - 1
        ends = np.cumsum(lengths)
        starts = ends - lengths
        words = np.searchsorted(self._sums, draw.random(int(lengths.sum())))
        if self._shingle == 1:
            self._distinct(draw, words, starts, lengths)
        if twins > 0:
            step = 2 * max(1, round(0.5 / twins))  # even, so that a row and its twin are never both of even place
            copied = np.arange(step - 1, len(sizes), step)
            for row in copied[lengths[copied] == lengths[copied - 1]]:
                words[starts[row] : ends[row]] = words[starts[row - 1] : ends[row - 1]]
                words[starts[row]] = draw.integers(len(self._words))
            if self._shingle == 1:
                self._distinct(draw, words, starts, lengths)
        return column(self._words[words].view(np.uint8), ends * 8)
