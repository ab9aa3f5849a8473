/* The memory bound that a join needs whose largest sets do not fit the one that it has. */
#ifndef AKIN_JOIN_PART_BOUND_H
#define AKIN_JOIN_PART_BOUND_H

#include "join/part_sides.h"

/* The error for two sets of `tokens` tokens together, which cannot be joined within the scope's memory bound: its
 * message names a bound that would do. The sides may be half made. */
akin_status akin_part_bound_fail(const akin_join_job *job, const akin_join_options *options,
                                 const akin_part_sides *sides, uint64_t tokens, akin_error *error);

#endif
