#!/usr/bin/env python3
"""Runs the Python that documents show in blocks fenced as `pycon`, and compares what it prints.

usage: pycon.py DOCUMENT...
"""

import doctest
import pathlib
import re
import sys

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def code_of(text):
    """The Python code that is shown. All else becomes blank lines, so that a failure has its line."""
    shown = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    blank, at = "", 0
    for match in shown.finditer(text):
        blank += re.sub(r"[^\n]", "", text[at : match.start(1)]) + match[1]
        at = match.end(1)
    return blank


def run(name, code, line=0):
    """What fails, as text. There must be something that can."""
    test = doctest.DocTestParser().get_doctest(code, {}, name, name, line)
    said = [] if test.examples else [f"{name}: no Python is shown\n"]
    doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=said.append)
    return "".join(said)


if __name__ == "__main__":
    failures = [run(name, code_of(pathlib.Path(name).read_text(encoding="utf-8"))) for name in sys.argv[1:]]
    sys.exit("".join(failures) or (0 if failures else __doc__))
