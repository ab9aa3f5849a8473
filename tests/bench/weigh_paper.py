"""Tests of bench/weigh_paper.py, with programs that only play akin and weigh_gpu_bench: the calls that they receive,
and that tables and figures come of the answers.

    python3 tests/bench/weigh_paper.py
"""

import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "weigh_paper.py")

AKIN = """#!{python}
import sys
asked = sys.argv[1:]
assert asked[:2] == ["generate", "text"] and asked[asked.index("--words") + 1] == "words.tsv"
open(asked[-1], "w").write(asked[asked.index("--bytes") + 1])
"""

# A text of 100 MB has 20 documents; hash takes a millisecond a MB, the others two and three, half of it in a step.
BENCH = """#!{python}
import sys
path, repeats, batch, number, technique = sys.argv[1:]
size = int(open(path).read()[:-2])
open("asked", "a").write(f"{{size}} {{repeats}} {{batch}} {{technique}}\\n")
own = size * (1 + ["hash", "primitives", "dictionary"].index(technique)) / 1000
if technique == "dictionary":
    print(f"    dictionary: words gathered {{own / 8:.4f}} s  built {{own / 4:.4f}}  77 words")
for kind, more in ("resident", 0), ("pinned", 0.5):
    print(f"text  {{kind:8}} best   {{own / 2:.4f}} s  median   {{own + more:.4f}}  7 MB/s of 3.0 MB")
    print(f"    cut {{own / 2:.5f}} " + ("look up" if technique == "hash" else "sort")
          + f" {{own / 2:.5f}} rest 0.00000")
    print("    floor 0.00000 s: 8.5 MB read once and written once at 4.3 TB/s; the best run has 0.0 GB/s of them")
print("    copies alone: there 0.00700 back 0.00900")
print(f"    {{size // 5}} documents  {{size * 10}} words  {{size * 4}} pairs  77 terms  weight " + ({weight}))
"""


class WeighPaper(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def call(self, *arguments, code=0):
        done = subprocess.run(
            [sys.executable, SCRIPT, *arguments], cwd=self.scratch.name, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def run_bench(self, weight="'1.5'"):
        for name, program in ("akin", AKIN), ("bench", BENCH):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(program.format(python=sys.executable, weight=weight))
            os.chmod(self.path(name), 0o700)
        with open(self.path("results.txt"), "w", encoding="utf-8") as results:
            results.write(self.call("run", "./akin", "./bench", "words.tsv", "--sizes", "100", "200", "--repeats", "3"))

    def test_asks(self):
        self.run_bench()
        with open(self.path("asked"), encoding="utf-8") as lines:
            asked = lines.read().splitlines()
        self.assertEqual(asked, [f"{size} 3 {batch} {technique}" for size in (100, 200) for technique, batch in
                                 (("hash", 64), ("primitives", 2000), ("dictionary", 2000))])

    def test_reports(self):
        self.run_bench()
        tables = self.call("report", "results.txt", "images")
        for row in ("| 100 MB | 20 | 1,000 | 400 | 77 |", "| 200 MB | 700.00 | 900.00 | 1100.00 |",
                    "| 200 MB | 200.00 | 400.00 | 600.00 |", "| 100 MB | 37.50 | 75.00 |",
                    "| look up | 50.00 | - | - |", "| sort | - | 200.00 | 300.00 |", "| htod | 7.00 | 7.00 | 7.00 |"):
            self.assertIn(row, tables)
        for name in "weigh-figure-5.svg", "weigh-figure-7.svg":
            root = ElementTree.parse(self.path(os.path.join("images", name))).getroot()
            self.assertGreaterEqual(len(root.findall("{http://www.w3.org/2000/svg}rect")), 7)

    def test_differs(self):
        self.run_bench(weight="technique")
        self.assertIn("the techniques differ at", self.call("report", "results.txt", "images", code=1))


if __name__ == "__main__":
    unittest.main()
