/* The records of a table that are equal in all compared columns, for programs that run a job on parts of tables. */
#include "base/ceiling.h"
#include "dedupe/equals.h"
#include "dedupe/population.h"
#include "dedupe/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define FIRST       3  /* columns of a frame before those of attributes */
#define NUMBER_MOST 11 /* digits, and the end, of the number of an attribute */

static const char what[] = "records that are equal";

/* Checks the columns that are compared. */
static akin_status check_columns(const akin_dedupe_job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    const uint32_t own = j->columns - (uint32_t)o->combined_count;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++)
        if (o->attributes[i].column < own)
            status = akin_dedupe_statistics_check_rows(&j->records, o->attributes[i].column, error);
    return status;
}

/* A frame whose columns have their types and names. */
static akin_status create_frame(akin_context *context, akin_dedupe_job *j, akin_frame **out, akin_error *error)
{
    static const char *const first[FIRST] = {"first", "row", "is_left_out"};
    static const akin_type types_first[FIRST] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_BOOL};
    const uint32_t attributes = j->options.attribute_count, count = FIRST + attributes;
    akin_type *types = akin_alloc(&j->account, count, sizeof *types);
    const char **names = akin_alloc(&j->account, count, sizeof *names);
    char(*numbers)[NUMBER_MOST] = akin_alloc(&j->account, attributes, sizeof *numbers);
    akin_status status = types && names && numbers ? AKIN_OK : akin_fail_memory(error, what);
    for (uint32_t i = 0; i < count && types && names && numbers; i++) {
        types[i] = i < FIRST ? types_first[i] : AKIN_TYPE_F64;
        if (i >= FIRST)
            snprintf(numbers[i - FIRST], NUMBER_MOST, "%" PRIu32, i - FIRST);
        names[i] = i < FIRST ? first[i] : numbers[i - FIRST];
    }
    if (status == AKIN_OK)
        status = akin_frame_create(context, count, types, names, out, error);
    akin_free(types);
    akin_free((void *)names);
    akin_free(numbers);
    return status;
}

/* Writes the pairs of groups: the first record, another one, whether that is left out, and how alike they are. */
static akin_status put_pairs(akin_dedupe_job *j, const akin_equals *equals, akin_frame *frame, akin_error *error)
{
    const uint32_t attributes = j->options.attribute_count;
    void **data = akin_alloc(&j->account, FIRST + attributes, sizeof *data);
    double *each = akin_alloc(&j->account, attributes, sizeof *each);
    const int made = data && each;
    akin_status status = made ? akin_frame_extend(frame, equals->count, data, error) : akin_fail_memory(error, what);
    for (uint64_t i = 0; made && i < equals->count && status == AKIN_OK; i++) {
        const akin_pair pair = equals->pairs[i];
        ((uint32_t *)data[0])[i] = pair.left;
        ((uint32_t *)data[1])[i] = pair.right;
        ((unsigned char *)data[2])[i] = !akin_equals_keeps(equals, pair.right);
        akin_equals_similarities(&j->options, j->records.columns[0], pair.left, each);
        for (uint32_t a = 0; a < attributes && status == AKIN_OK; a++) {
            ((double *)data[FIRST + a])[i] = each[a];
            if (isnan(each[a]))
                status = akin_frame_set_null(frame, FIRST + a, i, error);
        }
    }
    akin_free(each);
    akin_free((void *)data);
    return status;
}

uint32_t akin_dedupe_equals_kept(const akin_dedupe_options *options, uint32_t column_count)
{
    akin_dedupe_job j = {.columns = column_count};
    if (akin_dedupe_read_options(&j, options, NULL) != AKIN_OK || j.options.weights != AKIN_WEIGHTS_LEARN)
        return 0;
    return akin_equals_most(akin_equals_attributes(&j, NULL));
}

akin_status akin_dedupe_equals(akin_context *context, const akin_column *columns, uint32_t rows, uint32_t column_count,
                               const akin_dedupe_options *options, akin_frame **out, akin_error *error)
{
    akin_dedupe_job j = {.scope = akin_scope_of(context), .columns = column_count};
    akin_equals equals = {0};
    akin_frame *frame = NULL;
    akin_status status = akin_dedupe_read_options(&j, options, error);
    *out = NULL;
    if (status != AKIN_OK)
        return status;
    if (rows == UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%u records: expected fewer", rows);
    j.records = (akin_records){.columns = {columns, NULL}, .tables = 1, .rows = {rows, 0}, .count = rows};
    akin_account_begin(&j.account, j.scope);
    status = check_columns(&j, error);
    if (status == AKIN_OK)
        status = akin_population_check_records(&j.options, &j.records, error);
    if (status == AKIN_OK)
        status = akin_columns_make(j.scope, &j.account, &j.options, j.columns, &j.records, &j.made, error);
    if (status == AKIN_OK)
        status = akin_equals_find(&j, &equals, error);
    if (status == AKIN_OK)
        status = create_frame(context, &j, &frame, error);
    if (status == AKIN_OK)
        status = put_pairs(&j, &equals, frame, error);
    akin_equals_clear(&equals);
    akin_columns_clear(&j.made);
    status = akin_ceiling_conclude(j.scope, &j.account, what, status, error);
    if (status == AKIN_OK)
        *out = frame;
    else
        akin_frame_free(frame);
    return status;
}
