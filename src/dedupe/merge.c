/*
 * Merged records: which value of the records of a cluster the one record takes that stands for all of them.
 *
 * All rules but one look at the rows once, in their order, and keep the best row of each cluster so far. For the most
 * frequent value, rows are grouped by cluster, and the values of a cluster are sorted:
 *
 *     | value (32 bits) | row (32 bits) |
 *
 * so that a value is a run that begins with its first row.
 */
#include "dedupe/merge.h"

#include "base/budget.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "dict/dictionary.h"
#include "strings/alphabet.h"
#include "strings/date.h"
#include "strings/number.h"

#include <string.h>

AKIN_OPTIONS_END(akin_merge_options, by);

#define NONE UINT32_MAX

static const char what[] = "the merged records"; /* the memory is for */

typedef struct merging {
    const akin_scope *scope;
    akin_account account;
    const akin_column *values, *by;
    uint32_t rows, count;
    const uint32_t *clusters;
    uint32_t *sources;
} merging;

typedef akin_status (*choose)(merging *m, akin_error *error);

typedef struct rule_row {
    akin_choice choice;
    choose choose;
} rule_row;

static int is_missing(const akin_column *column, uint32_t row)
{
    return column->offsets[row] == column->offsets[row + UINT64_C(1)] ||
           (column->validity && !(column->validity[row / 8] >> row % 8 & 1));
}

static const char *text_of(const akin_column *column, uint32_t row, uint64_t *length)
{
    *length = column->offsets[row + UINT64_C(1)] - column->offsets[row];
    return column->bytes + column->offsets[row];
}

/* ------------------------------------------------------------------------------------------------------------ first */

static akin_status choose_first(merging *m, akin_error *error)
{
    for (uint32_t row = 0; row < m->rows; row++) {
        uint32_t *source = &m->sources[m->clusters[row]];
        if (akin_is_stopped(m->scope, row))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (*source == AKIN_NO_ROW && !is_missing(m->values, row))
            *source = row;
    }
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- longest */

/* Bytes that begin a code point. */
static uint64_t count_symbols(const akin_column *column, uint32_t row)
{
    uint64_t length, count = 0;
    const char *text = text_of(column, row, &length);
    for (uint64_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static akin_status choose_longest(merging *m, akin_error *error)
{
    uint64_t *lengths = akin_alloc_zero(&m->account, m->count, sizeof *lengths);
    akin_status status = lengths ? AKIN_OK : akin_fail_memory(error, what);
    for (uint32_t row = 0; lengths && row < m->rows && status == AKIN_OK; row++) {
        const uint32_t cluster = m->clusters[row];
        if (akin_is_stopped(m->scope, row))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (is_missing(m->values, row))
            continue;
        const uint64_t length = count_symbols(m->values, row);
        if (m->sources[cluster] == AKIN_NO_ROW || length > lengths[cluster]) {
            m->sources[cluster] = row;
            lengths[cluster] = length;
        }
    }
    akin_free(lengths);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- newest */

/* Numbers of values whose order is theirs. Return 0 if a value is of another kind. */
static int read_date(const char *text, uint32_t length, double *out)
{
    int32_t days;
    const int is_date = akin_date_parse(text, length, &days);
    *out = is_date ? days : 0;
    return is_date;
}

typedef int (*read_value)(const char *text, uint32_t length, double *out);

/* Reads all values of the column that rows are compared by; 0: one of them is of another kind. */
static int read_all(const merging *m, read_value read, double *keys)
{
    for (uint32_t row = 0; row < m->rows; row++) {
        uint64_t length;
        const char *text = text_of(m->by, row, &length);
        if (!is_missing(m->by, row) && (length > UINT32_MAX || !read(text, (uint32_t)length, &keys[row])))
            return 0;
    }
    return 1;
}

/* Whether row a comes behind row b by their bytes. */
static int is_above(const akin_column *column, uint32_t a, uint32_t b)
{
    uint64_t lengths[2];
    const char *one = text_of(column, a, &lengths[0]), *other = text_of(column, b, &lengths[1]);
    const int order = memcmp(one, other, (size_t)akin_min_u64(lengths[0], lengths[1]));
    return order > 0 || (order == 0 && lengths[0] > lengths[1]);
}

/* Whether row a is newer than row b. A row without a value to compare is the oldest. */
static int is_newer(const merging *m, const double *keys, uint32_t a, uint32_t b)
{
    if (is_missing(m->by, a) || is_missing(m->by, b))
        return is_missing(m->by, a) < is_missing(m->by, b);
    return keys ? keys[a] > keys[b] : is_above(m->by, a, b);
}

static akin_status choose_newest(merging *m, akin_error *error)
{
    double *keys = akin_alloc(&m->account, m->rows, sizeof *keys);
    if (!keys)
        return akin_fail_memory(error, what);
    const double *compared = read_all(m, read_date, keys) || read_all(m, akin_number_parse, keys) ? keys : NULL;
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < m->rows && status == AKIN_OK; row++) {
        uint32_t *source = &m->sources[m->clusters[row]];
        if (akin_is_stopped(m->scope, row))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (!is_missing(m->values, row) && (*source == AKIN_NO_ROW || is_newer(m, compared, row, *source)))
            *source = row;
    }
    akin_free(keys);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- frequent */

/* Rows by cluster, in their order: those of cluster c end at ends[c]. */
typedef struct grouped {
    uint32_t *rows, *numbers; /* of each row its value's number; NONE: it is missing */
    uint32_t *ends;
    uint64_t *keys; /* of the rows of a cluster, as above */
} grouped;

static akin_status number_values(merging *m, uint32_t *numbers, akin_error *error)
{
    akin_dictionary *values = NULL;
    akin_status status = akin_dictionary_create_within(m->scope, &values, error);
    for (uint32_t row = 0; row < m->rows && status == AKIN_OK; row++) {
        uint64_t length;
        const char *text = text_of(m->values, row, &length);
        numbers[row] = NONE;
        if (akin_is_stopped(m->scope, row))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        else if (!is_missing(m->values, row))
            status = akin_dictionary_add(values, text, (size_t)length, &numbers[row], error);
    }
    akin_dictionary_free(values);
    return status;
}

/* Groups the rows, and makes room for the keys of the largest cluster. */
static akin_status group_rows(merging *m, grouped *g, akin_error *error)
{
    uint32_t sum = 0, largest = 0;
    for (uint32_t row = 0; row < m->rows; row++)
        g->ends[m->clusters[row]]++;
    for (uint32_t c = 0; c < m->count; c++) {
        const uint32_t size = g->ends[c];
        largest = akin_max_u32(largest, size);
        g->ends[c] = sum; /* where the cluster begins; its rows move that to its end */
        sum += size;
    }
    for (uint32_t row = 0; row < m->rows; row++)
        g->rows[g->ends[m->clusters[row]]++] = row;
    g->keys = akin_alloc(&m->account, largest, sizeof *g->keys);
    return g->keys ? AKIN_OK : akin_fail_memory(error, what);
}

/* The row with which the longest run of equal values begins, the smallest such row. */
static uint32_t most_frequent(const uint64_t *keys, uint32_t count)
{
    uint32_t best = AKIN_NO_ROW, most = 0;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        const uint32_t first = (uint32_t)keys[begin];
        for (end = begin + 1; end < count && keys[end] >> 32 == keys[begin] >> 32;)
            end++;
        if (end - begin > most || (end - begin == most && first < best)) {
            best = first;
            most = end - begin;
        }
    }
    return best;
}

static akin_status choose_in_groups(merging *m, const grouped *g, akin_error *error)
{
    for (uint32_t c = 0, at = 0; c < m->count; c++) {
        uint32_t count = 0;
        if (akin_is_stopped(m->scope, c))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        for (; at < g->ends[c]; at++)
            if (g->numbers[g->rows[at]] != NONE)
                g->keys[count++] = (uint64_t)g->numbers[g->rows[at]] << 32 | g->rows[at];
        akin_sort_u64(g->keys, count);
        m->sources[c] = most_frequent(g->keys, count);
    }
    return AKIN_OK;
}

static akin_status choose_frequent(merging *m, akin_error *error)
{
    grouped g = {.rows = akin_alloc(&m->account, m->rows, sizeof *g.rows),
                 .numbers = akin_alloc(&m->account, m->rows, sizeof *g.numbers),
                 .ends = akin_alloc_zero(&m->account, m->count, sizeof *g.ends)};
    const int done = g.rows && g.numbers && g.ends;
    akin_status status = done ? number_values(m, g.numbers, error) : akin_fail_memory(error, what);
    if (done && status == AKIN_OK)
        status = group_rows(m, &g, error);
    if (done && status == AKIN_OK)
        status = choose_in_groups(m, &g, error);
    akin_free(g.rows);
    akin_free(g.numbers);
    akin_free(g.ends);
    akin_free(g.keys);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- all */

static const rule_row rules[] = {
    {{"frequent", "", "the value of most records; of several the first one", AKIN_MERGE_FREQUENT, AKIN_IS_DEFAULT},
     choose_frequent},
    {{"longest", "", "the value with the most characters; of several the first one", AKIN_MERGE_LONGEST, 0},
     choose_longest},
    {{"newest", ":COLUMN", "the value of the record with the latest or greatest COLUMN", AKIN_MERGE_NEWEST, 0},
     choose_newest},
    {{"first", "", "the value of the first record that has one", AKIN_MERGE_FIRST, 0}, choose_first},
};
const akin_choice_table akin_merge_rules = AKIN_CHOICE_TABLE("merge rule", rules);

/* Whether a column of rows can be what it says. */
static akin_status check_column(const akin_column *column, uint32_t rows, const char *name, akin_error *error)
{
    akin_status status = column ? akin_column_check(column, name, error) : AKIN_OK;
    if (status == AKIN_OK && rows > 0 && (!column || !column->offsets))
        return akin_fail(error, AKIN_E_OPTION, "there are %u rows, and no column of %s", rows, name);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        if (column->offsets[row + UINT64_C(1)] < column->offsets[row])
            status = akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, column->name,
                                   " of the %s: its offset is above the next one", name);
    return status;
}

static akin_status check_clusters(const merging *m, akin_error *error)
{
    for (uint32_t row = 0; row < m->rows; row++)
        if (m->clusters[row] >= m->count)
            return akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, NULL,
                                 " is of cluster %u, and there are %u", m->clusters[row], m->count);
    return AKIN_OK;
}

akin_status akin_merge(akin_context *context, const akin_column *values, uint32_t rows, const uint32_t *clusters,
                       uint32_t count, const akin_merge_options *options, uint32_t *sources, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_merge_options own = AKIN_MERGE_OPTIONS_INIT;
    merging m = {.scope = scope,
                 .account = {.limit = akin_budget_job(scope)},
                 .values = values,
                 .rows = rows,
                 .count = count,
                 .clusters = clusters,
                 .sources = sources};
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_merge_options", error);
    if (status != AKIN_OK)
        return status;
    const akin_choice *rule = akin_choice_of(&akin_merge_rules, (int)own.rule);
    if (!rule)
        return akin_fail(error, AKIN_E_OPTION, "rule is %u, which is not a merge rule", own.rule);
    const int has_column = rule->arguments[0] != '\0';
    if (has_column != (own.by != NULL))
        return akin_fail(error, AKIN_E_OPTION,
                         has_column ? "%s: by is NULL; expected a column" : "%s: by is a column; expected NULL",
                         rule->name);
    m.by = own.by;
    status = check_column(values, rows, "values", error);
    if (status == AKIN_OK && m.by)
        status = check_column(m.by, rows, "by", error);
    if (status == AKIN_OK)
        status = check_clusters(&m, error);
    for (uint32_t c = 0; c < count && status == AKIN_OK; c++)
        sources[c] = AKIN_NO_ROW;
    return status == AKIN_OK ? ((const rule_row *)rule)->choose(&m, error) : status;
}
