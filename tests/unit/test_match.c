/* Joins of strings: when a GPU is opened for the pieces of a join, and how often a search for the best partners is
 * tried where memory is short. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "base/context.h"
#include "base/random.h"
#include "device/devices.h"
#include "match/best.h"
#include "match/options.h"
#include "match/ranges.h"
#include "property/host_device.h"
#include "unit/test_lines.h"
#include "unit/test_sanitizers.h"

#include <string.h>
#include <sys/mman.h>

#define MIB ((uint64_t)1 << 20)

static void draw_strings(lines *l, uint32_t rows, uint32_t length, const char *const *symbols, uint32_t kinds)
{
    akin_random random;
    akin_random_seed(&random, 4);
    lines_begin(l, rows);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < length; i++)
            fputs(symbols[akin_random_below(&random, kinds)], l->out);
        lines_end_row(l);
    }
}

/* ------------------------------------------------------------------------------------------------------------ a GPU */

#define ROWS 3200

static int stop_when_opened(void *user)
{
    (void)user;
    return host_device.opened > 0;
}

/* Whether a join in pieces of that many rows opens a GPU, if that takes as long as some pieces. */
static int opens_gpu(lines *strings, uint64_t rows_a_piece, double scale)
{
    const akin_wishes wishes = {.part_tokens = rows_a_piece, .gpu_opens = 2};
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .cpu = AKIN_CPU_SCALAR,
                                      .memory = 64 * MIB,
                                      .reporter = {.cancel = stop_when_opened}},
                            .backend = &host_backend,
                            .wishes = &wishes};
    const akin_column column = lines_column(strings);
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_match_report report = {.size = sizeof report};
    akin_error error;
    options.technique = AKIN_MATCH_BAGS;
    options.cutoff = (akin_ratio){8, 10};
    context.scale[AKIN_CALIBRATED_SCREENED] = scale;
    host_device_set(.opened = 0);
    const akin_status status =
        akin_match(&context, &column, ROWS, NULL, 0, &options, NULL, NULL, NULL, &report, &error);
    assert_int_equal(status, host_device.opened ? AKIN_E_CANCELLED : AKIN_OK);
    akin_devices_close(&context);
    return host_device.opened > 0;
}

/* Opening pays if it pays for all pieces together. */
static void a_gpu_serves_all_pieces(void **state)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    lines strings;
    (void)state;
    draw_strings(&strings, ROWS, 20, letters, 8);
    assert_true(opens_gpu(&strings, ROWS / 4, 50));
    assert_false(opens_gpu(&strings, ROWS / 4, 1));
    lines_clear(&strings);
}

/* -------------------------------------------------------------------------------------------------------- a bound */

/* Few rows are not cut. If there is no room for them, the search for their best partners ends with the first
 * attempt. */
static void few_rows_are_tried_once(void **state)
{
    enum { FEW = 1000, LENGTH = 12000 };
    static const char *const letters[] = {"a", "b", "c"};
    static uint32_t lengths[FEW];
    uint32_t rows = FEW, *of = lengths;
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .cpu = akin_cpu_detect(),
                                      .device_choice = AKIN_DEVICE_CPU,
                                      .memory = 16 * MIB}};
    const akin_scope *scope = akin_scope_of(&context);
    akin_account account = {.limit = akin_budget_job(scope)};
    lines strings;
    akin_error error;
    (void)state;
    draw_strings(&strings, FEW, LENGTH, letters, 3);
    const akin_column column = lines_column(&strings);
    akin_match_job job = {.scope = scope, .account = &account, .self = 1, .threads = 1, .top = 3};
    assert_int_equal(akin_alphabet_make(scope, &account, &column, &rows, &of, 1, &job.alphabet, &error), AKIN_OK);
    job.sides[0] = (akin_match_side){&column, FEW, lengths, FEW, 1};
    job.best = (akin_match_top){.scope = scope, .account = &account, .cutoff = &job.cutoff, .self = 1, .threads = 1};
    akin_match_set_room(&job);
    assert_int_equal(akin_match_best(&job, &error), AKIN_E_NOMEM);
    assert_int_equal(account.refused, 1);
    akin_match_leave_ranges(&job);
    akin_alphabet_clear(&job.alphabet);
    assert_int_equal(account.held, 0);
    lines_clear(&strings);
}

/* What a search for the best partners delivers. The account has another limit from the first delivery on. */
typedef struct delivered {
    akin_account *account;
    uint64_t limit; /* 0: it stays */
    uint64_t sum, count;
} delivered;

static int take_delivered(void *user, const akin_pair *pairs, size_t count)
{
    delivered *d = user;
    for (size_t i = 0; i < count; i++)
        d->sum = d->sum * 31 + pairs[i].left * UINT64_C(1000003) + pairs[i].right;
    d->count += count;
    if (d->limit)
        d->account->limit = d->limit;
    return 0;
}

static akin_status search_under(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                akin_account *account, delivered *out)
{
    akin_error error;
    uint32_t *lengths = akin_alloc(NULL, rows, sizeof *lengths), first = rows;
    akin_match_job job = {.scope = scope,
                          .account = account,
                          .self = 1,
                          .threads = 1,
                          .top = 1,
                          .cutoff = {.most = 1},
                          .sink = take_delivered,
                          .sink_user = out};
    assert_int_equal(akin_alphabet_make(scope, account, column, &first, &lengths, 1, &job.alphabet, &error), AKIN_OK);
    job.sides[0] = (akin_match_side){column, rows, lengths, rows, 1};
    job.best = (akin_match_top){.scope = scope, .account = account, .cutoff = &job.cutoff, .self = 1, .threads = 1};
    akin_match_set_room(&job);
    const akin_status status = akin_match_best(&job, &error);
    akin_match_leave_ranges(&job);
    akin_alphabet_clear(&job.alphabet);
    akin_free(lengths);
    assert_int_equal(account->held, 0);
    return status;
}

/* A range of left rows that finds too little memory is cut again, although ranges before it have delivered. */
static void later_ranges_are_cut_again(void **state)
{
    enum { MANY = 12000, LENGTH = 13 };
    static const char *const letters[] = {"a", "b"};
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .cpu = akin_cpu_detect(),
                                      .device_choice = AKIN_DEVICE_CPU,
                                      .memory = 16 * MIB}};
    lines strings;
    uint32_t cut = 0;
    (void)state;
    draw_strings(&strings, MANY, LENGTH, letters, 2);
    const akin_column column = lines_column(&strings);
    akin_account free = {.limit = 0};
    delivered expected = {.account = &free};
    assert_int_equal(search_under(akin_scope_of(&context), &column, MANY, &free, &expected), AKIN_OK);
    assert_true(expected.count > MANY / 2);
    for (uint64_t limit = 2 * MIB; limit >= MIB / 2; limit -= MIB / (UNDER_ASAN ? 2 : 4)) {
        akin_account account = {.limit = 5 * MIB / 2};
        delivered got = {.account = &account, .limit = limit};
        if (search_under(akin_scope_of(&context), &column, MANY, &account, &got) != AKIN_OK)
            continue;
        assert_int_equal(got.count, expected.count);
        assert_int_equal(got.sum, expected.sum);
        cut += account.refused > 0;
    }
    assert_true(cut > 0);
    lines_clear(&strings);
}

/* Refused: what is asked, with a part of the message. */
static void options_that_make_no_sense(void **state)
{
    (void)state;
    akin_compare_options jaro = AKIN_COMPARE_OPTIONS_INIT, numbers = AKIN_COMPARE_OPTIONS_INIT;
    akin_compare_options later = AKIN_COMPARE_OPTIONS_INIT;
    later.reserved = 1;
    jaro.comparator = AKIN_JARO;
    numbers.comparator = AKIN_NUMBER;
    const akin_match_options usual = AKIN_MATCH_OPTIONS_INIT;
    akin_match_options asked[11];
    const char *said[] = {"no other comparator",
                          "a cutoff of 0",
                          "any_order is 2",
                          "connecting is 2",
                          "connecting is 1",
                          "unknown technique 99",
                          "use the technique auto",
                          "levenshtein",
                          "both a cutoff and a largest distance",
                          "1 at most",
                          "reserved is not 0"};
    for (size_t i = 0; i < 11; i++) {
        asked[i] = usual;
        asked[i].cutoff = (akin_ratio){4, 5};
    }
    asked[0].compare = &numbers;
    asked[1].compare = &jaro;
    asked[1].cutoff = (akin_ratio){0, 1};
    asked[2].any_order = 2;
    asked[3].connecting = 2;
    asked[4].connecting = asked[4].top = 1;
    asked[5].technique = (akin_match_technique)99;
    asked[6].top = 1;
    asked[6].technique = AKIN_MATCH_BAGS;
    asked[7].technique = AKIN_MATCH_SEGMENTS;
    asked[7].compare = &jaro;
    asked[8].most = 1;
    asked[9].cutoff = (akin_ratio){5, 4};
    asked[10].compare = &later;
    for (size_t i = 0; i < 11; i++) {
        akin_cutoff cutoff;
        akin_error error = {0};
        uint32_t folds;
        assert_int_equal(akin_match_options_read(&asked[i], NULL, &cutoff, &folds, &error), AKIN_E_OPTION);
        if (!strstr(error.message, said[i]))
            fail_msg("%zu: %s", i, error.message);
    }
    akin_match_technique technique;
    assert_int_equal(akin_match_technique_parse("bags", &technique, NULL), AKIN_OK);
    assert_int_equal(technique, AKIN_MATCH_BAGS);
    assert_int_equal(akin_match_technique_parse("sacks", &technique, NULL), AKIN_E_OPTION);
    assert_int_equal(technique, AKIN_MATCH_BAGS);
}

#define NAMES 60
#define WAYS  9 /* to ask for them */

/* One search of a batch, by what is asked: rows and similarities of the hits. */
static uint64_t search_names(akin_context *context, akin_batch *batch, akin_comparator comparator,
                             const akin_match_options *asked, akin_compare_options compare, akin_hit hits[NAMES])
{
    akin_match_options options = *asked;
    uint64_t count = 0;
    compare.comparator = comparator;
    options.compare = &compare;
    memset(hits, 0, NAMES * sizeof *hits);
    assert_int_equal(akin_batch_search(context, batch, &options, "marthab", 7, hits, NAMES, &count, NULL), AKIN_OK);
    assert_true(count <= NAMES);
    return count;
}

/* A batch keeps what it computed for the options of the last search. Others that differ in one of them alone find what
 * a batch finds that has not searched before. */
static void a_batch_serves_one_query_after_the_other(void **state)
{
    (void)state;
    akin_context *context = NULL;
    akin_random random;
    lines names;
    akin_match_options edits = AKIN_MATCH_OPTIONS_INIT, asked[WAYS];
    akin_compare_options winkler = AKIN_COMPARE_OPTIONS_INIT, compare[WAYS];
    akin_comparator by[WAYS];
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    akin_random_seed(&random, 5);
    lines_begin(&names, NAMES);
    for (uint32_t row = 0; row < NAMES; row++) {
        char name[] = "marthab";
        for (uint32_t k = row % 5; k > 0; k--)
            name[akin_random_below(&random, 7)] = "abhmrt"[akin_random_below(&random, 6)];
        fputs(name, names.out);
        lines_end_row(&names);
    }
    edits.cutoff = (akin_ratio){7, 10};
    winkler.prefix_scale = (akin_ratio){1, 10};
    winkler.boost_threshold = (akin_ratio){7, 10};
    for (int i = 0; i < WAYS; i++) {
        asked[i] = edits;
        compare[i] = winkler;
        by[i] = i < 4 ? AKIN_LEVENSHTEIN : AKIN_JARO_WINKLER;
    }
    asked[1].cutoff = (akin_ratio){3, 7}; /* the first one is 7/10 by Levenshtein */
    asked[2].cutoff = (akin_ratio){0, 1};
    asked[2].most = 4;
    by[3] = AKIN_OSA;
    asked[5].cutoff = (akin_ratio){9, 10}; /* 4: 7/10 by Jaro-Winkler */
    compare[6].prefix_scale = (akin_ratio){1, 4};
    compare[7].boost_threshold = (akin_ratio){9, 10};
    compare[8].boost_threshold = (akin_ratio){7, 8};
    const akin_column column = lines_column(&names);
    akin_batch *kept = NULL;
    assert_int_equal(akin_batch_create(context, &column, NAMES, 0, &kept, NULL), AKIN_OK);
    for (int i = 0; i < WAYS * WAYS; i++)
        for (int second = 0; second < 2; second++) {
            const int at = second ? i % WAYS : i / WAYS;
            akin_hit found[NAMES], expected[NAMES];
            akin_batch *fresh = NULL;
            assert_int_equal(akin_batch_create(context, &column, NAMES, 0, &fresh, NULL), AKIN_OK);
            const uint64_t count = search_names(context, fresh, by[at], &asked[at], compare[at], expected);
            assert_true(count > 0);
            assert_int_equal(search_names(context, kept, by[at], &asked[at], compare[at], found), count);
            assert_memory_equal(found, expected, sizeof found);
            akin_batch_free(fresh);
        }
    akin_batch_free(kept);
    akin_context_free(context);
    lines_clear(&names);
}

/* Lengths of strings have 32 bits. */
static void a_string_of_4_gib_is_refused(void **state)
{
    akin_context *context = NULL;
    akin_batch *batch = NULL;
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_error error = {0};
    akin_hit hit;
    uint64_t count = 7;
    lines names;
    (void)state;
    const size_t length = UINT32_MAX;
    char *text = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (text == MAP_FAILED)
        skip();
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    lines_begin(&names, 1);
    fputs("name", names.out);
    lines_end_row(&names);
    const akin_column column = lines_column(&names);
    assert_int_equal(akin_batch_create(context, &column, 1, 0, &batch, NULL), AKIN_OK);
    assert_int_equal(akin_batch_search(context, batch, &options, text, length, &hit, 1, &count, &error), AKIN_E_LIMIT);
    assert_non_null(strstr(error.message, "a string of 4294967295 bytes is too long"));
    assert_int_equal(munmap(text, length), 0);
    akin_batch_free(batch);
    akin_context_free(context);
    lines_clear(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_make_no_sense), cmocka_unit_test(a_batch_serves_one_query_after_the_other),
        cmocka_unit_test(a_gpu_serves_all_pieces),    cmocka_unit_test(few_rows_are_tried_once),
        cmocka_unit_test(later_ranges_are_cut_again), cmocka_unit_test(a_string_of_4_gib_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
