/* Clusters while memory runs out: every allocation fails once, alone and with all that follow. Leaks show under the
 * address sanitizer. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "akin_papers.h"
#include "base/context.h"

static akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CPU}};

static const akin_pair pairs[] = {{1, 2, 1}, {2, 49, 1}, {7, 7, 1}, {99, 0, 1}, {0, 48, 1}};

enum { PAIRS = sizeof pairs / sizeof *pairs };

static const double similarities[PAIRS] = {0.9, 0.8, 0.7, 0.6, 0.5};

static void expect(const akin_clusters *clusters)
{
    assert_int_equal(akin_clusters_count(clusters), 150 - PAIRS);
    assert_int_equal(akin_clusters_row(clusters, 149), 2);
    assert_int_equal(akin_clusters_row(clusters, 148), 0);
    assert_int_equal(akin_clusters_row(clusters, 102), 1);
    assert_int_equal(akin_clusters_row(clusters, 107), 7);
    assert_int_equal(akin_clusters_size(clusters, 1), 2);
}

static int are_apart; /* whether each row has a source of its own, which changes no clusters */

/* Makes clusters, adds the pairs in two ways, closes them. */
static akin_status cluster(uint32_t clustering, akin_clusters **out, akin_error *error)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    uint32_t sources[150];
    options.clustering = clustering;
    for (uint32_t row = 0; row < 150; row++)
        sources[row] = row;
    akin_status status = akin_clusters_create_by(&context, 100, 50, &options, out, error);
    if (status == AKIN_OK && are_apart)
        status = akin_clusters_separate(&context, *out, sources, error);
    if (status == AKIN_OK)
        status = akin_clusters_add(*out, pairs, similarities, 2, error);
    if (status == AKIN_OK)
        status = akin_clusters_connect(&context, *out, pairs + 2, similarities + 2, PAIRS - 2, error);
    return status == AKIN_OK ? akin_clusters_close(&context, *out, error) : status;
}

static void fail_each(uint32_t clustering, int alone, unsigned least)
{
    akin_clusters *clusters;
    akin_error error;
    unsigned n = 0;
    do {
        clusters = NULL;
        begin_failing(n++, alone);
        akin_status status = cluster(clustering, &clusters, &error);
        armed = 0;
        assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
        assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "not enough memory for ")));
        if (failed && clusters) { /* what was added is there, and the rest may be added again */
            assert_int_equal(akin_clusters_add(clusters, pairs, similarities, PAIRS, &error), AKIN_OK);
            assert_int_equal(akin_clusters_close(&context, clusters, &error), AKIN_OK);
        }
        if (clusters)
            expect(clusters);
        akin_clusters_free(clusters);
    } while (failed);
    assert_true(n > least);
}

/* A forest of integers or of texts, most of whose beginnings are equal. */
static akin_status grow_forest(int is_text, akin_frame **out, akin_error *error)
{
    enum { COUNT = 300 };
    static uint64_t numbers[2][COUNT], offsets[2][COUNT + 1];
    static char bytes[2][COUNT * 32];
    akin_column text[2];
    akin_pair_ids ids[2] = {AKIN_PAIR_IDS_INIT, AKIN_PAIR_IDS_INIT};
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            numbers[side][i] = (i + side * 3) * UINT64_C(0x9e3779b97f4a7c15);
            const int length = snprintf(bytes[side] + offsets[side][i], 32, i % 9 ? "equal beginnings %u" : "%u",
                                        (unsigned)(i + side * 3));
            offsets[side][i + 1] = offsets[side][i] + (uint64_t)length;
        }
        text[side] = (akin_column){.size = sizeof text[side], .offsets = offsets[side], .bytes = bytes[side]};
        ids[side].type = is_text ? AKIN_TYPE_TEXT : AKIN_TYPE_U64;
        ids[side].numbers = numbers[side];
        ids[side].text = &text[side];
    }
    return akin_forest(&context, &ids[0], &ids[1], COUNT, out, error);
}

static void test_forest(void **state)
{
    (void)state;
    for (int is_text = 0; is_text < 2; is_text++)
        for (int alone = 0; alone < 2; alone++) {
            unsigned n = 0;
            do {
                akin_frame *frame = NULL;
                akin_error error;
                begin_failing(n++, alone);
                const akin_status status = grow_forest(is_text, &frame, &error);
                armed = 0;
                assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && failed > 0 && !frame));
                assert_true(failed > 0 || akin_frame_rows(frame) > 250);
                akin_frame_free(frame);
            } while (failed);
            assert_true(n > 8);
        }
}

static void test_components(void **state)
{
    (void)state;
    fail_each(AKIN_CLUSTERING_COMPONENTS, 0, 3);
    fail_each(AKIN_CLUSTERING_COMPONENTS, 1, 3);
}

static void test_warshall(void **state)
{
    (void)state;
    context.annex = akin_papers();
    fail_each(AKIN_CLUSTERING_WARSHALL, 0, 7);
    fail_each(AKIN_CLUSTERING_WARSHALL, 1, 7);
}

/* The components of the pairs have two rows each, so splitting leaves them as they are. */
static void test_splits(void **state)
{
    (void)state;
    static const uint32_t splits[] = {AKIN_CLUSTERING_AVERAGE, AKIN_CLUSTERING_CENTER, AKIN_CLUSTERING_MERGE_CENTER,
                                      AKIN_CLUSTERING_CORRELATION};
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        fail_each(splits[i], 0, 10);
        fail_each(splits[i], 1, 10);
    }
}

static void test_sources(void **state)
{
    are_apart = 1;
    fail_each(AKIN_CLUSTERING_COMPONENTS, 0, 12);
    fail_each(AKIN_CLUSTERING_COMPONENTS, 1, 12);
    test_splits(state);
    are_apart = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_components), cmocka_unit_test(test_forest),
                                       cmocka_unit_test(test_warshall), cmocka_unit_test(test_splits),
                                       cmocka_unit_test(test_sources)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
