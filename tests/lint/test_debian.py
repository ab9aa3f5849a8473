#!/usr/bin/env python3
"""Shows that tests/lint/debian.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_debian.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("debian.py")

CLEAN = {
    "include/akin.h": """#define AKIN_VERSION_STRING "0.3.1"
AKIN_API const char *akin_pear(
    int ripe);
AKIN_API void akin_apple(void);
""",
    "include/akin_generate.h": "AKIN_API int akin_seed(void);\n",
    "include/akin_papers.h": "AKIN_API int akin_pulp(void);\n",
    "pyproject.toml": 'requires-python = ">=3.11"\n',
    "LICENSE": "MIT License\n\nCopyright (c) 2026 Pip\n\nPermission is hereby\ngranted.\n\nNo warranty.\n",
    "debian/changelog": "akin (0.3.1-1) unstable; urgency=medium\n\n  * Ripe.\n",
    "debian/control": "Build-Depends: python3-dev (>= 3.11)\n\nDepends: python3 (>= 3.11), ${python3:Depends}\n",
    "debian/copyright": """Files: *
Copyright: 2026 Pip
License: Expat

License: Expat
 Permission is hereby granted.
 .
 No warranty.
""",
    "debian/libakin0.symbols": """libakin.so.0 libakin0 #MINVER#
| libakin0 (>= 0.3.1), libakin0 (<< 0.3.2~)
* Build-Depends-Package: libakin-dev
 AKIN_0@AKIN_0 0.2.0
 (symver|optional)AKIN_PRIVATE 0 1
 akin_apple@AKIN_0 0.3.0
 akin_pear@AKIN_0 0.3.1+
libakin_generate.so.0 libakin0 #MINVER#
* Build-Depends-Package: libakin-dev
 akin_seed@Base 0.3.0
libakin_papers.so.0 libakin0 (>= 0.3.1), libakin0 (<< 0.3.2~)
* Build-Depends-Package: libakin-dev
 akin_pulp@Base 0
""",
}

PLANTED = {
    "another version": ("debian/changelog", ("0.3.1-1", "0.3.0-1"), "changelog:1: 0.3.0; expected 0.3.1"),
    "no revision": ("debian/changelog", ("0.3.1-1", "0.3.1"), "changelog:1: no version with a revision"),
    "papers of another version": (
        "debian/libakin0.symbols", ("papers.so.0 libakin0 (>= 0.3.1)", "papers.so.0 libakin0 (>= 0.3)"), "unexpected"
    ),
    "a newer header": ("include/akin.h", ("0.3.1", "0.4.0"), "changelog:1: 0.3.1; expected 0.4.0"),
    "a new function": ("include/akin.h", "AKIN_API int akin_fig(void);", "there is no 'akin_fig@AKIN_0 0.3.1+'"),
    "one beside it": ("include/akin_papers.h", "AKIN_API int akin_rind(void);", "there is no 'akin_rind@Base 0'"),
    "a function that is gone": (
        "include/akin.h", ("AKIN_API void akin_apple(void);\n", ""), "unexpected 'akin_apple@AKIN_0 0.3.0'"
    ),
    "bounds of another version": (
        "debian/libakin0.symbols",
        ("(<< 0.3.2~)", "(<< 0.3.1~)"),
        "unexpected '| libakin0 (>= 0.3.1), libakin0 (<< 0.3.1~)'",
    ),
    "the order of symbols": (
        "debian/libakin0.symbols",
        ("apple@AKIN_0 0.3.0\n akin_pear@AKIN_0 0.3.1+", "pear@AKIN_0 0.3.1+\n akin_apple@AKIN_0 0.3.0"),
        "in another order",
    ),
    "another licence": ("LICENSE", ("No warranty", "A warranty"), "the words of the licence are not those"),
    "another holder": ("LICENSE", ("Pip", "Core"), "the holder is not that"),
    "another Python": ("pyproject.toml", ("3.11", "3.12"), "expected python3-dev and python3 (>= 3.12)"),
    "another Python to run": ("debian/control", ("python3 (>= 3.11)", "python3 (>= 3.10)"), "expected python3-dev"),
}

planted.check(LINT, CLEAN, PLANTED, lambda said, file, expected: expected in said)
