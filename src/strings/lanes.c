/* Chooses the comparators in lanes. */
#include "strings/lanes.h"

const akin_lanes *akin_lanes_choose(akin_cpu cpu)
{
    const akin_lanes *wide = cpu == AKIN_CPU_AVX512 ? akin_lanes_avx512() : NULL;
    if (!wide && cpu >= AKIN_CPU_AVX2)
        wide = akin_lanes_avx2();
    return wide;
}
