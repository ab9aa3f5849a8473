/* Of the GPU that the host plays for match counts (property/host_search.c). */
#ifndef AKIN_TEST_HOST_SEARCH_H
#define AKIN_TEST_HOST_SEARCH_H

#include "property/host_device.h"

typedef struct host_search_state {
    uint64_t launches, units, skipped; /* units of queries, and those in which nothing could be among the best */
    uint64_t compared;                 /* units of strings */
    uint64_t similar;                  /* ranked by similarity */
    uint64_t wide, scanned;            /* of counters of more than a byte; by tests; */
    uint64_t scanned_wide;             /* both */
    uint64_t gathered, grouped;        /* groups of units put together; times that there were several */
    uint64_t overflows, filled;        /* of c-PQ: queries whose tables were full, and that had ties beyond them */
    uint64_t rounds;                   /* of bucket selections */
    uint64_t inverted, bitmaps;        /* times that postings were, and segments of these that are bitmaps */
} host_search_state;

extern host_search_state host_search;

#endif
