#!/usr/bin/env python3
"""A public option that only the annex reads belongs into akin_papers.h; no compiler knows that.

    tests/lint/options.py [ROOT]

Each member of a struct akin_..._options of include/akin.h is read in src/: by a file that names the struct, by itself
or through what it includes. Setting a member is not reading it.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of

STRUCT = re.compile(r"typedef struct akin_\w+ \{((?:[^{}]|\{[^{}]*\})*)\} (akin_\w*options);")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
NOT_READ = {"size", "reserved"}  # of every struct, by base/options.h


def members_of(body):
    """The names in the declarations of a struct: of arrays, pointers and pointers to functions, too."""
    for declaration in filter(str.strip, body.split(";")):
        function = re.search(r"\(\*(\w+)\)\s*\(", declaration)
        for name in [function[1]] if function else declaration.split(","):
            yield re.findall(r"\w+", re.sub(r"\[.*", "", name))[-1]


def readers_of(struct, sources, includes):
    """The code of the files that name a struct, or include a file that does, through any number of headers."""
    naming = {name for name, code in sources.items() if re.search(rf"\b{struct}\b", code)}
    while True:
        more = {name for name in sources if includes[name] & naming} - naming
        if not more:
            return [sources[name] for name in naming]
        naming |= more


def faults(root):
    texts = {path.relative_to(root / "src").as_posix(): path.read_text(encoding="utf-8")
             for path in (root / "src").rglob("*") if path.suffix in {".c", ".h", ".cu", ".cuh"}}
    sources = {name: code_of(text) for name, text in texts.items()}
    includes = {name: set(INCLUDE.findall(text)) for name, text in texts.items()}
    for body, struct in STRUCT.findall(code_of((root / "include/akin.h").read_text(encoding="utf-8"))):
        readers = readers_of(struct, sources, includes)
        for member in members_of(body):
            read = re.compile(rf"(?:->|\.)\s*{member}\b(?!\s*=[^=])")
            if member not in NOT_READ and not any(read.search(code) for code in readers):
                yield (
                    f"include/akin.h: {struct}.{member}: nothing in src/ reads it; an option of the annex belongs into "
                    f"akin_papers.h"
                )


def main():
    found = sorted(
        faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]))
    )
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
