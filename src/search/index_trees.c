/* Indexes of trees: stored trees (trees/stored.h), as a kind of search index. */
#include "search/index_trees.h"

#include "base/clock.h"
#include "base/options.h"
#include "device/devices.h"
#include "table/columns.h"
#include "trees/join.h"
#include "trees/stored_search.h"

/* ----------------------------------------------------------------------------------------------------------- making */

static akin_status begin_trees(akin_search_index *index, akin_error *error)
{
    index->trees = akin_alloc_zero(NULL, 1, sizeof *index->trees);
    return index->trees ? AKIN_OK : akin_fail_memory(error, "a search index");
}

akin_status akin_search_index_of_trees(const akin_scope *scope, const akin_search_objects *objects,
                                       const akin_search_index_options *options, const akin_column *names,
                                       akin_search_index **out, akin_error *error)
{
    akin_trees_options own;
    akin_search_index *index = NULL;
    akin_status status = akin_trees_options_read(options->trees, &own, error);
    if (status == AKIN_OK && objects->column_count != 1)
        status = akin_fail(error, AKIN_E_OPTION, "trees are one column, and %u are given", objects->column_count);
    if (status == AKIN_OK)
        status = akin_table_columns_check(objects->columns, 1, objects->rows, "index trees of", error);
    if (status == AKIN_OK)
        status = akin_search_index_begin(scope, AKIN_KIND_TREES, objects->rows, names, &index, error);
    if (status == AKIN_OK)
        status = begin_trees(index, error);
    if (status == AKIN_OK)
        status = akin_stored_trees_make(scope, own.format, objects->columns, objects->rows, index->trees, error);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_take_trees(const akin_scope *scope, const char *name, akin_search_index *index,
                                   akin_error *error)
{
    const akin_status status = begin_trees(index, error);
    return status == AKIN_OK ? akin_stored_trees_take(scope, name, index->head.rows,
                                                      index->sections + AKIN_SEARCH_STORED, index->trees, error)
                             : status;
}

akin_status akin_more_trees(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                            const akin_column *names, akin_search_index **out, akin_error *error)
{
    (void)scope, (void)index, (void)objects, (void)names, (void)out;
    return akin_fail(error, AKIN_E_OPTION,
                     "an index of trees is not extended: each tree changes how rare the labels of all are; make it "
                     "anew of all");
}

/* ----------------------------------------------------------------------------------------------------------- asking */

akin_status akin_call_admits_trees(const akin_search_call *call, akin_error *error)
{
    const akin_search_options *o = &call->options;
    if (akin_device_is_required(call->searcher->scope))
        return akin_fail(error, AKIN_E_OPTION, "trees are searched on the CPU alone: use the device cpu or auto");
    if (o->technique != AKIN_SEARCH_AUTO && o->technique != AKIN_SEARCH_SCAN)
        return akin_fail(error, AKIN_E_OPTION, "the technique %s counts matches: expected auto or scan for trees",
                         call->technique->choice.name);
    if (o->least > 0)
        return akin_fail(error, AKIN_E_OPTION, "a least count of %u; trees have distances", o->least);
    if (o->one_round > 0 && o->candidates == 0)
        return akin_fail(error, AKIN_E_OPTION, "one round of candidates; expected to be told how many these are");
    return call->source.column_count == 1
               ? AKIN_OK
               : akin_fail(error, AKIN_E_OPTION, "queries for trees are one column, and %u are given",
                           call->source.column_count);
}

/* An akin_stored_sink. */
static int hand_on_trees(void *user, uint32_t query, const uint64_t *keys, uint32_t count, akin_certificate certificate)
{
    akin_search_call *call = user;
    akin_error error;
    if (akin_call_reserve(call, count, &error) != AKIN_OK) {
        call->failed = error;
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        call->hits[i] = (akin_search_hit){query, (uint32_t)keys[i], (uint32_t)(keys[i] >> 32), certificate, 0, 0};
    call->report.by_count += certificate == AKIN_CERTIFIED_BY_COUNT;
    call->report.by_scan += certificate == AKIN_CERTIFIED_BY_SCAN;
    call->report.uncertified += certificate == AKIN_CERTIFICATE_NONE;
    call->report.found += count;
    return count > 0 ? call->sink(call->user, call->hits, count) : 0;
}

akin_status akin_call_trees(akin_search_call *call, uint32_t rows, akin_error *error)
{
    const akin_search_options *o = &call->options;
    const akin_stored_wanted wanted = {o->k, o->within, o->one_round ? o->candidates : 0,
                                       o->technique == AKIN_SEARCH_SCAN};
    const double begun = akin_clock();
    akin_stored_report report = {0, 0};
    int damaged = 0;
    akin_status status = akin_stored_search(call->scope, call->index->trees, call->source.columns, rows, &wanted,
                                            hand_on_trees, call, &report, &damaged, error);
    if (damaged)
        status = akin_search_refuse("the index", "the sizes of its trees are not what they must be", error);
    if (status == AKIN_E_CANCELLED && call->failed.code != AKIN_OK) {
        status = call->failed.code;
        if (error)
            *error = call->failed;
    }
    call->report.technique = wanted.by_bounds ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS;
    call->report.seconds_search = akin_clock() - begun;
    return status;
}
