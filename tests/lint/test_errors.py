#!/usr/bin/env python3
"""Shows that tests/lint/errors.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_errors.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("errors.py")

CLEAN = {
    "cli/main.c": """
/* strstr(error->message, "x") would be wrong */
int say(akin_error *error, const char *word)
{
    printf("%s: strstr(error->message)\\n", error->message);
    snprintf(error->message, sizeof error->message, "%.300s", error->message + error->rest);
    puts(error->message);
    return strstr(word, "message") && strcmp(error->word, "a") == 0 && error->reason == AKIN_REASON_NUL &&
           strlen(error->message) > 3;
}
""",
    "python/src/job.c": "int job(void) { return 0; }\n",
    "examples/c/one.c": "int main(void) { return 0; }\n",
    "python/akin/one.py": '''
def one(call):
    """Documents str(error) == "x"."""
    try:
        return call()
    except ValueError as error:
        if error.reason == "nul":
            return str("a") == "a"
        raise OSError("b" + str(error).removeprefix(error.option), f"{error}") from None
''',
    "src/base/reasons.c": '''
static const akin_choice reasons[] = {
    {"nul", "", "text has a NUL byte", AKIN_REASON_NUL, 0},
    {"utf-16", "", "text is UTF-16", AKIN_REASON_UTF16, 0},
};
''',
    "docs/errors-and-threads.md": "| reason | when |\n| --- | --- |\n| `nul` | `AKIN_REASON_NUL` | a NUL byte |\n| "
                                  "`utf-16` | `AKIN_REASON_UTF16` | UTF-16 |\n| `row` | a row |\n| `AKIN_OK` | done "
                                  "|\n",
}

READS = "reads the message of an error"
CHARACTER = "a character of the message of an error is read"
DECIDES = "the text of an exception decides"


def handled(*lines):
    return "def two(call):\n    try:\n        call()\n    except OSError as wrong:\n" + "".join(
        f"        {line}\n" for line in lines
    )


PLANTED = {
    "strstr": ("cli/main.c", 'int a(akin_error *e) { return strstr(e->message, "x") != NULL; }', READS),
    "sscanf over lines": ("cli/main.c", 'int a(akin_error e) { return sscanf(\n e.message, "row %u", &row); }', READS),
    "strncmp behind": ("python/src/job.c", "int a(job *j) { return strncmp(j->path, j->error.message, 3); }", READS),
    "strcmp": ("examples/c/one.c", 'int a(akin_error e) { return !strcmp(e.message, "x"); }', READS),
    "strpbrk": ("cli/main.c", 'char *a(akin_error e) { return strpbrk(e.message + 3, "./"); }', READS),
    "strchr": ("cli/main.c", "char *a(akin_error e) { return strchr(e.message, ':'); }", READS),
    "memcmp": ("cli/main.c", 'int a(akin_error e) { return memcmp(&e.message[0] + 1, "x", 1); }', READS),
    "an alias": (
        "cli/main.c", 'int a(akin_error *e) { const char *m = e->message; return strstr(m, "x") != NULL; }', READS
    ),
    "a character": ("cli/main.c", "int a(akin_error *e) { return e->message[3] == ':'; }", CHARACTER),
    "the first one": ("cli/main.c", "int a(akin_error *e) { return *e->message == ':'; }", CHARACTER),
    "in": ("python/akin/one.py", handled('return "x" in str(wrong)'), DECIDES),
    "equal": ("python/akin/one.py", handled('return wrong.args[0] == "x"'), DECIDES),
    "startswith": ("python/akin/one.py", handled('return str(wrong).startswith("row")'), DECIDES),
    "an expression": ("python/akin/one.py", handled('return re.search("row", f"{wrong}")'), DECIDES),
    "a name": ("python/akin/one.py", handled("said = str(wrong)", 'return said.endswith("x")'), DECIDES),
    "sub": ("python/akin/one.py", handled('raise OSError(re.sub("a", "b", str(wrong)))'), DECIDES),
    "subn": ("python/akin/one.py", handled("said = str(wrong)", 'return re.subn("a", "b", said)'), DECIDES),
    "if": ("python/akin/one.py", handled("if str(wrong):", "    return 1"), DECIDES),
    "a reason without a word": (
        "src/base/reasons.c", '    {"new", "", "x", AKIN_REASON_NEW, 0},',
        "the reason 'new', AKIN_REASON_NEW, is not there"
    ),
    "a reason of old": (
        "docs/errors-and-threads.md", "| `old` | `AKIN_REASON_OLD` | x |",
        "the reason 'old', AKIN_REASON_OLD, is none of the library"
    ),
}


def is_found(said, file, expected):
    return expected in said and all(expected in line or CHARACTER in line for line in said.splitlines())


planted.check(LINT, CLEAN, PLANTED, is_found)
