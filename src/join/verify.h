/* Verification: whether a probe and its candidates are similar, counted exactly. */
#ifndef AKIN_JOIN_VERIFY_H
#define AKIN_JOIN_VERIFY_H

#include "join/technique.h"

/* Any token may be the first that two sets share. */
#define AKIN_JOIN_ANY UINT64_MAX

/*
 * Verifies the candidates list[0 .. count-1] of a probe exactly. If a token is given, all candidates hold it. Then only
 * pairs whose first common token it is are looked at, so a pair that meets in several lists is verified, and found, in
 * one of them. Returns 0 when memory is short.
 */
int akin_join_verify(const akin_join_job *job, akin_join_worker *worker, uint32_t probe, const uint32_t *list,
                     uint32_t count, uint64_t token);

#endif
