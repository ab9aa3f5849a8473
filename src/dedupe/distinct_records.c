/* Keeps distinct records, and makes pairs of all records of theirs. */
#include "dedupe/distinct_records.h"

#include "base/budget.h"
#include "dedupe/selections.h"
#include "device/devices.h"
#include "graph/clusters.h"
#include "join/expansion.h"
#include "strings/alphabet.h"

#include <string.h>

#define AT_ONCE 4096 /* pairs that the sink receives */

static const char what[] = "records that are equal";

typedef akin_dedupe_job job;

/* ---------------------------------------------------------------------------------------------------------- records */

/* The columns that are compared or that select pairs. */
typedef struct named_columns {
    const akin_column *columns;
    uint32_t *numbers, count;
} named_columns;

static akin_status list_named(const job *j, named_columns *out, akin_error *error)
{
    *out = (named_columns){.columns = j->records.columns[0]};
    out->numbers = akin_alloc(NULL, j->columns, sizeof *out->numbers);
    if (!out->numbers)
        return akin_fail_memory(error, what);
    for (uint32_t column = 0; column < j->columns; column++)
        if (akin_columns_is_named(&j->options, column))
            out->numbers[out->count++] = column;
    return AKIN_OK;
}

/* The last part of a record is empty, so that a record without values is one, too. */
static const void *bytes_of_value(const void *rows, uint32_t row, uint32_t part, uint64_t *length)
{
    const named_columns *named = rows;
    *length = 0;
    if (part == named->count)
        return "";
    const akin_column *column = &named->columns[named->numbers[part]];
    if (!akin_column_has_text(column, row))
        return "";
    *length = column->offsets[row + (uint64_t)1] - column->offsets[row];
    return column->bytes + column->offsets[row];
}

static akin_row_bytes records_of(const job *j, const named_columns *named)
{
    return (akin_row_bytes){named, j->records.count, named->count + 1, bytes_of_value};
}

/* Whether equal records are in the same pairs, and only the pairs and clusters of the job are wanted. */
static int are_copies_alike(const job *j)
{
    const akin_dedupe_options *o = &j->options;
    int alike = o->weights == AKIN_WEIGHTS_GIVEN && j->records.tables == 1 && !o->one_to_one && !o->report &&
                !o->labelling && !j->sources && !akin_device_is_required(j->scope);
    alike = alike && (!o->clusters || akin_clusters_are_components(o->clusters));
    for (uint32_t i = 0; i < o->selection_count && alike; i++)
        alike = akin_selection_row_of(o->selections[i].kind)->has_copies;
    return alike;
}

akin_status akin_distinct_records_pay(const akin_dedupe_job *job, int *pay, akin_error *error)
{
    named_columns named;
    *pay = 0;
    if (!are_copies_alike(job))
        return AKIN_OK;
    akin_status status = list_named(job, &named, error);
    if (status == AKIN_OK) {
        const akin_row_bytes rows = records_of(job, &named);
        status = akin_equal_rows_abound(job->scope, &rows, pay, error);
    }
    akin_free(named.numbers);
    return status;
}

/* Lists the first two records of each group, in the order of all records. */
static akin_status list_kept(job *j, akin_distinct_records *d, akin_error *error)
{
    const akin_equal_rows *equal = &d->equal;
    uint32_t kept = 0;
    for (uint32_t group = 0; group < equal->groups; group++)
        kept += akin_equal_rows_size(equal, group) > 1 ? 2 : 1;
    d->kept.rows = akin_alloc(&j->account, kept, sizeof *d->kept.rows);
    d->stand_for = akin_alloc(&j->account, kept, sizeof *d->stand_for);
    d->groups = akin_alloc(&j->account, kept, sizeof *d->groups);
    if (!d->kept.rows || !d->stand_for || !d->groups)
        return akin_fail_memory(error, what);
    for (uint32_t row = 0; row < equal->rows; row++) {
        const uint32_t group = equal->of[row], size = akin_equal_rows_size(equal, group);
        const uint32_t *members = equal->members + equal->begin[group];
        if (row != members[0] && (size == 1 || row != members[1]))
            continue;
        d->kept.rows[d->kept.kept] = row;
        d->stand_for[d->kept.kept] = row == members[0] && size > 1 ? size - 1 : 1;
        d->groups[d->kept.kept++] = group;
    }
    return AKIN_OK;
}

akin_status akin_distinct_records_make(akin_dedupe_job *job, akin_distinct_records *out, akin_error *error)
{
    named_columns named;
    *out = (akin_distinct_records){.stand_for = NULL};
    akin_status status = list_named(job, &named, error);
    if (status == AKIN_OK) {
        const akin_row_bytes rows = records_of(job, &named);
        status = akin_equal_rows_make(job->scope, &job->account, &rows, &out->equal, error);
    }
    akin_free(named.numbers);
    if (status == AKIN_OK)
        status = list_kept(job, out, error);
    return status == AKIN_OK ? akin_equals_copy(job, &out->kept, error) : status;
}

void akin_distinct_records_clear(akin_distinct_records *distinct)
{
    akin_equal_rows_clear(&distinct->equal);
    akin_equals_clear(&distinct->kept);
    akin_free(distinct->stand_for);
    akin_free(distinct->groups);
    *distinct = (akin_distinct_records){.stand_for = NULL};
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* What was found, as pairs of groups whose `overlap` is the number of the pair that was found. */
typedef struct grouped {
    job *j;
    akin_distinct_records *d;
    akin_pair *pairs; /* of two groups, by their first records */
    uint64_t count;
    uint32_t *own; /* of each group the pair of its two records, or AKIN_NUMBER_NONE */
    akin_scored_sink sink;
    void *user;
    akin_scored_pair *scored; /* on their way to the sink, */
    double *each;             /* with their similarities */
    int *handed;
    akin_error error; /* of the clusters */
} grouped;

static int is_group_found(const void *rows, uint32_t row, uint32_t *number)
{
    const grouped *g = rows;
    *number = g->own[g->d->equal.of[row]];
    return *number != AKIN_NUMBER_NONE;
}

/* Each pair of groups is found as up to four pairs of records that are kept. */
static akin_status group_pairs(grouped *g, akin_error *error)
{
    const job *j = g->j;
    const akin_equal_rows *equal = &g->d->equal;
    const uint32_t *rows = g->d->kept.rows, *groups = g->d->groups;
    if (j->found >= AKIN_NUMBER_NONE)
        return akin_fail_memory(error, "the pairs found");
    g->pairs = akin_alloc(&g->j->account, j->found, sizeof *g->pairs);
    g->own = akin_alloc(&g->j->account, equal->groups, sizeof *g->own);
    if (!g->pairs || !g->own)
        return akin_fail_memory(error, "the pairs found");
    memset(g->own, 255, equal->groups * sizeof *g->own);
    for (uint64_t i = 0; i < j->found; i++) {
        const akin_found_place p = akin_dedupe_place(j, i);
        const akin_scored_pair *pair = &j->workers[p.thread].found.pairs[p.at];
        const uint32_t a = groups[pair->left], b = groups[pair->right];
        if (a == b)
            g->own[a] = (uint32_t)i;
        else if (rows[pair->left] == equal->first[a] && rows[pair->right] == equal->first[b])
            g->pairs[g->count++] = (akin_pair){a, b, (uint32_t)i};
    }
    return AKIN_OK;
}

/* Receives pairs of records whose `overlap` is the number of a pair that was found. */
static int put_scored(void *user, const akin_pair *pairs, size_t count)
{
    const grouped *g = user;
    const uint64_t attributes = g->j->options.attribute_count;
    int stop = 0;
    *g->handed = 1;
    for (size_t first = 0, now; first < count && !stop; first += now) {
        now = count - first < AT_ONCE ? count - first : AT_ONCE;
        for (size_t i = 0; i < now; i++) {
            const akin_pair *pair = &pairs[first + i];
            const akin_found_place p = akin_dedupe_place(g->j, pair->overlap);
            const akin_found *found = &g->j->workers[p.thread].found;
            g->scored[i] = (akin_scored_pair){pair->left, pair->right, found->pairs[p.at].similarity};
            memcpy(g->each + i * attributes, found->each + p.at * attributes, attributes * sizeof *g->each);
        }
        stop = g->sink(g->user, g->scored, g->each, now) != 0;
    }
    return stop;
}

/* Adds pairs to clusters. */
static int put_in_clusters(void *user, const akin_pair *pairs, size_t count)
{
    grouped *g = user;
    *g->handed = 1;
    return akin_clusters_add(g->j->options.clusters, pairs, NULL, count, &g->error) != AKIN_OK;
}

/* Expands the pairs once: for clusters, for the sink, or to count them (sink NULL). */
static akin_status expand(grouped *g, akin_pair_sink sink, int connecting, akin_error *error)
{
    job *j = g->j;
    const akin_expanded wanted = {
        .sink = sink, .user = g, .connecting = connecting, .is_pair = is_group_found, .rows = g};
    akin_expansion e = {.sides = {g->d->equal}};
    akin_status status = akin_expansion_begin(&e, j->scope, &j->account, 1, &wanted, error);
    if (status == AKIN_OK)
        akin_expansion_take(&e, g->pairs, g->count);
    if (status == AKIN_OK && e.is_short)
        status = akin_fail_memory(error, "the pairs found");
    if (status == AKIN_OK)
        status = akin_expansion_finish(&e, error);
    j->report.pairs_found = e.found;
    e.sides[0] = (akin_equal_rows){0}; /* they are lent */
    akin_expansion_clear(&e);
    return status;
}

static akin_status deliver_groups(grouped *g, akin_error *error)
{
    akin_clusters *clusters = g->j->options.clusters;
    akin_status status = AKIN_OK;
    if (clusters)
        status = expand(g, put_in_clusters, 1, error);
    if (g->error.code != AKIN_OK)
        return akin_fail_again(error, g->error.code, &g->error);
    if (status != AKIN_OK || (clusters && !g->sink))
        return status;
    return expand(g, g->sink ? put_scored : NULL, 0, error);
}

akin_status akin_distinct_records_deliver(akin_dedupe_job *job, akin_distinct_records *distinct, akin_scored_sink sink,
                                          void *user, int *handed, akin_error *error)
{
    grouped g = {.j = job, .d = distinct, .sink = sink, .user = user, .handed = handed};
    akin_status status = group_pairs(&g, error);
    if (status == AKIN_OK && sink) {
        g.scored = akin_alloc(&job->account, AT_ONCE, sizeof *g.scored);
        g.each = akin_alloc(&job->account, AT_ONCE * (uint64_t)job->options.attribute_count, sizeof *g.each);
        if (!g.scored || !g.each)
            status = akin_fail_memory(error, "the pairs found");
    }
    if (status == AKIN_OK)
        status = deliver_groups(&g, error);
    if (status == AKIN_OK)
        job->found = job->report.pairs_found;
    akin_free(g.pairs);
    akin_free(g.own);
    akin_free(g.scored);
    akin_free(g.each);
    return status;
}
