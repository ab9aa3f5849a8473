/*
 * Sweeps over counters, bytes of a range of places: bitmaps are added to them, and those that count enough are found.
 *
 *     bitmaps     | 1 0 0 1 .. |
 *                 | 1 1 0 0 .. |        a bit of each place; each bitmap has a weight
 *     counters    | 2 1 0 1 .. |
 */
#ifndef AKIN_SETS_SWEEP_H
#define AKIN_SETS_SWEEP_H

#include "base/scope.h"

#define AKIN_SWEEP_PLACES 512u /* the number of places of counters and bitmaps is a multiple of this */

typedef struct akin_sweep_bits {
    const uint16_t *cells;
    uint32_t weight;
} akin_sweep_bits;

/* What a SIMD level has; all do the same. Counters are aligned to 64 bytes. None may overflow. */
typedef struct akin_sweep {
    /* Adds bitmaps. */
    void (*add)(uint8_t *counters, uint32_t places, const akin_sweep_bits *bits, uint32_t count);
    /* Adds the first bitmaps: those of the same weight that can be added group by group. Returns their number. */
    uint32_t (*add_groups)(uint8_t *counters, uint32_t places, const akin_sweep_bits *bits, uint32_t count);
    /* Lists the places below `places` (any number, at most 2^16, the first anywhere) that count `least` or more, which
     * is at least 1. Returns their number. */
    uint32_t (*find)(const uint8_t *counters, uint32_t places, uint32_t least, uint16_t *found);
} akin_sweep;

const akin_sweep *akin_sweep_choose(akin_cpu cpu);
extern const akin_sweep akin_sweep_neon, akin_sweep_avx2, akin_sweep_avx512;

#endif
