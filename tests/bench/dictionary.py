"""Tests of bench/dictionary.py, with a program that only plays dictionary_bench: the calls that it receives, and that
tables and figures come of its answers.

    python3 tests/bench/dictionary.py
"""

import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "dictionary.py")

# The list has 2,000,000 words; a word of chunks takes 2 bytes, of rrr 4, of stt 200, and looking one up 1, 2 or 3 ns.
BENCH = """#!{python}
import sys
asked, kinds = sys.argv[1:], ("chunks", "rrr", "stt")
open("asked", "a").write(" ".join(asked) + "\\n")
assert asked[asked.index("-k") + 1] == ",".join(kinds) and asked[-1] == "words.tsv" and "-g" in asked
size, words = min(int(asked[asked.index("-v") + 1]), 2000000), int(asked[asked.index("-n") + 1])
text = "uniform" if "-u" in asked else "frequent"
for i, kind in enumerate(kinds):
    print(f"{{kind}}: {{size}} words, ... nodes")
    print(f"text={{text}} vocabulary={{size}} words={{words}} mean=4.500 variance=6.250")
    print(f"kind={{kind}} vocabulary={{size}} words={{words}} text={{text}} "
          f"trie={{size * (2, 4, 200)[i]}} all={{10 * words}}")
    for start in "device", "host":
        for balance in "none", "bins", "refill":
            print(f"from={{start}} kind={{kind}} text={{text}} balance={{balance}} vocabulary={{size}} words={{words}} "
                  f"ms={{words * (i + 1) / 1e6:.3f}} words/s={{1e9 / (i + 1):.3e}} "
                  f"ns/byte={{(i + 1) / 4.5:.4f}} differ={differ}")
"""


class Dictionary(unittest.TestCase):
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

    def run_bench(self, differ=0):
        with open(self.path("bench"), "w", encoding="utf-8") as bench:
            bench.write(BENCH.format(python=sys.executable, differ=differ))
        os.chmod(self.path("bench"), 0o700)
        with open(self.path("results.txt"), "w", encoding="utf-8") as results:
            results.write(self.call("run", "./bench", "words.tsv", "--words", "1e6"))

    def test_asks(self):
        self.run_bench()
        with open(self.path("asked"), encoding="utf-8") as lines:
            asked = lines.read().splitlines()
        self.assertEqual(len(asked), 12)
        self.assertEqual(sum("-u" in line.split() for line in asked), 4)
        self.assertEqual(sum("-n 1000000 " in line for line in asked), 8)

    def test_reports(self):
        self.run_bench()
        told = self.call("report", "results.txt", "images")
        for row in (
            "| 2,000,000 | 4.5 | 6.25 | 4.5 | 6.25 |",  # Table 3
            "| 1,000,000 | 2,000,000 | 4,000,000 | 200,000,000 |",  # Figure 8
            "| 500,000 | 0.5 | 1 | 1.5 | 0.5 | 1 | 1.5 |",  # Figure 9
            "| 100,000 | 0.222 | 0.444 | 0.667 |",  # Figures 11 and 12
            "| 10,000 | rrr | uniform | 500 | 500 | 500 | 500 | 500 | 500 |",
        ):
            self.assertIn("\n" + row + "\n", told)
        images = sorted(os.listdir(self.path("images")))
        self.assertEqual(
            [name for name in images if name.count("-") == 1], [f"figure-{n}.svg" for n in (10, 11, 12, 8, 9)]
        )
        for name in images:
            figure = ElementTree.parse(os.path.join(self.path("images"), name)).getroot()
            lines = figure.findall("{http://www.w3.org/2000/svg}polyline")
            self.assertEqual(len(lines), 6 if name == "figure-9.svg" else 3, name)

    def test_refuses_what_differs(self):
        self.run_bench(differ=7)
        self.assertIn("ids differ from those of the CPU", self.call("report", "results.txt", "images", code=1))


if __name__ == "__main__":
    unittest.main()
