#!/usr/bin/env python3
"""Shows that tests/lint/rooms.sh finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_rooms.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("rooms.sh")

FILES = {
    "include/akin.h": "",
    "include/akin_papers.h": '#include "akin.h"\n',
    "include/akin_generate.h": '#include "akin.h"\n',
    "src/CMakeLists.txt": "# the rooms\nset(rooms base device graph\n          join)\nset(base\n    base/error.c\n)\n",
    "src/base/error.h": '#include "akin.h"\n',
    "src/base/error.c": '#include "base/error.h"\n',
    "src/graph/clusters.c": '#include "base/error.h"\n',
    "src/join/join.h": '#include "graph/clusters.h"\n',
    "papers/papers.c": '#include "akin_papers.h"\n#include "base/error.h"\n#include "papers/graph/warshall.h"\n',
    "papers/graph/warshall.h": '#include "graph/clusters.h"\n',
    "papers/graph/warshall_cuda.cu": '#include "device/kernel.h"\n',
    "generate/generators.c": '#include "akin_generate.h"\n#include "base/error.h"\n#include "generate/records.h"\n',
    "generate/records.h": '#include "akin_generate.h"\n',
    "cli/generate.c": '#include "akin_generate.h"\n#include "command.h"\n',
    "cli/main.c": '#include "akin_papers.h"\n#include "command.h"\n',
    "cli/command.h": '#include "akin.h"\n',
    "python/src/module.c": '#include "akin_papers.h"\n',
    "examples/c/one.c": '#include "akin.h"\n',
    "bench/one_bench.c": '#include "papers/graph/warshall.h"\n',
    "tests/unit/test_one.c": '#include "base/error.h"\n',
}
BUILT = ",\n".join(f'{{"file": "/tree/{name}"}}' for name in FILES if name.endswith(".c"))
CLEAN = {**FILES, "build/lint/compile_commands.json": f"[{BUILT}]\n"}

PLANTED = {
    "a call upward": ("src/graph/clusters.c", '#include "join/join.h"', 'src/graph/clusters.c: includes "join/join.h"'),
    "the annex in a room": (
        "src/join/join.h", '#include "papers/graph/warshall.h"', 'src/join/join.h: includes "papers/graph/warshall.h"'
    ),
    "the header of the annex in a room": (
        "src/base/error.c", '#include "akin_papers.h"', 'src/base/error.c: includes "akin_papers.h"'
    ),
    "the annex in the generators": (
        "generate/records.h", '#include "akin_papers.h"', 'generate/records.h: includes "akin_papers.h"'
    ),
    "the generators in the annex": (
        "papers/papers.c", '#include "generate/records.h"', 'papers/papers.c: includes "generate/records.h"'
    ),
    "the generators in a room": (
        "src/join/join.h", '#include "generate/records.h"', 'src/join/join.h: includes "generate/records.h"'
    ),
    "the header of the generators in a room": (
        "src/base/error.c", '#include "akin_generate.h"', 'src/base/error.c: includes "akin_generate.h"'
    ),
    "a program in the annex": (
        "papers/papers.c", '#include "cli/command.h"', 'papers/papers.c: includes "cli/command.h"'
    ),
    "a room in a program": ("cli/main.c", '#include "base/error.h"', 'cli/main.c: includes "base/error.h"'),
    "the generators in a program": (
        "cli/main.c", '#include "generate/records.h"', 'cli/main.c: includes "generate/records.h"'
    ),
    "the annex in a program": (
        "cli/main.c", '#include "papers/graph/warshall.h"', 'cli/main.c: includes "papers/graph/warshall.h"'
    ),
    "a room that no list has": ("src/loft/roof.h", "", "src/loft/: is a room that src/CMakeLists.txt does not list"),
    "CUDA in the annex": (
        "papers/papers.c", "#include <cuda_runtime.h>", "papers/papers.c: includes what is src/device's"
    ),
}

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
