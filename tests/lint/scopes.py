#!/usr/bin/env python3
"""A context is never copied, and a memory bound is divided in one file; no compiler knows that.

    tests/lint/scopes.py [ROOT]

1. C of the library, outside src/device/context.c, has no context by value: no variable, member, parameter or result,
   and no literal. A job narrows a scope instead (src/base/scope.h).
2. C of the library, outside src/base/budget.h, divides no expression that has a memory bound or the limit of an
   account in it, and neither shifts it to the right nor multiplies it by a decimal fraction. A message may show a
   bound in MiB, or MB. What a function of budget.h returns may be divided: it is a share with a name, and its owner
   counts items in it.
3. No share is undone by hand: what a function akin_budget_for_... gets has no fraction in it, and no share as a
   factor.

4. A function below the public ones calls no public function with the context of its scope: that would undo what
   narrowed the scope. It calls the function ..._within, which takes a scope.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of

COPY = re.compile(
    r"\bakin_context\b\s*(?:\)\s*\{|(?!\*|;|\))(?:const\s+)?\w+)|(?<!akin_context "
    r")\*\s*context\s*=(?!=)|=\s*\*\s*(?:\w+(?:->|\.))*context\b"
)
BOUND = re.compile(r"\b(?:memory|limit)\b(?!\s*\()")
DIVISION = re.compile(r"/(?!=)|>>(?!=)")
DIVISION_OF_ITSELF = re.compile(r"((?:\w+(?:->|\.))*(?:memory|limit))\s*(?:/=|>>=|\*=\s*0?\.\d)")
TIMES = re.compile(r"\*")
FRACTION = re.compile(r"0?\.\d+f?")
OF_BUDGET = re.compile(r"\bakin_budget\w*\s*(?=\()")
UNITS = {"MIB", "1e6", "(1 << 20)"}
UNDOING = re.compile(r"\bakin_budget_(?:for|beside)_\w+\s*(?=\()")
UNDONE = re.compile(r"/|\bAKIN_(?:BUDGET|JOB|LEFT)_\w+\s*\*|\*\s*AKIN_(?:BUDGET|JOB|LEFT)_")
PUBLIC = re.compile(r"\b(akin_\w+)\(akin_context \*context\b")
WIDENED = re.compile(r"\b(akin_\w+)\(\s*(?:\w+(?:->|\.))*scope(?:->|\.)context\s*[,)]")
FOLDERS = ("src", "papers", "generate")
OWNERS = {"src/device/context.c", "src/base/context.h"}
BUDGET = "src/base/budget.h"


def opening(text, end):
    """The place of the bracket that text[end - 1] closes."""
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (text[at] in ")]") - (text[at] in "([")
        if depth == 0:
            return at
    return 0


def closing(text, start):
    """The place behind the bracket that closes text[start]."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([") - (text[at] in ")]")
        if depth == 0:
            return at + 1
    return len(text)


def operand_before(text, end):
    """Where the operand begins that ends before text[end]: names, calls, brackets and casts."""
    at = len(text[:end].rstrip())
    while at > 0:
        if text[at - 1] in ")]":
            at = opening(text, at)
        elif text[at - 1].isalnum() or text[at - 1] in "_.":
            at -= 1
        elif text[at - 2:at] == "->":
            at -= 2
        else:
            break
    return at


def product_before(text, end):
    """The operands of the product that ends before text[end], the last one first."""
    while True:
        start = operand_before(text, end)
        yield text[start:end].strip()
        end = len(text[:start].rstrip())
        if end == 0 or text[end - 1] not in "*/" or not text[start:].strip():
            return
        end -= 1


def operand_behind(text, start):
    at = start + len(text[start:]) - len(text[start:].lstrip())
    begin = at
    while at < len(text):
        if text[at] in "([":
            at = closing(text, at)
        elif text[at].isalnum() or text[at] in "_.":
            at += 1
        elif text.startswith("->", at):
            at += 2
        else:
            break
    return text[begin:at]


def has_bound(operand):
    """Whether a bound is in an operand, other than as an argument of a function of the budget."""
    while call := OF_BUDGET.search(operand):
        operand = operand[:call.start()] + operand[closing(operand, call.end()):]
    return BOUND.search(operand) is not None


def shares(text):
    """Where a bound is divided."""
    for sign in DIVISION.finditer(text):
        if operand_behind(text, sign.end()) not in UNITS and any(map(has_bound, product_before(text, sign.start()))):
            yield sign.start()
    for sign in TIMES.finditer(text):
        left, right = next(product_before(text, sign.start())), operand_behind(text, sign.end())
        if FRACTION.fullmatch(left) and has_bound(right) or FRACTION.fullmatch(right) and has_bound(left):
            yield sign.start()
    yield from (match.start() for match in DIVISION_OF_ITSELF.finditer(text))


def undone(text):
    """Where an argument undoes a share."""
    for call in UNDOING.finditer(text):
        if UNDONE.search(text[call.end():closing(text, call.end())]):
            yield call.start()


def faults(root):
    header = root / "include/akin.h"
    public = set(PUBLIC.findall(code_of(header.read_text(encoding="utf-8"))))
    for path in sorted(
        path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in {".c", ".h", ".cu", ".cuh"}
    ):
        name = path.relative_to(root).as_posix()
        text = code_of(path.read_text(encoding="utf-8"))

        def at(place):
            return f"{name}:{text.count(chr(10), 0, place) + 1}"

        if name not in OWNERS:
            for copy in COPY.finditer(text):
                yield f"{at(copy.start())}: a context by value: narrow a scope instead"
        for call in WIDENED.finditer(text):
            if call[1] in public:
                yield f"{at(call.start())}: {call[1]} gets the context of a scope: call a function that takes the scope"
        if name != BUDGET:
            for place in shares(text):
                yield f"{at(place)}: a share of a memory bound without a name: give it one in {BUDGET}"
            for place in undone(text):
                yield f"{at(place)}: a share that is undone by hand: {BUDGET} undoes it"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    found = sorted(set(faults(root)))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
