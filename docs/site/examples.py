"""Turns the programs in examples/ into pages: what each is for, the program, and what it prints."""

import ast
import re

INTRODUCTION = {
    "python": ("Examples in Python", "Whole scripts, and what they print; a test runs each of them, and compares. They read the tables in `examples/data`, which are made up."),
    "c": ("Examples in C", "Whole programs that use the installed library, and what they print; a test compiles each of them, runs it, and compares."),
}


def take_python(source):
    """The docstring of a script, and the rest."""
    module = ast.parse(source)
    lines = source.splitlines()
    return ast.get_docstring(module), "\n".join(lines[module.body[0].end_lineno :]).strip("\n")


def take_c(source):
    """The opening comment of a program, without the line about its use, and the rest."""
    comment, _, code = source.partition("*/")
    said = [re.sub(r"^(?:/\*| \*) ?", "", line).rstrip() for line in comment.splitlines()]
    return "\n".join(line for line in said if not line.startswith("    ")).strip(), code.strip("\n")


def page(folder):
    """The page of a folder of examples, each with its output beside it."""
    language = folder.name
    title, introduction = INTRODUCTION[language]
    text = f"# {title}\n\n{introduction}\n"
    for path in sorted(folder.glob("*.py" if language == "python" else "*.c")):
        said, code = (take_python if language == "python" else take_c)(path.read_text(encoding="utf-8"))
        printed = path.with_suffix(".txt").read_text(encoding="utf-8")
        text += f"\n## {path.name}\n\n{said}\n\n````{language}\n{code}\n````\n\nIt prints\n\n````console\n{printed}````\n"
    return text
