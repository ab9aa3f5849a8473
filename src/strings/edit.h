/* Edit distances: how many edits make one string another. */
#ifndef AKIN_STRINGS_EDIT_H
#define AKIN_STRINGS_EDIT_H

#include "strings/pattern.h"
#include "strings/similarity.h"

/*
 * The Levenshtein distance between a pattern's string and a text: the least number of symbols to insert, delete or
 * replace; if it is above `most`, any number above that. The bit-parallel way of Myers (1999) as Hyyrö (2003) has it: a
 * column of the matrix in a few words, as the differences between its cells. It ends as soon as the distance must be
 * above `most`. The pattern's scratch is written to, so a pattern serves one thread at a time.
 */
uint32_t akin_levenshtein(akin_pattern *pattern, const akin_symbols *text, uint32_t most);

/* The same, but an exchange of two neighbours is one edit, too, and no symbol is edited twice: optimal string
 * alignment, the restricted distance of Damerau and Levenshtein. */
uint32_t akin_osa(akin_pattern *pattern, const akin_symbols *text, uint32_t most);

#endif
