#!/usr/bin/env python3
"""How much made-up CDs are like real ones: a table of statistics, side by side.

    python3 bench/records.py [BUILD [FOLDER]]

BUILD is build/release if not given. The real ones are the 9,763 CDs of freedb in FOLDER, which is
../shared/data/dedupe/cd; without them there is a column less. It takes zstd to read them.
"""
import collections
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = {"artist": "0.78", "title": "0.75", "track01": "0.87", "track02": "0.87"}  # and the paper's thresholds
PAPER = ["--all-pairs", "--missing", "equal", "--threshold", "0.66"]
for name, weight in (("artist", 20), ("title", 30), ("track01", 25), ("track02", 25)):
    PAPER += ["--compare", f"{name}:jaro-winkler:{COLUMNS[name]}:{weight}"]


def dedupe(akin, table, *options):
    """The summary of akin dedupe."""
    command = [akin, "dedupe", table, "-o", "/dev/null", *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def pairs_found(summary):
    return int(re.search(r"^found +([\d,]+) pair", summary, re.M)[1].replace(",", ""))


def describe_column(values):
    """What can be said of the values of a column."""
    given = [value for value in values if value]
    lengths = sorted(map(len, given))
    most = collections.Counter(given).most_common(1)[0]
    return {
        "characters: mean": f"{sum(lengths) / len(lengths):.1f}",
        "median": str(lengths[len(lengths) // 2]),
        "95 of 100 have at most": str(lengths[int(0.95 * len(lengths))]),
        "words": f"{sum(len(value.split()) for value in given) / len(given):.2f}",
        "distinct": f"{100 * len(set(given)) / len(given):.1f} %",
        "the most frequent": f"{100 * most[1] / len(given):.1f} %",
        "not ASCII": f"{100 * sum(not value.isascii() for value in given) / len(given):.1f} %",
        "missing": f"{100 * (1 - len(given) / len(values)):.1f} %",
    }


def describe(akin, table, identifier, gold):
    """A dictionary of all that the table shows."""
    with open(table, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    with open(gold, encoding="utf-8") as lines:
        told = {"records": f"{len(rows):,}", "pairs of duplicates": f"{sum(1 for _ in lines) - 1:,}"}
    for column, threshold in COLUMNS.items():
        for what, value in describe_column([row[column] for row in rows]).items():
            told[f"{column}, {what}"] = value
        found = pairs_found(dedupe(akin, table, "--all-pairs", "--threshold", threshold,
                                   "--compare", f"{column}:jaro-winkler"))
        told[f"{column}, pairs of records at least {threshold} alike"] = f"{200e6 * found / len(rows) ** 2 / 1e6:.3g} %"
    for column in ("genre", "year"):
        told[f"{column}, missing"] = describe_column([row[column] for row in rows])["missing"]
    summary = dedupe(akin, table, "--id", identifier, "--gold", gold, *PAPER)
    told["pairs found by the paper's CP + JW"] = f"{pairs_found(summary):,}"
    measures = re.search(r"precision ([\d.]+), recall ([\d.]+), f1 ([\d.]+)", summary)
    told["precision, recall, F1 of these"] = ", ".join(f"{float(m):.3f}" for m in measures.groups())
    return told


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "build/release")
    real = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE.parent / "shared/data/dedupe/cd")
    akin, sides = str(build / "akin"), {}
    with tempfile.TemporaryDirectory() as scratch:
        if real.exists():
            table = f"{scratch}/freedb.csv"
            with open(table, "wb") as out:
                subprocess.run(["zstd", "-dcq", real / "cd.csv.zst"], check=True, stdout=out)
            sides["freedb"] = describe(akin, table, "pk", str(real / "cd_gold.csv"))
        table, gold = f"{scratch}/cds.csv", f"{scratch}/gold.csv"
        subprocess.run([akin, "generate", "records", "--kind", "cd", "--records", "9763", "--duplicates", "0.03",
                        "--most-copies", "2", "-o", table, "--gold", gold], check=True)
        sides["made up"] = describe(akin, table, "id", gold)
    print("| |", " | ".join(sides), "|")
    print("| --- |", " | ".join("---" for _ in sides), "|")
    for what in next(iter(sides.values())):
        print(f"| {what} |", " | ".join(side[what] for side in sides.values()), "|")


if __name__ == "__main__":
    main()
