/*
 * Values with one form for words that count as equal.
 *
 *     synonyms    william,bill | united kingdom,uk        folded as the values are
 *     forms       william, bill -> william; united kingdom, uk -> united kingdom
 *     from        "bill o'hara, uk"
 *     text        "william o'hara, united kingdom"
 *
 * The forms are one table, by the words of an entry. A rewriter of a thread looks up where entries begin, and the
 * longest one that stands there.
 */
#ifndef AKIN_TEXT_REWRITER_H
#define AKIN_TEXT_REWRITER_H

#include "base/memory.h"
#include "text/fold.h"
#include "text/synonyms.h"

/* The words of an entry, or the first of them. */
typedef struct akin_form {
    uint64_t key;        /* where the words are, with blanks between */
    uint64_t to;         /* where the text is that values get, of one that begins a group */
    uint32_t key_length; /* 0: a free place in the table */
    uint32_t to_length;  /* 0: it begins no group */
    uint32_t parent;     /* the place of the form that begins its group, or of one of more groups; its own: none */
    uint32_t most;       /* words of the longest entry that begins with this word; 0: none does */
    int is_entry;
    int is_ambiguous; /* it would follow several lines */
} akin_form;

typedef struct akin_forms {
    akin_form *table; /* capacity places, a power of 2; NULL: there are no entries */
    uint64_t capacity;
    char *text; /* keys, and what values get */
    uint64_t length, room;
    uint32_t folds;
    uint64_t ambiguous;                /* entries that are */
    const akin_synonyms_entry *unsure; /* the first of these; NULL: there is none */
    akin_account *account;             /* charged for all that; NULL: none */
} akin_forms;

/* Makes the forms for values that are folded so. The caller clears them in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_forms_make(akin_account *account, const akin_synonyms *synonyms, uint32_t folds, akin_forms *out,
                            akin_error *error);
void akin_forms_clear(akin_forms *forms);

/* A word of a value: where it is in that, and in the keys. */
typedef struct akin_rewriter_word {
    uint64_t begin, end, key, key_end;
} akin_rewriter_word;

typedef struct akin_rewriter {
    const akin_forms *forms;
    char *text; /* of the value taken last */
    uint64_t length, room;
    akin_folder folder; /* without case, for words */
    akin_rewriter_word *words;
    uint64_t count, capacity;
    char *keys; /* of the words, with blanks between */
    uint64_t keys_length, keys_room;
    akin_account *account; /* charged for all that; NULL: none */
} akin_rewriter;

/* Allocates nothing yet. The forms are used until it is cleared. */
void akin_rewriter_begin(akin_rewriter *rewriter, akin_account *account, const akin_forms *forms);
void akin_rewriter_clear(akin_rewriter *rewriter);

/* Takes a value, which is folded and UTF-8. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_rewriter_take(akin_rewriter *rewriter, const char *from, uint64_t length);

#endif
