/* Selects each record with those that are most alike in a column: threads search for one text after the other. */
#include "dedupe/select_nearest.h"

#include "base/budget.h"
#include "base/parallel.h"
#include "dedupe/listed.h"
#include "dedupe/neighbour_search.h"
#include "text/options.h"

static const char what[] = "the nearest records";

akin_status akin_select_nearest_check(const akin_selection *selection, uint32_t at, akin_error *error)
{
    akin_text_options text;
    if (selection->nearest < AKIN_NEAREST_LEAST || selection->nearest > AKIN_NEAREST_MOST)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: the nearest %u records: expected %d to %d", at,
                         selection->nearest, AKIN_NEAREST_LEAST, AKIN_NEAREST_MOST);
    return akin_text_options_read(selection->text, &text, error);
}

double akin_select_nearest_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                    const akin_records *records)
{
    (void)options;
    return (double)records->count * (double)akin_min_u64(selection->nearest, records->count);
}

/* ----------------------------------------------------------------------------------------------------------- search */

typedef struct worker {
    _Alignas(64) akin_neighbour_searcher searcher;
    akin_cancellation cancellation;
} worker;

/* The searches, for the records of each table. */
typedef struct nearest {
    const akin_selecting *job;
    akin_neighbour_texts texts;
    akin_neighbour_lists lists; /* of the other table, */
    akin_neighbour_job search;  /* where the search is */
    uint32_t partners;          /* of a record, at most */
    uint64_t *pairs;            /* for each record that many: lower << 32 | higher, or none */
    worker *workers;
    uint32_t threads;
    atomic_int cancelled;
} nearest;

/* Stores the pairs of a record with those that were found, but itself. Of one table there may be one too many: the
 * worst one, which is the first. */
static void store_pairs(const nearest *n, const akin_neighbour_query *q, uint32_t record)
{
    uint64_t *to = n->pairs + (uint64_t)record * n->partners, stored = 0;
    int is_found = 0;
    for (uint32_t i = q->best.held; i-- > 0;) {
        const uint32_t partner = q->rows[q->best.keys[i]];
        is_found |= partner == record;
        if (partner != record && (i > 0 || is_found || stored < n->partners))
            to[stored++] = akin_listed_pair(record, partner);
    }
}

/* Searches for a batch of texts. */
static akin_status search_texts(void *argument, uint64_t task, uint32_t thread)
{
    nearest *n = argument;
    worker *w = &n->workers[thread];
    const uint32_t first = (uint32_t)(task * AKIN_NEIGHBOUR_BATCH);
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * AKIN_NEIGHBOUR_BATCH, n->texts.count);
    if (!akin_neighbour_search(&w->searcher, first, end, &w->cancellation))
        return AKIN_E_CANCELLED;
    for (uint32_t text = first; text < end; text++) {
        const akin_neighbour_rows rows = akin_neighbour_rows_of(&n->texts, text, n->search.asking);
        for (uint32_t i = 0; i < rows.count; i++)
            store_pairs(n, &w->searcher.queries[text - first], rows.rows[i]);
    }
    return AKIN_OK;
}

/* As many workers as there are threads, or as memory has room for. */
static akin_status make_workers(nearest *n)
{
    const uint32_t threads = akin_scope_threads(n->job->scope);
    n->workers = akin_alloc_zero(n->job->account, threads, sizeof *n->workers);
    while (n->workers && n->threads < threads) {
        worker *w = &n->workers[n->threads];
        w->cancellation = (akin_cancellation){.scope = n->job->scope, .cancelled = &n->cancelled, .thread = n->threads};
        if (!akin_neighbour_searcher_make(&n->search, n->job->account, &w->searcher)) {
            akin_neighbour_searcher_clear(&w->searcher);
            break;
        }
        n->threads++;
    }
    return n->threads > 0 ? AKIN_OK : AKIN_E_NOMEM;
}

static void clear_workers(nearest *n)
{
    for (uint32_t t = 0; t < n->threads; t++)
        akin_neighbour_searcher_clear(&n->workers[t].searcher);
    akin_free(n->workers);
    n->workers = NULL;
    n->threads = 0;
}

/* Searches the other table, or the only one, for the records of a table. */
static akin_status search_for(nearest *n, uint32_t table, akin_error *error)
{
    const akin_selecting *job = n->job;
    const uint32_t tables = n->texts.records->tables, other = tables == 2 ? 1 - table : table;
    n->search = (akin_neighbour_job){.texts = &n->texts,
                                     .lists = &n->lists,
                                     .table = other,
                                     .asking = table,
                                     .k = n->partners + (tables == 1)}; /* it finds the record itself, too */
    akin_neighbour_job_begin(&n->search);
    akin_status status = akin_neighbour_lists_make(job->scope, job->account, &n->texts, other, &n->lists, error);
    if (status == AKIN_OK) {
        status = make_workers(n);
        const akin_scope few = akin_scope_narrow(job->scope, (akin_narrowing){.threads = n->threads});
        if (status == AKIN_OK)
            status = akin_parallel_long(&few, "selecting", akin_ceil_div(n->texts.count, AKIN_NEIGHBOUR_BATCH),
                                        search_texts, n, &n->cancelled);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    clear_workers(n);
    akin_neighbour_lists_clear(&n->lists);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* The most partners that a record can have. */
static uint32_t partners_of(const akin_selection *selection, const akin_records *records)
{
    const uint32_t most = records->tables == 2 ? akin_max_u32(records->rows[0], records->rows[1]) : records->count;
    return (uint32_t)akin_min_u64(selection->nearest, most);
}

akin_status akin_select_nearest(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const akin_selection *selection = job->selection;
    const akin_records *records = selector->records;
    nearest n = {.job = job, .partners = partners_of(selection, records)};
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    text.tokens = AKIN_NEAREST_TOKENS;
    akin_status status = selection->text ? akin_text_options_read(selection->text, &text, error) : AKIN_OK;
    text.counts = &selector->known.texts;
    if (status == AKIN_OK)
        status = akin_neighbour_texts_make(job->scope, job->account, job->values[selection->parts[0].column], &text,
                                           &n.texts, error);
    const uint64_t count = (uint64_t)records->count * n.partners;
    if (status == AKIN_OK && !(n.pairs = akin_alloc(job->account, count, sizeof *n.pairs)))
        status = akin_fail_memory(error, what);
    for (uint64_t i = 0; n.pairs && i < count && status == AKIN_OK; i++)
        n.pairs[i] = AKIN_LISTED_NONE;
    for (uint32_t table = 0; table < records->tables && status == AKIN_OK; table++)
        status = search_for(&n, table, error);
    akin_neighbour_texts_clear(&n.texts);
    if (status == AKIN_OK)
        status = akin_listed_make(job, n.pairs, count, selector, error);
    akin_free(n.pairs);
    return status;
}
