#!/usr/bin/env python3
"""Shows that tests/lint/scopes.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_scopes.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("scopes.py")

CLEAN = {
    "src/base/budget.h": "static inline uint64_t akin_budget_job(const akin_scope *scope) { return scope->memory / 8 * "
                         "5; }\n",
    "src/base/context.h": "struct akin_context { akin_scope scope; };\ntypedef struct akin_context akin_context;\n",
    "src/device/context.c": "static int make(akin_context *context) { akin_context made = {.cpu_best = 1}; *context = "
                            "made; return 0; }\n",
    "src/join/join.c": """
/* akin_context few = *context; would be wrong */
akin_status akin_join(akin_context *context, const akin_sets *left)
{
    const akin_scope *scope = akin_scope_of(context);
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = 1});
    struct akin_context *owner = scope->context;
    say("%.0f of memory / 2", (double)scope->memory / MIB);
    return run(&few, owner, sizeof(akin_context), account->limit - account->held);
}
""",
}

COPY = "a context by value"
SHARE = "a share of a memory bound without a name"

PLANTED = {
    "a copy": ("src/join/join.c", "void a(const akin_context *context) { akin_context few = *context; }", COPY),
    "a zeroed one": ("src/join/join.c", "void a(void) { akin_context context = {0}; }", COPY),
    "a member": ("src/join/join.c", "struct a { int b; akin_context few; };", COPY),
    "a result": ("src/join/join.c", "akin_context a(void);", COPY),
    "a literal": ("src/join/join.c", "void a(void) { b(&(akin_context){0}); }", COPY),
    "into one": ("src/join/join.c", "void a(job *j) { *context = j->own; }", COPY),
    "a share": ("src/join/join.c", "uint64_t a(const akin_scope *scope) { return scope->memory / 16; }", SHARE),
    "a share by a name": ("src/join/join.c", "uint64_t a(const job *j) { return j->few.memory / SHARE; }", SHARE),
    "a share of a limit": ("src/join/join.c", "uint64_t a(const job *j) { return j->account->limit / 8; }", SHARE),
    "a share of a variable": ("src/join/join.c", "uint64_t a(uint64_t limit) { return limit / 2; }", SHARE),
}


def is_found(said, file, expected):
    return said != "" and all(line.startswith(file) and expected in line for line in said.splitlines())


planted.check(LINT, CLEAN, PLANTED, is_found)
