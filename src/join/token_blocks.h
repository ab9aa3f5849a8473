/*
 * The tokens of a join, cut into blocks whose lists fit memory together. A technique that handles the lists of a prefix
 * index one by one can build the index of a block, handle its lists, and go on with the next block:
 *
 *     tokens     once ......................................................... universe
 *     blocks     |      0          |     1     |   2   |   3   | 4 | 5 |
 *     lists       short ones                             long ones
 *
 * All sets stay in memory, or in mapped files, from the first block to the last.
 */
#ifndef AKIN_JOIN_TOKEN_BLOCKS_H
#define AKIN_JOIN_TOKEN_BLOCKS_H

#include "join/prefix.h"

typedef struct akin_token_block {
    uint64_t first, end;       /* tokens [first, end) */
    uint64_t probing, indexed; /* postings of each side, */
    uint64_t longest;          /* and of one list of the indexed side, at most; all 0 where there is one block */
} akin_token_block;

typedef struct akin_token_blocks {
    akin_token_block *list;
    uint32_t count;
    uint64_t bytes; /* that are kept for the tasks of a block, if there are several */
} akin_token_blocks;

/* What a thread of the screened join works on for each posting of a list: its signature, and its slack. */
static inline uint64_t akin_token_blocks_each(uint32_t bits_screen)
{
    return bits_screen / 8 + sizeof(int64_t);
}

/* The bytes that the lists of a join take at most, if a thread works on `each` bytes for each posting of a list. */
double akin_token_blocks_bytes(const akin_join_job *job, uint64_t each);

/* Cuts the tokens that may lead to a partner, by what the job's account has left; into one block where there is no
 * bound. The caller frees out->list. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_token_blocks_make(const akin_join_job *job, uint64_t each, akin_token_blocks *out, akin_error *error);

#endif
