#!/usr/bin/env python3
"""Draws the pictures of the pages of jobs, docs/images/job-*.svg, from what akin says of small made-up data.

    docs/site/pictures.py build/release/akin docs/images

`./dev docs` holds them against what would be drawn, but for the planner's prediction, which depends on the machine.
"""

import csv
import io
import math
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from drawing import COLOURS, INK, LINE, QUIET, SHADE, Axes, Drawing, number, shade

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MACHINES = {"job-join-planner.svg"}  # what differs from machine to machine


class Akin:
    """The command, in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = Path(program).resolve(), Path(folder)

    def run(self, *arguments, **more):
        """What it prints; `told` is what it says on standard error."""
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, **more)
        if done.returncode:
            raise SystemExit(f"pictures.py: akin {' '.join(map(str, arguments))}: {done.stderr}")
        self.told = done.stderr
        return done.stdout

    def table(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.run(*arguments))))

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name


# Joins.


def recipes(count):
    lines = (EXAMPLES / "recipes.txt").read_text(encoding="utf-8").splitlines()[:count]
    return [(name, tokens.split(", ")) for name, tokens in (line.split(": ") for line in lines)]


def draw_prefixes(akin):
    """The prefix filter: tokens of each set from the rarest on, and how many of them must be looked up at Jaccard 0.7."""
    found = recipes(9)
    count = Counter(token for _, tokens in found for token in tokens)
    order = {token: rank for rank, token in enumerate(sorted(count, key=lambda t: (count[t], t)))}
    ids = akin.write("recipes.ids", "".join(" ".join(str(order[t]) for t in tokens) + "\n" for _, tokens in found))
    pairs = {(int(row["left"]), int(row["right"])) for row in akin.table("join", ids, "--jaccard", "0.7")}
    sets = [sorted(tokens, key=order.get) for _, tokens in found]
    # |r| - n + 1 tokens, n being what the smallest possible partner needs: at 0.7, of 0.7 |r| tokens, that many.
    prefixes = [len(tokens) - math.ceil(7 * len(tokens) / 10) + 1 for tokens in sets]
    drawing = Drawing(860, 330, "Prefix filter at Jaccard 0.7: only sets that share a coloured token are looked at")
    for row, ((name, _), tokens) in enumerate(zip(found, sets)):
        y = 44 + 26 * row
        drawing.text(118, y + 14, name, "end")
        for i, token in enumerate(tokens):
            drawing.box(128 + 96 * i, y, 92, 21, "#f7d9b5" if i < prefixes[row] else SHADE, radius=3)
            drawing.text(128 + 96 * i + 46, y + 15, f"{token} {count[token]}", "middle", INK if i < prefixes[row] else QUIET, 11)
    met = [(a, b) for b in range(len(sets)) for a in range(b) if set(sets[a][: prefixes[a]]) & set(sets[b][: prefixes[b]])]
    if not pairs <= set(met):
        raise SystemExit("pictures.py: the prefix filter of the picture loses pairs")
    drawing.text(12, 296, f"{len(sets) * (len(sets) - 1) // 2} pairs, {len(met)} of them share a coloured token, {len(pairs)} of these reach 0.7.")
    drawing.text(12, 318, "Behind each token: in how many of these recipes it is. The rarest come first.", fill=QUIET)
    return drawing


def draw_planner(akin):
    """What the planner predicts of each technique, by threshold."""
    akin.run("generate", "sets", "--sets", 100000, "--tokens", 4000, "--average", 40, "--spread", 12, "--zipf", 0.7, "-o", "dense.txt")
    thresholds = [t / 100 for t in range(50, 100, 5)]
    predicted, chosen = {}, {}
    for threshold in thresholds:
        akin.run("join", "dense.txt", "--jaccard", threshold, "--count", "--explain", "--threads", 1, "--device", "cpu")
        lines = [line.split() for line in akin.told.splitlines()]
        weighed = [line[1:] if line[0] == "weighed" else line for line in lines if "cpu" in line]
        for words in weighed:
            best = predicted.setdefault(words[0], {})
            best[threshold] = min(best.get(threshold, math.inf), max(float(words[-1]), 0.001))
        chosen[threshold] = min(predicted, key=lambda name: predicted[name].get(threshold, math.inf))
    drawing = Drawing(720, 356, "What the planner predicts: 100,000 sets of 40 tokens, one thread")
    seconds = [s for line in predicted.values() for s in line.values()]
    low, high = 10 ** math.floor(math.log10(min(seconds))), 10 ** math.ceil(math.log10(max(seconds)))
    axes = Axes(drawing, (thresholds[0], thresholds[-1]), (low, high), log_y=True)
    marks = [10.0**p for p in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    axes.marks([t / 10 for t in range(5, 10)], marks, "Jaccard threshold", "seconds", number)
    names = sorted(predicted)
    for name, colour in zip(names, COLOURS):
        axes.curve(sorted(predicted[name].items()), colour)
    for threshold, name in chosen.items():
        axes.drawing.dot(*axes.at(threshold, predicted[name][threshold]), 4.5, COLOURS[names.index(name)], f"{name} is chosen")
    drawing.legend(524, 60, zip(names, COLOURS))
    drawing.text(524, 60 + 20 * len(names) + 14, "dots: what is chosen", fill=QUIET)
    return drawing


# Duplicates.

RULES = ("--window", "8:surname:value", "--window", "8:date_of_birth:value", "--compare", "given_name:jaro-winkler:0.7",
         "--compare", "surname:jaro-winkler:0.7:2", "--compare", "address:jaccard/2:0.4", "--compare", "date_of_birth:levenshtein:0.6:2",
         "--compare", "phone:levenshtein:0.6", "--fold", "all", "--missing", "skip")


def find_customers(akin, threshold):
    akin.run("dedupe", EXAMPLES / "data/customers.csv", "-q", "--id", "id", *RULES, "--threshold", threshold, "-o", "clusters.csv", "--pairs", "pairs.csv")
    return list(csv.DictReader(io.StringIO((akin.folder / "pairs.csv").read_text(encoding="utf-8"))))


def draw_curve(akin):
    """Precision, recall and F1 over the threshold."""
    find_customers(akin, 0.3)
    rows = [row for row in akin.table("evaluate", "--curve", "pairs.csv", EXAMPLES / "data/customers_gold.csv") if float(row["threshold"]) >= 0.3]
    drawing = Drawing(680, 356, "Duplicates among 400 customers: how good a threshold is")
    axes = Axes(drawing, (0.3, 1), (0, 1))
    axes.marks([t / 10 for t in range(3, 11)], [0, 0.25, 0.5, 0.75, 1], "threshold of the weighted average")
    for name, colour in zip(("precision", "recall", "f1"), COLOURS):
        axes.curve([(float(row["threshold"]), float(row[name])) for row in rows], colour)
    best = max(rows, key=lambda row: float(row["f1"]))
    axes.drawing.dot(*axes.at(float(best["threshold"]), float(best["f1"])), 4.5, COLOURS[2])
    drawing.legend(524, 60, zip(("precision", "recall", "F1"), COLOURS))
    drawing.text(524, 136, f"F1 {float(best['f1']):.3f} at {float(best['threshold']):g}", fill=QUIET)
    return drawing


def draw_clusters(akin):
    """The largest clusters: records, and the pairs that connect them."""
    least = 0.5
    pairs = find_customers(akin, least)
    rows = list(csv.DictReader(io.StringIO((akin.folder / "clusters.csv").read_text(encoding="utf-8"))))
    with open(EXAMPLES / "data/customers_gold.csv", encoding="utf-8") as file:
        gold = {frozenset((row["left"], row["right"])) for row in csv.DictReader(file)}
    members = {}
    for row in rows:
        members.setdefault(row["cluster"], []).append(row["id"])
    largest = sorted(members.values(), key=lambda ids: (-len(ids), ids[0]))[:10]
    drawing = Drawing(860, 380, "The largest clusters among 400 customers, at a threshold of 0.5: a line is a pair, the thicker the more similar")
    wrong = 0
    for i, ids in enumerate(largest):
        cx, cy, radius = 92 + 168 * (i % 5), 110 + 156 * (i // 5), 50
        places = {name: (cx + radius * math.sin(2 * math.pi * k / len(ids)), cy - radius * math.cos(2 * math.pi * k / len(ids))) for k, name in enumerate(ids)}
        for pair in pairs:
            if pair["left"] in places and pair["right"] in places:
                right = frozenset((pair["left"], pair["right"])) in gold
                wrong += not right
                drawing.line([places[pair["left"]], places[pair["right"]]], COLOURS[2] if right else COLOURS[3], 1 + 6 * (float(pair["similarity"]) - least))
        for name, (x, y) in places.items():
            drawing.dot(x, y, 7, COLOURS[0], name)
        drawing.text(cx, cy + radius + 26, f"customer {ids[0].split('-')[1]}", "middle", QUIET, 12)
    drawing.text(12, 368, f"Green: right by the gold standard; red: wrong ({wrong}). Records that no line joins are one by way of others.", fill=QUIET)
    return drawing


# Strings.


def draw_distances(akin):
    """The edit distances of all beginnings of two words."""
    left, right = "SUNDAY", "SATURDAY"
    cells = [(i, j) for i in range(len(left) + 1) for j in range(len(right) + 1)]
    akin.write("cells.csv", "a,b\n" + "".join(f'"{left[:i]}","{right[:j]}"\n' for i, j in cells))
    rows = akin.table("compare", "--files", "cells.csv", "--left-on", "a", "--right-on", "b", "--scorer", "levenshtein", "--distance")
    distance = {cell: int(row["distance"]) for cell, row in zip(cells, rows)}
    path, (i, j) = [], (len(left), len(right))
    while True:
        path.append((i, j))
        if not i and not j:
            break
        same = i > 0 and j > 0 and left[i - 1] == right[j - 1]
        before = [(i - 1, j - 1, 0 if same else 1), (i - 1, j, 1), (i, j - 1, 1)]
        i, j = next((a, b) for a, b, cost in before if a >= 0 and b >= 0 and distance[a, b] + cost == distance[i, j])
    drawing = Drawing(470, 360, f"Edit distances of the beginnings of {left} and {right}")
    size = 38
    at = lambda a, b: (60 + size * b, 64 + size * a)  # noqa: E731
    for (a, b), value in distance.items():
        x, y = at(a, b)
        drawing.box(x, y, size - 2, size - 2, "#f7d9b5" if (a, b) in path else shade(min(value, 8) / 12), radius=3)
        drawing.text(x + size / 2 - 1, y + 23, str(value), "middle")
    for a, symbol in enumerate(left, 1):
        drawing.text(46, at(a, 0)[1] + 23, symbol, "middle", mono=True)
    for b, symbol in enumerate(right, 1):
        drawing.text(at(0, b)[0] + size / 2 - 1, 56, symbol, "middle", mono=True)
    drawing.text(12, 350, f"The last is the distance, {distance[len(left), len(right)]}; orange: a cheapest way there.", fill=QUIET)
    return drawing


def draw_comparators(akin):
    """Pairs of values, and what each comparator says of them."""
    pairs = (("Martha", "Marhta"), ("Jon Smith", "John Smith"), ("Smith, John", "John Smith"), ("Katherine", "Catherine"), ("Meyer", "Maier"),
             ("Main Street 12", "12 Main St"), ("Dixon", "Dicksonx"), ("Peter", "Paul"))
    comparators = ("levenshtein", "osa", "jaro", "jaro-winkler", "soundex", "jaccard", "jaccard/2", "cosine/2")
    akin.write("pairs.csv", "a,b\n" + "".join(f'"{a}","{b}"\n' for a, b in pairs))
    drawing = Drawing(860, 330, "How alike comparators find the same values")
    for c, comparator in enumerate(comparators):
        rows = akin.table("compare", "--files", "pairs.csv", "--left-on", "a", "--right-on", "b", "--scorer", comparator)
        x = 250 + 75 * c
        drawing.text(x + 36, 58, comparator, "middle", size=11)
        for p, row in enumerate(rows):
            value = float(row["similarity"])
            drawing.box(x, 68 + 30 * p, 73, 28, shade(value * 0.75), radius=3)
            drawing.text(x + 36, 68 + 30 * p + 19, f"{value:.2f}", "middle")
    for p, (a, b) in enumerate(pairs):
        drawing.text(240, 68 + 30 * p + 19, f"{a} | {b}", "end")
    return drawing


# Documents.


def draw_formulas(akin):
    """What a term weighs by how often it is in a document, by each formula."""
    most, length = 12, 40
    documents = [" ".join(["term"] * tf + [f"other{tf}x{i}" for i in range(length - tf)]) for tf in range(1, most + 1)]
    documents += [" ".join(f"more{n}x{i}" for i in range(length)) for n in range(60)]
    akin.write("texts.txt", "\n".join(documents) + "\n")
    drawing = Drawing(700, 356, "What a term weighs that is in 12 of 72 documents of 40 words, by formula")
    axes = Axes(drawing, (1, most), (0, 8))
    axes.marks(list(range(1, most + 1)), [0, 2, 4, 6, 8], "how often it is in the document", "weight")
    names = ("paper", "robertson", "lucene", "bm25+", "bm25l")
    for name, colour in zip(names, COLOURS):
        rows = csv.DictReader(io.StringIO(akin.run("weigh", "texts.txt", "--formula", name)), delimiter="\t")
        axes.curve([(int(row["tf"]), float(row["weight"])) for row in rows if row["term"] == "term"], colour, dots=True)
    drawing.legend(524, 60, zip(("paper, atire", *names[1:]), COLOURS))
    return drawing


def draw_scores(akin):
    """What the scores of the best documents are made of."""
    question = "choir rehearsal at the school on thursday evening"
    ids = "akin", "weigh", EXAMPLES / "data/notices.jsonl", "--on", "text", "--id", "id", "--stop-words", "english"
    akin.run("index", *ids[2:], "--kind", "bm25", "-o", "index.akin")
    akin.write("question.txt", question + "\n")
    found = [line.split() for line in akin.run("rank", "index.akin", "question.txt", "-k", 8).splitlines()]
    words = question.split()
    weights = {(row["document"], row["term"]): float(row["weight"]) for row in csv.DictReader(io.StringIO(akin.run(*ids[1:])), delimiter="\t")}
    words = [word for word in words if any((line[2], word) in weights for line in found)]
    drawing = Drawing(760, 70 + 30 * len(found), f"“{question}”: what scores are made of")
    most = max(float(line[4]) for line in found)
    for row, line in enumerate(found):
        x, y = 60.0, 42 + 30 * row
        drawing.text(50, y + 16, line[2], "end", mono=True)
        for word, colour in zip(words, COLOURS):
            width = weights.get((line[2], word), 0) / most * 480
            drawing.box(x, y, width, 22, colour)
            x += width
        drawing.text(x + 8, y + 16, f"{float(line[4]):.2f}", fill=QUIET)
    drawing.legend(620, 56, zip(words, COLOURS))
    return drawing


# Search.


def vectors(count, draw, centres):
    return [[c + draw.gauss(0, 1) for c in draw.choice(centres)] for _ in range(count)]


def as_fvecs(rows):
    return b"".join(struct.pack(f"<i{len(row)}f", len(row), *row) for row in rows)


def draw_recall(akin):
    """How many of the true neighbours are found, by the number of hash functions and of vectors that are compared."""
    draw = random.Random(3)
    centres = [[draw.gauss(0, 2) for _ in range(24)] for _ in range(40)]
    (akin.folder / "vectors.fvecs").write_bytes(as_fvecs(vectors(2000, draw, centres)))
    (akin.folder / "queries.fvecs").write_bytes(as_fvecs(vectors(50, draw, centres)))
    functions, reranked = (8, 16, 32, 64, 128, 256), (0, 50, 200)
    recall = {}
    for count in functions:
        akin.run("index", "vectors.fvecs", "--kind", "vectors", "--functions", count, "-o", "vectors.akin")
        if count == functions[0]:
            akin.run("search", "vectors.akin", "queries.fvecs", "-k", 10, "--rerank", 2000, "-o", "truth.csv")
        for rerank in reranked:
            more = ("--rerank", rerank) if rerank else ()
            akin.run("search", "vectors.akin", "queries.fvecs", "-k", 10, *more, "--truth", "truth.csv", "-o", "found.csv")
            recall[rerank, count] = float(next(line for line in akin.told.splitlines() if line.startswith("recall")).split()[1].rstrip(","))
    drawing = Drawing(760, 356, "The true 10 nearest of 2,000 made-up vectors that are found, by hash functions")
    axes = Axes(drawing, (functions[0], functions[-1]), (0, 1), log_x=True)
    axes.marks(list(functions), [0, 0.25, 0.5, 0.75, 1], "hash functions", "recall")
    for rerank, colour in zip(reranked, COLOURS):
        axes.curve([(count, recall[rerank, count]) for count in functions], colour, dots=True)
    drawing.legend(524, 60, zip(["by the counts alone", *(f"of {n} that are compared" for n in reranked[1:])], COLOURS))
    return drawing


def draw_counts(akin):
    """Match counts: the keywords of rows, those that a query's items contain, and the counts."""
    rows = (("p1", "Ada", 30, "Rome"), ("p2", "Bob", 35, "Rome"), ("p3", "Cy", 60, "Oslo"), ("p4", "Dee", 41, "Oslo"), ("p5", "Eve", 33, "Bern"))
    akin.write("people.csv", "key,name,age,town\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in rows))
    akin.write("asked.csv", 'name,age,town\nBob,"[30,40]",Rome\n')
    akin.run("index", "people.csv", "--kind", "rows", "--id", "key", "--numeric", "age", "--bins", 30, "-o", "people.akin")
    count = {row["id"]: int(row["count"]) for row in akin.table("search", "people.akin", "asked.csv", "-k", 5)}
    hits = {row[0]: (row[1] == "Bob", 30 <= row[2] <= 40, row[3] == "Rome") for row in rows}
    if any(sum(hits[key]) != count[key] for key in count):
        raise SystemExit("pictures.py: the counts of the picture are not akin's")
    drawing = Drawing(560, 250, "The query name = Bob, age 30 to 40, town = Rome: who counts most?")
    for c, title in enumerate(("name", "age", "town", "count")):
        drawing.text(105 + 110 * c, 56, title, "middle", QUIET)
    for r, row in enumerate(rows):
        y = 68 + 30 * r
        drawing.text(40, y + 19, row[0], "end", mono=True)
        for c, value in enumerate(row[1:]):
            drawing.box(52 + 110 * c, y, 106, 26, "#f7d9b5" if hits[row[0]][c] else SHADE, radius=3)
            drawing.text(105 + 110 * c, y + 18, str(value), "middle")
        drawing.text(105 + 330, y + 18, str(count[row[0]]), "middle", weight=600)
    drawing.text(12, 238, "Each value is a keyword; an item of the query contains one, or a range of them.", fill=QUIET)
    return drawing


# Dictionaries, made-up data.


def draw_trie(akin):
    """A trie of some words, with the ids that akin gives them."""
    words = ("tea", "ten", "team", "inn", "in", "tin", "trim", "trip")
    akin.write("words.txt", "\n".join(words) + "\n")
    akin.run("dictionary", "build", "words.txt", "-o", "words.akin")
    ids = dict(zip(words, akin.run("dictionary", "lookup", "words.akin", "words.txt").split()))
    prefixes = sorted({word[:n] for word in words for n in range(len(word) + 1)})
    leaves, places = 0, {}
    for prefix in sorted(prefixes, reverse=True):  # children before their parents, from the right
        children = [p for p in prefixes if p[:-1] == prefix and p]
        if children:
            places[prefix] = sum(places[p] for p in children) / len(children)
        else:
            places[prefix], leaves = leaves, leaves + 1
    x = lambda prefix: 60 + 84 * (leaves - 1 - places[prefix])  # noqa: E731
    y = lambda prefix: 60 + 62 * len(prefix)  # noqa: E731
    drawing = Drawing(84 * leaves + 40, 370, f"A trie of {', '.join(sorted(words))}, and their ids")
    for prefix in prefixes[1:]:
        drawing.line([(x(prefix[:-1]), y(prefix[:-1])), (x(prefix), y(prefix))], LINE, 2)
    for prefix in prefixes:
        end = prefix in ids
        drawing.dot(x(prefix), y(prefix), 15 if end else 11, "#f7d9b5" if end else "#dbe7f2", prefix)
        if end:
            drawing.text(x(prefix), y(prefix) + 5, ids[prefix], "middle")
        if prefix:
            drawing.text((x(prefix) + x(prefix[:-1])) / 2 + 7, (y(prefix) + y(prefix[:-1])) / 2 + 3, prefix[-1], mono=True)
    drawing.text(12, 358, "Words have ids in the order of their reversals: orange, where a word ends.", fill=QUIET)
    return drawing


def draw_bytes(akin):
    """Bytes a word of each kind of dictionary."""
    text = akin.run("generate", "text", "--documents", 3000, "--length", 6, 0.5)
    words = sorted(set(text.split()))
    akin.write("words.txt", "\n".join(words) + "\n")
    sizes = [("as they are, a line each", sum(len(word) + 1 for word in words) / len(words))]
    for kind, title in (("chunks", "chunks, the default"), ("rrr", "rrr, the paper's"), ("stt", "stt, a state-transition table")):
        akin.run("dictionary", "build", "words.txt", "--kind", kind, "-o", "words.akin")
        sizes.append((title, (akin.folder / "words.akin").stat().st_size / len(words)))
    drawing = Drawing(700, 190, f"Bytes a word: {len(words):,} made-up words")
    for i, (title, size) in enumerate(sizes):
        y, width = 42 + 34 * i, math.log10(size / 0.5) / math.log10(1000) * 380
        drawing.text(206, y + 17, title, "end")
        drawing.box(216, y, width, 24, COLOURS[i])
        drawing.text(216 + width + 8, y + 17, f"{size:.2f}", fill=QUIET)
    drawing.text(216, 184, "The scale is logarithmic.", fill=QUIET, size=12)
    return drawing


def draw_frequencies(akin):
    """How often the tokens of made-up sets are there, by rank."""
    drawing = Drawing(680, 356, "Tokens of 20,000 made-up sets: how often each is there, by --zipf")
    axes = Axes(drawing, (1, 10000), (1, 20000), log_x=True, log_y=True)
    axes.marks([1, 10, 100, 1000, 10000], [1, 10, 100, 1000, 10000], "rank of the token", "sets", number)
    for zipf, colour in zip((0, 0.5, 1, 1.5), COLOURS):
        text = akin.run("generate", "sets", "--sets", 20000, "--tokens", 10000, "--zipf", zipf)
        counts = sorted(Counter(text.split()).values(), reverse=True)
        ranks = [rank for rank in sorted({round(10 ** (i / 8)) for i in range(33)}) if rank <= len(counts)]
        axes.curve([(rank, counts[rank - 1]) for rank in ranks], colour)
    drawing.legend(524, 60, zip(("--zipf 0", "--zipf 0.5", "--zipf 1, the default", "--zipf 1.5"), COLOURS))
    return drawing


PICTURES = {
    "job-join-prefixes.svg": draw_prefixes,
    "job-join-planner.svg": draw_planner,
    "job-dedupe-curve.svg": draw_curve,
    "job-dedupe-clusters.svg": draw_clusters,
    "job-strings-distances.svg": draw_distances,
    "job-strings-comparators.svg": draw_comparators,
    "job-weigh-formulas.svg": draw_formulas,
    "job-rank-scores.svg": draw_scores,
    "job-search-counts.svg": draw_counts,
    "job-search-recall.svg": draw_recall,
    "job-dictionary-trie.svg": draw_trie,
    "job-dictionary-bytes.svg": draw_bytes,
    "job-generate-frequencies.svg": draw_frequencies,
}


def differing(program, folder):
    """The pictures whose files are not what would be drawn now."""
    for name, draw in PICTURES.items():
        with tempfile.TemporaryDirectory() as scratch:
            kept = (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
            if not kept or (name not in MACHINES and kept != str(draw(Akin(program, scratch)))):
                yield name


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    for name, draw in PICTURES.items():
        with tempfile.TemporaryDirectory() as scratch:
            (folder / name).write_text(str(draw(Akin(program, scratch))), encoding="utf-8")


if __name__ == "__main__":
    main()
