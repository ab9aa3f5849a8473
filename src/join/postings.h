/* The prefix join on a GPU: an inverted index of prefixes, by sorting its postings. */
#ifndef AKIN_JOIN_POSTINGS_H
#define AKIN_JOIN_POSTINGS_H

#include "join/shares.h"

/* The technique. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_join_technique akin_join_prefix;

/* What a share may have on a device that has room for this number of bytes: see akin_gpu_join_bounds. The number of
 * tokens has a bound, too. */
void akin_prefix_bounds(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out);

#endif
