/* Repeated text, compared as words without case, punctuation and blanks. */
#ifndef AKIN_CORPUS_REPEATED_WORDS_H
#define AKIN_CORPUS_REPEATED_WORDS_H

#include "corpus/repeats.h"

/*
 * Finds the spans of a column of text, by windows of words (wanted->symbol is not looked at): places are bytes of the
 * text, from the first word of a span to the last one, or all of a text whose words all are in the span. A code point
 * that becomes several words is left out where a span has only some of these. Errors: those of
 * akin_repeats_find_within, AKIN_E_INPUT (a text that is not UTF-8).
 */
akin_status akin_repeated_words_find(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                     const akin_repeats_wanted *wanted, akin_bulk *spans, uint64_t *count,
                                     akin_repeats_report *report, akin_error *error);

#endif
