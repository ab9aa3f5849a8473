/* Match counts by a scan of columns: the tests of a query, the portable scan, and the choice of one. */
#include "search/scan.h"

#include <string.h>

static void scan(const akin_scan_job *job)
{
    uint8_t counts[64];
    for (uint32_t i = job->first; i < job->end && job->top->least <= UINT8_MAX; i += 64) {
        const uint32_t here = (uint32_t)akin_min_u64(64, job->end - i);
        memset(counts, 0, sizeof counts);
        for (uint32_t t = 0; t < job->narrow; t++) {
            const akin_scan_test *test = &job->tests[t];
            const uint8_t *codes = test->codes + i, low = (uint8_t)test->low, span = (uint8_t)test->span;
            for (uint32_t j = 0; j < here; j++)
                counts[j] = (uint8_t)(counts[j] + ((uint8_t)(codes[j] - low) <= span ? test->weight : 0));
        }
        for (uint32_t t = job->narrow; t < job->count; t++) {
            const akin_scan_test *test = &job->tests[t];
            for (uint32_t j = 0; j < here; j++) {
                uint16_t code;
                memcpy(&code, test->codes + 2 * ((uint64_t)i + j), sizeof code);
                counts[j] = (uint8_t)(counts[j] + ((uint16_t)(code - test->low) <= test->span ? test->weight : 0));
            }
        }
        for (uint32_t j = 0; j < here; j++)
            if (counts[j] >= job->top->least)
                akin_top_add(job->top, counts[j], i + j);
    }
}

akin_scan akin_scan_choose(akin_cpu cpu)
{
    akin_scan wide = cpu >= AKIN_CPU_AVX512 ? akin_scan_avx512() : NULL;
    if (!wide && cpu >= AKIN_CPU_AVX2)
        wide = akin_scan_avx2();
    return wide ? wide : scan;
}

/* The dimension that has a keyword. */
static uint32_t dimension_of(const akin_objects *objects, uint32_t keyword)
{
    uint32_t low = 0, high = objects->head.dimensions;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (objects->codes[middle].first <= keyword)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t akin_scan_most(const akin_objects *objects, const akin_query_item *items, uint64_t count)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < count; i++)
        most += (uint64_t)dimension_of(objects, items[i].last) - dimension_of(objects, items[i].first) + 1;
    return most;
}

akin_scan_widths akin_scan_count(const akin_objects *objects, const akin_query_item *items, uint64_t count)
{
    akin_scan_widths widths = {0, 0};
    for (uint64_t i = 0; i < count && objects->head.dimensions > 0; i++) {
        const uint32_t last = dimension_of(objects, items[i].last);
        for (uint32_t d = dimension_of(objects, items[i].first); d <= last; d++) {
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
            const uint32_t last = dimension_of(objects, items[i].last);
            for (uint32_t d = dimension_of(objects, items[i].first); d <= last; d++) {
                const akin_codes *codes = &objects->codes[d];
                if (codes->width != width || codes->count == 0)
                    continue;
                const uint32_t low = akin_max_u32(items[i].first, codes->first) - codes->first;
                const uint32_t high = (uint32_t)akin_min_u64(items[i].last - codes->first, codes->count - 1);
                tests[made++] = (akin_scan_test){objects->bytes + codes->begin, (uint16_t)low, (uint16_t)(high - low),
                                                 (uint8_t)width, (uint8_t)items[i].weight};
            }
        }
        *narrow = width == 1 ? made : *narrow;
    }
    return made;
}
