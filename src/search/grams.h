/*
 * The ordered n-grams of strings of bytes as keywords (Zhou et al., section V-A): pairs of an n-gram and its
 * occurrence, so that two strings have as many in common as their bags of n-grams. Keyword i is the i-th of the keys
 * that there are:
 *
 *     key    | n bytes of the n-gram, 40 bits | occurrence, 24 bits |
 */
#ifndef AKIN_SEARCH_GRAMS_H
#define AKIN_SEARCH_GRAMS_H

#include "search/query_builder.h"

/* The keys of a string, rising, which has `length` bytes, in keys[0 .. length - n]; 0: an n-gram is there too often. */
int akin_grams_of(const uint8_t *bytes, uint64_t length, uint32_t n, uint64_t *keys);

static inline uint64_t akin_grams_count(uint64_t length, uint32_t n)
{
    return length >= n ? length - n + 1 : 0;
}

/* Makes keywords and objects of the strings of an index. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_grams_build(const akin_scope *scope, akin_search_index *index, akin_error *error);

/* Adds query `row`, a string. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_build_string_query(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                    akin_error *error);

#endif
