#!/usr/bin/env python3
"""Shows that tests/lint/choices.py finds what it is for: a small tree is clean, and each fault that is planted in it is found.

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
int eat(int x, int cpu) { return x == AKIN_PEAR && cpu >= AKIN_CPU_AVX2 && x < AKIN_MOST && 1 << AKIN_PLUM && p->AKIN_PEAR; }
const char *say(void) { return "x < AKIN_PEAR is no name, nor is apples"; }
""",
    "cli/main.c": "int main(void) { return 0; }\n",
    "python/akin/fruits.py": """
Fruit = Literal["apple", "pear"]
def eat(fruit: str = "apple", how: str = "whole") -> None: ...
""",
}

PLANTED = {
    "at most a value": ("src/fruit/eat.c", "int a(int x) { return x <= AKIN_PEAR; }", "AKIN_PEAR of akin_fruit is compared by order"),
    "a value on the left": ("src/fruit/eat.c", "int a(int x) { return AKIN_APPLE < x; }", "AKIN_APPLE of akin_fruit is compared by order"),
    "a cast": ("src/fruit/eat.c", "int a(int x) { return (unsigned)x > (unsigned)AKIN_PLUM; }", "AKIN_PLUM of akin_fruit is compared by order"),
    "a loop": ("cli/main.c", "void a(void) { for (int f = AKIN_APPLE; f <= AKIN_PLUM; f++) {} }", "AKIN_PLUM of akin_fruit is compared by order"),
    "a name in the library": ("src/fruit/eat.c", "const char *a = \"apple\";", "'apple' is written here"),
    "a name in the command": ("cli/main.c", "const char *a[] = {\"plum\", \"pear\"};", "'pear' is written here"),
    "a name in Python": ("python/akin/fruits.py", "KNOWN = ['pear']", "'pear' is written here"),
}


def is_found(said, file, expected):
    return said.count("\n") == 1 and expected in said and said.startswith(file + ":")


planted.check(LINT, CLEAN, PLANTED, is_found)
