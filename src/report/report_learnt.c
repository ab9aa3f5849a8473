/* Keeps for a report what a job has learnt: the model, the pairs that count, what selections add, and records that no
 * pair could link. */
#include "report/report.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define LN_2      0.69314718055994530942
#define NEAR_ONE  1e-12  /* of probabilities: closer to 1 their odds are not known from them */
#define LEAST     1e-300 /* closer to 0 neither */
#define MOST_ODDS 1e150

static akin_status fail(akin_error *error)
{
    return akin_fail_memory(error, "the report");
}

static double probability_of(double odds)
{
    return odds < MOST_ODDS ? odds / (1 + odds) : 1;
}

/* ------------------------------------------------------------------------------------------------------------ model */

static akin_status keep_model(akin_report *report, const akin_learnt *from, akin_error *error)
{
    akin_report_learnt *learnt = &report->learnt;
    const akin_training *training = &from->training;
    learnt->prior = from->prior;
    learnt->tempering = training->model.tempering;
    learnt->count = training->model.count;
    learnt->comparisons = akin_alloc_zero(&report->account, learnt->count, sizeof *learnt->comparisons);
    learnt->levels = akin_alloc(&report->account, learnt->count, sizeof *learnt->levels);
    if (!learnt->comparisons || !learnt->levels)
        return fail(error);
    for (uint32_t c = 0; c < learnt->count; c++) {
        akin_report_comparison *to = &learnt->comparisons[c];
        const akin_training_comparison *comparison = &training->comparisons[c];
        *to = (akin_report_comparison){.column = comparison->leveled.column,
                                       .is_overlapping = comparison->is_overlapping,
                                       .model = training->models[c]};
        memcpy(to->cuts, comparison->cuts, (comparison->leveled.levels - 1) * sizeof *to->cuts);
    }
    return AKIN_OK;
}

/* The threshold as a ratio, rounded down, so that what reaches the threshold reaches it. */
static void set_threshold(akin_report *report, double threshold)
{
    const double billionths = floor(threshold * 1e9);
    report->learnt.threshold = threshold;
    report->job_options.threshold = (akin_ratio){billionths > 1 ? (uint32_t)billionths : 1, 1000000000};
    if (akin_ratio_below(report->job_options.threshold, report->least))
        report->least = report->job_options.threshold;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* Goes through the pairs that are gathered: those that reach the threshold, or the others. */
static void gather(akin_report *report, const akin_learnt *learnt, int reaching, akin_scored_pair *pairs,
                   uint64_t *count)
{
    const akin_level_pairs *from = &learnt->training.pairs;
    const uint32_t border = report->records.tables == 2 ? report->records.rows[0] : 0;
    for (uint64_t i = 0; i < from->count; i++) {
        const double p = learnt->probabilities[i];
        if (!akin_report_is_gathered(report, p) || (p >= report->learnt.threshold) != reaching)
            continue;
        if (pairs)
            pairs[*count] = (akin_scored_pair){from->left[i], from->right[i] - border, p};
        ++*count;
    }
}

/* Lists the pairs that no threshold decides on, because a record of them has a better pair. */
static akin_status list_beaten(akin_report *report, const akin_learnt *learnt, akin_error *error)
{
    const akin_level_pairs *from = &learnt->training.pairs;
    report->beaten = akin_alloc(&report->account, from->count - learnt->candidate_count, sizeof *report->beaten);
    if (!report->beaten)
        return fail(error);
    for (uint64_t i = 0, at = 0; i < from->count; i++) {
        if (at < learnt->candidate_count && learnt->candidates[at] == i)
            at++;
        else if (akin_report_is_gathered(report, learnt->probabilities[i]))
            report->beaten[report->beaten_count++] = akin_two_records(from->left[i], from->right[i]);
    }
    akin_sort_u64(report->beaten, report->beaten_count);
    return AKIN_OK;
}

/* Pairs that were found and no selection has: they follow the others. */
static akin_status list_completed(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const uint64_t kept = job->learnt->kept, count = job->stored[0].count - kept;
    report->learnt.completed = akin_alloc(&report->account, count, sizeof *report->learnt.completed);
    if (!report->learnt.completed)
        return fail(error);
    for (uint64_t i = 0; i < count; i++)
        report->learnt.completed[i] = akin_report_records(&report->records, &job->stored[0].pairs[kept + i]);
    akin_sort_u64(report->learnt.completed, count);
    report->learnt.completed_count = count;
    return AKIN_OK;
}

int akin_report_is_completed(const akin_report *report, uint64_t records)
{
    const akin_report_learnt *learnt = &report->learnt;
    const uint64_t at = akin_lower_bound_u64(learnt->completed, learnt->completed_count, records);
    return at < learnt->completed_count && learnt->completed[at] == records;
}

/* ------------------------------------------------------------------------------------------------------- selections */

/* What a task counts: a share of each selection, and matches by how many selections have them. */
typedef struct counting {
    const akin_dedupe_view *job;
    akin_report_share *shares;  /* [task][selection] */
    akin_report_caught *caught; /* [task] */
} counting;

static akin_status count_selections(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    const akin_level_pairs *pairs = &c->job->learnt->training.pairs;
    const uint32_t selections = c->job->options->selection_count;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, pairs->count);
    akin_report_share *shares = c->shares + task * selections;
    akin_report_caught *caught = &c->caught[task];
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const double p = c->job->learnt->probabilities[i], sure = p >= AKIN_REPORT_SURE ? p : 0;
        uint32_t count = 0, last = 0;
        for (uint32_t s = 0; s < selections; s++)
            if (akin_selector_has(&c->job->selectors[s], pairs->left[i], pairs->right[i])) {
                shares[s].matches += p;
                last = s;
                count++;
            }
        if (count == 1) {
            shares[last].sole_pairs++;
            shares[last].sole_matches += p;
            shares[last].sole_sure += sure;
        }
        caught->by_one += count == 1 ? p : 0;
        caught->by_two += count == 2 ? p : 0;
        caught->by_more += count > 2 ? p : 0;
        caught->sure_by_two += count == 2 ? sure : 0;
    }
    return AKIN_OK;
}

/* Sums up tasks in their order, so that the sums do not depend on threads. */
static void sum_tasks(akin_report *report, const counting *c, uint64_t tasks)
{
    const uint32_t selections = c->job->options->selection_count;
    akin_report_caught *caught = &report->learnt.caught;
    for (uint64_t t = 0; t < tasks; t++) {
        for (uint32_t s = 0; s < selections; s++) {
            const akin_report_share *from = &c->shares[t * selections + s];
            report->learnt.shares[s].matches += from->matches;
            report->learnt.shares[s].sole_matches += from->sole_matches;
            report->learnt.shares[s].sole_sure += from->sole_sure;
            report->learnt.shares[s].sole_pairs += from->sole_pairs;
        }
        caught->by_one += c->caught[t].by_one;
        caught->by_two += c->caught[t].by_two;
        caught->by_more += c->caught[t].by_more;
        caught->sure_by_two += c->caught[t].sure_by_two;
    }
}

static akin_status weigh_selections(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const uint32_t selections = job->options->selection_count;
    const uint64_t tasks = akin_ceil_div(job->learnt->training.pairs.count, AKIN_LEVEL_PAIRS);
    counting c = {.job = job,
                  .shares = akin_alloc_zero(&report->account, tasks * selections, sizeof *c.shares),
                  .caught = akin_alloc_zero(&report->account, tasks, sizeof *c.caught)};
    report->learnt.shares = akin_alloc_zero(&report->account, selections, sizeof *report->learnt.shares);
    akin_status status = AKIN_OK;
    if (!c.shares || !c.caught || !report->learnt.shares) {
        status = fail(error);
    } else {
        status = akin_parallel(report->scope, NULL, tasks, count_selections, &c);
        if (status == AKIN_OK)
            sum_tasks(report, &c, tasks);
        else
            akin_fail_stopped(error, status, "the report");
    }
    akin_free(c.shares);
    akin_free(c.caught);
    return status;
}

double akin_report_caught_matches(const akin_report *report)
{
    const akin_report_caught *caught = &report->learnt.caught;
    return caught->by_one + caught->by_two + caught->by_more;
}

/*
 * Chao's estimate of what all samples miss (Estimating population size for sparse data in capture-recapture
 * experiments, 1989): the sum of Z_i Z_j over all selections i < j, divided by f + 1, with Z_i matches that selection i
 * has alone and f that two have. It is a lower bound where a match that one selection misses is more likely to be
 * missed by another one, as here. Only sure matches count: a few wrong ones would make the bound too high.
 */
double akin_report_missed_least(const akin_report *report)
{
    double sum = 0, products = 0;
    for (uint32_t s = 0; s < report->job_options.selection_count; s++) {
        products += sum * report->learnt.shares[s].sole_sure;
        sum += report->learnt.shares[s].sole_sure;
    }
    return products / (report->learnt.caught.sure_by_two + 1);
}

/* ---------------------------------------------------------------------------------------------------------- records */

/* Keeps a record as an example if it is one of the least probable. */
static void offer_example(akin_report_learnt *learnt, uint32_t record, double probability)
{
    uint32_t at = learnt->example_count;
    for (; at > 0 && learnt->examples[at - 1].similarity > probability; at--)
        if (at < AKIN_REPORT_EXAMPLES)
            learnt->examples[at] = learnt->examples[at - 1];
    if (at < AKIN_REPORT_EXAMPLES)
        learnt->examples[at] = (akin_report_edge){record, probability};
    learnt->example_count += learnt->example_count < AKIN_REPORT_EXAMPLES;
}

/* How probable the pair of a record with one of the same values is, if neither has other pairs. */
static double best_of(const akin_dedupe_view *job, uint32_t record, double *each, uint8_t *levels)
{
    for (uint32_t i = 0; i < job->options->attribute_count && each; i++)
        each[i] = job->scoring->attributes[i].of[record] == AKIN_VALUE_NONE ? NAN : 1;
    return probability_of(job->learnt->prior *
                          akin_exponential(akin_training_weigh(&job->learnt->training, record, record, each, levels)));
}

static akin_status find_unlinkable(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    akin_report_learnt *learnt = &report->learnt;
    double *each = akin_alloc(&report->account, job->options->attribute_count, sizeof *each);
    akin_status status = each ? AKIN_OK : fail(error);
    for (uint32_t r = 0; r < report->records.count && status == AKIN_OK; r++) {
        const double best = best_of(job, r, each, learnt->levels);
        learnt->best[akin_report_bin(best)]++;
        if (best < learnt->threshold) {
            learnt->unlinkable++;
            offer_example(learnt, r, best);
        }
        status = akin_records_check_cancelled(report->scope, r, error);
    }
    akin_free(each);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- evidence */

/* The number of a pair of the training, or how many there are. They are sorted by records. */
static uint64_t find_pair(const akin_level_pairs *pairs, uint64_t records)
{
    const uint32_t a = (uint32_t)(records >> 32), b = (uint32_t)records;
    uint64_t first = 0, end = pairs->count;
    while (first < end) {
        const uint64_t middle = first + (end - first) / 2;
        const int is_before = pairs->left[middle] < a || (pairs->left[middle] == a && pairs->right[middle] < b);
        first = is_before ? middle + 1 : first;
        end = is_before ? end : middle;
    }
    return first < pairs->count && pairs->left[first] == a && pairs->right[first] == b ? first : pairs->count;
}

/* The weight of a comparison, in nats. NAN: a value is missing. */
static double weight_of(const akin_fellegi_sunter *model, uint32_t comparison, const uint8_t *levels)
{
    const akin_level_model *c = &model->comparisons[comparison];
    const uint32_t level = levels[comparison] & AKIN_LEVEL;
    if (level == AKIN_LEVEL_MISSING)
        return NAN;
    return akin_level_is_given(model, comparison, levels) ? c->weights_given[level] : c->weights[level];
}

double akin_report_weigh(const akin_report *report, const akin_dedupe_view *job, uint64_t records, const double *each,
                         double *parts)
{
    const akin_training *training = &job->learnt->training;
    const uint32_t count = training->model.count;
    const uint64_t at = find_pair(&training->pairs, records);
    double *ends = parts + 1 + count, sum = 0;
    uint8_t *levels = report->learnt.levels;
    /* What a pair weighs beside its levels is what rare values add. */
    double evidence = akin_training_weigh(training, (uint32_t)(records >> 32), (uint32_t)records, each, levels);
    for (uint32_t c = 0; c < count; c++) {
        const double weight = weight_of(&training->model, c, levels);
        parts[1 + c] = weight / LN_2;
        sum += isnan(weight) ? 0 : weight;
    }
    double rarity = evidence / training->model.tempering - sum;
    if (at < training->pairs.count) { /* as it was learnt, in single precision */
        rarity = training->pairs.rarity[at];
        evidence = training->model.tempering * (sum + rarity);
    }
    double p = probability_of(job->learnt->prior * akin_exponential(evidence));
    const double prior = akin_logarithm_of(job->learnt->prior);
    parts[0] = prior / LN_2;
    ends[AKIN_REPORT_RARITY] = rarity / LN_2;
    ends[AKIN_REPORT_TEMPERING] = (evidence - (sum + rarity)) / LN_2;
    ends[AKIN_REPORT_PARTNERS] = 0;
    if (at < training->pairs.count)
        p = job->learnt->probabilities[at];
    if (job->learnt->partners == AKIN_PARTNERS_ONE && at < training->pairs.count && p > LEAST && p < 1 - NEAR_ONE)
        ends[AKIN_REPORT_PARTNERS] = (akin_logarithm_of(p / (1 - p)) - prior - evidence) / LN_2;
    return p;
}

/* -------------------------------------------------------------------------------------------------------- expected */

void akin_report_expect(const akin_report *report, double *precision, double *recall, double *f1, uint64_t *pairs)
{
    double right = 0;
    uint64_t count = 0;
    for (uint32_t k = AKIN_CURVE_POINTS; k-- > 0;) {
        right += report->learnt.sums[k];
        count += report->kept_bins[k];
        pairs[k] = count;
        precision[k] = count > 0 ? right / (double)count : NAN;
        recall[k] = report->figures.expected_matches > 0 ? fmin(right / report->figures.expected_matches, 1) : NAN;
        f1[k] = count > 0 ? 2 * right / ((double)count + report->figures.expected_matches) : NAN;
    }
}

/* -------------------------------------------------------------------------------------------------------------- all */

akin_status akin_report_gather_learnt(akin_report *report, const akin_dedupe_view *job, akin_scored_pair **pairs,
                                      akin_gathered_pairs *out, akin_error *error)
{
    const akin_learnt *learnt = job->learnt;
    uint64_t count = 0, reaching = 0, completed = job->stored[0].count - learnt->kept;
    set_threshold(report, job->figures->threshold);
    akin_status status = keep_model(report, learnt, error);
    if (status == AKIN_OK)
        status = list_beaten(report, learnt, error);
    if (status == AKIN_OK)
        status = list_completed(report, job, error);
    if (status == AKIN_OK)
        status = weigh_selections(report, job, error);
    if (status == AKIN_OK)
        status = find_unlinkable(report, job, error);
    if (status != AKIN_OK)
        return status;
    gather(report, learnt, 1, NULL, &count);
    gather(report, learnt, 0, NULL, &count);
    *pairs = akin_alloc(&report->account, count + completed, sizeof **pairs);
    if (!*pairs)
        return fail(error);
    gather(report, learnt, 1, *pairs, &reaching);
    if (completed > 0)
        memcpy(*pairs + reaching, job->stored[0].pairs + learnt->kept, completed * sizeof **pairs);
    count = reaching += completed;
    gather(report, learnt, 0, *pairs, &count);
    *out = (akin_gathered_pairs){.pairs = *pairs, .count = count, .reaching = reaching};
    return AKIN_OK;
}
