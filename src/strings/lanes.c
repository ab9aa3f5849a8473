/* Chooses the comparators in lanes. */
#include "strings/lanes.h"

const akin_lanes *akin_lanes_choose(akin_cpu cpu)
{
    static const akin_lanes *const by_level[] =
        AKIN_CPU_ROW(NULL, &akin_lanes_neon, &akin_lanes_avx2, &akin_lanes_avx512);
    return by_level[cpu];
}
