/*
 * What is known of a column before anything is compared: how often it has a value, how many values there are and how
 * often they occur, of what kind they are, and whether other columns say the same.
 */
#ifndef AKIN_DEDUPE_PROFILE_H
#define AKIN_DEDUPE_PROFILE_H

#include "base/memory.h"
#include "dedupe/records.h"

#define AKIN_PROFILE_BLOCK 1000 /* records of a block that are counted, at most */

typedef enum akin_profile_kind {
    AKIN_PROFILE_EMPTY = 1, /* less than two values, or hardly any row has one */
    AKIN_PROFILE_ROWS,      /* numbers of rows: whole numbers that occur once, without large gaps */
    AKIN_PROFILE_DATES,
    AKIN_PROFILE_NUMBERS,
    AKIN_PROFILE_SHORT, /* names, codes and the like */
    AKIN_PROFILE_LONG   /* several words */
} akin_profile_kind;

typedef struct akin_profile {
    const char *name;
    akin_profile_kind kind;
    uint64_t present, distinct; /* records with a value; values */
    uint32_t most;              /* records that have one value, at most */
    double length, words;       /* of a value, on average: symbols, words */
    int is_repeated;            /* other columns have nearly all of its words, as parts of it */
    /* blocks[s]: pairs of records with equal values, of values that at most s records have. */
    uint64_t blocks[AKIN_PROFILE_BLOCK + 1];
} akin_profile;

/* Profiles `columns` columns of the records. Kinds and words are those of some thousand rows, which lie evenly. Errors:
 * AKIN_E_INPUT (a row that is not UTF-8), AKIN_E_NOMEM, AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_profile_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                              uint32_t columns, akin_profile *out, akin_error *error);

#endif
