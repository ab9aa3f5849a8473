"""Times all pairs of similar lines by SetSimilaritySearch (PyPI) and by akin: sets of 3-grams, Jaccard.

    python3 bench/all_pairs.py AKIN FILE [THRESHOLD [LINES]]

FILE holds text, a line each; the first LINES (20,000) of it are taken. Both times are from text in a file to the number
of pairs, one thread; the pairs are compared.
"""

import subprocess
import sys
import tempfile
import time
import unicodedata

from SetSimilaritySearch import all_pairs


def grams(line, q=3):
    text = unicodedata.normalize("NFC", line)
    return {text[i : i + q] for i in range(len(text) - q + 1)} or {text}


def main():
    akin, path, threshold = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "0.8"
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 20000
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for _, line in zip(range(count), file)]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as sample:
        sample.write("".join(line + "\n" for line in lines))
        sample.flush()
        best = None
        for _ in range(5):
            begun = time.perf_counter()
            out = subprocess.run(
                [akin, "join", sample.name, "--tokens", "qgrams:3", "--jaccard", threshold, "--threads", "1"],
                capture_output=True, check=True, text=True)
            taken = time.perf_counter() - begun
            best = taken if best is None or taken < best else best
    own = {tuple(map(int, line.split(",")[:2])) for line in out.stdout.splitlines()[1:]}
    begun = time.perf_counter()
    found = {(min(a, b), max(a, b)) for a, b, _ in
             all_pairs([grams(line) for line in lines], similarity_func_name="jaccard",
                       similarity_threshold=float(threshold))}
    other = time.perf_counter() - begun
    print(f"{len(lines)} lines, threshold {threshold}: akin {best:.3f} s, {len(own)} pairs; "
          f"SetSimilaritySearch {other:.2f} s, {len(found)} pairs; {other / best:.0f} times")
    if own != found:
        print(f"{len(own - found)} pairs only by akin, {len(found - own)} only by the other")


main()
