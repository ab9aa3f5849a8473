#!/usr/bin/env python3
"""A context is never copied, and a memory bound is divided in one file; no compiler knows that.

    tests/lint/scopes.py [ROOT]

1. C of the library, outside src/device/context.c, has no context by value: no variable, member, parameter or result,
   and no literal. A job narrows a scope instead (src/base/scope.h).
2. C of the library, outside src/base/budget.h, divides neither a memory bound nor the limit of an account. A message
   may show a bound in MiB, as a double.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of

COPY = re.compile(
    r"\bakin_context\b\s*(?:\)\s*\{|(?!\*|;|\))(?:const\s+)?\w+)|(?<!akin_context "
    r")\*\s*context\s*=(?!=)|=\s*\*\s*(?:\w+(?:->|\.))*context\b"
)
SHARE = re.compile(r"(\(double\)\s*)?(?:\b(?:\w+(?:->|\.))+(?:memory|limit)|(?<![\w.>])limit)\s*/")
FOLDERS = ("src", "papers", "generate")
OWNERS = {"src/device/context.c", "src/base/context.h"}
BUDGET = "src/base/budget.h"


def faults(root):
    for path in sorted(
        path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in {".c", ".h", ".cu", ".cuh"}
    ):
        name = path.relative_to(root).as_posix()
        text = code_of(path.read_text(encoding="utf-8"))
        if name not in OWNERS:
            for copy in COPY.finditer(text):
                yield f"{name}:{text.count(chr(10), 0, copy.start()) + 1}: a context by value: narrow a scope instead"
        if name != BUDGET:
            for share in SHARE.finditer(text):
                if not share[1]:
                    line = text.count("\n", 0, share.start()) + 1
                    yield f"{name}:{line}: a share of a memory bound without a name: give it one in {BUDGET}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    found = sorted(faults(root))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
