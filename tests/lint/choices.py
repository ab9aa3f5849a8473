#!/usr/bin/env python3
"""Two rules about choices (src/base/choice.h) that no compiler knows.

    tests/lint/choices.py [ROOT]

1. No enum is compared by order. A value that is added at the end of an enum would change what such a comparison says. Looping
   from one enumerator to another is the same fault. Enums that are ordered on purpose are listed below.
2. The name of a row stands in its table alone. Parsers, help, completion and bindings take it from there. Words that are also
   something else are listed below, with the files that may write them. Python's Literal types and defaults of parameters are
   not looked at: tests/python holds them against the tables.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of, without_comments

# Enums whose order has a meaning, and which one.
ORDERED = {
    "akin_cpu": "SIMD levels: each has all that those before it have",
}

# Words that are names of rows and something else besides: which files may write them, and what they are there. A file is given
# by the beginning of its path.
ALSO = {
}

ENUM = re.compile(r"typedef\s+enum\s+(\w+)\s*\{(.*?)\}\s*(\w+)\s*;", re.S)
ROW = re.compile(r'\{\s*\{?\s*"([a-z0-9+-]+)"\s*,\s*"[^"]*"\s*,\s*(?:"[^"]*"\s*)+,')
ORDER = r"(?<![<>=-])(?:<=|>=|<|>)(?![<>=])"


def sources(root, *folders):
    endings = {".c", ".h", ".cu", ".cuh", ".py", ".pyi"}
    for folder in folders:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in endings)


def enumerators(root):
    """Each enumerator of a named enum that is not ordered, and its enum."""
    found = {}
    for path in sources(root, "include", "src", "cli"):
        text = without_comments(path.read_text(encoding="utf-8"))
        for tag, body, _ in ENUM.findall(text):
            if tag not in ORDERED:
                found.update({name: tag for name in re.findall(r"^\s*(\w+)", re.sub(r"=[^,]*", "", body).replace(",", "\n"), re.M)})
    return found


def compared_by_order(root):
    names = enumerators(root)
    word = r"\b([A-Z][A-Z0-9_]*)\b"
    rule = re.compile(rf"{ORDER}\s*(?:\(\w+\)\s*)?{word}|{word}\s*{ORDER}")
    for path in sources(root, "include", "src", "cli", "python/src"):
        text = code_of(path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.split("\n"), 1):
            for before, after in rule.findall(line):
                name = before or after
                if name in names and f"<{name}>" not in line:  # an argument of a template
                    yield f"{path.relative_to(root)}:{number}: {name} of {names[name]} is compared by order"


def rows(root):
    """The name of each row, and the files of its tables."""
    found = {}
    for path in sources(root, "src"):
        text = without_comments(path.read_text(encoding="utf-8"))
        if "akin_choice" in text:
            for name in ROW.findall(text):
                found.setdefault(name, set()).add(path)
    return found


def written_twice(root):
    names = rows(root)
    for path in sources(root, "src", "cli", "python"):
        text = without_comments(path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith("#include"):
                continue
            if path.suffix != ".c":
                line = re.sub(r"Literal\[[^]]*\]?", "", re.sub(r'(?:: [\w| ]+)? = "[^"]*"(?=[,)]|$)', "", line))
            for name in re.findall(r"""["']([a-z0-9+-]+):?["']""", line):
                place = path.relative_to(root).as_posix()
                if name in names and path not in names[name] and not any(place.startswith(p) for p in ALSO.get(name, ())):
                    yield f"{place}:{number}: '{name}' is written here, and is the name of a row in {sorted(names[name])[0].relative_to(root)}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    faults = [*compared_by_order(root), *written_twice(root)]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
