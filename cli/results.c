/* What comes of a join: the number of pairs, the pairs, or the clusters, and beside them the records without
 * duplicates. */
#include "results.h"

#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "number.h"

akin_status akin_cli_results_open(akin_cli_job *job, const akin_cli_wanted *wanted, akin_cli_results *out,
                                  akin_error *error)
{
    *out = (akin_cli_results){.wanted = wanted};
    const char *format = wanted->count ? "" : wanted->shown[1]; /* a number is no table */
    akin_status status = akin_cli_job_open(job, wanted->shown[0], format, &out->output, error);
    if (status == AKIN_OK && wanted->sharded)
        status = akin_cli_shards_open(job, "deduplicated", wanted->deduplicated, &wanted->sharded, 1, wanted->options,
                                      &out->shards, error);
    else if (status == AKIN_OK && wanted->deduplicated)
        status = akin_cli_job_open(job, wanted->deduplicated, "", &out->records, error);
    return status == AKIN_OK ? status : akin_cli_results_close(out, job, status, error);
}

/* Hands pairs on to whom they concern. */
static int hand_on_pairs(void *user, const akin_pair *batch, size_t count)
{
    akin_cli_results *results = user;
    if (results->grouped && akin_clusters_sink(results->grouped, batch, count) != 0)
        return 1;
    return results->pairs ? akin_cli_pairs_sink(results->pairs, batch, count) : 0;
}

static akin_status write_number(akin_cli_results *results, uint64_t count, akin_error *error)
{
    char text[AKIN_CLI_NUMBER];
    int length = snprintf(text, sizeof text, "%" PRIu64 "\n", count);
    return akin_output_write(results->output, text, (size_t)length, error);
}

/* Makes what pairs go to. */
static akin_status begin_results(akin_cli_results *results, akin_cli_job *job, const akin_cli_source *left,
                                 const akin_cli_source *right, akin_error *error)
{
    const akin_cli_wanted *wanted = results->wanted;
    const akin_cli_source *other = right ? right : left;
    akin_status status = AKIN_OK;
    if (wanted->clusters || wanted->deduplicated)
        status = akin_clusters_create(job->context, left->rows, right ? right->rows : 0, &results->grouped, error);
    if (status != AKIN_OK || wanted->count || wanted->clusters)
        return status;
    status = akin_cli_scores_create(job, wanted->sets.measure, &wanted->strings, wanted->digits, left, other,
                                    &results->scores, error);
    results->shown = (akin_cli_shown){.format = wanted->format,
                                      .count = wanted->show.count,
                                      .names = wanted->show.names[0],
                                      .right = wanted->show.names[1],
                                      .prefix = {"left_", "right_"},
                                      .side = {left->shown, other->shown}};
    if (status == AKIN_OK)
        status = akin_cli_pairs_begin(results->output, wanted->format, results->scores, &left->names, &other->names,
                                      &results->shown, &results->pairs, error);
    return status;
}

/* Joins, and hands on the pairs if anybody wants them. */
static akin_status join_results(akin_cli_results *results, akin_cli_job *job, const akin_cli_source *left,
                                const akin_cli_source *right, uint64_t *count, akin_cli_report *report,
                                akin_error *error)
{
    const akin_cli_wanted *wanted = results->wanted;
    akin_pair_sink to = results->grouped || results->pairs ? hand_on_pairs : NULL;
    const uint32_t any_order = !results->pairs; /* clusters need no order, and so no pairs are kept */
    const uint32_t connecting =
        results->grouped && !results->pairs && wanted->sets.top == 0 && wanted->strings.top == 0;
    akin_join_options how = wanted->sets;
    if (wanted->strings.trees)
        return akin_cli_strings_join_trees(job, &wanted->strings, left, right, any_order, connecting, to, results,
                                           count, &report->trees, error);
    if (wanted->strings.graphs)
        return akin_cli_strings_join_graphs(job, &wanted->strings, left, right, any_order, connecting, to, results,
                                            count, &report->graphs, error);
    if (wanted->strings.wanted)
        return akin_cli_strings_join(job, &wanted->strings, left, right, any_order, connecting, to, results, count,
                                     &report->strings, error);
    how.any_order = any_order;
    how.connecting = connecting;
    return akin_join(job->context, left->sets, right ? right->sets : NULL, &how, to, results, count, &report->sets,
                     error);
}

akin_status akin_cli_results_join(akin_cli_results *results, akin_cli_job *job, const akin_cli_source *left,
                                  const akin_cli_source *right, akin_cli_report *report, akin_error *error)
{
    const akin_cli_wanted *wanted = results->wanted;
    akin_status status = begin_results(results, job, left, right, error);
    if (status == AKIN_OK)
        status = join_results(results, job, left, right, &results->count, report, error);
    if (results->pairs)
        status = akin_cli_pairs_finish(results->pairs, status, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK && wanted->count)
        status = write_number(results, results->count, error);
    if (status == AKIN_OK && results->grouped) {
        akin_clusters_finish(results->grouped);
        results->shape.size = sizeof results->shape;
        status = akin_clusters_describe(results->grouped, &results->shape, error);
    }
    const akin_cli_clusters_form form = {.format = wanted->format,
                                         .least = wanted->clusters_of,
                                         .show = wanted->show.names[0],
                                         .show_count = wanted->show.count};
    if (status == AKIN_OK && wanted->clusters)
        status = akin_cli_clusters_write(results->grouped, left, right, &form, results->output, error);
    if (status == AKIN_OK && wanted->deduplicated)
        status = akin_cli_kept_of_clusters(results->grouped, &results->kept, error);
    if (status == AKIN_OK && wanted->sharded)
        status = akin_cli_shards_write(job, &results->shards, &results->kept, left->table, error);
    else if (status == AKIN_OK && wanted->deduplicated)
        status = akin_cli_kept_write(&results->kept, left->table, wanted->input, wanted->input_format, results->records,
                                     error);
    return status;
}

/* Notes what was written, for the end of the job. */
static void note_written(const akin_cli_results *results, akin_cli_job *job)
{
    const akin_cli_wanted *wanted = results->wanted;
    if (wanted->clusters)
        akin_cli_clusters_wrote(job, wanted->output, results->grouped, wanted->clusters_of);
    else if (wanted->count)
        akin_cli_job_wrote(job, wanted->output, 1, "numbers");
    else
        akin_cli_job_wrote(job, wanted->output, results->count, "pairs");
    if (wanted->deduplicated)
        akin_cli_kept_wrote(job, wanted->deduplicated, &results->kept);
}

akin_status akin_cli_results_close(akin_cli_results *results, akin_cli_job *job, akin_status status, akin_error *error)
{
    akin_output *const outputs[2] = {results->output, results->records};
    size_t count = results->records ? 2 : 1;
    if (status == AKIN_OK)
        status = akin_cli_job_commit(outputs, count, error);
    else
        for (size_t i = 0; i < count; i++)
            akin_output_discard(outputs[i]);
    if (status == AKIN_OK)
        status = akin_cli_job_show(job, error);
    if (status == AKIN_OK && results->grouped)
        akin_clusters_warn(&results->shape, results->count, akin_cli_warn_of, NULL);
    if (status == AKIN_OK)
        note_written(results, job);
    akin_cli_kept_clear(&results->kept);
    akin_cli_shards_clear(&results->shards);
    akin_cli_pairs_free(results->pairs);
    akin_cli_shown_clear(&results->shown);
    akin_cli_scores_free(results->scores);
    akin_clusters_free(results->grouped);
    *results = (akin_cli_results){0};
    return status;
}
