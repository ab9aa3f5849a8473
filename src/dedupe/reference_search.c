/* Searches the left table for the neighbours of its own texts, once by runs of characters and once by words. */
#include "dedupe/reference_search.h"

#include "base/bits.h"
#include "base/budget.h"
#include "dedupe/neighbour_search.h"
#include "text/options.h"

#define RUN 3 /* characters of a run */

static const char what[] = "the neighbours of the reference table";

typedef struct worker {
    _Alignas(64) akin_neighbour_searcher searcher;
    akin_cancellation cancellation;
} worker;

typedef struct search {
    const akin_scope *scope;
    akin_account *account;
    const akin_values *values;
    uint32_t *partners;
    akin_neighbour_texts texts;
    akin_neighbour_lists lists;
    akin_neighbour_job job;
    worker *workers;
    uint32_t threads;
    atomic_int cancelled;
} search;

/* Adds a partner to those of a value, unless it is there. */
static void add_partner(const search *s, uint32_t value, uint32_t partner)
{
    uint32_t *of = s->partners + (uint64_t)value * AKIN_REFERENCE_MOST;
    uint32_t i = 0;
    while (i < AKIN_REFERENCE_MOST && of[i] != AKIN_VALUE_NONE && of[i] != partner)
        i++;
    if (i < AKIN_REFERENCE_MOST && partner != value)
        of[i] = partner;
}

/* Searches for a batch of texts. */
static akin_status search_batch(void *argument, uint64_t task, uint32_t thread)
{
    search *s = argument;
    worker *w = &s->workers[thread];
    const uint32_t first = (uint32_t)(task * AKIN_NEIGHBOUR_BATCH);
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * AKIN_NEIGHBOUR_BATCH, s->texts.count);
    if (!akin_neighbour_search(&w->searcher, first, end, &w->cancellation))
        return AKIN_E_CANCELLED;
    for (uint32_t text = first; text < end; text++) {
        const akin_neighbour_query *q = &w->searcher.queries[text - first];
        const akin_neighbour_rows rows = akin_neighbour_rows_of(&s->texts, text, 0);
        for (uint32_t i = 0; rows.count > 0 && i < q->best.held; i++)
            add_partner(s, s->values->of[rows.rows[0]], s->values->of[q->rows[q->best.keys[i]]]);
    }
    return AKIN_OK;
}

/* As many workers as there are threads, or as memory has room for. */
static akin_status make_workers(search *s)
{
    const uint32_t threads = akin_scope_threads(s->scope);
    s->workers = akin_alloc_zero(s->account, threads, sizeof *s->workers);
    while (s->workers && s->threads < threads) {
        worker *w = &s->workers[s->threads];
        w->cancellation = (akin_cancellation){.scope = s->scope, .cancelled = &s->cancelled, .thread = s->threads};
        if (!akin_neighbour_searcher_make(&s->job, s->account, &w->searcher)) {
            akin_neighbour_searcher_clear(&w->searcher);
            break;
        }
        s->threads++;
    }
    return s->threads > 0 ? AKIN_OK : AKIN_E_NOMEM;
}

static akin_status run_search(search *s)
{
    akin_status status = make_workers(s);
    const akin_scope few = akin_scope_narrow(s->scope, (akin_narrowing){.threads = s->threads});
    if (status == AKIN_OK)
        status = akin_parallel_long(&few, "selecting", akin_ceil_div(s->texts.count, AKIN_NEIGHBOUR_BATCH),
                                    search_batch, s, &s->cancelled);
    for (uint32_t t = 0; t < s->threads; t++)
        akin_neighbour_searcher_clear(&s->workers[t].searcher);
    akin_free(s->workers);
    s->workers = NULL;
    s->threads = 0;
    return status;
}

/* Searches by tokens of a kind. */
static akin_status search_by(search *s, const akin_text_options *text, akin_error *error)
{
    akin_text_options own;
    akin_status status = akin_text_options_read(text, &own, error);
    if (status == AKIN_OK)
        status = akin_neighbour_texts_make(s->scope, s->account, s->values, &own, &s->texts, error);
    s->job = (akin_neighbour_job){.texts = &s->texts, .lists = &s->lists};
    s->job.k = (uint32_t)akin_min_u64(AKIN_REFERENCE_NEAREST + 1, s->values->records->rows[0]); /* itself, too */
    if (status == AKIN_OK) {
        akin_neighbour_job_begin(&s->job);
        status = akin_neighbour_lists_make(s->scope, s->account, &s->texts, 0, &s->lists, error);
    }
    if (status == AKIN_OK && s->job.k > 0 && (status = run_search(s)) != AKIN_OK)
        akin_fail_stopped(error, status, what);
    akin_neighbour_lists_clear(&s->lists);
    akin_neighbour_texts_clear(&s->texts);
    return status;
}

akin_status akin_reference_search(const akin_scope *scope, akin_account *account, const akin_values *values,
                                  uint32_t *partners, akin_error *error)
{
    search s = {.scope = scope, .account = account, .values = values, .partners = partners};
    akin_text_options runs = AKIN_TEXT_OPTIONS_INIT, words = AKIN_TEXT_OPTIONS_INIT;
    for (uint64_t i = 0; i < (uint64_t)values->count * AKIN_REFERENCE_MOST; i++)
        partners[i] = AKIN_VALUE_NONE;
    runs.tokens = AKIN_TOKENS_QGRAMS;
    runs.q = RUN;
    runs.fold = 1;
    const akin_status status = search_by(&s, &runs, error);
    return status == AKIN_OK ? search_by(&s, &words, error) : status;
}
