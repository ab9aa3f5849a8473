/* Match counts by a scan of columns: the tests of a query, the portable scan, and the choice of one. */
#include "search/scan.h"

#include <string.h>

#define SOME 64 /* objects at a time */

/* ------------------------------------------------------------------------------------------------ the portable scan */

static void count_some_codes(const akin_scan_job *job, uint32_t first, uint32_t count, uint8_t counts[SOME])
{
    memset(counts, 0, SOME);
    for (uint32_t t = 0; t < job->narrow; t++) {
        const akin_scan_test *test = &job->tests[t];
        const uint8_t *codes = test->codes + first, low = (uint8_t)test->low, span = (uint8_t)test->span;
        for (uint32_t j = 0; j < count; j++)
            counts[j] = (uint8_t)(counts[j] + ((uint8_t)(codes[j] - low) <= span ? test->weight : 0));
    }
    for (uint32_t t = job->narrow; t < job->count; t++) {
        const akin_scan_test *test = &job->tests[t];
        for (uint32_t j = 0; j < count; j++) {
            uint16_t code;
            memcpy(&code, test->codes + 2 * ((uint64_t)first + j), sizeof code);
            counts[j] = (uint8_t)(counts[j] + ((uint16_t)(code - test->low) <= test->span ? test->weight : 0));
        }
    }
}

static void scan_objects(const akin_scan_job *job)
{
    akin_top *top = job->top;
    uint8_t own[SOME] = {0};
    for (uint32_t i = job->first; i < job->end && (!top || top->least <= UINT8_MAX); i += SOME) {
        const uint32_t here = (uint32_t)akin_min_u64(SOME, job->end - i);
        uint8_t *counts = top ? own : job->counts + (i - job->first);
        count_some_codes(job, i, here, counts);
        for (uint32_t j = 0; j < here && top; j++)
            if (counts[j] >= top->least)
                akin_top_add(top, counts[j], i + j);
    }
}

akin_scan akin_scan_choose(akin_cpu cpu)
{
    static const akin_scan by_level[] = AKIN_CPU_ROW(scan_objects, akin_scan_neon, akin_scan_avx2, akin_scan_avx512);
    return by_level[cpu];
}

/* ---------------------------------------------------------------------------------------------- counts beyond bytes */

/* The end of the longest group of tests from `begin` on that counts to 255; `begin` if the first one alone counts
 * more. */
static uint32_t end_of_group(const akin_scan_test *tests, uint32_t begin, uint32_t count)
{
    uint64_t most = 0;
    while (begin < count && most + tests[begin].weight <= UINT8_MAX)
        most += tests[begin++].weight;
    return begin;
}

int akin_scan_is_wide(const akin_scan_test *tests, uint32_t count)
{
    return end_of_group(tests, 0, count) < count;
}

/* Adds those whose sums are still enough. */
static void add_best(akin_top *top, const uint32_t *sums, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += SOME) {
        const uint32_t end = (uint32_t)akin_min_u64(i + SOME, count);
        uint32_t most = 0;
        for (uint32_t j = i; j < end; j++)
            most = sums[j] > most ? sums[j] : most;
        for (uint32_t j = i; j < end && most >= top->least; j++)
            if (sums[j] >= top->least)
                akin_top_add(top, sums[j], first + j);
    }
}

void akin_scan_wide(akin_scan scan_bytes, const akin_scan_job *job, akin_scan_sums *sums)
{
    const uint32_t size = job->end - job->first;
    memset(sums->all, 0, size * sizeof *sums->all);
    for (uint32_t begin = 0, end; begin < job->count; begin = end) {
        akin_scan_test own = job->tests[begin];
        akin_scan_job group = {
            .tests = job->tests + begin, .first = job->first, .end = job->end, .counts = sums->counts};
        uint32_t scale = 1;
        end = end_of_group(job->tests, begin, job->count);
        if (end == begin) { /* whether it counts is a byte */
            scale = own.weight;
            own.weight = 1;
            group.tests = &own;
            end++;
        }
        group.count = end - begin;
        group.narrow = job->narrow > begin ? (uint32_t)akin_min_u64(job->narrow - begin, group.count) : 0;
        scan_bytes(&group);
        for (uint32_t i = 0; i < size; i++)
            sums->all[i] += sums->counts[i] * scale;
    }
    add_best(job->top, sums->all, job->first, size);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

uint64_t akin_scan_most(const akin_objects *objects, const akin_query_item *items, uint64_t count)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < count; i++)
        most += akin_query_dimensions(objects, &items[i]);
    return most;
}

akin_scan_widths akin_scan_count(const akin_objects *objects, const akin_query_item *items, uint64_t count)
{
    akin_scan_widths widths = {0, 0};
    for (uint64_t i = 0; i < count && objects->head.dimensions > 0; i++) {
        const uint32_t last = akin_objects_dimension(objects, items[i].last);
        for (uint32_t d = akin_objects_dimension(objects, items[i].first); d <= last; d++) {
            widths.narrow += objects->codes[d].width == 1 && objects->codes[d].count > 0;
            widths.wide += objects->codes[d].width == 2;
        }
    }
    return widths;
}

uint32_t akin_scan_tests(const akin_objects *objects, const akin_query_item *items, uint64_t count,
                         akin_scan_test *tests, uint32_t *narrow)
{
    uint32_t made = 0;
    for (uint32_t width = 1; width <= 2; width++) {
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t last = akin_objects_dimension(objects, items[i].last);
            for (uint32_t d = akin_objects_dimension(objects, items[i].first); d <= last; d++) {
                const akin_codes *codes = &objects->codes[d];
                if (codes->width != width || codes->count == 0)
                    continue;
                const uint32_t low = akin_max_u32(items[i].first, codes->first) - codes->first;
                const uint32_t high = (uint32_t)akin_min_u64(items[i].last - codes->first, codes->count - 1);
                tests[made++] = (akin_scan_test){objects->bytes + codes->begin, (uint16_t)low, (uint16_t)(high - low),
                                                 items[i].weight};
            }
        }
        *narrow = width == 1 ? made : *narrow;
    }
    return made;
}
