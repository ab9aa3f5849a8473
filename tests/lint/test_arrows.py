#!/usr/bin/env python3
"""Shows that tests/lint/arrows.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_arrows.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("arrows.py")

CLEAN = {
    "include/akin.h": "AKIN_API akin_status akin_eat(akin_context *context);\n",
    "src/CMakeLists.txt": "set(rooms base fruit)\n",
    "src/base/error.h": "akin_status akin_fail(akin_error *error);\n",
    "src/base/error.c": '#include "base/error.h"\nakin_status akin_fail(akin_error *error)\n{\n}\n',
    "src/fruit/apple.h": "int akin_apple_weigh(const akin_apple *apple);\nint akin_apple_peel(akin_apple *apple);\n",
    "src/fruit/apple.c": '#include "fruit/apple.h"\nint akin_apple_weigh(const akin_apple *apple)\n{\n}\n',
    "src/fruit/apple_peel.c": '#include "fruit/apple.h"\nint akin_apple_peel(akin_apple *apple)\n{\n    '
                              'akin_apple_weigh(apple);\n}\n',
    "src/fruit/seed.h": '#include "fruit/basket.h"\n',
    "src/fruit/basket.h": '#include "fruit/apple.h"\nint akin_basket_weigh(const akin_basket *basket);\n',
    "src/fruit/basket.c": '#include "base/error.h"\n#include "fruit/basket.h"\nint akin_basket_weigh(const akin_basket '
                          '*basket)\n{\n    akin_apple_weigh(NULL);\n}\n',
}

PLANTED = {
    "a call upward": (
        "src/base/error.c", "int a(void) { return akin_basket_weigh(NULL); }",
        "src/base/error.c: calls akin_basket_weigh of the higher room fruit"
    ),
    "a circle by an include": (
        "src/fruit/apple.h", '#include "fruit/basket.h"', "a circle of modules: fruit/apple, fruit/basket"
    ),
    "a circle through a header of types": (
        "src/fruit/apple.h", '#include "fruit/seed.h"', "a circle of modules: fruit/apple, fruit/basket"
    ),
    "a circle by a call": (
        "src/fruit/apple_peel.c", "int a(void) { return akin_basket_weigh(NULL); }",
        "a circle of modules: fruit/apple, fruit/basket"
    ),
    "a declaration elsewhere": (
        "src/fruit/basket.h", "int akin_apple_weigh(const akin_apple *apple);",
        "src/fruit/basket.h: declares akin_apple_weigh, which fruit/apple.c defines"
    ),
}

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
