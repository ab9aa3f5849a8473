#!/usr/bin/env python3
"""Photographs the report on made-up people, whose rules and weights akin finds: docs/images/report.png.

    docs/site/screenshot.py build/release/akin docs/images/report.png

It needs Chromium and its driver. Fonts differ from machine to machine, so `./dev docs` does not draw it anew.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/report"))
from browser import Absent, Browser  # noqa: E402

MADE = ("generate", "records", "-q", "--records", "1000", "--duplicates", "0.5", "--seed", "3", "-o", "people.csv")
FOUND = ("dedupe", "people.csv", "-q", "--id", "id", "-o", "clusters.csv", "--report", "report.html")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    akin, picture = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for arguments in MADE, FOUND:
            subprocess.run([akin, *arguments], cwd=folder, check=True)
        try:
            browser = Browser()
        except Absent as absent:
            raise SystemExit(f"screenshot.py: {absent}") from None
        try:
            browser.open(Path(folder) / "report.html", 1000, 1060)
            browser.screenshot(picture, whole=False)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
