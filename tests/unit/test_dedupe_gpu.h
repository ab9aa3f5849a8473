/* Tables and questions for akin_dedupe on a GPU that the host plays (property/host_dedupe.h), and what comes of them
 * there and on the CPU. */
#ifndef AKIN_TEST_DEDUPE_GPU_H
#define AKIN_TEST_DEDUPE_GPU_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "property/host_dedupe.h"
#include "unit/test_ratio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- tables */

#define ROWS_MOST  5000
#define TEXT_MOST  (1 << 17)
#define NAME       0
#define PLACE      1
#define NUMBER     2
#define COLUMNS    3
#define RULES_MOST 17
#define FOUND_MOST 16384

typedef struct table {
    uint32_t rows;
    char bytes[COLUMNS][TEXT_MOST];
    uint64_t offsets[COLUMNS][ROWS_MOST + 1];
    akin_column columns[COLUMNS];
} table;

static inline void add_value(table *t, uint32_t column, const char *text, uint64_t length)
{
    uint64_t at = t->offsets[column][t->rows];
    assert_true(t->rows < ROWS_MOST && at + length <= TEXT_MOST);
    memcpy(t->bytes[column] + at, text, length);
    t->offsets[column][t->rows + 1] = at + length;
}

static inline void add_record(table *t, const char *name, const char *place, const char *number)
{
    static const char *const names[COLUMNS] = {"name", "place", "number"};
    add_value(t, NAME, name, strlen(name));
    add_value(t, PLACE, place, strlen(place));
    add_value(t, NUMBER, number, strlen(number));
    t->rows++;
    for (uint32_t c = 0; c < COLUMNS; c++)
        t->columns[c] =
            (akin_column){.size = sizeof *t->columns, .name = names[c], .offsets = t->offsets[c], .bytes = t->bytes[c]};
}

/* Names that differ by a letter, many of the same length, and a few different places and numbers; some are missing. */
static inline void fill(table *t, uint64_t seed, uint32_t rows)
{
    akin_random random;
    akin_random_seed(&random, seed);
    t->rows = 0;
    for (uint32_t row = 0; row < rows; row++) {
        char name[16], place[16], number[16] = "";
        uint32_t of = (uint32_t)akin_random_below(&random, 12), letter = (uint32_t)akin_random_below(&random, 5);
        sprintf(name, "%.*s%c", (int)(of % 3 + 4), "catherine" + of % 4, 'a' + (int)letter);
        sprintf(place, "%s%u",
                of % 2 ? "\xc5\x81\xc3\xb3"
                         "d\xc5\xba"
                       : "Warsaw",
                of);
        if (akin_random_below(&random, 9) > 0)
            sprintf(number, "%u", (uint32_t)akin_random_below(&random, 9));
        add_record(t, akin_random_below(&random, 9) ? name : "", akin_random_below(&random, 9) ? place : "", number);
    }
}

/* -------------------------------------------------------------------------------------------------------- questions */

typedef struct question {
    const table *left, *right;
    akin_compare_options compare[RULES_MOST];
    akin_attribute attributes[RULES_MOST];
    akin_selection selections[RULES_MOST];
    akin_key_part parts[RULES_MOST];
    akin_dedupe_options options;
} question;

static inline void begin_question(question *q, const table *left, const table *right)
{
    *q = (question){.left = left, .right = right, .options = AKIN_DEDUPE_OPTIONS_INIT};
    q->options.attributes = q->attributes;
    q->options.selections = q->selections;
}

static inline void add_attribute(question *q, uint32_t column, const char *with, double threshold, double weight)
{
    uint32_t at = q->options.attribute_count++;
    q->compare[at].size = sizeof *q->compare;
    assert_int_equal(akin_compare_options_parse(with, &q->compare[at], NULL), AKIN_OK);
    q->attributes[at] = (akin_attribute){
        .column = column, .compare = &q->compare[at], .threshold = ratio_of(threshold), .weight = ratio_of(weight)};
}

static inline void add_selection(question *q, akin_selection_kind kind, uint32_t column, akin_key key, uint32_t window)
{
    uint32_t at = q->options.selection_count++;
    q->parts[at] = (akin_key_part){.column = column, .key = key};
    q->selections[at] = (akin_selection){.kind = kind,
                                         .window = window,
                                         .nearest = kind == AKIN_SELECT_NEAREST ? window : 0,
                                         .parts = &q->parts[at],
                                         .part_count = kind != AKIN_SELECT_ALL,
                                         .measure = AKIN_JACCARD,
                                         .cutoff = {1, 2}};
}

/* ---------------------------------------------------------------------------------------------------------- answers */

typedef struct answer {
    akin_status status;
    akin_error error;
    uint64_t count;
    akin_scored_pair pairs[FOUND_MOST];
    double each[FOUND_MOST * 4];
    akin_selected selected[RULES_MOST];
    akin_dedupe_report report;
    uint32_t attributes, taken;
} answer;

static inline int take_pairs(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    assert_true(a->taken + count <= FOUND_MOST && (a->taken + count) * a->attributes <= sizeof a->each / sizeof *each);
    memcpy(a->pairs + a->taken, pairs, count * sizeof *pairs);
    memcpy(a->each + a->taken * a->attributes, each, count * a->attributes * sizeof *each);
    a->taken += (uint32_t)count;
    return 0;
}

static inline akin_status ask(akin_context *context, const question *q, answer *out)
{
    akin_dedupe_options options = q->options;
    options.selected = out->selected;
    out->error = (akin_error){.code = AKIN_OK};
    out->report = (akin_dedupe_report){.size = sizeof out->report};
    out->attributes = options.attribute_count;
    out->taken = 0;
    out->count = 77;
    out->status = akin_dedupe(context, q->left->columns, q->left->rows, q->right ? q->right->columns : NULL,
                              q->right ? q->right->rows : 0, COLUMNS, &options, take_pairs, out, &out->count,
                              &out->report, &out->error);
    assert_int_equal(host_device_holds(), 0);
    assert_int_equal(out->status == AKIN_OK ? AKIN_OK : out->error.code, out->status);
    assert_true(out->status == AKIN_OK || out->count == 77);
    return out->status;
}

static inline void assert_same(const answer *a, const answer *b, const question *q)
{
    assert_string_equal(a->status == AKIN_OK ? "" : a->error.message, "");
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->taken, b->taken);
    assert_memory_equal(a->pairs, b->pairs, a->taken * sizeof *a->pairs);
    for (uint32_t i = 0; i < a->taken * a->attributes; i++)
        assert_true((isnan(a->each[i]) && isnan(b->each[i])) || (a->each[i] <= b->each[i] && a->each[i] >= b->each[i]));
    assert_memory_equal(a->selected, b->selected, q->options.selection_count * sizeof *a->selected);
    assert_int_equal(a->report.pairs_all, b->report.pairs_all);
    assert_int_equal(a->report.pairs_selected, b->report.pairs_selected);
    assert_int_equal(a->report.pairs_found, b->report.pairs_found);
}

static inline void expect_refusal(const answer *a, akin_status status, const char *text)
{
    if (a->status != status || !strstr(a->error.message, text))
        fail_msg("'%s' (%d), expected '%s' (%d)", a->error.message, a->status, text, status);
}

#endif
