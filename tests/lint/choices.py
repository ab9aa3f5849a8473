#!/usr/bin/env python3
"""Two rules about choices (src/base/choice.h) that no compiler knows.

    tests/lint/choices.py [ROOT]

1. No enum is compared by order, in tests and benchmarks neither. A value that is added at the end of an enum would
   change what such a comparison says. Looping from one enumerator to another is the same fault: a loop over the rows of
   the table tests a new row by itself. Enums that are ordered on purpose are listed below.
2. Only the table lists its rows, and distinguishes them by their names. Parsers, help, messages, completion and
   bindings take them from there. So code outside the table neither compares a value with the name of a row nor has a
   list of two or more rows, be it of literals or in the text of one. A single name, such as the default of a parameter,
   is no list. Lists that are something else stand below, with the reason.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of, without_comments

# Enums whose order has a meaning, and which one.
ORDERED = {
    "akin_cpu": "SIMD levels: each has all that those before it have",
}

# The last enumerator of an enum that says how many there are. A loop up to it has them all.
COUNTS = {"AKIN_BALANCES", "AKIN_PAPER_STEPS"}

# Tables whose rows are no nouns of a user's: what choices can do, the tables there are, the names of parameters, and
# why something went wrong.
NOT_NOUNS = {"src/choices/choices.c", "src/dedupe/plan.c", "src/base/reasons.c"}

# Names of rows that a file writes for another reason.
ALSO = {
    "src/dedupe/plan_columns.c": {"all": "every column: fold all"},
    "src/choices/choices.c": dict.fromkeys(("sets", "vectors"), "in prose"),
    "src/strings/comparators.c": dict.fromkeys(("insert", "delete"), "edits"),
    "src/table/parser.c": {"text": "the column of a text"},
    "src/weigh/stop_words.c": dict.fromkeys(("one", "many", "all", "none"), "stop words"),
    "cli/explain.c": {"join": "a phase"},
    "cli/index.c": dict.fromkeys(
        ("sets", "rows", "strings", "trees", "vectors", "bm25"), "what an index is of, in prose"
    ),
    "cli/search.c": dict.fromkeys(
        ("documents", "rows", "sets", "signatures", "strings", "trees", "vectors"), "what a search is of, in prose"
    )
    | dict.fromkeys(("csv", "tsv"), "a line of help for each layout"),
    "cli/rank.c": dict.fromkeys(("csv", "tsv"), "a line of help for each layout"),
    "python/akin/__init__.py": dict.fromkeys(
        ("similar", "window", "block"), "functions; test_dedupe.py holds them against the table"
    )
    | dict.fromkeys(("strings", "trees"), "modules"),
    "python/akin/_dedupe.py": dict.fromkeys(
        ("similar", "window", "block"), "arguments; test_dedupe.py holds them against the table"
    ),
    "python/akin/_rules.py": {"all": "the word for all columns"},
    "python/akin/_selections.py": dict.fromkeys(
        ("similar", "window", "block", "jaccard", "cosine", "dice"),
        "functions and arguments; test_dedupe.py holds them against the tables"
    ),
    "python/akin/compare.py": dict.fromkeys(
        (
            "after", "codes", "cosine", "date", "dice", "exact", "initials", "jaccard", "jaro", "levenshtein", "number",
            "osa", "percent", "soundex", "tfidf"
        ),
        "functions; test_dedupe.py holds them against the table",
    ),
    "python/akin/_calibration.py": {"akin": "the package", "bitmap": "a price", "screened": "a price"},
    "python/akin/_splink.py": dict.fromkeys(("date", "exact", "jaccard", "jaro"), "what a function of SQL is here"),
    "python/akin/_write.py": dict.fromkeys(
        ("csv", "tsv", "jsonl"), "how each is written; test_results.py holds them against the table"
    ),
    "python/akin/generate.py": {"all": "every kind of error"},
    "python/akin/sklearn.py": dict.fromkeys(
        ("bm25+", "bm25l", "lucene", "robertson"),
        "formulas over what was learned; tests hold them against the library's"
    ),
    "python/akin/strings.py": dict.fromkeys(("levenshtein", "osa"), "functions of Python"),
    "python/src/weights.c": dict.fromkeys(("document", "term"), "columns"),
}

# What every table of techniques has, and a device, too: not to have chosen.
EVERYWHERE = {"auto"}

ENUM = re.compile(r"typedef\s+enum\s+(\w+)\s*\{(.*?)\}\s*(\w+)\s*;", re.S)
ROW = re.compile(r'\{\s*\{?\s*"([a-z0-9+-]+)"\s*,\s*"[^"]*"\s*,\s*(?:"[^"]*"\s*)+,')
NAME = r"""["']([a-z0-9+-]+)["']"""
LITERAL = r"""(?:"[a-z0-9+-]+"|'[a-z0-9+-]+')"""
COMPARISONS = [
    re.compile(rf"\b(?:str|mem|strn)(?:case)?cmp\([^;]*?{LITERAL}"),
    re.compile(rf"[!=]= {LITERAL}"),
    re.compile(rf"{LITERAL} [!=]= "),
    re.compile(rf"\bcase {LITERAL}"),
]
LISTS = re.compile(rf"{LITERAL}(?:: [^,\n]*?)?(?:\s*,\s*{LITERAL}(?:: [^,\n]*?)?)+")
# A name in prose, with its arguments and a remark in parentheses: qgrams:N, number[/SCALE], words (the default).
ITEM = r"[a-z0-9+-]+(?:[:/][A-Z0-9]+|\[[^]]*\])?(?: \([^()]*\))?"
PROSE = re.compile(
    rf"(?<![\w-])(?:{ITEM}(?:,\s+{ITEM})+(?:,?\s+(?:or|and)\s+{ITEM})?|{ITEM}\s+(?:or|and)\s+{ITEM})(?![\w-])"
)
# Literals that the compiler joins are one text.
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
ORDER = r"(?<![<>=-])(?:<=|>=|<|>)(?![<>=])"


def sources(root, *folders):
    endings = {".c", ".h", ".cu", ".cuh", ".py", ".pyi"}
    for folder in folders:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in endings)


def enumerators(root):
    """Each enumerator of a named enum that is not ordered, and its enum."""
    found = {}
    for path in sources(root, "include", "src", "papers", "generate", "cli"):
        text = without_comments(path.read_text(encoding="utf-8"))
        for tag, body, _ in ENUM.findall(text):
            if tag not in ORDERED:
                found.update(
                    {
                        name: tag
                        for name in re.findall(r"^\s*(\w+)", re.sub(r"=[^,]*", "", body).replace(",", "\n"), re.M)
                    }
                )
    return {name: tag for name, tag in found.items() if name not in COUNTS}


def compared_by_order(root):
    names = enumerators(root)
    word = r"\b([A-Z][A-Z0-9_]*)\b"
    rule = re.compile(rf"{ORDER}\s*(?:\(\w+\)\s*)?{word}|{word}\s*{ORDER}")
    for path in sources(root, "include", "src", "papers", "generate", "cli", "python/src", "tests", "bench"):
        text = code_of(path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.split("\n"), 1):
            for before, after in rule.findall(line):
                name = before or after
                if name in names and f"<{name}>" not in line:  # an argument of a template
                    yield f"{path.relative_to(root)}:{number}: {name} of {names[name]} is compared by order"


def python_code(path):
    """Python without comments, docstrings and Literal types."""
    text = path.read_text(encoding="utf-8")
    blank = lambda match: "\n" * match.group().count("\n")
    text = re.sub(r'"""(?:[^\\]|\\.)*?"""', blank, text, flags=re.S)
    text = re.sub(r"Literal\[[^]]*\]", blank, text)
    return re.sub(r"(?m)(^|\s)#[^\n]*", r"\1", text)


def tables(root):
    """Each table of rows: its file, and the names of its rows."""
    for path in sources(root, "src", "papers", "generate"):
        text = without_comments(path.read_text(encoding="utf-8"))
        if "akin_choice" in text and path.relative_to(root).as_posix() not in NOT_NOUNS:
            for table in re.split(r"\]\s*=\s*\{", text)[1:]:
                names = set(ROW.findall(table))
                if names:
                    yield path, names


def decided(text):
    """The names that a line compares a value with."""
    for rule in COMPARISONS:
        for found in rule.findall(text):
            yield from re.findall(NAME, found)


def listed(text):
    """The lists of names in a text: of literals side by side, and within one literal."""
    for found in LISTS.finditer(text):
        yield found.start(), set(re.findall(NAME, found.group()))
    for literal in TEXT.finditer(text):
        for found in PROSE.finditer(re.sub(r'"\s*"', "", literal.group()).replace("\\n", " ")):
            items = re.split(r",?\s+(?:or|and)\s+|,\s+", re.sub(r" \([^()]*\)", "", found.group()))
            yield literal.start(), {re.match(r"[a-z0-9+-]+", item).group() for item in items}


def written_twice(root):
    known = [*tables(root)]
    for path in sources(root, "src", "papers", "generate", "cli", "python"):
        place = path.relative_to(root).as_posix()
        text = without_comments(path.read_text(encoding="utf-8")) if path.suffix not in (
            ".py", ".pyi"
        ) else python_code(path)
        found = [
            (number, {name}, "a value is compared with") for number,
            line in enumerate(text.split("\n"), 1) for name in decided(line)
        ]
        found += [(text.count("\n", 0, at) + 1, names, "a list has") for at, names in listed(text)]
        for number, names, what in found:
            for table, rows in known:
                both = sorted(names & rows - EVERYWHERE - ALSO.get(place, {}).keys())
                if path != table and len(both) >= (2 if what == "a list has" else 1):
                    yield (
                        f"{place}:{number}: {what} {', '.join(both)}, which the table in {table.relative_to(root)} "
                        "names"
                    )
                    break


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    faults = [*compared_by_order(root), *written_twice(root)]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
