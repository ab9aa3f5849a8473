/* What the caller wants of a text, read and checked. */
#ifndef AKIN_TEXT_OPTIONS_H
#define AKIN_TEXT_OPTIONS_H

#include "base/choice.h"

#define AKIN_TEXT_Q_MOST 255

/* The meaning of a word of an option: with a number behind it, or without. Its value is an akin_tokens, the one without
 * a number if that is allowed. */
typedef struct akin_cut_row {
    akin_choice choice;
    int is_alone;              /* the name alone has a meaning */
    akin_tokens with_a_length; /* the meaning of the name with :N behind it; 0: none */
} akin_cut_row;

extern const akin_choice_table akin_cuts;

/* As akin_tokens_parse, of the rows that have one of `capabilities` (0: of all). */
akin_status akin_cut_parse(const char *text, unsigned capabilities, akin_tokens *tokens, uint32_t *q,
                           akin_error *error);

/* Writes what --tokens takes for these: "words", "qgrams:3". */
void akin_tokens_write(akin_tokens tokens, uint32_t q, char *text, size_t room);

/* Adds counts to others; NULL: to none. */
static inline void akin_text_counts_add(akin_text_counts *to, const akin_text_counts *more)
{
    if (!to)
        return;
    to->texts += more->texts;
    to->brief += more->brief;
}

/* Reads the caller's options (NULL: the defaults) into *own, whose `fold` is then 0 or 1. The stop words stay the
 * caller's. Errors: AKIN_E_OPTION. */
akin_status akin_text_options_read(const akin_text_options *given, akin_text_options *own, akin_error *error);

#endif
