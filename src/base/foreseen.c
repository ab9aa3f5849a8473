/* Decides whether pairs are foreseen, and notes how many they will be. */
#include "base/foreseen.h"

#include "base/bits.h"
#include "base/context.h"
#include "base/counted.h"
#include "base/limits.h"

#include <stdio.h>

#define DRAWN   4096   /* rows of a side, at most */
#define WEIGHT  400000 /* tokens or bytes of them, about: some milliseconds of work */
#define LEAST   16     /* rows of them all the same */
#define SHARE   16     /* of the rows at hand, one in this many */
#define MANY    1e8    /* pairs that are noted */
#define SEEN    10     /* pairs of a sample, at least: fewer may be chance */
#define BILLION 1e9

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

#define FEWER "a higher similarity of the selection gives fewer, and so does a column with more different values"

/* What pairs take, and how to have fewer of them. */
static const struct {
    double bytes; /* of a pair, about; 0: none */
    const char *pairs, *bytes_of, *advice;
} uses[] = {
    [AKIN_FORESEEN_WRITTEN] = {30, "pairs", "text", "a higher threshold gives fewer; clusters need no pairs"},
    [AKIN_FORESEEN_LISTED] = {4, "pairs to compare", "memory", FEWER},
    [AKIN_FORESEEN_COMPARED] = {0, "pairs to compare", "", FEWER},
};

/* A large number in words. */
static void write_large(char *to, size_t room, double number)
{
    if (number < 1000 * BILLION)
        snprintf(to, room, "%.1f billion", number / BILLION);
    else
        snprintf(to, room, "%.0f trillion", number / (1000 * BILLION));
}

void akin_foreseen_note(const akin_scope *scope, const akin_foreseen *foreseen, akin_foreseen_use use, uint64_t count)
{
    char text[320], number[48], limit[96] = "", size[96] = "";
    akin_counted room, bytes;
    const uint64_t most = use == AKIN_FORESEEN_WRITTEN ? akin_limit_of(scope, AKIN_LIMIT_PAIRS) : 0;
    const double pairs =
        (double)count * (pairs_of(foreseen->rows, foreseen->self) / pairs_of(foreseen->drawn, foreseen->self));
    if (count < SEEN || pairs < MANY)
        return;
    write_large(number, sizeof number, pairs);
    if (most && pairs > 2 * (double)most) /* beyond doubt */
        snprintf(limit, sizeof limit, "; the limit stops it with an error after %s", akin_count(&room, most, "pair"));
    if (uses[use].bytes > 0)
        snprintf(size, sizeof size, ", some %s of %s", akin_count_bytes(&bytes, pairs * uses[use].bytes),
                 uses[use].bytes_of);
    snprintf(text, sizeof text, "a sample predicts %s %s%s%s; %s", number, uses[use].pairs, size, limit,
             uses[use].advice);
    scope->context->note(scope->reporter.user, text);
}
