#!/usr/bin/env python3
"""Shows that tests/lint/choices.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_choices.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("choices.py")

CLEAN = {
    "include/akin.h": """
typedef enum akin_fruit { AKIN_APPLE = 1, AKIN_PEAR = 2 /* < AKIN_APPLE */, AKIN_PLUM } akin_fruit;
typedef enum akin_cpu { AKIN_CPU_SCALAR, AKIN_CPU_AVX2 } akin_cpu;
#define AKIN_MOST 3
""",
    "src/fruit/fruits.c": """
#include "pear"
static const akin_choice rows[] = {
    {"apple", "", "a round one", AKIN_APPLE, 0},
    {"pear", "[/N]", "one with "
     "a neck", AKIN_PEAR, 0},
};
""",
    "src/fruit/eat.c": """
/* x < AKIN_PEAR would be wrong, and so would "apple" */
int eat(int x, int cpu)
{
    return x == AKIN_PEAR && cpu >= AKIN_CPU_AVX2 && x < AKIN_MOST && 1 << AKIN_PLUM && p->AKIN_PEAR;
}
const char *say(void) { return "x < AKIN_PEAR is no name, nor are apples, pears or an apple and peas"; }
const char *usual = "apple", *both[] = {"apple", "quince"};
""",
    "cli/main.c": "int main(void) { return 0; }\n",
    "tests/unit/test_eat.c": "static const char *const all[] = {\"apple\", \"pear\"}; /* what a test expects is no "
                             "list of the table's */\n",
    "bench/eat_bench.c": "int eat(int x) { return x == AKIN_PEAR || x < AKIN_MOST; }\n",
    "python/akin/fruits.py": """
Fruit = Literal["apple", "pear"]
def eat(fruit: str = "apple", how: str = "whole") -> None: ...
""",
}

PLANTED = {
    "at most a value": (
        "src/fruit/eat.c", "int a(int x) { return x <= AKIN_PEAR; }", "AKIN_PEAR of akin_fruit is compared by order"
    ),
    "a value on the left": (
        "src/fruit/eat.c", "int a(int x) { return AKIN_APPLE < x; }", "AKIN_APPLE of akin_fruit is compared by order"
    ),
    "a cast": (
        "src/fruit/eat.c", "int a(int x) { return (unsigned)x > (unsigned)AKIN_PLUM; }",
        "AKIN_PLUM of akin_fruit is compared by order"
    ),
    "a loop": (
        "cli/main.c", "void a(void) { for (int f = AKIN_APPLE; f <= AKIN_PLUM; f++) {} }",
        "AKIN_PLUM of akin_fruit is compared by order"
    ),
    "a loop in a test": (
        "tests/unit/test_eat.c", "void a(void) { for (int f = AKIN_APPLE; f <= AKIN_PLUM; f++) {} }",
        "AKIN_PLUM of akin_fruit is compared by order"
    ),
    "an order in a benchmark": (
        "bench/eat_bench.c", "int a(int x) { return x > AKIN_APPLE; }", "AKIN_APPLE of akin_fruit is compared by order"
    ),
    "a name compared in C": (
        "src/fruit/eat.c", "int a(const char *x) { return strcmp(x, \"apple\") == 0; }", "compared with apple"
    ),
    "a beginning compared": (
        "cli/main.c", "int a(const char *x) { return !memcmp(x, \"pear\", 4); }", "compared with pear"
    ),
    "a list in C": ("cli/main.c", "const char *a[] = {\"apple\", \"pear\"};", "a list has apple, pear"),
    "a list over two lines": ("cli/main.c", "const char *a[] = {\"apple\",\n\"pear\"};", "a list has apple, pear"),
    "a list in a message": (
        "src/fruit/eat.c", "const char *a = \"%s: expected apple or pear\";", "a list has apple, pear"
    ),
    "a longer list in a message": (
        "cli/main.c", "const char *a = \"one of quince, apple or pear\";", "a list has apple, pear"
    ),
    "a list in literals that are one text": (
        "cli/main.c", "const char *a = \"fruit: apple,\\n\"\n\"pear\";", "a list has apple, pear"
    ),
    "a list with arguments": (
        "cli/main.c", "const char *a = \"apple (the default) or pear:N, N from 1\";", "a list has apple, pear"
    ),
    "a list that goes on": ("cli/main.c", "const char *a = \"pear[/N], apple, ...\";", "a list has apple, pear"),
    "a name compared in Python": ("python/akin/fruits.py", "if fruit == 'pear': pass", "compared with pear"),
    "a case in Python": ("python/akin/fruits.py", "match fruit:\n  case 'pear': pass", "compared with pear"),
    "a list in Python": ("python/akin/fruits.py", "KNOWN = ['pear', 'apple']", "a list has apple, pear"),
    "a dictionary in Python": ("python/akin/fruits.py", "KNOWN = {'pear': 1, 'apple': 2}", "a list has apple, pear"),
    "a message in Python": (
        "python/akin/fruits.py", "WHY = f\"{x}; expected apple or pear\"", "a list has apple, pear"
    ),
}


def is_found(said, file, expected):
    return said.count("\n") == 1 and expected in said and said.startswith(file + ":")


planted.check(LINT, CLEAN, PLANTED, is_found)
