/* A call of a searcher: its queries, its options, and what was found for some of its queries, on the way to the
 * caller. */
#ifndef AKIN_SEARCH_CALL_H
#define AKIN_SEARCH_CALL_H

#include "search/query_builder.h"
#include "search/searcher.h"
#include "text/folded.h"

typedef struct akin_search_call {
    akin_searcher *searcher;
    const akin_scope *scope;        /* the searcher's, */
    const akin_search_index *index; /* likewise */
    akin_query_source source;
    akin_column strings; /* queries that are combined or folded, in place of the caller's */
    akin_table *combined;
    akin_folded folded;
    akin_search_options options;
    const akin_search_technique_row *technique; /* that the options ask for, once they are checked */
    akin_search_sink sink;
    void *user;
    akin_search_report report;
    akin_query_builder builder;
    akin_query_batch batch;
    uint32_t *sizes; /* of the queries at hand, if they are measured */
    akin_search_hit *hits;
    uint64_t hits_room;
    akin_error failed; /* in a sink of the library's own */
} akin_search_call;

/* Makes room for `count` hits in call->hits. Errors: AKIN_E_NOMEM. */
akin_status akin_call_reserve(akin_search_call *call, uint64_t count, akin_error *error);

/* Hands `count` of these hits to the caller's sink. Errors: AKIN_E_CANCELLED. */
akin_status akin_call_hand_on(akin_search_call *call, uint64_t count, akin_error *error);

/* Finds the objects with the most in common with `count` queries from `first` on, or the nearest strings. Errors: those
 * of building and searching. */
akin_status akin_call_count(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);
akin_status akin_call_nearest(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);

/* Ranks documents for all queries. Errors: those of akin_rank. */
akin_status akin_call_rank(akin_search_call *call, uint32_t rows, akin_error *error);

/* Checks that an index of these can answer the queries with the options. Errors: AKIN_E_OPTION. */
akin_status akin_call_admits_strings(const akin_search_call *call, akin_error *error);
akin_status akin_call_admits_vectors(const akin_search_call *call, akin_error *error);
akin_status akin_call_admits_signatures(const akin_search_call *call, akin_error *error);
akin_status akin_call_admits_bm25(const akin_search_call *call, akin_error *error);

#endif
