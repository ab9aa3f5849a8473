/* Parts of objects, each some ranges, as they lie on a device: what they take, and how objects are cut into some that
 * have room. */
#ifndef AKIN_SEARCH_PARTS_H
#define AKIN_SEARCH_PARTS_H

#include "search/objects.h"

#define AKIN_PART_ALIGNED 256 /* bytes: the alignment of the sections of a part */

/* With what may be read behind it. */
static inline uint64_t akin_part_padded(uint64_t bytes)
{
    return akin_ceil_div(bytes + AKIN_PART_ALIGNED, AKIN_PART_ALIGNED) * AKIN_PART_ALIGNED;
}

static inline uint64_t akin_part_lists(const akin_objects *objects)
{
    return ((uint64_t)objects->head.keywords + 1) * sizeof(akin_keyword);
}

/* Bytes of the codes of a dimension, in `ranges` ranges. */
static inline uint64_t akin_part_codes(const akin_objects *objects, uint32_t dimension, uint32_t ranges)
{
    return akin_ceil_div((uint64_t)ranges * AKIN_RANGE * objects->codes[dimension].width + AKIN_CODES_PAD, 64) * 64;
}

typedef struct akin_parts {
    uint32_t count;
    uint32_t *firsts; /* range of each part, and how many ranges there are; to be freed */
    uint64_t largest; /* bytes of the largest */
} akin_parts;

/* Cuts objects into as few parts as fit in `room` bytes each. The caller clears *out in any case. Errors: AKIN_E_NOMEM
 * (also where a range does not fit), AKIN_E_CANCELLED. */
akin_status akin_parts_cut(const akin_scope *scope, const akin_objects *objects, uint64_t room, akin_parts *out,
                           akin_error *error);
void akin_parts_clear(akin_parts *parts);

#endif
