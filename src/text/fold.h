/*
 * A text without the differences that do not matter: case, accents, punctuation, blanks.
 *
 *     from     " O'N" U+00C9 "ill,  Ann-Marie"     where the text is taken from
 *     text     "oneill ann marie"                  with all of them folded
 *
 * ASCII goes through a table, byte by byte. Any other text is normalised, folded code point by code point, and
 * normalised again. Folding a folded text changes nothing.
 */
#ifndef AKIN_TEXT_FOLD_H
#define AKIN_TEXT_FOLD_H

#include "base/choice.h"
#include "text/unicode.h"

/* What a text can be cleaned of; a value is a sum of akin_fold. */
extern const akin_choice_table akin_folds;

/* Refuses bits that are no folds. Errors: AKIN_E_OPTION. */
akin_status akin_folds_check(uint32_t folds, akin_error *error);

/* Lists folds as akin_folds_parse reads them: "case+accents"; 0 is "none". */
void akin_folds_write(uint32_t folds, char *text, size_t room);

typedef struct akin_folder {
    char *text; /* of the text taken last */
    uint64_t length;
    uint64_t capacity;
    akin_account *account; /* charged for that; NULL: none */
    uint32_t folds;        /* AKIN_FOLD_CASE and so on */
    akin_unicode unicode;
    char ascii[128]; /* what each character becomes; '\0': nothing */
} akin_folder;

/* Allocates nothing yet. */
void akin_folder_begin(akin_folder *folder, akin_account *account, uint32_t folds);
void akin_folder_clear(akin_folder *folder);

/* Takes a text, in place of the one before. Errors, without a message: AKIN_E_INPUT (it is not UTF-8), AKIN_E_NOMEM. */
akin_status akin_folder_take(akin_folder *folder, const char *from, uint64_t length);

#endif
