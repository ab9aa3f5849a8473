/* Near-duplicates and contamination while memory runs out: every allocation fails once, alone and with all that follow.
 * A call ends with a message, or as ever. And the caller stops them. Leaks show under the address sanitizer. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "corpus/near_duplicates.h"
#include "corpus/overlap.h"

#ifdef TEST_HOST_GPU
#include "device/devices.h"
#include "property/host_device.h"
#define ROWS 150
#else
#define ROWS 60
#endif
#define ROOM 30000

static akin_context context;

/* A column of texts. */
typedef struct texts {
    char bytes[ROOM];
    uint64_t offsets[ROWS + 1];
    akin_column column;
} texts;

static texts documents, ids, scores;

#ifdef TEST_HOST_GPU
/* GPUs that the host plays, one or two, which get documents bit by bit. */
static void begin_context(uint32_t threads)
{
    static const akin_wishes small = {.document_bytes = 4000};
    static uint32_t turn;
    akin_devices_close(&context);
    context = (akin_context){
        .scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect(), .device_choice = AKIN_DEVICE_CUDA},
        .backend = &host_backend,
        .wishes = &small,
        .wish = {.choice = AKIN_DEVICE_CUDA, .count = 1 + turn++ % 2, .numbers = {0, 1}}};
    host_device_set(.limit = turn % 3 ? 0 : 50000);
}
#else
static void begin_context(uint32_t threads)
{
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()}};
}
#endif

static void end_text(texts *t, uint32_t row, int length)
{
    t->offsets[row + 1] = t->offsets[row] + (uint64_t)length;
}

/* Row 3 * i has a template with a word of its own, and the two behind it have it with few words changed. */
static void make_texts(void)
{
    texts *const all[] = {&documents, &ids, &scores};
    for (uint32_t row = 0; row < ROWS; row++) {
        char *at = documents.bytes + documents.offsets[row];
        int length = 0;
        for (uint32_t word = 0; word < 20; word++) {
            const int differs = row % 3 && word == row % 3 * 9;
            length += snprintf(at + length, 16, "%c%u ", differs ? 'x' : 'w', word < 3 ? word : row / 3 * 31 + word);
        }
        end_text(&documents, row, length);
        end_text(&ids, row, snprintf(ids.bytes + ids.offsets[row], 16, "id-of-%u", 997 * row % 61));
        end_text(&scores, row, snprintf(scores.bytes + scores.offsets[row], 16, row % 2 ? "%u" : "score %u", row % 7));
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->column = (akin_column){.size = sizeof(akin_column), .offsets = all[i]->offsets, .bytes = all[i]->bytes};
}

/* A job, and what it found: a number that other results than the right one do not have. */
typedef akin_status (*job)(const void *options, uint64_t *found, akin_error *error);

/* Fails each allocation of a job. Returns how many were failed. */
static unsigned fail_each(job run, const void *options, int alone)
{
    uint64_t right = 0, found;
    unsigned n = 0;
    akin_error error;
    if (run(options, &right, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    do {
        found = 0;
        begin_failing(n++, alone);
        const akin_status status = run(options, &found, &error);
        armed = 0;
        assert_true(status == AKIN_OK || (failed && status == AKIN_E_NOMEM));
        if (status == AKIN_OK)
            assert_int_equal(found, right);
        else if (!strstr(error.message, "memory"))
            fail_msg("%s", error.message);
    } while (failed);
    return n;
}

/* -------------------------------------------------------------------------------------------------- near-duplicates */

static akin_status find_duplicates(const void *options, uint64_t *found, akin_error *error)
{
    akin_duplicates *duplicates = NULL;
    const akin_status status =
        akin_duplicates_find_within(&context.scope, &documents.column, ROWS, options, UINT64_MAX, &duplicates, error);
    for (uint32_t row = 0; row < ROWS && status == AKIN_OK; row++) {
        akin_duplicate d;
        akin_duplicates_row(duplicates, row, &d);
        *found = *found * 31 + d.survivor % 61 + d.common;
    }
    assert_true(status == AKIN_OK || !duplicates);
    akin_duplicates_free(duplicates);
#ifdef TEST_HOST_GPU
    assert_int_equal(host_device_holds(), 0);
#endif
    return status;
}

static void near_duplicates(void **state)
{
    (void)state;
    make_texts();
    for (uint32_t way = 0; way < 6; way++) {
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        options.threshold = (akin_ratio){1, 2};
        options.keep = way % 3 == 0 ? AKIN_KEEP_FIRST : way % 3 == 1 ? AKIN_KEEP_GREATEST : AKIN_KEEP_LONGEST;
        options.preference = options.keep == AKIN_KEEP_GREATEST ? &scores.column : NULL;
        options.ids = options.keep == AKIN_KEEP_FIRST ? NULL : &ids.column;
#ifndef TEST_HOST_GPU /* a GPU does the one not at all, and the other as a join */
        options.ignore_frequent = way == 1 || way == 3 ? 5 : 0;
        options.components = way == 2;
#endif
        if (way == 4) {
            options.sources = &scores.column;
            options.comparing = AKIN_COMPARE_ACROSS;
        }
        for (int alone = 0; alone < 2; alone++) {
            begin_context(1);
            context.scope.memory = way == 3 ? UINT64_C(1) << 20 : 0;
            assert_true(fail_each(find_duplicates, &options, alone) > 15);
        }
    }
}

/* The caller stops the job at each of its questions. */
static void cancelled(void **state)
{
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    uint64_t found = 0;
    akin_error error;
    (void)state;
    make_texts();
    options.threshold = (akin_ratio){1, 2};
    for (uint32_t threads = 1; threads < 4; threads++) {
        begin_context(threads);
        CANCEL_EACH(&context, error, find_duplicates(&options, &found, &error));
    }
}

#ifndef TEST_HOST_GPU
/* ---------------------------------------------------------------------------------------------------- contamination */

static akin_status find_items(const void *options, uint64_t *found, akin_error *error)
{
    akin_overlap *overlap = NULL;
    const akin_column columns[] = {documents.column, scores.column};
    const uint32_t count = *(const uint32_t *)options;
    akin_overlap_options how = AKIN_OVERLAP_OPTIONS_INIT;
    uint8_t hit[ROWS / 8 + 1];
    how.words = 5;
    akin_status status =
        akin_overlap_create_within(&context.scope, columns, count, ROWS, &how, UINT64_MAX, &overlap, error);
    assert_true(status == AKIN_OK || !overlap);
    for (uint32_t row = 0; row < ROWS && status == AKIN_OK; row += 20) { /* in three calls */
        akin_column part = documents.column;
        part.offsets += row;
        status = akin_overlap_add_within(&context.scope, overlap, &part, 20, hit, error);
    }
    for (uint32_t item = 0; status == AKIN_OK && item < akin_overlap_items(overlap); item++) {
        akin_overlap_found f = {.size = sizeof f};
        assert_int_equal(akin_overlap_item(overlap, item, &f, error), AKIN_OK);
        *found = *found * 31 + f.run_row % 61 + f.covered + f.document_end + f.item_begin;
    }
    akin_overlap_free(overlap);
    return status;
}

static void overlap(void **state)
{
    (void)state;
    make_texts();
    for (uint32_t count = 1; count <= 2; count++)
        for (int alone = 0; alone < 2; alone++) {
            begin_context(1);
            assert_true(fail_each(find_items, &count, alone) > 15);
        }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_duplicates),
        cmocka_unit_test(cancelled),
#ifndef TEST_HOST_GPU
        cmocka_unit_test(overlap),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
