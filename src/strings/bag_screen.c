/* The screen of bags without SIMD, and the choice among versions. */
#include "strings/bag_screen.h"

static uint32_t screen(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < strip->count; i++) {
        passed[count] = i;
        count += (uint32_t)akin_bag_passes(strip, query, i);
    }
    return count;
}

akin_bag_screen akin_bag_screen_choose(akin_cpu cpu)
{
    static const akin_bag_screen by_level[] =
        AKIN_CPU_ROW(screen, akin_bag_screen_neon, akin_bag_screen_avx2, akin_bag_screen_avx512);
    return by_level[cpu];
}
