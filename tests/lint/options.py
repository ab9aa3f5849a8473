#!/usr/bin/env python3
"""What only the annex uses belongs into akin_papers.h; no compiler knows that.

    tests/lint/options.py [ROOT]

1. Each member of a struct akin_..._options of include/akin.h is read in src/, through an expression of that struct's
   type. Setting a member is not reading it.
2. Each member of any other public struct is used in src/, likewise: it is read, or written, or named where a value of
   the struct is made. So a figure of a report that the annex alone knows is a fault. Members annex_... carry figures
   of the annex through src/. The structs akin_..._facts are parts of rows, which are written without names, and are
   left out.
3. Each capability of a choice (enum akin_capability) is named in src/: a row has it, code looks for it, or the table
   of capabilities (src/choices/choices.c) lists it for programs.

The type of an expression follows from its names: variables are looked up in their function, members in their struct.
It prints what it finds, a line each, and exits with 1 if there is anything."""
import collections, pathlib, re, sys

from c_source import code_of

HEAD = re.compile(r"\bstruct\s+(\w+)\s*\{")
PUBLIC = re.compile(r"\bstruct\s+(akin_\w+)\s*\{")
ALIAS = re.compile(r"^typedef\s+(?:struct\s+)?(\w+)\s+(\w+);", re.M)
TYPED = re.compile(r"\b(\w+)(?:\s+const)?(?:\s+|\s*\*+\s*)(?:const\s+|restrict\s+)?(\w+)\s*(?=[\[;,)=:])")
MORE = re.compile(r"\s*(?:\[[^\]]*\]\s*)*(?:=[^,;()]*)?,\s*\**\s*(\w+)(?=[\[;,=\s])")
INDEX = r"\[[^\[\]]*(?:\[[^\]]*\])?[^\[\]]*\]"
CHAIN = re.compile(
    r"(?<![\w.>])\(*(?:&|\*)*\(*\s*(?:\(\s*(?:const\s+)?(\w+)\s*\*+\s*\)\s*)?(\w+)"
    rf"((?:{INDEX}|\)|\([^()]*\))*)((?:(?:->|\.)\w+(?:{INDEX})*)+)(\s*=(?!=))?")
MADE = re.compile(r"\b(akin_\w+)\b\s*\)?\s*(?:\w+\s*(?:\[[^\]]*\]\s*)?=\s*)?(?=\{)")
FUNCTION = re.compile(r"\b(\w+)\s*\**\s*(akin_\w+|\w+)\s*\(")
NOT_READ = {"size", "reserved"}  # of every struct, by base/options.h


def body_behind(text, start):
    """What stands in the brackets that begin before text[start]."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[start:at]
    return text[start:]


def members_of(body):
    """The names in the declarations of a struct: of arrays, pointers and pointers to functions, too."""
    for declaration in filter(str.strip, re.sub(r"\b(?:struct|union)\s*\{|\}\s*(?=;)", "", body).split(";")):
        function = re.search(r"\(\*(\w+)\)\s*\(", declaration)
        for name in [function[1]] if function else declaration.split(","):
            names = re.findall(r"\w+", re.sub(r"\[.*", "", name))
            if names:
                yield names[-1]


def declared(code):
    """By each name the types that declarations in the code give it."""
    types = collections.defaultdict(set)
    for match in TYPED.finditer(code):
        types[match[2]].add(match[1])
        at = match.end()
        while more := MORE.match(code, at):
            types[more[1]].add(match[1])
            at = more.end()
    return types


def structs_of(codes):
    """By the name of a struct the types of its members; what structs within it have counts as its own."""
    structs = collections.defaultdict(lambda: collections.defaultdict(set))
    for code in codes:
        for head in HEAD.finditer(code):
            for name, types in declared(body_behind(code, head.end())).items():
                structs[head[1]][name] |= types
    return dict(structs)


def uses_in(code, structs, results):
    """(struct, member, whether it is only set) for each use of a member in a file."""
    alias = dict(reversed(match) for match in ALIAS.findall(code))
    everywhere = declared("\n".join(re.findall(r"^(?:static|extern|const)\b[^{}()]*?[;=]", code, re.M)))
    for part in re.split(r"^\}", code, flags=re.M):
        local = declared(part)
        for match in CHAIN.finditer(part):
            cast, root, _, chain, is_set = match.groups()
            types = {cast} if cast else local.get(root) or everywhere.get(root) or results.get(root) or set()
            types = {alias.get(name, name) for name in types}
            names = re.findall(r"(?:->|\.)(\w+)", chain)
            for at, name in enumerate(names):
                yield from ((struct, name, bool(is_set) and at == len(names) - 1) for struct in types)
                types = set().union(*(structs[struct].get(name, {struct}) for struct in types if struct in structs))
        for made in MADE.finditer(part):
            body = body_behind(part, part.index("{", made.end()) + 1)
            names = re.findall(r"(?:^|[{,])\s*\.(\w+)", body)
            in_order = [] if names or body.strip() in ("", "0") else structs.get(made[1], ())
            yield from ((made[1], name, True) for name in (*names, *in_order))


def faults(root):
    header = code_of((root / "include/akin.h").read_text(encoding="utf-8"))
    codes = {path.relative_to(root / "src").as_posix(): code_of(path.read_text(encoding="utf-8"))
             for path in sorted((root / "src").rglob("*")) if path.suffix in {".c", ".h", ".cu", ".cuh"}}
    shared = structs_of([header, *(code for file, code in codes.items() if file.endswith("h"))])
    results = collections.defaultdict(set)
    for code in [header, *codes.values()]:
        for match in FUNCTION.finditer(code):
            results[match[2]].add(match[1])
    read, used = set(), set()
    for file, code in codes.items():
        structs = shared if file.endswith("h") else {**shared, **structs_of([code])}
        for struct, name, is_set in uses_in(code, structs, results):
            used.add((struct, name))
            if not is_set:
                read.add((struct, name))
    for head in PUBLIC.finditer(header):
        struct, is_asked = head[1], head[1].endswith("options")
        for name in () if struct.endswith("_facts") else members_of(body_behind(header, head.end())):
            if name in NOT_READ or (struct, name) in (read if is_asked else used):
                continue
            what = "reads it; an option of the annex" if is_asked else "uses it; what the annex alone knows"
            yield f"include/akin.h: {struct}.{name}: nothing in src/ {what} belongs into akin_papers.h"
    for enum in re.findall(r"enum akin_capability\s*\{([^}]*)\}", header):
        for name in re.findall(r"\b(AKIN_\w+)\s*=", enum):
            if not any(re.search(rf"\b{name}\b", code) for code in codes.values()):
                yield (
                    f"include/akin.h: {name}: nothing in src/ names it; a capability of the annex belongs into "
                    "akin_papers.h"
                )


def main():
    found = sorted(
        faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]))
    )
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
