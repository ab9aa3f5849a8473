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
    AKIN_PROFILE_ROWS,      /* numbers of rows: whole numbers that occur once, without large gaps; all values of a
                             * table may begin with the same letters */
    AKIN_PROFILE_EVENTS,    /* dates within a few years */
    AKIN_PROFILE_DATES,     /* other dates, such as those of birth */
    AKIN_PROFILE_AMOUNTS,   /* numbers with digits behind the point */
    AKIN_PROFILE_WORD,      /* one word, or digits */
    AKIN_PROFILE_WORDS,     /* some words */
    AKIN_PROFILE_LONG       /* longer texts */
} akin_profile_kind;

typedef struct akin_profile {
    const char *name;
    akin_profile_kind kind;
    uint64_t present, distinct; /* records with a value; values */
    uint32_t most;              /* records that have one value, at most */
    double telling;             /* what equal values say on average, in nats; a missing one says 0 */
    double size;                /* of numbers, without their signs: half of them have that size, or up to twice it */
    double codes;               /* share of values with a code: 5 letters and digits or more, of both kinds */
    double length, words;       /* of a value, on average: symbols, words */
    int is_beyond;              /* enough other columns tell records apart better */
    int is_repeated;            /* other columns have nearly all of its words, as parts of it */
    /* blocks[s]: pairs of records with equal values, of values that at most s records have. */
    uint64_t blocks[AKIN_PROFILE_BLOCK + 1];
} akin_profile;

/* Profiles `columns` columns of the records. Kinds and words are those of some thousand rows, which lie evenly. Errors:
 * AKIN_E_INPUT (a row that is not UTF-8), AKIN_E_NOMEM, AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_profile_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                              uint32_t columns, akin_profile *out, akin_error *error);

#endif
