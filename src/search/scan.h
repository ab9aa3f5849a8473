/*
 * Match counts by a scan of columns: a block of objects, small enough for the nearest cache, is held against one query after the
 * other. An item is a test of each dimension that it reaches into:
 *
 *     counts if     code - low <= span          in unsigned arithmetic of the column's width
 */
#ifndef AKIN_SEARCH_SCAN_H
#define AKIN_SEARCH_SCAN_H

#include "search/query.h"
#include "search/top.h"

#define AKIN_SCAN_BLOCK 2048u /* objects */

typedef struct akin_scan_test {
    const uint8_t *codes; /* of object 0 */
    uint16_t low, span;
    uint8_t width;
    uint8_t weight;
} akin_scan_test;

typedef struct akin_scan_job {
    const akin_scan_test *tests; /* those of columns of 1 byte first */
    uint32_t narrow, count;      /* so many of these, and of all */
    uint32_t first, end;         /* objects, `first` a multiple of 64; up to 64 bytes behind the codes are read */
    akin_top *top;               /* whose `least` is at most 255 to begin with */
} akin_scan_job;

typedef void (*akin_scan)(const akin_scan_job *job);

/* That of a SIMD level; all do the same. */
akin_scan akin_scan_choose(akin_cpu cpu);
akin_scan akin_scan_avx2(void);   /* NULL where this build has none */
akin_scan akin_scan_avx512(void); /* likewise */

/* How many tests a query takes of columns of 1 byte, and of 2. */
typedef struct akin_scan_widths {
    uint64_t narrow, wide;
} akin_scan_widths;

akin_scan_widths akin_scan_count(const akin_objects *objects, const akin_query_item *items, uint64_t count);

/* The tests of a query: at most akin_scan_most of them; how many, and how many are of columns of 1 byte. Objects must have columns. */
uint64_t akin_scan_most(const akin_objects *objects, const akin_query_item *items, uint64_t count);
uint32_t akin_scan_tests(const akin_objects *objects, const akin_query_item *items, uint64_t count,
                         akin_scan_test *tests, uint32_t *narrow);

#endif
