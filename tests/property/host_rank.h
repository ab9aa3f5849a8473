/* Of the GPU that the host plays for akin_rank (property/host_rank.c): what it counts of its work. */
#ifndef AKIN_TEST_HOST_RANK_H
#define AKIN_TEST_HOST_RANK_H

#include "property/host_device.h"

typedef struct host_rank_state {
    uint32_t at_once;           /* queries that it is to rank at once, with few threads; 0: the number of a large GPU */
    uint64_t launches, queries; /* queries of all launches */
    uint64_t marks;             /* bits of frequent terms that were set */
    uint64_t blocks, passed;    /* that were looked at, and noted */
    uint64_t scanned, queued;   /* entries */
    uint64_t weighed, found;    /* candidates */
    uint64_t sorts;
    uint64_t most_steps; /* that a launch spent on all its queries */
} host_rank_state;

extern host_rank_state host_rank;

#endif
