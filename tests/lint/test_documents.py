#!/usr/bin/env python3
"""Shows that tests/lint/documents.py finds a row that its page does not name, and a table that has no page.

    tests/lint/test_documents.py AKIN
"""
import pathlib, re, subprocess, sys, tempfile

LINT = pathlib.Path(__file__).with_name("documents.py")
DOCS = LINT.parents[2] / "docs"


def said(akin, page=None, without=None, script=LINT):
    """What the script says of docs whose `page` lacks the code `without`."""
    with tempfile.TemporaryDirectory() as folder:
        docs = pathlib.Path(folder, "docs")
        docs.mkdir()
        for path in DOCS.glob("*.md"):
            text = path.read_text(encoding="utf-8")
            if path.name == page:
                text, found = re.subn(rf"(?<![\w-]){re.escape(without)}(?![\w-])", "x", text)
                assert found, f"{page} has no {without}"
            (docs / path.name).write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, script, akin, folder], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def main():
    akin, failed = sys.argv[1], 0
    cases = {
        "a clustering": ("dedupe.md", "warshall", "the row warshall of the table clusterings is not defined"),
        "a technique": ("join.md", "sf-gssjoin", "the row sf-gssjoin of the table techniques is not defined"),
        "a name with a sign": ("weigh.md", "bm25l", "the row bm25l of the table formulas is not defined"),
    }
    cases |= {
        "an argument": ("dedupe.md", "prefix:N", "the row prefix of the table keys is not defined"),
        "an option": ("dedupe.md", "--one-to-one", "the row one-to-one of the table plan-options is not named"),
    }
    if said(akin) != (0, ""):
        failed, _ = 1, print("FAIL: the documentation:", said(akin))
    for what, (page, without, expected) in cases.items():
        status, found = said(akin, page, without)
        if status != 1 or found != f"docs/{page}: {expected}\n":
            failed += 1
            print(f"FAIL: {what}: status {status}: {found}")
    with tempfile.TemporaryDirectory() as folder:  # a script that does not know of a table
        script = pathlib.Path(folder, "documents.py")
        script.write_text(LINT.read_text(encoding="utf-8").replace('"copies": ', '"other": '), encoding="utf-8")
        status, found = said(akin, script=script)
        if status != 1 or "the table copies has no page" not in found:
            failed += 1
            print(f"FAIL: a table without a page: status {status}: {found}")
    print(f"{2 + len(cases) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
