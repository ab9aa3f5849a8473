/* Sets of words or q-grams of two strings, and what they have in common. */
#ifndef AKIN_STRINGS_TOKEN_SETS_H
#define AKIN_STRINGS_TOKEN_SETS_H

#include "dict/gatherer.h"
#include "text/options.h"
#include "text/tokenizer.h"

/*
 * The set of a left string, which is compared with those of any number of right ones. Tokens are numbered as they first
 * appear, those of the left string first:
 *
 *     numbers   | 0 .. left - 1 | of right strings alone
 *     list      | the same      | of the right string at hand: those below `left` are in common
 */
typedef struct akin_token_sets {
    akin_tokenizer tokenizer;
    akin_gatherer gatherer;
    akin_vocabulary vocabulary;
    akin_salt salt;
    const char *text; /* the left string, borrowed */
    uint32_t length;
    uint32_t left; /* its tokens */
} akin_token_sets;

/* How checked options of a comparison cut texts into tokens, with `fold` being 0 or 1. Errors: AKIN_E_OPTION. */
akin_status akin_compare_options_text(const akin_compare_options *options, akin_text_options *out, akin_error *error);

/* Options as akin_text_options_read gave them. Allocates nothing yet, and charges the account (NULL: none) later. */
void akin_token_sets_begin(akin_token_sets *sets, akin_cpu cpu, akin_account *account,
                           const akin_text_options *options);
void akin_token_sets_clear(akin_token_sets *sets);

/* Takes the left string, which is borrowed until there is another. Errors, of both and without a message: AKIN_E_INPUT
 * (not UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM; a left string must be taken then before anything else. */
akin_status akin_token_sets_take(akin_token_sets *sets, const char *text, uint32_t length);

/* The tokens of a right string, and those of them that the left one has, too. */
akin_status akin_token_sets_compare(akin_token_sets *sets, const char *text, uint32_t length, uint32_t *tokens,
                                    uint32_t *common);

#endif
