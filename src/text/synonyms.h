/*
 * Groups of words that count as equal, as they were read: entry by entry, the first of each group marked.
 *
 *     william,bill          text      w i l l i a m b i l l u n i t e d _ k i n g d o m u k
 *     united kingdom,uk     entries   first         |       first                       |
 */
#ifndef AKIN_TEXT_SYNONYMS_H
#define AKIN_TEXT_SYNONYMS_H

#include "base/error.h"

typedef struct akin_synonyms_entry {
    uint32_t begin, length; /* in the text */
    uint32_t line;          /* that it was read from, from 1 on; of the text or the file that it was in */
    uint32_t is_first;      /* of its group, whose others follow */
} akin_synonyms_entry;

struct akin_synonyms {
    char *text;
    akin_synonyms_entry *entries;
    uint64_t length, room; /* of the text */
    uint64_t count, capacity;
    int is_awaited; /* files that it is to have were not read yet */
};

/* Adds the groups of others behind its own. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_synonyms_append(akin_synonyms *synonyms, const akin_synonyms *others, akin_error *error);

/* The next word of a text from `at` on, in *begin, and where it ends; 0: there is none. */
uint64_t akin_synonyms_word(const char *text, uint64_t length, uint64_t at, uint64_t *begin);

#endif
