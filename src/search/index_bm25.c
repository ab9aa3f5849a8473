/* Indexes of documents that are ranked by what their terms weigh: an index of weigh/index.h, as a kind of search
 * index. */
#include "search/index_bm25.h"

#include "base/clock.h"
#include "base/options.h"
#include "rank/rank.h"
#include "rank/rank_index.h"
#include "weigh/weigher.h"

/* ----------------------------------------------------------------------------------------------------------- making */

/* Makes it the index of a search index, or frees it if that fails. */
static akin_status wrap_ranking(akin_rank_index *ranking, akin_search_index **out, akin_error *error)
{
    akin_search_index *index = NULL;
    akin_status status =
        akin_search_index_begin(NULL, AKIN_KIND_BM25, ranking->lists.head.documents, NULL, &index, error);
    if (status == AKIN_OK)
        index->ranking = ranking;
    else
        akin_rank_index_free(ranking);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_weights_within(const akin_scope *scope, const akin_weights *weights,
                                                const akin_column *names, akin_search_index **out, akin_error *error)
{
    akin_rank_index *ranking = NULL;
    akin_status status = akin_rank_index_create_within(scope, weights, names, &ranking, error);
    return status == AKIN_OK ? wrap_ranking(ranking, out, error) : status;
}

akin_status akin_search_index_of_weights(akin_context *context, const akin_weights *weights, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_weights_within(akin_scope_of(context), weights, names, out, error);
}

akin_status akin_search_index_of_bm25(const akin_scope *scope, const akin_search_objects *objects,
                                      const akin_search_index_options *options, const akin_column *names,
                                      akin_search_index **out, akin_error *error)
{
    akin_weigh_options own = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_status status = akin_options_read(options->weigh, &own, sizeof own, sizeof own, "akin_weigh_options", error);
    if (status != AKIN_OK)
        return status;
    own.order = AKIN_WEIGHTS_BY_TERM;
    own.text = own.text ? own.text : options->text;
    status = akin_weigh_within(scope, objects->columns, objects->column_count, objects->rows, &own, &weights, error);
    if (status == AKIN_OK)
        status = akin_search_index_of_weights_within(scope, weights, names, out, error);
    akin_weights_free(weights);
    return status;
}

akin_status akin_search_index_take_bm25(const akin_scope *scope, const char *name, akin_container *container,
                                        akin_search_index **out, akin_error *error)
{
    akin_rank_index *ranking = NULL;
    akin_status status = akin_rank_index_of_container(scope, name, container, &ranking, error);
    return status == AKIN_OK ? wrap_ranking(ranking, out, error) : status;
}

akin_status akin_more_bm25(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error)
{
    (void)scope, (void)index, (void)objects, (void)names, (void)out;
    return akin_fail(error, AKIN_E_OPTION,
                     "an index of bm25 is not extended: each document changes the weights of all; make it anew of all");
}

/* ----------------------------------------------------------------------------------------------------------- asking */

akin_status akin_call_admits_bm25(const akin_search_call *call, akin_error *error)
{
    const akin_search_options *o = &call->options;
    if (o->technique != AKIN_SEARCH_AUTO)
        return akin_fail(error, AKIN_E_OPTION,
                         "the technique %s counts matches, and an index of bm25 ranks documents: expected auto",
                         call->technique->choice.name);
    return o->least == 0 ? AKIN_OK
                         : akin_fail(error, AKIN_E_OPTION,
                                     "least is a count of matches, and an index of bm25 ranks documents: expected 0");
}

/* An akin_rank_sink. */
static int hand_on_ranked(void *user, const akin_ranking_hit *found, size_t count)
{
    akin_search_call *call = user;
    akin_error error;
    if (akin_call_reserve(call, count, &error) != AKIN_OK) {
        call->failed = error;
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        call->hits[i] = (akin_search_hit){
            found[i].query, found[i].document, 0, AKIN_CERTIFIED_BY_COUNT, found[i].score, 0,
        };
    call->report.found += count;
    return call->sink(call->user, call->hits, count);
}

akin_status akin_call_rank(akin_search_call *call, uint32_t rows, akin_error *error)
{
    akin_searcher *s = call->searcher;
    const akin_rank_options options = {sizeof options, call->options.k, 0};
    const double begun = akin_clock();
    akin_status status = AKIN_OK;
    if (s->ranking && s->ranks != options.k) {
        akin_ranking_free(s->ranking);
        s->ranking = NULL;
    }
    if (!s->ranking)
        status = akin_ranking_create_within(call->scope, call->index->ranking, &options, &s->ranking, error);
    s->ranks = options.k;
    if (status == AKIN_OK)
        status = akin_ranking_run(s->ranking, call->source.columns, call->source.column_count, rows, hand_on_ranked,
                                  call, error);
    if (status == AKIN_E_CANCELLED && call->failed.code != AKIN_OK) {
        status = call->failed.code;
        if (error)
            *error = call->failed;
    }
    s->device = s->ranking ? akin_ranking_device(s->ranking) : 0;
    s->parts = 1;
    call->report.technique = AKIN_SEARCH_LISTS;
    call->report.by_count = rows;
    call->report.seconds_search = akin_clock() - begun;
    return status;
}
