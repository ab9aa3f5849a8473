#!/usr/bin/env python3
"""No line is longer than 120 columns.

    tests/lint/lines.py [ROOT]

It reads C, CUDA, Python, shell scripts and CMake in FOLDERS. A character takes one column, and a tab goes on to the
next multiple of 4. A line that is a URL alone, in a comment or in quotes, may be longer. The lint does not read prose
(*.md), data, and the page of the report (HTML, CSS, JavaScript).

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

MOST = 120
FOLDERS = ("include", "src", "cli", "python", "papers", "generate", "examples", "tests", "bench", "cmake",
           "debian", "packaging")
SUFFIXES = {".c", ".h", ".cu", ".cuh", ".py", ".pyi", ".sh", ".cmake"}
URL = re.compile(r"\W*https?://\S+\W*")


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES or path.name == "CMakeLists.txt":
                yield path


def faults(root):
    for path in files(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            columns = len(line.expandtabs(4))
            if columns > MOST and not URL.fullmatch(line):
                yield f"{path.relative_to(root)}:{number}: {columns} columns; expected at most {MOST}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    found = [*faults(root)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
