/* Lists are coded block by block, one list behind the other, into memory that grows. */
#ifndef AKIN_LISTS_LISTS_CODE_H
#define AKIN_LISTS_LISTS_CODE_H

#include "lists/lists.h"

/* Lists that have been coded. */
typedef struct akin_coded {
    akin_block *blocks;
    uint64_t *words;
    uint64_t block_count, word_count;
    akin_bulk bulks[2]; /* what these are in */
} akin_coded;

/* The factors of documents: of each document its class, of each class where its factors begin, and these, from number 1 on. */
typedef struct akin_factors {
    const uint32_t *class_of;
    const uint64_t *firsts;
    const double *factors;
} akin_factors;

/* Codes a list behind those that there are: entries, document << 32 | number of the factor, ascending. Errors, without a message:
 * AKIN_E_LIMIT (32 GiB of words), AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_code_list(akin_coded *coded, const akin_factors *factors, const uint64_t *keys, uint32_t count);

#endif
