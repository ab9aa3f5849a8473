/*
 * Generates collections: sizes from a normal or lognormal distribution, tokens from a Zipf distribution,
 * near-duplicates planted.
 *
 * Rows are made in blocks of BLOCK, each with two sequences of random numbers of its own that follow from the seed and
 * the block's number: one decides which rows are copies and how large the others are, the other one draws the tokens.
 * So the result does not depend on the number of threads, and sizes can be known before a token is drawn: the first
 * sequence is gone through twice, once for the offsets, and again when the rows are put in their final place.
 *
 * A copy is of an earlier row of its own block. The normal deviate is the sum of 12 uniform numbers less 6: mean 0,
 * variance 1, never beyond 6, and made of additions alone.
 */
#include "sets/generate.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "sets/sets.h"
#include "sets/zipf.h"

#include <string.h>

AKIN_OPTIONS_END(akin_generate_options, reserved);

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define BLOCK      1024
#define SIZE_TRIES 100 /* a size out of bounds is drawn again as often as this, then cut */
#define ZIPF_MOST  10

/* -------------------------------------------------------------------------------------------------- distinct tokens */

/*
 * What a thread draws distinct tokens with. `seen` is a hash table of the tokens of the row at hand, each under the
 * number of the drawing, so that it need not be cleared from one drawing to the next. The urn is filled when it is
 * first needed.
 */
typedef struct drawer {
    uint64_t *seen; /* drawing << 32 | token */
    uint64_t slots; /* a power of two, or 0 */
    uint32_t drawing;
    akin_urn urn;
} drawer;

static int seen_begin(drawer *d, uint64_t tokens)
{
    if (d->slots < 2 * tokens || d->drawing == UINT32_MAX) {
        uint64_t slots = 64;
        while (slots < 2 * tokens)
            slots *= 2;
        akin_free(d->seen);
        d->seen = akin_alloc_zero(NULL, slots, sizeof *d->seen);
        d->slots = d->seen ? slots : 0;
        d->drawing = 0;
    }
    d->drawing++;
    return d->seen != NULL;
}

/* Adds a token; 0 if it was there. */
static int seen_add(drawer *d, uint32_t token)
{
    uint64_t key = (uint64_t)d->drawing << 32 | token, mask = d->slots - 1;
    uint64_t slot = (token * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    for (; d->seen[slot] >> 32 == d->drawing; slot = (slot + 1) & mask)
        if (d->seen[slot] == key)
            return 0;
    d->seen[slot] = key;
    return 1;
}

/* Draws until it has `count` distinct tokens that are none of `taken`, or has tried rather often; returns how many it
 * has, or UINT64_MAX if memory is short. */
static uint64_t draw_by_trying(drawer *d, const akin_zipf *zipf, akin_random *random, const uint32_t *taken,
                               uint32_t taken_count, uint32_t *to, uint32_t count)
{
    uint64_t drawn = 0;
    if (!seen_begin(d, (uint64_t)taken_count + count))
        return UINT64_MAX;
    for (uint32_t i = 0; i < taken_count; i++)
        seen_add(d, taken[i]);
    for (uint64_t tries = 8 * (uint64_t)count + 64; tries > 0 && drawn < count; tries--) {
        uint32_t token = akin_zipf_draw(zipf, random);
        if (seen_add(d, token))
            to[drawn++] = token;
    }
    return drawn;
}

/*
 * Draws `count` distinct tokens that are not in `taken`. Their distribution is that of drawing them in sequence,
 * without replacement. It draws again when a token was drawn before. Where that would not end soon (a large part of the
 * universe, or of its weight, is taken), it draws from an urn. The universe must have enough tokens.
 */
static akin_status draw_set(drawer *d, const akin_zipf *zipf, akin_random *random, const uint32_t *taken,
                            uint32_t taken_count, uint32_t *to, uint32_t count)
{
    uint64_t drawn = 0;
    if ((uint64_t)taken_count + count <= zipf->universe / 2)
        drawn = draw_by_trying(d, zipf, random, taken, taken_count, to, count);
    if (drawn == UINT64_MAX)
        return AKIN_E_NOMEM;
    if (drawn == count)
        return AKIN_OK;
    if (!d->urn.tree && akin_urn_fill(zipf, &d->urn, NULL) != AKIN_OK)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < taken_count; i++)
        akin_urn_take(&d->urn, taken[i]);
    for (uint64_t i = 0; i < drawn; i++)
        akin_urn_take(&d->urn, to[i]);
    for (; drawn < count; drawn++)
        to[drawn] = akin_urn_draw(&d->urn, random);
    for (uint32_t i = 0; i < taken_count; i++)
        akin_urn_put(&d->urn, taken[i]);
    for (uint32_t i = 0; i < count; i++)
        akin_urn_put(&d->urn, to[i]);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

typedef struct generation {
    akin_generate_options options;
    uint32_t least, most;   /* bounds of the sizes */
    double mean, deviation; /* of the sizes, or of their logarithms */
    akin_zipf zipf;
    uint64_t *offsets;
    uint32_t *tokens;
    drawer *drawers; /* one for each thread */
} generation;

static uint32_t draw_size(const generation *g, akin_random *random)
{
    uint32_t size = 0;
    for (int try = 0; try < SIZE_TRIES; try++) {
        double deviate = -6;
        for (int i = 0; i < 12; i++)
            deviate += akin_random_unit(random);
        double x = g->mean + g->deviation * deviate;
        if (g->options.lognormal)
            x = akin_exponential(x);
        size = x < 1 ? 1 : x + 0.5 >= g->options.universe ? g->options.universe : (uint32_t)(x + 0.5);
        if (size >= g->least && size <= g->most)
            return size;
    }
    return size < g->least ? g->least : g->most;
}

/* What the first sequence says of row number `row` of its block. */
typedef struct plan {
    int copied;
    uint32_t source; /* the row of the block that it is a copy of */
    uint32_t size;   /* if it is none */
} plan;

static plan plan_row(const generation *g, akin_random *random, uint32_t row)
{
    plan p = {0};
    p.copied = akin_random_unit(random) < g->options.duplicates && row > 0;
    if (p.copied)
        p.source = (uint32_t)akin_random_below(random, row);
    else
        p.size = draw_size(g, random);
    return p;
}

/* The two sequences of a block. The factor is odd, so that no two blocks of a collection share a seed. */
static void seed_block(const generation *g, uint64_t block, akin_random *plans, akin_random *draws)
{
    akin_random random;
    akin_random_seed(&random, g->options.seed);
    akin_random_seed(&random, akin_random_next(&random) ^ block * UINT64_C(0xd6e8feb86659fd93));
    akin_random_seed(plans, akin_random_next(&random));
    akin_random_seed(draws, akin_random_next(&random));
}

/* The sizes of a block's rows, each in the offset after the row. */
static akin_status plan_block(void *argument, uint64_t block, uint32_t thread)
{
    generation *g = argument;
    akin_random plans, draws;
    uint64_t first = block * BLOCK, end = akin_min_u64(first + BLOCK, g->options.rows);
    uint64_t *sizes = g->offsets + first + 1;
    (void)thread;
    seed_block(g, block, &plans, &draws);
    for (uint32_t row = 0; row < end - first; row++) {
        plan p = plan_row(g, &plans, row);
        sizes[row] = p.copied ? sizes[p.source] : p.size;
    }
    return AKIN_OK;
}

/* Copies a set and replaces a tenth of its tokens, at least one, as far as there are others. */
static akin_status vary_set(generation *g, drawer *d, akin_random *random, const uint32_t *source, uint32_t size,
                            uint32_t *to)
{
    uint32_t others = g->options.universe - size;
    uint32_t change = (uint32_t)(((uint64_t)size + 5) / 10);
    change = change > 1 ? change : 1;
    change = change < others ? change : others;
    memcpy(to, source, size * sizeof *to);
    for (uint32_t i = 0; i < change; i++) { /* the tokens to replace come to the front */
        uint64_t j = i + akin_random_below(random, size - i);
        uint32_t token = to[i];
        to[i] = to[j];
        to[j] = token;
    }
    return draw_set(d, &g->zipf, random, source, size, to, change);
}

static akin_status fill_block(void *argument, uint64_t block, uint32_t thread)
{
    generation *g = argument;
    drawer *d = &g->drawers[thread];
    akin_random plans, draws;
    uint64_t first = block * BLOCK, end = akin_min_u64(first + BLOCK, g->options.rows);
    const uint64_t *offsets = g->offsets + first;
    akin_status status = AKIN_OK;
    seed_block(g, block, &plans, &draws);
    for (uint32_t row = 0; row < end - first && status == AKIN_OK; row++) {
        plan p = plan_row(g, &plans, row);
        uint32_t *to = g->tokens + offsets[row], size = (uint32_t)(offsets[row + 1] - offsets[row]);
        if (p.copied)
            status = vary_set(g, d, &draws, g->tokens + offsets[p.source], size, to);
        else
            status = draw_set(d, &g->zipf, &draws, NULL, 0, to, size);
        akin_sort_u32(to, size);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* Finds what sizes are drawn by. Of a lognormal distribution the logarithms have the variance log(1 + (s / m)^2), if s
 * and m are deviation and mean. */
static void prepare_sizes(generation *g)
{
    g->mean = g->options.size_mean;
    g->deviation = g->options.size_deviation;
    if (!g->options.lognormal)
        return;
    const double ratio = g->deviation / g->mean, variance = akin_logarithm_of(1 + ratio * ratio);
    g->mean = akin_logarithm_of(g->mean) - variance / 2;
    g->deviation = __builtin_sqrt(variance);
}

/* Written so that a NaN is out of range. */
static akin_status check_double(const char *field, double value, double most, akin_error *error)
{
    if (value >= 0 && value <= most)
        return AKIN_OK;
    return akin_fail_option(error, AKIN_REASON_NONE, field, " is %g; expected 0 to %.10g", value, most);
}

static akin_status check_generation(const akin_generate_options *o, akin_error *error)
{
    akin_status status;
    if (o->universe == 0)
        return akin_fail_option(error, AKIN_REASON_NONE, "universe", " is 0; expected 1 to 4294967295");
    if (o->size_smallest > o->universe)
        return akin_fail_option(error, AKIN_REASON_NONE, "size_smallest",
                                " is %u; expected at most %u, as many tokens as there are", o->size_smallest,
                                o->universe);
    if (o->size_largest != 0 && o->size_largest < o->size_smallest)
        return akin_fail_option(error, AKIN_REASON_NONE, "size_largest",
                                " is %u; expected at least the smallest size, %u", o->size_largest, o->size_smallest);
    if ((status = check_double("size_mean", o->size_mean, UINT32_MAX, error)) != AKIN_OK ||
        (status = check_double("size_deviation", o->size_deviation, UINT32_MAX, error)) != AKIN_OK ||
        (status = check_double("zipf", o->zipf, ZIPF_MOST, error)) != AKIN_OK ||
        (status = check_double("duplicates", o->duplicates, 1, error)) != AKIN_OK)
        return status;
    if (o->lognormal > 1)
        return akin_fail_option(error, AKIN_REASON_NONE, "lognormal", " is %u; expected 0 or 1", o->lognormal);
    if (o->reserved != 0)
        return akin_fail_option(error, AKIN_REASON_NONE, "reserved", " is %u; expected 0", o->reserved);
    if (o->lognormal && !(o->size_mean >= 1))
        return akin_fail_option(error, AKIN_REASON_NONE, "size_mean", " is %g; expected at least 1 with lognormal",
                                o->size_mean);
    return AKIN_OK;
}

static akin_status explain_generation(akin_status status, akin_error *error)
{
    if (status == AKIN_E_CANCELLED)
        return akin_fail(error, status, "cancelled while generating sets");
    return status == AKIN_OK ? status : akin_fail_memory(error, "generated sets");
}

static akin_status generate_sets(const akin_scope *scope, generation *g, akin_error *error)
{
    uint32_t rows = g->options.rows;
    akin_status status = akin_zipf_build(g->options.universe, g->options.zipf, 0, &g->zipf, error);
    if (status != AKIN_OK)
        return status;
    g->drawers = akin_alloc_zero(NULL, scope->threads, sizeof *g->drawers);
    g->offsets = akin_alloc(NULL, (uint64_t)rows + 1, sizeof *g->offsets);
    if (!g->drawers || !g->offsets)
        return akin_fail_memory(error, "generated sets");
    status = akin_parallel(scope, NULL, akin_ceil_div(rows, BLOCK), plan_block, g);
    if (status != AKIN_OK)
        return explain_generation(status, error);
    g->offsets[0] = 0;
    for (uint32_t row = 0; row < rows; row++)
        g->offsets[row + 1] += g->offsets[row];
    g->tokens = akin_alloc(NULL, g->offsets[rows], sizeof *g->tokens);
    if (!g->tokens)
        return akin_fail_memory(error, "generated sets");
    return explain_generation(akin_parallel(scope, "generating", akin_ceil_div(rows, BLOCK), fill_block, g), error);
}

akin_status akin_sets_generate_within(const akin_scope *scope, const akin_generate_options *options, akin_sets **out,
                                      akin_error *error)
{
    generation g = {.options = AKIN_GENERATE_OPTIONS_INIT};
    akin_status status =
        akin_options_read(options, &g.options, sizeof g.options, sizeof g.options, "akin_generate_options", error);
    if (status == AKIN_OK)
        status = check_generation(&g.options, error);
    if (status != AKIN_OK)
        return status;
    uint32_t universe = g.options.universe, largest = g.options.size_largest;
    prepare_sizes(&g);
    g.least = g.options.size_smallest;
    g.most = largest != 0 && largest < universe ? largest : universe;
    status = generate_sets(scope, &g, error);
    if (status == AKIN_OK)
        status = akin_sets_adopt(g.options.rows, g.offsets, g.tokens, out, error);
    if (status != AKIN_OK) {
        akin_free(g.offsets);
        akin_free(g.tokens);
    }
    for (uint32_t i = 0; g.drawers && i < scope->threads; i++) {
        akin_free(g.drawers[i].seen);
        akin_urn_clear(&g.drawers[i].urn);
    }
    akin_free(g.drawers);
    akin_zipf_clear(&g.zipf);
    return status;
}

akin_status akin_sets_generate(akin_context *context, const akin_generate_options *options, akin_sets **out,
                               akin_error *error)
{
    return akin_sets_generate_within(akin_scope_of(context), options, out, error);
}
