/* Ranges of rows as batches, and how large they may be: under a memory bound a join of strings is cut into pieces of
 * ranges (join/pieces.h). */
#ifndef AKIN_MATCH_RANGES_H
#define AKIN_MATCH_RANGES_H

#include "match/job.h"

/* Makes the batch of a range, unless it is there. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_match_enter_range(akin_match_job *job, const akin_piece_range *range, akin_strings_batch *out,
                                   akin_piece_range *at, akin_error *error);
/* Makes the batches of a piece. Errors: likewise. */
akin_status akin_match_enter_piece(akin_match_job *job, const akin_piece *piece, akin_error *error);
/* Clears the batches at hand. */
void akin_match_leave_ranges(akin_match_job *job);
/* Whether a batch is that of a range. */
int akin_match_is_range(const akin_piece_range *at, const akin_piece_range *range);

/* Computes what ranges may take, so that two of them, and what comes with them, have room. */
void akin_match_set_room(akin_match_job *job);
/* How many ranges with room of their own a range makes. */
uint64_t akin_match_count_ranges(const akin_match_job *job, const akin_piece_range *range);
/* Where to cut a range of the job `user` so that its ranges, cut again, have about as many bytes each as have room. */
akin_piece_place akin_match_place_in_range;
/* Leaves no string out, because a range of rows has strings of all lengths. */
int akin_match_keep_all(void *user, akin_piece *piece);
/* Whether what had too little memory under a bound may be tried in smaller pieces: it has found nothing. */
int akin_match_may_try_smaller(const akin_match_job *job, akin_status status, uint64_t refusals, uint64_t found);

#endif
