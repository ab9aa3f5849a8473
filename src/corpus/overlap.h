/*
 * Contamination, the job of akin_overlap_create and akin_overlap_add: items of several columns, a search for their
 * grams (gram_search.h), and where the longest runs stand in the texts as they were.
 *
 *     columns     question     answer             items   0 1 2 | 3 4 5 | 6 7 8
 *     rows        3                                       question  answer  both
 */
#ifndef AKIN_CORPUS_OVERLAP_H
#define AKIN_CORPUS_OVERLAP_H

#include "base/scope.h"

/* As akin_overlap_create, within a scope. mask: the bits of hashes that count, all but for tests. */
akin_status akin_overlap_create_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                       uint32_t rows, const akin_overlap_options *options, uint64_t mask,
                                       akin_overlap **out, akin_error *error);

/* As akin_overlap_add, within a scope. */
akin_status akin_overlap_add_within(const akin_scope *scope, akin_overlap *overlap, const akin_column *documents,
                                    uint32_t rows, uint8_t *hit, akin_error *error);

#endif
