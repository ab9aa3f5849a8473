/* Asks queries, which become items, on all threads: each asks some at a time, and all are put together in their order. */
#ifndef AKIN_SEARCH_ASKER_H
#define AKIN_SEARCH_ASKER_H

#include "search/index.h"

typedef akin_status (*akin_ask)(akin_questions *questions, uint32_t row, akin_asked *asked, akin_error *error);

/* What a thread asks with. */
typedef struct akin_asker_thread {
    akin_questions questions; /* the caller's, but for an analyser and room of its own */
    akin_asked asked;
    akin_error error;
    uint64_t failed; /* the task that did */
} akin_asker_thread;

typedef struct akin_asker {
    const akin_scope *scope;
    akin_ask ask;
    akin_asker_thread *threads; /* one for each of the scope's */
} akin_asker;

/* Makes ready to ask what `questions` say, which must stay; the tokens that no object has are counted if `is_measured`. To be cleared
 * in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_asker_begin(const akin_scope *scope, const akin_questions *questions, akin_ask ask, int is_measured,
                             akin_asker *out, akin_error *error);
void akin_asker_clear(akin_asker *asker);

/* Asks `count` queries: those whose rows are listed, or else rows `first`, first + 1, ...; sizes, unless it is NULL, gets the distinct
 * tokens of each. Errors: those of ask, of the first row that fails; AKIN_E_CANCELLED. */
akin_status akin_asker_run(akin_asker *asker, const uint32_t *rows, uint32_t first, uint32_t count, uint32_t *sizes,
                           akin_asked *out, akin_error *error);

#endif
