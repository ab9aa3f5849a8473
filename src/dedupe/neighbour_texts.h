/*
 * What nearest records are searched in: the distinct values of a column that have tokens, as texts, which are numbered
 * by their lengths, and an inverted list for each token. A token's number is its rank: the heavier, the lower.
 *
 *     text       0 1 2 3        by length, the sum of its tokens' squares (tokens.h)
 *     records    0: 4 7   1: 2   2: 0 1 9   3: 5         ascending, those of the right table behind those of the left
 *     ranks      0: 1 5   1: 3 5   ...                   the tokens of each text, ascending
 *     lists      1: 0 ...   3: 1 ...   5: 0 1 ...        the texts of each token, ascending, of records of one table
 *
 * So the tokens of a text begin with the heaviest ones, whose lists are the shortest, and a list begins with the
 * shortest texts.
 */
#ifndef AKIN_DEDUPE_NEIGHBOUR_TEXTS_H
#define AKIN_DEDUPE_NEIGHBOUR_TEXTS_H

#include "dedupe/values.h"

typedef struct akin_neighbour_texts {
    const akin_records *records;
    uint32_t count, tokens; /* texts, and distinct tokens */
    uint32_t *starts;       /* text t has the records of[starts[t]] .. of[starts[t + 1] - 1] */
    uint32_t *of;
    uint64_t *lengths;
    double *roots;     /* of the lengths */
    uint64_t *offsets; /* text t has the tokens ranks[offsets[t]] .. ranks[offsets[t + 1] - 1] */
    uint32_t *ranks;
    uint32_t *squares; /* of each rank that of the token's weight, never rising */
} akin_neighbour_texts;

/* To be cleared in any case. Errors: those of akin_weighted_make, AKIN_E_CANCELLED. */
akin_status akin_neighbour_texts_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                                      const akin_text_options *text, akin_neighbour_texts *out, akin_error *error);
void akin_neighbour_texts_clear(akin_neighbour_texts *texts);

/* The records of a text that are of a table; of one table all are. */
typedef struct akin_neighbour_rows {
    const uint32_t *rows;
    uint32_t count;
} akin_neighbour_rows;

akin_neighbour_rows akin_neighbour_rows_of(const akin_neighbour_texts *texts, uint32_t text, uint32_t table);

/* The list of rank r is texts[starts[r]] .. texts[starts[r + 1] - 1]. */
typedef struct akin_neighbour_lists {
    uint64_t *starts;
    uint32_t *texts;
} akin_neighbour_lists;

/* Makes the lists of texts that records of a table have; to be cleared in any case. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_neighbour_lists_make(const akin_scope *scope, akin_account *account, const akin_neighbour_texts *texts,
                                      uint32_t table, akin_neighbour_lists *out, akin_error *error);
void akin_neighbour_lists_clear(akin_neighbour_lists *lists);

#endif
