/* What objects, segments and answers look like in memory, for C and for kernels; objects.h and top.h describe the
 * rest. */
#ifndef AKIN_SEARCH_LAYOUT_H
#define AKIN_SEARCH_LAYOUT_H

#include <stdint.h>

#define AKIN_RANGE        32768u
#define AKIN_RANGE_PLACES 1024u             /* a bitmap is swept faster than more are counted one by one */
#define AKIN_RANGE_CELLS  (AKIN_RANGE / 16) /* of a bitmap */

typedef struct akin_segment {
    uint32_t range;
    uint32_t end; /* of its cells, among those of the keyword */
} akin_segment;

typedef struct akin_keyword {
    uint64_t segment; /* the first */
    uint64_t cell;    /* the first */
} akin_keyword;

/* A key is 2^32 - 1 - count | object, so that the best one is the smallest. */
#define AKIN_TOP_KEY(count, object) ((uint64_t)(UINT32_MAX - (count)) << 32 | (object))

#endif
