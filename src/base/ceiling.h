/*
 * The ceiling: the bytes that a job of a context without a memory bound may hold. Nothing is planned by it, so a job
 * works as if it had all the memory of the system. An allocation beyond the ceiling fails. Then a join that has handed
 * over no pair begins again with the ceiling as its memory bound, in parts; another job fails.
 *
 *     |            memory of the system, or the limit of the cgroup           |
 *     |              the ceiling: 3/4                    |
 *     |         a job: 5/8            |   what lasts     |
 */
#ifndef AKIN_BASE_CEILING_H
#define AKIN_BASE_CEILING_H

#include "base/memory.h"
#include "base/scope.h"

/* Sets the ceiling of a context whose memory bound is set: `wish` is that of akin_context_options. */
void akin_ceiling_begin(akin_context *context, uint64_t wish);

/* What a job fails with: the status, or if its account has met the ceiling, AKIN_E_NOMEM with the reason
 * AKIN_REASON_MEMORY_CEILING. `what` needs the memory. */
akin_status akin_ceiling_conclude(const akin_scope *scope, const akin_account *account, const char *what,
                                  akin_status status, akin_error *error);

/* Whether a job has failed like that. */
int akin_ceiling_is_met(akin_status status, const akin_error *error);

/* The scope of the job that begins again: the ceiling is its bound. The receiver of notes is told of it. */
akin_scope akin_ceiling_bound(const akin_scope *scope, const akin_error *met);

#endif
