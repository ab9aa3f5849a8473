#!/usr/bin/env python3
"""Shows that tests/lint/options.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_options.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("options.py")

CLEAN = {
    "include/akin.h": "typedef struct akin_eat_options {\n    size_t size;\n    double hunger, *bites[2];\n    int "
                      "(*chew)(void *user);\n} akin_eat_options;\n",
    "src/fruit/eat.h": "typedef struct eater {\n    akin_eat_options options;\n} eater;\n",
    "src/fruit/mouth.h": '#include "fruit/eat.h"\n',
    "src/fruit/eat.c": '#include "fruit/mouth.h"\nint a(const eater *e) { return e->options.hunger + '
                       '*e->options.bites[0]; }\nint b(const eater *e) { return e->options.chew(NULL); }\n',
    "src/fruit/other.c": "int c(const other *o) { return o->block; }\n",
    "papers/fruit/eat.c": "int d(const akin_eat_options *options) { return options->block; }\n",
}


def with_member(member):
    return "typedef struct akin_more_options {\n    %s;\n} akin_more_options;" % member


PLANTED = {
    "an option that the annex alone reads": (
        "include/akin.h", with_member("uint32_t block"), "akin_more_options.block"
    ),
    "one of two names": ("include/akin.h", with_member("double hunger, sharing"), "akin_more_options.sharing"),
    "a function that nobody calls": (
        "include/akin.h", with_member("int (*spit)(void *user, int hard)"), "akin_more_options.spit"
    ),
    "a member that is only set": ("include/akin.h", with_member("double taste"), "akin_more_options.taste"),
}
CLEAN["include/akin.h"] += with_member("double hunger") + "\n"
CLEAN["src/fruit/eat.c"] += """double e(const akin_more_options *options) { return options->hunger; }
akin_more_options f(void) { return (akin_more_options){.taste = 1}; }
"""

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
