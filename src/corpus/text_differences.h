/* What a removed document differs from its survivor in, as HTML: words, and some of the text around them. */
#ifndef AKIN_CORPUS_TEXT_DIFFERENCES_H
#define AKIN_CORPUS_TEXT_DIFFERENCES_H

#include "corpus/word_diff.h"
#include "report/html.h"

/* Writes a paragraph about two texts. `diff` is for it to work with, and the caller's. Errors, in html->status:
 * AKIN_E_NOMEM. */
void akin_text_differences_write(akin_html *html, akin_account *account, const char *survivor, uint64_t survivor_length,
                                 const char *removed, uint64_t removed_length, akin_word_diff *diff);

#endif
