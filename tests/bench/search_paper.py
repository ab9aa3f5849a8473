"""Tests of bench/search_paper.py, with programs that only play akin and search_bench: the calls that they receive, that
tables and figures come of the answers, and that other answers are reported.

    python3 tests/bench/search_paper.py
"""

import lzma
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "search_paper.py")

# A sequence is found among 32 candidates and more.
AKIN = """#!{python} -IS
import sys
verb, *asked = sys.argv[1:]
if verb == "info":
    print("gpu:  {gpu}")
elif verb == "index":
    open(asked[asked.index("-o") + 1], "w").write("index")
else:
    near = "--candidates" not in asked or int(asked[asked.index("--candidates") + 1]) >= 32
    lines = ["query,rank,id,distance,certificate"] + [f"{{q}},1,{{q}},{{3 if near else q}},none" for q in range(4)]
    open(asked[asked.index("-o") + 1], "w").write("\\n".join(lines) + "\\n")
"""

# A query takes a millisecond, and by each technique that comes later one more.
BENCH = """#!{python} -IS
import sys
words = sys.argv[1:]
open("asked", "a").write(" ".join(words) + "\\n")
def given(name):
    return words[words.index(name) + 1].split(",")
print("asked for the first time, with the index brought there, in 0.500 s; 0.250 GB are there")
for at, technique in enumerate(given("-w")):
    for queries in given("-q"):
        for k in given("-k"):
            print(f"-- {{technique}}, k {{k}}")
            print(f"{{queries}} queries in 1000 objects, 5 found, 0123456789abcde" + ({last}))
            print(f"{{technique}}, on the GPU")
            if technique.startswith(("cpq", "spq")):
                print("3000000 bytes a query, 1 again; "
                      "seconds of stages: transfer 0.10000, match 0.20000, select 0.30000")
            print(f"seconds: median {{int(queries) * (at + 1) / 1000:.5f}}, best 0.00001")
"""


class SearchPaper(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def path(self, *names):
        return os.path.join(self.scratch.name, *names)

    def call(self, *arguments, code=0):
        done = subprocess.run(
            [sys.executable, SCRIPT, *arguments], cwd=self.scratch.name, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def prepare(self, gpu="cuda:0", last="'f'"):
        os.mkdir(self.path("build"))
        os.mkdir(self.path("data"))
        for name, program in ("akin", AKIN), ("search_bench", BENCH):
            with open(self.path("build", name), "w", encoding="utf-8") as file:
                file.write(program.format(python=sys.executable, gpu=gpu, last=last))
            os.chmod(self.path("build", name), 0o700)
        for name in "adult.csv", "titles.txt", "sequences.txt":
            with lzma.open(self.path("data", f"{name}.xz"), "wb") as file:
                file.write(b"a line\n" * 5)

    def run_bench(self, only):
        with open(self.path("results.tsv"), "w", encoding="utf-8") as results:
            results.write(self.call("run", "build", "data", "--only", only))
        with open(self.path("asked"), encoding="utf-8") as lines:
            return lines.read().splitlines()

    def test_asks(self):
        self.prepare()
        asked = self.run_bench("many,balance,numbers")
        self.assertTrue(asked[0].startswith("-g -t "))
        self.assertIn("-w auto,cpq -q 1024,2048,4096,8192,16384 -k 100 -s 4500000,237,67", asked[0])
        self.assertIn("-w auto,cpq,cpq+ -q 1,2,4,8,16,32 -k 100 -s 100000000,14,5", asked[1])
        self.assertIn("-w auto,cpq,spq,spq-scan -q 32,64,128,256,512,1024 -k 100", asked[2])
        self.assertTrue(asked[3].startswith("-t 1 -r 1 -w cpu-idx "))

    def test_asks_the_cpu(self):
        self.prepare(gpu="none")
        asked = self.run_bench("balance")
        self.assertEqual(asked, ["-t 1 -r 1 -w auto -q 1,2,4,8,16,32 -k 100 -s 100000000,14,5"])

    def test_reports(self):
        self.prepare()
        self.run_bench("numbers,sequences")
        tables = self.call("report", "results.tsv", "images")
        for row in ("| queries | akin | c-PQ (GENIE) | GEN-SPQ | GPU-SPQ | CPU-Idx |",
                    "| 1,024 | 1.02 | 2.05 | 3.07 | 4.1 | 1.02 |",
                    "| c-PQ (GENIE): match | 0.2 | 0.2 | 0.2 | 0.2 |", "| GPU-SPQ | 3.00 | - | - | 3.00 |",
                    "| index brought to the GPU, and asked once | 0.5 | 0.5 | 0.5 | 0.5 |",
                    "| the fewest | 1 | 75 | 150 | 200 | 229 | 234 |"):
            self.assertIn(row, tables)
        self.assertRegex(tables, r"\| 16 \| 0\.250 \([0-9.e-]+ s\) \|")
        self.assertRegex(tables, r"\| 32 \| 1\.000 \([0-9.e-]+ s\) \|")
        root = ElementTree.parse(self.path("images", "search-figure-9-adult.svg")).getroot()
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 5)
        root = ElementTree.parse(self.path("images", "search-figure-8.svg")).getroot()
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 3)

    def test_differs(self):
        self.prepare(last="str(at)")
        self.assertIn("DIFFERENT ANSWERS", self.call("run", "build", "data", "--only", "many", code=1))


if __name__ == "__main__":
    unittest.main()
