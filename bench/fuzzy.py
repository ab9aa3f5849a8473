#!/usr/bin/env python3
"""Joins tables with reference tables, without labels, by `akin link --precision`: precision and recall of each task.

    bench/fuzzy.py AKIN FOLDER [PRECISION]

FOLDER has a folder for each task, with left.csv (the reference table), right.csv and gt.csv, whose columns id_l and
id_r are the right pairs. The package `autofj` of PyPI has the 50 tasks of Auto-FuzzyJoin (Li et al., 2021), in the
folder autofj/benchmark.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile
import time


def pairs_of(path, left, right):
    with open(path, encoding="utf-8", newline="") as file:
        return {(row[left], row[right]) for row in csv.DictReader(file)}


def run(akin, task, precision, out):
    command = [akin, "link", task / "left.csv", task / "right.csv", "--id", "id", "--precision", precision, "--pairs",
               out / "pairs.csv", "-o", out / "clusters.csv", "--replace", "-q"]
    begun = time.monotonic()
    subprocess.run([str(word) for word in command], check=True)
    seconds = time.monotonic() - begun
    found = pairs_of(out / "pairs.csv", "left", "right")
    gold = pairs_of(task / "gt.csv", "id_l", "id_r")
    right = len(found & gold)
    return len(gold), right / len(found) if found else 1, right / len(gold), seconds


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    akin, folder, precision = sys.argv[1], pathlib.Path(sys.argv[2]), (sys.argv[3:] + ["0.9"])[0]
    tasks = sorted(path.parent for path in folder.glob("*/gt.csv"))
    results = []
    with tempfile.TemporaryDirectory() as out:
        for task in tasks:
            results.append(run(akin, task, precision, pathlib.Path(out)))
            print(f"{task.name:30} {results[-1][0]:5} pairs  precision {results[-1][1]:.3f}  "
                  f"recall {results[-1][2]:.3f}  {results[-1][3]:.2f} s", flush=True)
    for name, rows in (("all", results), ("even", results[::2]), ("odd", results[1::2])):
        print(f"{name:5} {len(rows)} tasks: mean precision {sum(r[1] for r in rows) / len(rows):.3f}, mean recall "
              f"{sum(r[2] for r in rows) / len(rows):.3f}, least precision {min(r[1] for r in rows):.3f}, "
              f"{sum(r[3] for r in rows):.1f} s")


main()
