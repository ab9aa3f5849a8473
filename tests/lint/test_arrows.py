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
    "src/fruit/kinds.h": "extern const akin_choice_table akin_kinds;\n",
    "src/fruit/kinds.c": '#include "fruit/kinds.h"\nextern const akin_fruit akin_pear;\nconst akin_choice_table '
                         'akin_kinds = {&akin_pear};\n',
    "src/fruit/pear.h": "extern const akin_fruit akin_pear, akin_quince[2];\n",
    "src/fruit/pear.c": '#include "fruit/pear.h"\nconst akin_fruit akin_pear = {1};\nconst akin_fruit akin_quince[2] = '
                        '{{1}, {2}};\n',
    "src/fruit/kernels.h": "extern const akin_press akin_cuda_press;\n",
    "src/fruit/press_cuda.cu": '#include "fruit/kernels.h"\nconst akin_press akin_cuda_press = {1};\n',
    "papers/fruit/jam.h": "int akin_jam_boil(void);\n",
    "papers/fruit/jam.c": '#include "papers/fruit/jam.h"\nint akin_jam_boil(void)\n{\n    '
                          'akin_basket_weigh(NULL);\n}\n',
    "papers/papers.h": "int akin_papers_cook(void);\n",
    "papers/papers.c": '#include "papers/papers.h"\nint akin_papers_cook(void)\n{\n    akin_jam_boil();\n}\n',
    "generate/water.c": "int akin_water_pour(void)\n{\n}\n",
    "src/fruit/seed.h": '#include "fruit/basket.h"\n',
    "src/fruit/basket.h": '#include "fruit/apple.h"\nint akin_basket_weigh(const akin_basket *basket);\n',
    "src/fruit/basket.c": '#include "base/error.h"\n#include "fruit/basket.h"\nint akin_basket_weigh(const akin_basket '
                          '*basket)\n{\n    akin_apple_weigh(NULL);\n}\n',
}

PLANTED = {
    "a call upward": (
        "src/base/error.c", "int a(void) { return akin_basket_weigh(NULL); }",
        "src/base/error.c: uses akin_basket_weigh of the room fruit, which is not below"
    ),
    "a table of a higher room": (
        "src/base/error.c", "const void *a(void) { return &akin_kinds; }",
        "src/base/error.c: uses akin_kinds of the room fruit, which is not below"
    ),
    "a call of the annex": (
        "src/fruit/apple.c", "int a(void) { return akin_jam_boil(); }",
        "src/fruit/apple.c: uses akin_jam_boil of the room papers, which is not below"
    ),
    "a call from one library beside to the other": (
        "papers/papers.c", "int a(void) { return akin_water_pour(); }",
        "papers/papers.c: uses akin_water_pour of the room generate, which is not below"
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
    "a circle by data": (
        "src/fruit/pear.c", "const void *a(void) { return &akin_kinds; }",
        "a circle of modules: fruit/kinds, fruit/pear"
    ),
    "a circle in the annex": (
        "papers/fruit/jam.c", "int a(void) { return akin_papers_cook(); }",
        "a circle of modules: papers/fruit/jam, papers/papers"
    ),
    "data declared elsewhere": (
        "src/fruit/basket.h", "extern const akin_choice_table akin_kinds;",
        "src/fruit/basket.h: declares akin_kinds, which fruit/kinds.c defines"
    ),
    "the second name of a declaration": (
        "src/fruit/basket.h", "extern const struct akin_fruit akin_plum, akin_quince[2];",
        "src/fruit/basket.h: declares akin_quince, which fruit/pear.c defines"
    ),
    "a table of kernels declared elsewhere": (
        "src/base/error.h", "extern const akin_press akin_cuda_press;",
        "src/base/error.h: declares akin_cuda_press, which fruit/press_cuda.cu defines"
    ),
    "a declaration elsewhere": (
        "src/fruit/basket.h", "int akin_apple_weigh(const akin_apple *apple);",
        "src/fruit/basket.h: declares akin_apple_weigh, which fruit/apple.c defines"
    ),
}

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
