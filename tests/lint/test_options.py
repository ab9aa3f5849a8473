#!/usr/bin/env python3
"""Shows that tests/lint/options.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_options.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("options.py")

CLEAN = {
    "include/akin.h": """
typedef struct akin_eat_options {
    size_t size;
    double hunger, *bites[2];
    int (*chew)(void *user);
} akin_eat_options;
typedef struct akin_eat_report {
    uint64_t chewed, swallowed;
    double annex_figures[6];
    int is_full, is_tired;
} akin_eat_report;
typedef struct akin_eat_facts { const char *title; } akin_eat_facts;
typedef enum akin_capability { AKIN_IS_SWEET = 1, AKIN_TAKES_SALT = 2 } akin_capability;
""",
    "src/fruit/eat.h": "typedef struct akin_eater {\n    akin_eat_options options, *more[2];\n    const "
                       "akin_eat_report *past;\n} akin_eater;\n",
    "src/fruit/mouth.h": '#include "fruit/eat.h"\n',
    "src/fruit/eat.c": """#include "fruit/mouth.h"
typedef akin_eater eater;
int a(const eater *e) { return e->options.hunger + *e->options.bites[0]; }
int b(const eater *e) { return e->more[1]->chew(NULL); }
static akin_eat_report report(const worker *w) { return (akin_eat_report){.chewed = w->chewed, .is_tired = 1}; }
void c(akin_eat_report *sum, const akin_eater *e)
{
    sum->annex_figures[3] += (*e->past).annex_figures[3] + (sum->swallowed)++;
    sum->is_full = 1;
}
static const akin_choice capabilities[] = {{"salt", AKIN_TAKES_SALT}, {"sweet", AKIN_IS_SWEET}};
""",
    "src/fruit/other.c": """#include "fruit/mouth.h"
typedef struct press { int filter, (*count)(void), technique, figures; } press;
int c(const other *o) { return o->block; }
int d(const akin_eater *e, const press *p) { return e->options.hunger + p->filter + p->technique; }
int f(const press *options) { return options->count() + options->figures; }
""",
    "papers/fruit/eat.c": "int d(const akin_eat_options *options) { return options->block + AKIN_TAKES_PEPPER; }\nvoid "
                          "e(akin_eat_report *r) { r->cleared = 1; }\n",
}


def with_member(member):
    return "typedef struct akin_more_options {\n    %s;\n} akin_more_options;" % member


def with_figure(member):
    return "typedef struct akin_more_report {\n    %s;\n} akin_more_report;" % member


PLANTED = {
    "an option that the annex alone reads": (
        "include/akin.h", with_member("uint32_t block"), "akin_more_options.block"
    ),
    "one of two names": ("include/akin.h", with_member("double hunger, sharing"), "akin_more_options.sharing"),
    "a function that nobody calls": (
        "include/akin.h", with_member("int (*spit)(void *user, int hard)"), "akin_more_options.spit"
    ),
    "a member that is only set": ("include/akin.h", with_member("double taste"), "akin_more_options.taste"),
    "a member that another struct has, too": (
        "include/akin.h", with_member("uint32_t filter"), "akin_more_options.filter"
    ),
    "a figure of another struct": ("include/akin.h", with_member("uint32_t figures"), "akin_more_options.figures"),
    "a choice of another struct": ("include/akin.h", with_member("int technique"), "akin_more_options.technique"),
    "a function of another struct": ("include/akin.h", with_member("int (*count)(void)"), "akin_more_options.count"),
    "a figure that the annex alone writes": (
        "include/akin.h", with_figure("uint64_t chewed, cleared"), "akin_more_report.cleared"
    ),
    "a capability that the annex alone knows": (
        "include/akin.h", "typedef enum akin_capability { AKIN_TAKES_PEPPER = 4 } akin_capability;", "AKIN_TAKES_PEPPER"
    ),
}
CLEAN["include/akin.h"] += with_member("double hunger") + "\n"
CLEAN["src/fruit/eat.c"] += """double e(const akin_more_options *options) { return options->hunger; }
akin_more_options f(void) { return (akin_more_options){.taste = 1}; }
void g(akin_more_report *report) { report->chewed = 1; }
"""

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
