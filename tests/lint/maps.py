#!/usr/bin/env python3
"""The maps of the code are true: every file and every folder that ARCHITECTURE.md and CONTRIBUTING.md name is there.

    tests/lint/maps.py [ROOT]

A file is named from the root, from a folder of FOLDERS, or by its last name alone. Names with NAME or ROOM in them
stand for what is to be made, and _forms.c behind plan_words.c stands for plan_forms.c: both are left out. A folder is
a name in backquotes that ends in a slash, from the root or from a folder of FOLDERS. build/, what is made there, and
../shared are left out.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

MAPS = ("ARCHITECTURE.md", "CONTRIBUTING.md")
FOLDERS = (".", "src", "papers", "tests", "cli", "docs", "python", "python/src")
FOLDER = re.compile(r"`((?:[\w.-]+/)+)`")
MADE = ("build/", "../")
FILE = re.compile(r"(?<![\w/.*>-])((?:[\w-]+/)*[A-Za-z0-9][\w-]*\.(?:cuh|cu|c|h|py|sh))(?![\w*])")


def faults(root):
    there = [path
             for folder in (
                 "src", "papers", "generate", "include", "cli", "python", "tests", "bench", "docs", "examples", "cmake"
             )
             for path in (root / folder).rglob("*")]
    names = {path.name for path in there}
    for page in MAPS:
        for number, line in enumerate((root / page).read_text(encoding="utf-8").splitlines(), 1):
            for name in FILE.findall(line):
                if "NAME" in name or name in names or any((root / folder / name).exists() for folder in FOLDERS):
                    continue
                yield f"{page}:{number}: there is no {name}"
            for name in FOLDER.findall(line):
                if "ROOM" not in name and not name.startswith(MADE) and not any(
                    (root / folder / name).is_dir() for folder in FOLDERS
                ):
                    yield f"{page}:{number}: there is no folder {name}"


def main():
    found = list(
        faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]))
    )
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
