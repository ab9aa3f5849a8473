/* The memory that a part of a join takes: upper bounds from the sizes of its sides, which are set in the job. Of the
 * sides only the classes are looked at, and the universe. */
#ifndef AKIN_JOIN_PART_ROOM_H
#define AKIN_JOIN_PART_ROOM_H

#include "join/technique.h"

/* What joining takes beside the sets, by the technique that was named, or by the one that takes the least. */
double akin_part_joined_bytes(const akin_join_job *job, const akin_join_options *options);

/* What sets take that are ranked by a ranking that is there, and then joined. */
double akin_part_ranked_bytes(const akin_join_job *job, const akin_join_options *options);

/* The same where they are gathered and ranked anew; their tokens are below `bound`. */
double akin_part_anew_bytes(const akin_join_job *job, const akin_join_options *options, uint64_t bound);

#endif
