/* Groups of equal records: found by hashes of their values, left out of a job, and put back into its results. */
#include "dedupe/equals.h"

#include "base/budget.h"
#include "base/sort_parallel.h"
#include "dedupe/population.h"
#include "dedupe/selections.h"
#include "graph/clusters.h"
#include "table/utf8.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#define TASK_ROWS 4096

#define KEPT      4   /* records of a group that the job sees, */
#define TELLING   3   /* and one, if it has fewer comparisons than these: it cannot learn how many partners there are */
#define BY_CHANCE 0.2 /* a share of a group that chance explains, and that makes it none */
#define RARE      0.1 /* records beside a group that have one of its values, at least */
#define PRESENT   0.5 /* share of the columns that equal records have values in, and more */

static const char what[] = "records that are equal";

/* A group of records: keys from `begin` on. */
typedef struct group {
    uint64_t begin;
    uint32_t count;
    double by_chance; /* how many of such records are expected */
} group;

typedef struct search {
    akin_dedupe_job *job;
    uint32_t *columns, column_count; /* that are compared, */
    uint32_t *attributes;            /* and an attribute of each */
    uint32_t most;                   /* records of a group that are kept */
    akin_u128 *keys;                 /* hash and row of each record, sorted */
    uint64_t *hashes;                /* of the values of a column, sorted */
    group *groups;
    uint64_t group_count, room;
    atomic_int is_unfit; /* a value is not UTF-8 */
} search;

/* ------------------------------------------------------------------------------------------------------------ texts */

static const char *text_of(const akin_column *column, uint32_t row, uint64_t *length)
{
    const uint64_t begin = column->offsets[row];
    const int is_there = !column->validity || column->validity[row / 8] >> row % 8 & 1;
    *length = is_there ? column->offsets[row + (uint64_t)1] - begin : 0;
    return *length > 0 ? column->bytes + begin : "";
}

static uint64_t hash_of(uint64_t seed, const char *text, uint64_t length)
{
    return XXH3_64bits_withSeed(text, length, seed);
}

static int are_equal(const search *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < s->column_count; i++) {
        const akin_column *column = &s->job->records.columns[0][s->columns[i]];
        uint64_t length, other;
        const char *text = text_of(column, a, &length), *with = text_of(column, b, &other);
        if (length != other || memcmp(text, with, length) != 0)
            return 0;
    }
    return 1;
}

/* Whether more than half of the columns have a value. */
static int is_telling(const search *s, uint32_t row)
{
    uint32_t present = 0;
    for (uint32_t i = 0; i < s->column_count; i++) {
        uint64_t length;
        text_of(&s->job->records.columns[0][s->columns[i]], row, &length);
        present += length > 0;
    }
    return akin_equals_are_telling(present, s->column_count);
}

/* ----------------------------------------------------------------------------------------------------------- search */

uint32_t akin_equals_attributes(const akin_dedupe_job *job, uint32_t *attributes)
{
    const akin_dedupe_options *o = &job->options;
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->attribute_count; i++) {
        const uint32_t column = o->attributes[i].column;
        uint32_t first = 0;
        while (o->attributes[first].column != column)
            first++;
        if (first < i || akin_columns_overlap(o, job->columns, column))
            continue;
        if (attributes)
            attributes[count] = i;
        count++;
    }
    return count;
}

int akin_equals_are_telling(uint32_t present, uint32_t columns)
{
    return present > PRESENT * columns;
}

uint32_t akin_equals_most(uint32_t columns)
{
    return columns < TELLING ? 1 : KEPT;
}

static akin_status list_columns(search *s, akin_error *error)
{
    const akin_dedupe_options *o = &s->job->options;
    s->attributes = akin_alloc(&s->job->account, o->attribute_count, sizeof *s->attributes);
    s->columns = akin_alloc(&s->job->account, o->attribute_count, sizeof *s->columns);
    if (!s->attributes || !s->columns)
        return akin_fail_memory(error, what);
    s->column_count = akin_equals_attributes(s->job, s->attributes);
    for (uint32_t i = 0; i < s->column_count; i++)
        s->columns[i] = o->attributes[s->attributes[i]].column;
    s->most = akin_equals_most(s->column_count);
    return AKIN_OK;
}

static akin_status check_column(void *argument, uint64_t task, uint32_t thread)
{
    search *s = argument;
    const akin_column *c = &s->job->records.columns[0][s->columns[task]];
    const uint64_t begin = c->offsets[0], length = c->offsets[s->job->records.count] - begin;
    (void)thread;
    if (length > 0 && !akin_utf8_is_valid(c->bytes + begin, length, s->job->scope->cpu))
        atomic_store_explicit(&s->is_unfit, 1, memory_order_relaxed);
    return AKIN_OK;
}

/* Whether all values are UTF-8. Others are refused where they are compared. */
static akin_status check_texts(search *s, int *are_texts, akin_error *error)
{
    const akin_status status = akin_parallel(s->job->scope, NULL, s->column_count, check_column, s);
    *are_texts = s->is_unfit == 0;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status hash_rows(void *argument, uint64_t task, uint32_t thread)
{
    const search *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, s->job->records.count);
    (void)thread;
    for (uint64_t row = task * TASK_ROWS; row < end; row++) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < s->column_count; i++) {
            uint64_t length;
            const char *text = text_of(&s->job->records.columns[0][s->columns[i]], (uint32_t)row, &length);
            hash = hash_of(hash, text, length);
        }
        s->keys[row] = (akin_u128)hash << 64 | row;
    }
    return AKIN_OK;
}

static akin_status sort_records(search *s, akin_error *error)
{
    akin_dedupe_job *j = s->job;
    s->keys = akin_alloc(&j->account, j->records.count, sizeof *s->keys);
    if (!s->keys)
        return akin_fail_memory(error, what);
    akin_status status = akin_parallel(j->scope, NULL, akin_ceil_div(j->records.count, TASK_ROWS), hash_rows, s);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u128(j->scope, &j->account, s->keys, j->records.count);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static uint32_t row_at(const search *s, uint64_t at)
{
    return (uint32_t)s->keys[at];
}

/* Lists runs of equal records that are longer than what is kept. Of two texts with one hash there is no group. */
static akin_status list_groups(search *s, akin_error *error)
{
    const uint64_t records = s->job->records.count;
    for (uint64_t begin = 0, end; begin < records; begin = end) {
        end = begin + 1;
        while (end < records && s->keys[end] >> 64 == s->keys[begin] >> 64)
            end++;
        if (end - begin <= s->most || !is_telling(s, row_at(s, begin)))
            continue;
        uint64_t equal = begin + 1;
        while (equal < end && are_equal(s, row_at(s, begin), row_at(s, equal)))
            equal++;
        if (equal < end)
            continue;
        group *larger = akin_enlarge(&s->job->account, s->groups, &s->room, s->group_count + 1, sizeof *s->groups);
        if (!larger)
            return akin_fail_memory(error, what);
        s->groups = larger;
        s->groups[s->group_count++] = (group){begin, (uint32_t)(end - begin), 0};
    }
    return AKIN_OK;
}

/* The records that have the value of a group in a column, whose hashes are sorted. */
static uint64_t count_hashed(const search *s, const akin_column *column, const group *g)
{
    uint64_t length;
    const char *text = text_of(column, row_at(s, g->begin), &length);
    const uint64_t hash = hash_of(0, text, length), records = s->job->records.count;
    const uint64_t end = hash == UINT64_MAX ? records : akin_lower_bound_u64(s->hashes, records, hash + 1);
    return end - akin_lower_bound_u64(s->hashes, records, hash);
}

/* Values of a column that are hashed. */
typedef struct hashing {
    const akin_column *column;
    uint64_t *hashes;
    uint32_t records;
} hashing;

static akin_status hash_values(void *argument, uint64_t task, uint32_t thread)
{
    const hashing *h = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, h->records);
    (void)thread;
    for (uint64_t row = task * TASK_ROWS; row < end; row++) {
        uint64_t length;
        const char *text = text_of(h->column, (uint32_t)row, &length);
        h->hashes[row] = hash_of(0, text, length);
    }
    return AKIN_OK;
}

/* Counts, for each group, the records that have its value in a column. */
static akin_status count_here(search *s, uint32_t at, uint32_t *counts, akin_error *error)
{
    akin_dedupe_job *j = s->job;
    const uint32_t records = j->records.count;
    const akin_column *column = &j->records.columns[0][s->columns[at]];
    if (!s->hashes && !(s->hashes = akin_alloc(&j->account, records, sizeof *s->hashes)))
        return akin_fail_memory(error, what);
    hashing h = {column, s->hashes, records};
    akin_status status = akin_parallel(j->scope, NULL, akin_ceil_div(records, TASK_ROWS), hash_values, &h);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u64(j->scope, &j->account, s->hashes, records);
    for (uint64_t g = 0; g < s->group_count && status == AKIN_OK; g++)
        counts[g] = (uint32_t)count_hashed(s, column, &s->groups[g]);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* The values of groups in a column. */
typedef struct group_texts {
    const search *search;
    const akin_column *column;
} group_texts;

static const char *text_of_group(const void *of, uint32_t i, uint64_t *length)
{
    const group_texts *t = of;
    return text_of(t->column, row_at(t->search, t->search->groups[i].begin), length);
}

/* The same for the records of the population. */
static akin_status count_whole(search *s, uint32_t at, uint32_t *counts, akin_error *error)
{
    akin_dedupe_job *j = s->job;
    const akin_population *population = j->options.population;
    const akin_corpus *values = population->values[s->attributes[at]];
    const group_texts texts = {s, &j->records.columns[0][s->columns[at]]};
    const akin_population_texts asked = {(uint32_t)s->group_count, text_of_group, &texts};
    return akin_population_find(j->scope, &j->account, values, &asked, population->rows[0] - values->documents, counts,
                                error);
}

/* How many records of each group chance explains, if columns are independent: by the records beside it. */
static akin_status explain_groups(search *s, akin_error *error)
{
    akin_dedupe_job *j = s->job;
    uint32_t rows[2], *counts = akin_alloc(&j->account, s->group_count, sizeof *counts);
    akin_status status = AKIN_OK;
    if (!counts)
        return akin_fail_memory(error, what);
    akin_population_rows(&j->options, &j->records, rows);
    for (uint64_t g = 0; g < s->group_count; g++)
        s->groups[g].by_chance = rows[0] - s->groups[g].count;
    for (uint32_t i = 0; i < s->column_count && status == AKIN_OK; i++) {
        status = j->options.population ? count_whole(s, i, counts, error) : count_here(s, i, counts, error);
        for (uint64_t g = 0; g < s->group_count && status == AKIN_OK; g++) {
            const double others = (double)counts[g] - s->groups[g].count;
            s->groups[g].by_chance *= (others > RARE ? others : RARE) / (rows[0] - s->groups[g].count + 1.0);
        }
    }
    akin_free(counts);
    return status;
}

static void drop_chance(search *s)
{
    uint64_t kept = 0;
    for (uint64_t g = 0; g < s->group_count; g++)
        if (s->groups[g].by_chance < BY_CHANCE * s->groups[g].count)
            s->groups[kept++] = s->groups[g];
    s->group_count = kept;
}

/* ------------------------------------------------------------------------------------------------------------- kept */

/* Makes the pairs of groups, and the rows of the records that are kept. */
static akin_status make_pairs(const search *s, akin_equals *out, akin_error *error)
{
    akin_dedupe_job *j = s->job;
    uint64_t count = 0;
    for (uint64_t g = 0; g < s->group_count; g++)
        count += s->groups[g].count - 1;
    for (uint64_t g = 0; g < s->group_count; g++)
        out->all += (uint64_t)s->groups[g].count * (s->groups[g].count - 1) / 2;
    uint64_t *keys = akin_alloc(&j->account, count, sizeof *keys);
    uint8_t *is_left_out = akin_alloc_zero(&j->account, j->records.count, 1);
    out->pairs = akin_alloc(&j->account, count, sizeof *out->pairs);
    out->rows = akin_alloc(&j->account, j->records.count, sizeof *out->rows);
    akin_status status = keys && is_left_out && out->pairs && out->rows ? AKIN_OK : akin_fail_memory(error, what);
    for (uint64_t g = 0, at = 0; g < s->group_count && status == AKIN_OK && keys && is_left_out; g++)
        for (uint32_t i = 1; i < s->groups[g].count; i++) {
            const uint32_t row = row_at(s, s->groups[g].begin + i);
            keys[at++] = (uint64_t)row_at(s, s->groups[g].begin) << 32 | row;
            is_left_out[row] = i >= s->most;
        }
    if (status == AKIN_OK && akin_sort_parallel_u64(j->scope, &j->account, keys, count) != AKIN_OK)
        status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    for (uint64_t i = 0; i < count && status == AKIN_OK && keys && out->pairs; i++)
        out->pairs[i] = (akin_pair){.left = (uint32_t)(keys[i] >> 32), .right = (uint32_t)keys[i]};
    for (uint32_t row = 0; row < j->records.count && status == AKIN_OK && is_left_out && out->rows; row++)
        if (!is_left_out[row])
            out->rows[out->kept++] = row;
    out->count = status == AKIN_OK ? count : 0;
    akin_free(keys);
    akin_free(is_left_out);
    return status;
}

/* Texts of a column that are copied. */
typedef struct copying {
    const akin_column *from;
    const akin_equals *equals;
    uint64_t *starts; /* of each task: the bytes before its texts */
    uint64_t *offsets;
    char *to;
} copying;

static akin_status measure_texts(void *argument, uint64_t task, uint32_t thread)
{
    const copying *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, c->equals->kept);
    uint64_t bytes = 0, length;
    (void)thread;
    for (uint64_t i = task * TASK_ROWS; i < end; i++) {
        text_of(c->from, c->equals->rows[i], &length);
        bytes += length;
    }
    c->starts[task + 1] = bytes;
    return AKIN_OK;
}

static akin_status copy_texts(void *argument, uint64_t task, uint32_t thread)
{
    const copying *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, c->equals->kept);
    uint64_t at = c->starts[task], length;
    (void)thread;
    for (uint64_t i = task * TASK_ROWS; i < end; i++) {
        const char *text = text_of(c->from, c->equals->rows[i], &length);
        if (length > 0)
            memcpy(c->to + at, text, length);
        at += length;
        c->offsets[i + 1] = at;
    }
    return AKIN_OK;
}

/* Copies the texts of a column that are kept; `starts` has room for all tasks. */
static akin_status copy_column(akin_dedupe_job *j, const akin_equals *e, uint32_t column, uint64_t *starts,
                               akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(e->kept, TASK_ROWS);
    copying c = {.from = &j->records.columns[0][column], .equals = e, .starts = starts};
    akin_bulk *bulks = &e->bulks[2 * (uint64_t)column];
    akin_status status = akin_parallel(j->scope, NULL, tasks, measure_texts, &c);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    starts[0] = 0;
    for (uint64_t t = 0; t < tasks; t++)
        starts[t + 1] += starts[t];
    for (int b = 0; b < 2; b++)
        bulks[b] = akin_bulk_of(j->scope, &j->account, akin_budget(j->scope, AKIN_BUDGET_FOLDED));
    status = akin_bulk_reserve(&bulks[0], (e->kept + (uint64_t)1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&bulks[1], starts[tasks], what, error);
    if (status != AKIN_OK)
        return status;
    e->columns[column].offsets = c.offsets = bulks[0].data;
    e->columns[column].bytes = c.to = bulks[1].data;
    c.offsets[0] = 0;
    status = akin_parallel(j->scope, NULL, tasks, copy_texts, &c);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_equals_copy(akin_dedupe_job *job, akin_equals *equals, akin_error *error)
{
    akin_dedupe_job *j = job;
    akin_equals *e = equals;
    const akin_dedupe_options *o = &j->options;
    static const uint64_t nothing[1] = {0};
    akin_status status = AKIN_OK;
    e->columns = akin_alloc(&j->account, j->columns, sizeof *e->columns);
    e->bulks = akin_alloc_zero(&j->account, 2 * (uint64_t)j->columns, sizeof *e->bulks);
    if (!e->columns || !e->bulks)
        return akin_fail_memory(error, what);
    e->bulk_count = 2 * (uint64_t)j->columns;
    uint64_t *starts = akin_alloc(&j->account, akin_ceil_div(e->kept, TASK_ROWS) + 1, sizeof *starts);
    if (!starts)
        return akin_fail_memory(error, what);
    for (uint32_t c = 0; c < j->columns; c++)
        e->columns[c] = (akin_column){.size = sizeof(akin_column), .offsets = nothing};
    for (uint32_t c = 0; c < j->columns && status == AKIN_OK; c++)
        if (akin_columns_is_named(o, c)) {
            e->columns[c].name = j->records.columns[0][c].name;
            status = copy_column(j, e, c, starts, error);
        }
    akin_free(starts);
    return status;
}

akin_status akin_equals_find(akin_dedupe_job *job, akin_equals *out, akin_error *error)
{
    search s = {.job = job};
    int are_texts = 0;
    *out = (akin_equals){0};
    akin_status status = list_columns(&s, error);
    if (status == AKIN_OK)
        status = check_texts(&s, &are_texts, error);
    if (status == AKIN_OK && s.column_count > 0 && are_texts) {
        status = sort_records(&s, error);
        if (status == AKIN_OK)
            status = list_groups(&s, error);
        if (status == AKIN_OK && s.group_count > 0)
            status = explain_groups(&s, error);
        drop_chance(&s);
        if (status == AKIN_OK && s.group_count > 0)
            status = make_pairs(&s, out, error);
        if (status == AKIN_OK && out->count > 0)
            status = akin_equals_copy(job, out, error);
    }
    akin_free(s.attributes);
    akin_free(s.columns);
    akin_free(s.keys);
    akin_free(s.hashes);
    akin_free(s.groups);
    return status;
}

uint32_t *akin_equals_places(const akin_equals *equals, akin_account *account, uint32_t rows)
{
    uint32_t *places = akin_alloc(account, rows, sizeof *places);
    for (uint32_t row = 0; places && row < rows; row++)
        places[row] = AKIN_NUMBER_NONE;
    for (uint32_t i = 0; places && i < equals->kept; i++)
        places[equals->rows[i]] = i;
    for (uint64_t i = 0; places && i < equals->count; i++)
        if (places[equals->pairs[i].right] == AKIN_NUMBER_NONE)
            places[equals->pairs[i].right] = places[equals->pairs[i].left];
    return places;
}

void akin_equals_clear(akin_equals *equals)
{
    for (uint64_t i = 0; equals->bulks && i < equals->bulk_count; i++)
        akin_bulk_clear(&equals->bulks[i]);
    akin_free(equals->bulks);
    akin_free(equals->columns);
    akin_free(equals->rows);
    akin_free(equals->pairs);
    *equals = (akin_equals){0};
}

int akin_equals_keeps(const akin_equals *equals, uint32_t row)
{
    const uint64_t at = akin_lower_bound_u32(equals->rows, equals->kept, row);
    return at < equals->kept && equals->rows[at] == row;
}

/* ---------------------------------------------------------------------------------------------------------- results */

void akin_equals_similarities(const akin_dedupe_options *options, const akin_column *columns, uint32_t row,
                              double *each)
{
    for (uint32_t i = 0; i < options->attribute_count; i++) {
        uint64_t length;
        text_of(&columns[options->attributes[i].column], row, &length);
        each[i] = length > 0 ? 1 : NAN;
    }
}

/* A pair of a group: similar in all values that are there. */
static int hand_over_equal(akin_equals_sink *s, akin_pair pair)
{
    const akin_scored_pair scored = {pair.left, pair.right, 1};
    s->found++;
    if (!s->sink)
        return 0;
    akin_equals_similarities(&s->job->options, s->columns, pair.left, s->each);
    return s->sink(s->user, &scored, s->each, 1);
}

static uint64_t key_of(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}

/* Hands over the pairs of groups that stand before a pair. Those that the job has found, too, are left to it. */
static int hand_over_before(akin_equals_sink *s, uint64_t key)
{
    const akin_equals *e = s->equals;
    for (; s->at < e->count && key_of(e->pairs[s->at].left, e->pairs[s->at].right) < key; s->at++)
        if (hand_over_equal(s, e->pairs[s->at]) != 0)
            return 1;
    s->at += s->at < e->count && key_of(e->pairs[s->at].left, e->pairs[s->at].right) == key;
    return 0;
}

int akin_equals_hand_over(void *sink, const akin_scored_pair *pairs, const double *each, size_t count)
{
    akin_equals_sink *s = sink;
    const uint64_t attributes = s->job->options.attribute_count;
    int stopped = 0;
    for (size_t i = 0; i < count && !stopped; i++) {
        const akin_scored_pair pair = {s->equals->rows[pairs[i].left], s->equals->rows[pairs[i].right],
                                       pairs[i].similarity};
        stopped = hand_over_before(s, key_of(pair.left, pair.right));
        s->found++;
        if (!stopped && s->sink)
            stopped = s->sink(s->user, &pair, each + i * attributes, 1);
    }
    return stopped;
}

int akin_equals_finish(akin_equals_sink *sink)
{
    return hand_over_before(sink, UINT64_MAX);
}

akin_status akin_equals_cluster(const akin_equals *equals, const akin_clusters *kept, akin_clusters *out,
                                akin_error *error)
{
    akin_status status = akin_clusters_unite(out, equals->pairs, equals->count, error);
    for (uint32_t i = 0; i < equals->kept && status == AKIN_OK; i++) {
        const uint32_t label = akin_clusters_row(kept, i);
        const akin_pair pair = {.left = equals->rows[label], .right = equals->rows[i]};
        if (label != i)
            status = akin_clusters_unite(out, &pair, 1, error);
    }
    return status;
}
