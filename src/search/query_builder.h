/* Asks queries, which become items, on all threads: each asks some at a time, and all are put together in their order. */
#ifndef AKIN_SEARCH_QUERY_BUILDER_H
#define AKIN_SEARCH_QUERY_BUILDER_H

#include "search/index.h"

typedef akin_status (*akin_query_build)(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                        akin_error *error);

/* What a thread asks with. */
typedef struct akin_query_builder_thread {
    akin_query_source source; /* the caller's, but for an analyser and room of its own */
    akin_query_batch batch;
    akin_error error;
    uint64_t failed; /* the task that did */
} akin_query_builder_thread;

typedef struct akin_query_builder {
    const akin_scope *scope;
    akin_query_build build;
    akin_query_builder_thread *threads; /* one for each of the scope's */
} akin_query_builder;

/* Makes ready to ask what `questions` say, which must stay; the tokens that no object has are counted if `is_measured`. To be cleared
 * in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_query_builder_begin(const akin_scope *scope, const akin_query_source *source, akin_query_build build,
                                     int is_measured, akin_query_builder *out, akin_error *error);
void akin_query_builder_clear(akin_query_builder *builder);

/* Asks `count` queries: those whose rows are listed, or else rows `first`, first + 1, ...; sizes, unless it is NULL, gets the distinct
 * tokens of each. Errors: those of ask, of the first row that fails; AKIN_E_CANCELLED. */
akin_status akin_query_builder_run(akin_query_builder *builder, const uint32_t *rows, uint32_t first, uint32_t count,
                                   uint32_t *sizes, akin_query_batch *out, akin_error *error);

#endif
