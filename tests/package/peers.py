"""
Compares what akin says of strings with what other programs say: rapidfuzz and jellyfish, from PyPI. Where either is
missing, the test is skipped (exit status 77).

    peers.py AKIN [FILE]

FILE is a table of compact discs with columns artist and title, ../shared/data/dedupe/cd/cd.csv.zst if not given; it is
left aside where it is not there. Values are held equal to within a few units of the last place, as each program adds up
what a similarity is made of in its own order.

Where the others differ, and so are not compared, or are with options:

  - Both round half of the symbols out of order down (--floored), and let the prefix count above 0.7 alone
    (--boost-threshold 0.7). Doubles decide that there, integers here: pairs whose jaro is exactly 0.7 are left out.
  - jellyfish takes a grapheme cluster for a symbol, akin and rapidfuzz a code point; so strings have no marks that
    combine, and no CR before an LF.
  - To jellyfish two empty strings are not alike by jaro and jaro-winkler; to akin and rapidfuzz they are equal.
  - jellyfish's damerau_levenshtein_distance is the unrestricted one: that of "ca" and "abc" is 2, and 3 by osa.
  - jellyfish's soundex takes the marks off letters, which akin passes over; so only letters of ASCII are compared.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

try:
    import jellyfish
    from rapidfuzz.distance import OSA, Jaro, JaroWinkler, Levenshtein
except ImportError as error:
    print(f"skipped: {error}; pip install rapidfuzz jellyfish")
    sys.exit(77)

ALPHABETS = ["ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz ,.'-", "aäöüßéñ", "αβγ漢字仮名", "ab😀😁é"]
OTHERS = ["--floored", "--boost-threshold", "0.7"]


def draw(rng, alphabet):
    length = rng.choice([0, 1, 2, 3, 5, 8, 12, 20, 40, 63, 64, 65, 100, 128, 129, 200, 300])
    return "".join(rng.choice(alphabet) for _ in range(length))


def edit(rng, text, alphabet):
    text = list(text)
    for _ in range(rng.randrange(8)):
        at, kind = rng.randrange(len(text) + 1), rng.randrange(4)
        if kind == 0 or at == len(text):
            text.insert(at, rng.choice(alphabet))
        elif kind == 1:
            del text[at]
        elif kind == 2:
            text[at] = rng.choice(alphabet)
        elif at + 1 < len(text):
            text[at], text[at + 1] = text[at + 1], text[at]
    return "".join(text)


def draw_pairs(count):
    rng = random.Random(1)
    for number in range(count):
        alphabet = rng.choice(ALPHABETS)
        left = draw(rng, alphabet)
        yield left, edit(rng, left, alphabet) if number % 3 else draw(rng, alphabet)


def disc_pairs(path, count):
    """Artists and titles: each with the next one, and with the next in alphabetical order, which is more like it."""
    import csv
    import io

    table = subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    for column in ("artist", "title"):
        values = [row[column] for row in rows]
        for order in (values, sorted(values)):
            yield from list(zip(order, order[1:]))[:count]


class Comparison:
    def __init__(self, akin, pairs, folder):
        self.akin = akin
        self.pairs = [pair for pair in pairs if not any(is_joined(text) for text in pair)]
        self.path = os.path.join(folder, "pairs.jsonl")
        with open(self.path, "w", encoding="utf-8") as file:
            for left, right in self.pairs:
                print(json.dumps({"left": left, "right": right}), file=file)

    def ask(self, comparator, *options):
        command = [
            self.akin, "compare", "--files", self.path, self.path, "--left-on", "left", "--right-on", "right",
            "--scorer", comparator
        ]
        said = subprocess.run(
            [*command, *options, "--format", "jsonl"], check=True, capture_output=True
        ).stdout.decode()
        return [json.loads(line)["distance" if "--distance" in options else "similarity"] for line in said.splitlines()]

    def faults(self, name, function, comparator, *options, only=None):
        """For pairs that `only` accepts: how many pairs akin and `function` do not agree about."""
        answers, count, compared = self.ask(comparator, *options), 0, 0
        assert len(answers) == len(self.pairs)
        for (left, right), answer in zip(self.pairs, answers):
            if only and not only(left, right):
                continue
            compared += 1
            expected = function(left, right)
            if math.isclose(answer, expected, rel_tol=1e-12, abs_tol=1e-12):
                continue
            count += 1
            if count < 4:
                print(f"{name}({left!r}, {right!r}) is {expected}; akin {comparator} {' '.join(options)}: {answer}")
        print(f"{name}: {compared} pairs, {count} faults")
        return count + (compared == 0)


def is_joined(text):
    """Whether some code points of a text make one grapheme cluster; those of `ALPHABETS` do not."""
    import unicodedata

    return "\r" in text or any(unicodedata.category(c) in ("Mn", "Mc", "Me", "Cf", "Sk") and ord(c) > 127 for c in text)


def with_empty(function):
    """A function of jellyfish's for which two empty strings are equal."""
    return lambda a, b: function(a, b) if a or b else 1.0


def are_names(*texts):
    return all(text.isascii() and text.isalpha() for text in texts)


def is_decided(left, right):
    """Whether jaro is not exactly at the boost threshold."""
    return abs(Jaro.similarity(left, right) - 0.7) > 1e-12


def compare(akin, pairs):
    with tempfile.TemporaryDirectory() as folder:
        all_pairs = Comparison(akin, pairs, folder)
        check = all_pairs.faults
        return (
            check("rapidfuzz Levenshtein.distance", Levenshtein.distance, "levenshtein", "--distance")
            + check("rapidfuzz Levenshtein.normalized_similarity", Levenshtein.normalized_similarity, "levenshtein")
            + check("jellyfish levenshtein_distance", jellyfish.levenshtein_distance, "levenshtein", "--distance")
            + check("rapidfuzz OSA.distance", OSA.distance, "osa", "--distance")
            + check("rapidfuzz OSA.normalized_similarity", OSA.normalized_similarity, "osa")
            + check("rapidfuzz Jaro.similarity", Jaro.similarity, "jaro", "--floored")
            + check("jellyfish jaro_similarity", with_empty(jellyfish.jaro_similarity), "jaro", "--floored")
            + check(
                "rapidfuzz JaroWinkler.similarity", JaroWinkler.similarity, "jaro-winkler", *OTHERS, only=is_decided
            )
            + check(
                "jellyfish jaro_winkler_similarity",
                with_empty(jellyfish.jaro_winkler_similarity),
                "jaro-winkler",
                *OTHERS,
                only=is_decided,
            )
            + check(
                "rapidfuzz JaroWinkler.similarity, prefix_weight=0.2",
                lambda a, b: JaroWinkler.similarity(a, b, prefix_weight=0.2),
                "jaro-winkler",
                *OTHERS,
                "--prefix-scale",
                "0.2",
                only=is_decided,
            )
            + check(
                "jellyfish soundex",
                lambda a, b: float(jellyfish.soundex(a) == jellyfish.soundex(b)),
                "soundex",
                only=are_names,
            )
        )


def main():
    akin = os.path.abspath(sys.argv[1])
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    discs = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "../shared/data/dedupe/cd/cd.csv.zst")
    faults = compare(akin, draw_pairs(3000))
    if os.path.exists(discs):
        faults += compare(akin, disc_pairs(discs, 5000))
    else:
        print(f"{discs}: is not there, so these are left out")
    print(f"{faults} faults")
    return 1 if faults else 0


sys.exit(main())
