/*
 * Match counts by a scan of columns: a block of objects, small enough for the nearest cache, is held against one query
 * after the other. An item is a test of each dimension that it reaches into:
 *
 *     counts if     code - low <= span          in unsigned arithmetic of the column's width
 *
 * Counts are bytes. Where an object may count more, tests are taken in groups that count to 255 at most, and what each
 * of these counts is added up in 32 bits.
 */
#ifndef AKIN_SEARCH_SCAN_H
#define AKIN_SEARCH_SCAN_H

#include "search/query.h"
#include "search/top.h"

#define AKIN_SCAN_BLOCK 2048u /* objects */

typedef struct akin_scan_test {
    const uint8_t *codes; /* of object 0 */
    uint16_t low, span;
    uint32_t weight;
} akin_scan_test;

typedef struct akin_scan_job {
    const akin_scan_test *tests; /* those of columns of 1 byte first */
    uint32_t narrow, count;      /* the number of these tests, and of all */
    uint32_t first, end;         /* objects, `first` a multiple of 64; up to 64 bytes behind the codes are read */
    akin_top *top;               /* gets the best; the weights of all tests are 255 or less in sum. NULL: */
    uint8_t *counts;             /* these become the counts of all objects, and of up to 63 behind them */
} akin_scan_job;

typedef void (*akin_scan)(const akin_scan_job *job);

/* That of a SIMD level; all do the same. */
akin_scan akin_scan_choose(akin_cpu cpu);
void akin_scan_neon(const akin_scan_job *job);
void akin_scan_avx2(const akin_scan_job *job);
void akin_scan_avx512(const akin_scan_job *job);

/* What a thread adds up where objects count more. */
typedef struct akin_scan_sums {
    uint8_t counts[AKIN_SCAN_BLOCK]; /* of a group of tests, */
    uint32_t all[AKIN_SCAN_BLOCK];   /* and of those so far */
} akin_scan_sums;

/* Whether the weights of tests are more than 255 in sum; and the scan of a block where they are, by one of bytes. */
int akin_scan_is_wide(const akin_scan_test *tests, uint32_t count);
void akin_scan_wide(akin_scan scan, const akin_scan_job *job, akin_scan_sums *sums);

/* How many tests a query takes of columns of 1 byte, and of 2. */
typedef struct akin_scan_widths {
    uint64_t narrow, wide;
} akin_scan_widths;

akin_scan_widths akin_scan_count(const akin_objects *objects, const akin_query_item *items, uint64_t count);

/* The tests of a query: at most akin_scan_most of them; how many, and how many are of columns of 1 byte. Objects must
 * have columns. */
uint64_t akin_scan_most(const akin_objects *objects, const akin_query_item *items, uint64_t count);
uint32_t akin_scan_tests(const akin_objects *objects, const akin_query_item *items, uint64_t count,
                         akin_scan_test *tests, uint32_t *narrow);

#endif
