#!/usr/bin/env python3
"""Says by room which lines and branches the tests reach, from what llvm-cov exported.

    llvm-cov export -summary-only ... | tests/coverage/coverage.py [TABLE]

The table has a row for each room of src, then one for all of src, which the goal is about, and one each for the
command, the generators and the annex. Behind it are the files of src of which less than 90 % of branches are reached.
TABLE is a file that gets the same."""
import collections
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOAL = 95  # % of the branches of src
LEAST = 90  # % of the branches of a file; those below are listed
BESIDE = ("cli", "generate", "papers")


class Count(collections.namedtuple("Count", "lines lines_reached branches branches_reached", defaults=(0, 0, 0, 0))):
    def __add__(self, other):
        return Count(*(a + b for a, b in zip(self, other)))

    def part(self, reached, of):
        return 100 * reached / of if of else 100.0

    def of_lines(self):
        return self.part(self.lines_reached, self.lines)

    def of_branches(self):
        return self.part(self.branches_reached, self.branches)


def counts_of(exported, root=ROOT):
    """By the path of a file below src, cli, generate or papers: its counts."""
    found = {}
    for file in exported["data"][0]["files"]:
        path = pathlib.Path(os.path.normpath(file["filename"]))  # with ccache paths count from the build folder
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
        if name.split("/")[0] in ("src", *BESIDE):
            lines, branches = file["summary"]["lines"], file["summary"]["branches"]
            found[name] = Count(lines["count"], lines["covered"], branches["count"], branches["covered"])
    return found


def row_of(name, count):
    reached = f"{count.of_lines():7.1f} {count.branches:9} {count.of_branches():9.1f}"
    return f"{name:34} {count.lines:8} {reached}"


def table_of(counts):
    """The lines of the table."""
    rooms = collections.defaultdict(Count)
    for name, count in counts.items():
        first, *others = name.split("/")
        rooms[f"src/{others[0]}" if first == "src" else first] += count
    of_src = sum((count for name, count in rooms.items() if name not in BESIDE), Count())
    yield f"{'room':34} {'lines':>8} {'% of':>7} {'branches':>9} {'% of':>9}"
    for name in sorted(set(rooms) - {*BESIDE}):
        yield row_of(name, rooms[name])
    yield row_of("src", of_src)
    for name in BESIDE:
        if name in rooms:
            yield row_of(name, rooms[name])
    verdict = "reached" if of_src.of_branches() >= GOAL else "not reached"
    yield f"\nThe goal, {GOAL} % of the branches of src, is {verdict}. Files of src below {LEAST} %:\n"
    low = [(count.of_branches(), name) for name, count in counts.items() if name.startswith("src/")]
    for part, name in sorted(low):
        if part < LEAST:
            yield row_of(name, counts[name])


def main():
    said = "\n".join(table_of(counts_of(json.load(sys.stdin)))) + "\n"
    print(said, end="")
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text(said, encoding="utf-8")


if __name__ == "__main__":
    main()
