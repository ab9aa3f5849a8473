/* What the tests of rankings share: collections made line by line, and what a ranking finds. */
#ifndef AKIN_TEST_RANK_SUPPORT_H
#define AKIN_TEST_RANK_SUPPORT_H

#include "akin.h"
#include "base/context.h"
#include "base/random.h"
#include "unit/test_lines.h"
#include "rank/rank_index.h"
#include "weigh/weights.h"

#include <math.h>
#include <string.h>

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
