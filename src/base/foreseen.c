/* Decides whether pairs are foreseen, and notes how many they will be. */
#include "base/foreseen.h"

#include "base/bits.h"
#include "base/context.h"

#include <stdio.h>

#define DRAWN    4096   /* rows of a side, at most */
#define WEIGHT   400000 /* tokens or bytes of them, about: some milliseconds of work */
#define LEAST    16     /* rows of them all the same */
#define SHARE    16     /* of the rows at hand, one in this many */
#define MANY     1e8    /* pairs that are noted */
#define SEEN     10     /* pairs of a sample, at least: fewer may be chance */
#define BILLION  1e9
#define GIGABYTE 1e9

static double pairs_of(const uint32_t rows[2], int self)
{
    return self ? (double)rows[0] * (rows[0] - 1.0) / 2 : (double)rows[0] * rows[1];
}

int akin_foreseen_begin(const akin_scope *scope, int self, uint32_t left, uint32_t right, akin_foreseen *out)
{
    *out = (akin_foreseen){.self = self, .rows = {left, self ? 0 : right}};
    if (!scope->context || !scope->context->note || pairs_of(out->rows, self) < MANY)
        return 0;
    for (int s = 0; s < 2; s++)
        out->drawn[s] = (uint32_t)akin_min_u64(akin_ceil_div(out->rows[s], SHARE), DRAWN);
    return 1;
}

void akin_foreseen_limit(akin_foreseen *foreseen, int side, uint64_t weight)
{
    const double mean = (double)weight / foreseen->rows[side];
    foreseen->drawn[side] = (uint32_t)akin_min_u64(foreseen->drawn[side], (uint64_t)(WEIGHT / (mean + 1)) + LEAST);
}

akin_scope akin_foreseen_scope(const akin_scope *scope, akin_reporter *reporter)
{
    *reporter = (akin_reporter){.cancel = scope->reporter.cancel, .user = scope->reporter.user};
    return akin_scope_narrow(scope, (akin_narrowing){.on_cpu = 1, .reporter = reporter});
}

/* What pairs take, and how to have fewer of them. */
static const struct {
    double bytes; /* of a pair, about */
    const char *pairs, *bytes_of, *advice;
} uses[] = {
    [AKIN_FORESEEN_WRITTEN] = {30, "pairs", "text", "a higher threshold gives fewer"},
    [AKIN_FORESEEN_COMPARED] = {4, "pairs to compare", "memory",
                                "a higher similarity of the selection gives fewer, and so does a column with more "
                                "different values"},
};

void akin_foreseen_note(const akin_scope *scope, const akin_foreseen *foreseen, akin_foreseen_use use, uint64_t count)
{
    char text[256];
    const double pairs =
        (double)count * (pairs_of(foreseen->rows, foreseen->self) / pairs_of(foreseen->drawn, foreseen->self));
    if (count < SEEN || pairs < MANY)
        return;
    snprintf(text, sizeof text, "a sample predicts %.1f billion %s, some %.*f GB of %s; %s", pairs / BILLION,
             uses[use].pairs, pairs * uses[use].bytes < 10 * GIGABYTE, pairs * uses[use].bytes / GIGABYTE,
             uses[use].bytes_of, uses[use].advice);
    scope->context->note(scope->reporter.user, text);
}
