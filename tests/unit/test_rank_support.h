/* What the tests of rankings share: collections made line by line, and what a ranking finds. */
#ifndef AKIN_TEST_RANK_SUPPORT_H
#define AKIN_TEST_RANK_SUPPORT_H

#include "akin.h"
#include "base/context.h"
#include "base/random.h"
#include "weigh/index.h"
#include "weigh/weights.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A column that is made line by line. */
typedef struct lines {
    char *bytes;
    size_t length;
    FILE *out;
    uint64_t *offsets;
    uint32_t rows;
} lines;

static inline void lines_begin(lines *l, uint32_t most)
{
    *l = (lines){.offsets = calloc(most + 1, sizeof *l->offsets)};
    l->out = open_memstream(&l->bytes, &l->length);
    assert_non_null(l->offsets);
    assert_non_null(l->out);
}

static inline void lines_end_row(lines *l)
{
    fflush(l->out);
    l->offsets[++l->rows] = l->length;
}

static inline akin_column lines_column(lines *l)
{
    fflush(l->out);
    return (akin_column){.size = sizeof(akin_column), .name = "text", .offsets = l->offsets, .bytes = l->bytes};
}

static inline void lines_clear(lines *l)
{
    fclose(l->out);
    free(l->bytes);
    free(l->offsets);
}

/* Words of a vocabulary whose first ones are frequent, some of them several times in a row. */
static inline void add_words(lines *l, akin_random *random, uint32_t count, uint32_t vocabulary)
{
    for (uint32_t i = 0; i < count;) {
        double unit = akin_random_unit(random);
        uint32_t word = (uint32_t)(unit * unit * unit * vocabulary);
        uint32_t times = akin_random_below(random, 8) == 0 ? 1 + (uint32_t)akin_random_below(random, 5) : 1;
        for (; times > 0 && i < count; times--, i++)
            fprintf(l->out, "w%u ", word);
    }
    lines_end_row(l);
}

static inline void make_rows(lines *l, uint64_t seed, uint32_t rows, uint32_t longest, uint32_t vocabulary)
{
    akin_random random;
    lines_begin(l, rows);
    akin_random_seed(&random, seed);
    for (uint32_t i = 0; i < rows; i++)
        add_words(l, &random, (uint32_t)akin_random_below(&random, longest + 1), vocabulary);
}

static inline akin_weights *weigh(akin_context *context, const akin_column *column, uint32_t rows, akin_formula formula)
{
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    options.formula = formula;
    options.order = AKIN_WEIGHTS_BY_TERM;
    assert_int_equal(akin_weigh(context, column, 1, rows, &options, &weights, NULL), AKIN_OK);
    return weights;
}

typedef struct hits {
    akin_ranking_hit *list;
    size_t count;
    int calls, stop;
} hits;

static inline int take(void *user, const akin_ranking_hit *found, size_t count)
{
    hits *h = user;
    assert_true(count > 0);
    if (++h->calls == h->stop)
        return 1;
    h->list = realloc(h->list, (h->count + count) * sizeof *h->list);
    assert_non_null(h->list);
    memcpy(h->list + h->count, found, count * sizeof *found);
    h->count += count;
    return 0;
}

#endif
