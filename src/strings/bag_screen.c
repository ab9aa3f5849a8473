/* The screen of bags without SIMD, and the choice among versions. */
#include "strings/bag_screen.h"

#include "strings/batch.h"

static uint32_t screen(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < strip->count; i++) {
        akin_bag bag;
        for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
            bag.words[w] = strip->bags[w][i];
        uint32_t prefix = query->by_prefix ? akin_head_prefix(strip->heads[i], query->head) : 0;
        passed[count] = i;
        count += (int64_t)akin_bag_apart(&bag, &query->bag) <= query->limit[prefix];
    }
    return count;
}

akin_bag_screen akin_bag_screen_choose(akin_cpu cpu)
{
    static const akin_bag_screen by_level[] =
        AKIN_CPU_ROW(screen, screen, akin_bag_screen_avx2, akin_bag_screen_avx512);
    return by_level[cpu];
}
