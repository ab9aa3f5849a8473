/*
 * The lists of frequent terms, as bits: what a document has of one is known by looking at two of them.
 *
 *     words    bit d % 64 of word 2 (d / 64) + i: list i of the two of the term has document d
 *     most     float 2 w + i: no factor of list i in window w, of AKIN_RANK_WINDOW documents, is larger
 *
 * They are made of lists when an index has many queries, and are in no file.
 */
#ifndef AKIN_RANK_FREQUENT_H
#define AKIN_RANK_FREQUENT_H

#include "lists/lists.h"

#define AKIN_RANK_WINDOW    32768 /* documents that are ranked together */
#define AKIN_FREQUENT_SHARE 64    /* a term is frequent if at least one in this many documents has it */

typedef struct akin_frequent_term {
    uint32_t list; /* the first of the two */
    uint64_t *words;
    float *most;
} akin_frequent_term;

typedef struct akin_frequent {
    akin_frequent_term *terms; /* ascending */
    uint32_t count;
    uint64_t *words; /* of all of them */
    float *most;
} akin_frequent;

/* Makes them, on all threads; under a memory bound as many of the most frequent terms as fit in an eighth of it.
 * akin_frequent_clear may follow in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED, AKIN_E_INPUT (a list that
 * is damaged). */
akin_status akin_frequent_build(const akin_scope *scope, const akin_lists *lists, akin_frequent *out,
                                akin_error *error);
void akin_frequent_clear(akin_frequent *frequent);

/* Whether a term with that many entries is frequent. */
int akin_frequent_is(const akin_lists *lists, uint64_t entries);

/* The one whose first list is this; NULL if the term is none. */
const akin_frequent_term *akin_frequent_find(const akin_frequent *frequent, uint32_t list);

#endif
