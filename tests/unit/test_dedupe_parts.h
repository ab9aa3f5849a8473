/* Parts of tables, for tests of jobs with a population. */
#ifndef AKIN_TEST_DEDUPE_PARTS_H
#define AKIN_TEST_DEDUPE_PARTS_H

#include "base/context.h"
#include "dedupe/model.h"
#include "unit/test_dedupe_learn.h"

#define MOST 400 /* records of a test */

static akin_wishes wishes;
static akin_context context = {.wishes = &wishes};
static people whole;

/* The probability of each pair that was found, of rows of the whole; 0: it was not. */
typedef struct outcome {
    double of[MOST][MOST];
    uint32_t left, right; /* the first rows */
    uint64_t count;
} outcome;

static outcome expected, found;

static inline int receive(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    outcome *o = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        o->of[o->left + pairs[i].left][o->right + pairs[i].right] = pairs[i].similarity;
    o->count += count;
    return 0;
}

/* The columns of the rows from `first` on. */
static inline void part_of(const people *p, uint32_t first, akin_column out[FIELDS])
{
    for (uint32_t f = 0; f < FIELDS; f++) {
        out[f] = p->columns[f];
        out[f].offsets += first;
    }
}

/* A population, with the statistics that it is made of. */
typedef struct counted {
    akin_statistics *statistics[FIELDS];
    const akin_corpus *values[FIELDS];
    akin_population population;
} counted;

static inline akin_status count_all(const question *q, const akin_column *left, uint32_t rows, const akin_column *right,
                                    uint32_t rows_right, counted *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    *out = (counted){.population = {sizeof out->population, {rows, rows_right}, out->values}};
    for (uint32_t f = 0; f < q->options.attribute_count && status == AKIN_OK; f++) {
        status = akin_statistics_of_values(&context, left, rows, right, rows_right, FIELDS, &q->options, f,
                                           &out->statistics[f], error);
        if (status == AKIN_OK)
            out->values[f] = akin_statistics_corpus(out->statistics[f]);
    }
    return status;
}

static inline void free_counted(counted *c)
{
    for (uint32_t f = 0; f < FIELDS; f++)
        akin_statistics_free(c->statistics[f]);
}

static inline void begin_context(uint32_t threads)
{
    context.scope = (akin_scope){.context = &context, .threads = threads, .cpu = akin_cpu_detect()};
}

static inline akin_status run(const question *q, const akin_column *left, uint32_t rows, const akin_column *right,
                              uint32_t rows_right, outcome *out, akin_error *error)
{
    return akin_dedupe(&context, left, rows, right, rows_right, FIELDS, &q->options, receive, out, NULL, NULL, error);
}

#endif
