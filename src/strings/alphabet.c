/* Counts the symbols of columns, in two passes: the first finds lengths and the highest code point, the second
 * counts. */
#include "strings/alphabet.h"

#include "base/bits.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "text/utf8.h"

#define ROW_WEIGHT 8    /* of a row, beside its bytes */
#define SEEN       1024 /* code points that a task counts on its own at a time */

typedef struct survey {
    const akin_column *column;
    const akin_listed_rows *listed; /* NULL: all rows */
    uint32_t *lengths;
    uint32_t rows;            /* or how many are listed */
    uint64_t mean;            /* weight of a listed row, about */
    _Atomic uint32_t points;  /* the highest one + 1 */
    _Atomic uint64_t fault;   /* the first row that is refused, or UINT64_MAX */
    _Atomic uint64_t *counts; /* of each code point, in the second pass */
} survey;

static inline uint32_t row_at(const survey *s, uint32_t i)
{
    return s->listed ? s->listed->rows[i] - s->listed->base : i;
}

/* What the rows before the one at `i` weigh. */
static uint64_t weight_before(const void *of, uint32_t i)
{
    const survey *s = of;
    return s->listed ? s->mean * i : s->column->offsets[i] - s->column->offsets[0] + (uint64_t)ROW_WEIGHT * i;
}

static uint64_t count_tasks(const survey *s)
{
    return akin_weighed_tasks(weight_before, s, s->rows);
}

static uint32_t task_begins(const survey *s, uint64_t task)
{
    return akin_weighed_begin(weight_before, s, s->rows, task);
}

/* Turns to the rows of a column. */
static void survey_column(survey *s, const akin_column *column, const akin_listed_rows *listed, uint32_t rows)
{
    s->column = column;
    s->listed = listed;
    s->rows = rows;
    if (listed && rows > 0) {
        const uint64_t last = row_at(s, rows - 1);
        s->mean = (column->offsets[last + 1] - column->offsets[0]) / (last + 1) + ROW_WEIGHT;
    }
}

static void raise(_Atomic uint32_t *most, uint32_t value)
{
    uint32_t seen = atomic_load_explicit(most, memory_order_relaxed);
    while (value > seen &&
           !atomic_compare_exchange_weak_explicit(most, &seen, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void lower(_Atomic uint64_t *least, uint64_t value)
{
    uint64_t seen = atomic_load_explicit(least, memory_order_relaxed);
    while (value < seen &&
           !atomic_compare_exchange_weak_explicit(least, &seen, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* The symbols of a row, and *points raised above the highest; UINT32_MAX: it is not UTF-8, or too long. */
static uint32_t measure_row(const char *text, uint64_t length, uint32_t *points)
{
    uint32_t count = 0;
    if (length >= UINT32_MAX)
        return UINT32_MAX;
    for (size_t at = 0, size; at < length; at += size, count++) {
        uint32_t point = akin_utf8_decode(text + at, length - at, &size);
        if (point == AKIN_NO_POINT)
            return UINT32_MAX;
        *points = akin_max_u32(*points, point + 1);
    }
    return count;
}

/* The same of a row of a column. */
static uint32_t measure_row_of(const akin_column *column, uint64_t row, uint32_t *points)
{
    const uint64_t length = column->offsets[row + 1] - column->offsets[row];
    return akin_column_has_text(column, row) ? measure_row(column->bytes + column->offsets[row], length, points) : 0;
}

int akin_strings_is_bad(const akin_column *column, uint64_t row)
{
    uint32_t points = 0;
    return measure_row_of(column, row, &points) == UINT32_MAX;
}

static akin_status measure_rows(void *argument, uint64_t task, uint32_t thread)
{
    survey *s = argument;
    const akin_column *column = s->column;
    uint32_t end = task_begins(s, task + 1), points = 0;
    (void)thread;
    for (uint32_t i = task_begins(s, task); i < end; i++) {
        const uint64_t row = row_at(s, i);
        s->lengths[i] = measure_row_of(column, row, &points);
        if (s->lengths[i] == UINT32_MAX)
            lower(&s->fault, row);
    }
    raise(&s->points, points);
    return AKIN_OK;
}

/* Counts code points in a table of the task's own, from which one goes to that of all when another needs its place. */
static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    survey *s = argument;
    const akin_column *column = s->column;
    uint32_t end = task_begins(s, task + 1), seen[SEEN];
    uint64_t counts[SEEN] = {0};
    (void)thread;
    for (uint32_t i = task_begins(s, task); i < end; i++) {
        const uint64_t row = row_at(s, i);
        const uint32_t times = s->listed ? s->listed->times[i] : 1;
        const char *text = column->bytes + column->offsets[row];
        size_t length = akin_column_has_text(column, row) ? column->offsets[row + 1] - column->offsets[row] : 0;
        for (size_t at = 0, size; at < length; at += size) {
            uint32_t point = akin_utf8_decode(text + at, length - at, &size);
            uint64_t *count = &counts[point % SEEN];
            uint32_t *of = &seen[point % SEEN];
            if (*count && *of != point) {
                atomic_fetch_add_explicit(&s->counts[*of], *count, memory_order_relaxed);
                *count = 0;
            }
            *of = point;
            *count += times;
        }
    }
    for (uint32_t i = 0; i < SEEN; i++)
        if (counts[i])
            atomic_fetch_add_explicit(&s->counts[seen[i]], counts[i], memory_order_relaxed);
    return AKIN_OK;
}

akin_status akin_column_check(const akin_column *column, const char *which, akin_error *error)
{
    if (!column)
        return akin_fail(error, AKIN_E_OPTION, "the column '%s' is NULL", which);
    akin_status status = akin_options_check(column, sizeof *column, "akin_column", error);
    if (status == AKIN_OK && column->size < sizeof *column)
        return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NONE, which,
                                "the size of column '%s' is %zu, expected %zu", which, column->size, sizeof *column);
    return status;
}

akin_status akin_strings_refuse(const akin_column *column, uint64_t row, akin_error *error)
{
    const char *name = column->name ? column->name : "";
    uint64_t length = column->offsets[row + 1] - column->offsets[row];
    if (length >= UINT32_MAX)
        akin_fail(error, AKIN_E_LIMIT, "%s%srow %llu has %llu bytes: strings of 4 GiB are too long", name,
                  *name ? ": " : "", (unsigned long long)row, (unsigned long long)length);
    else
        akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NOT_UTF8, "%s%srow %llu is not UTF-8", name, *name ? ": " : "",
                       (unsigned long long)row);
    return akin_note_place(length >= UINT32_MAX ? AKIN_E_LIMIT : AKIN_E_INPUT, row, name, error);
}

#define FEW                                                                                                            \
    0.95 /* of the symbols of a text, from which on the most frequent kinds are better counted further than others */

/* Whether the counts of AKIN_BAG_DEEP symbols are most of all; keys are counts' complements above code points. */
static uint32_t choose_kinds(const uint64_t *keys, uint32_t count)
{
    double all = 0, frequent = 0;
    for (uint32_t i = 0; i < count; i++) {
        double n = (double)((UINT64_MAX >> 24) - (keys[i] >> 21));
        all += n;
        frequent += i < AKIN_BAG_DEEP ? n : 0;
    }
    return frequent >= FEW * all ? AKIN_BAG_DEEP : AKIN_BAG_BROAD;
}

/* Numbers the code points that occur by falling counts: sorted as keys, in the order of rising complements. */
static akin_status number_points(akin_account *account, akin_alphabet *alphabet, const _Atomic uint64_t *counts,
                                 akin_error *error)
{
    uint64_t *keys = akin_alloc(account, 2 * (uint64_t)alphabet->points, sizeof *keys);
    if (!keys)
        return akin_fail_memory(error, "the alphabet");
    for (uint32_t point = 0; point < alphabet->points; point++) {
        uint64_t count = akin_min_u64(counts[point], UINT64_MAX >> 24);
        alphabet->number[point] = UINT32_MAX;
        if (count)
            keys[alphabet->count++] = ((UINT64_MAX >> 24) - count) << 21 | point;
    }
    akin_radix_sort_u64(keys, keys + alphabet->points, alphabet->count);
    for (uint32_t i = 0; i < alphabet->count; i++)
        alphabet->number[keys[i] & 0x1fffff] = i;
    alphabet->kinds = choose_kinds(keys, alphabet->count);
    akin_free(keys);
    return AKIN_OK;
}

/* `listed` or `rows` is NULL. */
static akin_status make_alphabet(const akin_scope *scope, akin_account *account, const akin_column *columns,
                                 const akin_listed_rows *listed, const uint32_t *rows, uint32_t *const *lengths,
                                 uint32_t count, akin_alphabet *out, akin_error *error)
{
    survey s = {.fault = UINT64_MAX};
    akin_status status = AKIN_OK;
    *out = (akin_alphabet){.points = 0};
    for (uint32_t c = 0; c < count && status == AKIN_OK; c++) {
        survey_column(&s, &columns[c], listed ? &listed[c] : NULL, listed ? listed[c].count : rows ? rows[c] : 0);
        s.lengths = lengths[c];
        status = akin_parallel(scope, "reading strings", count_tasks(&s), measure_rows, &s);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "reading strings");
        if (s.fault != UINT64_MAX)
            return akin_strings_refuse(&columns[c], s.fault, error);
    }
    out->points = s.points;
    s.counts = akin_alloc_zero(account, s.points, sizeof *s.counts);
    out->number = akin_alloc(account, s.points, sizeof *out->number);
    if (!s.counts || !out->number) {
        status = akin_fail_memory(error, "the alphabet");
        goto done;
    }
    for (uint32_t c = 0; c < count && status == AKIN_OK; c++) {
        survey_column(&s, &columns[c], listed ? &listed[c] : NULL, listed ? listed[c].count : rows ? rows[c] : 0);
        status = akin_parallel(scope, "counting symbols", count_tasks(&s), count_rows, &s);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "counting symbols");
    }
    if (status == AKIN_OK)
        status = number_points(account, out, s.counts, error);
done:
    akin_free(s.counts);
    if (status != AKIN_OK)
        akin_alphabet_clear(out);
    return status;
}

akin_status akin_alphabet_make(const akin_scope *scope, akin_account *account, const akin_column *columns,
                               const uint32_t *rows, uint32_t *const *lengths, uint32_t count, akin_alphabet *out,
                               akin_error *error)
{
    return make_alphabet(scope, account, columns, NULL, rows, lengths, count, out, error);
}

akin_status akin_alphabet_make_listed(const akin_scope *scope, akin_account *account, const akin_column *columns,
                                      const akin_listed_rows *listed, uint32_t *const *lengths, uint32_t count,
                                      akin_alphabet *out, akin_error *error)
{
    return make_alphabet(scope, account, columns, listed, NULL, lengths, count, out, error);
}

void akin_alphabet_clear(akin_alphabet *alphabet)
{
    akin_free(alphabet->number);
    *alphabet = (akin_alphabet){.points = 0};
}
