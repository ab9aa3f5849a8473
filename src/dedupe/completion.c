/* Scores the pairs inside components. */
#include "dedupe/completion.h"

#include "base/bits.h"
#include "dedupe/sources.h"
#include "graph/clusters.h"
#include "learn/reaching.h"
#include "strings/decision.h"

#define TASK_ROWS 64
#define AT_ONCE   ((uint64_t)1 << 20) /* pairs that are added to clusters, */
#define ADDED     65536               /* and of a task */
#define UNITS     1073741824          /* of a probability, so that the sum of 2^34 of them is below 2^64 */

/* The pairs that a thread has scored. */
typedef struct scored_pairs {
    _Alignas(64) akin_scored_pair *pairs;
    uint64_t count, room;
} scored_pairs;

typedef struct completion {
    akin_training *training;
    const akin_training_scorers *scorers;
    double counted;                  /* the least probability that is kept */
    akin_clusters *found;            /* components of the pairs found, */
    akin_clusters *clustered;        /* and of the pairs that clusters are made of, which may be the same; NULL: none
                                      * are wanted */
    const akin_clusters *components; /* the larger ones of these, whose pairs are scored */
    uint64_t *followers, follower_count; /* their records behind the first ones (clusters.h) */
    scored_pairs *scored;                /* of each thread, those that are kept, */
    scored_pairs *more;                  /* and those of one component of pairs found that no selection has */
    double threshold;                    /* the least probability of `more` */
    atomic_int has_large;                /* there are components that are too large */
} completion;

/* Pairs of the training, by their numbers. */
typedef struct listing {
    const akin_training *training;
    const uint64_t *numbers;
    uint64_t count;
    akin_pair *pairs;
} listing;

static akin_status list_task(void *argument, uint64_t task, uint32_t thread)
{
    const listing *l = argument;
    const akin_level_pairs *from = &l->training->pairs;
    const uint32_t border = from->tables == 2 ? from->rows[0] : 0;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, l->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++)
        l->pairs[i] = (akin_pair){.left = from->left[l->numbers[i]], .right = from->right[l->numbers[i]] - border};
    return AKIN_OK;
}

/* The pairs that are probable enough. */
static akin_status list_probable(const akin_training *e, const double *probabilities, double least, akin_pair **out,
                                 uint64_t *count, akin_error *error)
{
    const akin_dedupe_job *j = e->job;
    uint64_t *numbers = NULL;
    akin_status status = akin_reaching_list(j->scope, &e->job->account, probabilities, e->pairs.count, least, &numbers,
                                            count, NULL, error);
    akin_pair *pairs = status == AKIN_OK ? akin_alloc(&e->job->account, *count, sizeof *pairs) : NULL;
    if (status == AKIN_OK && !pairs)
        status = akin_fail_memory(error, "the pairs of clusters");
    listing l = {e, numbers, *count, pairs};
    if (status == AKIN_OK &&
        (status = akin_parallel(j->scope, NULL, akin_ceil_div(*count, AKIN_LEVEL_PAIRS), list_task, &l)) != AKIN_OK)
        akin_fail_stopped(error, status, "the pairs of clusters");
    akin_free(numbers);
    *out = pairs;
    return status;
}

/* The components of pairs that are probable enough. */
static akin_status find_components(const akin_training *e, const double *probabilities, double least,
                                   akin_clusters **out, akin_error *error)
{
    const akin_dedupe_job *j = e->job;
    const akin_narrowing narrowing = {.threads = akin_scope_threads(j->scope), .on_cpu = 1};
    const akin_scope here = akin_scope_narrow(j->scope, narrowing);
    akin_pair *pairs = NULL;
    uint64_t count = 0;
    akin_status status = list_probable(e, probabilities, least, &pairs, &count, error);
    if (status == AKIN_OK)
        status = akin_clusters_create_within(j->scope, j->records.rows[0], j->records.rows[1], NULL, out, error);
    if (status == AKIN_OK)
        status = akin_clusters_connect_within(&here, *out, pairs, NULL, count, error);
    akin_free(pairs);
    return status == AKIN_OK ? akin_clusters_close_within(j->scope, *out, error) : status;
}

static int keep_scored(scored_pairs *s, akin_account *account, akin_scored_pair pair)
{
    akin_scored_pair *larger = akin_enlarge(account, s->pairs, &s->room, s->count + 1, sizeof *larger);
    if (!larger)
        return 0;
    s->pairs = larger;
    s->pairs[s->count++] = pair;
    return 1;
}

/* Whether the pair is among those that were selected, or answered with yes. */
static int is_gathered(const akin_training *e, uint32_t a, uint32_t b)
{
    const akin_dedupe_job *j = e->job;
    return akin_selectors_have(j->selectors, j->options.selection_count, a, b) || akin_training_accepts(e, a, b);
}

/* Keeps a pair that was scored. 0: memory is short. */
static int keep_probable(completion *c, uint32_t thread, uint32_t a, uint32_t b, double probability)
{
    akin_dedupe_job *j = c->training->job;
    const uint32_t border = j->records.tables == 2 ? j->records.rows[0] : 0;
    const akin_scored_pair pair = {a, b - border, probability};
    if (probability < c->counted)
        return 1;
    if (c->clustered && !keep_scored(&c->scored[thread], &j->account, pair))
        return 0;
    const int is_more = probability >= c->threshold &&
                        akin_clusters_row(c->found, a) == akin_clusters_row(c->found, b) &&
                        !is_gathered(c->training, a, b);
    return !is_more || keep_scored(&c->more[thread], &j->account, pair);
}

/* Scores some pairs. */
static akin_status score_pairs(completion *c, uint32_t thread, const akin_pair *pairs, uint32_t count)
{
    akin_status status = AKIN_OK;
    akin_scorer_fetch(c->scorers->scorers[thread], pairs, count);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        double probability = 0;
        status = akin_training_score(c->scorers, thread, pairs[i].left, pairs[i].right, &probability);
        if (status == AKIN_OK && !keep_probable(c, thread, pairs[i].left, pairs[i].right, probability))
            status = AKIN_E_NOMEM;
    }
    return status;
}

/* Pairs that a thread is going to score. */
typedef struct waiting {
    akin_pair pairs[AKIN_SCORER_FETCHED];
    uint32_t count;
} waiting;

/* Scores a record with the records of its component from follower `at` on. */
static akin_status score_record(completion *c, uint32_t thread, uint32_t label, uint32_t a, uint64_t at, waiting *w)
{
    const akin_dedupe_job *j = c->training->job;
    akin_status status = AKIN_OK;
    for (uint64_t i = at; i < c->follower_count && c->followers[i] >> 32 == label && status == AKIN_OK; i++) {
        const uint32_t b = (uint32_t)c->followers[i];
        if (!akin_records_meet(&j->records, a, b) || akin_sources_are_same(j, a, b))
            continue;
        w->pairs[w->count++] = (akin_pair){.left = a, .right = b};
        if (w->count < AKIN_SCORER_FETCHED)
            continue;
        status = score_pairs(c, thread, w->pairs, w->count);
        w->count = 0;
    }
    return status;
}

/* Scores records with those of their component behind them. */
static akin_status score_members(void *argument, uint64_t task, uint32_t thread)
{
    completion *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, c->follower_count);
    waiting w = {.count = 0};
    akin_status status = AKIN_OK;
    for (uint64_t at = task * TASK_ROWS; at < end && status == AKIN_OK; at++) {
        const uint32_t label = (uint32_t)(c->followers[at] >> 32);
        if (akin_clusters_size(c->components, label) > AKIN_COMPLETED_RECORDS) {
            atomic_store_explicit(&c->has_large, 1, memory_order_relaxed);
            continue;
        }
        if (at == 0 || c->followers[at - 1] >> 32 != label)
            status = score_record(c, thread, label, label, at, &w);
        if (status == AKIN_OK)
            status = score_record(c, thread, label, (uint32_t)c->followers[at], at + 1, &w);
    }
    return status == AKIN_OK ? score_pairs(c, thread, w.pairs, w.count) : status;
}

static akin_status score_components(completion *c, akin_error *error)
{
    akin_dedupe_job *j = c->training->job;
    c->scored = akin_alloc_zero(&j->account, c->scorers->threads, sizeof *c->scored);
    c->more = akin_alloc_zero(&j->account, c->scorers->threads, sizeof *c->more);
    if (!c->scored || !c->more)
        return akin_fail_memory(error, "the pairs of clusters");
    const akin_status status = akin_parallel_long(
        &c->scorers->scope, "clustering", akin_ceil_div(c->follower_count, TASK_ROWS), score_members, c, &j->cancelled);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the pairs of clusters");
}

/* Adds the selected pairs of components that are too large. */
static akin_status add_of_large(const completion *c, const double *probabilities, akin_clusters *clusters,
                                akin_error *error)
{
    const akin_level_pairs *pairs = &c->training->pairs;
    const akin_records *records = &c->training->job->records;
    const uint32_t border = records->tables == 2 ? records->rows[0] : 0;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < pairs->count && status == AKIN_OK && c->has_large; i++) {
        if (probabilities[i] < AKIN_COMPLETED_LEAST)
            continue;
        const uint32_t label = akin_clusters_row(c->clustered, pairs->left[i]);
        const akin_pair pair = {.left = pairs->left[i], .right = pairs->right[i] - border};
        if (label == akin_clusters_row(c->clustered, pairs->right[i]) &&
            akin_clusters_size(c->components, akin_clusters_row(c->components, pairs->left[i])) >
                AKIN_COMPLETED_RECORDS)
            status = akin_clusters_add(clusters, &pair, &probabilities[i], 1, error);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------- pairs beside found */

/* Adds the probable pairs of one component of found pairs that no selection has. */
static akin_status find_more(const completion *c, double *added, akin_error *error)
{
    akin_training *e = c->training;
    akin_dedupe_job *j = e->job;
    akin_found *found = &e->found;
    const uint64_t first = found->count;
    uint64_t units = 0, more = 0; /* an exact sum: the order of the pairs is that of the threads */
    for (uint32_t t = 0; t < c->scorers->threads; t++)
        more += c->more[t].count;
    if (more == 0)
        return AKIN_OK;
    if (!akin_found_enlarge(found, &j->account, more, akin_training_similarities(e), 0))
        return akin_fail_memory(error, "the pairs found");
    for (uint32_t t = 0; t < c->scorers->threads; t++)
        for (uint64_t i = 0; i < c->more[t].count; i++) {
            found->pairs[found->count++] = c->more[t].pairs[i];
            units += (uint64_t)(c->more[t].pairs[i].similarity * UNITS);
        }
    *added = (double)units / UNITS;
    return akin_training_compare_found(c->scorers, first, error);
}

/* Of the pairs that a thread has scored, drops those between components that are clustered. */
static akin_status drop_between(void *argument, uint64_t task, uint32_t thread)
{
    const completion *c = argument;
    const akin_records *records = &c->training->job->records;
    const uint32_t border = records->tables == 2 ? records->rows[0] : 0;
    scored_pairs *scored = &c->scored[task];
    uint64_t kept = 0;
    (void)thread;
    for (uint64_t i = 0; i < scored->count; i++)
        if (akin_clusters_row(c->clustered, scored->pairs[i].left) ==
            akin_clusters_row(c->clustered, scored->pairs[i].right + border))
            scored->pairs[kept++] = scored->pairs[i];
    scored->count = kept;
    return AKIN_OK;
}

/* Scored pairs as clusters take them. */
typedef struct adding {
    const akin_scored_pair *scored;
    uint64_t count;
    akin_pair *pairs;
    double *similarities;
} adding;

static akin_status part_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const adding *a = argument;
    const uint64_t end = akin_min_u64((task + 1) * ADDED, a->count);
    (void)thread;
    for (uint64_t i = task * ADDED; i < end; i++) {
        a->pairs[i] = (akin_pair){.left = a->scored[i].left, .right = a->scored[i].right};
        a->similarities[i] = a->scored[i].similarity;
    }
    return AKIN_OK;
}

/* Adds what a thread has scored to the clusters. */
static akin_status add_scored(const akin_scope *scope, const scored_pairs *scored, adding *a, akin_clusters *clusters,
                              akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < scored->count && status == AKIN_OK; i += a->count) {
        a->scored = scored->pairs + i;
        a->count = akin_min_u64(AT_ONCE, scored->count - i);
        status = akin_parallel(scope, NULL, akin_ceil_div(a->count, ADDED), part_pairs, a);
        status = status == AKIN_OK
                     ? akin_clusters_connect_within(scope, clusters, a->pairs, a->similarities, a->count, error)
                     : akin_fail_stopped(error, status, "the pairs of clusters");
    }
    return status;
}

/* Adds what was scored to the clusters. */
static akin_status fill_clusters(completion *c, const double *probabilities, akin_clusters *clusters, akin_error *error)
{
    akin_dedupe_job *j = c->training->job;
    uint64_t most = 0;
    akin_status status = AKIN_OK;
    if (c->components != c->clustered)
        status = akin_parallel(j->scope, NULL, c->scorers->threads, drop_between, c);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the pairs of clusters");
    for (uint32_t t = 0; t < c->scorers->threads; t++)
        most = akin_max_u64(most, akin_min_u64(AT_ONCE, c->scored[t].count));
    adding a = {.pairs = akin_alloc(&j->account, most, sizeof *a.pairs),
                .similarities = akin_alloc(&j->account, most, sizeof *a.similarities)};
    if (!a.pairs || !a.similarities)
        status = akin_fail_memory(error, "the pairs of clusters");
    for (uint32_t t = 0; t < c->scorers->threads && status == AKIN_OK; t++)
        status = add_scored(j->scope, &c->scored[t], &a, clusters, error);
    akin_free(a.pairs);
    akin_free(a.similarities);
    return status == AKIN_OK ? add_of_large(c, probabilities, clusters, error) : status;
}

static void clear_scored(scored_pairs *of_threads, uint32_t threads)
{
    for (uint32_t t = 0; of_threads && t < threads; t++)
        akin_free(of_threads[t].pairs);
    akin_free(of_threads);
}

static akin_status score(completion *c, akin_training_scorers *scorers, akin_error *error)
{
    akin_dedupe_job *j = c->training->job;
    akin_status status =
        akin_clusters_followers(j->scope, &j->account, c->components, &c->followers, &c->follower_count, error);
    if (status == AKIN_OK)
        status = akin_training_scorers_make(c->training, scorers, error);
    return status == AKIN_OK ? score_components(c, error) : status;
}

akin_status akin_training_complete(akin_training *training, const double *probabilities, double threshold,
                                   akin_clusters *clusters, double *added, akin_error *error)
{
    akin_training_scorers scorers = {0};
    completion c = {.training = training,
                    .scorers = &scorers,
                    .counted = clusters ? AKIN_COMPLETED_LEAST : threshold,
                    .threshold = threshold};
    const double parameter = !clusters ? 1
                             : training->job->options.clusters_by_threshold
                                 ? threshold
                                 : akin_ratio_value(akin_clusters_least(clusters));
    akin_status status = find_components(training, probabilities, threshold, &c.found, error);
    *added = 0;
    if (status == AKIN_OK && clusters && parameter == threshold)
        c.clustered = c.found;
    else if (status == AKIN_OK && clusters)
        status = find_components(training, probabilities, parameter, &c.clustered, error);
    c.components = parameter < threshold ? c.clustered : c.found;
    if (status == AKIN_OK)
        status = score(&c, &scorers, error);
    if (status == AKIN_OK)
        status = find_more(&c, added, error);
    if (status == AKIN_OK && clusters)
        status = fill_clusters(&c, probabilities, clusters, error);
    clear_scored(c.scored, scorers.threads);
    clear_scored(c.more, scorers.threads);
    akin_free(c.followers);
    akin_training_scorers_clear(&scorers);
    if (c.clustered != c.found)
        akin_clusters_free(c.clustered);
    akin_clusters_free(c.found);
    return status;
}
