#!/usr/bin/env python3
"""How fast match-count search is, of each kind: on a GPU, if there is one, and on the CPU, whose answers must be the
same.

    python3 bench/search.py pack ../shared/data FOLDER        what is searched, compressed (45 MB), for a machine that
                                                              has no zstd
    python3 bench/search.py run build/gpu/carry FOLDER        makes the indexes, and runs search_bench on each

rows are UCI Adult, 20 times; documents, titles; sequences, titles of 20 to 64 bytes, and queries are such titles with
10 or 30 % of their bytes changed. `sets` are documents that akin generates, 10 million of about 10 words; `signatures`,
4,500,000 vectors of 237 values of 67, made by search_bench.
--only names some of these; --cpu N gives the CPU N threads (0: no search on it).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLUMNS = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
    "capital-loss,hours-per-week,native-country"
)
NUMERIC = "age,fnlwgt,education-num,capital-gain,capital-loss,hours-per-week"
COPIES = 20
DOCUMENTS = 10_000_000
SIGNATURES = "4500000,237,67"

# Packing.


def read(path):
    return subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout.decode()


def write(path, text):
    subprocess.run(["zstd", "-13", "-qf", "--long=24", "-T0", "-o", path], input=text.encode(), check=True)


def pack_rows(data, folder):
    lines = [line for part in ("train", "test") for line in read(data / f"search/adult_{part}.csv.zst").split("\n")]
    fields = [[field.strip() for field in line.strip().rstrip(".").split(",")] for line in lines]
    rows = [",".join(row[:14]) + "\n" for row in fields if len(row) == 15 and row[0] != "age"]
    asked = [rows[int(i)] for i in (data / "search/rows_query_rows.txt").read_text().split()]
    write(folder / "rows.csv.zst", COLUMNS + "\n" + "".join(rows) * COPIES)
    write(folder / "rows-queries.csv.zst", COLUMNS + "\n" + "".join(asked))


def pack_documents(data, folder):
    words = re.compile("[a-z0-9']+")
    asked = (data / "search/documents_queries.txt").read_text().rstrip("\n").split("\n")
    left_out = set(asked)
    titles = (" ".join(words.findall(t)) for t in read(data / "text/titles.txt.zst").split("\n") if t not in left_out)
    write(folder / "documents.txt.zst", "".join(title + "\n" for title in titles if title))
    write(folder / "documents-queries.txt.zst", "".join(" ".join(words.findall(t)) + "\n" for t in asked))


def pack_sequences(data, folder):
    write(folder / "sequences.txt.zst", read(data / "search/sequence_db.txt.zst"))
    for part in (10, 30):
        write(folder / f"sequences-queries-{part}.txt.zst", (data / f"search/sequence_queries_{part}.txt").read_text())


def pack(asked):
    asked.folder.mkdir(parents=True, exist_ok=True)
    for make in (pack_rows, pack_documents, pack_sequences):
        make(asked.data, asked.folder)


# Running.


class Runner:
    def __init__(self, asked, work):
        self.asked, self.work = asked, Path(work)
        bench = asked.build / "search_bench"
        self.akin = asked.build / "akin"
        self.bench = bench if bench.exists() else asked.build / "bench/search_bench"
        told = subprocess.run([self.akin, "info"], check=True, stdout=subprocess.PIPE).stdout.decode()
        self.has_gpu = re.search("^gpu: *cuda:0", told, re.M) is not None

    def make(self, *command):
        begun = time.monotonic()
        subprocess.run([self.akin, *command, "-q"], check=True)
        print(f"akin {command[0]}: {time.monotonic() - begun:.2f} s", flush=True)

    def index(self, name, source, *options):
        path = self.work / f"{name}.akin"
        self.make("index", source, "-o", path, *options)
        print(f"{path.stat().st_size / 1e9:.3f} GB", flush=True)
        return path

    def ask(self, what, *words):
        """By each device; the answers, which search_bench prints as a hexadecimal number, must be the same."""
        devices = [["-g", "-t", str(os.cpu_count())]] if self.has_gpu else []
        devices += [["-t", str(self.asked.cpu), "-r", "1"]] if self.asked.cpu else []
        told = set()
        for device in devices:
            print(f"\n== {what}: {' '.join(device)}", flush=True)
            out = subprocess.run([self.bench, *device, *map(str, words)], stdout=subprocess.PIPE, text=True)
            print(out.stdout, end="", flush=True)
            told |= set(re.findall(r"found, ([0-9a-f]{16})", out.stdout)) or {"nothing"}
        if len(told) > 1:
            print(f"{what}: DIFFERENT ANSWERS: {told}", flush=True)
            self.asked.status = 1

    def rows(self):
        path = self.index("rows", self.asked.folder / "rows.csv.zst", "--kind", "rows", "--numeric", NUMERIC)
        for technique in ("auto", "lists", "scan"):
            self.ask(f"rows, {technique}", "-k", 100, "-w", technique, path, self.asked.folder / "rows-queries.csv.zst")

    def documents(self):
        path = self.index(
            "documents", self.asked.folder / "documents.txt.zst", "--kind", "documents", "--tokens", "whitespace"
        )
        queries = self.asked.folder / "documents-queries.txt.zst"
        self.ask("documents", "-k", 100, path, queries)
        for measure in ("jaccard", "cosine"):
            self.ask(f"documents, {measure}", "-k", 100, "-M", measure, path, queries)
        self.ask(
            "documents, in parts: a third of the index at a time", "-k", 100, "-m", path.stat().st_size // 3, path,
            queries
        )

    def sequences(self):
        path = self.index("sequences", self.asked.folder / "sequences.txt.zst", "--kind", "strings", "--ngram", "3")
        for part in (10, 30):
            for k in (1, 10):
                queries = self.asked.folder / f"sequences-queries-{part}.txt.zst"
                self.ask(f"sequences, {part} % changed, k {k}", "-k", k, path, queries)

    def sets(self):
        made = {}
        for name, count, seed in (("sets", DOCUMENTS, 1), ("sets-queries", 1024, 2)):
            made[name] = self.work / f"{name}.akin"
            shape = ["--tokens", "1000000", "--average", "10", "--spread", "3", "--seed", str(seed)]
            self.make("generate", "sets", "--sets", str(count), *shape, "-o", made[name])
        path = self.index("sets-index", made["sets"], "--kind", "sets")
        self.ask("10 million documents", "-k", 100, path, made["sets-queries"])

    def signatures(self):
        self.ask("signatures", "-k", 100, "-s", SIGNATURES)


def run(asked):
    asked.status = 0
    kinds = ["rows", "documents", "sequences", "signatures", "sets"]
    with tempfile.TemporaryDirectory(prefix="akin-search.") as work:
        runner = Runner(asked, work)
        for kind in asked.only.split(",") if asked.only else kinds:
            begun = time.monotonic()
            getattr(runner, kind)()
            print(f"{kind}: {time.monotonic() - begun:.1f} s in all\n", flush=True)
    return asked.status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    packing = verbs.add_parser("pack")
    packing.add_argument("data", type=Path)
    packing.add_argument("folder", type=Path)
    packing.set_defaults(do=pack)
    running = verbs.add_parser("run")
    running.add_argument("build", type=Path)
    running.add_argument("folder", type=Path)
    running.add_argument("--only")
    running.add_argument("--cpu", type=int, default=os.cpu_count())
    running.set_defaults(do=run)
    asked = parser.parse_args()
    return asked.do(asked)


if __name__ == "__main__":
    sys.exit(main())
