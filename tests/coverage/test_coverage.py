#!/usr/bin/env python3
"""Shows that tests/coverage/coverage.py adds up what it is given, and lists what is below its bounds.

    tests/coverage/test_coverage.py
"""
import pathlib
import unittest

import coverage


def file_of(name, lines, branches):
    summary = {
        "lines": {"count": lines[0], "covered": lines[1]},
        "branches": {"count": branches[0], "covered": branches[1]},
    }
    return {"filename": name, "summary": summary}


EXPORTED = {
    "data": [
        {
            "files": [
                file_of("/tree/src/fruit/eat.c", (10, 10), (20, 20)),
                file_of("/tree/src/fruit/eat.h", (10, 5), (0, 0)),
                file_of("/tree/build/x/../../src/leaf/fall.c", (4, 1), (10, 8)),
                file_of("/tree/cli/main.c", (2, 2), (2, 1)),
                file_of("/tree/papers/old.c", (100, 0), (100, 0)),
                file_of("/tree/tests/unit/test_eat.c", (100, 0), (100, 0)),
                file_of("/usr/include/stdio.h", (100, 0), (100, 0)),
            ]
        }
    ]
}


class Tables(unittest.TestCase):
    def setUp(self):
        self.counts = coverage.counts_of(EXPORTED, pathlib.Path("/tree"))
        self.rows = {row.split()[0]: row.split()[1:] for row in coverage.table_of(self.counts) if row.split()}

    def test_only_own_files_count(self):
        self.assertEqual(len(self.counts), 5)

    def test_rooms_are_added_up(self):
        self.assertEqual(self.rows["src/fruit"], ["20", "75.0", "20", "100.0"])
        self.assertEqual(self.rows["src/leaf"], ["4", "25.0", "10", "80.0"])
        self.assertEqual(self.rows["src"], ["24", "66.7", "30", "93.3"])

    def test_what_is_beside_is_in_no_sum(self):
        self.assertEqual(self.rows["cli"], ["2", "100.0", "2", "50.0"])
        self.assertEqual(self.rows["papers"], ["100", "0.0", "100", "0.0"])

    def test_files_below_the_bound_are_listed(self):
        self.assertIn("src/leaf/fall.c", self.rows)
        self.assertNotIn("src/fruit/eat.c", self.rows)
        self.assertNotIn("papers/old.c", self.rows)

    def test_a_goal_that_is_not_reached(self):
        said = "\n".join(coverage.table_of(self.counts))
        self.assertIn("The goal, 95 % of the branches of src, is not reached.", said)
        good = {"src/fruit/eat.c": coverage.Count(1, 1, 20, 19)}
        self.assertIn("of src, is reached.", "\n".join(coverage.table_of(good)))


if __name__ == "__main__":
    unittest.main()
