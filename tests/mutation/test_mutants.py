#!/usr/bin/env python3
"""Shows which mutants tests/mutation/mutants.py makes, and which it leaves alone.

    tests/mutation/test_mutants.py
"""
import unittest

import mutants
import mutate


def made(body, before=""):
    """The changes of a function with that body."""
    text = f"{before}\nint eat(int a, int b)\n{{\n{body}\n}}\n"
    found = mutants.mutants_of("eat.c", text)
    for mutant in found:
        assert mutant.of(text) != text
    return [(mutant.kind, mutant.now) for mutant in found]


class Mutants(unittest.TestCase):
    def test_kinds(self):
        self.assertEqual(made("a = a < b;"), [("relation", "a = a <= b;")])
        self.assertEqual(made("a = a == b;"), [("relation", "a = a != b;")])
        self.assertEqual(made("a = a && b;"), [("logic", "a = a || b;")])
        self.assertEqual(made("a = a * b;"), [("arithmetic", "a = a / b;")])
        self.assertEqual(made("a += b;"), [("sum", "a -= b;")])
        self.assertEqual(made("a = !b;"), [("not", "a = b;")])
        self.assertEqual(made("a = 1u;"), [("constant", "a = 2u;"), ("constant", "a = 0u;")])
        self.assertEqual(made("if (a)\n    b();"), [("condition", "if (!(a))")])
        self.assertEqual(made("break;"), [("jump", ";")])
        self.assertEqual(made("return a;"), [("return", "return 0;")])
        self.assertEqual(made("a = akin_min_u64(a, b);"), [("min-max", "a = akin_max_u64(a, b);")])
        self.assertEqual(made("a = _mm256_min_epu8(a, b);"), [("min-max", "a = _mm256_max_epu8(a, b);")])

    def test_what_is_left_alone(self):
        self.assertEqual(made('say("a < 1", \'<\'); /* a < 1 */ // a < 1'), [])
        self.assertEqual(made("", "#define MOST (1 + 2)"), [])
        self.assertEqual(made("", "#define MOST \\\n    (1 + 2)"), [])
        self.assertEqual(made('_Static_assert(1 < 2, "less");'), [])
        self.assertEqual(made("char names[256];"), [])
        self.assertEqual(made("int *p = &a, *q = -b;"), [])
        self.assertEqual(made("p = akin_alloc(account, a + 1, sizeof *p);"), [])
        self.assertEqual(made('akin_fail(error, 7, "no", a + 1);'), [])
        self.assertEqual(made("a = of(a, 0x80);"), [])
        self.assertEqual(made("a = a < b ? a : b;"), [])
        self.assertEqual(made("a = a < b ? a : c;"), [("relation", "a = a <= b ? a : c;")])

    def test_reasons_are_of_mutants_that_there_are(self):
        names = set()
        for file in mutate.FILES:
            names |= {mutant.name() for mutant in mutants.mutants_of(file, (mutate.ROOT / file).read_text())}
        self.assertEqual(set(mutate.known()) - names, set())

    def test_functions_and_lines(self):
        text = "int one(void)\n{\n    return a;\n}\n\nint two(int (*f)(int))\n{\n    return b;\n}\n"
        found = mutants.mutants_of("eat.c", text)
        self.assertEqual([(mutant.line, mutant.function) for mutant in found], [(3, "one"), (8, "two")])
        self.assertEqual(found[0].name(), "eat.c: one: return a; => return 0;")

    def test_the_same_ones_are_drawn_where_other_lines_change(self):
        lines = [f"    a{i} = b < {i};" for i in range(50)]
        before = f"int eat(void)\n{{\n{chr(10).join(lines)}\n}}\n"
        after = before.replace("{\n", "{\n    eat();\n", 1)
        first = mutants.drawn(mutants.mutants_of("eat.c", before), 10, 1)
        second = mutants.drawn(mutants.mutants_of("eat.c", after), 10, 1)
        self.assertEqual([mutant.name() for mutant in first], [mutant.name() for mutant in second])
        other = mutants.drawn(mutants.mutants_of("eat.c", before), 10, 2)
        self.assertNotEqual([mutant.name() for mutant in first], [mutant.name() for mutant in other])

    def test_callers_in_headers(self):
        first = "int f(void)\n{\n    return g();\n}\nint g(void)\n{\n    return 0;\n}\n"
        headers = [first, "int h(void)\n{\n    f();\n}\n"]
        self.assertEqual(mutants.users_of("g", headers), {"f", "g", "h"})
        self.assertEqual(mutants.users_of("h", headers), {"h"})


if __name__ == "__main__":
    unittest.main()
