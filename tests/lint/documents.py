#!/usr/bin/env python3
"""Holds the documentation against the tables of choices: every row is named on a page of its table.

    tests/lint/documents.py AKIN [ROOT]

AKIN is the command, whose `akin help TABLE` lists the rows. A name counts as named where the page has it as code, in backticks or
in a block: `jaccard`, `--jaccard`, `prefix:N`. A table that has no page here is a fault, too. Prints what is missing, a line each,
and exits with 1 if there is anything.
"""
import pathlib, re, subprocess, sys

# The two that say what is in the others are on the page of names alone, which docs/site makes of all tables.
OF_TABLES = {"choices", "capabilities"}
PAGES = {
    "clusterings": "dedupe.md",
    "comparators": "strings.md dedupe.md",
    "copies": "generate.md",
    "dictionary-kinds": "dictionary.md",
    "distributions": "generate.md",
    "documents": "weigh.md",
    "families": "search.md",
    "folds": "dedupe.md",
    "formulas": "weigh.md",
    "keys": "dedupe.md",
    "matrix-formats": "search.md",
    "measures": "join.md",
    "missing": "dedupe.md",
    "modifications": "generate.md",
    "plan-options": "dedupe.md",
    "reasons": "errors-and-threads.md",
    "record-kinds": "generate.md",
    "saved-kinds": "container.md",
    "search-kinds": "search.md",
    "search-techniques": "search.md",
    "selections": "dedupe.md",
    "sharings": "join.md",
    "stop-words": "weigh.md",
    "string-techniques": "strings.md",
    "table-formats": "join.md",
    "techniques": "join.md",
    "tokens": "join.md",
    "unknown-terms": "weigh.md",
    "weigh-techniques": "weigh.md",
    "weight-orders": "weigh.md",
    "weights-formats": "weigh.md",
}


def rows(akin, table):
    said = subprocess.run([akin, "help", table], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z0-9][a-z0-9+-]*)", said, re.M)


def code_of(page):
    """Blocks in fences, indented lines, and what stands in backticks."""
    return "\n".join("".join(found) for found in re.findall(r"(?s)```[^\n]*\n(.*?)```|(?<=\n)    ([^\n]*)|`([^`\n]+)`", page))


def faults(akin, root):
    for table in rows(akin, "choices"):
        if table in OF_TABLES:
            continue
        if table not in PAGES:
            yield f"tests/lint/documents.py: the table {table} has no page"
            continue
        pages = [f"docs/{page}" for page in PAGES[table].split()]
        code = "\n".join(code_of((root / page).read_text(encoding="utf-8")) for page in pages)
        for name in rows(akin, table):
            if not re.search(rf"(?<!\w)(?<!\w-){re.escape(name)}(?![\w+]|-\w)", code):
                yield f"{' and '.join(pages)}: the row {name} of the table {table} is not named"


def main():
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2])
    found = [*faults(sys.argv[1], root)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
