"""What the jobs of akin find, by their definitions: in whole numbers and fractions, and by the slowest way there is. It
shares no line with akin. Where a definition is of doubles (docs/strings.md, akin.h), the same operations are here."""

import datetime
import math
from collections import Counter
from fractions import Fraction

# ------------------------------------------------------------------------------------------------------------- sets


def nearest_root(square: Fraction) -> float:
    """The nearest double of the root of a fraction: 200 bits of the root, and one more that says whether it goes on."""
    root = math.isqrt((square.numerator << 400) // square.denominator)
    return (2 * root + (root * root * square.denominator != square.numerator << 400)) / (1 << 201)


def power_of(measure: str) -> int:
    """A similarity has this power, which is a fraction."""
    return 2 if measure == "cosine" else 1


def of_sets(measure: str, r: set, s: set) -> Fraction:
    """The similarity of two sets that are not empty, or its square for cosine."""
    n, a, b = len(r & s), len(r), len(s)
    return {
        "jaccard": lambda: Fraction(n, a + b - n),
        "cosine": lambda: Fraction(n * n, a * b),
        "dice": lambda: Fraction(2 * n, a + b),
        "overlap": lambda: Fraction(n),
        "overlap_coefficient": lambda: Fraction(n, min(a, b)),
        "containment": lambda: Fraction(n, a),
    }[measure]()


def double_of(measure: str, value: Fraction) -> float:
    return nearest_root(value) if power_of(measure) == 2 else value.numerator / value.denominator


def words_of(text: str) -> set:
    """Of lower-case letters and blanks."""
    return set(text.split())


def qgrams_of(text: str, q: int) -> set:
    return {text[i : i + q] for i in range(len(text) - q + 1)} or ({text} if text else set())


# ---------------------------------------------------------------------------------------------------------- strings


def edits(a: str, b: str, swaps: bool) -> int:
    """Levenshtein's distance, or with swaps that of optimal string alignment."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            least = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (x != y))
            if swaps and i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                least = min(least, rows[i - 2][j - 2] + 1)
            row.append(least)
        rows.append(row)
    return rows[-1][-1]


def jaro_of(a: str, b: str, floored: bool) -> tuple[Fraction, float]:
    """Jaro's similarity, and the double of it."""
    if not a or not b:
        return Fraction(a == b), float(a == b)
    reach, taken, first = max(0, max(len(a), len(b)) // 2 - 1), set(), []
    for i, x in enumerate(a):
        for j in range(max(0, i - reach), min(len(b), i + reach + 1)):
            if j not in taken and b[j] == x:
                taken.add(j)
                first.append(x)
                break
    m, second = len(first), [b[j] for j in sorted(taken)]
    if m == 0:
        return Fraction(0), 0.0
    apart = sum(x != y for x, y in zip(first, second))
    moved = Fraction(apart // 2 if floored else apart, 1 if floored else 2)
    exact = (Fraction(m, len(a)) + Fraction(m, len(b)) + (m - moved) / m) / 3
    return exact, (m / len(a) + m / len(b) + (m - float(moved)) / m) / 3.0


def of_strings(
    scorer: str, a: str, b: str, floored: bool = False, scale: Fraction = Fraction(1, 10), boost: Fraction = Fraction(0)
) -> tuple[Fraction, float]:
    """A similarity, and the double that stands for it."""
    if scorer in ("levenshtein", "osa"):
        distance, longer = edits(a, b, scorer == "osa"), max(len(a), len(b))
        return (1 - Fraction(distance, longer), 1.0 - distance / longer) if longer else (Fraction(1), 1.0)
    exact, double = jaro_of(a, b, floored)
    if scorer == "jaro" or not exact > boost:
        return exact, double
    prefix = 0
    while prefix < min(4, len(a), len(b)) and a[prefix] == b[prefix]:
        prefix += 1
    return exact + prefix * scale * (1 - exact), double + prefix * float(scale) * (1.0 - double)


# ------------------------------------------------------------------------------------------------------- duplicates

UNIT = 1 << 40  # similarities become multiples of 1 / UNIT in an average


def rounded(value: Fraction, units: int) -> int:
    """In units, to the nearest, a half upwards."""
    return math.floor(value * units + Fraction(1, 2))


def of_values(comparator: str, a: str, b: str) -> tuple[Fraction, int, float]:
    """The similarity of two values that are not missing, the power that it has, and its double."""
    name, _, argument = comparator.partition("/")
    if name == "exact":
        return Fraction(a == b), 1, float(a == b)
    if name == "number":
        exact = max(Fraction(0), 1 - abs(Fraction(a) - Fraction(b)) / Fraction(argument))
        return exact, 1, float(exact)
    if name == "date":
        days = abs((datetime.date.fromisoformat(a) - datetime.date.fromisoformat(b)).days)
        exact = max(Fraction(0), 1 - Fraction(days, int(argument)))
        return exact, 1, float(exact)
    if name in ("jaccard", "cosine", "dice"):
        r, s = (qgrams_of(text, int(argument)) if argument else words_of(text) for text in (a, b))
        exact = of_sets(name, r, s) if r and s else Fraction(not r and not s)
        return exact, power_of(name), double_of(name, exact)
    exact, double = of_strings(name, a, b)
    return exact, 1, double


def is_exact(comparator: str) -> bool:
    """Whether its similarity is compared with a threshold as a fraction, and not in units."""
    return comparator.split("/")[0] not in ("number", "date")


def reaches(comparator: str, value: Fraction, power: int, threshold: Fraction) -> bool:
    if is_exact(comparator):
        return value >= threshold**power
    return rounded(value, UNIT) >= rounded(threshold, UNIT)


def scored(rules: list, a: list, b: list, missing: str, evidence: Fraction, threshold: Fraction):
    """Whether two records are a pair, its average, and the double of each rule (None: it does not count). A rule is
    (comparator, threshold, weight)."""
    total, weights, all_weights, each, single = 0, Fraction(0), Fraction(0), [], True
    for (comparator, least, weight), x, y in zip(rules, a, b):
        all_weights += weight
        if not x or not y:
            value = {"zero": 0, "equal": int(not x and not y), "skip": None}[missing]
            each.append(None if value is None else float(value))
            if value is None:
                continue
            exact, power = Fraction(value), 1
        else:
            exact, power, double = of_values(comparator, x, y)
            if not reaches(comparator, exact, power, least):
                exact, double = Fraction(0), 0.0
            each.append(double)
        weights += weight
        single = single and reaches(comparator, exact, power, threshold) and exact > 0
        units = rounded(exact, UNIT) if power == 1 else rounded(Fraction(nearest_root(exact)), UNIT)
        total += units * weight
    if weights == 0 or weights < evidence * all_weights and missing == "skip":
        return False, Fraction(0), each
    average = Fraction(total, UNIT) / weights
    if len(rules) == 1:
        return single, average, each
    return rounded(average, 10**9) >= rounded(threshold, 10**9), average, each


# ----------------------------------------------------------------------------------------------------------- graphs


def components(pairs, count: int) -> list[int]:
    """The first row of the component of each row."""
    first = list(range(count))
    for a, b in pairs:
        low, high = sorted((first[a], first[b]))
        first = [low if each == high else each for each in first]
    return first


# ---------------------------------------------------------------------------------------------------- term weights


def weights_of(formula: str, documents: list, k1: float, b: float) -> dict:
    """By the operations of akin.h, in their order; (document, term): weight."""
    counts = [Counter((text or "").split()) for text in documents]
    lengths = [sum(count.values()) for count in counts]
    n = len(documents)
    mean = sum(lengths) / n
    df = Counter(term for count in counts for term in count)
    found = {}
    for i, count in enumerate(counts):
        for term, tf in count.items():
            d, norm = df[term], k1 * ((1 - b) + b * (lengths[i] / mean))
            c = tf / ((1 - b) + b * (lengths[i] / mean)) + 0.5
            found[i, term] = {
                "paper": lambda: math.log(n / d) * (((k1 + 1) * tf) / (norm + tf)),
                "atire": lambda: math.log(n / d) * (((k1 + 1) * tf) / (norm + tf)),
                "robertson": lambda: math.log((n - d + 0.5) / (d + 0.5)) * (tf / (norm + tf)),
                "lucene": lambda: math.log(1 + (n - d + 0.5) / (d + 0.5)) * (tf / (norm + tf)),
                "bm25+": lambda: math.log((n + 1) / d) * (1 + ((k1 + 1) * tf) / (norm + tf)),
                "bm25l": lambda: math.log((n + 1) / (d + 0.5)) * (((k1 + 1) * c) / (k1 + c)),
            }[formula]()
    return found


# ------------------------------------------------------------------------------------------------------- evaluation


def quality(both: int, found: int, gold: int) -> tuple[float, float, float]:
    return tuple(a / b if b else 0.0 for a, b in ((both, found), (both, gold), (2 * both, found + gold)))


def unordered(pairs) -> set:
    return {(min(a, b), max(a, b)) for a, b, *_ in pairs if a != b}


def closure(pairs, count: int) -> set:
    first = components(unordered(pairs), count)
    return {(a, b) for a in range(count) for b in range(a + 1, count) if first[a] == first[b]}
