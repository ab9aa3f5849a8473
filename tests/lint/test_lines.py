#!/usr/bin/env python3
"""Shows that tests/lint/lines.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_lines.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("lines.py")
LONGEST = "x" * 120

CLEAN = {
    "include/akin.h": f"{LONGEST}\n",
    "src/fruit/eat.c": f"/* {'é' * 114} */\n",
    "src/fruit/eat_cuda.cu": f"// https://example.org/{LONGEST}\n",
    "src/fruit/page.js": f"{LONGEST}{LONGEST}\n",
    "src/CMakeLists.txt": f"\t{'x' * 116}\n",
    "cmake/Eat.cmake": "",
    "python/akin/_names.pyi": "",
    "tests/cli/run.sh": "",
    "docs/eat.md": f"{LONGEST}{LONGEST}\n",
}


def fault(file, line, columns, number):
    return file, line, f"{file}:{number}: {columns} columns"


PLANTED = {
    "a line of a header": fault("include/akin.h", LONGEST + "x", 121, 2),
    "a comment": fault("src/fruit/eat.c", f"/* {'é' * 115} */", 121, 2),
    "CUDA": fault("src/fruit/eat_cuda.cu", f"{LONGEST};", 121, 2),
    "a URL with words": fault("src/fruit/eat_cuda.cu", f"// see https://example.org/{LONGEST}", 147, 2),
    "tabs": fault("src/CMakeLists.txt", "\t\t" + "x" * 113, 121, 2),
    "a list of CMake": fault("cmake/Eat.cmake", LONGEST * 2, 240, 1),
    "types of Python": fault("python/akin/_names.pyi", LONGEST * 2, 240, 1),
    "a script": fault("tests/cli/run.sh", LONGEST * 2, 240, 1),
}

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
