/* Near-duplicates of a column: passes over its documents. */
#include "corpus/near_duplicates.h"

#include "base/budget.h"
#include "base/bulk.h"
#include "base/clock.h"
#include "base/context.h"
#include "corpus/chained.h"
#include "corpus/duplicates.h"
#include "corpus/near_count.h"
#include "corpus/near_survive.h"
#include "corpus/preference.h"
#include "corpus/sources.h"

/* -------------------------------------------------------------------------------------------------------------- job */

static akin_status begin_workers(akin_near_job *j)
{
    j->workers = akin_alloc_zero(&j->account, j->scope->threads, sizeof *j->workers);
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler *both[] = {&j->workers[i].own, &j->workers[i].other};
        for (int side = 0; side < 2; side++) {
            akin_shingler_begin(both[side], j->scope->cpu, &j->account, &j->options.text);
            both[side]->mask = j->mask;
        }
        j->workers[i].own_row = AKIN_NO_ROW;
    }
    return j->workers ? AKIN_OK : AKIN_E_NOMEM;
}

static void clear(akin_near_job *j)
{
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler_clear(&j->workers[i].own);
        akin_shingler_clear(&j->workers[i].other);
        akin_free(j->workers[i].hashes);
    }
    akin_free(j->workers);
    akin_free(j->rooms);
    akin_free(j->bags);
    akin_free(j->verdicts);
    for (int side = 0; side < 2; side++) {
        akin_free(j->batches[side].places);
        akin_free(j->batches[side].wanted);
        akin_free(j->batches[side].rare);
    }
    akin_bags_gpu_free(j->gpu);
    akin_bulk_clear(&j->gpu_places);
    akin_bulk_clear(&j->gpu_sizes);
    akin_frequencies_clear(&j->frequencies);
    akin_frequent_free(j->frequent);
    akin_bulk_clear(&j->order);
    akin_bulk_clear(&j->sources);
}

static akin_status run(akin_near_job *j, akin_duplicates_report *out, akin_error *error)
{
    akin_survivors_report report = {0};
    const double begun = akin_clock();
    akin_status status = AKIN_OK;
    if (j->options.own.comparing != AKIN_COMPARE_ALL)
        status = akin_sources_number(j->scope, &j->options.own, j->rows, &j->sources, &j->source_count, error);
    if (status == AKIN_OK && begin_workers(j) != AKIN_OK)
        status = akin_fail_memory(error, akin_near_what);
    if (status == AKIN_OK)
        status = akin_near_count(j, error);
    if (status == AKIN_OK && j->options.own.ignore_frequent > 0)
        status = akin_near_find_frequent(j, error);
    const double counted = akin_clock();
    if (status == AKIN_OK)
        status = akin_near_survive(j, &report, error);
    *out = (akin_duplicates_report){.size = sizeof *out,
                                    .documents = j->rows,
                                    .kept = report.kept,
                                    .empty = j->empty,
                                    .ignored = j->ignored,
                                    .emptied = j->emptied,
                                    .candidates = report.candidates,
                                    .compared = report.compared,
                                    .refuted = report.refuted,
                                    .rounds = report.rounds,
                                    .memory_peak = report.memory_peak,
                                    .seconds_frequency = counted - begun,
                                    .seconds_survivors = akin_clock() - counted,
                                    .on_device = j->on_device,
                                    .device = j->gpu ? akin_device_first(j->scope) + 1 : 0};
    return status;
}

akin_status akin_duplicates_find_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t mask, akin_duplicates **out,
                                        akin_error *error)
{
    akin_scope narrow = *scope;
    narrow.threads = akin_scope_threads(scope);
    akin_near_job j = {
        .scope = &narrow, .mask = mask, .column = documents, .rows = rows, .source_count = 1, .bad = AKIN_BAD_ROW_NONE};
    akin_duplicates *duplicates = NULL;
    akin_account_begin(&j.account, scope);
    j.order = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    j.sources = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    j.gpu_places = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    j.gpu_sizes = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    akin_status status = akin_near_options_read(scope, documents, rows, options, &j.options, error);
    if (status == AKIN_OK)
        status = akin_duplicates_make(scope, rows, &duplicates, error);
    if (status == AKIN_OK) {
        j.found = duplicates->found.data;
        duplicates->measure = (akin_measure)j.options.own.measure;
        status = akin_preference_order(scope, &j.account, &j.options.own, documents, rows, &j.order, error);
    }
    if (status == AKIN_OK && j.options.own.components)
        status = akin_chained_find(scope, documents, rows, &j.options, j.order.data, duplicates, error);
    else if (status == AKIN_OK)
        status = run(&j, &duplicates->report, error);
    clear(&j);
    if (status != AKIN_OK) {
        akin_duplicates_free(duplicates);
        return status;
    }
    *out = duplicates;
    return AKIN_OK;
}

akin_status akin_duplicates_find(akin_context *context, const akin_column *documents, uint32_t rows,
                                 const akin_duplicates_options *options, akin_duplicates **out, akin_error *error)
{
    return akin_duplicates_find_within(akin_scope_of(context), documents, rows, options, UINT64_MAX, out, error);
}
