/* Finds the distinct values of a column, and makes for each the data of the screen. */
#include "dedupe/values.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "dedupe/leaders.h"
#include "strings/alphabet.h"
#include "strings/batch.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TASK_VALUES  4096
#define TASK_RECORDS 65536
#define SEEN         1024 /* values whose counts a task keeps */

static const char what[] = "the values";

/* --------------------------------------------------------------------------------------------------------- numbers */

/* The bytes of a record's value; NULL: it is missing. */
static inline const char *text_of_record(const akin_values *values, uint32_t record, uint64_t *length)
{
    const akin_records *records = values->records;
    uint32_t right = record >= records->rows[0];
    const akin_column *column = &records->columns[right][values->column];
    uint32_t row = right ? record - records->rows[0] : record;
    *length = column->offsets[row + (uint64_t)1] - column->offsets[row];
    return akin_column_has_text(column, row) ? column->bytes + column->offsets[row] : NULL;
}

/* What is numbered: records that lead others, or all. */
typedef struct numbered_records {
    const akin_values *values;
    const uint32_t *leaders; /* NULL: all */
} numbered_records;

static inline uint32_t record_of(const numbered_records *l, uint32_t item)
{
    return l->leaders ? l->leaders[item] : item;
}

static void hash_items(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes, uint32_t *of)
{
    const numbered_records *l = items;
    for (uint32_t item = first; item < end; item++) {
        uint64_t length;
        const char *text = text_of_record(l->values, record_of(l, item), &length);
        of[item] = text ? 0 : AKIN_VALUE_NONE;
        if (text && length <= AKIN_HASH_EXACT_MOST)
            hashes[item] = akin_hash_exact(text, length, seed);
        else if (text)
            hashes[item] = XXH3_64bits_withSeed(text, length, seed) & ~AKIN_HASH_EXACT;
    }
}

static int is_same(const void *items, uint32_t a, uint32_t b)
{
    const numbered_records *l = items;
    uint64_t lengths[2];
    const char *x = text_of_record(l->values, record_of(l, a), &lengths[0]);
    const char *y = text_of_record(l->values, record_of(l, b), &lengths[1]);
    return lengths[0] == lengths[1] && memcmp(x, y, lengths[0]) == 0;
}

static void fetch_item(const void *items, uint32_t item, int is_near)
{
    const numbered_records *l = items;
    const akin_records *records = l->values->records;
    const uint32_t record = record_of(l, item), right = record >= records->rows[0];
    const akin_column *column = &records->columns[right][l->values->column];
    const uint64_t *offset = &column->offsets[right ? record - records->rows[0] : record];
    __builtin_prefetch(is_near ? (const void *)(column->bytes + *offset) : offset);
}

static akin_status number_records(const akin_scope *scope, akin_account *account, akin_values *values,
                                  akin_error *error)
{
    const numbered_records l = {values, NULL};
    const akin_numbered records = {&l, values->records->count, hash_items, is_same, fetch_item};
    akin_numbers numbers = {.of = values->of};
    akin_status status = akin_number_items(scope, account, &records, what, &numbers, error);
    values->first = numbers.first;
    values->count = numbers.count;
    return status;
}

typedef struct following {
    akin_values *values;
    const uint32_t *numbers; /* of leaders */
} following;

/* Gives records the numbers of their leaders. */
static akin_status follow(void *argument, uint64_t task, uint32_t thread)
{
    const following *f = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_RECORDS, f->values->records->count);
    (void)thread;
    for (uint64_t record = task * TASK_RECORDS; record < end; record++) {
        uint32_t *of = &f->values->of[record];
        *of = *of == AKIN_VALUE_NONE ? AKIN_VALUE_NONE : f->numbers[*of];
    }
    return AKIN_OK;
}

static akin_status number_leaders(const akin_scope *scope, akin_account *account, akin_values *values,
                                  const akin_leaders *leaders, akin_error *error)
{
    const numbered_records l = {values, leaders->records};
    const akin_numbered records = {&l, leaders->count, hash_items, is_same, fetch_item};
    akin_numbers numbers = {.of = akin_alloc(account, leaders->count, sizeof *numbers.of)};
    akin_status status =
        numbers.of ? akin_number_items(scope, account, &records, what, &numbers, error) : akin_fail_memory(error, what);
    values->first = numbers.first;
    values->count = numbers.count;
    if (status == AKIN_OK) {
        following f = {values, numbers.of};
        status = akin_parallel(scope, NULL, akin_ceil_div(values->records->count, TASK_RECORDS), follow, &f);
        for (uint32_t v = 0; v < values->count; v++)
            values->first[v] = leaders->records[values->first[v]];
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_free(numbers.of);
    return status;
}

/* The same numbers with codes and without them. */
static akin_status number_values(const akin_scope *scope, akin_account *account, akin_values *values, akin_error *error)
{
    akin_leaders leaders = {.count = 0};
    if (!akin_records_have_codes(values->records, values->column))
        return number_records(scope, account, values, error);
    akin_status status =
        akin_leaders_find(scope, account, values->records, values->column, values->of, &leaders, error);
    if (status == AKIN_OK)
        status = number_leaders(scope, account, values, &leaders, error);
    akin_free(leaders.records);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- shapes */

typedef struct shaping {
    akin_values *values;
    const akin_alphabet *alphabet;
    const uint32_t *lengths; /* in symbols */
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
        uint32_t length = s->lengths[v];
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

/* Counts the symbols of each value once for each record that has it. The values of the right table's own records follow
 * those of the left one. */
static akin_status make_alphabet(const akin_scope *scope, akin_account *account, const akin_values *values,
                                 const uint32_t *times, uint32_t *lengths, akin_alphabet *out, akin_error *error)
{
    const akin_records *records = values->records;
    const uint32_t left = (uint32_t)akin_lower_bound_u32(values->first, values->count, records->rows[0]);
    uint32_t *of_side[2] = {lengths, lengths + left};
    const akin_listed_rows listed[2] = {{values->first, left, 0, times},
                                        {values->first + left, values->count - left, records->rows[0], times + left}};
    akin_column columns[2];
    for (uint32_t side = 0; side < records->tables; side++)
        columns[side] = records->columns[side][values->column];
    return akin_alphabet_make_listed(scope, account, columns, listed, of_side, records->tables, out, error);
}

typedef struct counting {
    const akin_values *values;
    _Atomic uint32_t *times; /* how many records have each value */
} counting;

/* Counts values in a table of the task's own. A count goes to that of all tasks when another value needs its place, so
 * that threads do not wait for the counts of frequent values. */
static akin_status count_records(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_RECORDS, c->values->records->count);
    uint32_t seen[SEEN], counts[SEEN] = {0};
    (void)thread;
    for (uint64_t record = task * TASK_RECORDS; record < end; record++) {
        const uint32_t value = c->values->of[record];
        uint32_t *count = &counts[value % SEEN], *own = &seen[value % SEEN];
        if (value == AKIN_VALUE_NONE)
            continue;
        if (*count > 0 && *own != value) {
            atomic_fetch_add_explicit(&c->times[*own], *count, memory_order_relaxed);
            *count = 0;
        }
        *own = value;
        ++*count;
    }
    for (uint32_t i = 0; i < SEEN; i++)
        if (counts[i] > 0)
            atomic_fetch_add_explicit(&c->times[seen[i]], counts[i], memory_order_relaxed);
    return AKIN_OK;
}

static akin_status shape(const akin_scope *scope, akin_account *account, akin_values *values, akin_error *error)
{
    akin_alphabet alphabet = {0};
    counting c = {values, akin_alloc_zero(account, values->count, sizeof *c.times)};
    uint32_t *lengths = akin_alloc(account, values->count, sizeof *lengths);
    values->shapes = akin_alloc(account, values->count, sizeof *values->shapes);
    akin_status status = AKIN_E_NOMEM;
    if (c.times && lengths && values->shapes)
        status = akin_parallel(scope, NULL, akin_ceil_div(values->records->count, TASK_RECORDS), count_records, &c);
    if (status == AKIN_OK)
        status = make_alphabet(scope, account, values, (const uint32_t *)(const void *)c.times, lengths, &alphabet,
                               error); /* nobody counts any more */
    else
        akin_fail_stopped(error, status, what);
    if (status == AKIN_OK) {
        shaping s = {values, &alphabet, lengths, account};
        status = akin_parallel(scope, NULL, akin_ceil_div(values->count, TASK_VALUES), shape_values, &s);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_alphabet_clear(&alphabet);
    akin_free(lengths);
    akin_free(c.times);
    return status;
}

akin_status akin_values_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                             uint32_t column, akin_values *out, akin_error *error)
{
    akin_values *values = out;
    *values = (akin_values){.records = records, .column = column};
    values->of = akin_alloc(account, records->count, sizeof *values->of);
    if (!values->of)
        return akin_fail_memory(error, what);
    akin_status status = number_values(scope, account, values, error);
    return status == AKIN_OK ? shape(scope, account, values, error) : status;
}

void akin_values_clear(akin_values *values)
{
    akin_free(values->of);
    akin_free(values->first);
    akin_free(values->shapes);
    *values = (akin_values){0};
}
