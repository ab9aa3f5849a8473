#!/usr/bin/env python3
"""Shows that tests/lint/scopes.py finds what it is for: a small tree is clean, and each planted fault is found.

    tests/lint/test_scopes.py
"""
import pathlib

import planted

LINT = pathlib.Path(__file__).with_name("scopes.py")

CLEAN = {
    "include/akin.h": "AKIN_API akin_status akin_join(akin_context *context, const akin_sets *left);\nAKIN_API void "
                      "akin_context_free(akin_context *context);\n",
    "papers/join/blocks.c": "",
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
    akin_device_of_context(scope->context);
    akin_join_within(scope, left);
    say("%.0f of memory / 2, or %.0f", (double)scope->memory / MIB, akin_budget_for_job(1.1 * bytes) / MIB);
    rows = 3 * rows / 4 * akin_max_u64(1, rows / 2) +
           least_u64(akin_budget_part(account->limit, AKIN_JOB_PAIRS), MOST) / sizeof(akin_pair);
    return run(&few, owner, sizeof(akin_context), account->limit - account->held,
               count / akin_budget_left(account, 0, AKIN_LEFT_RANGES));
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
    "a share of what is left": (
        "src/join/join.c", "uint64_t a(const job *j) { return (j->account->limit - j->account->held) / 2; }", SHARE
    ),
    "a share of what is left beside more": (
        "src/join/join.c", "uint64_t a(uint64_t limit) { return (limit - held() - 2 * scanners[1]) / 3; }", SHARE
    ),
    "a share of an argument": (
        "src/join/join.c", "uint64_t a(uint64_t limit) { return least_u64(limit, 5) / 3; }", SHARE
    ),
    "a multiple of a share": ("src/join/join.c", "uint64_t a(uint64_t limit) { return limit * 3 / 4; }", SHARE),
    "a share behind a factor": (
        "src/join/join.c", "uint64_t a(const job *j) { return 3 * (j->account->limit - 1) / 4; }", SHARE
    ),
    "a fraction": ("src/join/join.c", "double a(const job *j) { return 0.5 * (double)j->account->limit; }", SHARE),
    "a fraction behind": (
        "src/join/join.c", "double a(const job *j) { return (double)(j->account->limit - 1) * .75; }", SHARE
    ),
    "a shift": ("src/join/join.c", "uint64_t a(const akin_scope *scope) { return scope->memory >> 1; }", SHARE),
    "a division of itself": ("src/join/join.c", "void a(job *j) { j->account->limit /= 2; }", SHARE),
    "a fraction undone": (
        "src/join/join.c", "double a(double b) { return akin_budget_for_job((1.1 * b + MIB) * 8 / 7); }",
        "a share that is undone by hand"
    ),
    "a share undone": (
        "src/join/join.c", "double a(double b) { return akin_budget_for_job(b * 3 * AKIN_JOB_RANKED) / MIB; }",
        "a share that is undone by hand"
    ),
    "a scope that is widened": (
        "src/join/join.c", "int a(const job *j) { return akin_join(j->scope->context, left); }",
        "akin_join gets the context of a scope"
    ),
    "a scope that is widened in the annex": (
        "papers/join/blocks.c", "int a(const akin_scope *scope) { return akin_join(\n    scope->context, left); }",
        "akin_join gets the context of a scope"
    ),
    "a share of a papers' join": (
        "papers/join/blocks.c", "uint64_t a(const job *j) { return (j->account->limit) / 2; }", SHARE
    ),
    "a share of a variable": ("src/join/join.c", "uint64_t a(uint64_t limit) { return limit / 2; }", SHARE),
}


def is_found(said, file, expected):
    return said != "" and all(line.startswith(file) and expected in line for line in said.splitlines())


planted.check(LINT, CLEAN, PLANTED, is_found)
