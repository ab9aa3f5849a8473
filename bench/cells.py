"""Times comparisons of strings by akin and by rapidfuzz (PyPI), in turn: all cells of a matrix, pairs row by row, and
joins by Jaro-Winkler.

    python3 bench/cells.py cells FILE [LEFT [RIGHT [THREADS]]]
    python3 bench/cells.py pairs FILE [PAIRS [THREADS]]
    python3 bench/cells.py join FILE [LEFT [RIGHT [THREADS [CUTOFF...]]]]

FILE holds text, a line each. Of its lines of 1 to 8, 9 to 16, 17 to 32, 33 to 64, 65 to 128, 129 to 512 and 513 to
4,096 characters, LEFT (500) and RIGHT (20,000) lines are compared, or PAIRS (200,000) lines with other ones; lines are
taken again where there are too few. Both packages have columns in memory and make an array. Of a join LEFT (1,000) and
RIGHT (20,000) lines of any length are spread over the file, and each CUTOFF is from 0 to 1 (0.6 to 0.9); akin finds
pairs, rapidfuzz fills a matrix with 0 for what is below the cutoff. Times are of processors, medians of five, the
programs in turn; the numbers are compared.
"""

import statistics
import sys
import time

import numpy
import pyarrow
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler, Levenshtein

import akin

REPEATS = 5
RANGES = [(1, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, 512), (513, 4096)]
SCORERS = {"levenshtein": Levenshtein.distance, "osa": OSA.distance, "jaro_winkler": JaroWinkler.similarity}


def timed(functions, threads):
    """The median seconds of each function, called in turn, and what each gave: of the processor with one thread, and by
    the clock with more."""
    clock = time.process_time if threads == 1 else time.perf_counter
    seconds = [[] for _ in functions]
    made = [None] * len(functions)
    for _ in range(REPEATS):
        for i, function in enumerate(functions):
            begun = clock()
            made[i] = function()
            seconds[i].append(clock() - begun)
    return [statistics.median(taken) for taken in seconds], made


def some(lines, least, most, count):
    """`count` lines of such a length, spread over all; None if there are hardly any."""
    fit = [line for line in lines if least <= len(line) <= most]
    if len(fit) < 100:
        return None
    step = max(1, len(fit) // count)
    return [fit[i * step % len(fit)] for i in range(count)]


def cells(left, right, scorer, threads):
    is_edits = scorer != "jaro_winkler"
    columns = pyarrow.array(left), pyarrow.array(right)

    def own():
        return akin.strings.cdist(*columns, scorer=scorer, distances=is_edits, floored=True, boost_threshold=0.7,
                                  threads=threads)

    def other():
        return process.cdist(left, right, scorer=SCORERS[scorer], workers=threads,
                             dtype=numpy.int32 if is_edits else numpy.float32)

    return (own, other), len(left) * len(right)


def pairs(left, right, scorer, threads):
    is_edits = scorer != "jaro_winkler"
    columns = pyarrow.array(left), pyarrow.array(right)

    def own():
        made = akin.strings.compare(*columns, scorer, floored=True, boost_threshold=0.7, threads=threads)
        return made["distance" if is_edits else "similarity"].to_numpy()

    def other():
        return process.cpdist(left, right, scorer=SCORERS[scorer], workers=threads,
                              dtype=numpy.int32 if is_edits else numpy.float32)

    return (own, other), len(left)


def join(lines, numbers):
    left_count, right_count, threads = [int(n) for n in (numbers + [1000, 20_000, 1][len(numbers):])[:3]]
    cutoffs = numbers[3:] or [0.6, 0.7, 0.75, 0.8, 0.85, 0.9]
    some_lines = some(lines, 1, sys.maxsize, left_count + right_count)
    left, right = some_lines[:: len(some_lines) // left_count][:left_count], some_lines[-right_count:]
    columns = pyarrow.array(left), pyarrow.array(right)
    for cutoff in cutoffs:

        def own(cutoff=cutoff):
            return akin.strings.cdist_sparse(*columns, cutoff=cutoff, floored=True, boost_threshold=0.7,
                                             threads=threads)

        def other(cutoff=cutoff):
            return process.cdist(left, right, scorer=JaroWinkler.similarity, score_cutoff=cutoff, workers=threads,
                                 dtype=numpy.float32)

        (own_seconds, other_seconds), (pairs, matrix) = timed((own, other), threads)
        mine = numpy.zeros_like(matrix)
        mine[pairs["left"].to_numpy(), pairs["right"].to_numpy()] = pairs["similarity"].to_numpy()
        # Doubles on the cutoff fall on either side. Where Jaro is 0.7, rapidfuzz adds equal first symbols.
        differ = ~numpy.isclose(mine, matrix, atol=1e-6)
        own_differ, values = mine[differ], matrix[differ]
        is_cutoff = numpy.isclose(numpy.maximum(own_differ, values), cutoff, atol=1e-6)
        is_boosted = numpy.any([numpy.isclose(values, 0.7 + 0.03 * n, atol=1e-6) for n in range(1, 5)], axis=0)
        is_boosted &= (own_differ == 0) | numpy.isclose(own_differ, 0.7, atol=1e-6)
        if not numpy.all(is_cutoff | is_boosted):
            sys.exit(f"{cutoff}: the numbers differ")
        nanoseconds = [s / len(left) / len(right) * 1e9 for s in (own_seconds, other_seconds)]
        print(f"{cutoff:<7} {len(pairs):>10} {nanoseconds[0]:>9.2f} {nanoseconds[1]:>10.1f} "
              f"{other_seconds / own_seconds:>7.2f} {differ.sum():>7}", flush=True)


def main():
    what, path, numbers = sys.argv[1], sys.argv[2], [float(text) if "." in text else int(text) for text in sys.argv[3:]]
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line]
    if what == "join":
        return join(lines, numbers)
    if what == "cells":
        left_count, right_count, threads = (numbers + [500, 20_000, 1][len(numbers):])[:3]
    else:
        right_count, threads = (numbers + [200_000, 1][len(numbers):])[:2]
        left_count = right_count
    print(f"{'scorer':<13} {'length':>9} {'akin M/s':>9} {'rapidfuzz':>10} {'times':>6}  {threads} threads")
    for scorer in SCORERS:
        for least, most in RANGES:
            left = some(lines, least, most, left_count)
            right = some(lines, least, most, right_count + 1)
            if left is None:
                print(f"{scorer:<13} {f'{least}-{most}':>9} too few lines")
                continue
            functions, count = (cells if what == "cells" else pairs)(left, right[1:], scorer, threads)
            (own, other), made = timed(functions, threads)
            # rapidfuzz counts equal first symbols where doubles say above 0.7, akin where Jaro's similarity is above it
            is_near = numpy.isclose(made[0], 0.7, atol=1e-6) if scorer == "jaro_winkler" else False
            if not numpy.all(numpy.isclose(*made, atol=1e-6) | is_near):
                sys.exit(f"{scorer}, {least}-{most}: the numbers differ")
            print(f"{scorer:<13} {f'{least}-{most}':>9} {count / own / 1e6:>9.1f} {count / other / 1e6:>10.1f} "
                  f"{other / own:>6.2f}", flush=True)


main()
