/* A call of a searcher: its queries, its options, and what was found for some of its queries, on the way to the
 * caller. */
#ifndef AKIN_SEARCH_CALL_H
#define AKIN_SEARCH_CALL_H

#include "search/searcher.h"
#include "search/way.h"
#include "text/folded.h"

typedef struct akin_search_call {
    akin_searcher *searcher;
    const akin_scope *scope;        /* the searcher's, */
    const akin_search_index *index; /* likewise */
    const akin_search_way *way;     /* how its kind is searched */
    akin_query_source source;
    akin_column strings; /* queries that are combined or folded, in place of the caller's */
    akin_table *combined;
    akin_folded folded;
    akin_search_options options;
    const akin_search_technique_row *technique; /* that the options name, once they are checked */
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

#endif
