#!/usr/bin/env python3
"""debian/ fits the tree: what it repeats of other files is the same there.

    tests/lint/debian.py [ROOT]

1. The first entry of debian/changelog has the version of include/akin.h, and a revision.
2. debian/libakin0.symbols is what packaging/symbols.py makes of itself and the headers.
3. debian/copyright has the words of LICENSE, and debian/control the Python of pyproject.toml.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
import symbols
from symbols import read

ENTRY = re.compile(r"akin \(([^()]+)-([^-()]+)\) ")
PYTHON = re.compile(r"\b(python3(?:-dev)?) \(>= ([\d.]+)\)")
REQUIRED = re.compile(r'^requires-python = ">=([\d.]+)"$', re.MULTILINE)


def faults_of_version(root):
    version = symbols.version_of(root)[0]
    found = ENTRY.match(read(root, "debian/changelog"))
    if not found or found[1] != version:
        what = found[1] if found else "no version with a revision"
        yield f"debian/changelog:1: {what}; expected {version}, as include/akin.h says"


def faults_of_symbols(root):
    there, wanted = read(root, symbols.FILE).splitlines(), [*symbols.lines(root)]
    update = "packaging/symbols.py writes the file"
    for line in [line for line in there if line not in wanted]:
        yield f"{symbols.FILE}: unexpected '{line.strip()}': {update}"
    for line in [line for line in wanted if line not in there]:
        yield f"{symbols.FILE}: there is no '{line.strip()}': {update}"
    if sorted(there) == sorted(wanted) and there != wanted:
        yield f"{symbols.FILE}: lines are in another order: {update}"


def faults_of_repeated(root):
    licence = read(root, "LICENSE").partition("\n\nPermission")
    repeated = read(root, "debian/copyright").partition("\n\nLicense: Expat\n")[2].replace("\n .\n", "\n")
    if "".join(licence[1:]).split() != repeated.split():
        yield "debian/copyright: the words of the licence are not those of LICENSE"
    holder = re.search(r"Copyright \(c\) (.*)", licence[0])
    if not holder or f"Copyright: {holder[1]}\n" not in read(root, "debian/copyright"):
        yield "debian/copyright: the holder is not that of LICENSE"
    required = REQUIRED.search(read(root, "pyproject.toml"))
    wanted = [(name, required and required[1]) for name in ("python3-dev", "python3")]
    if PYTHON.findall(read(root, "debian/control")) != wanted:
        yield f"debian/control: expected python3-dev and python3 (>= {wanted[0][1]}), as pyproject.toml requires"


def faults(root):
    yield from faults_of_version(root)
    yield from faults_of_symbols(root)
    yield from faults_of_repeated(root)


def main():
    found = [*faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]))]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
