#!/usr/bin/env python3
"""Redoes the evaluation of match-count search by Zhou et al. (A Generic Inverted Index Framework for Similarity Search
on the GPU, section VI): Figures 9 to 14 and Tables I to VII, with the paper's techniques, as far as they are here, and
with ours.

    python3 bench/search_paper.py pack ../shared/data FOLDER        what is searched, for a machine that has python3
                                                                    alone: 42 MB, and 17 of images, which `vectors`
                                                                    needs
    python3 bench/search_paper.py run build/gpu/carry FOLDER >>results.tsv
    python3 bench/search_paper.py report results.tsv docs/images

`run` does what --only names, or all: numbers, sizes, many, balance, loads, best, sequences, vectors. A line of its
output is what search_bench printed of one search, or an accuracy; where techniques find different objects, it says so
and fails. Without a GPU it runs what the CPU can. --scale 0.1 takes a tenth of the made-up data.

    adult       UCI Adult, its rows 20 times; numbers in 1,024 intervals, 50 on either side of a query's count
    titles      2.1 million titles as sets of words, for the paper's tweets
    sequences   262,144 titles of 20 to 64 bytes as 3-grams, for its DBLP; queries are titles of 40 bytes, with some
                bytes changed
    signatures  4.5 million vectors of 237 values, each one of 67, at random, for its SIFT set
    mnist       60,000 images as vectors, for its OCR set
"""

import argparse
import csv
import gzip
import lzma
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from search_plot import linear, plot

COLUMNS = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
    "capital-loss,hours-per-week,native-country"
)
NUMERIC = "age,fnlwgt,education-num,capital-gain,capital-loss,hours-per-week"
COPIES = 20
VECTORS, FUNCTIONS, BUCKETS = 4_500_000, 237, 67
NUMBERS = (32, 64, 128, 256, 512, 1024)
MANY = (1024, 2048, 4096, 8192, 16384)
KS = (1, 10, 100, 1000)
CHANGED = (10, 20, 30, 40)
RATIOS = (1, 2, 4, 8, 16, 32, 64, 100)
CANDIDATES = (8, 16, 32, 64, 128, 256)
FIELDS = (
    "experiment", "data", "technique", "objects", "queries", "k", "seconds", "transfer", "match", "select", "bytes",
    "again", "found"
)
NAMES = {"auto": "akin", "lists": "akin", "scan": "akin", "cpq": "c-PQ (GENIE)", "cpq+": "c-PQ, load balanced",
         "spq": "GEN-SPQ",
         "spq-scan": "GPU-SPQ", "cpu-idx": "CPU-Idx"}

# Packing.


def read(path):
    return subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout


def write(path, text):
    path.write_bytes(lzma.compress(text, preset=6))


def change(text, percent, draw):
    """The text with `percent` of its bytes replaced by other ones."""
    changed = bytearray(text)
    for at in draw.sample(range(len(text)), len(text) * percent // 100):
        changed[at] = draw.choice([byte for byte in b"abcdefghijklmnopqrstuvwxyz" if byte != changed[at]])
    return bytes(changed)


def pack(asked):
    data, folder, draw = asked.data / "search", asked.folder, random.Random(1)
    folder.mkdir(parents=True, exist_ok=True)
    fields = [[field.strip() for field in line.strip().rstrip(".").split(",")]
              for part in ("train", "test") for line in read(data / f"adult_{part}.csv.zst").decode().split("\n")]
    rows = [",".join(row[:14]) + "\n" for row in fields if len(row) == 15 and row[0] != "age"]
    write(folder / "adult.csv.xz", "".join(rows).encode())
    (folder / "adult-queries.csv").write_text(
        COLUMNS + "\n" + "".join(rows[int(i)] for i in (data / "rows_query_rows.txt").read_text().split())
    )
    queries = (data / "documents_queries.txt").read_bytes().rstrip(b"\n").split(b"\n")
    left_out, words = set(queries), re.compile(rb"[a-z0-9']+")
    titles = (
        b" ".join(words.findall(t)) for t in read(asked.data / "text/titles.txt.zst").split(b"\n") if t not in left_out
    )
    write(folder / "titles.txt.xz", b"".join(title + b"\n" for title in titles if title))
    (folder / "titles-queries.txt").write_bytes(b"".join(b" ".join(words.findall(t)) + b"\n" for t in queries))
    sequences = read(data / "sequence_db.txt.zst")
    write(folder / "sequences.txt.xz", sequences)
    of_40 = draw.sample([line for line in sequences.split(b"\n") if len(line) == 40], 1024)
    for percent in CHANGED:
        (folder / f"sequences-{percent}.txt").write_bytes(
            b"".join(change(text, percent, draw) + b"\n" for text in of_40)
        )
    for part, count in (("base", None), ("queries", 1024)):
        vectors, labels = read(data / f"vectors_{part}.u8.zst"), (
            data / f"vectors_{part}_labels.txt"
        ).read_text().split()
        rows, width = struct.unpack("<ii", vectors[:8])
        rows = count or rows
        write(folder / f"mnist-{part}.u8.xz", struct.pack("<ii", rows, width) + vectors[8 : 8 + rows * width])
        (folder / f"mnist-{part}-labels.txt").write_text("".join(label + "\n" for label in labels[:rows]))
    # of each query the nearest row, and the squares of the distances
    with gzip.open(data / "vectors_truth.tsv.gz", "rt") as truth:
        nearest = [[] for _ in range(1024)]
        for line in csv.DictReader(truth, delimiter="\t"):
            nearest[int(line["query"])] += ([] if nearest[int(line["query"])] else [line["row"]]) + [line["squared_l2"]]
    write(folder / "mnist-truth.txt.xz", "".join(" ".join(line) + "\n" for line in nearest).encode())


# Running.


class Runner:
    def __init__(self, asked, work):
        self.asked, self.work, self.folder, self.status = asked, Path(work), asked.folder, 0
        self.akin = asked.build / "akin"
        bench = asked.build / "search_bench"
        self.bench = bench if bench.exists() else asked.build / "bench/search_bench"
        told = subprocess.run([self.akin, "info"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.has_gpu = re.search("^gpu: *cuda:0", told, re.M) is not None
        self.found = {}

    def note(self, *words):
        print("#", *words, file=sys.stderr, flush=True)

    def put(self, **values):
        print("\t".join(str(values.get(field, "")) for field in FIELDS), flush=True)

    def unpack(self, name, lines=None):
        """A packed file, or its first lines, as text in the work folder."""
        path = self.work / name
        with lzma.open(self.folder / f"{name}.xz") as packed:
            path.write_bytes(
                packed.read() if lines is None else b"".join(line for line, _ in zip(packed, range(lines)))
            )
        return path

    def index(self, experiment, data, source, *options):
        path, begun = self.work / f"{data}.akin", time.monotonic()
        subprocess.run([self.akin, "index", source, "-o", path, "-q", *options], check=True)
        self.put(experiment=f"{experiment} index", data=data, technique="build",
                 seconds=f"{time.monotonic() - begun:.3f}",
                 bytes=path.stat().st_size)
        return path

    def adult(self, experiment, copies=COPIES):
        rows, source = self.unpack("adult.csv").read_bytes(), self.work / "adult-all.csv"
        source.write_bytes(COLUMNS.encode() + b"\n" + rows * copies)
        path = self.index(experiment, "adult", source, "--kind", "rows", "--numeric", NUMERIC)
        source.unlink()
        return path, self.folder / "adult-queries.csv"

    def titles(self, experiment, lines=None):
        source = self.unpack("titles.txt", lines)
        return self.index(
            experiment, "titles", source, "--kind", "documents", "--tokens", "whitespace"
        ), self.folder / "titles-queries.txt"

    def sequences_of(self, experiment):
        source = self.unpack("sequences.txt")
        return self.index(
            experiment, "sequences", source, "--kind", "strings", "--ngram", "3"
        ), self.folder / "sequences-20.txt"

    def shape(self, vectors=VECTORS):
        return f"{max(int(vectors * self.asked.scale), 1)},{FUNCTIONS},{BUCKETS}"

    def ask(self, experiment, data, techniques, words, numbers=(1024,), ks=(100,), repeats=3):
        """Each technique with each number of queries and each k; all must find the same."""
        on_cpu = [t for t in techniques if t == "cpu-idx" or not self.has_gpu and t == "auto"]
        on_gpu = [t for t in techniques if t != "cpu-idx" and self.has_gpu]
        for device, own in ((("-g", "-t", os.cpu_count()), on_gpu), (("-t", 1), on_cpu)):
            if not own:
                continue
            lists = ["-w", ",".join(own), "-q", ",".join(map(str, numbers)), "-k", ",".join(map(str, ks))]
            command = [self.bench, *device, "-r", repeats if device[0] == "-g" else 1, *lists, *words]
            self.note(experiment, data, *map(str, command[1:]))
            out = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if out.returncode != 0:
                self.note(out.stderr.strip())
                self.status = 1
            self.read(experiment, data, own, out.stdout, (numbers, ks))

    def read(self, experiment, data, own, text, lists):
        first = re.search(r"brought there, in ([0-9.]+) s; ([0-9.]+) GB", text)
        if first:
            self.put(
                experiment=f"{experiment} index", data=data, technique="there", seconds=first[1],
                bytes=int(float(first[2]) * 1e9)
            )
        built = re.search(r"inverted in ([0-9.]+) s", text)
        if built:
            self.put(experiment=f"{experiment} index", data=data, technique="build", seconds=built[1])
        searches = re.split(r"^-- ", text, flags=re.M)[1:] or [f"{own[0]}, k {lists[1][0]}\n{text}"]
        for search in searches:
            head = re.match(r"(\S+), k (\d+)", search)
            what = re.search(r"^(\d+) queries in (\d+) objects, \d+ found, ([0-9a-f]+)", search, re.M)
            took = re.search(r"^seconds: median ([0-9.]+)", search, re.M)
            stages = re.search(
                r"^(\d+) bytes a query, (\d+) again; .*transfer ([0-9.]+), match ([0-9.]+), select ([0-9.]+)", search,
                re.M
            )
            if not (head and what and took):
                continue
            key = (experiment, data, what[2], what[1], head[2])
            if self.found.setdefault(key, what[3]) != what[3]:
                self.note("DIFFERENT ANSWERS:", *key, head[1])
                self.status = 1
            told = dict(zip(("bytes", "again", "transfer", "match", "select"), stages.groups())) if stages else {}
            self.put(experiment=experiment, data=data, technique=head[1], objects=what[2], queries=what[1], k=head[2],
                     seconds=took[1],
                     found=what[3], **told)

    # Figures 9 and 13, Tables I and IV.

    def numbers(self):
        path, queries = self.adult("numbers")
        self.ask("numbers", "adult", ["auto", "cpq", "spq", "spq-scan", "cpu-idx"], [path, queries], NUMBERS)
        path, queries = self.titles("numbers")
        self.ask("numbers", "titles", ["auto", "cpq", "spq", "cpu-idx"], [path, queries], NUMBERS)
        path, queries = self.sequences_of("numbers")
        for technique in ("auto", "cpq", "spq", "cpu-idx"):
            self.ask("numbers", "sequences", [technique], ["-n", 32, "-o", path, queries], NUMBERS, (1,))
        self.ask("numbers", "signatures", ["auto", "cpq", "spq", "spq-scan"], ["-s", self.shape()], NUMBERS)

    # Figure 10.

    def sizes(self):
        for part in (1, 2, 3, 4):
            path, queries = self.adult("sizes", COPIES * part // 4)
            self.ask("sizes", "adult", ["auto", "cpq", "spq", "spq-scan", "cpu-idx"], [path, queries], (512,))
            path, queries = self.titles("sizes", 535_000 * part)
            self.ask("sizes", "titles", ["auto", "cpq", "spq", "cpu-idx"], [path, queries], (512,))
            self.ask(
                "sizes", "signatures", ["auto", "cpq", "spq", "spq-scan"], ["-s", self.shape(VECTORS * part // 4)],
                (512,)
            )

    # Figure 11.

    def many(self):
        self.ask("many", "signatures", ["auto", "cpq"], ["-s", self.shape()], MANY, repeats=1)

    # Figure 12: as many objects as there, of 14 columns of 5 values, instead of Adult 2,000 times.

    def balance(self):
        shape = f"{max(int(100_000_000 * self.asked.scale), 1)},14,5"
        self.ask("balance", "columns", ["auto", "cpq", "cpq+"], ["-s", shape], (1, 2, 4, 8, 16, 32), repeats=1)

    # Tables II and III: what a GPU may hold is bounded, so that the index goes there in parts.

    def loads(self):
        for times in (1, 2, 4):
            vectors = int(2_250_000 * times * self.asked.scale)
            self.ask("loads", "signatures", ["auto"], ["-s", self.shape(2_250_000 * times)])
            self.ask(
                "loads in parts", "signatures", ["auto"],
                ["-m", vectors * FUNCTIONS * 3 // times, "-s", self.shape(2_250_000 * times)]
            )

    # Time by k, which the paper does not have.

    def best(self):
        path, queries = self.adult("best")
        self.ask("best", "adult", ["auto", "cpq", "spq", "cpu-idx"], [path, queries], ks=KS)
        path, queries = self.titles("best")
        self.ask("best", "titles", ["auto", "cpq", "spq", "cpu-idx"], [path, queries], ks=KS)

    # Tables VI and VII.

    def nearest(self, path, queries, *options):
        out, begun = self.work / "nearest.csv", time.monotonic()
        subprocess.run([self.akin, "search", path, queries, "-k", "1", "-q", "-o", out, *options], check=True)
        seconds = time.monotonic() - begun
        with open(out, newline="") as lines:
            return {row["query"]: row["distance"] for row in csv.DictReader(lines)}, seconds

    def sequences(self):
        path, _ = self.sequences_of("sequences")
        for percent in CHANGED:
            queries = self.folder / f"sequences-{percent}.txt"
            exact, seconds = self.nearest(path, queries)
            self.put(
                experiment="accuracy", data=f"sequences {percent}", technique="exact", queries=len(exact), k=0,
                seconds=f"{seconds:.3f}", found=1
            )
            for candidates in CANDIDATES:
                device = ["--device", "cuda", "--technique", "cpq"] if self.has_gpu else ["--device", "cpu"]
                got, seconds = self.nearest(path, queries, "--candidates", str(candidates), "--one-round", *device)
                right = sum(got.get(query) == distance for query, distance in exact.items()) / len(exact)
                self.put(experiment="accuracy", data=f"sequences {percent}",
                         technique="cpq" if self.has_gpu else "lists", queries=len(exact),
                         k=candidates, seconds=f"{seconds:.3f}", found=f"{right:.4f}")

    # Figure 14 and Table V.

    def answers(self, path, queries, *options):
        out, begun = self.work / "answers.csv", time.monotonic()
        subprocess.run([self.akin, "search", path, queries, "-q", "-o", out, *options], check=True)
        seconds = time.monotonic() - begun
        found = {}
        with open(out, newline="") as lines:
            for row in csv.DictReader(lines):
                found.setdefault(int(row["query"]), []).append(row)
        return found, f"{seconds:.3f}"

    def vectors(self):
        base, queries = self.unpack("mnist-base.u8"), self.unpack("mnist-queries.u8")
        truth = [line.split() for line in self.unpack("mnist-truth.txt").read_text().split("\n") if line]
        path = self.index(
            "vectors", "mnist", base, "--kind", "vectors", "--family", "e2lsh-l2", "--buckets", str(BUCKETS)
        )
        for k in RATIOS:
            found, seconds = self.answers(path, queries, "-k", str(k), "--rerank", str(k))
            ratios = [
                float(row["distance"]) / math.sqrt(int(exact)) for q in found for row,
                exact in zip(found[q], truth[q][1:])
            ]
            self.put(
                experiment="ratio", data="mnist", technique="akin", queries=len(found), k=k, seconds=seconds,
                found=f"{sum(ratios) / len(ratios):.4f}"
            )
        labels, wanted = (
            (self.folder / f"mnist-{part}-labels.txt").read_text().split() for part in ("base", "queries")
        )
        told = [labels[int(line[0])] for line in truth]
        self.put(
            experiment="labels", data="mnist", technique="exact", queries=len(told), k=1, found=quality(told, wanted)
        )
        path = self.index(
            "vectors", "mnist", base, "--kind", "vectors", "--family", "random-binning", "--buckets", "8192"
        )
        found, seconds = self.answers(path, queries, "-k", "1")
        told = [labels[int(found[q][0]["id"])] for q in range(len(wanted))]
        self.put(
            experiment="labels", data="mnist", technique="akin", queries=len(told), k=1, seconds=seconds,
            found=quality(told, wanted)
        )


def quality(told, wanted):
    """Precision, recall and F1, each the mean over the labels, and accuracy."""
    parts = []
    for label in sorted(set(wanted)):
        right = sum(t == w == label for t, w in zip(told, wanted))
        precision, recall = right / max(told.count(label), 1), right / wanted.count(label)
        parts.append((precision, recall, 2 * right / (told.count(label) + wanted.count(label))))
    means = [sum(part[i] for part in parts) / len(parts) for i in range(3)]
    accuracy = sum(t == w for t, w in zip(told, wanted)) / len(wanted)
    return " ".join(f"{value:.4f}" for value in (*means, accuracy))


def run(asked):
    kinds = ["numbers", "sizes", "many", "balance", "loads", "best", "sequences", "vectors"]
    with tempfile.TemporaryDirectory(prefix="akin-search-paper.") as work:
        runner = Runner(asked, work)
        for kind in asked.only.split(",") if asked.only else kinds:
            begun = time.monotonic()
            getattr(runner, kind)()
            runner.note(f"{kind}: {time.monotonic() - begun:.1f} s in all")
    return runner.status


# Tables and figures.


def table(title, head, rows):
    if rows:
        print(f"\n{title}\n\n| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
        for row in rows:
            print("| " + " | ".join(row) + " |")


def number(seconds):
    return f"{float(seconds):.3g}" if seconds else "-"


def share(row):
    return f"{float(row['found']):.3f}" + (f" ({number(row['seconds'])} s)" if row["seconds"] else "")


def lines_of(results, experiment, data, by):
    """Of each technique the seconds by a field."""
    lines = {}
    for row in results:
        if row["experiment"] == experiment and row["data"] == data and row["seconds"]:
            lines.setdefault(row["technique"], {})[int(row[by])] = float(row["seconds"])
    return lines


def tabulate(title, lines, by):
    xs = sorted({x for line in lines.values() for x in line})
    table(
        title, [by, *(NAMES.get(t, t) for t in lines)],
        [[f"{x:,}", *(number(line.get(x)) for line in lines.values())] for x in xs]
    )


def figure(asked, results, name, title, experiment, by, label):
    for data in dict.fromkeys(row["data"] for row in results if row["experiment"] == experiment):
        lines = lines_of(results, experiment, data, by)
        tabulate(f"{title}, {data}: seconds", lines, label)
        plot(
            asked.images / f"search-figure-{name}-{data}.svg", f"{title}, {data}: seconds", label,
            {NAMES.get(t, t): line for t, line in lines.items()}
        )


# Figure 8, which no machine measures.

SLACK = 1e-9  # in counts, as the library has it


def chance(m, s, epsilon):
    """Of a number of m functions, each agreeing by a chance of s, that is within epsilon m of s m (equation 8)."""
    low, high = max(0, math.ceil((s - epsilon) * m - SLACK)), min(m, math.floor((s + epsilon) * m + SLACK))
    whole = math.lgamma(m + 1) + m * math.log1p(-s)
    odds = math.log(s) - math.log1p(-s)
    return math.fsum(
        math.exp(whole - math.lgamma(c + 1) - math.lgamma(m - c + 1) + c * odds) for c in range(low, high + 1)
    )


def functions_at(s, epsilon, delta):
    """The fewest functions that do for a similarity of s, and the number from which on all do."""
    bound = math.ceil(math.log(2 / delta) / (2 * epsilon * epsilon))  # Hoeffding: from there on
    fails = [chance(m, s, epsilon) < 1 - delta for m in range(1, bound)]
    return fails.index(False) + 1, bound - fails[::-1].index(True) if any(fails) else 1


def figure_8(asked, epsilon=0.06, delta=0.06):
    half = {i / 50: functions_at(i / 50, epsilon, delta) for i in range(1, 26)}
    by_s = half | {1 - s: found for s, found in half.items()}
    marked = (0.02, 0.1, 0.2, 0.3, 0.4, 0.5)
    table(f"Figure 8: functions for epsilon = delta = {epsilon}, the fewest, and those from which on all do",
          ["s", *map(str, marked)],
          [["the fewest", *(str(half[s][0]) for s in marked)], ["from which on", *(str(half[s][1]) for s in marked)]])
    lines = {
        "the fewest": {s: found[0] for s, found in by_s.items()},
        "from which on all do": {s: found[1] for s, found in by_s.items()}
    }
    lines["the paper, 237"] = {0: 237, 1: 237}
    plot(
        asked.images / "search-figure-8.svg", f"Figure 8: functions, epsilon = delta = {epsilon}", "similarity", lines,
        linear
    )


def report(asked):
    with open(asked.results, encoding="utf-8") as lines:
        results = list(csv.DictReader(lines, FIELDS, delimiter="\t"))
    asked.images.mkdir(parents=True, exist_ok=True)
    figure_8(asked)
    figure(asked, results, "9", "Figures 9 and 13", "numbers", "queries", "queries")
    figure(asked, results, "10", "Figure 10, 512 queries", "sizes", "objects", "objects")
    figure(asked, results, "11", "Figure 11", "many", "queries", "queries")
    figure(asked, results, "12", "Figure 12", "balance", "queries", "queries")
    figure(asked, results, "k", "By k", "best", "k", "k")
    datas = list(dict.fromkeys(row["data"] for row in results if row["experiment"] == "numbers"))
    last = {
        (row["data"], row["technique"]): row
        for row in results
        if row["experiment"] == "numbers" and row["queries"] == "1024"
    }
    first = {(row["data"], row["technique"]): row["seconds"] for row in results if row["experiment"] == "numbers index"}
    stages = [
        (f"index {what}", [number(first.get((d, key))) for d in datas]) for what,
        key in (("built", "build"), ("brought to the GPU, and asked once", "there"))
    ]
    stages += [
        (f"{NAMES[t]}: {stage}", [number(last.get((d, t), {}).get(stage)) for d in datas])
        for t in ("cpq", "spq")
        for stage in ("transfer", "match", "select")
    ]
    table(
        "Table I: seconds of the stages of 1,024 queries", ["stage", *datas],
        [[name, *values] for name, values in stages if datas]
    )
    memory = [
        [
            NAMES[t],
            *(f"{int(last[d, t]['bytes']) / 1e6:.2f}" if last.get((d, t), {}).get("bytes") else "-" for d in datas)
        ]
        for t in ("cpq", "spq", "spq-scan")
        if datas
    ]
    table("Table IV: MB of the GPU's memory a query", ["technique", *datas], memory)
    for title, experiment in (("in memory", "loads"), ("in parts", "loads in parts")):
        tabulate(
            f"Tables II and III, {title}: seconds", lines_of(results, experiment, "signatures", "objects"), "objects"
        )
    ratios = {"akin": {int(row["k"]): float(row["found"]) for row in results if row["experiment"] == "ratio"}}
    table(
        "Figure 14, mnist: approximation ratio", ["k", *map(str, ratios["akin"])],
        [["", *(f"{ratio:.3f}" for ratio in ratios["akin"].values())]] if ratios["akin"] else []
    )
    plot(asked.images / "search-figure-14-mnist.svg", "Figure 14, mnist: approximation ratio", "k", ratios)
    table("Table V, mnist: labels told by the nearest one", ["", "precision", "recall", "F1", "accuracy"],
          [[row["technique"], *row["found"].split()] for row in results if row["experiment"] == "labels"])
    accuracy = {(row["data"], row["k"]): row for row in results if row["experiment"] == "accuracy"}
    changed = [f"sequences {percent}" for percent in CHANGED if (f"sequences {percent}", "0") in accuracy]
    rows = [
        [f"{k:,}" if k else "exact", *(share(accuracy[d, str(k)]) for d in changed)]
        for k in (*CANDIDATES, 0)
        if changed
    ]
    table(
        "Tables VI and VII: share of queries whose nearest sequence is found, and seconds if they were taken",
        ["K", *(f"{d.split()[1]} % changed" for d in changed)], rows
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("pack")
    verb.add_argument("data", type=Path)
    verb.add_argument("folder", type=Path)
    verb.set_defaults(do=pack)
    verb = verbs.add_parser("run")
    verb.add_argument("build", type=Path)
    verb.add_argument("folder", type=Path)
    verb.add_argument("--only")
    verb.add_argument("--scale", type=float, default=1)
    verb.set_defaults(do=run)
    verb = verbs.add_parser("report")
    verb.add_argument("results", type=Path)
    verb.add_argument("images", type=Path)
    verb.set_defaults(do=report)
    asked = parser.parse_args()
    return asked.do(asked)


if __name__ == "__main__":
    sys.exit(main())
