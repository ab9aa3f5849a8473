"""
The page that akin label --page writes, in Chromium: it loads without a complaint and without any network, is gone
through by keys, keeps the answers, and exports what akin dedupe --answers takes. Skipped (exit status 77) where there
is no Chromium with chromedriver.

    label.py AKIN
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Absent, Browser  # noqa: E402

AKIN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "akin"
HOSTILE = "</script><script>window.hacked=1</script>"
COUNT = 6

# Reads what is saved, in place of a download.
EXPORT = """const done = arguments[0];
URL.createObjectURL = (blob) => { blob.text().then(done); return "#"; };
document.getElementById("export").click();"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.people, cls.page = (os.path.join(cls.folder.name, name) for name in ("people.csv", "page.html"))
        made = os.path.join(cls.folder.name, "made.csv")
        subprocess.run([AKIN, "generate", "records", "-q", "--records", "80", "--duplicates", "0.5", "--seed", "3",
                        "-o", made], check=True)  # fmt: skip
        with open(made, newline="") as file:
            rows = list(csv.reader(file))
        for row in rows[1:]:
            row[2] = f"{row[2]} {HOSTILE}"  # what would rather be something else than text
        with open(cls.people, "w", newline="") as file:
            csv.writer(file).writerows(rows)
        subprocess.run([AKIN, "label", cls.people, "-q", "--id", "id", "--page", cls.page, "--limit", str(COUNT)],
                       check=True)  # fmt: skip
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def text(self, name):
        return self.browser.run("return document.getElementById(arguments[0]).textContent", name)

    def open_until(self, progress):
        """
        Opens the page until it shows the answers of the last time. Chromium takes over what a page keeps some
        milliseconds later, and a page that opens meanwhile reads what was there before.
        """
        for _ in range(50):
            self.browser.open(self.page)
            if self.text("progress") == progress:
                return
            time.sleep(0.1)
        self.assertEqual(self.text("progress"), progress)

    def test_answers(self):
        self.browser.open(self.page)
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.text("progress"), f"Question 1 of {COUNT}")
        self.assertIn(HOSTILE, self.text("values"))
        self.assertIsNone(self.browser.run("return window.hacked ?? null"))
        self.assertTrue(self.browser.run("return document.querySelectorAll('.differs').length > 0"))
        self.browser.press("y", "n", "n", "b", "u")
        self.assertEqual(self.text("progress"), f"Question 4 of {COUNT}")

        self.open_until(f"Question 4 of {COUNT}")  # the answers stay
        self.browser.run("document.getElementById('yes').click()")
        self.browser.press("n", "y", "y")
        self.assertIn("Export the answers", self.text("progress"))
        answers = self.browser.call("POST", "/execute/async", {"script": EXPORT, "args": []})
        said = [line.split(",")[2] for line in answers.splitlines()]
        self.assertEqual(said, ["answer", "yes", "no", "unsure", "yes", "no", "yes"])

        path = os.path.join(self.folder.name, "answers.csv")
        with open(path, "w", newline="") as file:
            file.write(answers)
        done = subprocess.run([AKIN, "dedupe", self.people, "--id", "id", "--answers", path, "-o", os.devnull],
                              check=True, capture_output=True, text=True)  # fmt: skip
        self.assertIn("and 5 answers", done.stderr)
        self.assertEqual(self.browser.complaints(), [])


if __name__ == "__main__":
    try:
        Browser().close()
    except Absent as why:
        print(f"label: skipped: {why}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
