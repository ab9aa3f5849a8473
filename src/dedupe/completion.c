/* The log odds of all pairs inside components. */
#include "dedupe/completion.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "graph/clusters.h"

#include <stdlib.h>
#include <stdio.h>

#define WHOLE 1500 /* records of a component whose pairs are all scored */

typedef struct completing {
    akin_evidence *evidence;
    akin_scorer **scorers;
    double **each;
    const uint32_t *members;
    const uint64_t *starts;
    double prior;
    akin_found *found; /* of each thread */
} completing;

static double scaled(double log_odds)
{
    double most = getenv("AKIN_LEARN_MOST") ? atof(getenv("AKIN_LEARN_MOST")) : AKIN_LOG_ODDS_MOST;
    const double bounded = log_odds < AKIN_LOG_ODDS_LEAST ? AKIN_LOG_ODDS_LEAST
                           : log_odds > most ? most
                                                          : log_odds;
    return (bounded - AKIN_LOG_ODDS_LEAST) / (AKIN_LOG_ODDS_MOST - AKIN_LOG_ODDS_LEAST);
}

akin_status akin_evidence_cluster(akin_evidence *e, const double *log_odds, double prior, akin_clusters *clusters,
                                  akin_error *error)
{
    akin_dedupe_job *j = e->job;
    const uint32_t records = j->records.count, border = j->records.tables == 2 ? j->records.rows[0] : 0;
    akin_clusters *components = NULL;
    akin_status status = akin_clusters_create_within(j->scope, j->records.rows[0], j->records.rows[1], NULL, &components, error);
    double least = -1;
    for (uint64_t i = 0; i < e->pairs.count && status == AKIN_OK; i++)
        if (log_odds[i] >= least) {
            akin_pair pair = {.left = e->pairs.left[i], .right = e->pairs.right[i] - border};
            status = akin_clusters_add(components, &pair, NULL, 1, error);
        }
    if (status == AKIN_OK)
        status = akin_clusters_close_within(j->scope, components, error);
    /* members by component */
    uint32_t *members = akin_alloc(&j->account, records, sizeof *members);
    uint64_t *starts = akin_alloc_zero(&j->account, (uint64_t)records + 2, sizeof *starts);
    for (uint32_t r = 0; r < records; r++)
        starts[akin_clusters_row(components, r) + 2]++;
    for (uint32_t r = 0; r < records; r++)
        starts[r + 2] += starts[r + 1];
    for (uint32_t r = 0; r < records; r++)
        members[starts[akin_clusters_row(components, r) + 1]++] = r;
    akin_cancellation cancellation = {.scope = j->scope, .cancelled = &j->cancelled, .thread = 0};
    akin_scorer *scorer = akin_scorer_create(&j->scoring, &cancellation);
    double *each = akin_alloc(&j->account, j->options.attribute_count, sizeof *each);
    uint64_t scored = 0, largest = 0;
    for (uint32_t r = 0; r < records && status == AKIN_OK; r++) {
        uint64_t size = starts[r + 1] - starts[r];
        if (size > largest) largest = size;
        if (size < 2 || size > WHOLE)
            continue;
        for (uint64_t x = starts[r]; x < starts[r + 1]; x++)
            for (uint64_t y = x + 1; y < starts[r + 1] && status == AKIN_OK; y++) {
                uint32_t a = members[x], b = members[y];
                double similarity;
                if (!akin_records_meet(&j->records, a, b))
                    continue;
                status = akin_scorer_score(scorer, a, b, &similarity, each);
                scored++;
                double odds = prior + akin_evidence_weigh(e, a, b, each);
                if (odds <= AKIN_LOG_ODDS_LEAST)
                    continue;
                akin_pair pair = {.left = a, .right = b - border};
                similarity = scaled(odds);
                status = akin_clusters_add(clusters, &pair, &similarity, 1, error);
            }
    }
    for (uint64_t i = 0; i < e->pairs.count && status == AKIN_OK; i++) {
        uint32_t root = akin_clusters_row(components, e->pairs.left[i]);
        if (starts[root + 1] - starts[root] <= WHOLE || root != akin_clusters_row(components, e->pairs.right[i]))
            continue;
        akin_pair pair = {.left = e->pairs.left[i], .right = e->pairs.right[i] - border};
        double similarity = scaled(log_odds[i]);
        status = akin_clusters_add(clusters, &pair, &similarity, 1, error);
    }
    fprintf(stderr, "components: largest %llu, scored %llu\n", (unsigned long long)largest, (unsigned long long)scored);
    akin_scorer_free(scorer);
    akin_free(each);
    akin_free(members);
    akin_free(starts);
    akin_clusters_free(components);
    return status;
}
