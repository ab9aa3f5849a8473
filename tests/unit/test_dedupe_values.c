/* Numbers and ranks of values, and windows over them, against a table that is looked through and qsort, with several
 * threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "akin.h"
#include "base/context.h"
#include "base/cpu.h"
#include "base/random.h"
#include "dedupe/keys.h"
#include "dedupe/select_window.h"
#include "dedupe/values.h"
#include "test_sanitizers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 150000 /* more than a task of each kind has */
#define LENGTH  40     /* bytes of a value, at most */

static const uint32_t threads[] = {3, 1, 2, 8};
#define THREADS (UNDER_TSAN ? 1 : UNDER_ASAN ? 2 : sizeof threads / sizeof *threads)

/* The records of two tables, or of one. */
typedef struct records {
    char *bytes;
    uint64_t *offsets;
    uint8_t *validity;
    uint32_t *codes; /* of all rows */
    akin_column columns[2];
    akin_records all;
} records;

/* How values are made. */
typedef struct kind {
    const char *beginning;  /* of all values */
    uint32_t middles, ends; /* of how many each value has one */
    uint32_t missing;       /* one of so many records has none; 0: all have one */
    uint32_t left;          /* records of the left table; RECORDS: there is no other */
} kind;

static uint64_t write_value(const kind *k, akin_random *random, char *to)
{
    static const char *const odd[] = {"", "\0", "\0\0", "a", "\xc3\xa9", "\xc3\xa9z"};
    const uint64_t middle = akin_random_below(random, k->middles), end = akin_random_below(random, k->ends);
    char *at = to + strlen(k->beginning);
    memcpy(to, k->beginning, strlen(k->beginning));
    if (k->middles > 1)
        at += snprintf(at, 16, "%06llu", (unsigned long long)middle);
    if (end < sizeof odd / sizeof *odd) {
        const size_t length = end == 1 || end == 2 ? end : strlen(odd[end]);
        memcpy(at, odd[end], length);
        at += length;
    } else {
        at += snprintf(at, 12, "%llu", (unsigned long long)end);
    }
    return (uint64_t)(at - to);
}

static records make_records(const kind *k)
{
    records r = {.all = {.tables = 1}};
    r.bytes = malloc((size_t)RECORDS * LENGTH);
    r.offsets = malloc((RECORDS + 1) * sizeof *r.offsets);
    r.validity = calloc(RECORDS / 8 + 2, 1);
    akin_random random;
    akin_random_seed(&random, 3);
    uint64_t at = 0;
    for (uint32_t row = 0; row < RECORDS; row++) {
        r.offsets[row] = at;
        if (k->missing && akin_random_below(&random, k->missing) == 0)
            continue;
        r.validity[row / 8] |= (uint8_t)(1 << row % 8);
        at += write_value(k, &random, r.bytes + at);
    }
    r.offsets[RECORDS] = at;
    r.columns[0] = (akin_column){.bytes = r.bytes, .offsets = r.offsets, .validity = r.validity, .nulls = 1};
    r.all = (akin_records){.tables = k->left < RECORDS ? 2 : 1, .rows = {k->left, RECORDS - k->left}, .count = RECORDS};
    return r;
}

/* The right table has the rows from `left` on; their bits must begin a byte. */
static void set_columns(records *r)
{
    const uint32_t left = r->all.rows[0];
    assert_int_equal(left % 8, 0);
    r->columns[1] =
        (akin_column){.bytes = r->bytes, .offsets = r->offsets + left, .validity = r->validity + left / 8, .nulls = 1};
    r->all.columns[0] = &r->columns[0];
    r->all.columns[1] = &r->columns[1];
}

static void free_records(records *r)
{
    free(r->bytes);
    free(r->offsets);
    free(r->validity);
    free(r->codes);
}

/* ---------------------------------------------------------------------------------------------------------- oracle */

typedef struct text {
    const char *bytes;
    uint64_t length;
    uint32_t of; /* which record, or value */
} text;

static int compare_texts(const void *a, const void *b)
{
    const text *x = a, *y = b;
    const int order = memcmp(x->bytes, y->bytes, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static int compare_places(const void *a, const void *b)
{
    const int order = compare_texts(a, b);
    return order ? order
                 : (((const text *)a)->of > ((const text *)b)->of) - (((const text *)a)->of < ((const text *)b)->of);
}

/* The first record with the value of each that has one, which is not empty. */
static uint32_t *expect_firsts(const records *r)
{
    uint32_t *firsts = malloc(RECORDS * sizeof *firsts), count = 0;
    text *texts = malloc(RECORDS * sizeof *texts);
    for (uint32_t row = 0; row < RECORDS; row++) {
        firsts[row] = AKIN_VALUE_NONE;
        if ((r->validity[row / 8] >> row % 8 & 1) && r->offsets[row + 1] > r->offsets[row])
            texts[count++] = (text){r->bytes + r->offsets[row], r->offsets[row + 1] - r->offsets[row], row};
    }
    qsort(texts, count, sizeof *texts, compare_places);
    for (uint32_t i = 0; i < count; i++)
        firsts[texts[i].of] =
            i > 0 && compare_texts(&texts[i - 1], &texts[i]) == 0 ? firsts[texts[i - 1].of] : texts[i].of;
    free(texts);
    return firsts;
}

static void check_numbers(const akin_values *values, const uint32_t *firsts)
{
    uint32_t next = 0;
    for (uint32_t row = 0; row < RECORDS; row++) {
        if (firsts[row] == AKIN_VALUE_NONE) {
            assert_true(values->of[row] == AKIN_VALUE_NONE);
            continue;
        }
        if (firsts[row] == row) {
            assert_true(values->of[row] == next && values->first[next] == row);
            next++;
        }
        assert_true(values->of[row] == values->of[firsts[row]]);
    }
    assert_int_equal(values->count, next);
}

/* The first bytes, or what there is. */
static uint64_t cut_bytes(const char *bytes, uint64_t length, uint32_t argument)
{
    (void)bytes;
    return length < argument ? length : argument;
}

static void check_ranks(const akin_values *values, const uint32_t *ranks, uint32_t cut)
{
    text *texts = malloc((values->count + (size_t)1) * sizeof *texts);
    for (uint32_t v = 0; v < values->count; v++) {
        texts[v].bytes = akin_values_text(values, v, &texts[v].length);
        texts[v].length = cut && cut < texts[v].length ? cut : texts[v].length;
        texts[v].of = v;
    }
    qsort(texts, values->count, sizeof *texts, compare_texts);
    for (uint32_t i = 0, rank = 0; i < values->count; i++) {
        rank += i > 0 && compare_texts(&texts[i - 1], &texts[i]) != 0;
        assert_int_equal(ranks[texts[i].of], rank);
    }
    free(texts);
}

/* A record with its key. */
typedef struct keyed {
    uint64_t key;
    uint32_t record;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->record > y->record) - (x->record < y->record);
}

/* Counts the pairs of equal keys, record by record: those before it that it meets, and those in its window. */
static akin_selected count_pairs(const akin_records *records, const keyed *sorted, uint32_t window)
{
    akin_selected known = {0};
    uint64_t before[2] = {0, 0};
    for (uint32_t i = 0; i < records->count; i++) {
        const int side = sorted[i].record >= records->rows[0];
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            before[0] = before[1] = 0;
        if (sorted[i].key == 0)
            continue;
        known.key_pairs += records->tables == 1 ? before[0] + before[1] : before[!side];
        before[side]++;
        for (uint32_t j = i; j > 0 && i - (j - 1) < window && sorted[j - 1].key == sorted[i].key; j--)
            known.key_pairs_selected += (uint64_t)akin_records_meet(records, sorted[j - 1].record, sorted[i].record);
    }
    return known;
}

static void check_window(const akin_scope *scope, akin_account *account, const akin_values *values,
                         const akin_key_part *part)
{
    const akin_records *records = values->records;
    const akin_selection selection = {.window = 10, .parts = part, .part_count = 1};
    const akin_selecting selecting = {.scope = scope, .account = account, .selection = &selection, .values = &values};
    akin_selector s = {.records = records, .window = 10, .count = records->count};
    keyed *sorted = malloc((records->count + (size_t)1) * sizeof *sorted);
    uint64_t *keys = NULL;
    akin_error error;
    assert_int_equal(akin_keys_of_values(scope, values, part, 1, account, &keys, &error), AKIN_OK);
    for (uint32_t record = 0; record < records->count; record++)
        sorted[record] = (keyed){akin_key_of_record(values, keys, record), record};
    qsort(sorted, records->count, sizeof *sorted, compare_keyed);
    assert_int_equal(akin_select_window(&selecting, &s, &error), AKIN_OK);
    for (uint32_t i = 0; i < records->count; i++)
        assert_true(s.order[i] == sorted[i].record && s.places[sorted[i].record] == i);
    const akin_selected expected = count_pairs(records, sorted, 10);
    assert_int_equal(s.known.key_pairs, expected.key_pairs);
    assert_int_equal(s.known.key_pairs_selected, expected.key_pairs_selected);
    akin_selector_clear(&s);
    akin_free(keys);
    free(sorted);
}

/* Gives the columns of some tables codes: one or two for each text, in any order, and some that no row has. */
static void set_codes(records *r, const uint32_t *firsts, const int with[2])
{
    akin_random random;
    akin_random_seed(&random, 5);
    r->codes = r->codes ? r->codes : malloc(RECORDS * sizeof *r->codes);
    const uint32_t left = r->all.rows[0];
    for (uint32_t row = 0; row < RECORDS; row++) {
        const int has_row = r->validity[row / 8] >> row % 8 & 1;
        const uint32_t text = firsts[row] == AKIN_VALUE_NONE ? RECORDS : firsts[row]; /* empty */
        r->codes[row] = has_row ? 2 * (RECORDS - text) + (uint32_t)akin_random_below(&random, 2) : AKIN_CODE_NONE;
    }
    for (int side = 0; side < 2; side++) {
        r->columns[side].codes = with[side] ? r->codes + (side ? left : 0) : NULL;
        r->columns[side].code_count = with[side] ? 2 * RECORDS + 2 : 0;
    }
}

/* The values are the same by codes and by text. */
static void check_codes(const akin_scope *scope, records *r, const uint32_t *firsts, const akin_values *expected)
{
    for (int tables = 1; tables < 4; tables++) {
        akin_account account = {0};
        akin_values values;
        akin_error error;
        set_codes(r, firsts, (const int[]){tables & 1, tables & 2});
        assert_int_equal(akin_values_make(scope, &account, &r->all, 0, &values, &error), AKIN_OK);
        assert_int_equal(values.count, expected->count);
        assert_memory_equal(values.of, expected->of, RECORDS * sizeof *values.of);
        assert_memory_equal(values.first, expected->first, values.count * sizeof *values.first);
        for (uint32_t v = 0; v < values.count; v++) {
            const akin_shape *a = &values.shapes[v], *b = &expected->shapes[v];
            assert_true(a->length == b->length && a->head == b->head);
            assert_memory_equal(&a->bag, &b->bag, sizeof a->bag);
        }
        akin_values_clear(&values);
        assert_int_equal(account.held, 0);
    }
    set_codes(r, firsts, (const int[]){0, 0});
}

/* ----------------------------------------------------------------------------------------------------------- tests */

static void check_kind(const kind *k)
{
    records r = make_records(k);
    set_columns(&r);
    uint32_t *firsts = expect_firsts(&r);
    for (size_t t = 0; t < THREADS; t++) {
        akin_context context = {.scope = {.context = &context, .threads = threads[t], .cpu = akin_cpu_detect()}};
        akin_account account = {0};
        akin_values values;
        akin_error error;
        assert_int_equal(akin_values_make(&context.scope, &account, &r.all, 0, &values, &error), AKIN_OK);
        check_numbers(&values, firsts);
        uint32_t *ranks = malloc((values.count + (size_t)1) * sizeof *ranks);
        for (uint32_t cut = 0; cut < 3; cut++) {
            const akin_values_cut by = cut ? cut_bytes : NULL;
            assert_int_equal(akin_values_rank(&context.scope, &values, &account, by, cut, ranks, &error), AKIN_OK);
            check_ranks(&values, ranks, cut);
        }
        free(ranks);
        check_codes(&context.scope, &r, firsts, &values);
        check_window(&context.scope, &account, &values, &(akin_key_part){.key = AKIN_KEY_VALUE});
        check_window(&context.scope, &account, &values, &(akin_key_part){.key = AKIN_KEY_PREFIX, .argument = 1});
        akin_values_clear(&values);
        assert_int_equal(account.held, 0);
    }
    free(firsts);
    free_records(&r);
}

static void values_of_all_kinds(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {"", 1, 200000, 7, RECORDS},          /* most are distinct, and some are prefixes of others */
        {"", 50000, 9, 0, 80000},             /* two tables; runs of a few that are equal in eight bytes */
        {"https://", 3, 100000, 50, RECORDS}, /* all begin alike, and long runs are equal in the next eight */
        {"", 1, 2, 2, RECORDS},               /* two values, one empty */
        {"the same value", 1, 1, 0, 64},      /* one value */
        {"", 1, 1, 1, RECORDS},               /* none */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += UNDER_TSAN ? 3 : 1)
        check_kind(&kinds[i]);
}

/* The key of a very long value does not fit 32 bits. */
static void long_keys_are_sorted(void **state)
{
    (void)state;
    const uint64_t length = 5000000;
    char *bytes = malloc(length + 4);
    memset(bytes, 'a', length);
    memcpy(bytes + length, "bcac", 4);
    const uint64_t offsets[] = {0, length, length + 1, length + 2, length + 3, length + 4};
    const akin_column column = {.bytes = bytes, .offsets = offsets};
    const akin_records records = {.columns = {&column}, .tables = 1, .rows = {5}, .count = 5};
    akin_context context = {.scope = {.context = &context, .threads = 2, .cpu = akin_cpu_detect()}};
    akin_account account = {0};
    akin_values values;
    akin_error error;
    assert_int_equal(akin_values_make(&context.scope, &account, &records, 0, &values, &error), AKIN_OK);
    check_window(&context.scope, &account, &values, &(akin_key_part){.key = AKIN_KEY_SIMPLE});
    akin_values_clear(&values);
    assert_int_equal(account.held, 0);
    free(bytes);
}

/* A code that the column does not have is refused. */
static void codes_are_checked(void **state)
{
    (void)state;
    const uint64_t offsets[] = {0, 1, 2, 2};
    const uint32_t codes[] = {1, 2, AKIN_CODE_NONE};
    const akin_column column = {.name = "city", .bytes = "ab", .offsets = offsets, .codes = codes, .code_count = 2};
    const akin_records records = {.columns = {&column}, .tables = 1, .rows = {3}, .count = 3};
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()}};
    akin_account account = {0};
    akin_values values;
    akin_error error;
    assert_int_equal(akin_values_make(&context.scope, &account, &records, 0, &values, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "row 1, column 'city': its code is 2, expected less than 2");
    akin_values_clear(&values);
    assert_int_equal(account.held, 0);
}

/* Whatever allocation is refused, nothing is held in the end. */
static void memory_is_short(void **state)
{
    (void)state;
    const kind some = {"", 50000, 9, 11, 80000};
    records r = make_records(&some);
    set_columns(&r);
    akin_context context = {.scope = {.context = &context, .threads = 2, .cpu = akin_cpu_detect()}};
    uint32_t *ranks = malloc(RECORDS * sizeof *ranks);
    int done = 0, refused = 0;
    uint32_t *firsts = expect_firsts(&r);
    for (uint64_t limit = 1000, round = 0; !done; limit += limit / 8, round++) {
        akin_account account = {.limit = limit};
        set_codes(&r, firsts, (const int[]){1, round % 2});
        akin_values values;
        akin_error error;
        akin_status status = akin_values_make(&context.scope, &account, &r.all, 0, &values, &error);
        if (status == AKIN_OK)
            status = akin_values_rank(&context.scope, &values, &account, NULL, 0, ranks, &error);
        assert_true(status == AKIN_OK || status == AKIN_E_NOMEM);
        done = status == AKIN_OK;
        refused += !done;
        if (done)
            check_ranks(&values, ranks, 0);
        akin_values_clear(&values);
        assert_int_equal(account.held, 0);
    }
    assert_true(refused > 10);
    free(firsts);
    free(ranks);
    free_records(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds),
        cmocka_unit_test(long_keys_are_sorted),
        cmocka_unit_test(codes_are_checked),
        cmocka_unit_test(memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
