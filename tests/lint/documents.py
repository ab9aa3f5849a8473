#!/usr/bin/env python3
"""Holds the documentation against the tables of choices: every row is defined on a page of its table, with its
arguments.

    tests/lint/documents.py AKIN [ROOT]

AKIN is the command, whose `akin help TABLE` lists the rows. A page defines what it has as code, in backticks, in the
first cell of a table's row, in a heading, or where an entry of a list begins: `jaccard`, `--jaccard`, `prefix:N`. A
page may explain a few rows in prose, too, in a paragraph that has the option that takes them: OPTIONS names it.
Elsewhere a name explains nothing: it may be a column of an example. What may follow a name stands behind it in one of
these places, as N does in `prefix:N`. A table that has no page here is a fault, too. Prints what is missing, a line
each, and exits with 1 if there is anything.
"""
import pathlib, re, subprocess, sys

# The two that say what is in the others are on the page of names alone, which docs/site makes of all tables.
OF_TABLES = {"choices", "capabilities"}
PAGES = {
    "answers": "label.md",
    "clusterings": "dedupe.md",
    "comparators": "strings.md dedupe.md",
    "copies": "generate.md",
    "dictionary-kinds": "dictionary.md",
    "distributions": "generate.md",
    "documents": "weigh.md",
    "families": "vectors.md",
    "folds": "dedupe.md",
    "foreign-formats": "files.md",
    "formulas": "weigh.md",
    "keeps": "corpus.md",
    "keys": "dedupe.md",
    "limits": "limits.md",
    "matrix-formats": "vectors.md",
    "measures": "join.md",
    "merge-rules": "dedupe.md",
    "missing": "dedupe.md",
    "modifications": "generate.md",
    "opened-formats": "files.md",
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
    "table-formats": "files.md",
    "techniques": "join.md",
    "tokens": "join.md",
    "tree-formats": "trees.md",
    "unknown-terms": "weigh.md",
    "weigh-techniques": "weigh.md",
    "weight-orders": "weigh.md",
    "weights": "dedupe.md",
    "weights-formats": "weigh.md",
}

# The option whose paragraphs explain rows of a table.
OPTIONS = {
    "clusterings": "--cluster",
    "copies": "--copies",
    "distributions": "--distribution",
    "documents": "--documents",
    "search-kinds": "--kind",
    "stop-words": "--stop-words",
    "unknown-terms": "--unknown",
    "weigh-techniques": "--technique",
    "weight-orders": "--order",
    "weights-formats": "--output",
}
# Tables whose rows are explained all over their page: options, and formats by what files are called.
ANYWHERE = {"plan-options": "--", "matrix-formats": ""}
# Not to have chosen, and what takes all of an effect, or takes it away.
SAID_ONCE = {"auto", "all", "none"}


def rows(akin, table):
    """The names of rows, and what may follow them."""
    said = subprocess.run([akin, "help", table], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z0-9][a-z0-9+-]*)(\S*)", said, re.M)


def spans(text):
    return re.findall(r"`([^`\n]+)`", text)


def code_of(page):
    """Blocks in fences, indented lines, and what stands in backticks."""
    return ["".join(found) for found in re.findall(r"(?s)```[^\n]*\n(.*?)```|(?<=\n)    ([^\n]*)|`([^`\n]+)`", page)]


def defined(page, option):
    """The code that a page defines."""
    for block in re.split(r"\n\s*\n", re.sub(r"(?s)```.*?```", "", page)):
        if option and any(re.search(rf"{option}(?![\w-])", span) for span in spans(block)):
            yield from spans(block)
        for line in block.split("\n"):
            begins = re.match(
                r"\|([^|]*)\||#+ (.*)|\s*(?:[-*]|\d+\.) ((?:And )?(?:`[^`]+`(?:, and|, or| and| or|,)? ?)+)", line
            )
            if begins:
                yield from spans(begins.group())


def has(code, name, behind=""):
    """Whether a span of code has the name, and behind it what follows."""
    return any(re.search(rf"(?<!\w)(?<!\w-){re.escape(name + behind)}(?![\w+]|-\w)", span) for span in code)


def lacks(table, name, arguments, code, everything):
    """What a row lacks of its documentation; "": nothing."""
    if table in ANYWHERE or name in SAID_ONCE:
        return "" if has(everything, ANYWHERE.get(table, "") + name) else "is not named"
    if not has(code, name):
        return "is not defined"
    behind = re.sub(r"[][]|\.\.\.", "", arguments)
    return "" if has(code, name, behind) else f"is not defined with what may follow it, {name}{behind}"


def faults(akin, root):
    for table, _ in rows(akin, "choices"):
        if table in OF_TABLES:
            continue
        if table not in PAGES:
            yield f"tests/lint/documents.py: the table {table} has no page"
            continue
        pages = [f"docs/{page}" for page in PAGES[table].split()]
        texts = [(root / page).read_text(encoding="utf-8") for page in pages]
        code = {span for text in texts for span in defined(text, OPTIONS.get(table))}
        everything = {code for text in texts for code in code_of(text)}
        for name, arguments in rows(akin, table):
            what = lacks(table, name, arguments, code, everything)
            if what:
                yield f"{' and '.join(pages)}: the row {name} of the table {table} {what}"


def main():
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2])
    found = [*faults(sys.argv[1], root)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
