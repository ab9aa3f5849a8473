/*
 * Which technique a batch of queries would take the least time with. Prices are nanoseconds of one thread with AVX-512,
 * as bench/search_bench has them; narrower SIMD makes sweeps and scans dearer, and places not. How much
 * dearer NEON makes them is a guess: nobody has measured it.
 */
#include "search/choose.h"

#include "search/scan.h"
#include "search/tally.h"

#define SAMPLE 64 /* queries */

#define PLACE   0.65  /* counted */
#define SEGMENT 4.0   /* looked at */
#define SWEEP   350.0 /* of a range */
#define BITMAP  160.0 /* of it, if there are many */
#define BLOCK   2.0   /* 64 objects, scanned */
#define NARROW  1.0   /* test of these, */
#define WIDE    1.9
#define FEW     64  /* tests of a query: */
#define BEYOND  1.5 /* each of those behind them, whose codes and bounds are no longer in the nearest cache */

static double price_lists(const akin_objects *o, const akin_query_item *items, uint64_t count, double slower)
{
    double most = 0, price = 0;
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t k = items[i].first; k <= items[i].last; k++) {
            const double segments = (double)(o->lists[k + 1].segment - o->lists[k].segment);
            const double cells = (double)(o->lists[k + 1].cell - o->lists[k].cell);
            const int dense = segments > 0 && cells / segments > AKIN_RANGE_PLACES;
            price += segments * SEGMENT + (dense ? segments * BITMAP * slower : cells * PLACE);
            most = segments > most ? segments : most;
        }
    return price + most * SWEEP * slower;
}

static double price_scan(const akin_objects *o, const akin_query_item *items, uint64_t count, double slower)
{
    const akin_scan_widths widths = akin_scan_count(o, items, count);
    const double count_all = (double)(widths.narrow + widths.wide);
    const double near = (double)widths.narrow * NARROW + (double)widths.wide * WIDE;
    const double tests = count_all <= FEW ? near : near / count_all * FEW + (count_all - FEW) * BEYOND;
    return ((double)o->head.count / 64 + 1) * (BLOCK + tests) * slower;
}

akin_search_technique akin_search_choose(akin_cpu cpu, const akin_objects *objects, const akin_queries *queries,
                                         akin_search_prices *prices)
{
    static const double times[] = AKIN_CPU_ROW(30, 5, 2.5, 1);
    const double slower = times[cpu];
    const uint64_t step = queries->count > SAMPLE ? queries->count / SAMPLE : 1;
    const int scan = objects->head.dimensions > 0;
    akin_search_prices all = {0, 0};
    for (uint64_t q = 0; q < queries->count; q += step) {
        const akin_query_item *items = queries->items + queries->offsets[q];
        const uint64_t count = queries->offsets[q + 1] - queries->offsets[q];
        all.lists += price_lists(objects, items, count, slower);
        all.scan += scan ? price_scan(objects, items, count, slower) : 0;
    }
    *prices = (akin_search_prices){all.lists * (double)step * 1e-9, all.scan * (double)step * 1e-9};
    return scan && all.scan < all.lists ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS;
}
