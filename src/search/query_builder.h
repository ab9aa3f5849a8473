/* Makes items of queries, on all threads. Each thread takes some queries at a time; then all are put together in their
 * order. */
#ifndef AKIN_SEARCH_QUERY_BUILDER_H
#define AKIN_SEARCH_QUERY_BUILDER_H

#include "search/index.h"
#include "search/query_batch.h"

/* The source of queries, and what building their items needs. */
typedef struct akin_query_source {
    const akin_search_index *index;
    const akin_column *columns; /* or else */
    const akin_sets *sets;
    const akin_matrix *matrix;
    uint32_t column_count;
    uint32_t tolerance;
    const uint32_t *weights;           /* of the columns; NULL: 1 each */
    const akin_dimension **dimensions; /* of rows: of each column */
    akin_analyser analyser;            /* of documents */
    uint32_t size;                     /* distinct tokens of the query that was built last, */
    akin_dictionary *unknown;          /* if those that no object has are to be counted: these */
    uint64_t *found;                   /* keywords of a query */
    uint64_t found_room;
} akin_query_source;

/* Adds query `row`. Errors: AKIN_E_INPUT, AKIN_E_LIMIT, AKIN_E_NOMEM. */
typedef akin_status (*akin_query_build)(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                        akin_error *error);

/* What a thread builds queries with. */
typedef struct akin_query_builder_thread {
    akin_query_source source; /* the caller's, except for an analyser and room of its own */
    akin_query_batch batch;
    akin_error error;
    uint64_t failed; /* the task that failed */
} akin_query_builder_thread;

typedef struct akin_query_builder {
    const akin_scope *scope;
    akin_query_build build;
    akin_query_builder_thread *threads; /* one for each of the scope's */
} akin_query_builder;

/* Prepares to build the queries of `source`, which must stay. If `is_measured`, the tokens that no object has are
 * counted. The caller clears *out in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_query_builder_begin(const akin_scope *scope, const akin_query_source *source, akin_query_build build,
                                     int is_measured, akin_query_builder *out, akin_error *error);
void akin_query_builder_clear(akin_query_builder *builder);

/* Builds `count` queries: those whose rows are listed, or else rows `first`, first + 1, ... Unless `sizes` is NULL, it
 * receives the number of distinct tokens of each. Errors: those of build, of the first row that fails;
 * AKIN_E_CANCELLED. */
akin_status akin_query_builder_run(akin_query_builder *builder, const uint32_t *rows, uint32_t first, uint32_t count,
                                   uint32_t *sizes, akin_query_batch *out, akin_error *error);

#endif
