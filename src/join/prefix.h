/*
 * The prefix index: for every token, the sets that hold it in their prefix (Bellas and Gounaris, section 2.1.3).
 *
 *     token t:   start[t] .. start[t + 1] - 1 are its postings, sets ascending (and so sizes); none if t occurs once
 *     posting:   entry[i], a set or a group of sets, and, if the caller wants it, position[i], that of t in the set
 */
#ifndef AKIN_JOIN_PREFIX_H
#define AKIN_JOIN_PREFIX_H

#include "join/technique.h"

typedef struct akin_prefix_index {
    uint64_t *start; /* of tokens first ..: start[t - first] */
    uint32_t *entry;
    uint32_t *position;  /* NULL unless the caller wants it */
    uint64_t first, end; /* it is of tokens [first, end) alone; end 0: of all */
    uint64_t start_room, entry_room;
    int is_lent; /* the arrays are the caller's: see akin_prefix_lend */
} akin_prefix_index;

/* Which side of a pair a set is on: the one that looks up, or the one that is found. */
typedef enum akin_prefix_side { AKIN_PREFIX_PROBING, AKIN_PREFIX_INDEXED } akin_prefix_side;

/* How many tokens of a set of size `size` have to be looked up, or indexed; 0 if it can have no partner. In a self-join
 * and between parts of one collection
 * indexed sets need only be found by sets that are no smaller, which makes their prefix shorter. */
uint32_t akin_prefix_length(const akin_join_job *job, uint32_t size, akin_prefix_side side);

/* The kind of entries of an index: sets, or runs of sets of equal size and prefix. Of a run the first set is
 * indexed. */
typedef struct akin_prefix_groups {
    uint32_t *first; /* the first set of every group, ascending, and the number of sets; NULL: each set is a group */
    uint32_t count;
} akin_prefix_groups;

/*
 * The bytes that the lists of `tokens` tokens with `postings` postings take; and an index to be built in that many
 * bytes of the caller's, aligned to 64. Its lists must have no more tokens and postings.
 */
uint64_t akin_prefix_bytes(uint64_t tokens, uint64_t postings, int positions);
akin_prefix_index akin_prefix_lend(void *bytes, uint64_t tokens, uint64_t postings, int positions);

/* Builds the index of one side of a join, of the tokens that *out says, in the room that it was lent, if it was. If it
 * fails the index is empty. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_prefix_build(const akin_join_job *job, const akin_ranked *sets, akin_prefix_side side,
                              const akin_prefix_groups *groups, int positions, akin_prefix_index *out,
                              akin_error *error);
void akin_prefix_clear(akin_prefix_index *index);

/* Takes some candidates of a probe, on thread `thread` of the job's; each pair of sets comes once. An answer other than
 * AKIN_OK ends the join. */
typedef akin_status (*akin_prefix_take)(void *argument, uint32_t thread, uint32_t probe, const uint32_t *list,
                                        uint32_t count);

/* Finds candidates as `filter` does (AKIN_ALLPAIRS, AKIN_PPJOIN or AKIN_GROUPJOIN), on the job's threads, and hands all
 * of them over to be verified. All memory is there before the first of them. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED,
 * and what `take` answers. */
akin_status akin_prefix_join(akin_join_job *job, akin_technique filter, akin_prefix_take take, void *argument,
                             akin_error *error);

#endif
