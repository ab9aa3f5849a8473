#!/usr/bin/env python3
"""Writes debian/libakin0.symbols: which version of libakin0 a program wants that uses a function.

    packaging/symbols.py [ROOT]

A function of libakin and libakin_generate wants the version that brought it: a line that is there stays. A new one gets
VERSION+, which is later than VERSION and earlier than every version that may follow. What libakin exports beside its
functions, and libakin_papers, fit one version alone (docs/versions.md).

It prints the functions that are gone. That breaks programs: the library needs another number, as libakin.so.1.
"""
import pathlib, re, sys

LIBRARIES = {"libakin": "akin.h", "libakin_generate": "akin_generate.h", "libakin_papers": "akin_papers.h"}
VERSION = re.compile(r'^#define AKIN_VERSION_STRING "((\d+)\.(\d+)\.(\d+))"$', re.MULTILINE)
FUNCTION = re.compile(r"^AKIN_API [^;(]*\b(akin_[a-z0-9_]+)\(", re.MULTILINE)
SYMBOL = re.compile(r"^ (\w+@\w+) (\S+)$", re.MULTILINE)
FILE = "debian/libakin0.symbols"


def read(root, name):
    path = root / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def version_of(root):
    version, *parts = VERSION.search(read(root, "include/akin.h")).groups()
    return version, *map(int, parts)


def functions(root, library):
    """The functions that the header of a library declares, as its symbols."""
    node = "AKIN_0" if library == "libakin" else "Base"
    return sorted({f"{name}@{node}" for name in FUNCTION.findall(read(root, f"include/{LIBRARIES[library]}"))})


def lines(root):
    """What the file is to be."""
    version, major, minor, patch = version_of(root)
    alone = f"libakin0 (>= {version}), libakin0 (<< {major}.{minor}.{patch + 1}~)"
    there = dict(SYMBOL.findall(read(root, FILE)))
    new = f"{version}+" if there else version
    for library in LIBRARIES:
        is_papers = library == "libakin_papers"
        yield f"{library}.so.0 {alone if is_papers else 'libakin0 #MINVER#'}"
        if library == "libakin":
            yield f"| {alone}"
        yield "* Build-Depends-Package: libakin-dev"
        if library == "libakin":
            yield f" AKIN_0@AKIN_0 {there.get('AKIN_0@AKIN_0', version)}"
            yield " (symver|optional)AKIN_PRIVATE 0 1"
        for name in functions(root, library):
            yield f" {name} {'0' if is_papers else there.get(name, new)}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    text = "".join(f"{line}\n" for line in lines(root))
    gone = sorted({name for name, _ in SYMBOL.findall(read(root, FILE))} - {name for name, _ in SYMBOL.findall(text)})
    (root / FILE).write_text(text, encoding="utf-8")
    print(*(f"gone: {name}" for name in gone), sep="\n", end="\n" if gone else "")


if __name__ == "__main__":
    main()
