#!/usr/bin/env python3
"""Messages of errors are for people: programs read the other fields of an akin_error (src/base/error.h), which no
compiler knows.

    tests/lint/errors.py [ROOT]

1. C of the command, the extension and the examples neither searches, compares nor scans a message, nor looks at one of
   its characters. A variable that points to one counts as a message.
2. Python of the package neither decides by str(error), or by error.args, of an exception that it has caught, nor
   searches or substitutes by patterns in it.
3. docs/errors-and-threads.md names all reasons of the table in src/base/reasons.c, and no others.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import ast, pathlib, re, sys

from c_source import code_of

READERS = re.compile(
    r"\b(strn?cmp|strn?casecmp|strcoll|strstr|strcasestr|strr?chr|strchrnul|strpbrk|strc?spn|strtok(?:_r)?|strsep"
    r"|strto\w+|sscanf|ato\w+|mem(?:r?chr|cmp|mem)|regexec|fnmatch)\s*\("
)
MESSAGE = r"(?:->|\.)\s*message\b"
DECIDING = {
    "startswith", "endswith", "find", "rfind", "index", "rindex", "count", "partition", "rpartition", "split", "rsplit"
}
MATCHING = {"match", "search", "fullmatch", "findall", "finditer", "split", "sub", "subn"}


def closing(text, at):
    """Where the bracket that is open at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([") - (text[i] in ")]")
        if depth == 0:
            return i
    return len(text)


def read_in_c(text):
    """Places in C, without comments and strings, where a message is read, and what reads it."""
    aliases = set(re.findall(rf"\bchar\s*\*\s*(?:const\s+)?(\w+)\s*=\s*[^;,]*{MESSAGE}", text))
    names = "|".join([MESSAGE, *(rf"(?<![\w.>])(?:{name})\b(?!\s*=)" for name in sorted(aliases))])
    for call in READERS.finditer(text):
        if re.search(names, text[call.end() : closing(text, call.end() - 1)]):
            yield call.start(), f"{call[1]} reads the message of an error"
    for look in re.finditer(rf"(?:{names})\s*\[", text):
        yield look.start(), "a character of the message of an error is read"
    for look in re.finditer(rf"(?:^|[=(!&|,?:<>+-]|return)\s*\*\s*\(?(?:\w+(?:->|\.))*\w+{MESSAGE}", text):
        yield look.start(), "a character of the message of an error is read"


def c_faults(root):
    for folder in ("cli", "python/src", "examples"):
        for path in sorted(path for path in (root / folder).rglob("*") if path.suffix in {".c", ".h"}):
            text = code_of(path.read_text(encoding="utf-8"))
            for at, what in sorted(set(read_in_c(text))):
                yield f"{path.relative_to(root)}:{text.count(chr(10), 0, at) + 1}: {what}"


def is_text(node, errors, texts):
    """Whether an expression is the text of an exception, or of its arguments."""
    if isinstance(node, ast.Name):
        return node.id in texts
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"str", "repr"}:
        return any(isinstance(each, ast.Name) and each.id in errors for each in node.args)
    if isinstance(node, ast.Attribute):
        return node.attr == "args" and isinstance(node.value, ast.Name) and node.value.id in errors
    if isinstance(node, ast.FormattedValue):
        return isinstance(node.value, ast.Name) and node.value.id in errors
    return False


def reads(node, errors, texts):
    return any(is_text(each, errors, texts) for each in ast.walk(node))


def decides(node, errors, texts):
    """Whether a node decides by such a text."""
    if isinstance(node, ast.Compare):
        return reads(node, errors, texts)
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return reads(node.test, errors, texts)
    if isinstance(node, ast.Match):
        return reads(node.subject, errors, texts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in DECIDING and reads(node.func.value, errors, texts):
            return True
        return node.func.attr in MATCHING and any(reads(each, errors, texts) for each in node.args)
    return False


def python_faults(root):
    for path in sorted((root / "python/akin").rglob("*.py")):
        found = set()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for handler in ast.walk(tree):
            if not isinstance(handler, ast.ExceptHandler) or not handler.name:
                continue
            errors, texts = {handler.name}, set()
            for node in ast.walk(handler):
                if isinstance(node, ast.Assign) and is_text(node.value, errors, texts):
                    texts.update(target.id for target in node.targets if isinstance(target, ast.Name))
            found.update(node.lineno for node in ast.walk(handler) if decides(node, errors, texts))
        for line in sorted(found):
            yield f"{path.relative_to(root)}:{line}: the text of an exception decides"


def document_faults(root):
    source, document = root / "src/base/reasons.c", root / "docs/errors-and-threads.md"
    rows = set(re.findall(r'^    \{"([a-z0-9-]+)",.*(AKIN_REASON_\w+)', source.read_text(encoding="utf-8"), re.M))
    shown = set(re.findall(r"^\| `([a-z0-9-]+)` \| `(AKIN_REASON_\w+)` \|", document.read_text(encoding="utf-8"), re.M))
    for row in sorted(rows ^ shown):
        yield (
            f"docs/errors-and-threads.md:1: the reason '{row[0]}', {row[1]}, is "
            f"{'not there' if row in rows else 'none of the library'}"
        )


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    faults = [*c_faults(root), *python_faults(root), *document_faults(root)]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
