/* Learns the weights of a job from the pairs that it has gathered, and keeps the pairs that are probable. */
#include "base/bits.h"
#include "base/elementary.h"
#include "dedupe/completion.h"
#include "dedupe/evidence.h"
#include "dedupe/job.h"
#include "dedupe/matching.h"
#include "learn/estimate.h"
#include "learn/expected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump(const akin_evidence *e, const double *probabilities, const akin_estimate *est)
{
    const char *path = getenv("AKIN_LEARN_DUMP");
    if (!path)
        return;
    FILE *f = fopen(path, "w");
    fprintf(f, "# way %d rounds %u expected %.3f tempering %.4f pairs %llu all %llu\n", (int)est->way, est->rounds,
            e->model.expected, e->model.tempering, (unsigned long long)e->pairs.count, (unsigned long long)e->pairs.all);
    for (uint32_t c = 0; c < e->model.count; c++) {
        const char *name = e->job->records.columns[0][e->comparisons[c].column].name;
        fprintf(f, "# %s:", name ? name : "?");
        for (uint32_t l = 0; l < e->models[c].levels; l++)
            fprintf(f, " [%.4f %.2e %.2f]", e->models[c].m[l], e->models[c].u[l], e->models[c].weights[l] / 0.693147);
        fprintf(f, "\n");
    }
    for (uint64_t i = 0; i < e->pairs.count; i++) {
        fprintf(f, "%u,%u,%.6f,%.3f", e->pairs.left[i], e->pairs.right[i], probabilities[i], e->pairs.rarity[i]);
        for (uint32_t c = 0; c < e->model.count; c++)
            fprintf(f, ",%d", e->pairs.levels[i * e->model.count + c] & AKIN_LEVEL);
        fprintf(f, "\n");
    }
    fclose(f);
}

/* Keeps the pairs whose probability reaches the threshold. */
static void keep_pairs(akin_evidence *e, const uint64_t *numbers, const double *probabilities, uint64_t count,
                       double threshold)
{
    const uint64_t attributes = e->job->options.attribute_count;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t from = numbers[i];
        if (probabilities[from] < threshold)
            continue;
        e->found.pairs[kept] = e->found.pairs[from];
        e->found.pairs[kept].similarity = probabilities[from];
        memmove(e->found.each + kept * attributes, e->found.each + from * attributes,
                attributes * sizeof *e->found.each);
        kept++;
    }
    e->found.count = kept;
}

static akin_status answer(akin_evidence *e, double *probabilities, int is_one_to_one, akin_error *error)
{
    akin_dedupe_job *j = e->job;
    uint64_t count = e->pairs.count;
    uint64_t *numbers = akin_alloc(&j->account, count, sizeof *numbers);
    uint32_t *billionths = akin_alloc(&j->account, count, sizeof *billionths);
    akin_scored_pair *pairs = akin_alloc(&j->account, count, sizeof *pairs);
    double *chosen = akin_alloc(&j->account, count, sizeof *chosen);
    int done = numbers && billionths && pairs && chosen;
    akin_expected expected = {0};
    akin_status status = AKIN_OK;
    double matches = 0;
    for (uint64_t i = 0; i < count && done; i++) {
        numbers[i] = i;
        billionths[i] = akin_billionths_of(probabilities[i]);
        pairs[i] = e->found.pairs[i];
        matches += probabilities[i];
    }
    if (done && is_one_to_one)
        done = akin_matching_choose(&j->account, pairs, billionths, numbers, &count, j->records.rows[0],
                                    j->records.rows[1]);
    if (!done)
        status = akin_fail_memory(error, "the pairs found");
    for (uint64_t i = 0; i < count && done; i++)
        chosen[i] = probabilities[numbers[i]];
    if (status == AKIN_OK)
        status = akin_expected_choose(j->scope, &j->account, chosen, count, matches, 0, &expected, error);
    if (status == AKIN_OK && j->options.threshold.num > 0)
        expected.threshold = akin_ratio_value(j->options.threshold);
    if (getenv("AKIN_LEARN_DUMP"))
        fprintf(stderr, "threshold %.4f matches %.2f right %.2f accepted %llu\n", expected.threshold, expected.matches,
                expected.right, (unsigned long long)expected.accepted);
    if (status == AKIN_OK)
        keep_pairs(e, numbers, probabilities, count, expected.threshold);
    akin_free(numbers);
    akin_free(billionths);
    akin_free(pairs);
    akin_free(chosen);
    return status;
}

akin_status akin_dedupe_learn(akin_dedupe_job *job, akin_error *error)
{
    akin_dedupe_job *j = job;
    akin_evidence e;
    akin_status status = akin_evidence_make(j, &e, error);
    double *probabilities = akin_alloc(&j->account, e.pairs.count, sizeof *probabilities);
    const char *way = getenv("AKIN_LEARN_WAY");
    akin_estimate estimate = {.scope = j->scope, .account = &j->account, .pairs = &e.pairs};
    estimate.way = way ? (akin_posterior_way)atoi(way)
                       : j->records.tables == 2 ? AKIN_POSTERIOR_MATCHING : AKIN_POSTERIOR_COMPETITION;
    if (getenv("AKIN_LEARN_TEMPER") ? atoi(getenv("AKIN_LEARN_TEMPER")) : estimate.way != AKIN_POSTERIOR_FREE) {
        estimate.random = e.random;
        estimate.random_count = akin_min_u64(e.random_count, 65536);
    }
    if (status == AKIN_OK && !probabilities)
        status = akin_fail_memory(error, "the probabilities of pairs");
    if (status == AKIN_OK)
        status = akin_estimate_run(&estimate, &e.model, probabilities, error);
    if (status == AKIN_OK)
        dump(&e, probabilities, &estimate);
    if (status == AKIN_OK && j->options.clusters) {
        double *odds = akin_alloc(&j->account, e.pairs.count, sizeof *odds);
        const double prior = akin_logarithm_of(e.model.expected / ((double)e.pairs.all - e.model.expected));
        for (uint64_t i = 0; i < e.pairs.count; i++)
            odds[i] = prior + e.model.tempering * (akin_level_weights(&e.model, e.pairs.levels + i * e.model.count) + (double)e.pairs.rarity[i]);
        status = akin_evidence_cluster(&e, odds, prior, j->options.clusters, error);
        akin_free(odds);
    }
    if (status == AKIN_OK)
        status = answer(&e, probabilities, estimate.way != AKIN_POSTERIOR_FREE, error);
    if (status == AKIN_OK) {
        j->workers[0].found = e.found;
        e.found = (akin_found){0};
        j->found = j->report.pairs_found = j->workers[0].found.count;
    }
    akin_free(probabilities);
    akin_evidence_clear(&e);
    return status;
}
