#!/usr/bin/env python3
"""Shows that tests/lint/maps.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_maps.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("maps.py")

CLEAN = {
    "src/join/plan.c": "",
    "src/join/plan_gpu.c": "",
    "papers/join/hybrid_cuda.cu": "",
    "ARCHITECTURE.md": "join/plan.c, _gpu.c, weigh_*.c and `plan_gpu.c`; papers/join/hybrid_cuda.cu in "
                       "`papers/join/`\n",
    "CONTRIBUTING.md": "1. Write `src/join/NAME.c`, like `src/join/plan.c`, in `join/`; it is built in "
                       "`build/release/`.\n",
}

PLANTED = {
    "a file that has gone": (
        "ARCHITECTURE.md", "    plan    join/planner.c", "ARCHITECTURE.md:2: there is no join/planner.c"
    ),
    "its last name alone": ("CONTRIBUTING.md", "It is like `planner.h`.", "CONTRIBUTING.md:2: there is no planner.h"),
    "a folder that has gone": (
        "ARCHITECTURE.md", "Styles are in `dedupe/page/`.", "ARCHITECTURE.md:2: there is no folder dedupe/page/"
    ),
    "another ending": ("ARCHITECTURE.md", "over hybrid_cuda.cuh", "ARCHITECTURE.md:2: there is no hybrid_cuda.cuh"),
}

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
