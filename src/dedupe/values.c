/* Finds the distinct values of a column, and makes for each the data of the screen. */
#include "dedupe/values.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "strings/batch.h"

#include <string.h>

#define TASK_VALUES 4096

/* ----------------------------------------------------------------------------------------------------------- shapes */

typedef struct shaping {
    akin_values *values;
    const akin_alphabet *alphabet;
    const uint32_t *lengths; /* of records, in symbols */
    akin_account *account;
} shaping;

static akin_status shape_values(void *argument, uint64_t task, uint32_t thread)
{
    const shaping *s = argument;
    akin_values *values = s->values;
    uint64_t first = task * TASK_VALUES, end = akin_min_u64(first + TASK_VALUES, values->count), room = 0;
    int wide = akin_alphabet_is_wide(s->alphabet);
    void *symbols = NULL;
    akin_status status = AKIN_OK;
    (void)thread;
    for (uint64_t v = first; v < end && status == AKIN_OK; v++) {
        uint64_t bytes;
        uint32_t length = s->lengths[values->first[v]];
        const char *text = akin_values_text(values, (uint32_t)v, &bytes);
        void *larger = akin_enlarge(s->account, symbols, &room, (uint64_t)length + 1, sizeof(uint32_t));
        if (!larger) {
            status = AKIN_E_NOMEM;
            continue;
        }
        symbols = larger;
        akin_strings_batch_write(s->alphabet, text, bytes, symbols);
        akin_symbols as = {.bytes = wide ? NULL : symbols, .points = wide ? symbols : NULL, .length = length};
        values->shapes[v] =
            (akin_shape){akin_bag_of(&as, s->alphabet->kinds), length, akin_strings_batch_head(&as, AKIN_HEAD_NONE)};
    }
    akin_free(symbols);
    return status;
}

/* Makes the shapes. Lengths are those of records, as the alphabet counts them. */
static akin_status shape(const akin_scope *scope, akin_account *account, akin_values *values, uint32_t *lengths,
                         akin_error *error)
{
    const akin_records *records = values->records;
    akin_alphabet alphabet = {0};
    akin_column columns[2];
    uint32_t *of_side[2] = {lengths, lengths + records->rows[0]};
    for (uint32_t side = 0; side < records->tables; side++)
        columns[side] = records->columns[side][values->column];
    akin_status status =
        akin_alphabet_make(scope, account, columns, records->rows, of_side, records->tables, &alphabet, error);
    if (status == AKIN_OK) {
        shaping s = {values, &alphabet, lengths, account};
        status = akin_parallel(scope, NULL, akin_ceil_div(values->count, TASK_VALUES), shape_values, &s);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "the values");
    }
    akin_alphabet_clear(&alphabet);
    return status;
}

akin_status akin_values_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                             uint32_t column, akin_values *out, akin_error *error)
{
    akin_values *values = out;
    *values = (akin_values){.records = records, .column = column};
    values->of = akin_alloc(account, records->count, sizeof *values->of);
    uint32_t *lengths = akin_alloc(account, records->count, sizeof *lengths);
    if (!values->of || !lengths) {
        akin_free(lengths);
        return akin_fail_memory(error, "the values");
    }
    akin_status status = akin_values_number(scope, account, values, error);
    if (status == AKIN_OK) {
        values->shapes = akin_alloc(account, values->count, sizeof *values->shapes);
        status = values->shapes ? shape(scope, account, values, lengths, error) : akin_fail_memory(error, "the values");
    }
    akin_free(lengths);
    return status;
}

void akin_values_clear(akin_values *values)
{
    akin_free(values->of);
    akin_free(values->first);
    akin_free(values->shapes);
    *values = (akin_values){0};
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* What values are ordered by. */
typedef struct ordering {
    const akin_values *values;
    akin_values_cut cut;
    uint32_t argument;
} ordering;

static const char *text_of_value(const ordering *o, uint32_t value, uint64_t *length)
{
    const char *text = akin_values_text(o->values, value, length);
    if (o->cut)
        *length = o->cut(text, *length, o->argument);
    return text;
}

static int is_before(const ordering *o, uint32_t a, uint32_t b)
{
    uint64_t lengths[2];
    const char *x = text_of_value(o, a, &lengths[0]), *y = text_of_value(o, b, &lengths[1]);
    int order = memcmp(x, y, akin_min_u64(lengths[0], lengths[1]));
    return order != 0 ? order < 0 : lengths[0] < lengths[1];
}

/* Merges two runs that are in order, first to middle - 1 and middle to end - 1. */
static void merge_runs(const ordering *o, const uint32_t *from, uint32_t *to, uint64_t first, uint64_t middle,
                       uint64_t end)
{
    uint64_t a = first, b = middle;
    for (uint64_t i = first; i < end; i++) {
        int left = b >= end || (a < middle && !is_before(o, from[b], from[a]));
        to[i] = left ? from[a++] : from[b++];
    }
}

int akin_values_rank(const akin_values *values, akin_account *account, akin_values_cut cut, uint32_t argument,
                     uint32_t *ranks)
{
    const ordering o = {values, cut, argument};
    uint64_t count = values->count;
    uint32_t *order = akin_alloc(account, count, sizeof *order), *other = akin_alloc(account, count, sizeof *other);
    int done = order && other;
    for (uint32_t v = 0; done && v < count; v++)
        order[v] = v;
    for (uint64_t width = 1; done && width < count; width *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * width)
            merge_runs(&o, order, other, first, akin_min_u64(first + width, count),
                       akin_min_u64(first + 2 * width, count));
        uint32_t *merged = other;
        other = order;
        order = merged;
    }
    for (uint32_t i = 0, rank = 0; done && i < count; i++) {
        rank += i > 0 && (!cut || is_before(&o, order[i - 1], order[i])); /* whole values are never the same */
        ranks[order[i]] = rank;
    }
    akin_free(order);
    akin_free(other);
    return done;
}
