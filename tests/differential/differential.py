#!/usr/bin/env python3
"""Random small jobs of every kind through the Python package, against an oracle in whole numbers and fractions.

    differential.py [--cases N] [--seed S] [--kind KIND] [--only NUMBER]

Case NUMBER of a seed is the same every time, whatever else runs. A difference is shown with what repeats it, and the
exit status is then 1."""

import argparse
import random
import sys
import time
import warnings
from fractions import Fraction

import akin
import oracle

HALVES = [Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), Fraction(1, 3), Fraction(7, 10), Fraction(9, 10), Fraction(1)]


def said(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def near(found, expected, within: float):
    """What was found, but numbers that are within that of the expected ones are these."""
    if isinstance(expected, (list, tuple)) and isinstance(found, (list, tuple)) and len(found) == len(expected):
        return type(expected)(near(a, b, within) for a, b in zip(found, expected))
    is_near = isinstance(expected, float) and isinstance(found, float) and abs(found - expected) <= within
    return expected if is_near else found


def text(draw, letters="abc", most=6):
    return "".join(draw.choices(letters, k=draw.randint(0, most)))


def column(draw, most=6, letters="abc", length=6):
    """Texts, some of them empty, missing or equal to others."""
    rows = []
    for _ in range(draw.randint(0, most)):
        kind = draw.random()
        rows.append(None if kind < 0.06 else draw.choice(rows) if rows and kind < 0.25 else text(draw, letters, length))
    return rows


def sets_of(draw, most=7):
    return [set(draw.sample(range(12), draw.randint(0, draw.choice((3, 9))))) for _ in range(draw.randint(0, most))]


def threshold_of(draw, values):
    """Often exactly that of a pair."""
    values = [value for value in values if 0 < value <= 1 and max(value.numerator, value.denominator) < 10**9]
    return draw.choice(values) if values and draw.random() < 0.6 else draw.choice(HALVES)


# ------------------------------------------------------------------------------------------------------------ joins

MEASURES = ("jaccard", "cosine", "dice", "overlap", "overlap_coefficient", "containment")
TECHNIQUES = ("auto", "auto", "allpairs", "ppjoin", "groupjoin", "bitmap", "screened")


def join_sets(draw):
    measure = draw.choice(MEASURES)
    two = measure == "containment" or draw.random() < 0.4
    left, right = sets_of(draw), sets_of(draw) if two else None
    pairs = [
        (i, k, r, s) for i, r in enumerate(left) for k, s in enumerate(right if two else left)
        if r & s and (two or i < k)
    ]
    value_of = {(i, k): oracle.of_sets(measure, r, s) for i, k, r, s in pairs}
    power = oracle.power_of(measure)
    if measure == "overlap":
        threshold = Fraction(draw.randint(1, 4))
    elif power == 2:  # a similarity that is a fraction
        whole = [Fraction(oracle.double_of(measure, value)).limit_denominator(99) for value in value_of.values()]
        threshold = threshold_of(draw, [root for root in whole if root * root in value_of.values()])
    else:
        threshold = threshold_of(draw, [*value_of.values()])
    given = {measure: int(threshold) if measure == "overlap" else said(threshold)}
    if draw.random() < 0.25:
        return best_sets(draw, left, right, measure, given, threshold)
    technique = draw.choice(TECHNIQUES)
    found = akin.join(left, right, tokens="ids", technique=technique, threads=1, **given)
    expected = [(
        i, k, len(r & s), *(() if measure == "overlap" else (oracle.double_of(measure, value_of[i, k]), ))
    ) for i, k, r, s in pairs if value_of[i, k] >= threshold**power]
    return (left, right, given, technique), [row[: 3 if measure == "overlap" else 4] for row in found], expected


def best_sets(draw, left, right, measure, given, threshold):
    top, power = draw.randint(1, 3), oracle.power_of(measure)
    expected = []
    for i, r in enumerate(left):
        ranked = []
        for k, s in enumerate(left if right is None else right):
            if r & s and (right is not None or i != k):
                value = oracle.of_sets(measure, r, s)
                if value >= threshold**power:
                    ranked.append((-value, k))
        expected += [(i, k) for _, k in sorted(ranked)[:top]]
    found = akin.join(left, right, tokens="ids", top=top, threads=1, **given)
    return (left, right, given, top), list(zip(found["left"], found["right"])), expected


def join_texts(draw):
    left = column(draw, 6, "ab ", 9)
    tokens, q = draw.choice((("whitespace", 0), ("words", 0), ("qgrams:1", 1), ("qgrams:2", 2), ("qgrams:3", 3)))
    measure = draw.choice(("jaccard", "cosine", "dice"))
    sets = [oracle.qgrams_of(each or "", q) if q else oracle.words_of(each or "") for each in left]
    threshold = draw.choice(HALVES)
    expected = []
    for i, r in enumerate(sets):
        for k in range(i + 1, len(sets)):
            if r & sets[k]:
                value = oracle.of_sets(measure, r, sets[k])
                if value >= threshold**oracle.power_of(measure):
                    expected.append((i, k, len(r & sets[k]), oracle.double_of(measure, value)))
    return (left, tokens, measure, threshold
            ), list(akin.join(left, tokens=tokens, threads=1, **{measure: said(threshold)})), expected


# ---------------------------------------------------------------------------------------------------------- strings


def join_strings(draw):
    two = draw.random() < 0.4
    left, right = column(draw, 7), column(draw, 7) if two else None
    scorer = draw.choice(("levenshtein", "osa", "jaro", "jaro-winkler"))
    options, more = {}, {}
    if scorer.startswith("jaro"):
        options["floored"] = draw.random() < 0.3
        options["scale"] = draw.choice((Fraction(1, 10), Fraction(1, 4), Fraction(1, 7)))
        options["boost"] = draw.choice((Fraction(0), Fraction(7, 10)))
        more = {"floored": options["floored"]}
        if scorer == "jaro-winkler":
            more |= {"prefix_scale": said(options["scale"]), "boost_threshold": said(options["boost"])}
    pairs = [(i, k, a, b) for i, a in enumerate(left) for k, b in enumerate(right if two else left)
             if a and b and (two or i < k)]
    technique = draw.choice(("auto", "bags", "segments") if scorer in ("levenshtein", "osa") else ("auto", "bags"))
    if scorer == "levenshtein" and draw.random() < 0.5:
        most = draw.randint(0, 4)
        expected = [(i, k, d) for i, k, a, b in pairs if (d := oracle.edits(a, b, False)) <= most]
        found = akin.join(left, right, levenshtein=most, technique=technique, threads=1)
        return (left, right, most, technique), [row[:3] for row in found], expected
    values = [oracle.of_strings(scorer, a, b, **options) for _, _, a, b in pairs]
    threshold = threshold_of(draw, [exact for exact, _ in values])
    expected = [(i, k, double) for (i, k, _, _), (exact, double) in zip(pairs, values) if exact >= threshold]
    if draw.random() < 0.25:
        return best_strings(draw, left, right, scorer, options, more, threshold)
    found = akin.join(
        left, right, similarity=scorer, threshold=said(threshold), technique=technique, threads=1, **more
    )
    return (left, right, scorer, said(threshold), technique, more
            ), list(zip(found["left"], found["right"], found["similarity"])), expected


def best_strings(draw, left, right, scorer, options, more, threshold):
    top, expected = draw.randint(1, 3), []
    for i, a in enumerate(left):
        ranked = []
        for k, b in enumerate(left if right is None else right):
            if a and b and (right is not None or i != k):
                exact, _ = oracle.of_strings(scorer, a, b, **options)
                if exact >= threshold:
                    ranked.append((-exact, k))
        expected += [(i, k) for _, k in sorted(ranked)[:top]]
    found = akin.join(left, right, similarity=scorer, threshold=said(threshold), top=top, threads=1, **more)
    return (left, right, scorer, said(threshold), top, more), list(zip(found["left"], found["right"])), expected


COMPARATORS = (
    "exact", "levenshtein", "osa", "jaro", "jaro-winkler", "jaccard", "cosine", "dice", "jaccard/2", "cosine/2",
    "dice/3", "number/3", "number/10", "date/30"
)


def value(draw, comparator):
    if comparator.startswith("number"):
        return draw.choice(("1", "2", "2.5", "4", "7", "-1", "0.25", "10"))
    if comparator.startswith("date"):
        return f"2024-0{draw.randint(1, 2)}-{draw.randint(10, 28)}"
    return text(draw, "ab c", 7)


def compare(draw):
    comparator = draw.choice(COMPARATORS)
    count = draw.randint(1, 6)
    left, right = ([value(draw, comparator) for _ in range(count)] for _ in range(2))
    cutoff = draw.choice((None, *HALVES))
    found = akin.strings.compare(
        left, right, comparator, cutoff=None if cutoff is None else said(cutoff), threads=1
    )["similarity"]
    expected = []
    for a, b in zip(left, right):
        exact, power, double = oracle.of_values(comparator, a, b)
        reached = cutoff is None or oracle.reaches(comparator, exact, power, cutoff)
        expected.append(double if reached else 0.0)
    found = list(found) if oracle.is_exact(comparator) else near(list(found), expected, 1e-14)
    return (left, right, comparator, cutoff), found, expected


# ----------------------------------------------------------------------------------------------------------- search


def search_sets(draw):
    objects, queries = sets_of(draw), sets_of(draw, 4)
    k, measure = draw.randint(1, 5), draw.choice((None, None, "jaccard", "cosine", "dice"))
    least = draw.choice((0, 0, 1, 2))
    found = akin.Index.build(objects, kind="sets").search(
        queries, k=k, measure=measure, least=least, technique=draw.choice(("auto", "lists")), threads=1
    )
    expected = []
    for q, query in enumerate(queries):
        ranked = []
        for o, each in enumerate(objects):
            n = len(query & each)
            if n >= least:
                ranked.append((-oracle.of_sets(measure, query, each) if measure and n else -n, o))
        for order, o in sorted(ranked)[:k]:
            expected.append((q, o, oracle.double_of(measure, Fraction(-order)) if measure else -order))
    rows = list(zip(found["query"], found["object"], found["similarity" if measure else "count"]))
    return (objects, queries, k, measure, least), rows, expected


def search_strings(draw):
    objects, queries, k = column(draw, 8), column(draw, 4), draw.randint(1, 5)
    how = {"ngram": draw.choice((0, 1, 2, 3))}
    found = akin.Index.build(objects, kind="strings", **how).search(
        queries, k=k, technique=draw.choice(("auto", "scan")), threads=1
    )
    expected = []
    for q, query in enumerate(queries):
        ranked = [(oracle.edits(query, each, False), o) for o, each in enumerate(objects)
                  if query is not None and each is not None]
        expected += [(q, o, d) for d, o in sorted(ranked)[:k]]
    return (objects, queries, k, how), list(zip(found["query"], found["object"], found["distance"])), expected


# ------------------------------------------------------------------------------------------------------- duplicates


def records(draw, comparators, most):
    count = draw.randint(1, most)
    columns = []
    for comparator in comparators:
        made = []
        for _ in range(count):
            kind = draw.random()
            made.append(None if kind < 0.08 else draw.choice(made) if made and kind < 0.3 else value(draw, comparator))
        columns.append([each or None for each in made])
    return columns


def selected(draw, tables):
    """A selection of pairs by the first column, and these."""
    two = len(tables) == 2
    left, right = tables[0][0], tables[-1][0]
    every = [(i, k) for i in range(len(left)) for k in range(len(right)) if two or i < k]
    kind = draw.choice(("all", "all", "block", "prefix", *(() if two else ("window", ))))
    if kind == "all":
        return {"all_pairs": True}, every
    if kind == "window":
        size = draw.randint(2, 4)
        order = sorted(range(len(left)), key=lambda row: (left[row] or "").encode())
        near = {tuple(sorted((order[a], order[b]))) for a in range(len(order)) for b in range(a) if a - b < size}
        return {"window": f"{size}:c0"}, sorted(near)
    length = 1 if kind == "prefix" else None
    key = "c0:prefix:1" if kind == "prefix" else "c0"
    return {"block": key}, [(i, k) for i, k in every if left[i] and right[k] and left[i][:length] == right[k][:length]]


def dedupe(draw, two=False):
    names = draw.choices(COMPARATORS, k=draw.choice((1, 1, 2, 3)))
    tables = [records(draw, names, 6) for _ in range(1 + two)]
    rules = [(name, draw.choice((Fraction(0), *HALVES[:5])), Fraction(draw.choice(("1", "2", "0.5", "0.125"))))
             for name in names]
    missing, evidence = draw.choice(("zero", "skip", "equal")), draw.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
    chosen, pairs = selected(draw, tables)
    lists = [list(zip(*table)) for table in tables]

    def score(threshold):
        how = (missing, evidence, threshold)
        made = [(i, k, *oracle.scored(rules, lists[0][i], lists[-1][k], *how)) for i, k in pairs]
        return [(i, k, average, each) for i, k, found, average, each in made if found], made

    averages = [average.limit_denominator(10**4) for _, _, _, average, _ in score(Fraction(1))[1]]
    threshold = threshold_of(draw, averages)
    said_rules = [f"c{i}:{name}:{said(least)}:{float(weight):g}" for i, (name, least, weight) in enumerate(rules)]
    given = [{f"c{i}": each for i, each in enumerate(table)} for table in tables]
    how = dict(missing=missing, evidence=said(evidence), threshold=said(threshold), threads=1, **chosen)
    found = akin.link(*given, said_rules, **how) if two else akin.dedupe(*given, said_rules, **how)
    expected = [(i, k, float(average), *each) for i, k, average, each in score(threshold)[0]]
    rows = near([tuple(row) for row in found], expected, 2e-12)
    count = len(lists[0]) + (len(lists[1]) if two else 0)
    edges = [(i, k + (len(lists[0]) if two else 0)) for i, k, *_ in expected]
    firsts = oracle.components(edges, count)
    numbers = {first: number for number, first in enumerate(dict.fromkeys(firsts))}
    clusters = [numbers[first] for first in firsts]
    return (given, said_rules, how), (rows, list(found.clusters["cluster"])), (expected, clusters)


def link(draw):
    return dedupe(draw, two=True)


# ------------------------------------------------------------------------------------------------- words and weights


def weigh(draw):
    documents = column(draw, 6, "ab  c", 10)
    formula = draw.choice(("paper", "robertson", "lucene", "atire", "bm25+", "bm25l"))
    k1, b = draw.choice((1.2, 0.9, 2.0)), draw.choice((0.75, 0.4, 0.0, 1.0))
    delta = {"bm25+": 1.0, "bm25l": 0.5}.get(formula)
    made = akin.bm25(documents, tokens="whitespace", formula=formula, k1=k1, b=b, delta=delta, threads=1)
    table, words = made.table(), made.vocabulary
    found = {(d, words[t]): w for d, t, w in zip(table["document"], table["term"], table["weight"])}
    expected = oracle.weights_of(formula, documents, k1, b) if any((each or "").split() for each in documents) else {}
    if formula in ("paper", "atire", "lucene", "bm25+", "bm25l") and documents:
        queries, k = column(draw, 3, "abc ", 5), draw.randint(1, 4)
        ranked, best = list(made.rank(queries, k=k)), []
        for q, query in enumerate(queries):
            scores = []
            for d in range(len(documents)):
                shared = [word for word in (query or "").split() if (d, word) in expected]
                score = 0.0
                for word in shared:
                    score += expected[d, word]
                if shared:
                    scores.append((-score, d))
            best += [(q, d, -score) for score, d in sorted(scores)[:k]]
        return (documents, formula, k1, b, queries, k), (found, ranked), (expected, best)
    return (documents, formula, k1, b), found, expected


def dictionary(draw):
    words, asked = column(draw, 12, "abä", 5), column(draw, 8, "abä", 5)
    made = akin.Dictionary.build(words, kind=draw.choice(("chunks", "rrr", "stt")), threads=1)
    order = sorted({word for word in words if word is not None}, key=lambda word: word.encode()[::-1])
    found = [made.word(i) for i in range(len(made))], list(made.look_up(asked, threads=1)["id"])
    numbers = {word: number for number, word in enumerate(order)}
    return (words, asked), found, (order, [numbers.get(word) for word in asked])


# --------------------------------------------------------------------------------------------- clusters, evaluation


def edges_of(draw, rows, most=10):
    return [(draw.randrange(rows), draw.randrange(rows)) for _ in range(draw.randint(0, most))]


def clusters(draw):
    rows = draw.randint(1, 14)
    pairs = edges_of(draw, rows)
    found = akin.components(pairs, rows, threads=1)
    first = oracle.components(pairs, rows)
    numbers = {each: number for number, each in enumerate(sorted(set(first)))}
    expected = [(numbers[each], first.count(each), each) for each in first]
    return (rows, pairs), list(zip(found["cluster"], found["size"], found["representative"])), expected


def evaluate(draw):
    rows = draw.randint(2, 9)
    how = draw.choice(({}, {}, {"closed": True}, {"linked": True}))
    pairs, gold = ([(0, 1), *(pair for pair in edges_of(draw, rows) if pair[0] != pair[1])] for _ in range(2))
    make = set if "linked" in how else oracle.unordered
    found, known = (oracle.closure(each, rows) if "closed" in how else make(each) for each in (pairs, gold))
    both = len(found & known)
    expected = (*oracle.quality(both, len(found), len(known)), len(found), len(known), both)
    return (pairs, gold, how), tuple(akin.evaluate(pairs, gold, threads=1, **how)), expected


def evaluate_clusters(draw):
    rows = draw.randint(2, 9)
    pairs, gold = ([(0, 1), *(pair for pair in edges_of(draw, rows) if pair[0] != pair[1])] for _ in range(2))
    made = akin.evaluate_clusters(pairs, gold, threads=1)
    ids = sorted({each for pair in [*pairs, *gold] for each in pair})
    of = [oracle.components(each, rows) for each in (pairs, gold)]
    cluster = [{each: frozenset(k for k in ids if side[k] == side[each]) for each in ids} for side in of]
    shares = [
        sum(Fraction(len(cluster[0][each] & cluster[1][each]), len(cluster[side][each])) for each in ids) / len(ids)
        for side in range(2)
    ]
    large = [{each for each in side.values() if len(each) > 1} for side in cluster]
    numbers = (len(large[0]), len(large[1]), len(large[0] & large[1]))
    expected = (len(ids), numbers, oracle.quality(numbers[2], *numbers[:2]), *map(float, shares))
    found = (
        made.records, (made.found_clusters, made.gold_clusters, made.both_clusters), tuple(made.clusters),
        *made.bcubed[:2]
    )
    return (pairs, gold), near(found, expected, 1e-15), expected


def evaluate_curve(draw):
    rows = draw.randint(2, 9)
    pairs = {pair: draw.randint(0, 100) for pair in oracle.unordered([(0, 1), *edges_of(draw, rows)])}
    gold = oracle.unordered([(0, 1), *edges_of(draw, rows)])
    table = {"left": [a for a, _ in pairs], "right": [b for _, b in pairs],
             "similarity": [each / 100 for each in pairs.values()]}
    made, step = akin.evaluate_curve(table, list(gold), threads=1), draw.randint(0, 100)
    found = {pair for pair, each in pairs.items() if each >= step}
    expected = (*oracle.quality(len(found & gold), len(found), len(gold)), len(found), len(gold), len(found & gold))
    names = ("precision", "recall", "f1", "pairs", "gold", "both")
    return (pairs, gold, step), tuple(made[name][step] for name in names), expected


KINDS = {
    each.__name__.replace("_", "-"): each for each in (
        join_sets, join_sets, join_texts, join_strings, compare, search_sets, search_strings, dedupe, link, weigh,
        dictionary, clusters, evaluate, evaluate_clusters, evaluate_curve
    )
}


def run(cases: int, seed: int, kind: str | None = None, only: int | None = None) -> tuple[dict[str, int], int]:
    """Runs cases, and shows those that differ. Returns how many there were of each kind, and how many differ."""
    counts, differences = dict.fromkeys(KINDS, 0), 0
    for number in range(cases) if only is None else (only, ):
        draw = random.Random(f"{seed} {number}")
        name = draw.choice([*KINDS])
        if kind is not None and name != kind:
            continue
        counts[name] += 1
        try:
            given, found, expected = KINDS[name](draw)
        except akin.Error as error:
            given, found, expected = (), repr(error), None
        if found != expected:
            differences += 1
            print(f"{name}: --seed {seed} --only {number}")
            print(f"  given    {given}\n  found    {found}\n  expected {expected}")
    return counts, differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100_000, help="how many (default: 100000)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--kind", choices=[*KINDS], help="cases of this kind alone")
    parser.add_argument("--only", type=int, help="the case of this number alone")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", akin.ResultWarning)
    begun = time.perf_counter()
    counts, differences = run(asked.cases, asked.seed, asked.kind, asked.only)
    for name, count in counts.items():
        print(f"{name:<18} {count:>8,}")
    print(f"{sum(counts.values()):,} cases of seed {asked.seed}, {differences} differences, "
          f"{time.perf_counter() - begun:.1f} s")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
