/* Of the GPU that the host plays for akin_weigh (property/host_weigh.c): what a test sets, and what it counts. */
#ifndef AKIN_TEST_HOST_WEIGH_H
#define AKIN_TEST_HOST_WEIGH_H

#include "property/host_device.h"

typedef struct host_weigh_state {
    uint64_t batches;                /* that were looked up; again where the table had to grow */
    uint64_t few, tables[4], sorted; /* documents that were counted */
    uint64_t longs;                  /* tokens that were left to the host */
    uint64_t distinct;               /* numbers of documents that terms are in */
    uint64_t weighed;                /* pairs */
    uint64_t rounds;                 /* of sorting words, but the first of each batch */
    uint64_t grouped;                /* batches whose tokens were not sorted once more, by their terms */
} host_weigh_state;

extern host_weigh_state host_weigh;

#endif
