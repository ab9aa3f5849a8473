"""
The page that akin corpus near-duplicates --report writes, in Chromium: it loads without a complaint and without any
network or script, says what the list of removed documents says, is as wide as its window, light and dark, can be gone
through by keys, and whatever documents hold stays text. Skipped (exit status 77) where there is no Chromium with
chromedriver.

    duplicates.py AKIN [SCREENSHOTS]

SCREENSHOTS is a folder in which pictures of the pages are left, for people to look at.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Absent, Browser  # noqa: E402
from report import HOSTILE, plain  # noqa: E402

AKIN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "akin"
SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None


def make_documents():
    """Documents with copies that differ in some words; hostile ones with a copy each."""
    draw = random.Random(1)
    words = [f"w{i}" for i in range(500)]
    documents = []
    for i, text in enumerate(HOSTILE):
        own = " ".join(f"h{i}x{k}" for k in range(40))
        for side in "ab":
            documents.append({"id": f"h{i}<b>&\"'" + side, "source": "<i>", "text": f"{own} {text} {side}"})
    for i in range(50):
        text = [draw.choice(words) for _ in range(draw.choice([30, 60, 2000]))]
        documents.append({"id": f"d{i}", "source": draw.choice("ab"), "text": " ".join(text)})
        for copy in range(draw.choice([0, 1, 2, 14])):
            other = list(text)
            other[draw.randrange(len(other))] = "changed"
            documents.append({"id": f"d{i}-{copy}", "source": "c", "text": " ".join(other)})
    return documents


class Duplicates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.folder = tempfile.TemporaryDirectory(prefix="akin-report.")
        cls.path = os.path.join(cls.folder.name, "report.html")
        removed = os.path.join(cls.folder.name, "removed.csv")
        table = os.path.join(cls.folder.name, "<b>documents.jsonl")
        cls.documents = make_documents()
        with open(table, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(document) + "\n" for document in cls.documents)
        subprocess.run([AKIN, "corpus", "near-duplicates", table, "--id", "id", "--tokens", "words:1",
                        "--jaccard", "0.5", "--report", cls.path, "--removed", removed, "-q"], check=True)
        with open(removed, encoding="utf-8", newline="") as file:
            cls.removed = {row["id"]: row for row in csv.DictReader(file)}

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def show(self, width=1280, scheme="light"):
        self.browser.open(self.path, width, 900, scheme)

    def test_quiet(self):
        self.browser.requests()
        self.show()
        self.assertEqual(self.browser.complaints(), [])
        self.assertTrue(all(url.startswith(("file:", "data:")) for url in self.browser.requests()))
        self.assertFalse(self.browser.run("return window.hacked || document.scripts.length"))

    def test_figures(self):
        self.show()
        tiles = self.browser.run("return Object.fromEntries([...document.querySelectorAll('.tiles dd')].map("
                                 "e => [e.id, e.textContent]))")
        self.assertEqual(int(tiles["documents"]), len(self.documents))
        self.assertEqual(int(tiles["removed"]), len(self.removed))
        survivors = {row["survivor"] for row in self.removed.values()}
        self.assertEqual(int(tiles["clustered"]), len(survivors))
        sums = [self.browser.run("return [...document.querySelectorAll(arguments[0] + ' tr')].reduce((sum, row) => "
                                 "sum + Number(row.cells[1].textContent.replaceAll(',', '')), 0)", of)
                for of in ("#similarity-rows", "#size-rows")]
        self.assertEqual(sums, [len(self.removed), len(survivors)])

    def test_members(self):
        """Each has the figures of the list, and its marked text is made of both texts."""
        self.show()
        texts = {document["id"]: document["text"] for document in self.documents}
        clusters = self.browser.run(
            "return [...document.querySelectorAll('.cluster')].map(c => [...c.querySelectorAll('h4')].map(h => "
            "[h.querySelector('bdi').textContent, h.textContent, h.dataset.v, h.nextElementSibling?.innerHTML]))")
        self.assertEqual(len(clusters), 50)
        listed = 0
        for (survivor, *_), *members in clusters:
            self.assertLessEqual(len(members), 10)
            values = [float(member[2]) for member in members]
            self.assertEqual(values, sorted(values))
            for name, said, value, marked in members:
                row = self.removed[name]
                self.assertEqual((survivor, float(row["similarity"])), (row["survivor"], float(value)))
                self.assertIn(f"{row['common']} common token", said)
                self.assertIn(f"{len(texts[name].encode()):,} bytes", said)
                listed += "<ins>" in marked and "<del>" in marked
        self.assertGreater(listed, 80)

    def test_hostile(self):
        self.show()
        shown = self.browser.run("return [...document.querySelectorAll('.text')].map(e => e.textContent)")
        found = 0
        for text in HOSTILE:
            found += any(plain(text)[:60] in each for each in shown)
        self.assertEqual(found, len(HOSTILE))
        markup = "main script, main img, main svg:not(.bar svg)"
        self.assertEqual(self.browser.run("return document.querySelectorAll(arguments[0]).length", markup), 0)

    def test_widths(self):
        for width in 320, 400, 800, 1600:
            for scheme in "light", "dark":
                self.show(width, scheme)
                self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                self.browser.settle()
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                if SHOTS:
                    self.browser.screenshot(os.path.join(SHOTS, f"duplicates-{width}-{scheme}.png"), whole=False)
        ground = []
        for scheme in "light", "dark":
            self.show(400, scheme)
            ground.append(self.browser.run("return getComputedStyle(document.body).backgroundColor"))
        self.assertNotEqual(*ground)

    def test_keys(self):
        """The tabulator goes to the clusters, and a blank opens one."""
        self.show()
        opened = "return [...document.querySelectorAll('.cluster')].map(d => d.open)"
        self.assertEqual(self.browser.run(opened)[:2], [True, False])
        self.browser.press("Tab")
        for _ in range(10):
            if self.browser.run("return document.activeElement.parentElement === "
                                "document.querySelectorAll('.cluster')[1]"):
                break
            self.browser.press("Tab")
        self.browser.press(" ")
        self.assertEqual(self.browser.run(opened)[:3], [True, True, False])


if __name__ == "__main__":
    try:
        Browser().close()
    except Absent as why:
        print(f"duplicates: skipped: {why}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
